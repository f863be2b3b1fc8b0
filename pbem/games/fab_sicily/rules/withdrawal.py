"""6.6 Retreats out of a battle: the units go one at a time, and their owner says where to."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import retreat
from pbem.games.fab_sicily.rules.battle import Battle, Flow
from pbem.games.fab_sicily.position.state import State


def possible(state: State, battle: Battle) -> bool:
    """6.42c, 8.24 All defending units retreat or none, so each must have somewhere to go."""
    units = b.units(state, battle, battle.defender)
    return bool(units) and all(retreat.retreat_options(state, u.id, battle.area) for u in units)


def withdraw(ctx: Ctx, battle: Battle, *, disorder: bool, rule: str) -> Flow:
    """6.6 All defending units retreat, one at a time; where they are in each other's way their owner says who goes first.

    RULING: should the first to go leave the second no room, that one stays.
    """
    left = [u.id for u in b.units(ctx.state, battle, battle.defender)]
    while left:
        ways = {unit: retreat.retreat_options(ctx.state, unit, battle.area) for unit in left}
        left = [unit for unit in left if ways[unit]]
        if left:
            first = left if ctx.state.data.mended and _rivals(ctx.state, [ways[unit] for unit in left]) else left[:1]
            gone = yield from go(ctx, battle, left[0], [o for unit in first for o in ways[unit]], disorder=disorder, rule=rule)
            left.remove(gone)


def _rivals(state: State, ways: list[list[Option]]) -> bool:
    """Whether two units may want to go where there is room for one."""
    goals = [{str(o.data["path"][-1]) for o in options} for options in ways]
    if len(goals) < 2:
        return False
    shared = sorted(goals[0].intersection(*goals[1:]))
    side = board.side_of(state, str(ways[0][0].data["block"]))
    return any(goal in state.data.areas and board.room(state, goal, side) == 1 for goal in shared)


Goer = Generator[Sequence[Ask], list[Answer], str]


def go(ctx: Ctx, battle: Battle, unit: str, options: list[Option], *, disorder: bool, rule: str) -> Goer:
    """6.6 One unit retreats by one of ``options``: ``unit``, or another that these offer; gives its id.  Default: the first."""
    side, name = board.side_of(ctx.state, unit), board.unit_name(ctx.state.data, unit)
    several = len({str(o.data["block"]) for o in options}) > 1
    said = "which unit retreats first, and where to?" if several else f"where does {name} retreat to?"
    [answer] = yield [
        b.ask(ctx, battle, side, "retreat-to", "6.6", lambda: options, options[0].key, said, where=unit, block=unit)
    ]
    gone = str(answer.option.data["block"])
    retreat.retreat(ctx, gone, answer.option.data, disorder, rule)
    return gone
