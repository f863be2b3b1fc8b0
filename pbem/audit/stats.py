"""Whether the dice were fair, as far as so few can tell.

For each side and for all: faces against expectation (chi-square), their order (runs test), and luck: successes had against
successes to be expected.  With few dice nothing can be said, and the numbers say so.  Whoever looks at many numbers, and
looks again each turn, will see a small p some day; so every p is corrected: by Holm for all tests of the page, after
multiplying it by the number of looks (one for each turn that has been played).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import erfc, sqrt

from pbem.audit.history import Roll

SIDES = 10
"""Only dice of so many sides are counted together; the others (draws) are few and of all sorts."""

ENOUGH = 50
"""Five dice a face: the usual least number for a chi-square test of ten faces."""

ENOUGH_RUNS = 20
"""Below that the runs test's normal approximation says nothing."""

SUSPICIOUS = 0.01
"""A corrected p below this is worth a look by a person."""


@dataclass(frozen=True)
class Tested:
    """A test's p ('' of it: None when there are too few dice), and what is left of it after the correction."""

    p: float | None
    corrected: float | None = None


@dataclass(frozen=True)
class Fairness:
    """One side's ten-sided dice (``side`` 'all' for both): ``counts`` per face 1 to 10, tests of the faces and of their order
    (``runs`` of low and high, ``runs_expected``), and luck: successes ``expected`` and ``actual`` of ``tried`` dice with a
    target, and ``error``, the standard error of the expectation."""

    side: str
    n: int
    counts: tuple[int, ...]
    chi2: float
    faces: Tested
    runs: int
    runs_expected: float
    order: Tested
    tried: int
    expected: float
    actual: int
    error: float
    luck: Tested

    @property
    def sigma(self) -> float:
        """Luck in standard errors; 0 if nothing was tried."""
        return (self.actual - self.expected) / self.error if self.error else 0.0

    @property
    def verdict(self) -> str:
        """What may be said, in a sentence."""
        if self.faces.p is None:
            return f"{self.n} dice are too few to say anything about the faces; {ENOUGH} is the least."
        low = [name for name, test in self._tests() if test.corrected is not None and test.corrected < SUSPICIOUS]
        if low:
            return f"Worth a look: {' and '.join(low)} would come like this less than once in a hundred games with fair dice."
        return "Nothing here that fair dice would not do."

    def _tests(self) -> tuple[tuple[str, Tested], ...]:
        return ("the faces", self.faces), ("their order", self.order), ("the luck", self.luck)


def chance(target: int) -> float:
    """2.1 The chance of a success number on a ten-sided die: 1 always succeeds, 10 never."""
    return min(max(target, 1), 9) / 10


def fairness(rolls: Sequence[Roll], side: str = "") -> Fairness:
    """The fairness of the ten-sided dice of one side ('' for all), each p by itself."""
    mine = [r for r in rolls if r.sides == SIDES and side in ("", r.side)]
    faces = [f for r in mine for f in r.faces]
    counted = Counter(faces)
    counts = tuple(counted[f] for f in range(1, SIDES + 1))
    chi2, p = _chi_square(counts)
    runs, expected_runs, order = _runs([f > SIDES / 2 for f in faces])
    tests = [chance(r.target) for r in mine if r.target is not None for _ in r.faces]
    expected, error = sum(tests), sqrt(sum(c * (1 - c) for c in tests))
    actual = sum(r.hits or 0 for r in mine)
    luck = _beyond(max(0.0, abs(actual - expected) - 0.5) / error) if error and len(tests) >= ENOUGH_RUNS else None
    return Fairness(
        side or "all", len(faces), counts, chi2, Tested(p if len(faces) >= ENOUGH else None), runs, expected_runs,
        Tested(order), len(tests), expected, actual, error, Tested(luck),
    )


def _chi_square(counts: Sequence[int]) -> tuple[float, float]:
    """The statistic of counts that should be alike, and its p."""
    if not any(counts):
        return 0.0, 1.0
    from scipy.stats import chisquare  # 40 MB and half a second: only for who asks

    chi2, p = chisquare(counts)
    return float(chi2), float(p)


