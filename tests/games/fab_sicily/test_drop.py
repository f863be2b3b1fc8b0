"""14.27a The Allied airborne assault."""

from tests.games.fab_sicily.fights import asks, fight, fired, offered, rule
from tests.games.fab_sicily.play import board
from pbem.games.fab_sicily.rules import drop

STEP = "1 allied drop"
ASHORE = "at airborne 1AB-1\nat 4 50-1/1\nat 5 5-1/1\n"


def areas(text: str) -> list[str]:
    """Where 1AB-1 may drop."""
    state = board(text)
    return [o.data["area"] for o in drop.options(state) if o.data["block"] == "1AB-1"]


@rule("14.27")
def test_an_area_needs_units_of_the_army_in_two_adjacent_areas() -> None:
    assert "6" in areas(ASHORE)
    assert "6" not in areas("at airborne 1AB-1\nat 4 50-1/1")
    assert "6" not in areas("at airborne 1AB-1\nat 4 50-1/1\nat 5 1-1/1")
    assert "4" not in areas(ASHORE), "only one adjacent area besides itself"


@rule("14.27")
def test_enemies_do_not_matter_stacking_does() -> None:
    assert "6" in areas(f"{ASHORE}at 6 NAP-1 NAP-2")
    assert "6" in areas(f"{ASHORE}at 6 50-2")
    assert "6" not in areas(f"{ASHORE}at 6 50-2 5-2")


@rule("22.16")
def test_the_drop_keeps_to_the_zone_of_the_army() -> None:
    lines = "at airborne 1AB-1\nat 3 50-1/1\nat 2 5-1/1\n"
    assert "7" not in areas(lines)
    assert "7" in areas(f"{lines}released 1AB")


@rule("14.27")
def test_units_that_cannot_be_dropped_are_lost() -> None:
    play = fight("at airborne 1AB-1 1AB-2\nat 5 5-1/1", step=STEP)
    assert [(e["block"], e["how"]) for e in play.of("Eliminated")] == [("1AB-1", "no-drop"), ("1AB-2", "no-drop")]


@rule("14.27")
def test_an_empty_area_is_taken_without_a_fight() -> None:
    play = fight(ASHORE, "", {"drop": "drop 1AB-1 at 6"}, STEP)
    assert play.state.control["6"] == "allied" and not play.of("BattleBegan", "AssaultMarked")
    assert play.state.blocks["1AB-1"].steps == 2


@rule("14.27")
def test_the_default_keeps_away_from_the_enemy() -> None:
    play = fight(f"{ASHORE}at 1 50-2/1\nat 6 NAP-1/1", "", None, STEP)
    [ask] = asks(play, "drop")
    assert ask.options[0].key and "quiet" in {o.key: o.tags for o in ask.options}[ask.default]


@rule("14.27")
def test_upon_enemies_it_leads_the_battle_as_an_assault_and_cannot_abort() -> None:
    play = fight(
        f"{ASHORE}at 6 50-2/3\nat 6 NAP-1/3\nnewly 6",
        "6.27: 1 1 10 | 6.28: 10 10 10",
        {"drop": "drop 1AB-1 at 6", "abort": "abort"},
        STEP,
    )
    assert play.of("PointUnits")[0]["attacker"] == "1AB-1" and not asks(play, "point-unit", "allied")
    assert fired(play)["NAP-1"][1] == {"veteran against elite": -1, "airborne assault": 1}
    assert fired(play)["1AB-1"][1]["airborne assault"] == -1
    assert not asks(play, "abort") and not play.of("Aborted")
    assert play.of("Entered")[0]["air"] and "6" not in play.state.assaults, "who survives operates normally"


@rule("14.27")
def test_it_outranks_other_assaults_in_the_area() -> None:
    play = fight(f"{ASHORE}at 6 NAP-1/1\nnewly 6\nassault 6 river", "6.27: 10 | 6.28: 10 10", {"drop": "drop 1AB-1 at 6"}, STEP)
    assert play.of("AssaultMarked")[0]["kind"] == "airborne"


@rule("14.27")
def test_drops_fight_before_all_others_and_only_they() -> None:
    play = fight(
        f"{ASHORE}at 6 NAP-1/1\nat 14 50-2/1\nat 14 NAP-2/1\nnewly 14",
        "6.27: 10 | 6.28: 10 10",
        {"drop": "drop 1AB-1 at 6"},
        STEP,
    )
    assert [b["area"] for b in play.of("BattleBegan")] == ["6"] and play.state.fought == ["6"]


@rule("14.27")
def test_the_second_unit_may_count_on_the_first() -> None:
    lines = "at airborne 1AB-1 1AB-2\nat 4 50-1/1\nat 5 5-1/1"
    play = fight(lines, "", {"drop": ["drop 1AB-2 at 6", "drop 1AB-1 at 6"]}, STEP)
    assert play.state.blocks["1AB-1"].area == play.state.blocks["1AB-2"].area == "6"
    assert "drop 1AB-1 at 6" in offered(play, "drop")


@rule("14.27")
def test_without_airborne_units_nothing_happens() -> None:
    assert not fight("at 6 50-1/1\nat 6 NAP-1/1\nnewly 6", step=STEP).asked


@rule("5.22")
def test_a_unit_that_drops_among_face_up_units_is_face_up_at_once() -> None:
    play = fight(f"{ASHORE}at 6 50-2/1 shown\nat 6 NAP-1/1 shown", "6.27: 10 | 6.28: 10 10 10", {"drop": "drop 1AB-1 at 6"}, STEP)
    assert [(s["block"], s["rule"]) for s in play.of("Shown")] == [("1AB-1", "5.22")]
