"""Whether the dice were fair, as far as so few can tell.

Faces against expectation (chi-square), and luck as expected against actual successes.  With few
dice nothing can be said, and the numbers say so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from scipy.stats import chisquare

ENOUGH = 50
"""Five dice a face: the usual least number for a chi-square test of ten faces."""


@dataclass(frozen=True)
class Fairness:
    """One side's dice: ``counts`` per face 1 to 10, chi-square ``p`` (None below :data:`ENOUGH`),
    successes expected and had, and the standard error of the expectation."""

    side: str
    n: int
    counts: tuple[int, ...]
    p: float | None
    tests: int
    expected: float
    actual: int
    error: float


def chance(target: int) -> float:
    """2.1 The chance of a success number on a ten-sided die: 1 always succeeds, 10 never."""
    return min(max(target, 1), 9) / 10


def fairness(rolls: Iterable[Mapping[str, Any]], side: str = "") -> Fairness:
    """The fairness of the ten-sided dice of one side ('' for all)."""
    mine = [r for r in rolls if r["sides"] == 10 and side in ("", r["side"])]
    faces = [f for r in mine for f in r["faces"]]
    counted = Counter(faces)
    counts = tuple(counted[f] for f in range(1, 11))
    tests = [(f, r["target"]) for r in mine if r["target"] is not None for f in r["faces"]]
    chances = [chance(t) for _, t in tests]
    return Fairness(
        side=side or "both",
        n=len(faces),
        counts=counts,
        p=float(chisquare(counts).pvalue) if len(faces) >= ENOUGH else None,
        tests=len(tests),
        expected=sum(chances),
        actual=sum(1 for f, t in tests if f == 1 or (f != 10 and f <= t)),
        error=sqrt(sum(c * (1 - c) for c in chances)),
    )
