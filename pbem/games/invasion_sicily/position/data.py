"""The fixed facts of a scenario: map, units, tables, as frozen values made from the scenario's JSON data.

Movement points are counted in halves throughout: a main road costs 1, a clear hex 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.kit import hexmap
from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import HexMap
from pbem.kit.tables import Table, from_wide

ALLIED, AXIS = "allied", "axis"
SIDES = (ALLIED, AXIS)

AFRICA, ITALY = "africa", "italy"
INVASION, FOLLOW_UP, EVACUATION, SICILY_EVACUATION = "invasion", "follow-up", "evacuation", "sicily-evacuation"
ELIMINATED, RESERVED, CUP = "eliminated", "reserved", "cup"
BOXES = (AFRICA, ITALY, INVASION, FOLLOW_UP, EVACUATION, SICILY_EVACUATION)
"""7.6, 7.6.2, 7.6.4, 7.7, 7.7.1, 7.7.2 Holding and transit boxes; 'eliminated', 'reserved' (yet to come) and 'cup'
(15.3.1) are out of play."""

DRY, MUD = "dry", "mud"
ELITE = ("parachute", "glider", "commando")
AIRBORNE = ("parachute", "glider")
GUNS = ("artillery", "armored-artillery", "rocket")
LARGE = ("rgt", "bde", "div")


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex.  ``terrain`` is the worst of it; ``zone``: whose air superiority zone (11.4.1)."""

    id: str
    terrain: str
    also: str
    coastal: bool
    landmass: str
    towns: tuple[str, ...]
    city: str
    port: str
    capacity: int
    airfield: str
    coast_defence: bool
    edge: bool
    zone: str

    @property
    def land(self) -> bool:
        """Whether units can stand on it."""
        return self.terrain != "sea"

    @property
    def name(self) -> str:
        """What a player calls it: its town or airfield, or its number."""
        return self.city or self.port or (self.towns[0] if self.towns else self.airfield or self.id)


@dataclass(frozen=True, slots=True)
class UnitType:
    """A counter's printed values; the second set is the reduced side (3.8)."""

    id: str
    name: str
    side: str
    nation: str
    type: str
    size: str
    mobility: str
    steps: int
    attack: int
    defence: int
    er: int
    attack2: int
    defence2: int
    er2: int
    ma: int
    stacking: int
    zoc: bool
    armor: bool
    antitank: bool
    support: int
    range: int
    capacity: int
    augmentation: int
    reserve: bool
    formation: str

    @property
    def motorized(self) -> bool:
        """7.5.2 A red box round the movement allowance."""
        return self.mobility == "motor"

    @property
    def gun(self) -> bool:
        """10.1 Artillery of any kind."""
        return self.type in GUNS

    @property
    def heavy(self) -> bool:
        """7.3.5 Armor and artillery keep to the roads in mountain and alpine hexes."""
        return self.armor or self.gun

    @property
    def logistic(self) -> bool:
        """6.1 Beach and Port units."""
        return self.type in ("beach", "port")

    @property
    def command(self) -> str:
        """14.2.1 The nationality that counts in combat."""
        return {"French": "US", "Canadian": "British"}.get(self.nation, self.nation)


@dataclass(frozen=True, slots=True)
class Beach:
    """13.2 An invasion hex with the coastal hex that its arrow points to."""

    hex: str
    target: str
    operation: str
    name: str
    nation: str


@dataclass(frozen=True, slots=True)
class Setup:
    """Where a unit starts: a hex or box, the turn it comes, and the invasion hex that it is planned for."""

    unit: str
    place: str
    turn: int
    beach: str


