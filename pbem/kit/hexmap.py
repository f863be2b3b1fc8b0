"""A map of hexes, frozen from the rows of its data files: ground, hexsides, boxes off the map, names of places.

A place is a string: a hex by its canonical id ('2407', 'B5.32') or a box by its name ('Tunis').  ``near`` gives the places
next to one, as areas do, so that the searches serve both.  A road, a river or a ridge belongs to the hexside between two
hexes, not to the hex: 'on a road' is a hex with a road over one of its sides, 'by road' a step over such a side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.kit.grid import BadHex, Grid, Hex, distance, hexside

SEA = "sea"
"""The terrain of hexes without land, and the feature of hexsides that cannot be crossed on foot."""

LINKS = ("road", "rail")
"""Features that join two hexes by land."""

PROVENANCE = ("source", "status", "file", "line")
"""Columns that say where a row comes from."""

Row = Mapping[str, Any]
_NONE: Mapping[str, str] = MappingProxyType({})


class Ground(NamedTuple):
    """A hex: its terrain, and all that its row says besides (a column that says nothing is '')."""

    id: str
    terrain: str
    features: Mapping[str, str]

    @property
    def land(self) -> bool:
        """Whether units can stand there."""
        return self.terrain != SEA

    def get(self, column: str) -> str:
        """What the row says in a column; '' for nothing, for '0' and for 'no'."""
        return self.features.get(column, "")


class Box(NamedTuple):
    """A place off the map, and the places one gets to from it, in the order of its row."""

    id: str
    connects: tuple[str, ...]
    features: Mapping[str, str]


@dataclass(frozen=True)
class HexMap:
    """See the module.  ``sides``: what lies on a hexside, by :func:`pbem.kit.grid.hexside`; plain hexsides are not in it.
    ``names``: places by name, folded to lower case; a city may have several hexes."""

    grid: Grid
    hexes: Mapping[str, Ground]
    sides: Mapping[str, Mapping[str, str]]
    boxes: Mapping[str, Box]
    names: Mapping[str, tuple[str, ...]]

    def near(self, place: str) -> tuple[str, ...]:
        """The places next to one: of a hex the hexes around, clockwise from hexside 1, then its boxes."""
        return self._near[place]

    def at(self, hex_id: str) -> Hex:
        """The coordinates of a hex; KeyError for a box."""
        return self._at[hex_id]

    def side(self, a: str, b: str) -> Mapping[str, str]:
        """What lies on the hexside between two hexes, in either order; empty for nothing."""
        return self.sides.get(hexside(a, b), _NONE)

    def across(self, a: str, b: str, feature: str) -> str:
        """What the hexside says of one feature ('main' road, '1' for a river without a name); '' for nothing."""
        return self.side(a, b).get(feature, "")

    def only_across(self, attackers: Iterable[str], target: str, feature: str) -> bool:
        """Whether each of one or more hexes faces the target over a hexside with the feature."""
        found = [self.across(a, target, feature) for a in attackers]
        return bool(found) and all(found)

    def by_land(self, a: str, b: str) -> bool:
        """Whether one can walk between two neighbouring hexes: land on both sides and no sea between."""
        return self.hexes[a].land and self.hexes[b].land and SEA not in self.side(a, b)

    def on(self, hex_id: str, feature: str) -> bool:
        """Whether a feature (road, rail, river) lies on any of the hex's sides."""
        return any(self.across(hex_id, b, feature) for b in self.near(hex_id))

    def distance(self, a: str, b: str) -> int:
        """How many hexes from one to the other, over land or sea."""
        return distance(self._at[a], self._at[b])

    def within(self, hex_id: str, n: int) -> tuple[str, ...]:
        """The hexes of the map at distance ``n`` or less, nearest first, each ring clockwise."""
        return self._on_map(self.grid.within(self._at[hex_id], n))

    def ring(self, hex_id: str, n: int) -> tuple[str, ...]:
        """The hexes of the map at distance ``n``, clockwise from direction 1."""
        return self._on_map(self.grid.ring(self._at[hex_id], n))

    def direction(self, a: str, b: str) -> int:
        """The direction, 1 to 6, from one hex to another; 0 to itself."""
        return self.grid.direction(self._at[a], self._at[b])

    def step(self, hex_id: str, direction: int, length: int = 1) -> str:
        """The hex so far off in a direction; '' if that is off the map."""
        found = self.grid.name(self.grid.step(self._at[hex_id], direction, length))
        return found if found in self.hexes else ""

    def find(self, text: str) -> tuple[str, ...]:
        """The places that a text names, by id or name; empty for none."""
        known = self.names.get(text.strip().lower())
        if known:
            return known
        try:
            hex_id = self.grid.canonical(text)
        except BadHex:
            return ()
        return (hex_id,) if hex_id in self.hexes else ()

    def _on_map(self, hexes: Iterable[Hex]) -> tuple[str, ...]:
        return tuple(h for h in map(self.grid.name, hexes) if h in self.hexes)

    @cached_property
    def _at(self) -> Mapping[str, Hex]:
        return {h: self.grid.parse(h) for h in self.hexes}

    @cached_property
    def _near(self) -> Mapping[str, tuple[str, ...]]:
        found = {h: [*self._on_map(self.grid.neighbours(at))] for h, at in self._at.items()}
        found |= {b.id: [*b.connects] for b in self.boxes.values()}
        for box in self.boxes.values():
            for place in box.connects:
                if box.id not in found[place]:
                    found[place].append(box.id)
        return {place: tuple(near) for place, near in found.items()}


