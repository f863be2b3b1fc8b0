"""A sequence of play that is the same every turn, given as data, and the arithmetic of its steps.

A step is a phase; its name is 'turn side phase' ('2 allied movement'), 'turn phase' where both sides act together ('2
weather'), or a word alone for the set-up before the first turn (:class:`pbem.core.stage.Stage`).  Titles whose turns have no
fixed number of steps (impulses) count for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import Any

from pbem.core.stage import Stage

Play = Callable[[Any], Generator[Any, Any, str | None]]
"""A function that plays a step."""


@dataclass(frozen=True)
class TurnSequence:
    """``turn``: the steps of a turn without its number, in order ('weather', 'allied movement'); ``beside``: of the steps that
    both sides play together, the side whose player turn they are counted to; ``setup``: the step before turn 1, '' without."""

    turn: tuple[str, ...]
    beside: Mapping[str, str] = field(default_factory=dict)
    setup: str = ""

    @cached_property
    def order(self) -> Mapping[str, int]:
        """Where in a turn each of its steps stands, from 0."""
        return {name: i for i, name in enumerate(self.turn)}

    @property
    def first(self) -> str:
        """The first step of a game."""
        return self.setup or f"1 {self.turn[0]}"

    def after(self, done: str, skipped: Collection[str] = ()) -> str:
        """The step after ``done``, without those that a scenario leaves out."""
        stage = Stage.parse(done)
        if done == self.setup:
            step = f"1 {self.turn[0]}"
        elif stage.name == self.turn[-1]:
            step = f"{stage.turn + 1} {self.turn[0]}"
        else:
            step = f"{stage.turn} {self.turn[self.order[stage.name] + 1]}"
        return self.after(step, skipped) if step in skipped else step

    def position(self, step: str) -> tuple[int, int]:
        """Turn and place in it, to compare; set-up comes first."""
        if step == self.setup:
            return (0, 0)
        stage = Stage.parse(step)
        return (stage.turn, self.order[stage.name])

    def is_over(self, step: str, scope: str) -> bool:
        """Whether ``scope`` lies before ``step``."""
        return self.position(scope) < self.position(step)

    def progress(self, step: str, turns: int) -> tuple[int, int]:
        """How many steps of a game of so many turns lie behind ``step``, and how many there are."""
        turn, place = self.position(step)
        return (max(turn, 1) - 1) * len(self.turn) + place, turns * len(self.turn)

    def player_turn(self, step: str) -> str:
        """'2 allied' for all steps of that player turn."""
        stage = Stage.parse(step)
        return f"{max(stage.turn, 1)} {stage.side or self.beside[stage.phase]}"

    def steps_from(self, step: str, skipped: Collection[str] = (), ahead: int = 2) -> Iterator[str]:
        """The steps from ``step`` on, itself first, to the end of ``ahead`` turns."""
        if step == self.setup:
            yield step
        turn, place = (1, 0) if step == self.setup else self.position(step)
        for t in range(turn, turn + ahead):
            for name in self.turn[place if t == turn else 0 :]:
                if f"{t} {name}" not in skipped:
                    yield f"{t} {name}"


class Steps(Mapping[str, Play]):
    """Step name to the function that plays it, imported when it is first wanted: rules import each other's modules, and few
    commands play a game.  ``played_by``: 'module.function' of ``package`` by phase."""

    def __init__(self, package: str, played_by: Mapping[str, str]) -> None:
        self.package, self.played_by = package, played_by

    def __getitem__(self, name: str) -> Play:
        module, function = self.played_by[Stage.parse(name).phase].split(".")
        found: Play = getattr(import_module(f"{self.package}.{module}"), function)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.played_by)

    def __len__(self) -> int:
        return len(self.played_by)
