"""3.0 The sequence of play.

A step is a phase (or one half of it); its name is 'turn player phase'.  The tuple below reads like the
rulebook's list; :data:`PLAYED_BY` binds each phase to the function that plays it.
"""

from __future__ import annotations

from pbem.core.stage import Stage
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, Data
from pbem.games.fab_sicily.position.state import State
from pbem.kit.sequence import Steps, TurnSequence

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
SEQUENCE = TurnSequence(TURN, {SETUP: ALLIED, "reinforcement": ALLIED, "victory": AXIS}, SETUP)
"""3.2 What both sides do together counts to the player turn beside it."""

position, scope_over, player_turn = SEQUENCE.position, SEQUENCE.is_over, SEQUENCE.player_turn


def first_step(data: Data) -> str:
    """22.14 A game begins with its set-up."""
    return SEQUENCE.first


def next_step(state: State, done: str) -> str | None:
    """The step after ``done``; None when the game is over (3.5).  22.27 A scenario may leave steps out."""
    return None if state.winner else SEQUENCE.after(done, state.data.skipped)


OPEN_PHASES = ("reinforcement", "admin", "counter-admin", "movement", "strategic", "reaction", "breakthrough")


def can_rehearse(step: str) -> bool:
    """Whether orders can be tried out beforehand: not where blocks are shown or drawn (6.0, 7.4, 14.27a, 4.2a)."""
    return Stage.parse(step).phase in OPEN_PHASES


def progress(state: State, step: str) -> tuple[int, int]:
    """How many phases of the whole game lie behind ``step``, and how many there are."""
    return SEQUENCE.progress(step, state.data.turns)


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

STEPS = Steps(__package__, PLAYED_BY)
