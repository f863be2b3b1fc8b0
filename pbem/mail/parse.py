"""Reads a raw mail: who, in answer to what, automatic or not, and the text that counts.

`read` never raises, whatever the bytes are; when there is no text that can safely be taken for the player's own, it
says why in `Incoming.problem`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import BytesParser
from email.policy import Compat32
from urllib.parse import unquote

from pbem.mail import auto, headers, html, quotes
from pbem.mail.auto import Bounce
from pbem.mail.charset import decode
from pbem.mail.flowed import unflow
from pbem.mail.typed import bare

SIZE_HEADER = "X-Pbem-Size"
"""Put on top by the mailbox when it fetched only the header of a mail that is too large: its size in bytes."""

QUARANTINE = ("two-content-types", "too-many-parts", "unreadable")
"""The problems that a machine cannot settle by asking for the mail once more."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What is read at most: bytes and lines of a mail, characters of the text that counts, parts."""

    mail: int = 12_000_000
    lines: int = 250_000
    text: int = 256_000
    html: int = 1_000_000
    parts: int = 100
    boundaries: int = 1_000
    depth: int = 30


@dataclass(frozen=True, slots=True)
class Incoming:
    """A mail as read.

    ``text`` is what counts, each line with typographic variants made plain; ``typed`` the same lines as the player
    typed them.  ``problem`` is '' or why there is no text that may be acted on; ``seen`` names what else the mail
    held ('attached-mail', 'picture', 'winmail', 'encrypted', 'file'), to explain an answer with.
    """

    message_id: str = ""
    body_digest: str = ""
    senders: tuple[str, ...] = ()
    subject: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    date_header: str = ""
    auto: str = ""
    bounce: Bounce | None = None
    text: str = ""
    typed: str = ""
    quoted_lines: int = 0
    signature_lines: int = 0
    problem: str = ""
    attachments: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    receivers: tuple[str, ...] = ()


@dataclass
class _Found:
    """What the parts of a mail held."""

    pieces: list[str] = field(default_factory=list)
    quoted: int = 0
    signature: int = 0
    attachments: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    problem: str = ""


