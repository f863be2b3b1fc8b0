"""What a planner makes of the map: what is worth going to, how far it is, what an attack would come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS
from pbem.games.invasion_sicily.position.state import COMMITTED, State
from pbem.games.invasion_sicily.rules import costs, declaring, tracing, victory
from pbem.games.invasion_sicily.rules.costs import Ground
from pbem.games.invasion_sicily.rules.odds import terrain_drm
from pbem.kit.search import Step, cheapest

GUESS = 2
"""What an untried piece is taken to defend with: nobody knows."""

PULL = 6
"""Half movement points that a victory point is worth going."""


NEAR = 4
"""Hexes within which an enemy threatens a place."""


def supplied(state: State, side: str) -> dict[str, bool]:
    """The hexes from which a side can trace supply now."""
    lines = tracing.Lines(state, side)
    found: dict[str, bool] = {}
    for hex_, beach, _ in tracing.sources(state, side).values():
        found |= dict.fromkeys(tracing.covered(lines, hex_, beach, False), True)
    return found


@dataclass
class Outlook:
    """One side's view of the map.  ``far``: half movement points to the nearest goal, less what the goal is worth; ``fed``: hexes
    from which supply can be traced (empty if nobody has looked)."""

    state: State
    side: str
    fed: Mapping[str, bool] = field(default_factory=dict)
    ground: Ground = field(init=False)
    far: Mapping[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.ground = costs.survey(self.state, self.side)
        self.far = self._field(dict(self._goals()))

    def _goals(self) -> Iterator[tuple[str, int]]:
        """Hexes worth going to: for the Allies all that counts and is not theirs; for the Axis what counts and is near the
        enemy, and what he has taken."""
        state, foe = self.state, self.ground.enemy
        for hex_ in state.data.hexes:
            worth = victory.worth(state, hex_)
            if not worth:
                continue
            if self.side == ALLIED:
                if state.holder(hex_) == AXIS:
                    yield hex_, worth
            elif any(state.data.map.distance(hex_, h) <= 4 for h in foe):
                yield hex_, worth
        if self.side == AXIS and state.evacuating:
            messina = state.data.where("Messina")
            if messina:
                yield messina, 20

    def _field(self, goals: Mapping[str, int]) -> dict[str, int]:
        most = max(goals.values(), default=0)
        starts = [f"goal {h}" for h in goals]

        def out(here: str) -> list[Step[str]]:
            if here.startswith("goal "):
                hex_ = here.removeprefix("goal ")
                return [Step(hex_, (most - goals[hex_]) * PULL)]
            data = self.state.data
            return [Step(n, self._cost(n, here)) for n in data.map.near(here) if data.map.by_land(here, n)]

        found = cheapest(starts, out) if starts else None
        return {h: int(c) for h, c in found.costs.items()} if found else {}

    def _cost(self, here: str, there: str) -> int:
        road = self.state.data.map.across(here, there, "road")
        if road:
            return self.state.data.terrain[road]["dry"]
        return self.state.data.terrain[self.state.data.hexes[there].terrain]["dry"]

    def defence(self, hex_: str) -> int:
        """What the enemy in a hex would defend with, as far as it can be seen."""
        units = self.ground.enemy.get(hex_, ())
        found = 0
        for unit in units:
            kind = self.state.type(unit)
            found += max(board.defence(self.state, unit), kind.support) if board.tried(self.state, unit) else GUESS
        return found

    def attackers(self, hex_: str) -> list[str]:
        """Own units that could attack a hex now."""
        found = []
        for unit in board.in_play(self.state, self.side):
            near = not unit.has(COMMITTED) and hex_ in self.state.data.map.near(unit.place)
            if near and declaring.why_not(self.state, unit.id, hex_) is None:
                found.append(unit.id)
        return found

    def odds(self, hex_: str, units: list[str]) -> int:
        """Attack strength in tenths of the defence, terrain taken off."""
        attack = sum(declaring.strength(self.state, u, hex_) for u in units)
        guns = sum(board.support(self.state, g) for g in self.near_guns(hex_))
        attack += min(guns, attack)
        drm = terrain_drm(self.state, hex_)[1]
        return 10 * attack // max(1, self.defence(hex_)) - 4 * drm

    def near_guns(self, hex_: str) -> list[str]:
        """Own guns in range."""
        return [
            u.id for u in board.in_play(self.state, self.side)
            if self.state.type(u.id).gun and board.reach(self.state, u.id, hex_) and not u.has("fired")
        ]

    def threatened(self, hex_: str) -> bool:
        """Whether an enemy could be there in a move or two."""
        return any(self.state.data.map.distance(hex_, h) <= NEAR for h in self.ground.enemy)

    def danger(self, hex_: str) -> int:
        """Attack strength of the enemy next to a hex."""
        near = self.state.data.map.near(hex_)
        return sum(
            board.attack(self.state, u) for h in near for u in self.ground.enemy.get(h, ()) if board.tried(self.state, u)
        )

