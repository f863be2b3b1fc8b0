"""The map as a picture, drawn from a view and nothing else.

The ground never changes, so it is drawn once a process and kept; a further picture of the same map only
draws what stands on it.  Fonts are shipped and the system's are left aside: same bytes on every machine.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import resvg_py
from PIL import Image, ImageColor

from pbem.reports.counters import BADGES, INK, NATIONS, PAPER, SIDE_COLOURS, UNKNOWN, badge, counter, flag, pill, row, text
from pbem.reports.mapplan import Plan, Point, Ring

FONTS = tuple(str(Path(__file__).with_name("fonts") / name) for name in ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))
FAMILY = "DejaVu Sans"
WIDTH = 1000
COLOURS = 144
"""Of the palette: half the most frequent colours of the ground, the rest blends of it, and :data:`FIXED`."""
SEA, COAST, RIVER, ROAD, EDGE, OUTSIDE = "#a9c3cf", "#4b5b63", "#2f7fb0", "#a05a2c", "#6a5a3c", "#d9d4c6"
GROUND = ("#f1ebd3", "#e5d8ae", "#d3bf8f", "#bba57f")
"""By Terrain Difficulty Number; triangles beside the area's number say the same."""

FIXED = (
    INK, PAPER, "#ffffff", "#f2c230", "#7a1f12", "#c2180a", "#b3200c", "#5b1a7a", "#eef4f6", RIVER, ROAD, *SIDE_COLOURS.values(),
    *(c for pair in (*NATIONS.values(), *UNKNOWN.values()) for c in pair), *(c for _, c in BADGES.values()),
)  # fmt: skip
"""Colours of what stands on the map."""

MOVE_COLOURS = {"retreat": "#b3200c", "sea-retreat": "#b3200c"}


# -- public ---------------------------------------------------------------------------------------------


def map_png(
    view: Mapping[str, Any], geometry: Mapping[str, Any], *, size: int = WIDTH, moves: Sequence[Mapping[str, Any]] = ()
) -> bytes:
    """The position of ``view`` as PNG, ``size`` pixels wide.  ``geometry``: GeoJSON with one shape an area;
    ``moves``: the paths of the last moves (a report's 'moves')."""
    plan = _plan(_shapes(geometry), tuple(a["id"] for a in view["areas"]), size)
    ground, palette = _ground(plan.outlines_key, plan.areas, size, _ground_facts(view))
    above = _raster(_document(plan, _figures(plan, view, moves)))
    picture = Image.alpha_composite(ground, above).convert("RGB").quantize(palette=palette, dither=Image.Dither.NONE)
    out = io.BytesIO()
    picture.save(out, "PNG", compress_level=6)
    return out.getvalue()


def map_svg(
    view: Mapping[str, Any], geometry: Mapping[str, Any], *, size: int = WIDTH, moves: Sequence[Mapping[str, Any]] = ()
) -> str:
    """The same picture as one SVG document."""
    plan = _plan(_shapes(geometry), tuple(a["id"] for a in view["areas"]), size)
    return _document(plan, _landscape(plan, _ground_facts(view)) + _figures(plan, view, moves))


def alt_text(view: Mapping[str, Any]) -> str:
    """What the picture shows, in a sentence."""
    fought = [f"{a['name']} [{a['id']}]" for a in view["areas"] if a["contested"]]
    clash = f"; contested: {', '.join(fought)}" if fought else ""
    return f"Map of turn {view['turn']}: control, units and markers as in the list below{clash}."


# -- plans and rasters, kept ----------------------------------------------------------------------------

Shapes = tuple[tuple[str, tuple[Point, ...]], ...]
GroundFacts = tuple[tuple[Any, ...], ...]


def _shapes(geometry: Mapping[str, Any]) -> Shapes:
    """The outlines of the areas as a value."""
    return tuple(
        (str(f["properties"]["area"]), tuple((p[0], p[1]) for p in f["geometry"]["coordinates"][0])) for f in geometry["features"]
    )


class _KeptPlan(Plan):
    outlines_key: Shapes = ()


@lru_cache(maxsize=16)
def _plan(shapes: Shapes, areas: tuple[str, ...], size: int) -> _KeptPlan:
    plan = _KeptPlan(dict(shapes), areas, size)
    plan.outlines_key = shapes
    return plan


@lru_cache(maxsize=16)
def _ground(shapes: Shapes, areas: tuple[str, ...], size: int, facts: GroundFacts) -> tuple[Image.Image, Image.Image]:
    """The ground and its palette."""
    plan = _plan(shapes, areas, size)
    ground = _raster(_document(plan, _landscape(plan, facts)))
    return ground, _palette(ground.convert("RGB"))


