"""9.0 The Supply Phase, 14.91, 14.92, 15.3c, 22.16 (example 18 is in cases/18)."""

import pytest

from pbem.games.fab_sicily.rules import supply_path
from tests.games.fab_sicily.marches import position, rule
from tests.games.fab_sicily.play import Play, board

COAST = "control allied 1 2 3 4 5 6 12 13 14\nbeachhead B1 B2 B3 B4 B5"


def phase(text: str, dice: list[tuple[str, int]] | None = None, side: str = "allied", **answers: object) -> Play:
    return Play(board(text), f"2 {side} supply", dice or [], answers=answers, default=True)


# -- 9.31 -----------------------------------------------------------------------------------------------------


@rule("9.31")
def test_a_path_leads_through_friendly_controlled_areas_even_with_enemies_in_them() -> None:
    state = position("at 12 50-1\nat 13 51-1 NAP-1\ncontrol allied 5 12 13\ncontrol axis 6 14\nbeachhead B4")
    assert supply_path.unit_traces(state, "50-1")
    state.control["13"] = "axis"
    assert not supply_path.unit_traces(state, "50-1")


@rule("9.31")
def test_a_path_may_leave_enemy_ground_but_not_enter_it() -> None:
    state = position("at 12 50-1 NAP-1\nat 15 51-1 NAP-2\ncontrol axis 12 14 15\ncontrol allied 13 5\nbeachhead B4")
    assert supply_path.unit_traces(state, "50-1")
    assert not supply_path.unit_traces(state, "51-1")


@rule("9.31")
def test_a_blown_bridge_is_crossed_only_beside_the_unit_that_traces() -> None:
    beside = position("at 15 50-1\ncontrol allied 5 12 13 15\ncontrol axis 14 11 16 26\nblown 12-15\nbeachhead B5")
    assert supply_path.unit_traces(beside, "50-1")
    beyond = position("at 16 50-1\ncontrol allied 5 12 13 15 16\ncontrol axis 14 11 26\nblown 12-15\nbeachhead B5")
    assert not supply_path.unit_traces(beyond, "50-1")


@rule("9.31")
def test_areas_trace_like_units() -> None:
    state = position("control allied 4 5\nbeachhead B3\ncontrol axis 13")
    assert supply_path.traces(state, "allied", "5") and not supply_path.traces(state, "allied", "14")


@rule("14.92")
def test_allied_sources_are_own_beachheads_and_undamaged_ports() -> None:
    american = "at 7 1-1\ncontrol allied 4 6 7\nbeachhead {}\ncontrol axis 2 3 8 9 10 5"
    assert not supply_path.unit_traces(position(american.format("B3")), "1-1")
    assert supply_path.unit_traces(position("at 7 1-1\ncontrol allied 7 8\nbeachhead A4"), "1-1")
    port = "at 13 50-1\ncontrol allied 5 13\ncontrol axis 4"
    assert supply_path.unit_traces(position(port), "50-1")
    assert not supply_path.unit_traces(position(f"{port}\nport P1 1"), "50-1")
    lost = position("at 4 50-1\ncontrol axis 1 3 5 6\nbeachhead B3")
    assert supply_path.unit_traces(lost, "50-1")
    lost.beachheads["B3"] = "captured"
    assert not supply_path.unit_traces(lost, "50-1")


@rule("14.92")
def test_troops_on_a_contested_beach_are_fed_from_it() -> None:
    assert supply_path.unit_traces(position("at 4 50-1 NAP-1\ncontrol axis 4\nbeachhead B3"), "50-1")


@rule("14.9")
@rule("14.91")
def test_axis_sources_must_be_friendly_controlled() -> None:
    state = position("at 14 NAP-1\ncontrol axis 14 15 16 26", player="axis")
    assert supply_path.unit_traces(state, "NAP-1")
    for area in state.data.axis_sources:
        state.control[area] = "allied"
    assert not supply_path.unit_traces(state, "NAP-1")


@pytest.mark.rule("fab_sicily", "22.16")
def test_the_small_map_has_four_axis_sources() -> None:
    assert sorted(board("", "primosole_bridge").data.axis_sources) == ["16", "17", "25", "26"]


# -- 9.32 -----------------------------------------------------------------------------------------------------


@rule("3.28")
@rule("9.1")
@rule("9.3")
@rule("9.32")
def test_units_and_areas_of_both_sides_are_marked() -> None:
    text = "at 13 50-1\nat 5 NAP-1\ncontrol axis 5 4 6 12 14\ncontrol allied 1 3 11 13 15 16 17 25 26"
    play = phase(f"{text}\nbeachhead B2", [("9.4", 1)])
    assert not play.state.blocks["50-1"].supplied and not play.state.blocks["NAP-1"].supplied
    assert "13" in play.state.unsupplied["allied"] and "5" in play.state.unsupplied["axis"]


@rule("9.32")
def test_markers_come_off_again_and_nothing_is_told_twice() -> None:
    play = phase(f"at 13 50-1 unsupplied\n{COAST}\nunsupplied allied 13")
    assert play.state.blocks["50-1"].supplied and "13" not in play.state.unsupplied["allied"]
    assert not phase(f"at 13 50-1\n{COAST}").of("SupplySet")


@rule("9.2")
def test_control_is_right_after_the_phase() -> None:
    play = phase(f"at 13 50-1\n{COAST}\ncontrol axis 13")
    assert play.state.control["13"] == "allied"


# -- 9.35 -----------------------------------------------------------------------------------------------------


