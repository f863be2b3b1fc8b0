"""5.5, 6.0 Ports, Beach units and what they can supply and land."""

from __future__ import annotations

from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, other
from pbem.games.invasion_sicily.position.state import State

FLOOR = -1
"""5.5.6a Demolition cannot bring a port's capacity below this."""

CUT_SICILY, CUT_REGGIO = 2, 4
"""5.5.5b Exception 1."""


def adjusted(state: State, hex_: str) -> int:
    """5.5.6a The printed capacity less demolition, not below -1."""
    return max(FLOOR, state.data.hexes[hex_].capacity - state.demolition.get(hex_, 0))


def augmentation(state: State, unit: str) -> int:
    """5.5.3f, 5.5.3g What a Port unit adds; the two large ones grow."""
    kind = state.data.units[unit]
    if kind.type == "beach":
        return kind.augmentation if state.units[unit].port else 0
    if not state.grown:
        return kind.augmentation
    if state.data.switches["port_flip"] == "own":
        city = state.data.where("Catania" if kind.command == "British" else "Palermo")
        return kind.augmentation + (state.captured.get(city, 99) < state.turn)
    return kind.augmentation + 1


def opened(state: State, hex_: str) -> bool:
    """5.4, 5.4.2, 5.5.3, 6.1, 6.1.1 An Allied port works if a Port or an Engineer unit is there."""
    if not board.holds(state, ALLIED, hex_):
        return False
    units = board.at(state, hex_, ALLIED)
    return any(board.port_side(state, u) or state.data.units[u].type == "engineer" for u in units)


def capacity(state: State, side: str, hex_: str) -> int:
    """5.5.3c, 5.5.3f, 5.5.5b How many units a port supplies or lands.

    Port units add at most as much as the adjusted capacity.
    """
    if side == ALLIED and not opened(state, hex_) or not board.holds(state, side, hex_):
        return 0
    base = adjusted(state, hex_)
    if side == AXIS:
        return max(0, _cut(state, hex_, base))
    extra = sum(augmentation(state, u) for u in board.at(state, hex_, ALLIED) if board.port_side(state, u))
    return max(0, base + min(extra, max(base, 0)))


def _cut(state: State, hex_: str, base: int) -> int:
    """5.5.5b Exception 1: where Calabria is played, Axis ports live on what comes over land from its north edge."""
    from pbem.games.invasion_sicily.rules.tracing import reggio_cut_off

    if not state.data.calabria or not reggio_cut_off(state):
        return base
    if state.data.hexes[hex_].landmass == "sicily":
        return min(base, CUT_SICILY)
    return min(base, CUT_REGGIO) if state.data.hexes[hex_].port == "Reggio Calabria" else base


def supplying(state: State, side: str, hex_: str) -> int:
    """5.5.5b Exception 2, 13.6.2b A port as a supply source: none on Sicily while the Axis evacuates it."""
    if side == AXIS and state.evacuating and state.data.hexes[hex_].landmass == "sicily":
        return 0
    return capacity(state, side, hex_)


def beach_capacity(state: State, unit: str) -> int:
    """5.5.4 What a Beach unit supplies; half of it in a Storm, fractions dropped."""
    printed = state.data.units[unit].capacity
    return printed // 2 if state.storm else printed


def friendly_ports(state: State, side: str) -> list[str]:
    """3.2 Ports that a side controls."""
    return [h.id for h in state.data.hexes.values() if h.port and board.holds(state, side, h.id)]


def beaches(state: State) -> dict[str, str]:
    """5.5.4 Coastal hexes with a Beach unit on its Beach side, and that unit."""
    return {
        u.place: u.id for u in state.units.values()
        if board.on_map(state, u) and board.beach_side(state, u.id) and not board.at(state, u.place, other(ALLIED))
    }
