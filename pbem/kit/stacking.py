"""Stacking: how much too much stands in a place, and what may go to mend it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TypeVar

U = TypeVar("U")


def excess(units: Sequence[U], points: Callable[[U], int], limit: int) -> int:
    """By how many points the units are over the limit; 0 if they are not."""
    return max(0, sum(points(u) for u in units) - limit)


def choices(units: Sequence[U], points: Callable[[U], int], limit: int) -> list[tuple[U, ...]]:
    """Whom the owner may take away: each smallest number of units that brings the rest within the limit, the sets with fewest
    points first, then in the order of the units.  One empty set if nothing is over the limit."""
    over = excess(units, points, limit)
    for count in range(len(units) + 1):
        found = [gone for gone in combinations(units, count) if sum(points(u) for u in gone) >= over]
        if found:
            return sorted(found, key=lambda gone: sum(points(u) for u in gone))
    return []
