"""The files of a FAB title: what each column may hold, and what the files must say together."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from pbem.kit.search import reachable
from pbem.scenarios.rows import (
    ALL, Problem, Row, Source, Status, Table, Text, Words, YesNo, read_csv, read_toml, toml_line, twice,
)

QUALITY = {"G": 0, "V": 1, "E": 2}
GARRISON_PLACE, INVASION, AIR = "S", "Inv", "Air"
CHIT_PLACES = ("cup", "available", "conditional")
STACK = 2
PIECES = ("forces/blocks.csv", "forces/garrisons.csv", "forces/chits.csv")
STARS = ("yellow star", "white star", "german cross")

AreaId = Annotated[str, Field(pattern=r"^[1-9]\d?$", description="the number of an area")]
BoxId = Annotated[str, Field(pattern=r"^[ABDP][1-9]\d?$", description="a box: A1, B3, D13, P2")]
PieceId = Annotated[str, Field(pattern=r"^[0-9A-Za-z]+(-[0-9A-Za-z]+)*$", description="an id of letters, digits and '-'")]
Side = Annotated[Literal["allied", "axis"], Field(description="'allied' or 'axis'")]
Nation = Annotated[Literal["us", "uk", "it", "de", ""], Field(description="'us', 'uk', 'it', 'de' or nothing")]
Army = Annotated[Literal["6", "7", "8", ""], Field(description="13.2: '6', '7', '8', or nothing if any army may use it")]
Class = Annotated[Literal["armor", "infantry", ""], Field(description="13.3: 'armor' or 'infantry'")]
Turn = Annotated[int, Field(ge=0, le=9, description="a turn from 1 to 9, or 0 for the set-up")]
Steps = Annotated[
    str, Field(pattern=r"^[GVE]{0,4}$", description="a letter a step, the last step first: G green, V veteran, E elite")
]
Number = Annotated[int, Field(ge=0, le=99, description="a whole number, 0 or more")]

REVISION = 3
"""The reading of the rules that new games are begun with (``games.fab_sicily.position.data.REVISION``)."""


class AreaRow(Row):
    """map/areas.csv"""

    id: AreaId
    name: Text
    aliases: Words
    zones: Annotated[
        tuple[Literal["A", "B", "C", "D"], ...], BeforeValidator(lambda v: tuple(v.split("+")) if isinstance(v, str) else v),
        Field(description="14.31: A, B, C or D, or two with '+' between them"),
    ]
    coastal: YesNo
    lat: Annotated[float, Field(ge=36, le=39, description="degrees north")]
    lon: Annotated[float, Field(ge=12, le=16, description="degrees east")]
    source: Source
    status: Status
    tdn: Annotated[int, Field(ge=0, le=3, description="2.4: the Terrain Difficulty Number, 0 to 3")]
    tdn_source: Source
    tdn_status: Status


class BorderRow(Row):
    """map/borders.csv: the border, then the connection over it, then its river."""

    a: AreaId
    b: AreaId
    source: Source
    status: Status
    connection: Annotated[Literal["road", "field"], Field(description="5.31: 'road' or 'field'")]
    connection_source: Source
    connection_status: Status
    river: Annotated[str, Field(description="the river's name, or nothing")]
    river_source: str
    river_status: Annotated[
        Literal["printed", "deduced", "historical", "reconstructed", ""], Field(description="the status of the river")
    ]
    restricted: YesNo

    @model_validator(mode="after")
    def _together(self) -> Self:
        if int(self.a) >= int(self.b):
            raise ValueError(f"{self.a} must be lower than {self.b}: write the lower area first")
        if self.river and not (len(self.river_source) > 2 and self.river_status):
            raise ValueError(f"the river {self.river} has no source or no status: fill river_source and river_status")
        return self


class BoxRow(Row):
    """map/boxes.csv"""

    box: BoxId
    kind: Annotated[Literal["landing", "port"], Field(description="'landing' or 'port'")]
    name: str
    area: AreaId
    source: Source
    status: Status


class SymbolRow(Row):
    """map/symbols.csv"""

    area: AreaId
    symbol: Annotated[
        Literal["airfield", "yellow star", "white star", "german cross"],
        Field(description="'airfield', 'yellow star', 'white star' or 'german cross'"),
    ]
    source: Source
    status: Status


class BlockRow(Row):
    """forces/blocks.csv"""

    id: PieceId
    name: Text
    side: Side
    nation: Nation
    army: Army
    division: str
    cls: Annotated[Literal["armor", "infantry"], Field(description="13.3: 'armor' or 'infantry'")]
    symbol: Annotated[
        Literal["inf", "para", "arm", "mech", "garrison"], Field(description="'inf', 'para', 'arm', 'mech' or 'garrison'")
    ]
    quality: Steps
    motorized: YesNo
    airborne: YesNo
    source: Source
    status: Status

    @model_validator(mode="after")
    def _steps(self) -> Self:
        if (self.symbol == "garrison") == bool(self.quality):
            raise ValueError("a garrison has no quality here (garrisons.csv has it), every other block has one: see 15.3")
        return self


class GarrisonRow(Row):
    """forces/garrisons.csv: what a face-down garrison turns out to be."""

    id: PieceId
    quality: Annotated[str, Field(pattern=r"^[GVE]{1,4}$", description="a letter a step: G recruit, V veteran, E elite")]
    source: Source
    status: Status


class ChitRow(Row):
    """forces/chits.csv"""

    id: PieceId
    name: Text
    side: Side
    kind: Annotated[
        Literal[
            "artillery", "battle", "engineer", "naval", "air", "staff", "special", "special-event",
            "infantry-replacement", "armor-replacement", "delay", "morale-collapse", "release", "slapping", "extraction",
        ],
        Field(description=(
            "artillery, battle, engineer, naval, air, staff, special, special-event, infantry-replacement, "
            "armor-replacement, delay, morale-collapse, release, slapping or extraction"
        )),
    ]
    army: Army
    nation: Nation
    division: str
    cls: Class
    quality: Annotated[Literal["G", "V", "E"], Field(description="G green, V veteran, E elite")]
    flank: YesNo
    clears: YesNo
    source: Source
    status: Status


class ForceRow(Row):
    """forces/<scenario>.csv: the scenario's forces card."""

    piece: PieceId
    turn: Turn
    place: Annotated[
        str, Field(
            pattern=r"^(cup|available|conditional|Inv|Air|S|P4|[1-9]\d?( [1-9]\d?)*)$",
            description=(
                "an area (or several, best first), 'Inv', 'Air', 'S' (garrison), 'P4', 'cup', 'available' or 'conditional'"
            ),
        ),
    ]
    source: Source
    status: Status


