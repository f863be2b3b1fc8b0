"""The printed game as values: map, units, operations and tables of one scenario.

Built from the plain JSON that ``pbem.scenarios.italian_campaign`` makes.  A place is a string: a hex ('1122'), a beach box
('beach:Salerno-2'), a staging area ('staging:Salerno'), or one of the words below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import HexMap
from pbem.kit.hexmap import build as build_map

ALLIED, AXIS = "allied", "axis"
SIDES = (ALLIED, AXIS)

RESERVE, TO_COME, DEAD, EXITED = "reserve", "to-come", "dead", "exited"
"""10.13 the Floating Reserve; not yet arrived; out of play; moved off the map (Victory Conditions)."""

ASSAULT, ADVANCE, MANEUVER, BARRAGE, RETREAT, COUNTERATTACK = (
    "assault", "advance", "maneuver", "barrage", "retreat", "counterattack"
)
UNIT, ASSET, HQ, CORPS, ARMY = "unit", "asset", "hq", "corps", "army"
POINTS = {"A": 4, "B": 3, "C": 2, "D": 1, "E": 0}
"""7.21 Stacking points by combat class."""


def other(side: str) -> str:
    """The other side."""
    return AXIS if side == ALLIED else ALLIED


@dataclass(frozen=True)
class Face:
    """2.1, 2.2 One side of a counter; what it has not is 0."""

    tr: int
    armor: int
    asset: int
    offence: int
    defence: int
    artillery: int
    capacity: int
    efficiency: int
    bonus: int


@dataclass(frozen=True)
class UnitType:
    """2.0 A counter.  ``kind``: 'unit', 'asset', 'hq', 'corps', 'army'; ``formation``: the division of a unit, its own id for
    an HQ; ``circled``: 2.15; ``entry``: how it arrives ('edge', 'sea', 'reserve', 'drop', or '' for at the start) from box
    ``box`` of the time track on, by ``target``."""

    id: str
    name: str
    side: str
    nation: str
    kind: str
    formation: str
    corps: str
    symbol: str
    cls: str
    mobile: bool
    ma: int
    circled: bool
    front: Face
    back: Face
    box: int = 0
    place: str = ""
    target: str = ""

    @property
    def combat(self) -> bool:
        """2.1 Whether it is a combat unit (an asset is one)."""
        return self.kind in (UNIT, ASSET)

    @property
    def headquarters(self) -> bool:
        """2.2"""
        return not self.combat


@dataclass(frozen=True)
class Operation:
    """6.3 A line of the Operations Summary Chart (see tables/operations.csv)."""

    id: str
    points: int
    efficiency: int
    divisions: int
    fatigue: int
    move: str
    combat: str
    exit: str
    enter: str
    penetrate: str
    armor: str
    support: int
    artillery: int
    bonus: str
    reaction_only: bool


@dataclass(frozen=True)
class Zone:
    """10.3 A landing zone: the hexes of its beach boxes, and the landing condition (10.4)."""

    name: str
    boxes: Mapping[str, tuple[str, ...]]
    condition: int

    @property
    def hexes(self) -> tuple[str, ...]:
        """All its coastal hexes, box by box."""
        return tuple(h for box in self.boxes.values() for h in box)


@dataclass(frozen=True)
class Tables:
    """The charts.  ``lines``: by terrain code 0 to 4, the ratios of columns 10 to 1; ``results``: by row 0 to 20, the cells of
    columns 10 to 1 and their status; ``factors``: by class and rating 1 to 9; ``assault``: by strength, die and defence band;
    ``counter``: by die and difference; ``supply``: by side, capacity band and die."""

    lines: Mapping[int, tuple[Fraction, ...]]
    results: Mapping[int, tuple[tuple[str, str], ...]]
    factors: Mapping[tuple[str, int], int]
    assault: Mapping[tuple[str, int, str], tuple[str, str]]
    counter: Mapping[tuple[int, int], tuple[str, str]]
    supply: Mapping[tuple[str, str, int], tuple[str, str]]


@dataclass(frozen=True)
class Terrain:
    """What it costs to enter (leg, mobile; 0 is prohibited) and the code; for hexes also the stacking limit."""

    code: int
    stacking: int
    leg: int
    mobile: int

    def cost(self, mobile: bool) -> int:
        """Movement points; 0 for prohibited terrain."""
        return self.mobile if mobile else self.leg


@dataclass(frozen=True)
class Data:
    """One scenario's fixed data."""

    scenario: str
    title: str
    last_box: int
    board: HexMap
    zones: Mapping[str, Zone]
    units: Mapping[str, UnitType]
    operations: Mapping[str, Operation]
    track: tuple[tuple[str, str, int], ...]
    dates: tuple[str, ...]
    terrain: Mapping[str, Terrain]
    tables: Tables
    limits: Mapping[str, int]
    start: Mapping[str, int]
    levels: tuple[tuple[str, int], ...]
    switches: Mapping[str, Any]
    ports: Mapping[str, str] = field(default_factory=dict)
    """Port name by hex."""
    idle: Mapping[str, int] = field(default_factory=dict)
    """Divisions that may not operate before a box of the time track."""
    needs_evacuation: bool = True
    """Victory Conditions: whether the Axis wins if it never declared the evacuation."""

    def code(self, hex_: str) -> int:
        """8.25, 8.27 The terrain code of a hex."""
        return int(self.board.hexes[hex_].get("code") or 0)

    def side_code(self, a: str, b: str) -> int:
        """7.32, 8.26 The terrain code of a hexside; 0 for a plain one."""
        found = [self.terrain[f].code for f in ("river", "ridge") if self.board.across(a, b, f)]
        return max(found, default=0)

    def subordinates(self, hq: str) -> list[str]:
        """2.2 The units of a division, without its HQ."""
        return [u.id for u in self.units.values() if u.formation == hq and u.kind == UNIT]


