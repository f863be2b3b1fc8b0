"""Hex grids: printed ids to axial coordinates and back, directions, distances, rings and lines.

A :class:`Hex` is axial (q, r): in these coordinates every hex of every grid has the same six neighbours, and only reading
and printing an id know of rows, columns and which of them lies half a hex lower.  All arithmetic is in integers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple


class Hex(NamedTuple):
    """A hex in axial coordinates; q and r are whole numbers without a unit."""

    q: int
    r: int


class Sheet(NamedTuple):
    """One sheet of a map: the letters before its ids ('' for none), which columns and rows it has (first and last, as
    printed), and how far its column and row 0 lie from column and row 0 of the whole map."""

    prefix: str
    columns: tuple[int, int]
    rows: tuple[int, int]
    column_offset: int = 0
    row_offset: int = 0


AROUND = (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
"""The six ways out of a hex, clockwise; hexside 1 is the top one of a flat hex."""


class BadHex(ValueError):
    """A text that names no hex of the grid; its message is for a player."""


@dataclass(frozen=True)
class Grid:
    """How a map numbers its hexes.

    ``flat``: flat tops, in columns (else pointy tops, in rows); ``shifted``: 1 if the odd columns (rows) lie half a hex
    lower (further right), 0 if the even ones do, by the numbers of the whole map; ``names``: the form of an id, with S for
    the sheet's letters, C and R for the digits of column and row: 'CCRR', 'SR.CC'.  As many digits are printed at least;
    with a mark between column and row, more or fewer may be written.
    Where sheets overlap, a hex goes by the id of the first sheet that has it, and every id is read.
    """

    flat: bool
    shifted: int
    names: str
    sheets: tuple[Sheet, ...]

    def parse(self, text: str) -> Hex:
        """The hex of an id, as printed or with more or fewer leading zeros; :class:`BadHex` if there is none."""
        found = self._pattern.fullmatch(text.strip().upper())
        if found is None:
            raise BadHex(f"'{text}' is not the number of a hex: one looks like {self.example}")
        prefix, column, row = found.group("S") or "", int(found.group("C")), int(found.group("R"))
        for sheet in self.sheets:
            if sheet.prefix == prefix and _within(column, sheet.columns) and _within(row, sheet.rows):
                return self.hex(column + sheet.column_offset, row + sheet.row_offset)
        raise BadHex(f"hex {text} is not on the map: {self._extent}")

    def name(self, at: Hex) -> str:
        """The id of a hex, canonical; '' for one that is on no sheet."""
        column, row = self.offset(at)
        for sheet in self.sheets:
            c, r = column - sheet.column_offset, row - sheet.row_offset
            if _within(c, sheet.columns) and _within(r, sheet.rows):
                return self._written(sheet.prefix, c, r)
        return ""

    def canonical(self, text: str) -> str:
        """The one id of the hex that ``text`` names: 'b5.32' and 'B05.32' are 'B5.32'."""
        return self.name(self.parse(text))

    def all(self) -> Iterator[str]:
        """Every id, canonical: sheet by sheet, column by column (row by row if the tops are pointy)."""
        seen: dict[Hex, None] = {}
        for s in self.sheets:
            columns, rows = range(s.columns[0], s.columns[1] + 1), range(s.rows[0], s.rows[1] + 1)
            pairs = ((c, r) for c in columns for r in rows) if self.flat else ((c, r) for r in rows for c in columns)
            seen |= dict.fromkeys(self.hex(c + s.column_offset, r + s.row_offset) for c, r in pairs)
        return (self.name(at) for at in seen)

    @cached_property
    def example(self) -> str:
        """An id of the map, to show how one is written."""
        s = self.sheets[0]
        return self._written(s.prefix, s.columns[0], s.rows[0])

    def hex(self, column: int, row: int) -> Hex:
        """The hex in a column and row of the whole map."""
        line = column if self.flat else row
        across = 2 * (row if self.flat else column) + (line % 2 == self.shifted)
        line += 1 - self.shifted
        return Hex(line, (across - line) // 2) if self.flat else Hex((across - line) // 2, line)

    def offset(self, at: Hex) -> tuple[int, int]:
        """Column and row of a hex, as the whole map counts them."""
        line, other = (at.q, at.r) if self.flat else (at.r, at.q)
        across = 2 * other + line
        line -= 1 - self.shifted
        place = (across - (line % 2 == self.shifted)) // 2
        return (line, place) if self.flat else (place, line)

    def centre(self, at: Hex) -> tuple[int, int]:
        """Where a hex's centre lies, right and down, in whole steps: the long way one step is 3/2 of the hex's side (between
        columns of a flat grid), the short way one step is half the hex's height (two from centre to centre)."""
        return (at.q, 2 * at.r + at.q) if self.flat else (2 * at.q + at.r, at.r)

    def directions(self) -> tuple[Hex, ...]:
        """The ways over hexsides 1 to 6: clockwise from the top (flat) or from the upper right (pointy)."""
        return AROUND if self.flat else AROUND[1:] + AROUND[:1]

    def neighbours(self, at: Hex) -> tuple[Hex, ...]:
        """The six hexes around, clockwise from hexside 1, whether on the map or not."""
        return tuple(Hex(at.q + d.q, at.r + d.r) for d in self.directions())

    def step(self, at: Hex, direction: int, length: int = 1) -> Hex:
        """The hex ``length`` hexes from ``at`` in a direction from 1 to 6."""
        d = self.directions()[direction - 1]
        return Hex(at.q + d.q * length, at.r + d.r * length)

    def direction(self, a: Hex, b: Hex) -> int:
        """The direction, 1 to 6, that leads best from ``a`` to ``b``: the hexside between neighbours; between two that
        are equally good, the first one clockwise.  0 if they are the same hex."""
        q, r = b.q - a.q, b.r - a.r
        if q == r == 0:
            return 0
        along = [2 * (q * d.q + r * d.r) + q * d.r + r * d.q for d in self.directions()]
        best = max(along)
        first = along.index(best)
        return 6 if first == 0 and along[5] == best else first + 1

    def line(self, a: Hex, b: Hex) -> tuple[Hex, ...]:
        """The hexes on the straight line from centre to centre, both ends included, one more than their distance.

        Where the line runs along a hexside, the same one of the two hexes is taken in either direction.
        """
        n = distance(a, b)
        if n == 0:
            return (a,)
        return tuple(_nearest(a.q * (n - i) + b.q * i, a.r * (n - i) + b.r * i, n) for i in range(n + 1))

    def ring(self, at: Hex, n: int) -> tuple[Hex, ...]:
        """The hexes at distance ``n``, clockwise from the one in direction 1; for 0 the hex itself."""
        if n == 0:
            return (at,)
        here, found = self.step(at, 1, n), []
        for side in range(6):
            for _ in range(n):
                found.append(here)
                here = self.step(here, (side + 2) % 6 + 1)
        return tuple(found)

    def within(self, at: Hex, n: int) -> tuple[Hex, ...]:
        """The hexes at distance ``n`` or less, ring by ring from the hex itself."""
        return tuple(h for k in range(n + 1) for h in self.ring(at, k))

    def _written(self, prefix: str, column: int, row: int) -> str:
        values = {"S": lambda n: prefix, "C": lambda n: f"{column:0{n}d}", "R": lambda n: f"{row:0{n}d}"}
        return _FIELD.sub(lambda m: values[m.group()[0]](len(m.group())), self.names)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        loose = re.search(r"[CR][^CRS]+[CR]", self.names) is not None
        parts = []
        for piece in _PIECES.findall(self.names):
            if piece[0] == "S":
                prefixes = sorted({re.escape(s.prefix.upper()) for s in self.sheets}, key=len, reverse=True)
                parts.append(f"(?P<S>{'|'.join(prefixes)})")
            elif piece[0] in "CR":
                parts.append(f"(?P<{piece[0]}>[0-9]{'+' if loose else '{' + str(len(piece)) + '}'})")
            else:
                parts.append(re.escape(piece))
        if "S" not in self.names:
            parts.append("(?P<S>)")
        return re.compile("".join(parts))

    @cached_property
    def _extent(self) -> str:
        """'columns 1 to 42, rows 1 to 29'."""
        said = [
            f"{'sheet ' + s.prefix + ' has ' if s.prefix else ''}columns {s.columns[0]} to {s.columns[1]}, "
            f"rows {s.rows[0]} to {s.rows[1]}"
            for s in self.sheets
        ]
        return "; ".join(said)


_FIELD = re.compile(r"S+|C+|R+")
_PIECES = re.compile(r"S+|C+|R+|[^SCR]+")


def _within(value: int, ends: tuple[int, int]) -> bool:
    return ends[0] <= value <= ends[1]


def distance(a: Hex, b: Hex) -> int:
    """How many hexes from ``a`` to ``b``; 0 for the same hex, 1 for neighbours."""
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def hexside(a: str, b: str) -> str:
    """The hexside between two hexes, whichever is named first: '2407-2408'."""
    return f"{a}-{b}" if a < b else f"{b}-{a}"


def _nearest(q: int, r: int, n: int) -> Hex:
    """The hex nearest to the point (q/n, r/n)."""
    s = -q - r
    rounded = [(2 * v + n) // (2 * n) for v in (q, r, s)]
    off = [abs(k * n - v) for k, v in zip(rounded, (q, r, s), strict=True)]
    if sum(rounded):
        worst = off.index(max(off))
        rounded[worst] = -sum(k for i, k in enumerate(rounded) if i != worst)
    return Hex(rounded[0], rounded[1])
