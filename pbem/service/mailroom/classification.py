"""What a mail is: who wrote it, whether that is believed, and which blocks of orders it holds for which games.

Nothing is changed here, so that the same judgement can be acted on (:mod:`pbem.service.mailroom.intake`) and explained
(:mod:`pbem.service.mailroom.explain`).  It is made on identity and form alone; whether an order is legal is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pbem.mail import auth, parse
from pbem.mail.address import BadAddress, mailable
from pbem.mail.auth import Verdict
from pbem.mail.parse import Incoming, Limits
from pbem.orders import club_verbs, press
from pbem.orders.club_verbs import CLUB, ClubRequest
from pbem.orders.lexer import tokenise
from pbem.orders.own_line import own
from pbem.orders.press import Message
from pbem.orders.service_verbs import REFEREE_VERBS, SERVICE, take
from pbem.orders.source import END, GAME, Line, OrderBlock, Source, blocks as blocks_of
from pbem.service.mailroom import doubts, identity, repeats
from pbem.service.mailroom.identity import Person, Unclear
from pbem.service.context import ServiceContext
from pbem.store.api import ANYBODY, REFEREE, Mail, Seat

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
    "garbled": "its text came damaged and cannot be read: send it once more, as plain text",
    "struck": "all that looks like orders in it is struck out",
    "hidden": "the formatting hides what looks like orders in it: send it as plain text",
}
"""Why a mail's text cannot be acted on, and what to do: kinds of :attr:`pbem.mail.parse.Incoming.problem`."""

MOST_BLOCKS, MOST_LINES = 20, 300
"""So many blocks of orders in a mail, and lines in a block, are read; a mail with more is no order of a person's."""

_GAME_LINE = re.compile(r"^[ \t]{0,40}game[ \t:]", re.IGNORECASE | re.MULTILINE)

GIVES_UP = ("concede", "resign")
"""Requests that cannot be undone."""

NO_END = "a line 'end' is missing below the orders, so that they may not be all there"


@dataclass(frozen=True)
class Judgement:
    """``disposition`` is 'accept' if ``chosen`` is to be dealt with, block by block; ``unclear`` says of which blocks it
    cannot be told whose they are; ``blocks`` are all that were found; ``asked`` is asked of the club, ``messages`` are for
    other players; ``stray``: lines below the last 'end' that look like orders; ``same_as`` is the mail that this one repeats;
    ``later``: the sender may be shown when DNS works again.  ``doubt``: why the chosen blocks may not be meant, so that they are
    asked about; ``around``: the words around the blocks; ``prose``: lines that would do something that cannot be undone, but
    stand within prose; ``unread``: lines left out that look like orders."""

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
    doubt: str = ""
    around: tuple[str, ...] = ()
    prose: tuple[Line, ...] = ()
    unread: tuple[str, ...] = ()


def read(context: ServiceContext, raw: bytes) -> Incoming:
    """A raw mail as far as a machine can read it."""
    return parse.read(raw, Limits(mail=context.config.max_mail_bytes))


def judge(context: ServiceContext, raw: bytes, incoming: Incoming, earlier: Sequence[Mail], again: bool = False) -> Judgement:
    """Judge a mail.  ``earlier``: those filed before it under the same Message-ID, and its twins; ``again``: it was held for DNS
    trouble."""
    found = _judge(context, raw, incoming, earlier, again)
    signed = context.config.trust in ("dkim", "both") and found.disposition == ACCEPT and found.person is not None
    if not signed or found.person is None or auth.addressed(raw, found.person.address, context.config.address):
        return found
    if found.asked or found.messages:
        why = f"{doubts.NOT_TO_US}: send it to {context.config.address}"
        return replace(found, disposition=RESEND, reason=why, asked=(), messages=(), chosen=())
    return replace(found, doubt=doubts.NOT_TO_US) if any(repeats.counts(block) for _, block in found.chosen) else found


def _judge(context: ServiceContext, raw: bytes, incoming: Incoming, earlier: Sequence[Mail], again: bool) -> Judgement:
    """As :func:`judge`, whoever the mail is addressed to."""
    if incoming.auto:
        return Judgement(IGNORED, incoming.auto, incoming)
    verdict, person = identity.identify(context, incoming, raw, again)
    found = Judgement(verdict.disposition, verdict.reason, incoming, verdict, person, later=verdict.later)
    if not verdict.ok:
        found = _stranger(found) if verdict.stranger else found
        if not found.asked:
            return found
    earlier = [other for other in earlier if other.sender in (ANYBODY, person.address)]
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
    if incoming.problem in ("empty", "only-quote") and _subject_resigns(incoming.subject):
        return replace(found, disposition=RESEND, reason=SUBJECT_RESIGNS)
    if incoming.problem:
        return replace(found, disposition=RESEND, reason=PROBLEMS.get(incoming.problem, incoming.problem))
    return _with_blocks(context, found, person, incoming.text, incoming.typed)


