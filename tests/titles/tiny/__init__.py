"""Tiny: a whole title for the tests.  Seven hexes, two units a side and a reserve that waits unseen, three turns.

Nothing of the program knows it: all that it has is in this package (see :mod:`pbem.title_packages`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.ruleset import Seen
from pbem.core.stage import Stage
from pbem.core.standing import Directive
from pbem.games.contract import MapStyle, TitleOf
from tests.titles.tiny import players, position, rules, telling, words
from tests.titles.tiny.position import Event, State, TinyView

MAP_STYLE: MapStyle = {
    "colours": {"blue": "#1f5fae", "red": "#9c3b12"},
    "unknown": {"blue": ("#b9cbe2", "#1f3d63"), "red": ("#dcc3b0", "#5d2409")},
    "drawn": ("units", "control"),
}


class Tiny:
    """See :class:`pbem.games.contract.TitleOf`."""

    name, title, sides, version, dice = "tiny", "Tiny", position.SIDES, 1, ("2d6",)
    steps, words, telling, players, map_style, view_type = rules.STEPS, words, telling, players, MAP_STYLE, TinyView

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """No die of this game has a target."""
        return face >= target

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        """1.2"""
        return position.new(position.data_of(data))

    def first_step(self, state: State) -> str:
        """1.1"""
        return rules.SEQUENCE.first

    def next_step(self, state: State, done: str) -> str | None:
        """1.1"""
        return rules.next_step(state, done)

    def scope_over(self, step: str, scope: str) -> bool:
        """Whether a phase has passed."""
        return rules.SEQUENCE.is_over(step, scope)

    def apply(self, state: State, event: Event) -> None:
        """Fold an event."""
        position.apply(state, event)

    def event_data(self, event: Event) -> dict[str, Any]:
        """JSON."""
        return position.event_data(event)

    def event_from(self, data: Mapping[str, Any]) -> Event:
        """From JSON."""
        return position.event_from(data)

    def visibility(self, state: State, event: Event) -> Seen:
        """2.1"""
        return position.visibility(state, event)

    def dump(self, state: State) -> dict[str, Any]:
        """JSON."""
        return position.dump(state)

    def load(self, data: Mapping[str, Any], options: Mapping[str, Any], saved: Mapping[str, Any]) -> State:
        """From JSON."""
        return position.load(position.data_of(data), saved)

    def choose(self, state: State, ask: Ask, choice: str) -> Option | Refusal:
        """What a player's words mean here."""
        return words.choose(state, ask, choice)

    def meant(self, state: State, order: Directive, key: str) -> bool:
        """Whether an order is for an option."""
        return key in order.choices

    def unused(self, state: State, order: Directive) -> Refusal | None:
        """Why an order came to nothing."""
        return words.unused(state, order)

    def rehearsed_face(self, sides: int) -> int:
        """4.3 Low rolls gain least."""
        return 1

    def player_turn(self, step: str) -> str:
        """1.1"""
        return rules.SEQUENCE.player_turn(step)

    def can_rehearse(self, step: str) -> bool:
        """2.1 Moves tell nothing of a reserve that waits; dice would."""
        return Stage.parse(step).phase in ("reserve", "movement")

    def progress(self, state: State, step: str) -> tuple[int, int]:
        """1.1"""
        return rules.SEQUENCE.progress(step, state.data.turns)

    def heading(self, state: State) -> str:
        """The scenario's name."""
        return state.data.title

    def points(self, state: State) -> Mapping[str, int]:
        """5.1"""
        return {s: state.points(s) for s in self.sides}

    def winner(self, state: State) -> str:
        """5.1"""
        return state.winner

    def worth(self, state: State, place: str) -> int:
        """5.1"""
        return state.data.worth.get(place, 0)

    def view(self, state: State, side: str) -> TinyView:
        """What a side may know."""
        return position.view(state, side)

    def everything(self, state: State) -> TinyView:
        """All that either side knows."""
        return position.view(state, "", both=True)

    def check(self, state: State) -> list[str]:
        """Broken invariants."""
        return position.check(state)


RULESET: TitleOf[State, Event] = Tiny()
