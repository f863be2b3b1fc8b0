"""Maps of hexes: their paper, the ground on it, and the parts that deserve a picture of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PIL import Image

from pbem.core.documents import OnMap
from pbem.kit.grid import BadHex
from pbem.reports.maps import rasters
from pbem.reports.maps.areas import BAR, BAR_INK
from pbem.reports.maps.counters import INK, NATIONS, PAPER, Style
from pbem.reports.maps.hexes import BOX, figures, off_map, stacked
from pbem.reports.maps.hexground import CASING, RIVER, ROADS, has, landscape, legend_height
from pbem.reports.maps.hexplan import CLOSE, FAR, HexPlan
from pbem.reports.maps.marks import Mark

COLOURS = 96
"""Of the palette: half the most frequent colours of the ground, the rest blends of it."""
SECTORS, QUIET = 4, 2
"""At most so many sectors, and so many in which there was no battle and nothing is asked."""
CROWD = 8
"""Pieces in a sector that make it worth a picture without a battle, if both sides are there."""


@dataclass
class HexPaper:
    """A picture to be."""

    view: Mapping[str, Any]
    ground: Mapping[str, Any]
    plan: HexPlan
    seen: OnMap

    @property
    def width(self) -> int:
        """Pixels."""
        return self.plan.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self.plan.height + self.plan.box_room

    def landscape(self) -> str:
        """What never changes, as SVG."""
        return landscape(self.plan, self.ground)

    def marks(self, moves: Sequence[Mapping[str, Any]], battles: Sequence[str]) -> list[Mark]:
        """What stands on it."""
        return figures(self.plan, self.view, self.seen, self.ground["style"]["hexes"], moves, battles)

    def picture(self) -> Image.Image:
        """What never changes, as pixels of one's own."""
        whole = _ground(self.ground, CLOSE if self.plan.window else self.plan.size)
        picture = Image.new("RGB", (self.width, self.height), PAPER)
        left, top = (round(self.plan.window[0]), round(self.plan.window[1])) if self.plan.window else (0, 0)
        picture.paste(whole, (-left, -top))
        return picture

    def palette(self) -> Image.Image:
        """The colours of all pictures of the map."""
        plan = _whole(self.ground, _usual(self.ground))
        style = self.ground["style"]["hexes"]
        inks = [INK, PAPER, BAR, BAR_INK, "#ffffff", RIVER, CASING, *(c for c, _, _ in ROADS), "#eef4f6", "#5b1a7a", "#c2180a"]
        inks += [*plan.style.inks, *(c for pair in NATIONS.values() for c in pair), *(c for _, c, _ in style["badges"].values())]
        land = next(iter(style["terrain"].values()))[0]
        return plan.once("palette", lambda: rasters.palette_of(_ground(self.ground, plan.size), inks, (PAPER, land), COLOURS))


def paper(view: Mapping[str, Any], ground: Mapping[str, Any], size: int, around: Sequence[str]) -> HexPaper:
    """The paper of a picture; see :func:`pbem.reports.maps.paint.map_png`.  The whole map has one size, whatever is asked."""
    close = _whole(ground, CLOSE)
    window = close.around(around) if around else None
    plan = close if window else _whole(ground, _usual(ground))
    seen: OnMap = ground["style"]["hexes"]["on_map"](view)
    room = 0 if window else BOX * len(off_map(plan, seen["pieces"]))
    return HexPaper(view, ground, replace(plan, window=window, legend=0 if window else plan.legend, box_room=room), seen)


def alt_text(view: Mapping[str, Any], ground: Mapping[str, Any], around: Sequence[str] = ()) -> str:
    """What the picture shows, in a sentence."""
    seen: OnMap = ground["style"]["hexes"]["on_map"](view)
    fought = list(dict.fromkeys(s["place"] for s in seen["signs"] if s["words"] == "attack"))
    clash = f"; attacks on {', '.join(fought)}" if fought else ""
    if around:
        return f"A part of the map of turn {view['turn']}, around {', '.join(around[:4])}{clash}."
    return f"Map of turn {view['turn']}: control, units and markers as in the list below{clash}."


