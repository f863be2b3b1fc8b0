"""17.21 Italian Morale Collapse."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import garrison, morale, phases
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, GREEN, VETERAN
from pbem.games.fab_sicily.position.state import DISORDERED, State

Flow = Generator[Sequence[Ask], list[Answer], None]

KIND = "morale-collapse"
WORST = 3

CHOOSERS = {1: (AXIS,), 2: (AXIS, ALLIED), 3: (AXIS, AXIS, ALLIED, ALLIED)}
"""17.21c Who chooses the Italian assets that are lost, level by level."""

SURRENDER = {GREEN: 8, VETERAN: 10}
"""9.4, 17.21f The lowest roll at which a disordered unit surrenders; elite units never do."""


# -- 17.21c -----------------------------------------------------------------------------------------


def play(ctx: Ctx, chit: str) -> Flow:
    """17.21b, c The event goes on the table, and Italian assets are lost."""
    ctx.emit(e.ChitMoved(chit, "table", "", KIND, "17.21"))
    for side in CHOOSERS[board.italian_morale(ctx.state)]:
        if not assets(ctx.state):
            return
        [answer] = yield [_ask(ctx, side)]
        ctx.emit(e.ChitMoved(answer["chit"], "eliminated", "", "", "17.21"))


def assets(state: State) -> list[str]:
    """17.21c The Italian assets in the Axis Available Box, but for the staff."""
    chits = state.data.chits
    return [c.id for c in board.available(state, AXIS, "artillery", "battle", "engineer") if chits[c.id].nation == "it"]


def _ask(ctx: Ctx, side: str) -> Ask:
    """Default: for the Axis the first, poorest battle asset; for the Allies the first artillery."""
    state = ctx.state
    data, found = state.data, assets(state)

    def rank(chit: str) -> tuple[bool, int]:
        kind = data.chits[chit]
        return (kind.kind == "artillery") == (side == AXIS), kind.quality if side == AXIS else -kind.quality

    def make() -> list[Option]:
        return [Option(f"strike {c}", f"{data.chits[c].name} is eliminated", (data.chits[c].kind,), {"chit": c}) for c in found]

    return Ask(
        side, "collapse", "17.21c", phases.scope(ctx), make, f"strike {min(found, key=rank)}",
        "Italian morale collapses: which Italian asset is eliminated?",
        facts={"level": board.italian_morale(state), "left": len(found)},
    )


# -- 17.21d, e, f -------------------------------------------------------------------------------------


def shake(ctx: Ctx, battle: Battle) -> None:
    """17.21d, e All Italian units in combat, Green ones (15.3b) after the Veterans, as they are revealed."""
    state = ctx.state
    fighting = [u.id for side in (battle.defender, battle.attacker) for u in b.units(state, battle, side)]
    italians = [u.id for u in board.in_area(state, battle.area) if u.id in fighting and state.type(u.id).nation == "it"]
    green = [u for u in italians if board.green_garrison(ctx.state, u)]
    for unit in italians:
        if unit not in green:
            _veteran(ctx, unit)
    for unit in green:
        _green(ctx, unit)


def _green(ctx: Ctx, unit: str) -> None:
    """17.21d From level 1 on a Green unit is disordered without a check, and from level 2 on it may lose a step besides."""
    now = board.morale_in_battle(ctx.state)
    if now == 0:
        garrison.steady(ctx, unit)
        return
    b.disorder(ctx, unit, "17.21d")
    if now > 1:
        _check_or_lose(ctx, unit, "17.21d")


def _veteran(ctx: Ctx, unit: str) -> None:
    """17.21e Level 1: a check or disorder; level 2: disorder; level 3: for the disordered a check or a step besides."""
    now, shaken = board.morale_in_battle(ctx.state), ctx.state.blocks[unit].status == DISORDERED
    if now == WORST and shaken:
        _check_or_lose(ctx, unit, "17.21e")
    elif now > 1 and not shaken:
        b.disorder(ctx, unit, "17.21e")
    elif now == 1 and not shaken:
        passed, _ = morale.roll(ctx, unit, "holding its nerve", "17.21e")
        if not passed:
            b.disorder(ctx, unit, "17.21e")


def _check_or_lose(ctx: Ctx, unit: str, rule: str) -> None:
    passed, face = morale.roll(ctx, unit, "holding its nerve", rule)
    if not passed:
        lose(ctx, unit, face, rule)


def lose(ctx: Ctx, unit: str, face: int, rule: str) -> None:
    """17.21f A disordered unit that failed its check surrenders at that roll, or loses a step."""
    block = ctx.state.blocks[unit]
    if face >= SURRENDER.get(board.quality(ctx.state, unit), face + 1):
        ctx.emit(e.Eliminated(unit, "surrender", "17.21f"))
    elif block.steps > 1:
        ctx.emit(e.StepLost(unit, rule))
    else:
        ctx.emit(e.Eliminated(unit, "losses", rule))


def breaks(state: State, unit: str) -> bool:
    """17.21e Whether an unsupplied unit is disordered without the check of 9.4: a Veteran Italian one from level 2 on.

    RULING: 17.21 takes the place of the check for units that are not disordered yet; at level 1, and for
    disordered ones at any, it asks for the check that 9.4 makes anyway.
    """
    return state.type(unit).nation == "it" and board.italian_morale(state) > 1 and state.blocks[unit].status != DISORDERED
