"""Absences by mail: 'absence 12 Dec to 20 Dec'.  Days are read strictly, and told back with their zone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from pbem.orders.club_verbs import ClubRequest
from pbem.service.club import members, options, registry
from pbem.service.letters import notices
from pbem.service.play import absence, game_session
from pbem.service.club.club_requests import RequestContext, Denied, Verb
from pbem.service.context import ServiceContext
from pbem.service.times import moment, stamp
from pbem.store.api import DEADLINE, REFEREE, RUNNING, Absence, Member

MOST_DAYS, MOST_AHEAD, MOST_KEPT = 60, 366, 10
"""Days of an absence, days until it begins, absences to come."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_FORMS = (
    re.compile(r"(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})"),
    re.compile(r"(?P<d>\d{1,2})(?:st|nd|rd|th|\.)? ?(?P<n>[a-z]{3,9})\.?,?(?: (?P<y>\d{4}))?"),
    re.compile(r"(?P<n>[a-z]{3,9})\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?,?(?: (?P<y>\d{4}))?"),
    re.compile(r"(?P<d>\d{1,2})\. ?(?P<m>\d{1,2})\.(?: ?(?P<y>\d{4}))?"),
)
_BETWEEN = re.compile(r"\s+(?:to|until|till|through|-|bis)\s+")


def absent(at: RequestContext, request: ClubRequest) -> None:
    """'absence 12 Dec to 20 Dec', 'absence', 'absence cancel'."""
    member, context = at.member, at.context
    if not request.args:
        at.say("Your absences", *(_listed(context, member) or ["None is to come."]))
    elif request.args[0].lower() == "cancel":
        gone = context.store.people.drop_absences(member.id, context.now)
        at.say("Your absences", f"{gone} taken back. Deadlines that had moved stay as they are." if gone else "None was to come.")
    else:
        zone = _zone(context, member, request.game)
        first, last = days(request.args[0], moment(context.now).astimezone(ZoneInfo(zone)).date())
        if len(context.store.people.absences(member.id, context.now)) >= MOST_KEPT:
            raise Denied(f"you have {MOST_KEPT} absences to come; 'absence cancel' takes them back")
        limits = (first, last + timedelta(days=1))
        begin, end = (stamp(datetime.combine(d, time(), ZoneInfo(zone)).astimezone(UTC)) for d in limits)
        new = absence.uncovered(begin, end, context.store.people.absences(member.id))
        for each in new:
            context.store.people.add_absence(member.id, each.first, each.last)
        said = registry.span(context, member, begin, end) if zone == (member.zone or context.config.timezone) else (
            f"from {first} to {last} ({zone})"
        )
        at.say("Your absence is noted", f"You are absent {said}, both days included.", *_moved_now(context, member, new))


def _listed(context: ServiceContext, member: Member) -> list[str]:
    return [f"You are absent {registry.span(context, member, a.first, a.last)}." for a in
            context.store.people.absences(member.id, context.now)]


def _zone(context: ServiceContext, member: Member, game: str) -> str:
    """Whose days are meant: the member's own, else those of the game that he writes about, else the server's."""
    mine = any(s.game == game for s in members.seats(context, member)) if game else False
    return member.zone or (
        game_session.clock_of(context, context.store.games.get(game)).zone if mine else context.config.timezone
    )


def days(text: str, today: date) -> tuple[date, date]:
    """The first and the last day that are meant; :class:`Denied` says how to write it."""
    parts = _BETWEEN.split(" ".join(text.lower().split()).removeprefix("from "))
    if len(parts) > 2:
        raise Denied("write an absence like 'absence 12 Dec to 20 Dec' or 'absence 2026-12-12 to 2026-12-20'")
    first = _day(parts[0], today)
    last = _day(parts[-1], first)
    if last < first or last < today:
        raise Denied(f"that is from {first} to {last}: the last day comes before the first, or is over")
    if (last - first).days >= MOST_DAYS or (first - today).days > MOST_AHEAD:
        raise Denied(f"that is from {first} to {last}: an absence has {MOST_DAYS} days at most, and begins within a year")
    return first, last


def _day(text: str, since: date) -> date:
    """A day; without a year the first one from ``since`` on (or, for one that has just begun, the days before)."""
    for form in _FORMS:
        found = form.fullmatch(text)
        if found is None:
            continue
        told = found.groupdict()
        named = told.get("n")
        if named and named[:3] not in _MONTHS:
            break
        month = _MONTHS.index(named[:3]) + 1 if named else int(told["m"])
        try:
            if told.get("y"):
                return date(int(told["y"]), month, int(told["d"]))
            this = [date(y, month, int(told["d"])) for y in (since.year, since.year + 1)]
        except ValueError:
            break
        return next(d for d in this if d >= since - timedelta(days=7))
    raise Denied(f"'{text[:30]}' is no day; write 12 Dec, or 2026-12-12")


def _moved_now(context: ServiceContext, member: Member, new: Sequence[Absence]) -> list[str]:
    """Move the deadlines that are running; what to say of each of the member's games."""
    said = []
    for seat in members.seats(context, member):
        game = context.store.games.get(seat.game)
        if seat.side == REFEREE or game.status != RUNNING:
            continue
        if options.of(game.options, "absence") == "ignore":
            said.append(f"Game {game.id} is played without regard to absences: its deadlines stay.")
        elif any((d.side, d.kind) == (seat.side, DEADLINE) for d in context.store.games.dues(game.id)):
            play = game_session.take(context, game.id)
            now = play.deadline(seat.side)
            until, why = absence.shifted(play, seat.side, now, new)
            if until != now:
                notices.move(play, seat.side, until, why, everybody=True)
                said.append(f"Game {game.id}: your deadline is now {play.clock.words(until, play.now)['text']}.")
    return said or ["No deadline of yours had to move."]


VERBS: dict[str, Verb] = {"absence": absent}
