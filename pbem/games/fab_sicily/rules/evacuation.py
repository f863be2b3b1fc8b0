"""14.29 Axis units leave for Italy by way of Messina."""

from __future__ import annotations

from dataclasses import replace

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import AXIS, OFF_MAP
from pbem.games.fab_sicily.rules import costs, paths
from pbem.games.fab_sicily.rules.costs import BREAKTHROUGH, MESSINA, OPERATIONAL, Ground, Mover
from pbem.games.fab_sicily.rules.paths import Way


def way(ground: Ground, block: str, mode: str) -> Way | Refusal:
    """14.29, 22.16 The cheapest way to Italy, or why there is none.  The unit only passes Messina, so that it may be full.

    RULING: 14.29 speaks of the Movement Phase; whether reserve units may leave in the Breakthrough Movement Phase as well,
    since 7.31 has them make a normal operational move, is the switch ``breakthrough_evacuation``.
    """
    state, name = ground.state, board.unit_name(ground.state.data, block)
    if ground.side != AXIS or state.data.forced_off_map or MESSINA not in state.data.areas:
        return Refusal("only Axis units leave for Italy, and only by Messina", "14.29")
    late = mode == BREAKTHROUGH and state.data.switches.get("breakthrough_evacuation", False)
    if mode != OPERATIONAL and not late:
        return Refusal(f"{name} may leave for Italy in its Movement Phase and by strategic movement only", "14.29")
    unit = costs.mover(ground, block, mode)
    if unit.at == MESSINA:
        return Way((MESSINA, OFF_MAP), min(leaving(ground, True), unit.points))
    if MESSINA in ground.enemy:
        return Refusal("enemies stand at Messina: a unit that enters must stop there", "5.35b")
    if unit.one_area:
        return Refusal(f"{name} may move one area only: to Messina first, and from there next turn", "9.33a")
    if not state.data.mended:
        return _as_before(ground, unit)
    found = [w for w in (_by(ground, unit), _by(ground, costs.motorized(ground, unit))) if w]
    return min(found, key=lambda w: w.rank()) if found else Refusal(
        f"{name} cannot reach Messina with a movement point left for the crossing", "14.29"
    )


def _by(ground: Ground, unit: Mover | None) -> Way | None:
    """The way with one of the unit's allowances (15.1 motorized units have two)."""
    to = paths.search(ground, unit, through=MESSINA).get(MESSINA) if unit else None
    if unit is None or to is None or to.cost + leaving(ground, False) > unit.points:
        return None
    return Way((*to.path, OFF_MAP), to.cost + leaving(ground, False))


def _as_before(ground: Ground, unit: Mover) -> Way | Refusal:
    """What was possible before revision 3: not by a full Messina, and not with the motorized allowance."""
    to = paths.ways(ground, unit).get(MESSINA)
    if to is None or to.cost >= unit.points:
        return Refusal("only Axis units leave for Italy: from Messina, with a movement point to spend", "14.29")
    return Way((*to.path, OFF_MAP), to.cost + 1)


def leaving(ground: Ground, starts_there: bool) -> int:
    """14.29, 16.33, 5.34 Movement points from Messina to Italy: one, and one more to leave it under interdiction, or for
    a unit that stands there beside enemies."""
    if not ground.state.data.mended:
        return 1
    return 1 + (MESSINA in ground.interdicted) + (starts_there and MESSINA in ground.enemy)


def spent(ground: Ground, unit: Mover, path: tuple[str, ...]) -> int:
    """What a way to Italy costs a unit that takes it."""
    if len(path) == 2:
        return min(leaving(ground, True), unit.points)
    steps = paths.walk(ground, replace(unit, at=path[0]), path[:-1], passing=True)
    assert isinstance(steps, list), f"{unit.block} {path}: {steps}"
    return sum(s.cost for s in steps) + leaving(ground, False)
