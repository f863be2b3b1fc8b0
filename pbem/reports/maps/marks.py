"""What stands on a map, piece by piece.  A mark is SVG around its own origin and the whole pixel where the origin lies, so
that a counter, a flag or a name is one drawing wherever it stands: it is made into pixels once, and pasted from then on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Point = tuple[float, float]
Extent = tuple[int, int, int, int]
"""Left, top, right, bottom around the origin, in pixels."""


class Mark(NamedTuple):
    """``face``: the SVG, by which its pixels are kept; nothing of it may lie outside ``extent``."""

    x: int
    y: int
    face: str
    extent: Extent


def placed(face: str, x: float, y: float, left: float, top: float, right: float, bottom: float) -> Mark:
    """A mark at the nearest pixel; the last four say how far it reaches from there (left and top are negative)."""
    extent = math.floor(left), math.floor(top), math.ceil(right), math.ceil(bottom)
    return Mark(round(x), round(y), face, extent)


def around(face: str, x: float, y: float, reach: float) -> Mark:
    """A mark that reaches as far in all directions."""
    return placed(face, x, y, -reach, -reach, reach, reach)


def stroke(lines: Sequence[Sequence[Point]], paint: str, width: float, close: bool = False) -> Mark:
    """Lines as one mark.  ``paint``: the attributes of the path; ``width``: of the broadest stroke or sign."""
    points = [p for line in lines for p in line]
    x, y = round(min(p[0] for p in points)), round(min(p[1] for p in points))
    d = "".join(path([(px - x, py - y) for px, py in line], close) for line in lines)
    right, bottom = max(p[0] for p in points) - x, max(p[1] for p in points) - y
    return placed(f'<path d="{d}" {paint}/>', x, y, -width, -width, right + width, bottom + width)


def path(ring: Sequence[Point], close: bool = True) -> str:
    """A line or an outline as the 'd' of a path."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in ring) + ("Z" if close else "")


def written(marks: Iterable[Mark]) -> str:
    """Marks as SVG."""
    return "".join(f'<g transform="translate({m.x} {m.y})">{m.face}</g>' for m in marks)


PIECE = 120
"""Pixels of a line that are one drawing: a long slanting line would be a large and nearly empty one."""


def pieces(line: Sequence[Point], dash: float = 0, gap: float = 0) -> list[tuple[Point, Point]]:
    """A line cut into short straight ones; ``dash`` and ``gap``: what is drawn and left out in turn, if it is dashed."""
    found, on, left = [], True, dash or PIECE
    for a, b in zip(line, line[1:], strict=False):
        far, done = math.dist(a, b), 0.0
        while far - done > 1e-6:
            step = min(left, far - done)
            if on:
                found.append((_at(a, b, done / far), _at(a, b, (done + step) / far)))
            done, left = done + step, left - step
            if left <= 1e-6:
                on = not on if gap else True
                left = (dash if on else gap) or PIECE
    return found


def _at(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
