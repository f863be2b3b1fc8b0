"""The rows of the files of The Italian Campaign: what each column may hold."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from pbem.scenarios.rows import Row, Source, Status, Table, Text, Words, YesNo

HexId = Annotated[str, Field(pattern=r"^\d{4}$", description="a hex number: column and row, as 1122")]
UnitId = Annotated[str, Field(pattern=r"^[0-9A-Za-z]+(-[0-9A-Za-z]+)?$", description="an id: '36US', '36US-141'")]
Side = Annotated[Literal["allied", "axis"], Field(description="'allied' or 'axis'")]
Number = Annotated[int, Field(ge=0, le=99, description="a whole number from 0 to 99")]
Rating = Annotated[int, Field(ge=0, le=10, description="a rating from 0 to 10")]
Band = Annotated[
    str, Field(pattern=r"^\d+([-+]|-\d+)?$", description="a number, '7-8', '6-' for 6 or less, or '9+' for 9 or more")
]
Reach = Annotated[Literal["all", "weak", "none"], Field(description="6.35: 'all', 'weak' or 'none'")]


class HexRow(Row):
    """map/SHEET_hexes.csv"""

    hex: HexId
    terrain: Annotated[
        Literal["sea", "clear", "lowland", "highland", "mountain", "summit"],
        Field(description="sea, clear, lowland, highland, mountain or summit"),
    ]
    code: Annotated[int, Field(ge=0, le=6, description="the terrain code from 0 to 6, with what is built there (8.27)")]
    built: Annotated[Literal["", "town", "city"], Field(description="'town', 'city' or nothing")]
    town: str
    port: str
    port_value: Number
    airfield: Annotated[str, Field(pattern=r"^$|^.+:(major|minor)$", description="'NAME:major', 'NAME:minor' or nothing")]
    beach: Annotated[
        str, Field(pattern=r"^$|^[A-Z][a-z]+-[123]$", description="10.5: its zone and beach box, 'Salerno-2', or nothing")
    ]
    coastal: YesNo
    landmass: Annotated[Literal["", "mainland", "sicily", "calabria", "island"], Field(description="which land it belongs to")]
    edge: Annotated[Literal["", "north", "toe"], Field(description="'north', 'toe' or nothing")]
    lat: Annotated[float, Field(ge=36, le=43, description="degrees north")]
    lon: Annotated[float, Field(ge=11, le=19, description="degrees east")]
    source: Source
    status: Status


class SideRow(Row):
    """map/SHEET_hexsides.csv"""

    hex_a: HexId
    hex_b: HexId
    sea: YesNo
    river: str
    ridge: YesNo
    road: Annotated[Literal["", "main", "minor", "trail"], Field(description="'main', 'minor', 'trail' or nothing")]
    rail: YesNo
    route: str
    source: Source
    status: Status


class ZoneRow(Row):
    """map/zones.csv"""

    sheet: Annotated[Literal["salerno", "sicily"], Field(description="'salerno' or 'sicily'")]
    zone: Text
    box: Annotated[int, Field(ge=1, le=3, description="10.5: 1, 2 or 3")]
    hexes: Words
    condition: Number
    source: Source
    status: Status


class UnitRow(Row):
    """forces/units.csv; the numbers with 2 are those of the back."""

    id: UnitId
    name: Text
    side: Side
    nation: Annotated[Literal["US", "UK", "CA", "IN", "DE", "IT"], Field(description="US, UK, CA, IN, DE or IT")]
    kind: Annotated[Literal["army", "corps", "hq", "unit", "asset"], Field(description="army, corps, hq, unit or asset")]
    formation: str
    corps: str
    symbol: str
    class_: Annotated[Literal["A", "B", "C", "D", "E"], Field(alias="class", description="2.13: A, B, C, D or E")]
    mobile: YesNo
    tr: Rating
    ma: Annotated[int, Field(ge=1, le=20, description="movement points")]
    armor: Rating
    circled: YesNo
    asset: Rating
    or_: Annotated[int, Field(alias="or", ge=0, le=10, description="2.27: a rating from 0 to 10")]
    dr: Rating
    af: Rating
    capacity: Rating
    efficiency: Rating
    bonus: Rating
    tr2: Rating
    armor2: Rating
    asset2: Rating
    or2: Rating
    dr2: Rating
    af2: Rating
    capacity2: Rating
    efficiency2: Rating
    bonus2: Rating
    source: Source
    status: Status


class CardRow(Row):
    """forces/SCENARIO.csv: where a unit starts, or from which box of the time track it may come."""

    unit: UnitId
    box: Number
    place: Annotated[
        str, Field(
            pattern=r"^(\d{4}|beach:[A-Z][a-z]+-[123]|staging:[A-Z][a-z]+|reserve|drop|edge|sea)$",
            description="a hex, 'beach:ZONE-BOX', 'staging:ZONE', 'reserve', 'drop', 'edge' or 'sea'",
        )
    ]
    target: Annotated[str, Field(pattern=r"^(\d{4})?$", description="the hex it lands on or comes in by, or nothing")]
    source: Source
    status: Status


class OperationRow(Row):
    """tables/operations.csv"""

    operation: Text
    points: Number
    efficiency: Number
    divisions: Number
    fatigue: Number
    move: Annotated[Literal["hexes", "half", "full", "none"], Field(description="'hexes' (6.33), 'half', 'full' or 'none'")]
    combat: Annotated[Literal["full", "half", "tac", "arty", "none"], Field(description="6.34: full, half, tac, arty or none")]
    exit: Reach
    enter: Reach
    penetrate: Reach
    armor: Annotated[Literal["full", "half", "none"], Field(description="6.36: full, half or none")]
    support: Number
    artillery: Number
    bonus: Annotated[Literal["full", "half", "one", "none"], Field(description="5.45: full, half, one or none")]
    reaction_only: YesNo
    source: Source
    status: Status


class TrackRow(Row):
    """tables/operations_track.csv"""

    pos: Number
    box: str
    kind: Annotated[Literal["I", "R", "FR", "EX"], Field(description="6.1: I, R, FR or EX")]
    time_boxes: Number
    source: Source
    status: Status


class TimeRow(Row):
    """tables/time_track.csv"""

    box: Number
    date: Text
    half: Annotated[Literal["AM", "PM", "all day"], Field(description="'AM', 'PM' or 'all day'")]
    note: str
    source: Source
    status: Status


class TerrainRow(Row):
    """tables/terrain.csv"""

    name: Text
    kind: Annotated[Literal["hex", "built", "side", "road"], Field(description="hex, built, side or road")]
    code: Number
    stacking: Number
    leg: Number
    mobile: Number
    source: Source
    status: Status


class CombatRow(Row):
    """tables/combat.csv"""

    kind: Annotated[Literal["line", "barrage", "result"], Field(description="line, barrage or result")]
    row: str
    column: Annotated[int, Field(ge=1, le=10, description="a column from 10 to 1")]
    value: Text
    source: Source
    status: Status


class FactorRow(Row):
    """tables/combat_factors.csv"""

    class_: Annotated[Literal["A", "B", "C", "D", "E"], Field(alias="class", description="2.13: A, B, C, D or E")]
    rating: Rating
    value: Number
    source: Source
    status: Status


class AssaultRow(Row):
    """tables/invasion_assault.csv"""

    strength: Band
    die: Annotated[int, Field(ge=1, le=6, description="1 to 6")]
    defence: Band
    result: Annotated[Literal["R", "D", "E", "S", "B"], Field(description="10.71: R, D, E, S or B")]
    source: Source
    status: Status


class CounterRow(Row):
    """tables/invasion_counterattack.csv"""

    die: Annotated[int, Field(ge=1, le=6, description="1 to 6")]
    diff: Annotated[int, Field(ge=-3, le=5, description="-3 to 5")]
    result: Annotated[Literal["ADR", "AR", "AD", "M", "D", "R"], Field(description="10.82: ADR, AR, AD, M, D or R")]
    source: Source
    status: Status


class SupplyRow(Row):
    """tables/command_supply.csv"""

    side: Side
    capacity: Band
    die: Annotated[int, Field(ge=1, le=6, description="1 to 6")]
    points: Annotated[str, Field(pattern=r"^(\d|E)$", description="a number, or E for the evacuation")]
    source: Source
    status: Status


class LimitRow(Row):
    """tables/limits.csv"""

    limit: Text
    value: Number
    source: Source
    status: Status


class Switch(Table):
    """A doubtful reading that the sides may decide otherwise."""

    value: Any
    rule: Text
    why: Text


class Scenario(Table):
    """SCENARIO.toml"""

    format: Text
    heading: Text
    about: Text
    playable: bool
    sheets: Annotated[list[Literal["salerno", "sicily"]], Field(min_length=1, description="the sheets in play")]
    last_box: Annotated[int, Field(ge=1, le=99, description="the last box of the time track")]
    forces: Text
    start: Annotated[dict[str, int], Field(description="the starting boxes of the tracks")]
    conditions: Annotated[dict[str, int], Field(description="10.41: landing conditions that are not those of map/zones.csv")]
    idle: Annotated[dict[str, int], Field(description="divisions that may not operate before a box of the time track")]
    needs_evacuation: Annotated[bool, Field(description="whether the Axis wins if it never declared the evacuation")]
    levels: Annotated[list[tuple[str, int]], Field(description="levels of victory with the points they begin at, best first")]
    sources: Annotated[dict[str, str], Field(description="where the entries of this file come from")]
    switches: dict[str, Switch]
