"""17.0 Victory points, 4 D4 the end of a turn and of the game."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, ELIMINATED, LARGE, Hex
from pbem.games.invasion_sicily.position.state import DISRUPTED, State
from pbem.games.invasion_sicily.rules.phases import Flow, begin


def victory(ctx: Ctx) -> Flow:
    """4 D4 Disrupted markers come off (11.3.2b8); the score is taken; after the last turn the game is over."""
    begin(ctx)
    for unit in list(ctx.state.units.values()):
        if unit.has(DISRUPTED):
            ctx.emit(e.Marked(unit.id, DISRUPTED, False, "11.3.2"))
    total = points(ctx.state)
    ctx.emit(e.TurnEnded(total))
    if ctx.state.turn >= ctx.state.data.turns:
        level, winner = judged(ctx.state, total)
        ctx.emit(e.GameEnded(winner, level, total))
    return
    yield  # asks nobody


def judged(state: State, total: int) -> tuple[str, str]:
    """17.0 The level of victory for a score, and whose it is."""
    level = next(name for name, least in state.data.levels if total >= least)
    first = level.split(" ")[0].lower()
    return level, first if first in (ALLIED, AXIS) else "draw"


def points(state: State) -> int:
    """17.0 The Allied victory points as they stand."""
    return sum(state.ledger.values()) + sum(worth for _, _, worth in holdings(state)) + sum(w for _, w in losses(state))


def holdings(state: State) -> list[tuple[str, str, int]]:
    """What the Allies hold that is worth points: hex, what it is, points."""
    if state.data.objectives:
        return [(h, state.data.hexes[h].name, v) for h, v in state.data.objectives.items() if state.holder(h) == ALLIED]
    return [(h.id, what, v) for h in state.data.hexes.values() if state.holder(h.id) == ALLIED for what, v in of_hex(state, h)]


def worth(state: State, hex_: str) -> int:
    """17.0 What a hex gives to the Allies if they hold it."""
    if state.data.objectives:
        return state.data.objectives.get(hex_, 0)
    found = state.data.hexes.get(hex_)
    return sum(v for _, v in of_hex(state, found)) if found else 0


def of_hex(state: State, hex_: Hex) -> Iterator[tuple[str, int]]:
    """17.0 What a hex is worth: a place by its own name, else as a port, a city, an airfield."""
    values = {(v.kind, v.what): v.points for v in state.data.values}
    if hex_.landmass == "calabria":
        for name in (hex_.port, hex_.airfield):
            if name:
                yield name, values.get(("calabria", name), values[("calabria", "*")])
        return
    if hex_.port:
        yield hex_.port, values.get(("place", hex_.port), values[("port", "*")])
    if hex_.city and ("city", hex_.city) in values:
        yield hex_.city, values[("city", hex_.city)]
    if hex_.airfield:
        yield f"airfield {hex_.airfield}", values[("airfield", "*")]


def losses(state: State) -> list[tuple[str, int]]:
    """17.0 What eliminated units are worth: German ones, Italian regiments, Allied ones.

    In a scenario with objectives of its own losses do not count.
    """
    if state.data.objectives:
        return []
    values = {v.what: v.points for v in state.data.values if v.kind == "lost"}
    found = []
    for unit in state.units.values():
        kind = state.data.units[unit.id]
        if unit.place != ELIMINATED or kind.type in ("coast-piece", "ersatz-piece"):
            continue
        who = ALLIED if kind.side == ALLIED else kind.nation.lower()
        worth = values.get(f"{who}-{'large' if kind.size in LARGE else 'small'}", 0)
        if worth:
            found.append((unit.id, worth))
    return found
