"""Printed tables as data: rows by die, columns with shifts, odds in the three ways games round them.

A look-up tells all that went into it (row, column, each shift, cell, how sure the cell is), for the row of the roll.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.kit.search import Cost


class Span(NamedTuple):
    """Numbers from ``low`` to ``high``; None for no end."""

    low: int | None
    high: int | None

    def holds(self, n: int) -> bool:
        """Whether a number lies in it."""
        return (self.low is None or n >= self.low) and (self.high is None or n <= self.high)


_SPANS = (
    (re.compile(r"(-?\d+)"), lambda a: Span(a, a)),
    (re.compile(r"(-?\d+)\s*(?:-|to)\s*(-?\d+)"), lambda a, b: Span(a, b)),
    (re.compile(r"(-?\d+)(?:-| or less| or below| and below)"), lambda a: Span(None, a)),
    (re.compile(r"(-?\d+)(?:\+| or more| or above| and above)"), lambda a: Span(a, None)),
)


def span(text: str) -> Span:
    """'6', '2-5', '-3--1', '5 or less', '5-', '11+', '11 or more' as numbers; ValueError for anything else."""
    for pattern, made in _SPANS:
        found = pattern.fullmatch(text.strip())
        if found:
            return made(*map(int, found.groups()))
    raise ValueError(f"'{text}' is no row of a table: write '6', '2-5', '5 or less' or '11 or more'")


class Modifier(NamedTuple):
    """What is added to a roll, why, and by which rule."""

    value: int
    reason: str
    rule: str = ""


class Shift(NamedTuple):
    """How many columns to the right (or, below 0, to the left), why, and by which rule."""

    columns: int
    reason: str
    rule: str = ""


class Reading(NamedTuple):
    """A look-up.  ``row`` and ``column``: the ones read, as printed; ``start``: the column before all shifts; ``shifts``: each
    with the column it led to; ``status``: how sure the cell is (printed, deduced, historical, reconstructed)."""

    table: str
    total: int
    row: str
    start: str
    column: str
    shifts: tuple[tuple[Shift, str], ...]
    cell: str
    status: str

    def json(self) -> dict[str, Any]:
        """What the row of the roll records (see :data:`pbem.core.rolls.RESULT`)."""
        return {
            "table": self.table, "row": self.row, "column": self.column, "cell": self.cell, "status": self.status,
            "shifts": [[s.reason, s.columns] for s, _ in self.shifts],
        }


@dataclass(frozen=True)
class Table:
    """A table of a title.  ``rows``: labels from the lowest roll to the highest; ``cells``: by row, then by column.

    ``each_shift``: whether a shift over the end of the table is lost before the next one counts (else all are added first).
    """

    name: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    statuses: tuple[tuple[str, ...], ...]
    each_shift: bool = False
    _spans: tuple[Span, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        spans = tuple(span(r) for r in self.rows)
        for n, (low, high) in enumerate(zip(spans, spans[1:], strict=False)):
            if low.high is None or high.low is None or high.low != low.high + 1:
                raise ValueError(f"{self.name}: row {self.rows[n + 1]} does not begin where row {self.rows[n]} ends")
        object.__setattr__(self, "_spans", spans)

    def row(self, total: int) -> int:
        """The place of the row of a total; one below the first or above the last row is read there."""
        for number, s in enumerate(self._spans):
            if s.high is None or total <= s.high:
                return number
        return len(self.rows) - 1

    def look_up(self, total: int, column: int | str = 0, shifts: Sequence[Shift] = ()) -> Reading:
        """The cell of a total in a column (by its label or its place from 0; a place off the table is its last column on that
        side), after the shifts."""
        at = self._clamped(self.columns.index(column) if isinstance(column, str) else column)
        start, steps = at, []
        for shift in shifts:
            at += shift.columns
            if self.each_shift:
                at = self._clamped(at)
            steps.append((shift, self.columns[self._clamped(at)]))
        at, row = self._clamped(at), self.row(total)
        return Reading(
            self.name, total, self.rows[row], self.columns[start], self.columns[at], tuple(steps), self.cells[row][at],
            self.statuses[row][at],
        )

    def _clamped(self, at: int) -> int:
        return min(max(at, 0), len(self.columns) - 1)


def from_wide(name: str, rows: Iterable[Mapping[str, Any]], key: str, columns: Sequence[str], each_shift: bool = False) -> Table:
    """A table whose rows are rows of a file: ``key`` is the column of the roll; the row's status is that of its cells."""
    found = sorted(rows, key=lambda r: _low(str(r[key])))
    return Table(
        name, tuple(columns), tuple(str(r[key]) for r in found), tuple(tuple(str(r[c]) for c in columns) for r in found),
        tuple(tuple(str(r.get("status", "")) for _ in columns) for r in found), each_shift,
    )


