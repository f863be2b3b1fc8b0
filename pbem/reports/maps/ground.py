"""The ground of a map as SVG: sea, land, relief, streams, roads, and the frame with its legend.  None of it changes
during a game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.reports.maps.counters import BADGES, INK, PAPER, badge, battle_sign, counter, flag, pill, text
from pbem.reports.maps.marks import Mark, path, placed
from pbem.reports.maps.plan import Plan, Ring

SEA, SHELF, SHALLOW = "#a9c3cf", "#a2bdca", "#97b4c3"
COAST, RIVER, ROAD, ROAD_BED, EDGE, OUTSIDE = "#4b5b63", "#2f7fb0", "#4a3418", "#f2c230", "#6a5a3c", "#d9d4c6"
STREAM = "#7fa9bf"
GROUND = ("#f3eddb", "#eaddb8", "#d9c69a", "#c3ad88")
"""By Terrain Difficulty Number; triangles beside the area's number say the same."""
SHADES = {"light": ("#fffbe8", 0.5), "dim": ("#6b4f2a", 0.13), "dark": ("#4a3418", 0.15)}
"""Fill and opacity of the slopes; those in deep shadow lie within those in shadow."""
SPECK = 400
"""Square pixels round a patch of shade that is too small to be drawn."""
NEAR_BORDER = 3.0
"""Kilometres; a stream so near a river border is that river, and is not drawn a second time."""


@dataclass(frozen=True)
class Facts:
    """What of a view the ground shows."""

    tdn: tuple[tuple[str, int], ...]
    roads: tuple[tuple[str, str], ...]
    rivers: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, view: Mapping[str, Any]) -> Facts:
        """The facts of a view."""
        borders = view["borders"]
        return cls(
            tuple((a["id"], a["tdn"]) for a in view["areas"]), tuple((b["a"], b["b"]) for b in borders if b["road"]),
            tuple((b["a"], b["b"]) for b in borders if b["river"]),
        )


