"""22.14, 22.24 Initial set-up."""

from __future__ import annotations

from collections.abc import Generator

from pbem.core.asks import Answer, Ask
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import cups, deployment
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import AXIS

RULE = "22.14"


def setup(ctx: Ctx) -> Generator[list[Ask], list[Answer], None]:
    """22.14 All is prescribed; 22.24 the Axis places its garrisons, then the Allies choose plan and beachheads.

    The Allied units follow in turn 1's Reinforcement Phase.
    """
    for area in ctx.state.data.areas:
        ctx.emit(e.ControlSet(area, AXIS))
    _regulars(ctx)
    yield from deployment.garrisons(ctx)
    _fortify(ctx)
    for box in ctx.state.data.beachheads:
        ctx.emit(e.BeachheadSet(box, "in-play", RULE))
    yield from deployment.landing(ctx)
    cups.arrive(ctx, 0, RULE)


def _regulars(ctx: Ctx) -> None:
    """Axis units with a starting-area number, at full strength.

    Area by area: in the order of the list of forces the enemy could tell which block is which.
    """
    areas = list(ctx.state.data.areas)
    kinds = [k for k in ctx.state.data.blocks.values() if k.turn == 0 and not k.garrison]
    for kind in sorted(kinds, key=lambda k: areas.index(k.at)):
        ctx.emit(e.Placed(kind.id, kind.at, kind.full, RULE))


def _fortify(ctx: Ctx) -> None:
    """Field works in every coastal area with invasion capability (a landing box) that holds an Axis unit."""
    for area in ctx.state.data.areas.values():
        if area.landing and board.in_area(ctx.state, area.id, AXIS):
            ctx.emit(e.Works(area.id, AXIS, True, RULE))
