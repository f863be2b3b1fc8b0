"""Deadlines in words: one formatter, so that no two mails say one moment differently."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pbem.core.documents import Due

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def deadline(at: str, zone: str, now: str) -> Due:
    """A moment (UTC, ISO 8601) as a player reads it: absolute, with zone, and how long that is from ``now``."""
    moment = _utc(at)
    local = moment.astimezone(ZoneInfo(zone))
    name = local.tzname() or zone
    name = f"UTC{name}" if name[:1] in "+-" else name
    clock, day, month = f"{local:%H:%M}", DAYS[local.weekday()], MONTHS[local.month - 1]
    return {
        "at": at,
        "zone": zone,
        "text": f"{day} {local.day} {month} {local.year}, {clock} {name}" + (f" ({zone})" if zone != name else ""),
        "short": f"{day[:3]} {local.day} {month[:3]} {clock} {name}",
        "left": span(moment - _utc(now)),
    }


def span(length: timedelta) -> str:
    """'2 days 3 hours', '50 minutes', 'no time left'."""
    minutes = int(length.total_seconds()) // 60
    if minutes <= 0:
        return "no time left"
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    if days:
        parts = [(days, "day"), (hours, "hour")]
    else:
        parts = [(hours, "hour"), (minutes, "minute")]
    return " ".join(f"{n} {word}{'' if n == 1 else 's'}" for n, word in parts if n)


def _utc(at: str) -> datetime:
    moment = datetime.fromisoformat(at)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
