"""8.1, 9.0, 10.0 Declaration, combat, support: odds, shifts, modifiers, losses, advance, counterattack."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position import board as boards
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.rules import declaring, losses, odds, support
from pbem.games.invasion_sicily.rules.losses import Result
from tests.games.invasion_sicily.play import Play, board, data, refusal


OPEN = "at 1924 US-16 US-26 \n at 2024 GE-1HG \n attack 2024 US-16 US-26"
"""Two regiments (7 and 7) against one (6) in the clear: 2:1; ratings 7 and 5."""


def fight(text: str, dice: list[tuple[str, int]], step: str = "2 allied combat", **answers: object) -> Play:
    return Play(board(text), step, dice, {k.replace("_", "-"): v for k, v in answers.items()})


# -- 8.1 declaration --------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "8.1")
@pytest.mark.rule("invasion_sicily", "8.1.1")
@pytest.mark.rule("invasion_sicily", "9.1.1")
def test_attacks_are_declared_in_the_movement_phase_and_cannot_be_taken_back() -> None:
    state = board("at 1924 US-16 US-26 \n at 2024 GE-1HG")
    play = Play(state, "2 allied movement", answers={"movement": ["attack 2024 with US-16", "move US-16 to 1824"]})
    assert play.of(e.Declared) == [e.Declared("2024", ("US-16",), "8.1.1")]
    assert play.refused[0].rule == "8.1.1", "who attacks stays"


@pytest.mark.rule("invasion_sicily", "8.1.1")
@pytest.mark.rule("invasion_sicily", "9.1.5")
@pytest.mark.rule("invasion_sicily", "9.1.6")
def test_a_unit_attacks_once_and_units_of_a_stack_may_attack_different_hexes() -> None:
    state = board("at 1924 US-16 US-26 \n at 2024 GE-1HG \n at 1925 IT-MG")
    answers = {"movement": ["attack 2024 with US-16", "attack 1925 with US-16", "attack 1925 with US-26"]}
    play = Play(state, "2 allied movement", answers=answers)
    assert play.state.attacks == {"2024": ["US-16"], "1925": ["US-26"]}
    assert play.refused[0].rule == "8.1.1"


@pytest.mark.rule("invasion_sicily", "8.1.2")
def test_only_adjacent_units_attack() -> None:
    state = board("at 1824 US-16 \n at 2024 GE-1HG")
    assert refusal(state, "movement", "attack 2024 with US-16").rule == "8.1.2"


@pytest.mark.rule("invasion_sicily", "8.1.3")
def test_no_attack_without_a_strength() -> None:
    """A tank battalion of 2 is halved to 1 into a mountain, and to 0 when it is out of supply."""
    state = board("at 2326 US-70T \n at 2327 IT-75")
    assert declaring.strength(state, "US-70T", "2327") == 1
    state.units["US-70T"].marks = ["unsupplied"]
    assert refusal(state, "movement", "attack 2327 with US-70T").rule == "8.1.3"
    assert refusal(board("at 2326 US-531 \n at 2327 IT-75"), "movement", "attack 2327 with US-531").rule == "8.1.3"


@pytest.mark.rule("invasion_sicily", "8.1.4")
@pytest.mark.rule("invasion_sicily", "9.2.5")
def test_nobody_attacks_where_he_could_not_go() -> None:
    state = board("at 2227 US-CCA \n at 2327 IT-75")
    assert refusal(state, "movement", "attack 2327 with US-CCA").rule == "8.1.4"


@pytest.mark.rule("invasion_sicily", "9.1")
@pytest.mark.rule("invasion_sicily", "9.1.2")
@pytest.mark.rule("invasion_sicily", "9.1.3")
@pytest.mark.rule("invasion_sicily", "9.1.4")
def test_only_declared_units_fight_and_only_declared_hexes_are_attacked() -> None:
    play = fight("at 1924 US-16 US-26 \n at 2024 GE-1HG \n at 1925 IT-MG \n attack 2024 US-16", [("9.4", 9)])
    assert play.result.attack == 7
    assert [x.hex for x in play.of(e.CombatBegan)] == ["2024"]


@pytest.mark.rule("invasion_sicily", "9.1.7")
@pytest.mark.rule("invasion_sicily", "9.0")
def test_all_declared_combats_are_resolved_in_the_order_that_the_attacker_likes() -> None:
    text = "at 1924 US-16 US-26 \n at 2024 GE-1HG \n at 1925 IT-MG \n attack 2024 US-16 \n attack 1925 US-26"
    play = fight(text, [("9.4", 5), ("9.4", 9)], battle="fight 1925")
    assert [x.hex for x in play.of(e.CombatBegan)] == ["1925", "2024"]
    assert not play.state.attacks


# -- 9.4 III odds, IV armor -------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "9.4")
@pytest.mark.parametrize(
    ("attack", "defence", "column"),
    [(29, 10, "2:1"), (30, 10, "3:1"), (10, 10, "1:1"), (9, 10, "1:2"), (10, 31, ""), (10, 30, "1:3"), (80, 10, "8:1"),
     (5, 0, "8:1")],
)
def test_example_3_odds_are_rounded_for_the_defender(attack: int, defence: int, column: str) -> None:
    assert odds.ratio(data(), attack, defence).column == column


@pytest.mark.rule("invasion_sicily", "9.4")
@pytest.mark.parametrize(("attack", "over"), [(80, 0), (90, -1), (100, -2), (110, -3), (200, -3)])
def test_odds_above_eight_to_one_help_the_die(attack: int, over: int) -> None:
    assert odds.ratio(data(), attack, 10) == odds.Ratio(f"{attack // 10}:1", "8:1", over)


@pytest.mark.rule("invasion_sicily", "9.4")
def test_odds_below_one_to_three_eliminate_the_attackers_without_a_die() -> None:
    play = fight("at 1924 US-1R \n at 2024 GE-PzHG GE-1HG \n attack 2024 US-1R", [])
    assert play.result.result == "E"
    assert [x.unit for x in play.of(e.Eliminated)] == ["US-1R"]
    assert play.state.units["GE-1HG"].reduced is False


ARMOR = "at 1924 US-CCA \n at 2024 IT-33/1 \n attack 2024 US-CCA"
"""8 against 2: 4:1 in clear terrain."""


@pytest.mark.rule("invasion_sicily", "9.4")
@pytest.mark.rule("invasion_sicily", "9.3.2")
@pytest.mark.parametrize(
    ("change", "column"),
    [
        ("", "5:1"),                                        # the shift
        ("strongpoint 2024", "4:1"),                        # b
        ("at 2024 IT-10S", "2:1"),                          # c: an antitank unit (2 + 2)
        ("at 2024 IT-ME", "2:1"),                           # c: armor (2 + 1, 8:3)
    ],
)
def test_example_5_armor_shifts_a_column_in_the_open(change: str, column: str) -> None:
    """E5: a, b and c; d (a river) below."""
    play = fight(f"{ARMOR} \n {change}", [("9.4", 5)])
    assert play.of(e.CombatResolved)[0].column == column


@pytest.mark.rule("invasion_sicily", "9.4")
def test_no_shift_for_armor_across_a_river_or_led_by_infantry() -> None:
    """The Gela runs between 1922 and 1923."""
    river = fight("at 1922 US-CCA \n at 1923 IT-33/1 \n attack 1923 US-CCA", [("9.4", 5)])
    assert river.result.column == "4:1"
    led = fight("at 1924 US-CCA US-16 \n at 2024 IT-33/1 \n attack 2024 US-CCA US-16", [("9.4", 5)], lead="lead US-16")
    assert led.result.column == "7:1"


@pytest.mark.rule("invasion_sicily", "9.4")
def test_a_shift_at_eight_to_one_counts_as_nine_to_one() -> None:
    assert odds.ratio(data(), 80, 10, True) == odds.Ratio("8:1", "8:1", -1, True)


# -- 9.4 V, VI modifiers ----------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "9.4")
@pytest.mark.rule("invasion_sicily", "9.2")
@pytest.mark.rule("invasion_sicily", "9.2.1")
@pytest.mark.rule("invasion_sicily", "9.2.2")
def test_the_defender_has_the_highest_modifier_of_his_hex() -> None:
    state = board("at 1924 US-16")
    assert odds.terrain_drm(state, "2024") == ("clear", 0)
    assert odds.terrain_drm(state, "2122") == ("hill", 1)
    assert odds.terrain_drm(state, "2028") == ("city", 2), "Ragusa lies on hills"
    assert odds.terrain_drm(state, "1619")[1] == 1, "clear and hill"


@pytest.mark.rule("invasion_sicily", "9.2.4")
def test_a_river_counts_if_all_attackers_come_over_it() -> None:
    """The Gela runs between 1923 and 1823 and 1922, but not between 1923 and 1924."""
    state = board("at 1924 US-16")
    assert odds.hexside_drm(state, "1923", ["1823", "1922"])[1] == 1
    assert odds.hexside_drm(state, "1923", ["1823", "1924"])[1] == 0


@pytest.mark.rule("invasion_sicily", "9.2.3")
def test_example_8_armor_is_halved_into_mountains_and_for_each_marker() -> None:
    """E8: 5, by road into a mountain 2, out of supply 1, disrupted as well 0."""
    state = board("at 2326 CA-1T \n at 2327 IT-75")
    values = []
    for marks in ([], ["unsupplied"], ["disrupted", "unsupplied"]):
        state.units["CA-1T"].marks = marks
        values.append(declaring.strength(state, "CA-1T", "2327"))
    assert values == [2, 1, 0]


@pytest.mark.rule("invasion_sicily", "9.4")
@pytest.mark.rule("invasion_sicily", "3.6.1")
@pytest.mark.rule("invasion_sicily", "3.6.3")
def test_example_4_ratings_compared() -> None:
    """E4: 5 against 7 is +2; a disrupted defender evens it; the net is within -3 and +3."""
    state = board("at 1924 US-157 \n at 2024 GE-Schm")
    assert boards.combat_er(state, "GE-Schm") - boards.combat_er(state, "US-157") == 2
    state.units["GE-Schm"].marks = ["disrupted"]
    assert boards.combat_er(state, "GE-Schm") - boards.combat_er(state, "US-157") == 0
    assert odds.net([("a", -4)]) == -3 and odds.net([("a", 2), ("b", 3)]) == 3 and odds.net([("a", 2), ("b", -1)]) == 1


@pytest.mark.rule("invasion_sicily", "14.3.3")
@pytest.mark.rule("invasion_sicily", "3.6.3")
def test_italians_lose_a_point_after_the_fall_and_no_rating_is_below_zero() -> None:
    state = board("at 2024 IT-33 IT-75/1 \n fallen")
    assert boards.er(state, "IT-33") == 3
    state.units["IT-75"].marks = ["disrupted", "unsupplied"]
    assert boards.combat_er(state, "IT-75") == 0, "2 - 1 - 2 - 2"


@pytest.mark.rule("invasion_sicily", "14.2")
@pytest.mark.rule("invasion_sicily", "14.2.1")
@pytest.mark.rule("invasion_sicily", "14.2.2")
def test_mixed_nationalities_cost_one_but_canadians_are_british() -> None:
    mixed = fight("at 1924 US-16 BR-13 \n at 2024 GE-1HG \n attack 2024 US-16 BR-13", [("9.4", 9)])
    assert ("US and British units", 1) in mixed.result.mods
    same = fight("at 1924 CA-1 BR-13 \n at 2024 GE-1HG \n attack 2024 CA-1 BR-13", [("9.4", 9)])
    assert "US and British units" not in dict(same.result.mods)
    french = fight("at 1924 US-16 FR-4T \n at 2024 GE-1HG \n attack 2024 US-16 FR-4T", [("9.4", 9)])
    assert "US and British units" not in dict(french.result.mods)


@pytest.mark.rule("invasion_sicily", "16.2.1")
def test_a_strongpoint_adds_one() -> None:
    play = fight(f"{OPEN} \n strongpoint 2024", [("9.4", 9)])
    assert ("strongpoint", 1) in play.result.mods


# -- 9.3 coordination ------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "9.3")
@pytest.mark.rule("invasion_sicily", "9.3.1")
def test_from_one_hex_all_attack_at_full_strength_without_a_check() -> None:
    assert fight(OPEN, [("9.4", 9)]).result.attack == 14


TWO = "at 1924 US-16 \n at 1923 US-26 US-1R \n at 2024 GE-1HG \n attack 2024 US-16 US-26 US-1R"


@pytest.mark.rule("invasion_sicily", "9.3.2")
@pytest.mark.rule("invasion_sicily", "9.3.3")
def test_other_hexes_check_or_count_half() -> None:
    """7 and, from the other hex, 7 + 2 = 9: at full strength, or 4."""
    passed = fight(TWO, [("9.3.3", 7), ("9.4", 9)], lead="lead US-16")
    assert passed.result.attack == 16
    failed = fight(TWO, [("9.3.3", 8), ("9.4", 9)], lead="lead US-16")
    assert failed.result.attack == 11


@pytest.mark.rule("invasion_sicily", "9.3.4")
def test_a_ranger_makes_no_check_for_others_but_for_its_own_kind() -> None:
    """US-1R has 8, US-26 has 7: a roll of 8 fails with US-26, and passes where only rangers stand."""
    fight(TWO, [("9.3.3", 8), ("9.4", 9)], lead="lead US-16")
    alone = "at 1924 US-16 \n at 1923 US-1R US-4R \n at 2024 GE-1HG \n attack 2024 US-16 US-1R US-4R"
    assert fight(alone, [("9.3.3", 8), ("9.4", 9)], lead="lead US-16").result.attack == 11


@pytest.mark.rule("invasion_sicily", "9.3.4")
def test_a_ranger_that_leads_others_costs_a_victory_point() -> None:
    play = fight(TWO, [("9.3.3", 5), ("9.4", 9)], lead="lead US-1R")
    assert [x.points for x in play.of(e.Scored)] == [-1]


@pytest.mark.rule("invasion_sicily", "9.3.2")
def test_a_sound_stack_leads_before_one_out_of_supply() -> None:
    text = "at 1924 US-16 unsupplied \n at 1923 US-157 \n at 2024 GE-1HG \n attack 2024 US-16 US-157"
    play = fight(text, [("9.3.3", 1), ("9.4", 9)])
    assert play.of(e.CombatBegan)[0].lead == "US-157"
    assert play.result.attack == 6 + 3, "7 halved"


@pytest.mark.rule("invasion_sicily", "9.3.5")
@pytest.mark.rule("invasion_sicily", "9.3.6")
def test_artillery_leads_no_attack_and_no_defence_in_which_it_supports() -> None:
    text = "at 1924 US-16 US-62F \n at 2024 GE-1HG GE-ArtHG \n attack 2024 US-16 US-62F"
    play = fight(text, [("9.4", 9)])
    leads = [a for a in play.asked if a.kind == "lead"]
    assert not leads, "there is one on each side that may"
    assert play.of(e.CombatBegan)[0].lead == "US-16"


# -- 10 support --------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "10.1")
@pytest.mark.rule("invasion_sicily", "10.1.1")
@pytest.mark.rule("invasion_sicily", "10.1.4")
def test_a_gun_in_the_lead_hex_needs_no_check_others_do() -> None:
    """US-1A in the lead hex, US-36F three hexes away (range 3)."""
    text = f"{OPEN} \n at 1924 US-1A \n at 1822 US-36F"
    play = fight(text, [("10.1.3", 6), ("9.4", 9)])
    assert play.result.attack == 14 + 4 + 3
    failed = fight(text, [("10.1.3", 7), ("9.4", 9)])
    assert failed.result.attack == 14 + 4
    assert failed.state.units["US-36F"].has("fired"), "marked either way"


@pytest.mark.rule("invasion_sicily", "10.1.7")
@pytest.mark.rule("invasion_sicily", "10.1.4")
def test_a_gun_fires_once_in_a_phase() -> None:
    state = board(f"{OPEN} \n at 1924 US-1A fired")
    assert support.why_not_fire(state, "US-1A", "2024", True).rule == "10.1.4"  # type: ignore[union-attr]


@pytest.mark.rule("invasion_sicily", "10.1.4")
@pytest.mark.rule("invasion_sicily", "5.2.3")
def test_no_support_out_of_range_or_out_of_supply() -> None:
    state = board(f"{OPEN} \n at 1721 US-1A \n at 1924 US-36F unsupplied")
    for gun in ("US-1A", "US-36F"):
        assert support.why_not_fire(state, gun, "2024", True) is not None


@pytest.mark.rule("invasion_sicily", "10.1.5")
def test_in_a_zone_a_gun_supports_only_next_to_it() -> None:
    """US-36F in the zone of 2024 may fire at 2024, not at 2022 two hexes off."""
    state = board("at 1924 US-36F \n at 2024 GE-1HG \n at 2022 IT-33")
    assert support.why_not_fire(state, "US-36F", "2024", True) is None
    assert support.why_not_fire(state, "US-36F", "2022", True).rule == "10.1.5"  # type: ignore[union-attr]


@pytest.mark.rule("invasion_sicily", "10.1.2")
@pytest.mark.rule("invasion_sicily", "10.1.3")
@pytest.mark.rule("invasion_sicily", "10.1.6")
def test_defending_guns_support_from_afar_with_a_check_unless_in_a_zone() -> None:
    text = f"{OPEN} \n at 2123 GE-ArtHG"
    assert fight(text, [("10.1.3", 6), ("9.4", 9)]).result.defence == 6 + 4
    near = f"{OPEN} \n at 2025 GE-ArtHG"
    assert fight(near, [("9.4", 9)]).result.defence == 6, "2025 is in the zone of 1924"


@pytest.mark.rule("invasion_sicily", "10.1.6")
@pytest.mark.rule("invasion_sicily", "9.4")
def test_a_gun_in_the_defender_hex_supports_or_defends() -> None:
    text = f"{OPEN} \n at 2024 GE-ArtHG"
    assert fight(text, [("9.4", 9)], gun_role="support").result.defence == 6 + 4
    assert fight(text, [("9.4", 9)], gun_role="defend").result.defence == 6 + 1
    alone = "at 1924 US-16 \n at 2024 GE-ArtHG \n attack 2024 US-16"
    assert fight(alone, [("9.4", 9)]).result.defence == 1, "guns alone defend themselves"


@pytest.mark.rule("invasion_sicily", "10.2")
@pytest.mark.rule("invasion_sicily", "10.2.1")
@pytest.mark.rule("invasion_sicily", "10.2.2")
@pytest.mark.rule("invasion_sicily", "10.2.3")
@pytest.mark.rule("invasion_sicily", "11.1.2")
def test_air_points_take_one_roll_and_are_gone_either_way() -> None:
    text = f"{OPEN} \n air allied 5"
    good = fight(text, [("10.2.2", 7), ("9.4", 9)], air="air 3")
    assert (good.result.attack, good.state.air["allied"]) == (17, 2)
    bad = fight(text, [("10.2.2", 8), ("9.4", 9)], air="air 3")
    assert (bad.result.attack, bad.state.air["allied"]) == (14, 2)


@pytest.mark.rule("invasion_sicily", "10.3")
@pytest.mark.rule("invasion_sicily", "10.3.1")
@pytest.mark.rule("invasion_sicily", "10.3.2")
@pytest.mark.rule("invasion_sicily", "10.3.3")
@pytest.mark.rule("invasion_sicily", "10.3.4")
@pytest.mark.rule("invasion_sicily", "12.1.2")
def test_ships_reach_two_hexes_inland() -> None:
    """2024 is two hexes from the sea hex 1824's shore (1724)."""
    coast = "at 1824 US-16 US-26 \n at 1825 GE-1HG \n attack 1825 US-16 US-26 \n naval 6"
    play = fight(coast, [("10.3.2", 8), ("9.4", 9)], naval="naval 4")
    assert (play.result.attack, play.state.naval) == (18, 2)
    far = "at 2222 US-16 US-26 \n at 2322 GE-1HG \n attack 2322 US-16 US-26 \n naval 6"
    assert fight(far, [("9.4", 9)]).result.attack == 14, "too far inland to be asked"