def _raster(svg: str) -> Image.Image:
    png = resvg_py.svg_to_bytes(
        svg_string=svg, font_files=list(FONTS), skip_system_fonts=True, font_family=FAMILY, sans_serif_family=FAMILY
    )
    return Image.open(io.BytesIO(bytes(png))).convert("RGBA")


def _palette(ground: Image.Image) -> Image.Image:
    """Few colours, the same for every picture of a map: what stands on it (and half-way to paper, for soft edges), the flat
    fills of the ground exactly, its blends by median cut."""
    fixed = [_rgb(c) for c in FIXED]
    soft = [tuple((v + w) // 2 for v, w in zip(c, _rgb(p), strict=True)) for c in fixed for p in (PAPER, GROUND[1])]
    flat = _frequent(ground, COLOURS // 2)
    blends = (ground.quantize(COLOURS // 2, method=Image.Quantize.MEDIANCUT).getpalette() or [])[: 3 * (COLOURS // 2)]
    values = ([v for c in dict.fromkeys((*fixed, *soft, *flat)) for v in c] + blends)[: 3 * 256]
    table = Image.new("P", (1, 1))
    table.putpalette(values + values[-3:] * (256 - len(values) // 3))
    return table


def _rgb(colour: str) -> tuple[int, ...]:
    return ImageColor.getrgb(colour)[:3]


def _frequent(image: Image.Image, number: int) -> list[tuple[int, ...]]:
    """The most frequent colours."""
    counted = sorted(image.getcolors(1 << 24) or [], reverse=True)
    return [c for _, c in counted[:number] if isinstance(c, tuple)]


def _document(plan: Plan, body: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{plan.width}" height="{plan.height}" '
        f'viewBox="0 0 {plan.width} {plan.height}" font-family="{FAMILY}">{body}</svg>'
    )


# -- the ground -----------------------------------------------------------------------------------------


def _ground_facts(view: Mapping[str, Any]) -> GroundFacts:
    """What of a view the ground shows: nothing here changes during a game."""
    return tuple((a["id"], a["tdn"]) for a in view["areas"]), tuple((b["a"], b["b"]) for b in view["borders"] if b["road"])


def _path(ring: Sequence[Point], close: bool = True) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in ring) + ("Z" if close else "")


def _landscape(plan: Plan, facts: GroundFacts) -> str:
    areas, roads = facts
    land = "".join(_path(r) for r in plan.rings.values())
    out = [f'<rect width="100%" height="100%" fill="{SEA}"/>']
    out += [
        f'<path d="{land}" fill="none" stroke="{c}" stroke-width="{w}" stroke-linejoin="round"/>'
        for w, c in ((30, "#a2bdca"), (16, "#97b4c3"))
    ]
    out.append(f'<path d="{land}" fill="{OUTSIDE}" stroke="{COAST}" stroke-width="3" stroke-linejoin="round"/>')
    out += [f'<path d="{_path(plan.rings[a])}" fill="{GROUND[min(tdn, 3)]}"/>' for a, tdn in areas]
    out += [f'<path d="{_path(r)}" fill="none" stroke="{EDGE}" stroke-width="1" opacity=".7"/>' for r in plan.rings.values()]
    out += [_road(plan, a, b) for a, b in roads]
    return "".join(out) + _frame(plan)


def _road(plan: Plan, a: str, b: str) -> str:
    (ax, ay), (mx, my), (bx, by) = plan.middles[a], plan.crossing(a, b), plan.middles[b]
    way = f"M{ax:.1f} {ay:.1f}Q{mx:.1f} {my:.1f} {mx:.1f} {my:.1f}L{bx:.1f} {by:.1f}"
    return (
        f'<path d="{way}" fill="none" stroke="{ROAD}" stroke-width="{plan.unit / 4:.1f}" opacity=".75"/>'
        f'<path d="{way}" fill="none" stroke="#f3e6c4" stroke-width="{plan.unit / 10:.1f}"/>'
    )


def _boundary(plan: Plan, border: Mapping[str, Any]) -> str:
    """A river with its bridge, or the teeth of a restricted boundary (14.1)."""
    a, b = border["a"], border["b"]
    river = f'stroke="{RIVER}" stroke-width="{plan.unit / 3:.1f}"'
    style = river if border["river"] else 'stroke="#7a5230" stroke-width="5" stroke-dasharray="2 4"'
    lines = "".join(
        f'<path d="{_path(line, False)}" fill="none" {style} stroke-linecap="round" stroke-linejoin="round"/>'
        for line in plan.border(a, b)
    )
    return lines + (_bridge(plan, a, b) if border["river"] else "") + (_blown(plan, a, b) if border["blown"] else "")


def _bridge(plan: Plan, a: str, b: str) -> str:
    """Two rails across the river, in the direction from one area to the other."""
    (x, y), (ax, ay), (bx, by) = plan.crossing(a, b), plan.middles[a], plan.middles[b]
    turn = math.degrees(math.atan2(by - ay, bx - ax))
    return (
        f'<g transform="translate({x:.1f} {y:.1f}) rotate({turn:.1f}) scale({plan.unit / 13.5:.2f})">'
        f'<rect x="-8" y="-4.5" width="16" height="9" fill="#f7efd8"/>'
        f'<path d="M-9 -5h18M-9 5h18" stroke="{INK}" stroke-width="2"/></g>'
    )


def _label(plan: Plan, area: Mapping[str, Any], x: float, y: float) -> str:
    """Number, name, flag of who controls it, victory points and what the ground is like."""
    size = plan.unit
    signs = "▲" * area["tdn"] + ("✈" if area["airfield"] else "") + ("⚓" if area["port"] else "")
    left, name = x - size * 0.45 * len(area["id"]), lines_of(area["name"])
    half, tall = max(map(len, name)) * size * 0.28 + 3, size * (0.95 * len(name) + 0.2)
    plate = f'x="{x - half:.1f}" y="{y + size * 0.12:.1f}" width="{2 * half:.1f}" height="{tall:.1f}"'
    out = f'<rect {plate} rx="4" fill="{PAPER}" fill-opacity=".55"/>'
    out += text(x, y, area["id"], size * 1.15, fill="#7a1f12", bold=True)
    out += "".join(text(x, y + size * (1 + 0.95 * i), part, size * 0.92) for i, part in enumerate(name))
    if signs:
        out += text(2 * x - left + size * 0.3, y, signs, size * 0.8, fill="#5b4a33", anchor="start")
    if area["vp"]:
        out += star(left - size * 1.1, y - size * 0.38, size * 0.95, str(area["vp"]))
        left -= size * 2
    if area["control"]:
        out += flag(area["control"], left - size * 1.2, y - size * 0.95, size * 0.95)
    return out


def lines_of(name: str) -> list[str]:
    """A long name in two lines."""
    words = name.split()
    if len(name) < 13 or len(words) == 1:
        return [name]
    half = (len(words) + 1) // 2
    return [" ".join(words[:half]), " ".join(words[half:])]


def star(x: float, y: float, r: float, words: str) -> str:
    """Victory points."""
    points = []
    for i in range(10):
        reach = r if i % 2 == 0 else r * 0.5
        points.append((x + reach * math.sin(i * math.pi / 5), y - reach * math.cos(i * math.pi / 5)))
    return f'<path d="{_path(points)}" fill="#f2c230" stroke="#4a3b10" stroke-width=".8"/>' + text(
        x, y + r * 0.3, words, r * 0.85, bold=True
    )


def _frame(plan: Plan) -> str:
    """Title bar, legend, scale and north arrow."""
    top = plan.height - plan.legend_height
    out = [f'<rect width="{plan.width}" height="{plan.title_height}" fill="#2f3a3a"/>']
    out.append(f'<rect y="{top}" width="{plan.width}" height="{plan.legend_height}" fill="#f4efe0"/>')
    x, y = plan.width - 26.0, plan.title_height + 40.0
    out.append(f'<path d="M{x} {y - 22}l7 30l-7 -6l-7 6z" fill="{INK}"/>' + text(x, y + 24, "N", 12, bold=True))
    long = plan.km(10)
    x, y = plan.width - 24 - long, top - 16
    out.append(
        f'<path d="M{x:.1f} {y - 5}v5h{long:.1f}v-5" fill="none" stroke="{INK}" stroke-width="1.5"/>'
        + text(x + long / 2, y - 5, "10 km", 11, halo=True)
    )
    return "".join(out) + _legend(plan, top)


def _legend(plan: Plan, top: float) -> str:
    """What the signs mean."""
    known = {
        "known": True,
        "side": "allied",
        "nation": "uk",
        "id": "50-1",
        "symbol": "inf",
        "steps": 3,
        "full": 4,
        "quality": "veteran",
    }
    plain = {"status": "good", "supplied": True, "reserve": False, "exploit": False, "garrison": False}
    y, out = top + 26, []
    x = 28.0
    for block, words in (
        ({**plain, **known}, "Allied, 3 of 4 steps"),
        ({**plain, "known": False, "side": "allied"}, "unknown Allied"),
        ({**plain, "known": False, "side": "axis"}, "unknown Axis"),
        ({**plain, "known": False, "side": "axis", "garrison": True}, "garrison, face down"),
    ):
        out.append(counter(block, x, y, 32) + text(x + 22, y + 4, words, 11.5, anchor="start"))
        x += 44 + 6.6 * len(words)
    x, y = 20.0, top + 60
    for key, words in (
        ("disordered", "disordered"), ("recovering", "recovering"), ("supply", "out of supply"), ("reserve", "reserve"),
        ("exploit", "may exploit"),
    ):  # fmt: skip
        out.append(badge(*BADGES[key], x, y, 8) + text(x + 12, y + 4, words, 11.5, anchor="start"))
        x += 30 + 6.8 * len(words)
    for side, words in (("allied", "Allied control"), ("axis", "Axis control")):
        out.append(flag(side, x, y - 6, 14) + text(x + 20, y + 4, words, 11.5, anchor="start"))
        x += 36 + 6.6 * len(words)
    words = "steps: ■ veteran, ◆ elite, ○ green, – lost · ▲ terrain difficulty · ✈ airfield · ⚓ port · ★ victory points"
    words += " · blue: river, bridge · brown: road"
    return "".join(out) + text(14, top + 86, words, 11.5, anchor="start")


# -- what stands on it ----------------------------------------------------------------------------------


def _figures(plan: Plan, view: Mapping[str, Any], moves: Sequence[Mapping[str, Any]]) -> str:
    size = plan.unit * 2.95
    out = [_control(plan, a) for a in view["areas"] if a["control"]]
    out += [_boundary(plan, b) for b in view["borders"] if b["river"] or b["restricted"]]
    out += _boxes(plan, [b for b in view["boxes"] if b["area"] in plan.areas], size)
    out += [_area(plan, a, size) for a in view["areas"]]
    out += [_arrow(plan, m) for m in moves]
    out.append(_waiting_room(plan, [b for b in view["boxes"] if b["area"] not in plan.areas], size))
    return "".join(out) + _title(plan, view)


def _title(plan: Plan, view: Mapping[str, Any]) -> str:
    eyes = {"allied": "as the Allies see it", "axis": "as the Axis sees it"}.get(view["side"], "as everybody sees it")
    when = " ".join(
        w for w in (f"{view['title']}, turn {view['turn']},", view["player"].capitalize(), view["phase"]) if w
    ).rstrip(",")
    return text(12, 23, when, 16, fill="#f1ead2", bold=True, anchor="start") + text(
        plan.width - 12, 23, eyes, 13, fill="#cfc8ae", anchor="end"
    )


def _control(plan: Plan, area: Mapping[str, Any]) -> str:
    """A band inside the outline: broad Allied, narrow Axis."""
    side = area["control"]
    broad = plan.unit * (0.34 if side == "allied" else 0.16)
    stroke = f'stroke="{SIDE_COLOURS[side]}" stroke-width="{broad:.1f}"'
    return f'<path d="{_path(plan.bands[area["id"]])}" fill="none" {stroke}/>'


def _blown(plan: Plan, a: str, b: str) -> str:
    x, y = plan.crossing(a, b)
    cross = f"M{x - 9:.1f} {y - 9:.1f}l18 18M{x + 9:.1f} {y - 9:.1f}l-18 18"
    return f'<path d="{cross}" stroke="#fff" stroke-width="7"/><path d="{cross}" stroke="#c2180a" stroke-width="4"/>'


def _area(plan: Plan, area: Mapping[str, Any], size: float) -> str:
    """Label, counters (Allied row first) and markers in words, as one stack around the area's middle."""
    (x, y), line = plan.middles[area["id"]], plan.unit
    rows = [s for s in ("allied", "axis") if area["blocks"][s]]
    markers = _markers(area)
    name = line * (1 + 0.95 * len(lines_of(area["name"])))
    y -= (name + size * (1.1 * len(rows) + 0.44 * len(markers))) / 2 - line
    out = [_label(plan, area, x, y)]
    y += name - line * 0.6
    for side in rows:
        out.append(row(area["blocks"][side], x, y + size / 2, size))
        y += size * 1.1
    for words, colour in markers:
        y += size * 0.22
        out.append(pill(x, y, words, size * 0.25, colour))
        y += size * 0.22
    return "".join(out)


def _markers(area: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [("contested", "#b3200c")] if area["contested"] else []
    found += [("works", SIDE_COLOURS[area["works"]])] if area["works"] else []
    found += [("roadblock", SIDE_COLOURS[area["roadblock"]])] if area["roadblock"] else []
    found += [(f"{area['assault']} assault", "#5b1a7a")] if area["assault"] else []
    found += [(f"{c['id']} {c['use']}".strip(), SIDE_COLOURS[c["side"]]) for c in area["assets"]]
    return found + [("no supply", "#5b1a7a")] * (area["control"] in area["unsupplied"])


def _boxes(plan: Plan, boxes: Sequence[Mapping[str, Any]], size: float) -> list[str]:
    """The landing boxes and port boxes, each out at sea before its area and clear of the others."""
    taken: list[tuple[float, float, float, float]] = []
    out = []
    for box in boxes:
        at = plan.seaward(box["area"], size * 1.5)
        if at is None:
            continue
        blocks = [*box["blocks"]["allied"], *box["blocks"]["axis"]]
        half, tall = max(0.62, 0.57 * len(blocks)) * size, size * (1.75 if blocks else 0.6)
        x = max(half + 4, min(plan.width - half - 4, at[0]))
        y = max(plan.title_height + 4.0, min(plan.height - plan.legend_height - tall - 4, at[1] - size * 0.4))
        while any(abs(x - tx) < half + th and y < ty + tt + 3 and ty < y + tall + 3 for tx, ty, th, tt in taken):
            y += 4
        taken.append((x, y, half, tall))
        out.append(_box(box, blocks, x, y, half, tall, size))
    return out


def _box(
    box: Mapping[str, Any], blocks: Sequence[Mapping[str, Any]], x: float, y: float, half: float, tall: float, size: float
) -> str:
    """A box with its top edge's middle at x, y."""
    lost = box["status"] in ("captured", "destroyed")
    words = f"{box['id']} {box['status']}" if lost else box["id"]
    words += f" damage {box['damage']}" if box["damage"] else ""
    frame = (
        f'<rect x="{x - half:.1f}" y="{y:.1f}" width="{2 * half:.1f}" height="{tall:.1f}" rx="5" fill="#eef4f6" '
        f'stroke="{SIDE_COLOURS["allied"]}" stroke-width="1.5"/>'
    )
    cross = f'<path d="M{x - half:.1f} {y:.1f}l{2 * half:.1f} {tall:.1f}" stroke="#c2180a" stroke-width="3"/>' if lost else ""
    return frame + text(x, y + size * 0.4, words, size * 0.3, bold=True) + row(blocks, x, y + size * 1.08, size * 0.92) + cross


def _waiting_room(plan: Plan, boxes: Sequence[Mapping[str, Any]], size: float) -> str:
    """The At Sea box and the Airborne Assault box, in the lower left corner."""
    out, y = [], plan.height - plan.legend_height - size * 1.1
    for box in boxes:
        blocks = [*box["blocks"]["allied"], *box["blocks"]["axis"]]
        words = box["name"] + (f", damage {box['damage']}" if box["damage"] else "")
        if blocks:
            out.append(text(12, y - size * 0.62, words, size * 0.32, bold=True, anchor="start", halo=True))
            out.append("".join(counter(b, 12 + size * (0.5 + 1.14 * i), y, size) for i, b in enumerate(blocks)))
            y -= size * 1.9
    return "".join(out)


def _arrow(plan: Plan, move: Mapping[str, Any]) -> str:
    """A move, from area to area; what begins or ends off the map is left out."""
    stops: Ring = [plan.middles[p] for p in move["path"] if p in plan.middles]
    if len(stops) < 2:
        return ""
    colour = MOVE_COLOURS.get(move["mode"], SIDE_COLOURS[move["side"]])
    start = _toward(stops[0], stops[1], 26)
    (ax, ay), (bx, by) = stops[-2], stops[-1]
    turn = math.atan2(by - ay, bx - ax)
    tip = _toward(stops[-1], stops[-2], 44)
    way = _path([start, *stops[1:-1], tip], False)
    place = f"translate({tip[0] + 11 * math.cos(turn):.1f} {tip[1] + 11 * math.sin(turn):.1f}) rotate({math.degrees(turn):.1f})"
    head = f'<path d="M0 0l-13 -7v14z" transform="{place}" fill="{colour}" fill-opacity=".9"/>'
    dash = ' stroke-dasharray="7 4"' if move["mode"] in MOVE_COLOURS else ""
    return f'<path d="{way}" fill="none" stroke="{colour}" stroke-width="4" stroke-opacity=".8"{dash}/>{head}'


def _toward(a: Point, b: Point, distance: float) -> Point:
    """So far from ``a`` on the way to ``b``, but not beyond a third of it."""
    far = math.dist(a, b) or 1
    part = min(distance / far, 0.33)
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part
