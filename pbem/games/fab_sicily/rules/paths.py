"""5.3 Where a unit can go: the cheapest way to every place, and ways that a player spells out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush

from pbem.core.asks import Option, Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import costs
from pbem.games.fab_sicily.rules.costs import Bar, Ground, Mover, Step
from pbem.games.fab_sicily.position.data import OFF_MAP
from pbem.games.fab_sicily.position.state import State

ITALY = "italy"
"""14.29 The destination of an evacuation in orders."""


@dataclass(frozen=True)
class Way:
    """A path with its start, what it costs in all, and whether its last step crosses a river to the enemy."""

    path: tuple[str, ...]
    cost: int
    river: bool = False

    def rank(self, cheapest: bool = True) -> tuple[int, int, int]:
        """The lower the better: cheap, no river crossed in the face of the enemy, short (before revision 3 the river came
        first)."""
        return (self.cost, int(self.river), len(self.path)) if cheapest else (int(self.river), self.cost, len(self.path))


def ways(ground: Ground, unit: Mover) -> dict[str, Way]:
    """The best way to every place where the unit may end its movement, by number."""
    found = search(ground, unit)
    bonus = costs.motorized(ground, unit)
    if bonus:
        for there, way in search(ground, bonus).items():
            _keep(ground, found, there, way)
    return {a: found[a] for a in sorted(found, key=int)}


def search(ground: Ground, unit: Mover, through: str = "") -> dict[str, Way]:
    """Dijkstra's search with the unit's allowance as it is; areas where the unit must stop end a path.  ``through``: a
    place that the unit only passes, so that it may be full (14.29)."""
    found: dict[str, Way] = {}
    best = {unit.at: unit.spent}
    queue: list[tuple[int, int, int, tuple[str, ...]]] = [(unit.spent, 1, 0, (unit.at,))]
    serial = 0
    while queue:
        spent, length, _, path = heappop(queue)
        if best.get(path[-1], spent) < spent:
            continue
        start = unit.start and length == 1
        for step in costs.legal_steps(ground, unit, path[-1], spent, start):
            if step.there in path:
                continue
            way = Way((*path, step.there), spent + step.cost, step.river and step.there in ground.enemy)
            if step.there == through or not costs.full(ground, unit, step.there):
                _keep(ground, found, step.there, way)
            if step.stop or unit.one_area or best.get(step.there, way.cost + 1) <= way.cost:
                continue
            best[step.there] = way.cost
            serial += 1
            heappush(queue, (way.cost, length + 1, serial, way.path))
    return found


def _keep(ground: Ground, found: dict[str, Way], there: str, way: Way) -> None:
    cheapest = ground.state.data.mended
    if there not in found or way.rank(cheapest) < found[there].rank(cheapest):
        found[there] = way


# -- paths spelled out ----------------------------------------------------------------------------


def walk(ground: Ground, unit: Mover, path: Sequence[str], passing: bool = False) -> list[Step] | Refusal:
    """5.3 The steps of a path (start first), or what is wrong with it; 15.1 with the allowance that gets farther.
    ``passing``: the unit does not stay at the end of it (14.29)."""
    plain = _walk(ground, unit, path, passing)
    bonus = costs.motorized(ground, unit)
    if isinstance(plain, Refusal) and plain.rule == costs.TOO_DEAR.rule and bonus:
        return _walk(ground, bonus, path, passing)
    return plain


def _walk(ground: Ground, unit: Mover, path: Sequence[str], passing: bool) -> list[Step] | Refusal:
    steps: list[Step] = []
    spent, here = unit.spent, path[0]
    for there in path[1:]:
        closed = _may_go_on(unit, steps)
        got = closed or _try(ground, unit, here, there, spent, unit.start and not steps)
        if isinstance(got, Bar):
            return got.refusal(ground.state, unit.block, here, there)
        steps.append(got)
        spent, here = spent + got.cost, there
    if not passing and costs.full(ground, unit, here):
        return costs.FULL.refusal(ground.state, unit.block, path[-2], here)
    return steps


def _may_go_on(unit: Mover, steps: list[Step]) -> Bar | None:
    if steps and steps[-1].stop:
        return costs.MUST_STOP
    return _one_area(unit) if steps else None


def _one_area(unit: Mover) -> Bar | None:
    """7.31, 9.33a Whether the unit goes one area at most."""
    if not unit.one_area:
        return None
    return costs.ONE_AREA_EXPLOIT if unit.mode == costs.EXPLOITATION else costs.ONE_AREA


def _try(ground: Ground, unit: Mover, here: str, there: str, spent: int, start: bool) -> Step | Bar:
    if there not in ground.state.data.adjacent[here]:
        return costs.NOT_ADJACENT
    return costs.take(ground, unit, here, there, spent, start)


def why_not(ground: Ground, unit: Mover, there: str) -> Refusal:
    """Why the unit cannot go there: what bars the direct step or, from farther away, that it is too far."""
    state = ground.state
    if there == unit.at:
        return Refusal(f"{board.unit_name(state.data, unit.block)} stands there already", "5.24")
    if there in state.data.adjacent[unit.at]:
        got = walk(ground, unit, (unit.at, there))
        if isinstance(got, Refusal):
            return got
    if costs.full(ground, unit, there):
        return costs.FULL.refusal(state, unit.block, unit.at, there)
    barred = costs.bar_of_place(ground, unit, there)
    if barred:
        return barred.refusal(state, unit.block, unit.at, there)
    return (_one_area(unit) or costs.OUT_OF_REACH).refusal(state, unit.block, unit.at, there)


# -- options --------------------------------------------------------------------------------------


def place_name(state: State, there: str) -> str:
    """A destination in words."""
    return "Italy" if there == ITALY else board.place_name(state.data, there)


def option(state: State, verb: str, block: str, way: Way, words: str = "", extra: Mapping[str, str] | None = None) -> Option:
    """`move 50-1 to 12`; ``words`` are put behind the destination (' via 14', ' with SA-ALLIED')."""
    there = ITALY if way.path[-1] == OFF_MAP else way.path[-1]
    label = f"{board.unit_name(state.data, block)} to {place_name(state, there)}"
    data = {"block": block, "path": list(way.path), "cost": way.cost, **(extra or {})}
    return Option(f"{verb} {block} to {there}{words}", label, data=data)
