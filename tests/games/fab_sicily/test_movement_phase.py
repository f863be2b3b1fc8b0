"""5.2 and 5.35 The Operational Movement Phase, 14.24 to 14.29, 15.3a."""

import time

import pytest

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.rules import movement, reserves
from tests.games.fab_sicily.marches import cost, keys, position, reach, refused, rule
from tests.games.fab_sicily.play import Play, board

STEP = "2 allied movement"
AXIS_STEP = "2 axis movement"
HOME = "control allied 1 2 4 5 6 12 13 14"


def moves(text: str, *orders: str, step: str = STEP, dice: list[tuple[str, int]] | None = None, **answers: object) -> Play:
    """The phase played with these orders; all else by default."""
    given = {k.replace("_", "-"): v for k, v in answers.items()}
    return Play(board(text), step, dice or [], answers={"movement": [*orders, "done"], **given}, default=True)


# -- 5.2 -------------------------------------------------------------------------------------------------


@rule("3.22")
@rule("5.2")
def test_each_unit_may_move_dig_or_go_into_reserve() -> None:
    found = keys(position(f"at 4 50-1\n{HOME}"), "allied")
    assert {"move 50-1 to 5", "dig 50-1", "reserve 50-1"} <= set(found)


@rule("5.24")
def test_a_unit_without_orders_holds() -> None:
    play = moves(f"at 4 50-1\n{HOME}")
    assert [e["type"] for e in play.events] == ["PhaseBegan"]


@rule("5.35")
def test_a_unit_moves_once_and_then_the_next_one() -> None:
    play = moves(f"at 4 50-1\nat 5 50-2\n{HOME}", "move 50-1 to 1", "move 50-2 to 4")
    assert [e["block"] for e in play.of("Moved")] == ["50-1", "50-2"]
    state = position(f"at 4 50-1\nat 5 50-2\n{HOME}")
    state.blocks["50-1"].moved = True
    assert not [k for k in keys(state, "allied") if "50-1" in k]
    got = movement.refusal(state, "50-1", "5")
    assert got.rule == "5.2" and "has moved" in got.reason


@rule("5.22")
def test_the_whole_path_is_told_with_its_cost() -> None:
    [moved] = moves(f"at 4 50-1\n{HOME}", "move 50-1 to 13").of("Moved")
    assert (moved["path"], moved["cost"], moved["mode"]) == (["4", "5", "13"], 2, "operational")


@rule("5.22")
def test_entering_an_area_fought_over_before_shows_the_unit() -> None:
    play = moves(f"at 4 50-1\nat 6 50-2 shown NAP-1 shown\n{HOME}", "move 50-1 to 6")
    assert play.state.blocks["50-1"].shown
    assert [e["block"] for e in play.of("Shown")] == ["50-1"]


@rule("5.22")
def test_so_does_entering_when_those_who_fought_have_left() -> None:
    play = moves(f"at 4 50-1\nat 6 50-2 shown NAP-1 shown\n{HOME}", "move 50-2 to 5", "move 50-1 to 6")
    assert play.state.blocks["50-1"].shown and play.state.blocks["NAP-1"].shown
    assert not play.state.blocks["50-2"].shown


@rule("5.22")
def test_a_newly_contested_area_stays_hidden() -> None:
    play = moves(f"at 4 50-1\nat 6 NAP-1\n{HOME}", "move 50-1 to 6")
    assert not play.of("Shown")
    assert [(e["area"], e["border"], e["river"]) for e in play.of("Entered")] == [("6", "4-6", False)]


@rule("2.4")
def test_control_changes_wherever_a_unit_passes_alone() -> None:
    play = moves("at 4 50-1\ncontrol allied 4", "move 50-1 to 13")
    assert [(e["area"], e["side"]) for e in play.of("ControlSet")] == [("5", "allied"), ("13", "allied")]
    assert play.state.control["4"] == "allied"


