"""Header fields as they came, read without ever raising.

The structured header classes of the standard library raise on real mail (``Message-ID: <>``, ``name*``, encoded line
ends in names) and take quadratic time on hostile mail; nothing here needs them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.mail.address import in_ascii
from pbem.mail.charset import decode
from pbem.mail.typed import fold

MAX_HEADER = 200_000
"""A longer header section is read only so far."""

_FIELD_NAME = re.compile(rb"([!-9;-~]{1,200})[ \t]*:")
_WORD = re.compile(r"=\?([^?\s=]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN = re.compile(r"(\?=)\s+(?==\?)")
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")
_ADDR_SPEC = re.compile(
    r"""(?<![^\s<,;:])(?:"[^"\s]{1,64}"|[^\s"<>(),:;@\\\[\]]{1,64})@[\w.-]{1,255}(?![^\s>,;])"""
)


@dataclass(frozen=True, slots=True)
class Fields:
    """The header fields in their order (names as written, values unfolded) and the body below them."""

    items: tuple[tuple[str, str], ...]
    body: bytes
    repaired: bytes
    whole: bool
    named: Mapping[str, Sequence[str]]

    def all(self, name: str, longest: int = 16_000) -> list[str]:
        """The values of every field called ``name``, each cut to ``longest``."""
        return [value[:longest] for value in self.named.get(name.lower(), ())]

    def first(self, name: str, longest: int = 16_000) -> str:
        """The topmost field called ``name``, '' if there is none."""
        return next(iter(self.all(name, longest)), "")


def split(raw: bytes) -> Fields:
    """Part header and body; lines that are no header fields are dropped (``repaired`` is the header without them)."""
    end = b"\n" if b"\n" in raw[:MAX_HEADER] else b"\r"
    items: list[list[bytes]] = []
    at, whole = 0, True
    while at < len(raw):
        if at > MAX_HEADER:
            whole = False
            break
        stop = raw.find(end, at)
        stop = len(raw) if stop < 0 else stop
        line = raw[at:stop].rstrip(b"\r\n").replace(b"\r", b" ").replace(b"\0", b" ")
        at = stop + 1
        if not line:
            break
        if line[:1] in (b" ", b"\t"):
            if items:
                items[-1].append(line)
        elif (label := _FIELD_NAME.match(line)) is not None:
            items.append([label.group(1), line[label.end() :]])
        else:
            items.append([b""])
    fields = [field for field in items if field[0]]
    plain = tuple((field[0].decode("ascii"), _unfolded(field[1:])) for field in fields)
    named: dict[str, list[str]] = {}
    for name, value in plain:
        named.setdefault(name.lower(), []).append(value)
    return Fields(
        plain,
        raw[at:] if whole else b"",
        b"".join(field[0] + b":" + b"\r\n".join(field[1:]) + b"\r\n" for field in fields),
        whole,
        named,
    )


def _unfolded(lines: list[bytes]) -> str:
    return decode(b"".join(lines).strip(b" \t"))


def words(value: str, longest: int = 2000) -> str:
    """A field's text with encoded-words decoded, as one clean line."""
    parts: list[str] = []
    pending, charset = b"", ""
    at = 0
    value = _BETWEEN.sub(r"\1", value[:longest])
    for match in _WORD.finditer(value):
        if match.start() > at or match.group(1).lower() != charset:
            parts.append(decode(pending, charset) if pending else "")
            pending, charset = b"", match.group(1).lower()
        parts.append(value[at : match.start()])
        pending += _bytes_of(match.group(2), match.group(3))
        at = match.end()
    parts.append(decode(pending, charset) if pending else "")
    parts.append(value[at:])
    return fold(" ".join("".join(parts).splitlines()))


def _bytes_of(encoding: str, text: str) -> bytes:
    if encoding in "bB":
        return unbase64(text.encode("utf-8", "replace"))
    return binascii.a2b_qp(text.encode("utf-8", "replace"), header=True)


def unbase64(data: bytes) -> bytes:
    """Base64 decoded as far as it goes."""
    try:
        return base64.b64decode(data, validate=False)
    except (binascii.Error, ValueError):
        kept = re.sub(rb"[^A-Za-z0-9+/]", b"", data)
        kept = kept[: len(kept) - (len(kept) % 4 == 1)]
        return base64.b64decode(kept + b"=" * (-len(kept) % 4))


def message_ids(value: str, at_most: int = 50) -> tuple[str, ...]:
    """The last ``at_most`` message ids in a field."""
    return tuple(_MESSAGE_ID.findall(value[-16_000:])[-at_most:])


def addresses(value: str) -> tuple[str, ...]:
    """Every addr-spec of an address list, lower-cased where ASCII.

    Quoted names, comments and encoded-words never count as addresses, however much they look like one; an address
    outside angle brackets does, even if one in brackets follows.
    """
    text = _without_comments(_WORD.sub(" ", value[:16_000]))
    return tuple(_kept(match.group()) for match in _ADDR_SPEC.finditer(text))


def _kept(address: str) -> str:
    """An address as we keep it: lower case where it is ASCII, its domain in ASCII letters."""
    if address.isascii():
        return address.lower()
    local, at, domain = address.rpartition("@")
    return lower(f"{local}@{in_ascii(domain)}")


def lower(text: str) -> str:
    """Lower case for ASCII only: other letters that would become ASCII letters stay apart."""
    if text.isascii():
        return text.lower()
    return "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text)


def _without_comments(value: str) -> str:
    """``value`` without comments and quoted names; a quoted local part (it stands before '@') stays."""
    if not any(char in value for char in '\\("'):
        return value.replace(")", "")
    out: list[str] = []
    depth, i = 0, 0
    while i < len(value):
        char = value[i]
        if char == "\\":
            i += 2
            continue
        if depth:
            depth += (char == "(") - (char == ")")
        elif char == "(":
            depth = 1
            out.append(" ")
        elif char == '"':
            close = _closing_quote(value, i + 1)
            out.append(value[i : close + 1] if value[close + 1 : close + 2] == "@" else " ")
            i = close if close < len(value) else i
        elif char != ")":
            out.append(char)
        i += 1
    return "".join(out)


def _closing_quote(value: str, i: int) -> int:
    while i < len(value) and value[i] != '"':
        i += 2 if value[i] == "\\" else 1
    return i
