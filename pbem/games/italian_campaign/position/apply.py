"""Folding events into the state.  No rules here: an old game loads whatever the rules say today."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import DEAD
from pbem.games.italian_campaign.position.state import ACTED, TURN_MARKS, State, Unit


def apply(event: e.Event, state: State) -> None:
    """Fold ``event`` into ``state``; what was worked out from the position before is void."""
    _fold(event, state)
    state.version += 1


@singledispatch
def _fold(event: Any, state: State) -> None:
    """Events that only tell a story change nothing."""


@_fold.register
def _(event: e.PhaseBegan, state: State) -> None:
    state.phase = f"{event.side} {event.phase}".strip()
    gone = [ACTED]
    if event.turn != state.turn:
        state.turn, state.gunnery_turn, state.demolished, state.refitted = event.turn, 0, [], []
        gone += TURN_MARKS
        state.bids, state.boosted, state.spoil, state.began_with = {}, {}, 0, dict(state.cp)
    for unit in state.units.values():
        if unit.marks:
            unit.marks = [m for m in unit.marks if m not in gone]


@_fold.register
def _(event: e.Placed, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.target = event.place, event.target


@_fold.register
def _(event: e.Moved, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.target = event.path[-1], ""


@_fold.register
def _(event: e.Marked, state: State) -> None:
    _mark(state.units[event.unit], event.mark, event.on)


def _mark(unit: Unit, mark: str, on: bool) -> None:
    if on and mark not in unit.marks:
        unit.marks = sorted([*unit.marks, mark])
    elif not on:
        unit.marks = [m for m in unit.marks if m != mark]


@_fold.register
def _(event: e.Fatigued, state: State) -> None:
    state.units[event.unit].fatigue = event.level


@_fold.register
def _(event: e.StepsLost, state: State) -> None:
    state.units[event.unit].steps = max(0, state.units[event.unit].steps + event.steps)


@_fold.register
def _(event: e.Eliminated, state: State) -> None:
    unit = state.units[event.unit]
    unit.place, unit.target, unit.marks = DEAD, "", []


@_fold.register
def _(event: e.Points, state: State) -> None:
    if event.track in ("cp", "support"):
        track = state.cp if event.track == "cp" else state.support
        track[event.side] += event.change
    elif event.track == "gunnery":
        state.gunnery += event.change
        state.gunnery_turn -= event.change
    else:
        name = {"tactical": "tactical_lift"}.get(event.track, event.track)
        setattr(state, name, getattr(state, name) + event.change)


@_fold.register
def _(event: e.Bid, state: State) -> None:
    state.bids[event.side] = event.points


@_fold.register
def _(event: e.BidsOpened, state: State) -> None:
    state.initiative = event.side


@_fold.register
def _(event: e.TrackSet, state: State) -> None:
    state.ot, state.impulse = event.position, event.impulse


@_fold.register
def _(event: e.TimeSet, state: State) -> None:
    state.time = event.box


@_fold.register
def _(event: e.Marker, state: State) -> None:
    lists = {"beachhead": state.beachheads, "port": state.captured}
    if event.kind in lists:
        found = lists[event.kind]
        if event.value and event.hex not in found:
            found.append(event.hex)
        elif not event.value and event.hex in found:
            found.remove(event.hex)
    elif event.kind == "breakthrough":
        if event.value:
            state.breakthroughs[event.hex] = event.side
        else:
            state.breakthroughs.pop(event.hex, None)
    else:
        values = {"hits": state.hits, "delay": state.delays, "damage": state.damage}[event.kind]
        if event.value:
            values[event.hex] = event.value
        else:
            values.pop(event.hex, None)
        if event.kind == "damage" and event.rule == "11.0":
            state.demolished.append(event.hex)


@_fold.register
def _(event: e.Boosted, state: State) -> None:
    state.boosted[event.army] = event.corps


@_fold.register
def _(event: e.Evacuation, state: State) -> None:
    state.evacuation = True


@_fold.register
def _(event: e.Refitted, state: State) -> None:
    state.refitted.append(event.side)


@_fold.register
def _(event: e.GameEnded, state: State) -> None:
    state.level, state.winner = event.level, event.winner
