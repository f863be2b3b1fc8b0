"""7.1 Where a unit can go: what a step costs it, what bars it, and all that it can reach in an operation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.games.italian_campaign.position import board, zones
from pbem.games.italian_campaign.position.data import AXIS, MANEUVER, Operation, other
from pbem.games.italian_campaign.position.state import DISRUPTED, State
from pbem.games.italian_campaign.position.zones import CONTESTED, ENEMY, FRIENDLY, OPEN
from pbem.kit.search import Bar, Reach, Step, cheapest

MARCH = ("main", "minor", "trail")


@dataclass(frozen=True)
class Mover:
    """A unit about to move.  ``start``: the hex it starts in, or lands on from its beach box; ``ashore``: False while it is in a
    beach box; ``points``: movement points, or hexes in an assault (6.33); ``march``: 5.46 a road march."""

    unit: str
    side: str
    mobile: bool
    start: str
    ashore: bool
    points: int
    in_hexes: bool
    march: bool
    exit: str
    enter: str
    penetrate: str
    tr: int


def allowance(state: State, unit: str) -> int:
    """2.17, 2.26, 6.54, 8.54 The full movement points of a unit as it is now."""
    kind = state.type(unit)
    points = state.data.limits["isolated"] if board.isolated(state, unit) else kind.ma
    if kind.headquarters and state.units[unit].has(DISRUPTED):
        points = max(0, points - 2)
    return points


def mover(state: State, unit: str, op: Operation, corps: str = "") -> Mover:
    """6.33 How a unit may move in an operation."""
    kind, full = state.type(unit), allowance(state, unit)
    march = bool(corps) and op.id == MANEUVER
    if op.move == "hexes":
        points = 2 if kind.mobile else 1
    elif op.move == "half":
        points = full // 2
    elif op.move == "full":
        points = full + full // 2 if march else full
    else:
        points = 0
    u = state.units[unit]
    ashore = u.place in state.data.board.hexes
    return Mover(
        unit, kind.side, kind.mobile, u.place if ashore else u.target, ashore, points, op.move == "hexes",
        march, op.exit, op.enter, op.penetrate, board.tactical(state, unit),
    )


def free(state: State, unit: str, points: int, penetrate: str = "none", enter: str = "all", exit_: str = "all") -> Mover:
    """A move outside operations: reaction (10.8), bonus (9.5), reinforcement (9.32)."""
    kind, u = state.type(unit), state.units[unit]
    ashore = u.place in state.data.board.hexes
    start = u.place if ashore else u.target
    tr = board.tactical(state, unit)
    return Mover(unit, kind.side, kind.mobile, start, ashore, points, False, False, exit_, enter, penetrate, tr)


def reach(state: State, m: Mover) -> Reach[str]:
    """All hexes that the unit can move to, and what they cost; stacking is not looked at.

    1.1 The first hex may always be entered, whatever the movement points.
    """
    def steps(here: str) -> Iterator[Step[str] | Bar[str]]:
        for there in state.data.board.near(here):
            step = take(state, m, here, there)
            if isinstance(step, Step) and here == m.start and step.cost > m.points > 0:
                step = step._replace(cost=m.points)
            yield step

    if not m.points:
        return Reach({m.start: 0})
    if not m.ashore:
        return _landing(state, m)
    return cheapest([m.start], steps, m.points)


def _landing(state: State, m: Mover) -> Reach[str]:
    """10.83 From its beach box a unit goes ashore, and no further in this operation."""
    bar = closed(state, m, m.start)
    if bar is not None:
        return Reach({}, {m.start: bar})
    return cheapest([m.start], lambda here: [], 0)


def destinations(state: State, m: Mover, found: Reach[str]) -> list[str]:
    """7.2 Where it may end its move, nearest first."""
    return [h for h in found if (h != m.start or not m.ashore) and board.room(state, h, m.unit)]


def take(state: State, m: Mover, here: str, there: str) -> Step[str] | Bar[str]:
    """7.1 One step, or what bars it."""
    bar = closed(state, m, there)
    if bar is None and not state.data.board.by_land(here, there):
        bar = Bar(there, f"the sea lies between {here} and {there}", "7.1")
    if bar is None:
        bar = zone_bar(state, m, here, there)
    if bar is not None:
        return bar
    cost = step_cost(state, m, here, there)
    if not cost:
        return Bar(there, f"{there} is prohibited terrain", "7.1")
    return Step(there, cost, m.march and not state.data.board.on(there, "road"))


def closed(state: State, m: Mover, there: str) -> Bar[str] | None:
    """7.331, 6.38, 8.62 What keeps a unit out of a hex from wherever it comes."""
    if not state.data.board.hexes[there].land:
        return Bar(there, f"{there} is sea", "7.1")
    if there in board.held(state, other(m.side)):
        return Bar(there, f"the enemy stands at {board.place_name(state, there)}", "7.331")
    if there in state.delays and m.side != AXIS:
        return Bar(there, f"a delay marker stands at {there}", "6.38")
    if state.breakthroughs.get(there, m.side) != m.side and m.tr <= zones.strength(state, other(m.side), there):
        return Bar(there, f"{there} is the enemy's breakthrough hex, and his zones are as strong as the unit", "8.62")
    return None


def zone_bar(state: State, m: Mover, here: str, there: str) -> Bar[str] | None:
    """7.35, 7.36 What the operation forbids: to leave, enter or penetrate enemy zones.

    RULING: a unit on the move does not count for the zones of the hexes it passes, only for that of the hex it starts in.
    RULING: from an enemy controlled hex into a contested one is penetration too; the text names neither way.
    """
    source = zones.zone(state, m.side, here, "" if here == m.start and m.ashore else m.unit)
    goal = zones.zone(state, m.side, there, m.unit)
    was_free, is_free = source.status in (OPEN, FRIENDLY), goal.status in (OPEN, FRIENDLY)
    if is_free:
        if not was_free and not _allows(state, m.exit, source):
            return Bar(here, f"this operation may not leave an enemy zone, as that at {here}", "6.351")
        return None
    if was_free:
        if not _allows(state, m.enter, goal):
            return Bar(there, f"this operation may not enter the enemy zone at {there}", "6.352")
        return None
    if source.status == goal.status == ENEMY:
        return Bar(there, f"from one enemy controlled hex, {here}, to the next, {there}, nobody may move", "7.36")
    if not _allows(state, m.penetrate, goal):
        return Bar(there, f"this operation may not penetrate the enemy zone at {there}", "6.353")
    return None


def _allows(state: State, permit: str, zone: zones.Zone) -> bool:
    """6.35 'all', 'weak' or 'none'."""
    return permit == "all" or (permit == "weak" and not zones.strong(state, zone))


def step_cost(state: State, m: Mover, here: str, there: str) -> int:
    """7.1, 6.33 What a step costs: by road its price, else that of the hex and the hexside; in an assault a hex, or two for a
    mobile unit that enters a code of 2 or more.  0: prohibited."""
    data = state.data
    ground = data.board.hexes[there]
    built = ground.get("built") == "city"
    plain = data.terrain["city" if built else ground.terrain].cost(m.mobile)
    if m.in_hexes:
        if not plain:
            return 0
        return 2 if m.mobile and data.code(there) >= 2 else 1
    road = data.board.across(here, there, "road")
    price = data.terrain[road].cost(m.mobile) if road else 0
    sides = sum(data.terrain[f].cost(m.mobile) for f in ("river", "ridge") if data.board.across(here, there, f))
    overland = plain + sides if plain else 0
    if not price:
        return overland
    return min(price, overland) if overland else price


def contested(state: State, side: str, hex_: str) -> bool:
    """7.33 Whether the enemy's zone is in effect in a hex."""
    return zones.zone(state, side, hex_).status in (CONTESTED, ENEMY)
