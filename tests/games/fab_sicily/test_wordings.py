"""Lines as wargamers write them, and what each must mean: ``wordings.csv``.

``means``: the orders in their plain form, '/' between them; '! code' where the line must be asked about, not guessed at.
The position is that of ``test_orders``: 50th Division at 15, 5-2 at 12, 51-1 at 14, 231 lost.
"""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.games.fab_sicily.test_orders import parse

ROWS = list(csv.DictReader(Path(__file__).with_name("wordings.csv").read_text(encoding="utf-8").splitlines()))


@pytest.mark.parametrize("row", ROWS, ids=[f"{r['side']} {r['step']}: {r['line']}" for r in ROWS])
def test_line(row: dict[str, str]) -> None:
    parsed = parse(row["line"], side=row["side"], step=row["step"])
    wrong = [d.code for d in parsed.diagnostics if d.severity != "warning"]
    assert (f"! {wrong[0]}" if wrong else " / ".join(parsed.canonical)) == row["means"]


def test_what_is_said_back_means_the_same() -> None:
    """A receipt's lines can be sent again."""
    for row in ROWS:
        first = parse(row["line"], side=row["side"], step=row["step"]).canonical
        assert parse(*first, side=row["side"], step=row["step"]).canonical == first, row["line"]
