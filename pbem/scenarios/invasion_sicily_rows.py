"""The rows of the files of Invasion: Sicily: what each column may hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from pbem.scenarios.rows import Row, Source, Status, Table, Text, Words, YesNo

AFRICA, ITALY, INVASION, FOLLOW_UP, EVACUATION, SICILY_EVACUATION = (
    "africa", "italy", "invasion", "follow-up", "evacuation", "sicily-evacuation"
)
BOXES = (AFRICA, ITALY, INVASION, FOLLOW_UP, EVACUATION, SICILY_EVACUATION)
"""7.6, 7.7 Places off the map."""

HexId = Annotated[str, Field(pattern=r"^\d{4}$", description="a hex number: column and row, as 2407")]
UnitId = Annotated[str, Field(pattern=r"^[A-Z]{2,3}-[0-9A-Za-z]+$", description="an id: nation, '-', designation, as US-16")]
Side = Annotated[Literal["allied", "axis"], Field(description="'allied' or 'axis'")]
Number = Annotated[int, Field(ge=0, le=99, description="a whole number from 0 to 99")]
Any99 = Annotated[int, Field(ge=-99, le=99, description="a whole number from -99 to 99")]
Half = Annotated[float, Field(ge=0, le=9, multiple_of=0.5, description="movement points, in whole or half points")]
Result = Annotated[
    str, Field(pattern=r"^(\d(r[12])?/\d(r[12])?|E)$", description="attacker/defender: steps lost, 'r' hexes retreated")
]

COLUMNS = ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1")
"""9.4 III, VII The columns of the Combat Results Table, worst for the attacker first."""

STACK = 11
"""3.5.1"""


class HexRow(Row):
    """map/hexes.csv"""

    hex: HexId
    terrain: Annotated[
        Literal["sea", "clear", "hill", "mountain", "alpine"], Field(description="sea, clear, hill, mountain or alpine")
    ]
    also: Annotated[Literal["", "clear", "hill"], Field(description="7.3.1: a second, easier terrain, or nothing")]
    coastal: YesNo
    landmass: Annotated[Literal["", "sicily", "calabria"], Field(description="'sicily' or 'calabria'; nothing for sea")]
    towns: Words
    city: str
    port: str
    port_capacity: Number
    airfield: str
    coast_defence: YesNo
    north_edge: YesNo
    air_zone: Side
    lat: Annotated[float, Field(ge=36, le=39.5, description="degrees north")]
    lon: Annotated[float, Field(ge=11, le=17.5, description="degrees east")]
    source: Source
    status: Status


class SideRow(Row):
    """map/hexsides.csv"""

    hex_a: HexId
    hex_b: HexId
    sea: YesNo
    river: str
    road: Annotated[Literal["", "main", "minor"], Field(description="'main', 'minor' or nothing")]
    source: Source
    status: Status


class BeachRow(Row):
    """map/invasion_hexes.csv"""

    invasion_hex: HexId
    target_hex: HexId
    operation: Text
    beach: Text
    nationality: Annotated[Literal["US", "British", "any"], Field(description="'US', 'British' or 'any'")]
    source: Source
    status: Status


class UnitRow(Row):
    """forces/units.csv: a counter, front and reduced side."""

    id: UnitId
    name: Text
    side: Side
    nation: Annotated[
        Literal["US", "French", "British", "Canadian", "German", "Italian"],
        Field(description="US, French, British, Canadian, German or Italian"),
    ]
    type: Text
    size: Annotated[Literal["bn", "rgt", "bde", "div"], Field(description="'bn', 'rgt', 'bde' or 'div'")]
    mobility: Annotated[
        Literal["leg", "motor", "guns"], Field(description="7.5.2: 'motor' for a red box, 'guns' for orange, else 'leg'")
    ]
    steps: Annotated[int, Field(ge=1, le=2, description="1 or 2")]
    as_: Annotated[int, Field(alias="as", ge=0, le=30, description="attack strength")]
    ds: Number
    er: Annotated[int, Field(ge=0, le=10, description="efficiency rating, 0 to 10")]
    as2: Number
    ds2: Number
    er2: Number
    ma: Number
    stacking: Annotated[int, Field(ge=0, le=11, description="stacking points, 0 to 11")]
    zoc: YesNo
    armor: YesNo
    antitank: YesNo
    support: Number
    range: Number
    capacity: Number
    augmentation: Number
    reserve: YesNo
    formation: Text
    source: Source
    status: Status


class SetupRow(Row):
    """forces/<scenario>.csv: the scenario's set-up card."""

    unit: UnitId
    place: Annotated[str, Field(pattern=rf"^(\d{{4}}|{'|'.join(BOXES)})$", description=f"a hex, or one of {', '.join(BOXES)}")]
    turn: Annotated[int, Field(ge=1, le=20, description="the turn it comes, 1 for the start")]
    beach: Annotated[str, Field(pattern=r"^(\d{4})?$", description="the invasion hex it is planned for, or nothing")]
    source: Source
    status: Status


class CoastRow(Row):
    """forces/<scenario>_coast.csv: where untried coast defence units lie."""

    hex: HexId
    source: Source
    status: Status