@pytest.mark.rule("invasion_sicily", "9.4")
def test_example_13_support_counts_up_to_the_strength_committed() -> None:
    """E13: 9 with 12 points of support count 18."""
    text = "at 1924 US-16 US-1R US-1A US-45A US-9A \n at 2024 GE-1HG \n attack 2024 US-16 US-1R"
    play = fight(text, [("10.1.3", 1), ("10.1.3", 1), ("9.4", 9)], lead="lead US-16")
    assert play.result.attack == 18


# -- 9.5 results -------------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "9.5")
def test_cells_are_read() -> None:
    assert losses.read("1/2r2") == Result(1, 0, 2, 2)
    assert losses.read("3r1/0") == Result(3, 1, 0, 0)
    assert losses.read("E").wiped


@pytest.mark.rule("invasion_sicily", "9.5.2")
@pytest.mark.rule("invasion_sicily", "9.5.3")
@pytest.mark.rule("invasion_sicily", "3.8")
@pytest.mark.rule("invasion_sicily", "3.8.1")
@pytest.mark.rule("invasion_sicily", "3.8.2")
def test_the_lead_unit_takes_the_first_step_the_owner_chooses_the_rest() -> None:
    """1:2 and a die of 5: the attacker loses 1 and retreats; at 1:1 a 9 costs him three steps."""
    text = "at 1924 US-16 US-26 \n at 2024 GE-PzHG GE-1HG \n attack 2024 US-16 US-26"
    play = fight(text, [("9.4", 8)], lead="lead US-16", loss="lose US-26")
    assert (play.result.column, play.result.result) == ("1:1", "2r1/0")
    assert [x.unit for x in play.of(e.StepLost)] == ["US-16", "US-26"]


