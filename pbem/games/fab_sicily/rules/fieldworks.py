"""5.23 Field works built by units."""

from __future__ import annotations

from pbem.core.asks import Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.state import State


def why_not_dig(state: State, block: str) -> Refusal | None:
    """5.23, 9.33b Why a unit may not build field works where it stands, or None."""
    b, name = state.blocks[block], board.unit_name(state.data, block)
    place = board.place_name(state.data, b.area)
    if b.area not in state.data.areas:
        return Refusal(f"{name} is in no area", "5.23")
    if board.contested(state, b.area):
        return Refusal(f"{place} is contested: no field works can be built there", "5.23")
    if b.area in state.works:
        return Refusal(f"field works are at {place} already", "5.23")
    if not b.supplied or not board.good_order(b):
        return Refusal(f"{name} must be supplied and in good order to build field works", "5.23")
    return None


def dig(ctx: Ctx, block: str) -> None:
    """5.23 The unit spends its whole allowance on field works in its area."""
    ctx.emit(e.Dug(block))
    ctx.emit(e.Works(ctx.state.blocks[block].area, board.side_of(ctx.state, block), True, "5.23"))
