"""Questions about the position: the rulebook's nouns as functions.  Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.italian_campaign.position.data import (
    ALLIED, ARMY, ASSET, AXIS, CORPS, DEAD, EXITED, HQ, POINTS, RESERVE, TO_COME, UNIT, Face, other,
)
from pbem.games.italian_campaign.position.state import DISRUPTED, ISO, SUPPORTED, State, Unit

BEACH, STAGING = "beach:", "staging:"


def side_of(state: State, unit: str) -> str:
    """Whose unit it is."""
    return state.data.units[unit].side


def placed(state: State) -> dict[str, list[str]]:
    """All units by the place where they are, in the order of the counters."""
    def make() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for unit in state.units.values():
            found.setdefault(unit.place, []).append(unit.id)
        return found

    return state.kept("placed", make)


def at(state: State, place: str, side: str = "") -> list[str]:
    """The units in a place (of one side)."""
    return [u for u in placed(state).get(place, ()) if side in ("", state.data.units[u].side)]


def on_map(state: State, unit: str) -> bool:
    """Whether it stands in a hex."""
    return state.units[unit].place in state.data.board.hexes


def in_play(state: State, unit: str) -> bool:
    """Whether it has come and is not gone."""
    return state.units[unit].place not in (TO_COME, DEAD, EXITED)


def held(state: State, side: str) -> frozenset[str]:
    """The hexes where a side's units stand."""
    def make() -> frozenset[str]:
        hexes = state.data.board.hexes
        return frozenset(u.place for u in state.units.values() if u.place in hexes and side_of(state, u.id) == side)

    return state.kept(f"held {side}", make)


def face(state: State, unit: str) -> Face:
    """2.1, 2.2, 5.4 The side of the counter that is up."""
    u, kind = state.units[unit], state.type(unit)
    if kind.kind in (CORPS, ARMY):
        return kind.front if u.has(SUPPORTED) else kind.back
    if kind.kind == HQ:
        return kind.back if u.fatigue or u.has(DISRUPTED) else kind.front
    return kind.back if u.has(DISRUPTED) else kind.front


def offence(state: State, hq: str) -> int:
    """2.27, 8.56 An HQ's offensive rating as it is now."""
    return max(0, face(state, hq).offence - state.units[hq].steps)


def defence(state: State, hq: str) -> int:
    """2.28, 8.56 An HQ's defensive rating as it is now; 5.48 that of a corps HQ."""
    return max(0, face(state, hq).defence - state.units[hq].steps)


def asset_rating(state: State, unit: str) -> int:
    """2.18, 8.56 Asset/Morale rating: each step lost takes two."""
    return max(0, face(state, unit).asset - 2 * state.units[unit].steps)


def parent(state: State, unit: str) -> str:
    """2.2 The division HQ of a unit; '' for assets, corps and armies, and for units whose HQ is gone."""
    kind = state.type(unit)
    if kind.kind == HQ:
        return unit
    if kind.kind != UNIT or not in_play(state, kind.formation):
        return ""
    return kind.formation


def by_asset_rating(state: State, unit: str) -> bool:
    """8.24, errata Whether a unit fights by its Asset/Morale rating: assets, and units without their HQ that have one."""
    if state.type(unit).kind == ASSET:
        return True
    return bool(state.type(unit).front.asset) and not at_hand(state, unit)


def at_hand(state: State, unit: str) -> bool:
    """5.21 Whether a unit is within the command radius of its own HQ as it stands now."""
    hq = parent(state, unit)
    if not hq or not on_map(state, hq):
        return False
    return on_map(state, unit) and distance(state, unit, hq) <= radius(state, unit)


def distance(state: State, a: str, b: str) -> int:
    """Hexes between two units; a unit in a beach box counts as one hex behind the coast (5.21)."""
    ends = []
    extra = 0
    for unit in (a, b):
        u = state.units[unit]
        if u.place in state.data.board.hexes:
            ends.append(u.place)
        elif u.target:
            ends.append(u.target)
            extra += 1
        else:
            return 99
    return state.data.board.distance(*ends) + extra


def radius(state: State, unit: str) -> int:
    """5.21 Command control radius: two hexes for leg units, three for mobile ones."""
    return state.data.limits["command_mobile" if state.type(unit).mobile else "command_leg"]


def tactical(state: State, unit: str) -> int:
    """2.16, 2.25 What a unit's zone of control is made of: TR, or the artillery factors of an HQ."""
    f = face(state, unit)
    return f.tr if state.type(unit).combat else f.artillery


