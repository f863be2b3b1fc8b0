"""What a player may ask the service for by mail about his game: help, status, report, orders, rolls, map, set, draw, concede,
resign."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from pbem.games.contract import LooksUp
from pbem.orders.service_verbs import ServiceRequest
from pbem.reports import mails
from pbem.reports.maps import paint
from pbem.service.letters import mailing, pictures
from pbem.service.play import ending, help_pages, map_request, missed_turns
from pbem.service.records import roll_history
from pbem.service.letters.mailing import Answered
from pbem.service.play.game_session import GameSession
from pbem.service.letters.mail_preferences import BadWish, MailPreferences, wish
from pbem.store.api import OVER

MOST = 4
"""Requests of one mail that are answered."""


class Denied(Exception):
    """A request cannot be met; says why, in words for the player."""


ACTS = ("draw", "concede", "resign")
"""Requests that change something: they are met last, when what the mail orders has been done and told."""


def answer(
    play: GameSession, side: str, requests: Sequence[ServiceRequest], answered: Answered, denied: list[str] | None = None
) -> list[str]:
    """Answer requests, each by a letter; gives their names and what went wrong, for the log.  ``denied`` takes what cannot be
    met, if that is to be told in another letter."""
    said = []
    for request in list(dict.fromkeys(requests))[:MOST]:
        try:
            if request.verb in ACTS and (play.session.over or play.game.status == OVER):
                raise Denied("the game is over")
            _ANSWERS[request.verb](play, side, request, answered)
            said.append(request.verb)
        except Denied as why:
            said.append(f"{request.verb} denied")
            if denied is not None:
                denied.append(not_done(request, str(why)))
            else:
                doc = mails.refusal(mailing.brief(play, side), str(why))
                mailing.queue(play.context, play.game, play.seats[side], doc, mailing.RECEIPT, answered=answered)
    return said


def not_done(request: ServiceRequest, why: str) -> str:
    """What a receipt says of a request that was not met."""
    return f"Not done, '{request.line.text[:40]}': {why}."


def objection(play: GameSession, request: ServiceRequest) -> str:
    """Why a request of :data:`ACTS` will not be met, as far as that can be told before; '' if it will."""
    if request.verb in ("concede", "resign") and request.args[:1] != (play.game.id,):
        what = "the game" if request.verb == "concede" else "your seat"
        return f"to give {what} up, name the game: '{request.verb} {play.game.id}'"
    return ""


def _help(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    seat = play.seats[side]
    looked_up = [] if help_pages.known(play.rules, request.args) else _looked_up(play, side, request)
    if looked_up:
        doc = mails.note(play.game.id, " ".join(request.args)[:40], looked_up)
        mailing.queue(play.context, play.game, seat, doc, mailing.NOTICE, answered=answered)
        return
    page = help_pages.page(play.rules, request.args, MailPreferences.of(seat).width)
    mailing.queue_text(
        play.context, play.game, seat, mailing.tagged(play.context, seat, "Help"), page, mailing.NOTICE, answered=answered,
    )


def _looked_up(play: GameSession, side: str, request: ServiceRequest) -> list[str]:
    """What the title tells of a place, a unit or the points, if the words name one."""
    telling = play.rules.telling
    return telling.look_up(play.session.state, side, request.args) if isinstance(telling, LooksUp) else []


def _status(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    view = mailing.brief(play, side)
    doc = mails.receipt(view, mailing.status(play, side), accepted=[], findings=[], notes=play.clock.lines())
    doc = {**doc, "headline": "Where the game stands"}
    mailing.queue(play.context, play.game, play.seats[side], doc, mailing.RECEIPT, answered=answered)


def _report(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    games, game = play.context.store.games, play.game
    number = _numbered(play, side, request) if len(request.args) > 1 else _number(request)
    found = games.report(game.id, side, number)
    if found is None:
        raise Denied(f"there is no report {number} of yours; the last one is {play.seats[side].report}")
    if not mailing.again(play.context, game, play.seats[side], found, answered):
        mailing.queue(play.context, game, play.seats[side], found.doc, mailing.NOTICE, answered=answered)


def _numbered(play: GameSession, side: str, request: ServiceRequest) -> int:
    """The number of the first report that tells of a phase: '2 axis move'."""
    words, games = [w for w in request.args if w not in ("turn", "phase")], play.context.store.games
    for number, _ in games.reports(play.game.id, side):
        found = games.report(play.game.id, side, number)
        if found and any(_means(words, phase["step"]) for phase in found.doc.get("happened", [])):
            return number
    raise Denied(f"no report of yours tells of '{' '.join(request.args)[:40]}'; write it like '{_example(play)}'")


def _example(play: GameSession) -> str:
    return f"report 2 {play.rules.sides[-1]} {play.rules.words.language.phase}"


def _means(words: Sequence[str], step: str) -> bool:
    """Whether '2 axis move' is '2 axis movement': each word is the beginning of one of the step's, in their order."""
    left = iter(step.replace("-", " ").split(" "))
    return all(any(part == word if word.isdecimal() else part.startswith(word) for part in left) for word in words)