def _beyond(sigmas: float) -> float:
    """The chance that a normal variable lies further from its mean than so many standard errors, either way."""
    return erfc(sigmas / sqrt(2))


def _runs(high: Sequence[bool]) -> tuple[int, float, float | None]:
    """Wald and Wolfowitz: runs of low and high faces, how many are to be expected, and p."""
    n, ones = len(high), sum(high)
    if not n:
        return 0, 0.0, None
    runs = 1 + sum(a != b for a, b in zip(high, high[1:], strict=False))
    expected = 2 * ones * (n - ones) / n + 1
    variance = (expected - 1) * (expected - 2) / (n - 1) if n > 1 else 0.0
    if n < ENOUGH_RUNS or variance <= 0:
        return runs, expected, None
    return runs, expected, _beyond(abs(runs - expected) / sqrt(variance))


def all_sides(rolls: Sequence[Roll], sides: Sequence[str]) -> list[Fairness]:
    """All dice together and those of each side, every p corrected for the tests made and the looks taken."""
    found = [fairness(rolls, side) for side in ("", *sides)]
    looks = max(1, len({r.turn for r in rolls if r.turn}))
    tests = [(i, name) for i, f in enumerate(found) for name in ("faces", "order", "luck") if getattr(f, name).p is not None]
    tests.sort(key=lambda t: getattr(found[t[0]], t[1]).p)
    least = 0.0
    for rank, (i, name) in enumerate(tests):
        p = getattr(found[i], name).p
        least = max(least, min(1.0, p * looks * (len(tests) - rank)))
        found[i] = _with(found[i], name, Tested(p, least))
    return found


def _with(f: Fairness, name: str, tested: Tested) -> Fairness:
    if name == "faces":
        return replace(f, faces=tested)
    return replace(f, order=tested) if name == "order" else replace(f, luck=tested)


def luck_over_time(rolls: Sequence[Roll], side: str = "") -> list[tuple[int, float, float]]:
    """After each roll with a target: its number, successes so far less those to be expected, and the standard error."""
    found, balance, variance = [], 0.0, 0.0
    for r in rolls:
        if r.sides == SIDES and r.target is not None and side in ("", r.side):
            c = chance(r.target)
            balance += (r.hits or 0) - c * len(r.faces)
            variance += c * (1 - c) * len(r.faces)
            found.append((r.number, balance, sqrt(variance)))
    return found


def text(found: Sequence[Fairness], looks: int) -> list[str]:
    """The numbers in words, 72 columns at most."""
    lines = ["Face      " + "".join(f"{f:>5}" for f in range(1, SIDES + 1)) + "    dice", ""]
    for f in found:
        lines.append(f"{f.side[:9]:<10}" + "".join(f"{c:>5}" for c in f.counts) + f"{f.n:>8}")
        lines.append(f"{'expected':<10}" + f"{f.n / SIDES:>5.1f}" + " each")
    lines.append("")
    for f in found:
        lines += [
            f"{f.side.capitalize()}:",
            f"  faces  chi-square {f.chi2:.1f}, n = {f.n}: {_p(f.faces)}",
            f"  order  {f.runs} runs, {f.runs_expected:.1f} expected: {_p(f.order)}",
            f"  luck   {f.actual} of {f.tried}, {f.expected:.1f} +- {f.error:.1f} expected: {_p(f.luck)}",
            f"  {f.verdict}" if len(f.verdict) < 70 else "  " + f.verdict[: f.verdict.rfind(" ", 0, 68)],
        ]
        if len(f.verdict) >= 70:
            lines.append("  " + f.verdict[f.verdict.rfind(" ", 0, 68) + 1 :])
    counted = sum(t.p is not None for f in found for t in (f.faces, f.order, f.luck))
    return [
        *lines, "", f"'corrected' allows for the {counted} tests made here (Holm) and for {looks} looks,",
        "one a turn. About one fair game in a hundred shows one below 0.01.",
    ]


def _p(test: Tested) -> str:
    if test.p is None:
        return "too few for a test"
    corrected = "" if test.corrected is None else f", corrected {test.corrected:.3f}"
    return f"p = {test.p:.3f}{corrected}"
