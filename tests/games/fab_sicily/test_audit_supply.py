"""18.4 Field works in contested areas, with the optional rule and without it."""

from __future__ import annotations

import pytest

from tests.games.fab_sicily.fights import dice, rule
from tests.games.fab_sicily.play import Play, board

HELD = """
    at 15 NAP-1 shown NAP-2/1 disordered shown
    at 15 50-1 shown
    works 15 axis
    control axis 15
    control allied 14 13 5
    beachhead B4
"""


def supplied(side: str, script: str = "", optional: bool = True) -> Play:
    state = board(HELD)
    state.data.switches["optional_works"] = optional  # type: ignore[index]
    play = Play(state, f"2 {side} supply", dice(script), default=True)
    assert not play.faces_left
    return play


@rule("18.4")
@pytest.mark.parametrize(("script", "kept"), [("18.4: 5", True), ("18.4: 6", False)])
def test_field_works_are_kept_by_a_morale_check_of_the_steadiest_unit(script: str, kept: bool) -> None:
    play = supplied("axis", script)
    assert ("15" in play.state.works) is kept
    assert [m["block"] for m in play.of("MoraleChecked")] == ["NAP-1"]


@rule("18.4")
def test_they_stay_in_the_enemys_supply_phase() -> None:
    assert supplied("allied").state.works == {"15": "axis"}


@rule("9.5")
@pytest.mark.parametrize("side", ["allied", "axis"])
def test_without_the_optional_rule_they_go_in_any_supply_phase(side: str) -> None:
    assert not supplied(side, optional=False).state.works
