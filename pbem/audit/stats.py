"""Whether the dice were fair, as far as so few can tell.

For each kind of die that a title throws, for each side and for all: values against expectation (chi-square), their order (runs
test), and luck: successes had against successes to be expected.  With few dice nothing can be said, and the numbers say so.
Whoever looks at many numbers, and looks again each turn, will see a small p some day; so every p is corrected: by Holm for all
tests of the page, after multiplying it by the number of looks (one for each turn that has been played).
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import erfc, exp, lgamma, log, sqrt

from pbem.audit.history import Roll, Succeeds

ENOUGH = 5
"""Dice for each value there is: the usual least number for a chi-square test (fifty for a ten-sided die)."""

ENOUGH_RUNS = 20
"""Below that the runs test's normal approximation says nothing."""

SUSPICIOUS = 0.01
"""A corrected p below this is worth a look by a person."""

TESTS = ("faces", "order", "luck")


@dataclass(frozen=True)
class Tested:
    """A test's p (None when there are too few dice), and what is left of it after the correction."""

    p: float | None
    corrected: float | None = None


@dataclass(frozen=True)
class Fairness:
    """One side's dice of one kind (``side`` 'all' for both; ``die`` 'd10', or '2d6' for the sums of two): ``values`` there
    are, ``counts`` of each, tests of them and of their order (``runs`` of low and high, ``runs_expected``), and luck: successes
    ``expected`` and ``actual`` of ``tried`` dice with a target, and ``error``, the standard error of the expectation."""

    side: str
    die: str
    n: int
    values: tuple[int, ...]
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
    def due(self) -> tuple[float, ...]:
        """How often each value is to be expected."""
        return tuple(self.n * chance for chance in chances(self.die).values())

    @property
    def verdict(self) -> str:
        """What may be said, in a sentence."""
        if self.faces.p is None:
            return f"{self.n} dice are too few to say anything about the faces; {ENOUGH * len(self.values)} is the least."
        low = [name for name, test in self._tests() if test.corrected is not None and test.corrected < SUSPICIOUS]
        if low:
            return f"Worth a look: {' and '.join(low)} would come like this less than once in a hundred games with fair dice."
        return "Nothing here that fair dice would not do."

    def _tests(self) -> tuple[tuple[str, Tested], ...]:
        return ("the faces", self.faces), ("their order", self.order), ("the luck", self.luck)


@cache
def chances(die: str) -> Mapping[int, float]:
    """The chance of each value of a kind of die: 'd10' its faces, '2d6' the sums of two, in order."""
    number, sides = re.fullmatch(r"(\d*)d(\d+)", die).groups()  # type: ignore[union-attr]
    ways = {0: 1}
    for _ in range(int(number or 1)):
        reach = range(min(ways) + 1, max(ways) + int(sides) + 1)
        ways = {v: sum(ways.get(v - f, 0) for f in range(1, int(sides) + 1)) for v in reach}
    total = sum(ways.values())
    return {value: n / total for value, n in ways.items()}


@cache
def chance(succeeds: Succeeds, target: int, sides: int) -> float:
    """The chance that a die meets a target, by the title's own reading of it."""
    return sum(succeeds(face, target, sides) for face in range(1, sides + 1)) / sides


def fairness(rolls: Sequence[Roll], die: str, succeeds: Succeeds, side: str = "") -> Fairness:
    """The fairness of one side's dice ('' for all) of one kind, each p by itself."""
    mine = [r for r in rolls if r.die == die and side in ("", r.side)]
    thrown = [v for r in mine for v in r.values]
    counted, due = Counter(thrown), chances(die)
    counts = tuple(counted[v] for v in due)
    chi2, p = _chi_square(counts, [len(thrown) * c for c in due.values()])
    middle = sum(v * c for v, c in due.items())
    runs, expected_runs, order = _runs([v > middle for v in thrown if v != middle])
    tests = [chance(succeeds, r.target, r.sides) for r in mine if r.target is not None and r.hits is not None for _ in r.faces]
    expected, error = sum(tests), sqrt(sum(c * (1 - c) for c in tests))
    actual = sum(r.hits for r in mine if r.target is not None and r.hits is not None)
    luck = _beyond(max(0.0, abs(actual - expected) - 0.5) / error) if error and len(tests) >= ENOUGH_RUNS else None
    enough = len(thrown) >= ENOUGH * len(due)
    return Fairness(
        side or "all", die, len(thrown), tuple(due), counts, chi2, Tested(p if enough else None), runs, expected_runs,
        Tested(order), len(tests), expected, actual, error, Tested(luck),
    )


def _chi_square(counts: Sequence[int], due: Sequence[float]) -> tuple[float, float]:
    """The statistic of counts against those to be expected, and its p."""
    if not any(counts):
        return 0.0, 1.0
    chi2 = sum((c - d) ** 2 / d for c, d in zip(counts, due, strict=True))
    return chi2, upper_gamma((len(counts) - 1) / 2, chi2 / 2)


