"""7.1 to 7.32 Reaction and Breakthrough, 8.21, 14.24c, and example 17."""

import pytest

from tests.games.fab_sicily.marches import cost, keys, position, reach, refused, rule
from tests.games.fab_sicily.play import Play, board

HOME = "control allied 1 2 3 4 5 6 12 13 14"


def breaks(text: str, *orders: str, dice: list[tuple[str, int]] | None = None, **answers: object) -> Play:
    given = {"breakthrough": [*orders, "done"], **answers}
    return Play(board(text), "2 allied breakthrough", dice or [], answers=given, default=True)


def reacts(text: str, *orders: str) -> Play:
    return Play(board(text), "2 allied reaction", answers={"reaction": [*orders, "done"]}, default=True)


def reaction(text: str) -> list[str]:
    return keys(position(text, "reaction"), "axis")


def breakthrough(text: str) -> list[str]:
    return keys(position(text, "breakthrough"), "allied")


# -- 7.2 ------------------------------------------------------------------------------------------------------


@rule("7.1")
@rule("3.25")
def test_reserve_units_of_the_other_side_react() -> None:
    play = reacts("at 12 NAP-1 reserve\nat 11 NAP-2\nat 4 50-1 reserve", "move NAP-1 to 14")
    [ask] = [a for a in play.asked if a.kind == "reaction"]
    assert ask.side == "axis"
    assert not any("NAP-2" in o.key or "50-1" in o.key for o in ask.options)
    assert refused(position("at 12 NAP-1", "reaction"), "NAP-1", "14") == "7.1"
    assert play.state.blocks["NAP-1"].area == "14" and not play.state.blocks["NAP-1"].reserve


@rule("7.2")
def test_reaction_reinforces_but_brings_on_no_new_battle() -> None:
    text = "at 11 NAP-1 reserve\nat 6 50-1\nat 12 51-1 NAP-2\ncontrol axis 12"
    state = position(text, "reaction")
    assert "12" in reach(state, "NAP-1")
    assert refused(state, "NAP-1", "6") == "7.2"
    play = reacts(text, "move NAP-1 to 12")
    assert play.state.blocks["NAP-1"].shown
    assert not play.of("AssaultMarked")


@rule("7.2")
def test_reaction_uses_the_full_allowance_and_may_take_vacant_ground() -> None:
    text = "at 14 NAP-1 reserve\ncontrol allied 13 5 4"
    assert cost(position(text, "reaction"), "NAP-1", "13", "5", "4") == 3
    assert reacts(text, "move NAP-1 to 4").state.control["5"] == "axis"


@rule("7.2")
def test_a_reacting_unit_may_dig_instead() -> None:
    play = reacts("at 12 NAP-1 reserve", "dig NAP-1")
    assert play.state.works == {"12": "axis"} and not play.state.blocks["NAP-1"].reserve


@rule("7.2")
def test_nothing_is_asked_of_a_side_without_reserves() -> None:
    assert not reacts("at 12 NAP-1").asked


# -- 7.3 ------------------------------------------------------------------------------------------------------


@rule("7.3")
@rule("3.26")
def test_reserve_and_exploiting_units_move_and_no_others() -> None:
    found = breakthrough(f"at 4 50-1 reserve\nat 12 4A exploit\nat 1 51-1\n{HOME}")
    assert "move 50-1 to 13" in found and "exploit 4A to 14" in found
    assert not any("51-1" in k for k in found)


@rule("7.31")
def test_exploiting_units_move_one_area_and_reserves_their_allowance() -> None:
    state = position(f"at 12 4A exploit\nat 4 50-1 reserve\n{HOME}", "breakthrough")
    assert set(reach(state, "4A")) == {"6", "13", "14", "15"}
    assert refused(state, "4A", "14", "13") == "7.31"
    assert cost(state, "50-1", "5", "13", "14") == 3


@rule("7.31")
def test_the_markers_go_after_the_move() -> None:
    play = breaks(f"at 12 4A exploit\nat 4 50-1 reserve\n{HOME}", "exploit 4A to 14", "move 50-1 to 5")
    assert [(e["type"], e["on"], e["rule"]) for e in play.of("Reserve", "Exploit")] == [
        ("Exploit", False, "7.31"), ("Reserve", False, "7.31"),
    ]


@rule("7.31")
def test_both_kinds_may_dig_instead() -> None:
    play = breaks(f"at 12 4A exploit\nat 4 50-1 reserve\n{HOME}", "dig 4A", "dig 50-1")
    assert play.state.works == {"4": "allied", "12": "allied"}
    assert not play.state.blocks["4A"].exploit and not play.state.blocks["50-1"].reserve


