"""What stands on a map as SVG: control, borders, names, counters, markers, boxes and moves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.reports.maps.counters import INK, PAPER, SIDE_COLOURS, battle_sign, counter, flag, pill, row, text
from pbem.reports.maps.ground import RIVER, path
from pbem.reports.maps.plan import Plan, Point, Ring

COUNTER = 2.95
"""Size of a counter in units of the plan."""
BAR, BAR_INK = "#2f3a3a", "#f1ead2"
"""Of the title."""
RETREAT = "#b3200c"
LOST = ("captured", "destroyed")
"""States of a landing box that is of no more use."""
MOVE_COLOURS = {"retreat": RETREAT, "sea-retreat": RETREAT}
TRIES = 60
"""How often stacks are pushed apart, at most."""
SMALLER, SHRINKS = 0.84, 3
"""A stack for which there is no room is drawn so much smaller, so often at most."""
ASIDE = 0.8
"""A stack that was moved by more than so many counters is tied to its area with a line."""


def figures(plan: Plan, view: Mapping[str, Any], moves: Sequence[Mapping[str, Any]], battles: Sequence[str]) -> str:
    """Everything that lies on the ground, from the lowest layer up."""
    size = plan.unit * COUNTER
    areas = [a for a in view["areas"] if a["id"] in plan.seen]
    out = [_control(plan, a) for a in areas if a["control"]]
    out += [_boundary(plan, b) for b in view["borders"] if (b["river"] or b["restricted"]) and {b["a"], b["b"]} & plan.seen]
    out += _boxes(plan, [b for b in view["boxes"] if b["area"] in plan.areas], size)
    stacks = [_stack(plan, a, size) for a in areas]
    _settle(plan, stacks, size)
    places = {a: (x, y, x, y) for a, (x, y) in plan.middles.items()} | {s.area["id"]: s.around for s in stacks}
    out += [_arrow(plan, places, *m) for m in _grouped(moves)]
    out += [_tie(plan, s, size) for s in stacks if math.dist((s.x, s.y), s.home) > ASIDE * size]
    out += [_label(plan, s, battles) for s in stacks]
    out += [_counters(s, size * s.scale) for s in stacks if s.tall]
    if not plan.frame:
        out.append(_waiting_room(plan, [b for b in view["boxes"] if b["area"] not in plan.areas], size))
    return "".join(out) + _title(plan, view)


def _title(plan: Plan, view: Mapping[str, Any]) -> str:
    eyes = {"allied": "as the Allies see it", "axis": "as the Axis sees it"}.get(view["side"], "as everybody sees it")
    phase = f"{view['player'].capitalize()} {view['phase'].replace('-', ' ')}".strip()
    when = f"{view['title']}, turn {view['turn']}" + (f", {phase}" if phase else "")
    size = 16 if plan.width > 850 else 14
    bar = f'<rect width="{plan.width}" height="{plan.title_height}" fill="{BAR}"/>'
    return bar + text(12, 23, when, size, fill=BAR_INK, bold=True, anchor="start") + text(
        plan.width - 12, 23, eyes, size - 3, fill="#cfc8ae", anchor="end"
    )


# -- areas and borders ----------------------------------------------------------------------------------


def _control(plan: Plan, area: Mapping[str, Any]) -> str:
    """A band inside the outline: broad Allied, narrow Axis."""
    side = area["control"]
    broad = plan.unit * (0.34 if side == "allied" else 0.16)
    stroke = f'stroke="{SIDE_COLOURS[side]}" stroke-width="{broad:.1f}"'
    return f'<path d="{path(plan.bands[area["id"]])}" fill="none" {stroke}/>'


def _boundary(plan: Plan, border: Mapping[str, Any]) -> str:
    """A river with its bridge, or the teeth of a restricted boundary (14.1)."""
    a, b = border["a"], border["b"]
    river = f'stroke="{RIVER}" stroke-width="{plan.unit / 3:.1f}"'
    teeth = f'stroke="#7a5230" stroke-width="{plan.unit * 0.5:.1f}" stroke-dasharray="{plan.unit / 6:.1f} {plan.unit / 4:.1f}"'
    style = f'{river} stroke-linecap="round"' if border["river"] else teeth
    lines = "".join(
        f'<path d="{path(line, False)}" fill="none" {style} stroke-linejoin="round"/>'
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


def _blown(plan: Plan, a: str, b: str) -> str:
    (x, y), r = plan.crossing(a, b), plan.unit * 0.66
    cross = f"M{x - r:.1f} {y - r:.1f}l{2 * r:.1f} {2 * r:.1f}M{x + r:.1f} {y - r:.1f}l{-2 * r:.1f} {2 * r:.1f}"
    return (
        f'<path d="{cross}" stroke="#fff" stroke-width="{r * 0.8:.1f}"/>'
        f'<path d="{cross}" stroke="#c2180a" stroke-width="{r * 0.45:.1f}"/>'
    )


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

    def shrink(self) -> None:
        """Smaller, and back to where it belongs."""
        self.scale, self.half, self.tall = self.scale * SMALLER, self.half * SMALLER, self.tall * SMALLER
        self.x, self.y = self.home

    @property
    def around(self) -> Box:
        """What an arrow must not cover: the name, and the counters if they stand below it."""
        boxes = [self.label, self.box] if self.tall and math.dist((self.x, self.y), self.home) < self.half else [self.label]
        left, top, right, bottom = zip(*boxes, strict=True)
        return min(left), min(top), max(right), max(bottom)


def _stack(plan: Plan, area: Mapping[str, Any], size: float) -> _Stack:
    """Label, counters (Allied row first) and markers in words, around the area's middle."""
    (x, y), line = plan.middles[area["id"]], plan.unit
    rows = tuple(s for s in ("allied", "axis") if area["blocks"][s])
    markers, parts = _markers(area), lines_of(area["name"])
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
    return any(_apart(stack.box, s.label) or (s is not stack and s.tall and _apart(stack.box, s.box)) for s in stacks)


