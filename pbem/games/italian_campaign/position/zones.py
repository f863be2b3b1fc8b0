"""7.3 Zones of control: how strong each side's zone is in a hex, and whose hex it is."""

from __future__ import annotations

from typing import NamedTuple

from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position.data import SIDES, other
from pbem.games.italian_campaign.position.state import State

OPEN, CONTESTED, FRIENDLY, ENEMY = "open", "contested", "friendly", "enemy"
"""7.33 A hex as one side sees it: nobody's, both sides', controlled by it, controlled by the enemy."""


class Zone(NamedTuple):
    """7.33, 7.34 A hex as one side sees it, and the strength of the enemy's zone there as far as it is in effect."""

    status: str
    enemy: int


def strengths(state: State, side: str) -> dict[str, int]:
    """7.31 By hex, the tactical ratings and artillery factors of a side's units there, added up."""
    def make() -> dict[str, int]:
        found: dict[str, int] = {}
        for unit in state.units.values():
            if unit.place in state.data.board.hexes and state.data.units[unit.id].side == side:
                found[unit.place] = found.get(unit.place, 0) + board.tactical(state, unit.id)
        return found

    return state.kept(f"strengths {side}", make)


def strength(state: State, side: str, hex_: str, without: str = "") -> int:
    """7.31, 7.32 A side's zone in a hex: what stands there counts twice, what stands around it once, less the terrain code; that
    of the hexsides if all of it comes over sides with a higher one.

    No zone goes over the sea.  ``without``: a unit that does not count, for it is on the move.
    RULING: in its own hex a unit always has a zone of 1 or what ``zone_own_hex`` says, whatever the terrain.
    RULING: a breakthrough marker takes away the enemy's zones in its hex (8.62).
    """
    data = state.data
    if state.breakthroughs.get(hex_, side) != side:
        return 0
    here = strengths(state, side)
    away, minus = (state.units[without].place, board.tactical(state, without)) if without else ("", 0)
    own = here.get(hex_, 0) - (minus if hex_ == away else 0)
    occupied = any(u != without for u in board.at(state, hex_, side))
    total, codes = 2 * own, []
    for near in data.board.near(hex_):
        part = here.get(near, 0) - (minus if near == away else 0)
        if part and data.board.by_land(near, hex_):
            total += part
            codes.append(data.side_code(near, hex_))
    code = data.code(hex_)
    if not own and codes:
        code = max(code, min(codes))
    return max(total - code, int(data.switches["zone_own_hex"]) if occupied else 0, 0)


def zone(state: State, side: str, hex_: str, without: str = "") -> Zone:
    """7.33 A hex as ``side`` sees it."""
    def make() -> dict[tuple[str, str, str], Zone]:
        return {}

    known = state.kept("zones", make)
    key = (side, hex_, without)
    if key not in known:
        known[key] = _zone(state, side, hex_, without)
    return known[key]


def _zone(state: State, side: str, hex_: str, without: str) -> Zone:
    mine, theirs = strength(state, side, hex_, without), strength(state, other(side), hex_)
    if not mine and not theirs:
        return Zone(OPEN, 0)
    if mine >= 2 * theirs:
        return Zone(FRIENDLY, 0)
    if theirs >= 2 * mine:
        return Zone(ENEMY, theirs)
    return Zone(CONTESTED, theirs)


def strong(state: State, zone_: Zone) -> bool:
    """7.34"""
    return zone_.enemy >= state.data.limits["strong"]


def controlled_by(state: State, hex_: str) -> str:
    """7.33 Which side controls a hex; '' for none."""
    return next((s for s in SIDES if zone(state, s, hex_).status == FRIENDLY), "")
