"""3.3, 5.3 Tracing supply over contiguous hexes: from a unit over at most five hexes to a source or a road net, along it
to the source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, MUD, other
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import ports, zones
from pbem.kit.search import Bar, Cost, Step, cheapest
from pbem.kit.supply import Cut, Line, Network, trace

EDGE = "north edge"
"""5.3.3b The source that all north edge hexes share; it supplies any number of units."""

UNLIMITED = 999
ALPINISTS = ("mountain", "commando")


@dataclass
class Lines:
    """How one side traces supply now (5.3.2, 16.2.2)."""

    state: State
    side: str
    enemy: dict[str, list[str]] = field(default_factory=dict)
    barred: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.enemy = board.by_hex(self.state, other(self.side))
        own = board.by_hex(self.state, self.side)
        mine = zones.of(self.state, self.side)
        for hex_ in zones.of(self.state, other(self.side)):
            if hex_ not in mine and hex_ not in own:
                self.barred[hex_] = f"{hex_} is vacant and in an uncontested enemy zone of control"
        for hex_ in self.enemy:
            self.barred[hex_] = f"the enemy stands in {hex_}"
        if self.side == ALLIED:
            for hex_ in self.state.strongpoints:
                self.barred[hex_] = f"an enemy strongpoint is in {hex_}"

    def road(self, here: str, there: str) -> Step[str] | Bar[str] | None:
        """5.3.5 A step along a road; its length counts as in Dry weather (5.3.6)."""
        kind = self.state.data.map.across(here, there, "road")
        if not kind:
            return None
        if there in self.barred:
            return Bar(there, self.barred[there], "5.3.2")
        return Step(there, self.state.data.terrain[kind]["dry"])

    def open_ground(self, alpinist: bool) -> Callable[[str, str], Step[str] | Bar[str] | None]:
        """5.3.2 A step off the road."""
        data = self.state.data

        def passes(here: str, there: str) -> Step[str] | Bar[str] | None:
            if not data.map.by_land(here, there):
                return None
            if there in self.barred:
                return Bar(there, self.barred[there], "5.3.2")
            if data.hexes[there].terrain == "alpine" and not alpinist:
                return Bar(there, f"{there} is alpine", "5.3.2")
            return Step(there, 1)

        return passes

    def net(self, source: str) -> Network:
        """5.3.5 The road net of a source: without end for the Axis, 40 movement points for the Allies; Beach units have none."""
        data = self.state.data
        if self.side == ALLIED and source in ports.beaches(self.state) and not ports.capacity(self.state, ALLIED, source):
            return Network(data.map.near, (source,), lambda here, there: None)
        limit = data.limit("allied-road-net") * 2 if self.side == ALLIED else None
        return Network(data.map.near, (source,), self.road, limit)


def hexes_allowed(state: State) -> int:
    """5.3.1, 5.3.6a Five hexes off the road, four in Mud."""
    return state.data.limit("supply-hexes") - (state.weather == MUD)


def line(lines: Lines, unit: str, source: str, beach: bool) -> Line | Cut:
    """5.3.1 The supply route of a unit to a source, or what cuts it.

    RULING: the road hex or port that the route ends at is not one of the five non-road hexes (switch
    'trace_counts_goal'); the coastal hex of a Beach unit is (5.5.4b).
    """
    state = lines.state
    alpinist = state.type(unit).type in ALPINISTS
    extra = 0 if beach or state.data.switches["trace_counts_goal"] else 1
    network = Network(state.data.map.near, (source,), lambda here, there: None) if beach else lines.net(source)
    return trace(state.data.map.near, state.units[unit].place, network, lines.open_ground(alpinist), hexes_allowed(state) + extra)


def covered(lines: Lines, source: str, beach: bool, alpinist: bool) -> dict[str, Cost]:
    """The hexes from which supply can be traced to a source, with the hexes off the road: what :func:`line` finds, for all
    places at once (the search runs outward from the source)."""
    state, data = lines.state, lines.state.data
    if source in lines.barred:
        return {}
    network = list(lines.net(source).reach) if not beach else [source]
    inside = frozenset(network)
    extra = 0 if beach or data.switches["trace_counts_goal"] else 1

    def outward(here: str) -> list[Step[str]]:
        """Supply comes through ``here``, so ``here`` must be open or in the net; the unit's own hex need not be."""
        if here not in inside and not _open(lines, here, alpinist):
            return []
        return [Step(there, 1) for there in data.map.near(here) if data.map.by_land(there, here)]

    return dict(cheapest(network, outward, hexes_allowed(state) + extra).costs)


def _open(lines: Lines, hex_: str, alpinist: bool) -> bool:
    return hex_ not in lines.barred and (alpinist or lines.state.data.hexes[hex_].terrain != "alpine")


def sources(state: State, side: str) -> dict[str, tuple[str, bool, int]]:
    """5.3.3, 5.3.4, 5.4.1 The sources of a side by name: hex, whether it is a Beach unit, how many units it supplies."""
    found: dict[str, tuple[str, bool, int]] = {}
    for hex_ in ports.friendly_ports(state, side):
        room = ports.supplying(state, side, hex_)
        if room:
            found[hex_] = (hex_, False, room)
    if side == ALLIED:
        for hex_, unit in ports.beaches(state).items():
            found[f"beach {hex_}"] = (hex_, True, ports.beach_capacity(state, unit))
        return found
    edges = [h.id for h in state.data.hexes.values() if h.edge] if state.data.calabria else list(state.data.exits)
    for hex_ in edges:
        if board.holds(state, AXIS, hex_):
            found[f"{EDGE} {hex_}"] = (hex_, False, UNLIMITED)
    return found


def reggio_cut_off(state: State) -> bool:
    """5.5.5b Exception 1 Whether Reggio cannot trace supply to the north map edge."""
    reggio = state.data.where("Reggio Calabria")
    if not reggio or not board.holds(state, AXIS, reggio):
        return True
    lines = Lines(state, AXIS)
    edges = [h.id for h in state.data.hexes.values() if h.edge and board.holds(state, AXIS, h.id)]
    return not any(reggio in covered(lines, edge, False, False) for edge in edges)


def reachable(state: State, side: str) -> dict[str, list[str]]:
    """For every unit of the side on the map, the sources to which it can trace."""
    lines = Lines(state, side)
    found: dict[str, list[str]] = {}
    units = [u for u in board.in_play(state, side) if not board.logistic(state, u.id)]
    alpine = any(state.type(u.id).type in ALPINISTS for u in units)
    for name, (hex_, beach, _) in sources(state, side).items():
        plain = covered(lines, hex_, beach, False)
        free = covered(lines, hex_, beach, True) if alpine else plain
        for unit in units:
            if unit.place in (free if state.type(unit.id).type in ALPINISTS else plain):
                found.setdefault(unit.id, []).append(name)
    return found
