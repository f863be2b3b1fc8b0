"""4.0 The sequence of play.

A step is a phase; its name is 'turn player phase' ('2 allied movement'), or 'turn phase' in the segments of both players.
"""

from __future__ import annotations

from pbem.core.stage import Stage
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, Data
from pbem.games.invasion_sicily.position.state import State
from pbem.kit.sequence import Steps, TurnSequence

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
EARLY, LATE = ("events", "weather", "supply", "readiness"), ("replacements", "special", "engineering", "victory")
SEQUENCE = TurnSequence(TURN, {**dict.fromkeys(EARLY, ALLIED), **dict.fromkeys(LATE, AXIS)})
"""4.0 The Strategic Segment goes with the Allies, the Reorganization Segment with the Axis."""

position, scope_over, player_turn = SEQUENCE.position, SEQUENCE.is_over, SEQUENCE.player_turn


def first_step(data: Data) -> str:
    """4.0 A game begins with the events of turn 1."""
    return SEQUENCE.first


def next_step(state: State, done: str) -> str | None:
    """The step after ``done``; None when the game is over."""
    return None if state.winner else SEQUENCE.after(done)


def progress(state: State, step: str) -> tuple[int, int]:
    """How many phases of the whole game lie behind ``step``, and how many there are."""
    return SEQUENCE.progress(step, state.data.turns)


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

STEPS = Steps(__package__, PLAYED_BY)
