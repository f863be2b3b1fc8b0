"""8.1 Barrage combat, and 11.0 the demolition of ports."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import AXIS, Operation, other
from pbem.games.italian_campaign.position.state import DISRUPTED, State
from pbem.games.italian_campaign.rules import losses, phases, strength
from pbem.games.italian_campaign.rules.phases import Ctx, Flow

DEMOLITION = 4
"""11.0 Support points at most for a demolition."""


def options(state: State, side: str, hq: str) -> Iterator[Option]:
    """8.1, 8.32, 11.0 What an HQ may fire at within two hexes: enemies next to a unit of its own, or a port next to it."""
    guns = board.face(state, hq).artillery
    if not guns or not board.on_map(state, hq) or state.units[hq].has(DISRUPTED) or board.isolated(state, hq):
        return
    here = state.units[hq].place
    subs = [state.units[u].place for u in state.data.subordinates(hq) if board.on_map(state, u)]
    for target in state.data.board.within(here, state.data.limits["artillery_range"]):
        if board.at(state, target, other(side)) and any(state.data.board.distance(p, target) == 1 for p in subs):
            label = f"{board.name(state, hq)} barrages {board.place_name(state, target)}"
            yield Option(f"barrage {target} by {hq}", label, (target,), {"do": "barrage", "hex": target, "hq": hq})
        elif side == AXIS and _demolishable(state, target, here):
            label = f"{board.name(state, hq)} demolishes {board.place_name(state, target)}"
            yield Option(f"barrage {target} by {hq}", label, (target,), {"do": "barrage", "hex": target, "hq": hq})


def _demolishable(state: State, target: str, here: str) -> bool:
    """11.0 A port that still has a value, next to the HQ, and not tried this turn."""
    near = state.data.board.distance(here, target) <= 1
    return near and target in state.data.ports and target not in state.demolished and board.port_value(state, target) > 0


def barrage(ctx: Ctx, side: str, hq: str, target: str, op: Operation) -> Flow:
    """8.11, 8.12 The AFs of the HQ and support points on the barrage line, a die plus the terrain code, the left number."""
    state = ctx.state
    port = not board.at(state, target, other(side))
    most = min(state.support[side], DEMOLITION if port else op.support)
    guns = board.face(state, hq).artillery
    points = 0
    if most:
        answer = yield from phases.ask(
            ctx, side, "barrage-points", "8.11", [Option(f"{n} sp", data={"sp": n}) for n in range(most, -1, -1)], "0 sp",
            "How many support points are added?", where=target, facts={"sp": state.support[side]},
        )
        points = answer["sp"]
    if points:
        ctx.emit(e.Points("support", side, -points, "8.33"))
    column = min(max(guns + points, 1), 10)
    code = 0 if port else state.data.code(target)

    def read(roll: int) -> dict[str, object]:
        cell, status = strength.cell(state, roll, column)
        return {"table": "Combat Table", "row": roll, "column": column, "cell": cell.partition("/")[0], "status": status}

    roll = phases.dice(
        ctx, side, 1, f"the barrage of {target}", "8.11", [("terrain", code)], None, read
    )
    number, _ = strength.split(strength.cell(state, roll, column)[0])
    ctx.emit(e.Barraged(target, side, guns + points, roll, "" if number is None else str(number)))
    if port:
        if number:
            ctx.emit(e.Marker("damage", target, state.damage.get(target, 0) + number, side, "11.0"))
        return
    yield from _suffer(ctx, target, other(side), number)


def _suffer(ctx: Ctx, target: str, side: str, number: int | None) -> Flow:
    """8.12 0 is a morale check; a number disrupts so many, and what is left over is an artillery hit marker."""
    state = ctx.state
    units = board.at(state, target, side)
    if number is None:
        return
    if number == 0:
        for unit in losses.check_morale(ctx, units, False, "8.12"):
            losses.disrupt(ctx, unit, "8.12")
        return
    left = list(units)
    for _ in range(min(number, len(units))):
        choices = [Option(f"disrupt {u}", f"{board.name(state, u)} is disrupted", (), {"unit": u}) for u in left]
        weakest = min(left, key=lambda u: (board.tactical(state, u), left.index(u)))
        answer = yield from phases.ask(
            ctx, side, "disrupt-which", "8.12", choices, f"disrupt {weakest}", "Which unit is disrupted?", where=target
        )
        left.remove(answer["unit"])
        losses.disrupt(ctx, answer["unit"], "8.12")
    if number > len(units):
        ctx.emit(e.Marker("hits", target, number - len(units), other(side), "8.12"))