class DrawRow(Row):
    """tables/draws.csv: 4.2a, chits drawn in the Allied and in the Axis player turn."""

    turn: Annotated[int, Field(ge=1, le=9, description="a turn from 1 to 9")]
    side: Side
    allied_half: Number
    axis_half: Number
    source: Source
    status: Status


class PointRow(Row):
    """tables/*_points.csv: 22.17"""

    area: AreaId
    points: Number
    source: Source
    status: Status


class SuddenRow(Row):
    """tables/sudden_death.csv: 19.4, points that a side must be ahead by on a turn to win at once."""

    turn: Annotated[int, Field(ge=4, le=9, description="a turn from 4 to 9")]
    side: Side
    points: Number
    source: Source
    status: Status


class ModifierRow(Row):
    """tables/modifiers.csv: what is added to a Success Number."""

    key: PieceId
    value: Annotated[int, Field(ge=-3, le=3, description="a whole number from -3 to 3")]
    when: Text
    source: Source
    status: Status


class Switch(Table):
    """A reading that two owners of the game could disagree on."""

    value: Annotated[bool | int | str, Field(description="true, false, a number or a text")]
    rule: Text
    why: Text


Zones = Annotated[dict[Literal["7", "8"], tuple[str, ...]], Field(description="14.31: zones of the 7th and the 8th Army")]
Boxes = Annotated[dict[Literal["7", "8"], tuple[str, ...]], Field(description="landing boxes of the 7th and the 8th Army")]


