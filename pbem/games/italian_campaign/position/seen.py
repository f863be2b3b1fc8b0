"""The shape of a view: what one side may know of the position, as JSON data."""

from __future__ import annotations

from typing import TypedDict

from pbem.core.documents import Side, View


class UnitSeen(TypedDict):
    """A counter as it lies there.  ``values``: what is printed on the side that is up, less the steps lost; ``fatigue``: of an
    HQ 0, 1 or 2; ``box``: the box of the time track from which it may come in, 0 for who was there from the start."""

    id: str
    name: str
    side: Side
    nation: str
    kind: str
    formation: str
    corps: str
    symbol: str
    cls: str
    mobile: bool
    place: str
    target: str
    box: int
    marks: list[str]
    steps: int
    fatigue: int
    stacking: int
    values: dict[str, int]


class PortSeen(TypedDict):
    """A port; ``value``: what it is worth now, ``captured``: the Allies passed it last, ``secure``: it counts for them."""

    hex: str
    name: str
    printed: int
    value: int
    captured: bool
    secure: bool


class ItalianView(View):
    """All that a side may know of the position.  The game has no fixed number of turns: ``turns`` is 0, and ``time`` of
    ``last_box`` says how long it still lasts.  ``bids``: both sides' once they are open, before that nobody else's."""

    dates: str
    time: int
    last_box: int
    level: str
    initiative: str
    track: int
    impulse: int
    ip: int
    rp: int
    spoil: int
    cp: dict[Side, int]
    support: dict[Side, int]
    bids: dict[Side, int]
    gunnery: int
    gunnery_turn: int
    sealift: int
    tactical_lift: int
    evacuation: bool
    units: list[UnitSeen]
    ports: list[PortSeen]
    beachheads: list[str]
    breakthroughs: dict[str, Side]
    hits: dict[str, int]
    delays: dict[str, int]
