"""3.0 The sequence of play.

A step is a phase (or one half of it); its name is 'turn player phase'.  The tuple below reads like the
rulebook's list; :data:`PLAYED_BY` binds each phase to the function that plays it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from importlib import import_module
from typing import Any

from pbem.core.stage import Stage
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, Data
from pbem.games.fab_sicily.position.state import State

SETUP = "setup"
TURN = (
    "reinforcement",            # 3.1, 4.1
    *(f"{player} {phase}" for player in (ALLIED, AXIS) for phase in (
        "draw",                 # 3.21, 4.2a both sides draw
        "admin",                # 3.21, 4.2b the phasing side
        "counter-admin",        # 3.21, 4.2c the other side
        "movement",             # 3.22, 5.2
        "strategic",            # 3.23, 5.4
        "drop",                 # 14.27a airborne drops, and their combats
        "combat",               # 3.24, 6.0
        "reaction",             # 3.25, 7.2
        "breakthrough",         # 3.26, 7.3
        "breakthrough-combat",  # 3.27, 7.4
        "supply",               # 3.28, 9.0
    )),
    "victory",                  # 3.4, 3.5
)
ORDER = {name: i for i, name in enumerate(TURN)}


def first_step(data: Data) -> str:
    """22.14 A game begins with its set-up."""
    return SETUP


def next_step(state: State, done: str) -> str | None:
    """The step after ``done``; None when the game is over (3.5).  22.27 A scenario may leave steps out."""
    if state.winner:
        return None
    step = _after(done)
    while step in state.data.skipped:
        step = _after(step)
    return step


def _after(done: str) -> str:
    if done == SETUP:
        return f"1 {TURN[0]}"
    stage = Stage.parse(done)
    if stage.name == TURN[-1]:
        return f"{stage.turn + 1} {TURN[0]}"
    return f"{stage.turn} {TURN[ORDER[stage.name] + 1]}"


def scope_over(step: str, scope: str) -> bool:
    """Whether ``scope`` ('2 allied movement') lies before ``step``."""
    return position(scope) < position(step)


def player_turn(step: str) -> str:
    """'2 allied' for the steps of that player turn; what both sides do together belongs to the one beside it."""
    stage = Stage.parse(step)
    if stage.phase == SETUP:
        return f"1 {ALLIED}"
    return f"{stage.turn} {stage.side or (ALLIED if ORDER[stage.name] == 0 else AXIS)}"


OPEN_PHASES = ("reinforcement", "admin", "counter-admin", "movement", "strategic", "reaction", "breakthrough")


def can_rehearse(step: str) -> bool:
    """Whether orders can be tried out beforehand: not where blocks are shown or drawn (6.0, 7.4, 14.27a, 4.2a)."""
    return Stage.parse(step).phase in OPEN_PHASES


def position(step: str) -> tuple[int, int]:
    """Where a step stands in the game; set-up comes first."""
    stage = Stage.parse(step)
    return (0, 0) if stage.phase == SETUP else (stage.turn, ORDER[stage.name])


def progress(state: State, step: str) -> tuple[int, int]:
    """How many phases of the whole game lie behind ``step``, and how many there are."""
    turn, phase = position(step)
    return (max(turn, 1) - 1) * len(TURN) + phase, state.data.turns * len(TURN)


PLAYED_BY = {
    SETUP: "setup.setup",
    "reinforcement": "reinforcement.reinforcement",
    "draw": "admin.draw",
    "admin": "admin.admin",
    "counter-admin": "admin.counter_admin",
    "movement": "movement.movement",
    "strategic": "movement.strategic",
    "drop": "drop.drop",
    "combat": "combat.combat",
    "reaction": "movement.reaction",
    "breakthrough": "movement.breakthrough",
    "breakthrough-combat": "combat.breakthrough_combat",
    "supply": "supply.supply",
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
