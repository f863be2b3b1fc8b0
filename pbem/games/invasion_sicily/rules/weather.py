"""3.7 Weather."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, DRY, MUD
from pbem.games.invasion_sicily.rules import mussolini
from pbem.games.invasion_sicily.rules.phases import Flow, begin, table_roll

WEATHERS = {"dry": (DRY, False), "dry, storm": (DRY, True), "mud": (MUD, False), "mud, storm": (MUD, True)}
"""The results of the table: the ground, and whether there is a Storm (3.7.2)."""


def weather(ctx: Ctx) -> Flow:
    """3.7.1, 3.7.2 The Allied player rolls; the result holds for the whole map and the whole turn."""
    begin(ctx)
    state = ctx.state
    if state.turn == 1 and state.data.first_weather:
        ctx.emit(e.WeatherSet(state.data.first_weather, False))
    else:
        kind = table_roll(ctx, ALLIED, "weather", "weather", "the weather", "3.7.1")
        ctx.emit(e.WeatherSet(*WEATHERS[kind]))
    mussolini.resolve(ctx)
    if ctx.state.storm and ctx.state.plan and ctx.state.plan[0] == ctx.state.turn:
        ctx.emit(e.OperationDelayed(ctx.state.plan[1], ctx.state.turn + 1))
    return
    yield  # asks nobody