def upper_gamma(a: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(a, x): by its series below a + 1, by the continued fraction above
    (Abramowitz and Stegun 6.5.29 and 6.5.31; the latter by Lentz's method).  p of a chi-square with k degrees of freedom is
    Q(k/2, chi2/2)."""
    if x <= 0:
        return 1.0
    scale = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - total * scale)
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    found = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / ((an * d + b) or tiny)
        c = (b + an / c) or tiny
        found *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return found * scale


def _beyond(sigmas: float) -> float:
    """The chance that a normal variable lies further from its mean than so many standard errors, either way."""
    return erfc(sigmas / sqrt(2))


def _runs(high: Sequence[bool]) -> tuple[int, float, float | None]:
    """Wald and Wolfowitz: runs of low and high values, how many are to be expected, and p."""
    n, ones = len(high), sum(high)
    if not n:
        return 0, 0.0, None
    runs = 1 + sum(a != b for a, b in zip(high, high[1:], strict=False))
    expected = 2 * ones * (n - ones) / n + 1
    variance = (expected - 1) * (expected - 2) / (n - 1) if n > 1 else 0.0
    if n < ENOUGH_RUNS or variance <= 0:
        return runs, expected, None
    return runs, expected, _beyond(abs(runs - expected) / sqrt(variance))


def all_sides(rolls: Sequence[Roll], sides: Sequence[str], dice: Sequence[str], succeeds: Succeeds) -> list[Fairness]:
    """For each kind of ``dice`` that was thrown (the first one always): all together and those of each side, every p corrected
    for the tests made and the looks taken."""
    kinds = [die for n, die in enumerate(dice) if not n or any(r.die == die for r in rolls)]
    found = [fairness(rolls, die, succeeds, side) for die in kinds for side in ("", *sides)]
    looks = max(1, len({r.turn for r in rolls if r.turn}))
    tests = [(i, name) for i, f in enumerate(found) for name in TESTS if getattr(f, name).p is not None]
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


def luck_over_time(rolls: Sequence[Roll], succeeds: Succeeds, side: str = "") -> list[tuple[int, float, float]]:
    """After each roll with a target: its number, successes so far less those to be expected, and the standard error."""
    found, balance, variance = [], 0.0, 0.0
    for r in rolls:
        if r.target is not None and r.hits is not None and side in ("", r.side):
            c = chance(succeeds, r.target, r.sides)
            balance += r.hits - c * len(r.faces)
            variance += c * (1 - c) * len(r.faces)
            found.append((r.number, balance, sqrt(variance)))
    return found


def text(found: Sequence[Fairness], looks: int) -> list[str]:
    """The numbers in words, 72 columns at most."""
    lines: list[str] = []
    for die in dict.fromkeys(f.die for f in found):
        lines += [*_block([f for f in found if f.die == die]), ""]
    counted = sum(t.p is not None for f in found for t in (f.faces, f.order, f.luck))
    return [
        *lines, f"'corrected' allows for the {counted} tests made here (Holm) and for {looks} looks,",
        "one a turn. About one fair game in a hundred shows one below 0.01.",
    ]


def _block(found: Sequence[Fairness]) -> list[str]:
    """The numbers of one kind of die."""
    first, wide = found[0], 5 if len(found[0].values) <= 10 else 4
    head = "Face" if first.die[0] == "d" else f"Sum {first.die}"
    lines = [f"{head:<10}" + "".join(f"{v:>{wide}}" for v in first.values) + "    dice", ""]
    for f in found:
        lines.append(f"{f.side[:9]:<10}" + "".join(f"{c:>{wide}}" for c in f.counts) + f"{f.n:>8}")
        alike = len(set(f.due)) == 1
        lines.append(
            f"{'expected':<10}" + (f"{f.due[0]:>5.1f} each" if alike else "".join(f"{d:>{wide}.0f}" for d in f.due))
        )
    lines.append("")
    for f in found:
        lines += [
            f"{f.side.capitalize()}:",
            f"  faces  chi-square {f.chi2:.1f}, n = {f.n}: {_p(f.faces)}",
            f"  order  {f.runs} runs, {f.runs_expected:.1f} expected: {_p(f.order)}",
        ]
        if f.tried:
            lines.append(f"  luck   {f.actual} of {f.tried}, {f.expected:.1f} +- {f.error:.1f} expected: {_p(f.luck)}")
        lines += textwrap.wrap(f.verdict, 68, initial_indent="  ", subsequent_indent="  ")
    return lines


def _p(test: Tested) -> str:
    if test.p is None:
        return "too few for a test"
    corrected = "" if test.corrected is None else f", corrected {test.corrected:.3f}"
    return f"p = {test.p:.3f}{corrected}"
