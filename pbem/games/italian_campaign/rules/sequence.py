"""3.0 The sequence of play.

A step is a phase or one impulse; its name is 'turn phase' ('2 command') or 'turn side phase' ('2 allied impulse-3').
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from importlib import import_module
from typing import Any

from pbem.core.stage import Stage
from pbem.games.italian_campaign.position.data import other
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules import impulses

LANDING, COMMAND, RESOLUTION = "landing", "command", "resolution"
IMPULSE, REACTION, FINAL, EXPLOIT = "impulse", "reaction", "final", "exploit"
ORDER = {LANDING: 0, COMMAND: 1, IMPULSE: 2, REACTION: 2, FINAL: 3, EXPLOIT: 4, RESOLUTION: 5}

OF_BOX = {
    impulses.INITIATIVE: IMPULSE, impulses.REACTION: REACTION, impulses.FINAL: FINAL, impulses.EXPLOITATION: EXPLOIT,
}


def first_step() -> str:
    """3.0 A game begins with the invasion."""
    return f"1 {LANDING}"


def next_step(state: State, done: str) -> str | None:
    """The step after ``done``; None when the game is over."""
    stage = Stage.parse(done)
    if stage.phase == RESOLUTION:
        return None if state.level else f"{stage.turn + 1} {LANDING}"
    if stage.phase == LANDING:
        return f"{stage.turn} {COMMAND}"
    if not state.ot:
        return f"{stage.turn} {RESOLUTION}"
    name = OF_BOX[impulses.box(state)[1]]
    side = state.initiative if name in (IMPULSE, EXPLOIT) else other(state.initiative)
    return f"{stage.turn} {side} {name}-{state.impulse + 1}"


def position(step: str) -> tuple[int, int, int]:
    """Where a step stands in the game: turn, phase, impulse."""
    stage = Stage.parse(step)
    name, _, number = stage.phase.partition("-")
    return (stage.turn, ORDER[name], int(number or 0))


def scope_over(step: str, scope: str) -> bool:
    """Whether ``scope`` ('2 allied impulse-3') lies before ``step``."""
    return position(scope) < position(step)


def player_turn(step: str) -> str:
    """The stretch of play that a step belongs to: each phase and impulse is one."""
    return step


def progress(state: State) -> tuple[int, int]:
    """How many half days of how many have gone by."""
    return min(state.time, state.data.last_box), state.data.last_box


PLAYED_BY = {
    LANDING: "landing.landing", COMMAND: "command.command", IMPULSE: "impulses.impulse", REACTION: "impulses.impulse",
    FINAL: "impulses.final", EXPLOIT: "impulses.exploit", RESOLUTION: "resolution.resolution",
}
"""Which function plays a phase: 'module.function' of this package."""

Play = Callable[[Any], Generator[Any, Any, str | None]]


class Steps(Mapping[str, Play]):
    """Step name to function: '2 allied impulse-3' is the function of 'impulse'."""

    def __getitem__(self, name: str) -> Play:
        module, function = PLAYED_BY[Stage.parse(name).phase.partition("-")[0]].split(".")
        found: Play = getattr(import_module(f"{__package__}.{module}"), function)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(PLAYED_BY)

    def __len__(self) -> int:
        return len(PLAYED_BY)
