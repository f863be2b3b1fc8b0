"""What changes during a game.  All of it is JSON values; see :mod:`.apply` for how it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pbem.games.italian_campaign.position.data import ALLIED, AXIS, TO_COME, Data, UnitType

T = TypeVar("T")

OCC, ISO, DISRUPTED, SUPPORTED = "occ", "iso", "disrupted", "supported"
"""5.2, 6.54, 8.54 markers; 5.41 a corps HQ on its supported side."""

NAMED, ACTED, REACTED, LANDED = "named", "acted", "reacted", "landed"
"""9.5 named to an operation this turn; 6.24 acted in this impulse; 10.8; 9.32 came in this turn and may not attack."""

TURN_MARKS = (NAMED, REACTED, LANDED, ISO)


@dataclass
class Unit:
    """A unit.  ``place``: a hex, a box, or a word of :mod:`.data`; ``target``: the hex that its beach box leads it to;
    ``steps``: steps lost (8.56; HQs, assets); ``fatigue``: of an HQ 0, 1 (back) or 2 (Ops Comp); ``marks``: markers."""

    id: str
    place: str = TO_COME
    target: str = ""
    steps: int = 0
    fatigue: int = 0
    marks: list[str] = field(default_factory=list)

    def has(self, mark: str) -> bool:
        """Whether it bears a marker."""
        return mark in self.marks


@dataclass
class State:
    """A game.  ``time``: box of the time track; ``ot``: position on the operations track from 1 (0: not on it); ``ip``, ``rp``,
    ``spoil``: initiative, reaction and spoiling points; ``cp``, ``support``: by side; ``beachheads``: hexes; ``captured``: port
    hexes the Allies passed last; ``damage``: 11.0 by port hex; ``breakthroughs``: hex to side; ``hits``: 8.12 hex to artillery
    hits; ``delays``: 6.38 hex to strength; ``bids``: of this turn, by side, open once both are in."""

    data: Data
    turn: int = 0
    time: int = 0
    phase: str = ""
    initiative: str = ""
    ot: int = 0
    impulse: int = 0
    ip: int = 0
    rp: int = 0
    spoil: int = 0
    cp: dict[str, int] = field(default_factory=lambda: {ALLIED: 0, AXIS: 0})
    support: dict[str, int] = field(default_factory=lambda: {ALLIED: 0, AXIS: 0})
    began_with: dict[str, int] = field(default_factory=lambda: {ALLIED: 0, AXIS: 0})
    gunnery: int = 0
    gunnery_turn: int = 0
    sealift: int = 0
    tactical_lift: int = 0
    units: dict[str, Unit] = field(default_factory=dict)
    beachheads: list[str] = field(default_factory=list)
    captured: list[str] = field(default_factory=list)
    damage: dict[str, int] = field(default_factory=dict)
    demolished: list[str] = field(default_factory=list)
    breakthroughs: dict[str, str] = field(default_factory=dict)
    hits: dict[str, int] = field(default_factory=dict)
    delays: dict[str, int] = field(default_factory=dict)
    bids: dict[str, int] = field(default_factory=dict)
    boosted: dict[str, str] = field(default_factory=dict)
    evacuation: bool = False
    refitted: list[str] = field(default_factory=list)
    level: str = ""
    winner: str = ""
    version: int = 0
    _cache: dict[str, tuple[int, Any]] = field(default_factory=dict, compare=False, repr=False)

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` makes of the position, made anew only when something has happened."""
        at, value = self._cache.get(name, (-1, None))
        if at != self.version:
            value = make()
            self._cache[name] = (self.version, value)
        found: T = value
        return found

    def type(self, unit: str) -> UnitType:
        """The counter."""
        return self.data.units[unit]


def new(data: Data) -> State:
    """The state before the first turn: units stand where the scenario puts them, later ones are yet to come."""
    state = State(data)
    for u in data.units.values():
        placed = u.box == 0
        state.units[u.id] = Unit(u.id, u.place if placed else TO_COME, u.target if placed else "")
    state.cp = {ALLIED: data.start["cp_allied"], AXIS: data.start["cp_axis"]}
    state.support = {ALLIED: data.start["support_allied"], AXIS: data.start["support_axis"]}
    state.gunnery, state.sealift = data.start["gunnery"], data.start["sealift"]
    state.tactical_lift = data.start["tactical_lift"]
    return state


def dump(state: State) -> dict[str, Any]:
    """JSON data, without the fixed data; shares nothing with the state."""
    saved = {k: _copy(v) for k, v in vars(state).items() if k not in ("data", "units", "version") and k[0] != "_"}
    saved["units"] = [{k: _copy(v) for k, v in vars(u).items()} for u in state.units.values()]
    return saved


def load(data: Data, saved: Mapping[str, Any]) -> State:
    """The state that :func:`dump` wrote (nothing is shared with ``saved``)."""
    plain = {k: _copy(v) for k, v in saved.items() if k != "units"}
    units = {u["id"]: Unit(**{k: _copy(v) for k, v in u.items()}) for u in saved["units"]}
    return State(data, **plain, units=units)


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return list(value) if isinstance(value, list) else value
