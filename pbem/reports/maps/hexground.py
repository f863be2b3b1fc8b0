"""The ground of a map of hexes as SVG: terrain, coast, hexsides, roads, places, ids, and the legend.  None of it changes
during a game."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.reports.maps.counters import PAPER, badge, flag, text
from pbem.reports.maps.ground import COAST, SEA
from pbem.reports.maps.hexplan import HexPlan
from pbem.reports.maps.marks import path

RIVER, RIDGE, STRAIT, GRID, RAIL = "#2f7fb0", "#7a4a1c", "#3a5a74", "#6a5a3c", "#2a2a2a"
ROADS = (("#f2c230", 0.09, ""), ("#fffdf3", 0.06, ""), ("#fffdf3", 0.05, "2 2"))
"""Roads from the best class down: colour, breadth as a part of a hex, dashes.  A class without one of its own has the last."""
CASING = "#4a3418"
ROUGH = "#5b4322"
TOWN = "#a4351f"
NOTHING = ("", "0", "no")
"""What a column says of a hex or hexside that has not got it."""
LINE, PAD = 22, 14
"""Pixels of a line of the legend, and around it."""


def landscape(plan: HexPlan, ground: Mapping[str, Any]) -> str:
    """Everything that lies below the pieces."""
    style = ground["style"]["hexes"]
    land = {r["hex"] for r in plan.rows if r["terrain"] != "sea"}
    out = [f'<rect width="100%" height="100%" fill="{SEA}"/>', _terrain(plan, style)]
    out += [_rough(plan, row, style) for row in plan.rows if style["terrain"].get(row["terrain"], ("", 0))[1]]
    rings = "".join(path(plan.corners(h)) for h in plan.hexes.values())
    out.append(f'<path d="{rings}" fill="none" stroke="{GRID}" stroke-opacity=".35" stroke-width="{plan.size / 46:.2f}"/>')
    out += [_coast(plan, land), *_sides(plan, ground["hexsides"]), *_links(plan, ground["hexsides"], style)]
    out += [_place(plan, row, style) for row in plan.rows]
    if plan.legend:
        out.append(f'<rect y="{plan.foot}" width="{plan.width}" height="{plan.legend}" fill="#f4efe0"/>')
        out.append(_legend(plan, ground)[0])
    return "".join(out)


def has(row: Mapping[str, str], column: str) -> str:
    """What a row says in a column; '' if it says nothing or no."""
    said = row.get(column) or ""
    return "" if said in NOTHING else said


# -- hexes ----------------------------------------------------------------------------------------------


def _terrain(plan: HexPlan, style: Mapping[str, Any]) -> str:
    """The hexes of each terrain as one path."""
    rings: dict[str, str] = {}
    for row in plan.rows:
        rings[row["terrain"]] = rings.get(row["terrain"], "") + path(plan.corners(plan.hexes[row["hex"]]))
    return "".join(f'<path d="{d}" fill="{style["terrain"].get(t, (SEA, 0))[0]}"/>' for t, d in rings.items())


def _rough(plan: HexPlan, row: Mapping[str, str], style: Mapping[str, Any]) -> str:
    """Hills as bows, mountains as peaks, high ones with snow; each a little elsewhere in its hex."""
    (x, y), rough, r = plan.point(plan.hexes[row["hex"]]), style["terrain"][row["terrain"]][1], plan.size
    seed = sum(ord(c) * (i + 3) for i, c in enumerate(row["hex"]))
    out = []
    for i in range(3):
        dx = (((seed + 7 * i) % 5) - 2) * 0.05 * r + (i - 1) * 0.24 * r
        dy = (((seed + 3 * i) % 5) - 2) * 0.07 * r + (0.16 if i == 1 else -0.08) * r
        out.append(_peak(x + dx, y + dy, r * (0.1, 0.12, 0.14)[rough - 1], rough))
    return "".join(out)


def _peak(x: float, y: float, r: float, rough: int) -> str:
    paint = f'fill="none" stroke="{ROUGH}" stroke-opacity=".45" stroke-width="{r * 0.22:.1f}"'
    if rough == 1:
        return f'<path d="M{x - r:.1f} {y:.1f}q{r:.1f} {-r * 1.1:.1f} {2 * r:.1f} 0" {paint}/>'
    fill = f'fill="{ROUGH}" fill-opacity="{0.2 if rough == 2 else 0.4}" stroke="{ROUGH}" stroke-opacity=".5"'
    ridge = f'<path d="M{x - r:.1f} {y:.1f}l{r:.1f} {-r * 1.5:.1f}l{r:.1f} {r * 1.5:.1f}z" {fill}'
    snow = f'<path d="M{x:.1f} {y - r * 1.5:.1f}l{-r * 0.4:.1f} {r * 0.6:.1f}h{r * 0.8:.1f}z" fill="#fff"/>' if rough > 2 else ""
    return f'{ridge} stroke-width="{r * 0.15:.1f}"/>{snow}'


def _coast(plan: HexPlan, land: set[str]) -> str:
    """The sides of land hexes beyond which there is no land."""
    lines = []
    for id_, at in plan.hexes.items():
        if id_ in land:
            lines += [plan.side(at, near) for near in plan.grid.neighbours(at) if plan.grid.name(near) not in land]
    d = "".join(path(line, False) for line in lines)
    return f'<path d="{d}" fill="none" stroke="{COAST}" stroke-width="{plan.size * 0.07:.1f}" stroke-linecap="round"/>'


def _place(plan: HexPlan, row: Mapping[str, str], style: Mapping[str, Any]) -> str:
    """A town, port, airfield; names and ids in a close view, in a far one the ids of each fifth column and row (the names of
    cities lie on top there, clear of the counters)."""
    at = plan.hexes[row["hex"]]
    (x, y), r = plan.point(at), plan.size
    rank = next((i for i, column in enumerate(style["towns"]) if has(row, column)), None)
    out, signs = [], ("✈" if has(row, "airfield") else "") + ("⚓" if has(row, "port") else "")
    column, line = plan.grid.offset(at)
    if plan.close:
        out.append(text(x, y - r * 0.33, row["hex"], r * 0.16, fill="#5b4a33"))
    elif column % 5 == line % 5 == 0:
        out.append(text(x, y - r * 0.16, row["hex"], r * 0.34, fill="#5b4a33"))
    if rank is not None:
        half = r * (0.16 if rank == 0 else 0.1)
        square = f'<rect x="{x - half:.1f}" y="{y - half:.1f}" width="{2 * half:.1f}" height="{2 * half:.1f}" '
        out.append(f'{square} fill="{TOWN}" stroke="{PAPER}" stroke-width="{r * 0.03:.1f}"/>')
        name = has(row, style["towns"][rank]).split(";")[0]
        if plan.close:
            out.append(text(x, y + r * 0.45, name, r * 0.2, bold=rank == 0, halo=True))
    if signs:
        size = r * (0.22 if plan.close else 0.34)
        out.append(text(x + r * 0.3, y - r * 0.1, signs, size, fill="#2c3a55", halo=True))
    return "".join(out)


# -- hexsides -------------------------------------------------------------------------------------------


def _pair(plan: HexPlan, row: Mapping[str, str]) -> tuple[Any, Any] | None:
    """Both hexes of a side, if they lie on the map."""
    a, b = plan.hexes.get(row["hex_a"]), plan.hexes.get(row["hex_b"])
    return (a, b) if a is not None and b is not None else None


def _sides(plan: HexPlan, rows: Sequence[Mapping[str, str]]) -> list[str]:
    """Rivers, ridges, and water that cannot be crossed."""
    lines: dict[str, str] = {"sea": "", "river": "", "ridge": ""}
    for row in rows:
        if pair := _pair(plan, row):
            for kind in lines:
                lines[kind] += path(plan.side(*pair), False) if has(row, kind) else ""
    r = plan.size
    styles = {
        "sea": f'stroke="{STRAIT}" stroke-width="{r * 0.1:.1f}"',
        "river": f'stroke="{RIVER}" stroke-width="{r * 0.1:.1f}" stroke-linecap="round"',
        "ridge": f'stroke="{RIDGE}" stroke-width="{r * 0.16:.1f}" stroke-dasharray="{r * 0.05:.1f} {r * 0.06:.1f}"',
    }
    return [f'<path d="{d}" fill="none" {styles[kind]}/>' for kind, d in lines.items() if d]


def _links(plan: HexPlan, rows: Sequence[Mapping[str, str]], style: Mapping[str, Any]) -> list[str]:
    """Roads by class and railways, from centre to centre; a railway runs beside the road."""
    roads: dict[str, str] = {}
    rails = ""
    for row in rows:
        if pair := _pair(plan, row):
            (ax, ay), (bx, by) = (plan.point(h) for h in pair)
            if kind := has(row, "road"):
                roads[kind] = roads.get(kind, "") + path([(ax, ay), (bx, by)], False)
            if has(row, "rail"):
                far = math.hypot(bx - ax, by - ay)
                dx, dy = (ay - by) / far * plan.size * 0.1, (bx - ax) / far * plan.size * 0.1
                rails += path([(ax + dx, ay + dy), (bx + dx, by + dy)], False)
    ranked = sorted(roads, key=lambda k: -_rank(k, style))
    out = [_road(roads[k], ROADS[min(_rank(k, style), len(ROADS) - 1)], plan.size) for k in ranked]
    return [_rail(rails, plan.size), *out] if rails else out


def _rank(kind: str, style: Mapping[str, Any]) -> int:
    return list(style["roads"]).index(kind) if kind in style["roads"] else len(style["roads"])


def _road(d: str, how: tuple[str, float, str], size: float) -> str:
    colour, broad, dash = how
    ends = 'stroke-linecap="round"'
    dashes = f' stroke-dasharray="{" ".join(f"{float(v) * size * 0.06:.1f}" for v in dash.split())}"' if dash else f" {ends}"
    bed = f'<path d="{d}" fill="none" stroke="{CASING}" stroke-width="{size * (broad + 0.06):.1f}" {ends}/>'
    return f'{bed}<path d="{d}" fill="none" stroke="{colour}" stroke-width="{size * broad:.1f}"{dashes}/>'


def _rail(d: str, size: float) -> str:
    ties = f'stroke-width="{size * 0.1:.1f}" stroke-dasharray="{size * 0.02:.1f} {size * 0.1:.1f}"'
    return (
        f'<path d="{d}" fill="none" stroke="{RAIL}" stroke-width="{size * 0.025:.1f}"/>'
        f'<path d="{d}" fill="none" stroke="{RAIL}" {ties}/>'
    )


# -- the legend -----------------------------------------------------------------------------------------


def legend_height(plan: HexPlan, ground: Mapping[str, Any]) -> int:
    """Pixels that the legend needs."""
    return _legend(plan, ground)[1]


def _legend(plan: HexPlan, ground: Mapping[str, Any]) -> tuple[str, int]:
    """What the signs mean, filled into lines; and its height."""
    style, out = ground["style"]["hexes"], []
    x, y = float(PAD), plan.foot + PAD + 8.0
    for sign, words in _entries(plan, ground, style):
        long = 34 + 6.4 * len(words)
        if x + long > plan.width - PAD and x > PAD:
            x, y = float(PAD), y + LINE
        out.append(f'<g transform="translate({x:.0f} {y:.0f})">{sign}</g>' + text(x + 26, y + 4, words, 11, anchor="start"))
        x += long
    return "".join(out), round(y - plan.foot + PAD + 4)


def _entries(plan: HexPlan, ground: Mapping[str, Any], style: Mapping[str, Any]) -> list[tuple[str, str]]:
    there = {row["terrain"] for row in plan.rows}
    found = []
    for name, (colour, rough) in style["terrain"].items():
        if name in there and name != "sea":
            sign = _peak(9, 4, 6, rough) if rough else ""
            found.append((f'<rect y="-7" width="18" height="14" fill="{colour}" stroke="{GRID}" stroke-width=".6"/>{sign}', name))
    kinds = [k for k in style["roads"] if any(row.get("road") == k for row in ground["hexsides"])]
    for rank, kind in ((_rank(k, style), k) for k in kinds):
        found.append((_road("M0 0h20", ROADS[min(rank, len(ROADS) - 1)], 40), f"{kind} road" if rank < 2 else kind))
    for column, sign, words in (
        ("rail", _rail("M0 0h20", 40), "railway"),
        ("river", f'<path d="M0 0h20" stroke="{RIVER}" stroke-width="4"/>', "river"),
        ("ridge", f'<path d="M0 0h20" stroke="{RIDGE}" stroke-width="6" stroke-dasharray="2 2.4"/>', "ridge"),
        ("sea", f'<path d="M0 0h20" stroke="{STRAIT}" stroke-width="4"/>', "water, no crossing"),
    ):
        if any(has(row, column) for row in ground["hexsides"]):
            found.append((sign, words))
    for column, sign in (("airfield", "✈"), ("port", "⚓")):
        if any(has(row, column) for row in plan.rows):
            found.append((text(9, 5, sign, 14, fill="#2c3a55"), column))
    found += [(flag(plan.style, side, 2, -7, 13), f"{side.capitalize()} control") for side in plan.style.sides]
    return found + [(badge(letter, colour, 9, 0, 8), words) for letter, colour, words in style["badges"].values()]
