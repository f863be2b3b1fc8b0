"""8.2, 8.3, 9.6 Refusal, reaction, retreats."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.rules import retreat
from tests.games.invasion_sicily.play import Play, board, refusal

# -- 8.2 combat refusal -------------------------------------------------------------------------------

HELD = "at 1924 US-16 \n at 2024 GE-1HG GE-Schm \n attack 2024 US-16"


@pytest.mark.rule("invasion_sicily", "8.2")
@pytest.mark.rule("invasion_sicily", "8.2.1")
@pytest.mark.rule("invasion_sicily", "8.2.2")
def test_example_15_the_best_unit_rolls_for_the_stack() -> None:
    """E15: ratings 5 and 7, so a 7 passes; the attackers may follow, and their attack is off."""
    play = Play(board(HELD), "2 allied reaction", [("8.2.2", 7)], {"refusal": "refuse to 2123 2223", "follow": "advance all"})
    assert play.of(e.Refused)[0].passed
    assert [play.place(u) for u in ("GE-1HG", "GE-Schm", "US-16")] == ["2223", "2223", "2024"]
    assert not play.state.attacks


@pytest.mark.rule("invasion_sicily", "8.2.2")
def test_a_failed_refusal_stays() -> None:
    play = Play(board(HELD), "2 allied reaction", [("8.2.2", 8)], {"refusal": "refuse to 2123 2223"})
    assert play.place("GE-1HG") == "2024" and "2024" in play.state.attacks


@pytest.mark.rule("invasion_sicily", "8.2.1")
@pytest.mark.parametrize("other", ["IT-33", "GE-382", "GE-Schm unsupplied"])
def test_one_unit_that_may_not_refuse_holds_all(other: str) -> None:
    """IT-33 is rated 4, GE-382 has no red allowance, the last is out of supply."""
    text = f"at 1924 US-16 \n at 2024 GE-1HG {other} \n attack 2024 US-16"
    assert "refusal" not in [a.kind for a in Play(board(text), "2 allied reaction").asked]


@pytest.mark.rule("invasion_sicily", "8.2.3")
def test_no_refusal_into_a_hex_under_attack() -> None:
    text = f"{HELD} \n at 2222 US-26 \n at 2223 GE-AufHG \n attack 2223 US-26"
    ask = next(a for a in Play(board(text), "2 allied reaction").asked if a.kind == "refusal")
    assert not [o.key for o in ask.options if o.key.endswith("2223")]


@pytest.mark.rule("invasion_sicily", "8.2.4")
def test_no_refusal_through_a_vacant_hex_in_an_enemy_zone() -> None:
    """US-26 in 2022 reaches into 2023, 2123's neighbour."""
    text = f"{HELD} \n at 2022 US-26"
    ask = next(a for a in Play(board(text), "2 allied reaction").asked if a.kind == "refusal")
    assert not [o.key for o in ask.options if "2023" in o.key]


# -- 8.3 reaction -------------------------------------------------------------------------------------

NEAR = "at 1924 US-16 US-26 \n at 2024 GE-Schm \n attack 2024 US-16 US-26 \n at 2123 GE-1HG"


@pytest.mark.rule("invasion_sicily", "8.3")
@pytest.mark.rule("invasion_sicily", "8.3.1")
@pytest.mark.rule("invasion_sicily", "8.3.3")
def test_a_motorized_unit_reinforces_a_hex_under_attack_after_a_check() -> None:
    play = Play(board(NEAR), "2 allied reaction", [("8.3.1", 5)], {"reaction": "react GE-1HG to 2024"})
    assert play.place("GE-1HG") == "2024"
    assert play.of(e.Moved)[0].cost == 2, "no price for the zone"


@pytest.mark.rule("invasion_sicily", "8.3.2")
def test_who_fails_to_react_may_not_try_again() -> None:
    play = Play(board(NEAR), "2 allied reaction", [("8.3.1", 6)], {"reaction": "react GE-1HG to 2024"})
    assert play.place("GE-1HG") == "2123"
    assert len([a for a in play.asked if a.kind == "reaction"]) == 1


