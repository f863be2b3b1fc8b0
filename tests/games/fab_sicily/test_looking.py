"""What 'help' tells of a place, a unit or the points: true to the position, and nothing of the other side's secrets."""

from __future__ import annotations

import pytest

from pbem.games.fab_sicily.position.data import AXIS, other
from pbem.games.fab_sicily.telling.looking import look_up
from tests.games.fab_sicily.play import board

GROUND = "at 14 50-1/3\nworks 16 axis\nblown 12-15\n"


def told(text: str, side: str, words: str) -> str:
    return "\n".join(look_up(board(text, "primosole_bridge"), side, words.split()))


def test_a_place_tells_its_ground_its_units_and_its_borders() -> None:
    said = told(GROUND, "allied", "14")
    assert said.startswith("Lentini [14]: Allied control, Terrain Difficulty Number ")
    assert "Allied: 50-1 " in said and " 3/" in said and "Borders: " in said
    assert "field works of the Axis side" in told(GROUND, "allied", "16")
    assert "bridge blown" in told(GROUND, "allied", "15") and "bridge blown" not in told("at 14 50-1", "allied", "15")
    assert told(GROUND, "allied", "Lentini") == said == told(GROUND, "allied", "who borders Lentini")


def test_every_place_and_every_unit_has_an_answer_for_both_sides_that_is_a_few_lines() -> None:
    for scenario in ("primosole_bridge", "full"):
        state = board("", scenario)
        for name in (*state.data.areas, *state.data.landing, *state.data.ports, *state.data.blocks):
            for side in ("allied", "axis"):
                lines = look_up(state, side, [name])
                assert 1 <= len(lines) <= 5 and all(line.endswith(".") for line in lines), (name, lines)
                assert "That can mean" not in lines[0] or name.isdecimal(), (name, lines)


def test_a_unit_tells_what_is_printed_and_how_it_stands() -> None:
    said = told("at 14 50-1/3 disordered", "allied", "where is 50/1")
    assert said.startswith("50-1 ") and "quality by steps left: " in said
    assert "It is in Lentini [14]: 50-1 " in said and said.endswith(", disordered.")
    assert told("at eliminated 50-1", "axis", "50-1").endswith("It was eliminated.")


def test_an_enemy_unit_is_told_only_when_it_is_known() -> None:
    assert "You do not see where it is." in told("at 16 HG-1/3", "allied", "HG-1")
    assert "It is in " in told("at 16 HG-1/3 shown", "allied", "HG-1")


SECRETS = [("at 16 HG-1/3", "at 16 SCH/1"), ("at 16 HG-1/1\nat 12 SCH", "at 16 SCH\nat 12 HG-1/3")]


@pytest.mark.parametrize(("one", "another"), SECRETS)
def test_answers_are_the_same_when_only_the_enemys_secrets_differ(one: str, another: str) -> None:
    states = [board(GROUND + text, "primosole_bridge") for text in (one, another)]
    data = states[0].data
    differ = 0
    for name in (*data.areas, *data.landing, *data.ports, *data.blocks, "victory"):
        first, second = (look_up(s, other(AXIS), [name]) for s in states)
        assert first == second, name
        differ += look_up(states[0], AXIS, [name]) != look_up(states[1], AXIS, [name])
    assert differ >= 2, "the owner sees the difference"


@pytest.mark.rule("fab_sicily", "15.3")
def test_the_strength_of_a_face_down_garrison_is_told_to_nobody() -> None:
    for side in ("allied", "axis"):
        assert "its strength drawn when it is revealed (15.3)" in told("garrison 13 S-1", side, "S-1")
        assert "/" not in told("garrison 13 S-1", side, "13").split("Borders")[0]


@pytest.mark.rule("fab_sicily", "19.3")
def test_victory_tells_the_points_and_what_gives_them() -> None:
    state = board(GROUND, "primosole_bridge")
    said = " ".join(look_up(state, "allied", ["victory"]))
    for area in (a for a in state.data.areas.values() if a.vp):
        assert f"{area.name} [{area.id}] {area.vp}" in said
    assert "Allied: " in said and "Axis: " in said and f"of {state.data.turns}." in said


def test_what_nothing_is_called_is_not_looked_up() -> None:
    assert told(GROUND, "allied", "zebra") == "" == told(GROUND, "allied", "move zebra")
