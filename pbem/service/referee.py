"""What a referee does to a game.  All of it is journaled, and both players are told."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.fold import snapshot
from pbem.service import post, turns
from pbem.service.desk import Desk
from pbem.service.times import later
from pbem.service.turns import Player, Stopped, Table
from pbem.store.api import CLOSED, HALTED, PAUSED, REFEREE, RUNNING, Game


class CannotDo(ValueError):
    """The referee's wish does not fit the game as it is; says why."""


def pause(desk: Desk, game: str, reason: str = "") -> Game:
    """Play stops, and no deadline runs, until :func:`resume`."""
    with desk.store.transaction():
        table = _running(desk, game)
        _act(table, {"act": "pause", "reason": reason})
        table.game = turns.stop(desk, game, PAUSED, reason or "paused by the referee")
        table.dues = {}
        post.send(table, [], lines=[_said("The referee has paused the game; no deadline runs meanwhile", reason)])
        return table.game


def resume(desk: Desk, game: str) -> Game:
    """A paused or halted game goes on; everybody who is asked has the full time again."""
    with desk.store.transaction():
        row = desk.store.games.lock(game)
        if row.status not in (PAUSED, HALTED):
            raise CannotDo(f"game {game} is {row.status}: only a paused or halted game is resumed")
        table = _take(desk, game)
        table.game = replace(table.game, status=RUNNING, note="")
        table.session.submit("control", {"act": "resume"}, "")
        _play(table)
        turns.store_rows(table)
        desk.note("resume", "resumed by the referee", game)
        post.send(table, [], lines=["The game goes on; whoever is asked has the full time again."])
        return table.game


def extend(desk: Desk, game: str, hours: float, side: str = "", reason: str = "") -> dict[str, str]:
    """Move the deadlines of a side ('': of all who are asked) by some hours; gives the new ones."""
    with desk.store.transaction():
        table = _running(desk, game)
        asked = [s for s in table.session.waiting() if side in ("", s)]
        if not asked:
            raise CannotDo(f"game {game}: nothing is wanted of {side or 'anybody'}, so there is no deadline to move")
        _act(table, {"act": "extend", "sides": asked, "hours": hours, "reason": reason})
        moved = {s: later(max(table.deadline(s), table.now), hours=hours) for s in asked}
        for s, at in moved.items():
            turns.set_due(table, s, at)
        post.send(table, [], lines=[_said(f"The referee has moved the deadline by {hours:g} hours", reason)])
        return moved


def rewind(desk: Desk, game: str, to: str, reason: str) -> Game:
    """Go back to the start of a phase, by its name ('2 allied movement').  Nothing is erased, and the dice fall anew."""
    with desk.store.transaction():
        row = desk.store.games.lock(game)
        if row.status not in (RUNNING, PAUSED):
            raise CannotDo(f"game {game} is {row.status}: only a running or paused game goes back")
        table = _take(desk, game)
        rows = list(desk.store.journal.rows(game))
        steps = {r.payload["name"]: r.step for r in rows if r.kind == "step"}
        if to not in steps:
            raise CannotDo(f"game {game} has played no phase called {to!r}; it is in {row.step_name!r}")
        then = snapshot(table.rules, desk.data(row.dataset), row.options, rows, steps[to])
        table.session.rewind(then, reason, "")
        for side, seat in table.seats.items():
            desk.store.games.drop_draft(game, side)
            table.seats[side] = replace(seat, asked=(), lapsed="")
        _play(table)
        written = turns.store_rows(table)
        desk.note("rewind", f"back to {to}: {reason}", game)
        post.send(table, written, lines=[
            _said(f"The referee has taken the game back to the start of {to}", reason),
            "What happened since then no longer counts, but stays in the journal; the dice fall anew.",
        ])
        return table.game


def substitute(desk: Desk, game: str, side: str, player: Player) -> Game:
    """Another person takes a seat over; the one before hears no more of the game."""
    with desk.store.transaction():
        table = _running(desk, game)
        if side not in table.seats:
            raise CannotDo(f"game {game} has the seats {', '.join(table.seats)}, not {side!r}")
        before = table.seats[side]
        _act(table, {"act": "substitute", "side": side})
        seat = replace(
            before, address=player.address.lower(), name=player.name, token=turns.token(desk), thread="", lapsed="", asked=()
        )
        table.seats[side] = seat
        desk.store.games.save_seat(seat)
        desk.note("substitute", f"{side} has a new player", game)
        told = [f"Another player has taken your seat in game {game} over."]
        post.note(desk, before.address, "You have been replaced", told, game=game)
        if side != REFEREE:
            if side in table.session.waiting():
                turns.set_due(table, side, later(table.now, hours=turns.hours(table, "deadline_hours")))
            post.send(table, [], lines=[f"The seat of {side} has a new player."])
        return table.game


def close(desk: Desk, game: str, reason: str = "") -> Game:
    """The game is put away: nobody is written to any more; it stays in the database."""
    with desk.store.transaction():
        row = desk.store.games.lock(game)
        if row.status == CLOSED:
            raise CannotDo(f"game {game} is closed already")
        return turns.stop(desk, game, CLOSED, reason or "closed by the referee")


def _running(desk: Desk, game: str) -> Table:
    row = desk.store.games.lock(game)
    if row.status != RUNNING:
        raise CannotDo(f"game {game} is {row.status}" + (f" ({row.note})" if row.note else ""))
    return _take(desk, game)


def _take(desk: Desk, game: str) -> Table:
    try:
        return turns.take(desk, game)
    except Stopped as stopped:
        raise CannotDo(f"game {game} cannot go on: {stopped}") from None


def _play(table: Table) -> None:
    try:
        table.play()
    except Stopped as stopped:
        raise CannotDo(f"game {table.game.id} cannot go on: {stopped}") from None


def _act(table: Table, payload: dict[str, object]) -> None:
    """Put an act on record."""
    table.session.submit("control", payload, "")
    turns.store_rows(table)


def _said(what: str, reason: str) -> str:
    return f"{what}: {reason}." if reason else f"{what}."
