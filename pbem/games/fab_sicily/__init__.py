"""FAB: Sicily (GMT 2011, Rick Young): areas, blocks and chits."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.contract import MapStyle, TitleOf
from pbem.games.fab_sicily.position import apply as folding
from pbem.games.fab_sicily.position import events, invariants, seen, view
from pbem.games.fab_sicily.position import state as states
from pbem.games.fab_sicily.position.data import SIDES, Data, build
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.rules import d10, sequence
from pbem.games.modular import ModularTitle

MAP_STYLE: MapStyle = {
    "colours": {"allied": "#1f5fae", "axis": "#9c3b12"},
    "unknown": {"allied": ("#b9cbe2", "#1f3d63"), "axis": ("#dcc3b0", "#5d2409")},
    "drawn": ("areas", "boxes", "borders"),
}


class FabSicily(ModularTitle[State, events.Event, Data]):
    """The title as engine and service see it (:class:`pbem.games.contract.TitleOf`)."""

    name = "fab_sicily"
    title = "FAB: Sicily"
    sides = SIDES
    version = 3
    """deploy/CHANGELOG.md says what each is."""
    dice = ("d10",)
    map_style = MAP_STYLE
    view_type = seen.FabView

    def __init__(self) -> None:
        super().__init__(__name__, build, states, events, folding.apply, view, invariants.check, sequence)

    def first_step(self, state: State) -> str:
        """22.14"""
        return sequence.first_step(state.data)

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """2.1"""
        return d10.success(face, target)

    def rehearsed_face(self, sides: int) -> int:
        """2.1 Ten fails."""
        return sides

    def points(self, state: State) -> Mapping[str, int]:
        """19.0"""
        return state.vp

    def worth(self, state: State, place: str) -> int:
        """19.0"""
        area = state.data.areas.get(place)
        return area.vp if area else 0


RULESET: TitleOf[State, events.Event] = FabSicily()
