"""The Italian Campaign: Salerno (Decision Games, the Westwar system): hexes, operations bid for, zones of control as numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.asks import Ask, Option, Refusal, pick
from pbem.core.documents import View
from pbem.core.ruleset import Seen
from pbem.core.standing import Directive
from pbem.games.italian_campaign.look import MAP_STYLE
from pbem.games.italian_campaign.position import apply as folding
from pbem.games.italian_campaign.position import board, events, invariants, seen, view
from pbem.games.italian_campaign.position import state as states
from pbem.games.italian_campaign.position.data import ALLIED, AXIS, SIDES, Data, build
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules import sequence, victory


class ItalianCampaign:
    """The title as the engine sees it (see :class:`pbem.core.ruleset.Rules`)."""

    name = "italian_campaign"
    title = "The Italian Campaign: Salerno"
    sides = SIDES
    version = 1
    steps = sequence.Steps()
    dice = ("d6", "2d6")
    map_style = MAP_STYLE
    view_type = seen.ItalianView

    def __init__(self) -> None:
        self._kept: list[tuple[Mapping[str, Any], Mapping[str, Any], Data]] = []

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """8.53"""
        return face <= target

    def rehearsed_face(self, sides: int) -> int:
        """8.23, 8.53 A one: the worst for an attack and the best for morale, which helps whoever is not rehearsing."""
        return 1

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        """The scenario's set-up."""
        return states.new(self._built(data, options))

    def first_step(self, state: State) -> str:
        """3.0"""
        return sequence.first_step()

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

    def view(self, state: State, side: str) -> View:
        """All that a side ('': the public) may know."""
        return view.view(state, side)

    def everything(self, state: State) -> View:
        """All that either side knows."""
        return view.everything(state)

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
        return pick(ask, choice)

    def meant(self, state: State, order: Directive, key: str) -> bool:
        """Whether an order is for the option of that key."""
        return key in order.choices

    def unused(self, state: State, order: Directive) -> Refusal | None:
        """Why an order was never carried out."""
        return Refusal("no question came that it answers", "6.2")

    def heading(self, state: State) -> str:
        """The scenario's name."""
        return state.data.title

    def points(self, state: State) -> Mapping[str, int]:
        """Victory Conditions: only the Allies score."""
        return {ALLIED: victory.points(state), AXIS: 0}

    def worth(self, state: State, place: str) -> int:
        """Victory Conditions: a port counts what it is worth after demolition."""
        return board.port_value(state, place) if place in state.data.ports else 0

    def winner(self, state: State) -> str:
        """Victory Conditions."""
        return state.winner

    def progress(self, state: State, step: str) -> tuple[int, int]:
        """3.0"""
        return sequence.progress(state)

    def player_turn(self, step: str) -> str:
        """3.0"""
        return sequence.player_turn(step)

    def can_rehearse(self, step: str) -> bool:
        """Nothing is hidden on the map, but the enemy's answers are."""
        return False

    def check(self, state: State) -> list[str]:
        """Broken invariants."""
        return invariants.check(state)


RULESET = ItalianCampaign()
