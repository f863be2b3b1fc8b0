"""When deadlines must not pass: the daemon was down, the clock jumped, or hardly anybody's mail came in.

An outage is a time in which no mail could be read, or none sent.  When it is over, every deadline that was to come is moved by
it, and whoever has one is told.  A clock that goes back, or on by days, is not believed: nothing is handled until it is right
again or the host says so.  If deadlines are missed while hardly anybody writes, mail trouble is likelier than that: deadlines
are held until somebody is heard again, and then moved.  The host hears of each once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta

from pbem.mail import faults
from pbem.reports import when
from pbem.service.host import breaker
from pbem.service.letters import mailing, notices
from pbem.service.mailroom import intake
from pbem.service.play import game_session
from pbem.service.context import ServiceContext
from pbem.service.logs import log
from pbem.service.times import later, moment
from pbem.service.play.game_session import Stopped
from pbem.store.api import DEADLINE, GRACE, RUNNING, Due

BACK_MINUTES = 5
"""A clock that goes back by more than that is wrong; servers that set theirs by others stay far below."""

HEARD = ("accept", "accept-with-errors", "ask-resend")
"""Dispositions of mails whose writer was believed."""

MOST_TO_ONE = 4
"""Mails are in trouble if more than so many deadlines were missed for each mail that came."""

CLOCK, SILENCE = "clock", "silence"
SERVED, BELIEVED, HOLD, SHIFT, RELEASED = "served", "believed", "hold", "shift", "released"
"""Stored settings: when mail could be read and sent last; when the clock was believed last; why nothing passes; deadlines that
are being moved; when the host said to let them pass."""


@dataclass(frozen=True)
class Hold:
    """Why nothing passes: ``kind`` is CLOCK or SILENCE, ``since`` the last moment that is beyond doubt, ``at`` when it was
    found, ``why`` in words."""

    kind: str
    since: str
    at: str
    why: str
    mark: int = 0
    """The last mail that was in the inbox."""


@dataclass(frozen=True)
class Shift:
    """Deadlines later than ``since`` are being moved by what their clocks run from then to ``until``; games up to ``after``
    are done."""

    since: str
    until: str
    why: str
    after: str = ""


class NothingHeld(ValueError):
    """There is nothing to resume."""


def hold(context: ServiceContext) -> Hold | None:
    """What holds the deadlines up, if anything does."""
    text = context.store.notes.value(HOLD)
    return Hold(**json.loads(text)) if text else None


def clock_believed(context: ServiceContext) -> bool:
    """Whether the clock can be right: it has gone on since the last time that it was believed, and not by days."""
    served, held = context.store.notes.value(BELIEVED) or _served(context), hold(context)
    gap = moment(context.now) - moment(served) if served else timedelta()
    back, ahead = gap < -timedelta(minutes=BACK_MINUTES), gap > timedelta(days=context.config.jump_days)
    if not back and not ahead:
        if held and held.kind == CLOCK:
            with context.store.transaction():
                context.store.notes.set_value(HOLD, "")
                context.note("clock", "the clock is right again; all goes on")
        return True
    if not held or held.kind != CLOCK:
        how = f"gone back by {when.span(-gap)}" if back else f"gone on by {when.span(gap)}"
        _hold(context, Hold(CLOCK, served, context.now, f"since {_words(context, served)} the clock of this machine has {how}"), [
            "Mails are stored, but none is handled, and no deadline passes.",
            "If the clock is wrong, set it right: then all goes on by itself.",
            "If the machine was off for so long, 'pbem resume' goes on, and moves all deadlines by that time.",
        ])
    return False


def passable(context: ServiceContext) -> bool:
    """Whether deadlines may pass although mail may not go out: it has not been so for long."""
    served = _served(context)
    return breaker.open_now(context, breaker.SEND) is None or not served or not _long(context, served)


def reached(context: ServiceContext) -> None:
    """Mail could be read just now, and goes out as far as is known; if it did not for long, all deadlines are to move.  (What
    was still to be moved from an earlier time has been: see :func:`work`.)  The host is told, unless he was when it began."""
    served, now = _served(context), context.now
    with context.store.transaction():
        if served and _long(context, served):
            found = [breaker.last(context, part) for part in (breaker.FETCH, breaker.SEND)]
            been = [t is not None and t.ended >= served for t in found]
            what = "read or sent" if all(been) else "sent" if been[1] else "read"
            known = any(b and t is not None and t.told for b, t in zip(been, found, strict=True))
            why = f"Mail could not be {what} from {_words(context, served)} to {_words(context, now)}."
            said = f"Mail could not be {what} for {when.span(moment(now) - moment(served))}, until now."
            _begin(context, served, said, "" if known else why)
        context.store.notes.set_value(SERVED, now)


def _long(context: ServiceContext, since: str) -> bool:
    return moment(context.now) - moment(since) > _longest(context)


def _longest(context: ServiceContext) -> timedelta:
    """How long no mail may be read before that is an outage: a few ticks at least."""
    return max(timedelta(minutes=context.config.outage_minutes), timedelta(seconds=3 * context.config.tick_seconds))


def _served(context: ServiceContext) -> str:
    return context.store.notes.value(SERVED) or context.store.notes.value("last_tick")


def work(context: ServiceContext, stop: Callable[[], bool] = lambda: False) -> bool:
    """Move what is to be moved; False if some is left, so that no deadline may pass yet."""
    while text := context.store.notes.value(SHIFT):
        shift = Shift(**json.loads(text))
        games = context.store.games.due_in(shift.after, 20)
        for game in games:
            if stop():
                return False
            _shift(context, game, shift)
            shift = Shift(shift.since, shift.until, shift.why, game)
        if not games:
            with context.store.transaction():
                context.store.notes.set_value(SHIFT, "")
    return True


def may_pass(context: ServiceContext, due: Sequence[Due]) -> bool:
    """Whether deadlines may pass.  ``due``: what is due now; if these are many, and hardly anybody is heard, all are held."""
    held = hold(context)
    if held is None:
        held = _silence(context, due)
    elif held.kind == SILENCE and context.store.inbox.heard("", HEARD, 1, held.mark):
        resume(context, why="Mail is coming in again.")
        work(context)
        return False
    return held is None


def _silence(context: ServiceContext, due: Sequence[Due]) -> Hold | None:
    """Whether so many deadlines go unanswered, while hardly anybody writes, that mail must be in trouble."""
    config, now = context.config, context.now
    begin = max(later(now, hours=-config.silence_hours), context.store.notes.value(RELEASED))
    games = {d.game for d in due if d.kind in (DEADLINE, GRACE) and d.at > begin}
    if not config.silence_misses or not games:
        return None
    missed = len(games) + context.store.notes.count(notices.MISSED, begin)
    heard = context.store.inbox.heard(begin, HEARD)
    if missed < config.silence_misses or heard * MOST_TO_ONE >= missed:
        return None
    came = f"but only {heard} mails from players came in" if heard else "and no mail from any player came in"
    why = f"{missed} deadlines went by since {_words(context, begin)}, {came}"
    found = Hold(SILENCE, begin, now, why, context.store.inbox.last())
    _hold(context, found, [
        "That looks like trouble with the mail, so no deadline passes: look whether mail reaches the mailbox, and leaves.",
        "As soon as a player's mail comes in, all goes on, and the deadlines are moved by the time that was lost.",
        "If all is well, 'pbem resume' does the same now, and 'pbem resume --as-they-stand' lets the deadlines pass.",
    ])
    return found


def resume(context: ServiceContext, as_they_stand: bool = False, why: str = "The host has looked into it.") -> Hold:
    """Go on: deadlines move by the time that was lost, or pass as they stand.  :class:`NothingHeld` if nothing is held."""
    held, now = hold(context), context.now
    if held is None:
        raise NothingHeld("nothing is held: deadlines pass as usual ('pbem status')")
    work(context)
    with context.store.transaction():
        context.store.notes.set_value(HOLD, "")
        context.store.notes.set_value(SERVED, now)
        context.store.notes.set_value(BELIEVED, now)
        context.store.notes.set_value(RELEASED, now if as_they_stand or held.kind == SILENCE else "")
        context.note("resume", f"all goes on{' as it stands' if as_they_stand else ''}: {why}")
        if not as_they_stand and held.since < now:
            _begin(context, held.since, f"Deadlines were held since {_words(context, held.at)}: {held.why}. {why}", "")
    return held


def _hold(context: ServiceContext, held: Hold, lines: Sequence[str]) -> None:
    with context.store.transaction():
        context.store.notes.set_value(HOLD, json.dumps(asdict(held)))
        context.note("hold", held.why)
        once = f"hold {held.kind} {held.since} {held.at}"
        _tell_host(context, "All deadlines are held", [f"{_sentence(held.why)}.", *lines], once)
    log.error("hold", kind=held.kind, why=held.why)


def _begin(context: ServiceContext, since: str, said: str, told: str) -> None:
    """Have the deadlines moved that come after ``since``; ``told``: what the host is to hear."""
    context.store.notes.set_value(SHIFT, json.dumps(asdict(Shift(since, context.now, PLAYERS_TOLD))))
    context.note("outage", said)
    if told:
        lines = [told, "All deadlines that were still to come have been moved by that time; whoever has one is told."]
        _tell_host(context, "Mail could not be read for a while", lines, f"outage {since}")


PLAYERS_TOLD = "The club's server was out of reach, and the time lost is given back"


def _shift(context: ServiceContext, game: str, shift: Shift) -> None:
    """Move the deadlines of one game, and note that it is done, in one transaction."""
    done = json.dumps(asdict(Shift(shift.since, shift.until, shift.why, game)))
    try:
        with context.store.transaction():
            context.store.notes.set_value(SHIFT, done)
            play = game_session.take(context, game)
            sides = [s for s in play.rules.sides if play.deadline(s) > shift.since]
            for side in sides if play.game.status == RUNNING else []:
                left = play.clock.ran(shift.since, play.deadline(side))
                notices.move(play, side, play.clock.run(shift.until, left), shift.why)
            faults.point("shift.done")
    except Stopped as stopped:
        with context.store.transaction():
            context.store.notes.set_value(SHIFT, done)
            intake.halt(context, stopped)


def _tell_host(context: ServiceContext, subject: str, lines: Sequence[str], once: str) -> None:
    mailing.alarm(context, "", subject, lines, once=once)


def _words(context: ServiceContext, at: str) -> str:
    """A moment as the host reads it, in the zone of the settings."""
    return str(when.deadline(at, context.config.timezone, context.now)["text"])


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
