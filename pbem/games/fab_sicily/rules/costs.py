"""5.3 What it costs a unit to cross a border, and which borders are closed to it.

Nothing here looks at what only one side knows: where enemy blocks stand is seen on the table, what they
are is not needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from pbem.kit.search import distances
from pbem.core.asks import Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries
from pbem.games.fab_sicily.position.data import AXIS, Border, other
from pbem.games.fab_sicily.position.state import State

INFANTRY_POINTS, ARMOR_POINTS = 3, 6
"""5.22 Movement allowances; 15.1 motorized units have the armored one at times."""

MOUNT_ETNA, MESSINA = "27", "29"

OPERATIONAL, REACTION, BREAKTHROUGH, EXPLOITATION = "operational", "reaction", "breakthrough", "exploitation"


@dataclass(frozen=True)
class Bar:
    """Why a border is closed: words with {here}, {there} and {unit}, and the rule."""

    words: str
    rule: str

    def refusal(self, state: State, block: str, here: str, there: str) -> Refusal:
        """The words with the names filled in."""
        names = {"here": board.place_name(state.data, here), "there": board.place_name(state.data, there)}
        return Refusal(self.words.format(unit=board.unit_name(state.data, block), **names), self.rule)


NOT_ADJACENT = Bar("{here} and {there} do not share a border", "5.32")
BOUNDARY = Bar("{there} lies beyond the army boundary, which {unit} may not cross: release its division first", "14.41")
FORBIDDEN = Bar("the army of {unit} may never operate at {there}", "14.41")
ASTRAY = Bar("{unit} must leave the zone it may not operate in, by ground of yours without enemies: {there} is none", "14.43")
MOUNTAINS = Bar("the boundary of {here} and {there} is restricted: armor may not cross it", "14.1")
MOUNTAINS_LATER = Bar("crossing the restricted boundary to {there} takes the whole allowance: start at {here}", "14.1")
BRIDGE_DOWN = Bar("the bridge to {there} is blown: only a unit that starts at {here} may cross, with its whole allowance", "5.32")
BRIDGE_EXPLOIT = Bar("the bridge to {there} is blown, and exploiting units may not cross it", "7.31")
RIVER_TAKEN = Bar("a unit has crossed the river from {here} to {there} in this phase: only one may", "5.35c")
LEAVING = Bar("{unit} leaves a contested area: it must go to a friendly, uncontested area first, and {there} is none", "5.34")
LEFT = Bar("{unit} has left a contested area in this move and may not enter {there}, where the enemy stands", "5.34")
GREEN = Bar("enemies stand at {there}: a green Italian unit may not go there", "15.3a")
MOTORIZED = Bar("enemies stand at {there}: {unit} may not enter it with the allowance of motorized units", "15.1")
SHAKEN = Bar("{unit} is not in good order and may not attack: only where units of yours stand may it join them", "9.33d")
NOT_NEW = Bar("{there} is not contested yet: a reacting unit may not bring on a new combat there", "7.2")
TOO_DEAR = Bar("{unit} has not the movement points left to go from {here} to {there}", "5.22")
OUT_OF_REACH = Bar("no way to {there} is open to {unit} within its movement points", "5.22")
ONE_AREA = Bar("{unit} may move one area only", "5.33")
ONE_AREA_EXPLOIT = Bar("{unit} may move one area only, as an exploiting unit", "7.31")
MUST_STOP = Bar("{unit} must stop at {here}, where the enemy (or his roadblock) stands", "5.35b")
FULL = Bar("{there} is full: two units of yours already stand there", "5.1")


@dataclass(frozen=True)
class Ground:
    """The map as the movers of one side find it, surveyed once for many searches."""

    state: State
    side: str
    own: Mapping[str, int]
    held: frozenset[str]
    enemy: frozenset[str]
    crowded: frozenset[str]
    roadblocks: frozenset[str]
    interdicted: frozenset[str]
    blown: frozenset[str]
    _open: dict[tuple[str, ...], frozenset[str]] = field(default_factory=dict)

    @cached_property
    def extraction(self) -> bool:
        """17.12 Whether the Axis has a Tactical Extraction in effect."""
        return any(c.use == "extraction" for c in board.in_box(self.state, AXIS, "table"))

    @cached_property
    def from_messina(self) -> Mapping[str, int]:
        """17.12 The distance of each area from Messina in areas."""
        return distances(self.state.data.adjacent, MESSINA)

    def quiet(self, area: str) -> bool:
        """Friendly-controlled, and no enemy there."""
        return area not in self.enemy and self.state.control.get(area) == self.side

    def allowed(self, block: str) -> frozenset[str]:
        """14.4 The areas in which the unit may operate."""
        zones = boundaries.zones_of(self.state, block)
        if zones not in self._open:
            self._open[zones] = frozenset(a for a in self.state.data.areas if boundaries.may_operate(self.state, block, a))
        return self._open[zones]


def survey(state: State, side: str) -> Ground:
    """See :class:`Ground`; 14.42 an area of green Italian units alone does not crowd."""
    foe, areas = other(side), state.data.areas
    forces: dict[str, list[str]] = {side: [], foe: []}
    tough = []
    for block in state.blocks.values():
        if block.area in areas:
            forces[state.data.blocks[block.id].side].append(block.area)
            if not board.green_garrison(state, block.id):
                tough.append(block.area)
    own = Counter(forces[side])
    interdicted = []
    for chit in state.chits.values():
        owner = state.data.chits[chit.id].side
        if chit.box == "map" and chit.use in board.HOLDING_ASSETS:
            forces[owner].append(chit.area)
            tough.append(chit.area)
        elif chit.box == "map" and chit.use == "interdiction" and owner == foe:
            interdicted.append(chit.area)
    roadblocks = [a for a, owner in state.roadblocks.items() if owner == foe]
    return Ground(
        state, side, own, frozenset(forces[side]), frozenset(forces[foe]), frozenset([*tough, *roadblocks]),
        frozenset(roadblocks), frozenset(interdicted), frozenset(state.blown),
    )


@dataclass(frozen=True)
class Mover:
    """A unit about to move (on).  ``at``: where it stands, or the port area it comes from; ``start``: whether
    that is its starting point; ``spent``: movement points used; ``bonus``: 15.1 the motorized allowance."""

    block: str
    mode: str
    at: str
    points: int
    armor: bool
    green: bool
    shaken: bool
    one_area: bool
    leaving: bool
    astray: bool
    allowed: frozenset[str]
    start: bool = True
    spent: int = 0
    bonus: bool = False
    slips: bool = False


def mover(ground: Ground, block: str, mode: str, at: str = "") -> Mover:
    """5.22, 5.33, 7.31, 9.33a How a unit may move in this phase."""
    state = ground.state
    b = state.blocks[block]
    here = at or b.area
    armor = board.is_armor(state, block)
    return Mover(
        block, mode, here, ARMOR_POINTS if armor else INFANTRY_POINTS, armor, board.green_garrison(state, block),
        not board.good_order(b), mode == EXPLOITATION or not b.supplied or not board.good_order(b),
        not at and here in ground.enemy, not at and boundaries.astray(state, block), ground.allowed(block),
        slips=mode == OPERATIONAL and state.type(block).nation == "de" and ground.extraction and _served(state, block),
    )


def _served(state: State, block: str) -> bool:
    """9.34d No friendly event affects an unsupplied unit."""
    return state.blocks[block].supplied or not state.data.mended


def motorized(ground: Ground, unit: Mover) -> Mover | None:
    """15.1 The same unit with six movement points, if it is motorized and neither starts in a contested
    area nor (see :func:`bar`) enters one."""
    if not ground.state.type(unit.block).motorized or unit.leaving or unit.at in ground.enemy:
        return None
    return replace(unit, points=ARMOR_POINTS, bonus=True)


@dataclass(frozen=True)
class Step:
    """One border crossed; ``stop``: the unit must stop there (5.35b)."""

    there: str
    cost: int
    river: bool
    stop: bool


def legal_steps(ground: Ground, unit: Mover, here: str, spent: int, start: bool) -> Iterator[Step]:
    """5.3 The borders that the unit may cross from ``here``, having spent so much; ``start``: it starts there."""
    for there in ground.state.data.adjacent[here]:
        step = take(ground, unit, here, there, spent, start)
        if isinstance(step, Step):
            yield step


def take(ground: Ground, unit: Mover, here: str, there: str, spent: int, start: bool) -> Step | Bar:
    """5.3 One border crossed, or what bars it.  5.33: from its starting point a unit may always go one area."""
    border = ground.state.data.border(here, there)
    closed = bar(ground, unit, border, here, there, start)
    if closed:
        return closed
    cost = unit.points if takes_all(ground, border, there) else points(ground, border, here, there)
    if not start and spent + cost > unit.points:
        return TOO_DEAR
    stop = there in ground.enemy or there in ground.roadblocks
    return Step(there, min(cost, unit.points - spent) if start else cost, bool(border.river), stop)


def points(ground: Ground, border: Border, here: str, there: str) -> int:
    """5.32, 5.34, 14.42, 16.33 Movement points for a border that does not take the whole allowance.

    RULING: a roadblock and the units or assets in an area cost one point together: 4.34 as amended, and
    5.32 gives the surcharge 'in total'.  An interdiction asset costs its own points and does not crowd (Ex. 3C).
    """
    return (
        (1 if border.road else 2)
        + (there in ground.crowded)
        + (here in ground.enemy)
        + (here in ground.interdicted)
        + (there in ground.interdicted)
    )


def takes_all(ground: Ground, border: Border, there: str) -> bool:
    """5.32, 14.1 Whether the border costs the whole movement allowance."""
    return border.id in ground.blown or (border.restricted and not etna_road(ground, border, there))


def etna_road(ground: Ground, border: Border, there: str) -> bool:
    """14.1 The roads of Mount Etna, for the side that controls it.

    RULING: that it may only be entered while uncontested is a limit of this exception, not of infantry
    that crosses the mountains.
    """
    return (
        border.restricted and border.road and MOUNT_ETNA in (border.a, border.b)
        and board.controls(ground.state, ground.side, MOUNT_ETNA)
        and (there != MOUNT_ETNA or there not in ground.enemy)
    )


def bar(ground: Ground, unit: Mover, border: Border, here: str, there: str, start: bool) -> Bar | None:
    """What closes the border to the unit, whatever its movement points; None if nothing does."""
    slipping = start and extracts(ground, unit, here, there)
    return (
        _boundary_bar(ground, unit, there)
        or _border_bar(ground, unit, border, there, start)
        or (LEAVING if unit.leaving and start and not slipping and not ground.quiet(there) else None)
        or (_enemy_bar(ground, unit, border, there, slipping) if there in ground.enemy else None)
    )


def extracts(ground: Ground, unit: Mover, here: str, there: str) -> bool:
    """17.12 Whether a German unit leaves a contested area for another, or for enemy ground, by the Tactical Extraction:
    not bringing on a combat, and not away from Messina.

    RULING: it covers the first border of the move; from enemy ground the unit may go on as 5.34 has it.
    """
    if not (unit.slips and unit.leaving) or ground.quiet(there) or (there in ground.enemy and there not in ground.held):
        return False
    return ground.from_messina[there] <= ground.from_messina[here]


def _boundary_bar(ground: Ground, unit: Mover, there: str) -> Bar | None:
    """14.41, 14.43 Army boundaries."""
    if unit.astray:
        return None if ground.quiet(there) else ASTRAY
    if there in unit.allowed:
        return None
    return BOUNDARY if boundaries.releasable(ground.state, unit.block, there) else FORBIDDEN


def _border_bar(ground: Ground, unit: Mover, border: Border, there: str, start: bool) -> Bar | None:
    """5.32, 14.1 Mountains and blown bridges.

    RULING: what takes the whole allowance can only be crossed from the starting point (Ex. 6D).
    """
    if border.restricted and not etna_road(ground, border, there):
        if unit.armor:
            return MOUNTAINS
        if not start:
            return MOUNTAINS_LATER
    if border.id in ground.blown:
        if unit.mode == EXPLOITATION:
            return BRIDGE_EXPLOIT
        if not start:
            return BRIDGE_DOWN
    return None


def _enemy_bar(ground: Ground, unit: Mover, border: Border, there: str, slipping: bool) -> Bar | None:
    """5.35c, 15.1 What keeps a unit out of an area where the enemy stands."""
    if unit.bonus:
        return MOTORIZED
    if border.river and border.id in ground.state.crossed:
        return RIVER_TAKEN
    return None if slipping else _hostile_bar(ground, unit, there)


def _hostile_bar(ground: Ground, unit: Mover, there: str) -> Bar | None:
    """5.34, 7.2, 9.33d, 15.3a Who may not go where the enemy stands, whatever the border.

    RULING: a disordered unit may not bring on a combat, which would be mandatory (6.0) and in which it could not
    attack (9.33d); it may join units that stand there.
    """
    if unit.green:
        return GREEN
    if unit.leaving:
        return LEFT
    if there in ground.held:
        return None
    if unit.shaken:
        return SHAKEN
    return NOT_NEW if unit.mode == REACTION else None


def bar_of_place(ground: Ground, unit: Mover, there: str) -> Bar | None:
    """What keeps the unit out of an area from wherever it comes."""
    return _boundary_bar(ground, unit, there) or (_hostile_bar(ground, unit, there) if there in ground.enemy else None)


def full(ground: Ground, unit: Mover, there: str) -> bool:
    """5.1 Whether the unit could not end its movement there."""
    standing = ground.own.get(there, 0) - (ground.state.blocks[unit.block].area == there)
    return standing >= board.STACKING_LIMIT
