"""22.14 Initial set-up of the introductory scenario."""

from collections import Counter
from functools import cache

import pytest

from pbem.games.fab_sicily.position import invariants
from pbem.games.fab_sicily.position import state as states
from pbem.games.fab_sicily.position.data import build
from tests.games.fab_sicily.play import Play, raw


@cache
def start() -> Play:
    return Play(states.new(build(raw("primosole_bridge"), {})), "setup")


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


@rule("22.14")
def test_nobody_is_asked_and_the_position_is_sound() -> None:
    assert start().asked == []
    assert invariants.check(start().state) == []


@rule("22.13")
def test_all_land_areas_start_axis_controlled() -> None:
    assert start().state.control == dict.fromkeys(raw_areas(), "axis")


def raw_areas() -> list[str]:
    return ["1", "2", "3", "4", "5", "6", "7", "10", "11", "12", "13", "14", "15", "16", "17", "25", "26"]


@rule("22.14")
def test_axis_regulars_stand_in_their_areas_at_full_strength() -> None:
    state = start().state
    regulars = [b for b in state.data.blocks.values() if b.side == "axis" and b.turn == 0 and not b.garrison]
    assert regulars
    for kind in regulars:
        assert (state.blocks[kind.id].area, state.blocks[kind.id].steps) == (kind.at, kind.full)


@rule("15.3")
def test_ten_garrisons_lie_face_down_one_an_area_and_nobody_has_drawn_them() -> None:
    state = start().state
    places = Counter(b.area for b in state.blocks.values() if state.data.blocks[b.id].garrison)
    assert places == Counter(["1", "2", "3", "4", "5", "6", "7", "13", "14", "26"])
    assert sorted(state.pool) == sorted(state.data.cards)
    assert len(state.pool) >= 10
    assert start().rolls == []
    assert not any(b.card or b.shown for b in state.blocks.values())


@rule("22.14")
def test_every_block_is_placed_once() -> None:
    assert set(Counter(e["block"] for e in start().of("Placed")).values()) == {1}
    assert all(b.steps == 0 for b in start().state.blocks.values() if start().state.data.blocks[b.id].garrison)


@rule("22.14")
def test_an_empty_beach_is_not_fortified() -> None:
    data = {**raw("primosole_bridge"), "garrison_areas": ["1", "2", "4", "5", "13", "12", "3", "6", "7", "26"]}
    play = Play(states.new(build(data, {})), "setup")
    assert play.state.works == dict.fromkeys(["1", "2", "4", "5", "13"], "axis")


@rule("22.14")
def test_works_lie_where_a_landing_box_leads_to_an_axis_unit() -> None:
    assert start().state.works == dict.fromkeys(["1", "2", "4", "5", "13", "14"], "axis")


@rule("14.22")
def test_five_beachheads_are_in_play() -> None:
    assert start().state.beachheads == dict.fromkeys(["B1", "B2", "B3", "B4", "B5"], "in-play")


@rule("22.14")
def test_the_allies_are_still_to_come() -> None:
    state = start().state
    assert all(b.area == "to-come" for b in state.blocks.values() if state.data.blocks[b.id].side == "allied")


@rule("2.2")
def test_chits_of_turn_nought_lie_in_their_boxes_and_the_others_wait() -> None:
    state = start().state
    for kind in state.data.chits.values():
        assert state.chits[kind.id].box == (kind.box if kind.turn == 0 else "to-come")
