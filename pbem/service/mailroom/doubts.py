"""Orders that may not be what their sender meant: he is told what was read, and confirms it with one line."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.orders.club_verbs import ClubRequest
from pbem.orders.source import REPORT_PREFIX, Line, OrderBlock
from pbem.reports import mails
from pbem.service.club import registry
from pbem.service.context import ServiceContext
from pbem.service.letters import mailing
from pbem.service.letters.mailing import Answered
from pbem.service.mailroom.identity import Person
from pbem.service.times import moment
from pbem.store.api import Mail, Seat, Word

ORDERS = "orders"
"""The kind of the words that confirm orders."""

ASKED_DAYS = 7

WHY = {
    "quoted": "the formatted version of your mail shows these orders as quoted, its plain text does not",
    "struck": "lines of your orders are struck out",
    "hidden": "the formatting of your mail hides the orders in it",
    "only-plain": "the formatted version of your mail does not have the orders that are in its plain text",
}
"""Kinds of :attr:`pbem.mail.parse.Incoming.doubt`, in words."""


NOT_TO_US = "it names our address neither in To nor in Cc, so it may be a copy of a mail that was meant for somebody else"
"""A signed mail that was written to another: who received it can send it on to us, signature and all."""


def runs_on(to: str) -> str:
    """A message to somebody without an end."""
    return f"your message to {to} has no 'end press', so the orders below it may be part of it"


def repeated(context: ServiceContext, earlier: Mail) -> str:
    """A block that came before, in other words."""
    return f"these orders are those of your mail of {when(context, earlier)}, with other words around them: a quote, perhaps"


def when(context: ServiceContext, mail: Mail) -> str:
    """When a mail was received, as its sender would say it."""
    at = moment(mail.received).astimezone(context.config.zone)
    return f"{at.day} {at:%B, %H:%M}"


@dataclass(frozen=True)
class Confirmed:
    """Orders that somebody has confirmed: the mail that they stood in, and each block with the seat it is written from."""

    mail: int
    chosen: tuple[tuple[Seat, OrderBlock], ...]


def ask(context: ServiceContext, mail: Mail, person: Person, chosen: tuple[tuple[Seat, OrderBlock], ...], why: str,
        answered: Answered) -> None:
    """Ask whether orders are meant.  Nothing of them is done before the word comes back."""
    data = {"mail": mail.id, "blocks": [_kept(seat, block) for seat, block in chosen]}
    member = person.member.id if person.member else 0
    word = registry.issue(context, ORDERS, person.address, member, data, ASKED_DAYS)
    seat = chosen[0][0]
    lines = [
        f"Nothing of your mail has been carried out: {why}.", "This is what was read:", "",
        *(REPORT_PREFIX + line for each, block in chosen for line in _shown(each, block)), "",
        "If you mean it, answer with this line:", f"    confirm {word}",
        f"It counts for {ASKED_DAYS} days. If you do not mean it, there is nothing to do.",
    ]
    doc = mails.note(seat.game, "Please confirm your orders", lines)
    mailing.queue(context, context.store.games.get(seat.game), seat, doc, mailing.NOTICE, answered=answered)


def confirmed(context: ServiceContext, person: Person, request: ClubRequest) -> Confirmed | None:
    """The orders that a line 'confirm WORD' is about; None if the word is for something else, or for nothing."""
    if request.verb != "confirm":
        return None
    word = _word(context, person, request.args[0].lower())
    if word is None or word.kind != ORDERS or word.expires <= context.now:
        return None
    context.store.people.spend(word.word)
    chosen = [(person.seat(b["game"]), _block(b)) for b in word.data["blocks"]]
    return Confirmed(int(word.data["mail"]), tuple((seat, block) for seat, block in chosen if seat is not None))


def _word(context: ServiceContext, person: Person, word: str) -> Word | None:
    addresses = person.member.addresses if person.member else (person.address,)
    return next((w for w in (context.store.people.word(word, a) for a in addresses) if w), None)


def _kept(seat: Seat, block: OrderBlock) -> dict[str, object]:
    guard = [block.guard_line.no, block.guard_line.text] if block.guard_line else None
    lines = [[line.no, line.text] for line in block.lines]
    return {"game": seat.game, "guard": block.guard, "guard_line": guard, "lines": lines}


def _block(kept: dict[str, object]) -> OrderBlock:
    guard, lines = kept["guard_line"], kept["lines"]
    assert isinstance(lines, list)
    return OrderBlock(
        str(kept["game"]), str(kept["guard"]), [Line(int(no), str(text)) for no, text in lines], True,
        Line(int(guard[0]), str(guard[1])) if isinstance(guard, list) else None,
    )


def _shown(seat: Seat, block: OrderBlock) -> list[str]:
    guard = [block.guard_line.text] if block.guard_line else []
    return [f"game {seat.game}", *guard, *(line.text for line in block.lines), "end"]
