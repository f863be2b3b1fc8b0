"""The bench of the adjudication in small: the first scenario once (the real figure: python -m tests.bench.campaign)."""

import pytest

from tests.bench.campaign import TARGET, measure, told


def test_adjudicating_a_game_costs_a_few_times_its_dice_and_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """That it is the same game again, row for row, the bench checks itself."""
    figures = measure("primosole_bridge", rounds=1)
    with capsys.disabled():
        print(f"\n{told(figures)}")
    assert figures.recorded.faces > 100 and len(figures.recorded.inputs) > 10
    assert figures.times < 3 * TARGET, figures.times  # 9 on an idle machine; tests share theirs
