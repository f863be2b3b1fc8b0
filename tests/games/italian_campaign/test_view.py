"""What a side is shown: all counters, both sides' points, and nobody else's sealed bid."""

from __future__ import annotations

import json
from typing import Any, get_type_hints

import pytest

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import answer
from pbem.games.italian_campaign import RULESET
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.seen import UnitSeen
from tests.games.italian_campaign.play import new_game, position, random_player

ONLOOKERS = ("allied", "axis", "")
HQ = "46Inf"


def shown(state: Any, side: str) -> str:
    return json.dumps(RULESET.view(state, side), sort_keys=True)


def with_bid(side: str, points: int) -> Any:
    """One side's bid is in, the other one's is not."""
    state = position({})
    state.bids = {side: points}
    return state


@pytest.mark.rule("italian_campaign", "5.31")
@pytest.mark.parametrize("bidder", ["allied", "axis"])
def test_a_sealed_bid_shows_to_the_bidder_alone(bidder: str) -> None:
    for side in ONLOOKERS:
        views = {shown(with_bid(bidder, points), side) for points in range(4)}
        assert len(views) == (4 if side == bidder else 1), side


@pytest.mark.rule("italian_campaign", "5.31")
def test_both_bids_lie_open_once_both_are_in() -> None:
    state = position({})
    state.bids = {"allied": 3, "axis": 5}
    for side in ONLOOKERS:
        assert RULESET.view(state, side)["bids"] == {"allied": 3, "axis": 5}  # type: ignore[typeddict-item]


@pytest.mark.rule("italian_campaign", "5.31")
def test_the_journal_tells_a_bid_to_the_bidder_alone() -> None:
    session = new_game("bids")
    player = random_player("bids")
    while session.run() and session.stage.turn < 2:
        for ask in list(session.open):
            if session.pending(ask):
                answer(session, ask, player(session.state, ask).key)
    hidden = [r.payload for r in session.new_rows if r.kind == "event" and not r.payload.get("open")]
    assert hidden and {p["event"]["type"] for p in hidden} == {e.Bid.__name__}
    assert all(p["side"] == p["event"]["side"] and p["public"] is False for p in hidden)


def test_views_have_their_shape_all_through_a_game() -> None:
    session = new_game("shape")
    player = random_player("shape")
    names, of_unit = set(get_type_hints(RULESET.view_type)), set(get_type_hints(UnitSeen))
    stages: set[str] = set()

    def choose(state: Any, ask: Ask) -> Option:
        if session.step_name not in stages:
            stages.add(session.step_name)
            for side in ONLOOKERS:
                seen: Any = RULESET.view(state, side)
                assert set(seen) == names and seen["side"] == side and seen["player"] in ("allied", "axis", "")
                assert all(set(u) == of_unit for u in seen["units"])
                assert json.loads(json.dumps(seen)) == seen
        return player(state, ask)

    while not session.over and session.stage.turn < 3:
        session.run()
        for ask in list(session.open):
            if session.pending(ask):
                answer(session, ask, choose(session.state, ask).key)
    assert len(stages) > 5


@pytest.mark.rule("italian_campaign", "8.56")
def test_values_are_those_of_the_side_that_is_up_less_the_steps_lost() -> None:
    state = position({HQ: "1716"})
    before = values(state, HQ)
    state.units[HQ].steps = 1
    state.version += 1
    after = values(state, HQ)
    assert after["defence"] == before["defence"] - 1 and after["artillery"] == before["artillery"]


def values(state: Any, unit: str) -> dict[str, int]:
    seen: Any = RULESET.view(state, "axis")
    found: dict[str, int] = next(u for u in seen["units"] if u["id"] == unit)["values"]
    return found


@pytest.mark.rule("italian_campaign", "11.0")
def test_a_port_is_worth_what_is_left_of_it() -> None:
    state = position({})
    port = next(h for h in state.data.ports if int(state.data.board.hexes[h].get("port_value") or 0) > 1)
    printed = RULESET.worth(state, port)
    state.damage[port] = 1
    seen: Any = RULESET.view(state, "axis")
    found = next(p for p in seen["ports"] if p["hex"] == port)
    assert RULESET.worth(state, port) == found["value"] == printed - 1 and found["printed"] == printed
    assert not found["captured"] and RULESET.worth(state, "0101") == 0
