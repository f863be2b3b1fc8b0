"""11.0, 12.0, 13.0 Air, sea, invasion, evacuation."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position import board as boards
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.rules import air, naval, special
from pbem.games.invasion_sicily.rules.coast import cup
from tests.games.invasion_sicily.play import Play, board, data, refusal

# -- 13.2 landings ------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "13.2")
@pytest.mark.rule("invasion_sicily", "13.2.3")
def test_an_unopposed_landing_costs_half_the_allowance_and_a_check() -> None:
    """MA 5: half is 2; the clear coast 1823 costs 1, and 1 is added to the die."""
    text = "sea 1723 US-16 US-531"
    passed = Play(board(text), "1 allied movement", [("13.2.3", 6)], {"movement": "move US-16 to 1822"})
    assert passed.place("US-16") == "1822"
    failed = Play(board(text), "1 allied movement", [("13.2.3", 7)])
    assert failed.place("US-16") == "1823" and failed.place("US-531") == "1823"


@pytest.mark.rule("invasion_sicily", "13.2.3")
@pytest.mark.rule("invasion_sicily", "7.3.2")
def test_a_coast_that_costs_too_much_is_always_entered() -> None:
    """1619 is a hill of 2: half of 5 is 2, and nothing is left; no check."""
    play = Play(board("sea 1519 US-30 US-540"), "1 allied movement")
    assert play.place("US-30") == "1619"


@pytest.mark.rule("invasion_sicily", "13.2.4")
@pytest.mark.rule("invasion_sicily", "9.3.2")
def test_an_opposed_landing_attacks_its_coast_and_leads() -> None:
    """7 from the sea and 6 from land: the sea leads, the land checks; +1."""
    text = "sea 1723 US-16 US-531 \n at 1824 US-157 \n at 1823 GE-1HG"
    state = board(text)
    moved = Play(state, "1 allied movement", answers={"movement": "attack 1823 with US-157"})
    assert moved.state.attacks == {"1823": ["US-157", "US-16", "US-531"]}
    fight = Play(moved.state, "1 allied combat", [("9.3.3", 5), ("9.4", 9), ("13.3", 1), ("13.3", 1)])
    assert fight.of(e.CombatBegan)[0].lead == "US-16"
    assert ("amphibious assault", 1) in fight.result.mods
    assert fight.result.attack == 13


@pytest.mark.rule("invasion_sicily", "13.2.5")
@pytest.mark.rule("invasion_sicily", "13.3")
def test_example_9_who_does_not_clear_the_coast_is_evacuated() -> None:
    """E9: each unit rolls its rating; the regiment that fails loses a step, the Beach unit that fails is lost."""
    text = "sea 1723 US-16 US-531 \n at 1823 GE-PzHG GE-1HG \n attack 1823 US-16 US-531 \n at 1825 US-180 US-36B"
    play = Play(board(text), "1 allied combat", [("9.4", 3), ("13.3", 6), ("13.3", 7)])
    assert play.result.result == "1/0"
    assert play.place("US-16") == "evacuation" and play.place("US-531") == "eliminated"
    assert play.place("US-180") == "1825", "another beach is untouched"


@pytest.mark.rule("invasion_sicily", "13.3")
def test_in_the_axis_zone_the_check_is_two_harder_and_costs_a_point() -> None:
    text = "sea 2606 US-16 US-531 \n at 2505 GE-PzHG GE-1HG \n attack 2505 US-16 US-531"
    play = Play(board(text), "1 allied combat", [("9.4", 2), ("13.3", 4), ("13.3", 5)])
    assert play.result.result == "1/0", "1:2, a hill and the sea"
    assert play.place("US-16") == "evacuation", "4 + 2 against the 6 of its reduced side"
    assert play.place("US-531") == "eliminated", "5 + 2 against 6"
    assert [x.what for x in play.of(e.Scored)] == ["axis-zone"]


@pytest.mark.rule("invasion_sicily", "13.2.6")
@pytest.mark.rule("invasion_sicily", "13.2.7")
@pytest.mark.rule("invasion_sicily", "14.1.3")
def test_example_10_a_coast_defence_of_no_strength_is_removed_without_a_die() -> None:
    """E10: those from the invasion hex go in, others up to eleven points; none of them fights again."""
    text = "sea 1723 US-16 US-26 US-531 \n cd 1823 CD-01 \n at 1824 US-157 US-1R \n attack 1823 US-16 US-26 US-531 US-157 US-1R"
    state = board(text)
    state.units["CD-1823"].card = ""
    empty = cup(state, "coast-defence").index("CD-01") + 1
    play = Play(state, "1 allied combat", [("9.3.3", 1), ("14.1.2", empty)])
    assert not play.of(e.CombatResolved)
    assert play.place("CD-1823") == "eliminated"
    assert [play.place(u) for u in ("US-16", "US-26", "US-531", "US-157")] == ["1823", "1823", "1823", "1823"]
    assert boards.stacking(play.state, boards.at(play.state, "1823")) <= 11


@pytest.mark.rule("invasion_sicily", "14.1")
@pytest.mark.rule("invasion_sicily", "14.1.1")
@pytest.mark.rule("invasion_sicily", "14.1.2")
def test_what_an_untried_unit_is_is_drawn_when_it_is_turned_over() -> None:
    play = Play(board("cd 1823 - \n cd 1204 CD-02"), "2 axis movement", [("14.1.2", 25)], {"movement": "reveal CD-1823"})
    [drawn] = play.of(e.Revealed)
    assert drawn.card == cup(board("cd 1204 CD-02"), "coast-defence")[24]
    from pbem.games.invasion_sicily.position.view import view

    seen = next(u for u in view(board("cd 1823 -"), "axis")["units"] if u["id"] == "CD-1823")
    assert not seen["tried"] and "defence" not in seen, "not even the Axis knows"


@pytest.mark.rule("invasion_sicily", "14.1.5")
@pytest.mark.rule("invasion_sicily", "14.1.6")
def test_untried_units_do_not_move_and_have_a_zone() -> None:
    from pbem.games.invasion_sicily.rules import zones

    state = board("cd 1823 -")
    assert "1824" in zones.of(state, "axis")
    assert refusal(state, "movement", "move CD-1823 to 1824", "axis").rule == "7.1.4"
    assert refusal(board("cd 1823 CD-27"), "movement", "reveal CD-1823", "axis").rule == "14.1.6"


@pytest.mark.rule("invasion_sicily", "13.1.1")
@pytest.mark.rule("invasion_sicily", "13.2.1")
@pytest.mark.rule("invasion_sicily", "7.7.1")
def test_the_planned_invasion_goes_where_the_plan_has_it() -> None:
    state = board("plan 1 Husky \n at invasion US-16 US-531 US-26")
    for unit in ("US-16", "US-531", "US-26"):
        state.units[unit].beach = "1723"
    play = Play(state, "1 allied transport", answers={"transport": ["land US-26 at 1724"]})
    assert play.of(e.OperationBegan)[0].code == "Husky"
    assert [play.place(u) for u in ("US-16", "US-531", "US-26")] == ["1723", "1723", "invasion"]


@pytest.mark.rule("invasion_sicily", "13.2.2")
@pytest.mark.rule("invasion_sicily", "14.2.3")
def test_no_landing_without_a_beach_unit_of_ones_own_nation() -> None:
    """US-26 above stayed behind for want of a Beach unit; commandos need none."""
    state = board("plan 1 Husky \n at invasion US-16 US-1R US-531")
    for unit, beach in (("US-16", "1724"), ("US-1R", "1724"), ("US-531", "")):
        state.units[unit].beach = beach
    play = Play(state, "1 allied transport")
    assert [play.place(u) for u in ("US-16", "US-1R", "US-531")] == ["invasion", "1724", "invasion"]
    assert refusal(play.state, "transport", "land US-531 at 1833").rule == "14.2.3"


@pytest.mark.rule("invasion_sicily", "13.2.1")
@pytest.mark.rule("invasion_sicily", "6.2.1")
def test_eleven_points_and_one_beach_unit_before_a_coast() -> None:
    state = board("done Husky 2 \n at invasion US-16 US-26 US-18 US-157 US-531 US-40")
    for unit in ("US-16", "US-26", "US-18", "US-531"):
        state.units[unit].beach = "1723"
    assert refusal(state, "transport", "land US-157 at 1723").rule == "13.2.1"
    state.units["US-18"].beach = ""
    assert refusal(state, "transport", "land US-40 at 1723").rule == "6.2.1"


@pytest.mark.rule("invasion_sicily", "13.1.2")
def test_a_storm_puts_the_invasion_off() -> None:
    play = Play(board("plan 3 Catania"), "3 weather", [("3.7.1", 8)])
    assert play.state.plan == [4, "Catania"] and play.state.storm


@pytest.mark.rule("invasion_sicily", "13.1")
@pytest.mark.rule("invasion_sicily", "13.1.2")
@pytest.mark.rule("invasion_sicily", "13.1.7")
def test_a_marker_is_put_five_turns_ahead_and_each_operation_once() -> None:
    play = Play(board("done Husky 1"), "2 events", answers={"events": ["plan Catania turn 7"]})
    assert play.state.plan == [7, "Catania"]
    asked = [o.key for o in play.asked[0].options]
    assert "plan Catania turn 6" not in asked and not [k for k in asked if "Husky" in k]
    assert "plan None turn 7" in asked, "the dummy"
    again = Play(board("done Husky 1 \n done Catania 2"), "3 events")
    assert not [o.key for o in again.asked[0].options if "Catania" in o.key]


@pytest.mark.rule("invasion_sicily", "13.1.3")
@pytest.mark.rule("invasion_sicily", "13.1.4")
@pytest.mark.rule("invasion_sicily", "6.4")
@pytest.mark.rule("invasion_sicily", "7.6.5")
def test_units_join_an_operation_on_the_turn_of_its_marker_and_are_of_one_nation() -> None:
    state = board("plan 7 Catania \n at africa US-39 BR-11 BR-35")
    state.plan_since = 2
    orders = ["box BR-35 to invasion", "box US-39 to invasion", "box BR-11 to invasion"]
    play = Play(state, "2 special", answers={"special": orders})
    assert [play.place(u) for u in ("BR-35", "US-39", "BR-11")] == ["invasion", "africa", "invasion"]
    assert play.refused[0].rule == "13.1.3"
    late = board("plan 7 Catania \n at africa BR-11")
    late.plan_since = 1
    assert refusal(late, "special", "box BR-11 to invasion").rule == "13.1.4"


@pytest.mark.rule("invasion_sicily", "13.1.5")
@pytest.mark.rule("invasion_sicily", "7.7.2")
def test_follow_up_units_change_boxes_while_a_marker_lies() -> None:
    state = board("plan 7 Catania \n at africa BR-11")
    state.plan_since = 1
    play = Play(state, "3 special", answers={"special": "box BR-11 to follow-up"})
    assert play.place("BR-11") == "follow-up"
    assert refusal(board("at africa BR-11"), "special", "box BR-11 to follow-up").rule == "13.1.4"


@pytest.mark.rule("invasion_sicily", "13.2.8")
def test_what_is_left_after_an_invasion_follows_up_or_goes_home() -> None:
    play = Play(board("done Husky 1 \n at invasion US-16 US-531"), "1 special")
    assert [play.place(u) for u in ("US-16", "US-531")] == ["follow-up", "africa"]


# -- 13.4 follow-up -----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "13.4")
@pytest.mark.rule("invasion_sicily", "13.4.1")
@pytest.mark.rule("invasion_sicily", "13.4.2")
@pytest.mark.rule("invasion_sicily", "13.4.3")
@pytest.mark.rule("invasion_sicily", "13.4.4")
def test_follow_up_units_land_at_a_beach_unit_and_march_with_the_rest_of_half() -> None:
    """MA 8: half is 4, the clear coast takes 1, three are left; no check."""
    state = board("at follow-up US-CCA \n at 1823 US-531 \n done Husky 1")
    play = Play(state, "1 special", answers={"special": ["land US-CCA at 1823", "move US-CCA to 2022"]})
    assert play.place("US-CCA") == "2022"
    assert refusal(board("at follow-up US-CCA \n at 1823 US-16"), "special", "land US-CCA at 1823").rule == "13.4.3"


@pytest.mark.rule("invasion_sicily", "13.4.5")
@pytest.mark.rule("invasion_sicily", "13.4.6")
def test_six_follow_up_units_a_turn_two_in_a_storm() -> None:
    assert special._room(board("weather dry")) == 6
    state = board("at follow-up US-18 US-CCA US-39E \n at 1823 US-531 \n weather dry storm \n done Husky 1")
    play = Play(state, "1 special")
    assert len(boards.at(play.state, "follow-up")) == 1, "by default those that fit land in order"


@pytest.mark.rule("invasion_sicily", "13.4.7")
def test_the_follow_up_box_is_emptied_on_the_second_turn() -> None:
    play = Play(board("at follow-up BR-13 \n done Husky 1"), "2 special")
    assert play.place("BR-13") == "africa"


# -- 13.5 commandos -----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "13.5")
@pytest.mark.rule("invasion_sicily", "13.5.1")
@pytest.mark.rule("invasion_sicily", "13.5.2")
def test_commandos_land_on_any_coast_but_not_in_a_storm() -> None:
    play = Play(board("at africa BR-3C"), "2 allied transport", answers={"transport": "raid BR-3C at 2827"})
    assert play.state.units["BR-3C"].target == "2827" and not play.state.spent.get("allied-naval-transport")
    assert refusal(board("at africa BR-3C \n weather dry storm"), "transport", "raid BR-3C at 2827").rule == "13.5.1"
    assert refusal(board("at africa US-16"), "transport", "raid US-16 at 2827").rule == "13.5.2"


# -- 13.3 leaving of one's own will -------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "13.3")
def test_units_may_leave_at_the_end_of_a_movement_phase() -> None:
    text = "at 1825 US-16 US-36B \n at 1726 US-505"
    orders = ["evacuate US-16", "evacuate US-505"]
    play = Play(board(text), "2 allied motorized", [("13.3", 7), ("13.3", 8)], {"motorized": orders})
    assert [play.place(u) for u in ("US-16", "US-505")] == ["evacuation", "evacuation"]
    assert refusal(board("at 1726 US-16"), "motorized", "evacuate US-16").rule == "13.3"


@pytest.mark.rule("invasion_sicily", "7.7.3")
@pytest.mark.rule("invasion_sicily", "7.6.4")
def test_evacuated_units_go_home_when_they_pass_a_check() -> None:
    play = Play(board("at evacuation US-16 US-26"), "2 special", [("7.7.3", 7), ("7.7.3", 8)])
    assert [play.place(u) for u in ("US-16", "US-26")] == ["africa", "evacuation"]


# -- 12.3 naval transport -----------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "12.3")
@pytest.mark.rule("invasion_sicily", "12.3.1")
@pytest.mark.rule("invasion_sicily", "12.3.2")
@pytest.mark.rule("invasion_sicily", "12.3.4")
@pytest.mark.rule("invasion_sicily", "7.6.1")
def test_the_allies_ship_four_units_three_in_a_storm() -> None:
    text = "at africa US-39 US-47 FR-4T US-17F US-36F \n at 1620 US-36E \n control allied 1620"
    order = [f"ship {u} to 1620" for u in ("US-39", "US-47", "FR-4T", "US-17F", "US-36F")]
    play = Play(board(text), "2 allied transport", answers={"transport": order[:4]})
    assert play.state.spent["allied-naval-transport"] == 4
    assert refusal(play.state, "transport", order[4]).rule in ("12.3.3", "12.3.4")
    storm = board(f"{text} \n weather dry storm")
    storm.spent = {"allied-naval-transport": 3}
    assert refusal(storm, "transport", order[0]).rule == "12.3.4"


@pytest.mark.rule("invasion_sicily", "12.3.3")
def test_no_more_units_use_a_port_than_it_can_handle() -> None:
    """Gela has 2."""
    text = "at africa US-39 US-47 US-60 \n at 1823 US-36E \n control allied 1823"
    play = Play(board(text), "2 allied transport", answers={"transport": ["ship US-39 to 1823", "ship US-47 to 1823"]})
    assert refusal(play.state, "transport", "ship US-60 to 1823").rule == "12.3.3"


@pytest.mark.rule("invasion_sicily", "12.3.2")
def test_ships_go_to_working_ports_only() -> None:
    state = board("at africa US-39 \n at 1620 US-16")
    assert refusal(state, "transport", "ship US-39 to 1620").rule == "12.3.2"
    assert refusal(board("at 1924 US-39"), "transport", "ship US-39 to africa").rule == "12.3.2"


@pytest.mark.rule("invasion_sicily", "12.3.5")
def test_example_11_ships_elsewhere_leave_fewer_for_the_strait() -> None:
    """E11: two units at other ports leave two crossings; in a Storm one leaves three."""
    state = board("at italy GE-15 GE-71 GE-3FJ GE-4FJ GE-MG1")
    state.spent = {"other-ports": 2, "strait": 1}
    from pbem.games.invasion_sicily.rules.shipping import why_not_to

    assert why_not_to(state, "GE-15", "4225") is None
    state.spent["strait"] = 2
    assert why_not_to(state, "GE-15", "4225").rule == "12.3.5"  # type: ignore[union-attr]
    state.storm, state.spent = True, {"other-ports": 1, "strait": 2}
    assert why_not_to(state, "GE-15", "4225") is None
    state.spent["strait"] = 3
    assert why_not_to(state, "GE-15", "4225") is not None
    assert why_not_to(state, "GE-15", "2926").rule == "12.3.5"  # type: ignore[union-attr]


@pytest.mark.rule("invasion_sicily", "12.3.5")
@pytest.mark.rule("invasion_sicily", "7.6.7")
@pytest.mark.parametrize(("die", "result", "place"), [(8, "arrives", "2926"), (9, "stays", "italy"), (10, "stays", "italy")])
def test_axis_ships_roll_on_the_transport_table(die: int, result: str, place: str) -> None:
    play = Play(board("at italy GE-15"), "3 axis transport", [("12.3.5", die)], {"transport": "ship GE-15 to 2926"})
    assert play.of(e.SeaLoss)[0].result == result and play.place("GE-15") == place


@pytest.mark.rule("invasion_sicily", "11.2")
@pytest.mark.rule("invasion_sicily", "11.2.2")
@pytest.mark.rule("invasion_sicily", "11.2.3")
@pytest.mark.rule("invasion_sicily", "11.2.4")
@pytest.mark.parametrize(
    ("points", "allied", "axis"), [("1 0 0", 1, 0), ("2 0 0", 2, 1), ("3 0 1", 2, 0), ("9 0 0", 9, 4), ("1 0 1", 0, 0)]
)
def test_example_6_air_interdiction_counts_half_in_the_axis_zone(points: str, allied: int, axis: int) -> None:
    """E6; one Axis air point lowers the modifier of either zone by one."""
    state = board(f"interdiction {points}")
    assert dict(naval.interdiction(state, "allied"))["air interdiction"] == allied
    assert dict(naval.interdiction(state, "axis"))["air interdiction"] == axis


@pytest.mark.rule("invasion_sicily", "11.2.1")
@pytest.mark.rule("invasion_sicily", "11.2.5")
@pytest.mark.rule("invasion_sicily", "12.2")
@pytest.mark.rule("invasion_sicily", "12.2.1")
@pytest.mark.rule("invasion_sicily", "12.2.2")
@pytest.mark.rule("invasion_sicily", "12.2.3")
@pytest.mark.rule("invasion_sicily", "12.2.4")
def test_interdiction_is_set_first_and_adds_up() -> None:
    play = Play(board("air allied 5 \n naval 6"), "2 allied transport", answers={"interdict": "interdict air 2 naval 3"})
    assert (play.state.air["allied"], play.state.naval) == (3, 3)
    assert sum(v for _, v in naval.interdiction(play.state, "allied")) == 5
    assert sum(v for _, v in naval.interdiction(play.state, "axis")) == 4


@pytest.mark.rule("invasion_sicily", "12.3.5")
def test_a_turn_of_naval_work_in_the_axis_zone_costs_one_point_and_perhaps_a_replacement() -> None:
    text = "at africa US-39 BR-11 \n at 2407 US-36E \n control allied 2407 \n rp allied 1"
    play = Play(board(text), "2 allied transport", [("12.3.5", 3)], {"transport": ["ship US-39 to 2407", "ship BR-11 to 2407"]})
    assert [x.points for x in play.of(e.Scored)] == [-1]
    assert play.state.rp["allied"] == 0
    none = Play(board(text.replace("rp allied 1", "rp allied 0")), "2 allied transport", [("12.3.5", 3)],
                {"transport": ["ship US-39 to 2407"]})
    assert [x.what for x in none.of(e.Scored)] == ["axis-zone", "lost-rp"]


# -- 11.3 air transport ------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "11.3")
@pytest.mark.rule("invasion_sicily", "11.3.2")
@pytest.mark.rule("invasion_sicily", "7.6.3")
@pytest.mark.parametrize(
    ("die", "marks", "place"), [(5, [], "1924"), (8, ["disrupted"], "1924"), (10, ["disrupted"], "1924")]
)
def test_an_air_assault_is_rolled_for_unit_by_unit(die: int, marks: list[str], place: str) -> None:
    play = Play(board("at africa US-505"), "1 allied transport", [("11.3.2", die)], {"transport": "drop US-505 at 1924"})
    unit = play.state.units["US-505"]
    assert unit.place == place and [m for m in unit.marks if m == "disrupted"] == marks
    assert unit.reduced == (die == 10)
    assert refusal(board("at africa US-505 dropped"), "transport", "drop US-505 at 1924").rule == "11.3.2", "once a scenario"


@pytest.mark.rule("invasion_sicily", "11.3.2")
def test_modifiers_of_an_air_assault() -> None:
    state = board("at africa BR-1AL US-505 \n cd 1823 -")
    assert dict(air.mods(state, "US-505", "1824", False)) == {"enemy zone of control": 2}
    assert dict(air.mods(state, "BR-1AL", "2122", False)) == {"gliders": 1, "hill": 1}
    assert dict(air.mods(state, "US-505", "2026", False)) == {"airfield": -1}
    assert dict(air.mods(state, "US-505", "2408", False))["enemy air superiority"] == 1


@pytest.mark.rule("invasion_sicily", "11.3.2")
@pytest.mark.parametrize("where", ["2028", "3223", "1724", "2024"])
def test_no_air_assault_on_cities_alpine_hexes_the_sea_or_the_enemy(where: str) -> None:
    assert refusal(board("at africa US-505 \n at 2024 GE-1HG"), "transport", f"drop US-505 at {where}").rule == "11.3.2"


@pytest.mark.rule("invasion_sicily", "11.3.1")
@pytest.mark.rule("invasion_sicily", "11.3.2")
def test_storms_ground_assaults_and_mud_transfers() -> None:
    assert refusal(board("at africa US-505 \n weather dry storm"), "transport", "drop US-505 at 1924").rule == "11.3.2"
    text = "at italy GE-3FJ \n at 2825 GE-923 \n weather mud"
    assert refusal(board(text), "transport", "airlift GE-3FJ to 2825", "axis").rule == "11.3.2"
    assert air.lift_left(board("weather dry storm"), "axis") == 1


@pytest.mark.rule("invasion_sicily", "11.3.2")
def test_transfers_go_from_airfield_to_airfield_and_are_milder() -> None:
    play = Play(board("at italy GE-3FJ"), "2 axis transport", [("11.3.2", 10)], {"transport": "airlift GE-3FJ to 2825"})
    assert play.place("GE-3FJ") == "2825", "10 - 2 arrives"
    state = board("at italy GE-3FJ \n at 2824 US-16")
    assert refusal(state, "transport", "airlift GE-3FJ to 2825", "axis").rule == "11.3.2", "a field in an enemy zone"


@pytest.mark.rule("invasion_sicily", "11.3.2")
@pytest.mark.rule("invasion_sicily", "5.2")
def test_air_supply_takes_the_marker_off_units_on_foot_in_ones_own_zone() -> None:
    play = Play(board("at 1924 US-505 unsupplied"), "2 allied transport", answers={"transport": "airsupply US-505"})
    assert not play.state.units["US-505"].has("unsupplied")
    for text in ("at 1924 US-CCA unsupplied", "at 2407 US-505 unsupplied", "at 1924 US-505 unsupplied \n weather dry storm"):
        unit = "US-CCA" if "CCA" in text else "US-505"
        assert refusal(board(text), "transport", f"airsupply {unit}").rule == "11.3.2"


@pytest.mark.rule("invasion_sicily", "11.4")
@pytest.mark.rule("invasion_sicily", "11.4.2")
@pytest.mark.rule("invasion_sicily", "11.4.3")
def test_eight_airfields_end_the_axis_zone() -> None:
    fields = [h.id for h in data().hexes.values() if h.airfield]
    seven = Play(board(f"control allied {' '.join(fields[:7])}"), "2 readiness")
    eight = Play(board(f"control allied {' '.join(fields[:8])}"), "2 readiness")
    assert seven.state.axis_zone and not eight.state.axis_zone


@pytest.mark.rule("invasion_sicily", "11.1")
@pytest.mark.rule("invasion_sicily", "11.1.1")
@pytest.mark.rule("invasion_sicily", "12.1")
@pytest.mark.rule("invasion_sicily", "12.1.1")
def test_points_are_set_anew_each_turn_and_not_saved() -> None:
    play = Play(board("air allied 9 \n naval 9"), "2 readiness")
    track = data().track[2]
    assert (play.state.air, play.state.naval) == (dict(track.air), track.naval)


@pytest.mark.rule("invasion_sicily", "3.7.2")
def test_a_storm_halves_the_points() -> None:
    play = Play(board("weather dry storm"), "2 readiness")
    assert play.state.naval == data().track[2].naval // 2


# -- 13.6 the evacuation of Sicily ---------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "13.6")
@pytest.mark.rule("invasion_sicily", "13.6.1")
def test_sicily_is_evacuated_after_the_fall_or_a_landing_in_calabria() -> None:
    from pbem.games.invasion_sicily.rules.events_phase import why_not_evacuate

    assert why_not_evacuate(board("")) is not None
    assert Play(board("fallen \n turn 8"), "8 events", answers={"axis:events": "evacuate sicily"}).state.evacuating
    assert why_not_evacuate(board("done Buttress 5", "toe")) is None


@pytest.mark.rule("invasion_sicily", "13.6.2")
def test_example_12_three_units_in_ports_try_before_each_movement_phase() -> None:
    """E12: units that stand in ports before the phase; each try is a roll on the transport table."""
    text = "evacuating \n at 4225 GE-15 GE-71 GE-904 GE-923 \n at 4224 GE-104"
    play = Play(board(text), "9 axis movement", [("12.3.5", 5)] * 3,
                {"sicily-evacuation": ["evacuate GE-15", "evacuate GE-71", "evacuate GE-904"]})
    assert [play.place(u) for u in ("GE-15", "GE-71", "GE-904")] == ["sicily-evacuation"] * 3
    assert play.place("GE-923") == "4225"
    assert "GE-104" not in str([o.key for o in play.asked[0].options])
    home = Play(play.state, "9 special", [("7.7.3", 1)] * 3)
    assert home.place("GE-15") == "italy"


@pytest.mark.rule("invasion_sicily", "13.6.2")
def test_nothing_sails_to_an_island_that_is_given_up() -> None:
    state = board("evacuating \n at italy GE-15")
    assert refusal(state, "transport", "ship GE-15 to 4225", "axis").rule == "13.6.2"


@pytest.mark.rule("invasion_sicily", "13.1.6")
def test_units_in_africa_land_at_ports_that_later_operations_took() -> None:
    text = "done Catania 6 \n at africa BR-11 \n at 2926 US-36E \n control allied 2926"
    play = Play(board(text), "7 allied transport", answers={"transport": "ship BR-11 to 2926"})
    assert play.place("BR-11") == "2926"


@pytest.mark.rule("invasion_sicily", "13.2.5")
def test_whoever_is_still_at_sea_after_the_combats_is_evacuated() -> None:
    """The enemy slipped away, eleven points followed, and what did not fit stays off the coast."""
    play = Play(board("sea 1723 US-16 US-531"), "1 allied combat", [("13.3", 1), ("13.3", 1)])
    assert [play.place(u) for u in ("US-16", "US-531")] == ["evacuation", "evacuation"]


@pytest.mark.rule("invasion_sicily", "13.2.7")
def test_an_attack_from_the_sea_that_finds_nobody_goes_ashore() -> None:
    play = Play(board("sea 1723 US-16 US-531 \n attack 1823 US-16 US-531"), "1 allied combat")
    assert [play.place(u) for u in ("US-16", "US-531")] == ["1823", "1823"]
