"""Where things are on the paper: projection, outlines, borders and label points of a map, in pixels."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from pbem.reports.maps.counters import Style

T = TypeVar("T")
Point = tuple[float, float]
Ring = list[Point]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

KM_PER_DEGREE = 111.2
NEAR = 40
"""Pixels beyond the paper from which something may still reach onto it: shallow water, a name."""
MARGIN = 0.07
"""Sea left around the areas, as a part of the width."""
ZOOM = 3.0
"""A sector shows the ground at most so much larger than the whole map of the same width: what is around is seen, too, and
sectors can be cut from one raster."""
NO_STYLE = Style({}, {})
TALL = 1.1
FLAT = 0.7
"""A sector is at most and at least so much taller than broad, if the map is large enough."""
AROUND = 0.15
"""Sea around that raster: a sector may reach so far beyond the areas."""
OFFSHORE = (4.2, 5.6, 7.0, 9.0)
"""How far out at sea a landing box may lie, in units of the plan."""


@dataclass
class Plan:
    """A map of some areas, ``width`` pixels wide.  ``outlines``: id to ring, in degrees, of all areas that are known;
    ``frame``: the areas that are to fill the paper, if not all (a sector, which has no legend)."""

    outlines: Mapping[str, Sequence[Sequence[float]]]
    areas: tuple[str, ...]
    width: int
    frame: tuple[str, ...] = ()
    title_height: int = 34
    legend_height: int = 124
    margin: float = MARGIN
    style: Style = NO_STYLE
    drawn: dict[Hashable, Any] = field(init=False, default_factory=dict)
    """What has been drawn for this paper and is kept with it, by what it shows."""
    _scale: float = field(init=False)
    _left: float = field(init=False)
    _top: float = field(init=False)
    _squeeze: float = field(init=False)
    height: int = field(init=False)

    def __post_init__(self) -> None:
        if self.frame:
            self.legend_height = 0
        west, east, south, north = self._extent()
        span = (east - west) * self._squeeze
        self._scale = self.width * (1 - 2 * self.margin) / span
        self._left, self._top = west - self.margin * self.width / self._scale / self._squeeze, north
        tall = (north - south) * self._scale + 2 * self.margin * self.width
        self.height = round(tall) + self.title_height + self.legend_height

    def _extent(self) -> tuple[float, float, float, float]:
        """Degrees west, east, south and north that lie within the margins."""
        whole = _limits(self.outlines[a] for a in self.areas)
        self._squeeze = math.cos(math.radians((whole[2] + whole[3]) / 2))
        if not self.frame:
            return whole
        part = _limits(self.outlines[a] for a in self.frame)
        least = max((whole[1] - whole[0]) / ZOOM, (part[3] - part[2]) / TALL / self._squeeze)
        west, east = _widened(part[0], part[1], whole[0], whole[1], least)
        return (west, east, *_widened(part[2], part[3], whole[2], whole[3], (east - west) * self._squeeze * FLAT))

    def cut(self, big: Plan) -> Box:
        """What this plan shows of the paper of a larger one of the same areas."""
        by = big._scale / self._scale
        left, top = (self._left - big._left) * big._squeeze * big._scale, (big._top - self._top) * big._scale
        top += big.title_height + big.margin * big.width - (self.title_height + self.margin * self.width) * by
        return left, top, left + self.width * by, top + self.height * by

    def point(self, lon: float, lat: float) -> Point:
        """A place on the paper."""
        top = self.title_height + self.margin * self.width
        return ((lon - self._left) * self._squeeze * self._scale, (self._top - lat) * self._scale + top)

    def km(self, length: float) -> float:
        """Pixels of so many kilometres."""
        return length / KM_PER_DEGREE * self._scale

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is made once for this paper and kept with it."""
        if key not in self.drawn:
            self.drawn[key] = make()
        found: T = self.drawn[key]
        return found

    @cached_property
    def rings(self) -> dict[str, Ring]:
        """The outlines in pixels."""
        return {a: [self.point(*p[:2]) for p in ring] for a, ring in self.outlines.items()}

    @cached_property
    def seen(self) -> frozenset[str]:
        """The areas of which something is on the paper."""
        return frozenset(a for a, ring in self.rings.items() if self.shows(ring))

    def shows(self, line: Ring) -> bool:
        """Whether a line or an outline comes upon the paper or near it, judged by the box around it."""
        xs, ys = [p[0] for p in line], [p[1] for p in line]
        return max(xs) > -NEAR and min(xs) < self.width + NEAR and max(ys) > -NEAR and min(ys) < self.foot + NEAR

    @property
    def foot(self) -> int:
        """Where the map ends and the legend begins."""
        return self.height - self.legend_height

    @property
    def scale(self) -> float:
        """Pixels a kilometre."""
        return self.km(1)

    @cached_property
    def middles(self) -> dict[str, Point]:
        """For each area on the map the point farthest from its outline: where its name and counters go."""
        return {a: self.point(*heart(tuple((p[0], p[1]) for p in self.outlines[a]))) for a in self.areas}

    @cached_property
    def unit(self) -> float:
        """The height of a line of small letters: what fits into an area of middling size."""
        room = sorted(clearance(self.middles[a], self.rings[a]) for a in self.frame or self.areas)
        return max(6.5, min(self.width / (48 if self.frame else 74), room[len(room) // 2] * 0.21))

    @cached_property
    def bands(self) -> dict[str, Ring]:
        """Each area's outline drawn in a little, for the band that shows who controls it."""
        return {a: inset(self.rings[a], self.unit * 0.36) for a in self.areas}

    def border(self, a: str, b: str) -> list[Ring]:
        """The lines that two areas have in common."""
        shared = {_key(p) for p in self.outlines[b]}
        lines: list[Ring] = []
        last = False
        for degrees, pixels in zip(self.outlines[a], self.rings[a], strict=True):
            here = _key(degrees) in shared
            if here and last:
                lines[-1].append(pixels)
            elif here:
                lines.append([pixels])
            last = here
        return [line for line in lines if len(line) > 1]

    def crossing(self, a: str, b: str) -> Point:
        """The middle of the border of two areas (or between them, if they only touch)."""
        lines = self.border(a, b)
        if not lines:
            return between(self.middles[a], self.middles[b])
        longest = max(lines, key=length)
        return along(longest, 0.5)

    @cached_property
    def shores(self) -> list[Ring]:
        """Where the land ends: the stretches of the outlines on the paper that no two areas share."""
        keys = {a: [_key(p) for p in ring] for a, ring in self.outlines.items() if a in self.seen}
        edges = Counter(frozenset(e) for line in keys.values() for e in zip(line, line[1:], strict=False))
        lines: list[Ring] = []
        for area, line in keys.items():
            ring, last = self.rings[area], False
            for i, edge in enumerate(zip(line, line[1:], strict=False)):
                alone = edges[frozenset(edge)] == 1
                if alone and not last:
                    lines.append([ring[i]])
                if alone:
                    lines[-1].append(ring[i + 1])
                last = alone
        return lines

    @cached_property
    def _owners(self) -> Counter[tuple[int, int]]:
        """In how many areas' outlines a point lies."""
        return Counter(key for ring in self.outlines.values() for key in {_key(p) for p in ring})

    def coast(self, area: str) -> Point | None:
        """The middle of the area's shore: the part of its outline that no other area has."""
        shore = [q for p, q in zip(self.outlines[area], self.rings[area], strict=True) if self._owners[_key(p)] == 1]
        return shore[len(shore) // 2] if shore else None

    def offshore(self, area: str) -> list[Point]:
        """Places out at sea before the area's shore, the best first: near, and straight ahead."""
        if area not in self._offshore:
            self._offshore[area] = self._sea_before(area)
        return self._offshore[area]

    def _sea_before(self, area: str) -> list[Point]:
        shore, (x, y) = self.coast(area), self.middles[area]
        if shore is None:
            return []
        ahead = math.atan2(shore[1] - y, shore[0] - x)
        ways = [ahead + math.radians(turn) for turn in (0, 30, -30, 60, -60, 90, -90)]
        tries = [
            (shore[0] + far * self.unit * math.cos(way), shore[1] + far * self.unit * math.sin(way))
            for far in OFFSHORE for way in ways
        ]
        return [p for p in tries if not self._on_land(p)]

    def _on_land(self, at: Point) -> bool:
        return any(
            box[0] < at[0] < box[2] and box[1] < at[1] < box[3] and inside(at, self.rings[a]) for a, box in self._bounds.items()
        )

    @cached_property
    def _offshore(self) -> dict[str, list[Point]]:
        return {}

    @cached_property
    def _bounds(self) -> dict[str, Box]:
        """The box around each area."""
        limits = {a: _limits([ring]) for a, ring in self.rings.items()}
        return {a: (left, top, right, bottom) for a, (left, right, top, bottom) in limits.items()}


def _limits(rings: Iterable[Sequence[Sequence[float]]]) -> tuple[float, float, float, float]:
    """Least and greatest of the first coordinate, then of the second."""
    points = [p for ring in rings for p in ring]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    return min(xs), max(xs), min(ys), max(ys)


def _widened(low: float, high: float, least: float, most: float, length: float) -> tuple[float, float]:
    """A stretch made at least as long as asked for, without leaving the whole one."""
    long = min(length, most - least)
    if long <= high - low:
        return low, high
    low = min(max((low + high - long) / 2, least), most - long)
    return low, low + long


def breadth(west: float, east: float, south: float, north: float) -> float:
    """Kilometres across the paper on which this part of the world fills all but the margins."""
    return (east - west) * math.cos(math.radians((south + north) / 2)) * KM_PER_DEGREE / (1 - 2 * MARGIN)


def _key(point: Sequence[float]) -> tuple[int, int]:
    return round(point[0] * 10000), round(point[1] * 10000)


def between(a: Point, b: Point) -> Point:
    """Half-way."""
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def length(line: Ring) -> float:
    """Length of a line."""
    return sum(math.dist(p, q) for p, q in zip(line, line[1:], strict=False))


def along(line: Ring, part: float) -> Point:
    """The point at that part of a line's length."""
    left = length(line) * part
    for p, q in zip(line, line[1:], strict=False):
        step = math.dist(p, q)
        if step >= left and step:
            return p[0] + (q[0] - p[0]) * left / step, p[1] + (q[1] - p[1]) * left / step
        left -= step
    return line[-1]


def inside(point: Point, ring: Ring) -> bool:
    """Whether a point lies in a ring (even-odd)."""
    x, y = point
    odd = False
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            odd = not odd
    return odd


def clearance(point: Point, ring: Ring) -> float:
    """Distance to the outline; negative outside."""
    x, y = point
    best = math.inf
    for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
        dx, dy = bx - ax, by - ay
        part = max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy or 1)))
        best = min(best, math.hypot(x - ax - part * dx, y - ay - part * dy))
    return best if inside(point, ring) else -best


def inset(ring: Ring, depth: float) -> Ring:
    """The outline moved inwards: every corner along the line that halves it, by no more than twice the depth."""
    points = [p for p, q in zip(ring, [*ring[1:], ring[0]], strict=True) if math.dist(p, q) > 0.01]
    turn = 1 if sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True)) > 0 else -1
    moved = []
    for before, here, after in zip([points[-1], *points[:-1]], points, [*points[1:], points[0]], strict=True):
        (ax, ay), (bx, by) = _normal(before, here, turn), _normal(here, after, turn)
        reach = min(2.0, 2 / max(0.3, 1 + ax * bx + ay * by))
        moved.append((here[0] + (ax + bx) / 2 * depth * reach, here[1] + (ay + by) / 2 * depth * reach))
    return moved


def _normal(a: Point, b: Point, turn: int) -> Point:
    far = math.dist(a, b)
    return -(b[1] - a[1]) / far * turn, (b[0] - a[0]) / far * turn


@lru_cache(maxsize=1024)
def heart(outline: tuple[Point, ...]) -> Point:
    """The :func:`inmost` point of an outline in degrees; every picture of the area needs it."""
    squeeze = math.cos(math.radians(sum(p[1] for p in outline) / len(outline)))
    x, y = inmost([(lon * squeeze, lat) for lon, lat in outline])
    return x / squeeze, y


def inmost(ring: Ring) -> Point:
    """The point of an area that lies farthest from its outline, found on ever finer grids."""
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    centre = between((min(xs), min(ys)), (max(xs), max(ys)))
    reach = max(max(xs) - min(xs), max(ys) - min(ys)) / 2
    for steps in (5, 2, 2, 2):
        grid = [i / steps for i in range(-steps, steps + 1)]
        tries = [(centre[0] + i * reach, centre[1] + j * reach) for i in grid for j in grid]
        centre = max([centre, *tries], key=lambda p: clearance(p, ring))
        reach /= steps
    return centre
