"""The files of Invasion: Sicily: what each column may hold, and what the files must say together."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import faults
from pbem.scenarios.invasion_sicily_rows import (
    AFRICA, COLUMNS, INVASION, STACK, AssaultRow, BeachRow, CoastRow, CoordinationRow, CrtRow, HexRow, LevelRow, LimitRow,
    ModifierRow, MussoliniRow, ObjectiveRow, OperationRow, OverRow, Scenario, SeaRow, SetupRow, SideRow, TerrainRow,
    TurnRow, UnitRow, ValueRow, WeatherRow,
)
from pbem.scenarios.rows import ALL, Problem, Row, read_csv, read_toml, toml_line, twice

GRID = Grid(flat=True, shifted=1, names="CCRR", sheets=(Sheet("", (1, 60), (1, 40)),))
"""2.1 Flat tops, odd columns half a hex lower; '2407' is column 24, row 07."""

CARDS = ("coast-defence", "ersatz")
"""14.1.2, 15.3.1 Counters drawn at random."""


HIGH, LOW = 13, -2
"""2.3.1, 9.4 VI A die of 1 to 10 with a modifier of -3 to +3 falls on rows -2 to 13."""


class Book:
    """The files that all scenarios share, read and checked once."""

    def __init__(self, folder: Path, label: str) -> None:
        self.folder, self.label = folder, label
        self.problems: list[Problem] = []
        self.broken: dict[str, set[str]] = {}
        self.hexes = self.by_key("map/hexes.csv", HexRow, lambda r: r.hex, "hex")
        self.sides = self.by_key("map/hexsides.csv", SideRow, lambda r: "-".join(sorted((r.hex_a, r.hex_b))), "hexside")
        self.beaches = self.by_key("map/invasion_hexes.csv", BeachRow, lambda r: r.invasion_hex, "invasion hex")
        self.units = self.by_key("forces/units.csv", UnitRow, lambda r: r.id, "unit")
        self.crt = self.by_key("tables/crt.csv", CrtRow, lambda r: r.roll, "roll")
        self.over = self.by_key("tables/odds.csv", OverRow, lambda r: r.over, "odds")
        self.terrain = self.by_key("tables/terrain.csv", TerrainRow, lambda r: r.terrain, "terrain")
        self.weather = self.rows("tables/weather.csv", WeatherRow)
        self.assault = self.rows("tables/air_assault.csv", AssaultRow)
        self.sea = self.rows("tables/naval_transport.csv", SeaRow)
        self.mussolini = self.rows("tables/mussolini.csv", MussoliniRow)
        self.coordination = self.by_key("tables/coordination.csv", CoordinationRow, lambda r: r.support, "support")
        self.limits = self.by_key("tables/limits.csv", LimitRow, lambda r: r.limit, "limit")
        self.modifiers = self.by_key("tables/modifiers.csv", ModifierRow, lambda r: r.modifier, "modifier")
        self.turns = self.by_key("tables/turns.csv", TurnRow, lambda r: r.turn, "turn")
        self.operations = self.by_key("tables/operations.csv", OperationRow, lambda r: r.operation, "operation")
        self.values = self.rows("tables/victory_points.csv", ValueRow)
        self._map()
        self._forces()
        self._tables()

    def rows(self, name: str, model: Any) -> list[Any]:
        """The good rows of a file."""
        return read_csv(self.folder / name, f"{self.label}/{name}", model, self.problems, self.broken.setdefault(name, set()))

    def by_key(self, name: str, model: Any, key: Any, what: str) -> dict[Any, Any]:
        """The good rows of a file by their key."""
        return twice(self.rows(name, model), key, what, self.problems)

    def whole(self, *names: str) -> bool:
        """Whether files could be read at all."""
        return not any(ALL in self.broken.get(n, ()) for n in names)

    def wrong(self, row: Any, message: str, mend: str) -> None:
        """Note a problem of a row."""
        self.problems.append(Problem(row.file, row.line, message, mend))

    def _map(self) -> None:
        tables = {"hexes": list(self.hexes.values()), "hexsides": list(self.sides.values())}
        for fault in faults(GRID, [r.model_dump() for r in tables["hexes"]], [r.model_dump() for r in tables["hexsides"]]):
            self.wrong(tables[fault.table][fault.row], fault.message, fault.mend)
        for row in self.hexes.values():
            if bool(row.port) != bool(row.port_capacity):
                self.wrong(row, f"port {row.port!r} has capacity {row.port_capacity}", "5.5.3: a port has a capacity from 1")
            if (row.terrain == "sea") != (not row.landmass):
                self.wrong(row, f"{row.hex} is {row.terrain} and its landmass is {row.landmass!r}", "land has one, sea has none")
            if row.terrain == "alpine" and row.coastal == "yes":
                self.wrong(row, f"{row.hex} is coastal and alpine", "13.2.3a: landing costs are 1 to 3")
            if row.coast_defence == "yes" and row.coastal == "no":
                self.wrong(row, f"{row.hex} has a coast defence position and is not coastal", "14.1.4: mark it coastal")
        for beach in self.beaches.values():
            sea, land = self.hexes.get(beach.invasion_hex), self.hexes.get(beach.target_hex)
            if sea is None or sea.terrain != "sea" or land is None or land.coastal == "no":
                said = f"{beach.invasion_hex} to {beach.target_hex} is not from sea to coast"
                self.wrong(beach, said, "13.2: correct the hexes")
            elif GRID.parse(beach.target_hex) not in GRID.neighbours(GRID.parse(beach.invasion_hex)):
                self.wrong(beach, f"{beach.invasion_hex} and {beach.target_hex} are not neighbours", "13.2: correct the hexes")
            if self.whole("tables/operations.csv") and beach.operation not in self.operations:
                self.wrong(beach, f"there is no operation {beach.operation}", "give one of tables/operations.csv")

    def _forces(self) -> None:
        for row in self.units.values():
            if row.steps == 1 and (row.as2 or row.ds2 or row.er2):
                self.wrong(row, f"{row.id} has one step and a reduced side", "write 0 for as2, ds2 and er2")
            if bool(row.support) != (row.type in ("artillery", "armored-artillery", "rocket")):
                self.wrong(row, f"{row.id} is {row.type} with support {row.support}", "10.1: artillery has support, others none")
            if row.type in ("beach", "port") and (row.as_ or row.ma or row.zoc == "yes"):
                self.wrong(row, f"{row.id} has an attack strength, a movement allowance or a ZOC", "6.1.4: it has none")

    def _tables(self) -> None:
        self._covers("tables/crt.csv", [(r.roll, r.roll) for r in self.crt.values()], LOW, HIGH)
        for name, rows in (("weather", self.weather), ("air_assault", self.assault), ("naval_transport", self.sea),
                           ("mussolini", self.mussolini)):
            self._covers(f"tables/{name}.csv", [(r.low, r.high) for r in rows], 1, 10)
        last = max((r.turn for r in self.turns.values()), default=0)
        for turn in range(1, last):
            if turn not in self.turns:
                self.problems.append(Problem(f"{self.label}/tables/turns.csv", 1, f"turn {turn} is missing", "add the row"))

    def _covers(self, name: str, bands: list[tuple[int, int]], low: int, high: int) -> None:
        if self.broken.get(name):
            return
        for roll in range(low, high + 1):
            hits = sum(1 for a, b in bands if a <= roll <= b)
            if hits != 1:
                said = f"a roll of {roll} is in {hits or 'no'} row{'s' if hits > 1 else ''}"
                self.problems.append(Problem(f"{self.label}/{name}", 1, said, "every roll belongs to one row"))


class Card:
    """One scenario: its TOML file, its set-up card and its tables, read against the :class:`Book`."""

    def __init__(self, book: Book, path: Path) -> None:
        self.book, self.path = book, path
        self.name = f"{book.label}/{path.name}"
        self.text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        read = read_toml(path, self.name, Scenario, book.problems)
        self.scenario = read
        if read is None:
            return
        self.setup = book.by_key(read.forces, SetupRow, lambda r: r.unit, "unit")
        self.coast = book.by_key(read.coast, CoastRow, lambda r: r.hex, "hex") if read.coast else {}
        self.levels = book.rows(read.levels, LevelRow)
        self.objectives = book.by_key(read.objectives, ObjectiveRow, lambda r: r.hex, "hex") if read.objectives else {}
        self.inside = {h: r for h, r in book.hexes.items() if self._in_area(h, r)}
        self._check()

    def wrong(self, key: str, message: str, mend: str) -> None:
        """Note a problem of an entry of the TOML file."""
        self.book.problems.append(Problem(self.name, toml_line(self.text, key.split(".")), f"{key}: {message}", mend))

    def _in_area(self, hex_: str, row: HexRow) -> bool:
        s = self.scenario
        assert s is not None
        if row.landmass == "calabria" and not s.calabria:
            return False
        if s.area is None:
            return True
        return s.area.columns[0] <= int(hex_[:2]) <= s.area.columns[1] and s.area.rows[0] <= int(hex_[2:]) <= s.area.rows[1]

    def _check(self) -> None:
        s, book = self.scenario, self.book
        assert s is not None
        if s.operation and s.operation not in book.operations:
            self.wrong("operation", f"there is no operation {s.operation}", "give one of tables/operations.csv, or nothing")
        if max(book.turns, default=0) < s.turns:
            self.wrong("turns", f"tables/turns.csv ends before turn {s.turns}", "add the rows")
        points: Counter[str] = Counter()
        for row in self.setup.values():
            unit = book.units.get(row.unit)
            if unit is None:
                book.wrong(row, f"there is no unit {row.unit}", "give an id of forces/units.csv")
                continue
            if row.place.isdigit():
                self._on_land(row, unit)
                points[f"{unit.side} {row.place}"] += unit.stacking
                if points[f"{unit.side} {row.place}"] > STACK:
                    book.wrong(row, f"more than {STACK} stacking points start in {row.place}", "3.5.1: move one elsewhere")
            self._planned(row, unit)
        for row in self.coast.values():
            found = self.inside.get(row.hex)
            if found is None or found.coast_defence == "no":
                book.wrong(row, f"{row.hex} has no coast defence position in play", "14.1.4: correct the hex, or map/hexes.csv")
        cup = sum(1 for u in book.units.values() if u.type == "coast-defence")
        if len(self._coast()) > cup:
            self.wrong("coast", f"{len(self._coast())} positions and {cup} coast defence units", "14.1.4: leave some out")
        for row in self.objectives.values():
            if row.hex not in self.inside:
                book.wrong(row, f"{row.hex} is not in play", "correct the hex")
        if [r.from_ for r in self.levels] != sorted((r.from_ for r in self.levels), reverse=True):
            self.wrong("levels", "the levels do not go from best to worst", "put the highest first")

    def _on_land(self, row: SetupRow, unit: UnitRow) -> None:
        found = self.inside.get(row.place)
        if found is None or found.terrain == "sea":
            self.book.wrong(row, f"{row.place} is no land hex in play", "correct the hex")
        elif unit.side == "allied":
            mend = "3.1: all hexes are friendly to the Axis at the start"
            self.book.wrong(row, f"{row.unit} is Allied and starts on land", mend)

    def _planned(self, row: SetupRow, unit: UnitRow) -> None:
        if not row.beach:
            return
        beach = self.book.beaches.get(row.beach)
        if beach is None or row.place not in (INVASION, AFRICA):
            self.book.wrong(row, f"{row.unit} in {row.place} is planned for {row.beach}", "13.2.1: give an invasion hex")
        elif beach.target_hex not in self.inside:
            self.book.wrong(row, f"{row.beach} leads out of the area in play", "give another invasion hex")

    def _coast(self) -> list[str]:
        if self.coast:
            return sorted(self.coast)
        return sorted(h for h, r in self.inside.items() if r.coast_defence == "yes")

    def data(self) -> dict[str, Any]:
        """The scenario's JSON data, for the ruleset."""
        s, book = self.scenario, self.book
        assert s is not None
        hexes = [r for _, r in sorted(self.inside.items())]
        sides = [r for _, r in sorted(book.sides.items()) if r.hex_a in self.inside and r.hex_b in self.inside]
        return {
            "title": "invasion_sicily", "heading": s.heading, "scenario": self.path.stem, "turns": s.turns,
            "grid": {"flat": GRID.flat, "shifted": GRID.shifted, "names": GRID.names, "sheets": [list(x) for x in GRID.sheets]},
            "map": {"hexes": [_hex(r) for r in hexes], "sides": [_plain(r) for r in sides], "boxes": []},
            "hexes": [_typed(r) for r in hexes],
            "beaches": [
                _beach(b) for _, b in sorted(book.beaches.items())
                if b.target_hex in self.inside and b.invasion_hex in self.inside
            ],
            "operations": {o.operation: o.nations for o in book.operations.values()},
            "units": [*(_unit(u) for u in self._counters()), *self._pieces()],
            "setup": [*(_setup(r) for r in self.setup.values()), *(_piece_setup(h) for h in self._coast())],
            "exits": self._exits(), "operation": s.operation, "calabria": s.calabria, "first_weather": s.first_weather,
            "tables": self._tables(), "values": [{"kind": v.kind, "what": v.what, "points": v.vp} for v in book.values],
            "objectives": {r.hex: r.vp for r in self.objectives.values()}, "levels": [[r.level, r.from_] for r in self.levels],
            "switches": {k: v.model_dump() for k, v in s.switches.items()},
        }

    def _counters(self) -> list[UnitRow]:
        """The counters of the scenario: those that its card names, and those in the cups."""
        return [u for u in self.book.units.values() if u.id in self.setup or u.type in CARDS]

    def _pieces(self) -> list[dict[str, Any]]:
        """Untried pieces: a coast defence unit for each position, an Ersatz unit for each counter (14.1.2, 15.3.1)."""
        ersatz = [u for u in self.book.units.values() if u.type == "ersatz"]
        coast = [_piece(f"CD-{h}", f"Coast Defence {h}", "Italian", "coast-piece", 0, 1, True) for h in self._coast()]
        cup = [_piece(f"ERS-{n}", f"Ersatz {n}", "German", "ersatz-piece", 4, 0, False) for n, _ in enumerate(ersatz, 1)]
        return [*coast, *cup]

    def _exits(self) -> list[str]:
        """Hexes from which a road leads out of the area in play, over land."""
        if self.scenario is None or self.scenario.area is None:
            return []
        inside = self.inside
        ends = [(r.hex_a, r.hex_b) for r in self.book.sides.values() if r.road]
        out = [a for a, b in [*ends, *((b, a) for a, b in ends)] if a in inside and b not in inside]
        return sorted(dict.fromkeys(out))

    def _tables(self) -> dict[str, Any]:
        book = self.book
        crt = [
            {"roll": str(r.roll), "status": r.status, **{c: getattr(r, "c" + c.replace(":", "_")) for c in COLUMNS}}
            for _, r in sorted(book.crt.items())
        ]
        return {
            "crt": {"columns": list(COLUMNS), "rows": crt},
            "odds": {str(r.over): r.value for r in book.over.values()},
            "terrain": {
                r.terrain: {"dry": int(r.dry * 2), "mud": int(r.mud * 2), "drm": r.drm} for r in book.terrain.values()
            },
            "weather": [_band(r, weather=r.weather + (", storm" if r.storm == "yes" else "")) for r in book.weather],
            "air_assault": [_band(r, assault=r.assault, transfer=r.transfer) for r in book.assault],
            "naval_transport": [_band(r, result=r.result) for r in book.sea],
            "mussolini": [_band(r, result=r.result) for r in book.mussolini],
            "coordination": {
                r.support: {"passes": r.passes, "enemy_zone": r.enemy_zone, "inland": r.inland}
                for r in book.coordination.values()
            },
            "limits": {r.limit: [r.value, r.storm] for r in book.limits.values()},
            "modifiers": {r.modifier: r.value for r in book.modifiers.values()},
            "turns": [
                {"number": r.turn, "dates": r.dates, "air": {"allied": r.allied_air, "axis": r.axis_air}, "naval": r.naval,
                 "mussolini": r.mussolini == "yes", "rp": {"allied": r.allied_rp, "axis": r.axis_rp}}
                for _, r in sorted(book.turns.items())
            ],
        }


