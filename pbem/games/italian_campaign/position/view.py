"""What one side may know, built from an allow-list; everything that leaves for a player is made from it.

``side`` is 'allied', 'axis', or anything else for the public.  All counters lie open, and the set-up chart tells everybody who
is still to come; hidden is the other side's sealed bid alone (5.31).
"""

from __future__ import annotations


from pbem.core.ruleset import Seen
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, ARMY, AXIS, CORPS, HQ, SIDES
from pbem.games.italian_campaign.position.seen import ItalianView, PortSeen, UnitSeen
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules import victory


def visibility(state: State, event: e.Event) -> Seen:
    """Who may know an event."""
    return {"side": event.side, "public": False} if isinstance(event, e.Bid) else {"open": True}


def view(state: State, side: str) -> ItalianView:
    """The position as ``side`` sees it, as JSON data."""
    known = dict(state.bids) if len(state.bids) == len(SIDES) else {s: n for s, n in state.bids.items() if s == side}
    return _view(state, side if side in SIDES else "", known)


def everything(state: State) -> ItalianView:
    """All that either side knows."""
    return _view(state, "", dict(state.bids))


def _view(state: State, side: str, bids: dict[str, int]) -> ItalianView:
    data = state.data
    player, _, phase = state.phase.rpartition(" ")
    return {
        "scenario": data.scenario, "title": data.title, "side": side, "turn": state.turn, "turns": 0,
        "player": player, "phase": phase, "winner": state.winner,
        "level": state.level, "vp_held": {ALLIED: victory.points(state), AXIS: 0},
        "dates": data.dates[min(state.time, len(data.dates) - 1)], "time": state.time, "last_box": data.last_box,
        "initiative": state.initiative, "track": state.ot, "impulse": state.impulse, "ip": state.ip, "rp": state.rp,
        "spoil": state.spoil, "cp": dict(state.cp), "support": dict(state.support), "bids": bids, "gunnery": state.gunnery,
        "gunnery_turn": state.gunnery_turn, "sealift": state.sealift, "tactical_lift": state.tactical_lift,
        "evacuation": state.evacuation, "units": [_unit(state, unit) for unit in state.units],
        "ports": [_port(state, hex_) for hex_ in data.ports], "beachheads": list(state.beachheads),
        "breakthroughs": dict(state.breakthroughs), "hits": dict(state.hits), "delays": dict(state.delays),
    }


def _unit(state: State, unit: str) -> UnitSeen:
    """2.0 A counter as it lies there."""
    found, kind = state.units[unit], state.type(unit)
    return {
        "id": unit, "name": board.name(state, unit), "side": kind.side, "nation": kind.nation, "kind": kind.kind,
        "formation": kind.formation, "corps": kind.corps, "symbol": kind.symbol, "cls": kind.cls, "mobile": kind.mobile,
        "place": found.place, "target": found.target, "box": kind.box, "marks": list(found.marks), "steps": found.steps,
        "fatigue": found.fatigue, "stacking": board.points(state, unit), "values": _values(state, unit),
    }


def _values(state: State, unit: str) -> dict[str, int]:
    """2.1, 2.2 What its face says, less the steps lost (8.56); what the counter has not is left out."""
    face, kind = board.face(state, unit), state.type(unit).kind
    if kind == HQ:
        found = {"offence": board.offence(state, unit), "defence": board.defence(state, unit), "artillery": face.artillery,
                 "efficiency": face.efficiency}
    elif kind in (CORPS, ARMY):
        found = {"capacity": face.capacity, "defence": board.defence(state, unit), "bonus": face.bonus}
    else:
        found = {"tr": face.tr, "armor": face.armor, "asset": board.asset_rating(state, unit)}
    return {name: value for name, value in found.items() if value}


def _port(state: State, hex_: str) -> PortSeen:
    """11.0"""
    captured = hex_ in state.captured
    return {
        "hex": hex_, "name": state.data.ports[hex_], "printed": int(state.data.board.hexes[hex_].get("port_value") or 0),
        "value": board.port_value(state, hex_), "captured": captured, "secure": captured and board.secure(state, hex_),
    }
