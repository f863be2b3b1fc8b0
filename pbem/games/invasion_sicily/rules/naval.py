"""12.0 Naval operations: ranges of naval fire, interdiction, the price of the Axis air zone."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules.phases import die

RANGE = 2
"""10.3.3 Hexes inland from a sea hex."""


def firing_sea(state: State, target: str) -> tuple[str, int] | None:
    """10.3.3 The sea hex to fire from, one outside the Axis zone if there is one, and how many hexes inland the target lies
    (0 for a coastal hex); None if it is too far from the sea."""
    data, found = state.data, []
    for hex_ in data.map.within(target, RANGE):
        if not data.hexes[hex_].land:
            found.append((board.axis_zone(state, hex_), data.map.distance(hex_, target), hex_))
    if not found:
        return None
    _, far, sea = min(found)
    return sea, far - 1


def in_axis_zone(ctx: Ctx) -> None:
    """12.3.5f1 A turn with any Allied naval operation in the Axis zone costs a victory point, once.

    RULING: interdiction is no operation in a zone: its points are not placed anywhere.
    """
    state = ctx.state
    if state.zone_turn != state.turn:
        points = next(v.points for v in state.data.values if v.kind == "event" and v.what == "axis-zone")
        ctx.emit(e.Scored("axis-zone", points, "12.3.5"))


def risk(ctx: Ctx) -> None:
    """12.3.5f2 At the end of the Allied Transport Phase, with ground units moved by sea or present in the Axis zone, the Axis
    rolls: 3 or less takes a replacement point, or a victory point if there is none."""
    state = ctx.state
    present = any(
        board.axis_zone(state, u.place) for u in state.units.values() if board.side_of(state, u.id) == ALLIED and u.place in
        state.data.hexes
    )
    if not present and not state.spent.get("zone-transport"):
        return
    if die(ctx, AXIS, "Allied shipping in the Axis air zone", "12.3.5", target=3) > 3:
        return
    if state.rp[ALLIED] > 0:
        ctx.emit(e.ReplacementsChanged(ALLIED, -1, "12.3.5"))
    else:
        points = next(v.points for v in state.data.values if v.kind == "event" and v.what == "lost-rp")
        ctx.emit(e.Scored("lost-rp", points, "12.3.5"))


def interdiction(state: State, zone: str) -> list[tuple[str, int]]:
    """11.2.2, 11.2.3, 11.2.4, 11.2.5, 12.2.2, 12.2.3, 12.2.4 What Allied points add to an Axis transport die in a zone
    ('allied' or 'axis').

    RULING: one Axis air point lowers the air modifier of both zones by one, never below 0 (switch 'counter_interdict').
    """
    points, one = state.interdiction, state.data.switches["counter_interdict"] == "one"
    air = points["air"] if zone == ALLIED else points["air"] // 2
    counter = points["counter"]
    if one:
        counter = (counter + 1) // 2 if zone == ALLIED else counter // 2
    return [("air interdiction", max(0, air - counter)), ("naval interdiction", points["naval"])]


def zone_of(state: State, *places: str) -> str:
    """11.2.2 The zone in which ships between two ports are attacked.

    RULING: the Allied zone if either port lies in it.
    """
    hexes = [p for p in places if p in state.data.hexes]
    return AXIS if all(board.axis_zone(state, p) for p in hexes) and state.axis_zone else ALLIED
