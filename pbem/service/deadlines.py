"""Deadlines and reminders: rows that the tick sweeps, so that none is lost while the daemon is down.

A side that misses its deadline is taken for absent until the end of the stretch of play (its drafts, plans and standing
orders play on for it, and what they leave open takes the default), or until it writes again.
"""

from __future__ import annotations

from pbem.mail import faults
from pbem.reports import mails
from pbem.service import intake, ordering, post, turns
from pbem.service.desk import Desk, log
from pbem.service.times import later
from pbem.service.turns import Stopped
from pbem.store.api import DEADLINE, RUNNING, Due


def sweep(desk: Desk, limit: int = 100) -> int:
    """Do what is due by now; gives how much there was."""
    found = desk.store.games.due_by(desk.now, limit)
    for due in found:
        _do(desk, due)
    return len(found)


def _do(desk: Desk, due: Due) -> None:
    """One due row, in one transaction; a game that fails is put off, and does not hold up the others."""
    try:
        with desk.store.transaction():
            if due not in desk.store.games.dues(due.game):
                return
            if due.kind == DEADLINE:
                _deadline(desk, due)
            else:
                _remind(desk, due)
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


def _deadline(desk: Desk, due: Due) -> None:
    """The side's time is up."""
    table = turns.take(desk, due.game)
    if table.game.status != RUNNING or due.side not in table.session.waiting():
        desk.store.games.drop_due(due.game, due.side)
        return
    desk.note("deadline", f"{due.side} missed its deadline of {due.at} in {table.session.step_name}", due.game)
    drafted = ordering.put_draft(table, due.side)
    table.lapse(due.side)
    table.play()
    rows = turns.store_rows(table)
    taken = [
        f"{r.payload['scope']}: {r.payload['key']}"
        for r in rows if r.kind == "answer" and r.payload["side"] == due.side and r.payload["how"] == "default"
    ]
    said = "Your deadline has passed. " + ("What you had sent was carried out as far as it was in order. " if drafted else "")
    lines = [said + ("Taken for you:" if taken else "Nothing else was open."), *taken[:40]]
    post.send(table, rows, {due.side: post.Receipt(notes=tuple(lines))})


def _remind(desk: Desk, due: Due) -> None:
    """Some time is left, and an answer is missing: one reminder for each deadline."""
    desk.store.games.drop_due(due.game, due.side, due.kind)
    table = turns.take(desk, due.game)
    table.dues.pop((due.side, due.kind), None)
    at = table.deadline(due.side)
    if table.game.status == RUNNING and due.side in table.session.waiting() and at > table.now:
        doc = mails.reminder(post.brief(table, due.side))
        once = f"reminder {due.game} {due.side} {at}"
        post.queue(desk, table.game, table.seats[due.side], doc, post.REMINDER, once=once)
