"""The bench of the intake in small: it runs, and its figures are of the right kind (the real ones: python -m
tests.bench.intake).
"""

from tests.bench.intake import measure


def test_the_intake_costs_a_few_times_the_floor_whatever_the_number_of_games():
    few, many = (measure(games, 160) for games in (1, 300))
    assert few.times < 8 and many.times < 8, (few, many)  # 4 on an idle machine; tests share theirs
    assert many.ours < 3 * few.ours, (few, many)
