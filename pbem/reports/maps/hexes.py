"""What stands on a map of hexes: control, flags, stacks, markers, moves, and the boxes off the map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.documents import OnMap, Piece, Sign
from pbem.reports.maps.areas import MOVE_COLOURS, arrow, title_bar
from pbem.reports.maps.counters import INK, NATIONS, PAPER, Style, badge, battle_mark, flag_mark, nato, pill_mark, text, text_mark
from pbem.reports.maps.hexground import has
from pbem.reports.maps.hexplan import TITLE, HexPlan
from pbem.reports.maps.marks import Mark, Point, around, path, placed

COUNTER = 0.56
"""Breadth of a counter as a part of a hex."""
FAR_COUNTER = 0.74
"""The same where nothing on it can be read."""
SHIFT = 0.07
"""How far each counter of a stack reaches out to the right of the one above it."""
LAYERS = 3
"""So many counters of a stack can be seen."""
BOX = 40
"""Pixels of a line of boxes below the map."""
BOXED = 30
"""Pixels of a counter in a box."""


def figures(
    plan: HexPlan, view: Mapping[str, Any], seen: OnMap, style: Mapping[str, Any], moves: Sequence[Mapping[str, Any]],
    battles: Sequence[str],
) -> list[Mark]:
    """Everything that lies on the ground, from the lowest layer up.  ``seen``: what the view has on the map; ``style``: of the
    title's hexes."""
    stacks = stacked(seen["pieces"])
    out = [_control(plan, at, side) for at, side in seen["control"].items() if plan.at(at)]
    for place, side in seen["flags"].items():
        if spot := plan.at(place):
            size = max(8.0, plan.size * 0.2)
            out.append(flag_mark(plan.style, side, spot[0] - plan.size * 0.54, spot[1] - plan.size * 0.1, size))
    out += [m for move in grouped(moves) for m in _arrow(plan, *move)]
    out += [m for place, pieces in stacks.items() if (spot := plan.at(place)) for m in _stack(plan, style, spot, pieces)]
    out += _signs(plan, seen["signs"])
    for place in dict.fromkeys(battles):
        if spot := plan.at(place):
            out.append(battle_mark(spot[0] + plan.size * 0.34, spot[1] + plan.size * 0.26, max(5.0, plan.size * 0.15)))
    if not plan.close:
        out += _cities(plan, style, stacks)
    if plan.window is None:
        out += _boxes(plan, style, seen, stacks)
    return [*out, bearings(plan, style, stacks), *title_bar(plan.width, TITLE, view)]


def stacked(pieces: Sequence[Piece]) -> dict[str, list[Piece]]:
    """The pieces of each place, in their order."""
    found: dict[str, list[Piece]] = {}
    for piece in pieces:
        found.setdefault(piece["place"], []).append(piece)
    return found


def off_map(plan: HexPlan, pieces: Sequence[Piece]) -> dict[str, list[Piece]]:
    """The stacks that lie in boxes."""
    return {place: found for place, found in stacked(pieces).items() if not plan.on_map(place)}


def _control(plan: HexPlan, place: str, side: str) -> Mark:
    """A hex in a side's colour: filled for the first side, an outline for the second."""
    x, y = plan.at(place) or (0, 0)
    d = path([(px - x, py - y) for px, py in plan.corners(plan.hexes[place], 0.86)])
    colour = plan.style.colours[side]
    fill = f'fill="{colour}" fill-opacity=".22"' if plan.style.first(side) else 'fill="none"'
    face = f'<path d="{d}" {fill} stroke="{colour}" stroke-opacity=".6" stroke-width="{plan.size * 0.04:.1f}"/>'
    return around(face, x, y, plan.size * 0.6)


# -- counters -------------------------------------------------------------------------------------------


def _stack(plan: HexPlan, style: Mapping[str, Any], at: Point, pieces: Sequence[Piece]) -> list[Mark]:
    """A stack: the first piece on top, the edges of others below it, and how many there are."""
    size = plan.size * (COUNTER if plan.close else FAR_COUNTER)
    shift, out = max(1.5, plan.size * SHIFT), list[Mark]()
    shown, lift = list(pieces[:LAYERS]), plan.size * 0.045
    for depth, piece in reversed(list(enumerate(shown))):
        x, y = at[0] + depth * shift, at[1] - lift - depth * shift / 2
        out.append(piece_mark(plan.style, style, piece, x, y, size, plan.close))
    if len(pieces) > 1:
        r = max(4.5, plan.size * 0.13)
        number = badge(str(len(pieces)), INK, 0, 0, r)
        out.append(around(number, at[0] - size / 2, at[1] - size / 2, r + 2))
    return out


