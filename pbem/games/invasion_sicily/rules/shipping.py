"""12.3 Naval transport from port to port; 6.2, 6.2.4, 6.3.2 Beach and Port units by sea."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import AFRICA, ALLIED, AXIS, ITALY
from pbem.games.invasion_sicily.position.state import TRANSPORTED, State
from pbem.games.invasion_sicily.rules import control, mussolini, naval, ports, sea_lift

HOME = {ALLIED: AFRICA, AXIS: ITALY}
"""7.6, 7.6.1 The box of each side, an operating port without limits."""

STRAIT, OTHERS, ALLIED_LIFT = "strait", "other-ports", "allied-naval-transport"


def why_not_sail(state: State, unit: str) -> Refusal | None:
    """12.3.1, 12.3.2 Why a unit cannot begin a voyage, or None."""
    found, side = state.units[unit], board.side_of(state, unit)
    if found.has(TRANSPORTED):
        return Refusal(f"{unit} has been transported in this phase", "12.3.1")
    if found.target:
        return Refusal(f"{unit} is to land at {found.target}", "13.2.1")
    if state.data.units[unit].type == "coast-piece" and not board.tried(state, unit):
        return Refusal(f"{unit} is untried and cannot move", "14.1.5")
    if found.place == HOME[side]:
        return None
    hex_ = state.data.hexes.get(found.place)
    if hex_ is None or not hex_.land:
        return Refusal(f"{unit} is not in a port", "12.3.2")
    if board.beach_side(state, unit) and side == ALLIED:
        return None
    if not hex_.port or not _works(state, side, hex_.id):
        return Refusal(f"{unit} is not in a working port of yours", "12.3.2")
    if not board.logistic(state, unit) and room(state, side, hex_.id) <= 0:
        return Refusal(f"no more units can leave {hex_.name} in this phase", "12.3.3")
    return None


def _works(state: State, side: str, hex_: str) -> bool:
    return ports.opened(state, hex_) if side == ALLIED else board.holds(state, AXIS, hex_)


def room(state: State, side: str, hex_: str) -> int:
    """12.3.3 How many more units may arrive at or leave a port in this phase, both counted together.

    RULING: 5.5.5b Exception 2 takes the ports of Sicily as supply sources, not as landing places (13.6.2b).
    """
    return ports.capacity(state, side, hex_) - state.spent.get(f"port {hex_}", 0)


def why_not_to(state: State, unit: str, there: str) -> Refusal | None:
    """12.3, 6.2.3, 7.6.7c, 14.3.3 Why a unit cannot be shipped to a place, or None."""
    side, here = board.side_of(state, unit), state.units[unit].place
    if there == here:
        return Refusal(f"{unit} is there already", "12.3.2")
    if there == HOME[side]:
        return _lift(state, side, here, there)
    hex_ = state.data.hexes.get(there)
    if hex_ is None or not hex_.port:
        return Refusal(f"{there} has no port", "12.3")
    if mussolini.barred(state, unit, there):
        return Refusal("no Italian unit can be sent to Sicily any more", "14.3.3")
    if side == AXIS and state.evacuating and hex_.landmass == "sicily":
        return Refusal("Sicily is being evacuated: nothing sails there", "13.6.2")
    if board.port_side(state, unit):
        return _port_unit(state, hex_.id) or _lift(state, side, here, there)
    if board.beach_side(state, unit):
        return Refusal(f"{unit} is a Beach unit: it comes ashore with an invasion", "6.2.2")
    if not _works(state, side, there):
        return Refusal(f"{hex_.name} is no working port of yours", "12.3.2")
    if room(state, side, there) <= 0:
        return Refusal(f"no more units can arrive at {hex_.name} in this phase", "12.3.3")
    return _lift(state, side, here, there)


def _port_unit(state: State, hex_: str) -> Refusal | None:
    """6.2.3 A Port unit comes to any port that the Allies control, one a turn."""
    if not board.holds(state, ALLIED, hex_):
        return Refusal(f"{hex_} is not yours", "6.2.3")
    if state.spent.get(f"port unit {hex_}"):
        return Refusal("only one Port unit a turn can be placed in a port", "6.2.3")
    return None


def _lift(state: State, side: str, here: str, there: str) -> Refusal | None:
    """12.3.4, 12.3.5 The shipping that is left."""
    limit = state.data.limit
    if side == ALLIED:
        if state.spent.get(ALLIED_LIFT, 0) >= limit(ALLIED_LIFT, state.storm):
            return Refusal(f"all {limit(ALLIED_LIFT, state.storm)} transports of this phase are used", "12.3.4")
        return None
    others, strait = state.spent.get(OTHERS, 0), state.spent.get(STRAIT, 0)
    if sea_lift.strait(state, here, there):
        if strait + 2 * others >= limit(STRAIT, state.storm):
            return Refusal("all crossings of the strait are used in this phase", "12.3.5")
        return None
    if others >= limit(OTHERS, state.storm):
        return Refusal("all transports to and from other ports are used in this phase", "12.3.5")
    if strait + 2 * others + 2 > limit(STRAIT, state.storm):
        return Refusal("each unit to or from another port takes two crossings of the strait, and so many are not left", "12.3.5")
    return None


def places(state: State, side: str) -> list[str]:
    """Where ships can go: ports of the side and its box."""
    return [HOME[side], *ports.friendly_ports(state, side)]


def options(state: State, side: str) -> Iterator[Option]:
    """12.3 Every unit that can sail, and where to."""
    goals = places(state, side)
    for unit in state.units.values():
        if board.side_of(state, unit.id) != side or why_not_sail(state, unit.id):
            continue
        for there in goals:
            if not why_not_to(state, unit.id, there):
                yield option(unit.id, there)


def option(unit: str, there: str) -> Option:
    """A voyage as an option."""
    return Option(f"ship {unit} to {there}", data={"do": "ship", "unit": unit, "place": there})


def ship(ctx: Ctx, unit: str, there: str) -> None:
    """12.3, 13.1.6 A unit sails; Axis ships run the gauntlet (12.3.5d)."""
    state = ctx.state
    side, here = board.side_of(state, unit), state.units[unit].place
    port_unit = board.port_side(state, unit)
    for hex_ in (here, there):
        if hex_ in state.data.hexes and not board.logistic(state, unit):
            ctx.emit(e.TransportUsed(f"port {hex_}", 1))
    if port_unit and there in state.data.hexes:
        ctx.emit(e.TransportUsed(f"port unit {there}", 1))
    if side == AXIS:
        ctx.emit(e.TransportUsed(STRAIT if sea_lift.strait(state, here, there) else OTHERS, 1))
        sea_lift.cross(ctx, unit, there, "12.3")
        return
    ctx.emit(e.TransportUsed(ALLIED_LIFT, 1))
    ctx.emit(e.Marked(unit, TRANSPORTED, True, "12.3.1"))
    zone = [p for p in (here, there) if board.axis_zone(state, p)]
    ctx.emit(e.Moved(unit, (here, there), "sea", 0, "12.3"))
    if there in state.data.hexes:
        control.passed(ctx, ALLIED, (there,))
    if zone:
        ctx.emit(e.TransportUsed("zone-transport", 1))
        naval.in_axis_zone(ctx)
