"""Press: what players write to each other by way of the server, so that nobody's address is seen.

It is no part of the game: it is kept beside the journal, and neither binds nor tells anything.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.orders.club_verbs import CLUB
from pbem.orders.lexer import tokenise
from pbem.orders.press import Message
from pbem.orders.service_verbs import SERVICE
from pbem.orders.source import Line, OrderBlock
from pbem.reports import mails
from pbem.reports.wording import counted
from pbem.service.club import members, options
from pbem.service.letters import mailing
from pbem.service.mailroom import identity, secrets
from pbem.service.play import game_session, ordering
from pbem.service.mailroom.identity import Person, Unclear, redacted
from pbem.service.context import ServiceContext
from pbem.service.club.lobby import did_you_mean
from pbem.service.times import later
from pbem.service.play.game_session import Stopped
from pbem.store.api import CLOSED, PENDING, REFEREE, RUNNING, Game, Press, Seat

LONGEST = 5000
"""Characters of a message."""

MOST_AN_HOUR, MOST_A_MAIL = 10, 4
"""Messages of a side in a game, and of a mail."""

_WITNESS, _HASH = re.compile(r"chain\s+head\s+after", re.IGNORECASE), re.compile(r"\b[0-9a-f]{32,64}\b", re.IGNORECASE)

ALL = "all"
_EVERYBODY = ("all", "both", "everybody", "everyone", "players")


@dataclass(frozen=True)
class Sent:
    """What became of a message: the game that it was in ('' if that is unclear), one line for its writer, whether it went out."""

    game: str
    line: str
    ok: bool


def handle(context: ServiceContext, person: Person, messages: Sequence[Message]) -> list[Sent]:
    """Deliver the messages of a mail."""
    found = [_one(context, person, message) for message in messages[:MOST_A_MAIL]]
    if len(messages) > MOST_A_MAIL:
        rest = len(messages) - MOST_A_MAIL
        found.append(Sent("", f"Only {MOST_A_MAIL} messages of a mail are delivered; {rest} more were left.", False))
    return found


def _one(context: ServiceContext, person: Person, message: Message) -> Sent:
    try:
        seat = identity.game_of(context, person, message.game)
    except Unclear as why:
        return Sent("", f"Your message to {message.to} was not delivered: {why}.", False)
    game = context.store.games.get(seat.game)
    why_not = _wrong(context, game, seat, message)
    if why_not:
        return Sent(game.id, f"Your message to {message.to} was not delivered: {why_not}.", False)
    to = ALL if message.to in _EVERYBODY else message.to
    text = discreet(secrets.without(context, person.addresses, redacted(message.text)))
    member = members.holder(context, seat)
    kept = Press(0, game.id, context.now, seat.side, member.id if member else 0, to, message.anonymous, game.step_name, text)
    context.store.people.add_press(kept)
    count = _deliver(context, game, seat, kept)
    if not count:
        return Sent(game.id, f"Your message to {to} found nobody to go to.", False)
    how, lines = " without your name" if message.anonymous else "", counted(len(text.splitlines()), "line")
    said = f"Your message went to {_whom(to)}{how}: {lines}, from '{_first(text)}'."
    if options.of(game.options, "release") == "all" and REFEREE not in (to, seat.side):
        said += " After the end of the game all who were in it may read it."
    return Sent(game.id, said, True)


def _whom(to: str) -> str:
    return {ALL: "all", REFEREE: "the referee"}.get(to, to.capitalize())


def _first(text: str) -> str:
    line = text.strip().splitlines()[0].strip()
    return line if len(line) <= 30 else line[:27].rpartition(" ")[0] + "..."


def _wrong(context: ServiceContext, game: Game, seat: Seat, message: Message) -> str:
    """Why a message cannot go out, '' if it can."""
    sides, allowed = context.rules(game.title).sides, options.of(game.options, "press")
    known = [*sides, REFEREE, ALL]
    if game.status in (PENDING, CLOSED):
        return f"the game is {game.status}"
    if allowed == "no" and REFEREE not in (message.to, seat.side):
        return "this game is played without press; 'press to referee' is possible"
    if message.to not in (*known, *_EVERYBODY):
        return f"there is nobody called '{message.to}' here{did_you_mean(message.to, known)}"
    if message.to == seat.side:
        return "that is you"
    if message.anonymous and (allowed != "anonymous" or seat.side == REFEREE):
        return "this game has no anonymous press, and nothing is sent with your name instead"
    if not message.text.strip():
        return "there is no text below the line"
    if len(message.text) > LONGEST:
        return f"it has {len(message.text)} characters, {LONGEST} is the most"
    if context.store.people.press_since(game.id, seat.side, later(context.now, hours=-1)) >= MOST_AN_HOUR:
        return f"you have sent {MOST_AN_HOUR} messages within an hour, which is the most"
    if not message.closed and (line := _order(context, game, seat, message)):
        return f"the line '{line[:40]}' in it looks like an order. Close the message with 'end press', above your orders"
    return ""


def _order(context: ServiceContext, game: Game, seat: Seat, message: Message) -> str:
    """A line of an unclosed message that is an order, most likely not meant for others to read."""
    words = {*context.rules(game.title).words.order_words, "turn", "standing"}
    lines = [Line(n, text.strip()) for n, text in enumerate(message.text.splitlines(), 1)]
    like = [x for x in lines if (found := tokenise(x.text[:200])) and found[0].text in words]
    for line in like:
        if re.search(r"\d", line.text):
            return line.text
    if not like or seat.side == REFEREE or game.status != RUNNING:
        return ""
    try:
        play = game_session.take(context, game.id)
    except Stopped:
        return like[0].text
    for line in like:
        if ordering.read(play, seat.side, [line], OrderBlock(game.id), "").payload["directives"]:
            return line.text
    return ""


def discreet(text: str) -> str:
    """What somebody wrote, without secrets of ours, without characters that no text needs, and without what could be taken
    for the witness that our own mails bear of the journal (deploy/DICE.md)."""
    text = _HASH.sub("(a hash)", _WITNESS.sub("chain-head after", text))
    return "\n".join("".join(c for c in line if c.isprintable() or c == "\t").rstrip() for line in redacted(text).splitlines())


def _deliver(context: ServiceContext, game: Game, writer: Seat, press: Press) -> int:
    """A letter to each one it is for; gives how many."""
    rules, member = context.rules(game.title), members.holder(context, writer)
    words = sorted({*rules.words.order_words, *SERVICE.words, *CLUB.words, "game", "turn", "end"})
    by = "a player who is not named" if press.anonymous else _whom(press.side)
    name = "" if press.anonymous or not writer.name else f": {writer.name} writes"
    heading = f"Message from {by} to {_whom(press.to)}{name}"
    lines = []
    if not press.anonymous:
        lines.append(f"To answer, write 'press to {press.side}', your words in the lines below it, and 'end press' behind them.")
        if member is not None and member.shown:
            lines.append(f"{member.name or 'Its writer'} lets you read the address: {member.address}.")
    doc = mails.press(game.id, heading, press.text.splitlines(), lines, words)
    to = [s for s in context.store.games.seats(game.id) if s.address and s.side != writer.side and press.to in (ALL, s.side)]
    for seat in to:
        mailing.queue(context, game, seat, doc, mailing.PRESS)
    if press.to == ALL and options.delay(game.options) == 0:
        told = {**doc, "lines": []}
        for observer in context.store.people.observers(game.id):
            watcher = context.store.people.get(observer.member)
            if watcher is not None:
                mailing.send_text(context, watcher.address, f"[{game.id}] Press", told, game=game.id, kind=mailing.PRESS)
    if press.to == REFEREE and not to and context.config.operator:
        mailing.send_text(context, context.config.operator, f"[{game.id}] Press to the referee, of which there is none",
            {**doc, "lines": []},
                   game=game.id, kind=mailing.PRESS)
        return 1
    return len(to)
