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
from pbem.service.letters import mailing
from pbem.service.mailroom import intake
from pbem.service.play import game_session, missed_turns, ordering, outages, planner_seat, taken_back
from pbem.service.context import ServiceContext
from pbem.service.logs import log
from pbem.service.letters.notices import LATE, MET, MISSED, move, notice
from pbem.service.times import later
from pbem.service.play.game_session import Stopped, GameSession
from pbem.store.api import DEADLINE, GRACE, PLANNED, REMINDER, RUNNING, TAKEN_BACK, Due

TAKEN_SHOWN = 40
"""So many of the defaults that were taken are listed."""


def sweep(context: ServiceContext, limit: int = 100) -> int:
    """Do what is due by now; gives how much there was.  Nothing is done while all deadlines are held."""
    found = context.store.games.due_by(context.now, limit)
    if not found or not outages.may_pass(context, found):
        return 0
    for due in found:
        _do(context, due)
    return len(found)


def _do(context: ServiceContext, due: Due) -> None:
    """One due row, in one transaction; a game that fails is put off, and does not hold up the others."""
    try:
        with context.store.transaction():
            if due not in context.store.games.dues(due.game):
                return
            if due.kind == PLANNED:
                planner_seat.play_turn(context, due)
            elif due.kind == REMINDER:
                _remind(context, due)
            else:
                _deadline(context, due)
            faults.point("due.done")
    except Stopped as stopped:
        with context.store.transaction():
            intake.halt(context, stopped)
    except Exception as error:  # a fault of ours: try again in an hour, and say so
        log.exception("deadline failed", game=due.game, side=due.side)
        with context.store.transaction():
            context.store.games.set_due(Due(due.game, due.side, due.kind, later(context.now, hours=1)))
            why = f"{type(error).__name__}: {error}"[:300]
            context.note("failed", f"the {due.kind} of {due.side}: {why}; tried again in an hour", due.game)
            once = f"failed {due.game} {due.side} {context.now[:10]}"
            mailing.tell_referee(context, due.game, f"the {due.kind} of {due.side} failed", [why], once=once)


# -- a deadline ------------------------------------------------------------------------------------------


def _deadline(context: ServiceContext, due: Due) -> None:
    """The side's time is up."""
    play = game_session.take(context, due.game)
    if play.game.status not in (RUNNING, TAKEN_BACK) or due.side not in play.waiting():
        context.store.games.drop_due(due.game, due.side)
        return
    queued = context.store.outbox.stuck(due.game, due.side)
    if queued and queued < due.at:
        _not_reached(play, due, queued)
        return
    if play.held:
        _silent(play, due)
        return
    drafted = _carried_out(play, due.side)
    if drafted and due.side not in _asked_before(play, due.side):
        context.note(MET, f"what {due.side} had kept was carried out at its deadline of {due.at}", due.game)
        missed_turns.count(play, due.side, missed_turns.IN_TIME)
        _send(play, game_session.store_rows(play), due.side, drafted)
    elif due.kind == DEADLINE and _extended(play, due):
        return
    elif due.kind == DEADLINE and play.clock.grace:
        _late(play, due)
    else:
        _missed(play, due, drafted)


def _silent(play: GameSession, due: Due) -> None:
    """A game was taken back, and the side has not said how it goes on: it goes on without what was kept."""
    play.context.note(MISSED, f"{due.side} did not say how the game goes on from {play.session.step_name}", due.game)
    missed_turns.count(play, due.side, missed_turns.NOT)
    went_on = taken_back.speak(play, due.side, kept=False)
    lines = [f"The deadline of {due.side.capitalize()} has passed{': the game goes on' if went_on else ''}."]
    mailing.send(play, game_session.store_rows(play), lines=lines)


def _carried_out(play: GameSession, side: str) -> bool:
    """Whether the side had kept orders; they are in force now."""
    found = ordering.put_draft(play, side)
    if found:
        play.advance()
    return found


