"""One mail address that we can write to, as it is kept."""

from __future__ import annotations

import re
from email.utils import getaddresses

_LOCAL = re.compile(r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}")
_DOMAIN = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,200}[A-Za-z0-9])?")


class BadAddress(ValueError):
    """It is none, or none that we can write to; says why, in one line."""


def mailable(text: str) -> str:
    """``text`` as an address in lower case, its domain in ASCII letters (IDNA).  :class:`BadAddress` if it is not just one, or
    cannot be written to."""
    local, at, domain = text.strip().rpartition("@")
    if not at or not local or not domain:
        raise BadAddress(f"'{_shown(text)}' is no mail address; write it like ann@example.org")
    if not local.isascii() and local.isprintable():
        raise BadAddress(f"'{_shown(text)}': before the @ there can only be letters from a to z, digits and signs")
    domain = in_ascii(domain)
    if not _LOCAL.fullmatch(local) or not _DOMAIN.fullmatch(domain) or ".." in domain or ".." in local or local[0] == ".":
        raise BadAddress(f"'{_shown(text)}' is no mail address; write it like ann@example.org")
    return f"{local}@{domain}".lower()


def in_ascii(domain: str) -> str:
    """A domain as it goes on the line: 'exämple.org' is 'xn--exmple-cua.org'; unchanged if it is none."""
    if domain.isascii():
        return domain
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return domain


def named(text: str) -> tuple[str, str]:
    """Name and address in 'Ann <ann@example.org>'.  :class:`BadAddress` if there is more than one address, or a line break."""
    if any(ord(c) < 32 or c in "\x7f\x85\u2028\u2029" for c in text.strip()):
        raise BadAddress(f"'{_shown(text)}': an address is one line")
    found = [(name, address) for name, address in getaddresses([text]) if name or address]
    if len(found) != 1 or text.count("@") > 1:
        raise BadAddress(f"'{_shown(text)}': give one address")
    return found[0][0], mailable(found[0][1])


def _shown(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text)[:80]
