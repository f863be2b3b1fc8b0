"""7.1 Moves as options: the cheapest way to every hex, a way that a player words himself, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.asks import Option, Refusal
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ITALY
from pbem.games.invasion_sicily.position.state import COMMITTED, MOVED, State
from pbem.games.invasion_sicily.rules import costs, stacking
from pbem.games.invasion_sicily.rules.costs import MOTORIZED, REACTION, Ground
from pbem.kit.search import Bar, Cost, Reach, Step, Way, cheapest, cheapest_way, walk


def why_not_act(state: State, unit: str, mode: str) -> Refusal | None:
    """7.1, 7.1.5, 7.1.6, 7.5 Why a unit does not move in this phase, or None."""
    found, kind = state.units[unit], state.type(unit)
    if found.target:
        return Refusal(f"{unit} is at sea", "13.2.4")
    if not board.on_map(state, found) and found.place != ITALY:
        return Refusal(f"{unit} is not on the map", "7.1")
    if found.place == ITALY and not state.data.calabria:
        return Refusal(f"{unit} leaves Italy by sea or by air only", "7.6.7")
    if board.logistic(state, unit):
        return Refusal(f"{unit} is a Beach or Port unit and does not move", "6.1.4")
    if found.has(MOVED):
        return Refusal(f"{unit} has moved already in this phase", "7.1.4")
    if found.has(COMMITTED) and mode == costs.MOVEMENT:
        return Refusal(f"{unit} has an attack declared and stays", "8.1.1")
    if mode in (MOTORIZED, REACTION) and not kind.motorized:
        return Refusal(f"{unit} is not motorized", "7.5.2" if mode == MOTORIZED else "8.3.1")
    if costs.allowance(state, unit, mode) <= 0:
        return Refusal(f"{unit} has no movement points left", "7.1.4")
    return None


def reach(ground: Ground, unit: str, mode: str) -> Reach[str]:
    """All that a unit can reach in the phase, cheapest ways first; its own hex is the first of them."""
    start = ground.state.units[unit].place
    return cheapest([start], lambda here: costs.steps(ground, unit, here, mode), costs.allowance(ground.state, unit, mode))


def options(ground: Ground, units: Sequence[str], mode: str, verb: str = "move") -> Iterator[Option]:
    """7.1.3 For every unit the cheapest way to every hex that it can reach."""
    for unit in units:
        if why_not_act(ground.state, unit, mode):
            continue
        found = reach(ground, unit, mode)
        start = ground.state.units[unit].place
        for there in found:
            if there != start and not _overfull(ground, unit, there, mode):
                yield option(unit, found.way(there), mode, verb)


def option(unit: str, way: Way[str], mode: str, verb: str = "move", spelled: bool = False) -> Option:
    """A move as an option; ``spelled``: the way is the player's own and is part of the key."""
    via = f" via {' '.join(way.path[1:-1])}" if spelled and len(way.path) > 2 else ""
    data = {"do": "move", "unit": unit, "path": list(way.path), "cost": int(way.cost), "mode": mode}
    return Option(f"{verb} {unit} to {way.path[-1]}{via}", f"{board.cost(int(way.cost))} movement points", data=data)


def to(ground: Ground, unit: str, there: str, mode: str, verb: str = "move") -> Option | Refusal:
    """The cheapest way to a hex, or why there is none."""
    refusal = why_not_act(ground.state, unit, mode)
    if refusal:
        return refusal
    state, start = ground.state, ground.state.units[unit].place
    if there == start:
        return Refusal(f"{unit} is in {there} already", "7.1.1")
    if there not in state.data.hexes and there != ITALY:
        return Refusal(f"there is no hex {there} in play", "7.1.8")
    budget = costs.allowance(state, unit, mode)
    way = cheapest_way(start, there, lambda here: costs.steps(ground, unit, here, mode), budget)
    if isinstance(way, Bar):
        return _refusal(way, ground, unit, there, mode, budget)
    return _overfull(ground, unit, there, mode) or option(unit, way, mode, verb)


def _overfull(ground: Ground, unit: str, there: str, mode: str) -> Refusal | None:
    """8.3.4a A reaction cannot end in an overstacked hex; in the other phases stacking counts at their end (3.5.1)."""
    if mode == REACTION and not stacking.fits(ground.state, ground.side, there, [unit]):
        return Refusal(f"{there} would be overstacked", "8.3.4")
    return None


def _refusal(bar: Bar[str], ground: Ground, unit: str, there: str, mode: str, budget: int) -> Refusal:
    if bar.rule:
        return Refusal(bar.words, bar.rule)
    start = ground.state.units[unit].place
    dear = cheapest([start], lambda here: costs.steps(ground, unit, here, mode), None, lambda node: node == there)
    if there in dear:
        need, have = board.cost(int(dear.costs[there])), board.cost(budget)
        return Refusal(f"it costs {need} movement points to get from {start} to {there}, and {unit} has {have}", "7.3.2")
    return Refusal(f"no way leads from {start} to {there}", "7.1.1")


def along(ground: Ground, unit: str, path: Sequence[str], mode: str, verb: str = "move") -> Option | Refusal:
    """7.1.1 A way that a player spells out hex by hex, with or without its start; places far apart are joined cheapest."""
    refusal = why_not_act(ground.state, unit, mode)
    if refusal:
        return refusal
    state, start = ground.state, ground.state.units[unit].place
    full = list(path) if path and path[0] == start else [start, *path]
    if len(full) == 2:
        return to(ground, unit, full[1], mode, verb)
    whole = [start]
    for there in full[1:]:
        leg = cheapest_way(whole[-1], there, lambda here: costs.steps(ground, unit, here, mode), None)
        if isinstance(leg, Bar):
            return Refusal(leg.words, leg.rule or "7.1.1")
        whole += leg.path[1:]
    budget = costs.allowance(state, unit, mode)

    def take(here: str, there: str, spent: Cost) -> Step[str] | Bar[str]:
        step = costs.step(ground, unit, here, there, mode)
        if isinstance(step, Bar) or spent + step.cost <= budget:
            return step
        need, have = board.cost(int(spent + step.cost)), board.cost(budget)
        return Bar(there, f"this way costs {need} movement points as far as {there}, and {unit} has {have}", "7.3.2")

    way = walk(whole, take, ("the move ends at {here}", "8.3.3"))
    if isinstance(way, Bar):
        return Refusal(way.words, way.rule)
    return _overfull(ground, unit, way.path[-1], mode) or option(unit, way, mode, verb, spelled=True)