def build(
    grid: Grid, hexes: Iterable[Row], hexsides: Iterable[Row], boxes: Iterable[Row] = (), named: Sequence[str] = ("town",)
) -> HexMap:
    """The map of its rows, which :func:`faults` has found good.

    A hex row has ``hex`` and ``terrain``, a hexside row ``hex_a`` and ``hex_b``, a box row ``place`` and ``connects`` (places
    with ';' or blanks between); all other columns are features.  ``named``: the columns of hexes that hold names, with ';'
    between several.
    """
    ground: dict[str, Ground] = {}
    names: dict[str, list[str]] = {}
    for row in hexes:
        h = grid.canonical(str(row["hex"]))
        ground[h] = Ground(h, str(row["terrain"]), _features(row, "hex", "terrain"))
        for name in _names(row, named):
            names.setdefault(name.lower(), []).append(h)
    sides = {hexside(*_ends(grid, row)): _features(row, "hex_a", "hex_b") for row in hexsides}
    off = {}
    for row in boxes:
        connects = tuple(_place(grid, p) for p in _list(row["connects"]))
        off[str(row["place"])] = Box(str(row["place"]), connects, _features(row, "place", "connects"))
        names.setdefault(str(row["place"]).lower(), []).append(str(row["place"]))
    return HexMap(grid, ground, sides, off, {n: tuple(dict.fromkeys(places)) for n, places in names.items()})


def _features(row: Row, *but: str) -> Mapping[str, str]:
    return {k: _said(v) for k, v in row.items() if k not in but and k not in PROVENANCE and _said(v)}


def _said(value: Any) -> str:
    """What a cell says, '' for no."""
    text = "1" if value is True else str(value if value is not None else "").strip()
    return "" if text in ("0", "no", "False") else text


def _names(row: Row, named: Sequence[str]) -> Iterator[str]:
    for column in named:
        yield from (n.strip() for n in _said(row.get(column)).split(";") if n.strip())


def _ends(grid: Grid, row: Row) -> tuple[str, str]:
    return grid.canonical(str(row["hex_a"])), grid.canonical(str(row["hex_b"]))


def _list(value: Any) -> list[str]:
    """Places with ';' between them, or blanks if there is no ';'."""
    if not isinstance(value, str):
        return [str(v) for v in value]
    return [p.strip() for p in (value.split(";") if ";" in value else value.split()) if p.strip()]


