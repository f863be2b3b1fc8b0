"""4.1 The Reinforcement Phase and 14.2 entry areas (the chits of 4.1 are in cases/04)."""

from collections import Counter
from dataclasses import replace

import pytest

from pbem.games.fab_sicily.position import invariants
from pbem.games.fab_sicily.position import state as states
from pbem.games.fab_sicily.position.data import build
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.offers import add_chit
from tests.games.fab_sicily.play import Play, board, raw


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


def quiet(text: str, turn: int = 2) -> State:
    """A position in which only the blocks named in it can arrive."""
    state = board(f"{text}\nturn {turn}")
    for block in state.blocks.values():
        if block.area == "to-come":
            block.area = "off-map"
    return state


def coming(state: State, *blocks: str) -> State:
    for block in blocks:
        state.blocks[block].area = "to-come"
    return state


def boxes(play: Play, block: str) -> list[str]:
    """Where ``block`` could be placed when it was first asked about."""
    return [o.data["box"] for o in play.asked[0].options if o.data["block"] == block]


# -- the first landing --------------------------------------------------------------------------------


def landing() -> Play:
    start = Play(states.new(build(raw("primosole_bridge"), {})), "setup")
    return Play(start.state, "1 reinforcement", default=True)


@rule("22.14")
def test_the_first_landing_by_default() -> None:
    state = landing().state
    assert invariants.check(state) == []
    for box in ("B1", "B2", "B3", "B4", "B5"):
        assert 1 <= len([b for b in state.blocks.values() if b.area == box]) <= 2
    assert {b.area for b in state.blocks.values() if b.id in ("5-1", "5-2")} == {"B1"}


@rule("14.24")
def test_airborne_units_go_to_their_box_unasked_and_the_others_two_a_box() -> None:
    play = landing()
    state = play.state
    airborne = [b.id for b in state.data.blocks.values() if b.airborne and b.turn == 1]
    assert airborne
    assert all(state.blocks[b].area == "airborne" for b in airborne)
    assert not any(o.data["block"] in airborne for a in play.asked for o in a.options)
    assert max(Counter(b.area for b in state.blocks.values() if b.area.startswith("B")).values()) == 2


@rule("22.15")
def test_units_arrive_at_full_strength() -> None:
    state = landing().state
    for block in state.blocks.values():
        if block.area.startswith("B"):
            assert block.steps == state.data.blocks[block.id].full


@rule("4.1")
def test_units_of_later_turns_stay_away() -> None:
    state = landing().state
    assert all(state.blocks[b.id].area == "to-come" for b in state.data.blocks.values() if b.turn > 1)


@rule("16.21")
def test_the_allies_begin_with_four_naval_support_assets() -> None:
    state = landing().state
    ships = [c for c in state.chits.values() if state.data.chits[c.id].kind == "naval"]
    assert [c.box for c in ships] == ["available"] * 4


@rule("4.1")
def test_the_player_places_in_any_order() -> None:
    state = coming(quiet("beachhead B1 B2", 1), "50-1", "50-2")
    Play(state, "1 reinforcement", answers={"arrival": ["place 50-2 at B2", "place 50-1 at B1"]})
    assert (state.blocks["50-1"].area, state.blocks["50-2"].area) == ("B1", "B2")


@rule("4.1")
def test_a_left_over_special_action_counts_for_one_turn_only() -> None:
    state = quiet("used SA-ALLIED 24ART", 3)
    state.special_left = ["allied"]
    play = Play(state, "3 reinforcement")
    assert [(e["side"], e["on"]) for e in play.of("SpecialKept")] == [("allied", False)]
    assert state.special_left == []


@rule("4.1")
def test_the_chits_of_the_turn_go_to_the_cup_and_later_ones_stay_away() -> None:
    state = quiet("", 2)
    turns = {c.id: c.turn for c in state.data.chits.values() if c.box == "cup"}
    play = Play(state, "2 reinforcement")
    come = [e["chit"] for e in play.of("ChitMoved") if (e["box"], e["rule"]) == ("cup", "4.1d")]
    assert come == [c for c, turn in turns.items() if turn <= 2]
    assert any(turns[c] == 2 for c in come)
    assert all(state.chits[c].box == "to-come" for c, turn in turns.items() if turn > 2)


@rule("4.1")
def test_a_special_action_is_no_asset_to_be_taken_back() -> None:
    state = quiet("available SA-ALLIED\nused 24ART", 3)
    add_chit(state, "SA-2", "used", kind="special", army="", nation="")
    play = Play(state, "3 reinforcement", default=True)
    assert [o.key for o in play.asked[0].options] == ["recover 24ART", "none"]
    assert state.chits["SA-2"].box == "available"


