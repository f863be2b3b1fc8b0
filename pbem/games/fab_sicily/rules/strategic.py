"""5.4, 14.8 Strategic movement."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries, costs, landing, marching, paths, phases, stacking
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.costs import Ground
from pbem.games.fab_sicily.position.data import AXIS, OFF_MAP
from pbem.games.fab_sicily.rules.paths import ITALY
from pbem.games.fab_sicily.position.state import State

MESSINA = "29"


def strategic(ctx: Ctx) -> Generator[list[Ask], list[Answer], Any]:
    """3.23, 5.4 The Strategic Movement Phase."""
    phases.begin(ctx)
    side = ctx.state.player
    while True:
        [answer] = yield [_ask(ctx, side)]
        if answer.key == "done":
            break
        _carry_out(ctx, answer["block"], tuple(answer["path"]))
    yield from stacking.end_of_phase(ctx)


def _ask(ctx: Ctx, side: str) -> Ask:
    return Ask(
        side, "strategic", "5.4", phases.scope(ctx), lambda: options(ctx.state, side), "done",
        "Move a reserve unit strategically?", closing=Option("done", "no (more) strategic moves"),
    )


def _carry_out(ctx: Ctx, block: str, path: tuple[str, ...]) -> None:
    ctx.emit(e.StratMoved(board.army(ctx.state, block)))
    ctx.emit(e.Moved(block, path, "strategic" if path[-1] != OFF_MAP else "evacuation", 0, "5.4"))
    marching.drop_markers(ctx, block, "5.4")
    phases.settle(ctx, path[0], path[-1])


# -- options ----------------------------------------------------------------------------------------


def options(state: State, side: str) -> list[Option]:
    """`strat BLOCK to DEST` for every unit that may and every place it can reach."""
    ground = costs.survey(state, side)
    return [
        Option(
            f"strat {b.id} to {there}", f"{board.unit_name(state.data, b.id)} to {paths.place_name(state, there)}",
            data={"block": b.id, "path": list(path)},
        )
        for b in state.blocks.values()
        if board.side_of(state, b.id) == side and not why_not_strat(ground, b.id)
        for there, path in destinations(ground, b.id).items()
    ]


def why_not_strat(ground: Ground, block: str) -> Refusal | None:
    """5.4, 14.24c, 14.81, 14.82, 16.33 Why a unit may not move strategically at all, or None."""
    state = ground.state
    b, name = state.blocks[block], board.unit_name(state.data, block)
    if not b.reserve:
        return Refusal(f"{name} is not in reserve: only reserve units move strategically", "5.4")
    if not b.supplied:
        return Refusal(f"{name} is unsupplied and may not move strategically", "5.4")
    if board.army(state, block) in state.strat_moved:
        rule = "14.81" if ground.side == AXIS else "14.82"
        return Refusal("its army has made its one strategic move of this turn", rule)
    if b.area in ground.interdicted:
        return Refusal(f"the enemy interdicts {board.place_name(state.data, b.area)}: no strategic move out of it", "16.33")
    if b.area not in state.data.areas:
        return _why_not_from_port(ground, b.area)
    return None


def _why_not_from_port(ground: Ground, box: str) -> Refusal | None:
    """14.24c A unit in reserve in a port box: its port area must be free of enemies."""
    closed = landing.why_not_use(ground.state, ground.side, box)
    if closed or landing.coast(ground.state, box) not in ground.enemy:
        return closed
    return Refusal("the port area is contested: no strategic move out of the port", "14.24")


def destinations(ground: Ground, block: str) -> dict[str, tuple[str, ...]]:
    """5.4 Where the unit can go strategically, and how: through quiet areas, not over blown bridges."""
    state = ground.state
    routes, unit = _routes(ground, block), _mover(ground, block)
    found = {
        a: routes[a] for a in sorted(routes, key=int)
        if a != state.blocks[block].area and board.area_supplied(state, ground.side, a) and not costs.full(ground, unit, a)
    }
    if ground.side == AXIS and MESSINA in routes and not state.data.forced_off_map:
        return {**found, ITALY: (*routes[MESSINA], OFF_MAP)}
    return found


def why_not_to(ground: Ground, block: str, there: str) -> Refusal | None:
    """5.4, 16.33 Why a unit that may move strategically cannot go there, or None."""
    state, name = ground.state, board.unit_name(ground.state.data, block)
    if there not in state.data.areas:
        return None
    place = board.place_name(state.data, there)
    if not ground.quiet(there):
        return Refusal(f"{place} is not yours, or enemies stand there: no strategic move goes to it", "5.4")
    if not board.area_supplied(state, ground.side, there):
        return Refusal(f"{place} is unsupplied: strategic moves go to supplied areas", "5.4")
    if there in ground.interdicted:
        return Refusal(f"the enemy interdicts {place}: no strategic move into it", "16.33")
    if costs.full(ground, _mover(ground, block), there):
        return costs.FULL.refusal(state, block, there, there)
    if not boundaries.may_operate(state, block, there):
        return Refusal(f"{place} lies beyond the army boundary, which {name} may not cross: release its division first", "14.82")
    return Refusal(f"no way through your own areas without enemies and blown bridges leads {name} to {place}", "5.4")


def _mover(ground: Ground, block: str) -> costs.Mover:
    area = ground.state.blocks[block].area
    return costs.mover(ground, block, costs.OPERATIONAL, landing.coast(ground.state, area))


def _routes(ground: Ground, block: str) -> dict[str, tuple[str, ...]]:
    """The shortest way to every area that strategic movement can reach or pass."""
    start = ground.state.blocks[block].area
    routes: dict[str, tuple[str, ...]] = {start: (start,)}
    queue = [start]
    for here in queue:
        for there in _next(ground, block, here):
            if there not in routes:
                routes[there] = (*routes[here], there)
                queue.append(there)
    if start not in ground.state.data.areas:
        del routes[start]
    return routes


def _next(ground: Ground, block: str, here: str) -> list[str]:
    """The areas one border on.

    RULING: interdiction (16.33) also closes an area to units passing through, which go in and out of it;
    restricted boundaries are no connections (5.4) but for the roads of Mount Etna (14.1): the switch
    ``strategic_restricted`` lets infantry over them.
    """
    state = ground.state
    if here not in state.data.areas:
        area = landing.coast(state, here)
        return [area] if ground.quiet(area) and area not in ground.interdicted else []
    return [
        there for there in state.data.adjacent[here]
        if ground.quiet(there) and there not in ground.interdicted
        and boundaries.may_operate(state, block, there)
        and not _closed(ground, block, here, there)
    ]


def _closed(ground: Ground, block: str, here: str, there: str) -> bool:
    """5.4, 14.1 Blown bridges and restricted boundaries."""
    border = ground.state.data.border(here, there)
    if ground.state.data.switches.get("strategic_restricted", False) and not board.is_armor(ground.state, block):
        return border.id in ground.blown
    return costs.takes_all(ground, border, there)
