"""6.0, 7.4 What the audit of combat found: readings that no other test would miss."""

from __future__ import annotations

import pytest

from pbem.core.asks import Ask, Option, Refusal
from pbem.games.fab_sicily.words import choosing
from tests.games.fab_sicily.fights import dice, rule
from tests.games.fab_sicily.play import Play, board

RIVER = """
    at 15 50-1/3 shown 50-2/3 shown
    at 15 NAP-1/3 shown
    entered 15 50-1 from 14 by blown
    entered 15 50-2 from 14 by river
    assault 15 river
    blown 14-15
    control allied 14 4
    beachhead B3
    available SA-ALLIED
"""


@rule("6.41")
def test_a_second_round_of_a_river_assault_is_aborted_back_across_the_river() -> None:
    """6.41b, 9.5 The marker lies until the Supply Phase, and who aborts cannot remain in place."""
    state = board(RIVER)
    Play(state, "2 allied breakthrough", default=True)
    play = Play(
        state, "2 allied breakthrough-combat", dice("6.27: 1 1 1"),
        answers={"battle": ["fight 15 with SA-ALLIED", "done"], "abort": "abort"}, default=True,
    )
    assert not play.faces_left and play.of("Aborted")
    assert [(state.blocks[u].area, state.blocks[u].status) for u in ("50-1", "50-2")] == [("14", "disordered")] * 2


@rule("9.5")
def test_in_a_second_round_the_assault_still_counts_for_the_success_numbers() -> None:
    state = board(RIVER)
    Play(state, "2 allied breakthrough", default=True)
    play = Play(
        state, "2 allied breakthrough-combat", dice("6.27: 9 9 9 | 6.28: 9 9 9 9 9 9 9"),
        answers={"battle": ["fight 15 with SA-ALLIED", "done"]}, default=True,
    )
    assert {f["side"]: dict(f["mods"])["river assault"] for f in play.of("Fired")} == {"axis": 1, "allied": -1}


# -- refusals say why -------------------------------------------------------------------------------


FIGHT = "at 6 50-1/3\nat 6 NAP-1/3\nnewly 6\ncontrol axis 11\navailable 24ART 98ART 111ART 50BA NAV-1 AIR-1 SA-ALLIED"


@rule("6.22")
@pytest.mark.parametrize(
    ("text", "choice", "number", "words"),
    [
        (FIGHT, "add 66ART", "6.22", "not in your Available Box"),
        (FIGHT, "add SA-ALLIED", "6.22", "no asset of yours that can be assigned"),
        (FIGHT, "add NAV-1", "16.21", "not on the coast"),
        (FIGHT.replace("50-1/3", "50-1/3 unsupplied"), "add 24ART", "6.22", "50/1 50th Infantry is marked unsupplied"),
        (f"{FIGHT}\nmap 98ART 6 artillery\nmap 111ART 6 artillery", "add 24ART", "6.31", "at most 2 may fire"),
        (FIGHT.replace("at 6 50-1/3", "at 6 50-1/3 1-1/3"), "add 50BA", "6.22", "two armies"),
        (FIGHT.replace("at 6 50-1/3", "at 6 1-1/3"), "add 50BA", "6.22", "British 8th Army"),
    ],
)
def test_an_asset_that_cannot_join_is_refused_with_the_reason(text: str, choice: str, number: str, words: str) -> None:
    state = board(f"{text}\nbeachhead B3\ncontrol allied 4 5")
    got = choosing.choose(state, asset_ask("attack"), choice)
    assert isinstance(got, Refusal) and got.rule == number and words in got.reason, got


@rule("6.23")
@pytest.mark.parametrize(
    ("text", "choice", "number", "words"),
    [
        ("at 6 50-1/3\nat 6 NAP-1/3\navailable 12ART 54ART\nmap 54ART 6 artillery", "add 12ART", "6.31", "at most 1 may fire"),
        ("at 6 50-1/3\nat 6 NAP-1/3\navailable GMD GMF\nmap GMD 6 battle", "add GMF", "16.11", "one Italian battle asset"),
        ("at 6 50-1/3\nmap AXENG-1 6 roadblock\navailable TIGER LUFT-1", "add TIGER", "4.35", "one artillery asset only"),
        ("at 6 50-1/3\nmap AXENG-1 6 roadblock\navailable TIGER LUFT-1", "add LUFT-1", "4.35", "one artillery asset only"),
        ("at 6 50-1/3\nat 6 NAP-1/3\navailable LUFT-1 LUFT-2\nmap LUFT-1 6 air", "add LUFT-2", "16.32", "one a battle"),
        ("at 6 50-1/3\nat 6 NAP-1/3\ncontrol allied 11 12 13 3 7 10\navailable 12ART", "add 12ART", "6.23", "no supply path"),
    ],
)
def test_an_asset_that_cannot_help_the_defence_is_refused_too(text: str, choice: str, number: str, words: str) -> None:
    got = choosing.choose(board(f"{text}\ncontrol allied 4 5"), asset_ask("defence"), choice)
    assert isinstance(got, Refusal) and got.rule == number and words in got.reason, got


