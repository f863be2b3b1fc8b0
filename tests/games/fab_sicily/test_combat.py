"""6.0 to 6.24, 6.29, 7.4 and 8.22 to 8.24: which battles are fought, and what goes before and after the fire."""

from tests.games.fab_sicily.fights import absorbed, asks, fight, fired, offered, rule

MISS = "6.27: 10 10 10 | 6.28: 10 10 10 10"


# -- 6.0 --------------------------------------------------------------------------------------------


@rule("6.0")
def test_newly_contested_areas_must_be_fought_for_contested_ones_may() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nat 14 5-1/1\nat 14 NAP-2/1",
        "6.27: 10 | 6.28: 10",
    )
    assert offered(play, "battle") == ["fight 6", "fight 14"]
    assert [o.key for o in asks(play, "battle")[1].options] == ["fight 14", "done"]
    assert [b["area"] for b in play.of("BattleBegan")] == ["6"]


@rule("3.24")
def test_the_phasing_player_chooses_the_order() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nat 14 5-1/1\nat 14 NAP-2/1",
        "6.27: 10 | 6.28: 10 | 6.27: 10 | 6.28: 10",
        {"battle": "fight 14"},
    )
    assert [b["area"] for b in play.of("BattleBegan")] == ["14", "6"]


@rule("2.4")
def test_a_battle_says_whether_its_area_is_newly_contested() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nat 14 5-1/1\nat 14 NAP-2/1",
        "6.27: 10 | 6.28: 10 | 6.27: 10 | 6.28: 10",
        {"battle": ["fight 6", "fight 14"]},
    )
    assert [(b["area"], b["newly"], b["attacker"]) for b in play.of("BattleBegan")] == [
        ("6", True, "allied"),
        ("14", False, "allied"),
    ]


@rule("9.33")
def test_where_all_newcomers_are_disordered_nobody_attacks() -> None:
    play = fight("at 6 50-1 disordered\nat 6 NAP-1\nnewly 6")
    assert not play.of("BattleBegan", "Shown") and not play.asked


@rule("6.2")
def test_disordered_units_neither_attack_nor_take_losses() -> None:
    play = fight(
        "at 6 50-1/1 50-2/4 disordered\nat 6 NAP-1/1\nnewly 6",
        "6.27: 1 | 6.28: ",
        {"before-battle": "stand"},
    )
    assert fired(play).keys() == {"NAP-1"}
    assert absorbed(play, "allied") == ["lost 50-1"]
    assert play.state.blocks["50-2"].steps == 4


@rule("6.2")
def test_disordered_units_defend() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1 disordered\nnewly 6", "6.27: 10 | 6.28: 10")
    assert fired(play)["NAP-1"][:2] == (4, {"disordered": -1})


@rule("6.2")
def test_the_axis_attacks_in_its_own_turn() -> None:
    play = fight("at 6 50-1/1 shown\nat 6 NAP-1/1 shown", "6.27: 10 | 6.28: 10", {"battle": "fight 6"}, "2 axis combat")
    assert [(f["firer"], f["part"]) for f in play.of("Fired")] == [("50-1", "defensive-fire"), ("NAP-1", "offensive-fire")]


# -- 6.21 -------------------------------------------------------------------------------------------

REINFORCE = "at 6 50-1/1\nat 6 NAP-1/1\nat 12 NAP-2/3\nnewly 6\navailable SA-AXIS"


@rule("6.21")
def test_without_a_special_action_nobody_is_asked() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1\nat 12 NAP-2/3\nnewly 6", "6.27: 10 | 6.28: 10")
    assert not asks(play, "before-battle")


@rule("8.23")
def test_a_unit_beside_the_battle_reinforces_it() -> None:
    play = fight(
        REINFORCE,
        "6.27: 10 10 10 10 10 | 6.28: 10",
        {"before-battle": "reinforce with NAP-2 using SA-AXIS"},
    )
    assert offered(play, "before-battle")[:2] == ["stand", "reinforce with NAP-2 using SA-AXIS"]
    assert [(m["block"], m["mode"], m["path"]) for m in play.of("Moved")] == [("NAP-2", "reinforce", ["12", "6"])]
    assert play.state.chits["SA-AXIS"].box == "used"
    assert fired(play)["NAP-2"][2] == 3


