"""What stands on a map as SVG: control, borders, names, counters, markers, boxes and moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from pbem.reports.maps.counters import (
    INK, PAPER, Style, battle_mark, counter_mark, flag_mark, pill_mark, row, star_mark, text, text_mark,
)  # fmt: skip
from pbem.reports.maps.ground import RIVER, bearings
from pbem.reports.maps.marks import Mark, around, pieces, placed, stroke
from pbem.reports.maps.plan import Plan, Point, Ring

COUNTER = 2.95
"""Size of a counter in units of the plan."""
BAR, BAR_INK, BAR_SOFT = "#2f3a3a", "#f1ead2", "#cfc8ae"
"""Of the title."""
LETTER = 0.68
"""Breadth of a bold letter as a part of its size."""
RETREAT, RESTRICTED = "#b3200c", "#5b1a7a"
LOST = ("captured", "destroyed")
"""States of a landing box that is of no more use."""
MOVE_COLOURS = {"retreat": RETREAT, "sea-retreat": RETREAT}
TRIES = 20
"""How often stacks are pushed apart, at most."""
SMALLER, SHRINKS = 0.84, 3
"""A stack for which there is no room is drawn so much smaller, so often at most."""
ASIDE = 0.8
"""A stack that was moved by more than so many counters is tied to its area with a line."""


def figures(plan: Plan, view: Mapping[str, Any], moves: Sequence[Mapping[str, Any]], battles: Sequence[str]) -> list[Mark]:
    """Everything that lies on the ground, from the lowest layer up."""
    size = plan.unit * COUNTER
    areas = [a for a in view["areas"] if a["id"] in plan.seen]
    out = [plan.once(f"control {a['id']} {a['control']}", partial(_control, plan, a)) for a in areas if a["control"]]
    for border in view["borders"]:
        if (border["river"] or border["restricted"]) and {border["a"], border["b"]} & plan.seen:
            out += plan.once(f"border {border['a']} {border['b']} {bool(border['blown'])}", partial(_boundary, plan, border))
    stacks = [_stack(plan, a, size) for a in areas]
    _settle(plan, stacks, size)
    boxes = _boxes(plan, [b for b in view["boxes"] if b["area"] in plan.areas], size, [b for s in stacks for b in s.boxes])
    places = {a: (x, y, x, y) for a, (x, y) in plan.middles.items()} | {s.area["id"]: s.around for s in stacks}
    places |= {b.box["id"]: b.edges for b in boxes}
    out += [m for b in boxes for m in _box(plan.style, b, size)]
    out += [m for move in _grouped(moves) for m in _arrow(plan, places, *move)]
    out += [m for s in stacks if s.tall and math.dist((s.x, s.y), s.home) > ASIDE * size for m in _tie(s, size)]
    out += [m for s in stacks for m in _label(plan, s, battles)]
    out += [m for s in stacks if s.tall for m in _counters(plan.style, s, size * s.scale)]
    out += bearings(plan, [*(b for s in stacks for b in s.boxes), *(b.edges for b in boxes)])
    if not plan.frame:
        out += _waiting_room(plan, [b for b in view["boxes"] if b["area"] not in plan.areas], size)
    return out + title_bar(plan.width, plan.title_height, view)


def title_bar(width: int, height: int, view: Mapping[str, Any]) -> list[Mark]:
    """Which game's map it is, when, and who sees it."""
    eyes = f"as the {view['side'].capitalize()} side sees it" if view["side"] else "as everybody sees it"
    phase = f"{view['player'].capitalize()} {view['phase'].replace('-', ' ')}".strip()
    when, size = f"{view['title']}, turn {view['turn']}", 16 if width > 850 else 14
    room = (width - 36) / size / LETTER
    if phase and len(when) + len(phase) + len(eyes) < room:
        when += f", {phase}"
    elif len(when) + len(eyes) > room:
        eyes = ""
    return [
        placed(f'<rect width="{width}" height="{height}" fill="{BAR}"/>', 0, 0, 0, 0, width, height),
        text_mark(12, 23, when, size, fill=BAR_INK, bold=True, anchor="start"),
        text_mark(width - 12, 23, eyes, size - 3, fill=BAR_SOFT, anchor="end"),
    ]


