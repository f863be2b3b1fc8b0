"""What must be true after every event; the fuzzer asks after each one."""

from __future__ import annotations

from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, AT_SEA, ELIMINATED, OFF_MAP, RESERVED
from pbem.games.fab_sicily.position.state import DISORDERED, GOOD, RECOVERING, State

CHIT_BOXES = ("to-come", "cup", "available", "used", "eliminated", "map", "conditional", "table")


def check(state: State) -> list[str]:
    """Broken invariants in words; empty for a sound state."""
    return [*_blocks(state), *_chits(state), *_markers(state)]


def _blocks(state: State) -> list[str]:
    data, wrong = state.data, []
    places = {*data.areas, *data.landing, *data.ports, AT_SEA, AIRBORNE_BOX, ELIMINATED, OFF_MAP, RESERVED}
    for b in state.blocks.values():
        if b.area not in places:
            wrong.append(f"{b.id} is at {b.area!r}, which is no place")
        full = board.full_steps(state, b.id)
        if board.in_play(b) and full and not 1 <= b.steps <= full:
            wrong.append(f"{b.id} has {b.steps} of {full} steps")
        if b.status not in (GOOD, DISORDERED, RECOVERING):
            wrong.append(f"{b.id} has status {b.status!r}")
        if b.reserve and b.exploit:
            wrong.append(f"{b.id} has a reserve and an exploitation marker")
    used = [b.card for b in state.blocks.values() if b.card]
    if sorted([*used, *state.pool]) != sorted(data.cards):
        wrong.append("garrison cards are lost or doubled")
    return wrong


def _chits(state: State) -> list[str]:
    wrong = []
    for c in state.chits.values():
        if c.box not in CHIT_BOXES:
            wrong.append(f"{c.id} is in box {c.box!r}, which does not exist")
        if (c.box == "map") != bool(c.area):
            wrong.append(f"{c.id} is in box {c.box} with area {c.area!r}")
    return wrong


def _markers(state: State) -> list[str]:
    data = state.data
    wrong = [f"bridge {b} is blown but there is no river" for b in state.blown if not data.borders[b].river]
    wrong += [f"area {a} is controlled by {s!r}" for a, s in state.control.items() if s not in ("allied", "axis")]
    marked = {**state.works, **state.roadblocks, **state.assaults}
    wrong += [f"a marker lies in {a}, which is no area" for a in marked if a not in data.areas]
    return wrong