def _place(grid: Grid, text: str) -> str:
    try:
        return grid.canonical(text)
    except BadHex:
        return text


# -- checks ---------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """What is wrong with a row: of which table, its place there from 0, in words, and how to mend it."""

    table: str
    row: int
    message: str
    mend: str


def faults(grid: Grid, hexes: Sequence[Row], hexsides: Sequence[Row], boxes: Sequence[Row] = ()) -> list[Fault]:
    """All that is wrong with the rows of a map, table by table, row by row."""
    known, found = _hex_faults(grid, hexes)
    return [*found, *_side_faults(grid, hexsides, known), *_box_faults(grid, boxes, known)]


def _hex_faults(grid: Grid, hexes: Sequence[Row]) -> tuple[dict[str, Row], list[Fault]]:
    known: dict[str, Row] = {}
    found = []
    for number, row in enumerate(hexes):
        try:
            h = grid.canonical(str(row["hex"]))
        except BadHex as why:
            found.append(Fault("hexes", number, str(why), "correct the number"))
            continue
        if h in known:
            found.append(Fault("hexes", number, f"hex {h} is there twice", "delete one of the rows"))
        known[h] = row
        sea = row["terrain"] == SEA
        if sea and _said(row.get("coastal")):
            found.append(Fault("hexes", number, f"{h} is coastal and has no land", "give its terrain, or leave coastal empty"))
        if _said(row.get("port")) and (sea or not _said(row.get("coastal"))):
            found.append(Fault("hexes", number, f"{h} has a port and is not coastal", "mark it coastal, or move the port"))
    return known, found


def _side_faults(grid: Grid, hexsides: Sequence[Row], known: Mapping[str, Row]) -> Iterator[Fault]:
    seen: dict[str, int] = {}
    for number, row in enumerate(hexsides):
        try:
            a, b = _ends(grid, row)
        except BadHex as why:
            yield Fault("hexsides", number, str(why), "correct the number")
            continue
        missing = [h for h in (a, b) if h not in known]
        if missing:
            yield Fault("hexsides", number, f"hex {missing[0]} is not in the table of hexes", "add it, or correct the number")
        elif distance(grid.parse(a), grid.parse(b)) != 1:
            yield Fault("hexsides", number, f"{a} and {b} are not neighbours", "name two hexes that share a side")
        elif hexside(a, b) in seen:
            yield Fault("hexsides", number, f"the side of {a} and {b} is there twice", "put all it has into one row")
        else:
            yield from _link_faults(number, row, a, b, known)
        seen.setdefault(hexside(a, b), number)


def _link_faults(number: int, row: Row, a: str, b: str, known: Mapping[str, Row]) -> Iterator[Fault]:
    wet = [h for h in (a, b) if known[h]["terrain"] == SEA]
    for link in LINKS:
        if not _said(row.get(link)):
            continue
        if _said(row.get(SEA)):
            yield Fault("hexsides", number, f"a {link} crosses the sea between {a} and {b}", f"take the {link} or the sea away")
        elif wet:
            mend = f"take the {link} away, or give the hex its terrain"
            yield Fault("hexsides", number, f"a {link} leads into {wet[0]}, which has no land", mend)


def _box_faults(grid: Grid, boxes: Sequence[Row], known: Mapping[str, Row]) -> Iterator[Fault]:
    ids: dict[str, int] = {}
    for number, row in enumerate(boxes):
        if str(row["place"]) in ids:
            yield Fault("boxes", number, f"box {row['place']} is there twice", "delete one of the rows")
        ids.setdefault(str(row["place"]), number)
    for number, row in enumerate(boxes):
        for place in _list(row["connects"]):
            if place not in ids and _place(grid, place) not in known:
                yield Fault("boxes", number, f"{row['place']} connects to {place}, which is no hex or box", "correct the place")
