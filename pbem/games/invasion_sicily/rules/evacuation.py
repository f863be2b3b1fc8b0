"""13.3 Emergency Evacuation: Allied units leave by sea, at a price."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, ELITE, EVACUATION
from pbem.games.invasion_sicily.position.state import COMMITTED, LEAVING, State
from pbem.games.invasion_sicily.rules import naval, ports
from pbem.games.invasion_sicily.rules.phases import er_check, lose_step

def why_not(state: State, unit: str) -> Refusal | None:
    """13.3 From an invasion hex, a coastal hex with a Beach unit or a working port; airborne and commandos from any coast."""
    found, data = state.units[unit], state.data
    if board.side_of(state, unit) != ALLIED:
        return Refusal("only Allied units make an Emergency Evacuation", "13.3")
    if found.target:
        return None
    hex_ = data.hexes.get(found.place)
    if hex_ is None or not hex_.land or not hex_.coastal:
        return Refusal(f"{unit} is not on a coast", "13.3")
    if state.data.units[unit].type in ELITE or board.logistic(state, unit):
        return None
    if any(board.beach_side(state, u) for u in board.at(state, hex_.id, ALLIED)) or hex_.port and ports.opened(state, hex_.id):
        return None
    return Refusal(f"there is no Beach unit and no working port in {hex_.id}", "13.3")


def evacuate(ctx: Ctx, unit: str, rule: str) -> None:
    """13.3 Each unit makes an efficiency check, two worse in the Axis zone; who fails loses a step.  The rest goes to the box."""
    state = ctx.state
    place = state.units[unit].place
    zone = board.axis_zone(state, place)
    mods = [("Axis air superiority", state.data.modifiers["evacuation-zone"])] if zone else []
    if not er_check(ctx, unit, f"{unit} is evacuated from {place}", "13.3", mods):
        lose_step(ctx, unit, "13.3")
    if zone:
        naval.in_axis_zone(ctx)
    if state.units[unit].place == place:
        ctx.emit(e.Moved(unit, (place, EVACUATION), "evacuation", 0, rule))


def options(state: State) -> Iterator[Option]:
    """13.3 Units that may leave of their own will at the end of this phase."""
    for unit in board.in_play(state, ALLIED):
        if not unit.has(COMMITTED) and not unit.has(LEAVING) and not why_not(state, unit.id):
            yield Option(f"evacuate {unit.id}", "by sea at the end of the phase", data={"do": "evacuate", "unit": unit.id})


def leave(ctx: Ctx) -> None:
    """13.3 At the end of the Allied Movement or Motorized Movement Phase."""
    for unit in [u for u in ctx.state.units.values() if u.has(LEAVING)]:
        ctx.emit(e.Marked(unit.id, LEAVING, False, "13.3"))
        if not why_not(ctx.state, unit.id):
            evacuate(ctx, unit.id, "13.3")


def check_box(ctx: Ctx, box: str, home: str) -> None:
    """7.7.3 In the Special Movement Phase each unit in the box that passes an efficiency check moves home."""
    for unit in board.at(ctx.state, box):
        if er_check(ctx, unit, f"{unit} leaves the evacuation box", "7.7.3"):
            ctx.emit(e.BoxMoved(unit, home, "7.7.3"))