@rule("2.4")
def test_entering_an_enemy_area_changes_no_control() -> None:
    assert not moves(f"at 4 50-1\nat 6 NAP-1\n{HOME}\ncontrol axis 6", "move 50-1 to 6").of("ControlSet")


@rule("2.4")
def test_leaving_the_enemy_alone_gives_him_the_area() -> None:
    play = moves("at 6 50-1 NAP-1\ncontrol allied 5 6", "move 50-1 to 5")
    assert play.state.control["6"] == "axis"


# -- 5.21 ------------------------------------------------------------------------------------------------


@rule("5.21")
def test_a_reserve_marker_is_put_on_and_goes_when_the_unit_moves() -> None:
    play = moves(f"at 4 50-1\n{HOME}", "reserve 50-1")
    assert play.state.blocks["50-1"].reserve
    again = moves(f"at 4 50-1 reserve\n{HOME}", "move 50-1 to 5")
    assert not again.state.blocks["50-1"].reserve


@rule("5.21")
def test_a_reserve_marker_goes_when_the_area_becomes_contested() -> None:
    play = moves(f"at 4 50-1\nat 6 NAP-1 reserve\n{HOME}", "move 50-1 to 6")
    assert [(e["block"], e["rule"]) for e in play.of("Reserve")] == [("NAP-1", "5.21")]


@rule("14.7")
@pytest.mark.parametrize("marker", ["disordered", "recovering", "unsupplied"])
def test_only_units_in_supply_and_good_order_go_into_reserve(marker: str) -> None:
    state = position(f"at 4 50-1 {marker}\n{HOME}")
    assert "reserve 50-1" not in keys(state, "allied")
    got = reserves.why_not_reserve(state, "50-1")
    assert isinstance(got, Refusal) and got.rule == "14.7"


@rule("14.7")
def test_no_reserve_in_a_contested_area() -> None:
    assert "reserve 50-1" not in keys(position("at 6 50-1 NAP-1\ncontrol allied 6"), "allied")


@rule("14.72")
def test_the_reserve_markers_of_an_army_are_limited() -> None:
    state = position("at 4 50-1 reserve 50-2 reserve\nat 5 51-1\nat 19 1-1\nreleased 1")
    assert "reserve 51-1" not in keys(state, "allied")
    assert "reserve 1-1" in keys(state, "allied")
    got = reserves.why_not_reserve(state, "51-1")
    assert got and got.rule == "5.21"


@rule("14.71")
def test_axis_markers_serve_both_nations_everywhere() -> None:
    found = keys(position("at 4 NAP-1\nat 45 HG-1", player="axis"), "axis")
    assert {"reserve NAP-1", "reserve HG-1"} <= set(found)


# -- 5.23 ------------------------------------------------------------------------------------------------


@rule("5.23")
def test_a_unit_digs_in_instead_of_moving() -> None:
    play = moves(f"at 4 50-1\n{HOME}", "dig 50-1")
    assert play.state.works == {"4": "allied"}
    assert play.state.blocks["50-1"].moved
    assert len(play.asked) == 1


@rule("5.23")
@pytest.mark.parametrize(
    "text", ["at 4 50-1 disordered", "at 4 50-1 unsupplied", "at 4 50-1 NAP-1", "at 4 50-1\nworks 4 allied"],
    ids=["disordered", "unsupplied", "contested", "works there"],
)
def test_who_may_not_dig(text: str) -> None:
    assert "dig 50-1" not in keys(position(f"{text}\ncontrol allied 4"), "allied")


@rule("5.23")
def test_works_are_gone_when_the_last_unit_has_left_at_the_end_of_the_phase() -> None:
    left = moves(f"at 4 50-1\nworks 4 allied\n{HOME}", "move 50-1 to 5")
    assert [(e["area"], e["on"], e["rule"]) for e in left.of("Works")] == [("4", False, "5.23")]
    relieved = moves(f"at 4 50-1\nat 5 50-2\nworks 4 allied\n{HOME}", "move 50-1 to 1", "move 50-2 to 4")
    assert relieved.state.works == {"4": "allied"}