@pytest.mark.rule("invasion_sicily", "9.5.3")
def test_example_17_who_has_too_few_steps_spares_the_other_one() -> None:
    """E17: 1/2r2 against a single step, and 2/1 against one."""
    state = board("at 1924 US-16 US-1R \n at 2024 GE-1HG/1")
    assert losses.offset(state, Result(1, 0, 2, 2), ["US-16"], ["GE-1HG"]).attacker == 0
    assert losses.offset(state, Result(2, 0, 1, 0), ["US-1R"], ["GE-1HG"]).defender == 0
    assert losses.offset(state, Result(1, 0, 1, 1), ["US-16"], ["GE-1HG"]) == Result(1, 0, 1, 1)


@pytest.mark.rule("invasion_sicily", "9.5.1")
@pytest.mark.rule("invasion_sicily", "10.1.5")
def test_guns_from_afar_suffer_nothing_guns_beside_the_enemy_do() -> None:
    text = "at 1924 US-16 US-1A \n at 1822 US-36F \n at 2024 GE-PzHG GE-1HG \n attack 2024 US-16"
    play = fight(text, [("10.1.3", 1), ("9.4", 9)])
    assert play.result.result.startswith("3r1")
    assert play.place("US-36F") == "1822"
    assert play.place("US-1A") == "eliminated", "lost as a step: 7 + 7 steps asked for, three there"


