"""Writes the mails we send."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode, encodebytes
from binascii import b2a_qp
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email import policy
from email.header import Header
from email.utils import format_datetime
from urllib.parse import quote

from pbem.mail.auto import LOOP_HEADER
from pbem.mail.headers import lower
from pbem.mail.typed import fold

POLICY = policy.SMTP.clone(max_line_length=76)

_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,200}@[A-Za-z0-9.-]{1,253}>")
_TAG = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
_KIND = re.compile(r"[a-z]{1,40}/[a-z0-9.+-]{1,80}")
_NOT_SENT = bytes((*range(9), 0x0B, *range(0x0E, 0x20), 0x7F))
_NOT_IN_TEXT = re.compile(f"[{re.escape(_NOT_SENT.decode('ascii'))}\ud800-\udfff]")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_REFERENCES = 20

HEAD_FIELD = "X-PBEM-Head"
"""Says what a mail bears witness of (deploy/DICE.md): the game, the number of a row of its journal, the hash of that row."""


@dataclass(frozen=True, slots=True)
class Image:
    """A PNG shown within the HTML as ``cid:CID``."""

    cid: str
    name: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file for the receiver to keep; ``mime`` such as 'text/calendar' or 'application/json'."""

    name: str
    mime: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A mail to one receiver.

    ``sender`` and ``to`` are addresses (``sender_name`` goes before the first); ``date`` is aware; ``game`` makes the
    List-Id; ``unsubscribe`` is an address (with ``?subject=…``) to write to.  ``by_hand``: as a person's mail program
    would write it, without the marks of automatic mail.  ``topic`` and ``begun`` (aware): what the conversation is about, and
    since when, for mail programs that group by that (Outlook); the same in all its mails.  ``head``: number and hash of the
    row of ``game`` that the mail bears witness of.
    """

    sender: str
    to: str
    subject: str
    text: str
    message_id: str
    date: datetime
    html: str | None = None
    images: Sequence[Image] = ()
    attachments: Sequence[Attachment] = ()
    in_reply_to: str = ""
    references: Sequence[str] = ()
    game: str = ""
    unsubscribe: str = ""
    sender_name: str = ""
    by_hand: bool = False
    topic: str = ""
    begun: datetime | None = None
    head: tuple[int, str] | None = None


class Unsafe(ValueError):
    """Something in a mail would have become a header or an address that was not meant."""


def compose(outgoing: Outgoing) -> bytes:
    """The mail as it goes over the wire; raises `Unsafe` rather than write a header that was not asked for."""
    wanted = _headers(outgoing)
    head = "".join(f"{name}: {_folded(value, len(name) + 2)}\r\n" for name, value in wanted)
    raw = head.encode("ascii") + b"MIME-Version: 1.0\r\n" + _body(outgoing)
    _check(raw, [name for name, _ in wanted])
    return raw


def clean(text: str, longest: int = 200) -> str:
    """``text`` fit for a header: one line, no controls, nothing a reader would decode ('=?')."""
    return fold(" ".join(text[: 4 * longest].splitlines())).replace("=?", "= ?")[:longest].strip()


def message_id(domain: str, *parts: object) -> str:
    """A Message-ID made of ``parts``: the same parts give the same id, so that a mail sent twice is one mail to the reader."""
    local = ".".join(re.sub(r"[^A-Za-z0-9_-]+", "-", str(part)).strip("-") or "0" for part in parts)
    return _checked(_MESSAGE_ID, f"<{local}@{domain}>", "Message-ID")


def thread(root: str, answered: str = "", chain: Sequence[str] = ()) -> tuple[str, tuple[str, ...]]:
    """(In-Reply-To, References) of a mail in the thread that began with ``root``, perhaps in answer to a mail.

    ``chain`` are the references of the mail answered.  What other people's programs wrote is kept only if well formed.
    """
    known = [found for found in (*chain, answered) if _MESSAGE_ID.fullmatch(found)]
    line = list(dict.fromkeys([root, *known[-_REFERENCES:]] if root else known[-_REFERENCES:]))
    return (line[-1] if line else ""), tuple(line)


_FILETIME = datetime(1601, 1, 1, tzinfo=UTC)


def thread_index(root: str, begun: datetime, sent: datetime) -> str:
    """Where a mail is in its conversation, as Outlook counts (MS-OXOMSG 2.2.1.3, PidTagConversationIndex), in base64.

    22 bytes that all mails of the conversation share: a one, the five upper bytes but one of the moment it began (in units of
    100 ns since 1601), 16 bytes that name it, here made of the Message-ID ``root``.  Five more for a later mail: the 31 bits
    of the time since then that follow the upper 15 (or, after 1.7 years, the upper 10), and a byte that may be anything.
    """
    start, passed = _ticks(begun) >> 16, max(0, _ticks(sent) - _ticks(begun))
    head = b"\x01" + (start & (1 << 40) - 1).to_bytes(5, "big") + hashlib.sha256(root.encode()).digest()[:16]
    if not passed:
        return b64encode(head).decode()
    late = passed >> 49
    delta = (1 << 31 | passed >> 23 & (1 << 31) - 1) if late else passed >> 18
    return b64encode(head + delta.to_bytes(4, "big") + b"\0").decode()


def _ticks(at: datetime) -> int:
    """Units of 100 ns since 1601."""
    return (at - _FILETIME) // timedelta(microseconds=1) * 10


def _headers(outgoing: Outgoing) -> list[tuple[str, str]]:
    """The header fields, plain ASCII."""
    sender = _checked(_ADDRESS, outgoing.sender, "sender")
    to = _checked(_ADDRESS, outgoing.to, "receiver")
    ids = [i for i in (*outgoing.references, outgoing.in_reply_to) if i]
    if outgoing.date.tzinfo is None:
        raise Unsafe("the date of a mail needs a time zone")
    name = clean(outgoing.sender_name, 60)
    found = [
        ("From", f"{_phrase(name)} <{sender}>" if name else sender),
        ("To", to),
        ("Subject", _encoded(clean(outgoing.subject))),
        ("Date", format_datetime(outgoing.date)),
        ("Message-ID", _checked(_MESSAGE_ID, outgoing.message_id, "Message-ID")),
    ]
    for each in ids:
        _checked(_MESSAGE_ID, each, "reference")
    if outgoing.in_reply_to:
        found.append(("In-Reply-To", outgoing.in_reply_to))
    if outgoing.references:
        found.append(("References", " ".join(outgoing.references)))
    if outgoing.topic:
        topic, root = clean(outgoing.topic), next(iter(outgoing.references), outgoing.message_id)
        index = thread_index(root, outgoing.begun or outgoing.date, outgoing.date)
        found += [("Thread-Topic", _encoded(topic)), ("Thread-Index", index)]
    if not outgoing.by_hand:
        found += [("Auto-Submitted", "auto-generated"), ("X-Auto-Response-Suppress", "All"), (LOOP_HEADER, "1")]
    if outgoing.game:
        tag = _checked(_TAG, lower(outgoing.game), "game")
        found.append(("List-Id", f"<{tag}.pbem.{sender.rpartition('@')[2]}>"))
        if outgoing.head:
            seq, digest = outgoing.head
            found.append((HEAD_FIELD, f"{tag} {seq:d} {_checked(_DIGEST, digest, 'head')}"))
    if outgoing.unsubscribe:
        address, _, query = outgoing.unsubscribe.removeprefix("mailto:").partition("?")
        _checked(_ADDRESS, address, "address to unsubscribe at")
        _checked(re.compile(r"[A-Za-z0-9=&%._~+-]{0,300}"), query, "address to unsubscribe at")
        found.append(("List-Unsubscribe", f"<mailto:{address}{'?' + query if query else ''}>"))
    return found


def _encoded(text: str) -> str:
    """``text`` as it stands if it is ASCII, else as encoded-words."""
    return text if text.isascii() else Header(text, "utf-8", maxlinelen=60).encode(linesep=" ").replace("  ", " ")


def _phrase(name: str) -> str:
    """A name before an address."""
    if not name.isascii():
        return _encoded(name)
    return name if re.fullmatch(r"[\w !#$%&'*+/=?^`{|}~-]+", name) else '"' + re.sub(r'(["\\])', r"\\\1", name) + '"'


def _folded(value: str, at: int) -> str:
    """A value in lines of at most 76 characters, broken at blanks."""
    lines: list[str] = []
    line = ""
    for word in value.split(" "):
        room = 76 - (at if not lines else 1)
        if line and len(line) + 1 + len(word) > room:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\r\n ".join([*lines, line])


def _body(outgoing: Outgoing) -> bytes:
    """text; or alternative(text, html); or alternative(text, related(html, images)); in mixed with attachments.

    Boundaries come from the Message-ID, so that the same mail has the same bytes; within quoted-printable and base64
    they cannot occur.
    """
    mark = hashlib.sha256(outgoing.message_id.encode()).hexdigest()[:24]
    body = _printable("text/plain", _text(outgoing.text))
    if outgoing.html is not None:
        html = _printable("text/html", _text(outgoing.html))
        images = [
            _base64(
                "image/png", image.data, f'Content-Disposition: inline; {_file(image.name)}', f"Content-ID: <{_name(image.cid)}>"
            )
            for image in outgoing.images
        ]
        if images:
            html = _multipart("related", f"=_{mark}_2", [html, *images])
        body = _multipart("alternative", f"=_{mark}_1", [body, html])
    if not outgoing.attachments:
        return body
    files = []
    for attachment in outgoing.attachments:
        place = f"Content-Disposition: attachment; {_file(attachment.name)}"
        kind = _checked(_KIND, attachment.mime, "kind of an attachment")
        if kind.startswith("text/"):
            files.append(_printable(kind, _text(attachment.data.decode("utf-8")), place))
        else:
            files.append(_base64(kind, attachment.data, place))
    return _multipart("mixed", f"=_{mark}_0", [body, *files])


def _printable(kind: str, text: str, *more: str) -> bytes:
    """A part with text."""
    head = [f'Content-Type: {kind}; charset="utf-8"', "Content-Transfer-Encoding: quoted-printable", *more, "", ""]
    return "\r\n".join(head).encode("ascii") + b2a_qp(text.encode("utf-8")).replace(b"\n", b"\r\n")


def _base64(kind: str, data: bytes, *more: str) -> bytes:
    """A part with other data."""
    head = [f"Content-Type: {kind}", "Content-Transfer-Encoding: base64", *more, "", ""]
    return "\r\n".join(head).encode("ascii") + encodebytes(data).replace(b"\n", b"\r\n")


def _multipart(kind: str, boundary: str, parts: Sequence[bytes]) -> bytes:
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n\r\n'
    inner = b"".join(b"--%s\r\n%s\r\n" % (boundary.encode("ascii"), part) for part in parts)
    return head.encode("ascii") + inner + f"--{boundary}--\r\n".encode("ascii")


def _file(name: str) -> str:
    """The file name of a part."""
    name = _name(name)
    return f'filename="{name}"' if name.isascii() else f"filename*=utf-8''{quote(name, safe='')}"


def _text(text: str) -> str:
    """Line ends of one kind, and no characters that mail may not hold."""
    lines = "\n".join(text.splitlines()) + "\n"
    if lines.isascii() and len(lines.encode("ascii").translate(None, _NOT_SENT)) == len(lines):
        return lines
    return _NOT_IN_TEXT.sub("\ufffd", lines)


def _name(name: str) -> str:
    return re.sub(r"[^\w.@+-]", "_", clean(name, 100)) or "file"


def _checked(pattern: re.Pattern[str], value: str, what: str) -> str:
    if not pattern.fullmatch(value) or ".." in value.partition("@")[2]:
        raise Unsafe(f"{value[:100]!r} cannot be the {what} of a mail")
    return value


def _check(raw: bytes, wanted: Sequence[str]) -> None:
    """The bytes hold the headers that were set, once each, and none that was not (the parts below have short lines)."""
    lines = raw[: raw.index(b"\r\n\r\n")].split(b"\r\n")
    names = [line.partition(b":")[0].decode("ascii") for line in lines if not line.startswith((b" ", b"\t"))]
    own = ["MIME-Version", "Content-Type", "Content-Transfer-Encoding"]
    if names not in ([*wanted, *own], [*wanted, *own[:2]]) or any(not line.strip() for line in lines):
        raise Unsafe("a header that was not meant appeared in the mail")
    if not raw.isascii() or max(map(len, lines)) > 998 or raw.count(b"\n") != raw.count(b"\r\n"):
        raise Unsafe("the mail holds bytes or lines that do not travel safely")
