"""A title made of modules: what is the same in every package is said once, here.

A title's class is a subclass that names itself, gives its modules, and adds what only it can say (points, dice).  What players
write, are told, and how scripted ones play is imported when it is first wanted: a game is loaded and audited without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any, Generic, Protocol, TypeVar

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.documents import View
from pbem.core.ruleset import Seen
from pbem.core.standing import Directive
from pbem.core.steps import Ctx, Step
from pbem.games.contract import ScriptedPlayers, Telling, Words

KEPT = 8
"""Scenarios whose data are kept built: those of the games that were loaded last."""


class Heading(Protocol):
    """What is read here of a scenario's data."""

    @property
    def title(self) -> str:
        """The scenario's name."""


class Position(Protocol):
    """What is read here of a state."""

    winner: str

    @property
    def data(self) -> Heading:
        """The scenario's fixed data."""


S = TypeVar("S", bound=Position)
S_in = TypeVar("S_in", contravariant=True)
E = TypeVar("E")
E_in = TypeVar("E_in", contravariant=True)
E_out = TypeVar("E_out", covariant=True)
D = TypeVar("D")
D_in = TypeVar("D_in", contravariant=True)


class States(Protocol[S, D_in]):
    """``position.state``"""

    def new(self, data: D_in, /) -> S:
        """The empty state of a scenario."""

    def dump(self, state: S, /) -> dict[str, Any]:
        """The state as JSON data, without the scenario's."""

    def load(self, data: D_in, saved: Mapping[str, Any], /) -> S:
        """The state that :meth:`dump` wrote."""


class Events(Protocol[E]):
    """``position.events``: what a :class:`pbem.kit.events.Registry` has."""

    def to_data(self, event: E, /) -> dict[str, Any]:
        """An event as JSON data."""

    def from_data(self, data: Mapping[str, Any], /) -> E:
        """From JSON."""


class Views(Protocol[S_in, E_in]):
    """``position.view``"""

    def visibility(self, state: S_in, event: E_in, /) -> Seen:
        """Who may know an event."""

    def view(self, state: S_in, side: str, /) -> View:
        """What a side may know."""

    def everything(self, state: S_in, /) -> View:
        """All that either side knows."""


class Sequence(Protocol[S_in]):
    """``rules.sequence``"""

    @property
    def STEPS(self) -> Mapping[str, Callable[[Any], Step]]:  # noqa: N802
        """The functions that play the steps."""

    def next_step(self, state: S_in, done: str, /) -> str | None:
        """The step after ``done``."""

    def scope_over(self, step: str, scope: str, /) -> bool:
        """Whether a phase has passed."""

    def player_turn(self, step: str, /) -> str:
        """The player turn of a step."""

    def can_rehearse(self, step: str, /) -> bool:
        """Whether nothing hidden can come to light in a step."""

    def progress(self, state: S_in, step: str, /) -> tuple[int, int]:
        """How many steps of how many lie behind one."""


class Wording(Words[S_in, E_out], Protocol[S_in, E_out]):
    """``words.interface``: what the title itself needs of its words, too."""

    def choose(self, state: S_in, ask: Ask, choice: str, /) -> Option | Refusal:
        """What a player's words mean here."""

    def meant(self, state: S_in, order: Directive, key: str, /) -> bool:
        """Whether an order is for an option."""

    def unused(self, state: S_in, order: Directive, /) -> Refusal | None:
        """Why an order came to nothing."""


class ModularTitle(Generic[S, E, D]):
    """What a title's modules do, as the engine and the service ask for it (:class:`pbem.games.contract.TitleOf` has the words
    on each)."""

    def __init__(
        self, package: str, build: Callable[[Mapping[str, Any], Mapping[str, Any]], D], states: States[S, D], events: Events[E],
        apply: Callable[[E, S], None], views: Views[S, E], check: Callable[[S], list[str]], sequence: Sequence[S],
    ) -> None:
        """``package``: the title's, by name; ``build``: a scenario's rows and the game's options as the title's data;
        ``apply``: folds an event into a state; ``check``: broken invariants."""
        self._package, self._build, self._states, self._events = package, build, states, events
        self._apply, self._views, self._check, self._sequence = apply, views, check, sequence
        self._kept: list[tuple[Mapping[str, Any], Mapping[str, Any], D]] = []

    # -- position ---------------------------------------------------------------------------------

    def _built(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> D:
        for source, chosen, built in self._kept:
            if source is data and chosen == options:
                return built
        built = self._build(data, options)
        self._kept = [*self._kept[1 - KEPT :], (data, dict(options), built)]
        return built

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> S:
        return self._states.new(self._built(data, options))

    def load(self, data: Mapping[str, Any], options: Mapping[str, Any], saved: Mapping[str, Any]) -> S:
        return self._states.load(self._built(data, options), saved)

    def dump(self, state: S) -> dict[str, Any]:
        return self._states.dump(state)

    def apply(self, state: S, event: E) -> None:
        self._apply(event, state)

    def event_data(self, event: E) -> dict[str, Any]:
        return self._events.to_data(event)

    def event_from(self, data: Mapping[str, Any]) -> E:
        return self._events.from_data(data)

    def visibility(self, state: S, event: E) -> Seen:
        return self._views.visibility(state, event)

    def view(self, state: S, side: str) -> View:
        return self._views.view(state, side)

    def everything(self, state: S) -> View:
        return self._views.everything(state)

    def check(self, state: S) -> list[str]:
        return self._check(state)

    def heading(self, state: S) -> str:
        return state.data.title

    def winner(self, state: S) -> str:
        return state.winner

    # -- sequence of play -------------------------------------------------------------------------

    @property
    def steps(self) -> Mapping[str, Callable[[Ctx[S, E]], Step]]:
        return self._sequence.STEPS

    def next_step(self, state: S, done: str) -> str | None:
        return self._sequence.next_step(state, done)

    def scope_over(self, step: str, scope: str) -> bool:
        return self._sequence.scope_over(step, scope)

    def player_turn(self, step: str) -> str:
        return self._sequence.player_turn(step)

    def can_rehearse(self, step: str) -> bool:
        return self._sequence.can_rehearse(step)

    def progress(self, state: S, step: str) -> tuple[int, int]:
        return self._sequence.progress(state, step)

    # -- words, telling, players ------------------------------------------------------------------

    @property
    def words(self) -> Wording[S, E]:
        found: Any = import_module(f"{self._package}.words.interface")
        words: Wording[S, E] = found
        return words

    @property
    def telling(self) -> Telling[S]:
        found: Any = import_module(f"{self._package}.telling.interface")
        telling: Telling[S] = found
        return telling

    @property
    def players(self) -> ScriptedPlayers:
        found: Any = import_module(f"{self._package}.players.scripted")
        players: ScriptedPlayers = found
        return players

    def choose(self, state: S, ask: Ask, choice: str) -> Option | Refusal:
        return self.words.choose(state, ask, choice)

    def meant(self, state: S, order: Directive, key: str) -> bool:
        return self.words.meant(state, order, key)

    def unused(self, state: S, order: Directive) -> Refusal | None:
        return self.words.unused(state, order)
