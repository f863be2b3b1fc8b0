"""15.3 Green Italian units: coastal garrisons that nobody knows until they fight."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import battle, morale
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import AXIS, GREEN
from pbem.games.fab_sicily.position.state import State


def identify(ctx: Ctx, block: str, rule: str, seer: str = "") -> None:
    """15.3 Settle which garrison a face-down block is; ``seer``: the side that alone may see the die (8.32).

    RULING: it falls by a die out of those left at the moment a rule reveals it.  That is the same as
    having shuffled them at the start, and nobody, the server included, can know before.
    """
    state = ctx.state
    if state.blocks[block].card:
        return
    pool = list(state.pool)
    [face] = ctx.roll(
        1, sides=len(pool), purpose=f"identity of garrison {block}", rule=rule, side=seer or AXIS, secret=bool(seer),
    )
    card = pool[face - 1]
    ctx.emit(e.Identified(block, card, len(state.data.cards[card].quality)))


def reveal(ctx: Ctx, block: str, rule: str) -> None:
    """15.3 Turn a face-down garrison over, for both sides to see."""
    identify(ctx, block, rule)
    if not ctx.state.blocks[block].shown:
        ctx.emit(e.Shown(block, True, rule))


def steady(ctx: Ctx, block: str) -> None:
    """15.3b The morale check of a Green unit before any attacking artillery fires; failing, it is disordered."""
    passed, _ = morale.roll(ctx, block, "holding its nerve", "15.3b")
    if not passed:
        battle.disorder(ctx, block, "15.3b")


def recruit(state: State, block: str) -> bool:
    """15.3b A Green unit of Recruit quality: no positive modifier ever helps its ground fire."""
    return board.green_garrison(state, block) and board.quality(state, block) == GREEN


def prove(ctx: Ctx, blocks: list[str]) -> None:
    """15.3d Those that survived the round that revealed them are Veteran units from now on."""
    for block in blocks:
        b = ctx.state.blocks[block]
        if board.green_garrison(ctx.state, block) and b.shown and board.in_play(b):
            ctx.emit(e.Proven(block))
