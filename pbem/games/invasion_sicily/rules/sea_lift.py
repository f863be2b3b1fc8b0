"""12.3.5d The Axis Naval Transport table: a unit crosses the sea, or does not."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import AXIS, ITALY, SICILY_EVACUATION
from pbem.games.invasion_sicily.position.state import TRANSPORTED, State
from pbem.games.invasion_sicily.rules import control, naval
from pbem.games.invasion_sicily.rules.phases import lose_step, table_roll

MESSINA, REGGIO = "Messina", "Reggio Calabria"


def strait(state: State, here: str, there: str) -> bool:
    """12.3.5a Whether a crossing is the one between Messina and Reggio; the Italy box stands for Reggio where Calabria is not
    played on."""
    ends = {_end(state, here), _end(state, there)}
    return ends == {MESSINA, REGGIO}


def _end(state: State, place: str) -> str:
    if place in (ITALY, SICILY_EVACUATION):
        return "" if state.data.calabria else REGGIO
    hex_ = state.data.hexes.get(place)
    return hex_.port if hex_ else ""


def cross(ctx: Ctx, unit: str, there: str, rule: str) -> str:
    """12.3.5d A unit sails: the result, one of 'arrives', 'stays', 'step', 'eliminated'."""
    state = ctx.state
    here = state.units[unit].place
    mods = naval.interdiction(state, naval.zone_of(state, here, there))
    if strait(state, here, there):
        mods.append(("the strait", state.data.modifiers["strait"]))
    said = f"{unit} sails from {place(state, here)} to {place(state, there)}"
    result: str = table_roll(ctx, AXIS, "naval_transport", "result", said, "12.3.5", mods)
    ctx.emit(e.SeaLoss(unit, result))
    ctx.emit(e.Marked(unit, TRANSPORTED, True, rule))
    if result == "eliminated":
        ctx.emit(e.Eliminated(unit, "12.3.5"))
    if result == "step":
        lose_step(ctx, unit, "12.3.5")
    if result in ("arrives", "step") and state.units[unit].place == here:
        ctx.emit(e.Moved(unit, (here, there), "sea", 0, rule))
        if there in state.data.hexes:
            control.passed(ctx, AXIS, (there,))
    return result


def place(state: State, where: str) -> str:
    """A place in words."""
    hex_ = state.data.hexes.get(where)
    return hex_.name if hex_ else {"italy": "Italy", "africa": "Africa"}.get(where, "the evacuation box")


