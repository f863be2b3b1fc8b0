"""3.5 Stacking."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules.phases import Flow, ask
from pbem.kit.stacking import excess


def room(state: State, side: str, hex_: str) -> int:
    """3.5.1, 3.5.3 Stacking points that a side may still put into a hex."""
    return state.data.limit("stacking") - board.stacking(state, board.at(state, hex_, side))


def fits(state: State, side: str, hex_: str, units: Iterable[str]) -> bool:
    """3.5.1 Whether units that are not yet there may end there."""
    coming = [u for u in units if state.units[u].place != hex_]
    return board.stacking(state, coming) <= room(state, side, hex_)


def end_of_phase(ctx: Ctx, side: str) -> Flow:
    """3.5.2 The owner eliminates what is too much, unit by unit."""
    for hex_ in list(board.by_hex(ctx.state, side)):
        while True:
            units = board.at(ctx.state, hex_, side)
            over = excess(units, lambda u: ctx.state.type(u).stacking, ctx.state.data.limit("stacking"))
            if not over:
                break
            counted = [u for u in units if ctx.state.type(u).stacking]
            worst = min(counted, key=lambda u: (board.attack(ctx.state, u) + board.defence(ctx.state, u), u))
            answer = yield from ask(
                ctx, side, "stack-excess", "3.5.2", [Option(f"eliminate {u}") for u in counted], f"eliminate {worst}",
                f"{hex_} is overstacked by {over}.", hex_, {"over": over},
            )
            ctx.emit(e.Eliminated(answer.key.split(" ")[1], "3.5.2"))
