"""9.6 Retreats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, ITALY, other
from pbem.games.invasion_sicily.position.state import DISRUPTED, RETREATED, State
from pbem.games.invasion_sicily.rules import control, evacuation, stacking, zones
from pbem.games.invasion_sicily.rules.phases import Flow, ask, er_check, lose_step
from pbem.games.invasion_sicily.rules.terrain import closed
from pbem.kit.retreat import ways
from pbem.kit.search import Bar

Path = tuple[str, ...]


@dataclass
class Escape:
    """How units can get away: ``paths`` of the best kind there is; ``special``: they lead through one vacant hex in an enemy
    zone (9.6.9)."""

    paths: list[Path]
    special: bool


def _passes(state: State, units: Sequence[str], path: Path, there: str, enemy: dict[str, list[str]]) -> Bar[str] | None:
    """9.6.1 What bars the next step of a retreat."""
    if there not in state.data.hexes:
        return Bar(there, f"{there} is off the map", "9.6.1")
    if there in enemy:
        return Bar(there, f"the enemy stands in {there}", "9.6.1")
    bars = (closed(state.data, state.type(u), path[-1], there) for u in units)
    return next((b for b in bars if b is not None), None)


def _vacant_zones(state: State, side: str, path: Path) -> int:
    """9.6.3, 9.6.8, 9.6.9 Vacant hexes in enemy zones on a way; one's own units in a hex keep the zone off."""
    zone, own = zones.of(state, other(side)), board.by_hex(state, side)
    return sum(1 for h in path[1:] if h in zone and h not in own)


def _all_paths(state: State, units: Sequence[str], start: str, n: int) -> list[Path]:
    side = board.side_of(state, units[0])
    enemy = board.by_hex(state, other(side))
    found = ways(
        state.data.map.near, start, n, lambda path, there: _passes(state, units, path, there, enemy), lambda path: 0,
        lambda place: state.data.map.distance(place, start),
    )
    return [path for _, path in found.ways]


def free_paths(state: State, units: Sequence[str], start: str, n: int) -> list[Path]:
    """Ways of exactly ``n`` hexes that touch no vacant hex in an enemy zone."""
    side = board.side_of(state, units[0])
    return [p for p in _all_paths(state, units, start, n) if not _vacant_zones(state, side, p)]


def room_for(state: State, side: str, hex_: str, units: Sequence[str]) -> bool:
    """9.6.2 Whether units may end in a hex."""
    return stacking.fits(state, side, hex_, units)


def escape(state: State, units: Sequence[str], n: int) -> Escape:
    """9.6.5, 9.6.8, 9.6.9 The ways that units may take, all together: free ones first, those to a place in supply before
    others; if there are none, two hexes through one vacant hex in an enemy zone, but not for artillery.

    RULING: the vacant hex in an enemy zone may be the first or the second of the two.
    """
    side, start = board.side_of(state, units[0]), state.units[units[0]].place
    free = [p for p in free_paths(state, units, start, n) if room_for(state, side, p[-1], units)]
    if free:
        return Escape(_supplied(state, units, free), False)
    if side == AXIS and state.data.calabria and state.data.hexes[start].edge:
        return Escape([(start, ITALY)], False)
    if any(barred_from_special(state, u) for u in units):
        return Escape([], False)
    special = [
        p for p in _all_paths(state, units, start, 2)
        if _vacant_zones(state, side, p) == 1 and room_for(state, side, p[-1], units)
    ]
    return Escape(_supplied(state, units, special), bool(special))


def barred_from_special(state: State, unit: str) -> bool:
    """9.6.9b Artillery, but for Allied armored artillery."""
    kind = state.type(unit)
    return kind.gun and not (kind.type == "armored-artillery" and kind.side == ALLIED)


def _supplied(state: State, units: Sequence[str], paths: list[Path]) -> list[Path]:
    """9.6.5 Only where no place in supply can be reached may a retreat end out of supply."""
    from pbem.games.invasion_sicily.rules import tracing

    side = board.side_of(state, units[0])
    lines = tracing.Lines(state, side)
    found: dict[str, bool] = {}
    for hex_, beach, _ in tracing.sources(state, side).values():
        found |= dict.fromkeys(tracing.covered(lines, hex_, beach, False), True)
    good = [p for p in paths if p[-1] in found]
    return good or paths


