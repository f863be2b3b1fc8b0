"""What stands on the map of a report, from a side's view."""

from __future__ import annotations

from typing import cast

from pbem.core.documents import OnMap, Piece, Sign, View
from pbem.games.italian_campaign.position.board import BEACH, STAGING
from pbem.games.italian_campaign.position.data import ARMY, ASSET, CORPS, DEAD, EXITED, HQ, RESERVE, TO_COME, UNIT
from pbem.games.italian_campaign.position.seen import ItalianView, UnitSeen

SYMBOLS = {
    "infantry": "inf", "commando": "inf", "ranger": "inf", "coastal": "inf", "pzgren": "mech", "armor": "arm", "para": "para",
    "antitank": "at", "flak": "at", "recon": "recon",
}  # fmt: skip
NATIONS = {"US": "us", "UK": "uk", "CA": "uk", "IN": "uk", "IT": "it", "DE": "de"}
SIZES = {"A": "III", "B": "III", "C": "II"}
HIGHER = {HQ: "XX", CORPS: "XXX", ARMY: "XXXX"}
ORDER = (UNIT, ASSET, HQ, CORPS, ARMY)
"""From the top of a stack."""
MARKS = ("disrupted", "iso", "occ")


def on_map(view: View) -> OnMap:
    """2.0 Units and HQs, ports that the Allies passed, beachheads, breakthroughs, hits and delays."""
    seen = cast(ItalianView, view)
    units = sorted((u for u in seen["units"] if u["place"] not in (TO_COME, DEAD, EXITED)), key=lambda u: ORDER.index(u["kind"]))
    signs: list[Sign] = [{"place": h, "words": "beachhead", "side": "allied"} for h in seen["beachheads"]]
    signs += [{"place": h, "words": "breakthrough", "side": s} for h, s in seen["breakthroughs"].items()]
    signs += [{"place": h, "words": f"hits {n}", "side": ""} for h, n in seen["hits"].items()]
    signs += [{"place": h, "words": f"delay {n}", "side": ""} for h, n in seen["delays"].items()]
    return {
        "pieces": [_piece(u) for u in units], "control": {}, "signs": signs,
        "flags": {p["hex"]: "allied" if p["captured"] else "axis" for p in seen["ports"]},
        "boxes": {u["place"]: _box(u["place"]) for u in units},
    }


def _box(place: str) -> str:
    for begins, words in ((STAGING, "At sea, "), (BEACH, "Landing at ")):
        if place.startswith(begins):
            return words + place.removeprefix(begins)
    return "Reserve" if place == RESERVE else place


def _piece(unit: UnitSeen) -> Piece:
    return {
        "place": unit["place"], "side": unit["side"], "known": True, "label": unit["name"],
        "symbol": "hq" if unit["kind"] in HIGHER else SYMBOLS.get(unit["symbol"], ""),
        "size": HIGHER.get(unit["kind"], SIZES.get(unit["cls"], "")), "numbers": _numbers(unit),
        "nation": NATIONS.get(unit["nation"], ""), "badges": [m for m in MARKS if m in unit["marks"]],
    }


def _numbers(unit: UnitSeen) -> str:
    """2.1, 2.2 Of an HQ offence and defence, of a corps its capacity, of a unit troop rating and armour."""
    names = {HQ: ("offence", "defence"), CORPS: ("capacity",), ARMY: ("capacity",)}.get(unit["kind"], ("tr", "armor"))
    return "-".join(str(unit["values"].get(n, 0)) for n in names)