def build(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Data:
    """Make :class:`Data` of a scenario's JSON; ``options`` override its switches."""
    grid = Grid(
        raw["grid"]["flat"], raw["grid"]["shifted"], raw["grid"]["names"],
        tuple(Sheet(s[0], tuple(s[1]), tuple(s[2]), s[3], s[4]) for s in raw["grid"]["sheets"]),
    )
    board = build_map(grid, raw["hexes"], raw["sides"], named=("town", "port"))
    switches = {k: v["value"] for k, v in raw["switches"].items()}
    card = {row["unit"]: row for row in raw["card"]}
    return Data(
        scenario=raw["scenario"], title=raw["heading"], last_box=raw["last_box"], board=board, zones=_zones(raw),
        units={u["id"]: _unit(u, card[u["id"]]) for u in raw["units"]},
        operations={o["operation"]: _operation(o) for o in raw["operations"]},
        track=tuple((t["box"], t["kind"], t["time_boxes"]) for t in raw["track"]), dates=tuple(raw["dates"]),
        terrain={t["name"]: Terrain(t["code"], t["stacking"], t["leg"], t["mobile"]) for t in raw["terrain"]},
        tables=_tables(raw), limits=dict(raw["limits"]), start=dict(raw["start"]),
        levels=tuple((name, points) for name, points in raw["levels"]),
        switches={**switches, **{k: v for k, v in options.items() if k in switches}},
        idle=dict(raw["idle"]), needs_evacuation=raw["needs_evacuation"],
        ports={h: g.get("port") for h, g in board.hexes.items() if g.get("port")},
    )


def _zones(raw: Mapping[str, Any]) -> dict[str, Zone]:
    boxes: dict[str, dict[str, tuple[str, ...]]] = {}
    conditions: dict[str, int] = {}
    for z in raw["zones"]:
        boxes.setdefault(z["zone"], {})[f"{z['zone']}-{z['box']}"] = tuple(z["hexes"])
        conditions[z["zone"]] = raw["conditions"].get(z["zone"], z["condition"])
    return {name: Zone(name, b, conditions[name]) for name, b in boxes.items()}


def _unit(u: Mapping[str, Any], row: Mapping[str, Any]) -> UnitType:
    def face(n: str) -> Face:
        names = ("tr", "armor", "asset", "or", "dr", "af", "capacity", "efficiency", "bonus")
        return Face(*(u[name + n] for name in names))

    return UnitType(
        u["id"], u["name"], u["side"], u["nation"], u["kind"], u["formation"], u["corps"], u["symbol"], u["class"], u["mobile"],
        u["ma"], u["circled"], face(""), face("2"), row["box"], row["place"], row["target"],
    )


def _operation(o: Mapping[str, Any]) -> Operation:
    names = (
        "operation", "points", "efficiency", "divisions", "fatigue", "move", "combat", "exit", "enter", "penetrate", "armor",
        "support", "artillery", "bonus", "reaction_only",
    )
    return Operation(*(o[name] for name in names))


def _tables(raw: Mapping[str, Any]) -> Tables:
    cells = {(c["kind"], c["row"], c["column"]): (c["value"], c["status"]) for c in raw["combat"]}
    columns = range(10, 0, -1)
    return Tables(
        lines={n: tuple(Fraction(cells["line", str(n), c][0]) for c in columns) for n in range(5)},
        results={n: tuple(cells["result", str(n), c] for c in columns) for n in range(21)},
        factors={(f["class"], f["rating"]): f["value"] for f in raw["factors"]},
        assault={(a["strength"], a["die"], a["defence"]): (a["result"], a["status"]) for a in raw["assault"]},
        counter={(c["die"], c["diff"]): (c["result"], c["status"]) for c in raw["counter"]},
        supply={(s["side"], s["capacity"], s["die"]): (s["points"], s["status"]) for s in raw["supply"]},
    )