# -- 4.34, 17.22 --------------------------------------------------------------------------------------------


@rule("4.34")
def test_the_first_unit_takes_the_roadblock_away() -> None:
    play = moves("at 4 50-1 4A\nroadblock 5 axis\ncontrol allied 4 13", "move 50-1 to 5", "move 4A to 13")
    assert [(e["area"], e["on"]) for e in play.of("Roadblock")] == [("5", False)]
    assert play.of("Moved")[1]["path"] == ["4", "5", "13"]


@rule("4.35")
def test_a_defended_roadblock_stays_and_must_be_fought() -> None:
    play = moves("at 4 50-1\nmap AXENG-1 5 roadblock\ncontrol allied 4\ncontrol axis 5", "move 50-1 to 5")
    assert play.of("Entered") and play.state.control["5"] == "axis"
    assert play.state.chits["AXENG-1"].box == "map"


@rule("4.35")
def test_a_defended_roadblock_may_blow_bridges() -> None:
    play = Play(
        board("at 12 50-1\nmap AXENG-1 15 roadblock\ncontrol allied 12\ncontrol axis 15 11"), STEP, [("5.35d", 5)],
        answers={"movement": ["move 50-1 to 15", "done"], "bridge": "blow", "crossing": "cross"},
    )
    assert "12-15" in play.state.blown


@rule("17.22")
def test_a_unit_that_enters_or_passes_relieves_a_flank_invasion() -> None:
    play = moves("at 4 50-1\nmap 3CDO 5 flank\ncontrol allied 4 13\ncontrol axis 5", "move 50-1 to 13")
    assert play.state.chits["3CDO"].box == "used"


# -- 5.35d, 5.35e --------------------------------------------------------------------------------------------

CROSSING = "at 12 50-1 50-2\nat 14 51-1\nat 15 NAP-1\ncontrol allied 6 12 13 14"


def cross(*orders: str, dice: list[tuple[str, int]], text: str = CROSSING, **answers: object) -> Play:
    return Play(board(text), STEP, dice, answers={"movement": [*orders, "done"], **answers})


@rule("5.35")
def test_the_bridge_holds_on_a_six() -> None:
    play = cross("move 50-1 to 15", dice=[("5.35d", 6)], bridge="blow")
    assert not play.of("BridgeBlown") and play.state.blocks["50-1"].area == "15"
    assert play.of("BridgeTried")
    assert play.rolls[0]["side"] == "axis" and play.rolls[0]["target"] == 5


@rule("5.35")
def test_the_attempt_is_optional() -> None:
    play = cross("move 50-1 to 15", dice=[], bridge="leave")
    assert play.state.blocks["50-1"].area == "15" and not play.rolls


@rule("5.35")
def test_a_bridge_already_blown_is_not_tried() -> None:
    play = cross("move 50-1 to 15", dice=[], text=CROSSING + "\nblown 12-15")
    assert [a.kind for a in play.asked] == ["movement", "movement"]
    assert play.of("Moved")[0]["cost"] == 3


@rule("5.35")
def test_no_attempt_where_the_area_was_contested_before() -> None:
    play = cross("move 50-1 to 15", dice=[], text=CROSSING + "\nat 15 51-2\ncontrol allied 15")
    assert play.state.blocks["50-1"].area == "15" and not play.rolls
    assert "15" not in play.state.assaults


@rule("5.35")
def test_a_unit_that_stays_is_done() -> None:
    play = cross("move 50-1 to 15", dice=[("5.35d", 1)], bridge="blow", crossing="stay")
    assert play.state.blocks["50-1"].area == "12"
    assert [(e["block"], e["border"]) for e in play.of("Halted")] == [("50-1", "12-15")]
    assert not any("50-1" in o.key for o in play.asked[-1].options)