# -- areas and borders ----------------------------------------------------------------------------------


def _control(plan: Plan, area: Mapping[str, Any]) -> Mark:
    """A band inside the outline: broad for the first side, narrow for the second."""
    side = area["control"]
    broad = plan.unit * (0.34 if plan.style.first(side) else 0.16)
    paint = f'fill="none" stroke="{plan.style.colours[side]}" stroke-width="{broad:.1f}"'
    return stroke([plan.bands[area["id"]]], paint, broad + 2, close=True)


def _boundary(plan: Plan, border: Mapping[str, Any]) -> list[Mark]:
    """A river with its bridge, or the teeth of a restricted boundary (14.1)."""
    a, b = border["a"], border["b"]
    broad = plan.unit / 3 if border["river"] else plan.unit * 0.5
    teeth = f'stroke="{RESTRICTED}" stroke-dasharray="{plan.unit / 6:.1f} {plan.unit / 4:.1f}"'
    style = f'stroke="{RIVER}" stroke-linecap="round"' if border["river"] else teeth
    lines = plan.border(a, b)
    out = [stroke(lines, f'fill="none" {style} stroke-width="{broad:.1f}" stroke-linejoin="round"', broad)] if lines else []
    return out + [_bridge(plan, a, b)] * bool(border["river"]) + [_blown(plan, a, b)] * bool(border["blown"])


def _bridge(plan: Plan, a: str, b: str) -> Mark:
    """Two rails across the river, in the direction from one area to the other."""
    (x, y), (ax, ay), (bx, by) = plan.crossing(a, b), plan.middles[a], plan.middles[b]
    turn = math.degrees(math.atan2(by - ay, bx - ax))
    face = (
        f'<g transform="rotate({turn:.1f}) scale({plan.unit / 13.5:.2f})">'
        f'<rect x="-8" y="-4.5" width="16" height="9" fill="#f7efd8"/>'
        f'<path d="M-9 -5h18M-9 5h18" stroke="{INK}" stroke-width="2"/></g>'
    )
    return around(face, x, y, plan.unit)


def _blown(plan: Plan, a: str, b: str) -> Mark:
    (x, y), r = plan.crossing(a, b), plan.unit * 0.66
    cross = f"M{-r:.1f} {-r:.1f}l{2 * r:.1f} {2 * r:.1f}M{r:.1f} {-r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
    face = (
        f'<path d="{cross}" stroke="#fff" stroke-width="{r * 0.8:.1f}"/>'
        f'<path d="{cross}" stroke="#c2180a" stroke-width="{r * 0.45:.1f}"/>'
    )
    return around(face, x, y, r * 1.4 + 1)


