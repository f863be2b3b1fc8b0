"""14.1 Italian Coast Defense units, and 15.3.1 Ersatz units: untried pieces are turned over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import AXIS, ELIMINATED
from pbem.games.invasion_sicily.position.state import State

CUP = {"coast-piece": "coast-defence", "ersatz-piece": "ersatz"}


def cup(state: State, kind: str) -> list[str]:
    """14.1.1, 14.1.2, 14.1.4, 15.3.1 The counters still in the cup: those that no piece has turned out to be.

    RULING: Ersatz counters that are used up or eliminated go back into the cup (switch 'ersatz_return').
    """
    used = []
    for unit in state.units.values():
        gone = unit.place in (ELIMINATED, "cup") and kind == "ersatz" and state.data.switches["ersatz_return"]
        if unit.card and not gone:
            used.append(unit.card)
    return [c for c, t in state.data.cards.items() if t.type == kind and c not in used]


def reveal(ctx: Ctx, unit: str, rule: str) -> bool:
    """14.1.3 An untried piece is turned over: one of the counters in the cup, drawn now.  A coast defence unit without
    defence strength is removed at once; whether the unit is still there is returned."""
    state = ctx.state
    if board.tried(state, unit):
        return True
    kind = CUP[state.data.units[unit].type]
    drawn = "14.1.2" if kind == "coast-defence" else "15.3.1"
    [card] = ctx.draw(cup(state, kind), 1, purpose=f"what {unit} is", rule=drawn, side=AXIS)
    ctx.emit(e.Revealed(unit, card, rule))
    if kind == "coast-defence" and state.data.cards[card].defence == 0:
        ctx.emit(e.Eliminated(unit, "14.1.3"))
        return False
    return True


def reveal_all(ctx: Ctx, units: Sequence[str], rule: str) -> None:
    """9.4 I, II All untried units in a hex are turned over."""
    for unit in list(units):
        reveal(ctx, unit, rule)


def turn_ersatz(ctx: Ctx) -> None:
    """15.3.1 Ersatz units that are on the map as the Axis Movement Phase begins are turned over."""
    for unit in list(board.in_play(ctx.state, AXIS)):
        if ctx.state.data.units[unit.id].type == "ersatz-piece":
            reveal(ctx, unit.id, "15.3.1")


def options(state: State) -> Iterator[Option]:
    """14.1.3 The Axis player may turn coast defence units over in his Movement Phase."""
    for unit in board.in_play(state, AXIS):
        if not board.tried(state, unit.id) and state.data.units[unit.id].type == "coast-piece":
            yield Option(f"reveal {unit.id}", "turn it over", data={"do": "reveal", "unit": unit.id})


def why_not(state: State, unit: str) -> Refusal:
    """14.1.3 Why a unit cannot be turned over."""
    if board.tried(state, unit):
        return Refusal(f"{unit} is no untried unit", "14.1.6")
    return Refusal(f"{unit} is not on the map", "14.1.3")
