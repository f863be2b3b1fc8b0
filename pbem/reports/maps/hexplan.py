"""Where the hexes of a map lie on the paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pbem.kit.grid import Grid, Hex
from pbem.reports.maps.counters import Style
from pbem.reports.maps.marks import Point

T = TypeVar("T")
ROOT3 = math.sqrt(3)
CLOSE, FAR = 46, 20
"""Pixels from one side of a hex to the opposite one: in a sector, where ids can be read, and on the whole map."""
SECTOR = (14, 12)
"""A sector shows so many hexes, across and down."""
TITLE, EDGE = 34, 8
"""Pixels of the title bar, and of sea around the map."""

Window = tuple[float, float, float, float]
"""Left, top, right, bottom, in pixels of the whole map at that size."""


@dataclass
class HexPlan:
    """A map of hexes or a part of it.  ``size``: pixels from side to side of a hex; ``window``: the part that is shown, if not
    all; ``legend`` and ``box_room``: pixels for the legend and for the boxes below."""

    grid: Grid
    rows: Sequence[Mapping[str, str]]
    size: int
    style: Style
    window: Window | None = None
    legend: int = 0
    box_room: int = 0
    drawn: dict[Hashable, Any] = field(default_factory=dict)
    """What has been drawn for this paper and is kept with it."""

    hexes: dict[str, Hex] = field(default_factory=dict)
    """Every hex that has a row, by its id."""

    _limits: Window = field(init=False)
    """The map's edges, in pixels from the centre of hex (0, 0)."""

    shown: Window = field(init=False)
    """The part that is shown, from the upper left corner of the whole."""

    def __post_init__(self) -> None:
        if not self.hexes:  # a part of a map has them from the whole
            self.hexes.update({row["hex"]: self.grid.parse(row["hex"]) for row in self.rows})
        self._limits = self.once("limits", self._measured)
        self.shown = self.window or (0, 0, self._limits[2] - self._limits[0], self._limits[3] - self._limits[1])

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is made once for this paper and kept with it."""
        if key not in self.drawn:
            self.drawn[key] = make()
        found: T = self.drawn[key]
        return found

    @property
    def close(self) -> bool:
        """Whether ids and numbers can be read."""
        return self.size >= (CLOSE + FAR) // 2

    def raw(self, at: Hex) -> Point:
        """The centre of a hex, in pixels from that of hex (0, 0)."""
        x, y = self.grid.centre(at)
        long, short = self.size * ROOT3 / 2, self.size / 2
        return (x * long, y * short) if self.grid.flat else (x * short, y * long)

    def _measured(self) -> Window:
        points = [self.raw(h) for h in self.hexes.values()]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        reach = self.size / ROOT3 + EDGE
        return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach

    @property
    def top(self) -> int:
        """Where the map begins, below the title."""
        return TITLE

    @property
    def width(self) -> int:
        """Pixels."""
        return max(420, round(self.shown[2] - self.shown[0]))

    @property
    def foot(self) -> int:
        """Where the map ends."""
        return TITLE + round(self.shown[3] - self.shown[1])

    @property
    def height(self) -> int:
        """Pixels."""
        return self.foot + self.legend

    def on_map(self, place: str) -> bool:
        """Whether a place is a hex of the map."""
        return place in self.hexes

    @property
    def boxes_at(self) -> int:
        """Where the boxes begin, below the legend."""
        return self.height

    def point(self, at: Hex) -> Point:
        """The centre of a hex on the paper."""
        (x, y), shown = self.raw(at), self.shown
        return x - self._limits[0] - round(shown[0]), y - self._limits[1] - round(shown[1]) + TITLE

    def at(self, place: str) -> Point | None:
        """The centre of a place on the paper; None for one that is no hex or is not shown."""
        if place not in self.hexes:
            return None
        x, y = self.point(self.hexes[place])
        inside = -self.size < x < self.width + self.size and TITLE - self.size < y < self.foot + self.size
        return (x, y) if inside else None

    def corners(self, at: Hex, part: float = 1.0) -> list[Point]:
        """The six corners, or those of a hex that is smaller by ``part``."""
        (x, y), reach, first = self.point(at), self.size / ROOT3 * part, 0 if self.grid.flat else 30
        turns = [math.radians(first + 60 * i) for i in range(6)]
        return [(x + reach * math.cos(t), y + reach * math.sin(t)) for t in turns]

    def side(self, a: Hex, b: Hex) -> tuple[Point, Point]:
        """The ends of the hexside between two neighbours."""
        (ax, ay), (bx, by) = self.point(a), self.point(b)
        mx, my, dx, dy = (ax + bx) / 2, (ay + by) / 2, (bx - ax) / ROOT3 / 2, (by - ay) / ROOT3 / 2
        return (mx - dy, my + dx), (mx + dy, my - dx)

    def around(self, places: Sequence[str]) -> Window | None:
        """The part of the map that shows these hexes, at least a sector's; None if the whole is no larger than a sector."""
        points = [self.raw(self.hexes[p]) for p in places if p in self.hexes]
        wide, tall = self.extent
        whole = self._limits[2] - self._limits[0], self._limits[3] - self._limits[1]
        if not points or (whole[0] <= wide and whole[1] <= tall):
            return None
        xs, ys = [p[0] - self._limits[0] for p in points], [p[1] - self._limits[1] for p in points]
        left, right = _stretch(min(xs) - self.size, max(xs) + self.size, wide, whole[0])
        top, bottom = _stretch(min(ys) - self.size, max(ys) + self.size, tall, whole[1])
        return left, top, right, bottom

    @property
    def extent(self) -> Point:
        """Width and height of a sector."""
        across, down = SECTOR
        if self.grid.flat:
            return across * self.size * ROOT3 / 2, down * self.size
        return across * self.size, down * self.size * ROOT3 / 2


def _stretch(low: float, high: float, least: float, whole: float) -> tuple[float, float]:
    """A stretch of at least that length within 0 and ``whole``, around the one given."""
    long = min(whole, max(least, high - low))
    low = min(max(0.0, (low + high - long) / 2), whole - long)
    return low, low + long