# -- stacks ---------------------------------------------------------------------------------------------


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass
class _Stack:
    """An area's counters and markers: ``x``, ``y`` the middle of their top edge, ``half`` their half width; ``home``
    where that would be if there were room; ``label``: left, top, right and bottom of the area's name; ``at``: baseline
    of its first line; ``scale``: how much smaller than usual it is drawn."""

    area: Mapping[str, Any]
    rows: tuple[str, ...]
    markers: list[tuple[str, str]]
    half: float
    tall: float
    home: Point
    at: Point
    label: Box
    scale: float = 1.0
    x: float = field(init=False)
    y: float = field(init=False)

    def __post_init__(self) -> None:
        self.x, self.y = self.home

    @property
    def box(self) -> Box:
        """Left, top, right, bottom."""
        return self.x - self.half, self.y, self.x + self.half, self.y + self.tall

    def off(self, other: _Stack) -> Point | None:
        """The shortest way by which it gets off another one."""
        if abs(self.x - other.x) >= self.half + other.half or self.y >= other.y + other.tall or other.y >= self.y + self.tall:
            return None
        return _apart(self.box, other.box)

    def off_name(self, other: _Stack) -> Point | None:
        """The shortest way by which it gets off an area's name."""
        left, top, right, bottom = other.label
        if self.x - self.half >= right or self.x + self.half <= left or self.y >= bottom or self.y + self.tall <= top:
            return None
        return _apart(self.box, other.label)

    def shrink(self) -> None:
        """Smaller, and back to where it belongs."""
        self.scale, self.half, self.tall = self.scale * SMALLER, self.half * SMALLER, self.tall * SMALLER
        self.x, self.y = self.home

    @property
    def boxes(self) -> list[Box]:
        """What it covers: the name, and the counters if there are any."""
        return [self.label, self.box] if self.tall else [self.label]

    @property
    def around(self) -> Box:
        """What an arrow must not cover: the name, and the counters if they stand below it."""
        boxes = [self.label, self.box] if self.tall and math.dist((self.x, self.y), self.home) < self.half else [self.label]
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)


def _stack(plan: Plan, area: Mapping[str, Any], size: float) -> _Stack:
    """Label, counters (those of the first side above) and markers in words, around the area's middle."""
    (x, y), line = plan.middles[area["id"]], plan.unit
    rows = tuple(s for s in plan.style.sides if area["blocks"][s])
    markers, parts = _markers(plan.style, area), lines_of(area["name"])
    name = line * (1 + 0.95 * len(parts))
    tall = size * (1.1 * len(rows) + 0.44 * len(markers))
    top = y - (name + tall) / 2
    widest = max([len(area["blocks"][s]) for s in rows], default=0)
    pills = max([len(words) * size * 0.155 + size * 0.25 for words, _ in markers], default=0)
    half = max(widest * size * 0.57, pills / 2)
    wide = max(max(map(len, parts)) * line * 0.28, line * 2.2)
    label = (x - wide, top, x + wide, top + name)
    return _Stack(area, rows, markers, half, tall, (x, top + name + line * 0.4), (x, top + line), label)


def _settle(plan: Plan, stacks: Sequence[_Stack], size: float) -> None:
    """Find every stack a place; those that find none are made smaller."""
    _spread(plan, stacks, size)
    for _ in range(SHRINKS):
        tight = [s for s in stacks if s.tall and _framed(plan, s.home) and _covers(s, stacks)]
        if not tight:
            return
        for stack in tight:
            stack.shrink()
        _spread(plan, stacks, size)


def _covers(stack: _Stack, stacks: Sequence[_Stack]) -> bool:
    """Whether a stack lies on a name or on another stack."""
    return any(stack.off_name(s) or (s is not stack and s.tall and stack.off(s)) for s in stacks)


def _spread(plan: Plan, stacks: Sequence[_Stack], size: float) -> None:
    """Push stacks off each other and off the names of other areas, as far as there is room."""
    full = [s for s in stacks if s.tall and _framed(plan, s.home)]
    pairs = [(s, t) for i, s in enumerate(full) for t in full[i + 1 :] if _near(s, t, size)]
    names = [(s, t) for s in full for t in stacks if _near(s, t, size)]
    for _ in range(TRIES):
        moved = False
        for s, t in pairs:
            if shift := s.off(t):
                s.x, s.y, t.x, t.y = s.x + shift[0] / 2, s.y + shift[1] / 2, t.x - shift[0] / 2, t.y - shift[1] / 2
                moved = True
        for s, t in names:
            if shift := s.off_name(t):
                s.x, s.y = s.x + shift[0], s.y + shift[1]
                moved = True
        if not moved:
            return
        for s in full:
            s.x = min(max(s.x, s.half + 3), plan.width - s.half - 3)
            s.y = min(max(s.y, plan.title_height + 3), plan.foot - s.tall - 3)


