"""The position of Tiny: fixed data, state, events and how they change it, what a side may know, what must be true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypedDict

from pbem.core.documents import View
from pbem.core.ruleset import Seen
from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import HexMap, build
from pbem.kit.tables import Table, from_wide

BLUE, RED = SIDES = ("blue", "red")
GRID = Grid(True, 1, "CCRR", (Sheet("", (1, 3), (1, 3)),))
COLUMNS = ("1:2", "1:1", "2:1", "3:1")
ROOM = 2
"""3.2 Units of a side in a hex; a reserve that waits unseen does not count."""


def other(side: str) -> str:
    """The enemy."""
    return RED if side == BLUE else BLUE


@dataclass(frozen=True)
class Counter:
    """A unit as printed."""

    id: str
    side: str
    name: str
    strength: int
    hex: str
    reserve: bool


@dataclass(frozen=True)
class Data:
    """What does not change in a game.  ``worth``: victory points by hex."""

    scenario: str
    title: str
    turns: int
    map: HexMap
    worth: Mapping[str, int]
    holders: Mapping[str, str]
    units: Mapping[str, Counter]
    crt: Table


def build_data(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Data:
    """The data of a scenario, as its reader gives them."""
    units = [Counter(r["unit"], r["side"], r["name"], r["strength"], r["hex"], r["reserve"] == "yes") for r in raw["units"]]
    return Data(
        raw["scenario"], raw["title"], raw["turns"], build(GRID, raw["hexes"], []), {r["hex"]: r["worth"] for r in raw["hexes"]},
        {r["hex"]: r["holder"] for r in raw["hexes"] if r["holder"]}, {u.id: u for u in units},
        from_wide("Combat Table", raw["crt"], "roll", COLUMNS),
    )


@dataclass
class Unit:
    """``place`` '': out of play; ``hidden``: a reserve that has not appeared."""

    id: str
    place: str
    hidden: bool
    fresh: bool = False
    moved: bool = False
    fought: bool = False


@dataclass
class State:
    """A game."""

    data: Data
    turn: int = 0
    player: str = ""
    phase: str = ""
    units: dict[str, Unit] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    winner: str = ""

    def at(self, hex_: str, side: str) -> list[str]:
        """The units of a side that stand in a hex, in sight of all."""
        return [u.id for u in self.units.values() if u.place == hex_ and not u.hidden and self.side(u.id) == side]

    def side(self, unit: str) -> str:
        """Whose a unit is."""
        return self.data.units[unit].side

    def strength(self, *units: str) -> int:
        """Of several units together."""
        return sum(self.data.units[u].strength for u in units)

    def points(self, side: str) -> int:
        """5.1 What is held, and two for each enemy unit that is out of play."""
        lost = [u for u in self.units.values() if not u.place and self.side(u.id) != side]
        return sum(self.data.worth[h] for h, s in self.control.items() if s == side) + 2 * len(lost)


def new(data: Data) -> State:
    """1.2 Set-up."""
    units = {u.id: Unit(u.id, u.hex, u.reserve) for u in data.units.values()}
    return State(data, units=units, control=dict(data.holders))


def dump(state: State) -> dict[str, Any]:
    """JSON data."""
    plain = {k: v for k, v in vars(state).items() if k not in ("data", "units", "control")}
    return {**plain, "control": dict(state.control), "units": [asdict(u) for u in state.units.values()]}


def load(data: Data, saved: Mapping[str, Any]) -> State:
    """What :func:`dump` wrote."""
    units = {u["id"]: Unit(**u) for u in saved["units"]}
    return State(data, **{**saved, "control": dict(saved["control"]), "units": units})


# -- events ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Event:
    """Something that happened.  ``type``: 'phase', 'sent' (a reserve, unseen), 'appeared', 'moved', 'retreated', 'advanced',
    'eliminated', 'attack' (it begins), 'fought' (it is over), 'ended', 'adjusted'."""

    type: str
    side: str = ""
    unit: str = ""
    hex: str = ""
    start: str = ""
    rule: str = ""
    word: str = ""
    turn: int = 0
    units: tuple[str, ...] = ()


def to_data(event: Event) -> dict[str, Any]:
    """JSON."""
    return {k: list(v) if k == "units" else v for k, v in asdict(event).items()}


def from_data(data: Mapping[str, Any]) -> Event:
    """From JSON."""
    return Event(**{**data, "units": tuple(data["units"])})


def apply(event: Event, state: State) -> None:
    """Fold an event; no rules here."""
    unit = state.units.get(event.unit)
    if event.type == "phase":
        state.turn, state.player, state.phase = event.turn, event.side, event.word
        for u in state.units.values():
            u.moved = u.fought = False
            u.fresh = u.fresh and bool(event.side)
    elif event.type == "attack":
        for name in event.units:
            state.units[name].fought = True
    elif event.type == "ended":
        state.winner = event.word
    elif event.type == "eliminated" and unit:
        unit.place = ""
    elif unit:
        unit.place = event.hex
        if event.type == "appeared":
            unit.hidden, unit.fresh = False, True
        unit.moved = unit.moved or event.type == "moved"
        if not unit.hidden:
            state.control[event.hex] = state.side(unit.id)


def visibility(state: State, event: Event) -> Seen:
    """2.1 Where a reserve waits is known to its side alone."""
    unit = state.units.get(event.unit)
    hidden = event.type == "sent" or event.type == "adjusted" and unit is not None and unit.hidden
    side = state.side(unit.id) if unit else event.side
    return {"open": not hidden, "side": side, "where": "" if hidden else event.hex}


# -- views ----------------------------------------------------------------------------------------


class UnitSeen(TypedDict):
    """A unit; ``hidden``: seen by its own side alone."""

    id: str
    side: str
    name: str
    strength: int
    place: str
    hidden: bool


class TinyView(View):
    """What a side may know.  ``reserves``: sides whose reserve has not appeared."""

    units: list[UnitSeen]
    control: dict[str, str]
    reserves: list[str]


def view(state: State, side: str, both: bool = False) -> TinyView:
    """All that a side may know; ``both``: what either side knows."""
    data = state.data
    shown = [u for u in state.units.values() if u.place and (both or not u.hidden or state.side(u.id) == side)]
    return {
        "scenario": data.scenario, "title": data.title, "side": side if side in SIDES else "", "turn": max(1, state.turn),
        "turns": data.turns, "player": state.player, "phase": state.phase, "winner": state.winner,
        "vp_held": {s: state.points(s) for s in SIDES}, "control": dict(state.control),
        "reserves": [s for s in SIDES if any(u.hidden and state.side(u.id) == s for u in state.units.values())],
        "units": [
            {"id": u.id, "side": state.side(u.id), "name": data.units[u.id].name, "strength": data.units[u.id].strength,
             "place": u.place, "hidden": u.hidden} for u in shown
        ],
    }


def everything(state: State) -> TinyView:
    """The position with all that either side knows."""
    return view(state, "", both=True)


def check(state: State) -> list[str]:
    """3.2 What must be true after every event."""
    wrong = [f"both sides stand in {h}" for h in state.data.map.hexes if state.at(h, BLUE) and state.at(h, RED)]
    wrong += [f"too many in {h}" for h in state.data.map.hexes for s in SIDES if len(state.at(h, s)) > ROOM]
    return wrong + [f"{u.id} is nowhere" for u in state.units.values() if u.place and u.place not in state.data.map.hexes]
