"""3.7, 4.0, 14.0, 15.0, 17.0 The turn: weather, Mussolini, replacements, victory."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position import board as boards
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.view import visibility
from pbem.games.invasion_sicily.rules import victory
from pbem.games.invasion_sicily.rules.phases import band
from pbem.games.invasion_sicily.rules.sequence import TURN, next_step
from tests.games.invasion_sicily.play import Play, board, data, refusal


@pytest.mark.rule("invasion_sicily", "4.0")
def test_the_phases_of_a_turn() -> None:
    """Strategic, Allied, Axis and Reorganization Segments, in the order of the rulebook."""
    state, step, played = board(""), "1 events", ["1 events"]
    for _ in range(len(TURN)):
        step = next_step(state, step) or ""
        played.append(step)
    assert played[4] == "1 allied transport" and played[9] == "1 axis transport" and played[14] == "1 replacements"
    assert played[-1] == "2 events"


@pytest.mark.rule("invasion_sicily", "2.3")
@pytest.mark.rule("invasion_sicily", "2.3.1")
@pytest.mark.rule("invasion_sicily", "2.3.2")
def test_dice_have_ten_sides_and_modified_rolls_beyond_a_table_are_read_at_its_end() -> None:
    rows = data().tables["naval_transport"]
    assert band(rows, 25).results["result"] == "eliminated" and band(rows, -3).results["result"] == "arrives"


@pytest.mark.rule("invasion_sicily", "3.7")
@pytest.mark.rule("invasion_sicily", "3.7.1")
@pytest.mark.rule("invasion_sicily", "3.7.2")
@pytest.mark.parametrize(("die", "weather", "storm"), [(1, "dry", False), (8, "dry", True), (9, "mud", False), (10, "mud", True)])
def test_the_weather_is_rolled_for_by_the_allies(die: int, weather: str, storm: bool) -> None:
    play = Play(board(""), "2 weather", [("3.7.1", die)])
    assert (play.state.weather, play.state.storm) == (weather, storm)


@pytest.mark.rule("invasion_sicily", "3.6")
@pytest.mark.rule("invasion_sicily", "3.6.2")
def test_a_check_passes_up_to_the_rating() -> None:
    for die, box in ((7, "africa"), (8, "evacuation")):
        assert Play(board("at evacuation US-16"), "2 special", [("7.7.3", die)]).place("US-16") == box


# -- 14.3 Mussolini -----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "14.3")
@pytest.mark.rule("invasion_sicily", "14.3.1")
def test_two_tries_in_marked_turns_and_none_after_the_fall() -> None:
    assert Play(board(""), "5 events").state.spent.get("mussolini") == 1, "no try is lost by default"
    assert not Play(board(""), "4 events", answers={}).state.spent.get("mussolini")
    assert not Play(board("fallen"), "5 events").state.spent.get("mussolini")


@pytest.mark.rule("invasion_sicily", "14.3.2")
@pytest.mark.rule("invasion_sicily", "14.3.3")
@pytest.mark.parametrize(
    ("bomb", "die", "result"), [(False, 6, "none"), (True, 6, "falls"), (False, 7, "falls"), (False, 2, "revival")]
)
def test_bombing_rome_helps_and_costs_the_air_points(bomb: bool, die: int, result: str) -> None:
    order = "mussolini bomb" if bomb else "mussolini roll"
    state = Play(board("at 2024 IT-171 IT-33"), "5 events", answers={"events": order}).state
    rolled = Play(state, "5 weather", [("3.7.1", 1), ("14.3.1", die)])
    assert rolled.of(e.MussoliniRolled)[0].result == result
    assert (rolled.place("IT-171") == "eliminated") == (result == "falls")
    ready = Play(rolled.state, "5 readiness")
    assert ready.state.air["allied"] == (0 if bomb else data().track[5].air["allied"])


@pytest.mark.rule("invasion_sicily", "14.3.2")
def test_a_storm_makes_the_bombing_void() -> None:
    state = Play(board(""), "5 events", answers={"events": "mussolini bomb"}).state
    rolled = Play(state, "5 weather", [("3.7.1", 8), ("14.3.1", 6)])
    assert rolled.of(e.MussoliniRolled)[0] == e.MussoliniRolled("none", False)
    assert Play(rolled.state, "5 readiness").state.air["allied"] == data().track[5].air["allied"] // 2


@pytest.mark.rule("invasion_sicily", "14.3.2")
def test_the_second_bombing_adds_one() -> None:
    state = board("")
    state.mussolini.update(tries=1, bombed=1)
    state = Play(state, "6 events", answers={"events": "mussolini bomb"}).state
    assert Play(state, "6 weather", [("3.7.1", 1), ("14.3.1", 6)]).of(e.MussoliniRolled)[0].result == "falls"


@pytest.mark.rule("invasion_sicily", "14.3.3")
def test_no_italian_unit_is_sent_to_sicily_after_the_fall() -> None:
    assert refusal(board("fallen \n at italy IT-33"), "transport", "ship IT-33 to 4225", "axis").rule == "14.3.3"


@pytest.mark.rule("invasion_sicily", "14.3.4")
@pytest.mark.rule("invasion_sicily", "3.6.4")
def test_a_revival_raises_ccnn_units_returns_one_and_takes_naval_points() -> None:
    state = board("revival \n at 2024 IT-173 \n at eliminated IT-171 IT-17")
    assert boards.er(state, "IT-173") == 5
    play = Play(state, "6 replacements", answers={"replacements": ["ccnn IT-171 to 2926"]})
    assert play.place("IT-171") == "2926" and play.place("IT-17") == "eliminated", "one, and no more"
    ready = Play(play.state, "6 readiness")
    assert ready.state.naval == data().track[6].naval - 2


# -- 15 replacements -----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "15.1")
@pytest.mark.rule("invasion_sicily", "15.1.2")
def test_points_come_by_the_turn_are_saved_and_can_be_bought() -> None:
    state = board("rp allied 2 \n at 1924 US-16/1")
    play = Play(state, "2 readiness", answers={"buy-rp": "buy"})
    assert play.state.rp["allied"] == 2 + 1 + 1 and play.state.ledger["allied-rp"] == -1
    axis = Play(board("at 2024 GE-1HG/1"), "2 readiness", answers={"buy-rp": "buy"})
    assert axis.state.ledger["axis-rp"] == 1


@pytest.mark.rule("invasion_sicily", "15.1.3")
@pytest.mark.rule("invasion_sicily", "15.1.4")
@pytest.mark.rule("invasion_sicily", "15.2")
@pytest.mark.rule("invasion_sicily", "15.2.1")
@pytest.mark.rule("invasion_sicily", "15.2.2")
def test_example_18_allied_armor_takes_two_points() -> None:
    """E18."""
    text = "at 1924 US-CCA/1 US-16/1 \n rp allied 3"
    play = Play(board(text), "2 replacements", answers={"replacements": ["replace US-CCA", "replace US-16"]})
    assert not play.state.units["US-CCA"].reduced and not play.state.units["US-16"].reduced
    assert play.state.rp["allied"] == 0
    assert refusal(board("at 1924 US-CCA/1 \n rp allied 1"), "replacements", "replace US-CCA").rule == "15.2.1"


@pytest.mark.rule("invasion_sicily", "15.2.2")
@pytest.mark.parametrize("marks", ["unsupplied", "attacked", "defended", "transported"])
def test_allied_units_that_fought_sailed_or_starve_get_nothing(marks: str) -> None:
    assert refusal(board(f"at 1924 US-16/1 {marks} \n rp allied 3"), "replacements", "replace US-16").rule == "15.2.2"


@pytest.mark.rule("invasion_sicily", "15.2.2")
def test_allied_units_in_a_zone_get_nothing_germans_that_defended_do() -> None:
    assert refusal(board("at 1924 US-16/1 \n at 2024 GE-1HG \n rp allied 3"), "replacements", "replace US-16").rule == "15.2.2"
    text = "at 1924 US-16 \n at 2024 GE-1HG/1 defended \n ersatz 2024 ERS-1 -"
    play = Play(board(text), "2 replacements", answers={"replacements": "merge ERS-1 into GE-1HG"})
    assert not play.state.units["GE-1HG"].reduced and play.place("ERS-1") == "cup"


@pytest.mark.rule("invasion_sicily", "15.2.3")
@pytest.mark.rule("invasion_sicily", "15.1.1")
@pytest.mark.rule("invasion_sicily", "9.5.4")
def test_eliminated_units_come_back_at_their_lowest_strength() -> None:
    play = Play(board("at eliminated US-16 \n rp allied 2"), "2 replacements", answers={"replacements": "replace US-16"})
    assert play.place("US-16") == "africa" and play.state.units["US-16"].reduced
    german = board("at eliminated GE-104 \n ersatz italy ERS-1 -")
    play = Play(german, "2 replacements", answers={"replacements": "merge ERS-1 into GE-104"})
    assert play.place("GE-104") == "italy" and play.state.units["GE-104"].reduced


@pytest.mark.rule("invasion_sicily", "15.2.4")
@pytest.mark.parametrize("unit", ["IT-33/1", "US-505/1", "GE-PzHG/1"])
def test_some_never_recover(unit: str) -> None:
    name = unit.split("/")[0]
    side = "allied" if name.startswith("US") else "axis"
    assert refusal(board(f"at 2122 {unit} \n rp {side} 5"), "replacements", f"replace {name}", side).rule == "15.2.4"
    for dead in ("GE-I2HG", "GE-ArtHG", "US-531", "US-1R"):
        side = "allied" if dead.startswith("US") else "axis"
        assert refusal(board(f"at eliminated {dead} \n rp {side} 5"), "replacements", f"replace {dead}", side).rule == "15.2.4"


@pytest.mark.rule("invasion_sicily", "15.3")
@pytest.mark.rule("invasion_sicily", "15.3.1")
@pytest.mark.rule("invasion_sicily", "15.3.2")
@pytest.mark.rule("invasion_sicily", "15.3.5")
def test_an_axis_point_makes_an_untried_ersatz_unit_in_italy() -> None:
    play = Play(board("rp axis 2"), "3 replacements", answers={"replacements": ["ersatz", "ersatz"]})
    made = [u for u in play.state.units.values() if u.place == "italy"]
    assert len(made) == 2 and not any(u.card for u in made)
    moved = Play(board("ersatz 2224 ERS-1 -"), "3 axis movement", [("15.3.1", 5)])
    assert moved.state.units["ERS-1"].card == "ER-05", "on the map they are turned over"


@pytest.mark.rule("invasion_sicily", "15.3.3")
@pytest.mark.rule("invasion_sicily", "15.3.4")
def test_an_ersatz_unit_fills_up_the_unit_it_is_stacked_with() -> None:
    text = "at 2024 GE-1HG/1 \n ersatz 2123 ERS-1 - \n rp axis 0"
    assert "merge" not in str([o.key for a in Play(board(text), "2 replacements").asked for o in a.options])


# -- 17 victory ----------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "17.0")
def test_points_for_what_is_held_and_lost() -> None:
    state = board("control allied 4225 2407 2419 1923 \n at eliminated GE-104 IT-33 US-16 US-1R GE-904")
    held = {what: v for _, what, v in victory.holdings(state)}
    assert held == {"Messina": 15, "Palermo": 6, "Enna": 2, "airfield Ponte Olivo": 1}
    assert dict(victory.losses(state)) == {"GE-104": 2, "IT-33": 1, "US-16": -2, "US-1R": -1, "GE-904": 1}
    assert victory.points(state) == 24 + 1


@pytest.mark.rule("invasion_sicily", "17.0")
@pytest.mark.parametrize(("points", "level", "winner"), [(85, "Allied decisive", "allied"), (69, "Allied marginal", "allied"),
                                                         (50, "Axis marginal", "axis"), (-5, "Axis decisive", "axis")])
def test_levels_of_victory(points: int, level: str, winner: str) -> None:
    assert victory.judged(board(""), points) == (level, winner)


@pytest.mark.rule("invasion_sicily", "17.0")
@pytest.mark.rule("invasion_sicily", "11.3.2")
def test_the_last_turn_ends_the_game_and_disrupted_markers_come_off() -> None:
    play = Play(board("at 1924 US-505 disrupted"), "14 victory")
    assert play.state.winner == "axis" and not play.state.units["US-505"].has("disrupted")
    assert not Play(board(""), "13 victory").state.winner


# -- 13.1.2 what is hidden ------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "13.1.2")
def test_the_marker_and_the_boxes_behind_it_are_allied_secrets() -> None:
    from pbem.games.invasion_sicily.position.view import view

    state = board("plan 7 Catania \n at invasion BR-11")
    for side in ("axis", ""):
        seen = view(state, side)
        assert seen["plan"] == [] and "BR-11" not in [u["id"] for u in seen["units"]]
    assert view(state, "allied")["plan"] == [7, "Catania"]
    for event in (e.PlanSet(7, "Catania"), e.BoxMoved("BR-11", "invasion", "13.1.4"), e.OperationDelayed("Catania", 8)):
        assert visibility(state, event) == {"open": False, "side": "allied", "where": ""}
