"""13.6 Axis Sicily Evacuation."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import AXIS, SICILY_EVACUATION
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import sea_lift
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask


def attempts(ctx: Ctx) -> Flow:
    """13.6.2c, d Before either Axis movement phase up to three units in ports may try to get away."""
    if not ctx.state.evacuating:
        return
    present = [u.id for u in board.in_play(ctx.state, AXIS)]
    left, tried = ctx.state.data.limit("evacuation", ctx.state.storm), list[str]()
    while left and any(True for _ in options(ctx.state, present, tried)):
        answer = yield from ask(
            ctx, AXIS, "sicily-evacuation", "13.6.2", lambda: options(ctx.state, present, tried), "done", closing=DONE,
            facts={"left": left, "turn": ctx.state.turn},
        )
        if answer.key == "done":
            return
        unit, place = answer["unit"], answer["place"]
        tried.append(unit)
        left -= 1
        sea_lift.cross(ctx, unit, place, "13.6.2")


def options(state: State, present: list[str], tried: list[str]) -> Iterator[Option]:
    """13.6.2c From Sicilian ports, to Reggio or the evacuation box; if Calabria is invaded, from Reggio too (to the box)."""
    reggio = state.data.where("Reggio Calabria")
    invaded = any(state.data.hexes[b.target].landmass == "calabria" and b.operation in state.operations
                  for b in state.data.beaches.values())
    for unit in present:
        hex_ = state.data.hexes.get(state.units[unit].place)
        if unit in tried or hex_ is None or not hex_.port or not board.holds(state, AXIS, hex_.id):
            continue
        if state.data.units[unit].type == "coast-piece":
            continue
        if hex_.landmass == "calabria" and not (hex_.id == reggio and invaded):
            continue
        if reggio and hex_.id != reggio and board.holds(state, AXIS, reggio):
            yield Option(f"evacuate {unit} to {reggio}", data={"unit": unit, "place": reggio})
        yield Option(f"evacuate {unit}", "to the evacuation box", data={"unit": unit, "place": SICILY_EVACUATION})


def box(ctx: Ctx) -> list[str]:
    """7.7.3 The units in the Axis evacuation box."""
    return board.at(ctx.state, SICILY_EVACUATION)


