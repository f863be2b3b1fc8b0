"""6.7 Morale checks."""

from __future__ import annotations

from pbem.core.engine import Ctx, Mod
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules import d10
from pbem.games.fab_sicily.position.data import ELITE, GREEN, QUALITY_NAMES
from pbem.games.fab_sicily.position.state import GOOD, State

BASIC = 5
"""2.1 The basic Success Number."""

BY_QUALITY = {GREEN: -2, ELITE: 2}
"""6.7 What troop quality adds."""


def modifiers(state: State, block: str) -> list[Mod]:
    """6.7 Troop quality, and -1 each for being disordered (or recovering, 6.5) and unsupplied (9.33c)."""
    b, kind = state.blocks[block], state.type(block)
    level = board.quality(state, block)
    hardened = kind.airborne and state.data.switches.get("optional_airborne", False)
    mods = [
        (QUALITY_NAMES[level], BY_QUALITY.get(level, 0)),
        ("disordered", -1 if b.status != GOOD else 0),
        ("unsupplied", -1 if not b.supplied and not hardened else 0),  # 18.1
    ]
    return [(why, by) for why, by in mods if by]


def roll(ctx: Ctx, block: str, purpose: str, rule: str) -> tuple[bool, int]:
    """6.7 One die for a unit: whether it passes, and the face (9.4 and 17.21f look at it).

    A hidden unit is shown for the roll and turned away again.
    """
    state = ctx.state
    b = state.blocks[block]
    hidden = not b.shown
    if hidden:
        ctx.emit(e.Shown(block, True, "6.7"))
    mods = modifiers(state, block)
    target = BASIC + sum(by for _, by in mods)
    said = f"morale check of {state.type(block).name} ({block}) for {purpose}"
    [face] = d10.roll(ctx, 1, purpose=said, rule=rule, side=board.side_of(state, block), target=target, mods=mods)
    passed = d10.success(face, target)
    ctx.emit(e.MoraleChecked(block, passed, purpose, rule))
    if hidden:
        ctx.emit(e.Shown(block, False, "6.7"))
    return passed, face