@rule("9.35")
@rule("6.5")
def test_recovery_takes_two_supply_phases_of_either_side() -> None:
    play = phase(f"at 13 50-1 disordered 50-2 recovering\nat 26 SCH disordered\n{COAST}")
    assert [play.state.blocks[b].status for b in ("50-1", "50-2", "SCH")] == ["recovering", "good", "recovering"]


@rule("9.35")
def test_units_at_sea_recover() -> None:
    assert phase(f"at at-sea 50-1 disordered\n{COAST}").state.blocks["50-1"].status == "recovering"


CUT_OFF = "at 13 {}\ncontrol allied 13\ncontrol axis 4 5 6 12 14\nbeachhead B3"


@rule("9.35")
@rule("9.34")
def test_unsupplied_units_do_not_recover() -> None:
    play = phase(CUT_OFF.format("50-1 recovering"), [("9.4", 2)])
    assert play.state.blocks["50-1"].status == "recovering"


# -- 9.4 ------------------------------------------------------------------------------------------------------


@rule("9.4")
@rule("9.34")
def test_a_veteran_passes_on_four_or_less() -> None:
    play = phase(CUT_OFF.format("50-1"), [("9.4", 4)])
    assert play.state.blocks["50-1"].status == "good"
    assert play.rolls[0]["target"] == 4
    assert [e["passed"] for e in play.of("MoraleChecked")] == [True]


@rule("9.4")
def test_failing_disorders_a_unit_in_good_order_and_flips_a_recovering_one() -> None:
    assert phase(CUT_OFF.format("50-1"), [("9.4", 5)]).state.blocks["50-1"].status == "disordered"
    flipped = phase(CUT_OFF.format("50-1 recovering"), [("9.4", 10)])
    assert flipped.state.blocks["50-1"].status == "disordered" and flipped.state.blocks["50-1"].steps == 4


@rule("9.4")
def test_failing_costs_a_disordered_unit_a_step() -> None:
    play = phase(CUT_OFF.format("50-1/3 disordered"), [("9.4", 9)])
    assert play.state.blocks["50-1"].steps == 2
    assert play.rolls[0]["target"] == 3
    gone = phase(CUT_OFF.format("50-1/1 disordered"), [("9.4", 9)])
    assert [(e["block"], e["how"]) for e in gone.of("Eliminated")] == [("50-1", "losses")]


@rule("9.4")
def test_a_disordered_veteran_surrenders_on_a_ten_and_an_elite_unit_never() -> None:
    veteran = phase(CUT_OFF.format("50-1 disordered"), [("9.4", 10)])
    assert [(e["block"], e["how"]) for e in veteran.of("Eliminated")] == [("50-1", "surrender")]
    elite = phase(CUT_OFF.format("51-1 disordered"), [("9.4", 10)])
    assert not elite.of("Eliminated") and elite.state.blocks["51-1"].steps == 3


@rule("9.4")
@pytest.mark.parametrize(("face", "how"), [(7, "losses"), (8, "surrender")])
def test_a_disordered_green_unit_surrenders_from_eight(face: int, how: str) -> None:
    text = "garrison 13 S-1 is S-rec1a proven\ncontrol axis 13\ncontrol allied 5 6 12 14"
    state = board(text)
    state.blocks["S-1"].status = "disordered"
    play = Play(state, "2 axis supply", [("9.4", face)], default=True)
    assert [(e["block"], e["how"]) for e in play.of("Eliminated")] == [("S-1", how)]


@rule("9.4")
def test_only_the_phasing_side_checks() -> None:
    play = phase("at 13 NAP-1\ncontrol axis 13\ncontrol allied 5 6 12 14\nbeachhead B4")
    assert not play.state.blocks["NAP-1"].supplied and not play.rolls


@rule("15.3")
def test_unsupplied_green_units_are_eliminated_without_a_roll() -> None:
    play = phase("garrison 13 S-1\ncontrol axis 13\ncontrol allied 5 6 12 14", side="axis")
    assert [(e["block"], e["how"], e["rule"]) for e in play.of("Eliminated")] == [("S-1", "unsupplied-green", "15.3c")]
    assert not play.rolls


@rule("16.34")
def test_air_resupply_spares_the_check_and_allows_recovery_but_keeps_the_marker() -> None:
    text = CUT_OFF.format("50-1 disordered") + "\navailable AIR-1"
    play = phase(text, resupply="resupply 13 with AIR-1")
    assert not play.rolls
    assert play.state.blocks["50-1"].status == "recovering" and not play.state.blocks["50-1"].supplied
    assert play.state.chits["AIR-1"].box == "used"


# -- 9.5 ------------------------------------------------------------------------------------------------------


@rule("9.5")
def test_the_markers_of_the_player_turn_are_removed() -> None:
    text = f"""
        at 4 50-1 exploit
        at 6 51-1 reserve
        at 5 51-2 NAP-1
        at 26 SCH reserve
        works 5 axis
        works 4 allied
        roadblock 15 axis
        assault 5 river
        map AXENG-1 16 roadblock
        map AIR-1 26 interdiction
        {COAST}
    """
    play = phase(text)
    state = play.state
    assert state.works == {"4": "allied"} and not state.roadblocks and not state.assaults
    assert not state.blocks["50-1"].exploit
    assert state.blocks["51-1"].reserve and not state.blocks["SCH"].reserve
    assert state.chits["AXENG-1"].box == "used" and state.chits["AIR-1"].box == "used"


@rule("9.5")
@rule("4.35")
def test_an_area_is_ours_once_the_defended_roadblock_is_gone() -> None:
    play = phase(f"at 13 50-1\nmap AXENG-1 13 roadblock\n{COAST}\ncontrol axis 13")
    assert play.state.control["13"] == "allied"
