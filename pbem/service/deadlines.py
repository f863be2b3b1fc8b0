"""Deadlines and reminders: rows that the tick sweeps, so that none is lost while the daemon is down.

What becomes of a missed deadline, one after the other: orders that were kept are carried out, and if they answer all that was
asked, the deadline was met; who has not had his extension gets it; a game with grace waits so much longer, and says so; then
the turn is missed.  A side that misses its turn is taken for absent until the end of the stretch of play (its plans and
standing orders play on for it, and what they leave open takes the default), or until it writes again.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.journal import Row
from pbem.mail import faults
from pbem.reports import mails
from pbem.service import intake, missed, ordering, post, stops, turns
from pbem.service.desk import Desk, log
from pbem.service.notices import LATE, MET, MISSED, move, notice
from pbem.service.times import later
from pbem.service.turns import Stopped, Table
from pbem.store.api import DEADLINE, GRACE, REMINDER, RUNNING, Due

TAKEN_SHOWN = 40
"""So many of the defaults that were taken are listed."""


def sweep(desk: Desk, limit: int = 100) -> int:
    """Do what is due by now; gives how much there was.  Nothing is done while all deadlines are held."""
    found = desk.store.games.due_by(desk.now, limit)
    if not found or not stops.may_pass(desk, found):
        return 0
    for due in found:
        _do(desk, due)
    return len(found)


def _do(desk: Desk, due: Due) -> None:
    """One due row, in one transaction; a game that fails is put off, and does not hold up the others."""
    try:
        with desk.store.transaction():
            if due not in desk.store.games.dues(due.game):
                return
            if due.kind == REMINDER:
                _remind(desk, due)
            else:
                _deadline(desk, due)
            faults.point("due.done")
    except Stopped as stopped:
        with desk.store.transaction():
            intake.halt(desk, stopped)
    except Exception as error:  # a fault of ours: try again in an hour, and say so
        log.exception("deadline failed", game=due.game, side=due.side)
        with desk.store.transaction():
            desk.store.games.set_due(Due(due.game, due.side, due.kind, later(desk.now, hours=1)))
            why = f"{type(error).__name__}: {error}"[:300]
            desk.note("failed", f"the {due.kind} of {due.side}: {why}; tried again in an hour", due.game)
            once = f"failed {due.game} {due.side} {desk.now[:10]}"
            post.tell_referee(desk, due.game, f"the {due.kind} of {due.side} failed", [why], once=once)


# -- a deadline ------------------------------------------------------------------------------------------


def _deadline(desk: Desk, due: Due) -> None:
    """The side's time is up."""
    table = turns.take(desk, due.game)
    if table.game.status != RUNNING or due.side not in table.session.waiting():
        desk.store.games.drop_due(due.game, due.side)
        return
    queued = desk.store.outbox.stuck(due.game, due.side)
    if queued and queued < due.at:
        _not_reached(table, due, queued)
        return
    drafted = _carried_out(table, due.side)
    if drafted and due.side not in _asked_before(table, due.side):
        desk.note(MET, f"what {due.side} had kept was carried out at its deadline of {due.at}", due.game)
        missed.count(table, due.side, missed.IN_TIME)
        _send(table, turns.store_rows(table), due.side, drafted)
    elif due.kind == DEADLINE and _extended(table, due):
        return
    elif due.kind == DEADLINE and table.clock.grace:
        _late(table, due)
    else:
        _missed(table, due, drafted)


def _carried_out(table: Table, side: str) -> bool:
    """Whether the side had kept orders; they are in force now."""
    found = ordering.put_draft(table, side)
    if found:
        table.play()
    return found


def _asked_before(table: Table, side: str) -> list[str]:
    """The side, if something that it had been mailed is still open."""
    asked = table.seats[side].asked
    return [a.side for a in table.asks if a.side == side and a.id in asked]


def _missed(table: Table, due: Due, drafted: bool) -> None:
    """The game goes on without an answer, or waits, as it was agreed for it."""
    desk = table.desk
    desk.note(MISSED, f"{due.side} missed its deadline of {due.at} in {table.session.step_name}", due.game)
    if missed.waits(table, due.side):
        return
    table.lapse(due.side)
    table.play()
    _send(table, turns.store_rows(table), due.side, drafted, late=True)


def _send(table: Table, rows: Sequence[Row], side: str, drafted: bool, late: bool = False) -> None:
    """Tell both sides how it went on; the side itself, what was carried out and what was taken for it."""
    taken = [
        f"{r.payload['scope']}: {r.payload['key']}"
        for r in rows if r.kind == "answer" and r.payload["side"] == side and r.payload["how"] == "default"
    ]
    said = "Your deadline has passed. " + ("What you had sent was carried out as far as it was in order. " if drafted else "")
    if late:
        said += "Taken for you:" if taken else "Nothing else was open."
    post.send(table, rows, {side: post.Receipt(notes=(said.strip(), *taken[:TAKEN_SHOWN]))})


# -- more time -------------------------------------------------------------------------------------------


def _extended(table: Table, due: Due) -> bool:
    """Whether the side gets the one extension that it has in a game."""
    games, hours, side = table.desk.store.games, table.clock.extension, due.side
    state = dict(games.clock(due.game))
    if not hours or side in state.get("extended", {}):
        return False
    games.set_clock(due.game, {**state, "extended": {**state.get("extended", {}), side: due.at}})
    until = table.clock.deadline(due.at, hours)
    why = "A player who misses a deadline gets more time, once in a game"
    move(table, side, max(until, later(table.now, minutes=1)), why, everybody=True)
    return True


def _late(table: Table, due: Due) -> None:
    """The deadline has passed; the side hears how long the game still waits."""
    desk, side = table.desk, due.side
    rows = turns.store_rows(table)
    until = max(table.clock.run(due.at, table.clock.grace), later(table.now, minutes=1))
    turns.set_due(table, side, until, GRACE)
    desk.note(LATE, f"{side} is late in {table.session.step_name}; the game waits until {until}", due.game)
    post.send(table, rows)
    notice(table, side, mails.late(post.brief(table, side)), f"late {due.game} {side} {due.at}")


def _not_reached(table: Table, due: Due, queued: str) -> None:
    """The mail server would not take what was mailed to the side, so it cannot have answered: it keeps its time."""
    left = table.clock.ran(queued, due.at)
    until = max(table.clock.run(table.now, left), later(table.now, hours=1))
    why = "The mail server would not take the mails to this player, who cannot have known"
    move(table, due.side, until, why)


def _remind(desk: Desk, due: Due) -> None:
    """Some time is left, and an answer is missing: one reminder for each time that the game's clock names."""
    desk.store.games.drop_due(due.game, due.side, due.kind)
    table = turns.take(desk, due.game)
    table.dues.pop((due.side, due.kind), None)
    at = table.deadline(due.side)
    if table.game.status != RUNNING or due.side not in table.session.waiting() or at <= table.now:
        return
    status = post.status(table, due.side)
    if status != "complete":
        doc = mails.reminder(post.brief(table, due.side), status)
        once = f"reminder {due.game} {due.side} {at} {due.at}"
        post.queue(desk, table.game, table.seats[due.side], doc, post.REMINDER, once=once)
    following = table.clock.reminder(at, table.now)
    if following:
        desk.store.games.set_due(Due(due.game, due.side, REMINDER, following))
