"""What a referee does to a game.  All of it is journaled, and both players are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from pbem.core.asks import Refusal
from pbem.core.dice import SEED_BYTES, SeededDice
from pbem.core.fold import snapshot
from pbem.service import clock, members, post, turns
from pbem.service.clock import BadClock, Clock, number
from pbem.service.desk import Desk
from pbem.service.times import later
from pbem.service.turns import Player, Stopped, Table
from pbem.store.api import CLOSED, DEADLINE, HALTED, OVER, PAUSED, REFEREE, RUNNING, Game


class CannotDo(ValueError):
    """The referee's wish does not fit the game as it is; says why."""


def pause(desk: Desk, game: str, reason: str = "", source: str = "") -> Game:
    """Play stops, and no deadline runs, until :func:`resume`."""
    with desk.store.transaction():
        table = _running(desk, game)
        act(table, {"act": "pause", "reason": reason}, source)
        table.game = turns.stop(desk, game, PAUSED, reason or "paused by the referee")
        table.dues = {}
        post.send(table, [], lines=[_said("The referee has paused the game; no deadline runs meanwhile", reason)])
        return table.game


def resume(desk: Desk, game: str, source: str = "") -> Game:
    """A paused or halted game goes on; everybody who is asked has the full time again."""
    with desk.store.transaction():
        row = desk.store.games.lock(game)
        if row.status not in (PAUSED, HALTED):
            raise CannotDo(f"game {game} is {row.status}: only a paused or halted game is resumed")
        table = _take(desk, game)
        table.game = replace(table.game, status=RUNNING, note="")
        table.session.submit("control", {"act": "resume"}, source)
        _play(table)
        turns.store_rows(table)
        desk.note("resume", "resumed by the referee", game)
        post.send(table, [], lines=["The game goes on; whoever is asked has the full time again."])
        return table.game


def extend(desk: Desk, game: str, hours: float, side: str = "", reason: str = "", source: str = "") -> dict[str, str]:
    """Move the deadlines of a side ('': of all who are asked) by some hours; gives the new ones."""
    with desk.store.transaction():
        table = _running(desk, game)
        asked = [s for s in table.session.waiting() if side in ("", s)]
        if not asked:
            raise CannotDo(f"game {game}: nothing is wanted of {side or 'anybody'}, so there is no deadline to move")
        act(table, {"act": "extend", "sides": asked, "hours": number(hours), "reason": reason}, source)
        moved = {s: later(max(table.deadline(s), table.now), hours=hours) for s in asked}
        for s, at in moved.items():
            turns.set_due(table, s, at)
        _tell(table, _said(f"The referee has moved the deadline by {hours:g} hours", reason))
        return moved


def set_clock(desk: Desk, game: str, wanted: Mapping[str, Any], reason: str = "", source: str = "") -> Clock:
    """Change how time runs in a game (:data:`pbem.service.clock.OPTIONS`): it counts from the next question on; reminders of
    deadlines that run already follow it at once."""
    with desk.store.transaction():
        table = _running(desk, game)
        odd = [name for name in wanted if name not in clock.OPTIONS]
        if odd or not wanted:
            raise CannotDo(f"{odd[0] if odd else 'nothing'} cannot be set: there are {', '.join(clock.OPTIONS)}")
        try:
            chosen = {name: clock.option(name, value) for name, value in wanted.items()}
        except BadClock as why:
            raise CannotDo(str(why)) from None
        state = dict(desk.store.games.clock(game))
        desk.store.games.set_clock(game, {**state, "changes": {**state.get("changes", {}), **chosen}})
        table.found_clock = None
        act(table, {"act": "clock", "set": chosen, "reason": reason}, source)
        for side, kind in list(table.dues):
            if kind == DEADLINE:
                turns.set_due(table, side, table.deadline(side))
        desk.note("clock", ", ".join(f"{name} = {value}" for name, value in chosen.items()), game)
        _tell(table, " ".join([_said("The referee has changed the clock of the game", reason), *table.clock.lines()]))
        return table.clock


