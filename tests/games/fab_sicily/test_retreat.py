"""6.6 Retreats, 14.28, 14.43 (example 16 is in cases/16)."""

import pytest

from pbem.games.fab_sicily.rules import retreat
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.marches import position, rule
from tests.games.fab_sicily.play import Play, board

SOUTH = "at 6 1AB-1 NAP-1\ncontrol axis 3 7 11 12 13"


def fight(text: str, player: str = "axis", scenario: str = "full") -> State:
    return position(text, "combat", player, scenario)


def ways(state: State, block: str = "1AB-1", origin: str = "6") -> list[str]:
    """The paths offered, '6-4'."""
    return ["-".join(o.data["path"]) for o in retreat.retreat_options(state, block, origin)]


@rule("6.6")
def test_to_adjoining_friendly_uncontested_areas() -> None:
    assert ways(fight(f"{SOUTH}\ncontrol allied 4 5")) == ["6-5", "6-4"]
    assert ways(fight(f"{SOUTH}\ncontrol allied 4 5\nat 4 NAP-2 50-1")) == ["6-5"]


@rule("6.6")
def test_empty_areas_before_those_with_a_unit() -> None:
    assert ways(fight(f"{SOUTH}\nat 5 50-1\ncontrol allied 4")) == ["6-4"]
    assert ways(fight(f"{SOUTH}\nat 5 50-1\nat 4 50-2")) == ["6-5", "6-4"]
    assert ways(fight(f"{SOUTH}\nat 5 50-1\nat 4 50-2 51-1")) == ["6-5"]


@rule("6.6")
def test_through_full_areas_to_the_nearest_with_room() -> None:
    text = f"{SOUTH}\nat 4 50-1 50-2\ncontrol axis 5"
    assert ways(fight(f"{text}\nat 1 51-1")) == ["6-4-1"]
    assert ways(fight(f"{text}\nat 1 51-1 51-2\nat 2 231")) == ["6-4-1-2"]
    [option] = retreat.retreat_options(fight(f"{text}\nat 1 51-1"), "1AB-1", "6")
    assert option.key == "retreat 1AB-1 to 1 via 4"


@rule("6.6")
def test_over_a_blown_bridge() -> None:
    state = fight("at 15 50-1 NAP-1\ncontrol allied 12 15\nblown 12-15")
    assert ways(state, "50-1", "15") == ["15-12"]


@rule("6.6")
def test_no_way_at_all() -> None:
    assert not ways(fight("at 16 NAP-1 50-1\ncontrol allied 14 15 16 17 22 23 24 25 26"), "NAP-1", "16")


@rule("6.6")
@rule("14.1")
def test_armor_does_not_fall_back_over_mountains() -> None:
    text = "at 34 {} 50-1\ncontrol allied 31 34 35 36 32"
    assert ways(fight(text.format("NAP-1")), "NAP-1", "34") == ["34-33"]
    assert not ways(fight(text.format("15PG-1")), "15PG-1", "34")
    assert ways(fight("at 26 15PG-1 50-1\ncontrol allied 14 15 16 25 26"), "15PG-1", "26") == ["26-27"]


@rule("17.22")
def test_not_to_where_a_flank_invasion_stands() -> None:
    text = "at 13 NAP-1 50-1\ncontrol allied 5 6 12 13\ncontrol axis 14"
    assert ways(fight(text, "allied"), "NAP-1", "13") == ["13-14"]
    assert not ways(fight(f"{text}\nmap 3CDO 14 flank", "allied"), "NAP-1", "13")


# -- 14.28 ----------------------------------------------------------------------------------------------------


@rule("14.28")
def test_to_sea_when_there_is_no_other_way() -> None:
    beach = "at 4 50-1 NAP-1\nbeachhead B3\ncontrol axis 1 3 5 6"
    assert ways(fight(beach), "50-1", "4") == ["4-at-sea"]
    assert ways(fight(f"{beach}\ncontrol allied 5"), "50-1", "4") == ["4-5"]
    assert not ways(fight("at 4 50-1 NAP-1\ncontrol axis 1 3 5 6"), "50-1", "4")


