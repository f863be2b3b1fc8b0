"""Every case file (see :mod:`.cases`); the rule of a case is its mark."""

import csv
import re

import pytest

from pbem.scenarios.catalog import root
from tests.games.fab_sicily.cases import Case, all_cases, run

CASES = all_cases()

PARAGRAPHS = {
    "E1": "ABCDEF", "E2": "ABC", "E3": "ABC", "E4": "ABC", "E5": "ABCDEF", "E6": "ABCDEFG", "E7": "ABCDEF", "E8": "ABCD",
    "E9": "ABCD", "E10": "ABCDE", "E11": "", "E12": "ABCDE", "E13": "A", "E14": "ABCDEFG", "E15": "ABCD", "E16": "ABCD",
    "E17": "ABCDE", "E18": "ABCDEF",
}  # fmt: skip
"""The lettered paragraphs of the rulebook's worked examples; 11 has none."""


@pytest.mark.parametrize("case", [pytest.param(c, id=c.id, marks=pytest.mark.rule("fab_sicily", c.rule)) for c in CASES])
def test_case(case: Case) -> None:
    run(case)


def test_every_case_has_its_own_name() -> None:
    assert len({c.id for c in CASES}) == len(CASES)


def test_every_worked_example_is_in_the_table() -> None:
    with (root() / "fab_sicily" / "rules.csv").open(newline="", encoding="utf-8") as file:
        assert [row["rule"] for row in csv.DictReader(file) if row["kind"] == "example"] == list(PARAGRAPHS)


@pytest.mark.parametrize(("example", "letters"), PARAGRAPHS.items())
def test_every_lettered_paragraph_of_an_example_is_a_case(example: str, letters: str) -> None:
    """Its orders as order text, and something that must come of them: events, a refusal or the position at the end."""
    cases = [c for c in CASES if c.rule == example]
    assert cases, f"{example} has no case"
    mine = {match.group(1) for c in cases if (match := re.fullmatch(r"E\d+-([A-Z])\d?", c.id))}
    assert not (missing := sorted(set(letters) - mine)), f"{example}: no case for {missing}"
    empty = [c.id for c in cases if not (c.events or c.absent or c.refused or c.end)]
    assert not empty, f"{empty} say nothing of what comes of it"
