"""Every mail in cases/: what becomes of it and which lines are taken as orders, as cases/index.csv says."""

from __future__ import annotations

import csv

import pytest

from tests.mail.world import CASES, World

with (CASES / "index.csv").open(newline="", encoding="utf-8") as index:
    ROWS = list(csv.DictReader(index))


@pytest.fixture(scope="module")
def world() -> World:
    """One for all cases: the files are in their order of arrival, and some come twice."""
    return World()


@pytest.mark.parametrize("row", ROWS, ids=[row["case"] for row in ROWS])
def test_case(world: World, row: dict[str, str]) -> None:
    if row["case"] == "ident/same-message-id-2" or row["case"] == "ident/same-message-id-other-body":
        world.explain((CASES / "113_ident_same-message-id-1.eml").read_bytes())
    disposition, lines, reason = world.explain((CASES / row["file"]).read_bytes())
    expected = row["order_lines"].split("|") if row["order_lines"] else []
    assert (disposition, lines) == (row["disposition"], expected), reason


def test_every_file_has_its_row() -> None:
    assert sorted(row["file"] for row in ROWS) == sorted(path.name for path in CASES.glob("*.eml"))
