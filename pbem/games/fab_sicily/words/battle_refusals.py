"""Why a choice in a battle or a drop is not possible, in words that say how to mend it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.core.asks import Ask, Refusal
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import before_battle, drop, special, withdrawal
from pbem.games.fab_sicily.position.state import State

Reason = Callable[[State, Ask, Sequence[str]], "Refusal | None"]


def _before(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    """8.23, 8.24 'reinforce with UNIT using CHIT' or 'retreat using CHIT'."""
    battle = b.reopened(state, ask)
    if words[0] == "retreat":
        return _slip_away(state, ask, battle)
    if words[0] != "reinforce" or len(words) < 3 or not own(state, ask, words[2]):
        return None
    return (
        before_battle.why_no_reinforcement(state, battle)
        or before_battle.why_not_reinforce(state, battle, words[2])
        or _no_special_action(state, ask, [words[2]])
    )


def _slip_away(state: State, ask: Ask, battle: b.Battle) -> Refusal | None:
    place = board.place_name(state.data, battle.area)
    units = [u.id for u in b.units(state, battle, ask.side)]
    if not units:
        return Refusal(f"only assets defend {place}, and assets cannot retreat", "4.35")
    if ask.facts.get("reinforced"):
        return Refusal(f"{place} has been reinforced by Special Action: its units stay for this battle", "6.21")
    if not withdrawal.possible(state, battle):
        return Refusal(f"not all units at {place} have an area of yours without enemies, with room, to retreat to", "6.6")
    if not all(state.blocks[u].supplied for u in units):
        return Refusal(f"a unit at {place} is unsupplied, and no Special Action may affect it", "9.34d")
    return _no_special_action(state, ask, units)


def _no_special_action(state: State, ask: Ask, units: Sequence[str]) -> Refusal:
    if special.usable(state, ask.side):
        names = ", ".join(board.unit_name(state.data, u) for u in units)
        return Refusal(f"this Special Action is not in your Available Box, or it is another army's than {names}", "8.1")
    return Refusal("you have no Special Action in your Available Box", "8.1")


def _loss(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    """6.41a, 6.43"""
    if words[1] not in state.blocks and words[1] not in state.chits:
        return None
    name = b.name(state.data, words[1])
    if ask.rule == "6.41":
        return Refusal(f"the first hit falls on the point unit or a battle asset, and {name} is neither", "6.41a")
    if ask.rule == "6.6":
        return Refusal(f"{name} is not the unit that could not retreat", "6.6")
    first = "the point unit takes the first loss, and nobody a second one before every unit and battle asset has taken one"
    return Refusal(f"{name} may not take this loss: {first}", "6.43")


def _retreat_to(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    """6.6, 14.43"""
    if not own(state, ask, ask.where):
        return None
    name = board.unit_name(state.data, ask.where)
    return Refusal(
        f"{name} must go to an adjoining area of yours without enemies, an empty one before one with a unit, and inside its"
        " army's zone before all others", "6.6",
    )


def _point(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    """6.24, 8.23, 14.27a"""
    if words[1] not in state.blocks and words[1] not in state.chits:
        return None
    name = b.name(state.data, words[1])
    if ask.facts.get("assault") == "airborne" and ask.facts.get("battle") == "attack":
        return Refusal(f"{name} may not lead an airborne assault: a unit that dropped must", "14.27a")
    if words[1] in state.chits:
        return Refusal(f"{name} is an asset and may not lead while a unit is there", "6.24")
    return Refusal(f"{name} takes no part in this battle, or came to reinforce it and may not lead", "6.24")


def _drop(state: State, ask: Ask, words: Sequence[str]) -> Refusal | None:
    """14.27a"""
    if len(words) < 4 or not own(state, ask, words[1]) or words[3] not in state.data.areas:
        return None
    if words[1] not in drop.waiting(state):
        return Refusal(f"{board.unit_name(state.data, words[1])} is not in the Airborne Assault box", "14.27a")
    return drop.why_not_drop(state, words[1], words[3])


def own(state: State, ask: Ask, block: str) -> bool:
    """Whether it is a block of the side that is asked."""
    return block in state.blocks and board.side_of(state, block) == ask.side


REASONS: Mapping[str, Reason] = {
    "before-battle": _before, "loss": _loss, "retreat-to": _retreat_to, "point-unit": _point, "drop": _drop,
}
"""By kind of question."""
