"""What must hold after every event."""

from __future__ import annotations

from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position.data import ALLIED, AXIS, DEAD, HQ, SIDES, UNIT
from pbem.games.italian_campaign.position.state import State


def check(state: State) -> list[str]:
    """Broken invariants, in words; empty if all is well."""
    found = []
    hexes = state.data.board.hexes
    for unit in state.units.values():
        kind = state.type(unit.id)
        if unit.place in hexes and not hexes[unit.place].land:
            found.append(f"{unit.id} stands in the sea at {unit.place}")
        if kind.kind == HQ and unit.place != DEAD and unit.steps > kind.front.defence:
            found.append(f"{unit.id} has lost {unit.steps} steps of {kind.front.defence}")
        if kind.kind == UNIT and state.units[kind.formation].place == DEAD and unit.place not in (DEAD, "exited"):
            found.append(f"{unit.id} is in play and its HQ is not")
        if not 0 <= unit.fatigue <= 2:
            found.append(f"{unit.id} has fatigue {unit.fatigue}")
    both = sorted(board.held(state, ALLIED) & board.held(state, AXIS))
    found += [f"both sides stand in {h}" for h in both]
    for side in SIDES:
        if not 0 <= state.cp[side] <= state.data.limits["command_most"]:
            found.append(f"{side} has {state.cp[side]} CP")
        if state.support[side] < 0:
            found.append(f"{side} has {state.support[side]} support points")
    if state.ip < 0 or state.rp < 0 or state.spoil < 0:
        found.append(f"points below 0: IP {state.ip}, RP {state.rp}, spoiling {state.spoil}")
    if len(state.beachheads) > state.data.limits["beachheads"]:
        found.append(f"{len(state.beachheads)} beachheads")
    if state.gunnery < 0 or state.gunnery_turn > state.data.limits["gunnery_turn"]:
        found.append(f"gunnery {state.gunnery}, {state.gunnery_turn} this turn")
    if not 0 <= state.time <= state.data.last_box + 4:
        found.append(f"time {state.time}")
    return found
