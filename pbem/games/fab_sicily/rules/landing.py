"""14.24, 14.26 Units in landing boxes and port boxes: the way onto the coast."""

from __future__ import annotations

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import costs, paths
from pbem.games.fab_sicily.rules.costs import Ground, Mover
from pbem.games.fab_sicily.rules.paths import Way
from pbem.games.fab_sicily.position.state import Block, State


def boxed(state: State, side: str) -> list[Block]:
    """The side's units in landing and port boxes."""
    return [b for b in state.blocks.values() if coast(state, b.area) and board.side_of(state, b.id) == side]


def coast(state: State, box: str) -> str:
    """14.21, 14.23 The area that a box leads to; '' if it is no such box."""
    return state.data.landing.get(box) or state.data.ports.get(box) or ""


def why_not_use(state: State, side: str, box: str) -> Refusal | None:
    """14.22, 14.23 Why nobody can advance from a box, or None.

    RULING: a port box is usable if the port is undamaged and the area friendly-controlled (14.23); that a unit
    must already stand there, as Example 9D has it, is a condition of repairs (14.51), not of landing.
    """
    place = board.place_name(state.data, coast(state, box))
    if box in state.data.landing:
        lost = state.beachheads.get(box) != "in-play"
        return Refusal(f"there is no beachhead at {box} (any more)", "14.22") if lost else None
    if state.port_damage.get(box, 0):
        return Refusal(f"the port of {place} is damaged: repair it first", "14.23")
    if not board.controls(state, side, coast(state, box)):
        return Refusal(f"{place} is not yours, so its port cannot be used", "14.23")
    return None


def ashore(ground: Ground, block: str, mode: str) -> dict[str, Way]:
    """14.26 Where a boxed unit may go: from a beachhead onto its coast, with its whole allowance; from a port
    box onto the port area free of cost, and on from there."""
    state = ground.state
    box = state.blocks[block].area
    area = coast(state, box)
    if why_not_use(state, ground.side, box):
        return {}
    unit = costs.mover(ground, block, mode, area)
    if _kept_off(ground, unit):
        return {}
    found = {} if costs.full(ground, unit, area) else {area: Way((box, area), unit.points if box in state.data.landing else 0)}
    if box in state.data.ports and area not in ground.enemy and not unit.one_area:
        for there, way in paths.ways(ground, unit).items():
            found[there] = Way((box, *way.path), way.cost, way.river)
    return {a: found[a] for a in sorted(found, key=int)}


def _kept_off(ground: Ground, unit: Mover) -> Refusal | None:
    """14.24, 9.33d RULING: a unit that is not in good order lands on an enemy's beach all the same, for 14.24a has every
    unit advance; it brings on no attack.  With the switch ``disordered_landing`` off it waits at sea, as a march would."""
    alone = unit.at in ground.enemy and unit.at not in ground.held
    if unit.shaken and alone and not ground.state.data.switches.get("disordered_landing", True):
        return costs.SHAKEN.refusal(ground.state, unit.block, unit.at, unit.at)
    return None


def why_not_ashore(ground: Ground, block: str) -> Refusal | None:
    """14.24b Why a boxed unit cannot advance onto its coast, or None."""
    state = ground.state
    box = state.blocks[block].area
    refusal = why_not_use(state, ground.side, box)
    if refusal:
        return refusal
    unit = costs.mover(ground, block, costs.OPERATIONAL, coast(state, box))
    if costs.full(ground, unit, unit.at):
        return costs.FULL.refusal(state, block, unit.at, unit.at)
    return _kept_off(ground, unit)
