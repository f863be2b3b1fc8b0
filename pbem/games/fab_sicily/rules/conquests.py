"""16.4, 17.21 What the Allies win by taking airfields, ports and key areas for the first time."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, AXIS
from pbem.games.fab_sicily.position.state import State

AIRFIELD, PORT, KEY_AREA = "airfield", "port", "key-area"
RULES = {AIRFIELD: "16.4", PORT: "17.21", KEY_AREA: "17.21"}
WON = {AIRFIELD: "air", PORT: "morale-collapse", KEY_AREA: "morale-collapse"}
"""The kind of conditional chit that goes into the Allied cup."""

KEY_STAR = "yellow star"
GROUNDED = "airfield"
"""What an Axis air support asset does that fills a box of the Captured Airfields Table: nothing any more."""

MESSINA_PORT = "P4"


def note(ctx: Ctx) -> None:
    """16.4, 17.21a Whatever the Allies have just taken for the first time, with the chit it brings, if any is left."""
    if not ctx.state.data.conditional:
        return
    for what, area in _held(ctx.state):
        if f"{what} {area}" in ctx.state.captured:
            continue
        ctx.emit(e.Captured(what, area, RULES[what]))
        waiting = [c.id for c in board.in_box(ctx.state, ALLIED, "conditional") if _kind(ctx.state, c.id) == WON[what]]
        if waiting:
            ctx.emit(e.ChitMoved(waiting[0], "cup", "", "", RULES[what]))


def _held(state: State) -> Iterator[tuple[str, str]]:
    for area in state.data.areas.values():
        if not board.controls(state, ALLIED, area.id):
            continue
        if area.airfield:
            yield AIRFIELD, area.id
        if area.port and area.port != MESSINA_PORT and not state.port_damage.get(area.port):
            yield PORT, area.id
        if area.star == KEY_STAR:
            yield KEY_AREA, area.id


def _kind(state: State, chit: str) -> str:
    return state.data.chits[chit].kind


def grounds(state: State, chit: str) -> bool:
    """16.4 Whether this Axis air support asset, just drawn, must fill the box of a captured airfield."""
    if state.data.chits[chit].side != AXIS or _kind(state, chit) != "air":
        return False
    taken = sum(1 for c in state.captured if c.startswith(AIRFIELD))
    return sum(1 for c in board.in_box(state, AXIS, "table") if c.use == GROUNDED) < taken
