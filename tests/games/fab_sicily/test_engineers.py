"""4.3 Engineering functions and 14.5: who may do what, where."""

from dataclasses import replace

import pytest

from pbem.games.fab_sicily.words.refusals import Done
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.offers import add_chit, offers, reason, refused
from tests.games.fab_sicily.play import Play, board

AXIS_AT_15 = "at 15 HG-1\navailable AXENG-1"


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


@rule("4.3")
def test_engineers_work_from_the_available_box_only() -> None:
    state = board("at 15 HG-1\nused AXENG-1")
    assert refused(state, "axis", "works 15 with AXENG-1") == "4.33"
    assert not any("with AXENG-1" in key for key in offers(state, "axis"))


@rule("4.3")
def test_enemy_engineers_do_not_work_for_us() -> None:
    assert refused(board(AXIS_AT_15), "allied", "works 15 with AXENG-1")


@rule("4.31")
def test_bridges_are_offered_singly_and_in_pairs_of_one_area() -> None:
    keys = offers(board(AXIS_AT_15), "axis")
    assert "blow 12-15 from 15 with AXENG-1" in keys
    assert "blow 12-15 14-15 from 15 with AXENG-1" in keys
    assert not any(key.startswith("blow 12-15 14-26") for key in keys)


@rule("4.31")
def test_pairs_must_be_two_different_bridges() -> None:
    assert refused(board(AXIS_AT_15), "axis", "blow 12-15 12-15 from 15 with AXENG-1") == "4.31"


@rule("4.31")
def test_no_bridge_is_blown_twice() -> None:
    assert refused(board(AXIS_AT_15 + "\nblown 12-15"), "axis", "blow 12-15 from 15 with AXENG-1") == "4.31"


@rule("4.31")
@pytest.mark.parametrize(
    ("lines", "cited"),
    [("at 15 50-1", "4.31"), ("control allied 15", "4.31"), ("unsupplied axis 15", "9.34d")],
    ids=["contested", "enemy-controlled", "unsupplied"],
)
def test_bridges_are_blown_from_a_supplied_friendly_quiet_area(lines: str, cited: str) -> None:
    assert refused(board(f"{AXIS_AT_15}\n{lines}"), "axis", "blow 12-15 from 15 with AXENG-1") == cited


@rule("4.31")
def test_the_area_must_touch_the_river() -> None:
    state = board(AXIS_AT_15)
    dry = next(b.id for b in state.data.borders.values() if "15" in (b.a, b.b) and not b.river)
    assert refused(state, "axis", "blow 12-15 from 16 with AXENG-1") == "4.31"
    assert refused(state, "axis", f"blow {dry} from 15 with AXENG-1") == "4.31"


@rule("4.31")
def test_both_banks_may_be_used() -> None:
    assert "blow 12-15 from 12 with AXENG-1" in offers(board(AXIS_AT_15), "axis")


REPAIR = "repair 12-15 from 12 with ENG-1"


@rule("4.32")
def test_both_banks_controlled_is_enough_for_a_repair() -> None:
    assert REPAIR in offers(board("at 12 50-1\ncontrol allied 15\nblown 12-15\navailable ENG-1"), "allied")


@rule("4.32")
@pytest.mark.parametrize(
    ("lines", "cited"),
    [
        ("blown 14-15", "4.32"), ("blown 12-15", "4.32"), ("blown 12-15\ncontrol allied 15\nat 12 HG-1", "4.32"),
        ("blown 12-15\ncontrol allied 15\nunsupplied allied 12", "9.34d"),
    ],
    ids=["standing", "far bank hostile", "near bank contested", "near bank unsupplied"],
)
def test_what_a_repair_needs(lines: str, cited: str) -> None:
    assert refused(board(f"at 12 50-1\navailable ENG-1\n{lines}"), "allied", REPAIR) == cited


@rule("4.31")
def test_one_asset_blows_two_bridges_at_most() -> None:
    state = board(AXIS_AT_15)
    dry = next(b for b in state.data.borders.values() if "15" in (b.a, b.b) and not b.river)
    state.data.borders[dry.id] = replace(dry, river="Test")  # type: ignore[index]
    assert any(key.startswith("blow 12-15 14-15 from") for key in offers(state, "axis"))
    assert refused(state, "axis", f"blow 12-15 14-15 {dry.id} from 15 with AXENG-1") == "4.31"


@rule("4.32")
def test_only_a_blown_bridge_is_repaired() -> None:
    state = board("at 12 50-1\ncontrol allied 15\navailable ENG-1")
    dry = next(b.id for b in state.data.borders.values() if "12" in (b.a, b.b) and not b.river)
    state.control.update(dict.fromkeys(state.control, "allied"))
    assert "not blown" in reason(state, "allied", REPAIR)
    assert "no river" in reason(state, "allied", f"repair {dry} from 12 with ENG-1")


