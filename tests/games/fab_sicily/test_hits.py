"""6.4, 6.5, 6.8, 14.27b, 14.28: how hits are absorbed and taken, and what comes of it."""

from tests.games.fab_sicily.fights import absorbed, asks, fight, offered, rule

GUNS = {"assets": ["add 24ART", "add 98ART"]}


# -- 6.41 -------------------------------------------------------------------------------------------


@rule("6.41")
def test_the_first_hit_costs_the_point_unit_or_a_battle_asset() -> None:
    play = fight(
        "at 6 50-1/2 50-2/2\nat 6 NAP-1/1\nnewly 6\navailable 50BA ENG-1 24ART",
        "6.25: 10 | 6.27: 1 | 6.28: 10 10 10 10 10 10",
        {"assets": ["add 24ART", "add 50BA", "add ENG-1"], "point-unit": "point 50-2"},
    )
    assert offered(play, "loss", "allied") == ["lose 50BA", "lose ENG-1", "lose 50-2"]


@rule("6.41")
def test_there_is_no_abort_before_the_mandatory_loss_nor_without_more_hits() -> None:
    play = fight("at 6 50-1/2\nat 6 NAP-1/1\nnewly 6", "6.27: 1 | 6.28: 10")
    assert absorbed(play, "allied") == ["lost 50-1"] and not asks(play, "abort")


@rule("6.41")
def test_an_aborted_attack_ignores_the_other_hits_and_disorders_the_attackers_in_place() -> None:
    play = fight("at 6 50-1/3 5-1/3\nat 6 NAP-1/3\nnewly 6", "6.27: 1 1 1", {"abort": "abort", "point-unit": "point 50-1"})
    assert play.of("Aborted") == [{"type": "Aborted", "area": "6", "ignored": 2}]
    blocks = play.state.blocks
    assert [(blocks[u].steps, blocks[u].status, blocks[u].area) for u in ("50-1", "5-1")] == [
        (2, "disordered", "6"),
        (3, "disordered", "6"),
    ]
    assert play.of("BattleEnded")[0]["result"] == "contested" and blocks["NAP-1"].shown


@rule("6.41")
def test_every_segment_begins_with_the_mandatory_loss_again() -> None:
    play = fight(
        "at 6 50-1/3 5-1/3\nat 6 NAP-1/2\nnewly 6\navailable 12ART",
        "6.26: 1 | 6.27: 1 1 | 6.28: 10 10 10",
        {"assets": "add 12ART", "point-unit": "point 50-1", "abort": "press"},
    )
    assert absorbed(play, "allied") == ["lost 50-1", "lost 50-1", "lost 5-1"]
    assert asks(play, "abort")[0].facts["hits"] == 1


@rule("6.41")
def test_the_abort_question_comes_once_a_segment() -> None:
    play = fight("at 6 50-1/4 5-1/4\nat 6 NAP-1/3\nnewly 6", "6.27: 1 1 1 | 6.28: 10 10 10 10 10", {"abort": "press"})
    assert len(asks(play, "abort")) == 1


@rule("6.41")
def test_by_default_an_attack_is_pressed_unless_it_would_be_destroyed() -> None:
    assert asks(fight("at 6 50-1/4\nat 6 NAP-1/3\nnewly 6", "6.27: 1 1 1 | 6.28: 10"), "abort")[0].default == "press"
    assert asks(fight("at 6 50-1/3\nat 6 NAP-1/3\nnewly 6", "6.27: 1 1 1"), "abort")[0].default == "abort"


@rule("6.26")
def test_an_attack_aborted_under_artillery_fire_is_over() -> None:
    play = fight(
        "at 6 50-1/3 shown\nat 6 NAP-1/3 shown\nmap 3CDO 34 flank\navailable 12ART LUFT-1",
        "6.26: 1 1",
        {"battle": "fight 6", "assets": ["add 12ART", "add LUFT-1"], "air-role": "artillery", "abort": "abort"},
    )
    assert {f["part"] for f in play.of("Fired")} == {"defending-artillery"}
    assert {play.state.chits[c].box for c in ("12ART", "LUFT-1")} == {"used"}


# -- aborted assaults -------------------------------------------------------------------------------

RIVER = (
    "at 15 50-1/3\nat 15 HG-1/3\nnewly 15\nblown 12-15\nassault 15 river\n"
    "entered 15 50-1 from 12 by blown\ncontrol allied 12 5\nbeachhead B4"
)


