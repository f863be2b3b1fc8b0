"""2.1 The ten-sided dice of the game."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.engine import Ctx, Mod

SIDES = 10


def success(face: int, target: int) -> bool:
    """2.1 A die succeeds at the Success Number or less; 1 always does, 10 never."""
    return face == 1 or (face != SIDES and face <= target)


def roll(ctx: Ctx, count: int, *, purpose: str, rule: str, side: str, target: int, mods: Sequence[Mod] = ()) -> list[int]:
    """2.1 ``count`` dice against the Success Number ``target`` (after ``mods``); the row tells how many succeeded."""
    return ctx.roll(
        count, sides=SIDES, purpose=purpose, rule=rule, side=side, target=target, mods=mods,
        read=lambda faces: {"hits": sum(success(f, target) for f in faces)},
    )


def check(ctx: Ctx, *, purpose: str, rule: str, side: str, target: int, mods: Sequence[Mod] = ()) -> bool:
    """2.1 One die against a Success Number."""
    return success(roll(ctx, 1, purpose=purpose, rule=rule, side=side, target=target, mods=mods)[0], target)