@pytest.mark.rule("invasion_sicily", "3.8.3")
def test_one_step_units_die_at_the_first_loss() -> None:
    found = data()
    assert {found.units[u].steps for u in ("US-531", "US-1R", "US-1A", "CD-1204")} == {1}
    assert found.cards["ER-01"].steps == 1


# -- 9.7 advance -------------------------------------------------------------------------------------

WON = "at 1924 US-16 US-26 US-1A \n at 2024 IT-33/1 \n attack 2024 US-16 US-26"
"""14 against 2: 7:1; a die of 1 takes three steps."""


@pytest.mark.rule("invasion_sicily", "9.7")
@pytest.mark.rule("invasion_sicily", "9.7.1")
@pytest.mark.rule("invasion_sicily", "9.7.2")
@pytest.mark.rule("invasion_sicily", "9.7.3")
def test_victors_may_advance_but_no_guns() -> None:
    play = fight(WON, [("9.4", 1)], guns="done", advance=["advance US-16", "done"])
    assert [play.place(u) for u in ("US-16", "US-26", "US-1A")] == ["2024", "1924", "1924"]
    assert play.state.holder("2024") == "allied"
    stay = fight(WON, [("9.4", 1)], guns="done", advance="done")
    assert stay.place("US-16") == "1924"


