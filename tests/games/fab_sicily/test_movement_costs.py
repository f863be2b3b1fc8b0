"""5.3 Movement points, and the borders that are closed: 14.1, 14.42, 15.1, 16.33, and examples 3, 7, 9 and 11."""

import pytest

from pbem.games.fab_sicily.rules import paths
from tests.games.fab_sicily.marches import cost, position, reach, refused, rule, why

QUIET = "control allied 1 2 3 4 5 6 12 13 14 15"


# -- boundaries and connections -----------------------------------------------------------------------


@rule("5.3")
@rule("5.31")
def test_only_areas_that_share_a_border_are_adjacent() -> None:
    state = position(f"at 4 50-1\n{QUIET}")
    assert refused(state, "50-1", "12") == "5.32"


@rule("5.32")
def test_a_road_costs_one_and_a_field_connection_two() -> None:
    state = position("at 18 45-1\ncontrol allied 17 18 19 22\nreleased 45")
    assert cost(state, "45-1", "19") == 1
    assert cost(state, "45-1", "22") == 2
    for border in state.data.borders.values():
        if not border.restricted:
            state = position(f"at {border.a} NAP-1", player="axis")
            assert cost(state, "NAP-1", border.b) == (1 if border.road else 2), border


@rule("5.32")
def test_a_bridge_costs_what_its_connection_costs() -> None:
    assert cost(position(f"at 12 50-1\n{QUIET}"), "50-1", "15") == 2
    assert cost(position(f"at 14 50-1\n{QUIET}\ncontrol allied 26"), "50-1", "26") == 1


@rule("5.32")
def test_a_blown_bridge_costs_the_whole_allowance() -> None:
    state = position(f"at 12 4A\n{QUIET}\nblown 12-15")
    assert cost(state, "4A", "15") == 6
    assert refused(state, "4A", "15", "14") == "5.22"


@rule("5.32")
def test_a_blown_bridge_is_crossed_only_from_the_starting_point() -> None:
    state = position(f"at 13 4A\n{QUIET}\nblown 12-15 14-15")
    assert refused(state, "4A", "12", "15") == "5.32"
    assert "15" not in reach(position("at 13 50-1\ncontrol allied 12 14 15\nblown 12-15 14-15"), "50-1")


@rule("5.32")
@pytest.mark.parametrize(
    "occupant", ["at 5 50-2", "at 5 NAP-1", "at 5 50-2 NAP-1", "map AXENG-1 5 roadblock", "roadblock 5 axis"]
)
def test_units_and_assets_in_an_area_cost_one_point_in_total(occupant: str) -> None:
    state = position(f"at 4 50-1\n{occupant}")
    assert cost(state, "50-1", "5") == 2


@rule("4.34")
def test_a_roadblock_costs_one_point_and_ends_the_move() -> None:
    state = position(f"at 4 4A\n{QUIET}\nroadblock 5 axis\ncontrol axis 5")
    assert cost(state, "4A", "5") == 2
    assert refused(state, "4A", "5", "13") == "5.35b"


@rule("4.34")
def test_our_own_roadblock_hinders_nobody_of_us() -> None:
    state = position(f"at 4 4A\n{QUIET}\nroadblock 5 allied")
    assert cost(state, "4A", "5", "13") == 2


@rule("4.35")
def test_a_defended_roadblock_stops_every_enemy() -> None:
    state = position(f"at 4 4A\n{QUIET}\nmap AXENG-1 5 roadblock\ncontrol axis 5")
    assert cost(state, "4A", "5") == 2
    assert refused(state, "4A", "5", "13") == "5.35b"


@rule("5.22")
def test_infantry_has_three_points_and_armor_six() -> None:
    state = position("at 4 50-1 4A\ncontrol allied 1 3 4 5 6 13 14 26\nreleased 4A")
    assert cost(state, "50-1", "5", "13", "14") == 3
    assert refused(state, "50-1", "5", "13", "14", "26") == "5.22"
    assert cost(state, "4A", "5", "13", "14", "26") == 4
    assert max(reach(state, "50-1").values()) == 3
    assert max(reach(state, "4A").values()) == 6


