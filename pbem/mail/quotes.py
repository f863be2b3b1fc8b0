"""Cuts what the player did not write: quoted mail, attributions, signature, PGP armour.

Line by line and without backtracking patterns, since bodies come from anybody.  Where a quote has no '>' only its
beginning can be known, so everything below it is cut: a player who writes under such a quote is asked to send again,
which is better than last turn's orders being taken for new ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail import languages
from pbem.mail.typed import fold

_LONGEST_HEADING = 400
"""A longer line is no attribution and no header line."""

_PREFIXED = re.compile(r"\s{0,3}(?:>|\|(?:\s|$)|[A-Za-z]{1,4}>+(?:\s|$)|[A-Za-z]{1,4}>>)")
_RULE = re.compile(r"\s{0,3}[-_=*\u2013\u2014]{5,}\s{0,3}$")

_ORIGINAL = re.compile(r"[-_=*\s]*(?:" + "|".join(map(re.escape, languages.ORIGINAL_MESSAGE)) + r")\s?:?[-_=*\s]*", re.IGNORECASE)
_WROTE = re.compile(
    r"(?<!\w)(?:" + "|".join(map(re.escape, languages.WROTE)) + r")(?!\w)|" + "|".join(languages.WROTE_UNSPACED), re.IGNORECASE
)
_WHEN = re.compile(r"\d{1,2}[./:-]\s?\d{1,2}|\b(?:19|20)\d\d\b|\d{1,2}[.,]? ?[^\W\d_]{3,9}|\d[年년]")
_CLOCK = re.compile(r"\d{1,2}\s?[:.h]\s?\d\d")
_ADDRESS = re.compile(r"[<\[(][^<>\s]{1,100}@[^<>\s]{1,100}[>\])]")
_BEGINS = re.compile(r"(?:on|am|le|el|il|op|den|em|w dniu|dne|dňa|a|la|på|kl|ma|ti|ke|to|pe|su|at|zitat von|\d)\b", re.IGNORECASE)
_I_WROTE = re.compile(r"\b(?:i|we|you|ich|wir|du|je|j'ai|nous|yo|io|ik|wij|jag|jeg)\b", re.IGNORECASE)

_KINDS = {name: kind for kind, names in languages.FIELDS.items() for name in names}
_FIELD = re.compile(r"\*?([^\s:*][^:*]{0,20}?)\s?\*?\s?:\*?\s?(.{0,300})")


@dataclass(frozen=True, slots=True)
class Cut:
    """What remains; how many lines that were not blank went with quotes, and with a signature."""

    text: str
    quoted: int = 0
    signature: int = 0


def cut(text: str) -> Cut:
    """Remove quoted mail, PGP armour and the signature from ``text``; everything else stays as it is."""
    lines = _unarmoured(text.splitlines())
    marked = [_PREFIXED.match(line) is not None for line in lines]
    plain = [line[:_LONGEST_HEADING] if m else fold(line[:_LONGEST_HEADING]) for line, m in zip(lines, marked, strict=True)]
    kept: list[str] = []
    quoted = 0
    i = 0
    while i < len(lines):
        if marked[i]:
            quoted += 1
            i += 1
            continue
        if lines[i].rstrip("\r\n") in ("-- ", "--\u00a0"):
            return _joined(kept, quoted, _filled(lines[i:]))
        heading = _heading(lines, plain, i)
        if heading is not None:
            below = _next_filled(plain, heading)
            if below is None or not marked[below]:
                return _joined(kept, quoted + _filled(lines[i:]))
            quoted += _filled(lines[i:below])
            i = below
            continue
        kept.append(lines[i])
        i += 1
    return _joined(kept, quoted)


def _joined(kept: list[str], quoted: int, signature: int = 0) -> Cut:
    return Cut("\n".join(kept), quoted, signature)


def _filled(lines: list[str]) -> int:
    return sum(1 for line in lines if line.strip(" \t\u00a0>|"))


def _next_filled(plain: list[str], start: int) -> int | None:
    """The first line from ``start`` on that is neither blank nor part of a heading's tail."""
    for i in range(start, min(len(plain), start + 8)):
        if plain[i]:
            return i
    return None