def _asked_before(play: GameSession, side: str) -> list[str]:
    """The side, if something that it had been mailed is still open."""
    asked = play.seats[side].asked
    return [a.side for a in play.asks if a.side == side and a.id in asked]


def _missed(play: GameSession, due: Due, drafted: bool) -> None:
    """The game goes on without an answer, or waits, as it was agreed for it."""
    context = play.context
    context.note(MISSED, f"{due.side} missed its deadline of {due.at} in {play.session.step_name}", due.game)
    if missed_turns.runaway(play, due.side) or missed_turns.waits(play, due.side):
        return
    play.lapse(due.side)
    play.advance()
    _send(play, game_session.store_rows(play), due.side, drafted, late=True)


def _send(play: GameSession, rows: Sequence[Row], side: str, drafted: bool, late: bool = False) -> None:
    """Tell both sides how it went on; the side itself, what was carried out and what was taken for it."""
    taken = [
        f"{r.payload['scope']}: {r.payload['key']}"
        for r in rows if r.kind == "answer" and r.payload["side"] == side and r.payload["how"] == "default"
    ]
    said = "Your deadline has passed. " + ("What you had sent was carried out as far as it was in order. " if drafted else "")
    if late:
        said += "Taken for you:" if taken else "Nothing else was open."
    mailing.send(play, rows, {side: mailing.Receipt(notes=(said.strip(), *taken[:TAKEN_SHOWN]))})


# -- more time -------------------------------------------------------------------------------------------


def _extended(play: GameSession, due: Due) -> bool:
    """Whether the side gets the one extension that it has in a game."""
    games, hours, side = play.context.store.games, play.clock.extension, due.side
    state = dict(games.clock(due.game))
    if not hours or side in state.get("extended", {}):
        return False
    games.set_clock(due.game, {**state, "extended": {**state.get("extended", {}), side: due.at}})
    until = play.clock.deadline(due.at, hours)
    why = "A player who misses a deadline gets more time, once in a game"
    move(play, side, max(until, later(play.now, minutes=1)), why, everybody=True)
    return True


def _late(play: GameSession, due: Due) -> None:
    """The deadline has passed; the side hears how long the game still waits."""
    context, side = play.context, due.side
    rows = game_session.store_rows(play)
    until = max(play.clock.run(due.at, play.clock.grace), later(play.now, minutes=1))
    game_session.set_due(play, side, until, GRACE)
    context.note(LATE, f"{side} is late in {play.session.step_name}; the game waits until {until}", due.game)
    mailing.send(play, rows)
    notice(play, side, mails.late(mailing.brief(play, side)), f"late {due.game} {side} {due.at}")


def _not_reached(play: GameSession, due: Due, queued: str) -> None:
    """The mail server would not take what was mailed to the side, so it cannot have answered: it keeps its time."""
    left = play.clock.ran(queued, due.at)
    until = max(play.clock.run(play.now, left), later(play.now, hours=1))
    why = "The mail server would not take the mails to this player, who cannot have known"
    move(play, due.side, until, why)


def _remind(context: ServiceContext, due: Due) -> None:
    """Some time is left, and an answer is missing: one reminder for each time that the game's clock names."""
    context.store.games.drop_due(due.game, due.side, due.kind)
    play = game_session.take(context, due.game)
    play.dues.pop((due.side, due.kind), None)
    at = play.deadline(due.side)
    if play.game.status not in (RUNNING, TAKEN_BACK) or due.side not in play.waiting() or at <= play.now:
        return
    status = mailing.status(play, due.side)
    if status != "complete":
        doc = mails.reminder(mailing.brief(play, due.side), status)
        once = f"reminder {due.game} {due.side} {at} {due.at}"
        mailing.queue(context, play.game, play.seats[due.side], doc, mailing.REMINDER, once=once)
    following = play.clock.reminder(at, play.now)
    if following:
        context.store.games.set_due(Due(due.game, due.side, REMINDER, following))
