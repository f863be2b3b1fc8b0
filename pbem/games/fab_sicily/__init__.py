"""FAB: Sicily (GMT 2011, Rick Young): areas, blocks and chits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.documents import View
from pbem.core.ruleset import Seen
from pbem.core.standing import Directive
from pbem.games.fab_sicily.position import apply as folding
from pbem.games.fab_sicily.position import events, invariants, seen, view
from pbem.games.fab_sicily.rules import d10, sequence
from pbem.games.fab_sicily.position import state as states
from pbem.games.fab_sicily.position.data import SIDES, Data, build
from pbem.games.fab_sicily.position.state import State
from pbem.games.contract import MapStyle, ScriptedPlayers, Telling, TitleOf, Words

MAP_STYLE: MapStyle = {
    "colours": {"allied": "#1f5fae", "axis": "#9c3b12"},
    "unknown": {"allied": ("#b9cbe2", "#1f3d63"), "axis": ("#dcc3b0", "#5d2409")},
    "drawn": ("areas", "boxes", "borders"),
}


class FabSicily:
    """The title as the engine sees it (see :class:`pbem.games.contract.TitleOf`)."""

    name = "fab_sicily"
    title = "FAB: Sicily"
    sides = SIDES
    version = 2
    """2: the landing plan at the deadline is the historical one (1: the first by alphabet, the alternate one)."""
    steps = sequence.STEPS

    def __init__(self) -> None:
        self._kept: list[tuple[Mapping[str, Any], Mapping[str, Any], Data]] = []

    dice = ("d10",)

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """2.1"""
        return d10.success(face, target)

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        """22.13"""
        return states.new(self._built(data, options))

    def first_step(self, state: State) -> str:
        """22.14"""
        return sequence.first_step(state.data)

    def next_step(self, state: State, done: str) -> str | None:
        """3.0"""
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
        from pbem.games.fab_sicily.words import orders  # the parser needs names of many modules; only players' words come here

        return orders.choose(state, ask, choice)

    def meant(self, state: State, order: Directive, key: str) -> bool:
        """Whether an order is for an option."""
        from pbem.games.fab_sicily.words import choosing

        return any(choosing.fits(state, choice, key) for choice in order.choices)

    def unused(self, state: State, order: Directive) -> Refusal | None:
        """Why an order came to nothing."""
        from pbem.games.fab_sicily.words import unused

        return unused.why(state, order)

    view_type = seen.FabView

    def view(self, state: State, side: str) -> View:
        """What a side may know."""
        return view.view(state, side)

    def rehearsed_face(self, sides: int) -> int:
        """2.1 Ten fails."""
        return sides

    @property
    def words(self) -> Words[State, events.Event]:
        """What players write."""
        from pbem.games.fab_sicily.words import interface

        return interface

    @property
    def telling(self) -> Telling[State]:
        """What they are told."""
        from pbem.games.fab_sicily.telling import interface

        return interface

    map_style = MAP_STYLE

    @property
    def players(self) -> ScriptedPlayers:
        """The planner as a player by mail."""
        from pbem.games.fab_sicily.players import scripted

        return scripted

    def heading(self, state: State) -> str:
        """The scenario's name."""
        return state.data.title

    def points(self, state: State) -> Mapping[str, int]:
        """19.0"""
        return state.vp

    def worth(self, state: State, place: str) -> int:
        """19.0"""
        area = state.data.areas.get(place)
        return area.vp if area else 0

    def winner(self, state: State) -> str:
        """3.5"""
        return state.winner

    def progress(self, state: State, step: str) -> tuple[int, int]:
        """3.0"""
        return sequence.progress(state, step)

    def everything(self, state: State) -> View:
        """All blocks as their owners see them."""
        return view.everything(state)

    def player_turn(self, step: str) -> str:
        """3.2 The player turn."""
        return sequence.player_turn(step)

    def can_rehearse(self, step: str) -> bool:
        """Where nothing hidden can come to light."""
        return sequence.can_rehearse(step)

    def check(self, state: State) -> list[str]:
        """Broken invariants."""
        return invariants.check(state)


RULESET: TitleOf[State, events.Event] = FabSicily()
