"""Invasion: Sicily (GMT 1998, Vance von Borries): hexes, zones of control, combat by odds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.documents import View
from pbem.core.ruleset import Seen
from pbem.core.standing import Directive
from pbem.games.contract import MapStyle, ScriptedPlayers, Telling, TitleOf, Words
from pbem.games.invasion_sicily.position import apply as folding
from pbem.games.invasion_sicily.position import events, invariants, seen, view
from pbem.games.invasion_sicily.position import state as states
from pbem.games.invasion_sicily.position.data import SIDES, Data, build
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import sequence, victory


MAP_STYLE: MapStyle = {
    "colours": {"allied": "#1f5fae", "axis": "#9c3b12"},
    "unknown": {"allied": ("#b9cbe2", "#1f3d63"), "axis": ("#dcc3b0", "#5d2409")},
    "drawn": ("units", "control", "strongpoints", "attacks", "ports"),
}


class InvasionSicily:
    """The title as the engine sees it (see :class:`pbem.games.contract.TitleOf`)."""

    name = "invasion_sicily"
    title = "Invasion: Sicily"
    sides = SIDES
    version = 1
    steps = sequence.STEPS
    dice = ("d10",)

    def __init__(self) -> None:
        self._kept: list[tuple[Mapping[str, Any], Mapping[str, Any], Data]] = []

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """3.6.2"""
        return face <= target

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        """The scenario's set-up."""
        return states.new(self._built(data, options))

    def first_step(self, state: State) -> str:
        """4.0"""
        return sequence.first_step(state.data)

    def next_step(self, state: State, done: str) -> str | None:
        """4.0"""
        return sequence.next_step(state, done)

    def scope_over(self, step: str, scope: str) -> bool:
        """Whether a phase has passed."""
        return sequence.scope_over(step, scope)

    def apply(self, state: State, event: events.Event) -> None:
        """Fold an event."""
        folding.apply(event, state)

    def event_data(self, event: events.Event) -> dict[str, Any]:
        """JSON."""
        return events.to_data(event)

    def event_from(self, data: Mapping[str, Any]) -> events.Event:
        """From JSON."""
        return events.from_data(data)

    def visibility(self, state: State, event: events.Event) -> Seen:
        """Who may know an event."""
        return view.visibility(state, event)

    def dump(self, state: State) -> dict[str, Any]:
        """JSON."""
        return states.dump(state)

    def load(self, data: Mapping[str, Any], options: Mapping[str, Any], saved: Mapping[str, Any]) -> State:
        """From JSON."""
        return states.load(self._built(data, options), saved)

    def _built(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> Data:
        """The scenario's data; those of the games that were loaded last are kept."""
        for source, chosen, built in self._kept:
            if source is data and chosen == options:
                return built
        built = build(data, options)
        self._kept = [*self._kept[-7:], (data, dict(options), built)]
        return built

    def choose(self, state: State, ask: Ask, choice: str) -> Option | Refusal:
        """What a player's words mean here."""
        from pbem.games.invasion_sicily.words import choosing

        return choosing.choose(state, ask, choice)

    @property
    def words(self) -> Words[State, events.Event]:
        """What players write."""
        from pbem.games.invasion_sicily.words import interface

        return interface

    @property
    def telling(self) -> Telling[State]:
        """What they are told."""
        from pbem.games.invasion_sicily.telling import interface

        return interface

    @property
    def players(self) -> ScriptedPlayers:
        """The planner as a player by mail."""
        from pbem.games.invasion_sicily.players import scripted

        return scripted

    map_style = MAP_STYLE

    def unused(self, state: State, order: Directive) -> Refusal | None:
        """Why an order came to nothing."""
        from pbem.games.invasion_sicily.words import unused

        return unused.why(state, order)

    def meant(self, state: State, order: Directive, key: str) -> bool:
        """Whether an order is for an option."""
        return key in order.choices

    def rehearsed_face(self, sides: int) -> int:
        """3.6.2 High rolls fail."""
        return sides

    view_type = seen.InvasionView

    def view(self, state: State, side: str) -> View:
        """What a side may know."""
        return view.view(state, side)

    def worth(self, state: State, place: str) -> int:
        """17.0"""
        return victory.worth(state, place)

    def everything(self, state: State) -> View:
        """All that either side knows."""
        return view.everything(state)

    def heading(self, state: State) -> str:
        """The scenario's name."""
        return state.data.title

    def points(self, state: State) -> Mapping[str, int]:
        """17.0 Only the Allies score."""
        return {"allied": victory.points(state), "axis": 0}

    def winner(self, state: State) -> str:
        """17.0"""
        return state.winner

    def progress(self, state: State, step: str) -> tuple[int, int]:
        """4.0"""
        return sequence.progress(state, step)

    def player_turn(self, step: str) -> str:
        """4.0"""
        return sequence.player_turn(step)

    def can_rehearse(self, step: str) -> bool:
        """Where nothing hidden can come to light."""
        return sequence.can_rehearse(step)

    def check(self, state: State) -> list[str]:
        """Broken invariants."""
        return invariants.check(state)


RULESET: TitleOf[State, events.Event] = InvasionSicily()
