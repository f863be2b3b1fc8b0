"""Supply: a network that grows from its sources, the path of a unit to it, and what cuts the path.

A path has two legs: from the unit to the network, within a reach (five hexes, six movement points), and along the network
(roads, rail, ground one holds) to a source.  ``passes(here, there)`` is one step of a leg as supply is traced, from the
unit towards the source; a bar is something that could be lifted, None that no way is there at all (no road).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from pbem.kit.search import Bar, Cost, Near, Reach, Step, Steps, bars_between, cheapest

Passes = Callable[[str, str], Step[str] | Bar[str] | None]


@dataclass(frozen=True)
class Network:
    """All that is joined to a source over steps that ``passes`` allows, at most ``limit`` away from it."""

    near: Near[str]
    sources: tuple[str, ...]
    passes: Passes
    limit: Cost | None = None
    reach: Reach[str] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reach", cheapest(self.sources, self._outward, self.limit))

    def __contains__(self, place: object) -> bool:
        return place in self.reach

    def path(self, place: str) -> tuple[str, ...]:
        """The cheapest path from a place of the network to a source, both included."""
        return self.reach.path(place)[::-1]

    def _outward(self, here: str) -> Iterator[Step[str] | Bar[str]]:
        """The steps of the growing network: over each of them supply is traced the other way."""
        for there in self.near(here):
            step = self.passes(there, here)
            if step is not None:
                yield step._replace(there=there)


class Line(NamedTuple):
    """A supply path from a unit (first) to a source (last): what its leg to the network costs, and the one along it."""

    path: tuple[str, ...]
    off: Cost
    along: Cost

    @property
    def source(self) -> str:
        """Where the supply comes from."""
        return self.path[-1]


class Cut(NamedTuple):
    """No supply path.  ``bars``: what would have to be lifted, from the unit outward; if there is nothing to lift, the network
    is too far off: ``needed`` is what the leg to it would cost, None if none leads there at any price."""

    bars: tuple[Bar[str], ...]
    needed: Cost | None = None


def link(near: Near[str], start: str, network: Network, passes: Passes, reach: Cost | None = None) -> Line | None:
    """The supply path of a unit at ``start``; None if there is none (:func:`trace` works out why)."""
    found = cheapest([start], _steps(near, passes), reach, network.__contains__)
    last = next(reversed(found.costs))
    if last not in network:
        return None
    return Line((*found.path(last), *network.path(last)[1:]), found.costs[last], network.reach.costs[last])


def trace(near: Near[str], start: str, network: Network, passes: Passes, reach: Cost | None = None) -> Line | Cut:
    """The supply path of a unit at ``start``, or what cuts it."""
    line = link(near, start, network, passes, reach)
    if line is not None:
        return line
    bars = _bars(near, start, network, passes, reach)
    if bars:
        return Cut(tuple(bars))
    far = cheapest([start], _steps(near, passes), None, network.__contains__)
    last = next(reversed(far.costs))
    return Cut((), far.costs[last] if last in network else None)


def _steps(near: Near[str], passes: Passes) -> Steps[str]:
    """The ways out of a place, those that are not there at all left out."""
    def steps(here: str) -> Iterator[Step[str] | Bar[str]]:
        found = (passes(here, there) for there in near(here))
        return (step for step in found if step is not None)

    return steps


def _bars(near: Near[str], start: str, network: Network, passes: Passes, reach: Cost | None) -> list[Bar[str]]:
    """The bars on the way with fewest of them, a leg within reach and then along the network to a source."""
    def steps(node: _Node) -> Iterator[Step[_Node] | Bar[_Node]]:
        here, spent = node
        for there in near(here):
            along, off = network.passes(here, there), passes(here, there) if spent is not None else None
            if along is not None:
                yield _onto(along, (there, None))
            if off is not None and spent is not None:
                total = 0 if reach is None else spent + (off.cost if isinstance(off, Step) else 1)
                if reach is None or total <= reach:
                    yield _onto(off, (there, total))

    starts: list[_Node] = [(start, 0)]
    found = bars_between(starts, lambda node: node[0] in network.sources, steps)
    return [Bar(b.there[0], b.words, b.rule) for b in found]


_Node = tuple[str, Cost | None]
"""A place, and what the first leg has cost so far: None once the path goes along the network."""


def _onto(step: Step[str] | Bar[str], node: _Node) -> Step[_Node] | Bar[_Node]:
    return Step(node, step.cost, step.stop) if isinstance(step, Step) else Bar(node, step.words, step.rule)
