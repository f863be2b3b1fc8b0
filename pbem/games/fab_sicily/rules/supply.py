"""9.0 The Supply Phase."""

from __future__ import annotations

from collections.abc import Generator

from pbem.core.asks import Answer, Ask
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import air, collapse, morale, phases, stacking
from pbem.games.fab_sicily.rules.supply_path import network, reaches, sources
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import SIDES
from pbem.games.fab_sicily.position.state import DISORDERED, GOOD, RECOVERING, Block, State


def supply(ctx: Ctx) -> Generator[list[Ask], list[Answer], None]:
    """3.28, 9.1 The Supply Phase, in the order of 9.1; air resupply (16.34) once supply is marked."""
    phases.begin(ctx)
    phases.settle(ctx, *ctx.state.data.areas)
    _mark(ctx)
    yield from air.resupply(ctx)
    _adjust(ctx)
    _morale(ctx)
    _clear(ctx)
    yield from stacking.end_of_phase(ctx)


# -- 9.32 -------------------------------------------------------------------------------------------


def _mark(ctx: Ctx) -> None:
    """9.32 Unsupplied markers are put on units and areas, or taken off."""
    for side in SIDES:
        _mark_areas(ctx, side)
        _mark_units(ctx, side)


def _mark_areas(ctx: Ctx, side: str) -> None:
    state = ctx.state
    net, at_source = network(state, side), sources(state, side)
    cut_off = tuple(a for a in state.data.areas if board.controls(state, side, a) and not reaches(state, a, net, at_source))
    if list(cut_off) != state.unsupplied[side]:
        ctx.emit(e.AreasUnsupplied(side, cut_off))


def _mark_units(ctx: Ctx, side: str) -> None:
    state = ctx.state
    armies = dict.fromkeys(board.army(state, b.id) for b in board.on_map(state, side))
    nets = {a: (network(state, side, a), sources(state, side, a)) for a in armies}
    for b in state.blocks.values():
        if not board.in_play(b) or board.side_of(state, b.id) != side:
            continue
        fed = b.area not in state.data.areas or reaches(state, b.area, *nets[board.army(state, b.id)])
        if fed != b.supplied:
            ctx.emit(e.SupplySet(b.id, fed))


# -- 9.35 -------------------------------------------------------------------------------------------


def _adjust(ctx: Ctx) -> None:
    """9.35, 16.34 Recovering units recover and disordered ones begin to, if supplied (or by air)."""
    better = {RECOVERING: GOOD, DISORDERED: RECOVERING}
    for side in SIDES:
        for b in _in_play(ctx.state, side):
            if b.status != GOOD and (b.supplied or air.resupplied(ctx.state, side, b.area)):
                ctx.emit(e.StatusSet(b.id, better[b.status], "9.35"))


def _in_play(state: State, side: str) -> list[Block]:
    return [b for b in state.blocks.values() if board.in_play(b) and board.side_of(state, b.id) == side]


# -- 9.4 --------------------------------------------------------------------------------------------


def _morale(ctx: Ctx) -> None:
    """9.4, 15.3c Morale checks of the phasing side's unsupplied units; green Italian units are eliminated, others may
    break without a check (17.21e)."""
    side = ctx.state.player
    for b in board.on_map(ctx.state, side):
        if b.supplied or air.resupplied(ctx.state, side, b.area):
            continue
        area = b.area
        if board.green_garrison(ctx.state, b.id):
            ctx.emit(e.Eliminated(b.id, "unsupplied-green", "15.3c"))
        elif collapse.breaks(ctx.state, b.id):
            ctx.emit(e.StatusSet(b.id, DISORDERED, "17.21e"))
        else:
            passed, face = morale.roll(ctx, b.id, "being unsupplied", "9.4")
            if not passed:
                _fail(ctx, b, face)
        phases.settle(ctx, area)


def _fail(ctx: Ctx, b: Block, face: int) -> None:
    """9.4 Disorder, then a lost step, or surrender.

    RULING: a recovering unit is flipped to disordered like any that suffers a disorder result (6.5); only units
    on the disordered side are 'already disordered', lose a step or surrender (so 6.42b, 17.21).
    """
    if b.status != DISORDERED:
        ctx.emit(e.StatusSet(b.id, DISORDERED, "9.4"))
    elif face >= collapse.SURRENDER.get(board.quality(ctx.state, b.id), face + 1):
        ctx.emit(e.Eliminated(b.id, "surrender", "9.4"))
    elif b.steps > 1:
        ctx.emit(e.StepLost(b.id, "9.4"))
    else:
        ctx.emit(e.Eliminated(b.id, "losses", "9.4"))


# -- 9.5 --------------------------------------------------------------------------------------------


def _clear(ctx: Ctx) -> None:
    """9.5, 16.33, 16.34 Markers of the player turn are removed, missions and defended roadblocks go to the Used Box."""
    state = ctx.state
    for area, side in list(state.works.items()):
        if board.contested(state, area) and not _kept(ctx, area, side):
            ctx.emit(e.Works(area, side, False, "9.5"))
    for area, side in list(state.roadblocks.items()):
        ctx.emit(e.Roadblock(area, side, False, "9.5"))
    for chit in list(state.chits.values()):
        if chit.box == "map" and chit.use == "roadblock":
            area = chit.area
            ctx.emit(e.ChitMoved(chit.id, "used", "", "", "9.5"))
            phases.settle(ctx, area)
    for area in list(state.assaults):
        ctx.emit(e.AssaultMarked(area, "", "9.5"))
    air.land(ctx)
    for b in state.blocks.values():
        if b.exploit:
            ctx.emit(e.Exploit(b.id, False, "9.5"))
        if b.reserve and board.side_of(state, b.id) != state.player:
            ctx.emit(e.Reserve(b.id, False, "9.5"))


def _kept(ctx: Ctx, area: str, side: str) -> bool:
    """18.4 Whether field works in a contested area stay, an optional rule: unless a morale check of one of their
    units fails in the friendly Supply Phase.

    RULING: the owner may choose the unit, and nothing speaks for another than the one with the best Success Number.
    """
    state = ctx.state
    if not state.data.switches.get("optional_works", False):
        return False
    if side != state.player:
        return True
    units = [u.id for u in board.in_area(state, area, side)]
    best = max(units, key=lambda u: sum(by for _, by in morale.modifiers(state, u)), default="")
    return bool(best) and morale.roll(ctx, best, "keeping the field works", "18.4")[0]