def _spread(plan: Plan, stacks: Sequence[_Stack], size: float) -> None:
    """Push stacks off each other and off the names of other areas, as far as there is room."""
    full = [s for s in stacks if s.tall]
    reach = max([s.tall + 2 * s.half for s in full], default=0) + size
    pairs = [(s, t) for i, s in enumerate(full) for t in full[i + 1 :] if math.dist(s.home, t.home) < reach]
    names = [(s, t.label) for s in full for t in stacks if math.dist(s.home, t.home) < reach]
    for _ in range(TRIES):
        moved = False
        for s, t in pairs:
            if shift := _apart(s.box, t.box):
                s.x, s.y, t.x, t.y = s.x + shift[0] / 2, s.y + shift[1] / 2, t.x - shift[0] / 2, t.y - shift[1] / 2
                moved = True
        for s, label in names:
            if shift := _apart(s.box, label):
                s.x, s.y = s.x + shift[0], s.y + shift[1]
                moved = True
        for s in full:
            s.x = min(max(s.x, s.half + 3), plan.width - s.half - 3) if _framed(plan, s.home) else s.x
            s.y = min(max(s.y, plan.title_height + 3), plan.foot - s.tall - 3) if _framed(plan, s.home) else s.y
        if not moved:
            return


def _framed(plan: Plan, point: Point) -> bool:
    return 0 < point[0] < plan.width and plan.title_height < point[1] < plan.foot


def _apart(a: Box, b: Box) -> Point | None:
    """The shortest way by which ``a`` gets off ``b``; None if they do not overlap."""
    right, left, down, up = b[2] - a[0], a[2] - b[0], b[3] - a[1], a[3] - b[1]
    if min(right, left, down, up) <= 0.5:
        return None
    least = min(right, left, down, up)
    return (right, 0) if least == right else (-left, 0) if least == left else (0, down) if least == down else (0, -up)


def _tie(plan: Plan, stack: _Stack, size: float) -> str:
    """A line from a stack that was moved aside to its area."""
    if not stack.tall:
        return ""
    (x, y), to = stack.at, (stack.x, stack.y + stack.tall / 2)
    return (
        f'<path d="M{x:.1f} {y:.1f}L{to[0]:.1f} {to[1]:.1f}" stroke="{INK}" stroke-width="1.6"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size * 0.09:.1f}" fill="{INK}"/>'
    )


