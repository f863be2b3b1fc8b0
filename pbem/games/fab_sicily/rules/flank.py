"""17.22 Flank invasions (16.23 the Commandos)."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import army_zones, boundaries
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, AXIS
from pbem.games.fab_sicily.position.state import Chit, State

COMMANDO_ARMY = "8"
"""16.23, 17.22 The British flank invasion may be made once per game, the American ones again and again."""


def ready(state: State, side: str) -> list[Chit]:
    """Assets in the Available Box that may invade."""
    return [
        c for c in board.available(state, side)
        if state.data.chits[c.id].flank and not (state.data.chits[c.id].army == COMMANDO_ARMY and c.id in state.flank_used)
    ]


def why_not(state: State, side: str, area: str, chit: str, invaded: bool) -> Refusal | None:
    """17.22 Why ``chit`` may not invade there, or None; ``invaded``: one did in this Admin Phase."""
    place, name = board.place_name(state.data, area), state.data.chits[chit].name
    if invaded:
        return Refusal("only one flank invasion in each Admin Phase: wait for the next", "17.22")
    if not state.data.areas[area].coastal or not board.controls(state, AXIS, area) or board.contested(state, area):
        return Refusal(f"{place} is not an enemy-controlled, uncontested coastal area", "17.22")
    if holding(state, area):
        return Refusal(f"a flank invasion is at {place} already", "17.22")
    along = state.data.mended and _near(state, area, chit, released=True)
    if not along and not army_zones.influences(state, chit, area):
        return Refusal(f"{place} is outside the zone of {name}'s army, and no unit near may operate there", "14.31")
    if not _near(state, area, chit):
        return Refusal(f"no unit of {name}'s army stands in a coastal area within two areas of {place}", "17.22")
    if chit not in [c.id for c in ready(state, side)]:
        return Refusal(f"{chit} is not in your Available Box, or has used up its flank invasion", "17.22")
    return None


def holding(state: State, area: str) -> list[Chit]:
    """The flank invasions that stand in an area."""
    return board.assets_in(state, area, ALLIED, "flank")


def _near(state: State, area: str, chit: str, released: bool = False) -> bool:
    """17.22 Whether a unit of the asset's army stands near enough, on the coast.

    RULING: a unit that has been ``released`` takes its army's flank invasions along to where it may operate itself:
    14.31 lets assets support units of their nationality outside their zone.
    """
    within = _within_two(state, area)
    army = state.data.chits[chit].army
    return any(
        b.area in within and state.data.areas[b.area].coastal and board.army(state, b.id) == army
        and (not released or boundaries.may_operate(state, b.id, area))
        for b in board.on_map(state, ALLIED)
    )


def _within_two(state: State, area: str) -> list[str]:
    near = board.neighbours(state, area)
    return [area, *near, *(far for a in near for far in board.neighbours(state, a))]


def options(state: State, side: str, invaded: bool) -> list[Option]:
    """`invade AREA with CHIT`."""
    return [
        Option(
            f"invade {area} with {c.id}", f"flank invasion of {board.place_name(state.data, area)}", ("invade",),
            {"do": "invade", "area": area, "chit": c.id},
        )
        for c in ready(state, side) for area in state.data.areas if not why_not(state, side, area, c.id, invaded)
    ]


def invade(ctx: Ctx, area: str, chit: str) -> Generator[Sequence[Ask], list[Answer], None]:
    """17.22 The asset lands; if enemies are there, a round of combat is fought at once, as a beach assault."""
    from pbem.games.fab_sicily.rules import combat

    ctx.emit(e.ChitMoved(chit, "map", area, "flank", "17.22"))
    ctx.emit(e.FlankUsed(chit))
    if board.forces(ctx.state, area, AXIS):
        yield from combat.fight_round(ctx, area, flank=chit)
