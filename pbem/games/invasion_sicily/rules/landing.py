"""13.2 The invasion procedure: units on invasion hexes go ashore, or attack the enemy who is there."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import control
from pbem.games.invasion_sicily.rules.costs import ONE
from pbem.games.invasion_sicily.rules.phases import er_check
from pbem.games.invasion_sicily.rules.terrain import off_road


def opposed(state: State, target: str) -> bool:
    """13.2.3 Whether an enemy stands in the coastal hex."""
    return bool(board.at(state, target, AXIS))


def ashore(ctx: Ctx) -> None:
    """13.2.3 Where nobody opposes them, units go ashore at half their movement allowance.

    They may always enter the coastal hex.  Each that can still move makes an efficiency check, with the hex's off-road
    cost added to the die: who passes moves on with what is left of the half, who fails stops there.
    """
    for unit in [u for u in ctx.state.units.values() if u.target]:
        if not opposed(ctx.state, unit.target):
            land(ctx, unit.id)


def land(ctx: Ctx, unit: str) -> None:
    """13.2.3a One unit goes ashore."""
    state = ctx.state
    found, target = state.units[unit], state.units[unit].target
    cost = off_road(state, target)
    left = max(0, state.type(unit).ma // 2 * ONE - cost)
    ctx.emit(e.Moved(unit, (found.place, target), "landing", cost, "13.2.3"))
    control.passed(ctx, ALLIED, (target,))
    if left > 0:
        passed = er_check(ctx, unit, f"{unit} moves on from the beach at {target}", "13.2.3", [("the coast", cost // ONE)])
        left = left if passed else 0
    ctx.emit(e.Limited(unit, left, "13.2.3"))


def fail(ctx: Ctx, target: str) -> None:
    """13.2.5 What is still at sea before a coastal hex after its combat must be evacuated."""
    from pbem.games.invasion_sicily.rules import evacuation

    for unit in [u for u in ctx.state.units.values() if u.target == target]:
        evacuation.evacuate(ctx, unit.id, "13.2.5")