def _counters(stack: _Stack, size: float) -> str:
    x, y, out = stack.x, stack.y, []
    for side in stack.rows:
        out.append(row(stack.area["blocks"][side], x, y + size / 2, size))
        y += size * 1.1
    for words, colour in stack.markers:
        out.append(pill(x, y + size * 0.22, words, size * 0.25, colour))
        y += size * 0.44
    return "".join(out)


def _markers(area: Mapping[str, Any]) -> list[tuple[str, str]]:
    found = [("contested", "#b3200c")] if area["contested"] else []
    found += [("works", SIDE_COLOURS[area["works"]])] if area["works"] else []
    found += [("roadblock", SIDE_COLOURS[area["roadblock"]])] if area["roadblock"] else []
    found += [(f"{area['assault']} assault", "#5b1a7a")] if area["assault"] else []
    found += [(f"{c['id']} {c['use']}".strip(), SIDE_COLOURS[c["side"]]) for c in area["assets"]]
    return found + [("no supply", "#5b1a7a")] * (area["control"] in area["unsupplied"])


def _label(plan: Plan, stack: _Stack, battles: Sequence[str]) -> str:
    """Number, name, flag of who controls it, victory points, what the ground is like, and whether there was a battle."""
    size, area, (x, y) = plan.unit, stack.area, stack.at
    signs = "▲" * area["tdn"] + ("✈" if area["airfield"] else "") + ("⚓" if area["port"] else "")
    left, name = x - size * 0.45 * len(area["id"]), lines_of(area["name"])
    half, tall = max(map(len, name)) * size * 0.28 + 3, size * (0.95 * len(name) + 0.2)
    plate = f'x="{x - half:.1f}" y="{y + size * 0.12:.1f}" width="{2 * half:.1f}" height="{tall:.1f}"'
    out = f'<rect {plate} rx="4" fill="{PAPER}" fill-opacity=".6"/>'
    out += text(x, y, area["id"], size * 1.15, fill="#7a1f12", bold=True)
    out += "".join(text(x, y + size * (1 + 0.95 * i), part, size * 0.92) for i, part in enumerate(name))
    right = 2 * x - left + size * 0.3
    if signs:
        out += text(right, y, signs, size * 0.8, fill="#5b4a33", anchor="start")
        right += len(signs) * size * 0.75
    if area["id"] in battles:
        out += battle_sign(right + size * 0.75, y - size * 0.4, size * 0.72)
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
    return f'<path d="{path(points)}" fill="#f2c230" stroke="#4a3b10" stroke-width=".8"/>' + text(
        x, y + r * 0.3, words, r * 0.85, bold=True
    )


# -- boxes ----------------------------------------------------------------------------------------------


def _boxes(plan: Plan, boxes: Sequence[Mapping[str, Any]], size: float) -> list[str]:
    """The landing boxes and port boxes, each out at sea before its area and clear of the others."""
    taken: list[Box] = []
    out = []
    for box in boxes:
        at = plan.seaward(box["area"], size * 1.5)
        if at is None or not _framed(plan, at) and plan.frame:
            continue
        blocks = [*box["blocks"]["allied"], *box["blocks"]["axis"]]
        words = _box_words(box)
        half, tall = max(0.62, 0.57 * len(blocks), 0.1 * len(words)) * size, size * (1.75 if blocks else 0.6)
        x = max(half + 4, min(plan.width - half - 4, at[0]))
        y = max(plan.title_height + 4.0, min(plan.foot - tall - 4, at[1] - size * 0.4))
        while any(abs(x - tx) < half + th and y < ty + tt + 3 and ty < y + tall + 3 for tx, ty, th, tt in taken):
            y += 4
        taken.append((x, y, half, tall))
        out.append(_box(box, words, blocks, x, y, half, tall, size))
    return out


def _box_words(box: Mapping[str, Any]) -> str:
    """'B3', 'D5 destroyed', 'P1 damage 2'."""
    lost = f" {box['status']}" if box["status"] in LOST else ""
    return f"{box['id']}{lost}" + (f" damage {box['damage']}" if box["damage"] else "")


