"""9.31 Tracing a Supply Path, and the sources of 14.9."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kit.search import reachable
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import AXIS, border_id
from pbem.games.fab_sicily.position.state import State


def beaches_of(state: State, army: str) -> list[str]:
    """14.25, 14.92 The coastal areas of the beachheads in play that belong to an Allied army ('' for any).

    A beachhead belongs to the army in whose zones its coast lies (14.22, 22.25, 22.26).
    """
    zones = state.zones(army)
    return [
        coast for box, coast in state.data.landing.items()
        if state.beachheads.get(box) == "in-play"
        and (not army or any(z in zones for z in state.data.areas[coast].zones))
    ]


def sources(state: State, side: str, army: str = "") -> list[str]:
    """14.91, 14.92, 22.16 Where supply comes from: areas of the Axis list; beachheads of one's own nation
    and undamaged ports."""
    if side == AXIS:
        return [a for a in state.data.axis_sources if board.controls(state, side, a)]
    ports = [a for p, a in state.data.ports.items() if not state.port_damage.get(p, 0) and board.controls(state, side, a)]
    return [*beaches_of(state, army), *ports]


def network(state: State, side: str, army: str = "") -> frozenset[str]:
    """9.31a, c The friendly-controlled areas joined to a source without crossing a blown bridge; enemy units
    do not matter.

    RULING: 9.31 names no boundary but the blown bridge, so supply passes restricted boundaries (14.1).
    """
    def onward(here: str) -> Iterable[str]:
        return [
            a for a in state.data.adjacent[here]
            if board.controls(state, side, a) and border_id(here, a) not in state.blown
        ]

    joined: dict[str, int] = {}
    for source in sources(state, side, army):
        if board.controls(state, side, source) and source not in joined:
            joined |= reachable(source, onward)
    return frozenset(joined)


def reaches(state: State, area: str, net: frozenset[str], at_source: Iterable[str]) -> bool:
    """9.31 Whether a path leads from the area: it may leave enemy ground, and its first step may cross a blown
    bridge (a path may do so only beside the unit or area that traces)."""
    return area in net or area in at_source or any(a in net for a in state.data.adjacent[area])


def traces(state: State, side: str, area: str, army: str = "") -> bool:
    """9.31 Whether supply can be traced from an area as of now; for the Allies to the sources of one ``army``, or of any.

    RULING: an area belongs to no nation, so the beachheads of either serve it.
    """
    return reaches(state, area, network(state, side, army), sources(state, side, army))


def unit_traces(state: State, block: str) -> bool:
    """9.31 Whether a unit can trace supply as of now; units in boxes always can."""
    b = state.blocks[block]
    if b.area not in state.data.areas:
        return True
    return traces(state, board.side_of(state, block), b.area, board.army(state, block))
