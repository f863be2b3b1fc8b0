"""5.1 Stacking limits, enforced at the end of every phase and throughout combat; 5.23 what goes with the last unit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import phases, retreat
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import SIDES
from pbem.games.fab_sicily.position.state import Block, State

Flow = Generator[list[Ask], list[Answer], None]


def end_of_phase(ctx: Ctx) -> Flow:
    """5.1, 5.23 What every phase ends with: no area holds more than two units a side, no works stand empty."""
    if _overstacked(ctx.state):
        for area in ctx.state.data.areas:
            yield from enforce(ctx, area)
    for area, side in list(ctx.state.works.items()):
        if not board.in_area(ctx.state, area, side):
            ctx.emit(e.Works(area, side, False, "5.23"))


def _overstacked(state: State) -> bool:
    standing = Counter((board.side_of(state, b.id), b.area) for b in board.on_map(state))
    return max(standing.values(), default=0) > board.STACKING_LIMIT


def enforce(ctx: Ctx, area: str) -> Flow:
    """5.1 Units in excess retreat, and are eliminated if they cannot; their owner chooses which."""
    for side in SIDES:
        while len(board.in_area(ctx.state, area, side)) > board.STACKING_LIMIT:
            [answer] = yield [_excess_ask(ctx, area, side)]
            yield from _expel(ctx, answer["block"], area)


def _excess_ask(ctx: Ctx, area: str, side: str) -> Ask:
    state = ctx.state
    there = board.in_area(state, area, side)

    def option(b: Block) -> Option:
        return Option(f"leave {b.id}", f"{board.unit_name(state.data, b.id)} leaves", data={"block": b.id})

    place = board.place_name(state.data, area)
    return Ask(
        side, "overstack", "5.1", phases.scope(ctx), lambda: [option(b) for b in there], f"leave {there[0].id}",
        f"{len(there)} units stand at {place}, and two may. Which one leaves?", area, {"area": area},
    )


def _expel(ctx: Ctx, block: str, area: str) -> Flow:
    options = retreat.retreat_options(ctx.state, block, area)
    if options:
        [answer] = yield [retreat.ask(ctx, block, options)]
        retreat.retreat(ctx, block, answer.option.data, True, "5.1")
    else:
        ctx.emit(e.Eliminated(block, "overstacked", "5.1"))
        phases.settle(ctx, area)
