"""Victory Conditions: the ports held, the divisions that left by the north edge, and what they come to."""

from __future__ import annotations

from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, AXIS, EXITED, HQ, POINTS
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules.phases import Ctx

SHARE = (3, 5)
"""Errata: an HQ and 60 per cent of the stacking points of its units count as a division."""

GERMAN = "German victory"


def counts(state: State, hq: str) -> bool:
    """Errata: whether a division has left the map with enough of its units."""
    if state.units[hq].place != EXITED:
        return False
    subs = state.data.subordinates(hq)
    whole = sum(POINTS[state.type(u).cls] for u in subs)
    gone = sum(POINTS[state.type(u).cls] for u in subs if state.units[u].place == EXITED)
    return gone * SHARE[1] >= whole * SHARE[0]


def divisions(state: State, side: str) -> int:
    """How many divisions of a side have left by the north edge."""
    return sum(1 for u in state.data.units.values() if u.kind == HQ and u.side == side and counts(state, u.id))


def points(state: State) -> int:
    """Allied victory points as they stand."""
    return board.ports_held(state) + divisions(state, ALLIED) - divisions(state, AXIS)


def level(state: State) -> str:
    """The level of victory as things stand."""
    if state.data.needs_evacuation and not state.evacuation:
        return GERMAN
    got = points(state)
    return next((name for name, least in state.data.levels if got >= least), GERMAN)


def judge(ctx: Ctx) -> None:
    """The game ends with the time track, or when no Axis unit is left on the map."""
    state = ctx.state
    left = any(board.on_map(state, u.id) for u in board.units(state, AXIS))
    if state.time >= state.data.last_box or not left:
        name = level(state)
        ctx.emit(e.GameEnded(points(state), name, board.winner_of(name) or "draw"))
