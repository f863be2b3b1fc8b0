"""6.25 to 6.28, 5.23, 9.33c, 14.27, 15.2: Success Numbers and dice."""

import pytest

from pbem.games.fab_sicily.rules.d10 import success
from tests.games.fab_sicily.fights import fight, fired, rule


@rule("2.1")
def test_a_one_always_succeeds_and_a_ten_never() -> None:
    assert success(1, -3) and not success(10, 14)
    assert success(5, 5) and not success(6, 5)


@rule("2.1")
def test_every_die_is_recorded_with_side_purpose_rule_target_and_modifiers() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nworks 6 axis", "6.27: 10 | 6.28: 10")
    defence, offence = play.rolls
    assert (defence["side"], defence["rule"], defence["target"], defence["mods"]) == ("axis", "6.27", 5, [])
    assert defence["purpose"] == "defensive fire of Napoli (NAP-1) at Palazzolo Acreide [6]"
    assert (offence["side"], offence["target"], offence["mods"]) == ("allied", 2, [["field works", -1], ["terrain", -2]])


@rule("6.25")
def test_artillery_knows_neither_quality_nor_terrain() -> None:
    play = fight(
        "at 6 51-1/4\nat 6 HG-1/1\nnewly 6\navailable 24ART 98ART HGART",
        "6.25: 10 10 | 6.26: 10 | 6.27: 10 | 6.28: 10 10 10 10",
        {"assets": ["add 24ART", "add 98ART", "add HGART"]},
    )
    assert all(fired(play)[c] == (5, {}, 1) for c in ("24ART", "98ART", "HGART"))


@rule("6.26")
def test_the_defenders_artillery_fires_after_the_attackers_even_if_its_units_are_gone() -> None:
    play = fight(
        "at 6 4A/3\nat 6 NAP-1/1\nnewly 6\navailable 24ART 98ART 12ART",
        "6.25: 1 1 | 6.26: 1 | 6.8: 10",
        {"assets": ["add 24ART", "add 98ART", "add 12ART"], "disorder": "disorder"},
    )
    assert [f["part"] for f in play.of("Fired")] == ["attacking-artillery"] * 2 + ["defending-artillery"]
    assert play.state.blocks["4A"].steps == 2 and play.state.blocks["NAP-1"].area == "eliminated"


@rule("6.27")
def test_one_die_for_each_step_against_the_point_unit() -> None:
    play = fight(
        "at 6 51-1/4 50-1/1\nat 6 NAP-1/3 LIV-1/2\nnewly 6",
        "6.27: 10 10 10 10 10 | 6.28: 10 10 10 10 10",
        {"point-unit": ["point NAP-1", "point 51-1"]},
    )
    assert fired(play)["NAP-1"] == (4, {"veteran against elite": -1}, 3)
    assert fired(play)["LIV-1"] == (4, {"veteran against elite": -1}, 2)
    assert fired(play)["51-1"] == (4, {"elite against veteran": 1, "terrain": -2}, 4)
    assert fired(play)["50-1"] == (3, {"terrain": -2}, 1)


@rule("6.24")
def test_the_point_unit_and_not_the_others_decides_about_quality() -> None:
    play = fight(
        "at 6 51-1/4 50-1/1\nat 6 NAP-1/1\nnewly 6",
        "6.27: 10 | 6.28: 10 10 10 10 10",
        {"point-unit": "point 50-1"},
    )
    assert fired(play)["NAP-1"][1] == {}


@rule("2.3")
def test_quality_changes_with_the_steps_lost() -> None:
    play = fight("at 6 51-1/3\nat 6 NAP-1/1\nnewly 6", "6.27: 1 | 6.28: 10 10")
    assert fired(play)["NAP-1"][1] == {"veteran against elite": -1}
    assert fired(play)["51-1"][1] == {"terrain": -2}, "two steps of the 51st are veterans"


@rule("6.28")
def test_terrain_hinders_the_attackers_ground_fire_only() -> None:
    play = fight("at 14 50-1/1\nat 14 NAP-1/1\nnewly 14", "6.27: 10 | 6.28: 10")
    assert fired(play)["50-1"][0] == 5 - play.state.data.areas["14"].tdn
    play = fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 10")
    assert fired(play)["NAP-1"][1] == {} and fired(play)["50-1"][1] == {"terrain": -2}


@rule("9.33")
def test_disordered_recovering_and_unsupplied_units_fire_worse_and_it_adds_up() -> None:
    for marks, mods in (
        ("disordered", {"disordered": -1}),
        ("recovering", {"disordered": -1}),
        ("unsupplied", {"unsupplied": -1}),
        ("disordered unsupplied", {"disordered": -1, "unsupplied": -1}),
    ):
        play = fight(f"at 6 50-1/1\nat 6 NAP-1/1 {marks}\nnewly 6", "6.27: 10 | 6.28: 10")
        assert fired(play)["NAP-1"] == (5 + sum(mods.values()), mods, 1)
    play = fight("at 6 50-1/1 unsupplied\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 10")
    assert fired(play)["50-1"][1] == {"unsupplied": -1, "terrain": -2}


@rule("5.23")
def test_field_works_hinder_artillery_and_ground_fire_while_they_stand() -> None:
    lines = "at 6 50-1/1 50-2/1\nat 6 NAP-1/1\nnewly 6\nworks 6 axis\navailable 24ART 98ART"
    script = "6.25: {} 10 | 6.27: 10 | 6.28: 10 10 10"
    play = fight(lines, script.format(10), {"assets": ["add 24ART", "add 98ART"]})
    assert fired(play)["24ART"][1] == fired(play)["98ART"][1] == {"field works": -1}
    assert fired(play)["50-1"][1] == {"field works": -1, "terrain": -2}
    play = fight(lines, script.format(4), {"assets": ["add 24ART", "add 98ART"]})
    assert fired(play)["98ART"][1] == {"field works": -1}, "hits are applied after all dice of a segment"
    assert fired(play)["50-1"][1] == {"terrain": -2}