@rule("8.23")
def test_who_reinforces_is_not_the_point_unit_until_the_other_is_lost() -> None:
    play = fight(
        f"{REINFORCE}\navailable 24ART 98ART",
        "6.25: 1 1 | 6.27: 10 10 | 6.28: 1",
        {"before-battle": "reinforce with NAP-2 using SA-AXIS", "assets": ["add 24ART", "add 98ART"], "disorder": "lose"},
    )
    assert not asks(play, "point-unit", "axis")
    assert [p["defender"] for p in play.of("PointUnits")] == ["NAP-1", "NAP-2"]


@rule("8.23")
def test_only_good_order_units_from_uncontested_areas_reinforce_and_only_where_there_is_room() -> None:
    lines = "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable SA-AXIS\n"
    assert "reinforce with NAP-2 using SA-AXIS" in offered(fight(f"{lines}at 12 NAP-2", MISS_ONE), "before-battle")
    for elsewhere in (
        "at 12 NAP-2 disordered",
        "at 12 NAP-2 recovering",
        "at 12 NAP-2 unsupplied",
        "at 14 NAP-2",
        "at 12 NAP-2\nat 12 5-1 disordered",
    ):
        play = fight(lines + elsewhere, MISS_ONE)
        assert not any(k.startswith("reinforce") for k in offered(play, "before-battle")), elsewhere
    crowded = fight("at 6 50-1/1\nat 6 NAP-1/1 LIV-1/1\nnewly 6\nat 12 NAP-2\navailable SA-AXIS", "6.27: 10 10 | 6.28: 10")
    assert not any(k.startswith("reinforce") for k in offered(crowded, "before-battle"))


MISS_ONE = "6.27: 10 | 6.28: 10"


@rule("8.23")
def test_who_has_reinforced_may_not_retreat_before_the_battle_any_more() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nat 12 NAP-2/1\nat 11 LIV-1/1\nnewly 6\navailable SA-AXIS SAE-XA",
        "6.27: 10 10 10 | 6.28: 10",
        {"before-battle": "reinforce with NAP-2 using SAE-XA"},
    )
    first = asks(play, "before-battle")[0]
    assert {"retreat using SA-AXIS", "reinforce with LIV-1 using SA-AXIS"} <= {o.key for o in first.options}
    assert len(asks(play, "before-battle")) == 1, "only 'stand' is left"
    assert play.state.chits["SAE-XA"].box == "eliminated"


@rule("8.1")
def test_a_single_use_special_action_affects_its_own_army_only() -> None:
    play = fight(
        "at 6 50-1/1 shown\nat 6 NAP-1/1 shown\nat 4 1-1/1\nat 3 5-1/1\navailable SAE-8A\ncontrol allied 3",
        "6.27: 10 | 6.28: 10",
        {"battle": "fight 6"},
        "2 axis combat",
    )
    reinforcing = [k for k in offered(play, "before-battle") if k.startswith("reinforce")]
    assert reinforcing == ["reinforce with 5-1 using SAE-8A"]


@rule("14.41")
def test_reinforcing_units_keep_to_their_army_boundaries() -> None:
    play = fight(
        "at 7 1-1/1 shown\nat 7 NAP-1/1 shown\nat 3 50-1/1\nat 8 1-2/1\navailable SA-ALLIED\ncontrol allied 3 8",
        "6.27: 10 | 6.28: 10",
        {"battle": "fight 7"},
        "2 axis combat",
    )
    assert [k for k in offered(play, "before-battle") if k.startswith("reinforce")] == ["reinforce with 1-2 using SA-ALLIED"]


@rule("8.24")
def test_the_defender_retreats_in_order_before_the_fight_and_armor_may_exploit() -> None:
    play = fight(
        "at 6 4A/3\nat 6 NAP-1/3\nnewly 6\navailable SA-AXIS",
        "6.8: 5",
        {"before-battle": "retreat using SA-AXIS", "retreat-to": "retreat NAP-1 to 11", "exploit-check": "check"},
    )
    assert play.of("RetreatedBefore") and not play.of("Fired", "PointUnits")
    napoli = play.state.blocks["NAP-1"]
    assert (napoli.area, napoli.status, napoli.shown) == ("11", "good", False)
    assert play.state.blocks["4A"].exploit and not play.state.blocks["4A"].shown
    assert play.state.chits["SA-AXIS"].box == "used" and play.state.control["6"] == "allied"


@rule("8.24")
def test_all_units_retreat_or_none() -> None:
    surrounded = "\n".join(f"control allied {a}" for a in (3, 4, 5, 7, 11, 12, 13))
    play = fight(f"at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable SA-AXIS\n{surrounded}", MISS_ONE)
    assert not asks(play, "before-battle")