def _box(
    box: Mapping[str, Any], words: str, blocks: Sequence[Mapping[str, Any]], x: float, y: float, half: float, tall: float,
    size: float,
) -> str:
    """A box with its top edge's middle at x, y; one that is lost is crossed out."""
    lost = box["status"] in LOST
    frame = (
        f'<rect x="{x - half:.1f}" y="{y:.1f}" width="{2 * half:.1f}" height="{tall:.1f}" rx="5" fill="#eef4f6" '
        f'stroke="{SIDE_COLOURS["allied"]}" stroke-width="1.5"/>'
    )
    cross = f'<path d="M{x - half:.1f} {y:.1f}l{2 * half:.1f} {tall:.1f}" stroke="#c2180a" stroke-width="3"/>' if lost else ""
    return frame + cross + text(x, y + size * 0.4, words, size * 0.3, bold=True) + row(blocks, x, y + size * 1.08, size * 0.92)


def _waiting_room(plan: Plan, boxes: Sequence[Mapping[str, Any]], size: float) -> str:
    """The At Sea box and the Airborne Assault box, in the lower left corner."""
    out, y = [], plan.foot - size * 1.1
    for box in boxes:
        blocks = [*box["blocks"]["allied"], *box["blocks"]["axis"]]
        words = box["name"] + (f", damage {box['damage']}" if box["damage"] else "")
        if blocks:
            out.append(text(12, y - size * 0.62, words, size * 0.32, bold=True, anchor="start", halo=True))
            out.append("".join(counter(b, 12 + size * (0.5 + 1.14 * i), y, size) for i, b in enumerate(blocks)))
            y -= size * 1.9
    return "".join(out)


# -- moves ----------------------------------------------------------------------------------------------


def _grouped(moves: Sequence[Mapping[str, Any]]) -> list[tuple[tuple[str, ...], str, str, int]]:
    """Moves along one path together: path, mode, side, and how many blocks made them."""
    counted: dict[tuple[tuple[str, ...], str, str], int] = {}
    for move in moves:
        key = (tuple(move["path"]), move["mode"], move["side"])
        counted[key] = counted.get(key, 0) + 1
    return [(*key, number) for key, number in counted.items()]


def _arrow(plan: Plan, places: Mapping[str, Box], stops: Sequence[str], mode: str, side: str, number: int) -> str:
    """A move, from beside one area's name and counters to beside those of another; what begins or ends off the map is
    left out."""
    inside = [p for p in stops if p in plan.middles]
    if len(inside) < 2:
        return ""
    way: Ring = [_centre(places[p]) for p in inside]
    width, s = plan.unit * (0.26 + 0.1 * min(number, 3)), plan.unit / 13.5
    head = 13 * s * (1 + 0.15 * min(number, 3))
    start = _leave(way[0], way[1], places[inside[0]], 2)
    point = _leave(way[-1], way[-2], places[inside[-1]], 3)
    if len(way) == 2 and math.dist(start, way[0]) + math.dist(point, way[1]) + head > math.dist(*way):
        start, point = _part(way[0], way[1], 0.3), _part(way[0], way[1], 0.72)
    (ax, ay), (bx, by) = way[-2] if len(way) > 2 else start, point
    turn = math.atan2(by - ay, bx - ax)
    tip = (bx - head * 0.8 * math.cos(turn), by - head * 0.8 * math.sin(turn))
    line = path([start, *way[1:-1], tip], False)
    colour = MOVE_COLOURS.get(mode, SIDE_COLOURS[side])
    dash = f' stroke-dasharray="{7 * s:.1f} {4 * s:.1f}"' if mode in MOVE_COLOURS else ""
    return (
        f'<path d="{line}" fill="none" stroke="{PAPER}" stroke-width="{width + 2.4:.1f}" stroke-linejoin="round"/>'
        f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="{width:.1f}" stroke-linejoin="round"{dash}/>'
        f'<path d="M0 0l-13 -7v14z" transform="translate({bx:.1f} {by:.1f}) rotate({math.degrees(turn):.1f}) '
        f'scale({head / 13:.2f})" fill="{colour}" stroke="{PAPER}" stroke-width="1"/>'
    )


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
