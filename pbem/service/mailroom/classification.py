"""What a mail is: who wrote it, whether that is believed, and which blocks of orders it holds for which games.

Nothing is changed here, so that the same judgement can be acted on (:mod:`pbem.service.mailroom.intake`) and explained
(:mod:`pbem.service.mailroom.explain`).  It is made on identity and form alone; whether an order is legal is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pbem.mail import parse
from pbem.mail.auth import Verdict
from pbem.mail.parse import Incoming, Limits
from pbem.orders import club_verbs, press
from pbem.orders.club_verbs import CLUB, ClubRequest
from pbem.orders.lexer import tokenise
from pbem.orders.press import Message
from pbem.orders.service_verbs import REFEREE_VERBS, SERVICE, take
from pbem.orders.source import Line, OrderBlock, Source, blocks as blocks_of
from pbem.service.mailroom import identity
from pbem.service.mailroom.identity import Person, Unclear
from pbem.service.context import ServiceContext
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
    cannot be told whose they are; ``blocks`` are all that were found; ``asked`` is asked of the club, ``messages`` are for
    other players; ``stray``: lines below the last 'end' that look like orders; ``same_as`` is the mail that this one repeats;
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
    asked: tuple[ClubRequest, ...] = ()
    messages: tuple[Message, ...] = ()
    stray: tuple[Line, ...] = ()


def read(context: ServiceContext, raw: bytes) -> Incoming:
    """A raw mail as far as a machine can read it."""
    return parse.read(raw, Limits(mail=context.config.max_mail_bytes))


def judge(context: ServiceContext, raw: bytes, incoming: Incoming, earlier: Sequence[Mail], again: bool = False) -> Judgement:
    """Judge a mail.  ``earlier``: those filed before it under the same Message-ID; ``again``: it was held for DNS trouble."""
    if incoming.auto:
        return Judgement(IGNORED, incoming.auto, incoming)
    verdict, person = identity.identify(context, incoming, raw, again)
    found = Judgement(verdict.disposition, verdict.reason, incoming, verdict, person, later=verdict.later)
    if not verdict.ok:
        found = _stranger(found) if verdict.stranger else found
        if not found.asked:
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
    if found.asked:
        return found
    said = subject_request(incoming.subject)
    if incoming.problem in ("empty", "only-quote") and said:
        return _with_blocks(context, found, person, said)
    if incoming.problem:
        return replace(found, disposition=RESEND, reason=PROBLEMS.get(incoming.problem, incoming.problem))
    return _with_blocks(context, found, person, incoming.text, incoming.typed)


def _stranger(found: Judgement) -> Judgement:
    """Somebody who is not known here can become a member, or confirm an address; of anything else he hears nothing."""
    text = found.incoming.text or subject_request(found.incoming.subject)
    asked = tuple(r for r in club_verbs.take(text)[0] if r.verb in ("register", "confirm"))
    return replace(found, disposition=ACCEPT, reason="", asked=asked[:1]) if asked else found


_REPLY = re.compile(r"^(?:\s*(?:re|aw|sv|antw|fwd?)\s*:)+", re.IGNORECASE)
_TAGS = re.compile(r"\[[a-z0-9./-]{1,80}\]", re.IGNORECASE)


def subject_request(subject: str) -> str:
    """A request that is a mail's whole subject, as the programs write it that answer List-Unsubscribe; '' if there is none.
    Orders, and what ends a game, stand in the text alone."""
    said = " ".join(_TAGS.sub(" ", _REPLY.sub("", subject)).split())
    first = said.partition(" ")[0].lower()
    line = Line(1, said)
    asked = first in ("resign", "help") and bool(take([line])[0])
    return said if asked or first == "leave" or club_verbs.request(line) else ""


def _with_blocks(context: ServiceContext, found: Judgement, person: Person, text: str, typed: str = "") -> Judgement:
    """Find what is asked of the club, messages, and the order blocks, with the seat that each is written from."""
    messages, rest = press.take(text, typed)
    asked, rest = club_verbs.take(rest, _leaving(context, person) if "leave" in rest.lower() else ())
    found = replace(found, asked=tuple(asked), messages=tuple(messages))
    if len(_GAME_LINE.findall(rest)) > MOST_BLOCKS:
        return replace(found, disposition=RESEND, reason=f"it holds more than {MOST_BLOCKS} blocks of orders")
    words = order_words(context, person)
    source = blocks_of(rest, words)
    blocks = tuple(b for b in source.blocks if b.lines or b.guard or not (asked or messages))
    if not blocks and (asked or messages):
        return replace(found, disposition=ACCEPT, reason="")
    if not blocks and text == found.incoming.text and (said := subject_request(found.incoming.subject)):
        return _with_blocks(context, found, person, said)
    if not blocks:
        where = _where_orders_stand(found.incoming, rest)
        return replace(found, disposition=RESEND, reason=f"there are no orders in it: {where}")
    found = replace(found, stray=_stray(source, words - set(SERVICE.words)))
    longest = max(len(block.lines) for block in blocks)
    if longest > MOST_LINES:
        return replace(found, disposition=RESEND, reason=f"a block of orders in it has {longest} lines, more than {MOST_LINES}")
    chosen: list[tuple[Seat, OrderBlock]] = []
    unclear: list[str] = []
    for block in blocks:
        try:
            chosen.append((_seat(context, person, block), _ended(block, words)))
        except Unclear as why:
            if helped := _help_alone(person, block):
                found = replace(found, asked=(*found.asked, *helped))
            else:
                unclear.append(str(why))
    games = [seat.game for seat, _ in chosen]
    twice = next((game for game in games if games.count(game) > 1), "")
    if twice:
        said = f"it holds two different blocks of orders for game {twice}: send the one that counts"
        return replace(found, disposition=RESEND, reason=said)
    if not chosen and not (found.asked or messages):
        return replace(found, disposition=RESEND, reason=unclear[0], blocks=blocks, unclear=tuple(unclear))
    return replace(found, disposition=ACCEPT, blocks=blocks, chosen=tuple(chosen), unclear=tuple(unclear))


def _leaving(context: ServiceContext, person: Person) -> set[str]:
    """The games that a person may leave: those he observes, and his own."""
    watched = [o.game for o in context.store.people.observed(person.member.id)] if person.member else []
    return {*watched, *(s.game for s in person.seats)}


def _help_alone(person: Person, block: OrderBlock) -> list[ClubRequest]:
    """Who plays no game can still ask for help: what the club does."""
    requests, _ = take(block.lines)
    if block.game or any(s.side != REFEREE for s in person.seats) or any(r.verb != "help" for r in requests):
        return []
    return [ClubRequest("help", r.args, r.line) for r in requests]


def _stray(source: Source, words: Collection[str]) -> tuple[Line, ...]:
    """Lines below an 'end' that begin like orders."""
    ends = [block.lines[-1].no for block in source.blocks if block.ended and block.lines]
    below = [line for line in source.stray if ends and line.no > ends[0]]
    return tuple(line for line in below if (found := tokenise(line.text[:200])) and found[0].text in words)


def _where_orders_stand(incoming: Incoming, text: str) -> str:
    quoted = f" ({incoming.quoted_lines} quoted lines were ignored)" if incoming.quoted_lines else ""
    missed = club_verbs.near_misses(text)[:1]
    forms = CLUB.find(missed[0].text.split(" ")[0].lower().rstrip(":")) if missed else None
    like = f"; '{missed[0].text[:40]}' is not written like '{forms.usage[0]}' ('help {forms.name}')" if forms else ""
    return f"they stand between a line 'game NAME' and a line 'end'{quoted}{like}"


def order_words(context: ServiceContext, person: Person) -> set[str]:
    """What a line may begin with in the games of a person."""
    titles = context.store.games.titles([s.game for s in person.seats[:50]])
    own = set(REFEREE_VERBS) if any(s.side == REFEREE for s in person.seats) else set()
    return own.union(SERVICE.words, *(context.rules(t).words.order_words for t in titles))


def _seat(context: ServiceContext, person: Person, block: OrderBlock) -> Seat:
    """Where a block belongs; mere help is the same in all games of a player."""
    try:
        return identity.game_of(context, person, block.game)
    except Unclear:
        requests, _ = take(block.lines)
        named = {r.args[0] for r in requests if r.verb in ("resign", "concede") and r.args}
        if not block.game and len(named) == 1 and (seat := person.seat(named.pop())):
            return seat
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
