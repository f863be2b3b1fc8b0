"""Writes the mails we send."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from email import policy
from email.headerregistry import Address
from email.message import EmailMessage
from email.parser import BytesHeaderParser
from email.utils import format_datetime

from pbem.mail.auto import LOOP_HEADER
from pbem.mail.headers import lower
from pbem.mail.typed import fold

POLICY = policy.SMTP.clone(max_line_length=76)

_ADDRESS = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?")
_MESSAGE_ID = re.compile(r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,200}@[A-Za-z0-9.-]{1,253}>")
_TAG = re.compile(r"[a-z0-9][a-z0-9._-]{0,60}")
_REFERENCES = 20


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
    would write it, without the marks of automatic mail.
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


class Unsafe(ValueError):
    """Something in a mail would have become a header or an address that was not meant."""


def compose(outgoing: Outgoing) -> bytes:
    """The mail as it goes over the wire; raises `Unsafe` rather than write a header that was not asked for."""
    message = EmailMessage(policy=POLICY)
    wanted = _headers(outgoing)
    for name, value in wanted:
        message[name] = value
    _body(message, outgoing)
    raw = message.as_bytes()
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


def _headers(outgoing: Outgoing) -> list[tuple[str, object]]:
    sender = _checked(_ADDRESS, outgoing.sender, "sender")
    to = _checked(_ADDRESS, outgoing.to, "receiver")
    ids = [i for i in (*outgoing.references, outgoing.in_reply_to) if i]
    if outgoing.date.tzinfo is None:
        raise Unsafe("the date of a mail needs a time zone")
    found: list[tuple[str, object]] = [
        ("From", Address(clean(outgoing.sender_name, 60), addr_spec=sender)),
        ("To", Address(addr_spec=to)),
        ("Subject", clean(outgoing.subject)),
        ("Date", format_datetime(outgoing.date)),
        ("Message-ID", _checked(_MESSAGE_ID, outgoing.message_id, "Message-ID")),
    ]
    for each in ids:
        _checked(_MESSAGE_ID, each, "reference")
    if outgoing.in_reply_to:
        found.append(("In-Reply-To", outgoing.in_reply_to))
    if outgoing.references:
        found.append(("References", " ".join(outgoing.references)))
    if not outgoing.by_hand:
        found += [("Auto-Submitted", "auto-generated"), ("X-Auto-Response-Suppress", "All"), (LOOP_HEADER, "1")]
    if outgoing.game:
        tag = _checked(_TAG, lower(outgoing.game), "game")
        found.append(("List-Id", f"<{tag}.pbem.{sender.rpartition('@')[2]}>"))
    if outgoing.unsubscribe:
        address, _, query = outgoing.unsubscribe.removeprefix("mailto:").partition("?")
        _checked(_ADDRESS, address, "address to unsubscribe at")
        _checked(re.compile(r"[A-Za-z0-9=&%._~+-]{0,300}"), query, "address to unsubscribe at")
        found.append(("List-Unsubscribe", f"<mailto:{address}{'?' + query if query else ''}>"))
    return found


def _body(message: EmailMessage, outgoing: Outgoing) -> None:
    """text; or alternative(text, html); or alternative(text, related(html, images)); in mixed with attachments.

    Boundaries come from the Message-ID, so that the same mail has the same bytes; within quoted-printable and base64
    they cannot occur.
    """
    message.set_content(_text(outgoing.text), cte="quoted-printable")
    if outgoing.html is not None:
        message.add_alternative(_text(outgoing.html), subtype="html", cte="quoted-printable")
        html = list(message.iter_parts())[-1]
        assert isinstance(html, EmailMessage)
        for image in outgoing.images:
            cid = f"<{_name(image.cid)}>"
            html.add_related(image.data, "image", "png", cid=cid, filename=_name(image.name), disposition="inline")
    for attachment in outgoing.attachments:
        main, _, sub = attachment.mime.partition("/")
        if main == "text":
            text = _text(attachment.data.decode("utf-8"))
            message.add_attachment(text, subtype=sub, filename=_name(attachment.name), cte="quoted-printable")
        else:
            message.add_attachment(attachment.data, main, sub, filename=_name(attachment.name))
    mark = hashlib.sha256(outgoing.message_id.encode()).hexdigest()[:24]
    for number, part in enumerate(message.walk()):
        if part.is_multipart():
            part.set_boundary(f"=_{mark}_{number}")


def _text(text: str) -> str:
    """Line ends of one kind, and no characters that mail may not hold."""
    return re.sub(r"[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff]", "\ufffd", "\n".join(text.splitlines())) + "\n"


def _name(name: str) -> str:
    return re.sub(r"[^\w.@+-]", "_", clean(name, 100)) or "file"


def _checked(pattern: re.Pattern[str], value: str, what: str) -> str:
    if not pattern.fullmatch(value) or ".." in value.partition("@")[2]:
        raise Unsafe(f"{value[:100]!r} cannot be the {what} of a mail")
    return value


def _check(raw: bytes, wanted: Sequence[str]) -> None:
    """The bytes hold the headers that were set, once each, and none that was not."""
    expected = sorted([lower(name) for name in wanted] + ["mime-version", "content-type", "content-transfer-encoding"])
    names = sorted(lower(name) for name in BytesHeaderParser(policy=policy.compat32).parsebytes(raw))
    if names not in (expected, [name for name in expected if name != "content-transfer-encoding"]):
        raise Unsafe("a header that was not meant appeared in the mail")
    if not raw.isascii() or max(map(len, raw.split(b"\r\n"))) > 998:
        raise Unsafe("the mail holds bytes or lines that do not travel safely")