@rule("6.41")
def test_an_aborted_river_assault_goes_back_across_the_river() -> None:
    play = fight(RIVER, "6.27: 1 1 1", {"abort": "abort"})
    unit = play.state.blocks["50-1"]
    assert (unit.area, unit.status, unit.steps) == ("12", "disordered", 2)
    assert play.of("Moved")[0]["path"] == ["15", "12"]
    assert play.of("BattleEnded")[0]["result"] == "defender-holds" and not play.state.blocks["HG-1"].shown


@rule("6.41")
def test_it_goes_back_where_it_came_from_even_if_two_units_stand_there_and_on_from_there() -> None:
    play = fight(f"{RIVER}\nat 12 5-1 5-2\ncontrol allied 14", "6.27: 1 1 1", {"abort": "abort"})
    assert play.state.blocks["50-1"].area != "15"
    assert play.of("Moved")[0]["path"][:2] == ["15", "12"] and len(play.of("Moved")[0]["path"]) == 3


@rule("6.41")
def test_a_river_assault_without_a_way_back_cannot_be_aborted() -> None:
    play = fight(RIVER.replace("control allied 12 5", "control allied 5"), "6.27: 1 1 1")
    assert not asks(play, "abort") and play.state.blocks["50-1"].area == "eliminated"


BEACH = (
    "at 13 50-1/3 50-2/2\nat 13 NAP-1/3\nnewly 13\nassault 13 beach\nbeachhead B5\n"
    "entered 13 50-1 from B5 by sea\nentered 13 50-2 from B5 by sea"
)


@rule("14.27")
def test_an_aborted_beach_assault_goes_back_to_sea_and_loses_the_beachhead() -> None:
    play = fight(BEACH, "6.27: 1 1 1", {"abort": "abort"})
    blocks = play.state.blocks
    assert [(blocks[u].area, blocks[u].status) for u in ("50-1", "50-2")] == [("at-sea", "disordered")] * 2
    assert play.of("BeachheadSet") == [{"type": "BeachheadSet", "box": "B5", "status": "captured", "rule": "14.27b"}]
    assert not any(blocks[u].shown for u in ("50-1", "50-2", "NAP-1"))


@rule("14.28")
def test_the_retreat_to_sea_is_told_as_such() -> None:
    play = fight(BEACH, "6.27: 1 1 1", {"abort": "abort"})
    assert [(m["block"], m["mode"], m["path"]) for m in play.of("Moved")] == [
        ("50-1", "sea-retreat", ["13", "at-sea"]),
        ("50-2", "sea-retreat", ["13", "at-sea"]),
    ]


@rule("14.27")
def test_who_joined_a_beach_assault_by_land_goes_back_by_land() -> None:
    play = fight(
        BEACH.replace("entered 13 50-2 from B5 by sea", "entered 13 50-2 from 5") + "\ncontrol allied 5",
        "6.27: 1 1 1",
        {"abort": "abort"},
    )
    assert play.state.blocks["50-1"].area == "at-sea" and play.state.blocks["50-2"].area == "5"


@rule("14.28")
def test_allied_defenders_on_a_coast_with_a_beachhead_may_retreat_to_sea() -> None:
    play = fight(
        "at 4 50-1/3 shown\nat 4 NAP-1/2 shown\ncontrol axis 1 5 6 3",
        "6.27: 10 10 10 | 6.28: 1 10",
        {"battle": "fight 4", "retreat-or-loss": "retreat"},
        "2 axis combat",
    )
    assert play.state.blocks["50-1"].area == "at-sea"


# -- 6.42 -------------------------------------------------------------------------------------------


@rule("6.42")
def test_a_the_first_hit_of_the_round_goes_into_the_field_works() -> None:
    play = fight("at 6 50-1/3\nat 6 NAP-1/3\nnewly 6\nworks 6 axis", "6.27: 10 10 10 | 6.28: 1 10 10")
    assert absorbed(play, "axis") == ["field-works"] and "6" not in play.state.works
    assert play.state.blocks["NAP-1"].steps == 3 and not asks(play, "retreat-or-loss")


@rule("6.42")
def test_b_one_artillery_hit_may_be_absorbed_by_disorder() -> None:
    lines = "at 6 50-1/1\nat 6 NAP-1/3 LIV-1/2 recovering\nnewly 6\navailable 24ART 98ART"
    play = fight(lines, "6.25: 1 1 | 6.27: 10 10 10 10 | 6.28: 10", {**GUNS, "disorder": "disorder", "point-unit": "point NAP-1"})
    assert absorbed(play, "axis") == ["disorder", "lost NAP-1"]
    assert {play.state.blocks[u].status for u in ("NAP-1", "LIV-1")} == {"disordered"}
    play = fight(lines, "6.25: 1 10 | 6.27: 10 10 10 10 | 6.28: 10", {**GUNS, "disorder": "lose", "point-unit": "point NAP-1"})
    assert absorbed(play, "axis") == ["lost NAP-1"] and play.state.blocks["NAP-1"].status == "good"


