"""The rulebook's worked examples 10, 13, 14 and 15, with its own dice (example 12 is a case file).

Slips of the book are settled as elsewhere: 14D scores a recruit -2 against the 3rd Infantry, where 14F makes
that unit a veteran one (-1); 14F forgets the -1 for the field works that still stand; 14F, 14G and 15C leave
out the -1 of the assault that 10B has (the switch ``assault_penalty``).
"""

from pbem.games.fab_sicily.rules import drop
from tests.games.fab_sicily.fights import absorbed, asks, fight, fired, rule
from tests.games.fab_sicily.play import board

NO_PENALTY = {"assault_penalty": False}


# -- example 10 -------------------------------------------------------------------------------------

GELA_10 = "at 19 1-1/4\ngarrison 19 S-1\nworks 19 axis\nassault 19 beach\nnewly 19\nbeachhead A2\nentered 19 1-1 from A2 by sea\n"


@rule("E10")
def test_10a_a_recruit_checks_its_morale_and_gets_no_bonus_against_the_landing() -> None:
    play = fight(GELA_10, "15.3b: 1 2 | 6.27: 5 | 6.28: 10 10 10 10")
    assert play.rolls[1]["target"] == 3 and play.of("MoraleChecked")[0]["passed"]
    assert fired(play)["S-1"][:2] == (4, {"green against veteran": -1})
    assert play.of("Fired")[0]["hits"] == 0


@rule("E10")
def test_10b_the_landing_fires_at_a_recruit_in_field_works() -> None:
    play = fight(GELA_10, "15.3b: 1 2 | 6.27: 5 | 6.28: 10 10 10 10")
    assert fired(play)["1-1"][:2] == (4, {"veteran against green": 1, "field works": -1, "beach assault": -1})
    assert [p["block"] for p in play.of("Proven")] == ["S-1"]
    shocked = fight(f"{GELA_10}available NAV-1", "15.3b: 1 2 | 6.27: 5 | 6.28: 10 10 10 10", {"assets": "add NAV-1 as shock"})
    assert fired(shocked)["1-1"][0] == 5


# -- example 13 -------------------------------------------------------------------------------------


@rule("E13")
def test_13a_where_the_1st_airborne_may_drop() -> None:
    state = board(
        "at airborne 1AB-1\nat 13 5-1 5-2\nat 5 50-1 50-2\nat 4 51-1 51-2\nat 2 1C-1 1C-2\nat 1 231\nat 8 1-1 1-2\nat 6 NAP-1"
    )
    assert [o.data["area"] for o in drop.options(state)] == ["1", "3", "6"]


# -- example 14 -------------------------------------------------------------------------------------

LICATA = (
    "at 20 3-1/4 3-2/4\ngarrison 20 S-1\nworks 20 axis\nassault 20 beach\nnewly 20\nbeachhead A1\navailable 1RGR\n"
    "entered 20 3-1 from A1 by sea\nentered 20 3-2 from A1 by sea"
)
GELA = (
    "at 19 1-1/4 1-2/4\ngarrison 19 S-2\nworks 19 axis\nassault 19 beach\nnewly 19\nbeachhead A2\navailable NAV-1\n"
    "entered 19 1-1 from A2 by sea\nentered 19 1-2 from A2 by sea"
)
LICATA_DICE = "15.3b: 1 5 | 6.27: 9 | 6.28: 2 4 5 9 10 1 6 8 9 5"
GELA_DICE = "15.3b: 10 5 | 6.27: 1 5 | 6.28: 2 4 6 9 5 8 9"
GELA_PLAN = {"assets": "add NAV-1 as shock", "point-unit": "point 1-1", "abort": "press"}


def licata(**switches: bool):  # type: ignore[no-untyped-def]
    answers = {"assets": "add 1RGR", "clear-works": "fire", "point-unit": "point 3-1", "retreat-or-loss": "retreat"}
    return fight(LICATA, LICATA_DICE, {**answers, "retreat-to": "retreat S-1 to 21"}, switches=switches)


def gela(**switches: bool):  # type: ignore[no-untyped-def]
    return fight(
        GELA, GELA_DICE, {**GELA_PLAN, "retreat-or-loss": "retreat", "retreat-to": "retreat S-2 to 18"}, switches=switches
    )


@rule("E14")
def test_14a_the_garrison_of_licata_loses_its_nerve_and_keeps_its_works() -> None:
    play = licata()
    assert play.rolls[1]["target"] == 3 and not play.of("MoraleChecked")[0]["passed"]
    assert play.of("StatusSet")[0] == {"type": "StatusSet", "block": "S-1", "status": "disordered", "rule": "15.3b"}
    kinds = [e["type"] for e in play.events]
    assert kinds.index("StatusSet") < kinds.index("Fired") < kinds.index("Works")


@rule("E14")
def test_14b_the_garrison_of_gela_is_the_best_there_is_and_holds() -> None:
    play = gela()
    assert play.of("Identified")[0]["card"] == "S-vet2"
    assert play.rolls[1]["target"] == 5 and play.of("MoraleChecked")[0]["passed"]


@rule("E14")
def test_14c_the_ships_shock_the_works_of_gela() -> None:
    play = gela()
    assert [(w["area"], w["rule"]) for w in play.of("Works")] == [("19", "16.21")] and "NAV-1" not in fired(play)


