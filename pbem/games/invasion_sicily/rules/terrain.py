"""7.3 The ground: what is closed to whom, and what it costs, in half movement points."""

from __future__ import annotations

from pbem.games.invasion_sicily.position.data import MUD, Data, UnitType
from pbem.games.invasion_sicily.position.state import State
from pbem.kit.search import Bar


def closed(data: Data, kind: UnitType, here: str, there: str) -> Bar[str] | None:
    """7.3.5, 9.2.5 Terrain that a unit can never go over, whoever stands there."""
    hex_ = data.hexes[there]
    if not hex_.land:
        return Bar(there, f"{there} is sea", "7.1.8")
    if here in data.hexes and data.map.across(here, there, "sea"):
        return Bar(there, f"there is sea between {here} and {there}", "7.1.8")
    if kind.heavy and hex_.terrain in ("mountain", "alpine") and not data.map.across(here, there, "road"):
        said = f"armor and artillery enter {hex_.terrain} hexes by road only, and none leads from {here} to {there}"
        return Bar(there, said, "7.3.5")
    return None


def terrain(state: State, here: str, there: str) -> int:
    """7.3.1, 7.3.3, 7.3.4 The cost of the ground alone: the road's, or the hex's and the river's.

    RULING: in Mud a road is never dearer than the ground beside it (7.3.1: roads 'under certain weather conditions').
    """
    data, column = state.data, MUD if state.weather == MUD else "dry"
    hex_ = data.hexes[there]
    ground = max(data.terrain[t][column] for t in (hex_.terrain, hex_.also) if t)
    if data.map.across(here, there, "river"):
        ground += data.terrain["river"][column]
    road = data.map.across(here, there, "road")
    return min(ground, data.terrain[road][column]) if road else ground


def off_road(state: State, hex_: str) -> int:
    """13.2.3 The cost of a coastal hex off the road, in half movement points."""
    found, column = state.data.hexes[hex_], MUD if state.weather == MUD else "dry"
    return max(state.data.terrain[t][column] for t in (found.terrain, found.also) if t)
