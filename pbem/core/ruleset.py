"""What the engine needs of a title: its steps, its state and events, and how a player's words choose an option.

All that the service needs besides is in :mod:`pbem.games.contract`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypedDict, TypeVar

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.standing import Directive
from pbem.core.steps import Ctx, Step


class State:
    """A title's position, as everybody sees it but the title: nothing can be read from it.  ``Ruleset`` is a title with
    this for its state; the title itself says what its state really is."""


class Event:
    """A title's events, as everybody sees them but the title."""


S = TypeVar("S")
E = TypeVar("E")


class Seen(TypedDict, total=False):
    """Who may know an event."""

    open: bool
    """Both sides may know all of it."""
    public: bool
    """False: nobody but the sides."""
    side: str
    """Whose it is."""
    where: str
    """The place that it happened at."""


class Rules(Protocol[S, E]):
    """The rules of a title.  All of them are pure: no clock, no random numbers, no input or output."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, the one that plays first in front."""

    @property
    def version(self) -> int:
        """Kept in each game's first row; one more whenever the same orders and dice give other rows than before."""

    @property
    def steps(self) -> Mapping[str, Callable[[Ctx[S, E]], Step]]:
        """The steps of the sequence of play by their names (see :class:`pbem.core.stage.Stage`)."""

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> S:
        """The empty state of a scenario, before its first step."""

    def first_step(self, state: S) -> str:
        """The name of the scenario's first step."""

    def next_step(self, state: S, done: str) -> str | None:
        """The step after ``done``, or None when the game is over."""

    def scope_over(self, step: str, scope: str) -> bool:
        """Whether the phase that ``scope`` names lies before ``step``."""

    def apply(self, state: S, event: E) -> None:
        """Fold one event into the state; no rules here."""

    def event_data(self, event: E) -> dict[str, Any]:
        """An event as JSON data, with its type under 'type'."""

    def event_from(self, data: Mapping[str, Any]) -> E:
        """The event that :meth:`event_data` wrote."""

    def visibility(self, state: S, event: E) -> Seen:
        """Who may know ``event`` (judged before it is applied): kept in its row, so that a report needs no state."""

    def dump(self, state: S) -> dict[str, Any]:
        """The state as JSON data, without the scenario's fixed data."""

    def load(self, data: Mapping[str, Any], options: Mapping[str, Any], saved: Mapping[str, Any]) -> S:
        """The state that :meth:`dump` wrote."""

    def choose(self, state: S, ask: Ask, choice: str) -> Option | Refusal:
        """The option that a player's ``choice`` means, or why there is none."""

    def meant(self, state: S, order: Directive, key: str) -> bool:
        """Whether an order is for the option of that key, in whatever words."""

    def unused(self, state: S, order: Directive) -> Refusal | None:
        """Why an order of a phase that has ended was never carried out; None if there is nothing to tell (it only closed
        the phase, say)."""

    def rehearsed_face(self, sides: int) -> int:
        """What every die of so many sides shows while orders are tried out or a scripted player thinks ahead: the face
        that gains least, so that nothing is told of the real dice."""


Ruleset = Rules[State, Event]
"""The rules of any title."""