def asset_ask(role: str) -> Ask:
    side, number = ("allied", "6.22") if role == "attack" else ("axis", "6.23")
    facts = {"battle": role, "area": "6"}
    return Ask(side, "assets", number, "2 allied combat", lambda: [Option("done")], "done", "", "6", facts)


# -- other choices of a battle --------------------------------------------------------------------------


def refused(text: str, kind: str, choice: str, number: str, where: str = "6", side: str = "axis", **facts: str) -> Refusal:
    known = {"battle": "defence", "area": "6", **facts}
    asked = Ask(side, kind, number, "2 allied combat", lambda: [Option("none of them")], "none of them", "", where, known)
    got = choosing.choose(board(f"{text}\ncontrol allied 4 5\nbeachhead B3"), asked, choice)
    assert isinstance(got, Refusal), got
    return got


@rule("8.23")
@pytest.mark.parametrize(
    ("text", "number", "words"),
    [
        ("at 6 50-1 NAP-1\nat 16 HG-1\navailable SA-AXIS", "8.23", "not in an area adjacent"),
        ("at 6 50-1 NAP-1\nat 11 HG-1 5-1\navailable SA-AXIS", "8.23", "contested area"),
        ("at 6 50-1 NAP-1\nat 11 HG-1 recovering\navailable SA-AXIS", "8.23", "not in good order"),
        ("at 6 50-1 NAP-1\nat 11 HG-1 unsupplied\navailable SA-AXIS", "9.34d", "open a supply path"),
        ("at 6 50-1 NAP-1 NAP-2\nat 11 HG-1\navailable SA-AXIS", "5.1", "no room for a third"),
        ("at 6 50-1\nmap AXENG-1 6 roadblock\nat 11 HG-1\navailable SA-AXIS", "8.23", "only assets"),
        ("at 6 50-1 NAP-1\nat 11 HG-1", "8.1", "no Special Action"),
    ],
)
def test_a_unit_that_cannot_reinforce_is_told_why(text: str, number: str, words: str) -> None:
    got = refused(text, "before-battle", "reinforce with HG-1 using SA-AXIS", "6.21")
    assert got.rule == number and words in got.reason, got


@rule("8.24")
def test_a_defender_who_cannot_slip_away_is_told_why() -> None:
    here = "at 6 50-1 NAP-1"
    around = "control allied 3 7 11 12 13"
    assert refused(f"{here}\n{around}\navailable SA-AXIS", "before-battle", "retreat using SA-AXIS", "6.21").rule == "6.6"
    assert refused(here, "before-battle", "retreat using SA-AXIS", "6.21").rule == "8.1"
    assert refused(f"{here} unsupplied\navailable SA-AXIS", "before-battle", "retreat using SA-AXIS", "6.21").rule == "9.34d"
    assert refused("at 6 50-1\nmap AXENG-1 6 roadblock", "before-battle", "retreat using SA-AXIS", "6.21").rule == "4.35"


@rule("6.43")
def test_losses_and_point_units_out_of_turn_are_refused_with_the_reason() -> None:
    here = "at 6 50-1 NAP-1 NAP-2"
    assert "point unit takes the first loss" in refused(here, "loss", "lose NAP-2", "6.43").reason
    assert refused(here, "loss", "lose NAP-2", "6.41").rule == "6.41a"
    assert refused(here, "point-unit", "point TIGER", "6.24").rule == "6.24"
    assert refused(here, "retreat-to", "retreat NAP-1 to 16", "6.6", "NAP-1").rule == "6.6"
    got = refused(here, "point-unit", "point 50-1", "6.24", side="allied", battle="attack", assault="airborne")
    assert got.rule == "14.27a"


@rule("14.27")
def test_a_drop_that_is_not_allowed_says_why() -> None:
    assert refused("at airborne 1AB-1\nat 4 50-1", "drop", "drop 1AB-1 at 6", "14.27a", "", "allied").rule == "14.27a"
    full = "at airborne 1AB-1\nat 4 50-1\nat 13 5-1\nat 6 51-1 51-2"
    assert refused(full, "drop", "drop 1AB-1 at 6", "14.27a", "", "allied").rule == "5.1"
    beyond = "at airborne 1AB-1\nat 6 50-1\nat 3 5-1"
    assert refused(beyond, "drop", "drop 1AB-1 at 7", "14.27a", "", "allied").rule == "14.41"


@rule("5.4")
@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("at 12 50-1", "5.4"),
        ("map AIR-1 15 interdiction", "16.33"),
        ("unsupplied axis 15", "5.4"),
        ("at 15 NAP-1 NAP-2", "5.1"),
        ("control allied 25 14 11 12 16 26", "5.4"),
    ],
)
def test_a_strategic_move_that_is_not_possible_says_why(text: str, number: str) -> None:
    goal = "12" if text.startswith("at 12") else "15"
    asked = Ask("axis", "strategic", "5.4", "2 axis strategic", lambda: [Option("done")], "done")
    got = choosing.choose(board(f"at 17 HG-1 reserve\n{text}"), asked, f"strat HG-1 to {goal}")
    assert isinstance(got, Refusal) and got.rule == number and board("").data.areas[goal].name in got.reason, got
