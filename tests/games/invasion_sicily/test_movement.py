"""3.4, 3.5, 7.0 Zones of control, stacking, movement."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.rules import costs, moves, zones
from pbem.games.invasion_sicily.rules.costs import MOTORIZED, MOVEMENT
from pbem.games.invasion_sicily.rules.terrain import closed, terrain
from tests.games.invasion_sicily.play import Play, board, refusal



# -- 3.4 zones of control ---------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "3.4")
@pytest.mark.rule("invasion_sicily", "3.4.2")
def test_a_unit_reaches_into_the_six_hexes_around() -> None:
    zone = zones.of(board("at 2222 US-16"), "allied")
    assert sorted(zone) == ["2121", "2122", "2221", "2223", "2321", "2322"]


@pytest.mark.rule("invasion_sicily", "3.4.1")
@pytest.mark.rule("invasion_sicily", "3.4.2")
def test_without_a_zone_a_unit_still_bars_its_own_hex() -> None:
    state = board("at 2222 US-CCA \n at 2224 GE-AufHG")
    assert "2223" not in zones.of(state, "axis"), "a No ZOC band"
    assert refusal(state, "movement", "move US-CCA to 2224").rule == "7.1.7"


@pytest.mark.rule("invasion_sicily", "3.4.2")
@pytest.mark.rule("invasion_sicily", "11.3.2")
def test_a_disrupted_unit_has_no_zone() -> None:
    assert not zones.of(board("at 2222 US-505 disrupted"), "allied")


@pytest.mark.rule("invasion_sicily", "3.4.3")
def test_no_zone_goes_into_a_city() -> None:
    """2028 is Ragusa."""
    zone = zones.of(board("at 1927 US-16"), "allied")
    assert "2028" not in zone and "2027" in zone


@pytest.mark.rule("invasion_sicily", "3.4.3")
def test_armor_has_no_zone_where_it_could_not_go() -> None:
    """2327 is a mountain: from 2326 a road leads there, from 2227 none."""
    with_road, without = board("at 2326 US-CCA"), board("at 2227 US-CCA")
    assert "2327" in zones.of(with_road, "allied")
    assert "2327" not in zones.of(without, "allied")


@pytest.mark.rule("invasion_sicily", "3.4.4")
@pytest.mark.rule("invasion_sicily", "3.4.5")
@pytest.mark.rule("invasion_sicily", "3.2")
def test_a_hex_in_zones_of_both_sides_is_nobodys_prize() -> None:
    state = board("at 2222 US-16 \n at 2224 GE-1HG")
    assert "2223" in zones.of(state, "allied") and "2223" in zones.of(state, "axis")
    assert "2223" not in zones.uncontested(state, "allied")


@pytest.mark.rule("invasion_sicily", "3.4.6")
@pytest.mark.rule("invasion_sicily", "7.2")
@pytest.mark.rule("invasion_sicily", "7.2.1")
def test_entering_an_enemy_zone_costs_one_point_each_time_and_does_not_stop() -> None:
    """2122 and 2222 are hills on a main road; 2222 is in the zone of 2322."""
    state = board("at 2022 US-16 \n at 2322 GE-1HG")
    play = Play(state, "2 allied movement", answers={"movement": ["move US-16 to 2222"]})
    [moved] = play.of(e.Moved)
    assert moved.path == ("2022", "2122", "2222")
    assert moved.cost == 1 + 1 + 2, "two main road hexes, the second one in a zone"


@pytest.mark.rule("invasion_sicily", "7.2.2")
def test_friendly_zones_cost_nothing() -> None:
    alone, beside = board("at 2022 US-16"), board("at 2022 US-16 \n at 2121 US-26")
    for state in (alone, beside):
        way = moves.to(costs.survey(state, "allied"), "US-16", "2122", MOVEMENT)
        assert way.data["cost"] == 1  # type: ignore[union-attr]


@pytest.mark.rule("invasion_sicily", "3.2")
@pytest.mark.rule("invasion_sicily", "3.1")
def test_hexes_are_axis_until_an_allied_unit_passes_or_its_zone_lies_uncontested() -> None:
    state = board("at 2022 US-16")
    assert state.holder("2122") == "axis"
    play = Play(state, "2 allied movement", answers={"movement": ["move US-16 to 2222"]})
    assert play.state.holder("2122") == "allied", "passed by"
    assert play.state.holder("2223") == "allied", "in an uncontested zone at the end"
    assert play.state.holder("2021") == "axis", "a zone that only passed by"


# -- 7.3 terrain -----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "7.3.1")
@pytest.mark.rule("invasion_sicily", "7.3.3")
def test_costs_of_ground_and_roads() -> None:
    """1619 holds clear and hill; a minor road leads from 1919 to the hill 1920, a main road from 1617 to 1618."""
    state = board("at 1718 US-16")
    assert terrain(state, "1718", "1619") == 4, "the higher cost of two terrains"
    assert terrain(state, "1719", "1819") == 2
    assert terrain(state, "1919", "1920") == 2, "a minor road: one point whatever the ground"
    assert terrain(state, "1617", "1618") == 1, "a main road: half a point"


@pytest.mark.rule("invasion_sicily", "7.3.4")
def test_a_river_costs_extra_but_not_on_a_road() -> None:
    """The Salso runs between 1719 and 1720 (no road), and between 1619 and 1620 under the main road."""
    state = board("at 1719 US-16")
    assert terrain(state, "1719", "1720") == 2 + 2
    assert terrain(state, "1619", "1620") == 1


@pytest.mark.rule("invasion_sicily", "7.3.5")
@pytest.mark.rule("invasion_sicily", "7.1.8")
def test_armor_and_artillery_enter_mountains_by_road_only() -> None:
    """2327 is a mountain; no road leads there from 2227, one leads there from 2326."""
    state = board("at 2227 US-CCA US-1A US-16")
    for unit in ("US-CCA", "US-1A"):
        way = moves.to(costs.survey(state, "allied"), unit, "2327", MOVEMENT)
        assert way.data["path"][-2] in ("2326", "2328")  # type: ignore[union-attr]
    assert closed(state.data, state.type("US-16"), "2227", "2327") is None
    assert closed(state.data, state.type("US-1A"), "2227", "2327") is not None


@pytest.mark.rule("invasion_sicily", "7.4")
def test_mud_has_costs_of_its_own() -> None:
    state = board("at 1718 US-16 \n weather mud")
    assert terrain(state, "1718", "1719") == 4
    assert terrain(state, "1718", "1619") == 6
    assert terrain(state, "1617", "1618") == 2


@pytest.mark.rule("invasion_sicily", "7.3.2")
@pytest.mark.rule("invasion_sicily", "7.1.4")
def test_a_unit_goes_no_further_than_its_points() -> None:
    state = board("at 1718 US-16")
    found = refusal(state, "movement", "move US-16 to 2418")
    assert found.rule == "7.3.2" and "5" in found.reason


@pytest.mark.rule("invasion_sicily", "7.1.1")
def test_a_way_spelled_out_is_taken_as_it_is() -> None:
    state = board("at 2022 US-16")
    play = Play(state, "2 allied movement", answers={"movement": ["move US-16 to 2121 via 2021"]})
    [moved] = play.of(e.Moved)
    assert (moved.path, moved.cost) == (("2022", "2021", "2121"), 4 + 4)


@pytest.mark.rule("invasion_sicily", "7.1.4")
@pytest.mark.rule("invasion_sicily", "7.1.6")
def test_a_unit_moves_once_in_a_phase() -> None:
    state = board("at 2022 US-16 US-26")
    play = Play(state, "2 allied movement", answers={"movement": ["move US-16 to 2122", "move US-16 to 2222"]})
    assert play.place("US-16") == "2122"
    assert play.refused[0].rule == "7.1.4"


@pytest.mark.rule("invasion_sicily", "7.1.5")
@pytest.mark.rule("invasion_sicily", "7.1")
def test_nobody_has_to_move() -> None:
    assert not Play(board("at 2022 US-16"), "2 allied movement").of(e.Moved)


@pytest.mark.rule("invasion_sicily", "7.1.7")
@pytest.mark.rule("invasion_sicily", "7.1.2")
def test_through_friends_but_not_through_enemies() -> None:
    state = board("at 2022 US-16 \n at 2122 US-26 US-18 US-157 \n at 2222 GE-1HG")
    assert refusal(state, "movement", "move US-16 to 2222").rule == "7.1.7"
    state = board("at 2022 US-16 \n at 2122 US-26 US-18 US-157")
    play = Play(state, "2 allied movement", answers={"movement": ["move US-16 to 2222"]})
    assert play.of(e.Moved)[0].path == ("2022", "2122", "2222")


@pytest.mark.rule("invasion_sicily", "16.2.3")
def test_an_enemy_strongpoint_costs_a_point_to_enter() -> None:
    state = board("at 2022 US-16 \n strongpoint 2122")
    way = moves.to(costs.survey(state, "allied"), "US-16", "2122", MOVEMENT)
    assert way.data["cost"] == 1 + 2  # type: ignore[union-attr]
    own = board("at 2022 GE-1HG \n strongpoint 2122")
    way = moves.to(costs.survey(own, "axis"), "GE-1HG", "2122", MOVEMENT)
    assert way.data["cost"] == 1  # type: ignore[union-attr]


# -- 7.5 phases ------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "7.5")
@pytest.mark.rule("invasion_sicily", "7.5.1")
@pytest.mark.rule("invasion_sicily", "5.2.3")
def test_example_14_a_unit_out_of_supply_has_half_its_movement() -> None:
    """E14: a movement allowance of 5 becomes 2."""
    state = board("at 2022 US-16 unsupplied")
    assert costs.allowance(state, "US-16", MOVEMENT) == 2 * 2


@pytest.mark.rule("invasion_sicily", "7.5.2")
def test_only_red_allowances_move_again_at_half() -> None:
    state = board("at 2022 US-16 US-CCA US-1A")
    assert costs.allowance(state, "US-CCA", MOTORIZED) == 4 * 2
    for unit in ("US-16", "US-1A"):
        assert refusal(state, "motorized", f"move {unit} to 2122").rule == "7.5.2"


@pytest.mark.rule("invasion_sicily", "7.5.2")
@pytest.mark.rule("invasion_sicily", "5.2.3")
def test_out_of_supply_a_motorized_unit_has_a_quarter_in_its_second_move() -> None:
    assert costs.allowance(board("at 2022 US-CCA unsupplied"), "US-CCA", MOTORIZED) == 2 * 2


@pytest.mark.rule("invasion_sicily", "11.3.2")
def test_a_disrupted_unit_moves_at_half() -> None:
    assert costs.allowance(board("at 2022 US-505 disrupted"), "US-505", MOVEMENT) == 2 * 2


@pytest.mark.rule("invasion_sicily", "6.1")
@pytest.mark.rule("invasion_sicily", "6.1.4")
def test_beach_and_port_units_do_not_move() -> None:
    assert refusal(board("at 1823 US-531"), "movement", "move US-531 to 1822").rule == "6.1.4"


# -- 3.5 stacking ----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "3.5.1")
@pytest.mark.rule("invasion_sicily", "3.5.2")
@pytest.mark.rule("invasion_sicily", "3.5")
def test_what_is_over_eleven_points_at_the_end_of_a_phase_is_eliminated() -> None:
    """Four regiments of three points are twelve."""
    state = board("at 2122 US-16 US-26 US-18 \n at 2022 US-157")
    play = Play(
        state, "2 allied movement", answers={"movement": ["move US-157 to 2122"], "stack-excess": "eliminate US-157"}
    )
    assert [x.unit for x in play.of(e.Eliminated)] == ["US-157"]


@pytest.mark.rule("invasion_sicily", "3.5.3")
def test_units_without_stacking_points_stack_freely() -> None:
    state = board("at 2222 GE-PzHG GE-1HG GE-Schm GE-AufHG GE-PiHG \n ersatz 2222 ERS-1 ER-05")
    assert not Play(state, "2 axis motorized").of(e.Eliminated)


@pytest.mark.rule("invasion_sicily", "7.1.3")
def test_units_pass_through_a_full_hex_on_their_way() -> None:
    state = board("at 2122 US-16 US-26 US-18 \n at 2022 US-157")
    play = Play(state, "2 allied movement", answers={"movement": ["move US-157 to 2222 via 2122"]})
    assert play.place("US-157") == "2222" and not play.of(e.Eliminated)


# -- 7.6 Calabria ----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "7.6")
@pytest.mark.rule("invasion_sicily", "7.6.6")
@pytest.mark.rule("invasion_sicily", "7.6.7")
def test_axis_units_leave_and_enter_by_the_north_edge_for_a_point() -> None:
    state = board("at 5427 GE-15 \n at italy GE-71", "toe")
    play = Play(state, "2 axis movement", answers={"movement": ["move GE-15 to italy", "move GE-71 to 5427"]})
    first, second = play.of(e.Moved)
    assert (first.path, first.cost) == (("5427", "italy"), 2)
    assert (second.path, second.cost) == (("italy", "5427"), 2)


@pytest.mark.rule("invasion_sicily", "7.6.7")
def test_without_calabria_italy_is_left_by_sea_and_air_only() -> None:
    assert refusal(board("at italy GE-15"), "movement", "move GE-15 to 4225", "axis").rule == "7.6.7"
