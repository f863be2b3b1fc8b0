"""What a player may ask the service for by mail about his game: help, status, report, orders, rolls, map, set, draw, concede,
resign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.orders.service_verbs import ServiceRequest
from pbem.reports import mails, mapdraw
from pbem.service import ending, helping, missed, pictures, places, post, rollbook
from pbem.service.post import Answered
from pbem.service.turns import Table
from pbem.service.wishes import BadWish, Wishes, wish
from pbem.store.api import OVER

MOST = 4
"""Requests of one mail that are answered."""


class Denied(Exception):
    """A request cannot be met; says why, in words for the player."""


ACTS = ("draw", "concede", "resign")
"""Requests that change something: they are met last, when what the mail orders has been done and told."""


def answer(
    table: Table, side: str, requests: Sequence[ServiceRequest], answered: Answered, denied: list[str] | None = None
) -> list[str]:
    """Answer requests, each by a letter; gives their names and what went wrong, for the log.  ``denied`` takes what cannot be
    met, if that is to be told in another letter."""
    said = []
    for request in list(dict.fromkeys(requests))[:MOST]:
        try:
            if request.verb in ACTS and (table.session.over or table.game.status == OVER):
                raise Denied("the game is over")
            _ANSWERS[request.verb](table, side, request, answered)
            said.append(request.verb)
        except Denied as why:
            said.append(f"{request.verb} denied")
            if denied is not None:
                denied.append(not_done(request, str(why)))
            else:
                doc = mails.refusal(post.brief(table, side), str(why))
                post.queue(table.desk, table.game, table.seats[side], doc, post.RECEIPT, answered=answered)
    return said


def not_done(request: ServiceRequest, why: str) -> str:
    """What a receipt says of a request that was not met."""
    return f"Not done, '{request.line.text[:40]}': {why}."


def objection(table: Table, request: ServiceRequest) -> str:
    """Why a request of :data:`ACTS` will not be met, as far as that can be told before; '' if it will."""
    if request.verb in ("concede", "resign") and request.args[:1] != (table.game.id,):
        what = "the game" if request.verb == "concede" else "your seat"
        return f"to give {what} up, name the game: '{request.verb} {table.game.id}'"
    return ""


def _help(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    seat = table.seats[side]
    page = helping.page(table.rules, request.args, Wishes.of(seat).width)
    post.queue_text(table.desk, table.game, seat, post.tagged(table.desk, seat, "Help"), page, post.NOTICE, answered=answered)


def _status(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    view = post.brief(table, side)
    doc = mails.receipt(view, post.status(table, side), accepted=[], findings=[], notes=table.clock.lines())
    doc = {**doc, "headline": "Where the game stands"}
    post.queue(table.desk, table.game, table.seats[side], doc, post.RECEIPT, answered=answered)


def _report(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    games, game = table.desk.store.games, table.game
    number = _numbered(table, side, request) if len(request.args) > 1 else _number(request)
    found = games.report(game.id, side, number)
    if found is None:
        raise Denied(f"there is no report {number} of yours; the last one is {table.seats[side].report}")
    if not post.again(table.desk, game, table.seats[side], found, answered):
        post.queue(table.desk, game, table.seats[side], found.doc, post.NOTICE, answered=answered)


def _numbered(table: Table, side: str, request: ServiceRequest) -> int:
    """The number of the first report that tells of a phase: '2 axis move'."""
    words, games = [w for w in request.args if w not in ("turn", "phase")], table.desk.store.games
    for number, _ in games.reports(table.game.id, side):
        found = games.report(table.game.id, side, number)
        if found and any(_means(words, phase["step"]) for phase in found.doc.get("happened", [])):
            return number
    raise Denied(f"no report of yours tells of '{' '.join(request.args)[:40]}'; write it like 'report 2 axis movement'")


def _means(words: Sequence[str], step: str) -> bool:
    """Whether '2 axis move' is '2 axis movement': each word is the beginning of one of the step's, in their order."""
    left = iter(step.replace("-", " ").split(" "))
    return all(any(part == word if word.isdecimal() else part.startswith(word) for part in left) for word in words)


def _map(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    desk, game, seat = table.desk, table.game, table.seats[side]
    if desk.geometry(game.title) is None:
        raise Denied("this server draws no maps")
    words = [w for w in request.args if w not in ("around", "of", "as", "svg", "png")]
    seen = post.latest(table, side)
    try:
        areas = places.around(seen["view"], " ".join(words))
    except places.NoPlace as why:
        raise Denied(str(why)) from None
    kind = "svg" if "svg" in request.args else "png"
    words_of_it, cid = mapdraw.alt_text(seen["view"], areas), pictures.MAP if kind == "png" else ""
    shown = [{"cid": cid, "name": f"{game.id}-map.{kind}", "around": list(areas), "alt": words_of_it}]
    drawing = pictures.plan(shown, game.title, doc={k: seen[k] for k in ("view", "moves", "battles")})
    doc = {**mails.note(game.id, "The map", [words_of_it]), "pictures": shown}
    post.queue(desk, game, seat, doc, post.NOTICE, answered=answered, drawing=drawing)


def _set(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    seat = table.seats[side]
    if request.args:
        try:
            seat = replace(seat, wishes=wish(seat.wishes, request.args))
        except BadWish as why:
            raise Denied(str(why)) from None
        table.seats[side] = seat
        table.keep_seats()
    lines = [*Wishes.of(seat).lines(), "Send the line that you want to change."]
    doc = mails.note(table.game.id, "How you get your mails", lines)
    post.queue(table.desk, table.game, seat, doc, post.NOTICE, answered=answered)


def _rolls(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    rollbook.mail(table, side, request.args, answered)


def _draw(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    ending.draw(table, side, " ".join(request.args), answered)


def _concede(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    if why := objection(table, request):
        raise Denied(why)
    ending.concede(table, side)


def _resign(table: Table, side: str, request: ServiceRequest, answered: Answered) -> None:
    """A player wants to leave; the game goes on, and another one may take the seat."""
    if why := objection(table, request):
        raise Denied(why)
    asked = missed.resigned(table, side)
    doc = mails.note(table.game.id, "The referee knows that you want to leave", [
        *([f"{asked} member{' who stands' if asked == 1 else 's who stand'} ready may take the seat at once."] if asked else []),
        "Until somebody takes it, it is still yours, and what you do not answer takes its default at the deadline.",
        f"To give the game up instead, which ends it: 'concede {table.game.id}'.",
    ])
    post.queue(table.desk, table.game, table.seats[side], doc, post.NOTICE, answered=answered)


def _number(request: ServiceRequest) -> int:
    if not request.args:
        return 0
    if not request.args[0].isdecimal() or len(request.args[0]) > 6:
        raise Denied(f"'{request.verb} {request.args[0][:20]}': a number is expected")
    return int(request.args[0])


_ANSWERS: Mapping[str, Callable[[Table, str, ServiceRequest, Answered], None]] = {
    "help": _help, "status": _status, "orders": _status, "report": _report, "rolls": _rolls, "draw": _draw,
    "concede": _concede, "resign": _resign, "map": _map, "set": _set,
}
