"""6.1 The operations track: initiative and reaction impulses, the final reaction and the exploitation segment."""

from __future__ import annotations

from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import other
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules import operations, phases
from pbem.games.italian_campaign.rules.phases import Ctx, Flow

INITIATIVE, REACTION, FINAL, EXPLOITATION = "I", "R", "FR", "EX"


def box(state: State) -> tuple[str, str, int]:
    """The box that the marker stands in: its number, its kind, and the half days that it takes."""
    return state.data.track[state.ot - 1]


def impulse(ctx: Ctx) -> Flow:
    """6.12, 6.13 One operation of the side whose box it is; the marker goes one box on."""
    phases.begin(ctx)
    state = ctx.state
    kind = box(state)[1]
    if kind == INITIATIVE:
        operations.hits_off(ctx, state.initiative)
        yield from operations.operation(ctx, state.initiative, "impulse", state.ip, "ip", True)
    else:
        side = other(state.initiative)
        operations.hits_off(ctx, side)
        if state.rp:
            yield from operations.operation(ctx, side, "reaction", state.rp, "rp", False)
        ctx.emit(e.TimeSet(state.time + box(state)[2], "6.14"))
    ctx.emit(e.TrackSet(state.ot + 1, state.impulse + 1))


def final(ctx: Ctx) -> Flow:
    """6.17 All reaction points are played out, and spoiling attacks as far as the points last, one operation at a time."""
    phases.begin(ctx)
    state = ctx.state
    side = other(state.initiative)
    operations.hits_off(ctx, side)
    done = 0
    if state.spoil >= state.data.limits["spoil_cost"]:
        done = yield from operations.operation(ctx, side, "spoil", state.spoil, "spoil", False)
    if not done and state.rp:
        done = yield from operations.operation(ctx, side, "final", state.rp, "rp", True)
    if not done and state.rp:
        ctx.emit(e.Points("rp", side, -state.rp, "6.17"))
    if state.rp or (done and state.spoil >= state.data.limits["spoil_cost"]):
        ctx.emit(e.TrackSet(state.ot, state.impulse + 1))
        return
    if state.spoil:
        ctx.emit(e.Points("spoil", side, -state.spoil, "6.17"))
    ctx.emit(e.TrackSet(state.ot + 1, state.impulse + 1))


def exploit(ctx: Ctx) -> Flow:
    """6.18, 6.19 All initiative points are played out, one operation at a time; then two half days have passed."""
    phases.begin(ctx)
    state = ctx.state
    operations.hits_off(ctx, state.initiative)
    done = 0
    if state.ip and not state.evacuation:
        done = yield from operations.operation(ctx, state.initiative, "exploit", state.ip, "ip", True)
    if state.ip and not done:
        ctx.emit(e.Points("ip", state.initiative, -state.ip, "6.18"))
    if state.ip:
        ctx.emit(e.TrackSet(state.ot, state.impulse + 1))
        return
    ctx.emit(e.TimeSet(state.time + box(state)[2], "6.19"))
    ctx.emit(e.TrackSet(0, 0))