@pytest.mark.rule("invasion_sicily", "9.7.4")
def test_an_advance_keeps_to_the_stacking_limit() -> None:
    text = "at 1924 US-16 US-26 US-18 \n at 1923 US-157 US-179 \n at 2024 IT-33/1 \n attack 2024 US-16 US-26 US-18 US-157 US-179"
    play = fight(text, [("9.3.3", 1), ("9.4", 1)], advance="advance all")
    assert boards.stacking(play.state, boards.at(play.state, "2024")) <= 11


# -- 9.8 counterattack -------------------------------------------------------------------------------

BACK = "at 1924 US-16 US-26 US-18 \n at 2024 GE-1HG \n attack 2024 US-16 US-26 US-18"
"""21 against 6: 3:1, ratings 7 and 5 (-2); a die of 7 makes 5: the defender loses one and retreats one hex."""


@pytest.mark.rule("invasion_sicily", "9.8")
@pytest.mark.rule("invasion_sicily", "9.8.1")
@pytest.mark.rule("invasion_sicily", "9.8.3")
@pytest.mark.rule("invasion_sicily", "9.8.4")
def test_germans_thrown_back_one_hex_counterattack_doubled_and_without_terrain() -> None:
    play = fight(BACK, [("9.4", 7), ("9.4", 1)], advance=["advance US-16", "done"], counter="counter from 2123",
                 retreat="retreat to 2123")
    first, second = play.of(e.CombatResolved)
    assert first.result == "0/1r1"
    assert (second.attack, second.defence) == (4, 8), "a reduced regiment of 2, doubled, against 8"
    assert not [m for m in second.mods if m[0] in ("clear", "hill", "river")]


