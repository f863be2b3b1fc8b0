"""4 A1 The Special Events Phase: arrivals, the fall of Mussolini, invasion planning, the evacuation of Sicily."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, CUP, RESERVED
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import mussolini
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask, begin

AHEAD = 5
"""13.1.2 A marker is put at least so many turns ahead."""


def events(ctx: Ctx) -> Flow:
    """4 A1 First the Allies, then the Axis."""
    begin(ctx)
    _arrive(ctx)
    for side in (ALLIED, AXIS):
        yield from _orders(ctx, side)


def _orders(ctx: Ctx, side: str) -> Flow:
    while any(True for _ in options(ctx.state, side)):
        answer = yield from ask(
            ctx, side, "events", "4.0", lambda: options(ctx.state, side), default(ctx.state, side), closing=DONE,
            facts=facts(ctx.state),
        )
        if answer.key == "done":
            return
        _carry_out(ctx, answer.key)


def _arrive(ctx: Ctx) -> None:
    """Units that come on this turn."""
    places = {row.unit: row.place for row in ctx.state.data.setup if row.turn == ctx.state.turn and row.turn > 1}
    for unit, place in places.items():
        if ctx.state.units[unit].place == RESERVED:
            ctx.emit(e.Placed(unit, place, "4.0"))


def options(state: State, side: str) -> Iterator[Option]:
    """14.3.1, 13.1.2, 13.6.1 What a side may declare."""
    if side == ALLIED:
        if mussolini.may_roll(state) and not state.spent.get("mussolini"):
            yield Option("mussolini roll", "roll on the Fall of Mussolini table")
            yield Option("mussolini bomb", "bomb Rome first: no air support this turn")
        if state.plan and state.plan[0] > state.turn:
            yield Option("plan lift", "take the invasion marker away")
        for code in codes(state):
            for turn in range(state.turn + AHEAD, state.data.turns + 1):
                if [turn, code] != state.plan:
                    yield Option(f"plan {code} turn {turn}", f"{code} on turn {turn}")
    elif not why_not_evacuate(state):
        yield Option("evacuate sicily", "give Sicily up")


def default(state: State, side: str) -> str:
    """What happens at the deadline: no try on the Mussolini table is lost, nothing else is done."""
    if side == ALLIED and mussolini.may_roll(state) and not state.spent.get("mussolini"):
        return "mussolini roll"
    return "done"


def facts(state: State) -> dict[str, int]:
    """What standing orders may test."""
    return {"turn": state.turn, "tries": 2 - state.mussolini["tries"]}


def codes(state: State) -> list[str]:
    """13.1, 13.1.7 The operations that can still be planned: each once, on beaches in play; and the dummy."""
    beaches = [b.operation for b in state.data.beaches.values()]
    if state.plan and state.plan[1] in state.operations:
        return []
    return [c for c, nations in state.data.operations.items()
            if c not in state.operations and (c in beaches or nations == "none") and c != state.data.operation]


def why_not_evacuate(state: State) -> Refusal | None:
    """13.6.1 After the fall of Mussolini or an Allied landing in Calabria, once."""
    if state.evacuating:
        return Refusal("Sicily is being evacuated already", "13.6.1")
    landed = [b for b in state.data.beaches.values() if b.operation in state.operations
              and state.data.hexes[b.target].landmass == "calabria"]
    if not state.mussolini["fallen"] and not landed:
        return Refusal("Sicily can be evacuated after the fall of Mussolini or an invasion of Calabria", "13.6.1")
    return None


def _carry_out(ctx: Ctx, key: str) -> None:
    words = key.split(" ")
    if words[0] == "mussolini":
        ctx.emit(e.TransportUsed("mussolini", 1))
        if words[1] == "bomb":
            ctx.emit(e.RomeBombed())
    elif key == "plan lift":
        ctx.emit(e.PlanSet(0, ""))
    elif words[0] == "plan":
        ctx.emit(e.PlanSet(int(words[3]), words[1]))
    else:
        ctx.emit(e.EvacuationDeclared())


def allied_zone_airfields(state: State) -> int:
    """11.4.2 Airfields that the Allies control."""
    return sum(1 for h in state.data.hexes.values() if h.airfield and board.holds(state, ALLIED, h.id))


def free_ersatz(state: State) -> list[str]:
    """15.3.2 Ersatz pieces that can still be made: as many as there are counters in the cup."""
    return [u.id for u in state.units.values() if u.place == CUP]
