"""Why an order of a phase came to nothing, where no question ever asked for it."""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.asks import Ask, Refusal
from pbem.core.standing import Directive
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.rules import battle
from pbem.games.fab_sicily.words import choosing
from pbem.games.fab_sicily.words.asks import CATALOGUE


def why(state: State, order: Directive) -> Refusal | None:
    """The reason, with its rule; None for what only closes a phase or answers a question that did not come (and in games
    begun before revision 3, which kept silent)."""
    kind, words = CATALOGUE[order.kind], order.choices[0].split()
    if not state.data.mended or order.choices[0] in ("done", kind.closing) or not (kind.phase_orders or order.kind in _REASONS):
        return None
    found = _REASONS[order.kind](state, order.side, words) if order.kind in _REASONS else None
    if found is None:
        closed = Ask(order.side, order.kind, kind.rule, order.scope, lambda: [], "done")
        found = choosing.reason(state, closed, order.choices[0])
    return found or Refusal("the phase ended before it could be carried out", kind.rule)


def _battle(state: State, side: str, words: list[str]) -> Refusal | None:
    area = words[1] if len(words) > 1 else ""
    if area not in state.data.areas:
        return None
    place = board.place_name(state.data, area)
    if area in state.fought:
        rule = "8.22" if state.phase == "breakthrough-combat" else "6.2"
        return Refusal(f"a round of combat has been fought at {place} in this phase already, and one is all", rule)
    if not board.contested(state, area):
        return Refusal(f"there is no battle at {place}: only one side is there", "6.0")
    if not battle.able(state, area, side):
        return Refusal(f"none of your units at {place} is in good order, and others may not attack", "9.33d")
    return None


def _recover(state: State, side: str, words: list[str]) -> Refusal | None:
    if side not in state.special_left:
        return Refusal("your Special Action was not left over from last turn: nothing can be taken back", "4.1a")
    chit = words[1] if len(words) > 1 else ""
    name = state.data.chits[chit].name if chit in state.data.chits else "it"
    return Refusal(f"{name} was not in your Used Box, or another asset was taken back", "4.1a")


def _arrival(state: State, side: str, words: list[str]) -> Refusal | None:
    block = words[1] if len(words) > 1 else ""
    if block not in state.blocks:
        return None
    here, name = state.blocks[block].area, board.unit_name(state.data, block)
    if here == "to-come":
        return Refusal(f"{name} does not arrive this turn, or no entry area was open to it", "4.1c")
    return Refusal(f"{name} has arrived already, at {board.place_name(state.data, here)}", "4.1c")


_REASONS: dict[str, Callable[[State, str, list[str]], Refusal | None]] = {
    "battle": _battle, "recover": _recover, "arrival": _arrival,
}
