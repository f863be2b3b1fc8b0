"""The map as a picture, drawn from a view and nothing else.

The ground never changes, so it is drawn once a process and kept; a further picture of the same map only
draws what stands on it.  A sector is seldom the same twice, and is drawn at once.  Fonts are shipped and the
system's are left aside: same bytes on every machine.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import resvg_py
from PIL import Image, ImageColor

from pbem.reports.maps.counters import BADGES, INK, NATIONS, PAPER, SIDE_COLOURS, UNKNOWN
from pbem.reports.maps.figures import BAR, BAR_INK, figures
from pbem.reports.maps.ground import GROUND, RIVER, ROAD, Facts, bearings, landscape
from pbem.reports.maps.plan import Plan, Point, breadth

FONTS = tuple(str(Path(__file__).resolve().parents[1] / "fonts" / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
FAMILY = "DejaVu Sans"
WIDTH, SECTOR_WIDTH = 960, 720
BIG = 30
"""A map of more areas is drawn broader."""
BIG_WIDTH = 1200
LIMIT = 150_000
"""Bytes that a picture may have."""
COLOURS = 96
"""Of the palette: half the most frequent colours of the ground, the rest blends of it, and :data:`FIXED`."""

FIXED = (
    INK, PAPER, BAR, BAR_INK, "#ffffff", "#f2c230", "#7a1f12", "#c2180a", "#b3200c", "#5b1a7a", "#eef4f6", RIVER, ROAD,
    *SIDE_COLOURS.values(), *(c for pair in (*NATIONS.values(), *UNKNOWN.values()) for c in pair),
    *(c for _, c in BADGES.values()),
)  # fmt: skip
"""Colours of what stands on the map."""

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
    palette = _palette(_Kept(_plan_of(view, ground, 0, ()), facts, ground))
    above = figures(plan, view, moves, battles)
    if around:
        picture = _raster(_document(plan, landscape(plan, facts, ground) + above + bearings(plan)))
    else:
        picture = Image.alpha_composite(_ground(_Kept(plan, facts, ground)), _raster(_document(plan, above)))
    return _png(picture.convert("RGB"), palette)


def map_svg(
    view: Mapping[str, Any], ground: Mapping[str, Any], *, size: int = 0, around: Sequence[str] = (),
    moves: Sequence[Mapping[str, Any]] = (), battles: Sequence[str] = (),
) -> str:
    """The same picture as one SVG document."""
    plan = _plan_of(view, ground, size, around)
    above = figures(plan, view, moves, battles) + (bearings(plan) if around else "")
    return _document(plan, landscape(plan, Facts.of(view), ground) + above)


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


# -- plans and rasters, kept ----------------------------------------------------------------------------

Shapes = tuple[tuple[str, tuple[Point, ...]], ...]


def _shapes(ground: Mapping[str, Any]) -> Shapes:
    """The outlines of the areas as a value."""
    found = ground["areas"]["features"]
    return tuple((str(f["properties"]["area"]), tuple((p[0], p[1]) for p in f["geometry"]["coordinates"][0])) for f in found)


def _plan_of(view: Mapping[str, Any], ground: Mapping[str, Any], size: int, around: Sequence[str]) -> Plan:
    areas = tuple(a["id"] for a in view["areas"])
    usual = SECTOR_WIDTH if around else BIG_WIDTH if len(areas) > BIG else WIDTH
    return _plan(_shapes(ground), areas, size or usual, tuple(around))


@lru_cache(maxsize=32)
def _plan(shapes: Shapes, areas: tuple[str, ...], size: int, frame: tuple[str, ...]) -> Plan:
    return Plan(dict(shapes), areas, size, frame)


class _Kept:
    """What a drawn ground is kept by: the paper and the facts (the shapes belong to the plan)."""

    def __init__(self, plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> None:
        self.plan, self.facts, self.ground = plan, facts, ground
        self._key = (id(plan), facts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


@lru_cache(maxsize=16)
def _ground(kept: _Kept) -> Image.Image:
    """The ground."""
    return _raster(_document(kept.plan, landscape(kept.plan, kept.facts, kept.ground)))


@lru_cache(maxsize=16)
def _palette(kept: _Kept) -> Image.Image:
    """Few colours, the same for every picture of a map: what stands on it (and half-way to paper, for soft edges), the flat
    fills of the ground exactly, its blends by median cut."""
    whole = _ground(kept).convert("RGB")
    sample = whole.resize((whole.width // 2, whole.height // 2), Image.Resampling.NEAREST)
    fixed = [_rgb(c) for c in FIXED]
    soft = [tuple((v + w) // 2 for v, w in zip(c, _rgb(p), strict=True)) for c in fixed for p in (PAPER, GROUND[1])]
    flat = _frequent(sample, COLOURS // 2)
    blends = (sample.quantize(COLOURS // 2, method=Image.Quantize.MEDIANCUT).getpalette() or [])[: 3 * (COLOURS // 2)]
    values = ([v for c in dict.fromkeys((*fixed, *soft, *flat)) for v in c] + blends)[: 3 * 256]
    table = Image.new("P", (1, 1))
    table.putpalette(values + values[-3:] * (256 - len(values) // 3))
    return table


def _raster(svg: str) -> Image.Image:
    png = resvg_py.svg_to_bytes(
        svg_string=svg, font_files=list(FONTS), skip_system_fonts=True, font_family=FAMILY, sans_serif_family=FAMILY
    )
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def _rgb(colour: str) -> tuple[int, ...]:
    return ImageColor.getrgb(colour)[:3]


def _png(picture: Image.Image, palette: Image.Image) -> bytes:
    """The picture in the colours of the map; a very crowded one is packed harder, then has fewer colours."""
    found = _packed(picture.quantize(palette=palette, dither=Image.Dither.NONE), 6)
    for colours in (0, 96, 64, 48, 32):
        if len(found) <= LIMIT:
            break
        fewer = picture.quantize(colours or 256, palette=None if colours else palette, dither=Image.Dither.NONE)
        found = _packed(fewer, 8)
    return found


def _packed(picture: Image.Image, level: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=level)
    return out.getvalue()


def _frequent(image: Image.Image, number: int) -> list[tuple[int, ...]]:
    """The most frequent colours."""
    counted = sorted(image.getcolors(1 << 24) or [], reverse=True)
    return [c for _, c in counted[:number] if isinstance(c, tuple)]


def _document(plan: Plan, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{plan.width}" height="{plan.height}" '
        f'viewBox="0 0 {plan.width} {plan.height}" font-family="{FAMILY}">{body}</svg>'
    )