def retreat(ctx: Ctx, side: str, start: str, units: Sequence[str], n: int, target: str) -> Flow:
    """9.6, 6.3.1 The owner takes units out of a hex, as a stack or one by one.

    Units without a way are eliminated; Allied ones may leave by sea (9.6.6), Beach and Port units must.
    """
    yield from _combat_units(ctx, side, start, [u for u in units if not board.logistic(ctx.state, u)], n, target)
    for unit in [u for u in units if board.logistic(ctx.state, u)]:
        evacuation.evacuate(ctx, unit, "9.6.6")


def _combat_units(ctx: Ctx, side: str, start: str, units: Sequence[str], n: int, target: str) -> Flow:
    left = _immobile(ctx, list(units))
    while left:
        state = ctx.state
        options = list(_options(state, left, n))
        if not options:
            yield from _without_guns(ctx, side, left, n, target)
            return
        answer = yield from ask(
            ctx, side, "retreat", "9.6", options, options[0].key, where=target,
            facts={"hexes": n, "units": len(left), "from": start},
        )
        going = list(answer["units"])
        left = [u for u in left if u not in going]
        if answer.option.data.get("sea"):
            for unit in going:
                evacuation.evacuate(ctx, unit, "9.6.6")
        else:
            leave(ctx, going, tuple(answer["path"]), bool(answer["special"]))


def _immobile(ctx: Ctx, units: list[str]) -> list[str]:
    """14.1.6 Coast defence units without a movement allowance are eliminated if they must retreat."""
    stuck = [u for u in units if ctx.state.data.units[u].type == "coast-piece" and ctx.state.type(u).ma == 0]
    for unit in stuck:
        ctx.emit(e.Eliminated(unit, "14.1.6"))
    return [u for u in units if u not in stuck]


def _options(state: State, left: Sequence[str], n: int) -> Iterator[Option]:
    """The whole stack by every way, then each unit by every way; and by sea where that is possible."""
    groups = [list(left), *([u] for u in left if len(left) > 1)]
    for group in groups:
        found = escape(state, group, n)
        who = "" if group == list(left) else f"{group[0]} "
        for path in found.paths:
            data = {"units": group, "path": list(path), "special": found.special}
            yield Option(f"retreat {who}to {' '.join(path[1:])}", data=data, tags=("land",))
        if all(not evacuation.why_not(state, u) for u in group):
            yield Option(f"evacuate {who}".strip(), "by sea", data={"units": group, "sea": True}, tags=("sea",))


def _without_guns(ctx: Ctx, side: str, left: list[str], n: int, target: str) -> Flow:
    """9.6.9b The guns may be given up so that the others get away; whoever has no way is eliminated."""
    state = ctx.state
    guns = [u for u in left if barred_from_special(state, u)]
    rest = [u for u in left if u not in guns]
    if guns and rest and escape(state, rest, n).paths:
        for unit in guns:
            ctx.emit(e.Eliminated(unit, "9.6.9"))
        yield from retreat(ctx, side, state.units[rest[0]].place, rest, n, target)
        return
    for unit in left:
        ctx.emit(e.Eliminated(unit, "9.6.9" if _all_paths(state, [unit], state.units[unit].place, n) else "9.6"))


def leave(ctx: Ctx, units: Sequence[str], path: Path, special: bool) -> None:
    """9.6.4, 9.6.9 Units go a way; through an enemy zone the lead unit makes a check, and failing it loses a step.

    RULING: of a stack in a special retreat the unit with the best rating leads.
    """
    state = ctx.state
    for unit in units:
        go(ctx, unit, path, "retreat", "9.6")
    if not special:
        return
    lead = max(units, key=lambda u: (board.er(state, u), u))
    disrupted = any(state.units[u].has(DISRUPTED) for u in units)
    mods = [("a disrupted unit", state.data.modifiers["special-retreat-disrupted"])] if disrupted else []
    if not er_check(ctx, lead, f"{lead} retreats through an enemy zone", "9.6.9", mods):
        lose_step(ctx, lead, "9.6.9")


def go(ctx: Ctx, unit: str, path: Path, mode: str, rule: str) -> None:
    """One unit goes; into a hex that is still to be attacked it brings no strength (9.6.4)."""
    state = ctx.state
    ctx.emit(e.Moved(unit, path, mode, 0, rule))
    control.passed(ctx, board.side_of(state, unit), path[1:])
    if path[-1] in state.attacks:
        ctx.emit(e.Marked(unit, RETREATED, True, "9.6.4"))
