"""14.3, 14.4 Army boundaries as far as units are concerned (for assets see :mod:`.army_zones`)."""

from __future__ import annotations

from pbem.games.fab_sicily.position.data import AXIS
from pbem.games.fab_sicily.position.state import State


def released(state: State, block: str) -> bool:
    """14.61 Whether the unit's division or brigade is released from its army's boundaries."""
    return state.type(block).division in state.released


def zones_of(state: State, block: str) -> tuple[str, ...]:
    """14.31, 14.41 The zones an Allied unit may operate in; release never opens a forbidden one."""
    army = state.type(block).army
    own = state.zones(army)
    return (*own, *state.release_zones(army)) if released(state, block) else own


def may_operate(state: State, block: str, area: str) -> bool:
    """14.32, 14.41 Whether the unit may move there as far as army boundaries go (Messina lies in two zones)."""
    return state.type(block).side == AXIS or any(z in zones_of(state, block) for z in state.data.areas[area].zones)


def releasable(state: State, block: str, area: str) -> bool:
    """14.43 Whether the area lies behind a restricted boundary only: a release would open it."""
    army = state.type(block).army
    return not may_operate(state, block, area) and any(
        z in state.release_zones(army) for z in state.data.areas[area].zones
    )


def astray(state: State, block: str) -> bool:
    """14.43 The unit stands in a zone in which it may not operate and must leave."""
    area = state.blocks[block].area
    return area in state.data.areas and not may_operate(state, block, area)
