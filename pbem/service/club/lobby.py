"""Which games and scenarios there are, as any member may know them."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.orders.club_verbs import ClubRequest
from pbem.orders.suggest import near
from pbem.service.club import members, options
from pbem.service.play import game_session
from pbem.service.club.club_requests import RequestContext, Denied
from pbem.service.context import ServiceContext
from pbem.scenarios import catalog
from pbem.store.api import CLOSED, DEADLINE, OVER, PENDING, REFEREE, RUNNING, Game, NoSuchGame, Seat

SHOWN = 30
"""So many games are listed."""


def games(at: RequestContext, request: ClubRequest) -> None:
    """'games', 'games p1'."""
    if request.args:
        game = find(at, request.args[0], private=False)
        at.say(f"Game {game.id}", *_told(at, game))
        return
    mine = [_mine(at, seat) for seat in members.seats(at.context, at.member)[:SHOWN]]
    watched = [f"{o.game}: you observe it." for o in at.context.store.people.observed(at.member.id)]
    free = [g for g in at.context.store.games.in_status(PENDING) if options.of(g.options, "seats") != "private"][:SHOWN]
    at.say(
        "Games", "YOUR GAMES", *(mine or ["None yet."]), *watched, "", "GAMES WITH A FREE SEAT",
        *([_free(at.context, g) for g in free]
           or ["None at the moment: 'new' and a scenario makes one; 'scenarios' lists those."]),
    )


def _mine(at: RequestContext, seat: Seat) -> str:
    game, context = at.context.store.games.get(seat.game), at.context
    said = f"{game.id}: {heading(game)}, {seat.side.capitalize()}; {_state(game)}."
    if game.status == RUNNING and seat.side in game.waiting:
        due = next((d.at for d in context.store.games.dues(game.id) if (d.side, d.kind) == (seat.side, DEADLINE)), "")
        until = f" until {game_session.clock_of(context, game).words(due, context.now)['text']}" if due else ""
        said += f" It waits for you{until}."
    return said


def _state(game: Game) -> str:
    words = {PENDING: "a seat is still free", RUNNING: f"in {game.step_name}", OVER: "over", CLOSED: "closed"}
    return words.get(game.status, f"{game.status}, in {game.step_name}")


def _free(context: ServiceContext, game: Game) -> str:
    sides = " or ".join(s.side.capitalize() for s in context.store.games.seats(game.id) if not s.address)
    maker = context.store.people.get(game.maker)
    asked = ", the host is asked first" if options.of(game.options, "seats") == "consent" else ""
    by = f", made by {members.shown(maker)}" if maker else ""
    return f"{game.id}: {heading(game)}; {sides} is free{asked}{by}; {_time(context, game)}."


def _time(context: ServiceContext, game: Game) -> str:
    hours = game_session.clock_of(context, game).hours
    return f"{hours:g} hours for an answer" if hours else "no deadlines"


def _told(at: RequestContext, game: Game) -> list[str]:
    """A game as any member may know it."""
    context, found = at.context, [f"{heading(game)}; {_state(game)}."]
    for seat in context.store.games.seats(game.id):
        if seat.side != REFEREE:
            holder = members.holder(context, seat)
            who = "free" if not seat.address else members.shown(holder) if holder else seat.name
            found.append(f"{seat.side.capitalize()}: {who}{', and to be taken over' if seat.leaving else ''}.")
    said = {"open": "anybody may take a free seat", "consent": "the host or referee is asked first"}
    seats = said.get(options.of(game.options, "seats"), "private, the host is asked first")
    time = _time(context, game)
    found.append(f"Seats: {seats}. {time[:1].upper()}{time[1:]}.")
    found.append(f"Observers: {options.of(game.options, 'observers')}. Press: {options.of(game.options, 'press')}.")
    return found


def heading(game: Game) -> str:
    """The scenario as people call it."""
    entry = next((e for e in catalog.catalog(True) if (e.title, e.scenario) == (game.title, game.scenario)), None)
    return entry.heading if entry else f"{game.title}/{game.scenario}"


def list_scenarios(at: RequestContext, request: ClubRequest) -> None:
    """'scenarios'."""
    known = [(e, " and ".join(at.context.rules(e.title).sides)) for e in catalog.catalog()]
    found = [f"{e.title}/{e.scenario}: {e.heading}; sides {sides}." for e, sides in known]
    at.say("Scenarios", *found, "'new', one of these names, 'as' and a side makes a game of it.")


def find(at: RequestContext, name: str, private: bool = True) -> Game:
    """The game of that name; what may have been meant, if there is none.  ``private``: of private games of others, too."""
    known = [s.game for s in members.seats(at.context, at.member)]
    try:
        game = at.context.store.games.get(name.lower())
        if not private and options.of(game.options, "seats") == "private" and game.id not in known:
            raise NoSuchGame(game.id)
        return game
    except NoSuchGame:
        known += [g.id for g in at.context.store.games.in_status(PENDING) if options.of(g.options, "seats") != "private"]
        raise Denied(f"there is no game called {name[:40]}{did_you_mean(name, known)}; 'games' lists them") from None


def did_you_mean(said: str, known: Iterable[str]) -> str:
    """' (did you mean …?)', if something known is like it."""
    like = near(said, known)
    return f" (did you mean {' or '.join(like)}?)" if like else ""
