"""Ways over a map: the nearest places, all that can be reached, the cheapest path, and why there is none.

The map is a function.  ``near(place)`` gives the places next to one, in the order that decides between equal ways (areas by
number, hexes clockwise).  ``steps(node)`` gives :class:`Step` and :class:`Bar` values, one a neighbour, so that whoever is
refused a way can be told why and by which rule.  A node is a place, or a place with whatever else matters ('by road').
Costs are integers of a unit that the title chooses (say twelfths of a movement point), or Fractions.
Of equally cheap paths the one with fewest steps counts, then the one whose first different step comes first in ``steps``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

N = TypeVar("N", bound=Hashable)
Cost = int | Fraction


class Step(NamedTuple, Generic[N]):
    """A way open from one node to the next; ``stop``: the path ends there."""

    there: N
    cost: Cost = 1
    stop: bool = False


class Bar(NamedTuple, Generic[N]):
    """A way that is closed: in which words, by which rule."""

    there: N
    words: str
    rule: str


Steps = Callable[[N], Iterable[Step[N] | Bar[N]]]
Near = Callable[[N], Iterable[N]]


class Way(NamedTuple, Generic[N]):
    """A path, its start included, and what it costs."""

    path: tuple[N, ...]
    cost: Cost


# -- without costs --------------------------------------------------------------------------------


def nearest(start: N, near: Near[N], goal: Callable[[N], bool]) -> list[list[N]]:
    """All shortest paths (without ``start``) to the nearest places that meet ``goal``, in a fixed order."""
    paths: list[list[N]] = []
    seen = {start: 0}
    queue: deque[list[N]] = deque([[]])
    best: int | None = None
    while queue:
        path = queue.popleft()
        if best is not None and len(path) >= best:
            break
        for place in near(path[-1] if path else start):
            if seen.get(place, len(path) + 1) < len(path) + 1:
                continue
            seen[place] = len(path) + 1
            longer = [*path, place]
            if goal(place):
                best = len(longer)
                paths.append(longer)
            else:
                queue.append(longer)
    return paths


def reachable(start: N, near: Near[N], limit: int | None = None) -> dict[N, int]:
    """All places reachable from ``start`` (within ``limit`` steps), nearest first, and their distance in steps."""
    seen = {start: 0}
    queue = deque([start])
    while queue:
        place = queue.popleft()
        if seen[place] == limit:
            break
        for other in near(place):
            if other not in seen:
                seen[other] = seen[place] + 1
                queue.append(other)
    return seen


def distances(adjacent: Mapping[N, Iterable[N]], start: N) -> dict[N, int]:
    """Distance in steps from ``start`` to every place that can be reached."""
    return reachable(start, lambda place: adjacent[place])


# -- with costs -----------------------------------------------------------------------------------


@dataclass
class Reach(Generic[N]):
    """What can be reached from one or more starts, cheapest first; paths are put together when somebody asks.

    ``costs``: every node where a path may end, and its cost; ``bars``: the closed ways met on the search, by where they lead.
    """

    costs: dict[N, Cost] = field(default_factory=dict)
    bars: dict[N, Bar[N]] = field(default_factory=dict)
    _from: dict[tuple[N, bool], tuple[N, bool] | None] = field(default_factory=dict)
    _ends: dict[N, bool] = field(default_factory=dict)

    def __contains__(self, node: object) -> bool:
        return node in self.costs

    def __iter__(self) -> Iterator[N]:
        return iter(self.costs)

    def path(self, node: N) -> tuple[N, ...]:
        """The cheapest path there, its start included; KeyError if there is none."""
        at: tuple[N, bool] | None = (node, self._ends[node])
        found = []
        while at is not None:
            found.append(at[0])
            at = self._from[at]
        return tuple(reversed(found))

    def way(self, node: N) -> Way[N]:
        """The cheapest path there and its cost; KeyError if there is none."""
        return Way(self.path(node), self.costs[node])


def cheapest(
    starts: Iterable[N], steps: Steps[N], budget: Cost | None = None, goal: Callable[[N], bool] | None = None
) -> Reach[N]:
    """The cheapest ways from ``starts`` to everywhere that costs at most ``budget``.

    With a ``goal`` the search ends at the first node that meets it, which is then the last of ``costs``.
    Costs may not be negative.
    """
    found: Reach[N] = Reach()
    queue: list[tuple[Cost, int, tuple[int, ...], N, bool, tuple[N, bool] | None]] = []
    best: dict[tuple[N, bool], tuple[Cost, int]] = {}
    for number, start in enumerate(starts):
        heappush(queue, (0, 0, (number,), start, False, None))
    while queue:
        cost, length, trail, here, stopped, before = heappop(queue)
        if (here, stopped) in found._from:
            continue
        found._from[here, stopped] = before
        if here not in found.costs:
            found.costs[here] = cost
            found._ends[here] = stopped
            if goal is not None and goal(here):
                break
        if stopped:
            continue
        for number, step in enumerate(steps(here)):
            if isinstance(step, Bar):
                found.bars.setdefault(step.there, step)
                continue
            key, total = (step.there, step.stop), cost + step.cost
            rank = (total, length + 1)
            if (budget is not None and total > budget) or key in found._from or best.get(key, rank) < rank:
                continue
            best[key] = rank
            heappush(queue, (total, length + 1, (*trail, number), step.there, step.stop, (here, False)))
    return found


def cheapest_way(
    start: N, goal: N, steps: Steps[N], budget: Cost | None = None,
    too_far: str = "it costs {cost} to get there, and {budget} may be spent", rule: str = "",
) -> Way[N] | Bar[N]:
    """The cheapest way from ``start`` to ``goal``, or what bars it.

    A way that would cost more than ``budget`` is barred in the words ``too_far`` (with {cost} and {budget}) by ``rule``;
    if no way is open at any price, the bar is the first one on the way with fewest bars (see :func:`bars_between`).
    """
    def at_goal(node: N) -> bool:
        return node == goal

    found = cheapest([start], steps, budget, at_goal)
    if goal in found:
        return found.way(goal)
    if budget is not None:
        dear = cheapest([start], steps, None, at_goal)
        if goal in dear:
            return Bar(goal, too_far.format(cost=dear.costs[goal], budget=budget), rule)
    closed = bars_between([start], at_goal, steps)
    return closed[0] if closed else Bar(goal, f"no way leads to {goal}", rule)


def bars_between(starts: Iterable[N], goal: Callable[[N], bool], steps: Steps[N]) -> list[Bar[N]]:
    """What would have to be lifted: the bars on the way to ``goal`` that has fewest of them, in its order.

    Empty if a way is open, or if none would be even without the bars.
    """
    met: dict[tuple[N, N], Bar[N]] = {}

    def all_steps(here: N) -> Iterator[Step[N] | Bar[N]]:
        for step in steps(here):
            if isinstance(step, Bar):
                met.setdefault((here, step.there), step)
                yield Step(step.there, _BARRED)
            else:
                yield Step(step.there, 1)

    found = cheapest(starts, all_steps, None, goal)
    last = next(reversed(found.costs), None)
    if last is None or not goal(last):
        return []
    path = found.path(last)
    open_ways = {(a, s.there) for a in path for s in steps(a) if not isinstance(s, Bar)}
    return [met[pair] for pair in zip(path, path[1:], strict=False) if pair in met and pair not in open_ways]


_BARRED = 1_000_000
"""What a bar counts in steps: more than any way round it is long."""


def walk(
    path: Iterable[N], take: Callable[[N, N, Cost], Step[N] | Bar[N]], halted: tuple[str, str] = ("the move ends at {here}", "")
) -> Way[N] | Bar[N]:
    """A path that somebody spelled out (its start first): its cost, or the first bar on it.

    ``take(here, there, spent)`` is one step of it, and bars what would overdraw the budget.  A step beyond one that stops is
    barred in the words of ``halted`` (with {here} and {there}) by its rule.
    """
    nodes = tuple(path)
    spent: Cost = 0
    over = False
    for here, there in zip(nodes, nodes[1:], strict=False):
        if over:
            return Bar(there, halted[0].format(here=here, there=there), halted[1])
        step = take(here, there, spent)
        if isinstance(step, Bar):
            return step
        spent += step.cost
        over = step.stop
    return Way(nodes, spent)
