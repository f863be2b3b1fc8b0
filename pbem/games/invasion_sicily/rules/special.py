"""4 D2 The Special Movement Phase: 13.4 follow-up landings, boxes, 13.3 evacuated units."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import (
    AFRICA, ALLIED, EVACUATION, FOLLOW_UP, INVASION, ITALY, SICILY_EVACUATION,
)
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import costs, evacuation, moves, naval, ports, stacking
from pbem.games.invasion_sicily.rules.costs import ONE
from pbem.games.invasion_sicily.rules.movement import march
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask, begin, end_of_phase
from pbem.games.invasion_sicily.rules.terrain import off_road

LANDED = "follow-up"


def special(ctx: Ctx) -> Flow:
    """4 D2, 13.4.1, 13.4.5 Allied boxes and landings; evacuated units make their checks last (13.3)."""
    begin(ctx)
    after_invasion(ctx)
    while any(True for _ in options(ctx.state)):
        answer = yield from ask(
            ctx, ALLIED, "special", "13.4", lambda: options(ctx.state), _default(ctx.state), closing=DONE,
            facts={"room": _room(ctx.state), "turn": ctx.state.turn},
        )
        if answer.key == "done":
            break
        _carry_out(ctx, answer.option)
    _send_home(ctx)
    evacuation.check_box(ctx, EVACUATION, AFRICA)
    evacuation.check_box(ctx, SICILY_EVACUATION, ITALY)
    yield from end_of_phase(ctx)


def after_invasion(ctx: Ctx) -> None:
    """13.2.8 On the turn of an invasion combat units left in its box go to the Follow-Up box, Beach units to Africa."""
    if ctx.state.turn not in ctx.state.operations.values():
        return
    for unit in board.at(ctx.state, INVASION):
        ctx.emit(e.BoxMoved(unit, AFRICA if board.logistic(ctx.state, unit) else FOLLOW_UP, "13.2.8"))


def _send_home(ctx: Ctx) -> None:
    """13.4.7 At the end of the second turn of an operation the Follow-Up box is emptied."""
    last = max(ctx.state.operations.values(), default=0)
    if last and ctx.state.turn == last + 1:
        for unit in board.at(ctx.state, FOLLOW_UP):
            ctx.emit(e.BoxMoved(unit, AFRICA, "13.4.7"))


def _room(state: State) -> int:
    """13.4.6"""
    return state.data.limit("follow-up", state.storm) - state.spent.get(LANDED, 0)


def why_not_land(state: State, unit: str, hex_: str) -> Refusal | None:
    """13.4.2, 13.4.3, 13.4.6 Why a follow-up unit cannot come ashore at a coastal hex, or None."""
    if state.units[unit].place != FOLLOW_UP:
        return Refusal(f"{unit} is not in the Follow-Up box", "13.4.2")
    if hex_ not in ports.beaches(state):
        return Refusal(f"no Beach unit is in {hex_}", "13.4.3")
    if hex_ not in [b.target for b in state.data.beaches.values()]:
        return Refusal(f"no invasion hex lies before {hex_}", "13.4.3")
    if _room(state) <= 0:
        return Refusal(f"{state.data.limit('follow-up', state.storm)} follow-up units have landed this turn", "13.4.6")
    return None


def options(state: State) -> Iterator[Option]:
    """13.4, 13.1.4, 13.1.5 Landings, moves of what has landed, and boxes."""
    for unit in board.at(state, FOLLOW_UP):
        for hex_ in ports.beaches(state):
            if not why_not_land(state, unit, hex_):
                yield Option(f"land {unit} at {hex_}", data={"do": "land", "unit": unit, "hex": hex_})
    ground = costs.survey(state, ALLIED)
    landed = [u.id for u in state.units.values() if u.left > 0 and state.data.units[u.id].side == ALLIED]
    yield from moves.options(ground, landed, costs.FOLLOW_UP)
    for unit_ in state.units.values():
        for box in (INVASION, FOLLOW_UP, AFRICA):
            if state.data.units[unit_.id].side == ALLIED and not why_not_box(state, unit_.id, box):
                yield Option(f"box {unit_.id} to {box}", data={"do": "box", "unit": unit_.id, "place": box})


def planned(state: State) -> bool:
    """13.1.4, 13.1.5 Whether a marker for a later operation lies on the turn track."""
    return bool(state.plan) and state.plan[0] > state.turn


def why_not_box(state: State, unit: str, box: str) -> Refusal | None:
    """6.4, 7.6.4, 7.6.5, 7.7.1, 7.7.2, 13.1.3, 13.1.4, 13.1.5 Why a unit does not change from one box to another, or None."""
    here, kind = state.units[unit].place, state.data.units[unit]
    if here == box or here not in (AFRICA, INVASION, FOLLOW_UP):
        return Refusal(f"{unit} is in no box that it can leave for this one", "7.6.5")
    if box == AFRICA:
        return None
    if not planned(state):
        return Refusal("no later operation is planned", "13.1.4")
    if kind.type == "port" or state.units[unit].port:
        return Refusal(f"{unit} is a Port unit", "6.4")
    if box == INVASION:
        if state.plan_since != state.turn:
            said = "units join an operation on the turn in which its marker is placed: put the marker ahead again"
            return Refusal(said, "13.1.4")
        nations = [state.data.units[u].command for u in board.at(state, INVASION)]
        if nations and kind.command not in nations:
            return Refusal("the units of a later invasion are of one nationality", "13.1.3")
        return None
    if board.logistic(state, unit):
        return Refusal("Beach units land with the invasion", "6.2.2")
    return None


def _default(state: State) -> str:
    """At the deadline follow-up units land in the order of the list where there is room, as long as they fit."""
    for option in options(state):
        data = option.data
        if data["do"] == "land" and stacking.fits(state, ALLIED, data["hex"], [data["unit"]]):
            return option.key
    return DONE.key


def _carry_out(ctx: Ctx, option: Option) -> None:
    data, state = option.data, ctx.state
    unit = data["unit"]
    if data["do"] == "box":
        ctx.emit(e.BoxMoved(unit, data["place"], "13.1.5"))
    elif data["do"] == "land":
        hex_ = data["hex"]
        cost = off_road(state, hex_)
        ctx.emit(e.TransportUsed(LANDED, 1))
        ctx.emit(e.Moved(unit, (FOLLOW_UP, hex_), "landing", cost, "13.4.3"))
        ctx.emit(e.Limited(unit, max(0, state.type(unit).ma // 2 * ONE - cost), "13.4.4"))
        if board.axis_zone(state, hex_):
            naval.in_axis_zone(ctx)
    else:
        march(ctx, unit, tuple(data["path"]), data["mode"], data["cost"])