@rule("9.34")
def test_no_special_action_helps_unsupplied_defenders() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1 unsupplied\nnewly 6\navailable SA-AXIS", MISS_ONE)
    assert not asks(play, "before-battle")


# -- 4.35 -------------------------------------------------------------------------------------------

ROADBLOCK = "at 6 50-1/1\ncontrol axis 6\nmap AXENG-1 6 roadblock\nnewly 6\nat 12 NAP-2\navailable SA-AXIS 12ART 54ART 1FJ LUFT-1"


@rule("4.35")
def test_a_defended_roadblock_is_helped_by_one_artillery_asset_and_by_nothing_else() -> None:
    play = fight(ROADBLOCK, "6.26: 10 | 6.27: 10 | 6.28: 10", {("assets", "6"): "add 12ART"})
    assert not asks(play, "before-battle")
    assert offered(play, "assets", "axis") == ["add 12ART", "add 54ART", "done"]
    assert play.of("PointUnits")[0]["defender"] == "AXENG-1"
    assert (play.state.chits["AXENG-1"].box, play.state.chits["AXENG-1"].use) == ("map", "roadblock")
    assert play.state.control["6"] == "axis"


@rule("4.35")
def test_a_destroyed_roadblock_gives_the_area_to_the_attacker() -> None:
    play = fight(ROADBLOCK, "6.27: 10 | 6.28: 1")
    assert play.state.chits["AXENG-1"].box == "eliminated"
    assert play.state.control["6"] == "allied"
    assert not asks(play, "retreat-or-loss")


@rule("4.35")
def test_there_is_no_disorder_where_only_assets_defend() -> None:
    play = fight(f"{ROADBLOCK}\navailable 24ART", "6.25: 1", {("assets", "6"): "add 24ART"})
    assert absorbed(play, "axis") == ["lost AXENG-1"] and not asks(play, "disorder")


# -- 6.24 -------------------------------------------------------------------------------------------


@rule("6.24")
def test_in_a_newly_contested_area_neither_side_knows_the_others_point_unit() -> None:
    play = fight(
        "at 6 50-1/2 50-2/2\nat 6 NAP-1/2 NAP-2/2\nnewly 6",
        "6.27: 10 10 10 10 10 | 6.28: 10 10 10 10 10",
        {"point-unit": ["point NAP-2", "point 50-2"]},
    )
    defender, attacker = asks(play, "point-unit")
    assert (defender.side, attacker.side) == ("axis", "allied")
    assert defender.id[:-1] == attacker.id[:-1] and "point" not in attacker.facts
    kinds = [e["type"] for e in play.events]
    assert kinds.index("Shown") < kinds.index("PointUnits")
    assert play.of("PointUnits") == [{"type": "PointUnits", "area": "6", "defender": "NAP-2", "attacker": "50-2"}]


@rule("6.24")
def test_in_a_contested_area_the_attacker_sees_the_defenders_choice() -> None:
    play = fight(
        "at 6 50-1/2 shown 50-2/2 shown\nat 6 NAP-1/2 shown NAP-2/2 shown",
        "6.27: 10 10 10 10 10 | 6.28: 10 10 10 10 10",
        {"battle": "fight 6", "point-unit": ["point NAP-2", "point 50-2"]},
    )
    assert asks(play, "point-unit", "allied")[0].facts["point"] == "NAP-2"


@rule("6.24")
def test_nothing_of_hidden_enemies_is_in_a_question_before_the_reveal() -> None:
    play = fight(
        "at 6 50-1/1 50-2/1\nat 6 NAP-1/2 LIV-2/1\nnewly 6\navailable 24ART 50BA SA-AXIS 12ART",
        "6.27: 10 10 10 | 6.28: 10 10 10",
    )
    for ask in play.asked[:-1]:
        said = f"{ask.prompt} {sorted(ask.facts.items())} {[(o.key, o.label, o.tags, dict(o.data)) for o in ask.options]}"
        if ask.side == "allied" and ask.kind in ("battle", "assets", "point-unit"):
            assert "NAP" not in said and "LIV" not in said and ask.facts.get("enemies", 2) == 2
        if ask.side == "axis":
            assert "50-1" not in said and "50-2" not in said