@rule("5.35")
def test_a_unit_may_go_elsewhere_with_one_point_less() -> None:
    play = cross("move 50-1 to 15", dice=[("5.35d", 1)], bridge="blow", crossing="move 50-1 to 13")
    assert play.state.blocks["50-1"].area == "13"
    ask = next(a for a in play.asked if a.kind == "crossing")
    assert ask.default == "cross" and ask.where == "50-1"
    state = board(CROSSING)
    far = reach(position(CROSSING), "50-1")
    offered = [o.key.split()[3] for o in ask.options if o.key.startswith("move")]
    near = state.data.adjacent["12"]
    assert offered == [a for a in far if a != "15" and (far[a] < 3 or a in near)]


@rule("5.35")
def test_a_unit_that_came_from_farther_cannot_cross_a_bridge_just_blown() -> None:
    text = "at 13 50-1\nat 15 NAP-1\ncontrol allied 12 13 14"
    play = cross("move 50-1 to 15 via 14", dice=[("5.35d", 3)], text=text, bridge="blow", crossing="stay")
    ask = next(a for a in play.asked if a.kind == "crossing")
    assert "cross" not in [o.key for o in ask.options] and ask.default == "stay"
    assert play.state.blocks["50-1"].area == "14"
    assert [e["path"] for e in play.of("Moved")] == [["13", "14"]]


@rule("5.1")
def test_nobody_stays_by_choice_in_a_full_area_before_a_blown_bridge() -> None:
    text = "at 13 4A\nat 14 50-1 50-2\nat 15 NAP-1\ncontrol allied 12 13 14"
    play = cross("move 4A to 15 via 14", dice=[("5.35d", 3)], text=text, bridge="blow", crossing="move 4A to 13")
    ask = next(a for a in play.asked if a.kind == "crossing")
    assert "stay" not in [o.key for o in ask.options] and ask.default == ask.options[0].key
    assert play.state.blocks["4A"].area == "13"


@rule("5.35")
def test_one_try_for_each_bridge_and_another_for_the_next() -> None:
    play = cross(
        "move 50-1 to 15", "move 51-1 to 15", dice=[("5.35d", 9), ("5.35d", 2)], bridge=["blow", "blow"], crossing="cross"
    )
    assert play.state.blown == ["14-15"]
    assert [e["border"] for e in play.of("Entered")] == ["12-15", "14-15"]


@rule("5.35")
def test_the_river_assault_marker_needs_a_blown_bridge() -> None:
    dry = cross("move 50-1 to 15", dice=[("5.35d", 9)], bridge="blow")
    assert not dry.of("AssaultMarked")
    wet = cross("move 50-1 to 15", dice=[("5.35d", 1)], bridge="blow", crossing="cross")
    assert wet.state.assaults == {"15": "river"}


@rule("5.35")
def test_a_unit_that_comes_by_land_cancels_the_river_assault() -> None:
    text = "at 12 50-1\nat 11 50-2\nat 15 NAP-1\ncontrol allied 11 12 13 14\nreleased 50"
    play = cross("move 50-1 to 15", "move 50-2 to 15", dice=[], text=text + "\nblown 12-15")
    assert [(e["area"], e["kind"]) for e in play.of("AssaultMarked")] == [("15", "river"), ("15", "")]


# -- 14.26, 14.27b -----------------------------------------------------------------------------------------------


@rule("14.21")
@rule("14.26")
def test_landing_takes_the_whole_allowance_and_no_reserve() -> None:
    state = position("at B3 50-1\nbeachhead B3")
    assert keys(state, "allied") == ["move 50-1 to 4"]
    assert reach(state, "50-1") == {"4": 3}
    assert refused(state, "50-1", "4", "5") == "14.26"
    assert refused(state, "50-1", "5") == "14.26"


