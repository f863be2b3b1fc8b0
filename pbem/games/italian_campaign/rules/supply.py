"""5.2, 6.5 Command control and supply links."""

from __future__ import annotations

from pbem.games.italian_campaign.position import board, zones
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ARMY, ASSET, CORPS, UNIT, other
from pbem.games.italian_campaign.position.state import DISRUPTED, ISO, OCC, State
from pbem.games.italian_campaign.position.zones import CONTESTED, ENEMY
from pbem.games.italian_campaign.rules import movement
from pbem.games.italian_campaign.rules.phases import Ctx
from pbem.kit.search import Bar, Step
from pbem.kit.supply import Cut, Line, Network, Passes, link, trace

ROADS = ("main", "minor")


def blocked(state: State, side: str, there: str, contested: bool) -> Bar[str] | None:
    """6.52, 6.53 What stops a supply path at a hex: enemy units, enemy controlled hexes, and (``contested``) contested ones;
    where a unit of one's own stands, zones do not matter."""
    if there in board.held(state, other(side)):
        return Bar(there, f"the enemy stands at {board.place_name(state, there)}", "6.52")
    if there in board.held(state, side):
        return None
    status = zones.zone(state, side, there).status
    if status == ENEMY or (contested and status == CONTESTED):
        return Bar(there, f"{board.place_name(state, there)} lies in an enemy zone of control", "6.52")
    return None


def _along_roads(state: State, side: str) -> Passes:
    """6.52 Along major and minor roads; a beachhead may lie next to one."""
    data = state.data

    def passes(here: str, there: str) -> Step[str] | Bar[str] | None:
        if data.board.across(here, there, "road") not in ROADS and not (
            there in state.beachheads and data.board.by_land(here, there) and data.board.on(here, "road")
        ):
            return None
        return blocked(state, side, there, True) or Step(there)

    return passes


def _first_hex(state: State, side: str) -> Passes:
    """6.52 From the HQ to the first hex of the path, which must be a road, town or city hex."""
    data = state.data

    def passes(here: str, there: str) -> Step[str] | Bar[str] | None:
        ground = data.board.hexes[there]
        on_road = any(data.board.across(there, n, "road") in ROADS for n in data.board.near(there))
        if not data.board.by_land(here, there) or not (on_road or ground.get("built") or there in state.beachheads):
            return None
        return blocked(state, side, there, True) or Step(there)

    return passes


def network(state: State, side: str) -> Network:
    """6.5, 6.52 The roads that lead to a source of the side."""
    return state.kept(
        f"network {side}", lambda: Network(state.data.board.near, board.sources(state, side), _along_roads(state, side))
    )


def hq_linked(state: State, hq: str) -> bool:
    """6.52 Whether an HQ is linked to a source.

    RULING: whoever is still in a beach box, staging area or the Floating Reserve is supplied from the sea.
    """
    place = state.units[hq].place
    if place not in state.data.board.hexes:
        return True
    side = board.side_of(state, hq)
    return link(state.data.board.near, place, network(state, side), _first_hex(state, side), 1) is not None


def hq_path(state: State, hq: str) -> Line | Cut:
    """6.52 The supply path of an HQ on the map, or what cuts it: for the report."""
    side = board.side_of(state, hq)
    return trace(state.data.board.near, state.units[hq].place, network(state, side), _first_hex(state, side), 1)


def unit_link(state: State, unit: str, hq: str) -> bool:
    """6.53 Whether a unit is linked to its HQ: 6 MP for leg units, 12 for mobile ones, not through enemy units or enemy
    controlled hexes, nor off road into a code of 3 or more."""
    data = state.data
    here, goal = state.units[unit].place, state.units[hq].place
    if here not in data.board.hexes or goal not in data.board.hexes or here == goal:
        return True
    side = board.side_of(state, unit)
    m = movement.free(state, unit, 0)

    def passes(a: str, b: str) -> Step[str] | Bar[str] | None:
        if not data.board.by_land(a, b) or (data.code(b) >= 3 and not data.board.across(a, b, "road")):
            return None
        cost = movement.step_cost(state, m, a, b)
        if not cost:
            return None
        return blocked(state, side, b, False) or Step(b, cost)

    limit = data.limits["supply_mobile" if state.type(unit).mobile else "supply_leg"]
    return link(data.board.near, here, Network(data.board.near, (goal,), passes, 0), passes, limit) is not None


def judge(ctx: Ctx, hq: str, units: list[str]) -> None:
    """6.51 Supply links are judged as a division is named: whoever has none is isolated for the rest of the turn."""
    state = ctx.state
    cut = state.type(hq).kind not in (CORPS, ARMY) and not hq_linked(state, hq)
    if cut and not state.units[hq].has(ISO):
        ctx.emit(e.Marked(hq, ISO, True, "6.52"))
    for unit in units:
        if unit == hq or state.units[unit].has(ISO):
            continue
        if cut or state.units[hq].has(DISRUPTED) or not unit_link(state, unit, hq):
            ctx.emit(e.Marked(unit, ISO, True, "6.53"))


def commanders(state: State, unit: str) -> list[str]:
    """5.21 The HQs that a unit may trace command to: its own, its corps and the armies of its side."""
    hq = state.type(unit).formation
    corps = state.data.units[hq].corps
    armies = [u.id for u in board.units(state, board.side_of(state, unit), ARMY)]
    return [h for h in (hq, corps, *armies) if h and board.in_play(state, h) and not state.units[h].has(DISRUPTED)]


def commanded(state: State, unit: str, radius: int | None = None) -> bool:
    """5.21, 5.43 Whether a unit is in command; assets are not asked."""
    if state.type(unit).kind != UNIT or not board.on_map(state, unit):
        return True
    reach = board.radius(state, unit) if radius is None else radius
    return any(board.distance(state, unit, hq) <= reach for hq in commanders(state, unit))


def mark_command(ctx: Ctx) -> None:
    """5.2 Units out of command are marked, others are freed of their marker."""
    for unit in list(ctx.state.units.values()):
        if not board.in_play(ctx.state, unit.id) or ctx.state.type(unit.id).kind == ASSET:
            continue
        out = not commanded(ctx.state, unit.id)
        if out != unit.has(OCC):
            ctx.emit(e.Marked(unit.id, OCC, out, "5.21"))