class CrtRow(Row):
    """tables/crt.csv"""

    roll: Any99
    c1_3: Annotated[Result, Field(alias="1:3")]
    c1_2: Annotated[Result, Field(alias="1:2")]
    c1_1: Annotated[Result, Field(alias="1:1")]
    c2_1: Annotated[Result, Field(alias="2:1")]
    c3_1: Annotated[Result, Field(alias="3:1")]
    c4_1: Annotated[Result, Field(alias="4:1")]
    c5_1: Annotated[Result, Field(alias="5:1")]
    c6_1: Annotated[Result, Field(alias="6:1")]
    c7_1: Annotated[Result, Field(alias="7:1")]
    c8_1: Annotated[Result, Field(alias="8:1")]
    source: Source
    status: Status


class OverRow(Row):
    """tables/odds.csv: 9.4 Vf, the die roll modifier of odds above 8:1."""

    over: Annotated[int, Field(ge=9, le=30, description="the odds, 9 for 9:1")]
    value: Any99
    source: Source
    status: Status


class TerrainRow(Row):
    """tables/terrain.csv"""

    terrain: Text
    kind: Annotated[Literal["hex", "road", "side", "entry"], Field(description="hex, road, side or entry")]
    dry: Half
    mud: Half
    drm: Any99
    source: Source
    status: Status


class WeatherRow(Row):
    """tables/weather.csv"""

    low: Any99
    high: Any99
    weather: Annotated[Literal["dry", "mud"], Field(description="'dry' or 'mud'")]
    storm: YesNo
    source: Source
    status: Status


class AssaultRow(Row):
    """tables/air_assault.csv"""

    low: Any99
    high: Any99
    assault: Annotated[
        Literal["lands", "disrupted", "disrupted-step", "eliminated"],
        Field(description="lands, disrupted, disrupted-step or eliminated"),
    ]
    transfer: Annotated[
        Literal["arrives", "disrupted", "step-stays", "eliminated"],
        Field(description="arrives, disrupted, step-stays or eliminated"),
    ]
    source: Source
    status: Status


class SeaRow(Row):
    """tables/naval_transport.csv"""

    low: Any99
    high: Any99
    result: Annotated[
        Literal["arrives", "stays", "step", "eliminated"], Field(description="arrives, stays, step or eliminated")
    ]
    source: Source
    status: Status


class MussoliniRow(Row):
    """tables/mussolini.csv"""

    low: Any99
    high: Any99
    result: Annotated[Literal["revival", "none", "falls"], Field(description="revival, none or falls")]
    source: Source
    status: Status


class CoordinationRow(Row):
    """tables/coordination.csv: passes on this or less; added in the enemy's air zone; added a hex inland."""

    support: Annotated[Literal["allied-air", "axis-air", "naval"], Field(description="allied-air, axis-air or naval")]
    passes: Number
    enemy_zone: Number
    inland: Number
    source: Source
    status: Status


class LimitRow(Row):
    """tables/limits.csv"""

    limit: Text
    value: Number
    storm: Number
    source: Source
    status: Status


class ModifierRow(Row):
    """tables/modifiers.csv"""

    modifier: Text
    value: Any99
    when: Text
    source: Source
    status: Status


class TurnRow(Row):
    """tables/turns.csv"""

    turn: Annotated[int, Field(ge=1, le=20, description="a turn, from 1")]
    dates: Text
    allied_air: Number
    axis_air: Number
    naval: Number
    mussolini: YesNo
    allied_rp: Number
    axis_rp: Number
    source: Source
    status: Status


class OperationRow(Row):
    """tables/operations.csv"""

    operation: Text
    name: Text
    nations: Annotated[Literal["any", "one", "none"], Field(description="'any', 'one' (13.1.3) or 'none' (the dummy)")]
    source: Source
    status: Status


class ValueRow(Row):
    """tables/victory_points.csv"""

    kind: Annotated[
        Literal["place", "port", "city", "airfield", "calabria", "lost", "event"],
        Field(description="place, port, city, airfield, calabria, lost or event"),
    ]
    what: Text
    vp: Any99
    source: Source
    status: Status


class ObjectiveRow(Row):
    """tables/<scenario>_objectives.csv"""

    hex: HexId
    what: Text
    vp: Number
    source: Source
    status: Status


class LevelRow(Row):
    """tables/<scenario>_levels.csv"""

    level: Text
    from_: Annotated[int, Field(alias="from", ge=-99, le=200, description="the least points for this level")]
    source: Source
    status: Status


class Switch(Table):
    """A reading that two owners of the game could disagree on."""

    value: Annotated[bool | int | str, Field(description="true, false, a number or a text")]
    rule: Text
    why: Text


class Area(Table):
    """The part of the map that is played on."""

    columns: Annotated[tuple[int, int], Field(description="the first and the last column")]
    rows: Annotated[tuple[int, int], Field(description="the first and the last row")]


class Scenario(Table):
    """<scenario>.toml"""

    format: Annotated[Literal["invasion_sicily"], Field(description="'invasion_sicily'")]
    heading: Text
    about: Text
    playable: Annotated[bool, Field(description="true or false")]
    turns: Annotated[int, Field(ge=1, le=14, description="the number of turns, 1 to 14")]
    area: Area | None = Field(default=None, description="columns and rows that are in play; leave out for all")
    calabria: Annotated[bool, Field(description="whether Calabria is played on")]
    operation: Annotated[str, Field(description="13.1.1: the operation of turn 1")]
    first_weather: Annotated[Literal["", "dry", "mud"], Field(description="the weather of turn 1, or nothing to roll for it")]
    forces: Text
    coast: Annotated[str, Field(description="the file of coast defence positions, or nothing for all in play")]
    levels: Text
    objectives: Annotated[str, Field(description="the file of objectives, or nothing for victory_points.csv")]
    sources: dict[str, str]
    switches: dict[str, Switch]