@pytest.mark.rule("invasion_sicily", "8.3.3")
def test_no_reaction_into_a_zone_without_a_friend_there() -> None:
    state = board(NEAR)
    assert refusal(state, "reaction", "react GE-1HG to 2025", "axis").rule == "8.3.3"


@pytest.mark.rule("invasion_sicily", "8.3.1")
@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("at 2123 GE-1HG unsupplied", "8.3.1"), ("at 2123 GE-382", "8.3.1"), ("at 2418 GE-1HG", "8.3.1"),
    ],
)
def test_who_may_not_react(change: str, rule: str) -> None:
    text = f"at 1924 US-16 \n at 2024 GE-Schm \n attack 2024 US-16 \n {change}"
    unit = change.split()[2]
    assert refusal(board(text), "reaction", f"react {unit} to 2123", "axis").rule == rule


@pytest.mark.rule("invasion_sicily", "8.3.1")
def test_italians_in_a_zone_do_not_react_germans_do() -> None:
    text = "at 1924 US-16 \n at 2024 GE-Schm \n attack 2024 US-16 \n at 2025 {}"
    assert refusal(board(text.format("IT-33")), "reaction", "react IT-33 to 2024", "axis").rule == "8.3.1"
    play = Play(board(text.format("GE-1HG")), "2 allied reaction", [("8.3.1", 1)], {"reaction": "react GE-1HG to 2024"})
    assert play.place("GE-1HG") == "2024"


@pytest.mark.rule("invasion_sicily", "8.3.4")
def test_a_reaction_keeps_to_stacking_and_terrain() -> None:
    text = "at 1924 US-16 \n at 2024 GE-Schm GE-104 GE-129 \n attack 2024 US-16 \n at 2123 GE-1HG"
    assert refusal(board(text), "reaction", "react GE-1HG to 2024", "axis").rule == "8.3.4"


@pytest.mark.rule("invasion_sicily", "8.3")
def test_without_an_attack_nobody_reacts() -> None:
    assert not Play(board("at 1924 US-16 \n at 2024 GE-Schm"), "2 allied reaction").asked


# -- 9.6 retreats -------------------------------------------------------------------------------------


def ways(text: str, units: list[str], n: int) -> list[tuple[str, ...]]:
    return retreat.escape(board(text), units, n).paths


@pytest.mark.rule("invasion_sicily", "9.6")
@pytest.mark.rule("invasion_sicily", "9.6.1")
def test_a_retreat_leads_so_many_hexes_away_and_not_over_enemies() -> None:
    found = ways("at 2122 GE-1HG \n at 2022 US-16", ["GE-1HG"], 2)
    assert found and all(len(p) == 3 and "2022" not in p for p in found)


@pytest.mark.rule("invasion_sicily", "9.6.2")
def test_a_retreat_does_not_end_overstacked() -> None:
    text = "at 2122 GE-1HG \n at 2222 GE-Schm GE-104 GE-129 \n at 2022 US-16"
    assert not [p for p in ways(text, ["GE-1HG"], 1) if p[-1] == "2222"]
    assert [p for p in ways(text, ["GE-1HG"], 2) if p[1] == "2222"], "through it is another matter"


@pytest.mark.rule("invasion_sicily", "9.6.3")
@pytest.mark.rule("invasion_sicily", "9.6.8")
def test_zones_are_kept_out_of_unless_friends_stand_there() -> None:
    text = "at 2122 GE-1HG \n at 2022 US-16"
    zone = {"2121", "2023", "2021", "1922"}
    assert not [p for p in ways(text, ["GE-1HG"], 1) if set(p[1:]) & zone]
    held = f"{text} \n at 2121 GE-AufHG"
    assert [p for p in ways(held, ["GE-1HG"], 1) if p[-1] == "2121"]


