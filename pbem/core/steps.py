"""What a step of a title works with: its context, and what a step is."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pbem.core.asks import Answer, Ask
from pbem.core.rolls import Reading
from pbem.core.stage import Stage

S = TypeVar("S")
"""A title's state."""

E = TypeVar("E")
"""A title's events."""

Mod = tuple[str, int]
"""One modifier of a roll: what it is for, and how much."""

Step = Generator[Sequence[Ask], list[Answer], str | None]
"""A step yields batches of asks and receives their answers; it may return the next step's name."""


class Recorder(Protocol):
    """What a step acts on: the game that is being played (:class:`pbem.core.engine.Session`)."""

    @property
    def options(self) -> Mapping[str, Any]:
        """The switches that the game was made with."""

    @property
    def state(self) -> Any:
        """The title's state as it is now."""

    @property
    def step_name(self) -> str:
        """The name of the step in progress."""

    @property
    def stage(self) -> Stage:
        """The same as a value."""

    def record_event(self, event: Any) -> None:
        """Record an event and fold it into the state."""

    def record_roll(
        self, count: int, purpose: str, rule: str, side: str, sides: int, target: int | None, mods: list[Mod], secret: bool,
        read: Reading | None,
    ) -> list[int]:
        """Roll dice and record them."""


@dataclass
class Ctx(Generic[S, E]):
    """What a step may use: the state to read, and three ways to act (``emit``, ``roll``, ``yield``)."""

    session: Recorder

    @property
    def state(self) -> S:
        """The state as it is now."""
        state: S = self.session.state
        return state

    def emit(self, event: E) -> None:
        """Record an event and fold it into the state."""
        self.session.record_event(event)

    def roll(
        self,
        count: int,
        *,
        sides: int,
        purpose: str,
        rule: str,
        side: str,
        target: int | None = None,
        mods: Sequence[Mod] = (),
        secret: bool = False,
        read: Reading | None = None,
    ) -> list[int]:
        """Roll ``count`` dice and record them.

        ``target`` is what is needed after ``mods``, if the title's rules have such a number; ``read`` says what the faces
        come to by these rules, which is recorded with them (see :data:`pbem.core.rolls.RESULT`).  What a face means is the
        title's business.  ``secret`` rolls are shown to ``side`` alone until the end.
        """
        return self.session.record_roll(count, purpose, rule, side, sides, target, list(mods), secret, read)

    def draw(self, items: Sequence[str], count: int, *, purpose: str, rule: str, side: str) -> list[str]:
        """Draw ``count`` of ``items`` at random, without putting back; order is the order drawn."""
        left, drawn = list(items), []
        for _ in range(min(count, len(left))):
            face = self.roll(1, purpose=purpose, rule=rule, side=side, sides=len(left))[0]
            drawn.append(left.pop(face - 1))
        return drawn