class LandingPlan(Table):
    """22.25, 22.26 A plan: zones, the boxes the beachheads may lie in, and where they lie by default."""

    rule: Text
    zones: Zones
    release_zones: Zones
    boxes: Boxes
    default: Boxes
    consecutive: Annotated[tuple[Literal["7", "8"], ...], Field(description="armies whose beachheads lie side by side")]


class Scenario(Table):
    """<scenario>.toml"""

    format: Annotated[Literal["fab_sicily"], Field(description="'fab_sicily': the reader of these files")]
    introduction: Annotated[bool, Field(description="true for the scenario that newcomers are shown")] = False
    heading: Text
    about: Text
    playable: Annotated[bool, Field(description="true or false")]
    turns: Annotated[int, Field(ge=1, le=9, description="22.12: the number of turns, 1 to 9")]
    forces: Text
    draws: Text
    points: Text
    playing_area: Annotated[tuple[int, ...], Field(min_length=1, description="22.13: the areas in play, or [0] for all")]
    garrison_areas: Annotated[tuple[int, ...], Field(description="22.14: the areas that get a garrison")]
    beachheads: Annotated[tuple[str, ...], Field(description="22.14: landing boxes")]
    axis_sources: Annotated[tuple[int, ...], Field(description="14.91: areas the Axis traces supply to")]
    forced_off_map: Annotated[bool, Field(description="22.16: whether a unit that is forced off the map is eliminated")]
    zones: Annotated[dict[str, tuple[str, ...]], Field(description="14.31: zones of each army")]
    release_zones: Annotated[dict[str, tuple[str, ...]], Field(description="14.61: zones a released division may enter too")]
    sources: Annotated[dict[str, str], Field(description="where the entries of this file come from")]
    switches: Annotated[dict[str, Switch], Field(description="name = {value, rule, why}")]
    plans: Annotated[dict[str, LandingPlan], Field(description="22.24: the landing plans the Allies choose from")] = {}
    free_garrisons: Annotated[bool, Field(description="22.24: whether the Axis places its garrisons")] = False
    victory: Annotated[
        Literal["areas", "tournament", "campaign"], Field(description="'areas' (22.17), 'tournament' or 'campaign'")
    ] = "areas"
    sudden_death: Annotated[str, Field(description="19.4: the file with the values of the Turn Track")] = ""
    conditional: Annotated[bool, Field(description="16.4 and 17.21: whether conditional chits are used")] = False
    skipped_phases: Annotated[tuple[str, ...], Field(description="22.27: steps left out, like '1 allied draw'")] = ()


