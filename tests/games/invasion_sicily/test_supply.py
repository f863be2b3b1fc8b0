"""5.0, 6.0, 16.0 Supply, ports, Beach and Port units, strongpoints, engineering."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.rules import ports, tracing
from pbem.games.invasion_sicily.rules.supply import matched
from pbem.kit.supply import Cut, Line
from tests.games.invasion_sicily.play import Play, board, data, refusal


def fed(text: str, scenario: str = "husky", **answers: object) -> list[str]:
    """The units that are in supply after the Supply Determination Phase."""
    state = board(text, scenario)
    play = Play(state, "2 supply", answers={k.replace("_", "-"): v for k, v in answers.items()})
    return [u.id for u in play.state.units.values() if u.place in play.state.data.hexes and not u.has("unsupplied")]


# -- ports -----------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "5.5.3")
@pytest.mark.rule("invasion_sicily", "5.5")
@pytest.mark.rule("invasion_sicily", "5.5.1")
def test_example_1_palermo_with_two_port_units() -> None:
    """E1: 8 less 6 is 2, and of 4 points of augmentation only 2 count."""
    state = board("port 2407 US-20 \n port 2407 US-531 \n control allied 2407 \n demolition 2407 6")
    assert ports.adjusted(state, "2407") == 2
    assert ports.capacity(state, "allied", "2407") == 4


@pytest.mark.rule("invasion_sicily", "5.5.3")
def test_example_2_repaired_it_feeds_eight() -> None:
    """E2: with 4 taken away all four points count; a third unit of +2 adds nothing."""
    text = "port 2407 US-20 \n port 2407 US-531 \n control allied 2407 \n demolition 2407 4"
    assert ports.capacity(board(text), "allied", "2407") == 8
    assert ports.capacity(board(f"{text} \n port 2407 US-36B"), "allied", "2407") == 8


@pytest.mark.rule("invasion_sicily", "5.5.6")
def test_demolition_goes_down_to_minus_one_and_no_further() -> None:
    state = board("at 1823 GE-904 \n demolition 1823 2")
    assert ports.adjusted(state, "1823") == 0, "Gela is a port of 2"
    state.demolition["1823"] = 4
    assert ports.adjusted(state, "1823") == -1 and ports.capacity(state, "axis", "1823") == 0
    assert refusal(state, "engineering", "demolish 1823", "axis").rule == "5.5.6"


@pytest.mark.rule("invasion_sicily", "5.5.6")
def test_a_german_unit_demolishes_its_port_once_a_turn() -> None:
    state = board("at 2407 GE-904 \n at 2926 GE-923 \n at 1601 IT-MA")
    play = Play(state, "2 engineering", answers={"engineering": ["demolish 2407", "demolish 2926"]})
    assert play.of(e.DemolitionSet) == [e.DemolitionSet("2407", 2)]
    assert refusal(board("at 1601 IT-MA"), "engineering", "demolish 1601", "axis").rule == "5.5.6", "no German unit"


@pytest.mark.rule("invasion_sicily", "5.5.3")
@pytest.mark.rule("invasion_sicily", "6.1.1")
@pytest.mark.rule("invasion_sicily", "5.3.4")
def test_an_allied_port_works_with_a_port_or_engineer_unit() -> None:
    assert ports.capacity(board("at 2407 US-16"), "allied", "2407") == 0
    assert ports.capacity(board("at 2407 US-36E"), "allied", "2407") == 8
    assert ports.capacity(board("at 2407 US-1051"), "allied", "2407") == 8 + 4


@pytest.mark.rule("invasion_sicily", "5.5.3")
@pytest.mark.rule("invasion_sicily", "6.1.3")
def test_the_two_large_port_units_grow_on_the_turn_after_a_capture() -> None:
    state = board("at 2407 US-1051 \n captured 2407 3")
    same = Play(state, "3 readiness")
    assert not same.of(e.PortsGrown)
    after = Play(board("at 2407 US-1051 \n captured 2407 3"), "4 readiness")
    assert after.of(e.PortsGrown) and ports.augmentation(after.state, "US-1051") == 5
    assert ports.augmentation(after.state, "BR-6P") == 5, "either city turns both"


@pytest.mark.rule("invasion_sicily", "5.5.3")
def test_one_port_a_turn_is_repaired_by_two() -> None:
    text = "port 2407 US-20 \n control allied 2407 1601 \n demolition 2407 6 \n port 1601 US-36B \n demolition 1601 2"
    play = Play(board(text), "2 engineering", answers={"engineering": ["repair 2407", "repair 1601"]})
    assert play.of(e.DemolitionSet) == [e.DemolitionSet("2407", 4)]


@pytest.mark.rule("invasion_sicily", "5.5.5")
@pytest.mark.rule("invasion_sicily", "5.3.3")
def test_axis_ports_need_no_port_unit() -> None:
    assert ports.capacity(board(""), "axis", "2407") == 8


@pytest.mark.rule("invasion_sicily", "5.5.5")
def test_cut_off_from_the_north_edge_sicilian_ports_feed_two_and_reggio_four() -> None:
    state = board("", "toe")
    assert ports.capacity(state, "axis", "2407") == 8
    edge = [h.id for h in data("toe").hexes.values() if h.edge]
    cut = board(f"control allied {' '.join(edge)}", "toe")
    assert ports.capacity(cut, "axis", "2407") == 2
    assert ports.capacity(cut, "axis", "4226") == 4


@pytest.mark.rule("invasion_sicily", "5.5.5")
@pytest.mark.rule("invasion_sicily", "13.6.2")
def test_an_evacuated_sicily_has_no_axis_source() -> None:
    assert ports.supplying(board("evacuating"), "axis", "2407") == 0
    assert fed("at 2407 GE-904 \n evacuating") == []


# -- 5.3 tracing ------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "3.3")
@pytest.mark.rule("invasion_sicily", "5.3")
@pytest.mark.rule("invasion_sicily", "5.3.1")
@pytest.mark.rule("invasion_sicily", "5.3.5")
@pytest.mark.rule("invasion_sicily", "5.2.1")
def test_a_unit_by_the_road_is_fed_over_it() -> None:
    text = "at 2019 US-16 \n port 1620 US-20 \n control allied 1620"
    assert set(fed(text)) == {"US-20", "US-16"}


@pytest.mark.rule("invasion_sicily", "5.3.5")
def test_example_19_the_allied_road_net_ends_at_forty_points() -> None:
    """E19: from Palermo along the roads; what lies within 80 halves is in the net, what lies beyond is not."""
    state = board("port 2407 US-20 \n control allied 2407")
    net = tracing.Lines(state, "allied").net("2407")
    assert max(net.reach.costs.values()) <= 80
    axis = tracing.Lines(state, "axis").net("4225")
    assert max(axis.reach.costs.values()) > 0 and axis.limit is None


@pytest.mark.rule("invasion_sicily", "5.5.4")
@pytest.mark.rule("invasion_sicily", "5.3.6")
def test_a_beach_unit_feeds_five_hexes_off_and_no_roads_four_in_mud() -> None:
    """From 1823 the hex 2321 is five hexes away, 2319 six."""
    state = board("at 1823 US-531 \n at 2321 US-16 \n at 2319 US-26")
    assert data().map.distance("1823", "2321") == 5
    assert set(fed("at 1823 US-531 \n at 2321 US-16 \n at 2319 US-26 \n control allied 1823")) == {"US-531", "US-16"}
    assert "US-16" not in fed("at 1823 US-531 \n at 2321 US-16 \n weather mud")
    assert state.data.units["US-531"].capacity == 8


@pytest.mark.rule("invasion_sicily", "5.5.4")
def test_a_storm_halves_beach_units_but_not_ports() -> None:
    state = board("at 1825 US-36B \n port 2407 US-20 \n control allied 2407 \n weather dry storm")
    assert ports.beach_capacity(state, "US-36B") == 3
    assert ports.capacity(state, "allied", "2407") == 10


@pytest.mark.rule("invasion_sicily", "5.3.2")
def test_no_supply_through_the_enemy_his_uncontested_zone_or_his_strongpoint() -> None:
    state = board("at 2222 US-16 \n port 1620 US-20 \n control allied 1620 \n at 2022 GE-1HG \n strongpoint 1921")
    lines = tracing.Lines(state, "allied")
    assert "2022" in lines.barred and "1922" in lines.barred and "1921" in lines.barred
    contested = board("at 2022 GE-1HG \n at 1822 US-26")
    assert "1922" not in tracing.Lines(contested, "allied").barred, "in zones of both sides"
    found = tracing.line(lines, "US-16", "1620", False)
    assert isinstance(found, (Line, Cut))


@pytest.mark.rule("invasion_sicily", "5.3.2")
def test_alpine_hexes_are_closed_off_the_road_but_not_to_mountain_units() -> None:
    """3223 and 3224 are Etna."""
    state = board("at 3324 IT-75 FR-4T")
    passes = tracing.Lines(state, "axis").open_ground(False)("3324", "3224")
    assert passes is not None and "alpine" in getattr(passes, "words", "")
    assert not hasattr(tracing.Lines(state, "axis").open_ground(True)("3324", "3224"), "words")


@pytest.mark.rule("invasion_sicily", "5.2")
@pytest.mark.rule("invasion_sicily", "5.2.2")
def test_markers_are_put_on_and_taken_off() -> None:
    state = board("at 2222 US-16 unsupplied \n at 2221 US-26 unsupplied \n at 1823 US-531")
    play = Play(state, "2 supply")
    assert play.of(e.Marked) == [
        e.Marked("US-16", "unsupplied", False, "5.2.2"), e.Marked("US-26", "unsupplied", False, "5.2.2")
    ]


@pytest.mark.rule("invasion_sicily", "5.1")
@pytest.mark.rule("invasion_sicily", "5.1.1")
@pytest.mark.rule("invasion_sicily", "5.1.2")
@pytest.mark.rule("invasion_sicily", "7.6.2")
@pytest.mark.rule("invasion_sicily", "7.7")
def test_units_in_boxes_are_in_supply() -> None:
    state = board("at africa US-16 unsupplied \n at italy GE-15 unsupplied \n at evacuation US-26 unsupplied")
    play = Play(state, "2 supply")
    assert not [u for u in play.state.units.values() if u.has("unsupplied")]


@pytest.mark.rule("invasion_sicily", "5.5.2")
def test_beach_and_port_units_are_always_in_supply_and_count_nothing() -> None:
    assert set(fed("port 1823 US-36B \n at 1823 US-16 US-26")) == {"US-36B", "US-16", "US-26"}, "Gela feeds two, and two more"


# -- capacity ---------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "5.2.1")
@pytest.mark.rule("invasion_sicily", "5.5.3")
def test_where_room_is_short_the_owner_says_who_goes_without() -> None:
    """Gela has a capacity of 2 and its engineers add nothing: three units and the engineers want it."""
    text = "at 1823 US-36E US-16 US-26"
    assert set(fed(text)) == {"US-16", "US-26"}, "the weakest goes short"
    assert set(fed(text, short_supply="short US-16")) == {"US-36E", "US-26"}


def brute(routes: dict[str, list[str]], rooms: dict[str, int]) -> int:
    """The most units that can be fed, by trying everything."""
    units = list(routes)
    best = 0

    def go(at: int, left: dict[str, int], done: int) -> None:
        nonlocal best
        best = max(best, done)
        if at == len(units):
            return
        go(at + 1, left, done)
        for source in routes[units[at]]:
            if left[source]:
                go(at + 1, {**left, source: left[source] - 1}, done + 1)

    go(0, rooms, 0)
    return best


@pytest.mark.rule("invasion_sicily", "5.2.1")
@pytest.mark.parametrize("seed", range(30))
def test_as_many_units_as_possible_are_fed(seed: int) -> None:
    from pbem.core.chooser import Chooser

    choose = Chooser(f"supply {seed}")
    rooms = {s: choose.below(3) for s in "abc"}
    routes = {f"u{n}": [s for s in "abc" if choose.below(2)] for n in range(6)}
    found = matched(routes, rooms, list(routes))
    assert len(found) == brute(routes, rooms)
    assert all(s in routes[u] for u, s in found.items())
    assert all(list(found.values()).count(s) <= rooms[s] for s in rooms)


# -- 6 Beach and Port units ---------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "6.1.2")
@pytest.mark.rule("invasion_sicily", "6.1.4")
def test_beach_and_port_units_as_they_are() -> None:
    for unit in data().units.values():
        if unit.logistic:
            assert (unit.steps, unit.attack, unit.zoc, unit.ma) == (1, 0, False, 0)
    assert data().units["US-540"].augmentation == data().units["US-40"].augmentation == 0


@pytest.mark.rule("invasion_sicily", "6.2")
@pytest.mark.rule("invasion_sicily", "6.2.3")
@pytest.mark.rule("invasion_sicily", "6.2.4")
@pytest.mark.rule("invasion_sicily", "5.4")
@pytest.mark.rule("invasion_sicily", "5.4.2")
def test_one_port_unit_a_turn_enters_a_port_even_if_it_does_not_work_yet() -> None:
    state = board("at africa US-1051 BR-6P \n control allied 2407 \n at 2407 US-16")
    play = Play(state, "2 allied transport", [("12.3.5", 9)], {"transport": ["ship US-1051 to 2407"]})
    assert [play.place(u) for u in ("US-1051", "BR-6P")] == ["2407", "africa"]
    assert refusal(play.state, "transport", "ship BR-6P to 2407").rule == "6.2.3"


@pytest.mark.rule("invasion_sicily", "6.2.2")
def test_a_beach_unit_does_not_sail_in() -> None:
    state = board("at africa BR-35 \n port 2407 US-20 \n control allied 2407")
    assert refusal(state, "transport", "ship BR-35 to 2407").rule == "6.2.2"


@pytest.mark.rule("invasion_sicily", "6.3")
@pytest.mark.rule("invasion_sicily", "6.3.2")
@pytest.mark.rule("invasion_sicily", "7.6.4")
def test_beach_units_go_back_to_africa_for_a_transport_point() -> None:
    play = Play(board("at 1823 US-531"), "2 allied transport", answers={"transport": "ship US-531 to africa"})
    assert play.place("US-531") == "africa"
    assert play.state.spent["allied-naval-transport"] == 1


@pytest.mark.rule("invasion_sicily", "6.3.3")
@pytest.mark.rule("invasion_sicily", "6.3.3.1")
@pytest.mark.rule("invasion_sicily", "6.3.3.2")
@pytest.mark.rule("invasion_sicily", "6.3.3.3")
@pytest.mark.rule("invasion_sicily", "6.3.3.4")
def test_port_units_move_to_any_port_one_to_each() -> None:
    text = "port 2407 US-20 \n port 2407 US-36B \n control allied 2407 1601"
    play = Play(board(text), "2 engineering", answers={"engineering": ["port US-20 to 1601", "port US-36B to 1601"]})
    assert [play.place(u) for u in ("US-20", "US-36B")] == ["1601", "2407"]
    assert not play.state.spent.get("allied-naval-transport")


@pytest.mark.rule("invasion_sicily", "6.3.3.5")
@pytest.mark.rule("invasion_sicily", "6.3.4.1")
def test_no_port_unit_moves_in_a_storm() -> None:
    state = board("port 2407 US-20 \n at 1823 US-531 \n control allied 2407 1601 \n weather dry storm")
    for order in ("port US-20 to 1601", "convert US-531 to 1823"):
        assert refusal(state, "engineering", order).rule == "6.3.3"


@pytest.mark.rule("invasion_sicily", "6.3.4")
@pytest.mark.rule("invasion_sicily", "6.3.4.1")
@pytest.mark.rule("invasion_sicily", "6.3.4.2")
@pytest.mark.rule("invasion_sicily", "6.3.4.3")
@pytest.mark.rule("invasion_sicily", "6.3.4.4")
def test_a_beach_unit_turns_into_a_port_unit_where_it_stands_or_elsewhere() -> None:
    stay = Play(board("at 1823 US-531"), "2 engineering", answers={"engineering": "convert US-531 to 1823"})
    assert stay.state.units["US-531"].port and stay.place("US-531") == "1823"
    elsewhere = board("at 1825 US-36B \n control allied 1823")
    away = Play(elsewhere, "2 engineering", answers={"engineering": "convert US-36B to 1823"})
    assert away.place("US-36B") == "1823"
    assert refusal(board("at 1726 US-40 \n control allied 1823"), "engineering", "convert US-40 to 1823").rule == "6.1.3"


# -- 16 strongpoints ----------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "16.1")
@pytest.mark.rule("invasion_sicily", "16.1.1")
@pytest.mark.rule("invasion_sicily", "16.1.2")
@pytest.mark.rule("invasion_sicily", "16.1.3")
@pytest.mark.rule("invasion_sicily", "16.1.5")
def test_the_axis_builds_one_strongpoint_a_turn_in_a_hex_in_supply() -> None:
    play = Play(board("at 2224 GE-1HG"), "2 engineering", answers={"engineering": ["strongpoint 2224"]})
    assert play.state.strongpoints == ["2224"]
    assert refusal(play.state, "engineering", "strongpoint 2222", "axis").rule == "16.1.2"
    empty = Play(board(""), "2 engineering", answers={"engineering": "strongpoint 2222"})
    assert empty.state.strongpoints == ["2222"], "nobody need be there"


@pytest.mark.rule("invasion_sicily", "16.1.4")
def test_one_strongpoint_a_hex() -> None:
    assert refusal(board("strongpoint 2224"), "engineering", "strongpoint 2224", "axis").rule == "16.1.4"


@pytest.mark.rule("invasion_sicily", "16.2.2")
@pytest.mark.rule("invasion_sicily", "16.2.5")
def test_a_strongpoint_bars_allied_supply_and_stays_when_it_is_empty() -> None:
    assert "1921" in tracing.Lines(board("strongpoint 1921"), "allied").barred
    assert "1921" not in tracing.Lines(board("strongpoint 1921"), "axis").barred


@pytest.mark.rule("invasion_sicily", "16.2")
@pytest.mark.rule("invasion_sicily", "16.2.6")
def test_allied_units_destroy_a_strongpoint_in_the_engineering_phase() -> None:
    assert Play(board("strongpoint 2224 \n at 2224 US-16"), "2 engineering").state.strongpoints == []


@pytest.mark.rule("invasion_sicily", "5.4.1")
def test_a_source_of_one_side_is_none_of_the_other() -> None:
    state = board("port 2407 US-20 \n control allied 2407")
    assert "2407" in tracing.sources(state, "allied") and "2407" not in tracing.sources(state, "axis")


@pytest.mark.rule("invasion_sicily", "14.1.5")
def test_coast_defence_units_need_supply_like_others() -> None:
    state = board("cd 1204 - \n control allied " + " ".join(h.id for h in data().hexes.values() if h.port))
    assert Play(state, "2 supply").state.units["CD-1204"].has("unsupplied")