@rule("4.32")
def test_the_repair_starts_from_the_friendly_bank() -> None:
    state = board("at 12 50-1\nat 15 50-2 HG-1\nblown 12-15\navailable ENG-1")
    assert refused(state, "allied", "repair 12-15 from 15 with ENG-1") == "4.32"


@rule("4.33")
@pytest.mark.parametrize(
    ("lines", "cited"),
    [
        ("control allied 12", "4.33"), ("at 12 1-1", "4.33"), ("at 12 50-1 NAP-1\ncontrol allied 12", "4.33"),
        ("at 12 50-1\nunsupplied allied 12", "9.34d"), ("at 12 50-1\nworks 12 allied", "4.33"),
    ],
    ids=["nobody there", "another army", "contested", "unsupplied", "already there"],
)
def test_what_field_works_need(lines: str, cited: str) -> None:
    assert refused(board(f"{lines}\navailable ENG-1"), "allied", "works 12 with ENG-1") == cited


@rule("14.53")
def test_axis_engineers_dig_for_any_axis_unit() -> None:
    keys = offers(board("at 6 NAP-1\nat 15 HG-1\ngarrison 14 S-1\navailable AXENG-1"), "axis")
    assert {f"works {area} with AXENG-1" for area in ("6", "15", "14")} <= set(keys)


@rule("4.34")
@pytest.mark.parametrize(
    ("area", "lines", "cited"),
    [
        ("19", "", "4.34"), ("6", "at 6 NAP-1", "4.34"), ("6", "control allied 6", "4.34"), ("6", "unsupplied axis 6", "9.34d"),
        ("6", "roadblock 6 axis", "4.34"), ("6", "map AXENG-2 6 roadblock", "4.34"),
    ],
    ids=["open ground", "own unit", "enemy-controlled", "unsupplied", "already there", "defended already"],
)
@pytest.mark.parametrize("verb", ["roadblock", "defend"])
def test_what_a_roadblock_needs(area: str, lines: str, cited: str, verb: str) -> None:
    expected = cited.replace("4.34", "4.35") if verb == "defend" else cited
    assert refused(board(f"available AXENG-1\n{lines}"), "axis", f"{verb} {area} with AXENG-1") == expected


@rule("4.35")
def test_a_vacant_area_may_be_defended_by_engineers() -> None:
    keys = offers(board("available AXENG-1"), "axis")
    assert "defend 6 with AXENG-1" in keys
    assert "roadblock 6 with AXENG-1" in keys


@rule("4.34")
def test_a_terrain_difficulty_of_one_is_enough() -> None:
    state = board("available AXENG-1")
    state.data.areas["19"] = replace(state.data.areas["19"], tdn=1)  # type: ignore[index]
    assert {"roadblock 19 with AXENG-1", "defend 19 with AXENG-1"} <= set(offers(state, "axis"))


PORT = "control axis 26\navailable AXENG-1 ENG-1"


@rule("14.51")
def test_the_axis_damages_a_port_by_one_level_a_phase() -> None:
    state = board(PORT + " AXENG-2")
    play = Play(state, "2 axis admin", answers={"admin": ["damage P2 with AXENG-1", "done"]})
    assert play.of("PortDamaged") == [{"type": "PortDamaged", "box": "P2", "level": 1, "rule": "14.51"}]
    assert not any(o.key.startswith("damage P2") for o in play.asked[-1].options)
    assert state.chits["AXENG-1"].box == "used"
    again = Play(state, "2 allied counter-admin", answers={"admin": ["damage P2 with AXENG-2"]}, default=True)
    assert again.of("PortDamaged")[0]["level"] == 2


@rule("14.51")
@pytest.mark.parametrize(
    ("choice", "lines", "cited"),
    [
        ("damage P2 with AXENG-1", "port P2 2", "14.51"), ("damage P2 with AXENG-1", "unsupplied axis 26", "9.34d"),
        ("damage P1 with AXENG-1", "at 5 50-1", "14.51"), ("damage P4 with AXENG-1", "", "14.51"),
        ("mend P2 with AXENG-1", "port P2 1", "14.51"),
    ],
    ids=["wrecked", "unsupplied", "enemy-controlled", "Messina", "only the Allies mend"],
)
def test_what_damage_needs(choice: str, lines: str, cited: str) -> None:
    assert refused(board(f"{PORT}\n{lines}"), "axis", choice) == cited


@rule("14.51")
def test_the_words_of_a_refused_port_order() -> None:
    assert "only the Axis damages" in reason(board(f"{PORT}\nport P2 1"), "axis", "mend P2 with AXENG-1")
    assert "most damage" in reason(board(f"{PORT}\nport P2 2"), "axis", "damage P2 with AXENG-1")
    assert "undamaged" in reason(board("at 5 50-1\navailable ENG-1"), "allied", "mend P1 with ENG-1")
    assert "British" in reason(board("control allied 5\nport P1 1\navailable ENG-1"), "allied", "mend P1 with ENG-1")
    assert "American" in reason(board("control allied 57\nport P3 1\navailable ENG-1"), "allied", "mend P3 with ENG-1")


