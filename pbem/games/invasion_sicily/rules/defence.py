"""9.4 II The strength of the defence."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, other
from pbem.games.invasion_sicily.position.state import FIRED, RETREATED
from pbem.games.invasion_sicily.rules import leading, support
from pbem.games.invasion_sicily.rules.phases import ask

if TYPE_CHECKING:
    from pbem.games.invasion_sicily.rules.combat import Fight

Number = Generator[Sequence[Ask], list[Answer], int]
Names = Generator[Sequence[Ask], list[Answer], list[str]]


def strength(ctx: Ctx, fight: Fight, defenders: Sequence[str]) -> Number:
    """9.4 II Defence strengths, and support up to as much.

    Units that retreated into the hex in this phase add nothing and do not lead (9.6.4).  In a counterattack nobody is
    supported (9.8.2).
    """
    state, side, target = ctx.state, other(fight.side), fight.target
    fighting = [u for u in defenders if not state.units[u].has(RETREATED)]
    firing = [] if fight.counter else (yield from _roles(ctx, fight, fighting))
    for gun in firing:
        ctx.emit(e.Marked(gun, FIRED, True, "10.1.7"))
    own = sum(board.defence(state, u) for u in fighting if u not in firing)
    given = sum(board.support(state, g) for g in firing)
    fight.defence_guns = list(firing)
    if not fight.counter:
        distant = [
            u.id for u in state.units.values()
            if state.data.units[u.id].side == side and u.place != target and not support.why_not_fire(state, u.id, target, False)
        ]
        more = yield from support.guns(ctx, side, target, distant, "", target, own)
        given += sum(board.support(state, g) for g in more)
        given += yield from support.air(ctx, side, target, own - given, {"defence": own})
        if side == ALLIED:
            given += yield from support.ships(ctx, target, own - given, {"defence": own})
    counted = min(given, own)
    ctx.emit(e.StrengthTold(target, side, own, counted))
    able = [u for u in fighting if u not in firing]
    if able:
        fight.defence_lead = yield from leading.defender(ctx, fight, able)
    return own + counted


def _roles(ctx: Ctx, fight: Fight, fighting: Sequence[str]) -> Names:
    """10.1.4f, 10.1.6 Guns in the defender hex give support or defence strength; guns alone must defend themselves."""
    state = ctx.state
    if all(state.type(u).gun for u in fighting):
        return []
    firing = []
    for gun in [u for u in fighting if not support.why_not_fire(state, u, fight.target, False)]:
        default = "support" if board.support(state, gun) >= board.defence(state, gun) else "defend"
        answer = yield from ask(
            ctx, other(fight.side), "gun-role", "10.1.6",
            [Option("support", f"{board.support(state, gun)} of support"), Option("defend", "its defence strength")],
            default, f"{gun}: support or defence?", fight.target, {"unit": gun},
        )
        if answer.key == "support":
            firing.append(gun)
    return firing

