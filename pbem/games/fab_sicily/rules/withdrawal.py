"""6.6 Retreats out of a battle: the units go one at a time, and their owner says where to."""

from __future__ import annotations

from pbem.core.asks import Option
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
    """6.6 All defending units retreat.  RULING: should the first to go leave the second no room, that one stays."""
    for unit in [u.id for u in b.units(ctx.state, battle, battle.defender)]:
        options = retreat.retreat_options(ctx.state, unit, battle.area)
        if options:
            yield from go(ctx, battle, unit, options, disorder=disorder, rule=rule)


def go(ctx: Ctx, battle: Battle, unit: str, options: list[Option], *, disorder: bool, rule: str) -> Flow:
    """6.6 One unit retreats by one of ``options``.  Default: the first."""
    side, name = board.side_of(ctx.state, unit), board.unit_name(ctx.state.data, unit)
    [answer] = yield [
        b.ask(
            ctx, battle, side, "retreat-to", "6.6", lambda: options, options[0].key, f"where does {name} retreat to?",
            where=unit, block=unit,
        )
    ]
    retreat.retreat(ctx, unit, answer.option.data, disorder, rule)
