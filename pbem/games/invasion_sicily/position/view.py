"""What a side may know, built from an allow-list; everything that leaves for a player is made from it.

``side`` is 'allied', 'axis', or anything else for the public, who know only what lies open on the table.  Nearly all of this
game does: hidden are what untried pieces are (from both sides: nobody has drawn yet), the invasion marker on the turn track
and what stands in the Allied boxes with it (13.1.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.ruleset import Seen
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, BOXES, FOLLOW_UP, INVASION, RESERVED, SIDES
from pbem.games.invasion_sicily.position.seen import InvasionView, PortSeen, UnitSeen
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import ports, victory

SECRET = (e.PlanSet, e.BoxMoved, e.BeachPlanned, e.OperationDelayed)
"""13.1.2 The marker lies face down until its turn.

RULING: what is put into the Amphibious Invasion and Follow-Up boxes is Allied business too, else the marker would be known.
"""

HIDDEN_BOXES = (INVASION, FOLLOW_UP)


def visibility(state: State, event: e.Event) -> Seen:
    """Who may know ``event``, judged before it is applied."""
    where = getattr(event, "hex", "") or getattr(event, "place", "")
    unit = getattr(event, "unit", "")
    if isinstance(event, e.Moved):
        where = event.path[-1]
    elif unit and not where:
        where = state.units[unit].place
    owner = state.data.units[unit].side if unit in state.data.units else getattr(event, "side", "")
    if isinstance(event, SECRET):
        return {"open": False, "side": ALLIED, "where": ""}
    return {"open": True, "side": owner, "where": where}


def event_view(payload: Mapping[str, Any], side: str) -> dict[str, Any] | None:
    """What ``side`` may know of an event row's payload; None if nothing."""
    if payload["open"] or side == payload["side"]:
        return {**payload["event"], "where": payload["where"], "owner": payload["side"]}
    return None


def view(state: State, side: str) -> InvasionView:
    """All that ``side`` may know of the position, as JSON data."""
    return _view(state, side, side == ALLIED)


def everything(state: State) -> InvasionView:
    """The position with all that either side knows."""
    return _view(state, "", True)


def _view(state: State, side: str, plans: bool) -> InvasionView:
    data = state.data
    return {
        "scenario": data.scenario, "title": data.title, "side": side if side in SIDES else "", "turn": state.turn,
        "turns": data.turns, "dates": data.track[max(1, state.turn)].dates, "player": state.player, "phase": state.phase,
        "winner": state.winner, "level": state.level, "weather": state.weather, "storm": state.storm,
        "units": [_unit(state, u.id, plans) for u in state.units.values() if _shown(state, u.id, side, plans)],
        "control": dict(state.control), "strongpoints": list(state.strongpoints),
        "ports": [_port(state, h.id) for h in data.hexes.values() if h.port],
        "attacks": [{"hex": h, "units": list(units)} for h, units in state.attacks.items()],
        "air": dict(state.air), "naval": state.naval, "interdiction": dict(state.interdiction), "rp": dict(state.rp),
        "axis_zone": state.axis_zone, "evacuating": state.evacuating,
        "mussolini": {k: state.mussolini[k] for k in ("tries", "fallen", "revival")},
        "operations": dict(state.operations), "plan": list(state.plan) if plans else [],
        "vp_held": {"allied": victory.points(state), "axis": 0}, "ledger": dict(state.ledger),
        "holdings": [list(h) for h in victory.holdings(state)],
        "losses": [list(x) for x in victory.losses(state)], "levels": [list(x) for x in data.levels],
    }


def _shown(state: State, unit: str, side: str, plans: bool) -> bool:
    """Who is on the map is seen; boxes with plans by their owner; what is yet to come by its owner."""
    place = state.units[unit].place
    if place in state.data.hexes:
        return True
    owner = state.data.units[unit].side
    if place in HIDDEN_BOXES:
        return plans
    if place == RESERVED:
        return owner == side
    return place in BOXES or place == "eliminated"


def _unit(state: State, unit: str, plans: bool) -> UnitSeen:
    """A unit as it lies there; of an untried piece nothing but that it is one."""
    found, kind = state.units[unit], state.type(unit)
    tried = board.tried(state, unit)
    seen: UnitSeen = {
        "id": unit, "name": state.data.units[unit].name, "side": kind.side, "nation": kind.nation,
        "type": state.data.units[unit].type if not tried else kind.type, "size": kind.size, "place": found.place,
        "target": found.target, "tried": tried, "marks": [m for m in found.marks if m in ("unsupplied", "disrupted", "fired")],
        "stacking": kind.stacking, "beach": found.beach if plans else "",
    }
    if tried:
        values: dict[str, Any] = {
            "attack": board.attack(state, unit), "defence": board.defence(state, unit), "er": board.er(state, unit),
            "ma": kind.ma, "steps": board.steps(state, unit), "full": kind.steps, "support": kind.support, "range": kind.range,
            "mobility": kind.mobility, "armor": kind.armor, "port_side": found.port, "capacity": kind.capacity,
        }
        seen.update(values)  # type: ignore[typeddict-item]
    return seen


def _port(state: State, hex_: str) -> PortSeen:
    found = state.data.hexes[hex_]
    return {
        "hex": hex_, "name": found.port, "holder": state.holder(hex_), "printed": found.capacity,
        "demolition": state.demolition.get(hex_, 0), "capacity": ports.capacity(state, state.holder(hex_), hex_),
    }
