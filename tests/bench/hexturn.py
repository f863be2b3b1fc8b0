"""How long a large hex turn takes to answer: 600 hexes, 80 units, a road net, zones of control.

    python -m tests.bench.hexturn [--orders 200]

Measured in one run: one move order looked up (the search stops at its goal), all destinations of one unit, and every option
of the turn made, as a question would have to if orders were searched for.  Prints milliseconds for each (the median over the
units, the whole once), what the second and third cost as multiples of the first, and how many options there are.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pbem.core.asks import Ask, Option, pick
from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import HexMap, build
from pbem.kit.search import Bar, Reach, Step, cheapest
from pbem.kit.zoc import projected

COLUMNS, ROWS, UNITS = 30, 20, 80
POINT = 2
"""Costs are in halves of a movement point, for roads."""

ALLOWANCE = 8 * POINT
TERRAIN = {"clear": 1 * POINT, "hill": 2 * POINT, "mountain": 3 * POINT}


def ground() -> HexMap:
    """A map of 600 hexes: one in three hilly, one in nine mountainous, a road along each fourth column and row."""
    grid = Grid(True, 1, "CCRR", (Sheet("", (1, COLUMNS), (1, ROWS)),))
    ids = list(grid.all())
    kinds = ["mountain" if n % 9 == 4 else "hill" if n % 3 == 1 else "clear" for n in range(len(ids))]
    plain = build(grid, [{"hex": h, "terrain": k} for h, k in zip(ids, kinds, strict=True)], [])
    roads = [
        {"hex_a": a, "hex_b": b, "road": "1"} for a in ids for b in plain.near(a)
        if a < b and (a[:2] == b[:2] and int(a[:2]) % 4 == 0 or a[2:] == b[2:] and int(a[2:]) % 4 == 0)
    ]
    return build(grid, [{"hex": h, "terrain": k} for h, k in zip(ids, kinds, strict=True)], roads)


@dataclass(frozen=True)
class Position:
    """The map, where our units stand, and the enemy's."""

    board: HexMap
    units: dict[str, str]
    enemy: tuple[str, ...]

    @cached_property
    def zones(self) -> dict[str, object]:
        """Where the enemy reaches."""
        return dict(projected(self.board.near, self.enemy, lambda h: 1, self.board.by_land))

    @cached_property
    def edges(self) -> dict[str, tuple[Step[str] | Bar[str], ...]]:
        """The steps out of each hex: the same for all units of a kind, until something moves."""
        return {h: tuple(self._steps(h)) for h in self.board.hexes}

    def _steps(self, here: str) -> Iterator[Step[str] | Bar[str]]:
        for there in self.board.near(here):
            if there in self.enemy:
                yield Bar(there, f"the enemy stands at {there}", "7.1")
            else:
                road = bool(self.board.across(here, there, "road"))
                cost = POINT // 2 if road else TERRAIN[self.board.hexes[there].terrain]
                yield Step(there, cost, there in self.zones)

    def reach(self, unit: str, goal: Callable[[str], bool] | None = None) -> Reach[str]:
        """Where the unit can go."""
        return cheapest([self.units[unit]], self.edges.__getitem__, ALLOWANCE, goal)


def position() -> Position:
    """Half of the units are ours, in the left part of the map; the enemy faces them."""
    board = ground()
    hexes = list(board.hexes)
    mine = {f"u{n}": hexes[n * 7 % (14 * ROWS)] for n in range(UNITS // 2)}
    return Position(board, mine, tuple(hexes[16 * ROWS + n * 5 % (13 * ROWS)] for n in range(UNITS // 2)))


def option(unit: str, there: str, reach: Reach[str]) -> Option:
    """'move u7 to 1203'."""
    return Option(f"move {unit} to {there}", data={"path": list(reach.path(there)), "cost": reach.costs[there]})


def question(here: Position) -> Ask:
    """Where does who go?  Made lazily, and looked up."""
    def make() -> Iterator[Option]:
        for unit in here.units:
            reach = here.reach(unit)
            yield from (option(unit, there, reach) for there in reach if there != here.units[unit])

    def lookup(text: str) -> Option | None:
        found = re.fullmatch(r"move (\w+) to (\w+)", text)
        if not found or found[1] not in here.units or found[2] not in here.board.hexes or here.units[found[1]] == found[2]:
            return None
        reach = here.reach(found[1], lambda h: h == found[2])
        return option(found[1], found[2], reach) if found[2] in reach else None

    return Ask("left", "move", "7.1", "1 left move", make, "done", closing=Option("done"), lookup=lookup)


@dataclass(frozen=True)
class Result:
    """Milliseconds: one order looked up (median and slowest), one unit's destinations, all options."""

    order: float
    slowest: float
    unit: float
    all: float
    options: int


def measure(orders: int = 200) -> Result:
    """Orders of units in turn, each to the farthest place it can reach."""
    here = position()
    texts = []
    for unit in here.units:
        texts.append(f"move {unit} to {list(here.reach(unit))[-1]}")
    looked, units = [], []
    for n in range(orders):
        ask = question(here)
        begun = time.perf_counter()
        found = pick(ask, texts[n % len(texts)])
        looked.append(time.perf_counter() - begun)
        assert isinstance(found, Option) and found.data["path"]
        begun = time.perf_counter()
        here.reach(list(here.units)[n % len(here.units)])
        units.append(time.perf_counter() - begun)
    begun = time.perf_counter()
    count = len(question(here).options)
    whole = time.perf_counter() - begun
    return Result(1000 * statistics.median(looked), 1000 * max(looked), 1000 * statistics.median(units), 1000 * whole, count)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--orders", type=int, default=200)
    r = measure(parser.parse_args().orders)
    print(f"{COLUMNS * ROWS} hexes, {UNITS} units, {r.options} options")
    print(f"one order looked up      {r.order:8.2f} ms (slowest {r.slowest:.2f})")
    print(f"one unit's destinations  {r.unit:8.2f} ms  {r.unit / r.order:8.1f} times")
    print(f"all options              {r.all:8.2f} ms  {r.all / r.order:8.1f} times")


if __name__ == "__main__":
    main()