@rule("14.28")
def test_only_in_combat_and_only_by_beachheads_of_the_own_army() -> None:
    beach = "at 4 50-1 NAP-1\nbeachhead B3\ncontrol axis 1 3 5 6"
    assert not ways(position(beach, "movement"), "50-1", "4")
    assert not ways(fight("at 20 50-1 NAP-1\nbeachhead A1"), "50-1", "20")
    assert ways(fight("at 20 1-1 NAP-1\nbeachhead A1"), "1-1", "20") == ["20-at-sea"]
    assert not ways(fight("at 4 NAP-1 50-1\nbeachhead B3\ncontrol allied 1 3 5 6"), "NAP-1", "4")


# -- 14.43 ----------------------------------------------------------------------------------------------------


@rule("14.43")
def test_the_army_boundary_comes_last_even_behind_the_sea() -> None:
    text = "at 6 1AB-1 NAP-1\ncontrol axis 3 5 11 12 13\ncontrol allied 7\nat 4 50-1 50-2\ncontrol axis 1"
    assert ways(fight(f"{text}\nbeachhead B3")) == ["6-4-at-sea"]
    assert ways(fight(text)) == ["6-7"]


@rule("14.43")
def test_crossing_it_releases_the_division() -> None:
    play = battle("at 6 1AB-1 shown NAP-1 shown\ncontrol axis 3 4 5 11 12 13\ncontrol allied 7\navailable SA-ALLIED")
    assert play.state.blocks["1AB-1"].area == "7"
    assert [(e["division"], e["rule"]) for e in play.of("Released")] == [("1AB", "14.43")]


@rule("14.43")
def test_a_forbidden_zone_releases_nobody() -> None:
    state = fight("at 39 50-1 NAP-1\nreleased 50\ncontrol axis 18 21 22 23\ncontrol allied 45")
    assert ways(state, "50-1", "39") == ["39-45"]


# -- the retreat itself --------------------------------------------------------------------------------------------


def battle(text: str, **answers: object) -> Play:
    """The Allied unit at 6 slips away before combat (8.24)."""
    given = {"battle": ["fight 6", "done"], ("before-battle", "6"): "retreat using SA-ALLIED", **answers}
    return Play(board(text), "2 axis combat", answers=given, default=True)


@rule("8.24")
@rule("6.6")
def test_a_retreat_by_special_action_keeps_good_order() -> None:
    play = battle("at 6 1AB-1 shown NAP-1 shown\ncontrol axis 3 4 7 11 12 13\ncontrol allied 5\navailable SA-ALLIED")
    [moved] = play.of("Moved")
    assert (moved["path"], moved["mode"], moved["cost"]) == (["6", "5"], "retreat", 0)
    assert play.state.blocks["1AB-1"].status == "good" and not play.state.blocks["1AB-1"].shown
    assert play.state.control["6"] == "axis"


@rule("6.6")
def test_two_units_may_go_to_different_areas() -> None:
    text = "at 6 1AB-1 shown 1AB-2 shown NAP-1 shown\ncontrol axis 3 7 11 12 13\ncontrol allied 4 5\navailable SA-ALLIED"
    play = battle(text, **{"retreat-to": ["retreat 1AB-1 to 4", "retreat 1AB-2 to 5"]})
    assert (play.state.blocks["1AB-1"].area, play.state.blocks["1AB-2"].area) == ("4", "5")


@rule("6.6")
def test_the_second_unit_finds_what_the_first_one_left() -> None:
    text = "at 6 1AB-1 shown 1AB-2 shown NAP-1 shown\ncontrol axis 3 7 11 12 13\ncontrol allied 4 5\navailable SA-ALLIED"
    play = battle(text, **{"retreat-to": ["retreat 1AB-1 to 4"]})
    assert play.state.blocks["1AB-2"].area == "5"


@pytest.mark.parametrize(("disorder", "status"), [(True, "disordered"), (False, "good")])
@rule("6.6")
def test_other_retreats_disorder(disorder: bool, status: str) -> None:
    state = fight("at 4 50-1 recovering NAP-1\nbeachhead B3\ncontrol axis 1 3 5 6")
    [option] = retreat.retreat_options(state, "50-1", "4")
    events = Recorder(state)
    retreat.retreat(events, "50-1", option.data, disorder, "6.42")  # type: ignore[arg-type]
    assert state.blocks["50-1"].area == "at-sea"
    assert state.blocks["50-1"].status == ("recovering" if status == "good" else status)
    assert state.control["4"] == "axis"


class Recorder:
    """A context that only applies events."""

    def __init__(self, state: State) -> None:
        self.state = state

    def emit(self, event: object) -> None:
        from pbem.games.fab_sicily.position.apply import apply

        apply(event, self.state)