@rule("6.24")
def test_the_default_point_unit_is_the_strongest_and_tags_name_it() -> None:
    play = fight("at 6 50-1/1 50-2/3\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 10 10 10 10 10")
    [ask] = asks(play, "point-unit")
    assert ask.default == "point 50-2"
    tags = {o.key: o.tags for o in ask.options}
    assert {"strongest", "infantry", "veteran"} <= set(tags["point 50-2"]) and "weakest" in tags["point 50-1"]


# -- 6.29 -------------------------------------------------------------------------------------------


@rule("6.29")
def test_after_a_round_without_decision_the_units_stay_face_up_and_assets_are_used() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable 24ART 50BA ENG-1",
        "6.25: 10 | 6.27: 10 | 6.28: 10 10 10",
        {"assets": ["add 24ART", "add 50BA", "add ENG-1"]},
    )
    assert play.state.blocks["50-1"].shown and play.state.blocks["NAP-1"].shown
    assert {play.state.chits[c].box for c in ("24ART", "50BA", "ENG-1")} == {"used"}
    assert play.of("BattleEnded")[0]["result"] == "contested"


@rule("6.29")
def test_where_one_side_is_gone_the_others_turn_away_from_the_enemy() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 1", {"retreat-or-loss": "lose"})
    assert not play.state.blocks["50-1"].shown
    assert play.of("BattleEnded")[0]["result"] == "attacker-holds"
    assert play.state.control["6"] == "allied"


@rule("6.29")
def test_retreated_units_stay_face_up_until_the_round_is_over() -> None:
    play = fight(
        "at 6 50-1/3\nat 6 NAP-1/3\nnewly 6",
        "6.27: 10 10 10 | 6.28: 1 1 10",
        {"retreat-or-loss": "retreat", "retreat-to": "retreat NAP-1 to 11"},
    )
    order = [(e["type"], e.get("block")) for e in play.events]
    assert order.index(("StepLost", "NAP-1")) < order.index(("BattleEnded", None))
    assert not play.state.blocks["NAP-1"].shown


@rule("6.29")
def test_when_both_sides_die_the_area_is_empty_and_keeps_its_owner() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable 50BA",
        "6.27: 1 | 6.28: 1",
        {"assets": "add 50BA", "loss": "lose 50-1", "retreat-or-loss": "lose"},
    )
    assert play.of("BattleEnded")[0]["result"] == "empty"
    assert play.state.control["6"] == "axis"
    assert play.state.chits["50BA"].box == "used"


# -- 7.4 --------------------------------------------------------------------------------------------

BREAKTHROUGH = "2 allied breakthrough-combat"


@rule("7.41")
def test_breakthrough_combat_is_mandatory_in_newly_contested_areas() -> None:
    play = fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6", MISS_ONE, step=BREAKTHROUGH)
    assert play.of("BattleBegan")[0]["breakthrough"]


@rule("7.42")
def test_a_contested_area_is_fought_for_again_only_with_a_special_action() -> None:
    lines = "at 6 50-1/1 shown\nat 6 NAP-1/1 shown"
    assert not fight(lines, step=BREAKTHROUGH).of("BattleBegan")
    play = fight(f"{lines}\navailable SA-ALLIED SAE-8A", MISS_ONE, {"battle": "fight 6 with SAE-8A"}, BREAKTHROUGH)
    assert offered(play, "battle") == ["fight 6 with SA-ALLIED", "fight 6 with SAE-8A", "done"]
    assert play.state.chits["SAE-8A"].box == "eliminated"
    assert len(play.of("BattleBegan")) == 1


@rule("8.22")
def test_no_area_sees_two_rounds_of_breakthrough_combat() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable SA-ALLIED",
        MISS_ONE,
        {"battle": ["fight 6", "fight 6 with SA-ALLIED"]},
        BREAKTHROUGH,
    )
    assert len(play.of("BattleBegan")) == 1 and play.state.chits["SA-ALLIED"].box == "available"


@rule("8.22")
def test_the_special_action_must_be_able_to_affect_all_attackers() -> None:
    unsupplied = fight("at 6 50-1/1 shown unsupplied\nat 6 NAP-1/1 shown\navailable SA-ALLIED", step=BREAKTHROUGH)
    assert not unsupplied.of("BattleBegan") and not unsupplied.asked
    mixed = fight("at 6 50-1/1 shown 1-1/1 shown\nat 6 NAP-1/1 shown\navailable SA-ALLIED SAE-8A", step=BREAKTHROUGH)
    assert offered(mixed, "battle") == ["fight 6 with SA-ALLIED", "done"]