def _plain(row: Row) -> dict[str, Any]:
    return {k: v for k, v in row.model_dump().items() if k not in ("file", "line", "source", "status")}


def _hex(row: HexRow) -> dict[str, Any]:
    return {**_plain(row), "towns": ";".join(row.towns)}


def _typed(row: HexRow) -> dict[str, Any]:
    return {
        "id": row.hex, "terrain": row.terrain, "also": row.also, "coastal": row.coastal == "yes", "landmass": row.landmass,
        "towns": [t.strip() for t in row.towns], "city": row.city, "port": row.port, "capacity": row.port_capacity,
        "airfield": row.airfield, "coast_defence": row.coast_defence == "yes", "edge": row.north_edge == "yes",
        "zone": row.air_zone,
    }


def _unit(row: UnitRow) -> dict[str, Any]:
    plain = _plain(row)
    renamed = {"attack": row.as_, "defence": row.ds, "attack2": row.as2, "defence2": row.ds2}
    flags = {k: plain[k] == "yes" for k in ("zoc", "armor", "antitank", "reserve")}
    return {**{k: v for k, v in plain.items() if k not in ("as_", "ds", "as2", "ds2")}, **renamed, **flags}


def _beach(row: BeachRow) -> dict[str, Any]:
    return {
        "hex": row.invasion_hex, "target": row.target_hex, "operation": row.operation, "name": row.beach,
        "nation": row.nationality,
    }


def _piece(id_: str, name: str, nation: str, type_: str, ma: int, stacking: int, zoc: bool) -> dict[str, Any]:
    return {
        "id": id_, "name": name, "side": "axis", "nation": nation, "type": type_, "size": "bn", "mobility": "leg", "steps": 1,
        "attack": 0, "defence": 0, "er": 0, "attack2": 0, "defence2": 0, "er2": 0, "ma": ma, "stacking": stacking, "zoc": zoc,
        "armor": False, "antitank": False, "support": 0, "range": 0, "capacity": 0, "augmentation": 0, "reserve": False,
        "formation": "coast" if type_ == "coast-piece" else "ersatz",
    }


def _setup(row: SetupRow) -> dict[str, Any]:
    return {"unit": row.unit, "place": row.place, "turn": row.turn, "beach": row.beach}


def _piece_setup(hex_: str) -> dict[str, Any]:
    return {"unit": f"CD-{hex_}", "place": hex_, "turn": 1, "beach": ""}


def _band(row: Any, **results: Any) -> dict[str, Any]:
    return {"low": row.low, "high": row.high, "results": results, "status": row.status}


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
    data = card.data()

    return data, []
