"""8.1 Combat declaration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import other
from pbem.games.invasion_sicily.position.state import COMMITTED, LEAVING, State
from pbem.games.invasion_sicily.rules.terrain import closed


def strength(state: State, unit: str, target: str) -> int:
    """9.2.3, 9.4 I The attack strength of a unit against a hex: armor halved into mountains, then for its markers."""
    kind, value = state.type(unit), board.attack(state, unit)
    if kind.armor and state.data.hexes[target].terrain in ("mountain", "alpine"):
        value //= 2
    for mark in ("unsupplied", "disrupted"):
        if state.units[unit].has(mark):
            value //= 2
    return value


def why_not(state: State, unit: str, target: str) -> Refusal | None:
    """8.1.1, 8.1.3, 8.1.4, 9.1.5, 9.1.6, 9.2.5, 13.2.4a Why a unit cannot attack a hex, or None."""
    found, data = state.units[unit], state.data
    if found.has(COMMITTED):
        return Refusal(f"{unit} has an attack declared already", "8.1.1")
    if found.has(LEAVING):
        return Refusal(f"{unit} is evacuated at the end of the phase", "13.3")
    if target not in board.by_hex(state, other(board.side_of(state, unit))):
        return Refusal(f"no enemy stands in {target}", "8.1.1")
    if found.target:
        said = f"{unit} is at sea before {found.target} and can attack only there"
        return None if found.target == target else Refusal(said, "13.2.4")
    if not board.on_map(state, found) or target not in data.map.near(found.place):
        return Refusal(f"{unit} is not next to {target}", "8.1.2")
    bar = closed(data, state.type(unit), found.place, target)
    if bar is not None:
        return Refusal(f"{unit} cannot attack where it cannot go: {bar.words}", "8.1.4")
    if strength(state, unit, target) < 1:
        return Refusal(f"{unit} has no attack strength left against {target}", "8.1.3")
    return None


def options(state: State, side: str) -> Iterator[Option]:
    """8.1.1 For every enemy hex in reach: an attack with all that can, and with each unit alone."""
    targets: dict[str, list[str]] = {}
    enemy = board.by_hex(state, other(side))
    for unit in board.in_play(state, side):
        for there in state.data.map.near(unit.place):
            if there in enemy and why_not(state, unit.id, there) is None:
                targets.setdefault(there, []).append(unit.id)
    for target, units in targets.items():
        if len(units) > 1:
            yield option(target, units)
        for unit_ in units:
            yield option(target, [unit_])


def option(target: str, units: Sequence[str]) -> Option:
    """An attack as an option."""
    return Option(f"attack {target} with {' '.join(units)}", data={"do": "attack", "hex": target, "units": list(units)})


def asked(state: State, side: str, target: str, units: Sequence[str]) -> Option | Refusal:
    """The attack that a player words himself."""
    for unit in units:
        refusal = why_not(state, unit, target)
        if refusal:
            return refusal
    return option(target, list(dict.fromkeys(units)))


def at_sea(ctx: Ctx, side: str) -> None:
    """13.2.4a Units on invasion hexes before an enemy attack him: the arrow of their hex is the declaration."""
    state = ctx.state
    before: dict[str, list[str]] = {}
    for unit in state.units.values():
        if unit.target and not unit.has(COMMITTED) and board.side_of(state, unit.id) == side:
            before.setdefault(unit.target, []).append(unit.id)
    for target, units in before.items():
        ctx.emit(e.Declared(target, tuple(units), "13.2.4"))