@rule("4.1")
def test_nobody_is_asked_to_recover_out_of_an_empty_box() -> None:
    play = Play(quiet("available SA-ALLIED", 3), "3 reinforcement")
    assert [r for r in play.session.new_rows if r.kind == "answer"] == []


@rule("3.1")
def test_the_order_of_the_phase_is_that_of_the_boxes_on_the_map() -> None:
    state = coming(quiet("available SA-ALLIED\nused NAV-1 NAV-2 SA-AXIS\nbeachhead B1", 3), "50-1")
    add_chit(state, "NEW", "to-come", turn=3)
    play = Play(state, "3 reinforcement", answers={"recover": "recover NAV-2"})
    done = [e.get("rule") for e in play.of("ChitMoved", "Placed")]
    assert list(dict.fromkeys(done)) == ["4.1a", "8.1", "16.21", "4.1c", "4.1d"]


@rule("5.1")
def test_stacking_is_enforced_at_the_end_of_the_phase() -> None:
    play = Play(quiet("at 13 50-1 50-2 51-1\nat 12 5-1"), "2 reinforcement", default=True)
    assert "overstack" in {a.kind for a in play.asked}
    assert sum(b.area == "13" for b in play.state.blocks.values()) == 2


# -- where to -----------------------------------------------------------------------------------------


@rule("14.25")
def test_the_british_use_their_ports_and_beachheads() -> None:
    play = Play(coming(quiet("beachhead B1 B2 A1\nat 5 5-1\nat 26 5-2\nat 57 1-1"), "50-1"), "2 reinforcement", default=True)
    assert boxes(play, "50-1") == ["P1", "P2", "B1", "B2"]


@rule("14.25")
def test_the_americans_use_palermo_and_their_beachheads() -> None:
    play = Play(coming(quiet("beachhead B1 A1\nat 5 5-1\nat 57 1-1", 9), "3-1"), "9 reinforcement", default=True)
    assert boxes(play, "3-1") == ["P3", "A1"]


@rule("14.23")
@pytest.mark.parametrize("lines", ["at 5 5-1\nport P1 1", "at 4 5-1"], ids=["damaged", "enemy-controlled"])
def test_a_port_must_be_undamaged_and_friendly(lines: str) -> None:
    play = Play(coming(quiet(f"{lines}\nbeachhead B1 B2"), "50-1"), "2 reinforcement", default=True)
    assert boxes(play, "50-1") == ["B1", "B2"]


@rule("14.22")
def test_a_lost_beachhead_takes_nobody() -> None:
    state = coming(quiet("beachhead B1 B2 B3"), "50-1")
    state.beachheads.update({"B1": "captured", "B2": "destroyed"})
    Play(state, "2 reinforcement")
    assert state.blocks["50-1"].area == "B3"


@rule("14.24")
def test_no_third_unit_in_a_box() -> None:
    play = Play(coming(quiet("beachhead B1"), "50-1", "50-2", "51-1"), "2 reinforcement", default=True)
    assert [b.area for b in play.state.blocks.values() if b.id in ("50-1", "50-2", "51-1")] == ["B1", "B1", "to-come"]
    assert [e["block"] for e in play.of("Delayed")] == ["51-1"]


@rule("4.1")
def test_a_delayed_unit_comes_the_turn_after() -> None:
    state = coming(quiet(""), "50-1")
    assert Play(state, "2 reinforcement").of("Delayed")
    state.beachheads["B2"] = "in-play"
    state.turn = 3
    Play(state, "3 reinforcement")
    assert (state.blocks["50-1"].area, state.blocks["50-1"].steps) == ("B2", 4)


@rule("14.28")
def test_units_at_sea_must_try_again_as_they_are() -> None:
    state = quiet("at at-sea 50-1/2 disordered\nbeachhead B4")
    Play(state, "2 reinforcement")
    block = state.blocks["50-1"]
    assert (block.area, block.steps, block.status) == ("B4", 2, "disordered")


@rule("14.28")
def test_airborne_units_at_sea_come_by_boat() -> None:
    state = quiet("at at-sea 1AB-1/1\nbeachhead B4")
    Play(state, "2 reinforcement")
    assert state.blocks["1AB-1"].area == "B4"


@rule("14.24")
def test_a_full_port_is_not_the_default() -> None:
    play = Play(coming(quiet("beachhead B1\nat 5 5-1 5-2"), "50-1"), "2 reinforcement", default=True)
    assert [o.label for o in play.asked[0].options] == [
        "50/1 50th Infantry arrives at port box P1 (Siracusa [5])", "50/1 50th Infantry arrives at beachhead B1 (Modica [2])",
    ]
    assert play.state.blocks["50-1"].area == "B1"


