"""How time runs in a game: how long an answer may take, when the clock stands still, when reminders go out.

A game's clock is the server's settings, what was set when the game was made, and what its referee set later, in that order.
Moments are stamps in UTC (:mod:`pbem.service.times`); hours of the day are those of the game's zone, by its rules for summer
time.  A time of day that the change to summer time leaves out counts as if the clocks had not been changed, one that comes
twice means the first (as in RFC 5545, 3.3.5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any
from zoneinfo import ZoneInfo

from pbem.core.documents import Due
from pbem.config import Config
from pbem.reports import when
from pbem.service.times import later, moment, stamp

YEAR = 24 * 366
"""Hours: nothing is given more time than that."""

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EARLY = ("yes", "ready", "no")
WHEN_EARLY = {
    "yes": "What is ordered is carried out as it comes.",
    "ready": "What is ordered is kept until its side says 'ready', or the deadline.",
    "no": "What is ordered is kept until the deadline.",
}

NEVER = "never"
"""A game whose time for an answer is so has no deadlines (its hours are then 0)."""

OPTIONS = {
    "deadline_hours": "time for an answer, in hours (72; never: there are no deadlines)",
    "phase_hours": "other times for some phases or turns ('setup 120, 1 96, axis movement 48'); the first that fits counts",
    "grace_hours": "so long after a missed deadline the game still waits (12; 0: not at all)",
    "extension_hours": "a player who misses a deadline gets so much more time, once in the game (24; 0: never)",
    "reminder_hours": "remind so long before the deadline ('48 24 6'; 0: never)",
    "clock_hours": "days and hours in which the clock runs ('mon-fri 08-22, sat 10-18'; always)",
    "zone": "the game's time zone (Europe/Rome)",
    "early": "whether orders are carried out before the deadline: yes, as soon as they come; ready, when their side says"
    " 'ready'; no, never",
}
"""What can be set for a game, each with an example."""


class BadClock(ValueError):
    """A time, a zone or hours that cannot be; says how to write it."""


@dataclass(frozen=True)
class Window:
    """Days of the week (0 is Monday) and the minutes of the day, from ``begin`` until before ``end``."""

    days: frozenset[int]
    begin: int
    end: int

    def words(self) -> str:
        """'Mon Tue 08:00-22:00'."""
        days = " ".join(DAYS[d].capitalize() for d in sorted(self.days)) if len(self.days) < 7 else "daily"
        return f"{days} {self.begin // 60:02}:{self.begin % 60:02}-{self.end // 60:02}:{self.end % 60:02}"


@dataclass(frozen=True)
class Clock:
    """A game's clock; ``windows``: when it runs (none: always); see :data:`OPTIONS` for the rest."""

    hours: float
    phases: tuple[tuple[tuple[str, ...], float], ...]
    grace: float
    extension: float
    reminders: tuple[float, ...]
    windows: tuple[Window, ...]
    zone: str
    early: str

    def time_for(self, step: str) -> float:
        """Hours for an answer in a step of play ('2 axis movement')."""
        words = step.replace("-", " ").split()
        return next((hours for named, hours in self.phases if _fits(named, words)), self.hours)

    def deadline(self, start: str, hours: float) -> str:
        """The end of so many hours.  RULING: where the clock never stands still, whole days keep the time of day, so that
        'three days' is the same hour by the clock on the wall also over a change to or from summer time."""
        days, rest = divmod(hours, 24)
        if self.windows or rest:
            return self.run(start, hours)
        local = moment(start).astimezone(ZoneInfo(self.zone))
        return stamp(_utc(local.date() + timedelta(days=days), local.hour * 60 + local.minute, self.zone, local.second))

    def run(self, start: str, hours: float) -> str:
        """The moment at which the clock has run so many hours since ``start``."""
        if not self.windows:
            return later(start, hours=hours)
        at, left = moment(start), timedelta(hours=hours)
        for begin, end in self._stretches(at):
            begin = max(begin, at)
            if begin + left <= end:
                return stamp(begin + left)
            left -= max(end - begin, timedelta())
        raise AssertionError("the clock never ends")

    def ran(self, start: str, end: str) -> float:
        """Hours that the clock runs from ``start`` to ``end``; 0 if that is not later."""
        first, last = moment(start), moment(end)
        if not self.windows:
            return max((last - first).total_seconds(), 0) / 3600
        total = timedelta()
        for begin, stop in self._stretches(first):
            if begin >= last:
                break
            total += max(min(stop, last) - max(begin, first), timedelta())
        return total.total_seconds() / 3600

    def reminder(self, deadline: str, now: str) -> str:
        """When to remind next; '' if no more before the deadline."""
        found = sorted(later(deadline, hours=-h) for h in self.reminders)
        return next((at for at in found if now < at < deadline), "")

    def words(self, at: str, now: str) -> Due:
        """A moment as people read it: absolute, with its zone."""
        return when.deadline(at, self.zone, now)

    def lines(self) -> list[str]:
        """How it is set, in sentences."""
        if not self.hours and not self.phases:
            return ["There are no deadlines.", WHEN_EARLY[self.early]]
        others = "; ".join(f"{' '.join(words)} {_of_hours(hours)}" for words, hours in self.phases)
        runs = "always" if not self.windows else ", ".join(w.words() for w in self.windows)
        found = [
            f"Time for an answer: {_of_hours(self.hours)}{f' ({others})' if others else ''}; the clock runs {runs}, by the time"
            f" of {self.zone}.",
            f"After a deadline the game waits {f'{_of_hours(self.grace)} more' if self.grace else 'no longer'}.",
        ]
        if self.extension:
            found.append(f"A player who misses a deadline gets {_of_hours(self.extension)} more, once in the game.")
        if self.reminders:
            found.append(f"Reminders go out {' and '.join(_of_hours(h) for h in self.reminders)} before a deadline.")
        return [*found, WHEN_EARLY[self.early]]

    def _stretches(self, start: datetime) -> Iterator[tuple[datetime, datetime]]:
        """From when to when the clock runs, in UTC, from the day before ``start`` on, without end."""
        day = start.astimezone(ZoneInfo(self.zone)).date() - timedelta(days=1)
        while True:
            for begin, end in _of_day(self.windows, day.weekday()):
                yield _utc(day, begin, self.zone), _utc(day, end, self.zone)
            day += timedelta(days=1)


