"""What changes during a game.  All of it is JSON values; see :mod:`.apply` for how it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.games.invasion_sicily.position.data import AXIS, CUP, DRY, RESERVED, Data, UnitType

UNSUPPLIED, DISRUPTED, FIRED = "unsupplied", "disrupted", "fired"
MOVED, COMMITTED, TRIED_REACTION, REFUSED, RETREATED, COUNTERED = (
    "moved", "committed", "tried-reaction", "refused", "retreated", "countered"
)
ATTACKED, DEFENDED, TRANSPORTED, DROPPED, FOUGHT, REPLACED, ARRIVED = (
    "attacked", "defended", "transported", "dropped", "fought", "replaced", "arrived"
)
LEAVING = "leaving"
"""13.3 Ordered to leave by sea at the end of the phase."""

PHASE_MARKS = (MOVED, TRIED_REACTION)
COMBAT_MARKS = (COMMITTED, REFUSED, RETREATED, COUNTERED, FIRED)
TURN_MARKS = (ATTACKED, DEFENDED, TRANSPORTED, REPLACED, ARRIVED)


@dataclass
class Unit:
    """A unit in play.  ``place``: a hex or a box; ``target``: the coastal hex it lands on while it is at sea (13.2);
    ``beach``: the invasion hex it is planned for; ``card``: the counter that an untried piece turned out to be;
    ``port``: a Beach unit on its Port side (6.1.3); ``left``: movement points left in halves after a landing (-1: all);
    ``marks``: markers and what it has done in this phase or turn."""

    id: str
    place: str = RESERVED
    reduced: bool = False
    card: str = ""
    target: str = ""
    beach: str = ""
    port: bool = False
    left: int = -1
    marks: list[str] = field(default_factory=list)

    def has(self, mark: str) -> bool:
        """Whether it bears a marker."""
        return mark in self.marks


@dataclass
class State:
    """A game.  ``attacks``: declared combats, defender hex to attacking units; ``demolition``: port hex to points;
    ``ledger``: victory points that are not judged at the end, by what gave them; ``operations``: those carried out, with their
    turn; ``plan``: the invasion marker on the turn track (turn, code), secret; ``spent``: transport used in this phase."""

    data: Data
    turn: int = 0
    player: str = ""
    phase: str = ""
    units: dict[str, Unit] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    weather: str = DRY
    storm: bool = False
    air: dict[str, int] = field(default_factory=lambda: {"allied": 0, "axis": 0})
    naval: int = 0
    interdiction: dict[str, int] = field(default_factory=lambda: {"air": 0, "naval": 0, "counter": 0})
    rp: dict[str, int] = field(default_factory=lambda: {"allied": 0, "axis": 0})
    axis_zone: bool = True
    attacks: dict[str, list[str]] = field(default_factory=dict)
    strongpoints: list[str] = field(default_factory=list)
    demolition: dict[str, int] = field(default_factory=dict)
    ledger: dict[str, int] = field(default_factory=dict)
    mussolini: dict[str, int] = field(default_factory=lambda: {"tries": 0, "bombed": 0, "fallen": 0, "revival": 0})
    bombing: bool = False
    evacuating: bool = False
    operations: dict[str, int] = field(default_factory=dict)
    plan: list[Any] = field(default_factory=list)
    plan_since: int = 0
    zone_turn: int = 0
    captured: dict[str, int] = field(default_factory=dict)
    grown: bool = False
    spent: dict[str, int] = field(default_factory=dict)
    reveals: list[str] = field(default_factory=list)
    level: str = ""
    winner: str = ""

    def type(self, unit: str) -> UnitType:
        """The counter; that of a piece yet untried is not known (see :func:`.board.known`)."""
        card = self.units[unit].card
        return self.data.cards[card] if card else self.data.units[unit]

    def holder(self, hex_: str) -> str:
        """3.1, 3.2 Who controls a hex: the Axis, unless the Allies have taken it."""
        return self.control.get(hex_, AXIS)


def new(data: Data) -> State:
    """The state before the first turn: units stand where the scenario puts them, later ones are yet to come."""
    state = State(data)
    for unit in data.units:
        state.units[unit] = Unit(unit, CUP if data.units[unit].type == "ersatz-piece" else RESERVED)
    for row in data.setup:
        unit_ = state.units[row.unit]
        unit_.beach = row.beach
        if row.turn <= 1:
            unit_.place = row.place
    if data.operation:
        state.plan = [1, data.operation]
    return state


_PLAIN = (int, str, bool)


def dump(state: State) -> dict[str, Any]:
    """JSON data, without the fixed data; shares nothing with the state."""
    saved = {k: _copy(v) for k, v in vars(state).items() if k not in ("data", "units")}
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