@rule("14.26")
@rule("14.27")
def test_a_landing_that_makes_an_area_contested_is_a_beach_assault() -> None:
    play = moves("at B3 50-1 50-2\nbeachhead B3\ngarrison 4 S-1", "move 50-1 to 4", "move 50-2 to 4")
    assert play.state.assaults == {"4": "beach"}
    assert [(e["origin"], e["sea"]) for e in play.of("Entered")] == [("B3", True), ("B3", True)]


@rule("14.26")
def test_a_landing_where_a_battle_goes_on_joins_it() -> None:
    play = moves("at B3 50-1\nbeachhead B3\nat 4 50-2 shown NAP-1 shown\ncontrol axis 4", "move 50-1 to 4")
    assert not play.state.assaults and play.state.blocks["50-1"].shown


@rule("14.27")
def test_a_beach_assault_stays_one_though_others_come_by_land() -> None:
    play = moves("at B3 50-1\nat 1 50-2\nbeachhead B3\nat 4 NAP-1\ncontrol allied 1", "move 50-2 to 4", "move 50-1 to 4")
    assert play.state.assaults == {"4": "beach"}


@rule("14.24")
def test_who_has_not_landed_must_at_the_end_of_the_phase() -> None:
    play = moves("at B3 50-1 50-2\nbeachhead B3\ngarrison 4 S-1")
    assert [play.state.blocks[b].area for b in ("50-1", "50-2")] == ["4", "4"]
    assert play.state.assaults == {"4": "beach"}


@rule("14.24")
def test_who_cannot_land_stays_at_sea() -> None:
    play = moves("at B3 50-1\nbeachhead B3\nat 4 51-1 51-2")
    assert play.state.blocks["50-1"].area == "at-sea"
    made_room = moves("at B3 50-1\nbeachhead B3\nat 4 51-1 51-2\ncontrol allied 4 5", "move 51-1 to 5")
    assert made_room.state.blocks["50-1"].area == "4"


@rule("14.22")
def test_a_lost_beachhead_lets_nobody_land() -> None:
    state = position("at B3 50-1")
    state.beachheads["B3"] = "captured"
    assert refused(state, "50-1", "4") == "14.22"


@rule("14.2")
@rule("14.23")
@pytest.mark.parametrize("port", ["port P1 1", "control axis 5"])
def test_a_damaged_or_enemy_port_lets_nobody_land(port: str) -> None:
    text = f"at P1 50-1\ncontrol allied 5\n{port}"
    assert refused(position(text), "50-1", "5") == "14.23"
    assert moves(text).state.blocks["50-1"].area == "at-sea"


@rule("14.26")
def test_from_a_port_a_unit_goes_on_with_its_whole_allowance() -> None:
    play = moves("at P1 50-1\ncontrol allied 5 13 14 26", "move 50-1 to 26")
    assert [(e["path"], e["mode"], e["cost"]) for e in play.of("Moved")] == [
        (["P1", "5"], "port", 0), (["5", "13", "14", "26"], "operational", 3),
    ]


@rule("14.26")
def test_a_contested_port_area_ends_the_move() -> None:
    state = position("at P1 50-1\nat 5 51-1 NAP-1\ncontrol allied 5 13")
    assert reach(state, "50-1") == {"5": 0}
    assert refused(state, "50-1", "5", "13") == "5.35b"


@rule("14.24")
def test_a_unit_in_an_undamaged_port_may_wait_in_reserve() -> None:
    play = moves("at P1 50-1\ncontrol allied 5", "reserve 50-1")
    assert play.state.blocks["50-1"].area == "P1" and play.state.blocks["50-1"].reserve
    assert "reserve 50-1" not in keys(position("at P1 50-1\ncontrol allied 5\nport P1 1"), "allied")


