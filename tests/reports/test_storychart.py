"""The charts of a game's story: every figure can be read."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from pbem.reports import storychart

TURNS = ["turn 1", "turn 2", "turn 3"]


def written(svg: str) -> list[tuple[float, float, str]]:
    return [(float(x), float(y), words) for x, y, words in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]+)<', svg)]


def overprinted(svg: str) -> list[tuple[str, str]]:
    """Words that lie on each other, if a letter is eight pixels broad and twelve high."""
    return [
        (a[2], b[2]) for a, b in combinations(written(svg), 2)
        if abs(a[0] - b[0]) < 4 * (len(a[2]) + len(b[2])) - 8 and abs(a[1] - b[1]) < 12
    ]  # fmt: skip


@pytest.mark.parametrize("other", [[3, 5, 9], [3, 6, 9], [2, 5, 8], [0, 0, 0]])
def test_lines_that_meet_keep_their_figures_apart(other: list[int]) -> None:
    svg = storychart.lines(TURNS, [("Ann", [3, 5, 9]), ("Bob", other)])
    assert not overprinted(svg)
    assert [w for _, _, w in written(svg)].count("9") == [3, 5, 9, *other].count(9)


def test_three_lines_through_one_point() -> None:
    assert not overprinted(storychart.lines(TURNS, [(name, [4, 4, 4]) for name in ("Ann", "Bob", "goal")]))


@pytest.mark.parametrize("turns", [1, 3, 6, 10])
def test_bars_have_room_for_their_figures(turns: int) -> None:
    svg = storychart.bars([f"T{i}" for i in range(turns)], [("Allied", [12] * turns), ("Axis", [10] * turns)])
    assert not overprinted(svg) and {"Allied", "Axis", "12", "10"} <= {w for _, _, w in written(svg)}
