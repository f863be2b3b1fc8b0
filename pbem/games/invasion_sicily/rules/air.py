"""11.3 Air transport: transfer, assault, supply."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import AIRBORNE, MUD, other
from pbem.games.invasion_sicily.position.state import DISRUPTED, DROPPED, TRANSPORTED, UNSUPPLIED, State
from pbem.games.invasion_sicily.rules import control, mussolini, zones
from pbem.games.invasion_sicily.rules.phases import lose_step, table_roll
from pbem.games.invasion_sicily.rules.shipping import HOME

LIFT, ASSAULTS = "air-lift", "air-assaults"
TOGETHER = 2
"""11.3.2b4 Units in one assault on a hex."""


def lift_left(state: State, side: str) -> int:
    """11.3.1 Units that can still be flown or supplied in this phase.

    RULING: assaults have a number of their own (11.3.2b2) and do not count against this one.
    """
    return state.data.limit(f"{side}-air-transport", state.storm) - state.spent.get(LIFT, 0)


def airfields(state: State, side: str) -> list[str]:
    """11.3.2a1 Where aircraft start and land: the box, airfields of the side; in an enemy zone only where its units stand."""
    zone = zones.of(state, other(side))
    fields = [
        h.id for h in state.data.hexes.values()
        if h.airfield and board.holds(state, side, h.id) and (h.id not in zone or board.at(state, h.id, side))
    ]
    return [HOME[side], *fields]


def why_not_fly(state: State, unit: str) -> Refusal | None:
    """11.3.2 Why a unit can neither be flown nor dropped, or None."""
    if state.data.units[unit].type not in AIRBORNE:
        return Refusal(f"{unit} is no parachute or glider unit", "11.3.2")
    if state.units[unit].has(TRANSPORTED):
        return Refusal(f"{unit} has been transported in this phase", "12.3.1")
    return None


def why_not_transfer(state: State, unit: str, there: str) -> Refusal | None:
    """11.3.2a Why a unit cannot be flown to an airfield, or None."""
    side, here = board.side_of(state, unit), state.units[unit].place
    refusal = why_not_fly(state, unit)
    if refusal:
        return refusal
    if state.weather == MUD:
        return Refusal("there is no air transfer in Mud", "11.3.2")
    if lift_left(state, side) <= 0:
        return Refusal("all air transport of this phase is used", "11.3.1")
    fields = airfields(state, side)
    if here not in fields or there not in fields or here == there:
        return Refusal(f"{unit} flies from one airfield of yours to another", "11.3.2")
    if mussolini.barred(state, unit, there):
        return Refusal("no Italian unit can be sent to Sicily any more", "14.3.3")
    return None


def why_not_drop(state: State, unit: str, there: str) -> Refusal | None:
    """11.3.2b Why a unit cannot make an air assault on a hex, or None."""
    side, found = board.side_of(state, unit), state.units[unit]
    refusal = why_not_fly(state, unit)
    if refusal:
        return refusal
    if found.place != HOME[side]:
        return Refusal(f"{unit} is not in the box from which airborne units start", "7.6.3")
    if found.has(DROPPED):
        return Refusal(f"{unit} has made its air assault", "11.3.2")
    if state.storm:
        return Refusal("there is no air assault in a Storm", "11.3.2")
    if state.spent.get(ASSAULTS, 0) >= state.data.limit(ASSAULTS, state.storm):
        return Refusal("no more units can make an air assault this turn", "11.3.2")
    hex_ = state.data.hexes.get(there)
    if hex_ is None or not hex_.land or hex_.city or hex_.terrain == "alpine":
        return Refusal("an air assault is not made on a city, an alpine or a sea hex", "11.3.2")
    if board.at(state, there, other(side)):
        return Refusal(f"the enemy stands in {there}", "11.3.2")
    if state.spent.get(f"drop {there}", 0) >= TOGETHER:
        return Refusal(f"two units at most assault {there}", "11.3.2")
    return None


def why_not_supply(state: State, unit: str) -> Refusal | None:
    """11.3.2c Why a unit cannot be supplied by air, or None."""
    found, side = state.units[unit], board.side_of(state, unit)
    if not found.has(UNSUPPLIED):
        return Refusal(f"{unit} is not out of supply", "11.3.2")
    if state.type(unit).motorized:
        return Refusal(f"{unit} is motorized", "11.3.2")
    if board.enemy_zone(state, side, found.place):
        return Refusal(f"{unit} is in the enemy's air superiority zone", "11.3.2")
    if state.storm:
        return Refusal("there is no air supply in a Storm", "11.3.2")
    if lift_left(state, side) <= 0:
        return Refusal("all air transport of this phase is used", "11.3.1")
    return None


def options(state: State, side: str) -> Iterator[Option]:
    """11.3.2 All missions that can be flown."""
    fields = airfields(state, side)
    for unit in state.units.values():
        if board.side_of(state, unit.id) != side:
            continue
        if unit.has(UNSUPPLIED) and not why_not_supply(state, unit.id):
            yield Option(f"airsupply {unit.id}", data={"do": "airsupply", "unit": unit.id})
        if state.data.units[unit.id].type not in AIRBORNE:
            continue
        for there in fields:
            if not why_not_transfer(state, unit.id, there):
                yield Option(f"airlift {unit.id} to {there}", data={"do": "airlift", "unit": unit.id, "place": there})
        if unit.place == HOME[side] and not unit.has(DROPPED):
            for there in state.data.hexes:
                if not why_not_drop(state, unit.id, there):
                    yield Option(f"drop {unit.id} at {there}", data={"do": "drop", "unit": unit.id, "place": there})


def fly(ctx: Ctx, data: Mapping[str, Any]) -> None:
    """11.3.2 One mission."""
    unit = data["unit"]
    if data["do"] == "airsupply":
        ctx.emit(e.TransportUsed(LIFT, 1))
        ctx.emit(e.Marked(unit, UNSUPPLIED, False, "11.3.2"))
    elif data["do"] == "airlift":
        ctx.emit(e.TransportUsed(LIFT, 1))
        _transfer(ctx, unit, data["place"])
    else:
        ctx.emit(e.TransportUsed(ASSAULTS, 1))
        ctx.emit(e.TransportUsed(f"drop {data['place']}", 1))
        _assault(ctx, unit, data["place"])


def mods(state: State, unit: str, there: str, transfer: bool) -> list[tuple[str, int]]:
    """11.3.2a3, b6 The modifiers of the Air Assault/Transfer table."""
    side, values, hex_ = board.side_of(state, unit), state.data.modifiers, state.data.hexes.get(there)
    found = [("transfer", values["assault-transfer"])] if transfer else []
    if state.data.units[unit].type == "glider":
        found.append(("gliders", values["assault-glider"]))
    if hex_ is None:
        return found
    if there in zones.of(state, other(side)):
        found.append(("enemy zone of control", values["assault-zoc"]))
    if board.enemy_zone(state, side, there):
        found.append(("enemy air superiority", values["assault-enemy-zone"]))
    if hex_.terrain in ("hill", "mountain") and not transfer:
        found.append((hex_.terrain, values[f"assault-{hex_.terrain}"]))
    if hex_.airfield and not transfer:
        found.append(("airfield", values["assault-airfield"]))
    return found


def _assault(ctx: Ctx, unit: str, there: str) -> None:
    """11.3.2b5-7 The unit is placed, then its fate is rolled for.

    RULING: units are rolled for one by one as they are ordered; those of an assault on one hex are all placed by then.
    """
    state = ctx.state
    side, here = board.side_of(state, unit), state.units[unit].place
    result = table_roll(
        ctx, side, "air_assault", "assault", f"{unit} jumps over {there}", "11.3.2", mods(state, unit, there, False)
    )
    ctx.emit(e.AirResult(unit, result))
    ctx.emit(e.Moved(unit, (here, there), "drop", 0, "11.3.2"))
    for mark in (DROPPED, TRANSPORTED):
        ctx.emit(e.Marked(unit, mark, True, "11.3.2"))
    if result == "eliminated":
        ctx.emit(e.Eliminated(unit, "11.3.2"))
        return
    if result == "disrupted-step":
        lose_step(ctx, unit, "11.3.2")
    if state.units[unit].place == there:
        if result != "lands":
            ctx.emit(e.Marked(unit, DISRUPTED, True, "11.3.2"))
        control.passed(ctx, side, (there,))


def _transfer(ctx: Ctx, unit: str, there: str) -> None:
    """11.3.2a A unit is flown from airfield to airfield."""
    state = ctx.state
    side, here = board.side_of(state, unit), state.units[unit].place
    result = table_roll(
        ctx, side, "air_assault", "transfer", f"{unit} flies to {there}", "11.3.2", mods(state, unit, there, True)
    )
    ctx.emit(e.AirResult(unit, result))
    ctx.emit(e.Marked(unit, TRANSPORTED, True, "11.3.2"))
    if result == "eliminated":
        ctx.emit(e.Eliminated(unit, "11.3.2"))
        return
    if result == "step-stays":
        lose_step(ctx, unit, "11.3.2")
        return
    ctx.emit(e.Moved(unit, (here, there), "air", 0, "11.3.2"))
    if result == "disrupted":
        ctx.emit(e.Marked(unit, DISRUPTED, True, "11.3.2"))
    if there in state.data.hexes:
        control.passed(ctx, side, (there,))


