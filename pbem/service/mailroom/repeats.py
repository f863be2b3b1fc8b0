"""Blocks of orders that have come before: pressed Send twice, or a quote that nothing marks.

What mail programs write above a quote has no end of shapes; what they quote has been received before.  So a block that equals
an earlier one of the same side, with other words around it, is not obeyed but asked about.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from pbem.mail import headers
from pbem.orders.lexer import tokenise
from pbem.orders.service_verbs import ACTS, take
from pbem.orders.source import GAME, Line, OrderBlock, Source
from pbem.service.context import ServiceContext
from pbem.store.api import Block, Seat

_HARMLESS = ("help", "status", "report", "map", "set", "orders", "check", "rolls")
"""Requests that may come again under any words."""

TWICE_SECONDS = 120
"""The same answer written once more so soon comes of pressing Send twice: nobody has read in between what came of the first."""

_GREETING, _CLOSING = 3, 5
"""Words at most of a greeting (it ends in a comma), and of a line below the orders that takes leave."""


def counts(block: OrderBlock) -> bool:
    """Whether a block does anything, so that its coming back matters."""
    requests, rest = take(block.lines)
    acts = {r.verb for r in requests} - set(_HARMLESS)
    return block.ended and bool(rest or acts & {*ACTS, "wait"})


def digest(block: OrderBlock) -> str:
    """What a block says, whatever its blanks, case and comments."""
    lines = [" ".join(t.text for t in tokenise(line.text)) for line in block.lines]
    return _hash([block.guard, *lines])


def words(source: Source, typed: Sequence[str]) -> tuple[str, ...]:
    """The lines around the blocks of a mail, as ``typed``, that are more than a greeting and a farewell."""
    first = min((line.no for block in source.blocks for line in _all(block)), default=0)
    last = max((line.no for block in source.blocks for line in _all(block)), default=0)
    said = []
    for line in source.outside:
        text = typed[line.no - 1].strip() if line.no <= len(typed) else line.text
        count = len(text.split())
        greeting = line.no < first and count <= _GREETING and text.endswith((",", "，", "、"))
        closing = line.no > last and count < _CLOSING
        if not (greeting or closing or GAME.match(text)):
            said.append(" ".join(text.lower().split()))
    return tuple(said)


def row(seat: Seat, block: OrderBlock, around: Sequence[str], thread: str, mail: int) -> Block:
    """What is kept of a block."""
    return Block(seat.game, seat.side, digest(block), _hash(around) if around else "", thread, mail)


def quoted(context: ServiceContext, seat: Seat, block: OrderBlock, around: Sequence[str], mail: int) -> Block | None:
    """The earlier block that this one may be a quote of: the same, but never under these words.  A mail that is nothing but
    its block quotes nothing."""
    if not around or not counts(block):
        return None
    before = context.store.inbox.blocks(seat.game, seat.side, digest(block), mail)
    if not before or any(b.words == _hash(around) for b in before):
        return None
    if len(block.lines) == 1 and not block.guard and not _heads(around):
        return None
    return before[0]


def again(context: ServiceContext, mine: Block) -> Block | None:
    """The block that a side sent last, if this one says the same, to answer the same mail of ours ('' for none)."""
    last = context.store.inbox.last_block(mine.game, mine.side, mine.mail)
    same = last is not None and (last.digest, last.words, last.thread) == (mine.digest, mine.words, mine.thread)
    return last if same else None


def at_once(raw: bytes, earlier: bytes) -> bool:
    """Whether two mails were written within :data:`TWICE_SECONDS`, by their own word."""
    dates = [_written(each) for each in (raw, earlier)]
    return all(dates) and abs((dates[0] - dates[1]).total_seconds()) <= TWICE_SECONDS  # type: ignore[operator]


def _written(raw: bytes) -> datetime | None:
    """When a mail says that it was written; None if it does not."""
    try:
        at = parsedate_to_datetime(headers.split(raw[:100_000]).first("Date", 100))
    except ValueError:
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)


def _heads(around: Sequence[str]) -> bool:
    """Whether the words around a block of one line ('ready') are more than talk: a line that is no sentence, with a digit, a
    colon or an address in it, or without any end."""
    return any(re.search(r"[\d:@]", line) or line[-1] not in ".!?,)" for line in around)


def _all(block: OrderBlock) -> list[Line]:
    return [*block.lines, *([block.guard_line] if block.guard_line else [])]


def _hash(parts: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(list(parts)).encode()).hexdigest()[:32]
