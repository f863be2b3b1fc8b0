"""Invasion: Sicily (GMT 1998, Vance von Borries): hexes, zones of control, combat by odds."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.contract import TitleOf
from pbem.games.invasion_sicily.look import MAP_STYLE
from pbem.games.invasion_sicily.position import apply as folding
from pbem.games.invasion_sicily.position import events, invariants, seen, view
from pbem.games.invasion_sicily.position import state as states
from pbem.games.invasion_sicily.position.data import SIDES, Data, build
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import sequence, victory
from pbem.games.modular import ModularTitle

class InvasionSicily(ModularTitle[State, events.Event, Data]):
    """The title as engine and service see it (:class:`pbem.games.contract.TitleOf`)."""

    name = "invasion_sicily"
    title = "Invasion: Sicily"
    sides = SIDES
    version = 1
    dice = ("d10",)
    map_style = MAP_STYLE
    view_type = seen.InvasionView

    def __init__(self) -> None:
        super().__init__(__name__, build, states, events, folding.apply, view, invariants.check, sequence)

    def first_step(self, state: State) -> str:
        """4.0"""
        return sequence.first_step(state.data)

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """3.6.2"""
        return face <= target

    def rehearsed_face(self, sides: int) -> int:
        """3.6.2 High rolls fail."""
        return sides

    def points(self, state: State) -> Mapping[str, int]:
        """17.0 Only the Allies score."""
        return {"allied": victory.points(state), "axis": 0}

    def worth(self, state: State, place: str) -> int:
        """17.0"""
        return victory.worth(state, place)


RULESET: TitleOf[State, events.Event] = InvasionSicily()
