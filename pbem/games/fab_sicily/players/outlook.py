"""How a position looks to one side: the estimates the planner judges by.

Only what that side may know goes in: its own blocks, the face-up ones of the enemy, how many others stand
where, and the chits, which lie open (10.0).
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable

from pbem.kit.search import distances
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries
from pbem.games.fab_sicily.position.data import ARMOR, other
from pbem.games.fab_sicily.position.state import GOOD, Block, State
from pbem.games.fab_sicily.rules.victory import MAJOR

UNKNOWN_STEPS, GARRISON_STEPS = 3.0, 1.0
"""What a block face-away is taken for, and a garrison face-down."""

FAR = 9.0
"""The distance of a goal that cannot be reached."""

SWING = {"yellow star": 2.0, "white star": 1.0, "german cross": 1.0}
"""19.1 How much the score changes when such an area changes hands."""

MESSINA_WORTH = 6.0
FADING = 0.65

GUNS = ("artillery", "naval", "air")
FIGHTERS = ("battle", "engineer")


class Outlook:
    """One side's view of a state, worked out as far as it is asked for."""

    def __init__(self, state: State, side: str) -> None:
        self.state, self.side, self.foe = state, side, other(side)
        self.data = state.data
        self.last = state.turn >= state.data.turns
        self.whole = bool(state.data.plans)
        self._shield: dict[str, float] = {}
        self._front: dict[str, float] = {}
        self._threat: dict[str, float] = {}
        self._ways: dict[tuple[str, ...], dict[str, float]] = {}
        self._here: dict[str, dict[str, list[Block]]] = {side: {}, self.foe: {}}
        for block in state.blocks.values():
            self._here[board.side_of(state, block.id)].setdefault(block.area, []).append(block)

    # -- who stands where ---------------------------------------------------------------------------

    def own(self, place: str) -> list[Block]:
        """The own blocks in a place."""
        return self._here[self.side].get(place, [])

    def enemies(self, area: str) -> list[Block]:
        """The enemy blocks in an area, to be counted."""
        return self._here[self.foe].get(area, [])

    def room(self, area: str) -> int:
        """5.1 How many more own units may stand there."""
        return board.STACKING_LIMIT - len(self.own(area))

    def held(self, area: str) -> bool:
        """Whether the side controls the area."""
        return board.controls(self.state, self.side, area)

    def enemy_there(self, area: str) -> bool:
        """Whether there is somebody to fight."""
        return bool(self.enemies(area)) or bool(board.holders(self.state, area, self.foe))

    def contested(self, area: str) -> bool:
        """2.4 Whether both sides are there."""
        return self.enemy_there(area) and bool(self.own(area))

    # -- strength -----------------------------------------------------------------------------------

    def steps(self, blocks: Iterable[Block]) -> float:
        """Fighting strength of own blocks: disordered ones count half, a whole division one die more (15.2)."""
        there = list(blocks)
        kin = [self.data.blocks[b.id].division for b in there]
        together = 1.0 if len(kin) == board.STACKING_LIMIT and kin[0] and kin[0] == kin[1] else 0.0
        return together + sum(
            GARRISON_STEPS if self.green(b) else b.steps * (1.0 if b.status == GOOD else 0.5) for b in there
        )

    def strength(self, area: str) -> float:
        """Own strength in an area."""
        return self.steps(self.own(area))

    def threat(self, area: str) -> float:
        """What the enemy seems to have in an area, in steps."""
        if area not in self._threat:
            seen = sum(self._seems(b) for b in self.enemies(area))
            self._threat[area] = seen + len(board.holders(self.state, area, self.foe))
        return self._threat[area]

    def _seems(self, block: Block) -> float:
        if self.green(block):
            return GARRISON_STEPS
        known = board.known_to(self.state, self.side, block.id)
        return float(block.steps) if known else UNKNOWN_STEPS

    def green(self, block: Block) -> bool:
        """A garrison that has not fought."""
        return board.green_garrison(self.state, block.id)

    def frail(self, block: Block) -> bool:
        """19.2 Whether the next losses of a unit may give the enemy a point; Italians wear out as their morale goes (21.1)."""
        kind = self.data.blocks[block.id]
        worn = 1 if kind.nation != "it" else 1 + min(board.italian_morale(self.state), 2)
        return self.whole and 0 < block.steps <= worn and kind.full >= MAJOR

    def armor(self, block: Block) -> bool:
        """13.3 Armor class."""
        return self.data.blocks[block.id].cls == ARMOR

    def cover(self, area: str) -> float:
        """How much the ground helps an enemy there, in steps."""
        works = 1.5 if self.state.works.get(area) == self.foe else 0.0
        return works + 0.7 * self.data.areas[area].tdn

    def exits(self, area: str) -> int:
        """21.1 How many ways out of an area are the side's own: with fewer than two it is a dead end."""
        return sum(1 for n in board.neighbours(self.state, area) if self.held(n) and not self.enemy_there(n))

    def pressure(self, area: str) -> float:
        """Enemy steps next door."""
        return sum(self.threat(n) for n in board.neighbours(self.state, area))

    def support(self, side: str) -> float:
        """What a side's assets add to a battle of its choice, in steps."""
        guns = len(board.available(self.state, side, *GUNS))
        fighters = len(board.available(self.state, side, *FIGHTERS))
        return min(guns, 2) + 0.8 * min(fighters, 3)

    def odds(self, area: str, blocks: Iterable[Block]) -> float:
        """Own to enemy strength if ``blocks`` attacked there; green garrisons get no assets to speak of."""
        green = all(self.green(b) for b in self.enemies(area))
        helped = 0.0 if green else 0.6 * self.support(self.foe)
        return (self.steps(blocks) + 0.6 * self.support(self.side)) / max(self.threat(area) + self.cover(area) + helped, 0.5)

    # -- ground -------------------------------------------------------------------------------------

    def worth(self, area: str) -> float:
        """What holding an area is worth: its points, a port, and a little for any ground until the last turn."""
        a, points = self.data.areas[area], self.points(area)
        if self.last:
            return 3.0 * points + 0.1
        return 2.0 * points + (1.0 if a.port else 0.0) + (1.0 if self.whole and a.airfield else 0.0) + 0.5

    def points(self, area: str) -> float:
        """What an area changes in the score: 22.17, or 19.1; all Axis supply comes from Messina (14.91)."""
        a = self.data.areas[area]
        if not self.whole:
            return a.vp
        return SWING.get(a.star, 0.0) + (MESSINA_WORTH if [area] == list(self.data.axis_sources) else 0.0)

    def hold(self, area: str) -> float:
        """What standing in an area is worth to the Axis: the ground itself, and the ground it covers."""
        return self.worth(area) + (self.shield(area) if self.whole and not self.last else 0.0)

    def shield(self, area: str) -> float:
        """The worth of the best ground of one's own that an area lies before, less with every area between."""
        if not self._shield:
            for goal in self.data.areas:
                if self.points(goal) and self.held(goal):
                    for a, far in distances(self.data.adjacent, goal).items():
                        self._shield[a] = max(self._shield.get(a, 0.0), 2.0 * self.points(goal) * FADING**far)
        return self._shield.get(area, 0.0)

    def front(self, area: str) -> float:
        """How far it is from an area to where the enemy presses and there is room; 0 on a small map."""
        if not self.whole:
            return 0.0
        if not self._front:
            goals = [a for a in self.data.areas if self.held(a) and self.pressure(a) and self.room(a) > 0]
            self._front = self._spread([(-0.3 * self.hold(a), a) for a in goals], list(self.data.areas))
        return self._front.get(area, FAR)

    def way(self, block: Block, area: str) -> float:
        """How far it is from an area to ground the block could win, the worthier and weaker the nearer."""
        zones = boundaries.zones_of(self.state, block.id)
        if zones not in self._ways:
            self._ways[zones] = self._distances(block)
        return self._ways[zones].get(area, FAR)

    def _distances(self, block: Block) -> dict[str, float]:
        open_to = [a for a in self.data.areas if boundaries.may_operate(self.state, block.id, a)]
        goals = [a for a in open_to if self.room(a) > 0 and (not self.held(a) or self.contested(a))]
        return self._spread([(0.15 * self.threat(a) - 0.25 * self.worth(a), a) for a in goals], open_to)

    def _spread(self, queue: list[tuple[float, str]], open_to: Container[str]) -> dict[str, float]:
        """Distances from the goals in ``queue``, each with a start of its own, through the open areas."""
        heapq.heapify(queue)
        found: dict[str, float] = {}
        while queue:
            distance, area = heapq.heappop(queue)
            if area in found:
                continue
            found[area] = distance
            for n in board.neighbours(self.state, area):
                if n in open_to and n not in found:
                    heapq.heappush(queue, (distance + 1.0, n))
        return found
