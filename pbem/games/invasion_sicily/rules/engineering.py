"""4 D3 The Engineering Phase: strongpoints, port demolition and repair, Port units moved, Beach units converted."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, SIDES
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import naval, ports, tracing
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask, begin, end_of_phase

MARKER = 2
"""5.5.6a What one demolition marker takes away."""


def engineering(ctx: Ctx) -> Flow:
    """4 D3 First the Allies, then the Axis; at the end strongpoints that the Allies hold are gone (16.2, 16.2.5, 16.2.6)."""
    begin(ctx)
    for side in SIDES:
        yield from _orders(ctx, side)
    for hex_ in list(ctx.state.strongpoints):
        if board.at(ctx.state, hex_, ALLIED):
            ctx.emit(e.StrongpointSet(hex_, False))
    yield from end_of_phase(ctx)


def _orders(ctx: Ctx, side: str) -> Flow:
    while any(True for _ in options(ctx.state, side)):
        answer = yield from ask(
            ctx, side, "engineering", "4.0", lambda: options(ctx.state, side), default(ctx.state, side), closing=DONE,
            facts={"turn": ctx.state.turn},
        )
        if answer.key == "done":
            return
        _carry_out(ctx, answer.option)


def options(state: State, side: str) -> Iterator[Option]:
    """Everything that the side's engineers may do."""
    if side == AXIS:
        if not state.spent.get("strongpoint"):
            fed = supplied(state)
            yield from (
                Option(f"strongpoint {h}", data={"do": "strongpoint", "hex": h}) for h in fed
                if not why_not_build(state, h, fed)
            )
        if not state.spent.get("demolition"):
            for hex_ in ports.friendly_ports(state, AXIS):
                if not why_not_demolish(state, hex_):
                    yield Option(f"demolish {hex_}", state.data.hexes[hex_].port, data={"do": "demolish", "hex": hex_})
        return
    if not state.spent.get("repair"):
        for hex_ in state.demolition:
            if not why_not_repair(state, hex_):
                yield Option(f"repair {hex_}", state.data.hexes[hex_].port, data={"do": "repair", "hex": hex_})
    goals = ports.friendly_ports(state, ALLIED)
    for unit in state.units.values():
        for there in goals if board.on_map(state, unit) and board.logistic(state, unit.id) else []:
            if not why_not_move(state, unit.id, there):
                verb = "convert" if board.beach_side(state, unit.id) else "port"
                yield Option(f"{verb} {unit.id} to {there}", data={"do": "port", "unit": unit.id, "hex": there})


def default(state: State, side: str) -> str:
    """At the deadline: the Allies mend the damaged port with most units to feed it; else nothing."""
    if side == ALLIED:
        return next((o.key for o in options(state, side) if o.data["do"] == "repair"), DONE.key)
    return DONE.key


def supplied(state: State) -> dict[str, bool]:
    """16.1.3 Hexes from which the Axis can trace supply."""
    lines, found = tracing.Lines(state, AXIS), dict[str, bool]()
    for hex_, beach, _ in tracing.sources(state, AXIS).values():
        found |= dict.fromkeys(tracing.covered(lines, hex_, beach, False), True)
    return found


def why_not_build(state: State, hex_: str, fed: dict[str, bool] | None = None) -> Refusal | None:
    """16.1, 16.1.1, 16.1.5 Why no strongpoint can be built in a hex, or None."""
    if state.spent.get("strongpoint"):
        return Refusal("one strongpoint a turn can be built", "16.1.2")
    if hex_ not in state.data.hexes or not state.data.hexes[hex_].land or not board.holds(state, AXIS, hex_):
        return Refusal(f"{hex_} is not held by the Axis", "16.1.3")
    if hex_ in state.strongpoints:
        return Refusal(f"{hex_} has a strongpoint", "16.1.4")
    if hex_ not in (supplied(state) if fed is None else fed):
        return Refusal(f"no supply route leads from {hex_} to an Axis source", "16.1.3")
    return None