@pytest.mark.rule("invasion_sicily", "9.8")
@pytest.mark.rule("invasion_sicily", "9.8.3")
def test_no_counterattack_without_an_advance() -> None:
    play = fight(BACK, [("9.4", 7)], advance="done", retreat="retreat to 2123")
    assert "counter" not in [a.kind for a in play.asked]


@pytest.mark.rule("invasion_sicily", "9.8.2")
@pytest.mark.rule("invasion_sicily", "9.8.5")
def test_neighbours_join_a_counterattack_with_a_check_and_each_once() -> None:
    text = f"{BACK} \n at 2025 GE-Schm"
    play = fight(text, [("9.4", 7), ("9.3.3", 7), ("9.4", 5)], advance=["advance US-16", "done"], counter="counter from 2123",
                 join="join all", retreat="retreat to 2123")
    assert play.of(e.CombatResolved)[1].attack == 4 + 5, "only the lead stack is doubled"
    assert play.state.units["GE-Schm"].has("countered")


# -- 9.6.7 No Retreat --------------------------------------------------------------------------------


@pytest.mark.rule("invasion_sicily", "9.6.7")
@pytest.mark.rule("invasion_sicily", "16.2.4")
def test_in_a_strongpoint_units_may_stand_for_another_step() -> None:
    """21 against 6 and a strongpoint: -2 + 1; a die of 6 makes 5."""
    text = f"{BACK} \n strongpoint 2024"
    play = fight(text, [("9.4", 6), ("9.6.7", 4)], no_retreat="try")
    assert play.of(e.StoodFast)[0].passed
    assert play.place("GE-1HG") == "eliminated", "one step for the result, one for standing"
    assert play.place("US-16") == "1924", "no advance where the last step was lost so (9.7.5)"


@pytest.mark.rule("invasion_sicily", "9.7.5")
@pytest.mark.rule("invasion_sicily", "9.6.7")
def test_who_fails_to_stand_retreats() -> None:
    play = fight(f"{BACK} \n strongpoint 2024", [("9.4", 6), ("9.6.7", 5)], no_retreat="try", retreat="retreat to 2123",
                 advance="done")
    assert play.place("GE-1HG") == "2123"


@pytest.mark.rule("invasion_sicily", "14.4")
def test_units_wanted_in_italy_cost_points_when_they_first_attack() -> None:
    text = "at 1924 US-325 US-16 \n at 2024 GE-1HG \n attack 2024 US-325 US-16"
    play = fight(text, [("9.4", 9)], lead="lead US-16")
    assert [x for x in play.of(e.Scored) if x.what == "reserve"] == [e.Scored("reserve", -2, "14.4")]
