"""What the Axis gets is the same, whatever the Allies plan in secret; untried units tell nobody anything."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import answer
from pbem.core.engine import Session
from pbem.games.invasion_sicily import RULESET
from pbem.games.invasion_sicily.players.planner import Planner
from pbem.games.invasion_sicily.position.state import State
from tests.games.invasion_sicily.play import board
from tests.games.invasion_sicily.test_fuzz import new_game

FACTS: Any = {
    "id": "leak", "number": 2, "players": {"allied": "Ann", "axis": "Bob"}, "step": "3 allied movement", "deadline": None,
    "head": "0", "seq": 1, "commitment": "c", "seed": "",
}

SECRETS = (
    "plan 8 Catania \n at invasion BR-11 BR-35 \n at follow-up BR-36",
    "plan 9 Palermo \n at invasion US-39 \n at africa BR-11 BR-35 BR-36",
    "at africa BR-11 BR-35 BR-36 US-39",
)
"""Plans and boxes that differ in nothing that lies open but Africa."""


def told(state: State, side: str) -> str:
    return json.dumps(RULESET.telling.report(FACTS, state, side, [], []), sort_keys=True)


def without_africa(state: State) -> State:
    """Who is in Africa lies open; the cases differ there, so it is emptied."""
    for unit in state.units.values():
        if unit.place == "africa":
            unit.place = "gone"
    return state


@pytest.mark.rule("invasion_sicily", "13.1.2")
@pytest.mark.parametrize("side", ["axis", ""])
def test_plans_and_boxes_do_not_show(side: str) -> None:
    reports = {told(without_africa(board(f"at 1823 US-16 \n {secret}")), side) for secret in SECRETS}
    assert len(reports) == 1


@pytest.mark.rule("invasion_sicily", "13.1.2")
def test_the_allies_see_their_own_plan() -> None:
    assert len({told(board(f"at 1823 US-16 \n {secret}"), "allied") for secret in SECRETS}) == len(SECRETS)


@pytest.mark.rule("invasion_sicily", "14.1.2")
@pytest.mark.parametrize("side", ["allied", "axis", ""])
def test_untried_units_look_alike(side: str) -> None:
    """There is nothing to look at: which counter a piece is, is not drawn before it is turned over."""
    state = board("cd 1823 - \n cd 1204 - \n ersatz 2224 ERS-1 -")
    seen = [u for u in RULESET.view(state, side)["units"] if u["place"] in state.data.hexes]  # type: ignore[typeddict-item]
    pieces = [u for u in seen if not u["tried"]]
    assert len(pieces) == 3
    assert not [u for u in pieces if {"attack", "defence", "er", "ma"} & set(u)]


def secretive(state: State, ask: Ask) -> Option | None:
    """The Allied player plans as soon as he can."""
    wanted = f"plan Catania turn {state.turn + 5}"
    return ask.option(wanted) if (ask.kind, ask.side) == ("events", "allied") and not state.plan else None


def played(turns: int) -> Session:
    session = new_game("leaks", scenario="husky")
    players = {"allied": Planner(), "axis": Planner()}
    while session.run() and session.stage.turn <= turns:
        for ask in list(session.open):
            if session.pending(ask):
                state: Any = session.state
                answer(session, ask, (secretive(state, ask) or players[ask.side](state, ask)).key)
    return session


def test_the_story_of_a_game_tells_the_axis_nothing_of_a_plan() -> None:
    session = played(2)
    secret = [r for r in session.new_rows if r.kind == "event" and not r.payload["open"]]
    plans = [r for r in secret if r.payload["event"]["type"] == "PlanSet"]
    assert plans
    facts = {**FACTS, "step": session.step_name}
    report = RULESET.telling.report(facts, session.state, "axis", session.new_rows, [])
    story = json.dumps([report["happened"], report["news"], report["rolls"], report["moves"]])
    assert "invasion marker" not in story
    boxed = [r.payload["event"]["unit"] for r in secret if r.payload["event"]["type"] == "BoxMoved"]
    assert not [u for u in boxed if f"({u}) is put into" in story]
    own = RULESET.telling.report(facts, session.state, "allied", session.new_rows, [])
    assert "invasion marker" in json.dumps(own["happened"])