def rewind(desk: Desk, game: str, to: str, reason: str, source: str = "") -> Game:
    """Go back to the start of a phase, by its name ('2 allied movement').  Nothing is erased, and the dice fall anew.

    From a game that is over, too: its seed has been opened, so a new one is drawn, and its commitment is told.
    """
    with desk.store.transaction():
        row = desk.store.games.lock(game)
        if row.status not in (RUNNING, PAUSED, OVER):
            raise CannotDo(f"game {game} is {row.status}: only one that runs, is paused or is over goes back")
        table = _take(desk, game)
        rows = list(desk.store.journal.rows(game))
        steps = {r.payload["name"]: r.step for r in rows if r.kind == "step"}
        if to not in steps:
            raise CannotDo(f"game {game} has played no phase called {to!r}; it is in {row.step_name!r}")
        then = snapshot(table.rules, desk.data(row.dataset), row.options, rows, steps[to])
        commitment = _new_seed(table) if row.status == OVER else ""
        table.session.rewind(then, reason, source, commitment)
        for side, seat in table.seats.items():
            table.drop_draft(side)
            table.seats[side] = replace(seat, asked=(), lapsed="", draw="")
        _play(table)
        written = turns.store_rows(table)
        desk.note("rewind", f"back to {to}: {reason}", game)
        lines = [
            _said(f"The referee has taken the game back to the start of {to}", reason),
            "What happened since then no longer counts, but stays in the journal; the dice fall anew.",
        ]
        if commitment:
            lines.append(f"As the seed of the dice had been opened, a new one was drawn; its SHA-256: {commitment}")
        post.send(table, written, lines=lines)
        return table.game


def _new_seed(table: Table) -> str:
    """Draw a new seed for a game whose seed everybody knows; gives its commitment."""
    games, game = table.desk.store.games, table.game.id
    seed = table.desk.secret(SEED_BYTES)
    games.add_seed(game, seed)
    table.session.dice = SeededDice(games.seed(game), table.session.epoch)
    table.game = replace(table.game, status=RUNNING, note="")
    return sha256(seed).hexdigest()


def rule(desk: Desk, game: str, text: str, source: str = "") -> None:
    """Put a ruling on record; both players read it."""
    with desk.store.transaction():
        table = _running(desk, game)
        act(table, {"act": "rule", "reason": text}, source)
        desk.note("rule", text, game)
        _tell(table, f"A ruling of the referee: {text}")


def adjust(desk: Desk, game: str, asked: Sequence[Sequence[str]], reason: str, source: str = "") -> int:
    """Correct the position ('steps 50-1 2', …), all of it or nothing.  Gives how many corrections were made."""
    with desk.store.transaction():
        table = _running(desk, game)
        rules, session = table.rules, table.session
        trial = rules.load(session.data, session.options, rules.dump(session.state))
        before, events = set(rules.check(trial)), []
        for words in asked:
            event = rules.adjustment(trial, words)
            if isinstance(event, Refusal):
                raise CannotDo(f"{' '.join(words)[:60]}: {event.reason}")
            rules.apply(trial, event)
            events.append(event)
        wrong = [w for w in rules.check(trial) if w not in before]
        if wrong:
            raise CannotDo(f"that would leave the position unsound: {'; '.join(wrong[:3])}")
        try:
            session.adjust(events, {"reason": reason}, source)
            table.play()
        except Exception as error:  # whatever the rules cannot do with it: the transaction takes everything back
            why = "the phase in progress cannot go on from there; take the game back to its start ('rewind') first"
            raise CannotDo(f"{why} ({type(error).__name__})") from error
        written = turns.store_rows(table)
        desk.note("adjust", f"{len(events)} corrections: {reason}", game)
        post.send(table, written, lines=[_said("The referee has corrected the position; see what happened below", reason)])
        return len(events)


def substitute(desk: Desk, game: str, side: str, player: Player, reason: str = "", source: str = "") -> Game:
    """Another person takes a seat over; the one before hears no more of the game."""
    with desk.store.transaction():
        table = _running(desk, game)
        if side not in table.seats:
            raise CannotDo(f"game {game} has the seats {', '.join(table.seats)}, not {side!r}")
        before = table.seats[side]
        act(table, {"act": "substitute", "side": side, "reason": reason}, source)
        members.remember(desk, before)
        member = members.ensure(desk, player.address.lower(), player.name)
        seat = replace(
            before, address=member.address, name=player.name or member.name, token=members.secret(desk), thread="", lapsed="",
            asked=(), wishes=member.wishes, draw="", leaving="",
        )
        table.seats[side] = seat
        table.keep_seats()
        desk.note("substitute", f"{side} has a new player", game)
        told = [f"Another player has taken your seat in game {game} over."]
        post.note(desk, before.address, "You have been replaced", told, game=game)
        if side != REFEREE:
            if side in table.session.waiting():
                turns.set_due(table, side, turns.full_time(table))
            post.send(table, [], lines=[_said(f"The seat of {side} has a new player", reason)])
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


def act(table: Table, payload: dict[str, object], source: str = "") -> None:
    """Put an act on record."""
    table.session.submit("control", payload, source)
    turns.store_rows(table)


def _tell(table: Table, line: str) -> None:
    """Tell both sides of an act that changes nothing on the board: at once, or with their next report if the game says so."""
    if table.game.options.get("referee_acts") != "reported":
        post.send(table, [], lines=[line])


def _said(what: str, reason: str) -> str:
    return f"{what}: {reason}." if reason else f"{what}."
