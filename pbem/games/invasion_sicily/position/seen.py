"""The shape of a view: what one side may know of the position, as JSON data."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict

from pbem.core.documents import Side, View


class UnitSeen(TypedDict):
    """A unit; of an untried one nothing is there but what lies on the map.  ``marks``: 'unsupplied', 'disrupted', 'fired'."""

    id: str
    name: str
    side: Side
    nation: str
    type: str
    size: str
    place: str
    target: str
    tried: bool
    marks: list[str]
    stacking: int
    beach: str
    attack: NotRequired[int]
    defence: NotRequired[int]
    er: NotRequired[int]
    ma: NotRequired[int]
    steps: NotRequired[int]
    full: NotRequired[int]
    support: NotRequired[int]
    range: NotRequired[int]
    mobility: NotRequired[str]
    armor: NotRequired[bool]
    port_side: NotRequired[bool]
    capacity: NotRequired[int]


class PortSeen(TypedDict):
    """A port; ``capacity``: what it feeds or lands now, ``demolition``: points that are taken away."""

    hex: str
    name: str
    holder: Side
    printed: int
    demolition: int
    capacity: int


class AttackSeen(TypedDict):
    """A declared attack."""

    hex: str
    units: list[str]


class InvasionView(View):
    """All that a side may know of the position.  ``control``: hexes whose holder has changed; the others are the Axis's."""

    dates: str
    level: str
    weather: str
    storm: bool
    units: list[UnitSeen]
    control: dict[str, Side]
    strongpoints: list[str]
    ports: list[PortSeen]
    attacks: list[AttackSeen]
    air: dict[Side, int]
    naval: int
    interdiction: dict[str, int]
    rp: dict[Side, int]
    axis_zone: bool
    evacuating: bool
    mussolini: dict[str, int]
    operations: dict[str, int]
    plan: list[Any]
    ledger: dict[str, int]
    holdings: list[list[Any]]
    losses: list[list[Any]]
    levels: list[list[Any]]