def piece_mark(style: Style, hexes: Mapping[str, Any], piece: Piece, x: float, y: float, size: float, close: bool) -> Mark:
    """A counter, centred."""
    return around(_face(style, hexes, piece, size, close), x, y, size * 0.72 + 3)


def _face(style: Style, hexes: Mapping[str, Any], piece: Piece, size: float, close: bool) -> str:
    """Size above, sign of the arm, numbers below; far off only colours and sign."""
    side, h = piece["side"], size / 2
    fill, ink = style.unknown[side]
    if piece["known"]:
        fill, ink = NATIONS.get(piece["nation"], (fill, ink))
    dash = "" if style.first(side) else ' stroke-dasharray="4 1.6"'
    square = f'width="{size:.1f}" height="{size:.1f}" rx="{size * 0.08:.1f}"'
    out = [
        f'<rect x="{-h + 1:.1f}" y="{-h + 1:.1f}" {square} fill="#000" fill-opacity=".3"/>',
        f'<rect x="{-h:.1f}" y="{-h:.1f}" {square} fill="{fill}" stroke="{style.colours[side]}" '
        f'stroke-width="{max(1.2, size * 0.06):.1f}"{dash}/>',
    ]
    if not piece["known"]:
        out.append(text(0, size * 0.19, "?", size * 0.55, fill=ink, bold=True))
    elif not close:
        out.append(nato(piece["symbol"], -size * 0.34, -size * 0.24, size * 0.68, size * 0.48, ink))
    else:
        out.append(text(0, -size * 0.26, piece["size"], size * 0.21, fill=ink, bold=True))
        out.append(nato(piece["symbol"], -size * 0.26, -size * 0.2, size * 0.52, size * 0.32, ink))
        letters = min(size * 0.25, size * 1.4 / max(1, len(piece["numbers"])))
        out.append(text(0, size * 0.4, piece["numbers"], letters, fill=ink, bold=True))
    r = size * 0.16
    for i, key in enumerate(piece["badges"] if close else ()):
        letter, colour, _ = hexes["badges"][key]
        out.append(badge(letter, colour, h, -h + i * 2 * r, r))
    return "".join(out)


def _signs(plan: HexPlan, signs: Sequence[Sign]) -> list[Mark]:
    """Markers in words below the middle of their hex, one under the other; far off a dot."""
    out, lines = list[Mark](), dict[str, int]()
    for sign in signs:
        if spot := plan.at(sign["place"]):
            colour = plan.style.colours.get(sign["side"], "#5b1a7a")
            y = spot[1] + plan.size * 0.36 + lines.get(sign["place"], 0) * plan.size * 0.22
            lines[sign["place"]] = lines.get(sign["place"], 0) + 1
            if plan.close:
                out.append(pill_mark(spot[0], y, sign["words"], plan.size * 0.15, colour))
            else:
                dot = f'<circle r="2.6" fill="{colour}" stroke="#fff"/>'
                out.append(around(dot, spot[0] + plan.size * 0.32, y, 4))
    return out


def _cities(plan: HexPlan, style: Mapping[str, Any], stacks: Mapping[str, list[Piece]]) -> list[Mark]:
    """The names of the greatest places, where they cover fewest counters: below, above, right or left.  One that finds room
    only on another name is left out."""
    out, taken, r = list[Mark](), list[tuple[Point, float]](), plan.size
    spots = [spot for place in stacks if (spot := plan.at(place))]
    cities = plan.once("cities", lambda: [(r["hex"], name) for r in plan.rows if (name := has(r, style["towns"][0]))])
    for place, names in cities:
        name, spot = names.split(";")[0], plan.at(place)
        if spot is None:
            continue
        size = max(9.0, r * 0.45)
        half = len(name) * size * 0.33
        tries = [(0, r * 0.85), (0, -r * 0.5), (half + r * 0.5, size * 0.35), (-half - r * 0.5, size * 0.35)]
        places = [(spot[0] + dx, spot[1] + dy) for dx, dy in tries]
        free = [p for p in places if not any(abs(p[0] - q[0]) < half + w and abs(p[1] - q[1]) < size for q, w in taken)]
        if free:
            x, y = min(free, key=lambda at: sum(_under(at, half, size, s, r) for s in spots))
            taken.append(((x, y), half))
            out.append(text_mark(x, y, name, size, bold=True, halo=True))
    return out


