"""4.3 Engineering functions, and what 14.5 adds to them.

Every function has one judge (``why_not_…``), used for the options and for the words of a refusal alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import army_zones, conquests, special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.conquests import MESSINA_PORT
from pbem.games.fab_sicily.position.data import ALLIED, AXIS
from pbem.games.fab_sicily.position.state import State

PORT_ARMY = {"P1": "8", "P2": "8", "P3": "7", MESSINA_PORT: "6"}
"""14.23 The army that each port box serves."""

WORST_DAMAGE = 2
"""14.51 Levels of damage that a port can suffer."""


def options(state: State, side: str, ports_done: list[str]) -> Iterator[Option]:
    """Everything the side's engineers can do; ``ports_done``: ports dealt with in this phase (14.51)."""
    for chit in board.available(state, side, "engineer"):
        yield from _bridges(state, side, chit.id)
        yield from _in_areas(state, side, chit.id)
        yield from _ports(state, side, chit.id, ports_done)


# -- what all functions need -------------------------------------------------------------------------


def _why_not_chit(state: State, side: str, chit: str, area: str, rule: str) -> Refusal | None:
    """4.3, 14.31 Engineers in the Available Box whose army may act there."""
    if not army_zones.influences(state, chit, area):
        place = board.place_name(state.data, area)
        reason = f"{place} is outside the zone of {chit}'s army, and no unit of it is there: use engineers of that zone"
        return Refusal(reason, "14.31")
    return special.missing(state, side, chit, ("engineer",), "an engineer asset", rule)


def _why_not_held(state: State, side: str, area: str, rule: str) -> Refusal | None:
    """A supplied, friendly-controlled area (9.34d)."""
    place = board.place_name(state.data, area)
    if not board.controls(state, side, area):
        return Refusal(f"you do not control {place}: work from an area that you control", rule)
    if not board.area_supplied(state, side, area):
        return Refusal(f"{place} is unsupplied, and no engineers may work there: open a supply path first", "9.34d")
    return None


def _why_not_quiet(state: State, side: str, area: str, rule: str) -> Refusal | None:
    """A supplied, friendly-controlled, uncontested area."""
    if board.contested(state, area):
        return Refusal(f"{board.place_name(state.data, area)} is contested: work from an area without enemies", rule)
    return _why_not_held(state, side, area, rule)


# -- 4.31, 4.32: bridges ------------------------------------------------------------------------------


def _bridges(state: State, side: str, chit: str) -> Iterator[Option]:
    for area in _held(state, side):
        rivers = _rivers(state, area)
        groups = [[b] for b in rivers] + [list(pair) for pair in combinations(rivers, 2)]
        yield from (_blow_option(area, group, chit) for group in groups if not why_not_blow(state, side, group, area, chit))
        yield from (_repair_option(area, b, chit) for b in rivers if not why_not_repair(state, side, b, area, chit))


def _held(state: State, side: str) -> list[str]:
    """The areas from which engineers can work at all (see :func:`_why_not_held`)."""
    return [a for a in state.data.areas if board.area_supplied(state, side, a)]


def _rivers(state: State, area: str) -> list[str]:
    borders = [state.data.border(area, n) for n in board.neighbours(state, area)]
    return [b.id for b in borders if b.river]


def _blow_option(area: str, borders: list[str], chit: str) -> Option:
    names = " ".join(borders)
    data = {"do": "blow", "borders": borders, "area": area, "chit": chit}
    return Option(f"blow {names} from {area} with {chit}", f"blow up {names}", ("blow",), data)


def _repair_option(area: str, border: str, chit: str) -> Option:
    data = {"do": "repair", "borders": [border], "area": area, "chit": chit}
    return Option(f"repair {border} from {area} with {chit}", f"repair {border}", ("repair",), data)


def why_not_blow(state: State, side: str, borders: list[str], area: str, chit: str) -> Refusal | None:
    """4.31 Why these bridges (one or two) may not be blown up from ``area``, or None."""
    if len(borders) > 2 or len(set(borders)) < len(borders):
        return Refusal("one engineer asset blows up one or two different bridges", "4.31")
    for border in borders:
        if border not in _rivers(state, area):
            return Refusal(f"{border} is no river boundary of {board.place_name(state.data, area)}", "4.31")
        if border in state.blown:
            return Refusal(f"the bridge {border} is already blown", "4.31")
    return _why_not_quiet(state, side, area, "4.31") or _why_not_chit(state, side, chit, area, "4.31")


def why_not_repair(state: State, side: str, border: str, area: str, chit: str) -> Refusal | None:
    """4.32 Why this bridge may not be repaired from ``area``, or None."""
    if border not in _rivers(state, area):
        return Refusal(f"{border} is no river boundary of {board.place_name(state.data, area)}", "4.32")
    if border not in state.blown:
        return Refusal(f"the bridge {border} is not blown", "4.32")
    crossing = state.data.borders[border]
    far = crossing.b if crossing.a == area else crossing.a
    if not board.controls(state, side, far) and not board.contested(state, far):
        return Refusal(f"you must control or at least contest {board.place_name(state.data, far)} beyond the bridge", "4.32")
    return _why_not_quiet(state, side, area, "4.32") or _why_not_chit(state, side, chit, area, "4.32")


def blow(ctx: Ctx, side: str, borders: list[str], chit: str) -> None:
    """4.31 Blow up Bridge(s)."""
    for border in borders:
        ctx.emit(e.BridgeBlown(border, True, side, "4.31"))
    special.spend(ctx, chit, "4.31")


