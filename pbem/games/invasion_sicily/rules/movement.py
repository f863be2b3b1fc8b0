"""7.5 The Movement and Motorized Movement Phases: moves, declarations, landings, evacuations, orders one by one."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import coast, control, costs, declaring, evacuation, landing, moves, sicily_evacuation
from pbem.games.invasion_sicily.rules.costs import MOTORIZED, MOVEMENT
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask, begin, end_of_phase


def movement(ctx: Ctx) -> Flow:
    """7.5.1 The Movement Phase; 8.1 it ends with all attacks declared."""
    begin(ctx)
    side = ctx.state.player
    if side == AXIS:
        yield from sicily_evacuation.attempts(ctx)
        coast.turn_ersatz(ctx)
    else:
        landing.ashore(ctx)
    yield from _act(ctx, side, MOVEMENT)
    declaring.at_sea(ctx, side)
    if side == ALLIED:
        evacuation.leave(ctx)
    yield from end_of_phase(ctx)


def motorized(ctx: Ctx) -> Flow:
    """7.5.2 The Motorized Movement Phase."""
    begin(ctx)
    side = ctx.state.player
    if side == AXIS:
        yield from sicily_evacuation.attempts(ctx)
    yield from _act(ctx, side, MOTORIZED)
    if side == ALLIED:
        evacuation.leave(ctx)
    yield from end_of_phase(ctx)


def _act(ctx: Ctx, side: str, kind: str) -> Flow:
    """7.1 One unit after the other, until the side is done."""
    while True:
        answer = yield from ask(
            ctx, side, kind, "7.5", lambda: options(ctx.state, side, kind), "done", closing=DONE, facts={"turn": ctx.state.turn}
        )
        if answer.key == "done":
            return
        _carry_out(ctx, side, answer.option)


def _carry_out(ctx: Ctx, side: str, option: Option) -> None:
    data = option.data
    if data["do"] == "move":
        march(ctx, data["unit"], tuple(data["path"]), data["mode"], data["cost"])
    elif data["do"] == "attack":
        ctx.emit(e.Declared(data["hex"], tuple(data["units"]), "8.1.1"))
    elif data["do"] == "reveal":
        coast.reveal(ctx, data["unit"], "14.1.3")
    elif data["do"] == "evacuate":
        ctx.emit(e.Marked(data["unit"], "leaving", True, "13.3"))


def march(ctx: Ctx, unit: str, path: tuple[str, ...], mode: str, cost: int) -> None:
    """7.1 A unit moves; the hexes that it goes over are its side's (3.2)."""
    rule = {MOVEMENT: "7.5.1", MOTORIZED: "7.5.2", costs.REACTION: "8.3.1"}.get(mode, "13.4.3")
    ctx.emit(e.Moved(unit, path, mode, cost, rule))
    control.passed(ctx, board.side_of(ctx.state, unit), path)


def options(state: State, side: str, kind: str) -> Iterator[Option]:
    """All that a side may do in the phase: moves, then attacks, then the rest."""
    ground = costs.survey(state, side)
    units = [u.id for u in state.units.values() if board.side_of(state, u.id) == side]
    yield from moves.options(ground, units, kind)
    if kind == MOVEMENT:
        yield from declaring.options(state, side)
        if side == AXIS:
            yield from coast.options(state)
    if side == ALLIED:
        yield from evacuation.options(state)