@rule("3.27")
def test_nothing_is_asked_when_there_is_nothing_to_fight_for() -> None:
    assert not fight("at 6 50-1/1", step=BREAKTHROUGH).asked


# -- 5.1, 5.23 --------------------------------------------------------------------------------------


@rule("5.1")
def test_stacking_is_enforced_as_soon_as_a_round_is_over() -> None:
    play = fight(
        "at 6 50-1/3 50-2/3 5-1/1\nat 6 NAP-1/1\nnewly 6",
        "6.27: 10 | 6.28: 10 10 10 10 10 10 10 10",
        {"overstack": "leave 5-1"},
    )
    assert play.state.blocks["5-1"].area != "6"
    assert [a.kind for a in play.asked][-1] in ("overstack", "retreat-to")


@rule("5.23")
def test_works_without_their_unit_go_at_the_end_of_the_phase() -> None:
    play = fight(
        "at 6 50-1/3\nat 6 NAP-1/1\nworks 6 axis\nnewly 6\navailable SA-AXIS",
        "",
        {"before-battle": "retreat using SA-AXIS", "retreat-to": "retreat NAP-1 to 11"},
    )
    assert not play.state.works


# -- who lies open ----------------------------------------------------------------------------------


@rule("6.24")
def test_hidden_defenders_of_an_old_contested_area_keep_their_point_unit_secret_too() -> None:
    play = fight(
        "at 6 50-1/1 50-2/1\nat 6 NAP-1/1 LIV-1/1",
        "6.27: 10 10 | 6.28: 10 10 10",
        {"battle": "fight 6", "point-unit": ["point LIV-1", "point 50-1"]},
    )
    assert "point" not in asks(play, "point-unit", "allied")[0].facts


@rule("5.22")
def test_a_unit_that_joins_face_up_units_is_face_up_at_once() -> None:
    lines = "at 6 50-1/1{}\nat 6 NAP-1/1{}\nat 12 NAP-2/1\navailable SA-AXIS"
    answers = {"battle": "fight 6", "before-battle": "reinforce with NAP-2 using SA-AXIS"}
    play = fight(lines.format(" shown", " shown"), "6.27: 10 10 10 | 6.28: 10", answers)
    assert [(s["block"], s["rule"]) for s in play.of("Shown")] == [("NAP-2", "5.22")]
    play = fight(lines.format("", "") + "\nnewly 6", "6.27: 10 10 10 | 6.28: 10", answers)
    assert {s["rule"] for s in play.of("Shown")} == {"6.24"}


@rule("13.3")
def test_armor_class_counts_for_exploitation_motorized_infantry_does_not() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 HG-1/1 LIV-1/1\nnewly 6",
        "6.27: 10 | 6.28: 1 1 | 6.8: 5",
        {"retreat-or-loss": "lose", "point-unit": "point HG-1"},
        "2 axis combat",
    )
    assert [m["block"] for m in play.of("MoraleChecked")] == ["HG-1"] and play.state.blocks["HG-1"].exploit


@rule("6.3")
def test_assets_are_assigned_attacker_first_after_the_defender_has_decided() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable SA-AXIS 24ART 12ART",
        "6.25: 10 | 6.26: 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add 24ART", "add 12ART"]},
    )
    assert [(a.kind, a.side) for a in play.asked] == [("before-battle", "axis"), ("assets", "allied"), ("assets", "axis")]


@rule("6.1")
@rule("6.2")
def test_a_round_goes_through_its_segments_in_order() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable 24ART 12ART",
        "6.25: 10 | 6.26: 10 | 6.27: 10 | 6.28: 10",
        {"assets": ["add 24ART", "add 12ART"]},
    )
    parts = [f["part"] for f in play.of("Fired")]
    assert parts == ["attacking-artillery", "defending-artillery", "defensive-fire", "offensive-fire"]
    assert play.events[1]["type"] == "BattleBegan" and play.events[-1]["type"] == "BattleEnded"


@rule("7.4")
def test_breakthrough_combats_are_fought_in_any_order() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\nat 14 5-1/1 shown\nat 14 NAP-2/1 shown\navailable SA-ALLIED",
        "6.27: 10 | 6.28: 10 | 6.27: 10 | 6.28: 10",
        {"battle": "fight 14 with SA-ALLIED"},
        BREAKTHROUGH,
    )
    assert [b["area"] for b in play.of("BattleBegan")] == ["14", "6"]