def _under(at: Point, half: float, size: float, counter: Point, r: float) -> bool:
    """Whether words centred there (their baseline) lie over a counter."""
    return abs(at[0] - counter[0]) < half + r * 0.4 and abs(at[1] - size * 0.35 - counter[1]) < size * 0.5 + r * 0.4


# -- boxes, moves, bearings -----------------------------------------------------------------------------


def _boxes(plan: HexPlan, style: Mapping[str, Any], seen: OnMap, stacks: Mapping[str, list[Piece]]) -> list[Mark]:
    """A line for each box that holds pieces; what finds no room in it is counted."""
    out, y = list[Mark](), float(plan.boxes_at)
    for place, pieces in stacks.items():
        if plan.on_map(place):
            continue
        name = seen["boxes"].get(place, place)
        room = max(1, int((plan.width - 150) / (BOXED * 1.15)))
        frame = f'<rect x="4" y="2" width="{plan.width - 8}" height="{BOX - 4}" rx="5" fill="#eef4f6" stroke="{INK}"/>'
        out.append(placed(frame, 0, y, 0, 0, plan.width, BOX))
        out.append(text_mark(12, y + BOX / 2 + 4, name, 11, bold=True, anchor="start"))
        shown = pieces[:room] if len(pieces) <= room else pieces[: room - 1]
        for i, piece in enumerate(shown):
            out.append(piece_mark(plan.style, style, piece, 140 + BOXED * 1.15 * i, y + BOX / 2, BOXED, True))
        if len(shown) < len(pieces):
            out.append(text_mark(140 + BOXED * 1.15 * len(shown), y + BOX / 2 + 4, f"+{len(pieces) - len(shown)}", 12, bold=True))
        y += BOX
    return out


def grouped(moves: Sequence[Mapping[str, Any]]) -> list[tuple[tuple[str, ...], str, str, int]]:
    """Moves along one path together: path, mode, side, and how many pieces made them."""
    counted: dict[tuple[tuple[str, ...], str, str], int] = {}
    for move in moves:
        key = (tuple(move["path"]), move["mode"], move["side"])
        counted[key] = counted.get(key, 0) + 1
    return [(*key, number) for key, number in counted.items()]


def _arrow(plan: HexPlan, stops: Sequence[str], mode: str, side: str, number: int) -> list[Mark]:
    """A move from hex to hex; what is not shown of it is left out."""
    way = [spot for place in stops if (spot := plan.at(place))]
    if len(way) < 2 or math.dist(way[0], way[-1]) < 1:
        return []
    width = plan.size * (0.05 + 0.02 * min(number, 3))
    colour = MOVE_COLOURS.get(mode, plan.style.colours[side])
    (ax, ay), (bx, by) = way[-2:]
    short = plan.size * 0.3 / max(1.0, math.dist(way[-2], way[-1]))
    way[-1] = (bx - (bx - ax) * short, by - (by - ay) * short)
    return arrow(way, colour, width, plan.size * 0.26, plan.size / 46 if "retreat" in mode else 0)


def bearings(plan: HexPlan, style: Mapping[str, Any], stacks: Mapping[str, Any]) -> Mark:
    """North arrow and scale, in the corner with the fewest stacks."""
    hexes = max(1, round(100 / plan.size))
    long = hexes * plan.size
    wide, tall = long + 50, 46
    lefts, tops = (6.0, plan.width - 6.0 - wide), (plan.top + 6.0, plan.foot - 6.0 - tall)
    spots = [spot for place in stacks if (spot := plan.at(place))]
    reach = plan.size / 2

    def covered(corner: Point) -> int:
        x, y = corner
        return sum(x - reach < sx < x + wide + reach and y - reach < sy < y + tall + reach for sx, sy in spots)

    x, y = min([(left, top) for top in tops for left in reversed(lefts)], key=covered)
    turn = style["north"]
    tip = math.radians(turn + (30 if turn % 360 < 20 else 0))
    face = (
        f'<rect width="{wide:.1f}" height="{tall}" rx="4" fill="{PAPER}" fill-opacity=".85"/>'
        f'<path d="M0 -16l6 20l-6 -5l-6 5z" transform="translate(20 23) rotate({turn})" fill="{INK}"/>'
        + text(20 + 15 * math.sin(tip), 27 - 15 * math.cos(tip), "N", 10, bold=True)
        + f'<path d="M42 30v5h{long:.1f}v-5" fill="none" stroke="{INK}" stroke-width="1.5"/>'
        + text(42 + long / 2, 24, f"{round(hexes * style['metres'] / 1000)} km", 11)
    )
    return placed(face, x, y, 0, 0, wide, tall)
