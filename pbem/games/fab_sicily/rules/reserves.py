"""5.21, 14.7 Reserve markers."""

from __future__ import annotations

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import ALLIED
from pbem.games.fab_sicily.position.state import State

MARKERS_PER_ARMY = 2
"""RULING: the counter-mix (5.21) is not printed in the rules; Example 17 uses two 7th Army markers at once.
Another number may be set as the switch ``reserve_markers``."""


def markers_left(state: State, army: str) -> int:
    """5.21, 14.71, 14.72 Reserve markers of an army that are not on the map."""
    used = sum(b.reserve for b in state.blocks.values() if board.army(state, b.id) == army)
    return int(state.data.switches.get("reserve_markers", MARKERS_PER_ARMY)) - used


def why_not_reserve(state: State, block: str) -> Refusal | None:
    """5.21, 14.7, 14.24c Why a unit may not be marked as a reserve, or None."""
    b, name = state.blocks[block], board.unit_name(state.data, block)
    in_port = board.side_of(state, block) == ALLIED and b.area in state.data.ports and not state.port_damage.get(b.area, 0)
    if b.area not in state.data.areas and not in_port:
        return Refusal(f"{name} must stand in an area, or in an undamaged port box, to be put in reserve", "14.7")
    if b.reserve:
        return Refusal(f"{name} is in reserve already", "5.21")
    if not b.supplied:
        return Refusal(f"{name} is unsupplied and may not be put in reserve", "14.7")
    if not board.good_order(b):
        return Refusal(f"{name} is not in good order and may not be put in reserve", "14.7")
    if board.contested(state, b.area):
        return Refusal(f"{name} is in a contested area and may not be put in reserve", "14.7")
    if markers_left(state, board.army(state, block)) <= 0:
        return Refusal("all reserve markers of its army are in use: move or release one first", "5.21")
    return None