def landscape(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> str:
    """Everything that lies below the figures."""
    land = "".join(path(r) for a, r in plan.rings.items() if a in plan.seen)
    out = [f'<rect width="100%" height="100%" fill="{SEA}"/>']
    shore = "".join(path(line, False) for line in plan.shores if plan.shows(line))
    out += [
        f'<path d="{shore}" fill="none" stroke="{c}" stroke-width="{w * plan.unit / 13:.0f}" stroke-linejoin="round"/>'
        for w, c in ((30, SHELF), (16, SHALLOW))
    ]
    out.append(f'<path d="{land}" fill="{OUTSIDE}" stroke="{COAST}" stroke-width="3" stroke-linejoin="round"/>')
    out += [f'<path d="{path(plan.rings[a])}" fill="{GROUND[min(tdn, 3)]}"/>' for a, tdn in facts.tdn if a in plan.seen]
    out += _relief(plan, ground)
    edge = f'fill="none" stroke="{EDGE}" stroke-width="1" opacity=".7"'
    out += [f'<path d="{path(r)}" {edge}/>' for a, r in plan.rings.items() if a in plan.seen]
    out += _streams(plan, facts, ground)
    out += [_road(plan, a, b) for a, b in facts.roads if {a, b} & plan.seen]
    return "".join(out) + _frame(plan)


def _relief(plan: Plan, ground: Mapping[str, Any]) -> list[str]:
    """The slopes, as far as they lie on the paper and are not specks there."""
    found = []
    for feature in ground.get("relief", {}).get("features", []):
        fill, opacity = SHADES[feature["properties"]["shade"]]
        shape = feature["geometry"]
        polygons = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
        rings = [[[plan.point(*p[:2]) for p in ring] for ring in polygon] for polygon in polygons]
        lines = "".join(path(ring) for polygon in rings if _on_paper(plan, polygon[0]) for ring in polygon)
        paint = f'fill="{fill}" fill-opacity="{opacity}" fill-rule="evenodd" shape-rendering="crispEdges"'
        found.append(f'<path d="{lines}" {paint}/>')
    return found


def _on_paper(plan: Plan, ring: Ring) -> bool:
    xs, ys = [p[0] for p in ring], [p[1] for p in ring]
    return plan.shows(ring) and (max(xs) - min(xs)) * (max(ys) - min(ys)) > SPECK


def _streams(plan: Plan, facts: Facts, ground: Mapping[str, Any]) -> list[str]:
    """Rivers away from the borders that they make; those are drawn with the figures."""
    banks = [p for a, b in facts.rivers for line in plan.border(a, b) for p in _dense(line, plan.km(NEAR_BORDER) / 2)]
    found = []
    for feature in ground.get("rivers", {}).get("features", []):
        runs: list[Ring] = [[]]
        for point in (plan.point(*p[:2]) for p in feature["geometry"]["coordinates"]):
            if all(math.dist(point, bank) > plan.km(NEAR_BORDER) for bank in banks):
                runs[-1].append(point)
            elif runs[-1]:
                runs.append([])
        broad = 1.2 + math.sqrt(feature["properties"]["km2"]) / 40
        width = broad * plan.unit / 13
        found += [
            f'<path d="{path(run, False)}" fill="none" stroke="{STREAM}" stroke-width="{width:.1f}" stroke-linejoin="round"/>'
            for run in runs if len(run) > 1 and plan.shows(run)
        ]
    return found


def _dense(line: Ring, step: float) -> Ring:
    """A line with points close together."""
    found = [line[0]]
    for p, q in zip(line, line[1:], strict=False):
        parts = max(1, int(math.dist(p, q) / step))
        found += [(p[0] + (q[0] - p[0]) * i / parts, p[1] + (q[1] - p[1]) * i / parts) for i in range(1, parts + 1)]
    return found


def _road(plan: Plan, a: str, b: str) -> str:
    """A road from middle to middle, over the middle of the border, without a kink there."""
    (ax, ay), (mx, my), (bx, by) = plan.middles[a], plan.crossing(a, b), plan.middles[b]
    tx, ty = (bx - ax) / 6, (by - ay) / 6
    way = (
        f"M{ax:.1f} {ay:.1f}Q{mx - tx:.1f} {my - ty:.1f} {mx:.1f} {my:.1f}Q{mx + tx:.1f} {my + ty:.1f} {bx:.1f} {by:.1f}"
    )
    return (
        f'<path d="{way}" fill="none" stroke="{ROAD}" stroke-width="{plan.unit * 0.34:.1f}"/>'
        f'<path d="{way}" fill="none" stroke="{ROAD_BED}" stroke-width="{plan.unit * 0.14:.1f}"/>'
    )


# -- the frame ------------------------------------------------------------------------------------------


def _frame(plan: Plan) -> str:
    """The legend."""
    if not plan.legend_height:
        return ""
    paper = f'<rect y="{plan.foot}" width="{plan.width}" height="{plan.legend_height}" fill="#f4efe0"/>'
    return paper + "".join(_legend(plan, plan.foot))


def bearings(plan: Plan, taken: Sequence[tuple[float, float, float, float]]) -> list[Mark]:
    """Scale and north arrow, together, in the corner where they cover least of what is ``taken``: upper right, if that is
    free.  They have paper of their own, since anything may lie below them."""
    km = next(n for n in (50, 20, 10, 5, 2, 1) if plan.km(n) < plan.width / 6 or n == 1)
    long = plan.km(km)
    wide, tall = long + 46, 44
    right, foot = plan.width - 6 - wide, plan.foot - 6 - tall
    corners = [(right, plan.title_height + 6.0), (6.0, plan.title_height + 6.0), (right, foot), (6.0, foot)]
    x, y = min(corners, key=lambda at: sum(_common((at[0], at[1], at[0] + wide, at[1] + tall), box) for box in taken))
    face = f'<rect width="{wide:.1f}" height="{tall}" rx="4" fill="{PAPER}" fill-opacity=".8"/>'
    face += f'<path d="M17 4l6 22l-6 -5l-6 5z" fill="{INK}"/>' + text(17, 39, "N", 12, bold=True)
    face += f'<path d="M36 27v5h{long:.1f}v-5" fill="none" stroke="{INK}" stroke-width="1.5"/>'
    face += text(36 + long / 2, 22, f"{km} km", 11)
    return [placed(face, x, y, 0, 0, wide, tall)]


def _common(a: tuple[float, float, float, float], b: tuple[float, float, float, float]) -> float:
    """Square pixels that two boxes share."""
    if a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]:
        return 0.0
    return (min(a[2], b[2]) - max(a[0], b[0])) * (min(a[3], b[3]) - max(a[1], b[1]))


