"""15.3 Green Italian units."""

from pbem.games.fab_sicily.position import board as boards
from tests.games.fab_sicily.fights import absorbed, asks, fight, fired, rule

LINES = "at 13 50-1/1\ngarrison 13 S-1\nnewly 13\nbeachhead B5\n"
CARDS = ["S-rec1a", "S-rec1b", "S-rec1c", "S-rec1d", "S-rec1e", "S-rec1f", "S-rec1g", "S-rec2a", "S-rec2b", "S-vet2"]


@rule("15.3")
def test_a_die_decides_which_garrison_it_is_and_only_at_the_reveal() -> None:
    play = fight(LINES, "15.3b: 10 | 15.3b: 5 | 6.27: 10 10 | 6.28: 10")
    assert play.of("Identified") == [{"type": "Identified", "block": "S-1", "card": "S-vet2", "steps": 2}]
    assert play.rolls[0]["sides"] == len(CARDS) and "S-vet2" not in play.state.pool
    kinds = [e["type"] for e in play.events]
    assert kinds.index("Identified") < kinds.index("PointUnits") < kinds.index("MoraleChecked")


@rule("15.3")
def test_the_cards_left_are_drawn_from() -> None:
    play = fight(f"{LINES}garrison 14 S-2 is S-rec1a", "15.3b: 9 | 15.3b: 5 | 6.27: 10 10 | 6.28: 10")
    assert play.rolls[0]["sides"] == 9 and play.of("Identified")[0]["card"] == "S-vet2"


@rule("15.3")
def test_it_is_revealed_after_assets_and_point_units() -> None:
    play = fight(
        f"{LINES}available NAV-1 12ART",
        "15.3b: 10 5 | 6.25: 10 | 6.26: 10 | 6.27: 10 10 | 6.28: 10",
        {("assets", "13"): ["add NAV-1 as artillery", "add 12ART"]},
    )
    kinds = [e["type"] for e in play.events]
    assert max(i for i, k in enumerate(kinds) if k == "AssetCommitted") < kinds.index("Identified")


@rule("15.3")
def test_recruits_check_at_minus_two_and_are_disordered_if_they_fail() -> None:
    failed = fight(LINES, "15.3b: 1 4 | 6.27: 10 | 6.28: 10")
    assert failed.rolls[1]["target"] == 3 and failed.state.blocks["S-1"].status == "disordered"
    passed = fight(LINES, "15.3b: 1 3 | 6.27: 10 | 6.28: 10")
    assert passed.state.blocks["S-1"].status == "good"


@rule("15.3")
def test_recruits_never_get_a_positive_modifier() -> None:
    assault = f"{LINES}assault 13 beach\navailable LUFT-1"
    answers = {"assets": "add LUFT-1", "air-role": "support S-1"}
    recruit = fight(assault, "15.3b: 1 3 | 6.27: 10 | 6.28: 10", answers)
    assert fired(recruit)["S-1"][:2] == (4, {"green against veteran": -1})
    veteran = fight(assault, "15.3b: 10 5 | 6.27: 10 10 | 6.28: 10", answers)
    assert fired(veteran)["S-1"][:2] == (8, {"beach assault": 1, "air support": 2})


@rule("15.3")
def test_once_proven_a_recruit_gets_all_modifiers() -> None:
    play = fight(
        "at 13 50-1/1\ngarrison 13 S-1 is S-rec1a proven\nnewly 13\nassault 13 river\nbeachhead B5", "6.27: 10 | 6.28: 10"
    )
    assert fired(play)["S-1"][:2] == (5, {"green against veteran": -1, "river assault": 1})
    assert not play.of("MoraleChecked", "Proven")


@rule("15.3")
def test_who_survives_the_round_is_a_veteran_unit() -> None:
    play = fight(LINES, "15.3b: 1 3 | 6.27: 10 | 6.28: 10")
    assert [p["block"] for p in play.of("Proven")] == ["S-1"] and play.state.blocks["S-1"].proven
    assert not boards.green_garrison(play.state, "S-1")
    lost = fight(LINES, "15.3b: 1 3 | 6.27: 10 | 6.28: 1", {"retreat-or-loss": "lose"})
    assert not lost.of("Proven")


@rule("15.3")
def test_who_retreats_survives_too_and_is_turned_away_from_the_enemy() -> None:
    play = fight(LINES, "15.3b: 1 3 | 6.27: 10 | 6.28: 1", {"retreat-or-loss": "retreat"})
    unit = play.state.blocks["S-1"]
    assert unit.proven and not unit.shown and unit.area != "13" and absorbed(play, "axis") == ["retreat"]


@rule("15.3")
def test_a_garrison_that_slips_away_stays_unknown() -> None:
    play = fight(f"{LINES}available SA-AXIS", "", {"before-battle": "retreat using SA-AXIS"})
    unit = play.state.blocks["S-1"]
    assert (unit.card, unit.shown, unit.proven) == ("", False, False) and not play.of("Identified")


@rule("15.3")
def test_its_owner_knows_no_more_than_that_it_is_a_garrison() -> None:
    play = fight(f"{LINES}garrison 13 S-2", "15.3b: 1 1 3 3 | 6.27: 10 10 | 6.28: 10")
    [ask] = asks(play, "point-unit", "axis")
    assert {o.tags for o in ask.options} == {("strongest", "weakest", "infantry", "green"), ("infantry", "green")}
    assert ask.facts["steps"] == 2
