"""Folding events into the state.  No rules here: an old game loads whatever the rules say today."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ELIMINATED
from pbem.games.invasion_sicily.position.state import COMBAT_MARKS, PHASE_MARKS, TURN_MARKS, State, Unit

MOVES = ("movement", "motorized", "reaction", "follow-up")


@singledispatch
def apply(event: Any, state: State) -> None:
    """Fold ``event`` into ``state``.  Events that only tell a story change nothing."""


@apply.register
def _(event: e.PhaseBegan, state: State) -> None:
    state.turn, state.player, state.phase = event.turn, event.player, event.phase
    gone = list(PHASE_MARKS)
    if event.phase == "events":
        gone += [*TURN_MARKS, *COMBAT_MARKS]
    if event.phase in ("transport", "motorized"):
        gone += COMBAT_MARKS
    for unit in state.units.values():
        if unit.marks:
            unit.marks = [m for m in unit.marks if m not in gone]
        unit.left = -1
    if event.phase in ("transport", "motorized", "movement", "special", "engineering", "replacements"):
        state.spent = {}
    if event.phase in ("transport", "motorized"):
        state.attacks = {}


@apply.register
def _(event: e.Placed, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.reduced, unit.target = event.place, event.reduced, ""
    if event.rule == "14.3.4":
        state.mussolini["returned"] = 1


@apply.register
def _(event: e.Moved, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.target = event.path[-1], ""
    if event.mode in MOVES:
        _mark(unit, "moved", True)
        if event.mode == "follow-up" and unit.left >= 0:
            unit.left = max(0, unit.left - event.cost)


@apply.register
def _(event: e.BoxMoved, state: State) -> None:
    unit = state.units[event.unit]
    unit.place = event.place


@apply.register
def _(event: e.Embarked, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.target = event.hex, event.target


@apply.register
def _(event: e.BeachPlanned, state: State) -> None:
    state.units[event.unit].beach = event.beach


@apply.register
def _(event: e.Limited, state: State) -> None:
    state.units[event.unit].left = event.left


@apply.register
def _(event: e.Marked, state: State) -> None:
    _mark(state.units[event.unit], event.mark, event.on)


def _mark(unit: Unit, mark: str, on: bool) -> None:
    if on and mark not in unit.marks:
        unit.marks = sorted([*unit.marks, mark])
    elif not on:
        unit.marks = [m for m in unit.marks if m != mark]


@apply.register
def _(event: e.StepLost, state: State) -> None:
    state.units[event.unit].reduced = True


@apply.register
def _(event: e.StepGained, state: State) -> None:
    state.units[event.unit].reduced = False


@apply.register
def _(event: e.Eliminated, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.target, unit.marks = ELIMINATED, "", []
    for attackers in state.attacks.values():
        if event.unit in attackers:
            attackers.remove(event.unit)


@apply.register
def _(event: e.Revealed, state: State) -> None:
    state.units[event.unit].card = event.card


@apply.register
def _(event: e.Turned, state: State) -> None:
    state.units[event.unit].port = event.port


@apply.register
def _(event: e.Controlled, state: State) -> None:
    for hex_ in event.hexes:
        state.control[hex_] = event.side
        if event.side == "allied" and hex_ not in state.captured:
            state.captured[hex_] = state.turn


@apply.register
def _(event: e.Declared, state: State) -> None:
    state.attacks.setdefault(event.hex, []).extend(event.units)
    for unit in event.units:
        _mark(state.units[unit], "committed", True)


@apply.register
def _(event: e.CalledOff, state: State) -> None:
    state.attacks.pop(event.hex, None)


@apply.register
def _(event: e.CombatBegan, state: State) -> None:
    if not event.counter:
        state.attacks.pop(event.hex, None)


@apply.register
def _(event: e.WeatherSet, state: State) -> None:
    state.weather, state.storm = event.weather, event.storm


@apply.register
def _(event: e.ReadinessSet, state: State) -> None:
    state.air = {"allied": event.allied_air, "axis": event.axis_air}
    state.naval, state.axis_zone = event.naval, event.axis_zone
    state.interdiction = {"air": 0, "naval": 0, "counter": 0}


@apply.register
def _(event: e.Spent, state: State) -> None:
    if event.kind == "naval":
        state.naval -= event.points
    else:
        state.air[event.side] -= event.points


@apply.register
def _(event: e.Interdicted, state: State) -> None:
    state.interdiction = {"air": event.air, "naval": event.naval, "counter": event.counter}


@apply.register
def _(event: e.ReplacementsChanged, state: State) -> None:
    state.rp[event.side] += event.points


@apply.register
def _(event: e.Scored, state: State) -> None:
    state.ledger[event.what] = state.ledger.get(event.what, 0) + event.points
    if event.what == "axis-zone":
        state.zone_turn = state.turn


@apply.register
def _(event: e.StrongpointSet, state: State) -> None:
    kept = [h for h in state.strongpoints if h != event.hex]
    state.strongpoints = sorted([*kept, event.hex]) if event.built else kept


@apply.register
def _(event: e.DemolitionSet, state: State) -> None:
    state.demolition = {h: p for h, p in {**state.demolition, event.hex: event.points}.items() if p}


@apply.register
def _(event: e.RomeBombed, state: State) -> None:
    state.bombing = True


@apply.register
def _(event: e.MussoliniRolled, state: State) -> None:
    m = state.mussolini
    m["tries"] += 1
    m["bombed"] += event.bombed
    m["fallen"] = int(m["fallen"] or event.result == "falls")
    m["revival"] = int(m["revival"] or event.result == "revival")
    state.bombing = False


@apply.register
def _(event: e.EvacuationDeclared, state: State) -> None:
    state.evacuating = True


@apply.register
def _(event: e.PlanSet, state: State) -> None:
    state.plan = [event.turn, event.code] if event.turn else []
    state.plan_since = state.turn if event.turn else 0


@apply.register
def _(event: e.OperationBegan, state: State) -> None:
    state.operations[event.code] = state.turn
    state.plan, state.plan_since = [], 0


@apply.register
def _(event: e.OperationDelayed, state: State) -> None:
    state.plan = [event.turn, event.code]


@apply.register
def _(event: e.PortsGrown, state: State) -> None:
    state.grown = True


@apply.register
def _(event: e.TransportUsed, state: State) -> None:
    state.spent[event.what] = state.spent.get(event.what, 0) + event.amount


@apply.register
def _(event: e.GameEnded, state: State) -> None:
    state.winner, state.level = event.winner, event.level


@apply.register
def _(event: e.Adjusted, state: State) -> None:
    _ADJUST[event.kind](state, event.key, event.value)


def _adjust_place(state: State, key: str, value: str) -> None:
    state.units[key].place, state.units[key].target = value, ""


def _adjust_steps(state: State, key: str, value: str) -> None:
    state.units[key].reduced = value == "1" and state.type(key).steps == 2


def _adjust_mark(state: State, key: str, value: str) -> None:
    _mark(state.units[key], value.lstrip("+-"), not value.startswith("-"))


def _adjust_control(state: State, key: str, value: str) -> None:
    state.control[key] = value


def _adjust_points(state: State, key: str, value: str) -> None:
    if key == "naval":
        state.naval = int(value)
    elif key.startswith("rp-"):
        state.rp[key.removeprefix("rp-")] = int(value)
    elif key.startswith("air-"):
        state.air[key.removeprefix("air-")] = int(value)
    else:
        state.ledger["referee"] = int(value)


def _adjust_strongpoint(state: State, key: str, value: str) -> None:
    kept = [h for h in state.strongpoints if h != key]
    state.strongpoints = sorted([*kept, key]) if value == "on" else kept


def _adjust_demolition(state: State, key: str, value: str) -> None:
    state.demolition = {h: p for h, p in {**state.demolition, key: int(value)}.items() if p}


_ADJUST = {
    "place": _adjust_place, "steps": _adjust_steps, "mark": _adjust_mark, "control": _adjust_control, "points": _adjust_points,
    "strongpoint": _adjust_strongpoint, "demolition": _adjust_demolition,
}
