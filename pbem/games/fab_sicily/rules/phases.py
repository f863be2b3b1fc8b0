"""What every phase does at its start and end, and the consequences that follow at once from any change."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import conquests
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, SIDES, other


def begin(ctx: Ctx) -> None:
    """3.0 Announce the phase of the step that is running; it remembers the contested areas (2.4)."""
    stage = ctx.session.stage
    ctx.emit(e.PhaseBegan(stage.turn, stage.side, stage.phase, tuple(board.contested_areas(ctx.state))))


def scope(ctx: Ctx) -> str:
    """The scope of asks in the running step: its own name."""
    return ctx.session.step_name


def settle(ctx: Ctx, *areas: str) -> None:
    """2.4, 5.21, 6.29, 17.22 What follows at once when blocks come or go: control, reserve markers, faces.

    Control changes when units of one side become the sole occupants; a reserve marker goes when its
    area becomes contested; units stand up again when no enemy unit faces them any more (a defended roadblock is none), but
    never in the midst of a Combat Round; a flank invasion is replaced by the first Allied unit that enters; what the Allies take
    for the first time is noted (16.4, 17.21).
    """
    state = ctx.state
    for area in areas:
        if area not in state.data.areas:
            continue
        for side in SIDES:
            sole = board.in_area(state, area, side) and not board.forces(state, area, other(side))
            if sole and not board.controls(state, side, area):
                ctx.emit(e.ControlSet(area, side))
        if board.in_area(state, area, ALLIED):
            for chit in board.assets_in(state, area, ALLIED, "flank"):
                ctx.emit(e.ChitMoved(chit.id, "used", "", "", "17.22"))
        contested = board.contested(state, area)
        facing = contested
        if state.data.mended:
            facing = all(board.in_area(state, area, side) for side in SIDES)
        for block in board.in_area(state, area):
            if contested and block.reserve:
                ctx.emit(e.Reserve(block.id, False, "5.21"))
            if not facing and not state.battle and block.shown and not (block.card and not block.proven):
                ctx.emit(e.Shown(block.id, False, "6.29"))
    conquests.note(ctx)