PLAIN = {"status": "good", "supplied": True, "reserve": False, "exploit": False, "garrison": False}
KNOWN = {
    "known": True, "nation": "uk", "id": "50-1", "symbol": "inf", "steps": 3, "full": 4, "quality": "veteran",
}  # fmt: skip


def _legend(plan: Plan, top: float) -> list[str]:
    """What the signs mean: pieces of a sign and its words, filled into lines."""
    out, style = [], plan.style
    (first, second), (one, two) = style.sides, (side.capitalize() for side in style.sides)
    x, y = 28.0, top + 26
    for block, words in (
        ({**KNOWN, "side": first}, f"{one}, 3 of 4 steps"), ({"known": False, "side": first}, f"unknown {one}"),
        ({"known": False, "side": second}, f"unknown {two}"),
        ({"known": False, "side": second, "garrison": True}, "garrison, face down"),
    ):  # fmt: skip
        out.append(counter(style, {**PLAIN, **block}, x, y, 32) + text(x + 22, y + 4, words, 11.5, anchor="start"))
        x += 44 + 6.6 * len(words)
    x, y = 20.0, top + 60
    for key, words in (
        ("disordered", "disordered"), ("recovering", "recovering"), ("supply", "out of supply"), ("reserve", "reserve"),
        ("exploit", "may exploit"),
    ):  # fmt: skip
        out.append(badge(*BADGES[key], x, y, 8) + text(x + 12, y + 4, words, 11.5, anchor="start"))
        x += 28 + 6.6 * len(words)
    for side, words in ((first, f"{one} control"), (second, f"{two} control")):
        out.append(flag(style, side, x, y - 6, 14) + text(x + 18, y + 4, words, 11.5, anchor="start"))
        x += 30 + 6.6 * len(words)
    out.append(battle_sign(x + 6, y, 8) + text(x + 20, y + 4, "battle since your last report", 11.5, anchor="start"))
    x, y = 16.0, top + 86
    for sign, words, width in (
        (f'<path d="M{{0}} {{1}}h22" stroke="{RIVER}" stroke-width="4"/>', "river border, with bridge", 22),
        ('<path d="M{0} {1}l9 -5M{0} {1}m0 -5l9 5" stroke="#c2180a" stroke-width="2.4"/>', "bridge blown", 9),
        (f'<path d="M{{0}} {{1}}h22" stroke="{ROAD}" stroke-width="4"/><path d="M{{0}} {{1}}h22" stroke="{ROAD_BED}" '
         'stroke-width="1.6"/>', "road", 22),
        ('<path d="M{0} {1}h22" stroke="#5b1a7a" stroke-width="5" stroke-dasharray="2 4"/>', "restricted border", 22),
        (f'<path d="M{{0}} {{1}}h15" stroke="{style.colours[first]}" stroke-width="4"/><path d="M{{0}} {{1}}m22 0l-10 -5v10z" '
         f'fill="{style.colours[first]}"/>', "moved", 22),
        ('<path d="M{0} {1}h15" stroke="#b3200c" stroke-width="4" stroke-dasharray="5 3"/><path d="M{0} {1}m22 0l-10 -5v10z" '
         'fill="#b3200c"/>', "retreated", 22),
    ):  # fmt: skip
        out.append(sign.format(f"{x:.1f}", f"{y:.1f}") + text(x + width + 6, y + 4, words, 11.5, anchor="start"))
        x += width + 20 + 6.6 * len(words)
    out.append(pill(x + 18, y, "works", 8.5, style.colours[second]) + text(x + 42, y + 4, "field works", 11.5, anchor="start"))
    words = "steps: ■ veteran, ◆ elite, ○ green, – lost · ▲ terrain difficulty · ✈ airfield · ⚓ port · ★ victory points"
    return [*out, text(14, top + 112, words, 11.5, anchor="start")]
