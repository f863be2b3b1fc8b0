"""What a player's absence does to his deadlines: the clock of his games stands still meanwhile, where a game's policy says so.

The other player reads until when he is absent and the new deadline, nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pbem.service.club import members, options
from pbem.service.play.clock import Clock
from pbem.service.times import later, moment
from pbem.store.api import Absence

if TYPE_CHECKING:
    from pbem.service.play.game_session import GameSession


def shifted(play: GameSession, side: str, at: str, new: Sequence[Absence] | None = None) -> tuple[str, str]:
    """A deadline with the absences of the side's player left out of the time for it, and why, in words ('' if it stays): the
    time that was left when he went is left when he is back, as far as the game allows it.  ``new``: only these, as the others
    have moved it already."""
    context, game = play.context, play.game
    member = members.holder(context, play.seats[side])
    away = context.store.people.absences(member.id, play.now) if member and new is None else new
    if member is None or not away or options.of(game.options, "absence") == "ignore":
        return at, ""
    store, counted = context.store, f"absent {game.id} {member.id}"
    left = 24.0 * options.of(game.options, "absence_days") - store.people.moved(game.id, member.id)
    found = _without(play.clock, play.now, at, away, store.notes.value(counted), left)
    if found.until <= at:
        return at, ""
    store.people.add_moved(game.id, member.id, found.hours)
    store.notes.set_value(counted, found.counted)
    until = found.until
    back = max(a.last for a in away if a.first < until)
    day = moment(later(back, hours=-12)).astimezone(ZoneInfo(play.clock.zone))  # noon of the last day, in whatever zone it is
    said = f"{side.capitalize()} is absent until {day.day} {day:%B} {day.year}"
    if found.hours >= left - 1 / 60 and until < back:
        days = options.of(game.options, "absence_days")
        said += f"; the {days} days by which this game lets deadlines move for a player's absence are used up with that"
    return until, said


def uncovered(first: str, last: str, away: Sequence[Absence]) -> list[Absence]:
    """What of the time from ``first`` to before ``last`` no absence of ``away`` (in their order) covers yet."""
    found = []
    for each in away:
        if first < each.first and each.first < last:
            found.append(Absence(0, each.member, first, each.first))
        if each.last > first:
            first = max(first, each.last) if each.first < last else first
    return [*found, *([Absence(0, 0, first, last)] if first < last else [])]


@dataclass(frozen=True)
class _Moved:
    """A deadline that has moved; for how many ``hours`` of absence that the game had not granted before, and up to when absences
    are ``counted`` now."""

    until: str
    hours: float
    counted: str


def _without(own: Clock, now: str, at: str, away: Sequence[Absence], counted: str, left: float) -> _Moved:
    """``at`` without the absences; only ``left`` hours of what is later than ``counted`` are granted."""
    hours = 0.0
    for each in away:
        begin = max(now, each.first)
        if begin >= at or each.last <= now:
            continue
        fresh = max(begin, counted)
        end = min(each.last, max(fresh, later(fresh, hours=left - hours)))
        if end <= begin:
            continue
        at = own.run(end, own.ran(begin, at))
        hours += max((moment(end) - moment(fresh)).total_seconds(), 0) / 3600
        counted = max(counted, end)
    return _Moved(at, hours, counted)