def _near(s: _Stack, t: _Stack, size: float) -> bool:
    """Whether the counters of an area may come upon those of another or upon its name."""
    room = 2 * size
    return abs(s.home[0] - t.home[0]) < s.half + t.half + room and abs(s.home[1] - t.home[1]) < s.tall + t.tall + room


def _framed(plan: Plan, point: Point) -> bool:
    return 0 < point[0] < plan.width and plan.title_height < point[1] < plan.foot


def _apart(a: Box, b: Box) -> Point | None:
    """The shortest way by which ``a`` gets off ``b``; None if they do not overlap."""
    right, left, down, up = b[2] - a[0], a[2] - b[0], b[3] - a[1], a[3] - b[1]
    if min(right, left, down, up) <= 0.5:
        return None
    least = min(right, left, down, up)
    return (right, 0) if least == right else (-left, 0) if least == left else (0, down) if least == down else (0, -up)


def _tie(stack: _Stack, size: float) -> list[Mark]:
    """A line from a stack that was moved aside to its area."""
    foot, dot = stack.at, f'<circle r="{size * 0.09:.1f}" fill="{INK}"/>'
    return [*_line([foot, (stack.x, stack.y + stack.tall / 2)], INK, 1.6), around(dot, *foot, size * 0.1 + 1)]


def _line(line: Ring, colour: str, width: float, dash: float = 0, gap: float = 0) -> list[Mark]:
    paint = f'stroke="{colour}" stroke-width="{width:.1f}"' + ('' if dash else ' stroke-linecap="round"')
    return [stroke([piece], paint, width / 2 + 1) for piece in pieces(line, dash, gap)]


def _counters(style: Style, stack: _Stack, size: float) -> list[Mark]:
    x, y, out = stack.x, stack.y, list[Mark]()
    for side in stack.rows:
        out += row(style, stack.area["blocks"][side], x, y + size / 2, size)
        y += size * 1.1
    for words, colour in stack.markers:
        out.append(pill_mark(x, y + size * 0.22, words, size * 0.25, colour))
        y += size * 0.44
    return out


