"""Folding events into the state.  No rules here: an old game loads whatever the rules say today."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.words import adjusting
from pbem.games.fab_sicily.position.data import ELIMINATED, OFF_MAP
from pbem.games.fab_sicily.position.state import Entry, State

MOVEMENT_PHASES = ("movement", "strategic", "reaction", "breakthrough")


@singledispatch
def apply(event: Any, state: State) -> None:
    """Fold ``event`` into ``state``.  Events that only tell a story change nothing."""


@apply.register
def _(event: e.PhaseBegan, state: State) -> None:
    state.turn, state.player, state.phase = event.turn, event.player, event.phase
    if event.phase in ("movement", "reaction", "breakthrough"):
        state.contested_before = list(event.contested)
    if event.phase in ("movement", "breakthrough"):
        state.fought = []
    if event.phase in MOVEMENT_PHASES:
        state.crossed, state.tried = [], []
        for block in state.blocks.values():
            block.moved = False
    if event.phase == "admin":
        state.entries = {}
    if event.phase == "draw":
        state.fresh_morale = []
    if event.phase == "reinforcement":
        state.strat_moved = []


@apply.register
def _(event: e.Placed, state: State) -> None:
    block = state.blocks[event.block]
    block.area, block.steps = event.area, event.steps


@apply.register
def _(event: e.Moved, state: State) -> None:
    block = state.blocks[event.block]
    block.area, block.moved = event.path[-1], event.mode != e.BY_PORT


@apply.register
def _(event: e.Entered, state: State) -> None:
    entry = Entry(event.block, event.origin, event.border, event.river, event.blown, event.sea, event.air)
    state.entries.setdefault(event.area, []).append(entry)
    if event.river:
        state.crossed.append(event.border)


@apply.register
def _(event: e.Dug, state: State) -> None:
    state.blocks[event.block].moved = True


@apply.register
def _(event: e.Halted, state: State) -> None:
    state.blocks[event.block].moved = True


@apply.register
def _(event: e.BridgeTried, state: State) -> None:
    state.tried.append(event.border)


@apply.register
def _(event: e.BridgeBlown, state: State) -> None:
    if event.blown and event.border not in state.blown:
        state.blown = sorted([*state.blown, event.border])
    elif not event.blown:
        state.blown = [b for b in state.blown if b != event.border]


@apply.register
def _(event: e.Identified, state: State) -> None:
    block = state.blocks[event.block]
    block.card, block.steps = event.card, event.steps
    state.pool.remove(event.card)


@apply.register
def _(event: e.Shown, state: State) -> None:
    state.blocks[event.block].shown = event.shown


@apply.register
def _(event: e.Seen, state: State) -> None:
    if event.side:
        state.seen[event.block] = event.side
    else:
        state.seen.pop(event.block, None)


@apply.register
def _(event: e.StatusSet, state: State) -> None:
    state.blocks[event.block].status = event.status


@apply.register
def _(event: e.SupplySet, state: State) -> None:
    state.blocks[event.block].supplied = event.supplied


@apply.register
def _(event: e.AreasUnsupplied, state: State) -> None:
    state.unsupplied[event.side] = list(event.areas)


@apply.register
def _(event: e.Reserve, state: State) -> None:
    state.blocks[event.block].reserve = event.on


@apply.register
def _(event: e.Exploit, state: State) -> None:
    state.blocks[event.block].exploit = event.on


@apply.register
def _(event: e.StepLost, state: State) -> None:
    state.blocks[event.block].steps -= 1


@apply.register
def _(event: e.StepGained, state: State) -> None:
    state.blocks[event.block].steps += 1


@apply.register
def _(event: e.Eliminated, state: State) -> None:
    block = state.blocks[event.block]
    block.area = OFF_MAP if event.how == "off-map" else ELIMINATED
    block.steps, block.reserve, block.exploit, block.shown = 0, False, False, True


@apply.register
def _(event: e.Proven, state: State) -> None:
    state.blocks[event.block].proven = True


@apply.register
def _(event: e.Drawn, state: State) -> None:
    for chit in event.chits:
        state.chits[chit].box = "available"


@apply.register
def _(event: e.ChitMoved, state: State) -> None:
    chit = state.chits[event.chit]
    chit.box, chit.area, chit.use = event.box, event.area, event.use
    if event.use == "morale-collapse" and state.phase in ("admin", "counter-admin"):
        state.fresh_morale.append(event.chit)


@apply.register
def _(event: e.Works, state: State) -> None:
    _mark(state.works, event.area, event.side, event.on)


@apply.register
def _(event: e.Roadblock, state: State) -> None:
    _mark(state.roadblocks, event.area, event.side, event.on)


def _mark(markers: dict[str, str], area: str, value: str, on: bool) -> None:
    if on:
        markers[area] = value
    else:
        markers.pop(area, None)


@apply.register
def _(event: e.AssaultMarked, state: State) -> None:
    _mark(state.assaults, event.area, event.kind, bool(event.kind))


@apply.register
def _(event: e.ControlSet, state: State) -> None:
    state.control[event.area] = event.side


@apply.register
def _(event: e.BeachheadSet, state: State) -> None:
    state.beachheads[event.box] = event.status


@apply.register
def _(event: e.PortDamaged, state: State) -> None:
    state.port_damage[event.box] = event.level


@apply.register
def _(event: e.Released, state: State) -> None:
    state.released.append(event.division)


@apply.register
def _(event: e.StratMoved, state: State) -> None:
    state.strat_moved.append(event.army)


@apply.register
def _(event: e.SpecialKept, state: State) -> None:
    state.special_left = [s for s in state.special_left if s != event.side] + ([event.side] if event.on else [])


@apply.register
def _(event: e.FlankUsed, state: State) -> None:
    state.flank_used.append(event.chit)


@apply.register
def _(event: e.BattleBegan, state: State) -> None:
    state.fought.append(event.area)
    state.battle = event.area


@apply.register
def _(event: e.BattleEnded, state: State) -> None:
    state.battle = ""


@apply.register
def _(event: e.PlanChosen, state: State) -> None:
    state.plan = event.plan


@apply.register
def _(event: e.Captured, state: State) -> None:
    state.captured.append(f"{event.what} {event.area}")


@apply.register
def _(event: e.Adjusted, state: State) -> None:
    adjusting.fold(event, state)


@apply.register
def _(event: e.Scored, state: State) -> None:
    state.vp = {"allied": event.allied, "axis": event.axis}


@apply.register
def _(event: e.Won, state: State) -> None:
    state.winner = event.side
