"""6.22, 6.23, 6.3, 14.31 and 16.1 to 16.3: which assets may be assigned, and what they do."""

from tests.games.fab_sicily.fights import absorbed, asks, fight, fired, offered, rule

MISS_ONE = "6.27: 10 | 6.28: 10"
BATTLE = "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\n"


def adds(lines: str, side: str, script: str = MISS_ONE, **more: object) -> list[str]:
    """What a side may add to the battle at Palazzolo [6], if it adds nothing yet."""
    return [k for k in offered(fight(lines, script, **more), "assets", side) if k != "done"]  # type: ignore[arg-type]


# -- supply -----------------------------------------------------------------------------------------


@rule("6.22")
def test_the_attacker_must_be_supplied_and_trace_now() -> None:
    assert adds(f"{BATTLE}available 24ART", "allied") == ["add 24ART"]
    assert not adds("at 6 50-1/1 unsupplied\nat 6 NAP-1/1\nnewly 6\navailable 24ART", "allied")
    cut_off = "at 17 50-1/1\nat 17 NAP-1/1\nnewly 17\navailable 24ART"
    assert not asks(fight(cut_off, MISS_ONE), "assets")


@rule("6.23")
def test_the_defender_must_trace_now() -> None:
    assert adds(f"{BATTLE}available 12ART", "axis") == ["add 12ART"]
    cut_off = "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable 12ART\ncontrol allied 3 5 7 11 12 13"
    assert not adds(cut_off, "axis")


@rule("9.34")
def test_unsupplied_units_have_no_assets_but_aircraft() -> None:
    lines = "at 6 50-1/1\nat 6 NAP-1/1 unsupplied\nnewly 6\navailable 12ART 1FJ LUFT-1"
    assert adds(lines, "axis") == ["add LUFT-1"]


@rule("16.3")
def test_aircraft_fly_whatever_the_supply() -> None:
    lines = "at 6 50-1/1 unsupplied\nat 6 NAP-1/1\nnewly 6\navailable 24ART 50BA AIR-1"
    assert adds(lines, "allied") == ["add AIR-1"]


# -- numbers ----------------------------------------------------------------------------------------


@rule("6.31")
def test_two_artillery_assets_for_the_attacker_and_one_for_the_defender() -> None:
    play = fight(
        f"{BATTLE}available 24ART 98ART 78ART 12ART 54ART",
        "6.25: 10 10 | 6.26: 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add 24ART", "add 98ART", "add 12ART"]},
    )
    assert [len(a.options) for a in asks(play, "assets")] == [4, 3, 3]
    assert [a.side for a in asks(play, "assets")] == ["allied", "allied", "axis"]


@rule("6.22")
def test_no_more_than_eight_assets_attack() -> None:
    eight = ["5BA", "50BA", "51BA", "1CBA", "1ABBA", "3CDO", "ENG-1", "ENG-2", "24ART"]
    play = fight(
        f"{BATTLE}available {' '.join(eight)}",
        "6.27: 10 | 6.28: " + "10 " * 9,
        {"assets": [f"add {c}" for c in eight[:8]], "clear-works": "fire"},
    )
    assert len(play.of("AssetCommitted")) == 8 and len(asks(play, "assets")) == 8
    assert play.state.chits["24ART"].box == "available"


@rule("6.23")
def test_no_more_than_five_assets_defend() -> None:
    mine = ["1FJ", "TIGER", "AXENG-1", "AXENG-2", "177BER", "12ART"]
    play = fight(
        f"{BATTLE}available {' '.join(mine)}",
        "6.27: " + "10 " * 6 + "| 6.28: 10",
        {"assets": [f"add {c}" for c in mine[:5]]},
    )
    assert len(play.of("AssetCommitted")) == 5
    assert play.state.chits["12ART"].box == "available"


# -- Higher Echelons --------------------------------------------------------------------------------


@rule("6.22")
def test_battle_assets_and_artillery_come_from_the_army_of_the_attackers() -> None:
    lines = "at 19 1-1/1\nat 19 LIV-1/1\nnewly 19\nbeachhead A3\ncontrol allied 9\navailable 24ART 50BA ENG-1 NAV-1 AIR-1"
    assert adds(lines, "allied") == ["add NAV-1 as artillery", "add AIR-1"]


