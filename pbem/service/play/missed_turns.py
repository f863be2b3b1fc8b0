"""Missed turns: what becomes of them by the game's policy, who is called to take a seat over, and what is counted.

``missed = defaults``: standing orders and defaults play.  ``wait``: nothing is played until the player answers or the referee
does something.  ``substitute``: who stands on the list of substitutes is asked to take the seat; the player has the full time
once more, and whichever comes first counts; after that, defaults play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.core.journal import Row
from pbem.service.club import members, options
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.context import ServiceContext
from pbem.service.club.lobby import heading
from pbem.service.play.game_session import MISSED, RESIGNED, GameSession
from pbem.store.api import DEADLINE, GRACE, PAUSED, PLANNER, Game, Member

IN_TIME, LATE, NOT = "in_time", "late", "missed"
"""What is counted of a deadline."""

CALLED = 20
"""So many substitutes are asked at once."""


@dataclass(frozen=True)
class Asked:
    """What a side was asked before its mail was read: the open questions, and what answering them now counts as ('' if
    nothing was due); whether it has ``missed`` deadlines in this turn."""

    ids: frozenset[str]
    counts: str
    missed: bool = False


def asked(play: GameSession, side: str) -> Asked:
    """How a side stands."""
    due = IN_TIME if (side, DEADLINE) in play.dues else LATE if (side, GRACE) in play.dues else ""
    return Asked(frozenset(a.id for a in play.asks if a.side == side), due, bool(play.seats[side].lapsed))


def answered(play: GameSession, side: str, before: Asked) -> None:
    """Count a deadline that was met: nothing of what was asked before is open any more.  Who answers keeps his seat."""
    done = bool(before.ids) and not before.ids & {a.id for a in play.asks}
    if before.missed and (done or not play.seats[side].lapsed):
        plays_again(play, side)
    if not done:
        return
    if play.seats[side].leaving.startswith(MISSED):
        play.seats[side] = replace(play.seats[side], leaving="")
        play.keep_seats()
    if before.counts:
        count(play, side, before.counts)


def count(play: GameSession, side: str, what: str) -> None:
    """One more deadline of the player of a side."""
    member = members.holder(play.context, play.seats[side])
    if member is not None:
        play.context.store.people.count(member.id, what)


def runaway(play: GameSession, side: str) -> bool:
    """Whether nobody seems to play any more: so many deadlines in a row were missed by one player, or half as many by each of
    them.  Then the game has been paused, and all who can do something about it have been asked."""
    games, game = play.context.store.games, play.game
    most = options.of(game.options, "misses")
    if not most:
        return False
    state = dict(games.clock(game.id))
    row = {**state.get("in_a_row", {}), side: state.get("in_a_row", {}).get(side, 0) + 1}
    people = [s for s in play.rules.sides if play.seats[s].address != PLANNER]
    alone, together = row[side] >= most, all(row.get(s, 0) >= max(1, most // 2) for s in people)
    games.set_clock(game.id, {**state, "in_a_row": {} if alone or together else row})
    if not (alone or together):
        return False
    count(play, side, NOT)
    _pause(play, side, together and len(people) > 1)
    return True


def plays_again(play: GameSession, side: str) -> None:
    """The player of a side has written: his missed deadlines are no longer in a row."""
    games, game = play.context.store.games, play.game.id
    state = dict(games.clock(game))
    row = state.get("in_a_row", {})
    if side in row:
        games.set_clock(game, {**state, "in_a_row": {s: n for s, n in row.items() if s != side}})


def _pause(play: GameSession, side: str, everybody: bool) -> None:
    context, game = play.context, play.game
    who = "Nobody" if everybody else side.capitalize()
    why = f"{who} has not answered" + ("" if everybody else f" for {options.of(game.options, 'misses')} deadlines in a row")
    if everybody:
        why = "nobody has answered for several deadlines in a row"
    play.session.submit("control", {"act": "pause", "reason": why}, "")
    rows = game_session.store_rows(play)
    play.game = game_session.stop(context, game.id, PAUSED, why)
    play.dues = {}
    lines = [
        f"The game is paused: {why}. Nothing is lost, and no deadline runs.",
        "Its referee is asked what is to be done: wait, find somebody else for the seat, give it to the planner, or end the game."
        " What you think of it he reads with 'press to referee'.",
    ]
    mailing.send(play, rows, lines=lines)
    name, turn = game.id, game_session.numbered(play.session.step_name)
    mailing.tell_referee(context, name, "paused, as nobody answers", [
        f"Game {name} stands in {play.session.step_name}: {why}. You may", "    wait: nothing need be done;",
        f"    let it go on: game {name} / turn {turn} / resume / end (a line each);",
        f"    give the seat to somebody else: substitute {side} new@example.org; or to the planner: substitute {side} planner;",
        f"    end it without a result: 'pbem game close {name} --reason …' at the console.", *_list(context, game),
    ])


def waits(play: GameSession, side: str, rows: Sequence[Row] = ()) -> bool:
    """A side has missed its turn: whether the game waits instead of going on; then all is done and said.  ``rows``: what has
    been stored already by the carrying out of orders that it had kept."""
    count(play, side, NOT)
    policy = options.of(play.game.options, "missed")
    if policy == "wait":
        _wait(play, side, rows)
        return True
    return policy == "substitute" and not play.seats[side].leaving and _call(play, side, rows)


def _wait(play: GameSession, side: str, rows: Sequence[Row]) -> None:
    context, game = play.context, play.game
    rows = [*rows, *game_session.store_rows(play)]
    game_session.wait_for(play, side)
    context.note("waits", f"{side} missed its deadline in {play.session.step_name}; the game waits", game.id)
    who = side.capitalize()
    mailing.send(play, rows, lines=[
        f"The deadline of {who} has passed. This game then waits: nothing is played until {who} answers; the referee is asked.",
    ])
    mailing.tell_referee(context, game.id, f"{side} has missed its turn: what is to be done?", [
        f"By its rules game {game.id} waits for {side}, in {play.session.step_name}. You may answer this mail with one of",
        *acts(play, side), *_list(context, game),
    ])


def acts(play: GameSession, side: str) -> list[str]:
    """What a referee can do about a player who does not answer, as he would write it."""
    turn = game_session.numbered(play.session.step_name)
    acts_ = (f"extend {side} 48", f"substitute {side} new@example.org", f"as {side} ready")
    return [f"    game {play.game.id} / turn {turn} / {act} / end (a line each)" for act in acts_]


def _list(context: ServiceContext, game: Game) -> list[str]:
    found = substitutes(context, game)
    return ["On the list of substitutes:", *(members.shown(m) for m in found)] if found else [
        "Nobody is on the list of substitutes."
    ]


def substitutes(context: ServiceContext, game: Game) -> list[Member]:
    """Who could be called to a game: on the list, with no part in it, and wanted by the host."""
    busy = {s.address for s in context.store.games.seats(game.id)}
    return [m for m in context.store.people.available() if m.address not in busy and members.may_register(context, m.address)]


def _call(play: GameSession, side: str, rows: Sequence[Row]) -> bool:
    """Offer the seat to those on the list; False if nobody is there."""
    found = substitutes(play.context, play.game)
    if not found:
        return False
    rows = [*rows, *game_session.store_rows(play)]
    play.seats[side] = replace(play.seats[side], leaving=f"{MISSED} {play.now}")
    play.keep_seats()
    until = game_session.full_time(play)
    game_session.set_due(play, side, until)
    by = play.clock.words(until, play.now)["text"]
    call(play.context, play.game, side, found)
    play.context.note("called", f"{side} missed its deadline in {play.session.step_name}; {len(found)} substitutes are asked",
                    play.game.id)
    mailing.send(play, rows, lines=[
        f"The deadline of {side.capitalize()} has passed, and others are asked to take the seat over. If {side.capitalize()}"
        f" answers before, the seat stays as it is; if neither happens, defaults are taken on {by}.",
    ])
    return True


def call(context: ServiceContext, game: Game, side: str, found: Sequence[Member]) -> None:
    """Ask members to take a seat over; the first who joins has it."""
    for member in found[:CALLED]:
        mailing.tell(context, member, "A seat is to be taken over", [
            f"Game {game.id}, {heading(game)}, needs a player for {side.capitalize()}; it is in {game.step_name}.",
            f"'join {game.id} {side}' takes the seat, if you are the first. 'available no' takes you off the list.",
        ], once=f"call {game.id} {side} {member.id} {context.now[:10]}")


def resigned(play: GameSession, side: str) -> int:
    """A player gives his seat up; gives how many were asked to take it."""
    context = play.context
    play.seats[side] = replace(play.seats[side], leaving=f"{RESIGNED} {play.now}")
    play.keep_seats()
    context.note("resign", f"the player of {side} asks to be replaced", play.game.id)
    found = substitutes(context, play.game) if options.of(play.game.options, "missed") == "substitute" else []
    call(context, play.game, side, found)
    mailing.tell_referee(context, play.game.id, f"{side} wants to leave", [
        f"The player of {side} asks that somebody else takes the seat. Members may ask for it with"
        f" 'join {play.game.id} {side}'; you are asked to agree.",
        f"'pbem game substitute {play.game.id} --seat {side}=ADDRESS' gives it to another address.", *_list(context, play.game),
    ], once=f"resign {play.game.id} {side} {play.now[:10]}")
    return len(found)


def stays(play: GameSession, side: str) -> bool:
    """A player takes back that he gave his seat up; False if he had not."""
    if not play.seats[side].leaving.startswith(RESIGNED):
        return False
    play.seats[side] = replace(play.seats[side], leaving="")
    play.keep_seats()
    play.context.note("resign", f"the player of {side} stays after all", play.game.id)
    mailing.tell_referee(play.context, play.game.id, f"{side} stays after all", [
        f"The player of {side} has taken the resignation back: the seat is not free any more.",
    ])
    return True