@dataclass(frozen=True, slots=True)
class Band:
    """A row of a one-die table: rolls from ``low`` to ``high``, the results, and how sure they are."""

    low: int
    high: int
    results: Mapping[str, Any]
    status: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A box of the turn track."""

    number: int
    dates: str
    air: Mapping[str, int]
    naval: int
    mussolini: bool
    rp: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Value:
    """17.0 What something is worth; ``kind`` and ``what`` say what it is."""

    kind: str
    what: str
    points: int


@dataclass(frozen=True, slots=True)
class Data:
    """A scenario's fixed facts."""

    title: str
    scenario: str
    turns: int
    map: HexMap
    hexes: Mapping[str, Hex]
    beaches: Mapping[str, Beach]
    operations: Mapping[str, str]
    units: Mapping[str, UnitType]
    cards: Mapping[str, UnitType]
    setup: tuple[Setup, ...]
    crt: Table
    over: Mapping[int, int]
    terrain: Mapping[str, Mapping[str, int]]
    tables: Mapping[str, tuple[Band, ...]]
    coordination: Mapping[str, Mapping[str, int]]
    limits: Mapping[str, tuple[int, int]]
    modifiers: Mapping[str, int]
    track: Mapping[int, Turn]
    values: tuple[Value, ...]
    objectives: Mapping[str, int]
    levels: tuple[tuple[str, int], ...]
    exits: tuple[str, ...]
    operation: str
    calabria: bool
    first_weather: str
    switches: Mapping[str, Any]
    options: Mapping[str, Any]

    def limit(self, name: str, storm: bool = False) -> int:
        """A capacity, in Storm the lower one."""
        return self.limits[name][storm]

    def where(self, name: str) -> str:
        """The hex of a city or port of that name, '' if it is not on this map."""
        return next((h.id for h in self.hexes.values() if name in (h.city, h.port)), "")


def other(side: str) -> str:
    """The enemy of a side."""
    return AXIS if side == ALLIED else ALLIED


NAMED = ("towns", "city", "port", "airfield")
"""Columns of the map that hold names of places."""


def build(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Data:
    """The data of a scenario from what its reader made."""
    hexes = {h["id"]: Hex(**{**h, "towns": tuple(h["towns"])}) for h in raw["hexes"]}
    units = {u["id"]: UnitType(**u) for u in raw["units"]}
    tables = raw["tables"]
    switches = {k: options.get(k, v["value"]) for k, v in raw["switches"].items()}
    return Data(
        raw["heading"], raw["scenario"], raw["turns"],
        hexmap.build(_grid(raw["grid"]), raw["map"]["hexes"], raw["map"]["sides"], (), NAMED),
        hexes,
        {b["hex"]: Beach(**b) for b in raw["beaches"]},
        dict(raw["operations"]),
        {k: u for k, u in units.items() if u.type not in CARDS}, {k: u for k, u in units.items() if u.type in CARDS},
        tuple(Setup(**s) for s in raw["setup"]),
        from_wide("Combat Results Table", tables["crt"]["rows"], "roll", tables["crt"]["columns"]),
        {int(k): v for k, v in tables["odds"].items()}, tables["terrain"],
        {k: _bands(tables[k]) for k in ("weather", "air_assault", "naval_transport", "mussolini")},
        tables["coordination"], {k: (v[0], v[1]) for k, v in tables["limits"].items()}, tables["modifiers"],
        {t["number"]: Turn(**t) for t in tables["turns"]},
        tuple(Value(**v) for v in raw["values"]), raw["objectives"], tuple((n, f) for n, f in raw["levels"]),
        tuple(raw["exits"]), raw["operation"], raw["calabria"], raw["first_weather"], switches, dict(options),
    )


CARDS = ("coast-defence", "ersatz")
"""14.1.2, 15.3.1 Counters drawn at random.  On the map lies an untried piece; which counter it is, is drawn when it is
turned over, so that neither side can know before."""


def _grid(raw: Mapping[str, Any]) -> Grid:
    sheets = tuple(Sheet(s[0], tuple(s[1]), tuple(s[2]), s[3], s[4]) for s in raw["sheets"])
    return Grid(raw["flat"], raw["shifted"], raw["names"], sheets)


def _bands(rows: Iterable[Mapping[str, Any]]) -> tuple[Band, ...]:
    return tuple(Band(r["low"], r["high"], r["results"], r["status"]) for r in rows)