@rule("6.42")
def test_b_who_is_disordered_already_cannot_absorb_a_hit_by_it() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/3 disordered\nnewly 6\navailable 24ART",
        "6.25: 1 | 6.27: 10 10 | 6.28: 10",
        {"assets": "add 24ART"},
    )
    assert absorbed(play, "axis") == ["lost NAP-1"] and not asks(play, "disorder")


@rule("6.42")
def test_b_only_artillery_hits_are_absorbed_by_disorder_and_c_only_ground_fire_by_retreat() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/3\nnewly 6\navailable 24ART",
        "6.25: 1 | 6.27: 10 10 10 | 6.28: 1",
        {"assets": "add 24ART", "disorder": "disorder", "retreat-or-loss": "retreat"},
    )
    assert absorbed(play, "axis") == ["disorder", "retreat"]
    assert [a.kind for a in play.asked if a.kind in ("disorder", "retreat-or-loss")] == ["disorder", "retreat-or-loss"]


@rule("6.42")
def test_c_all_units_retreat_and_are_disordered_and_go_on_taking_hits() -> None:
    play = fight(
        "at 6 50-1/3\nat 6 NAP-1/3 LIV-1/2\nnewly 6",
        "6.27: 10 10 10 10 10 | 6.28: 1 1 1",
        {
            "retreat-or-loss": "retreat",
            ("retreat-to", "LIV-1"): "retreat LIV-1 to 12",
            ("retreat-to", "NAP-1"): "retreat NAP-1 to 11",
            "point-unit": "point NAP-1",
        },
    )
    assert absorbed(play, "axis") == ["retreat", "lost NAP-1", "lost LIV-1"]
    blocks = play.state.blocks
    assert [(blocks[u].area, blocks[u].steps, blocks[u].status) for u in ("NAP-1", "LIV-1")] == [
        ("11", 2, "disordered"),
        ("12", 1, "disordered"),
    ]
    assert play.state.control["6"] == "allied"


@rule("6.42")
def test_c_no_retreat_where_one_unit_has_nowhere_to_go() -> None:
    surrounded = "control allied 3 4 5 7 11 12 13"
    play = fight(f"at 6 50-1/1\nat 6 NAP-1/3\nnewly 6\n{surrounded}", "6.27: 10 10 10 | 6.28: 1")
    assert not asks(play, "retreat-or-loss") and absorbed(play, "axis") == ["lost NAP-1"]


@rule("6.42")
def test_c_works_go_first() -> None:
    play = fight(
        "at 6 50-1/3\nat 6 NAP-1/3\nnewly 6\nworks 6 axis",
        "6.27: 10 10 10 | 6.28: 1 1 10",
        {"retreat-or-loss": "retreat"},
    )
    assert absorbed(play, "axis") == ["field-works", "retreat"]
    assert asks(play, "retreat-or-loss")[0].facts["hits"] == 1


@rule("6.42")
def test_d_hits_beyond_the_last_step_are_unapplied() -> None:
    play = fight("at 6 50-1/3\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 1 1 1", {"retreat-or-loss": "lose"})
    assert absorbed(play, "axis") == ["lost NAP-1", "unapplied", "unapplied"]


@rule("6.42")
def test_the_default_holds_against_one_hit_and_retreats_before_more() -> None:
    one = fight("at 6 50-1/1\nat 6 NAP-1/3\nnewly 6", "6.27: 10 10 10 | 6.28: 1")
    assert asks(one, "retreat-or-loss")[0].default == "lose"
    last = fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 1")
    assert asks(last, "retreat-or-loss")[0].default == "retreat"
    more = fight("at 6 50-1/2\nat 6 NAP-1/3\nnewly 6", "6.27: 10 10 10 | 6.28: 1 1")
    assert asks(more, "retreat-or-loss")[0].default == "retreat"


# -- 6.43 -------------------------------------------------------------------------------------------