class Book:
    """The files all scenarios of a title share."""

    def __init__(self, folder: Path, label: str, problems: list[Problem]) -> None:
        self.folder, self.label, self.problems = folder, label, problems
        self.read: set[Path] = set()
        self.broken: dict[str, set[str]] = {}
        self.areas = self.by_key("map/areas.csv", AreaRow, lambda r: r.id, "area")
        self.borders = self.by_key("map/borders.csv", BorderRow, lambda r: (r.a, r.b), "border")
        self.boxes = self.by_key("map/boxes.csv", BoxRow, lambda r: r.box, "box")
        self.symbols = self.by_key("map/symbols.csv", SymbolRow, lambda r: (r.area, r.symbol), "symbol")
        self.blocks = self.by_key("forces/blocks.csv", BlockRow, lambda r: r.id, "block")
        self.cards = self.by_key("forces/garrisons.csv", GarrisonRow, lambda r: r.id, "garrison")
        self.chits = self.by_key("forces/chits.csv", ChitRow, lambda r: r.id, "chit")
        self.modifiers = self.by_key("tables/modifiers.csv", ModifierRow, lambda r: r.key, "modifier")
        self._map()
        self._forces()
        self._shapes()

    def by_key(self, name: str, model: type[Any], key: Any, what: str) -> dict[Any, Any]:
        """The rows of a file by their key."""
        path = self.folder / name
        self.read.add(path)
        broken = self.broken.setdefault(name, set())
        return twice(read_csv(path, f"{self.label}/{name}", model, self.problems, broken), key, what, self.problems)

    def excused(self, key: str, *names: str) -> bool:
        """Whether ``key`` may be missing because its row, or the whole file, is broken."""
        return any({key, ALL} & self.broken[name] for name in names)

    def wrong(self, row: Row, message: str, mend: str) -> None:
        """Note a problem of a row."""
        self.problems.append(Problem(row.file, row.line, message, mend))

    def area(self, row: Row, area: str) -> bool:
        """Whether the area exists; a problem if not."""
        if area not in self.areas and not self.excused(area, "map/areas.csv"):
            self.wrong(row, f"there is no area {area}", "give a number of map/areas.csv")
        return area in self.areas

    def _map(self) -> None:
        for border in self.borders.values():
            self.area(border, border.a)
            self.area(border, border.b)
        touched = {a for key in self.borders for a in key}
        for area in self.areas.values():
            if area.id not in touched and not self.broken["map/borders.csv"]:
                self.wrong(area, f"area {area.id} has no border", "give it one in map/borders.csv")
        for box in self.boxes.values():
            if self.area(box, box.area) and self.areas[box.area].coastal == "no":
                said = f"{box.box} leads to {box.area}, which is not coastal"
                self.wrong(box, said, "correct the area, or 'coastal' in map/areas.csv")
            if (box.kind == "port") != box.box.startswith("P"):
                self.wrong(box, f"{box.box} cannot be a {box.kind} box", "port boxes are P1 to P4, all others are landing boxes")
        twice(self.boxes.values(), lambda r: (r.kind, r.area), "a box of the area", self.problems)
        for symbol in self.symbols.values():
            self.area(symbol, symbol.area)

    def _forces(self) -> None:
        for chit in self.chits.values():
            if chit.id in self.blocks or chit.id in self.cards:
                self.wrong(chit, f"{chit.id} is also a block or a garrison", "give it another id")
        for row in (*self.blocks.values(), *self.chits.values()):
            if row.army and (row.army == "6") != (row.side == "axis"):
                self.wrong(row, f"army {row.army} is not {row.side}", "13.2: the Axis has the 6th, the Allies 7th and 8th")
        pairs = Counter[str]()
        for block in self.blocks.values():
            pairs[block.division] += bool(block.division)
            if pairs[block.division] > 2:
                self.wrong(block, f"division {block.division} has more than two blocks", "20.0: a division is two blocks")

    def _shapes(self) -> None:
        """map/areas.geojson has one shape an area."""
        name, path = f"{self.label}/map/areas.geojson", self.folder / "map/areas.geojson"
        try:
            found = Counter(str(f["properties"]["area"]) for f in json.loads(path.read_text(encoding="utf-8"))["features"])
        except (OSError, ValueError, KeyError, TypeError) as why:
            self.problems.append(Problem(name, 1, f"cannot be read: {why}", "make it again with build/areas.py"))
            return
        for area in sorted({*found, *self.areas}, key=int):
            if found[area] != 1 or (area not in self.areas and not self.excused(area, "map/areas.csv")):
                said = f"area {area} has {found[area]} shapes"
                self.problems.append(Problem(name, 1, said, "make it again with build/areas.py"))


