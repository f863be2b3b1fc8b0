"""The shape of a view: what one side may know of the position, as JSON data."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from pbem.core.documents import Side, View


class BlockSeen(TypedDict):
    """A block; of one that is not known only the first seven fields are there."""

    known: bool
    side: Side
    status: str
    """'good', 'disordered' or 'recovering'."""
    supplied: bool
    reserve: bool
    exploit: bool
    garrison: bool
    id: NotRequired[str]
    name: NotRequired[str]
    nation: NotRequired[str]
    army: NotRequired[str]
    division: NotRequired[str]
    cls: NotRequired[str]
    symbol: NotRequired[str]
    motorized: NotRequired[bool]
    airborne: NotRequired[bool]
    turn: NotRequired[Any]
    shown: NotRequired[bool]
    steps: NotRequired[int | None]
    full: NotRequired[int | None]
    quality: NotRequired[str]


class ChitSeen(TypedDict):
    id: str
    name: str
    side: Side
    kind: str
    army: str
    nation: str
    division: str
    cls: str
    quality: str
    event: Any
    turn: Any
    area: str
    use: str


class AreaSeen(TypedDict):
    id: str
    name: str
    zones: list[str]
    coastal: bool
    tdn: int
    landing: str | list[str]
    port: str
    airfield: bool
    vp: int
    lat: float
    lon: float
    control: str
    contested: bool
    unsupplied: list[Side]
    works: str
    roadblock: str
    assault: str
    blocks: dict[Side, list[BlockSeen]]
    assets: list[ChitSeen]


class BorderSeen(TypedDict):
    a: str
    b: str
    id: str
    road: Any
    river: str
    restricted: bool
    blown: bool


class BoxSeen(TypedDict):
    id: str
    name: str
    area: str
    kind: str
    status: str
    damage: int
    blocks: dict[Side, list[BlockSeen]]


class LostSeen(TypedDict):
    id: str
    name: str
    how: str
    nation: str


class Standing(TypedDict):
    """The points as they are now, what gives them, and what the scenario's rules are about."""

    vp_held: dict[Side, int]
    vp_areas: dict[Side, list[str]]
    trophies: dict[Side, list[str]]
    plan: str
    morale_level: int
    options: list[str]


class FabView(View):
    """All that a side may know of the position."""

    areas: list[AreaSeen]
    borders: list[BorderSeen]
    boxes: list[BoxSeen]
    chits: dict[Side, dict[str, list[ChitSeen]]]
    eliminated: dict[Side, list[LostSeen]]
    to_come: list[BlockSeen]
    released: list[str]
    strat_moved: list[str]
    vp: dict[Side, int]
    vp_areas: dict[Side, list[str]]
    trophies: dict[Side, list[str]]
    plan: str
    morale_level: int
    options: list[str]
