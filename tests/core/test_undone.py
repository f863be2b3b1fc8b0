"""Rows that a rewind has undone: one meaning for all who ask."""

import pytest

from pbem.core.journal import Row
from pbem.core.stage import Stage
from pbem.core.undone import standing, undone_rows


def journal(text: str) -> list[Row]:
    """'1 2 3 <2 4 5': steps that begin, and rewinds to the start of a step; an event in each step."""
    rows: list[Row] = []

    def add(step: int, kind: str, payload: dict[str, object]) -> None:
        rows.append(Row("g", len(rows), step, kind, payload, "", "", "", ""))

    now = 0
    for word in text.split():
        if word.startswith("<"):
            add(now, "control", {"act": "rewind", "step": int(word[1:])})
        else:
            now = int(word)
            add(now, "step", {"name": f"step {now}"})
            add(now, "event", {})
    return rows


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("1 2 3", [1, 2, 3]),
        ("1 2 3 <2 4", [1, 4]),
        ("1 2 3 <3 4 <2 5", [1, 5]),
        ("1 2 3 <2 4 <3 5", [1, 2, 5]),  # forward again into what the first rewind undid
        ("1 2 3 <2 4 <3 5 <4 6", [1, 6]),
        ("1 2 3 <2 4 5 <5 6", [1, 4, 6]),
        ("1 2 3 <2 4 <3 5 <5 6", [1, 2, 6]),
        ("1 <1 2", [2]),
    ],
)
def test_what_stands_after_rewinds(text: str, left: list[int]) -> None:
    rows = journal(text)
    kept = standing(rows)
    assert [r.step for r in kept if r.kind == "event"] == left
    gone = undone_rows(rows)
    assert {r.seq for r in rows} == gone | {r.seq for r in kept} and not gone & {r.seq for r in kept}


@pytest.mark.parametrize(
    ("step", "turn", "side", "phase", "name"),
    [
        ("2 allied movement", 2, "allied", "movement", "allied movement"), ("12 victory", 12, "", "victory", "victory"),
        ("setup", 0, "", "setup", "setup"),
        ("3 axis breakthrough-combat", 3, "axis", "breakthrough-combat", "axis breakthrough-combat"),
    ],
)
def test_a_stage_is_parsed_once_and_says_its_step_again(step: str, turn: int, side: str, phase: str, name: str) -> None:
    stage = Stage.parse(step)
    assert (stage.turn, stage.side, stage.phase, stage.name) == (turn, side, phase, name)
    assert str(stage) == step
