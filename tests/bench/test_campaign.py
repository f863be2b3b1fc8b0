"""The bench of the adjudication in small: the first scenario once (the real figure: python -m tests.bench.campaign)."""

from collections import Counter
from statistics import median

import pytest

from tests.bench.campaign import TARGET, measure, record, told


def test_adjudicating_a_game_costs_a_few_times_its_dice_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """That it is the same game again, row for row, the bench checks itself."""
    figures = measure("primosole_bridge", rounds=1)
    with capsys.disabled():
        print(f"\n{told(figures)}")
    assert figures.recorded.faces > 100 and len(figures.recorded.inputs) > 10
    assert figures.times < 3 * TARGET, figures.times  # 9 on an idle machine; tests share theirs


def test_a_bot_campaign_takes_at_most_five_mails_a_player_turn_on_the_median() -> None:
    """The sets of orders of the recorded campaign are the mails that the demo's players would write (it prints the figure)."""
    rows = record("campaign").rows
    names = {row.step: row.payload["name"] for row in rows if row.kind == "step"}
    turns = Counter(" ".join(names[row.step].split(" ")[:2]) for row in rows if row.kind == "orders")
    assert len(turns) > 10 and median(turns.values()) <= 5 and max(turns.values()) <= 8, turns