@rule("7.31")
def test_exploiting_units_cross_no_blown_bridge() -> None:
    state = position(f"at 12 4A exploit\n{HOME}\nblown 12-15", "breakthrough")
    assert refused(state, "4A", "15") == "7.31"
    assert "15" in reach(position(f"at 12 50-1 reserve\n{HOME}\nblown 12-15", "breakthrough"), "50-1")


@rule("7.31")
def test_a_bridge_blown_before_an_exploiting_unit_ends_its_move() -> None:
    play = breaks(f"at 12 4A exploit\nat 15 NAP-1\n{HOME}", "exploit 4A to 15", dice=[("5.35d", 4)], bridge="blow")
    assert play.state.blocks["4A"].area == "12" and not play.state.blocks["4A"].exploit
    assert [a.kind for a in play.asked] == ["breakthrough", "bridge"]


@rule("7.32")
def test_a_reserve_unit_may_cross_all_the_same_and_bring_on_a_battle() -> None:
    play = breaks(
        f"at 12 50-1 reserve\nat 15 NAP-1\n{HOME}", "move 50-1 to 15", dice=[("5.35d", 4)], bridge="blow", crossing="cross"
    )
    assert play.state.blocks["50-1"].area == "15" and play.state.assaults == {"15": "river"}


# -- 8.21 -----------------------------------------------------------------------------------------------------


@rule("8.21")
def test_a_special_action_lets_armor_exploit() -> None:
    play = breaks(f"at 12 4A\n{HOME}\navailable SA-ALLIED", "exploit 4A to 14 with SA-ALLIED")
    assert play.state.blocks["4A"].area == "14"
    assert play.state.chits["SA-ALLIED"].box == "used"
    assert play.of("Moved")[0]["mode"] == "exploitation"


@rule("8.21")
def test_a_single_use_action_serves_its_own_army() -> None:
    text = f"at 12 4A\nat 19 2A-1\n{HOME}\navailable SAE-8A"
    found = [k for k in breakthrough(text) if k.endswith("with SAE-8A")]
    assert found and not any("2A-1" in k for k in found)
    assert breaks(text, "exploit 4A to 14 with SAE-8A").state.chits["SAE-8A"].box == "eliminated"


@rule("8.21")
@pytest.mark.parametrize("unit", ["50-1", "4A disordered", "4A unsupplied", "4A exploit", "4A reserve"])
def test_who_cannot_be_activated(unit: str) -> None:
    assert not any("with SA-ALLIED" in k for k in breakthrough(f"at 12 {unit}\n{HOME}\navailable SA-ALLIED"))


@rule("8.21")
def test_nobody_exploits_twice() -> None:
    play = breaks(f"at 12 4A exploit\n{HOME}\navailable SA-ALLIED", "exploit 4A to 14")
    assert len(play.asked) == 1


# -- 14.24c ---------------------------------------------------------------------------------------------------


@rule("14.24")
def test_a_reserve_in_port_lands_in_the_breakthrough_phase_at_the_latest() -> None:
    text = "at P1 50-1 reserve\ncontrol allied 5 13"
    assert breaks(text, "move 50-1 to 13").state.blocks["50-1"].area == "13"
    late = breaks(text)
    assert late.state.blocks["50-1"].area == "5" and not late.state.blocks["50-1"].reserve


@rule("14.24")
def test_or_is_put_to_sea() -> None:
    play = breaks("at P1 50-1 reserve\nat 5 51-1 51-2")
    assert play.state.blocks["50-1"].area == "at-sea" and not play.state.blocks["50-1"].reserve


# -- example 17 -----------------------------------------------------------------------------------------------

FRONT = (
    "at 11 NAP-1 reserve\nat 10 LIV-1/1\nat 7 1-1 reserve\nat 18 2A-1 exploit\nat 17 HG-1\nat 9 2A-2\n"
    "at 19 45-1 reserve\ncontrol allied 7 8 9 18 19\ncontrol axis 10\navailable SA-ALLIED"
)


@rule("7.2")
def test_example_17a_napoli_reinforces_mazzarrone() -> None:
    play = reacts(FRONT, "move NAP-1 to 10")
    assert play.state.blocks["NAP-1"].area == "10" and not play.state.blocks["NAP-1"].reserve


@rule("7.3")
def test_example_17b_to_e_the_breakthrough() -> None:
    play = breaks(FRONT, "move 1-1 to 10", "exploit 2A-1 to 17", "exploit 2A-2 to 10 with SA-ALLIED", "move 45-1 to 22")
    at = {b: play.state.blocks[b].area for b in ("1-1", "2A-1", "2A-2", "45-1")}
    assert at == {"1-1": "10", "2A-1": "17", "2A-2": "10", "45-1": "22"}
    assert play.of("Moved")[-1]["path"] == ["19", "18", "22"] and play.of("Moved")[-1]["cost"] == 3
    assert play.state.chits["SA-ALLIED"].box == "used"
