"""What a side may know, built from an allow-list; everything that leaves for a player is made from it.

``side`` is 'allied', 'axis', or anything else for the public, who know only what lies open on the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.core.ruleset import Seen
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import victory
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.board import face_down
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, AT_SEA, ELIMINATED, OFF_MAP, QUALITY_NAMES, RESERVED, SIDES, other
from pbem.games.fab_sicily.position.seen import AreaSeen, BlockSeen, BoxSeen, ChitSeen, FabView, LostSeen, Standing
from pbem.games.fab_sicily.position.state import Block, Chit, State

PUBLIC_BOXES = ("available", "used", "eliminated", "cup", "conditional", "table")
"""10.0 Assets and events lie face-up; what is in a cup follows from what was put there."""

TABLE: Mapping[str, tuple[str, ...]] = {
    "Placed": ("area",),
    "Moved": ("path", "mode"),
    "Entered": ("area", "origin", "border", "sea", "air"),
    "Delayed": (),
    "Dug": (),
    "Halted": ("border",),
    "StatusSet": ("status",),
    "SupplySet": ("supplied",),
    "Reserve": ("on",),
    "Exploit": ("on",),
    "StepLost": (),
    "StepGained": (),
    "Adjusted": ("what",),
}
"""Events about a face-away block that an opponent sees on the table, and what he sees of them."""

REVEALING = (e.Shown, e.Seen, e.Eliminated, e.MoraleChecked, e.PointUnits)
"""Events that name a block to both sides by themselves (6.24, 6.29, 8.32, 19.2; 6.7: a hidden unit that makes
a morale check is shown for it)."""


# -- events -----------------------------------------------------------------------------------------


def visibility(state: State, event: e.Event) -> Seen:
    """Who may know ``event``, judged before it is applied.

    'open': both sides may know all of it; else it is the secret of 'side', and the other side gets what
    :func:`event_view` leaves of it; 'public' is False if the two sides alone may know it; 'where': the place it
    happened at.
    """
    block = _block_of(state, event)
    where = _where(state, event, block)
    if isinstance(event, e.Identified):
        seer = state.seen.get(event.block, "")
        secret = bool(seer) and not state.blocks[event.block].shown
        return {"open": not secret, "side": seer if secret else board.side_of(state, event.block), "where": where}
    if not block:
        return {"open": True, "side": getattr(event, "side", ""), "where": where}
    owner = board.side_of(state, block)
    open_ = isinstance(event, REVEALING) or board.known_to(state, other(owner), block)
    told: Seen = {"open": open_, "side": owner, "where": where}
    return {**told, "public": False} if open_ and _between_the_sides(state, event, block) else told


def _between_the_sides(state: State, event: e.Event, block: str) -> bool:
    """8.32 Whether the enemy knows the block from his staff alone, so that nobody else does."""
    if isinstance(event, e.Seen):
        return True
    return block in state.seen and not state.blocks[block].shown and not isinstance(event, REVEALING)


def _block_of(state: State, event: e.Event) -> str:
    """The block an event names, '' if none (a chit may stand in its place)."""
    for name in ("block", "firer", "who"):
        found: str = getattr(event, name, "")
        if found in state.blocks:
            return found
    return ""


def _where(state: State, event: e.Event, block: str) -> str:
    for name in ("area", "border", "box"):
        found: str = getattr(event, name, "")
        if found:
            return found
    if isinstance(event, e.Moved):
        return event.path[-1]
    return state.blocks[block].area if block else ""


def event_view(payload: Mapping[str, Any], side: str) -> dict[str, Any] | None:
    """What ``side`` may know of an event row's payload; None if nothing.

    A block it may not know is left out and 'hidden' is set; 'where' and 'owner' are always given.
    """
    event, owner = payload["event"], payload["side"]
    seen = {"type": event["type"], "where": payload["where"], "owner": owner}
    public = payload.get("public", event["type"] != "Seen")  # older rows do not say
    if side == owner or (payload["open"] and (public or side in SIDES)):
        return {**event, **seen, "hidden": False}
    if event["type"] not in TABLE:
        return None
    return {**{k: event[k] for k in TABLE[event["type"]]}, **seen, "hidden": True}


# -- the position -----------------------------------------------------------------------------------


def view(state: State, side: str) -> FabView:
    """All that ``side`` may know of the position, as JSON data."""
    data = state.data
    return {
        "scenario": data.scenario,
        "title": data.title,
        "side": side if side in SIDES else "",
        "turn": state.turn,
        "turns": data.turns,
        "player": state.player,
        "phase": state.phase,
        "winner": state.winner,
        "areas": [_area(state, side, a) for a in data.areas],
        "borders": [
            {
                "a": b.a,
                "b": b.b,
                "id": b.id,
                "road": b.road,
                "river": b.river,
                "restricted": b.restricted,
                "blown": b.id in state.blown,
            }
            for b in data.borders.values()
        ],
        "boxes": [_box(state, side, box) for box in _boxes(state)],
        "chits": {s: _chits(state, side, s) for s in SIDES},
        "eliminated": {s: _gone(state, side, s) for s in SIDES},
        "to_come": [_block(state, side, b) for b in board.in_area(state, RESERVED, side)] if side in SIDES else [],
        "released": list(state.released),
        "strat_moved": list(state.strat_moved),
        "vp": dict(state.vp),
        **_standing(state),
    }


def _standing(state: State) -> Standing:
    """19.3, 22.17 The points as they are now, what gives them, and what the scenario's rules are about."""
    held = victory.holdings(state)
    return {
        "vp_held": victory.totals(state) if state.control else dict.fromkeys(SIDES, 0),
        "vp_areas": {s: [a for a, who, _ in held if who == s] for s in SIDES},
        "trophies": {s: victory.trophies(state, s) for s in SIDES},
        "plan": state.plan,
        "morale_level": board.italian_morale(state),
        "options": sorted(k for k, v in state.data.switches.items() if v is True and k.startswith(("optional_", "historical"))),
    }


