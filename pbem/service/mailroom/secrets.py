"""What a writer's own secrets are, and a text of his without them: whoever hands on what he wrote must not hand them on.

The secrets are known, so they are looked for as what they are, not by the shape they mostly have: bare, in capitals, broken by
line ends and quote marks, percent-coded, quoted-printable or as entities of a web page.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Collection

from pbem.orders.club_verbs import WORD
from pbem.service.context import ServiceContext

HIDDEN = "(hidden)"
_CODE = re.compile(r"%([0-9a-fA-F]{2})|=([0-9a-fA-F]{2})|&(?:#\d{1,7}|#x[0-9a-fA-F]{1,6}|[a-zA-Z]{2,8});")
_SIGNS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")


def of(context: ServiceContext, addresses: Collection[str]) -> set[str]:
    """The words of the seats and of the account that somebody with these addresses has."""
    games, people = context.store.games, context.store.people
    found = {seat.token for address in addresses for seat in games.seats_of(address)}
    members = [people.at(address) for address in addresses]
    found |= {member.token for member in members if member}
    return {word.lower() for word in found if word}


def without(context: ServiceContext, addresses: Collection[str], text: str) -> str:
    """A text by somebody with these addresses, without anything that was mailed to him alone: the words of his seats, words to
    confirm with, and the secret part of the Message-IDs of our mails to him."""
    hits = {span for coded in (False, True) for span in _hits(context, addresses, *_compact(text, coded))}
    for start, end in sorted(hits, reverse=True):
        text = text[:start] + HIDDEN + text[end:]
    return text


def _hits(
    context: ServiceContext, addresses: Collection[str], signs: str, spans: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Where secrets stand in a text, of whose signs it is told where they stand; none overlaps another."""
    found = [(at, len(secret)) for secret in of(context, addresses) for at in _all(secret, signs)]
    for at in _all(WORD, signs):
        word = signs[at : at + 8]
        found += [(at, 8)] if any(context.store.people.word(word, address) for address in addresses) else []
    for at in _all("[0-9a-f]{18}", signs):
        part = signs[at : at + 18]
        found += [(at, 18)] if any(context.store.outbox.mailed(address, part) for address in addresses) else []
    apart: list[tuple[int, int]] = []
    for at, size in sorted(found):
        start, end = spans[at][0], spans[at + size - 1][1]
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return apart


def _all(pattern: str, signs: str) -> list[int]:
    """Where something begins in the signs of a text, also within itself."""
    return [m.start() for m in re.finditer(f"(?={pattern})", signs)]


def _compact(text: str, coded: bool) -> tuple[str, list[tuple[int, int]]]:
    """The letters and digits of a text, small and plain, with where each stands; ``coded``: codes count as what they stand for
    (read once with, once without, as 'word=bcdf2345' is no code)."""
    signs: list[str] = []
    spans: list[tuple[int, int]] = []
    at = 0
    while at < len(text):
        found = _CODE.match(text, at) if coded else None
        end = found.end() if found else at + 1
        code = (found[1] or found[2]) if found else None
        plain = chr(int(code, 16)) if code else html.unescape(text[at:end])
        for sign in unicodedata.normalize("NFKC", plain).lower():
            if sign in _SIGNS:
                signs.append(sign)
                spans.append((at, end))
        at = end
    return "".join(signs), spans
