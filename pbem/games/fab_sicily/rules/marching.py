"""5.3 Carrying a move out: area by area, with the bridges that are blown before it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import bridges, costs, evacuation, flank, paths, phases, special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.costs import Mover, Step
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, OFF_MAP, border_id, other
from pbem.games.fab_sicily.position.state import RECOVERING, State

Flow = Generator[list[Ask], list[Answer], None]

MARKERS = {costs.OPERATIONAL: "5.21", costs.REACTION: "7.2", costs.BREAKTHROUGH: "7.31", costs.EXPLOITATION: "7.31"}
"""The rules by which a unit that moves loses its reserve or exploitation marker."""

RULES = {**MARKERS, costs.OPERATIONAL: "5.22"}


def march(ctx: Ctx, block: str, path: Sequence[str], mode: str) -> Flow:
    """5.22 Move a unit along a path (its start first): from an area, a landing box or a port box."""
    here, inland = path[0], tuple(path)
    if here not in ctx.state.data.areas:
        inland = inland[1:]
        _land(ctx, block, here, inland[0], mode)
    if len(inland) > 1:
        ground = costs.survey(ctx.state, board.side_of(ctx.state, block))
        unit = costs.mover(ground, block, mode)
        slipping = here == inland[0] and costs.extracts(ground, unit, here, inland[1])
        yield from _march(ctx, unit, inland)
        if slipping and board.good_order(ctx.state.blocks[block]):
            ctx.emit(e.StatusSet(block, RECOVERING, "17.12"))


def _land(ctx: Ctx, block: str, box: str, area: str, mode: str) -> None:
    """14.26 From a beachhead with the whole allowance, from a port without cost: unless enemies stop it there (5.35b), the
    unit may still move on, dig in or go into reserve."""
    ground = costs.survey(ctx.state, board.side_of(ctx.state, block))
    points = costs.mover(ground, block, costs.OPERATIONAL, area).points if box in ctx.state.data.landing else 0
    free = mode == costs.OPERATIONAL and box in ctx.state.data.ports and not board.forces(ctx.state, area, AXIS)
    _go(ctx, block, (box, area), e.BY_PORT if free and ctx.state.data.mended else "landing", points, "14.26", "14.24c")


def go_on(ctx: Ctx, block: str, path: Sequence[str], mode: str, spent: int) -> Flow:
    """14.43 The rest of a move, with what ``spent`` has left of the allowance."""
    ground = costs.survey(ctx.state, board.side_of(ctx.state, block))
    unit = replace(costs.mover(ground, block, mode), start=False, spent=spent)
    yield from _march(ctx, unit, tuple(path))


def _march(ctx: Ctx, unit: Mover, path: tuple[str, ...]) -> Flow:
    """A march inland; the last border may be a river before the enemy (5.35b: he stops every move)."""
    side = board.side_of(ctx.state, unit.block)
    if path[-1] == OFF_MAP:
        _evacuate(ctx, unit, path)
        return
    spent = [s.cost for s in _steps(ctx.state, unit, path)]
    if not bridges.threatened(ctx.state, side, path[-2], path[-1]):
        _moved(ctx, unit, path, sum(spent))
        return
    if len(path) > 2:
        _moved(ctx, unit, path[:-1], sum(spent[:-1]))
        unit = replace(unit, at=path[-2], start=False, spent=unit.spent + sum(spent[:-1]))
    if (yield from bridges.attempt(ctx, side, path[-2], path[-1])):
        yield from _before_blown_bridge(ctx, unit, path[-1])
    else:
        _moved(ctx, unit, path[-2:], spent[-1])


def _steps(state: State, unit: Mover, path: Sequence[str]) -> list[Step]:
    steps = paths.walk(costs.survey(state, board.side_of(state, unit.block)), unit, path)
    assert isinstance(steps, list), f"{unit.block} {path}: {steps}"
    return steps


def _moved(ctx: Ctx, unit: Mover, path: tuple[str, ...], cost: int) -> None:
    _go(ctx, unit.block, path, unit.mode, cost, RULES[unit.mode], MARKERS[unit.mode])


# -- 5.35d ------------------------------------------------------------------------------------------


def _before_blown_bridge(ctx: Ctx, unit: Mover, there: str) -> Flow:
    """5.35d The bridge is gone: cross all the same, stay, or go elsewhere with one movement point less.

    RULING: only a unit that still stands at its starting point may cross, for the crossing takes its whole
    allowance (5.32, Ex. 6D).  An exploiting unit cannot move at all (7.31).
    """
    unit = replace(unit, spent=min(unit.spent + 1, unit.points))
    [answer] = yield [_crossing_ask(ctx, unit, there)]
    if answer.key == "cross":
        _moved(ctx, unit, (unit.at, there), unit.points)
    elif answer.key == "stay":
        ctx.emit(e.Halted(unit.block, border_id(unit.at, there)))
        if not _keeps_reserve(ctx.state, unit):
            drop_markers(ctx, unit.block, MARKERS[unit.mode])
    else:
        yield from _march(ctx, unit, tuple(answer["path"]))


def _keeps_reserve(state: State, unit: Mover) -> bool:
    """5.21 RULING: a unit in reserve that has not left its area keeps its marker, for the marker is removed when it moves;
    the switch ``reserve_stays``.  Exploitation markers go all the same: such a unit cannot move at all (7.31)."""
    stays = state.data.mended and state.data.switches.get("reserve_stays", True)
    return bool(stays and unit.start and state.blocks[unit.block].reserve)


def _crossing_ask(ctx: Ctx, unit: Mover, there: str) -> Ask:
    """Default: cross, else stay, else the first way on."""
    options = _crossing_options(ctx.state, unit, there)
    name, border = board.unit_name(ctx.state.data, unit.block), border_id(unit.at, there)
    return Ask(
        board.side_of(ctx.state, unit.block), "crossing", "5.35d", phases.scope(ctx), lambda: options, options[0].key,
        f"The bridge {border} was blown before {name}. What does it do?", unit.block, {"area": there},
    )


def _crossing_options(state: State, unit: Mover, there: str) -> list[Option]:
    """Cross, stay (5.1: not in a full area by choice), or any way that does not use the bridge."""
    ground = costs.survey(state, board.side_of(state, unit.block))
    data = {"block": unit.block}
    found = []
    if isinstance(costs.take(ground, unit, unit.at, there, unit.spent, unit.start), Step):
        found.append(Option("cross", "cross all the same, with the whole allowance", data=data))
    ways = [] if unit.mode == costs.EXPLOITATION else paths.ways(ground, unit).values()
    on = [paths.option(state, "move", unit.block, way) for way in ways if way.path != (unit.at, there)]
    if not costs.full(ground, unit, unit.at) or not (found or on):
        found.append(Option("stay", "stay there", data=data))
    return [*found, *on]


# -- what a leg of a move does ----------------------------------------------------------------------


def _go(ctx: Ctx, block: str, path: tuple[str, ...], mode: str, cost: int, rule: str, marker_rule: str) -> None:
    """One leg: the unit passes through areas and takes control of them (2.4), and comes into the last one."""
    ctx.emit(e.Moved(block, path, mode, cost, rule))
    drop_markers(ctx, block, marker_rule)
    side = board.side_of(ctx.state, block)
    for area in path[1:-1]:
        _pass(ctx, side, area)
    _arrive(ctx, block, side, path[-2], path[-1])
    phases.settle(ctx, path[0], path[-1])


def drop_markers(ctx: Ctx, block: str, rule: str) -> None:
    """5.21, 7.2, 7.31 The reserve or exploitation marker of a unit that has moved is taken off."""
    b = ctx.state.blocks[block]
    if b.reserve:
        ctx.emit(e.Reserve(block, False, rule))
    if b.exploit:
        ctx.emit(e.Exploit(block, False, rule))


def _pass(ctx: Ctx, side: str, area: str) -> None:
    """2.4, 17.22 Passing through is being the sole occupant for an instant, and relieves a flank invasion."""
    if not board.controls(ctx.state, side, area):
        ctx.emit(e.ControlSet(area, side))
    if side == ALLIED:
        for chit in flank.holding(ctx.state, area):
            special.spend(ctx, chit.id, "17.22")


def _arrive(ctx: Ctx, block: str, side: str, origin: str, area: str) -> None:
    """4.34, 5.22, 5.35 What the unit meets at the end of the leg."""
    state = ctx.state
    if area not in state.data.areas:
        return
    if state.roadblocks.get(area) == other(side):
        ctx.emit(e.Roadblock(area, other(side), False, "4.34"))
    if board.forces(state, area, other(side)):
        ctx.emit(_entered(state, block, origin, area))
        if board.newly_contested(state, area):
            bridges.mark_assault(ctx, area)
        else:
            _join(ctx, area)


def _entered(state: State, block: str, origin: str, area: str) -> e.Entered:
    """5.35c, 5.35e, 14.27 How the unit came in."""
    if origin not in state.data.areas:
        return e.Entered(block, area, origin, "", False, False, origin in state.data.landing, False)
    border = state.data.border(origin, area)
    return e.Entered(block, area, origin, border.id, bool(border.river), border.id in state.blown, False, False)


def _join(ctx: Ctx, area: str) -> None:
    """5.22 Units that enter an area fought over before are shown, and those who were are shown (again)."""
    for block in board.in_area(ctx.state, area):
        unseen = board.is_garrison(ctx.state, block.id) and not block.card
        if not block.shown and not unseen:
            ctx.emit(e.Shown(block.id, True, "5.22"))


# -- 14.29 ------------------------------------------------------------------------------------------


def _evacuate(ctx: Ctx, unit: Mover, path: tuple[str, ...]) -> None:
    """14.29 By Messina to Italy, never to return."""
    cost = evacuation.spent(costs.survey(ctx.state, AXIS), unit, path)
    _go(ctx, unit.block, path, "evacuation", cost, "14.29", "14.29")