@rule("6.43")
def test_everybody_takes_one_loss_before_anybody_takes_a_second() -> None:
    play = fight(
        "at 6 50-1/4\nat 6 NAP-1/3 LIV-1/3\nnewly 6\navailable 1FJ",
        "6.27: " + "10 " * 7 + "| 6.28: 1 1 1 1",
        {
            "assets": "add 1FJ",
            "retreat-or-loss": "lose",
            "loss": ["lose NAP-1", "lose LIV-1", "lose LIV-1"],
            "point-unit": "point NAP-1",
        },
    )
    assert absorbed(play, "axis") == ["lost NAP-1", "lost LIV-1", "lost 1FJ", "lost LIV-1"]
    assert [[o.key for o in a.options] for a in asks(play, "loss")] == [
        ["lose 1FJ", "lose NAP-1"],
        ["lose 1FJ", "lose LIV-1"],
        ["lose NAP-1", "lose LIV-1"],
    ], "the third hit had to go to the asset: nobody was asked"


@rule("6.43")
def test_battle_assets_may_die_before_the_point_unit_is_touched() -> None:
    play = fight(
        "at 6 50-1/2\nat 6 NAP-1/3 LIV-1/3\nnewly 6\navailable 1FJ",
        "6.27: " + "10 " * 7 + "| 6.28: 1 1",
        {"assets": "add 1FJ", "retreat-or-loss": "lose", "loss": "lose 1FJ", "point-unit": "point NAP-1"},
    )
    assert absorbed(play, "axis") == ["lost 1FJ", "lost NAP-1"]


@rule("6.43")
def test_losses_are_counted_over_the_whole_round() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/3 LIV-1/3\nnewly 6\navailable 24ART",
        "6.25: 1 | 6.27: " + "10 " * 5 + "| 6.28: 1",
        {"assets": "add 24ART", "disorder": "lose", "retreat-or-loss": "lose", "point-unit": "point NAP-1"},
    )
    assert absorbed(play, "axis") == ["lost NAP-1", "lost LIV-1"]


@rule("6.31")
def test_artillery_takes_no_losses() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1\nnewly 6\navailable 24ART 12ART LUFT-1",
        "6.25: 10 | 6.26: 10 | 6.27: 1 | ",
        {"assets": ["add 24ART", "add 12ART", "add LUFT-1"], "air-role": "support NAP-1"},
    )
    assert absorbed(play, "allied") == ["lost 50-1"] and not asks(play, "loss")


@rule("2.3")
def test_a_unit_that_loses_its_last_step_is_eliminated() -> None:
    play = fight("at 6 50-1/2\nat 6 NAP-1/2\nnewly 6", "6.27: 1 10 | 6.28: 1", {"retreat-or-loss": "lose"})
    assert [e["block"] for e in play.of("StepLost")] == ["50-1", "NAP-1"]
    play = fight("at 6 50-1/2\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 1 10", {"retreat-or-loss": "lose"})
    assert [(e["block"], e["how"]) for e in play.of("Eliminated")] == [("NAP-1", "losses")]


@rule("6.25")
def test_a_lost_point_unit_is_replaced_before_the_next_fire() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/1 LIV-1/2 HG-1/2\nnewly 6\navailable 24ART",
        "6.25: 1 | 6.27: 10 10 10 10 | 6.28: 10",
        {"assets": "add 24ART", "disorder": "lose", "point-unit": ["point NAP-1", "point HG-1"]},
    )
    assert [p["defender"] for p in play.of("PointUnits")] == ["NAP-1", "HG-1"]


# -- 6.5 --------------------------------------------------------------------------------------------


@rule("6.5")
def test_a_recovering_unit_is_disordered_again_and_a_disordered_one_stays_so() -> None:
    play = fight(
        "at 6 50-1/1\nat 6 NAP-1/2 recovering LIV-1/2 disordered\nnewly 6\navailable 24ART",
        "6.25: 1 | 6.27: 10 10 10 10 | 6.28: 10",
        {"assets": "add 24ART", "disorder": "disorder"},
    )
    assert [(e["block"], e["status"]) for e in play.of("StatusSet")] == [("NAP-1", "disordered")]
    assert play.state.blocks["LIV-1"].status == "disordered"


# -- 6.8 --------------------------------------------------------------------------------------------


@rule("6.8")
def test_armor_may_exploit_when_ground_fire_scores_more_than_the_defender_can_take() -> None:
    play = fight("at 6 4A/3 50-1/1\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 1 1 10 10 | 6.8: 5", {"retreat-or-loss": "lose"})
    assert play.state.blocks["4A"].exploit and not play.state.blocks["50-1"].exploit
    assert [m["purpose"] for m in play.of("MoraleChecked")] == ["exploiting"]


