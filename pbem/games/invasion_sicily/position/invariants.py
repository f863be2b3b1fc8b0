"""What must be true after every event; the fuzzer asks after each one."""

from __future__ import annotations

from pbem.games.invasion_sicily.position.data import BOXES, CUP, ELIMINATED, RESERVED, SIDES
from pbem.games.invasion_sicily.position.state import State


def check(state: State) -> list[str]:
    """Broken invariants in words; empty for a sound state."""
    return [*_units(state), *_cards(state), *_hexes(state), *_markers(state)]


def _units(state: State) -> list[str]:
    data, wrong = state.data, []
    places = {*data.hexes, *BOXES, ELIMINATED, RESERVED, CUP}
    for u in state.units.values():
        if u.place not in places:
            wrong.append(f"{u.id} is at {u.place!r}, which is no place")
        if u.reduced and state.type(u.id).steps < 2:
            wrong.append(f"{u.id} is reduced and has one step only")
        found = data.hexes.get(u.place)
        if found is not None and found.land == bool(u.target):
            wrong.append(f"{u.id} is at {u.place} with the landing target {u.target!r}")
        if len(dict.fromkeys(u.marks)) != len(u.marks):
            wrong.append(f"{u.id} bears a marker twice")
    return wrong


def _cards(state: State) -> list[str]:
    cards = [u.card for u in state.units.values() if u.card and state.data.units[u.id].type == "coast-piece"]
    return ["a coast defence counter was drawn twice"] if len(cards) != len(dict.fromkeys(cards)) else []


def _hexes(state: State) -> list[str]:
    owners: dict[str, list[str]] = {}
    for u in state.units.values():
        if u.place in state.data.hexes and not u.target:
            owners.setdefault(u.place, []).append(state.data.units[u.id].side)
    return [f"both sides stand in {h}" for h, sides in owners.items() if len(dict.fromkeys(sides)) > 1]


def _markers(state: State) -> list[str]:
    data = state.data
    wrong = [f"{side} has {state.air[side]} air points" for side in SIDES if state.air[side] < 0]
    wrong += [f"{side} has {state.rp[side]} replacement points" for side in SIDES if state.rp[side] < 0]
    if state.naval < 0:
        wrong.append(f"there are {state.naval} naval points")
    wrong += [f"hex {h} is held by {s!r}" for h, s in state.control.items() if s not in SIDES or h not in data.hexes]
    wrong += [f"a strongpoint is in {h}, which is no land" for h in state.strongpoints if not data.hexes[h].land]
    wrong += [f"{h} has demolition and no port" for h in state.demolition if not data.hexes[h].port]
    for target, units in state.attacks.items():
        wrong += [f"{u} attacks {target} from {state.units[u].place}" for u in units
                  if state.units[u].place not in data.hexes or target not in data.map.near(state.units[u].place)]
    return wrong
