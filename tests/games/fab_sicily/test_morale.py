"""6.7, 18.1: morale checks."""

import pytest

from pbem.core.dice import ScriptedDice
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import morale
from tests.games.fab_sicily.fights import rule
from tests.games.fab_sicily.play import _OneStep, board
from pbem.games.fab_sicily import RULESET


def check(text: str, block: str, face: int, **switches: object) -> tuple[bool, int, _OneStep]:
    """A morale check of a unit of the position with that face: passed, Success Number, the session."""
    state = board(text)
    state.data.switches.update(switches)  # type: ignore[attr-defined]
    dice = ScriptedDice([("9.4", face)])
    session = _OneStep("case", RULESET, {}, {}, state, dice, "2026-01-01T00:00:00Z", step=1, step_name="2 allied supply")  # type: ignore[arg-type]
    passed, rolled = morale.roll(Ctx(session), block, "lack of supply", "9.4")
    assert rolled == face
    return passed, session.new_rows[-3 if not state.blocks[block].shown else -2].payload["target"], session


@rule("6.7")
@pytest.mark.parametrize(
    ("line", "block", "number"),
    [
        ("at 6 50-1", "50-1", 5),
        ("at 6 51-1/4", "51-1", 7),
        ("at 6 51-1/2", "51-1", 5),
        ("garrison 6 S-1 is S-rec2a", "S-1", 3),
        ("garrison 6 S-1 is S-vet2", "S-1", 5),
        ("at 6 50-1 disordered", "50-1", 4),
        ("at 6 50-1 recovering", "50-1", 4),
        ("at 6 50-1 unsupplied", "50-1", 4),
        ("at 6 50-1 unsupplied disordered", "50-1", 3),
    ],
)
def test_the_success_number(line: str, block: str, number: int) -> None:
    passed, target, _ = check(line, block, number)
    assert (passed, target) == (True, number)
    assert not check(line, block, number + 1)[0]


@rule("6.7")
def test_a_hidden_unit_is_shown_for_the_roll_only() -> None:
    *_, session = check("at 6 50-1", "50-1", 5)
    kinds = [(r.kind, r.payload.get("event", {}).get("shown")) for r in session.new_rows]
    assert kinds == [("event", True), ("roll", None), ("event", None), ("event", False)]
    *_, session = check("at 6 50-1 shown", "50-1", 5)
    assert [r.kind for r in session.new_rows] == ["roll", "event"]


@rule("18.1")
def test_airborne_units_may_ignore_being_unsupplied() -> None:
    assert check("at 6 1AB-1/2 unsupplied", "1AB-1", 5)[1] == 6
    assert check("at 6 1AB-1/2 unsupplied", "1AB-1", 5, optional_airborne=True)[1] == 7
    assert check("at 6 50-1 unsupplied", "50-1", 4, optional_airborne=True)[1] == 4