@rule("5.23")
def test_field_works_never_help_the_enemy() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nworks 6 axis", "6.27: 10 | 6.28: 10")
    assert fired(play)["NAP-1"][1] == {}


@rule("5.23")
def test_whether_works_hinder_the_ground_fire_of_example_14f_is_a_switch() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nworks 6 axis", "6.27: 10 | 6.28: 10", switches={"works_before_clear": False}
    )
    assert fired(play)["50-1"][1] == {"terrain": -2}


@rule("6.24")
def test_armor_against_infantry_is_a_switch() -> None:
    lines = "at 6 4A/1\nat 6 NAP-1/1\nnewly 6"
    assert fired(fight(lines, "6.27: 10 | 6.28: 10", switches={"armor_modifier": 1}))["4A"][1] == {
        "armor against infantry": 1,
        "terrain": -2,
    }
    assert fired(fight(lines, "6.27: 10 | 6.28: 10", switches={"armor_modifier": 0}))["4A"][1] == {"terrain": -2}
    armored = fight("at 6 4A/1\nat 6 HG-1/1\nnewly 6", "6.27: 10 | 6.28: 10", switches={"armor_modifier": 1})
    assert "armor against infantry" not in fired(armored)["4A"][1]


# -- 14.27 ------------------------------------------------------------------------------------------


@rule("14.27")
@pytest.mark.parametrize("kind", ["river", "beach"])
def test_an_assault_helps_the_defenders_fire_and_hinders_the_attackers(kind: str) -> None:
    lines = f"at 13 50-1/1\nat 13 NAP-1/1\nnewly 13\nassault 13 {kind}\navailable NAV-1 12ART\nbeachhead B5"
    play = fight(lines, "6.25: 10 | 6.26: 10 | 6.27: 10 | 6.28: 10", {"assets": ["add NAV-1 as artillery", "add 12ART"]})
    assert fired(play)["NAP-1"][:2] == (6, {f"{kind} assault": 1})
    assert fired(play)["50-1"][1][f"{kind} assault"] == -1
    assert fired(play)["NAV-1"][1] == fired(play)["12ART"][1] == {}, "ground fire only"


@rule("14.27")
def test_the_attackers_penalty_is_a_switch() -> None:
    lines = "at 13 50-1/1\nat 13 NAP-1/1\nnewly 13\nassault 13 river"
    play = fight(lines, "6.27: 10 | 6.28: 10", switches={"assault_penalty": False})
    assert "river assault" not in fired(play)["50-1"][1] and fired(play)["NAP-1"][0] == 6


# -- 15.2 -------------------------------------------------------------------------------------------


@rule("15.2")
def test_two_units_of_a_division_roll_one_more_die_attacking_and_defending() -> None:
    play = fight("at 6 50-1/2 50-2/1\nat 6 NAP-1/1 NAP-2/2\nnewly 6", "6.27: 10 10 10 10 | 6.28: 10 10 10 10")
    assert [fired(play)[u][2] for u in ("NAP-1", "NAP-2", "50-1", "50-2")] == [2, 2, 3, 1]


@rule("15.2")
def test_the_extra_die_uses_the_lower_success_number_at_the_time() -> None:
    play = fight(
        "at 6 51-1/4 51-2/2\nat 6 NAP-1/1\nnewly 6",
        "6.27: 10 | 6.28: " + "10 " * 7,
        {"point-unit": "point 51-1"},
    )
    assert fired(play)["51-1"] == (4, {"elite against veteran": 1, "terrain": -2}, 4)
    assert fired(play)["51-2"] == (3, {"terrain": -2}, 3)


@rule("15.2")
def test_both_units_must_take_part_when_the_dice_are_rolled() -> None:
    lost = fight("at 6 50-1/1 50-2/1\nat 6 NAP-1/1\nnewly 6", "6.27: 1 | 6.28: 10", {"point-unit": "point 50-1"})
    assert fired(lost)["50-2"][2] == 1
    idle = fight("at 6 50-1/1 50-2/1 disordered\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 10")
    assert fired(idle)["50-1"][2] == 1
    strangers = fight("at 6 50-1/1 5-1/1\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 10 10")
    assert fired(strangers)["50-1"][2] == 1


# -- 18.2 -------------------------------------------------------------------------------------------


@rule("18.2")
def test_advanced_artillery_modifiers_are_optional() -> None:
    lines = "at 6 {}\nat 6 {}\nnewly 6\navailable 24ART 12ART\n"
    script, answers = "6.25: 10 | 6.26: 10 | 6.27: 10 | 6.28: 10", {"assets": ["add 24ART", "add 12ART"]}
    play = fight(lines.format("50-1/1", "NAP-1/1"), script, answers, switches={"optional_artillery": True})
    assert fired(play)["24ART"][:2] == (5, {"against the Defender": -1, "infantry in the open": 1})
    assert fired(play)["12ART"][:2] == (6, {"infantry in the open": 1})
    play = fight(f"{lines}works 6 axis".format("4A/1", "NAP-1/1"), script, answers, switches={"optional_artillery": True})
    assert fired(play)["24ART"][:2] == (3, {"field works": -1, "against the Defender": -1})
    assert fired(play)["12ART"][:2] == (5, {})
