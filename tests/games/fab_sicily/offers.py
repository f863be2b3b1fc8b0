"""What a position offers in the Admin Phase, for the tests of chapters 4, 8, 14, 16 and 17."""

from typing import Any

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.rules import admin
from pbem.games.fab_sicily.words import refusals
from pbem.games.fab_sicily.position.data import ChitType
from pbem.games.fab_sicily.words.refusals import Done
from pbem.games.fab_sicily.position.state import Chit, State


def offers(state: State, side: str, done: Done | None = None) -> list[str]:
    """The keys of all actions open to a side."""
    return [o.key for o in admin.options(state, side, done or Done())]


def refused(state: State, side: str, choice: str) -> str:
    """The rule that forbids an action; it must not be offered, and the refusal must say something."""
    assert choice not in offers(state, side)
    order = refusals._order(state, choice)
    assert order is not None, f"'{choice}' is no order"
    refusal = refusals._JUDGES[order.verb](state, side, order, Done())
    assert isinstance(refusal, Refusal), f"nothing forbids '{choice}'"
    assert refusal.reason
    assert refusals.why_not(state, side, choice) == refusal
    return refusal.rule


def reason(state: State, side: str, choice: str) -> str:
    """The words of a refusal."""
    refusal = refusals.why_not(state, side, choice)
    assert refusal is not None
    return refusal.reason


def add_chit(state: State, name: str, box: str = "available", **fields: Any) -> None:
    """A chit that the scenario does not have: a 7th Army engineer, a flank invasion …"""
    plain: dict[str, Any] = {
        "side": "allied", "kind": "battle", "army": "7", "nation": "us", "division": "", "cls": "infantry", "quality": 1,
        "turn": 0, "box": "cup", "flank": False, "clears": False,
    }
    state.data.chits[name] = ChitType(id=name, name=name, **{**plain, **fields})  # type: ignore[index]
    state.chits[name] = Chit(name, box)
