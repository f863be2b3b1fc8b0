"""14.27a The Allied airborne assault: the drop and its combats, before any other combat."""

from __future__ import annotations

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries, combat, phases, stacking
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Flow
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, other
from pbem.games.fab_sicily.position.state import State

NEIGHBOURS_NEEDED = 2
"""Adjacent areas that must hold units of the dropping unit's army."""


def drop(ctx: Ctx) -> Flow:
    """14.27a All units in the Airborne Assault box are dropped; then they fight."""
    phases.begin(ctx)
    while waiting(ctx.state) and options(ctx.state):
        [answer] = yield [_ask(ctx)]
        _land(ctx, answer["block"], answer["area"])
    for block in waiting(ctx.state):
        ctx.emit(e.Eliminated(block, "no-drop", "14.27a"))
    yield from combat.battles(ctx, _assaults, lambda state: [])
    for area in [a for a, kind in ctx.state.assaults.items() if kind == "airborne"]:
        ctx.emit(e.AssaultMarked(area, "", "14.27a"))  # who survives operates normally
    yield from stacking.end_of_phase(ctx)


def waiting(state: State) -> list[str]:
    """The phasing side's units in the Airborne Assault box."""
    return [u.id for u in board.in_area(state, AIRBORNE_BOX, state.player)]


def options(state: State) -> list[Option]:
    """`drop BLOCK at AREA`: every unit, everywhere it may."""
    return [
        Option(
            f"drop {block} at {area}", f"drop {board.unit_name(state.data, block)} at {board.place_name(state.data, area)}",
            ("enemy" if board.forces(state, area, other(state.player)) else "quiet",), {"block": block, "area": area},
        )
        for block in waiting(state) for area in state.data.areas if may_drop(state, block, area)
    ]


def may_drop(state: State, block: str, area: str) -> bool:
    """14.27a Whether the unit may be dropped there."""
    return why_not_drop(state, block, area) is None


def why_not_drop(state: State, block: str, area: str) -> Refusal | None:
    """14.27a Room for it, and units of its army in two adjacent areas; friends or enemies may be there.

    RULING: the army boundary binds the drop too (14.41, 22.16): the unit must be allowed to operate there.  Example 13
    refuses Comiso for another reason, and 14.27a names adjacency only: the switch ``drop_boundary``.
    """
    side, army = board.side_of(state, block), board.army(state, block)
    place, name = board.place_name(state.data, area), board.unit_name(state.data, block)
    near = [
        a for a in board.neighbours(state, area)
        if any(board.army(state, u.id) == army for u in board.in_area(state, a, side))
    ]
    if board.room(state, area, side) < 1:
        return Refusal(f"two units of yours stand at {place} already", "5.1")
    if len(near) < NEIGHBOURS_NEEDED:
        return Refusal(f"{place} does not adjoin two areas with units of {name}'s army", "14.27a")
    if state.data.switches.get("drop_boundary", True) and not boundaries.may_operate(state, block, area):
        return Refusal(f"{name} may not operate at {place}, beyond its army boundary", "14.41")
    return None


def _ask(ctx: Ctx) -> Ask:
    """Default: the first area without enemies, else the first: a drop upon enemies cannot be aborted."""
    state = ctx.state
    found = options(state)
    quiet = [o for o in found if "quiet" in o.tags]
    return Ask(
        state.player, "drop", "14.27a", phases.scope(ctx), lambda: found, (quiet or found)[0].key,
        "Where do the airborne units drop?", "", {"waiting": len(waiting(state))},
    )


def _land(ctx: Ctx, block: str, area: str) -> None:
    """14.27a The unit lands; upon enemies it makes an airborne assault, which outranks other assaults (14.27).

    RULING: also in an area that was contested before; 14.27a says all enemy-occupied areas.
    5.22 It is face-up at once where the others already are.
    """
    state = ctx.state
    unit, open_ = state.blocks[block], b.face_up(state, area)
    ctx.emit(e.Placed(block, area, unit.steps or board.full_steps(state, block), "14.27a"))
    if board.forces(state, area, other(state.player)):
        ctx.emit(e.Entered(block, area, AIRBORNE_BOX, "", False, False, False, True))
        if state.assaults.get(area) != "airborne":
            ctx.emit(e.AssaultMarked(area, "airborne", "14.27a"))
        if open_:
            ctx.emit(e.Shown(block, True, "5.22"))
    phases.settle(ctx, area)


def _assaults(state: State) -> list[str]:
    """14.27a Areas with newly dropped units and enemies, not fought over yet."""
    return [
        a for a, entries in state.entries.items()
        if a not in state.fought and board.contested(state, a) and b.able(state, a, state.player) and any(x.air for x in entries)
    ]
