"""Moments as the store keeps them: UTC, ISO 8601 with whole seconds and a Z."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def stamp(moment: datetime) -> str:
    """'2026-03-14T09:15:00Z'."""
    utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    return utc.replace(tzinfo=None).isoformat(timespec="seconds") + "Z"


def moment(text: str) -> datetime:
    """The moment that :func:`stamp` wrote."""
    return datetime.fromisoformat(text).astimezone(UTC)


def later(text: str, **span: float) -> str:
    """A stamp so many ``hours``, ``minutes``, ``seconds`` after another."""
    return stamp(moment(text) + timedelta(**span))
