"""Where a game stands, as a value: the turn, whose part of it, and the phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Stage:
    """``turn`` 0: before the first (set-up); ``side`` '': what both sides do together; ``phase`` as the title names it.

    A step of the journal is named by it: '2 allied movement', '3 reinforcement', 'setup'.
    """

    turn: int
    side: str
    phase: str

    @classmethod
    def parse(cls, step: str) -> Self:
        """The stage that a step's name says; the only place that takes one apart."""
        first, _, rest = step.partition(" ")
        turn, rest = (int(first), rest) if first.isdecimal() else (0, step)
        side, blank, phase = rest.partition(" ")
        return cls(turn, side, phase) if blank else cls(turn, "", rest)

    @property
    def name(self) -> str:
        """Without the turn: 'allied movement', 'reinforcement'."""
        return f"{self.side} {self.phase}" if self.side else self.phase

    def __str__(self) -> str:
        """The name of the step."""
        return f"{self.turn} {self.name}" if self.turn else self.name
