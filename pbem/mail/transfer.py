"""Text that is not what its labels say: damaged base64, quoted-printable without its label, HTML that is called plain."""

from __future__ import annotations

import quopri
import re
from email.message import Message

_PAGE = re.compile(r"\s{0,200}<(?:!doctype html|html|head|body|div|p|table|meta|span)\b[^<>]{0,400}>", re.IGNORECASE)
_CLOSED = re.compile(r"</(?:html|body|div|p|table|span)\s{0,5}>", re.IGNORECASE)
_BAD_CODE = re.compile(r"=(?![0-9A-Fa-f]{2}|[ \t]{0,20}(?:\r?\n|$))")
_SOFT_END = re.compile(r"=[ \t]{0,20}$|=(?:20|3D|09|C2|C3|E2)", re.MULTILINE)
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/=\s]")


def is_page(text: str) -> bool:
    """Whether a text labelled plain is the source of an HTML page."""
    return _PAGE.match(text) is not None and _CLOSED.search(text) is not None


def quoted_printable(text: str) -> bool:
    """Whether a text is quoted-printable that nobody has decoded: every '=' in it can be one of that, and two or more are."""
    if "=" not in text or not text.isascii():
        return False
    return len(_SOFT_END.findall(text)) >= 2 and _BAD_CODE.search(text) is None


def unquoted(text: str) -> bytes:
    """Quoted-printable decoded."""
    return quopri.decodestring(text.encode("ascii", "replace"))


def garbled(text: str) -> bool:
    """Whether what came out of decoding is not text: control characters and marks for broken ones among a few others."""
    some = text[:4000]
    odd = sum(1 for c in some if c == "\ufffd" or c < " " and c not in "\t\n\r\f\v\x1b\0")
    return odd > 3 and odd * 12 > len(some.strip())


def payload(part: Message) -> str:
    """The body of a part that has no parts, as it came.  (The library decodes 8-bit bytes by the label, and raises if that
    names something that is no charset for text, as 'idna'.)"""
    try:
        found = part.get_payload()
    except (UnicodeError, LookupError):
        found = part.get_payload(decode=True)
    return found.decode("latin-1") if isinstance(found, bytes) else found if isinstance(found, str) else ""


def broken_base64(part: Message, data: bytes) -> bool:
    """Whether a part says that it is base64, and is not."""
    if str(part.get("Content-Transfer-Encoding") or "").strip().lower() != "base64":
        return False
    source = payload(part).encode("utf-8", "replace")
    strange = len(_NOT_BASE64.findall(source[:20_000]))
    return strange * 20 > len(source[:20_000]) and b"\0" not in data and not data.isascii()
