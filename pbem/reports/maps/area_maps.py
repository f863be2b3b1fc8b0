"""Maps of areas: their paper, the ground on it, and the parts that deserve a picture of their own.

A sector is cut from a larger drawing of the whole, in one of a few scales, so that nothing of its ground is drawn again.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from pbem.reports.maps import rasters
from pbem.reports.maps.areas import BAR, BAR_INK, figures
from pbem.reports.maps.counters import BADGES, INK, NATIONS, PAPER, Style
from pbem.reports.maps.ground import GROUND, RIVER, ROAD, ROAD_BED, SEA, Facts, landscape
from pbem.reports.maps.marks import Mark
from pbem.reports.maps.plan import AROUND, MARGIN, ZOOM, Plan, Point, breadth

WIDTH, SECTOR_WIDTH = 960, 720
BIG = 30
"""A map of more areas is drawn broader."""
BIG_WIDTH = 1200
COLOURS = 96
"""Of the palette: half the most frequent colours of the ground, the rest blends of it, and :data:`FIXED`."""

FIXED = (
    INK, PAPER, BAR, BAR_INK, "#ffffff", "#7a1f12", "#c2180a", "#b3200c", "#5b1a7a", "#eef4f6", RIVER, ROAD, ROAD_BED,
    *(c for pair in NATIONS.values() for c in pair),
    *(c for _, c in BADGES.values()),
)  # fmt: skip
"""Colours of what stands on the map, beside the title's own."""

SECTORS = 4
"""At most so many sectors beside a big map, those of battles first; one beside a small one."""
QUIET = 2
"""At most so many sectors if there was no battle in them."""
CLOSER = 1.5
"""A sector must show the ground so much larger than the whole map, at the same breadth of picture."""
TOGETHER = 2.5
"""Places that are seen together still so much larger share a sector."""
STEP = 1.25
"""A sector is at most so much broader than usual: its scale is one of a few."""
CROWD = 4
"""Blocks in an area that call for a sector."""



@dataclass
class AreaPaper:
    """A picture to be: ``plan`` its paper, ``whole`` the usual paper of the whole map, whose colours all its pictures have."""

    view: Mapping[str, Any]
    ground: Mapping[str, Any]
    plan: Plan
    whole: Plan

    @property
    def width(self) -> int:
        """Pixels."""
        return self.plan.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self.plan.height

    def landscape(self) -> str:
        """What never changes, as SVG."""
        return landscape(self.plan, Facts.of(self.view), self.ground)

    def marks(self, moves: Sequence[Mapping[str, Any]], battles: Sequence[str]) -> list[Mark]:
        """What stands on it."""
        return figures(self.plan, self.view, moves, battles)

    def picture(self) -> Image.Image:
        """What never changes, as pixels of one's own."""
        facts = Facts.of(self.view)
        return _cut(self.plan, facts, self.ground) if self.plan.frame else _whole(self.plan, facts, self.ground).copy()

    def palette(self) -> Image.Image:
        """The colours of all pictures of the map."""
        return _palette(self.whole, Facts.of(self.view), self.ground)


def paper(view: Mapping[str, Any], ground: Mapping[str, Any], size: int, around: Sequence[str]) -> AreaPaper:
    """The paper of a picture; see :func:`pbem.reports.maps.paint.map_png`."""
    return AreaPaper(view, ground, _plan_of(view, ground, size, around), _plan_of(view, ground, 0, ()))


def alt_text(view: Mapping[str, Any], ground: Mapping[str, Any], around: Sequence[str] = ()) -> str:
    """What the picture shows, in a sentence."""
    areas = [a for a in view["areas"] if not around or a["id"] in around]
    fought = [f"{a['name']} [{a['id']}]" for a in areas if a["contested"]]
    clash = f"; contested: {', '.join(fought)}" if fought else ""
    if around:
        return f"A part of the map of turn {view['turn']}: {', '.join(a['name'] for a in areas)}{clash}."
    return f"Map of turn {view['turn']}: control, units and markers as in the list below{clash}."


def sectors(
    view: Mapping[str, Any], ground: Mapping[str, Any], battles: Sequence[str], asked: Sequence[str] = ()
) -> list[tuple[str, ...]]:
    """See :func:`pbem.reports.maps.paint.sectors`.  Places near each other are one part; parts with battles come first, then
    those that are asked about, then those with most blocks."""
    blocks = {a["id"]: sum(map(len, a["blocks"].values())) for a in view["areas"]}
    hot = [a["id"] for a in view["areas"] if a["contested"] or a["id"] in battles or a["id"] in asked or blocks[a["id"]] >= CROWD]
    outlines = _shapes(ground).outlines
    whole = _across(outlines, [a["id"] for a in view["areas"]])
    found: list[tuple[str, ...]] = []
    left = sorted(hot, key=lambda a: (a not in battles, a not in asked, -blocks[a]))
    while left:
        part: tuple[str, ...] = (left.pop(0),)
        while near := [(_across(outlines, (*part, a)), a) for a in left]:
            across, nearest = min(near)
            if across > whole / TOGETHER:
                break
            part = (*part, nearest)
            left.remove(nearest)
        found.append(part)
    found = sorted((p for p in found if _across(outlines, p) <= whole / CLOSER), key=lambda p: -sum(blocks[a] for a in p))
    found.sort(key=lambda p: not set(p) & set(asked))
    fought, quiet = [p for p in found if set(p) & set(battles)], [p for p in found if not set(p) & set(battles)]
    return [*fought, *quiet[: max(0, QUIET - len(fought))]][: SECTORS if len(blocks) > BIG else 1]