@rule("14.24")
def test_axis_reinforcements_come_by_messina_and_on() -> None:
    play = moves("at P4 29PG-1", "move 29PG-1 to 28", step=AXIS_STEP)
    assert play.state.blocks["29PG-1"].area == "28"
    assert "reserve 29PG-1" not in keys(position("at P4 29PG-1", player="axis"), "axis")


# -- 14.29 ------------------------------------------------------------------------------------------------------


@rule("14.29")
def test_a_refused_evacuation_says_what_it_takes() -> None:
    assert movement.refusal(position("at 26 NAP-1 disordered", player="axis"), "NAP-1", "italy").rule == "9.33a"
    assert movement.refusal(position("at 33 NAP-1", player="axis"), "NAP-1", "italy").rule == "14.29"


@rule("5.23")
def test_digging_uses_up_a_reserve_marker() -> None:
    play = moves(f"at 4 50-1 reserve\n{HOME}", "dig 50-1")
    assert not play.state.blocks["50-1"].reserve


@rule("14.29")
def test_axis_units_leave_by_messina_for_one_point() -> None:
    assert reach(position("at 28 NAP-1", player="axis"), "NAP-1")["italy"] == 2
    play = moves("at 28 NAP-1", "move NAP-1 to italy", step=AXIS_STEP)
    assert play.state.blocks["NAP-1"].area == "off-map"
    assert [(e["path"], e["mode"]) for e in play.of("Moved")] == [(["28", "29", "off-map"], "evacuation")]


@rule("14.29")
def test_nobody_evacuates_without_the_points_or_from_the_small_map() -> None:
    assert "italy" not in reach(position("at 31 NAP-1\nat 30 50-1", player="axis"), "NAP-1")
    assert "italy" not in reach(position("at 28 NAP-1 disordered", player="axis"), "NAP-1")
    assert "italy" not in reach(position("at 29 50-1\nreleased 50"), "50-1")
    assert "italy" not in reach(position("at 26 NAP-1", player="axis", scenario="primosole_bridge"), "NAP-1")


# -- 15.3a ------------------------------------------------------------------------------------------------------


@rule("15.3")
def test_green_units_have_three_points_and_do_not_go_to_the_enemy() -> None:
    state = position("garrison 13 S-1\nat 14 50-1", player="axis")
    assert cost(state, "S-1", "5", "4", "1") == 3
    assert refused(state, "S-1", "14") == "15.3a"
    assert refused(state, "S-1", "5", "4", "1", "2") == "5.22"


@rule("15.3")
def test_one_green_unit_acts_in_a_phase() -> None:
    play = moves("garrison 13 S-1\ngarrison 4 S-2\ngarrison 2 S-3 is S-rec1a proven", "dig S-1", step=AXIS_STEP)
    later = [o.key for o in play.asked[-1].options]
    assert not any("S-2" in k or "S-1" in k for k in later)
    assert any("S-3" in k for k in later)


@rule("15.3")
def test_the_green_unit_chosen_for_the_reserve_is_the_one_that_acts() -> None:
    play = moves("garrison 13 S-1\ngarrison 4 S-2", "reserve S-1", step=AXIS_STEP)
    assert not any("S-2" in o.key for o in play.asked[-1].options)
    got = movement.path_option(play.state, "S-2", ["5"])
    assert isinstance(got, Refusal) and got.rule == "15.3a"


# -- how long it takes ------------------------------------------------------------------------------------------------


@rule("5.2")
def test_the_options_of_a_crowded_map_are_found_fast() -> None:
    allied = "at 4 50-1 50-2\nat 5 5-1 5-2\nat 13 51-1 4A\nat 12 231\nat 1 1C-1 1C-2\nat 14 1CT"
    state = position(f"{allied}\ncontrol allied 2 3 6\nat 15 NAP-1\nat 26 SCH HG-1\nreleased 4A 1CT 50 5 51 231 1C")
    start = time.process_time()
    for _ in range(5):
        assert list(movement.options(state, "allied", "movement"))
    assert (time.process_time() - start) / 5 < 0.05