@rule("6.8")
def test_without_an_unapplied_hit_there_is_no_exploitation() -> None:
    play = fight("at 6 4A/3\nat 6 NAP-1/1\nnewly 6", "6.27: 10 | 6.28: 1 10 10", {"retreat-or-loss": "lose"})
    assert play.state.blocks["NAP-1"].area == "eliminated" and not play.of("MoraleChecked")


@rule("6.8")
def test_artillery_that_destroys_the_defender_opens_the_way_without_a_hit_to_spare() -> None:
    play = fight(
        "at 6 4A/3\nat 6 NAP-1/1\nnewly 6\navailable 24ART",
        "6.25: 1 | 6.8: 6",
        {"assets": "add 24ART", "disorder": "lose"},
    )
    assert play.of("MoraleChecked")[0]["passed"] is False and not play.state.blocks["4A"].exploit


@rule("6.8")
def test_never_from_assaults_or_breakthrough_combat() -> None:
    lines = "at 6 4A/3\nat 6 NAP-1/1\nnewly 6"
    for more, step in (("\nassault 6 river", "2 allied combat"), ("", "2 allied breakthrough-combat")):
        play = fight(lines + more, "6.27: 10 | 6.28: 1 1 10", {"retreat-or-loss": "lose"}, step)
        assert not play.of("MoraleChecked")


@rule("6.8")
def test_a_hidden_unit_may_decline() -> None:
    play = fight(
        "at 6 4A/3\nat 6 NAP-1/3\nnewly 6\navailable SA-AXIS",
        "",
        {"before-battle": "retreat using SA-AXIS", "exploit-check": "decline"},
    )
    assert offered(play, "exploit-check") == ["check", "decline"]
    assert not play.of("MoraleChecked") and not [s for s in play.of("Shown") if s["block"] == "4A"]


@rule("6.6")
def test_an_aborting_unit_whose_way_back_another_has_taken_loses_a_step_instead() -> None:
    play = fight(
        "at 15 50-1/3 5-1/3\nat 15 HG-1/3\nat 12 1C-1\nnewly 15\nassault 15 river\n"
        "entered 15 50-1 from 12 by river\nentered 15 5-1 from 12 by river\ncontrol allied 12",
        "6.27: 1 1 10",
        {"abort": "abort", "point-unit": "point 50-1"},
    )
    blocks = play.state.blocks
    stayed = next(u for u in ("50-1", "5-1") if blocks[u].area == "15")
    assert blocks[stayed].status == "disordered" and play.of("StepLost")[-1] == {
        "type": "StepLost",
        "block": stayed,
        "rule": "6.6",
    }


@rule("6.4")
def test_hits_are_absorbed_before_steps_are_lost() -> None:
    play = fight(
        "at 6 50-1/4\nat 6 NAP-1/3\nnewly 6\nworks 6 axis\navailable 24ART 98ART",
        "6.25: 1 1 | 6.27: 10 10 10 | 6.28: 1 1 10 10",
        {**GUNS, "disorder": "disorder", "retreat-or-loss": "retreat"},
    )
    assert absorbed(play, "axis") == ["field-works", "disorder", "retreat", "lost NAP-1"]


# -- 18.3 -------------------------------------------------------------------------------------------

GUNS_LOST = {"optional_artillery_loss": True}


@rule("18.3")
def test_guns_may_be_lost_with_the_area_if_the_players_agreed_on_it() -> None:
    lines = "at 6 50-1/3\nat 6 NAP-1/{}\nnewly 6\navailable 12ART\ncontrol axis 11"
    answers = {"assets": "add 12ART", "retreat-to": "retreat NAP-1 to 11"}
    retreated = "6.26: 10 | 6.27: 10 10 10 | 6.28: 1 10 10"
    play = fight(lines.format(3), f"{retreated} | 18.3: 1", {**answers, "retreat-or-loss": "retreat"}, switches=GUNS_LOST)
    assert play.state.chits["12ART"].box == "eliminated" and play.rolls[-1]["target"] == 1
    play = fight(lines.format(3), retreated, {**answers, "retreat-or-loss": "retreat"})
    assert play.state.chits["12ART"].box == "used"
    destroyed = "6.26: 10 | 6.27: 10 | 6.28: 1 1 10 | 18.3: 4"
    play = fight(lines.format(1), destroyed, {**answers, "retreat-or-loss": "lose"}, switches=GUNS_LOST)
    assert play.rolls[-1]["target"] == 3 and play.state.chits["12ART"].box == "used"
    held = "6.26: 10 | 6.27: 10 10 10 | 6.28: 1 10 10"
    fight(lines.format(3), held, {**answers, "retreat-or-loss": "lose"}, switches=GUNS_LOST)
