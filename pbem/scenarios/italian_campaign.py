"""The files of The Italian Campaign: what they must say together, and a scenario's data for the ruleset."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import faults
from pbem.scenarios.italian_campaign_rows import (
    AssaultRow, CardRow, CombatRow, CounterRow, FactorRow, HexRow, LimitRow, OperationRow, Scenario, SideRow, SupplyRow,
    TerrainRow, TimeRow, TrackRow, UnitRow, ZoneRow,
)
from pbem.scenarios.rows import ALL, Problem, read_csv, read_toml, toml_line, twice

GRID = Grid(flat=True, shifted=1, names="CCRR", sheets=(Sheet("", (1, 60), (1, 40)),))
"""Flat tops, odd columns half a hex lower; '1122' is column 11, row 22, on either sheet."""

SHEETS = ("salerno", "sicily")
OPERATIONS = ("assault", "advance", "maneuver", "barrage", "retreat", "counterattack")
LIMITS = (
    "command_most", "bid_most", "bid_above", "corps_reach", "army_reach", "corps_steps", "isolated", "supply_leg",
    "supply_mobile", "command_leg", "command_mobile", "refit_allied", "refit_axis", "beachheads", "strong", "spoil_cost",
    "gunnery_turn", "artillery_range", "support_axis", "reinforce_points", "sea_stack", "combined_cp", "delay_1", "delay_2",
    "delay_3",
)
PROVENANCE = ("file", "line", "source", "status")


class Book:
    """The files that all scenarios share, read and checked once."""

    def __init__(self, folder: Path, label: str) -> None:
        self.folder, self.label = folder, label
        self.problems: list[Problem] = []
        self.broken: dict[str, set[str]] = {}
        self.hexes = {s: self.by_key(f"map/{s}_hexes.csv", HexRow, lambda r: r.hex, "hex") for s in SHEETS}
        self.sides = {
            s: self.by_key(f"map/{s}_hexsides.csv", SideRow, lambda r: "-".join(sorted((r.hex_a, r.hex_b))), "hexside")
            for s in SHEETS
        }
        self.zones = self.by_key("map/zones.csv", ZoneRow, lambda r: (r.zone, str(r.box)), "beach box")
        self.units = self.by_key("forces/units.csv", UnitRow, lambda r: r.id, "unit")
        self.operations = self.by_key("tables/operations.csv", OperationRow, lambda r: r.operation, "operation")
        self.track = self.rows("tables/operations_track.csv", TrackRow)
        self.time = self.by_key("tables/time_track.csv", TimeRow, lambda r: r.box, "box")
        self.terrain = self.by_key("tables/terrain.csv", TerrainRow, lambda r: r.name, "terrain")
        self.combat = self.rows("tables/combat.csv", CombatRow)
        self.factors = self.rows("tables/combat_factors.csv", FactorRow)
        self.assault = self.rows("tables/invasion_assault.csv", AssaultRow)
        self.counter = self.rows("tables/invasion_counterattack.csv", CounterRow)
        self.supply = self.rows("tables/command_supply.csv", SupplyRow)
        self.limits = self.by_key("tables/limits.csv", LimitRow, lambda r: r.limit, "limit")
        self._map()
        self._forces()
        self._tables()

    def rows(self, name: str, model: Any) -> list[Any]:
        """The good rows of a file."""
        return read_csv(self.folder / name, f"{self.label}/{name}", model, self.problems, self.broken.setdefault(name, set()))

    def by_key(self, name: str, model: Any, key: Callable[[Any], Any], what: str) -> dict[Any, Any]:
        """The good rows of a file by their key."""
        return twice(self.rows(name, model), key, what, self.problems)

    def whole(self, *names: str) -> bool:
        """Whether files could be read at all."""
        return not any(ALL in self.broken.get(n, ()) for n in names)

    def wrong(self, row: Any, message: str, mend: str) -> None:
        """Note a problem of a row."""
        self.problems.append(Problem(row.file, row.line, message, mend))

    def missing(self, name: str, message: str, mend: str) -> None:
        """Note a problem of a whole file."""
        self.problems.append(Problem(f"{self.label}/{name}", 1, message, mend))

    def _map(self) -> None:
        for sheet in SHEETS:
            tables = {"hexes": list(self.hexes[sheet].values()), "hexsides": list(self.sides[sheet].values())}
            for fault in faults(GRID, *([r.model_dump() for r in tables[t]] for t in ("hexes", "hexsides"))):
                self.wrong(tables[fault.table][fault.row], fault.message, fault.mend)
            for row in tables["hexes"]:
                self._hex(row)
        for zone in self.zones.values():
            known = self.hexes[zone.sheet]
            for h in zone.hexes:
                if h not in known or known[h].coastal == "no":
                    self.wrong(zone, f"{h} is no coastal hex of the {zone.sheet} sheet", "10.5: a beach box points to the coast")

    def _hex(self, row: HexRow) -> None:
        if row.port_value and not row.port:
            self.wrong(row, f"{row.hex} has a port value and no port", "name the port, or write 0")
        if (row.terrain == "sea") != (not row.landmass):
            self.wrong(row, f"{row.hex} is {row.terrain} and its landmass is {row.landmass!r}", "land has one, sea has none")
        if self.whole("tables/terrain.csv") and row.terrain != "sea" and row.code != self.code(row):
            self.wrong(row, f"{row.hex} is {row.terrain} {row.built} with code {row.code}", f"8.27: the code is {self.code(row)}")

    def code(self, row: HexRow) -> int:
        """8.27 The terrain code of a hex: a city always has its own, a town adds one."""
        if row.built == "city":
            return int(self.terrain["city"].code)
        return int(self.terrain[row.terrain].code + (self.terrain["town"].code if row.built == "town" else 0))

    def _forces(self) -> None:
        for row in self.units.values():
            for column, kinds in (("formation", ("hq",)), ("corps", ("corps",))):
                named = getattr(row, column)
                if named and (named not in self.units or self.units[named].kind not in kinds):
                    self.wrong(row, f"{row.id}: there is no {column} {named}", f"give the id of a {kinds[0]} of this file")
            if row.kind == "unit" and not row.formation:
                self.wrong(row, f"{row.id} belongs to no division", "2.2: give its formation, or make it an asset")
            if row.kind in ("unit", "asset") and (row.mobile == "yes") != (row.ma > 6):
                mend = "2.17: leg units have 6 or less, mobile ones 7 or more"
                self.wrong(row, f"{row.id}: mobile = {row.mobile} with {row.ma} movement points", mend)
            if row.kind == "asset" and not row.asset:
                self.wrong(row, f"{row.id} is an asset without a rating", "2.18: give its Asset/Morale rating")

    def _tables(self) -> None:
        self._all("tables/operations.csv", OPERATIONS, self.operations)
        self._all("tables/limits.csv", LIMITS, self.limits)
        results = [(r.row, r.column) for r in self.combat if r.kind == "result"]
        lines = [(r.row, r.column) for r in self.combat if r.kind == "line"]
        barrage = [("", r.column) for r in self.combat if r.kind == "barrage"]
        columns = range(1, 11)
        self._once("tables/combat.csv", results, ((str(row), c) for row in range(21) for c in columns))
        self._once("tables/combat.csv", lines, ((str(code), c) for code in range(5) for c in columns))
        self._once("tables/combat.csv", barrage, (("", c) for c in columns))
        self._once("tables/combat_factors.csv", [(r.class_, r.rating) for r in self.factors], (
            (c, n) for c in "ABCDE" for n in range(1, 10)
        ))
        self._once("tables/invasion_counterattack.csv", [(r.die, r.diff) for r in self.counter], (
            (die, diff) for die in range(1, 7) for diff in range(-3, 6)
        ))
        bands = {name: tuple(dict.fromkeys(getattr(r, name) for r in self.assault)) for name in ("strength", "defence")}
        self._once("tables/invasion_assault.csv", [(r.strength, r.die, r.defence) for r in self.assault], (
            (s, die, d) for s in bands["strength"] for die in range(1, 7) for d in bands["defence"]
        ))
        capacities = tuple(dict.fromkeys(r.capacity for r in self.supply))
        self._once("tables/command_supply.csv", [(r.side, r.capacity, r.die) for r in self.supply], (
            (s, c, die) for s in ("allied", "axis") for c in capacities for die in range(1, 7)
        ))
        track = "tables/operations_track.csv"
        if not self.broken.get(track) and [r.pos for r in self.track] != list(range(1, len(self.track) + 1)):
            self.missing(track, "the boxes are not numbered from 1", "6.1: number them from left to right")

    def _all(self, name: str, wanted: Iterable[str], found: dict[str, Any]) -> None:
        for key in wanted:
            if key not in found and not self.broken.get(name):
                self.missing(name, f"{key} is missing", "add the row")

    def _once(self, name: str, found: list[Any], wanted: Iterable[Any]) -> None:
        """That each of the wanted keys is there once."""
        if self.broken.get(name):
            return
        counted = Counter(found)
        for key in wanted:
            if counted[key] != 1:
                words = ", ".join(str(k) for k in key if k != "")
                self.missing(name, f"{words} is there {'twice' if counted[key] else 'not at all'}", "each cell is one row")


class Card:
    """One scenario: its TOML file and the card of its forces, read against the :class:`Book`."""

    def __init__(self, book: Book, path: Path) -> None:
        self.book, self.path = book, path
        self.name = f"{book.label}/{path.name}"
        self.text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        self.scenario = read_toml(path, self.name, Scenario, book.problems)
        if self.scenario is None:
            return
        self.forces = book.by_key(self.scenario.forces, CardRow, lambda r: r.unit, "unit")
        self._check(self.scenario)

    def wrong(self, key: str, message: str, mend: str) -> None:
        """Note a problem of an entry of the TOML file."""
        self.book.problems.append(Problem(self.name, toml_line(self.text, key.split(".")), f"{key}: {message}", mend))

    def _check(self, s: Scenario) -> None:
        book = self.book
        if s.last_box not in book.time and book.whole("tables/time_track.csv"):
            self.wrong("last_box", f"tables/time_track.csv has no box {s.last_box}", "give one of its boxes")
        for hq in s.idle:
            if hq not in self.forces:
                self.wrong(f"idle.{hq}", f"there is no {hq} in {s.forces}", "give a division of the scenario")
        zones = {z.zone for z in book.zones.values()}
        for zone in s.conditions:
            if zone not in zones:
                self.wrong(f"conditions.{zone}", f"there is no zone {zone}", "give one of map/zones.csv")
        if [points for _, points in s.levels] != sorted((points for _, points in s.levels), reverse=True):
            self.wrong("levels", "the levels do not go from best to worst", "put the highest first")
        known = {h for sheet in s.sheets for h in book.hexes[sheet]}
        for row in self.forces.values():
            self._row(row, zones, known)

    def _row(self, row: CardRow, zones: set[str], known: set[str]) -> None:
        book = self.book
        if row.unit not in book.units:
            book.wrong(row, f"there is no unit {row.unit}", "give an id of forces/units.csv")
            return
        for h in (row.place if row.place.isdigit() else "", row.target):
            sheet = next((s for s in SHEETS if h in book.hexes[s]), "")
            if h and (h not in known or book.hexes[sheet][h].terrain == "sea"):
                book.wrong(row, f"{h} is no land hex in play", "correct the hex")
        kind, _, where = row.place.partition(":")
        if kind in ("beach", "staging") and where.partition("-")[0] not in zones:
            book.wrong(row, f"there is no zone {where}", "give one of map/zones.csv")
        if kind == "beach" and where and row.target not in book.zones[tuple(where.split("-"))].hexes:
            book.wrong(row, f"{where} does not point to {row.target or 'any hex'}", "10.5: give a hex of the beach box as target")

    def data(self) -> dict[str, Any]:
        """The scenario's JSON data, for the ruleset."""
        s, book = self.scenario, self.book
        assert s is not None
        sheet = s.sheets[0]
        return {
            "title": "italian_campaign", "heading": s.heading, "scenario": self.path.stem, "last_box": s.last_box,
            "grid": {"flat": GRID.flat, "shifted": GRID.shifted, "names": GRID.names, "sheets": [list(x) for x in GRID.sheets]},
            "hexes": [_plain(r) for r in book.hexes[sheet].values()], "sides": [_plain(r) for r in book.sides[sheet].values()],
            "zones": [_plain(r) for r in book.zones.values() if r.sheet == sheet],
            "units": [_plain(book.units[u]) for u in self.forces], "card": [_plain(r) for r in self.forces.values()],
            "operations": [_plain(r) for r in book.operations.values()], "track": [_plain(r) for r in book.track],
            "dates": [f"{r.date} {r.half}" for _, r in sorted(book.time.items())],
            "terrain": [_plain(r) for r in book.terrain.values()],
            "combat": [_cell(r) for r in book.combat], "factors": [_plain(r) for r in book.factors],
            "assault": [_cell(r) for r in book.assault], "counter": [_cell(r) for r in book.counter],
            "supply": [_cell(r) for r in book.supply], "limits": {r.limit: r.value for r in book.limits.values()},
            "start": dict(s.start), "conditions": dict(s.conditions), "levels": [list(level) for level in s.levels],
            "idle": dict(s.idle), "needs_evacuation": s.needs_evacuation,
            "switches": {k: v.model_dump() for k, v in s.switches.items()},
        }


def _plain(row: Any) -> dict[str, Any]:
    """A row without its provenance; yes and no are true and false."""
    found = {k: v for k, v in row.model_dump(mode="json", by_alias=True).items() if k not in PROVENANCE}
    return {k: v == "yes" if v in ("yes", "no") else v for k, v in found.items()}


def _cell(row: Any) -> dict[str, Any]:
    """A row of a table that is looked up: with its status."""
    return {**_plain(row), "status": row.status}


# -- what the catalog calls -------------------------------------------------------------------------


def check(folder: Path, label: str) -> list[Problem]:
    """Every problem of every file of the title."""
    book = Book(folder, label)
    for path in sorted(folder.glob("*.toml")):
        Card(book, path)
    return book.problems


def load(folder: Path, label: str, scenario: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """A scenario's data; None and the problems if a file of it is broken."""
    book = Book(folder, label)
    card = Card(book, folder / f"{scenario}.toml")
    if book.problems or card.scenario is None:
        return None, book.problems
    return card.data(), []