@rule("6.22")
def test_mixed_armies_get_one_artillery_asset_each_and_no_battle_assets() -> None:
    lines = (
        "at 13 50-1/1 1-1/1\nat 13 NAP-1/1\nnewly 13\nbeachhead A3 B4\n"
        "control allied 9 5 3 7 8\navailable 24ART 98ART 50BA NAV-1 NAV-2"
    )
    play = fight(lines, "6.25: 10 10 | 6.27: 10 | 6.28: 10 10", {("assets", "13"): ["add 24ART", "add NAV-1 as artillery"]})
    first, second = asks(play, "assets")
    assert [o.key for o in first.options] == [
        "add 24ART",
        "add 98ART",
        "add NAV-1 as artillery",
        "add NAV-2 as artillery",
        "done",
    ]
    assert [o.key for o in second.options] == ["add NAV-1 as artillery", "add NAV-2 as artillery", "done"]


@rule("6.23")
def test_mixed_armies_on_the_defence_get_one_artillery_asset_in_all() -> None:
    lines = (
        "at 13 50-1/1 shown 1-1/1 shown\nat 13 NAP-1/1 shown\nbeachhead A3 B4\n"
        "control allied 9 5 13 3 7 8\navailable 24ART 98ART 50BA"
    )
    play = fight(
        lines, "6.26: 10 | 6.27: 10 10 | 6.28: 10", {"battle": "fight 13", ("assets", "13"): "add 24ART"}, "2 axis combat"
    )
    assert offered(play, "assets", "allied") == ["add 24ART", "add 98ART", "done"]
    assert len(asks(play, "assets", "allied")) == 1


@rule("14.31")
def test_allied_assets_support_units_of_their_own_army_only() -> None:
    lines = "at 6 1-1/1\nat 6 NAP-1/1\nnewly 6\nbeachhead A3\ncontrol allied 9 10 7\navailable 24ART 50BA"
    assert not adds(lines, "allied")


@rule("13.2")
@rule("16.2")
def test_strategic_assets_serve_either_army() -> None:
    lines = "at 19 {}\nat 19 LIV-1/1\nnewly 19\nbeachhead A3 B3\ncontrol allied 9 10 7 6\navailable NAV-1 AIR-1"
    for unit in ("1-1/1", "50-1/1"):
        assert "add AIR-1" in adds(lines.format(unit), "allied")


@rule("16.1")
def test_axis_assets_serve_either_axis_nationality() -> None:
    lines = "at 6 50-1/1\nat 6 {}\nnewly 6\navailable 12ART HGART 1FJ 177BER"
    for unit in ("NAP-1/1", "HG-1/1"):
        assert adds(lines.format(unit), "axis") == ["add 12ART", "add HGART", "add 177BER", "add 1FJ"]


@rule("16.11")
def test_one_italian_battle_asset_in_a_battle() -> None:
    play = fight(f"{BATTLE}available 177BER 10SEM 1FJ", "6.27: 10 10 | 6.28: 10", {"assets": "add 177BER"})
    assert [o.key for o in asks(play, "assets")[1].options] == ["add 1FJ", "done"]


@rule("16.12")
def test_italian_artillery_does_not_count_against_italian_battle_assets() -> None:
    play = fight(
        f"{BATTLE}available 177BER 10SEM 12ART", "6.26: 10 | 6.27: 10 10 | 6.28: 10", {"assets": ["add 177BER", "add 12ART"]}
    )
    assert len(play.of("AssetCommitted")) == 2


# -- 6.32, 6.33, 16.22, 16.23 -------------------------------------------------------------------------


@rule("6.32")
def test_a_battle_asset_fires_one_die_at_its_own_quality_and_dies_of_one_hit() -> None:
    play = fight(f"{BATTLE}available 3CDO", "6.27: 1 | 6.28: 10", {"assets": "add 3CDO", "loss": "lose 3CDO"})
    assert absorbed(play, "allied") == ["lost 3CDO"] and play.state.chits["3CDO"].box == "eliminated"
    play = fight(f"{BATTLE}available 3CDO", "6.27: 10 | 6.28: 10 10", {"assets": "add 3CDO"})
    assert fired(play)["3CDO"] == (4, {"elite against veteran": 1, "terrain": -2}, 1)
    assert fired(play)["50-1"][1] == {"terrain": -2}, "its quality helps nobody else"


@rule("6.33")
def test_engineers_clear_the_works_instead_of_firing() -> None:
    play = fight(
        f"{BATTLE}works 6 axis\navailable ENG-1", "6.27: 10 | 6.28: 3", {"assets": "add ENG-1", "retreat-or-loss": "lose"}
    )
    assert "ENG-1" not in fired(play) and fired(play)["50-1"][1] == {"terrain": -2}
    assert [(w["rule"], w["on"]) for w in play.of("Works")] == [("6.33", False)]
    assert absorbed(play, "axis") == ["lost NAP-1"]


