"""3.2 Who controls which hex."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import SIDES
from pbem.games.invasion_sicily.rules import zones


def passed(ctx: Ctx, side: str, path: Iterable[str]) -> None:
    """3.2 A unit of ``side`` went over these hexes: they are its own now."""
    state = ctx.state
    new = tuple(h for h in dict.fromkeys(path) if h in state.data.hexes and state.data.hexes[h].land and state.holder(h) != side)
    if new:
        ctx.emit(e.Controlled(side, new))


def settle(ctx: Ctx) -> None:
    """3.2 Hexes in an uncontested zone of control belong to its side.

    RULING: zones are judged at the end of each phase; a hex that a unit only passed by does not change hands.
    """
    state = ctx.state
    for side in SIDES:
        own = board.by_hex(state, side)
        new = [h for h in [*own, *zones.uncontested(state, side)] if state.holder(h) != side and state.data.hexes[h].land]
        if new:
            ctx.emit(e.Controlled(side, tuple(sorted(dict.fromkeys(new)))))
