"""What can be read off the position: who stands where, and what units are worth now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.games.invasion_sicily.position.data import ALLIED, Hex, other
from pbem.games.invasion_sicily.position.state import DISRUPTED, UNSUPPLIED, State, Unit


def side_of(state: State, unit: str) -> str:
    """Whose a unit is."""
    return state.data.units[unit].side


def on_map(state: State, unit: Unit) -> bool:
    """Whether it stands on a land hex."""
    found = state.data.hexes.get(unit.place)
    return found is not None and found.land


def at_sea(state: State, unit: Unit) -> bool:
    """13.2.1 Whether it stands on an invasion hex (or a commando before a coast)."""
    return bool(unit.target)


def in_play(state: State, side: str) -> Iterator[Unit]:
    """The units of a side that stand on land hexes."""
    for unit in state.units.values():
        if state.data.units[unit.id].side == side and on_map(state, unit):
            yield unit


def by_hex(state: State, side: str) -> dict[str, list[str]]:
    """The units of a side by the land hex they stand on."""
    found: dict[str, list[str]] = {}
    for unit in in_play(state, side):
        found.setdefault(unit.place, []).append(unit.id)
    return found


def at(state: State, place: str, side: str = "") -> list[str]:
    """7.6, 7.6.1, 7.6.2, 7.7 The units (of a side) in a hex or box; boxes hold any number."""
    return [u.id for u in state.units.values() if u.place == place and side in ("", side_of(state, u.id))]


def hex_of(state: State, unit: str) -> Hex:
    """The hex where a unit stands."""
    return state.data.hexes[state.units[unit].place]


def tried(state: State, unit: str) -> bool:
    """14.1, 15.3 Whether its values are known."""
    return bool(state.units[unit].card) or state.data.units[unit].type not in ("coast-piece", "ersatz-piece")


def steps(state: State, unit: str) -> int:
    """3.8 Steps left."""
    return 1 if state.units[unit].reduced else state.type(unit).steps


def attack(state: State, unit: str) -> int:
    """Attack strength as printed on the side that is up."""
    kind = state.type(unit)
    return kind.attack2 if state.units[unit].reduced else kind.attack


def defence(state: State, unit: str) -> int:
    """Defence strength as printed on the side that is up."""
    kind = state.type(unit)
    return kind.defence2 if state.units[unit].reduced else kind.defence


def support(state: State, unit: str) -> int:
    """Support strength of a gun."""
    return state.type(unit).support


def er(state: State, unit: str) -> int:
    """3.6.1, 3.6.3, 3.6.4 The efficiency rating for all purposes; never below 0."""
    kind = state.type(unit)
    value = kind.er2 if state.units[unit].reduced else kind.er
    mods = state.data.modifiers
    if kind.nation == "Italian" and state.mussolini["fallen"]:
        value += mods["demoralized-er"]
    if kind.type == "ccnn" and state.mussolini["revival"]:
        value += mods["revival-er"]
    return max(0, value)


def combat_er(state: State, unit: str) -> int:
    """5.2.3c, 9.4 Ve, 11.3.2b7 The efficiency rating in combat: out of supply and disrupted units are worse."""
    found, mods = state.units[unit], state.data.modifiers
    value = er(state, unit)
    if found.has(UNSUPPLIED):
        value += mods["unsupplied-er"]
    if found.has(DISRUPTED):
        value += mods["disrupted-er"]
    return max(0, value)


def combat_attack(state: State, unit: str) -> int:
    """5.2.3c, 11.3.2b7 Attack strength halved for want of supply and for disruption, fractions dropped each time.

    RULING: a unit that is both is halved twice (9.4 I: halving is cumulative).
    """
    found, value = state.units[unit], attack(state, unit)
    if found.has(UNSUPPLIED):
        value //= 2
    if found.has(DISRUPTED):
        value //= 2
    return value


def stacking(state: State, units: Iterable[str]) -> int:
    """3.5.1 Stacking points."""
    return sum(state.type(u).stacking for u in units)


def beach_side(state: State, unit: str) -> bool:
    """6.1.3a Whether it is a Beach unit on its Beach side."""
    return state.data.units[unit].type == "beach" and not state.units[unit].port


def port_side(state: State, unit: str) -> bool:
    """6.1.3b Whether it acts as a Port unit."""
    kind = state.data.units[unit].type
    return kind == "port" or kind == "beach" and state.units[unit].port


def logistic(state: State, unit: str) -> bool:
    """6.1, 6.1.2 Whether it is a Beach or Port unit."""
    return state.data.units[unit].logistic


def axis_zone(state: State, hex_: str) -> bool:
    """11.4 Whether a hex lies in the Axis air superiority zone now."""
    found = state.data.hexes.get(hex_)
    return state.axis_zone and found is not None and found.zone == "axis"


def enemy_zone(state: State, side: str, hex_: str) -> bool:
    """11.4 Whether a hex lies in the enemy's zone."""
    return axis_zone(state, hex_) == (side == ALLIED)


def holds(state: State, side: str, hex_: str) -> bool:
    """3.2 Whether a side controls a hex that no enemy stands on."""
    return state.holder(hex_) == side and not at(state, hex_, other(side))


def reach(state: State, gun: str, target: str) -> bool:
    """10.1.4c Whether a gun's range covers a hex."""
    return state.data.map.distance(state.units[gun].place, target) <= state.type(gun).range


def cost(halves: int) -> str:
    """Movement points in words: '3', '2½', '½'."""
    whole, half = divmod(halves, 2)
    return f"{whole or ''}½" if half else str(whole)