def _markers(style: Style, area: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [("contested", "#b3200c")] if area["contested"] else []
    found += [("works", style.colours[area["works"]])] if area["works"] else []
    found += [("roadblock", style.colours[area["roadblock"]])] if area["roadblock"] else []
    found += [(f"{area['assault']} assault", "#5b1a7a")] if area["assault"] and area["contested"] else []
    found += [(f"{c['id']} {c['use']}".strip(), style.colours[c["side"]]) for c in area["assets"]]
    return found + [("no supply", "#5b1a7a")] * (area["control"] in area["unsupplied"])


def _label(plan: Plan, stack: _Stack, battles: Sequence[str]) -> list[Mark]:
    """Number, name, flag of who controls it, victory points, what the ground is like, and whether there was a battle."""
    size, area, (x, y) = plan.unit, stack.area, stack.at
    signs = "▲" * area["tdn"] + ("✈" if area["airfield"] else "") + ("⚓" if area["port"] else "")
    left, name = -size * 0.45 * len(area["id"]), lines_of(area["name"])
    half, tall = max(map(len, name)) * size * 0.28 + 3, size * (0.95 * len(name) + 0.2)
    plate = f'x="{-half:.1f}" y="{-size * 0.95:.1f}" width="{2 * half:.1f}" height="{size * 1.07 + tall:.1f}"'
    face = f'<rect {plate} rx="4" fill="{PAPER}" fill-opacity=".7"/>'
    face += text(0, 0, area["id"], size * 1.15, fill="#7a1f12", bold=True)
    face += "".join(text(0, size * (1 + 0.95 * i), part, size * 0.92) for i, part in enumerate(name))
    right = -left + size * 0.3
    if signs:
        face += text(right, 0, signs, size * 0.8, fill="#5b4a33", anchor="start")
        right += len(signs) * size * 0.75
    reach = max(half, right) + size
    out = [placed(face, x, y, -reach, -size * 1.3, reach, size * 0.3 + tall)]
    if area["id"] in battles:
        out.append(battle_mark(x + right + size * 0.75, y - size * 0.4, size * 0.72))
    if area["vp"]:
        out.append(star_mark(x + left - size * 1.1, y - size * 0.38, size * 0.95, str(area["vp"])))
        left -= size * 2
    if area["control"]:
        out.append(flag_mark(plan.style, area["control"], x + left - size * 1.2, y - size * 0.95, size * 0.95))
    return out


def lines_of(name: str) -> list[str]:
    """A long name in two lines."""
    words = name.split()
    if len(name) < 13 or len(words) == 1:
        return [name]
    half = (len(words) + 1) // 2
    return [" ".join(words[:half]), " ".join(words[half:])]


# -- boxes ----------------------------------------------------------------------------------------------


@dataclass
class _Box:
    """A landing box or port box: what is in it, its words, what it covers, and the shore that it belongs to."""

    box: Mapping[str, Any]
    words: str
    edges: Box
    shore: Point

    @property
    def blocks(self) -> list[Mapping[str, Any]]:
        """Who waits in it."""
        return [b for blocks in self.box["blocks"].values() for b in blocks]


def _boxes(plan: Plan, boxes: Sequence[Mapping[str, Any]], size: float, taken: Sequence[Box]) -> list[_Box]:
    """The landing boxes and port boxes, each out at sea before its area and clear of all else, if there is room."""
    covered, out = list(taken), []
    for box in boxes:
        shore = plan.coast(box["area"])
        if shore is None or (plan.frame and not _framed(plan, shore)):
            continue
        found = _Box(box, _box_words(box), (0, 0, 0, 0), shore)
        half = max(0.62, 0.57 * len(found.blocks), 0.1 * len(found.words)) * size
        tall = size * (1.75 if found.blocks else 0.6)
        tries = [_edges(plan, at, half, tall) for at in plan.offshore(box["area"])] or [_edges(plan, shore, half, tall)]
        found.edges = next((e for e in tries if not any(_apart(e, other) for other in covered)), tries[0])
        covered.append(found.edges)
        out.append(found)
    return out


def _edges(plan: Plan, at: Point, half: float, tall: float) -> Box:
    """A box of that size around a point, within the paper."""
    x = max(half + 4, min(plan.width - half - 4, at[0]))
    y = max(plan.title_height + 4.0, min(plan.foot - tall - 4, at[1] - tall / 2))
    return x - half, y, x + half, y + tall


def _box_words(box: Mapping[str, Any]) -> str:
    """'B3', 'D5 destroyed', 'P1 damage 2'."""
    lost = f" {box['status']}" if box["status"] in LOST else ""
    return f"{box['id']}{lost}" + (f" damage {box['damage']}" if box["damage"] else "")


def _box(style: Style, box: _Box, size: float) -> list[Mark]:
    """A box, tied to its shore; one that is lost is crossed out."""
    left, top, right, bottom = box.edges
    colour = style.colours[style.sides[0]]
    half, tall, x = (right - left) / 2, bottom - top, (left + right) / 2
    frame = (
        f'<rect x="{-half:.1f}" y="0" width="{2 * half:.1f}" height="{tall:.1f}" rx="5" fill="#eef4f6" '
        f'stroke="{colour}" stroke-width="1.5"/>'
    )
    if box.box["status"] in LOST:
        frame += f'<path d="M{-half:.1f} 0l{2 * half:.1f} {tall:.1f}" stroke="#c2180a" stroke-width="3"/>'
    face = frame + text(0, size * 0.4, box.words, size * 0.3, bold=True)
    tie = _line([box.shore, (x, top + tall / 2)], colour, 1.5)
    dot = around(f'<circle r="{size * 0.1:.1f}" fill="{colour}" stroke="#fff"/>', *box.shore, size * 0.1 + 2)
    body = placed(face, x, top, -half - 3, -3, half + 3, tall + 3)
    return [*tie, dot, body, *row(style, box.blocks, x, top + size * 1.08, size * 0.92)]


def _waiting_room(plan: Plan, boxes: Sequence[Mapping[str, Any]], size: float) -> list[Mark]:
    """The At Sea box and the Airborne Assault box, in the lower left corner."""
    out, y = list[Mark](), plan.foot - size * 1.1
    for box in boxes:
        blocks = [b for found in box["blocks"].values() for b in found]
        words = box["name"] + (f", damage {box['damage']}" if box["damage"] else "")
        if blocks:
            out.append(text_mark(12, y - size * 0.62, words, size * 0.32, bold=True, anchor="start", halo=True))
            out += [counter_mark(plan.style, b, 12 + size * (0.5 + 1.14 * i), y, size) for i, b in enumerate(blocks)]
            y -= size * 1.9
    return out


# -- moves ----------------------------------------------------------------------------------------------


def _grouped(moves: Sequence[Mapping[str, Any]]) -> list[tuple[tuple[str, ...], str, str, int]]:
    """Moves along one path together: path, mode, side, and how many blocks made them."""
    counted: dict[tuple[tuple[str, ...], str, str], int] = {}
    for move in moves:
        key = (tuple(move["path"]), move["mode"], move["side"])
        counted[key] = counted.get(key, 0) + 1
    return [(*key, number) for key, number in counted.items()]


def _arrow(
    plan: Plan, places: Mapping[str, Box], stops: Sequence[str], mode: str, side: str, number: int
) -> list[Mark]:
    """A move, from beside one area's name and counters (or a landing box) to beside those of another; what begins or ends
    off the map is left out."""
    inside = [p for p in stops if p in places]
    if len(inside) < 2:
        return []
    way: Ring = [_centre(places[p]) for p in inside]
    width, s = plan.unit * (0.26 + 0.1 * min(number, 3)), plan.unit / 13.5
    start = _leave(way[0], way[1], places[inside[0]], 2)
    point = _leave(way[-1], way[-2], places[inside[-1]], 3)
    head = 13 * s * (1 + 0.15 * min(number, 3))
    if len(way) == 2 and math.dist(start, way[0]) + math.dist(point, way[1]) + head > math.dist(*way):
        start, point = _part(way[0], way[1], 0.3), _part(way[0], way[1], 0.72)
    colour = MOVE_COLOURS.get(mode, plan.style.colours[side])
    return arrow([start, *way[1:-1], point], colour, width, head, s if mode in MOVE_COLOURS else 0)


def arrow(way: Ring, colour: str, width: float, head: float, dashes: float = 0) -> list[Mark]:
    """An arrow along a way, ``head`` pixels its point; ``dashes``: the scale of the dashes, 0 for none."""
    (ax, ay), (bx, by) = way[-2:]
    turn = math.atan2(by - ay, bx - ax)
    line = [*way[:-1], (bx - head * 0.8 * math.cos(turn), by - head * 0.8 * math.sin(turn))]
    point = (
        f'<path d="M0 0l-13 -7v14z" transform="rotate({math.degrees(turn):.0f}) scale({head / 13:.2f})" fill="{colour}" '
        f'stroke="{PAPER}" stroke-width="1"/>'
    )
    shaft = _line(line, colour, width, 7 * dashes, 4 * dashes)
    return [*_line(line, PAPER, width + 2.4), *shaft, around(point, bx, by, head * 1.3 + 1)]


def _centre(box: Box) -> Point:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def _part(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _leave(a: Point, b: Point, box: Box, margin: float) -> Point:
    """Where the way from ``a``, the middle of ``box``, to ``b`` leaves the box."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    across = ((box[2] - box[0]) / 2 + margin) / abs(dx) if dx else math.inf
    down = ((box[3] - box[1]) / 2 + margin) / abs(dy) if dy else math.inf
    return _part(a, b, min(across, down, 1.0))
