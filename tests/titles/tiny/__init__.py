"""Tiny: a whole title for the tests.  Seven hexes, two units a side and a reserve that waits unseen, three turns.

Nothing of the program knows it: all that it has is in this package (see :mod:`pbem.title_packages`).
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.games.contract import MapStyle, TitleOf
from pbem.games.modular import ModularTitle
from tests.titles.tiny import players, position, rules, telling, words
from tests.titles.tiny.position import GRID, Data, Event, State, TinyView

MAP_STYLE: MapStyle = {
    "colours": {"blue": "#1f5fae", "red": "#9c3b12"},
    "unknown": {"blue": ("#b9cbe2", "#1f3d63"), "red": ("#dcc3b0", "#5d2409")},
    "drawn": ("units", "control"),
    "hexes": {
        "grid": GRID, "terrain": {"clear": ("#f3eddb", 0), "hill": ("#e2d2a4", 1), "town": ("#ddd0c8", 0)}, "towns": ("town",),
        "roads": (), "north": 0, "metres": 1000, "badges": {"waits": ("R", "#1f5fae", "waits unseen")}, "on_map": telling.on_map,
    },
}  # fmt: skip


class Tiny(ModularTitle[State, Event, Data]):
    """The title as engine and service see it (:class:`pbem.games.contract.TitleOf`)."""

    name, title, sides, version, dice = "tiny", "Tiny", position.SIDES, 1, ("2d6",)
    map_style, view_type = MAP_STYLE, TinyView
    words, telling, players = words, telling, players

    def __init__(self) -> None:
        super().__init__(
            __name__, position.build_data, position, position, position.apply, position, position.check, rules
        )

    def first_step(self, state: State) -> str:
        """1.1"""
        return rules.SEQUENCE.first

    def succeeds(self, face: int, target: int, sides: int) -> bool:
        """No die of this game has a target."""
        return face >= target

    def rehearsed_face(self, sides: int) -> int:
        """4.3 Low rolls gain least."""
        return 1

    def points(self, state: State) -> Mapping[str, int]:
        """5.1"""
        return {s: state.points(s) for s in self.sides}

    def worth(self, state: State, place: str) -> int:
        """5.1"""
        return state.data.worth.get(place, 0)


RULESET: TitleOf[State, Event] = Tiny()