def twins(context: ServiceContext, incoming: Incoming, before: int) -> list[Mail]:
    """Mails of the same sender, text and date as this one, whatever its Message-ID, where the date is vouched for by a
    signature: a signed mail that somebody sends once more is still the same mail.  ``before``: see
    :meth:`pbem.store.api.Inbox.twins`."""
    signed = context.config.trust in ("dkim", "both") and incoming.date_header and len(incoming.senders) == 1
    inbox = context.store.inbox
    return inbox.twins(incoming.senders[0], incoming.body_digest, incoming.date_header, before) if signed else []


def _stranger(found: Judgement) -> Judgement:
    """Somebody who is not known here can become a member, or confirm an address; of anything else he hears nothing, nor does
    who writes from an address that we cannot write to."""
    try:
        mailable(found.verdict.sender if found.verdict else "")
    except BadAddress as bad:
        return replace(found, reason=f"{found.reason}: {bad}")
    text = found.incoming.text or subject_request(found.incoming.subject)
    whole = _as_typed(text, found.incoming.typed)
    asked = tuple(r for r in _own(whole, club_verbs.take(text)[0])[0] if r.verb in ("register", "confirm"))
    return replace(found, disposition=ACCEPT, reason="", asked=asked[:1]) if asked else found


_REPLY = re.compile(r"^(?:\s*(?:re|aw|sv|antw|fwd?)\s*:)+", re.IGNORECASE)
_TAGS = re.compile(r"\[[a-z0-9./-]{1,80}\]", re.IGNORECASE)


def subject_request(subject: str) -> str:
    """A request that is a mail's whole subject, as the programs write it that answer List-Unsubscribe; '' if there is none.
    Orders, and what gives up a seat or a game, stand in the text alone."""
    said = " ".join(_TAGS.sub(" ", _REPLY.sub("", subject)).split())
    first = said.partition(" ")[0].lower()
    line = Line(1, said)
    asked = first == "help" and bool(take([line])[0])
    return said if asked or first == "leave" or club_verbs.request(line) else ""


def _subject_resigns(subject: str) -> bool:
    """Whether a subject gives up a seat or a game: a slip of the hand is enough to send one."""
    words = _TAGS.sub(" ", _REPLY.sub("", subject)).lower().split()
    return len(words) == 2 and words[0] in ("resign", "concede")


SUBJECT_RESIGNS = (
    "a subject alone gives nothing up, and you still have your seat. To give it up, write the line 'resign' and the game's name"
    " in the text of a mail; for fewer mails, write 'set digest on'"
)


def _with_blocks(context: ServiceContext, found: Judgement, person: Person, text: str, typed: str = "") -> Judgement:
    """Find what is asked of the club, messages, and the order blocks, with the seat that each is written from."""
    messages, rest = press.take(text, typed)
    by_subject = text != found.incoming.text
    leaving = _leaving(context, person, by_subject) if "leave" in rest.lower() else ()
    whole = _as_typed(rest, typed)
    asked, rest = club_verbs.take(rest, leaving)
    asked, prose = _own(whole, asked)
    found = replace(found, asked=tuple(asked), messages=tuple(messages), prose=tuple(prose))
    if len(_GAME_LINE.findall(rest)) > MOST_BLOCKS:
        return replace(found, disposition=RESEND, reason=f"it holds more than {MOST_BLOCKS} blocks of orders")
    words = order_words(context, person)
    source = blocks_of(rest, words)
    blocks, prose = _without_prose(whole, tuple(source.blocks), words)
    found = replace(found, prose=(*found.prose, *prose))
    if not blocks and (asked or messages):
        return replace(found, disposition=ACCEPT, reason="")
    if not blocks and text == found.incoming.text and (said := subject_request(found.incoming.subject)):
        return _with_blocks(context, found, person, said)
    if not blocks and text == found.incoming.text and _subject_resigns(found.incoming.subject):
        return replace(found, disposition=RESEND, reason=SUBJECT_RESIGNS)
    if not blocks:
        return replace(found, disposition=RESEND, reason=_nothing(found, source, rest))
    order_words_ = words - set(SERVICE.words)
    unread = [line for line in (*found.incoming.inside, *found.incoming.signed) if _like(line, order_words_)]
    found = replace(found, stray=_stray(source, order_words_), unread=tuple(unread), around=repeats.words(source, whole))
    longest = max(len(block.lines) for block in blocks)
    if longest > MOST_LINES:
        return replace(found, disposition=RESEND, reason=f"a block of orders in it has {longest} lines, more than {MOST_LINES}")
    return _with_seats(context, found, person, blocks, words)


