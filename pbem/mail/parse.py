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

from pbem.mail import auto, headers, html, quotes, transfer
from pbem.mail.auto import Bounce
from pbem.mail.charset import decode
from pbem.mail.css import HIDDEN, STRUCK
from pbem.mail.flowed import unflow
from pbem.mail.quotes import Cut
from pbem.mail.typed import bare

SIZE_HEADER = "X-Pbem-Size"
"""Put on top by the mailbox when it fetched only the header of a mail that is too large: its size in bytes."""

DOUBTS = ("quoted", "struck", "hidden", "only-plain")
"""Why orders may not be what was meant: the HTML version shows them as quoted; lines of them are struck out; they are hidden;
the HTML version does not have them at all."""

QUARANTINE = ("two-content-types", "too-many-parts", "unreadable")
"""The problems that a machine cannot settle by asking for the mail once more."""


_MOST_NAMED = 50
"""Lines left out that are remembered."""


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
    typed them.  ``problem`` is '' or why there is no text that may be acted on; ``doubt`` is '' or why its orders may not be
    what the sender meant (:data:`DOUBTS`); ``seen`` names what else the mail held ('attached-mail', 'picture', 'winmail',
    'encrypted', 'file', 'garbled'), to explain an answer with; ``signed`` are lines cut off as a signature, ``inside`` marked
    lines that were left out of a block of orders.
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
    doubt: str = ""
    signed: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()


@dataclass
class _Found:
    """What the parts of a mail held."""

    pieces: list[str] = field(default_factory=list)
    quoted: int = 0
    signature: int = 0
    attachments: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    problem: str = ""
    doubt: str = ""
    signed: list[str] = field(default_factory=list)
    inside: list[str] = field(default_factory=list)

    def take(self, piece: Cut) -> None:
        """Add what a part came to."""
        self.quoted += piece.quoted
        self.signature += piece.signature
        self.signed += piece.signed
        self.inside += piece.inside
        if piece.text.strip():
            self.pieces.append(piece.text)


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
    return len(transfer.payload(part))


def _parts(message: Message) -> list[Message]:
    """The mail and its parts in their order, without those of attached mails."""
    found = [message]
    if message.get_content_maintype() == "multipart":
        for part in _messages(message):
            found += _parts(part)
    return found


def _messages(part: Message) -> list[Message]:
    """The parts of a multipart; none for anything else, whose payload must not be asked for: see :func:`transfer.payload`."""
    payload: object = part.get_payload() if part.is_multipart() else None
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
    if not problem and auto.is_sign(text):
        return replace(known, auto="a sign, and no words")
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest() if not problem else known.body_digest
    return replace(
        known,
        body_digest=digest,
        text="" if problem else text,
        typed="" if problem else typed,
        quoted_lines=found.quoted,
        signature_lines=found.signature,
        problem=problem,
        doubt="" if problem else found.doubt,
        signed=tuple(found.signed[:_MOST_NAMED]),
        inside=tuple(found.inside[:_MOST_NAMED]),
        attachments=tuple(found.attachments),
        seen=tuple(dict.fromkeys(found.seen)),
    )