def of(config: Config, options: Mapping[str, Any], changes: Mapping[str, Any]) -> Clock:
    """The clock of a game with these options, as its referee changed it."""
    told = {name: {**options, **changes}.get(name, default) for name, default in defaults(config).items()}
    return Clock(
        float(told["deadline_hours"]), _phases(str(told["phase_hours"])), float(told["grace_hours"]),
        float(told["extension_hours"]), _reminders(str(told["reminder_hours"])), _windows(str(told["clock_hours"])),
        str(told["zone"]), str(told["early"]),
    )


def defaults(config: Config) -> dict[str, Any]:
    """The server's settings for what a game does not say."""
    return {name: config.timezone if name == "zone" else getattr(config, name) for name in OPTIONS}


def option(name: str, value: Any) -> Any:
    """A value for one of :data:`OPTIONS`, as it is stored; :class:`BadClock` if it cannot be."""
    text = " ".join(str(value).split())
    if name == "deadline_hours" and text.lower() == NEVER:
        return 0
    if name in ("deadline_hours", "grace_hours", "extension_hours"):
        return _hours(name, value, 0 if name != "deadline_hours" else None)
    if name == "reminder_hours":
        found = _reminders(text)
        return number(found[0]) if len(found) == 1 else " ".join(f"{h:g}" for h in found) or 0
    if name == "phase_hours":
        return ", ".join(f"{' '.join(words)} {hours:g}" for words, hours in _phases(text))
    if name == "clock_hours":
        _windows(text)
        return text.lower()
    if name == "zone":
        return _zone(text)
    if text.lower() not in EARLY:
        raise BadClock(f"early is {text[:40]!r}: write yes, ready or no")
    return text.lower()


def number(found: float) -> float:
    """A number as it is journaled: whole if it is whole, else to the thousandth, so that every program writes it alike."""
    return int(found) if found == int(found) else round(found, 3)


def _hours(name: str, value: Any, least: float | None = 0) -> float:
    """A number of hours ('36', '36 h', '3 days')."""
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*(h|hours?|d|days?)?\s*", str(value), re.IGNORECASE)
    found = float(match[1]) * (24 if match[2] and match[2].lower().startswith("d") else 1) if match else -1
    if not 0 <= found <= YEAR or (found == 0 and least is None):
        raise BadClock(f"{name} is {str(value)[:40]!r}: give a number of hours, at most a year")
    return number(found)