def repair(ctx: Ctx, side: str, borders: list[str], chit: str) -> None:
    """4.32 Repair a Bridge."""
    ctx.emit(e.BridgeBlown(borders[0], False, side, "4.32"))
    special.spend(ctx, chit, "4.32")


# -- 4.33 to 4.35: works and roadblocks -----------------------------------------------------------------


def _in_areas(state: State, side: str, chit: str) -> Iterator[Option]:
    judges = {"works": why_not_works, "roadblock": why_not_roadblock, "defend": why_not_defend}
    words = {"works": "build field works at", "roadblock": "set a roadblock at", "defend": "defend a roadblock at"}
    held = _held(state, side)
    yield from (
        Option(
            f"{verb} {area} with {chit}", f"{words[verb]} {board.place_name(state.data, area)}", (verb,),
            {"do": verb, "area": area, "chit": chit},
        )
        for verb, why_not in judges.items() for area in held if not why_not(state, side, area, chit)
    )


def why_not_works(state: State, side: str, area: str, chit: str) -> Refusal | None:
    """4.33, 14.53 Why field works may not be built there, or None."""
    place = board.place_name(state.data, area)
    if area in state.works:
        return Refusal(f"{place} already has field works", "4.33")
    army = state.data.chits[chit].army
    if not any(army in ("", board.army(state, b.id)) for b in board.in_area(state, area, side)):
        return Refusal(f"no unit of {chit}'s army is at {place}: field works need one", "4.33")
    return _why_not_quiet(state, side, area, "4.33") or _why_not_chit(state, side, chit, area, "4.33")


def why_not_roadblock(state: State, side: str, area: str, chit: str, rule: str = "4.34") -> Refusal | None:
    """4.34 Why no roadblock may be set there, or None."""
    place = board.place_name(state.data, area)
    if state.data.areas[area].tdn < 1:
        return Refusal(f"the ground at {place} is too open (Terrain Difficulty Number 0)", rule)
    if not board.vacant(state, area):
        return Refusal(f"{place} is not vacant: choose an area without units", rule)
    if area in state.roadblocks:
        return Refusal(f"{place} already has a roadblock", rule)
    return _why_not_held(state, side, area, rule) or _why_not_chit(state, side, chit, area, rule)


def why_not_defend(state: State, side: str, area: str, chit: str) -> Refusal | None:
    """4.35 Why no defended roadblock may be set there, or None."""
    return why_not_roadblock(state, side, area, chit, "4.35")


def works(ctx: Ctx, side: str, area: str, chit: str) -> None:
    """4.33 Construct Field Works."""
    ctx.emit(e.Works(area, side, True, "4.33"))
    special.spend(ctx, chit, "4.33")


def roadblock(ctx: Ctx, side: str, area: str, chit: str) -> None:
    """4.34 Construct a Roadblock."""
    ctx.emit(e.Roadblock(area, side, True, "4.34"))
    special.spend(ctx, chit, "4.34")


def defend(ctx: Ctx, side: str, area: str, chit: str) -> None:
    """4.35 Create a Defended Roadblock: the engineers themselves stand there."""
    ctx.emit(e.ChitMoved(chit, "map", area, "roadblock", "4.35"))


# -- 14.51: ports -----------------------------------------------------------------------------------


def _ports(state: State, side: str, chit: str, ports_done: list[str]) -> list[Option]:
    verb, words = ("mend", "repair") if side == ALLIED else ("damage", "damage")
    return [
        Option(
            f"{verb} {port} with {chit}", f"{words} the port {port} by one level", (verb,),
            {"do": verb, "port": port, "chit": chit},
        )
        for port in state.data.ports if not why_not_port(state, side, verb, port, chit, ports_done)
    ]


def why_not_port(state: State, side: str, verb: str, port: str, chit: str, ports_done: list[str]) -> Refusal | None:
    """14.51 Why a port may not be damaged (Axis) or mended (Allies), or None."""
    if (verb == "mend") != (side == ALLIED):
        return Refusal("only the Axis damages ports, and only the Allies mend them", "14.51")
    if port == MESSINA_PORT:
        return Refusal("Messina may not be damaged", "14.51")
    if port in ports_done:
        return Refusal(f"port {port} has changed by one level in this Admin Phase already: go on in the next", "14.51")
    level, limit = state.port_damage.get(port, 0), WORST_DAMAGE if side == AXIS else 0
    if level == limit:
        return Refusal(f"port {port} " + ("has the most damage it can have" if side == AXIS else "is undamaged"), "14.51")
    area = state.data.ports[port]
    return (
        _why_not_held(state, side, area, "14.51")
        or (_why_not_garrisoned(state, port, area) if side == ALLIED else None)
        or _why_not_chit(state, side, chit, area, "14.51")
    )


def _why_not_garrisoned(state: State, port: str, area: str) -> Refusal | None:
    army = PORT_ARMY[port]
    if army in board.armies(state, board.in_area(state, area, ALLIED)):
        return None
    nation = "a British" if army == "8" else "an American"
    return Refusal(f"{nation} unit must be at {board.place_name(state.data, area)} to mend its port", "14.51")


def change_port(ctx: Ctx, side: str, port: str, chit: str) -> None:
    """14.51 Damage (Axis) or repair (Allies) a port by one level."""
    level = ctx.state.port_damage.get(port, 0) + (1 if side == AXIS else -1)
    ctx.emit(e.PortDamaged(port, level, "14.51"))
    special.spend(ctx, chit, "14.51")
    conquests.note(ctx)