def _why_empty(found: _Found) -> str:
    for kind, problem in (
        ("garbled", "garbled"),
        ("hidden", "hidden"),
        ("struck", "struck"),
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
            _take(part, limits, found)
        elif kind == "orders":
            found.attachments.append(_filename(part)[:100] or "without a name")
            _take(part, limits, found)
        else:
            found.seen.append(kind)
    if any(len(piece) > limits.text for piece in found.pieces):
        found.problem, found.pieces = found.problem or "too-large", []
    return found


def _take(part: Message, limits: Limits, found: _Found) -> None:
    """A text that is the only version of itself."""
    version = _version([part], limits, found)
    found.take(version.living)
    found.doubt = found.doubt or version.doubt


@dataclass(frozen=True, slots=True)
class _Version:
    """One version of a text: what of it counts, and why its orders may not be meant."""

    living: Cut
    doubt: str = ""


def _version(parts: list[Message], limits: Limits, found: _Found) -> _Version:
    """The text of some parts, quotes cut.  Orders that would be others if what is struck out counted are in doubt."""
    texts = [_text_of(part, limits, found) for part in parts]
    living = quotes.cut("\n".join(text.text for text in texts))
    for kind, doubt in ((STRUCK, "struck"), (HIDDEN, "hidden")):
        if not any(kind in text.left_out for text in texts):
            continue
        with_it = quotes.cut("\n".join(text.shown(kind) for text in texts))
        ours, theirs = _orders(living.text), _orders(with_it.text)
        if ours != theirs and (kind == STRUCK or not ours):
            found.seen.append(doubt)
            return _Version(living, doubt)
    return _Version(living)


def _take_alternative(part: Message, found: _Found, limits: Limits) -> None:
    """One of the versions of a text: the plain one, unless only the HTML has orders.  If they differ in what is the sender's
    own, there is a doubt, or no text at all."""
    plain: list[Message] = []
    rich: list[Message] = []
    for kind, sub in _leaves_of_alternative(part):
        if kind == "text":
            (rich if _is_html(sub) else plain).append(sub)
        elif kind == "orders":
            found.attachments.append(_filename(sub)[:100] or "without a name")
            _take(sub, limits, found)
        else:
            found.seen.append(kind)
    versions = [_version(texts, limits, found) for texts in (plain, rich) if texts]
    filled = [v for v in versions if _bare_lines(v.living.text)] or versions[:1]
    if not filled:
        return
    if len(versions) == 2 and plain and rich:
        chosen = _agreed(versions[0], versions[1], found)
    else:
        chosen = filled[0]
    found.take(chosen.living)
    found.doubt = found.doubt or chosen.doubt


def _agreed(plain: _Version, rich: _Version, found: _Found) -> _Version:
    """Which of two versions counts."""
    ours, theirs = _orders(plain.living.text), _orders(rich.living.text)
    if ours and theirs:
        if [_squeezed(b) for b in ours] != [_squeezed(b) for b in theirs]:
            if rich.doubt:
                return rich
            found.problem = found.problem or "parts-differ"
        return rich if rich.doubt or _was_wrapped(ours, theirs) else plain
    if ours and (_bare_lines(rich.living.text) or rich.living.quoted or rich.doubt):
        return _Version(plain.living, rich.doubt or ("quoted" if rich.living.quoted else "only-plain"))
    if theirs:
        return _Version(rich.living, rich.doubt or ("quoted" if plain.living.quoted else ""))
    return plain if _bare_lines(plain.living.text) else rich


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
    kind, payload = part.get_content_type(), _messages(part)
    if kind.startswith("multipart/") and payload:
        if kind == "multipart/encrypted":
            yield "encrypted", part
        elif kind == "multipart/alternative":
            yield "alternative", part
        elif kind in ("multipart/signed", "multipart/related"):
            root = _root(part, payload) if kind == "multipart/related" else payload[0]
            yield from _leaves(root)
            for other in payload if kind == "multipart/related" else []:
                if other is not root:
                    yield from ((k, p) for k, p in _leaves(other) if k != "text")
        else:
            for sub in payload:
                yield from _leaves(sub)
    else:
        yield _kind(part, kind), part


def _root(part: Message, payload: list[Message]) -> Message:
    """The part of a multipart/related that is its text: the one it names as its start, else the first; if that is none that
    can be read, the first that can."""
    start = str(part.get_param("start") or "").strip("<> ")
    named = [p for p in payload if start and str(p.get("Content-ID") or "").strip("<> ") == start]
    for candidate in [*named, *payload]:
        if candidate.get_content_maintype() in ("text", "multipart") and _disposition(candidate) != "attachment":
            return candidate
    return payload[0]


def _leaves_of_alternative(part: Message) -> Iterator[tuple[str, Message]]:
    for sub in _messages(part):
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


@dataclass(frozen=True, slots=True)
class _Text:
    """The text of a part; of HTML its source as well, and what was left out of it as struck out or hidden."""

    text: str
    source: str = ""
    left_out: frozenset[str] = frozenset()

    def shown(self, kind: str) -> str:
        """The text with what was left out as ``kind``."""
        return html.render(self.source, frozenset((kind,))).text if kind in self.left_out else self.text


def _text_of(part: Message, limits: Limits, found: _Found) -> _Text:
    """The decoded text of a part; HTML as its reader saw it."""
    data = _decoded(part)
    label = str(part.get_param("charset") or "")
    if _is_html(part):
        return _page(decode(data[: 4 * limits.html], label or _meta_charset(data)), limits)
    text = decode(data[: 8 * limits.text], label)
    if transfer.garbled(text) or transfer.broken_base64(part, data):
        found.seen.append("garbled")
        return _Text("")
    if transfer.is_page(text):
        return _page(text, limits)
    text = "\n".join(text.splitlines())
    if str(part.get_param("format") or "").lower() == "flowed":
        return _Text(_flowed(text, str(part.get_param("delsp") or "").lower() == "yes"))
    if transfer.quoted_printable(text):
        decoded = "\n".join(decode(transfer.unquoted(text), label).splitlines())
        return _Text(decoded)
    return _Text(text)


def _page(source: str, limits: Limits) -> _Text:
    if len(source) > limits.html:
        return _Text(" " * (limits.text + 1) + ".")
    page = html.render(source)
    left_out = frozenset(kind for kind, found in ((STRUCK, page.struck), (HIDDEN, page.hidden)) if found)
    return _Text(page.text, source, left_out)


def _flowed(text: str, delete_space: bool) -> str:
    """Text without its soft line ends; but if every line ends softly, so that orders would run into one another, the program
    marks lines wrongly, and they are read as they stand."""
    joined = unflow(text, delete_space)
    if not _orders(joined) and _orders(text):
        return text
    return joined


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