@rule("6.33")
def test_engineers_that_were_lost_clear_nothing() -> None:
    play = fight(f"{BATTLE}works 6 axis\navailable ENG-1", "6.27: 1 | 6.28: 10", {"assets": "add ENG-1", "loss": "lose ENG-1"})
    assert not asks(play, "clear-works") and not [w for w in play.of("Works") if w["rule"] == "6.33"]


@rule("6.33")
def test_engineers_may_fire_instead() -> None:
    play = fight(
        f"{BATTLE}works 6 axis\navailable ENG-1", "6.27: 10 | 6.28: 10 10", {"assets": "add ENG-1", "clear-works": "fire"}
    )
    assert fired(play)["ENG-1"][1] == {"field works": -1, "terrain": -2}


@rule("16.23")
def test_commandos_clear_works_too() -> None:
    play = fight(f"{BATTLE}works 6 axis\navailable 3CDO", "6.27: 10 | 6.28: 10", {"assets": "add 3CDO", "clear-works": "clear"})
    assert [w["rule"] for w in play.of("Works")] == ["16.23"] and "3CDO" not in fired(play)


@rule("16.22")
def test_rangers_clear_works_if_they_got_through() -> None:
    lines = "at 19 1-1/1\nat 19 LIV-1/1\nnewly 19\nworks 19 axis\nbeachhead A2\navailable 1RGR"
    play = fight(lines, "6.27: 10 | 6.28: 10", {"assets": "add 1RGR", "clear-works": "clear"})
    assert [w["rule"] for w in play.of("Works")] == ["16.22"] and fired(play).keys() == {"LIV-1", "1-1"}
    play = fight(lines, "6.27: 1 | 6.28: 10", {"assets": "add 1RGR", "loss": "lose 1RGR"})
    assert not asks(play, "clear-works")


@rule("16.22")
def test_only_assets_that_are_able_clear_works_and_only_while_there_are_any() -> None:
    play = fight(
        f"{BATTLE}works 6 axis\navailable ENG-1 3CDO 50BA",
        "6.27: 10 | 6.28: 10 10 10",
        {"assets": ["add 50BA", "add 3CDO", "add ENG-1"], "clear-works": "clear"},
    )
    assert [a.where for a in asks(play, "clear-works")] == ["3CDO"]
    assert fired(play).keys() == {"NAP-1", "50-1", "50BA", "ENG-1"}


# -- 16.21 ------------------------------------------------------------------------------------------

COAST = "at 13 50-1/1\nat 13 NAP-1/1\nnewly 13\nbeachhead B5\n"


@rule("16.21")
def test_naval_support_is_artillery_in_coastal_areas_only() -> None:
    assert adds(f"{COAST}available NAV-1", "allied") == ["add NAV-1 as artillery"]
    assert not adds(f"{BATTLE}available NAV-1", "allied")
    play = fight(
        f"{COAST}available NAV-1 NAV-2 24ART",
        "6.25: 10 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add NAV-1 as artillery", "add 24ART"]},
    )
    assert len(asks(play, "assets")) == 2, "it counts as one of two artillery assets"


@rule("16.21")
def test_shock_removes_the_works_before_the_second_ship_fires() -> None:
    play = fight(
        f"{COAST}works 13 axis\navailable NAV-1 NAV-2",
        "6.25: 5 | 6.27: 10 | 6.28: 10",
        {"assets": ["add NAV-1 as shock", "add NAV-2 as artillery"], "disorder": "disorder"},
    )
    assert fired(play)["NAV-2"] == (5, {}, 1) and "NAV-1" not in fired(play)
    assert [w["rule"] for w in play.of("Works")] == ["16.21"] and absorbed(play, "axis") == ["disorder"]
    assert [o.key for o in asks(play, "assets")[1].options] == ["add NAV-2 as artillery", "done"], "one shock is enough"


@rule("16.21")
def test_shock_needs_works_and_is_for_the_attacker() -> None:
    assert adds(f"{COAST}available NAV-1", "allied") == ["add NAV-1 as artillery"]
    lines = "at 13 50-1/1 shown\nat 13 NAP-1/1 shown\nworks 13 allied\nbeachhead B5\navailable NAV-1"
    assert adds(lines, "allied", answers={"battle": "fight 13"}, step="2 axis combat") == ["add NAV-1 as artillery"]


# -- 16.31, 16.32 -----------------------------------------------------------------------------------


@rule("16.31")
def test_the_defender_may_cancel_the_attackers_mission_and_then_has_had_his_aircraft() -> None:
    play = fight(
        f"{BATTLE}available AIR-1 AIR-2 LUFT-1 LUFT-2",
        MISS_ONE,
        {"assets": "add AIR-1", "intercept": "intercept with LUFT-1"},
    )
    assert asks(play, "intercept")[0].side == "axis" and asks(play, "intercept")[0].facts["mission"] == "support"
    assert {c: play.state.chits[c].box for c in ("AIR-1", "LUFT-1", "AIR-2", "LUFT-2")} == {
        "AIR-1": "used",
        "LUFT-1": "used",
        "AIR-2": "available",
        "LUFT-2": "available",
    }
    assert len(asks(play, "assets")) == 1, "neither side may commit further aircraft"