def _across(outlines: Mapping[str, Sequence[Point]], around: Sequence[str]) -> float:
    """Kilometres from one side of a sector to the other."""
    points = [p for a in around for p in outlines[a]]
    return breadth(min(p[0] for p in points), max(p[0] for p in points), min(p[1] for p in points), max(p[1] for p in points))


# -- plans and grounds, kept ----------------------------------------------------------------------------

@dataclass(frozen=True, eq=False)
class _Shapes:
    """The outlines of the areas of a map; ``source`` is what they were read from."""

    source: Mapping[str, Any]
    outlines: Mapping[str, Sequence[Point]]


_read: list[_Shapes] = []


def _shapes(ground: Mapping[str, Any]) -> _Shapes:
    """The outlines of a map; those of the maps that were drawn last are kept."""
    for known in _read:
        if known.source is ground["areas"]:
            return known
    features = ground["areas"]["features"]
    outlines = {str(f["properties"]["area"]): [(p[0], p[1]) for p in f["geometry"]["coordinates"][0]] for f in features}
    found = _Shapes(ground["areas"], outlines)
    _read[:] = [*_read[-7:], found]
    return found


def _plan_of(view: Mapping[str, Any], ground: Mapping[str, Any], size: int, around: Sequence[str]) -> Plan:
    """The paper of a picture.  A sector's has the scale of one of the larger papers, so that its ground is cut out as it is."""
    areas, shapes, frame = tuple(a["id"] for a in view["areas"]), _shapes(ground), tuple(around)
    width = size or _usual(areas)
    if frame:
        closer = _larger(shapes, areas, 0).scale / _plan(shapes, areas, SECTOR_WIDTH, frame).scale
        width = round(SECTOR_WIDTH * closer / STEP ** _level(closer))
    plan = _plan(shapes, areas, width, frame)
    plan.style = Style.of(ground)
    return plan


def _level(closer: float) -> int:
    """Which of the larger papers fits, by how much closer than wanted the largest is."""
    return max(0, math.floor(math.log(closer * 1.001, STEP)))


def _usual(areas: Sequence[str]) -> int:
    """Pixels across the whole map."""
    return BIG_WIDTH if len(areas) > BIG else WIDTH


@lru_cache(maxsize=32)
def _plan(shapes: _Shapes, areas: tuple[str, ...], size: int, frame: tuple[str, ...]) -> Plan:
    return Plan(shapes.outlines, areas, size, frame)


@lru_cache(maxsize=32)
def _larger(shapes: _Shapes, areas: tuple[str, ...], level: int) -> Plan:
    """A paper that sectors are cut from; each level is smaller by :data:`STEP`, 0 the scale of the largest sectors."""
    width = round(SECTOR_WIDTH * (1 - 2 * MARGIN) * ZOOM / (1 - 2 * AROUND) / STEP**level)
    return Plan(shapes.outlines, areas, width, title_height=0, legend_height=0, margin=AROUND)


def _whole(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> Image.Image:
    """The ground of a whole map."""


    def drawn() -> Image.Image:
        return rasters.kept(rasters.document(plan.width, plan.height, landscape(plan, facts, ground)), _folder(ground))

    return plan.once((facts, tuple(ground)), drawn)


def _cut(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> Image.Image:
    """The ground of a sector."""
    shapes = _shapes(ground)
    largest = _larger(shapes, plan.areas, 0)
    largest.style = plan.style
    level = round(math.log(largest.scale / plan.scale, STEP))
    paper = _larger(shapes, plan.areas, level)

    def smaller() -> Image.Image:
        return _whole(largest, facts, ground).resize((paper.width, paper.height), Image.Resampling.BILINEAR)

    drawn = paper.once((facts, tuple(ground), "smaller"), smaller) if level else _whole(largest, facts, ground)
    left, top = (round(v) for v in plan.cut(paper)[:2])
    picture = Image.new("RGB", (plan.width, plan.height), SEA)
    picture.paste(drawn, (-left, -top))
    return picture


def _palette(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> Image.Image:
    """The colours of all pictures of a map; ``plan``: of the whole of it."""

    def made() -> Image.Image:
        return rasters.palette_of(_whole(plan, facts, ground), [*FIXED, *plan.style.inks], (PAPER, GROUND[1]), COLOURS)

    return plan.once((facts, tuple(ground), "palette"), made)


def _folder(ground: Mapping[str, Any]) -> Path | None:
    """Where grounds are kept on disk."""
    return Path(ground["cache"]) if "cache" in ground else None
