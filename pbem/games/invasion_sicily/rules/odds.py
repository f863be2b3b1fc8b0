"""9.4 III-VI The odds, the armor shift, the die roll modifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pbem.games.invasion_sicily.position.data import Data
from pbem.games.invasion_sicily.position.state import State
from pbem.kit.tables import floor_ratio

WORST = 3
"""9.4 VII Odds worse than 1:3 eliminate the attackers."""

BEST = 8
"""9.4 VII Odds greater than 8:1 are resolved at 8:1."""

NET = 3
"""9.4 VI"""


class Ratio(NamedTuple):
    """``odds``: as reckoned; ``column``: the column of the table, '' below 1:3; ``over``: the modifier of odds above 8:1
    (9.4 Vf); ``shifted``: armor moved the column."""

    odds: str
    column: str
    over: int
    shifted: bool = False


def ratio(data: Data, attack: int, defence: int, shift: bool = False) -> Ratio:
    """9.4 III, IV Rounded in favour of the defender; ``shift``: one column to the right for armor.

    RULING: a shift beyond 8:1 counts as the next odds above it.  Defenders without strength are attacked at the best odds.
    """
    if attack < 1:
        return Ratio("0:1", "", 0)
    if defence < 1:
        return _over(data, "no defence", max(data.over))
    found = floor_ratio(attack, defence)
    if found.defence > WORST:
        return Ratio(str(found), "", 0)
    columns = data.crt.columns
    if found.attack > BEST or found.attack == BEST and shift:
        return _over(data, str(found), found.attack + shift, shift)
    at = columns.index(str(found)) + shift
    return Ratio(str(found), columns[at], 0, shift)


def _over(data: Data, odds: str, n: int, shifted: bool = False) -> Ratio:
    known = [k for k in data.over if k <= n]
    return Ratio(odds, data.crt.columns[-1], data.over[max(known)] if known else 0, shifted)


def terrain_drm(state: State, target: str) -> tuple[str, int]:
    """9.2, 9.2.1, 9.2.2 The highest modifier of the defender's hex."""
    hex_, table = state.data.hexes[target], state.data.terrain
    kinds = [t for t in (hex_.terrain, hex_.also, "city" if hex_.city else "") if t]
    best = max(kinds, key=lambda t: table[t]["drm"])
    return best, table[best]["drm"]


def hexside_drm(state: State, target: str, origins: Sequence[str]) -> tuple[str, int]:
    """9.2.4 The river counts if every attacking unit comes over it."""
    if origins and state.data.map.only_across(origins, target, "river"):
        return "river", state.data.terrain["river"]["drm"]
    return "", 0


def net(mods: Sequence[tuple[str, int]]) -> int:
    """9.4 VI All modifiers together, within -3 and +3."""
    return max(-NET, min(NET, sum(value for _, value in mods)))