@rule("16.32")
def test_the_attacker_may_cancel_out_of_sequence_if_he_has_flown_nothing() -> None:
    play = fight(
        f"{BATTLE}available AIR-1 LUFT-1", MISS_ONE, {"assets": ["done", "add LUFT-1"], "intercept": "intercept with AIR-1"}
    )
    assert asks(play, "intercept")[0].side == "allied"
    assert play.state.chits["LUFT-1"].box == "used"


@rule("16.32")
def test_who_has_flown_cannot_cancel_later() -> None:
    play = fight(
        f"{BATTLE}available AIR-1 AIR-2 LUFT-1",
        "6.25: 10 | 6.26: 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add AIR-1", "add LUFT-1"], "intercept": "none"},
    )
    assert [a.side for a in asks(play, "intercept")] == ["axis"]


@rule("16.32")
def test_aircraft_as_artillery_come_on_top_of_the_limit() -> None:
    play = fight(
        f"{BATTLE}available AIR-1 24ART 98ART",
        "6.25: 10 10 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add AIR-1", "add 24ART", "add 98ART"], "air-role": "artillery"},
    )
    assert {"AIR-1", "24ART", "98ART"} <= fired(play).keys()
    assert play.state.chits["AIR-1"].box == "used"


@rule("16.32")
def test_aircraft_support_one_unit_and_take_no_loss() -> None:
    play = fight(
        "at 6 50-1/1 50-2/1\nat 6 NAP-1/1\nnewly 6\navailable AIR-1",
        "6.27: 1 | 6.28: 10",
        {"assets": "add AIR-1", "air-role": "support 50-2", "point-unit": "point 50-1"},
    )
    assert fired(play)["50-2"][1] == {"terrain": -2, "air support": 2}
    assert absorbed(play, "allied") == ["lost 50-1"] and not asks(play, "loss")


@rule("16.32")
def test_the_support_passes_on_if_its_unit_is_lost() -> None:
    play = fight(
        "at 6 50-1/1 50-2/1\nat 6 NAP-1/1\nnewly 6\navailable AIR-1",
        "6.27: 1 | 6.28: 10",
        {"assets": "add AIR-1", "air-role": "support 50-1", "point-unit": "point 50-1"},
    )
    assert fired(play)["50-2"][1] == {"terrain": -2, "air support": 2}


@rule("16.32")
def test_aircraft_go_to_the_used_box_even_if_the_attack_is_aborted() -> None:
    play = fight(
        "at 6 50-1/3\nat 6 NAP-1/3\nnewly 6\navailable AIR-1",
        "6.27: 1 1 1",
        {"assets": "add AIR-1", "air-role": "support 50-1", "abort": "abort"},
    )
    assert play.state.chits["AIR-1"].box == "used"


@rule("16.32")
def test_the_role_is_chosen_before_the_artillery_dice() -> None:
    play = fight(
        f"{BATTLE}available AIR-1 24ART LUFT-1",
        "6.25: 10 10 | 6.26: 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add AIR-1", "add 24ART", "add LUFT-1"], "air-role": "artillery", "intercept": "none"},
    )
    assert [a.side for a in asks(play, "air-role")] == ["allied", "axis"]
    assert [f["firer"] for f in play.of("Fired")][:2] == ["AIR-1", "24ART"]


# -- 17.22 ------------------------------------------------------------------------------------------


@rule("17.22")
def test_a_flank_invasion_on_the_defence_has_ships_and_aircraft_only_and_needs_no_supply() -> None:
    lines = "map 3CDO 34 flank\nat 34 AOS-1/1\nnewly 34\navailable 24ART 50BA NAV-1 AIR-1 SA-ALLIED"
    play = fight(lines, "6.26: 10 | 6.27: 10 | 6.28: 10", {("assets", "34"): ["add NAV-1 as artillery", "done"]}, "2 axis combat")
    assert offered(play, "assets", "allied") == ["add NAV-1 as artillery", "add AIR-1", "done"]
    assert (play.state.chits["3CDO"].box, play.state.chits["3CDO"].use) == ("map", "flank")


@rule("17.22")
def test_a_flank_invasion_never_opens_a_combat() -> None:
    play = fight("map 3CDO 34 flank\nat 34 AOS-1/1 shown")
    assert not play.asked