@rule("5.33")
def test_one_area_may_always_be_moved() -> None:
    state = position("at 6 50-1\nat 12 50-2\nat 13 NAP-1\nat 6 NAP-2\nmap LUFT-1 12 interdiction\ncontrol allied 6 12")
    assert cost(state, "50-1", "12") == 3
    assert refused(state, "50-1", "12", "14") == "5.22"


@rule("5.33")
def test_the_guaranteed_move_is_not_for_prohibited_areas() -> None:
    assert refused(position("at 6 50-1"), "50-1", "7") == "14.41"


@rule("9.33")
@pytest.mark.parametrize("marker", ["disordered", "recovering", "unsupplied"])
def test_disordered_and_unsupplied_units_move_one_area(marker: str) -> None:
    state = position(f"at 4 50-1 {marker}\n{QUIET}")
    assert sorted(reach(state, "50-1"), key=int) == ["1", "3", "5", "6"]
    assert refused(state, "50-1", "5", "13") == "5.33"


@rule("9.33")
def test_disordered_units_bring_on_no_combat_but_may_join_one() -> None:
    alone = position(f"at 4 50-1 disordered\nat 5 NAP-1\n{QUIET}")
    assert refused(alone, "50-1", "5") == "9.33d"
    joined = position(f"at 4 50-1 disordered\nat 5 NAP-1 51-1\n{QUIET}")
    assert "5" in reach(joined, "50-1")
    assert "5" in reach(position(f"at 4 50-1 unsupplied\nat 5 NAP-1\n{QUIET}"), "50-1")


# -- contested areas ------------------------------------------------------------------------------------


@rule("5.34")
def test_leaving_a_contested_area_costs_a_point_and_leads_to_quiet_friendly_ground() -> None:
    state = position("at 6 50-1 50-2 NAP-1\ncontrol allied 4 5 6 13\nat 13 NAP-2\ncontrol axis 3 12")
    assert cost(state, "50-1", "5") == 2
    assert refused(state, "50-1", "3") == "5.34"
    assert refused(state, "50-1", "13") == "5.34"
    assert set(reach(state, "50-1")) == {"4", "5"}


@rule("5.34")
def test_after_that_area_it_may_go_on_but_to_no_enemy() -> None:
    state = position("at 6 4A NAP-1\nat 13 NAP-2\ncontrol allied 6 5\ncontrol axis 4 14")
    assert cost(state, "4A", "5", "4") == 3
    assert refused(state, "4A", "5", "13") == "5.34"


@rule("5.34")
def test_disordered_units_leave_by_the_same_rule() -> None:
    state = position("at 6 50-1 disordered NAP-1\ncontrol allied 6 5")
    assert set(reach(state, "50-1")) == {"5"}


@rule("5.35")
def test_the_enemy_stops_every_move() -> None:
    state = position(f"at 4 4A\nat 5 NAP-1\n{QUIET}")
    assert refused(state, "4A", "5", "13") == "5.35b"
    assert "5" in reach(state, "4A")


@rule("5.35")
def test_one_unit_crosses_a_river_to_the_enemy_in_a_phase() -> None:
    state = position(f"at 12 50-1\nat 15 NAP-1\n{QUIET}")
    assert "15" in reach(state, "50-1")
    state.crossed = ["12-15"]
    assert refused(state, "50-1", "15") == "5.35c"


@rule("5.35")
def test_any_number_cross_to_where_no_enemy_is() -> None:
    state = position(f"at 12 50-1\n{QUIET}")
    state.crossed = ["12-15"]
    assert "15" in reach(state, "50-1")


@rule("5.35")
def test_the_way_offered_to_an_enemy_is_the_cheapest_and_of_equals_crosses_no_river() -> None:
    state = position("at 12 4A\nat 15 NAP-1\ncontrol allied 11 12\nreleased 4A")
    from pbem.games.fab_sicily.rules import movement

    [option] = [o for o in movement.options(state, "allied", "movement") if o.key == "move 4A to 15"]
    assert option.data["path"] == ["12", "15"]
    assert cost(state, "4A", "15") == option.data["cost"] == 3
    dry, wet = paths.Way(("12", "11", "15"), 3), paths.Way(("12", "15"), 3, river=True)
    assert min(wet, dry, key=lambda way: way.rank()) is dry