@rule("E14")
def test_14d_a_disordered_recruit_fires_without_the_bonus_against_assaults() -> None:
    play = licata()
    assert fired(play)["S-1"] == (3, {"green against veteran": -1, "disordered": -1}, 1)
    assert not absorbed(play, "allied")


@rule("E14")
def test_14e_the_veterans_of_gela_hit_twice_one_loss_a_block() -> None:
    play = gela()
    assert fired(play)["S-2"] == (6, {"beach assault": 1}, 2)
    assert absorbed(play, "allied") == ["lost 1-1", "lost 1-2"] and asks(play, "abort")


@rule("E14")
def test_14f_the_works_the_retreat_and_a_loss_destroy_the_garrison_of_licata() -> None:
    play = licata(assault_penalty=False, works_before_clear=False)
    assert [(f["firer"], f["target"], f["hits"]) for f in play.of("Fired") if f["side"] == "allied"] == [
        ("3-1", 6, 3), ("3-2", 6, 2), ("1RGR", 7, 1),
    ]  # fmt: skip
    assert absorbed(play, "axis") == ["field-works", "retreat", "lost S-1", "unapplied", "unapplied", "unapplied"]
    by_the_rules = licata()
    assert [f["target"] for f in by_the_rules.of("Fired") if f["side"] == "allied"] == [4, 4, 5]
    assert absorbed(by_the_rules, "axis")[:3] == ["field-works", "retreat", "lost S-1"]
    assert not by_the_rules.of("MoraleChecked")[1:], "no exploitation: infantry, and an assault"


@rule("E14")
def test_14g_three_hits_destroy_the_garrison_of_gela() -> None:
    play = gela(assault_penalty=False)
    assert [(f["firer"], f["target"], len(f["faces"]), f["hits"]) for f in play.of("Fired") if f["side"] == "allied"] == [
        ("1-1", 5, 4, 2), ("1-2", 5, 3, 1),
    ]  # fmt: skip
    assert absorbed(play, "axis") == ["retreat", "lost S-2", "lost S-2"]
    assert play.state.blocks["S-2"].area == "eliminated" and play.state.control["19"] == "allied"


# -- example 15 -------------------------------------------------------------------------------------

AOSTA = "at 47 1-1/4\ncontrol allied 47\nat 36 AOS-2/3\nat 34 AOS-1/3\nworks 34 axis\navailable AIR-1 AIR-2 RCT30-1"


def flank_invasion():  # type: ignore[no-untyped-def]
    """Sant'Agata [34] is invaded in the Admin Phase, with two aircraft as in the book."""
    return fight(
        AOSTA,
        "6.25: 2 | 6.27: 10 10 10 | 6.28: 5",
        {
            "admin": ["invade 34 with RCT30-1", "done"], "assets": ["add AIR-1", "add AIR-2"],
            "air-role": ["artillery", "support RCT30-1"], "retreat-or-loss": "retreat", "retreat-to": "retreat AOS-1 to 31",
        },
        "2 allied admin",
        {"assault_penalty": False, "flank_air": 2},
    )  # fmt: skip


@rule("E15")
def test_15a_the_invasion_fights_at_once_as_an_assault() -> None:
    play = flank_invasion()
    assert play.of("BattleBegan")[0]["attacker"] == "allied" and play.of("PointUnits")[0]["attacker"] == "RCT30-1"
    assert fired(play)["AOS-1"][:2] == (6, {"beach assault": 1})


@rule("E15")
def test_15b_aircraft_as_artillery_destroy_the_works() -> None:
    play = flank_invasion()
    assert fired(play)["AIR-1"] == (4, {"field works": -1}, 1) and absorbed(play, "axis")[0] == "field-works"


@rule("E15")
def test_15c_aircraft_support_the_invasion() -> None:
    assert fired(flank_invasion())["RCT30-1"] == (5, {"terrain": -2, "air support": 2}, 1)


@rule("E15")
def test_15d_the_aosta_retreats_and_the_invasion_stays() -> None:
    play = flank_invasion()
    assert absorbed(play, "axis") == ["field-works", "retreat"]
    aosta = play.state.blocks["AOS-1"]
    assert (aosta.area, aosta.status) == ("31", "disordered")
    assert (play.state.chits["RCT30-1"].box, play.state.chits["RCT30-1"].area) == ("map", "34")
    assert play.state.control["34"] == "axis", "an asset does not change control"


@rule("16.32")
def test_by_the_rule_a_flank_invasion_has_one_air_asset_as_well() -> None:
    play = fight(
        AOSTA,
        "6.25: 10 | 6.27: 10 10 10 | 6.28: 10",
        {"admin": ["invade 34 with RCT30-1", "done"], "assets": "add AIR-1", "air-role": "artillery"},
        "2 allied admin",
    )
    assert len(asks(play, "assets")) == 1


@rule("17.22")
def test_one_hit_ends_a_flank_invasion_and_nothing_is_aborted() -> None:
    play = fight(
        AOSTA,
        "6.27: 1 1 10",
        {"admin": ["invade 34 with RCT30-1", "done"]},
        "2 allied admin",
    )
    assert absorbed(play, "allied") == ["lost RCT30-1", "unapplied"] and not asks(play, "abort")
    assert play.state.chits["RCT30-1"].box == "eliminated"
