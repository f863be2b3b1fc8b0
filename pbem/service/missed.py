"""Missed turns: what becomes of them by the game's policy, who is called to take a seat over, and what is counted.

``missed = defaults``: standing orders and defaults play.  ``wait``: nothing is played until the player answers or the referee
does something.  ``substitute``: who stands on the list of substitutes is asked to take the seat; the player has the full time
once more, and whichever comes first counts; after that, defaults play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.core.journal import Row
from pbem.service import members, options, post, turns
from pbem.service.desk import Desk
from pbem.service.lobby import heading
from pbem.service.turns import MISSED, RESIGNED, Table
from pbem.store.api import DEADLINE, GRACE, Game, Member

IN_TIME, LATE, NOT = "in_time", "late", "missed"
"""What is counted of a deadline."""

CALLED = 20
"""So many substitutes are asked at once."""


@dataclass(frozen=True)
class Asked:
    """What a side was asked before its mail was read: the open questions, and what answering them now counts as ('' if
    nothing was due)."""

    ids: frozenset[str]
    counts: str


def asked(table: Table, side: str) -> Asked:
    """How a side stands."""
    due = IN_TIME if (side, DEADLINE) in table.dues else LATE if (side, GRACE) in table.dues else ""
    return Asked(frozenset(a.id for a in table.asks if a.side == side), due)


def answered(table: Table, side: str, before: Asked) -> None:
    """Count a deadline that was met: nothing of what was asked before is open any more.  Who answers keeps his seat."""
    if not before.ids or before.ids & {a.id for a in table.asks}:
        return
    if table.seats[side].leaving.startswith(MISSED):
        table.seats[side] = replace(table.seats[side], leaving="")
        table.keep_seats()
    if before.counts:
        count(table, side, before.counts)


def count(table: Table, side: str, what: str) -> None:
    """One more deadline of the player of a side."""
    member = members.holder(table.desk, table.seats[side])
    if member is not None:
        table.desk.store.people.count(member.id, what)


def waits(table: Table, side: str, rows: Sequence[Row] = ()) -> bool:
    """A side has missed its turn: whether the game waits instead of going on; then all is done and said.  ``rows``: what has
    been stored already by the carrying out of orders that it had kept."""
    count(table, side, NOT)
    policy = options.of(table.game.options, "missed")
    if policy == "wait":
        _wait(table, side, rows)
        return True
    return policy == "substitute" and not table.seats[side].leaving and _call(table, side, rows)


def _wait(table: Table, side: str, rows: Sequence[Row]) -> None:
    desk, game = table.desk, table.game
    rows = [*rows, *turns.store_rows(table)]
    turns.wait_for(table, side)
    desk.note("waits", f"{side} missed its deadline in {table.session.step_name}; the game waits", game.id)
    who = side.capitalize()
    post.send(table, rows, lines=[
        f"The deadline of {who} has passed. This game then waits: nothing is played until {who} answers; the referee is asked.",
    ])
    post.tell_referee(desk, game.id, f"{side} has missed its turn: what is to be done?", [
        f"By its rules game {game.id} waits for {side}, in {table.session.step_name}. You may answer this mail with one of",
        *acts(table, side), *_list(desk, game),
    ])


def acts(table: Table, side: str) -> list[str]:
    """What a referee can do about a player who does not answer, as he would write it."""
    turn = turns.numbered(table.session.step_name)
    acts_ = (f"extend {side} 48", f"substitute {side} new@example.org", f"as {side} ready")
    return [f"    game {table.game.id} / turn {turn} / {act} / end (a line each)" for act in acts_]


def _list(desk: Desk, game: Game) -> list[str]:
    found = substitutes(desk, game)
    return ["On the list of substitutes:", *(members.shown(m) for m in found)] if found else [
        "Nobody is on the list of substitutes."
    ]


def substitutes(desk: Desk, game: Game) -> list[Member]:
    """Who could be called to a game: on the list, with no part in it, and wanted by the host."""
    busy = {s.address for s in desk.store.games.seats(game.id)}
    return [m for m in desk.store.people.available() if m.address not in busy and members.may_register(desk, m.address)]


def _call(table: Table, side: str, rows: Sequence[Row]) -> bool:
    """Offer the seat to those on the list; False if nobody is there."""
    found = substitutes(table.desk, table.game)
    if not found:
        return False
    rows = [*rows, *turns.store_rows(table)]
    table.seats[side] = replace(table.seats[side], leaving=f"{MISSED} {table.now}")
    table.keep_seats()
    until = turns.full_time(table)
    turns.set_due(table, side, until)
    by = table.clock.words(until, table.now)["text"]
    call(table.desk, table.game, side, found)
    table.desk.note("called", f"{side} missed its deadline in {table.session.step_name}; {len(found)} substitutes are asked",
                    table.game.id)
    post.send(table, rows, lines=[
        f"The deadline of {side.capitalize()} has passed, and others are asked to take the seat over. If {side.capitalize()}"
        f" answers before, the seat stays as it is; if neither happens, defaults are taken on {by}.",
    ])
    return True


def call(desk: Desk, game: Game, side: str, found: Sequence[Member]) -> None:
    """Ask members to take a seat over; the first who joins has it."""
    for member in found[:CALLED]:
        post.tell(desk, member, "A seat is to be taken over", [
            f"Game {game.id}, {heading(game)}, needs a player for {side.capitalize()}; it is in {game.step_name}.",
            f"'join {game.id} {side}' takes the seat, if you are the first. 'available no' takes you off the list.",
        ], once=f"call {game.id} {side} {member.id} {desk.now[:10]}")


def resigned(table: Table, side: str) -> int:
    """A player gives his seat up; gives how many were asked to take it."""
    desk = table.desk
    table.seats[side] = replace(table.seats[side], leaving=f"{RESIGNED} {table.now}")
    table.keep_seats()
    desk.note("resign", f"the player of {side} asks to be replaced", table.game.id)
    found = substitutes(desk, table.game) if options.of(table.game.options, "missed") == "substitute" else []
    call(desk, table.game, side, found)
    post.tell_referee(desk, table.game.id, f"{side} wants to leave", [
        f"The player of {side} asks that somebody else takes the seat. Members may ask for it with"
        f" 'join {table.game.id} {side}'; you are asked to agree.",
        f"'pbem game substitute {table.game.id} --seat {side}=ADDRESS' gives it to another address.", *_list(desk, table.game),
    ], once=f"resign {table.game.id} {side} {table.now[:10]}")
    return len(found)