@rule("5.1")
def test_nobody_ends_in_a_full_area_but_passes_through() -> None:
    state = position(f"at 4 50-1\nat 5 5-1 5-2\n{QUIET}")
    got = why(state, "50-1", "5")
    assert got.rule == "5.1"
    assert "two units" in got.reason
    assert cost(state, "50-1", "5", "13") == 3


# -- 14.1 -----------------------------------------------------------------------------------------------


@rule("14.1")
def test_restricted_boundaries_take_the_whole_allowance_and_stop_armor() -> None:
    state = position("at 33 NAP-1 15PG-1", player="axis")
    assert cost(state, "NAP-1", "34") == 3
    assert refused(state, "15PG-1", "34") == "14.1"
    assert refused(position("at 35 NAP-1", player="axis"), "NAP-1", "33", "34") == "14.1"


@rule("14.1")
def test_the_roads_of_etna_serve_the_side_that_controls_it() -> None:
    axis = position("at 26 NAP-1 15PG-1", player="axis")
    assert cost(axis, "NAP-1", "27") == 1
    assert cost(axis, "15PG-1", "27", "33") == 2
    allied = position("at 26 50-1 4A\ncontrol allied 26")
    assert cost(allied, "50-1", "27") == 3
    assert refused(allied, "4A", "27") == "14.1"


@rule("14.1")
def test_contested_etna_cannot_be_entered_by_road() -> None:
    state = position("at 26 NAP-1 15PG-1\nat 27 51-1 NAP-2\ncontrol axis 27", player="axis")
    assert refused(state, "15PG-1", "27") == "14.1"
    assert cost(state, "NAP-1", "27") == 3
    inside = position("at 27 51-1 15PG-1\ncontrol axis 27", player="axis")
    assert cost(inside, "15PG-1", "26") == 2


# -- 14.42, 16.33 ----------------------------------------------------------------------------------------


@rule("14.42")
def test_green_units_alone_do_not_crowd() -> None:
    green = "garrison 5 S-1"
    assert cost(position(f"at 4 50-1\n{green}"), "50-1", "5") == 1
    assert cost(position(f"at 4 50-1\n{green}\nat 5 NAP-1"), "50-1", "5") == 2
    assert cost(position("at 4 50-1\ngarrison 5 S-1 is S-rec1a proven"), "50-1", "5") == 2
    assert cost(position(f"at 4 NAP-1\n{green}", player="axis"), "NAP-1", "5") == 1


@rule("14.42")
def test_allied_units_stop_at_green_units_all_the_same() -> None:
    state = position("at 4 4A\ngarrison 5 S-1")
    assert refused(state, "4A", "5", "13") == "5.35b"


@rule("16.33")
def test_interdiction_costs_its_victims_a_point_in_and_out() -> None:
    state = position(f"at 4 4A\n{QUIET}\nmap LUFT-1 5 interdiction")
    assert cost(state, "4A", "5") == 2
    assert cost(state, "4A", "5", "13") == 4
    assert cost(position(f"at 4 4A\n{QUIET}\nmap AIR-1 5 interdiction"), "4A", "5", "13") == 2


# -- 15.1 -----------------------------------------------------------------------------------------------


@rule("15.1")
def test_motorized_units_have_six_points_away_from_the_enemy() -> None:
    state = position("at 16 LIV-1", player="axis")
    assert max(reach(state, "LIV-1").values()) == 6


@rule("15.1")
def test_motorized_units_march_as_infantry_when_they_start_or_enter_a_contested_area() -> None:
    start = position("at 16 LIV-1 50-1\ncontrol axis 16", player="axis")
    assert max(reach(start, "LIV-1").values()) == 3
    enter = position("at 28 LIV-1\nat 33 51-1", player="axis")
    assert refused(enter, "LIV-1", "30", "32", "33") == "15.1"
    assert cost(position("at 30 LIV-1\nat 33 51-1", player="axis"), "LIV-1", "32", "33") == 3


# -- examples -------------------------------------------------------------------------------------------