def _area(state: State, side: str, area: str) -> AreaSeen:
    a = state.data.areas[area]
    return {
        "id": area,
        "name": a.name,
        "zones": list(a.zones),
        "coastal": a.coastal,
        "tdn": a.tdn,
        "landing": a.landing,
        "port": a.port,
        "airfield": a.airfield,
        "vp": a.vp,
        "lat": a.lat,
        "lon": a.lon,
        "control": state.control.get(area, ""),
        "contested": board.contested(state, area),
        "unsupplied": [s for s in SIDES if area in state.unsupplied[s]],
        "works": state.works.get(area, ""),
        "roadblock": state.roadblocks.get(area, ""),
        "assault": state.assaults.get(area, ""),
        "blocks": {s: blocks_in(state, side, area, s) for s in SIDES},
        "assets": [_chit(state, c) for c in board.assets_in(state, area)],
    }


def blocks_in(state: State, side: str, place: str, owner: str) -> list[BlockSeen]:
    """The blocks of ``owner`` in a place as ``side`` sees them; the order of unknown ones tells nothing."""
    return sorted((_block(state, side, b) for b in board.in_area(state, place, owner)), key=_visible_order)


def _visible_order(block: Mapping[str, Any]) -> tuple[Any, ...]:
    return (not block["known"], block.get("id", ""), *(str(block[k]) for k in MARKERS))


MARKERS = ("status", "supplied", "reserve", "exploit", "garrison")
"""What everybody sees of a block: the markers on it, and whether it is a face-down garrison."""


def _block(state: State, side: str, block: Block) -> BlockSeen:
    kind = state.type(block.id)
    seen: BlockSeen = {
        "known": board.known_to(state, side, block.id),
        "side": kind.side,
        "status": block.status,
        "supplied": block.supplied,
        "reserve": block.reserve,
        "exploit": block.exploit,
        "garrison": face_down(state, block.id),
    }
    if not seen["known"]:
        return seen
    secret = face_down(state, block.id) and state.seen.get(block.id) != side
    seen |= {
        "id": block.id,
        "name": kind.name,
        "nation": kind.nation,
        "army": kind.army,
        "division": kind.division,
        "cls": kind.cls,
        "symbol": kind.symbol,
        "motorized": kind.motorized,
        "airborne": kind.airborne,
        "turn": kind.turn,
        "shown": block.shown,
        "steps": None,
        "full": None,
        "quality": "",
    }
    if not secret and block.steps:
        seen |= {
            "steps": block.steps,
            "full": board.full_steps(state, block.id),
            "quality": QUALITY_NAMES[board.quality(state, block.id)],
        }
    return seen


def _gone(state: State, side: str, owner: str) -> list[LostSeen]:
    """The blocks of ``owner`` out of play; 14.29 one that left for Italy face-away is not named to the enemy."""
    return [
        {"id": b.id, "name": state.type(b.id).name, "how": b.area, "nation": state.type(b.id).nation}
        for b in state.blocks.values()
        if b.area in (ELIMINATED, OFF_MAP) and board.side_of(state, b.id) == owner
        and (b.area == ELIMINATED or board.known_to(state, side, b.id))
    ]


def _boxes(state: State) -> list[str]:
    """The landing boxes in use, the ports, and the boxes that hold somebody."""
    held = [b for b in (AIRBORNE_BOX, AT_SEA) if board.in_area(state, b)]
    return [*state.beachheads, *state.data.ports, *held]


def _box(state: State, side: str, box: str) -> BoxSeen:
    return {
        "id": box,
        "name": board.place_name(state.data, box),
        "area": state.data.landing.get(box) or state.data.ports.get(box) or "",
        "kind": "beachhead" if box in state.data.landing else "port" if box in state.data.ports else "sea",
        "status": state.beachheads.get(box, ""),
        "damage": state.port_damage.get(box, 0),
        "blocks": {s: blocks_in(state, side, box, s) for s in SIDES},
    }


def _chits(state: State, side: str, owner: str) -> dict[str, list[ChitSeen]]:
    boxes = (*PUBLIC_BOXES, "to-come") if owner == side else PUBLIC_BOXES
    return {box.replace("-", "_"): [_chit(state, c) for c in board.in_box(state, owner, box)] for box in boxes}


def _chit(state: State, chit: Chit) -> ChitSeen:
    kind = state.data.chits[chit.id]
    return {
        "id": chit.id,
        "name": kind.name,
        "side": kind.side,
        "kind": kind.kind,
        "army": kind.army,
        "nation": kind.nation,
        "division": kind.division,
        "cls": kind.cls,
        "quality": QUALITY_NAMES[kind.quality],
        "event": kind.event,
        "turn": kind.turn,
        "area": chit.area,
        "use": chit.use,
    }


def everything(state: State) -> FabView:
    """The position as nobody saw it while the game ran: each side's blocks as that side sees them."""
    views = [view(state, side) for side in SIDES]
    areas: list[AreaSeen] = [
        {**first, "blocks": {s: v["areas"][i]["blocks"][s] for s, v in zip(SIDES, views, strict=True)}}
        for i, first in enumerate(views[0]["areas"])
    ]
    boxes: list[BoxSeen] = [
        {**first, "blocks": {s: v["boxes"][i]["blocks"][s] for s, v in zip(SIDES, views, strict=True)}}
        for i, first in enumerate(views[0]["boxes"])
    ]
    return {**views[0], "side": "", "areas": areas, "boxes": boxes}
