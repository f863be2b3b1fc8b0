"""7.2, 7.3, 7.4 What a step from hex to hex costs, in half movement points, and what is closed to whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, ITALY, other
from pbem.games.invasion_sicily.position.state import DISRUPTED, UNSUPPLIED, State
from pbem.games.invasion_sicily.rules import zones
from pbem.games.invasion_sicily.rules.terrain import closed, terrain
from pbem.kit.search import Bar, Step
from pbem.kit.zoc import Zone

ONE = 2
"""A movement point."""

MOVEMENT, MOTORIZED, REACTION, FOLLOW_UP = "movement", "motorized", "reaction", "follow-up"


@dataclass(frozen=True)
class Ground:
    """The position as the movers of a side see it: where enemies and friends stand, and the enemy's zones."""

    state: State
    side: str
    enemy: Mapping[str, Sequence[str]]
    friends: Mapping[str, Sequence[str]]
    zone: Mapping[str, Zone]


def survey(state: State, side: str) -> Ground:
    """What a side moves over now."""
    foe = other(side)
    return Ground(state, side, board.by_hex(state, foe), board.by_hex(state, side), zones.of(state, foe))


def entry(ground: Ground, there: str) -> int:
    """7.2.1, 16.2.3 What an enemy zone and an enemy strongpoint add."""
    extra = ground.state.data.terrain["zoc"]["dry"] if there in ground.zone else 0
    if ground.side == ALLIED and there in ground.state.strongpoints:
        extra += ground.state.data.terrain["strongpoint"]["dry"]
    return extra


def step(ground: Ground, unit: str, here: str, there: str, mode: str) -> Step[str] | Bar[str]:
    """7.0, 7.1.2, 7.2.2 One step of a unit; a bar says why not.

    3.4.1, 7.1.7 Where an enemy stands nobody goes, zone or no zone; 3.4.6 zones slow a unit, and do not stop it.  Friends and
    their zones cost nothing.
    """
    state, kind = ground.state, ground.state.type(unit)
    if there == ITALY:
        return Step(ITALY, ONE, True)
    bar = closed(state.data, kind, here, there)
    if bar is not None:
        return bar
    if there in ground.enemy:
        return Bar(there, f"the enemy stands in {there}", "7.1.7")
    if here == ITALY:
        return Step(there, ONE + entry(ground, there))
    cost = terrain(state, here, there)
    if mode != REACTION:
        return Step(there, cost + entry(ground, there))
    if there not in ground.zone:
        return Step(there, cost)
    if there not in ground.friends:
        return Bar(there, f"{there} is in an enemy zone of control and no unit of yours stands there", "8.3.3")
    return Step(there, cost, True)


def steps(ground: Ground, unit: str, here: str, mode: str) -> Iterator[Step[str] | Bar[str]]:
    """7.6.6, 7.6.7 All steps out of a place, clockwise from the top; over the north edge to and from Italy."""
    data = ground.state.data
    if here == ITALY:
        yield from (step(ground, unit, here, h.id, mode) for h in data.hexes.values() if h.edge)
        return
    yield from (step(ground, unit, here, there, mode) for there in data.map.near(here))
    if data.calabria and ground.side == AXIS and mode in (MOVEMENT, MOTORIZED) and data.hexes[here].edge:
        yield Step(ITALY, ONE, True)


def allowance(state: State, unit: str, mode: str) -> int:
    """7.1.4, 7.5.2, 8.3.1, 5.2.3a, 11.3.2b7 What a unit may spend in a phase, in half movement points.

    Each halving drops the fraction of a movement point.
    """
    found, ma = state.units[unit], state.type(unit).ma
    if found.left >= 0:
        return found.left
    if state.data.units[unit].type == "coast-piece" and not found.card or board.logistic(state, unit):
        return 0
    if found.has(UNSUPPLIED) and mode != REACTION:
        ma //= 2
    if found.has(DISRUPTED) and mode in (MOVEMENT, FOLLOW_UP):
        ma //= 2
    if mode != MOVEMENT:
        ma //= 2
    return ma * ONE
