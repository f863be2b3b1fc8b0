"""Retreats: every way of a given length, from the one that costs least to the one that costs most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pbem.kit.search import Bar, Near

Path = tuple[str, ...]


@dataclass
class Retreats:
    """``ways``: rank and path (its start included), lowest rank first and then in the order of the neighbours; ``bars``: what
    closed the others, each place once."""

    ways: list[tuple[Any, Path]] = field(default_factory=list)
    bars: list[Bar[str]] = field(default_factory=list)

    @property
    def best(self) -> list[Path]:
        """The paths of the lowest rank, which must be taken before others; empty if there is none."""
        return [path for rank, path in self.ways if rank == self.ways[0][0]]


def ways(
    near: Near[str], start: str, n: int, passes: Callable[[Path, str], Bar[str] | None], rank: Callable[[Path], Any],
    away: Callable[[str], int] | None = None,
) -> Retreats:
    """The paths of exactly ``n`` steps, none of them twice over the same place.

    ``passes(path, there)``: what bars the next step after a path, or None; ``rank(path)``: the lower the better ('through no
    zone' before 'through friends'), anything that sorts; ``away(place)``: how far a place is from what one flees; with it each
    step must lead one further than all before.
    """
    found = Retreats()
    barred: dict[str, Bar[str]] = {}

    def go(path: Path) -> None:
        if len(path) > n:
            found.ways.append((rank(path), path))
            return
        for there in near(path[-1]):
            if there in path or (away is not None and away(there) <= away(path[-1])):
                continue
            bar = passes(path, there)
            if bar is None:
                go((*path, there))
            else:
                barred.setdefault(there, bar)

    go((start,))
    found.ways.sort(key=lambda way: way[0])
    found.bars = list(barred.values())
    return found