@rule("14.24")
def test_by_default_units_land_where_they_can_go_on() -> None:
    play = Play(coming(quiet("beachhead B1 B2\nat 2 5-1 5-2"), "50-1"), "2 reinforcement", default=True)
    assert boxes(play, "50-1") == ["B1", "B2"]
    assert play.state.blocks["50-1"].area == "B2"


# -- the Axis -----------------------------------------------------------------------------------------


def axis_arrival(lines: str, turn: int = 9, label: str = "39") -> Play:
    """Livorno comes with ``label`` and turn 9 on its block."""
    state = coming(quiet(lines, turn), "LIV-1")
    state.data.blocks["LIV-1"] = replace(state.data.blocks["LIV-1"], at=label, turn=9)  # type: ignore[index]
    return Play(state, f"{turn} reinforcement", default=True)


@rule("4.1")
def test_an_axis_unit_comes_to_the_area_on_its_label() -> None:
    assert axis_arrival("").state.blocks["LIV-1"].area == "39"


@rule("4.1")
def test_of_several_areas_on_the_label_the_open_ones_are_offered() -> None:
    play = axis_arrival("at 39 50-1", label="39, 23 22")
    assert boxes(play, "LIV-1") == ["23", "22"]


@rule("4.1")
@pytest.mark.parametrize(
    "lines", ["at 39 AOS-1 AOS-2", "at 39 50-1", "at 39 50-1 AOS-1\ncontrol allied 39"],
    ids=["full", "enemy there", "enemy-controlled"],
)
def test_a_blocked_area_delays_an_axis_unit(lines: str) -> None:
    play = axis_arrival(lines)
    assert play.state.blocks["LIV-1"].area == "to-come"
    assert [e["block"] for e in play.of("Delayed")] == ["LIV-1"]


@rule("4.1")
def test_a_vacant_enemy_area_may_be_entered_and_changes_hands() -> None:
    play = axis_arrival("control allied 39")
    assert play.state.blocks["LIV-1"].area == "39"
    assert play.state.control["39"] == "axis"


@rule("4.1")
def test_a_delayed_axis_unit_comes_to_the_nearest_source_next_turn() -> None:
    play = axis_arrival("at 39 50-1\nat 16 HG-1 HG-2", turn=10)
    assert play.state.blocks["LIV-1"].area == "17"
    assert [[o.data["box"] for o in ask.options] for ask in play.asked] == [["17", "25", "26"]], "as near: its owner chooses"


@rule("4.1")
def test_a_delayed_axis_unit_keeps_to_its_label_if_it_can() -> None:
    assert axis_arrival("", turn=10).state.blocks["LIV-1"].area == "39"


@rule("4.1")
def test_delays_may_go_on() -> None:
    assert axis_arrival("control allied 29", turn=10, label="P4").state.blocks["LIV-1"].area == "to-come"
    assert Play(coming(quiet("", 3), "50-1"), "3 reinforcement").of("Delayed")


@rule("14.25")
@pytest.mark.parametrize(("lines", "place"), [("", "P4"), ("control allied 29", "to-come")], ids=["held", "lost"])
def test_axis_units_come_by_messina(lines: str, place: str) -> None:
    assert axis_arrival(lines, label="P4").state.blocks["LIV-1"].area == place


@rule("4.1")
def test_by_default_an_axis_unit_comes_to_the_first_area_on_its_label() -> None:
    play = axis_arrival("at 39 AOS-1 shown 50-1 shown\ncontrol axis 39", label="39 23")
    assert [o.label for o in play.asked[0].options][1] == "LIV/1 Livorno arrives at Piazza Armerina [23]"
    assert play.state.blocks["LIV-1"].area == "39"


@rule("5.22")
def test_a_unit_that_arrives_in_a_battle_under_way_is_shown() -> None:
    play = axis_arrival("at 39 50-1 shown AOS-1 shown")
    assert play.state.blocks["LIV-1"].area == "39"
    assert play.state.blocks["LIV-1"].shown


@rule("4.1")
def test_both_sides_are_asked_in_one_round() -> None:
    state = coming(quiet("beachhead B1 B2 B3", 9), "50-1", "29PG-1", "29PG-2")
    state.blocks["29PG-1"].area = "29"
    state.data.blocks["29PG-2"] = replace(state.data.blocks["29PG-2"], at="P4", turn=9)  # type: ignore[index]
    play = Play(state, "9 reinforcement", default=True)
    assert [e["block"] for e in play.of("Placed")] == ["50-1", "29PG-2"]