def _heading(lines: list[str], plain: list[str], i: int) -> int | None:
    """If a quote's heading begins on line ``i``: the line after the heading; else None."""
    line = plain[i]
    if not line or len(lines[i]) > _LONGEST_HEADING:
        return None
    fields = _header_block(plain, i)
    if fields is not None:
        return fields
    if _RULE.match(lines[i]):
        below = _next_filled(plain, i + 1)
        return None if below is None else _header_block(plain, below)
    if _ORIGINAL.fullmatch(line) and (line[0] in "-_=*" or line[-1] == ":" or _after_marker(plain, i + 1)):
        return _after_marker(plain, i + 1) or i + 1
    return _attribution(plain, i)


def _after_marker(plain: list[str], i: int) -> int | None:
    """Header lines or an attribution below 'Original Message': the line after them."""
    below = _next_filled(plain, i)
    if below is None:
        return None
    return _header_block(plain, below, least=1) or _attribution(plain, below)


def _header_block(plain: list[str], i: int, least: int = 2) -> int | None:
    """From, Sent, To, Subject in any language (Outlook quotes so): the line after them, None if they are not.

    A dateline typed in play ('From: HQ') is none: besides the sender there must be a date with the time of
    day and another field, or an address and two more fields.
    """
    if _field(plain[i])[0] != "from":
        return None
    seen: dict[str, str] = {}
    end = i
    for j in range(i, min(len(plain), i + 8)):
        kind, value = _field(plain[j])
        if kind == "from" and j > i:
            break
        if not kind and plain[j] and (j == i or not _continues(plain[j])):
            break
        if kind:
            seen.setdefault(kind, value)
            end = j
        if not plain[j] and (j + 1 >= len(plain) or not _field(plain[j + 1])[0]):
            break
    dated = _CLOCK.search(seen.get("sent", "")) is not None
    others = len(seen) - 1
    if (dated and others >= min(least, 2)) or ("@" in seen["from"] and others >= least) or (least == 1 and "@" in seen["from"]):
        return end + 1
    return None


def _continues(line: str) -> bool:
    """Whether a line can be the rest of a wrapped list of receivers."""
    return "@" in line or line.endswith((";", ">"))


def _field(line: str) -> tuple[str, str]:
    """('from', value) for a line like 'Von: …'; ('', '') for any other."""
    match = _FIELD.match(line)
    if match:
        name = match.group(1).strip().lower()
        if name in _KINDS:
            return _KINDS[name], match.group(2)
    return "", ""


def _attribution(plain: list[str], i: int) -> int | None:
    """'On 14 March, NAME <address> wrote:' on line ``i``, or begun there and wrapped: the line after it, else None."""
    words = ""
    for j in range(i, min(len(plain), i + 4)):
        line = plain[j]
        if not line or _PREFIXED.match(line) or line.lower() == "end":
            return None
        words = f"{words} {line}" if words else line
        if line.endswith(":"):
            return j + 1 if _attributes(words) else None
        if j == i and not (_BEGINS.match(line) and _WHEN.search(line)):
            return None
    return None


def _attributes(words: str) -> bool:
    """Two of verb, date and address; without an address not in the first person, as in 'On 14 March I wrote:'."""
    wrote, dated = _WROTE.search(words) is not None, _WHEN.search(words) is not None
    if _ADDRESS.search(words):
        return wrote or dated
    return wrote and dated and _BEGINS.match(words) is not None and not _I_WROTE.search(words)


def _unarmoured(lines: list[str]) -> list[str]:
    """The text of PGP clear-signed mail without armour lines, headers and dash escapes."""
    if not any(line.startswith("-----BEGIN PGP SIGNED") for line in lines):
        return lines
    kept: list[str] = []
    state = "outside"
    for line in lines:
        mark = line.rstrip()
        if mark == "-----BEGIN PGP SIGNED MESSAGE-----":
            state = "headers"
        elif mark == "-----BEGIN PGP SIGNATURE-----":
            state = "signature"
        elif mark == "-----END PGP SIGNATURE-----":
            state = "outside"
        elif state == "headers":
            state = "headers" if mark else "text"
        elif state == "text":
            kept.append(line[2:] if line.startswith("- ") else line)
        elif state == "outside":
            kept.append(line)
    return kept
