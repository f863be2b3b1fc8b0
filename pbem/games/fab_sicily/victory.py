"""3.4, 3.5 The end of a game turn, and 22.17 who wins."""

from __future__ import annotations

from collections.abc import Generator

from pbem.core.asks import Answer, Ask
from pbem.core.engine import Ctx
from pbem.games.fab_sicily import board, phases
from pbem.games.fab_sicily import events as e
from pbem.games.fab_sicily.data import ALLIED, AXIS, SIDES
from pbem.games.fab_sicily.state import State


def victory(ctx: Ctx) -> Generator[list[Ask], list[Answer], None]:
    """3.4 Count victory points; 3.5 after the last turn the game is over (19.4: no sudden death in this scenario)."""
    phases.begin(ctx)
    if ctx.state.turn == 1:
        _beaches(ctx)
    held = holdings(ctx.state)
    points = {side: sum(vp for _, who, vp in held if who == side) for side in SIDES}
    ctx.emit(e.Scored(points[ALLIED], points[AXIS], held))
    if ctx.state.turn >= ctx.state.data.turns:
        ctx.emit(e.Won(winner(points), f"{points[ALLIED]} to {points[AXIS]} victory points", "22.17"))
    yield from ()


def _beaches(ctx: Ctx) -> None:
    """14.22 At the end of turn 1 a beachhead is destroyed if its coastal area is Axis-controlled and uncontested."""
    for box, status in list(ctx.state.beachheads.items()):
        if status == "in-play" and board.friendly_quiet(ctx.state, AXIS, ctx.state.data.landing[box]):
            ctx.emit(e.BeachheadSet(box, "destroyed", "14.22"))


def holdings(state: State) -> tuple[tuple[str, str, int], ...]:
    """22.17 The areas that give victory points, who has them, and how many.

    RULING: control is enough.  22.17 speaks of control only, where 19.1 asks for supply (and, of the Allies,
    occupation) too; the switch 'vp_needs_supply' adds the supply of 19.1.
    RULING: area 16 stands in two rows of 22.17, for 1 and for 2 points; it is worth 2 (a value of the map data).
    """
    needs_supply = state.data.switches["vp_needs_supply"]
    return tuple(
        (a.id, side, a.vp) for a in state.data.areas.values() for side in SIDES
        if a.vp and board.controls(state, side, a.id) and (not needs_supply or board.area_supplied(state, side, a.id))
    )


def winner(points: dict[str, int]) -> str:
    """22.17 Who has the positive difference; 'draw' if there is none."""
    difference = points[ALLIED] - points[AXIS]
    return ALLIED if difference > 0 else AXIS if difference < 0 else "draw"
