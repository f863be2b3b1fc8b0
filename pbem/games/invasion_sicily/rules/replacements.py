"""15.0 Replacements, 14.3.4 the return of a CCNN unit."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import AFRICA, ALLIED, AXIS, CUP, ELIMINATED, ELITE, ITALY, SIDES, other
from pbem.games.invasion_sicily.position.state import ATTACKED, DEFENDED, REPLACED, TRANSPORTED, UNSUPPLIED, State
from pbem.games.invasion_sicily.rules import coast, mussolini, zones
from pbem.games.invasion_sicily.rules.events_phase import free_ersatz
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask, begin, end_of_phase

HALFTRACKS = "GE-I2HG"
"""15.2.4b I-2/HG."""


def replacements(ctx: Ctx) -> Flow:
    """4 D1, 15.1, 15.1.4, 15.3.5 Each side spends its points, one step at a time.

    RULING: 15.2.2c turns units over in the Engineering Phase; all of 15 is done in the Replacements Phase.
    """
    begin(ctx)
    for side in SIDES:
        yield from _orders(ctx, side)
    yield from end_of_phase(ctx)


def _orders(ctx: Ctx, side: str) -> Flow:
    while any(True for _ in options(ctx.state, side)):
        answer = yield from ask(
            ctx, side, "replacements", "15.1.3", lambda: options(ctx.state, side), "done", closing=DONE,
            facts={"rp": ctx.state.rp[side], "turn": ctx.state.turn},
        )
        if answer.key == "done":
            return
        _carry_out(ctx, side, answer.option)


def ever_helped(state: State, unit: str) -> bool:
    """9.5.4, 15.1.1, 15.2.4 Whether a unit that has lost steps may get some back at all."""
    found, kind = state.units[unit], state.data.units[unit]
    lost = found.reduced or found.place == ELIMINATED
    if not lost or kind.nation == "Italian" or kind.type == "ersatz-piece":
        return False
    if kind.side == AXIS:
        return not (kind.armor or kind.gun or unit == HALFTRACKS)
    return kind.type not in ELITE and not kind.logistic


def price(state: State, unit: str) -> int:
    """15.2.1 note Two points for a step of Allied armor, artillery and engineers, else one."""
    kind = state.data.units[unit]
    return 2 if kind.side == ALLIED and (kind.armor or kind.gun or kind.type == "engineer") else 1


def why_not(state: State, unit: str) -> Refusal | None:
    """15.2.1, 15.2.2 Why a unit gets no step now, or None (who pays for it is another matter)."""
    found, kind = state.units[unit], state.data.units[unit]
    if not ever_helped(state, unit):
        return Refusal(f"{unit} cannot recover steps", "15.2.4")
    if found.has(REPLACED):
        return Refusal(f"{unit} has recovered a step this turn", "15.2.1")
    if found.place == ELIMINATED:
        return None
    if found.has(UNSUPPLIED):
        return Refusal(f"{unit} is out of supply", "15.2.2")
    if found.has(TRANSPORTED):
        return Refusal(f"{unit} has been transported this turn", "15.2.2")
    if found.has(ATTACKED):
        return Refusal(f"{unit} has attacked this turn", "15.2.2")
    if kind.side == ALLIED and found.has(DEFENDED):
        return Refusal(f"{unit} has been attacked this turn", "15.2.2")
    if kind.side == ALLIED and found.place in zones.of(state, other(ALLIED)):
        return Refusal(f"{unit} is in an enemy zone of control", "15.2.2")
    return None


def ersatz_for(state: State, unit: str, place: str) -> str:
    """15.3.3, 15.3.4 The Ersatz unit that would become a step of a German unit: stacked with it, or in the city where it
    is rebuilt."""
    return next(
        (u.id for u in state.units.values() if u.place == place and state.data.units[u.id].type == "ersatz-piece"), ""
    )


def options(state: State, side: str) -> Iterator[Option]:
    """15.2, 15.3 All steps that can be bought or filled up, and Ersatz units that can be made."""
    if side == ALLIED:
        for unit in state.units.values():
            if state.data.units[unit.id].side == side and not why_not(state, unit.id) and price(state, unit.id) <= state.rp[side]:
                yield Option(f"replace {unit.id}", f"{price(state, unit.id)} RP", data={"do": "replace", "unit": unit.id})
        return
    if state.rp[AXIS] > 0 and free_ersatz(state):
        yield Option("ersatz", "one Ersatz unit in Italy for one RP", data={"do": "ersatz"})
    rebuilt = [ITALY, *(c for c in mussolini.cities(state) if _in_supply(state, c))]
    for unit in state.units.values():
        if state.data.units[unit.id].nation != "German" or why_not(state, unit.id):
            continue
        for place in rebuilt if unit.place == ELIMINATED else [unit.place]:
            ersatz = ersatz_for(state, unit.id, place)
            if ersatz:
                data = {"do": "merge", "unit": unit.id, "ersatz": ersatz, "place": place}
                yield Option(f"merge {ersatz} into {unit.id}", place, data=data)
    for ccnn in mussolini.may_return(state):
        for city in mussolini.cities(state):
            yield Option(f"ccnn {ccnn} to {city}", data={"do": "ccnn", "unit": ccnn, "place": city})


def _in_supply(state: State, hex_: str) -> bool:
    """15.2.3b Whether supply could be traced from a city now."""
    from pbem.games.invasion_sicily.rules import tracing

    lines = tracing.Lines(state, AXIS)
    return any(hex_ in tracing.covered(lines, h, beach, False) for h, beach, _ in tracing.sources(state, AXIS).values())


def _carry_out(ctx: Ctx, side: str, option: Option) -> None:
    state, data = ctx.state, option.data
    if data["do"] == "ersatz":
        ctx.emit(e.ReplacementsChanged(side, -1, "15.3.2"))
        ctx.emit(e.Placed(free_ersatz(state)[0], ITALY, "15.3.1"))
    elif data["do"] == "ccnn":
        ctx.emit(e.Placed(data["unit"], data["place"], "14.3.4"))
    else:
        unit = data["unit"]
        if data["do"] == "replace":
            ctx.emit(e.ReplacementsChanged(side, -price(state, unit), "15.2"))
        else:
            _use_up(ctx, data["ersatz"])
        if state.units[unit].place == ELIMINATED:
            place = AFRICA if side == ALLIED else data["place"]
            ctx.emit(e.Placed(unit, place, "15.2.3", state.type(unit).steps == 2))
        else:
            ctx.emit(e.StepGained(unit, "15.2.2"))
        ctx.emit(e.Marked(unit, REPLACED, True, "15.2.1"))


def _use_up(ctx: Ctx, ersatz: str) -> None:
    """15.3.4 The Ersatz unit becomes a step of another; its piece is free again if the counter goes back into the cup."""
    if ctx.state.data.switches["ersatz_return"]:
        ctx.emit(e.Revealed(ersatz, "", "15.3.4"))
        ctx.emit(e.Placed(ersatz, CUP, "15.3.4"))
    else:
        coast.reveal(ctx, ersatz, "15.3.4")
        ctx.emit(e.Eliminated(ersatz, "15.3.4"))