def from_long(
    name: str, rows: Iterable[Mapping[str, Any]], row: str, column: str, value: str, columns: Sequence[str],
    each_shift: bool = False,
) -> Table:
    """A table whose cells are rows of a file, each with a status of its own; ValueError for a cell that is missing or twice."""
    cells: dict[tuple[str, str], tuple[str, str]] = {}
    for r in rows:
        at = (str(r[row]), str(r[column]))
        if at in cells:
            raise ValueError(f"{name}: row {at[0]}, column {at[1]} is there twice")
        cells[at] = (str(r[value]), str(r.get("status", "")))
    labels = sorted(dict.fromkeys(a for a, _ in cells), key=_low)
    missing = [(a, b) for a in labels for b in columns if (a, b) not in cells]
    if missing:
        raise ValueError(f"{name}: row {missing[0][0]}, column {missing[0][1]} is missing")
    return Table(
        name, tuple(columns), tuple(labels), tuple(tuple(cells[a, b][0] for b in columns) for a in labels),
        tuple(tuple(cells[a, b][1] for b in columns) for a in labels), each_shift,
    )


def _low(label: str) -> tuple[bool, int]:
    """Sorts row labels from the lowest roll."""
    s = span(label)
    return (s.low is not None, s.low if s.low is not None else 0)


# -- odds -----------------------------------------------------------------------------------------


class Odds(NamedTuple):
    """'3:1', '1:2'; one of the two is 1."""

    attack: int
    defence: int

    def __str__(self) -> str:
        return f"{self.attack}:{self.defence}"


def floor_ratio(attack: Cost, defence: Cost) -> Odds:
    """Rounded in favour of the defender: 29 to 10 is 2:1, 10 to 29 is 1:3.  Both more than 0."""
    return Odds(int(attack // defence), 1) if attack >= defence else Odds(1, -int(-defence // attack))


def rounded(attack: Cost, defence: Cost) -> Odds:
    """Both divided by the smaller and rounded, a half up: 15 to 6 is 3:1, 6 to 15 is 1:3.  Both more than 0."""
    ratio = Fraction(max(attack, defence)) / Fraction(min(attack, defence))
    n = int((2 * ratio + 1) // 2)
    return Odds(n, 1) if attack >= defence else Odds(1, n)


def nearest_on(line: Sequence[Cost], attack: Cost, defence: Cost) -> int:
    """The place in a line of ratios of the one nearest to attack over defence; between two equally near, the lower ratio.

    35 to 20 on the line 1, 1.5, 2 is at place 1.  The line may rise or fall; ``defence`` is more than 0.
    """
    ratio = Fraction(attack) / Fraction(defence)
    return min(range(len(line)), key=lambda i: (abs(Fraction(line[i]) - ratio), line[i]))


def column_for(odds: Odds, columns: Sequence[str]) -> int:
    """The place of the column for some odds: the highest that is not above them; 0 if all are."""
    found = [i for i, c in enumerate(columns) if _ratio(c) <= Fraction(odds.attack, odds.defence)]
    return max(found, default=0)


def _ratio(label: str) -> Fraction:
    attack, defence = label.split(":")
    return Fraction(int(attack), int(defence))