def _map(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    context, game, seat = play.context, play.game, play.seats[side]
    ground = context.geometry(game.title)
    if ground is None:
        missing = f"there is no map of {play.rules.title}" if context.config.pictures else "this server draws no maps"
        raise Denied(missing)
    words = [w for w in request.args if w not in ("around", "of", "as", "svg", "png")]
    seen = mailing.latest(play, side)
    try:
        areas = map_request.around(seen["view"], ground, " ".join(words))
    except map_request.NoPlace as why:
        raise Denied(str(why)) from None
    kind = "svg" if "svg" in request.args else "png"
    words_of_it, cid = paint.alt_text(seen["view"], ground, areas), pictures.MAP if kind == "png" else ""
    shown = [{"cid": cid, "name": f"{game.id}-map.{kind}", "around": list(areas), "alt": words_of_it}]
    drawing = pictures.plan(shown, game.title, doc={k: seen[k] for k in ("view", "moves", "battles")})
    doc = {**mails.note(game.id, "The map", [words_of_it]), "pictures": shown}
    mailing.queue(context, game, seat, doc, mailing.NOTICE, answered=answered, drawing=drawing)


def _set(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    seat = play.seats[side]
    if request.args:
        try:
            seat = replace(seat, wishes=wish(seat.wishes, request.args))
        except BadWish as why:
            raise Denied(str(why)) from None
        play.seats[side] = seat
        play.keep_seats()
    lines = [*MailPreferences.of(seat).lines(), "Send the line that you want to change."]
    doc = mails.note(play.game.id, "How you get your mails", lines)
    mailing.queue(play.context, play.game, seat, doc, mailing.NOTICE, answered=answered)


def _rolls(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    roll_history.mail(play, side, request.args, answered)


def _draw(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    ending.draw(play, side, " ".join(request.args), answered)


def _concede(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    if why := objection(play, request):
        raise Denied(why)
    ending.concede(play, side)


def _resign(play: GameSession, side: str, request: ServiceRequest, answered: Answered) -> None:
    """A player wants to leave; the game goes on, and another one may take the seat."""
    if why := objection(play, request):
        raise Denied(why)
    if request.args[1:] == ("withdraw",):
        _stay(play, side, answered)
        return
    if request.args[1:]:
        raise Denied(f"write 'resign {play.game.id}', or 'resign {play.game.id} withdraw' to take it back")
    asked = missed_turns.resigned(play, side)
    doc = mails.note(play.game.id, "The referee knows that you want to leave", [
        *([f"{asked} member{' who stands' if asked == 1 else 's who stand'} ready may take the seat at once."] if asked else []),
        "Until somebody takes it, it is still yours, and what you do not answer takes its default at the deadline.",
        f"To give the game up instead, which ends it: 'concede {play.game.id}'.",
        f"To stay after all: 'resign {play.game.id} withdraw'.",
    ])
    mailing.queue(play.context, play.game, play.seats[side], doc, mailing.NOTICE, answered=answered)


def _stay(play: GameSession, side: str, answered: Answered) -> None:
    """A player takes back that he wants to leave, as long as nobody has his seat."""
    if not missed_turns.stays(play, side):
        raise Denied("you have not given your seat up, so there is nothing to take back")
    doc = mails.note(play.game.id, "Your seat stays yours", ["Nobody else can take it now; the referee knows that you stay."])
    mailing.queue(play.context, play.game, play.seats[side], doc, mailing.NOTICE, answered=answered)


def _number(request: ServiceRequest) -> int:
    if not request.args:
        return 0
    if not request.args[0].isdecimal() or len(request.args[0]) > 6:
        raise Denied(f"'{request.verb} {request.args[0][:20]}': a number is expected")
    return int(request.args[0])


_ANSWERS: Mapping[str, Callable[[GameSession, str, ServiceRequest, Answered], None]] = {
    "help": _help, "status": _status, "orders": _status, "report": _report, "rolls": _rolls, "draw": _draw,
    "concede": _concede, "resign": _resign, "map": _map, "set": _set,
}