@pytest.mark.rule("invasion_sicily", "9.6.9")
def test_example_16_through_one_vacant_zone_hex_for_two_hexes_and_a_check() -> None:
    """E16: all vacant hexes around 2122 are in zones; from 2223 the way out to 2323 is free."""
    state = board("at 2122 GE-1HG \n at 2022 US-16 \n at 2123 US-26 \n at 2321 US-18")
    found = retreat.escape(state, ["GE-1HG"], 1)
    assert found.special and ("2122", "2223", "2323") in found.paths
    assert all(len(p) == 3 for p in found.paths)
    closed = board("at 2122 GE-1HG \n at 2022 US-16 \n at 2123 US-26 \n at 2321 US-18 \n at 2324 US-157")
    assert ("2122", "2223", "2323") not in retreat.escape(closed, ["GE-1HG"], 1).paths, "two zone hexes"


@pytest.mark.rule("invasion_sicily", "9.6.9")
def test_artillery_makes_no_special_retreat_but_allied_armored_artillery_does() -> None:
    state = board("at 1924 GE-ArtHG US-1A US-62F")
    assert [retreat.barred_from_special(state, u) for u in ("GE-ArtHG", "US-1A", "US-62F")] == [True, True, False]


@pytest.mark.rule("invasion_sicily", "9.6.4")
def test_units_that_retreat_into_a_hex_under_attack_add_nothing_and_share_its_fate() -> None:
    text = (
        "at 1924 US-16 US-26 US-18 \n at 2024 GE-1HG \n attack 2024 US-16 US-26 US-18 "
        "\n at 2122 US-157 \n at 2123 IT-33 \n attack 2123 US-157"
    )
    play = Play(board(text), "2 allied combat", [("9.4", 7), ("9.4", 9)],
                {"battle": "fight 2024", "retreat": ["retreat to 2123"], "advance": "done"})
    second = play.of(e.CombatResolved)[1]
    assert play.place("GE-1HG") == "2123"
    assert second.defence == 4, "the Italians alone"


@pytest.mark.rule("invasion_sicily", "9.6.5")
def test_a_retreat_seeks_supply() -> None:
    """Of two ways the one that leads back to supply is taken, if there is one."""
    state = board("at 2122 US-16 \n at 1823 US-531 \n at 2222 GE-1HG GE-Schm")
    found = retreat.escape(state, ["US-16"], 1)
    assert found.paths


@pytest.mark.rule("invasion_sicily", "9.6.6")
@pytest.mark.rule("invasion_sicily", "6.3.1")
@pytest.mark.rule("invasion_sicily", "13.3")
def test_beach_units_always_leave_by_sea_others_may() -> None:
    """13 against 8 and 2 over a river: 1:1, +1; a die of 1 takes a step of both and throws the defenders back."""
    text = "at 1825 US-16 US-36B \n at 1924 GE-PzHG GE-1HG \n attack 1825 GE-PzHG GE-1HG"
    play = Play(
        board(text), "2 axis combat", [("9.4", 1), ("13.3", 6), ("13.3", 5)],
        {"lead": ["lead GE-PzHG", "lead US-16"], "no-retreat": "retreat", "retreat": "evacuate", "advance": "done"},
    )
    assert [play.place(u) for u in ("US-36B", "US-16")] == ["evacuation", "evacuation"]


@pytest.mark.rule("invasion_sicily", "9.6")
def test_units_without_a_way_are_eliminated() -> None:
    text = (
        "at 2122 GE-904 \n at 2022 US-16 \n at 2023 US-26 \n at 2121 US-157 \n at 2123 US-18 \n at 2222 US-179 \n at 2223 US-180"
        "\n attack 2122 US-16 US-26 US-157 US-18"
    )
    play = Play(board(text), "2 allied combat", [("9.3.3", 1), ("9.3.3", 1), ("9.3.3", 1), ("9.4", 7)], {"advance": "done"})
    assert play.place("GE-904") == "eliminated"


@pytest.mark.rule("invasion_sicily", "14.1.6")
def test_coast_defence_units_that_cannot_move_die_when_they_must_retreat() -> None:
    text = "at 1924 US-16 \n cd 1825 CD-27 \n attack 1825 US-16"
    play = Play(board(text), "2 allied combat", [("9.4", 8)], {"advance": "done"})
    assert "r" in play.result.result.split("/")[1]
    assert play.place("CD-1825") == "eliminated"
