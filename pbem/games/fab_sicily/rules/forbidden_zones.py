"""14.43 A unit in a zone where it may not operate must leave it at the first opportunity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.rules import boundaries, costs, paths
from pbem.games.fab_sicily.rules.costs import OPERATIONAL, Ground, Mover
from pbem.games.fab_sicily.rules.paths import Way


def way_home(ground: Ground, unit: Mover) -> Way | None:
    """The cheapest way out of the zone with the movement points that the unit has left; None if they do not suffice."""
    ways = paths.ways(ground, unit)
    home = [way for area, way in ways.items() if boundaries.may_operate(ground.state, unit.block, area)]
    return min(home, key=attrgetter("cost")) if home else None


def onward(ground: Ground, unit: Mover, way: Way) -> Way | Refusal | None:
    """14.43 The rest of a move that ends inside the zone: the way home with what the unit has left, or a refusal if that is
    too little; nothing if it is out, or could not get out in this phase anyway.

    RULING: leaving "at the first opportunity" lets the unit choose its way, as long as the same move takes it out.
    """
    there = way.path[-1]
    if there not in ground.state.data.areas or boundaries.may_operate(ground.state, unit.block, there):
        return None
    if not ground.state.data.mended or way_home(ground, unit) is None:
        return None
    rest = way_home(_vacated(ground, unit), replace(unit, at=there, start=False, spent=way.cost))
    return rest or must_leave(ground.state, unit.block)


def _vacated(ground: Ground, unit: Mover) -> Ground:
    """The map once the unit has left its area, which it alone may have crowded (5.32)."""
    alone = ground.own.get(unit.at, 0) == 1 and unit.at not in ground.enemy
    return replace(ground, crowded=ground.crowded - {unit.at}) if alone else ground


def leaving(ground: Ground, unit: Mover, ways: Mapping[str, Way]) -> dict[str, Way]:
    """Those of a unit's ways that it may take as far as 14.43 goes."""
    if not unit.astray:
        return dict(ways)
    return {there: way for there, way in ways.items() if not isinstance(onward(ground, unit, way), Refusal)}


def must_leave(state: State, block: str) -> Refusal:
    """What a unit is told that would rather stay."""
    place = board.place_name(state.data, state.blocks[block].area)
    return Refusal(f"{board.unit_name(state.data, block)} may not operate at {place} and must leave that zone now", "14.43")


def why_not_stay(state: State, block: str) -> Refusal | None:
    """Why a unit may not spend its movement where it stands (dig in, go into reserve), or None."""
    if not (state.data.mended and boundaries.astray(state, block)):
        return None
    ground = costs.survey(state, board.side_of(state, block))
    return must_leave(state, block) if way_home(ground, costs.mover(ground, block, OPERATIONAL)) else None