def _with_seats(
    context: ServiceContext, found: Judgement, person: Person, blocks: tuple[OrderBlock, ...], words: set[str]
) -> Judgement:
    """The seat that each block is written from, or why that cannot be told; and whether the blocks can be meant at all."""
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
    if not chosen and not (found.asked or found.messages):
        return replace(found, disposition=RESEND, reason=unclear[0], blocks=blocks, unclear=tuple(unclear))
    found = replace(found, disposition=ACCEPT, blocks=blocks, chosen=tuple(chosen), unclear=tuple(unclear))
    doubted = _doubt(found)
    return replace(found, doubt=doubted) if doubted and any(repeats.counts(block) for _, block in chosen) else found


def doubt(context: ServiceContext, found: Judgement, mail: int) -> str:
    """Why what a mail orders is asked about rather than done: its form, or that it was sent before under other words.  ``mail``:
    its id, or what that would be."""
    if found.doubt or found.disposition != ACCEPT:
        return found.doubt
    for seat, block in found.chosen:
        if (earlier := repeats.quoted(context, seat, block, found.around, mail)) is not None:
            return doubts.repeated(context, context.store.inbox.get(earlier.mail))
    return ""


def _doubt(found: Judgement) -> str:
    """Why the form of a mail makes it doubtful that its orders are meant; '' if nothing does."""
    running = [message.to for message in found.messages if message.runs_on]
    if running:
        return doubts.runs_on(running[0])
    return doubts.WHY.get(found.incoming.doubt, found.incoming.doubt)


def _as_typed(text: str, typed: str) -> list[str]:
    """The lines of a text with the punctuation that they were typed with, where it has not been taken out."""
    lines, shown = text.split("\n"), typed.split("\n")
    return [t if x.strip() else "" for x, t in zip(lines, shown, strict=True)] if len(shown) == len(lines) else lines


def _own(lines: Sequence[str], asked: Sequence[ClubRequest]) -> tuple[list[ClubRequest], list[Line]]:
    """The requests, without those that cannot be undone and do not stand by themselves; the lines of these."""
    done, prose = [], []
    for request in asked:
        lasting = request.verb in club_verbs.LASTING
        if lasting and not request.game and not own(lines, request.line.no - 1, _is_command, first=True):
            prose.append(request.line)
        else:
            done.append(request)
    return done, prose


def _without_prose(
    lines: Sequence[str], blocks: tuple[OrderBlock, ...], words: Collection[str]
) -> tuple[tuple[OrderBlock, ...], list[Line]]:
    """Blocks without 'game', in which a line gives something up, lose it if it does not stand by itself."""
    kept, prose = [], []
    for block in blocks:
        gone = [] if block.game else [
            r.line for r in take(block.lines)[0] if r.verb in GIVES_UP and not own(lines, r.line.no - 1, _is_command)
        ]
        prose += gone
        left = [line for line in block.lines if line not in gone]
        if not gone or any(_like(line.text, words) for line in left):
            kept.append(replace(block, lines=left))
    return tuple(kept), prose


def _is_command(line: str) -> bool:
    """Whether a line is one that we read, rather than prose."""
    said = Line(1, line)
    return bool(GAME.match(line) or END.match(line) or club_verbs.request(said) or take([said])[0])


def _nothing(found: Judgement, source: Source, rest: str) -> str:
    """Why there is nothing to carry out in a mail."""
    if found.prose:
        line = found.prose[0].text[:60]
        return f"the line '{line}' stands among other words, so it was not done: if you mean it, send it alone"
    if found.incoming.doubt in ("struck", "hidden"):
        return f"there are no orders in it: {PROBLEMS[found.incoming.doubt]}"
    if source.empty:
        return "its block of orders has only comments in it: take the '#' off the lines that you want, and change them"
    return f"there are no orders in it: {_where_orders_stand(found.incoming, rest)}"


def _leaving(context: ServiceContext, person: Person, by_subject: bool = False) -> set[str]:
    """The games that a person may leave: those he observes, and, though not by a subject alone, his own."""
    watched = [o.game for o in context.store.people.observed(person.member.id)] if person.member else []
    return {*watched, *(s.game for s in person.seats if not by_subject)}


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
    return tuple(line for line in below if _like(line.text, words))


def _like(text: str, words: Collection[str]) -> bool:
    """Whether a line begins like an order."""
    found = tokenise(text[:200])
    return bool(found) and found[0].text in words


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