@rule("16.33")
def test_example_3c_interdicted_roads() -> None:
    state = position("at 57 NAP-1\nat 58 NAP-2\nat 59 15PG-1\nmap AIR-1 56 interdiction", player="axis")
    assert refused(state, "NAP-1", "56", "49") == "5.22"
    assert cost(state, "NAP-1", "55", "54") == 3
    assert refused(state, "NAP-2", "57", "56", "49") == "5.22"
    assert cost(state, "15PG-1", "60", "53", "51", "52", "42", "40") == 6
    assert cost(state, "15PG-1", "60", "53", "51", "52", "42", "41") == 6
    assert cost(state, "15PG-1", "54", "50", "48", "46", "45") == 6


CATANIA = "at 26 15PG-1 50-1\ncontrol axis 26\nat 27 NAP-1\nat 25 2A-1\nat 32 51-1"


@rule("14.1")
def test_example_7a_through_etna_by_road() -> None:
    state = position(CATANIA, player="axis")
    assert cost(state, "15PG-1", "27") == 3
    assert cost(state, "15PG-1", "27", "33") == 4
    assert refused(state, "15PG-1", "27", "33", "25") == "5.34"
    assert refused(state, "15PG-1", "27", "33", "32") == "5.34"


@rule("14.1")
def test_example_7b_around_etna() -> None:
    state = position("at 25 4A\nat 26 15PG-1\nat 27 NAP-1\nat 32 51-1\nat 30 15PG-2\nreleased 4A")
    assert cost(state, "4A", "26") == 3
    assert refused(state, "4A", "27") == "14.1"
    assert cost(state, "4A", "33", "32", "30") == 5


@rule("14.1")
def test_example_7c_infantry_climbs_etna() -> None:
    assert cost(position("at 32 51-1\nat 27 NAP-1\nreleased 51"), "51-1", "27") == 3


@rule("14.1")
def test_example_7d_armor_takes_the_roads() -> None:
    state = position("at 30 15PG-1\nat 28 29PG-1\nat 27 NAP-1", player="axis")
    assert refused(state, "15PG-1", "27") == "14.1"
    assert cost(state, "15PG-1", "28") == 2
    assert cost(state, "15PG-1", "28", "27") == 4


@rule("14.1")
def test_example_7e_onward_from_etna() -> None:
    state = position("at 28 29PG-1\nat 27 NAP-1\nat 26 15PG-1\nat 25 4A", player="axis")
    assert cost(state, "29PG-1", "27") == 2
    assert cost(state, "29PG-1", "27", "26") == 4
    assert cost(state, "29PG-1", "27", "33") == 3
    assert cost(state, "29PG-1", "27", "33", "25") == 5


@rule("14.1")
def test_example_7f_down_from_etna() -> None:
    state = position("at 27 NAP-1", player="axis")
    assert cost(state, "NAP-1", "33") == 1
    assert cost(state, "NAP-1", "30") == 3


@rule("14.26")
def test_example_9_landing_and_moving_on() -> None:
    beach = position("at D1 3-1\nbeachhead D1\nat 56 AOS-1\nreleased 3")
    assert reach(beach, "3-1") == {"56": 3}
    inland = position("at 55 2A-1\nat 56 AOS-1 3-1\nreleased 2A 3\ncontrol allied 55")
    assert cost(inland, "2A-1", "56") == 2
    green = position("at 50 1-1\ngarrison 48 S-1\nreleased 1")
    assert cost(green, "1-1", "48") == 1
    port = position("at P3 2A-1\nat 57 1-1\nreleased 1 2A")
    assert reach(port, "2A-1")["57"] == 0
    assert cost(port, "2A-1", "57", "55", "54", "50") == 4


@rule("5.32")
def test_example_11_three_ways_that_fall_short_of_caltanissetta() -> None:
    state = position("at 59 15PG-1\nat 38 50-1", player="axis")
    assert cost(state, "15PG-1", "58", "57", "56", "49", "48", "46") == 6
    assert cost(state, "15PG-1", "54", "50", "44") == 5
    assert refused(state, "15PG-1", "54", "50", "44", "45") == "5.22"
    assert cost(state, "15PG-1", "60", "53", "51", "52", "42", "40") == 6
