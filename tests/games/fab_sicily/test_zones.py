"""14.3 and 14.4 Army boundaries for units, and example 5."""

import pytest

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.rules import boundaries, movement
from tests.games.fab_sicily.marches import cost, position, reach, refused, rule
from tests.games.fab_sicily.play import Play, board


@rule("14.3")
@rule("14.31")
def test_an_army_operates_in_its_zones() -> None:
    state = position("at 6 50-1\nat 20 1-1")
    assert boundaries.may_operate(state, "50-1", "12") and not boundaries.may_operate(state, "50-1", "11")
    assert boundaries.may_operate(state, "1-1", "11") and boundaries.may_operate(state, "1-1", "33")
    assert not boundaries.may_operate(state, "1-1", "45")


@rule("14.32")
def test_the_axis_is_not_bound() -> None:
    state = position("at 6 NAP-1", player="axis")
    assert all(boundaries.may_operate(state, "NAP-1", a) for a in state.data.areas)


@rule("14.4")
@rule("14.41")
def test_release_opens_a_restricted_boundary_and_the_refusal_says_so() -> None:
    state = position("at 6 50-1")
    assert refused(state, "50-1", "7") == "14.41"
    got = movement.refusal(state, "50-1", "7")
    assert "release" in got.reason
    assert cost(position("at 6 50-1\nreleased 50"), "50-1", "7") == 2


@rule("14.41")
def test_some_zones_are_forbidden_for_good() -> None:
    british = position("at 39 50-1\nreleased 50")
    assert refused(british, "50-1", "45") == "14.41"
    american = position("at 25 1-1\nreleased 1")
    got = movement.path_option(american, "1-1", ["26"])
    assert isinstance(got, Refusal) and "never" in got.reason


@rule("14.41")
def test_messina_lies_in_two_zones() -> None:
    american = position("at 30 1-1")
    assert "29" in reach(american, "1-1")
    assert refused(american, "1-1", "28") == "14.41"
    assert "29" in reach(position("at 28 50-1"), "50-1")


# -- example 5 ------------------------------------------------------------------------------------------------


@rule("14.41")
@pytest.mark.parametrize(
    ("unit", "at", "release", "open_", "closed"),
    [
        ("5-1", "27", "", [], ["33", "25"]),
        ("5-1", "27", "5", ["33", "25"], []),
        ("51-1", "26", "51", ["25"], []),
        ("45-1", "24", "", ["35"], ["45"]),
        ("1-1", "38", "1", ["37", "46"], []),
        ("50-1", "39", "50", ["18", "22"], ["45"]),
        ("45-1", "16", "", ["17"], ["26", "15"]),
        ("45-1", "16", "45", ["17"], ["26", "15"]),
    ],
    ids=["A restricted", "A released", "B", "C", "D", "E", "F restricted", "F released"],
)
def test_example_5(unit: str, at: str, release: str, open_: list[str], closed: list[str]) -> None:
    state = position(f"at {at} {unit}" + (f"\nreleased {release}" if release else ""))
    for there in open_:
        assert there in reach(state, unit), there
    for there in closed:
        assert not boundaries.may_operate(state, unit, there), there
        assert there not in reach(state, unit), there


@rule("14.41")
def test_example_5b_and_on_into_zone_c() -> None:
    state = position("at 26 51-1\nreleased 51\ncontrol allied 25")
    assert cost(state, "51-1", "25", "33") == 3


# -- 14.43 ----------------------------------------------------------------------------------------------------


@rule("14.43")
def test_a_unit_in_a_forbidden_zone_keeps_away_from_the_enemy() -> None:
    state = position("at 45 50-1\nreleased 50\ncontrol allied 46 39\nat 38 NAP-1\ncontrol axis 23 24")
    assert set(reach(state, "50-1")) == {"39", "46"}
    assert refused(state, "50-1", "38") == "14.43"


@rule("14.43")
def test_it_leaves_by_itself_at_the_first_opportunity() -> None:
    play = Play(
        board("at 45 50-1\nreleased 50\ncontrol allied 46 39"), "2 allied movement", answers={"movement": ["done"]}, default=True
    )
    assert play.state.blocks["50-1"].area == "39"
    stuck = Play(board("at 45 50-1\nreleased 50"), "2 allied movement", answers={"movement": ["done"]}, default=True)
    assert stuck.state.blocks["50-1"].area == "45"