class Sheet:
    """One scenario: its TOML file, its forces card and its tables, read against the :class:`Book`."""

    def __init__(self, book: Book, path: Path) -> None:
        self.book, self.path = book, path
        self.name = f"{book.label}/{path.name}"
        self.text = path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
        read = read_toml(path, self.name, Scenario, book.problems)
        if read is None:
            self._rows_only()
            return
        self.scenario = read
        wanted = {str(a) for a in read.playing_area}
        self.playing = [a for a in sorted(book.areas, key=int) if a in wanted or "0" in wanted]
        self.forces = book.by_key(read.forces, ForceRow, lambda r: r.piece, "piece")
        self.draws = book.by_key(read.draws, DrawRow, lambda r: (r.side, str(r.turn)), "draw")
        self.points = book.by_key(read.points, PointRow, lambda r: r.area, "area")
        self.sudden = (
            book.by_key(read.sudden_death, SuddenRow, lambda r: (r.side, str(r.turn)), "turn") if read.sudden_death else {}
        )
        self._entries()
        self._pieces()

    def _rows_only(self) -> None:
        """Check the rows of the files that a broken TOML file names, if these entries can be read."""
        for key, model in (("forces", ForceRow), ("draws", DrawRow), ("points", PointRow), ("sudden_death", SuddenRow)):
            named = re.search(rf'^{key} *= *"([^"]+)"', self.text, re.MULTILINE)
            if named:
                self.book.by_key(named.group(1), model, lambda r: r.line, "row")

    def wrong(self, key: str, message: str, mend: str) -> None:
        """Note a problem of an entry of the TOML file."""
        self.book.problems.append(Problem(self.name, toml_line(self.text, key.split(".")), f"{key}: {message}", mend))

    def _entries(self) -> None:
        s, book = self.scenario, self.book
        for key in ("playing_area", "garrison_areas", "axis_sources"):
            for area in getattr(s, key):
                known = book.areas if key == "playing_area" else self.playing
                if area and str(area) not in known and not book.excused(str(area), "map/areas.csv"):
                    self.wrong(key, f"there is no area {area} in play", "give numbers of map/areas.csv, in the playing area")
        for box in s.beachheads:
            found = book.boxes.get(box)
            if found and found.kind == "landing" and found.area in self.playing or book.excused(box, "map/boxes.csv"):
                continue
            if not (found and book.excused(found.area, "map/areas.csv")):
                self.wrong("beachheads", f"{box} leads to no area in play", "give landing boxes of map/boxes.csv")
        if not (book.broken["map/areas.csv"] or book.broken["map/borders.csv"]):
            self._connected()
        for side in ("allied", "axis"):
            for turn in range(1, s.turns + 1):
                if (side, str(turn)) not in self.draws and not book.excused(str(turn), s.draws):
                    self.wrong("draws", f"{s.draws} has no row for {side} on turn {turn}", "add the row")
        for row in self.points.values():
            if book.area(row, row.area) and row.area not in self.playing:
                book.wrong(row, f"area {row.area} is not in play", "delete the row, or add the area to playing_area")
        self._landing_plans()
        for army in (*s.zones, *s.release_zones):
            if army not in ("7", "8"):
                self.wrong("zones", f"there is no Allied army {army}", "7 or 8")

    def _landing_plans(self) -> None:
        """Every box of a plan exists and leads into the army's zones; the default is among them."""
        book = self.book
        for name, plan in self.scenario.plans.items():
            for army, boxes in (*plan.boxes.items(), *plan.default.items()):
                for box in boxes:
                    found = book.boxes.get(box)
                    area = book.areas.get(found.area) if found and found.kind == "landing" else None
                    if area and set(area.zones) & set(plan.zones.get(army, ())) and box in plan.boxes.get(army, ()):
                        continue
                    if not book.excused(box, "map/boxes.csv") and not (found and book.excused(found.area, "map/areas.csv")):
                        said = f"{box} is no landing box of army {army}"
                        self.wrong(f"plans.{name}.boxes", said, "give boxes of map/boxes.csv in the army's zones")

    def _connected(self) -> None:
        inner = [k for k in self.book.borders if set(k) <= set(self.playing)]
        near = {a: [b if a == c else c for b, c in inner if a in (b, c)] for a in self.playing}
        cut = [a for a in self.playing if a not in reachable(self.playing[0], lambda a: near[a])]
        if cut:
            self.wrong("playing_area", f"area {', '.join(cut)} cannot be reached from the others", "add the borders between")

    def _pieces(self) -> None:
        s, book, stacks = self.scenario, self.book, Counter[tuple[str, str]]()
        for row in self.forces.values():
            block, chit, card = book.blocks.get(row.piece), book.chits.get(row.piece), row.piece in book.cards
            if not (block or chit or card):
                if not book.excused(row.piece, *PIECES):
                    book.wrong(row, f"there is no piece {row.piece}", "give an id of blocks.csv, garrisons.csv or chits.csv")
                continue
            if chit and row.place not in CHIT_PLACES:
                book.wrong(row, f"a chit cannot be placed in {row.place}", "'cup' or 'available'")
            if block and (block.symbol == "garrison") != (row.place == GARRISON_PLACE) or card and row.place != GARRISON_PLACE:
                book.wrong(row, f"{row.piece} cannot be placed in {row.place}", "15.3: garrisons, and they alone, have place S")
            elif block and row.place in CHIT_PLACES:
                book.wrong(row, f"a block cannot be placed in {row.place}", "give an area, 'Inv', 'Air' or 'P4'")
            elif block and (block.airborne == "yes") != (row.place == AIR):
                book.wrong(row, f"{row.piece} cannot arrive by {row.place}", "14.24: airborne units and no others arrive by Air")
            areas = [p for p in row.place.split() if p.isdigit()]
            for area in areas:
                if area not in self.playing and not book.excused(area, "map/areas.csv"):
                    book.wrong(row, f"area {area} is not in play", "give an area of playing_area")
            if block and not row.turn and areas:
                stacks[block.side, row.place] += 1
                if stacks[block.side, row.place] > STACK:
                    book.wrong(row, f"more than {STACK} units start in {row.place}", "5.1: move one elsewhere")
            if row.place in ("available", "conditional") and row.turn:
                book.wrong(row, "a chit in the Available Box at the start has turn 0", "write turn 0, or place 'cup'")
        blocks = sum(1 for p in self.forces if p in book.blocks and book.blocks[p].symbol == "garrison")
        cards = sum(1 for p in self.forces if p in book.cards)
        if not blocks == cards == len(s.garrison_areas) and not any(book.broken[n] for n in (*PIECES, s.forces)):
            self.wrong(
                "garrison_areas", f"{blocks} garrison blocks, {cards} garrison cards, {len(s.garrison_areas)} areas",
                f"22.14: make the three numbers equal (here and in {s.forces})",
            )

    def raw(self) -> dict[str, Any]:
        """The JSON data the ruleset builds on."""
        s, book = self.scenario, self.book
        blocks = [book.blocks[p] for p in self.forces if p in book.blocks]
        chits = [book.chits[p] for p in self.forces if p in book.chits]
        playing = set(self.playing)
        return {
            "scenario": self.path.stem, "title": s.heading, "turns": s.turns,
            "areas": [self._area(book.areas[a]) for a in self.playing],
            "borders": [
                {"a": b.a, "b": b.b, "road": b.connection == "road", "river": b.river, "restricted": b.restricted == "yes"}
                for b in book.borders.values() if {b.a, b.b} <= playing
            ],
            "blocks": [self._block(b) for b in blocks],
            "cards": [{"id": p, "quality": _quality(book.cards[p].quality)} for p in self.forces if p in book.cards],
            "chits": [self._chit(c) for c in chits],
            "draws": {
                side: {str(t): [d.allied_half, d.axis_half] for t in range(1, 10) if (d := self.draws.get((side, str(t))))}
                for side in ("allied", "axis")
            },
            "garrison_areas": [str(a) for a in s.garrison_areas], "beachheads": list(s.beachheads),
            "zones": {k: list(v) for k, v in s.zones.items()},
            "release_zones": {k: list(v) for k, v in s.release_zones.items()},
            "axis_sources": [str(a) for a in s.axis_sources], "forced_off_map": s.forced_off_map,
            "switches": {k: v.value for k, v in s.switches.items()}, "revision": REVISION,
            **self._whole_game(),
        }

    def _whole_game(self) -> dict[str, Any]:
        """22.24 and after: what the introductory scenario has not."""
        s = self.scenario
        found = {
            "plans": {name: plan.model_dump(mode="json") for name, plan in s.plans.items()}, "free_garrisons": s.free_garrisons,
            "sudden_death": {
                str(t): {side: row.points for side in ("allied", "axis") if (row := self.sudden.get((side, str(t))))}
                for t in range(1, s.turns + 1)
            } if self.sudden else {},
            "conditional": s.conditional, "skipped_phases": list(s.skipped_phases),
        }
        victory = {"victory": s.victory} if s.victory != "areas" else {}
        return {**{k: v for k, v in found.items() if v}, **victory}

    def _area(self, row: AreaRow) -> dict[str, Any]:
        book = self.book
        box = {b.kind: b for b in book.boxes.values() if b.area == row.id}
        points = self.points.get(row.id)
        return {
            "id": row.id, "name": row.name, "aliases": list(row.aliases), "zones": list(row.zones),
            "coastal": row.coastal == "yes", "tdn": row.tdn,
            "landing": box["landing"].box if "landing" in box else "",
            "landing_name": box["landing"].name if "landing" in box else "",
            "port": box["port"].box if "port" in box else "", "airfield": (row.id, "airfield") in book.symbols,
            "star": next((s for s in STARS if (row.id, s) in book.symbols), ""),
            "vp": points.points if points else 0, "lat": row.lat, "lon": row.lon,
        }

    def _block(self, row: BlockRow) -> dict[str, Any]:
        force = self.forces[row.id]
        plain = {k: getattr(row, k) for k in ("id", "name", "side", "nation", "army", "division", "cls", "symbol")}
        return {
            **plain, "symbol": "inf" if row.symbol == "garrison" else row.symbol, "quality": _quality(row.quality),
            "turn": force.turn, "at": force.place, "garrison": row.symbol == "garrison",
            "motorized": row.motorized == "yes", "airborne": row.airborne == "yes",
        }

    def _chit(self, row: ChitRow) -> dict[str, Any]:
        force = self.forces[row.id]
        plain = {k: getattr(row, k) for k in ("id", "name", "side", "kind", "army", "nation", "division", "cls")}
        return {
            **plain, "quality": QUALITY[row.quality], "turn": force.turn, "box": force.place,
            "flank": row.flank == "yes", "clears": row.clears == "yes",
        }


def _quality(letters: str) -> list[int]:
    return [QUALITY[q] for q in letters]


def check(folder: Path, label: str) -> list[Problem]:
    """Every problem of every file of a title."""
    problems: list[Problem] = []
    book = Book(folder, label, problems)
    for path in sorted(folder.glob("*.toml")):
        Sheet(book, path)
    for path in sorted(p for part in ("map", "forces", "tables") for p in (folder / part).glob("*.csv")):
        if path not in book.read:
            name = f"{label}/{path.relative_to(folder).as_posix()}"
            problems.append(Problem(name, 1, "no scenario reads this file", "name it in a scenario's TOML file, or delete it"))
    return list(dict.fromkeys(problems))


def load(folder: Path, label: str, scenario: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """The JSON data of a scenario, and the problems of its files (no data if there are any)."""
    problems: list[Problem] = []
    sheet = Sheet(Book(folder, label, problems), folder / f"{scenario}.toml")
    return (None if problems else sheet.raw()), list(dict.fromkeys(problems))
