"""14.3 Army boundaries and zones, as far as assets are concerned (for units see the movement rules)."""

from __future__ import annotations

from collections import Counter

from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import AXIS
from pbem.games.fab_sicily.position.state import State


def in_zone(state: State, army: str, area: str) -> bool:
    """14.31 Whether the area lies in the zone of an Allied army as the scenario (or its landing plan) defines it."""
    return any(zone in state.data.areas[area].zones for zone in state.zones(army))


def opened(state: State, army: str) -> tuple[str, ...]:
    """14.31, 17.23 The zones that an army's assets may influence.

    RULING: once every division of an army is released, the zones opened to them are the army's zone too: 14.61 and 17.23
    release units "of their zones of origin", and an army of which nothing is bound any more has no other.
    """
    divisions = Counter(b.division for b in state.data.blocks.values() if b.army == army)
    free = all(d in state.released for d, blocks in divisions.items() if blocks > 1)
    return (*state.zones(army), *(state.release_zones(army) if free and state.data.mended else ()))


def influences(state: State, chit: str, area: str) -> bool:
    """14.31, 14.52, 14.53 Whether an asset may act on an area: in its army's zone, or beside units of its army.

    Axis assets and those of no army act anywhere.
    RULING: a unit of the army standing in the area is supported even if the area is outside the zone;
    14.31 says so of all support, and 14.52 speaks of the river borders between two zones only.
    """
    kind = state.data.chits[chit]
    if kind.side == AXIS or not kind.army:
        return True
    if any(zone in state.data.areas[area].zones for zone in opened(state, kind.army)):
        return True
    return kind.army in board.armies(state, board.in_area(state, area, kind.side))
