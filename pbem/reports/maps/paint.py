"""The map as a picture, drawn from a view and nothing else.

What never changes is drawn once and kept (:mod:`pbem.reports.maps.rasters`); a further picture only pastes what stands on
it, and a sector is cut from a larger drawing of the whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import Image

from pbem.reports.maps import rasters
from pbem.reports.maps.areas import BAR, BAR_INK, figures
from pbem.reports.maps.counters import BADGES, INK, NATIONS, PAPER, Style
from pbem.reports.maps.ground import GROUND, RIVER, ROAD, ROAD_BED, SEA, Facts, landscape
from pbem.reports.maps.marks import written
from pbem.reports.maps.plan import AROUND, MARGIN, ZOOM, Plan, Point, breadth

FAMILY, FONTS = rasters.FAMILY, rasters.FONTS
WIDTH, SECTOR_WIDTH = 960, 720
BIG = 30
"""A map of more areas is drawn broader."""
BIG_WIDTH = 1200
LIMIT = 150_000
"""Bytes that a picture may have."""
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
CROWD = 4
"""Blocks in an area that call for a sector."""


# -- public ---------------------------------------------------------------------------------------------


def map_png(
    view: Mapping[str, Any], ground: Mapping[str, Any], *, size: int = 0, around: Sequence[str] = (),
    moves: Sequence[Mapping[str, Any]] = (), battles: Sequence[str] = (),
) -> bytes:
    """The position of ``view`` as PNG, ``size`` pixels wide (0: as suits the map).

    ``ground``: GeoJSON by name, 'areas' with one shape an area, perhaps 'rivers' and 'relief'; ``around``: the areas
    that are to fill the picture, if not all; ``moves``: the paths of the last moves (a report's 'moves'); ``battles``:
    the areas where there has been one.
    """
    plan, facts = _plan_of(view, ground, size, around), Facts.of(view)
    picture = _cut(plan, facts, ground) if around else _whole(plan, facts, ground).copy()
    rasters.pasted(picture, figures(plan, view, moves, battles))
    return rasters.packed(picture, _palette(_plan_of(view, ground, 0, ()), facts, ground), LIMIT)


def map_svg(
    view: Mapping[str, Any], ground: Mapping[str, Any], *, size: int = 0, around: Sequence[str] = (),
    moves: Sequence[Mapping[str, Any]] = (), battles: Sequence[str] = (),
) -> str:
    """The same picture as one SVG document."""
    plan = _plan_of(view, ground, size, around)
    above = written(figures(plan, view, moves, battles))
    return rasters.document(plan.width, plan.height, landscape(plan, Facts.of(view), ground) + above)


def alt_text(view: Mapping[str, Any], around: Sequence[str] = ()) -> str:
    """What the picture shows, in a sentence."""
    areas = [a for a in view["areas"] if not around or a["id"] in around]
    fought = [f"{a['name']} [{a['id']}]" for a in areas if a["contested"]]
    clash = f"; contested: {', '.join(fought)}" if fought else ""
    if around:
        return f"A part of the map of turn {view['turn']}: {', '.join(a['name'] for a in areas)}{clash}."
    return f"Map of turn {view['turn']}: control, units and markers as in the list below{clash}."


def sectors(view: Mapping[str, Any], ground: Mapping[str, Any], battles: Sequence[str]) -> list[tuple[str, ...]]:
    """The parts of the map that deserve a picture of their own: where a battle was, is or may be, and where blocks crowd.
    Those near each other are one part; parts with battles come first, then those with most blocks."""
    blocks = {a["id"]: sum(map(len, a["blocks"].values())) for a in view["areas"]}
    hot = [a["id"] for a in view["areas"] if a["contested"] or a["id"] in battles or blocks[a["id"]] >= CROWD]
    outlines = dict(_shapes(ground))
    whole = _across(outlines, [a["id"] for a in view["areas"]])
    found: list[tuple[str, ...]] = []
    left = sorted(hot, key=lambda a: (a not in battles, -blocks[a]))
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
    fought, quiet = [p for p in found if set(p) & set(battles)], [p for p in found if not set(p) & set(battles)]
    return [*fought, *quiet[: max(0, QUIET - len(fought))]][: SECTORS if len(blocks) > BIG else 1]


def _across(outlines: Mapping[str, Sequence[Point]], around: Sequence[str]) -> float:
    """Kilometres from one side of a sector to the other."""
    points = [p for a in around for p in outlines[a]]
    return breadth(min(p[0] for p in points), max(p[0] for p in points), min(p[1] for p in points), max(p[1] for p in points))


# -- plans and grounds, kept ----------------------------------------------------------------------------

Shapes = tuple[tuple[str, tuple[Point, ...]], ...]


def _shapes(ground: Mapping[str, Any]) -> Shapes:
    """The outlines of the areas as a value."""
    found = ground["areas"]["features"]
    return tuple((str(f["properties"]["area"]), tuple((p[0], p[1]) for p in f["geometry"]["coordinates"][0])) for f in found)


def _plan_of(view: Mapping[str, Any], ground: Mapping[str, Any], size: int, around: Sequence[str]) -> Plan:
    areas = tuple(a["id"] for a in view["areas"])
    plan = _plan(_shapes(ground), areas, size or (SECTOR_WIDTH if around else _usual(areas)), tuple(around))
    plan.style = Style.of(ground)
    return plan


def _usual(areas: Sequence[str]) -> int:
    """Pixels across the whole map."""
    return BIG_WIDTH if len(areas) > BIG else WIDTH


@lru_cache(maxsize=32)
def _plan(shapes: Shapes, areas: tuple[str, ...], size: int, frame: tuple[str, ...]) -> Plan:
    return Plan(dict(shapes), areas, size, frame)


@lru_cache(maxsize=8)
def _larger(shapes: Shapes, areas: tuple[str, ...]) -> Plan:
    """The paper that sectors are cut from, in the scale of the largest ones; others are made smaller."""
    width = round(SECTOR_WIDTH * (1 - 2 * MARGIN) * ZOOM / (1 - 2 * AROUND))
    return Plan(dict(shapes), areas, width, title_height=0, legend_height=0, margin=AROUND)


def _whole(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> Image.Image:
    """The ground of a whole map."""
    key = (facts, tuple(ground))
    if key not in plan.drawn:
        plan.drawn[key] = rasters.kept(rasters.document(plan.width, plan.height, landscape(plan, facts, ground)), _folder(ground))
    return plan.drawn[key]


def _cut(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> Image.Image:
    """The ground of a sector."""
    big = _larger(_shapes(ground), plan.areas)
    big.style = plan.style
    drawn, box = _whole(big, facts, ground), plan.cut(big)
    inner = max(0.0, box[0]), max(0.0, box[1]), min(float(drawn.width), box[2]), min(float(drawn.height), box[3])
    by = plan.width / (box[2] - box[0])
    left, top = round((inner[0] - box[0]) * by), round((inner[1] - box[1]) * by)
    size = min(plan.width - left, round((inner[2] - inner[0]) * by)), min(plan.height - top, round((inner[3] - inner[1]) * by))
    picture = Image.new("RGB", (plan.width, plan.height), SEA)
    picture.paste(drawn.resize(size, Image.Resampling.BICUBIC, inner), (left, top))
    return picture


def _palette(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> Image.Image:
    """The colours of all pictures of a map; ``plan``: of the whole of it."""
    key = (facts, tuple(ground), "palette")
    if key not in plan.drawn:
        plan.drawn[key] = rasters.palette_of(_whole(plan, facts, ground), [*FIXED, *plan.style.inks], (PAPER, GROUND[1]), COLOURS)
    return plan.drawn[key]


def _folder(ground: Mapping[str, Any]) -> Path | None:
    """Where grounds are kept on disk."""
    return Path(ground["cache"]) if "cache" in ground else None