def _of_hours(hours: float) -> str:
    return when.span(timedelta(hours=hours))


def _zone(text: str) -> str:
    try:
        return ZoneInfo(text).key
    except (ValueError, OSError, LookupError):
        raise BadClock(f"zone is {text[:40]!r}: write a place like Europe/Rome, or UTC") from None


@cache
def _phases(text: str) -> tuple[tuple[tuple[str, ...], float], ...]:
    """'setup 120, turn 1 96' as words and hours."""
    found = []
    for part in _parts(text):
        match = re.fullmatch(r"(?:turn )?([a-z0-9 -]*[a-z0-9]) (\d[\d.]*)(?: ?(h|hours?|d|days?))?", part)
        if match is None:
            raise BadClock(f"phase_hours has {part[:40]!r}: write it like 'setup 120, 1 96, axis movement 48'")
        hours = _hours("phase_hours", f"{match[2]} {match[3] or ''}", None)
        found.append((tuple(match[1].replace("-", " ").split()), hours))
    return tuple(found)


def _fits(named: Sequence[str], words: Sequence[str]) -> bool:
    """Whether each of the words begins one of the step's, in order; a number is the turn's."""
    left = iter(words)
    return all(any(w == n if n.isdigit() else w.startswith(n) for w in left) for n in named)


@cache
def _reminders(text: str) -> tuple[float, ...]:
    """'48 24 6', the longest first."""
    words = re.split(r"[\s,;]+", text.strip())
    if words in (["never"], ["none"]):
        return ()
    return tuple(sorted({h for w in words if w and (h := _hours("reminder_hours", w))}, reverse=True))


@cache
def _windows(text: str) -> tuple[Window, ...]:
    """'mon-fri 08-22, sat 10-18' as windows; none if the clock runs always."""
    found = [] if text.strip().lower() in ("", "always") else [_window(part) for part in _parts(text)]
    whole = {d for w in found if (w.begin, w.end) == (0, 1440) for d in w.days}
    return () if len(whole) == 7 else tuple(found)


def _window(part: str) -> Window:
    *days, hours = part.split() if re.search(r"\d", part) else [*part.split(), "00-24"]
    times = re.fullmatch(r"(\d\d?)(?::?([0-5]\d))?-(\d\d?)(?::?([0-5]\d))?", hours)
    begin, end = (int(times[i]) * 60 + int(times[i + 1] or 0) for i in (1, 3)) if times else (0, 0)
    found = frozenset(d for word in days for d in _days(word)) if days else frozenset(range(7))
    if not begin < end <= 1440 or not found:
        mend = "write it like 'mon-fri 08-22, sat 10-18'; what goes past midnight in two parts: 'fri 18-24, sat 00-02'"
        raise BadClock(f"clock_hours has {part[:40]!r}: {mend}")
    return Window(found, begin, end)


def _days(word: str) -> list[int]:
    """The days that 'mon', 'mon-fri', 'daily' name."""
    if word == "daily":
        return list(range(7))
    ends = [next((n for n, day in enumerate(DAYS) if len(w) > 2 and w.startswith(day)), -1) for w in word.split("-")]
    if -1 in ends or len(ends) > 2:
        raise BadClock(f"clock_hours has {word[:20]!r}: the days are {' '.join(DAYS)}, several of them 'mon-fri'")
    return [(ends[0] + n) % 7 for n in range((ends[-1] - ends[0]) % 7 + 1)]


def _parts(text: str) -> list[str]:
    return [part for p in re.split(r"[,;]", text.lower()) if (part := " ".join(p.split()))]


def _of_day(windows: Sequence[Window], weekday: int) -> list[tuple[int, int]]:
    """The minutes of a day in which the clock runs, in order, none twice."""
    merged: list[tuple[int, int]] = []
    for begin, end in sorted((w.begin, w.end) for w in windows if weekday in w.days):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


def _utc(day: date, minute: int, zone: str, second: int = 0) -> datetime:
    """A time of day by the clock on the wall, as a moment."""
    wall = datetime.combine(day, time()) + timedelta(minutes=minute, seconds=second)
    return wall.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
