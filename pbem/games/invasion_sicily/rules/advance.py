"""9.7 Advance after combat; 8.2.2 and 13.2.7 into a hex that was left without a fight."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ELIMINATED
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import control, stacking
from pbem.games.invasion_sicily.rules.phases import Flow, ask
from pbem.games.invasion_sicily.rules.terrain import closed

ALL = Option("advance all", "all that may, up to the stacking limit", tags=("all",))
NOBODY = Option("done", "nobody more", tags=("none",))


def advance(ctx: Ctx, side: str, target: str, units: Sequence[str], rule: str, kind: str = "advance") -> Flow:
    """9.7.1-9.7.4 Attackers enter the hex that was attacked, one by one, until the owner is done or the hex is full.

    13.2.6, 13.2.7 Units from the invasion hex go first and must go.
    """
    for unit in [u for u in units if ctx.state.units[u].target]:
        if board.logistic(ctx.state, unit) or stacking.fits(ctx.state, side, target, [unit]):
            enter(ctx, unit, target, rule)
    for unit in [u.id for u in ctx.state.units.values() if u.target == target and board.beach_side(ctx.state, u.id)]:
        enter(ctx, unit, target, rule)
    rest = able(ctx.state, side, target, units)
    while rest:
        answer = yield from ask(
            ctx, side, kind, rule, [ALL, *(Option(f"advance {u}", data={"unit": u}) for u in rest)], "advance all",
            where=target, closing=NOBODY, facts={"units": len(rest), "room": stacking.room(ctx.state, side, target)},
        )
        if answer.key == "done":
            return
        for unit in rest if answer.key == "advance all" else [answer["unit"]]:
            if stacking.fits(ctx.state, side, target, [unit]):
                enter(ctx, unit, target, rule)
        rest = [] if answer.key == "advance all" else able(ctx.state, side, target, rest)


def able(state: State, side: str, target: str, units: Sequence[str]) -> list[str]:
    """9.7.2 Who may still enter, the strongest first; artillery may not."""
    found = [
        u for u in units
        if state.units[u].place not in (target, ELIMINATED) and board.on_map(state, state.units[u]) and not state.type(u).gun
        and closed(state.data, state.type(u), state.units[u].place, target) is None and stacking.fits(state, side, target, [u])
    ]
    return sorted(found, key=lambda u: (-board.attack(state, u), u))


def enter(ctx: Ctx, unit: str, target: str, rule: str) -> None:
    """9.7.3 It is no movement: zones do not count."""
    here = ctx.state.units[unit].place
    ctx.emit(e.Moved(unit, (here, target), "advance", 0, rule))
    control.passed(ctx, board.side_of(ctx.state, unit), (target,))