def sectors(
    view: Mapping[str, Any], ground: Mapping[str, Any], battles: Sequence[str], asked: Sequence[str] = ()
) -> list[tuple[str, ...]]:
    """See :func:`pbem.reports.maps.paint.sectors`: battles first, then what is asked, then where both sides crowd."""
    plan = _whole(ground, CLOSE)
    if plan.around(list(plan.hexes)[:1]) is None:
        return []
    seen: OnMap = ground["style"]["hexes"]["on_map"](view)
    stacks = {place: found for place, found in stacked(seen["pieces"]).items() if place in plan.hexes}
    urgent = [p for p in dict.fromkeys([*battles, *asked]) if p in plan.hexes]
    found: list[tuple[str, ...]] = []
    while urgent:
        part = _together(plan, urgent)
        found.append(part)
        urgent = [p for p in urgent if not _covers(plan, part, p)]
    quiet = 0
    left = [p for p in stacks if not any(_covers(plan, part, p) for part in found)]
    while left and quiet < QUIET - len(found) and len(found) + quiet < SECTORS:
        part = max((_neighbourhood(plan, place, left) for place in left), key=lambda near: sum(len(stacks[p]) for p in near))
        sides = {piece["side"] for p in part for piece in stacks[p]}
        if len(sides) < 2 or sum(len(stacks[p]) for p in part) < CROWD:
            break
        found.append(part)
        left = [p for p in left if not _covers(plan, part, p)]
    return found[:SECTORS]


def _together(plan: HexPlan, places: Sequence[str]) -> tuple[str, ...]:
    """The first place and those that fit into one sector with it, the nearest first."""
    part: tuple[str, ...] = (places[0],)
    for place in places[1:]:
        if _fits(plan, (*part, place)):
            part = (*part, place)
    return part


def _neighbourhood(plan: HexPlan, middle: str, places: Sequence[str]) -> tuple[str, ...]:
    """A place and those that a sector around it shows."""
    return (middle, *(p for p in places if p != middle and _covers(plan, (middle,), p)))


def _fits(plan: HexPlan, places: Sequence[str]) -> bool:
    points = [plan.raw(plan.hexes[p]) for p in places]
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    wide, tall = plan.extent
    return max(xs) - min(xs) + 2 * plan.size <= wide and max(ys) - min(ys) + 2 * plan.size <= tall


def _covers(plan: HexPlan, part: Sequence[str], place: str) -> bool:
    """Whether the sector of these places shows another one."""
    window = plan.around(part)
    if window is None:
        return True
    x, y = plan.point(plan.hexes[place])
    return window[0] < x < window[2] and window[1] < y - plan.top < window[3]


def towns(ground: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The places of a map by name, the greatest first, and their hexes."""
    columns = ground["style"]["hexes"]["towns"]
    return [(t.strip(), row["hex"]) for c in columns for row in ground["hexes"] for t in has(row, c).split(";") if t.strip()]


def hex_id(ground: Mapping[str, Any], text: str) -> str:
    """The hex of the map that an id means, as printed; '' if there is none."""
    try:
        found = ground["style"]["hexes"]["grid"].canonical(text)
    except BadHex:
        return ""
    return found if any(row["hex"] == found for row in ground["hexes"]) else ""


# -- kept -----------------------------------------------------------------------------------------------

_plans: list[tuple[Any, dict[int, HexPlan]]] = []


def _usual(ground: Mapping[str, Any]) -> int:
    """The size of the whole map: close, if it is no larger than a sector."""
    close = _whole(ground, CLOSE)
    return FAR if close.around(list(close.hexes)[:1]) else CLOSE


def _whole(ground: Mapping[str, Any], size: int) -> HexPlan:
    """The paper of the whole map at a size, with room for the legend; those of the maps that were drawn last are kept."""
    plans = next((kept for known, kept in _plans if known is ground["hexes"]), None)
    if plans is None:
        plans = {}
        _plans[:] = [*_plans[-7:], (ground["hexes"], plans)]
    if size not in plans:
        bare = HexPlan(ground["style"]["hexes"]["grid"], ground["hexes"], size, Style.of(ground))
        plans[size] = replace(bare, legend=legend_height(bare, ground), drawn={})
    return plans[size]


def _ground(ground: Mapping[str, Any], size: int) -> Image.Image:
    """The ground of the whole map at a size."""
    plan, folder = _whole(ground, size), Path(ground["cache"]) if "cache" in ground else None

    def drawn() -> Image.Image:
        return rasters.kept(rasters.document(plan.width, plan.height, landscape(plan, ground)), folder)

    return plan.once("ground", drawn)