def steps_of(state: State, unit: str) -> int:
    """7.22 The steps lost that weigh on a unit: its own, or those of its HQ."""
    hq = parent(state, unit)
    return state.units[hq or unit].steps


def points(state: State, unit: str) -> int:
    """7.21, 7.22 Stacking points: one less for every two steps lost."""
    return max(0, POINTS[state.type(unit).cls] - steps_of(state, unit) // 2)


def stacked(state: State, hex_: str, side: str) -> int:
    """7.2 Stacking points of a side in a place."""
    return sum(points(state, u) for u in at(state, hex_, side))


def limit(state: State, hex_: str) -> int:
    """7.2, 10.91 The stacking limit of a hex; 12 on a beachhead, and in a port for those who hold it from the sea."""
    if hex_ in state.beachheads or hex_ in state.captured:
        return state.data.limits["sea_stack"]
    ground = state.data.board.hexes[hex_]
    if ground.get("built") == "city":
        return state.data.terrain["city"].stacking
    return state.data.terrain[ground.terrain].stacking


def room(state: State, hex_: str, unit: str, leaving: Iterable[str] = ()) -> bool:
    """7.2 Whether a unit may end its move in a hex."""
    gone = {unit, *leaving}
    there = sum(points(state, u) for u in at(state, hex_, side_of(state, unit)) if u not in gone)
    return there + points(state, unit) <= limit(state, hex_)


def isolated(state: State, unit: str) -> bool:
    """6.54 Whether a unit, or its HQ, is isolated."""
    hq = parent(state, unit)
    return state.units[unit].has(ISO) or bool(hq and state.units[hq].has(ISO))


def secure(state: State, hex_: str) -> bool:
    """6.5, 10.91 Whether a port or beachhead is the Allies': taken, and no Axis unit in or next to it."""
    around = (hex_, *state.data.board.near(hex_))
    return not any(h in held(state, AXIS) for h in around)


def port_value(state: State, hex_: str) -> int:
    """11.0 What a port is worth, less what was demolished."""
    return max(0, int(state.data.board.hexes[hex_].get("port_value") or 0) - state.damage.get(hex_, 0))


def landing_capacity(state: State) -> int:
    """9.4 One a beachhead, and the ports that are secured."""
    return len(state.beachheads) + ports_held(state)


def ports_held(state: State) -> int:
    """9.4 The value of the ports that are secured."""
    return sum(port_value(state, h) for h in state.captured if secure(state, h))


def sources(state: State, side: str) -> tuple[str, ...]:
    """6.5 Ultimate supply sources: beachheads, ports and the toe for the Allies; the north edge for the Axis."""
    hexes = state.data.board.hexes
    foe = held(state, other(side))
    if side == AXIS:
        return tuple(h for h, g in hexes.items() if g.get("edge") == "north" and h not in foe)
    sea = [h for h in (*state.beachheads, *state.captured) if secure(state, h)]
    return (*sea, *(h for h, g in hexes.items() if g.get("edge") == "toe" and h not in foe))


def units(state: State, side: str, *kinds: str) -> list[Unit]:
    """The side's units in play (of some kinds)."""
    return [
        u for u in state.units.values()
        if state.data.units[u.id].side == side and in_play(state, u.id) and (not kinds or state.data.units[u.id].kind in kinds)
    ]


def name(state: State, unit: str) -> str:
    """'US 36th Inf Div', '141 of US 36th Inf Div'."""
    kind = state.type(unit)
    return f"{kind.id.partition('-')[2]} of {kind.formation}" if kind.kind == UNIT else kind.name


def place_name(state: State, place: str) -> str:
    """'Naples (1122)', '2123', 'the staging area of Salerno'."""
    if place.startswith(BEACH):
        return f"beach box {place.removeprefix(BEACH)}"
    if place.startswith(STAGING):
        return f"the staging area of {place.removeprefix(STAGING)}"
    if place == RESERVE:
        return "the Floating Reserve"
    ground = state.data.board.hexes.get(place)
    town = ground.get("town") if ground else ""
    return f"{town} ({place})" if town else place


def winner_of(level: str) -> str:
    """Victory Conditions: which side a level of victory belongs to; '' for a draw."""
    return ALLIED if level.startswith("Allied") else AXIS if level.startswith("German") else ""
