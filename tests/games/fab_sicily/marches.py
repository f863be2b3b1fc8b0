"""What a unit may do with its movement, for the tests of chapters 5, 7 and 14."""

from __future__ import annotations

import pytest

from pbem.core.asks import Option, Refusal
from pbem.games.fab_sicily.rules import movement
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.play import board


def rule(number: str) -> pytest.MarkDecorator:
    """The mark of a test: the rule it is about."""
    return pytest.mark.rule("fab_sicily", number)


def position(text: str, phase: str = "movement", player: str = "allied", scenario: str = "full") -> State:
    """A position in a phase of a player turn."""
    state = board(text, scenario)
    state.phase, state.player = phase, player
    return state


def keys(state: State, side: str, kind: str = "") -> list[str]:
    """The keys of all acts open to a side."""
    return [o.key for o in movement.options(state, side, kind or state.phase)]


def reach(state: State, block: str) -> dict[str, int]:
    """Every place the unit may go to, and what the cheapest way costs."""
    side = state.data.blocks[block].side
    return {
        o.key.split()[3]: o.data["cost"]
        for o in movement.options(state, side, state.phase)
        if o.data["block"] == block and o.data["do"] == "move" and not o.data["with"]
    }


def cost(state: State, block: str, *path: str) -> int:
    """What a path spelled out costs; it must be open."""
    got = movement.path_option(state, block, path)
    assert isinstance(got, Option), got
    return int(got.data["cost"])


def refused(state: State, block: str, *path: str) -> str:
    """The rule that forbids a path; it must be closed, and the refusal must say something."""
    got = movement.path_option(state, block, path)
    assert isinstance(got, Refusal), f"nothing forbids {block} to go {path}"
    assert got.reason
    return got.rule


def why(state: State, block: str, there: str) -> Refusal:
    """Why the unit cannot go there by any way."""
    assert there not in reach(state, block)
    return movement.refusal(state, block, there)
