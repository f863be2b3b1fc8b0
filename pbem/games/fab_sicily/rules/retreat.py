"""6.6 Retreats: the hierarchy of where a unit may go, and the retreat itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.kit.search import distances, nearest, reachable
from pbem.core.asks import Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries, costs, phases, supply_path
from pbem.games.fab_sicily.rules.supply_path import beaches_of
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.costs import Ground
from pbem.games.fab_sicily.position.data import ALLIED, AT_SEA, AXIS, other
from pbem.games.fab_sicily.position.state import DISORDERED, State

Allowed = Callable[[str], bool]
Path = tuple[str, ...]

COMBAT_PHASES = ("drop", "combat", "breakthrough-combat")
"""14.28 Only in combat may units retreat to sea."""


def retreat_options(state: State, block: str, origin: str) -> list[Option]:
    """6.6, 14.28, 14.43 Where a unit may retreat to, the first class of ways that exists (Example 16):

    inside its army's zones to an adjoining area without friendly units; with one; through full areas to the
    nearest with room; to sea; and then the same across army boundaries.  Empty: it cannot retreat.
    """
    ground = costs.survey(state, board.side_of(state, block))
    found = _class(ground, block, origin, lambda a: boundaries.may_operate(state, block, a))
    if not found and ground.side == ALLIED:
        found = _class(ground, block, origin, lambda a: True)
    if state.data.mended:
        found = sorted(found, key=lambda path: _worth(state, ground.side, path))
    return [_option(state, block, path) for path in found]


def _worth(state: State, side: str, path: Path) -> tuple[bool, int, int]:
    """What a sensible player prefers among ways that the rules hold alike, best first: ground from which supply can be
    traced, then the nearest to where supply comes from, then the farthest from ground that the enemy holds."""
    goal = path[-1]
    if goal not in state.data.areas:
        return (False, 0, 0)
    far = min((steps[goal] for steps in _from_sources(state, side)), default=0)
    around = reachable(goal, lambda here: [a for a in state.data.adjacent[here] if a != path[0]])
    hostile = [a for a in around if board.controls(state, other(side), a) or board.forces(state, a, other(side))]
    return (not supply_path.traces(state, side, goal), far, -min((around[a] for a in hostile), default=0))


def _from_sources(state: State, side: str) -> list[Mapping[str, int]]:
    """The distances in areas from each place that supply comes from."""
    return [distances(state.data.adjacent, source) for source in supply_path.sources(state, side)]


def _class(ground: Ground, block: str, origin: str, allowed: Allowed) -> list[Path]:
    return _to_land(ground, block, origin, allowed) or _to_sea(ground, block, origin, allowed)


def _to_land(ground: Ground, block: str, origin: str, allowed: Allowed) -> list[Path]:
    """6.6 The nearest areas with room, empty adjoining ones first.

    RULING: the errata to 6.6 ask for an area with one or fewer units; Example 16 tries an empty one first.  The switch
    ``retreat_empty_first`` says which.
    """
    onward = _onward(ground, block, allowed)
    adjoining = onward(origin)
    if not ground.state.data.switches.get("retreat_empty_first", True):
        either: list[Path] = [(origin, a) for a in adjoining if ground.own.get(a, 0) < board.STACKING_LIMIT]
        if either:
            return either
    for crowd in range(board.STACKING_LIMIT):
        with_room: list[Path] = [(origin, a) for a in adjoining if ground.own.get(a, 0) == crowd]
        if with_room:
            return with_room
    found = nearest(origin, onward, lambda a: ground.own.get(a, 0) < board.STACKING_LIMIT)
    by_goal: dict[str, Path] = {}
    for path in found:
        by_goal.setdefault(path[-1], (origin, *path))
    return list(by_goal.values())


def _to_sea(ground: Ground, block: str, origin: str, allowed: Allowed) -> list[Path]:
    """14.28 To sea by the nearest beachhead; Example 16D: also by one that lies behind full areas."""
    if ground.side == AXIS or ground.state.phase not in COMBAT_PHASES:
        return []
    beaches = beaches_of(ground.state, board.army(ground.state, block))
    if origin in beaches:
        return [(origin, AT_SEA)]
    found = nearest(origin, _onward(ground, block, allowed), lambda a: a in beaches)
    return [(origin, *path, AT_SEA) for path in found]


def _onward(ground: Ground, block: str, allowed: Allowed) -> Callable[[str], list[str]]:
    """6.6, 14.1, 17.22 The areas one may fall back into: friendly, without enemies, and not over a boundary closed
    to armor; blown bridges do not matter."""
    state, armor = ground.state, board.is_armor(ground.state, block)

    def onward(here: str) -> list[str]:
        return [a for a in state.data.adjacent[here] if ground.quiet(a) and allowed(a) and not (armor and closed(here, a))]

    def closed(here: str, there: str) -> bool:
        border = state.data.border(here, there)
        return border.restricted and not costs.etna_road(ground, border, there)

    return onward


def _option(state: State, block: str, path: Path) -> Option:
    """'retreat 50-1 to 4', 'retreat 50-1 to 4 via 6', 'retreat 50-1 to at-sea'."""
    goal, through = path[-1], path[1:-1]
    via = f" via {' '.join(through)}" if through else ""
    label = f"{board.unit_name(state.data, block)} retreats to {board.place_name(state.data, goal)}"
    tags = ("sea",) if goal == AT_SEA else (goal,)
    return Option(f"retreat {block} to {goal}{via}", label, tags, {"block": block, "path": list(path)})


def ask(ctx: Ctx, block: str, options: list[Option]) -> Ask:
    """6.6 Which way a unit retreats."""
    name = board.unit_name(ctx.state.data, block)
    return Ask(
        board.side_of(ctx.state, block), "retreat-to", "6.6", phases.scope(ctx), lambda: options, options[0].key,
        f"Where does {name} retreat to?", block, {"area": ctx.state.blocks[block].area, "steps": ctx.state.blocks[block].steps},
    )


def retreat(ctx: Ctx, block: str, data: Mapping[str, Any], disorder: bool, rule: str) -> None:
    """6.6, 14.28, 14.43 The unit falls back along ``data['path']``; it is disordered unless a Special Action led it."""
    path = tuple(data["path"])
    goal = path[-1]
    opened = [a for a in path[1:] if a in ctx.state.data.areas and boundaries.releasable(ctx.state, block, a)]
    ctx.emit(e.Moved(block, path, "sea-retreat" if goal == AT_SEA else "retreat", 0, rule))
    if disorder and ctx.state.blocks[block].status != DISORDERED:
        ctx.emit(e.StatusSet(block, DISORDERED, rule))
    if ctx.state.blocks[block].reserve:
        ctx.emit(e.Reserve(block, False, "5.21"))
    if opened:
        ctx.emit(e.Released(ctx.state.type(block).division, "14.43"))
    if goal == AT_SEA and ctx.state.blocks[block].shown:
        ctx.emit(e.Shown(block, False, "6.29"))
    phases.settle(ctx, path[0], goal)
