"""What a mail is: who wrote it, whether that is believed, and which blocks of orders it holds for which games.

Nothing is changed here, so that the same judgement can be acted on (:mod:`pbem.service.intake`) and explained
(:mod:`pbem.service.explain`).  It is made on identity and form alone; whether an order is legal is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.mail import parse
from pbem.mail.auth import Verdict
from pbem.mail.parse import Incoming, Limits
from pbem.orders import source
from pbem.orders.lexer import tokenise
from pbem.orders.service_verbs import REFEREE_VERBS, SERVICE, take
from pbem.orders.source import OrderBlock
from pbem.service import accounts
from pbem.service.accounts import Person, Unclear
from pbem.service.desk import Desk
from pbem.store.api import REFEREE, Mail, Seat

ACCEPT, WITH_ERRORS, RESEND = "accept", "accept-with-errors", "ask-resend"
IGNORED, REJECTED, QUARANTINED, FAILED = "ignore-auto", "reject-auth", "quarantine", "failed"

PROBLEMS = {
    "too-large": "it is too large to be read: send the orders alone, as plain text",
    "parts-differ": "its text and its HTML version hold different orders: send it as plain text",
    "only-quote": "all of it is quoted from an earlier mail: write your orders above the quote",
    "empty": "there is no text in it",
    "picture-only": "there is no text in it, only a picture: type the orders",
    "file-only": "there is no text in it, only a file: type the orders, or attach them as orders.txt",
    "attached-mail": "there is no text of your own in it, only a mail attached: type the orders",
    "winmail": "it came as winmail.dat, which only Outlook can read: send it as plain text (Format Text, Plain Text)",
    "encrypted": "it is encrypted: send it as plain text",
}
"""Why a mail's text cannot be acted on, and what to do: kinds of :attr:`pbem.mail.parse.Incoming.problem`."""

MOST_BLOCKS, MOST_LINES = 20, 300
"""So many blocks of orders in a mail, and lines in a block, are read; a mail with more is no order of a person's."""

_GAME_LINE = re.compile(r"^[ \t]{0,40}game[ \t:]", re.IGNORECASE | re.MULTILINE)

NO_END = "a line 'end' is missing below the orders, so that they may not be all there"


@dataclass(frozen=True)
class Judgement:
    """``disposition`` is 'accept' if ``chosen`` is to be dealt with, block by block; ``unclear`` says of which blocks it
    cannot be told whose they are; ``blocks`` are all that were found; ``same_as`` is the mail that this one repeats;
    ``later``: the sender may be shown when DNS works again."""

    disposition: str
    reason: str
    incoming: Incoming
    verdict: Verdict | None = None
    person: Person | None = None
    blocks: tuple[OrderBlock, ...] = ()
    chosen: tuple[tuple[Seat, OrderBlock], ...] = ()
    unclear: tuple[str, ...] = ()
    same_as: Mail | None = None
    later: bool = False


def read(desk: Desk, raw: bytes) -> Incoming:
    """A raw mail as far as a machine can read it."""
    return parse.read(raw, Limits(mail=desk.config.max_mail_bytes))


def judge(desk: Desk, raw: bytes, incoming: Incoming, earlier: Sequence[Mail], again: bool = False) -> Judgement:
    """Judge a mail.  ``earlier``: those filed before it under the same Message-ID; ``again``: it was held for DNS trouble."""
    if incoming.auto:
        return Judgement(IGNORED, incoming.auto, incoming)
    verdict, person = accounts.identify(desk, incoming, raw, again)
    found = Judgement(verdict.disposition, verdict.reason, incoming, verdict, person, later=verdict.later)
    if not verdict.ok:
        return found
    for other in earlier:
        if other.body == incoming.body_digest and other.disposition in (ACCEPT, WITH_ERRORS, RESEND, QUARANTINED):
            return replace(found, disposition=IGNORED, reason=f"the same as mail {other.id}", same_as=other)
    taken = [other for other in earlier if other.disposition in (ACCEPT, WITH_ERRORS)]
    if taken:
        why = f"its Message-ID is that of mail {taken[-1].id}, which says something else"
        return replace(found, disposition=QUARANTINED, reason=why)
    if incoming.problem in parse.QUARANTINE:
        return replace(found, disposition=QUARANTINED, reason=incoming.problem)
    if incoming.problem:
        return replace(found, disposition=RESEND, reason=PROBLEMS.get(incoming.problem, incoming.problem))
    return _with_blocks(desk, found, person)


def _with_blocks(desk: Desk, found: Judgement, person: Person) -> Judgement:
    """Find the order blocks, and the seat that each is written from."""
    if len(_GAME_LINE.findall(found.incoming.text)) > MOST_BLOCKS:
        return replace(found, disposition=RESEND, reason=f"it holds more than {MOST_BLOCKS} blocks of orders")
    words = order_words(desk, person)
    blocks = tuple(source.blocks(found.incoming.text, words).blocks)
    if not blocks:
        return replace(found, disposition=RESEND, reason=f"there are no orders in it: {_where_orders_stand(found.incoming)}")
    longest = max(len(block.lines) for block in blocks)
    if longest > MOST_LINES:
        return replace(found, disposition=RESEND, reason=f"a block of orders in it has {longest} lines, more than {MOST_LINES}")
    chosen: list[tuple[Seat, OrderBlock]] = []
    unclear: list[str] = []
    for block in blocks:
        try:
            chosen.append((_seat(desk, person, block), _ended(block, words)))
        except Unclear as why:
            unclear.append(str(why))
    games = [seat.game for seat, _ in chosen]
    twice = next((game for game in games if games.count(game) > 1), "")
    if twice:
        said = f"it holds two different blocks of orders for game {twice}: send the one that counts"
        return replace(found, disposition=RESEND, reason=said)
    if not chosen:
        return replace(found, disposition=RESEND, reason=unclear[0], blocks=blocks, unclear=tuple(unclear))
    return replace(found, disposition=ACCEPT, blocks=blocks, chosen=tuple(chosen), unclear=tuple(unclear))


def _where_orders_stand(incoming: Incoming) -> str:
    quoted = f" ({incoming.quoted_lines} quoted lines were ignored)" if incoming.quoted_lines else ""
    return f"they stand between a line 'game NAME' and a line 'end'{quoted}"


def order_words(desk: Desk, person: Person) -> set[str]:
    """What a line may begin with in the games of a person."""
    titles = desk.store.games.titles([s.game for s in person.seats[:50]])
    own = set(REFEREE_VERBS) if any(s.side == REFEREE for s in person.seats) else set()
    return {w for t in titles for w in desk.rules(t).order_words} | set(SERVICE.words) | own


def _seat(desk: Desk, person: Person, block: OrderBlock) -> Seat:
    """Where a block belongs; mere help is the same in all games of a player."""
    try:
        return accounts.game_of(desk, person, block.game)
    except Unclear:
        requests, _ = take(block.lines)
        mine = [s for s in person.seats if s.side != REFEREE]
        if block.game or not mine or any(r.verb != "help" for r in requests) or not requests:
            raise
        return mine[0]


def _ended(block: OrderBlock, words: set[str]) -> OrderBlock:
    """Requests may go without 'end', and with whatever prose stands below them; orders may not."""
    if block.ended:
        return block
    requests, rest = take(block.lines)
    orders = words - set(SERVICE.words)
    if not requests or any((tokens := tokenise(line.text[:200])) and tokens[0].text in orders for line in rest):
        return block
    asked = {r.line.no for r in requests}
    return replace(block, lines=[line for line in block.lines if line.no in asked], ended=True)
