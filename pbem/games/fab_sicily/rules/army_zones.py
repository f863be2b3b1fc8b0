"""14.3 Army boundaries and zones, as far as assets are concerned (for units see the movement rules)."""

from __future__ import annotations

from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import AXIS
from pbem.games.fab_sicily.position.state import State


def in_zone(state: State, army: str, area: str) -> bool:
    """14.31 Whether the area lies in the zone of an Allied army as the scenario (or its landing plan) defines it."""
    return any(zone in state.data.areas[area].zones for zone in state.zones(army))


def influences(state: State, chit: str, area: str) -> bool:
    """14.31, 14.52, 14.53 Whether an asset may act on an area: in its army's zone, or beside units of its army.

    Axis assets and those of no army act anywhere.
    RULING: a unit of the army standing in the area is supported even if the area is outside the zone;
    14.31 says so of all support, and 14.52 speaks of the river borders between two zones only.
    """
    kind = state.data.chits[chit]
    if kind.side == AXIS or not kind.army:
        return True
    return in_zone(state, kind.army, area) or kind.army in board.armies(state, board.in_area(state, area, kind.side))
