"""3.4, 3.5, 14.22, 22.12 and 22.17: the end of a turn and of the game."""

import pytest

from pbem.games.fab_sicily.rules import sequence, victory
from tests.games.fab_sicily.play import Play, board


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


def end_of_turn(turn: int, lines: str = "", **switches: bool) -> Play:
    state = board(f"{lines}\nturn {turn}", "primosole_bridge", **switches)
    return Play(state, f"{turn} victory")


@rule("22.17")
def test_the_points_are_those_of_the_scenario() -> None:
    [scored] = end_of_turn(4).of("Scored")
    assert {a: vp for a, _, vp in scored["areas"]} == {
        "5": 2, "6": 1, "7": 1, "10": 1, "11": 1, "12": 1, "13": 1, "14": 1, "15": 1, "16": 2, "17": 1, "25": 3, "26": 4,
    }
    assert (scored["allied"], scored["axis"]) == (0, 20)


@rule("19.3")
@rule("22.17")
@pytest.mark.parametrize(
    ("allied", "winner"),
    [("5 6 7 10 11 12 13 14 15", "draw"), ("5 6 7 10 11 12 13 14 15 17", "allied"), ("5 6 7 10 11 12 13 14", "axis")],
    ids=["10 to 10", "11 to 9", "9 to 11"],
)
def test_the_difference_decides(allied: str, winner: str) -> None:
    play = end_of_turn(4, f"control allied {allied}")
    assert [e["side"] for e in play.of("Won")] == [winner]
    assert play.state.winner == winner


@rule("22.17")
def test_a_difference_of_one_is_enough() -> None:
    assert [victory.winner({"allied": a, "axis": 9}) for a in (10, 9, 8)] == ["allied", "draw", "axis"]


@rule("22.17")
def test_control_is_enough_and_units_do_not_matter() -> None:
    play = end_of_turn(4, "at 26 50-1 SCH\nunsupplied axis 25\ngarrison 13 S-1")
    assert play.state.vp == {"allied": 0, "axis": 20}


@rule("19.1")
def test_the_switch_asks_for_supply_too() -> None:
    state = board("turn 4\nunsupplied axis 25", "primosole_bridge")
    state.data.switches["vp_needs_supply"] = True  # type: ignore[index]
    assert Play(state, "4 victory").state.vp == {"allied": 0, "axis": 17}


@rule("3.5")
@rule("22.12")
def test_the_game_goes_on_until_turn_four_is_over() -> None:
    play = end_of_turn(3)
    assert play.of("Won") == []
    assert sequence.next_step(play.state, "3 victory") == "4 reinforcement"
    done = end_of_turn(4)
    assert sequence.next_step(done.state, "4 victory") is None


@rule("3.4")
@rule("19.4")
def test_points_are_counted_every_turn_and_end_nothing_before_the_last() -> None:
    play = end_of_turn(2)
    assert play.state.vp == {"allied": 0, "axis": 20}
    assert (play.state.winner, play.state.phase) == ("", "victory")


@rule("19.2")
def test_eliminated_units_and_beachheads_give_no_points_here() -> None:
    state = board("turn 4\nat eliminated 50-1/0 HG-1/0", "primosole_bridge")
    state.beachheads["B1"] = "captured"
    assert Play(state, "4 victory").state.vp == {"allied": 0, "axis": 20}


@rule("14.22")
def test_after_turn_one_a_beachhead_without_a_foothold_is_destroyed() -> None:
    play = end_of_turn(1, "beachhead B1 B2 B3 B4\nat 1 50-1\nat 4 51-1 NAP-1\ncontrol allied 5")
    assert play.state.beachheads == {"B1": "destroyed", "B2": "in-play", "B3": "in-play", "B4": "in-play"}


@rule("14.22")
def test_beachheads_are_safe_from_that_in_later_turns() -> None:
    assert end_of_turn(2, "beachhead B1").state.beachheads == {"B1": "in-play"}


@rule("14.22")
def test_a_captured_beachhead_stays_captured() -> None:
    state = board("turn 1", "primosole_bridge")
    state.beachheads["B1"] = "captured"
    assert Play(state, "1 victory").state.beachheads == {"B1": "captured"}
