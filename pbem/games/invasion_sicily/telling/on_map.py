"""What stands on the map of a report, from a side's view."""

from __future__ import annotations

from typing import cast

from pbem.core.documents import OnMap, Piece, Sign, View
from pbem.games.invasion_sicily.position.seen import InvasionView, UnitSeen

SYMBOLS = {
    "infantry": "inf", "ccnn": "inf", "commando": "inf", "coast-defence": "inf", "ersatz": "inf", "armor": "arm",
    "armored-infantry": "mech", "parachute": "para", "glider": "para", "mountain": "mtn", "artillery": "art", "rocket": "art",
    "armored-artillery": "sp", "antitank": "at", "engineer": "eng", "recon": "recon", "beach": "supply", "port": "supply",
}  # fmt: skip
SIZES = {"bn": "II", "rgt": "III", "bde": "X"}
NATIONS = {"US": "us", "British": "uk", "Canadian": "uk", "French": "us", "Italian": "it", "German": "de"}
BOX_NAMES = {
    "africa": "North Africa", "italy": "Italy", "invasion": "Invasion", "follow-up": "Follow-up", "evacuation": "Evacuation",
    "sicily-evacuation": "Sicily evacuation",
}  # fmt: skip
UNSEEN = ("eliminated", "reserved", "cup")
"""Places that are not on the table."""

COMBAT = ("armor", "armored-infantry", "infantry", "parachute", "glider", "mountain", "commando", "ccnn", "recon", "engineer")
"""Arms that lie on top of a stack."""


def on_map(view: View) -> OnMap:
    """2.2, 2.4 Units, strongpoints, demolished ports, declared attacks, and who holds what."""
    seen = cast(InvasionView, view)
    units = sorted((u for u in seen["units"] if u["place"] not in UNSEEN), key=lambda u: u["type"] not in COMBAT)
    signs: list[Sign] = [{"place": a["hex"], "words": "attack", "side": ""} for a in seen["attacks"]]
    signs += [{"place": h, "words": "strongpoint", "side": "axis"} for h in seen["strongpoints"]]
    signs += [
        {"place": p["hex"], "words": f"port {p['capacity']}/{p['printed']}", "side": ""} for p in seen["ports"] if p["demolition"]
    ]
    return {
        "pieces": [_piece(u) for u in units], "control": seen["control"], "signs": signs,
        "flags": {p["hex"]: p["holder"] for p in seen["ports"]}, "boxes": BOX_NAMES,
    }


def _piece(unit: UnitSeen) -> Piece:
    return {
        "place": unit["place"], "side": unit["side"], "known": unit["tried"], "label": unit["name"],
        "symbol": SYMBOLS.get(unit["type"], ""), "size": SIZES.get(unit["size"], unit["size"]), "numbers": _numbers(unit),
        "nation": NATIONS.get(unit["nation"], ""), "badges": list(unit["marks"]),
    }


def _numbers(unit: UnitSeen) -> str:
    """2.3 Attack (support, of artillery), defence, movement; '*' after a lost step."""
    if not unit["tried"]:
        return ""
    front = unit["support"] if unit.get("support") else unit["attack"]
    return f"{front}-{unit['defence']}-{unit['ma']}" + ("*" if unit["steps"] < unit["full"] else "")
