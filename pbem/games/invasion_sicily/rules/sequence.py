"""4.0 The sequence of play.

A step is a phase; its name is 'turn player phase' ('2 allied movement'), or 'turn phase' in the segments of both players.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from importlib import import_module
from typing import Any

from pbem.core.stage import Stage
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, Data
from pbem.games.invasion_sicily.position.state import State

TURN = (
    "events",            # 4 A1, 14.3, 13.1, 13.6.1
    "weather",           # 4 A2, 3.7
    "supply",            # 4 A3, 5.0
    "readiness",         # 4 A4, 11.1, 12.1, 11.4
    *(f"{player} {phase}" for player in (ALLIED, AXIS) for phase in (
        "transport",     # 4 B1, C1
        "movement",      # 4 B2, C2
        "reaction",      # 4 B3, C3: of the other side
        "combat",        # 4 B4, C4
        "motorized",     # 4 B5, C5
    )),
    "replacements",      # 4 D1
    "special",           # 4 D2
    "engineering",       # 4 D3
    "victory",           # 4 D4
)
ORDER = {name: i for i, name in enumerate(TURN)}


def first_step(data: Data) -> str:
    """4.0 A game begins with the events of turn 1."""
    return f"1 {TURN[0]}"


def next_step(state: State, done: str) -> str | None:
    """The step after ``done``; None when the game is over."""
    if state.winner:
        return None
    stage = Stage.parse(done)
    if stage.name == TURN[-1]:
        return f"{stage.turn + 1} {TURN[0]}"
    return f"{stage.turn} {TURN[ORDER[stage.name] + 1]}"


def position(step: str) -> tuple[int, int]:
    """Where a step stands in the game."""
    stage = Stage.parse(step)
    return (stage.turn, ORDER[stage.name])


def progress(state: State, step: str) -> tuple[int, int]:
    """How many phases of the whole game lie behind ``step``, and how many there are."""
    turn, phase = position(step)
    return (turn - 1) * len(TURN) + phase, state.data.turns * len(TURN)


def scope_over(step: str, scope: str) -> bool:
    """Whether ``scope`` ('2 allied movement') lies before ``step``."""
    return position(scope) < position(step)


def player_turn(step: str) -> str:
    """'2 allied' for the steps of that player turn; the Strategic Segment goes with the Allies, the Reorganization Segment with
    the Axis."""
    stage = Stage.parse(step)
    early = ORDER[stage.name] < ORDER[f"{ALLIED} transport"]
    return f"{stage.turn} {stage.side or (ALLIED if early else AXIS)}"


OPEN_PHASES = ("events", "readiness", "motorized", "replacements", "special", "engineering")


def can_rehearse(step: str) -> bool:
    """Whether orders can be tried out beforehand: not where untried units are turned over or dice of the enemy fall."""
    return Stage.parse(step).phase in OPEN_PHASES


PLAYED_BY = {
    "events": "events_phase.events",
    "weather": "weather.weather",
    "supply": "supply.supply",
    "readiness": "readiness.readiness",
    "transport": "transport.transport",
    "movement": "movement.movement",
    "reaction": "reaction.reaction",
    "combat": "combat.combat",
    "motorized": "movement.motorized",
    "replacements": "replacements.replacements",
    "special": "special.special",
    "engineering": "engineering.engineering",
    "victory": "victory.victory",
}
"""Which function plays a phase: 'module.function' of this package."""

Play = Callable[[Any], Generator[Any, Any, str | None]]


class Steps(Mapping[str, Play]):
    """Step name to function: '2 allied movement' is the function of 'movement'."""

    def __getitem__(self, name: str) -> Play:
        module, function = PLAYED_BY[Stage.parse(name).phase].split(".")
        found: Play = getattr(import_module(f"{__package__}.{module}"), function)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(PLAYED_BY)

    def __len__(self) -> int:
        return len(PLAYED_BY)