class _Policy(Compat32):
    """Header values as plain short strings: nothing to raise in, nothing to take long over."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return re.sub(r"[\r\n]+", "", value[:1500]).encode("utf-8", "replace").decode("utf-8").strip()


_PARSER = BytesParser(policy=_Policy())


def read(raw: bytes, limits: Limits = Limits()) -> Incoming:
    """Read one mail; see `Incoming`."""
    fields = headers.split(raw)
    known = _envelope(fields, raw)
    problem = _too_much(raw, fields, limits)
    parts: list[Message] = []
    if not problem:
        try:
            parts = _parts(_PARSER.parsebytes(fields.repaired + b"\r\n" + fields.body))
        except Exception:  # whatever the parser stumbles over, the mail is kept and a person looks at it
            problem = "unreadable"
        if len(parts) > limits.parts:
            problem, parts = "too-many-parts", parts[:1]
    if not problem and sum(_size(part) for part in parts if _is_html(part)) > 1.4 * limits.html:
        problem = "too-large"
    known = replace(known, auto=auto.reason(fields, parts), bounce=auto.bounce(fields, parts))
    if problem:
        return replace(known, problem=problem)
    if known.auto:
        return known
    return _with_text(known, fields, parts[0], limits)


def _envelope(fields: headers.Fields, raw: bytes) -> Incoming:
    """Everything that stands in the header."""
    ids = {found for value in fields.all("Message-ID") for found in headers.message_ids(value)}
    in_reply_to = headers.message_ids(fields.first("In-Reply-To"))
    body = fields.body if fields.whole else raw
    return Incoming(
        message_id=ids.pop() if len(ids) == 1 else "",
        body_digest=hashlib.sha256(re.sub(rb"\r\n?", b"\n", body).rstrip()).hexdigest(),
        senders=tuple(dict.fromkeys(a for value in fields.all("From") for a in headers.addresses(value) or ("",))),
        subject=headers.words(fields.first("Subject"))[:300],
        in_reply_to=in_reply_to[-1] if in_reply_to else "",
        references=headers.message_ids(fields.first("References")),
        date_header=headers.words(fields.first("Date"), 100),
        receivers=_receivers(fields),
    )


def _receivers(fields: headers.Fields) -> tuple[str, ...]:
    """Whom the mail was sent to: only to find a token in a sub-address of ours, never to send anything to."""
    values = [value for name in ("Delivered-To", "X-Original-To", "To", "Cc") for value in fields.all(name)]
    return tuple(address for value in values for address in headers.addresses(value))[:50]


def _too_much(raw: bytes, fields: headers.Fields, limits: Limits) -> str:
    """'' or why the structure of this mail is not even looked at."""
    size = fields.first(SIZE_HEADER, 20)
    if size.isdecimal() and size.isascii() or len(raw) > limits.mail or not fields.whole:
        return "too-large"
    if raw.count(b"\n") + raw.count(b"\r") > 2 * limits.lines:
        return "too-large"
    kinds = len(re.findall(rb"multipart/|message/", raw[:2_000_000], re.IGNORECASE))
    if fields.body.count(b"\n--") > limits.boundaries or kinds > limits.depth:
        return "too-many-parts"
    for name in ("Content-Type", "Content-Transfer-Encoding"):
        if len(fields.all(name)) > 1:
            return "two-content-types"
    return ""


def _size(part: Message) -> int:
    """Characters of a part as it came."""
    payload = part.get_payload()
    return len(payload) if isinstance(payload, str) else 0


def _parts(message: Message) -> list[Message]:
    """The mail and its parts in their order, without those of attached mails."""
    found = [message]
    if message.get_content_maintype() == "multipart":
        for part in _messages(message.get_payload()):
            found += _parts(part)
    return found


def _messages(payload: object) -> list[Message]:
    """The parts of a multipart; none for anything else."""
    return [part for part in payload if isinstance(part, Message)] if isinstance(payload, list) else []


def _with_text(known: Incoming, fields: headers.Fields, message: Message, limits: Limits) -> Incoming:
    """Add the text that counts, or the reason why there is none."""
    try:
        found = _collect(message, limits)
    except Exception:  # see above: no mail may stop the intake
        return replace(known, problem="unreadable")
    typed = "\n\n".join(found.pieces)
    text = "\n".join(bare(line) for line in typed.split("\n"))
    problem = found.problem
    if not problem and len(text) > limits.text:
        problem = "too-large"
    if not problem and not text.strip():
        problem = _why_empty(found)
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() if not problem else known.body_digest
    return replace(
        known,
        body_digest=digest,
        text="" if problem else text,
        typed="" if problem else typed,
        quoted_lines=found.quoted,
        signature_lines=found.signature,
        problem=problem,
        attachments=tuple(found.attachments),
        seen=tuple(dict.fromkeys(found.seen)),
    )


def _why_empty(found: _Found) -> str:
    for kind, problem in (
        ("encrypted", "encrypted"),
        ("winmail", "winmail"),
        ("attached-mail", "attached-mail"),
        ("picture", "picture-only"),
        ("file", "file-only"),
    ):
        if kind in found.seen:
            return problem
    return "only-quote" if found.quoted else "empty"


def _collect(message: Message, limits: Limits) -> _Found:
    """Walk the parts of one mail."""
    found = _Found()
    for kind, part in _leaves(message):
        if len(part.get_all("Content-Type", [])) > 1 or len(part.get_all("Content-Transfer-Encoding", [])) > 1:
            found.problem = found.problem or "two-content-types"
        if kind == "alternative":
            _take_alternative(part, found, limits)
        elif kind == "text":
            _take(_text_of(part, limits), found)
        elif kind == "orders":
            found.attachments.append(_filename(part)[:100] or "without a name")
            _take(_text_of(part, limits), found)
        else:
            found.seen.append(kind)
    if any(len(piece) > limits.text for piece in found.pieces):
        found.problem, found.pieces = found.problem or "too-large", []
    return found


def _take(text: str, found: _Found) -> None:
    piece = quotes.cut(text)
    found.quoted += piece.quoted
    found.signature += piece.signature
    if piece.text.strip():
        found.pieces.append(piece.text)


def _take_alternative(part: Message, found: _Found, limits: Limits) -> None:
    """One of the versions of a text: the plain one, unless only the HTML has orders or both have other ones."""
    plain: list[str] = []
    rich: list[str] = []
    for kind, sub in _leaves_of_alternative(part):
        if kind == "text":
            (rich if _is_html(sub) else plain).append(_text_of(sub, limits))
        elif kind == "orders":
            found.attachments.append(_filename(sub)[:100] or "without a name")
            _take(_text_of(sub, limits), found)
        else:
            found.seen.append(kind)
    versions = [quotes.cut("\n".join(texts)) for texts in (plain, rich) if texts]
    versions = [v for v in versions if _bare_lines(v.text)] or versions[:1]
    if not versions:
        return
    chosen = versions[0]
    if len(versions) == 2:
        ours, theirs = (_orders(v.text) for v in versions)
        if ours and theirs and [_squeezed(b) for b in ours] != [_squeezed(b) for b in theirs]:
            found.problem = found.problem or "parts-differ"
        elif theirs and (not ours or _was_wrapped(ours, theirs)):
            chosen = versions[1]
    found.quoted += chosen.quoted
    found.signature += chosen.signature
    if chosen.text.strip():
        found.pieces.append(chosen.text)


def _bare_lines(text: str) -> list[str]:
    return [line for line in (bare(raw).lower() for raw in text.splitlines()) if line]


def _orders(text: str) -> list[list[str]]:
    """The blocks of ``text`` that end in a line 'end', each from its 'game' line or else from the top."""
    blocks: list[list[str]] = []
    block: list[str] = []
    for line in _bare_lines(text):
        if line.startswith("game ") and len(line.split()) == 2:
            block = []
        block.append(line)
        if line == "end":
            blocks.append(block)
            block = []
    named = [b for b in blocks if b[0].startswith("game ")]
    distinct: list[list[str]] = []
    for b in named or [b for b in blocks if len(b) > 1]:
        if b not in distinct:
            distinct.append(b)
    return distinct


def _squeezed(block: list[str]) -> str:
    return re.sub(r"[\W_]+", "", "".join(block))


def _was_wrapped(plain: list[list[str]], rich: list[list[str]]) -> bool:
    """Whether the plain version broke long lines that are whole in the HTML."""
    known = {line for block in plain for line in block}
    return all(len(line) > 60 for block in rich for line in block if line not in known)


def _leaves(part: Message) -> Iterator[tuple[str, Message]]:
    """The parts that may count, each with what it is: 'alternative', 'text', 'orders', or a word for `Incoming.seen`."""
    kind, payload = part.get_content_type(), _messages(part.get_payload())
    if kind.startswith("multipart/") and payload:
        if kind == "multipart/encrypted":
            yield "encrypted", part
        elif kind == "multipart/alternative":
            yield "alternative", part
        elif kind in ("multipart/signed", "multipart/related"):
            yield from _leaves(payload[0])
            for other in payload[1:] if kind == "multipart/related" else []:
                yield from ((k, p) for k, p in _leaves(other) if k != "text")
        else:
            for sub in payload:
                yield from _leaves(sub)
    else:
        yield _kind(part, kind), part


def _leaves_of_alternative(part: Message) -> Iterator[tuple[str, Message]]:
    for sub in _messages(part.get_payload()):
        for kind, leaf in _leaves(sub):
            if kind == "alternative":
                yield from _leaves_of_alternative(leaf)
            else:
                yield kind, leaf


def _kind(part: Message, kind: str) -> str:
    """What a part that has no parts is."""
    name = _filename(part).lower()
    attached = _disposition(part) == "attachment"
    if name.endswith((".txt", ".text")) and kind.partition("/")[0] in ("text", "application") and not _is_html(part):
        return "orders"
    if kind.startswith("multipart/"):
        return "text" if not attached else "file"
    if kind in ("application/ms-tnef", "application/vnd.ms-tnef") or name == "winmail.dat":
        return "winmail"
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime", "application/pgp-encrypted"):
        return "encrypted"
    if kind.startswith("message/"):
        return "attached-mail"
    if kind.startswith("image/"):
        return "picture"
    if kind not in ("text/plain", "text/markdown", "text/x-markdown") and not _is_html(part):
        return "file"
    if attached:
        return "orders" if kind == "text/plain" and not name else "file"
    declared = part.get("Content-Type")
    return "file" if name and declared is not None and "/" not in str(declared) else "text"


def _is_html(part: Message) -> bool:
    return part.get_content_type() in ("text/html", "application/xhtml+xml")


def _disposition(part: Message) -> str:
    return str(part.get("Content-Disposition") or "").partition(";")[0].strip().lower()


def _filename(part: Message) -> str:
    """The file name of an attachment, in any of the ways it is written."""
    for name, holder in (("filename", "content-disposition"), ("name", "content-type")):
        try:
            value = part.get_param(name, header=holder)
        except Exception:
            value = None
        if isinstance(value, tuple):
            text = decode(unquote(value[2], "latin-1").encode("latin-1", "replace"), value[0] or "")
        else:
            text = headers.words(str(value)) if value else ""
        if text:
            return text.strip()
    return ""


def _text_of(part: Message, limits: Limits) -> str:
    """The decoded text of a part; HTML as its reader saw it."""
    data = _decoded(part)
    label = str(part.get_param("charset") or "")
    if _is_html(part):
        source = decode(data[: 4 * limits.html], label or _meta_charset(data))
        return html.to_text(source) if len(source) <= limits.html else " " * (limits.text + 1) + "."
    text = decode(data[: 8 * limits.text], label)
    if str(part.get_param("format") or "").lower() == "flowed":
        return unflow(text, str(part.get_param("delsp") or "").lower() == "yes")
    return "\n".join(text.splitlines())


def _meta_charset(data: bytes) -> str:
    found = re.search(rb"charset\s{0,5}=\s{0,5}[\"']?([\w.:-]{1,40})", data[:2000])
    return found.group(1).decode("ascii", "replace") if found else ""


def _decoded(part: Message) -> bytes:
    """The bytes of a part with the transfer encoding undone as far as it goes."""
    named = str(part.get("Content-Transfer-Encoding") or "")
    if named:
        part.replace_header("Content-Transfer-Encoding", re.split(r"[\s;(]", named.lower(), maxsplit=1)[0])
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""
