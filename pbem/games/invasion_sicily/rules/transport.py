"""4 B1, C1 The Transport Phases: interdiction first, then sea, air and invasion, one unit after the other."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import air, invasion, naval, shipping
from pbem.games.invasion_sicily.rules.phases import DONE, NONE, Flow, ask, begin, end_of_phase


def transport(ctx: Ctx) -> Flow:
    """4 B1, C1"""
    begin(ctx)
    side = ctx.state.player
    if side == ALLIED:
        yield from _interdict(ctx)
        invasion.begin(ctx)
    else:
        yield from _counter(ctx)
    while any(True for _ in options(ctx.state, side)):
        answer = yield from ask(
            ctx, side, "transport", "12.3", lambda: options(ctx.state, side), "done", closing=DONE,
            facts={"turn": ctx.state.turn},
        )
        if answer.key == "done":
            break
        _carry_out(ctx, answer.option)
    if side == ALLIED:
        invasion.embark(ctx)
        naval.risk(ctx)
    yield from end_of_phase(ctx)


def options(state: State, side: str) -> Iterator[Option]:
    """All that can be carried in the phase."""
    yield from shipping.options(state, side)
    yield from air.options(state, side)
    if side == ALLIED:
        yield from invasion.options(state)


def _carry_out(ctx: Ctx, option: Option) -> None:
    data = option.data
    if data["do"] == "ship":
        shipping.ship(ctx, data["unit"], data["place"])
    elif data["do"] in ("airlift", "drop", "airsupply"):
        air.fly(ctx, data)
    else:
        invasion.order(ctx, data)


def _interdict(ctx: Ctx) -> Flow:
    """11.2.1, 12.2.1 Air and naval points are set against Axis shipping before anything else, for the whole turn."""
    state = ctx.state
    most_air, most_naval = state.air[ALLIED], state.naval
    if not most_air and not most_naval:
        return
    answer = yield from ask(
        ctx, ALLIED, "interdict", "11.2.1", lambda: interdictions(most_air, most_naval), "none",
        facts={"air": most_air, "naval": most_naval, "turn": state.turn},
    )
    if answer.key == "none":
        return
    air_, naval_ = answer["air"], answer["naval"]
    for kind, points in (("air", air_), ("naval", naval_)):
        if points:
            ctx.emit(e.Spent(ALLIED, kind, points, "interdiction"))
    ctx.emit(e.Interdicted(air_, naval_, 0))


def interdictions(most_air: int, most_naval: int) -> Iterator[Option]:
    """Every split of the points; none of them first."""
    yield NONE
    for a in range(most_air + 1):
        for n in range(most_naval + 1):
            if a or n:
                yield Option(f"interdict air {a} naval {n}", data={"air": a, "naval": n})


def _counter(ctx: Ctx) -> Flow:
    """11.2.4 Axis air points against Allied air interdiction.

    RULING: they are set at the start of the Axis Transport Phase; the text names no moment.
    """
    state = ctx.state
    most = min(state.air[AXIS], state.interdiction["air"])
    if not most:
        return
    answer = yield from ask(
        ctx, AXIS, "counter-interdict", "11.2.4",
        [NONE, *(Option(f"counter-air {n}", data={"air": n}) for n in range(1, most + 1))], "none",
        facts={"air": state.interdiction["air"], "pool": state.air[AXIS], "turn": state.turn},
    )
    if answer.key == "none":
        return
    ctx.emit(e.Spent(AXIS, "air", answer["air"], "counter"))
    ctx.emit(e.Interdicted(state.interdiction["air"], state.interdiction["naval"], answer["air"]))
