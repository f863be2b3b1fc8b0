"""13.1, 13.2.1, 13.5 Invasion: the marker is turned over, units are put on invasion hexes, commandos before any coast."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import AFRICA, ALLIED, INVASION, Beach
from pbem.games.invasion_sicily.position.state import TRANSPORTED, State
from pbem.games.invasion_sicily.rules import naval, ports


def begin(ctx: Ctx) -> None:
    """13.1.1, 13.1.2 When the turn of the marker has come, the operation is carried out."""
    state = ctx.state
    if state.plan and state.plan[0] == state.turn:
        ctx.emit(e.OperationBegan(state.plan[1]))


def running(state: State) -> str:
    """The operation carried out this turn, '' if none."""
    return next((code for code, turn in state.operations.items() if turn == state.turn), "")


def beaches(state: State) -> list[Beach]:
    """13.2.1 The invasion hexes of the operation."""
    code = running(state)
    return [b for b in state.data.beaches.values() if b.operation == code]


def why_not_embark(state: State, unit: str, beach: str) -> Refusal | None:
    """13.2.1, 13.1.3, 14.2.3 Why a unit cannot be planned for an invasion hex, or None."""
    found, kind = state.units[unit], state.data.units[unit]
    if found.place != INVASION:
        return Refusal(f"{unit} is not in the Amphibious Invasion box", "13.2.1")
    if beach not in [b.hex for b in beaches(state)]:
        return Refusal(f"{beach} is no invasion hex of this turn's operation", "13.2.1")
    place = state.data.beaches[beach]
    if board.beach_side(state, unit) and place.nation not in ("any", kind.command):
        return Refusal(f"{place.name} is a {place.nation} beach", "14.2.3")
    there = [u.id for u in state.units.values() if u.beach == beach and u.place == INVASION and u.id != unit]
    if board.stacking(state, [*there, unit]) > state.data.limit("stacking"):
        return Refusal(f"more than {state.data.limit('stacking')} stacking points would be before {place.name}", "13.2.1")
    if board.beach_side(state, unit) and any(board.beach_side(state, u) for u in there):
        return Refusal(f"{place.name} has a Beach unit", "6.2.1")
    return None


def why_not_raid(state: State, unit: str, target: str) -> Refusal | None:
    """13.5 Why a commando cannot land on a coastal hex, or None."""
    found = state.units[unit]
    hex_ = state.data.hexes.get(target)
    if state.data.units[unit].type != "commando" or board.side_of(state, unit) != ALLIED:
        return Refusal(f"{unit} is no Allied commando unit", "13.5.2")
    if state.storm:
        return Refusal("commandos do not land in a Storm", "13.5.1")
    if found.has(TRANSPORTED) or found.target:
        return Refusal(f"{unit} is on its way already", "12.3.1")
    if found.place != AFRICA and found.place != INVASION and not (
        found.place in state.data.hexes and state.data.hexes[found.place].port and ports.opened(state, found.place)
    ):
        return Refusal(f"{unit} is not in a working port", "13.5.1")
    if hex_ is None or not hex_.coastal or not sea_before(state, target):
        return Refusal(f"{target} is no coastal hex with sea before it", "13.5.2")
    return None


def sea_before(state: State, target: str) -> str:
    """13.5.2 The sea hex from which commandos land: one outside the Axis zone if there is one."""
    seas = [h for h in state.data.map.near(target) if not state.data.hexes[h].land]
    return min(seas, key=lambda h: board.axis_zone(state, h), default="")


def options(state: State) -> Iterator[Option]:
    """13.2.1, 13.5 What can be changed in the landing plan, and commando landings."""
    for unit in state.units.values():
        if unit.place == INVASION and running(state):
            for beach in beaches(state):
                if beach.hex != unit.beach and not why_not_embark(state, unit.id, beach.hex):
                    data = {"do": "land", "unit": unit.id, "beach": beach.hex}
                    yield Option(f"land {unit.id} at {beach.hex}", beach.name, data=data)
            if unit.beach:
                yield Option(f"keep {unit.id}", "stays in the box", data={"do": "keep", "unit": unit.id})
        if state.data.units[unit.id].type == "commando" and unit.place != INVASION:
            for target in state.data.hexes:
                if not why_not_raid(state, unit.id, target):
                    yield Option(f"raid {unit.id} at {target}", data={"do": "raid", "unit": unit.id, "target": target})


def order(ctx: Ctx, data: Mapping[str, Any]) -> None:
    """13.2.1, 13.5 One order of the landing plan."""
    if data["do"] == "land":
        ctx.emit(e.BeachPlanned(data["unit"], data["beach"]))
    elif data["do"] == "keep":
        ctx.emit(e.BeachPlanned(data["unit"], ""))
    else:
        _put_to_sea(ctx, data["unit"], sea_before(ctx.state, data["target"]), data["target"], "13.5.2")


def embark(ctx: Ctx) -> None:
    """13.2.1, 13.2.2 At the end of the phase the units go where the plan has them.

    Combat units other than commandos need a Beach unit on their invasion hex, of their own nationality (14.2.3).
    """
    state = ctx.state
    for beach in beaches(state):
        units = [u.id for u in state.units.values() if u.place == INVASION and u.beach == beach.hex]
        nations = [state.data.units[u].command for u in units if board.beach_side(state, u)]
        for unit in units:
            kind = state.data.units[unit]
            if board.beach_side(state, unit) or kind.type == "commando" or kind.command in nations:
                _put_to_sea(ctx, unit, beach.hex, beach.target, "13.2.1")


def _put_to_sea(ctx: Ctx, unit: str, sea: str, target: str, rule: str) -> None:
    zone = board.axis_zone(ctx.state, sea)
    ctx.emit(e.Embarked(unit, sea, target, rule))
    ctx.emit(e.Marked(unit, TRANSPORTED, True, rule))
    if zone:
        naval.in_axis_zone(ctx)
