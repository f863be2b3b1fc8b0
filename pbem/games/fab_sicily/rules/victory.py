"""3.4, 3.5 The end of a game turn, 19.0 victory points, and who wins (22.17, 22.28, 22.38)."""

from __future__ import annotations

from collections.abc import Generator

from pbem.core.asks import Answer, Ask
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import phases, supply_path
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, ELIMINATED, SIDES, other
from pbem.games.fab_sicily.position.state import State

AREAS, TOURNAMENT, CAMPAIGN = "areas", "tournament", "campaign"
"""How a scenario is won: 22.17, 22.28, 22.38."""

MAJOR = 3
"""19.2 Strength levels on the label of a major unit."""

AXIS_TOURNAMENT = 4
"""22.28 The Axis wins with so many points more than the Allies."""

OPERATIONAL = 4
"""22.38 Points that make a victory operational."""

SCORERS = {"german cross": (ALLIED,), "white star": (AXIS,), "yellow star": SIDES}
"""19.1 Who has points for an Objective Area."""

Holding = tuple[str, str, int]


def victory(ctx: Ctx) -> Generator[list[Ask], list[Answer], None]:
    """3.4 Count victory points, 19.4 look for a sudden death; 3.5 after the last turn the game is over."""
    phases.begin(ctx)
    if ctx.state.turn == 1:
        _beaches(ctx)
    held = holdings(ctx.state)
    points = totals(ctx.state)
    ctx.emit(e.Scored(points[ALLIED], points[AXIS], held))
    sudden = sudden_death(ctx.state, points)
    if sudden:
        ctx.emit(e.Won(sudden, f"sudden death, {points[ALLIED]} to {points[AXIS]} victory points", "19.4"))
    elif ctx.state.turn >= ctx.state.data.turns:
        ctx.emit(_verdict(ctx.state, points))
    yield from ()


def _beaches(ctx: Ctx) -> None:
    """14.22 At the end of turn 1 a beachhead is destroyed if its coastal area is Axis-controlled and uncontested."""
    for box, status in list(ctx.state.beachheads.items()):
        if status == "in-play" and board.friendly_quiet(ctx.state, AXIS, ctx.state.data.landing[box]):
            ctx.emit(e.BeachheadSet(box, "destroyed", "14.22"))


# -- 19.1 to 19.3 -----------------------------------------------------------------------------------


def totals(state: State) -> dict[str, int]:
    """19.3 The points of both sides: areas, and where 19.2 counts what the enemy has lost."""
    held = holdings(state)
    return {side: sum(vp for _, who, vp in held if who == side) + len(trophies(state, side)) for side in SIDES}


def holdings(state: State) -> tuple[Holding, ...]:
    """19.1, 22.17 The areas that give victory points, who has them, and how many."""
    return _areas(state) if state.data.victory == AREAS else _objectives(state)


def _areas(state: State) -> tuple[Holding, ...]:
    """22.17 The points of the introductory scenario.

    RULING: control is enough.  22.17 speaks of control only, where 19.1 asks for supply (and, of the Allies,
    occupation) too; the switch 'vp_needs_supply' adds the supply of 19.1.
    RULING: area 16 stands in two rows of 22.17, for 1 and for 2 points; it is worth 2 (a value of the map data).
    """
    needs_supply = state.data.switches["vp_needs_supply"]
    return tuple(
        (a.id, side, a.vp) for a in state.data.areas.values() for side in SIDES
        if a.vp and board.controls(state, side, a.id) and (not needs_supply or board.area_supplied(state, side, a.id))
    )


def _objectives(state: State) -> tuple[Holding, ...]:
    """19.1 Objective Areas: controlled, in supply now, and of the Allies occupied by a unit.

    RULING: a white star 'far from Messina' needs no occupation; a contested area counts for who controls it (2.4).
    """
    return tuple(
        (a.id, side, a.vp) for a in state.data.areas.values() if a.vp for side in SCORERS.get(a.star, ())
        if board.controls(state, side, a.id) and (side == AXIS or board.in_area(state, a.id, ALLIED))
        and supply_path.traces(state, side, a.id)
    )


def trophies(state: State, side: str) -> list[str]:
    """19.2 What ``side`` has on its Eliminated Major Units Track: enemy units of three or more levels, and for the Axis
    the beachheads that were captured (14.27b) or destroyed (14.22)."""
    if state.data.victory == AREAS:
        return []
    units = [b.id for b in board.in_area(state, ELIMINATED, other(side)) if state.type(b.id).full >= MAJOR]
    lost = [box for box, status in state.beachheads.items() if status != "in-play"] if side == AXIS else []
    return [*units, *lost]


# -- who wins ---------------------------------------------------------------------------------------


def sudden_death(state: State, points: dict[str, int]) -> str:
    """19.4 The side that has as many points more than the other as the Turn Track asks for on this turn, or ''."""
    needed = state.data.sudden_death.get(str(state.turn), {})
    return next((s for s in SIDES if s in needed and points[s] - points[other(s)] >= needed[s]), "")


def winner(points: dict[str, int]) -> str:
    """22.17 Who has the positive difference; 'draw' if there is none."""
    difference = points[ALLIED] - points[AXIS]
    return ALLIED if difference > 0 else AXIS if difference < 0 else "draw"


def _verdict(state: State, points: dict[str, int]) -> e.Won:
    """22.17, 22.28, 22.38 The end of the last turn."""
    score = f"{points[ALLIED]} to {points[AXIS]} victory points"
    if state.data.victory == TOURNAMENT:
        side = AXIS if points[AXIS] - points[ALLIED] >= AXIS_TOURNAMENT else ALLIED
        return e.Won(side, score, "22.28")
    side = winner(points)
    if state.data.victory == CAMPAIGN and side in SIDES:
        level = "operational" if points[side] - points[other(side)] >= OPERATIONAL else "marginal"
        return e.Won(side, f"{level} victory, {score}", "22.38")
    return e.Won(side, score, "22.38" if state.data.victory == CAMPAIGN else "22.17")