def why_not_demolish(state: State, hex_: str) -> Refusal | None:
    """5.5.6a Why a port cannot be demolished further, or None."""
    if state.spent.get("demolition"):
        return Refusal("one demolition a turn", "5.5.6")
    found = state.data.hexes.get(hex_)
    if found is None or not found.port:
        return Refusal(f"{hex_} has no port", "5.5.6")
    if not any(state.data.units[u].nation == "German" for u in board.at(state, hex_, AXIS)):
        return Refusal(f"no German unit is in {found.name}", "5.5.6")
    if found.capacity - state.demolition.get(hex_, 0) <= ports.FLOOR:
        return Refusal(f"{found.name} cannot be damaged further", "5.5.6")
    return None


def why_not_repair(state: State, hex_: str) -> Refusal | None:
    """5.5.3e Why a port is not repaired, or None."""
    if state.spent.get("repair"):
        return Refusal("one port a turn is repaired", "5.5.3")
    if not state.demolition.get(hex_):
        return Refusal(f"{hex_} is not damaged", "5.5.3")
    if not ports.opened(state, hex_):
        return Refusal(f"no Allied Port or Engineer unit is in {hex_}", "5.5.3")
    return None


def why_not_move(state: State, unit: str, there: str) -> Refusal | None:
    """6.3.3, 6.3.3.2, 6.3.3.3, 6.3.3.5, 6.3.4, 6.3.4.1, 6.3.4.3 Why a Port unit (or a Beach unit that becomes one) does
    not go to a port, or None."""
    found = state.data.hexes.get(there)
    if not board.logistic(state, unit) or not board.on_map(state, state.units[unit]):
        return Refusal(f"{unit} is no Beach or Port unit on the map", "6.3.3")
    if state.storm:
        return Refusal("Port units do not move in a Storm", "6.3.3")
    if board.beach_side(state, unit) and not state.data.units[unit].augmentation:
        return Refusal(f"{unit} has no Port side", "6.1.3")
    if found is None or not found.port or not board.holds(state, ALLIED, there):
        return Refusal(f"{there} is no port that you hold", "6.3.3")
    if state.units[unit].place == there and not board.beach_side(state, unit):
        return Refusal(f"{unit} is there already", "6.3.3")
    if state.units[unit].place != there and state.spent.get(f"port unit {there}"):
        return Refusal("one Port unit a turn can be added to a port", "6.3.3")
    return None


def _carry_out(ctx: Ctx, option: Option) -> None:
    data, state = option.data, ctx.state
    hex_ = data["hex"]
    if data["do"] == "strongpoint":
        ctx.emit(e.TransportUsed("strongpoint", 1))
        ctx.emit(e.StrongpointSet(hex_, True))
    elif data["do"] == "demolish":
        ctx.emit(e.TransportUsed("demolition", 1))
        ctx.emit(e.DemolitionSet(hex_, state.demolition.get(hex_, 0) + MARKER))
    elif data["do"] == "repair":
        ctx.emit(e.TransportUsed("repair", 1))
        ctx.emit(e.DemolitionSet(hex_, max(0, state.demolition[hex_] - MARKER)))
    else:
        _reposition(ctx, data["unit"], hex_)


def _reposition(ctx: Ctx, unit: str, there: str) -> None:
    """6.3, 6.3.3.1, 6.3.3.4, 6.3.4.2, 6.3.4.4 A Beach unit turns into a Port unit; either goes to its port."""
    state = ctx.state
    here = state.units[unit].place
    if board.beach_side(state, unit):
        ctx.emit(e.Turned(unit, True, "6.3.4"))
    if here != there:
        ctx.emit(e.TransportUsed(f"port unit {there}", 1))
        ctx.emit(e.Moved(unit, (here, there), "sea", 0, "6.3.3"))
        if board.axis_zone(state, there) or board.axis_zone(state, here):
            naval.in_axis_zone(ctx)
