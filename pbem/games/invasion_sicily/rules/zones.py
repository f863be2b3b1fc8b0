"""3.4 Zones of control."""

from __future__ import annotations

from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import other
from pbem.games.invasion_sicily.position.state import DISRUPTED, State
from pbem.games.invasion_sicily.rules.terrain import closed
from pbem.kit.zoc import Zone, projected


def exerts(state: State, unit: str) -> bool:
    """3.4.2, 11.3.2b7, 14.1.5 Whether a unit reaches into the hexes around: not with a No ZOC band, and not while disrupted."""
    return state.type(unit).zoc and not state.units[unit].has(DISRUPTED)


def of(state: State, side: str) -> dict[str, Zone]:
    """3.4, 3.4.4 The hexes around units of a side that they control by their zones, whoever else stands there.

    RULING: units at sea exert no zone: they are not yet in a hex from which they could enter others (3.4.3).
    """
    data = state.data
    holding: dict[str, list[str]] = {}
    for hex_, units in board.by_hex(state, side).items():
        strong = [u for u in units if exerts(state, u)]
        if strong:
            holding[hex_] = strong

    def enters(here: str, there: str) -> bool:
        """3.4.3 A zone goes where one of the units could go."""
        return any(closed(data, state.type(u), here, there) is None for u in holding[here])

    return projected(data.map.near, holding, lambda here: len(holding[here]), enters, lambda there: bool(data.hexes[there].city))


def uncontested(state: State, side: str) -> list[str]:
    """3.4.5 The hexes in the zone of a side where neither an enemy nor an enemy's zone is."""
    foe = other(side)
    theirs, stand = of(state, foe), board.by_hex(state, foe)
    return [h for h in of(state, side) if h not in theirs and h not in stand]


def in_enemy_zone(state: State, unit: str) -> bool:
    """Whether a unit stands in a zone of the enemy's."""
    return state.units[unit].place in of(state, other(board.side_of(state, unit)))