@rule("14.31")
def test_ports_are_mended_by_engineers_of_the_zone() -> None:
    state = board("at 5 50-1\nport P1 1")
    add_chit(state, "ENG-7", kind="engineer", army="7")
    assert refused(state, "allied", "mend P1 with ENG-7") == "14.31"


@rule("14.51")
def test_ports_done_in_this_phase_are_refused() -> None:
    state = board(PORT)
    assert "damage P2 with AXENG-1" not in offers(state, "axis", Done(ports=["P2"]))


@rule("14.51")
def test_the_allies_mend_a_port_that_a_british_unit_holds() -> None:
    state = board("at 5 50-1\nport P1 2\navailable ENG-1")
    play = Play(state, "2 allied admin", answers={"admin": ["mend P1 with ENG-1"]}, default=True)
    assert play.of("PortDamaged")[0]["level"] == 1
    assert state.chits["ENG-1"].box == "used"


@rule("14.51")
@pytest.mark.parametrize(
    ("lines", "cited"),
    [("at 5 50-1", "14.51"), ("control allied 5\nport P1 1", "14.51"), ("at 5 1-1\nport P1 1", "14.51"),
     ("at 5 50-1\nport P1 1\nunsupplied allied 5", "9.34d"), ("port P1 1", "14.51")],
    ids=["undamaged", "nobody there", "Americans", "unsupplied", "enemy-controlled"],
)
def test_what_mending_needs(lines: str, cited: str) -> None:
    assert refused(board(f"{lines}\navailable ENG-1"), "allied", "mend P1 with ENG-1") == cited


@rule("14.5")
def test_each_side_has_its_own_port_function() -> None:
    state = board("at 5 50-1\nport P1 1 \nport P2 1\navailable ENG-1 AXENG-1")
    assert [key for key in offers(state, "allied") if key.split()[0] in ("mend", "damage")] == ["mend P1 with ENG-1"]
    assert "damage P2 with AXENG-1" in offers(state, "axis")
    assert not any(key.startswith("mend") for key in offers(state, "axis"))


@rule("14.51")
def test_palermo_takes_an_american_unit() -> None:
    state = board("at 57 1-1\nport P3 1")
    add_chit(state, "ENG-7", kind="engineer", army="7")
    assert "mend P3 with ENG-7" in offers(state, "allied")
    assert refused(board("at 57 50-1\nport P3 1\navailable ENG-1"), "allied", "mend P3 with ENG-1") == "14.51"


@rule("14.31")
def test_engineers_keep_to_their_armys_zone() -> None:
    state = board("control allied 12 15 16 17\navailable ENG-1")
    assert "roadblock 6 with ENG-1" in offers(board("control allied 6\navailable ENG-1"), "allied")
    assert refused(state, "allied", "roadblock 17 with ENG-1") == "14.31"


def frontier(state: State) -> tuple[str, str, str]:
    """A river between zones A and B: the border, its area in A and its area in B."""
    zones = {a.id: a.zones for a in state.data.areas.values()}
    for border in state.data.borders.values():
        for a, b in ((border.a, border.b), (border.b, border.a)):
            if border.river and zones[a] == ("A",) and zones[b] == ("B",):
                return border.id, a, b
    raise AssertionError("the map has no such river")


@rule("14.31")
def test_engineers_support_their_own_units_beyond_the_zone() -> None:
    border, in_a, _ = frontier(board(""))
    assert f"blow {border} from {in_a} with ENG-1" in offers(board(f"at {in_a} 50-1\navailable ENG-1"), "allied")


@rule("14.52")
def test_a_river_between_two_zones_is_worked_from_the_engineers_own_zone() -> None:
    border, in_a, in_b = frontier(board(""))
    state = board(f"control allied {in_a} {in_b}\navailable ENG-1")
    add_chit(state, "ENG-7", kind="engineer", army="7")
    assert f"blow {border} from {in_b} with ENG-1" in offers(state, "allied")
    state.blown = [border]
    assert f"repair {border} from {in_b} with ENG-1" in offers(state, "allied")
    assert refused(state, "allied", f"repair {border} from {in_a} with ENG-1") == "14.31"
    state.blown = []
    assert f"blow {border} from {in_a} with ENG-7" in offers(state, "allied")
    assert refused(state, "allied", f"blow {border} from {in_a} with ENG-1") == "14.31"
    assert refused(state, "allied", f"blow {border} from {in_b} with ENG-7") == "14.31"


@rule("16.2")
def test_engineers_without_an_army_work_anywhere() -> None:
    state = board("control allied 6 17")
    add_chit(state, "ENG-0", kind="engineer", army="")
    assert {"roadblock 6 with ENG-0", "roadblock 17 with ENG-0"} <= set(offers(state, "allied"))


@rule("14.32")
def test_axis_engineers_know_no_zones() -> None:
    keys = offers(board("available AXENG-1"), "axis")
    assert {"roadblock 6 with AXENG-1", "roadblock 34 with AXENG-1"} <= set(keys)
