"""The position in words: hex by hex, boxes, points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.invasion_sicily.position.data import BOXES, ELIMINATED, INVASION, RESERVED, SIDES, other
from pbem.games.invasion_sicily.position.seen import InvasionView, UnitSeen
from pbem.games.invasion_sicily.telling.sentences import ADJECTIVES, PLACES, Names, listed
from pbem.games.narration import capital

SHORT_TYPES = {
    "infantry": "inf", "armor": "armor", "parachute": "para", "glider": "glider", "commando": "commando", "artillery": "guns",
    "armored-artillery": "armored guns", "rocket": "rockets", "engineer": "engineers", "antitank": "antitank", "recon": "recon",
    "armored-infantry": "armored inf", "mountain": "mountain", "ccnn": "CCNN", "beach": "Beach", "port": "Port",
    "coast-defence": "coast defence", "ersatz": "Ersatz",
}


def situation(seen: InvasionView, names: Names, side: str) -> dict[str, Any]:
    """Hexes with units in the order of their numbers, own first; strongpoints; ports; what is in the boxes."""
    places: dict[str, dict[str, list[UnitSeen]]] = {}
    for unit in seen["units"]:
        places.setdefault(unit["place"], {}).setdefault(unit["side"], []).append(unit)
    hexes = sorted(p for p in places if p in names.data.hexes)
    return {
        "weather": _weather(seen),
        "areas": [_hex(h, places[h], seen, names, side) for h in hexes],
        "boxes": [_box(b, places[b], side) for b in BOXES if b in places],
        "strongpoints": ", ".join(names.place(h) for h in seen["strongpoints"]),
        "ports": [_port(p, names) for p in seen["ports"] if p["holder"] == "allied" or p["demolition"]],
        "attacks": [f"{names.place(a['hex'])} with {listed(a['units'])}" for a in seen["attacks"]],
        "to_come": _to_come(places.get(RESERVED, {}), names, seen["turn"]),
    }


def _weather(seen: InvasionView) -> str:
    storm = ", Storm" if seen["storm"] else ""
    zone = "" if seen["axis_zone"] else "; the Axis air zone is gone"
    return f"{seen['dates']}; {'dry' if seen['weather'] == 'dry' else 'mud'}{storm}{zone}"


def _hex(hex_: str, units: Mapping[str, Sequence[UnitSeen]], seen: InvasionView, names: Names, side: str) -> dict[str, Any]:
    found = names.data.hexes[hex_]
    ground = ["sea"] if not found.land else [found.terrain, *([found.also] if found.also else [])]
    marks = [f"port {found.port}"] * bool(found.port) + [f"airfield {found.airfield}"] * bool(found.airfield)
    marks += ["strongpoint"] * (hex_ in seen["strongpoints"])
    order = [side, other(side)] if side in SIDES else list(SIDES)
    forces = [
        {"side": s, "name": ADJECTIVES[s], "blocks": [_unit(u, ADJECTIVES[s] if not n else "") for n, u in enumerate(units[s])]}
        for s in order if units.get(s)
    ]
    name = names.place(hex_)
    holder = seen["control"].get(hex_, "axis")
    words = ", ".join([*ground, *marks])
    return {
        "id": hex_, "name": name, "control": holder if found.land else "", "text": words, "line": f"{name}: {words}",
        "forces": forces,
    }


def _unit(unit: UnitSeen, label: str) -> dict[str, Any]:
    """A unit in a line: id, name, what it is worth, markers."""
    marks = list(unit["marks"])
    if unit["target"]:
        marks.append(f"to land at {unit['target']}")
    elif unit["beach"] and unit["place"] == INVASION:
        marks.append(f"planned for {unit['beach']}")
    if not unit["tried"]:
        what = "coast defence" if unit["type"] == "coast-piece" else "Ersatz"
        text, strength = f"untried {what}", ""
    else:
        text = unit["name"]
        strength = f"{SHORT_TYPES.get(unit['type'], unit['type'])} {values(unit)}"
        marks += ["reduced"] * (unit.get("full", 1) > unit.get("steps", 1)) + ["Port side"] * bool(unit.get("port_side"))
    line = " ".join(w for w in (unit["id"], text, strength) if w)
    return {
        "id": unit["id"], "text": text, "strength": strength, "marks": marks, "label": label, "line": ", ".join([line, *marks]),
    }


def values(unit: UnitSeen) -> str:
    """'7-8-7 MA 5': attack, defence, rating; of guns the support and range, of Beach units the capacity."""
    said = f"{unit.get('attack', 0)}-{unit.get('defence', 0)}-{unit.get('er', 0)}"
    if unit.get("ma"):
        said += f" MA {unit['ma']}{'m' if unit.get('mobility') == 'motor' else ''}"
    if unit.get("support"):
        said += f" support {unit['support']} range {unit.get('range', 0)}"
    if unit.get("capacity") and not unit.get("port_side"):
        said += f" feeds {unit['capacity']}"
    return said


def _box(box: str, units: Mapping[str, Sequence[UnitSeen]], side: str) -> dict[str, Any]:
    name = capital(PLACES[box].removeprefix("the "))
    order = [s for s in ([side, other(side)] if side in SIDES else SIDES) if units.get(s)]
    forces = [
        {"side": s, "name": ADJECTIVES[s], "blocks": [_unit(u, ADJECTIVES[s] if not n else "") for n, u in enumerate(units[s])]}
        for s in order
    ]
    return {"id": box, "mark": "", "name": name, "text": "", "line": name, "forces": forces}


def _port(port: Mapping[str, Any], names: Names) -> str:
    holder = ADJECTIVES[port["holder"]]
    damage = f", demolition {port['demolition']}" if port["demolition"] else ""
    return f"{names.place(port['hex'])} {holder}, capacity {port['capacity']} of {port['printed']}{damage}"


def _to_come(units: Mapping[str, Sequence[UnitSeen]], names: Names, turn: int) -> list[dict[str, Any]]:
    """The side's own units that are still to arrive, by turn."""
    due = {row.unit: row.turn for row in names.data.setup}
    by_turn: dict[int, list[str]] = {}
    for found in units.values():
        for unit in found:
            when = due.get(unit["id"], 0)
            if when > turn:
                by_turn.setdefault(when, []).append(f"{unit['name']} ({unit['id']})")
    return [{"turn": t, "line": ", ".join(by_turn[t])} for t in sorted(by_turn)]


def boxes(seen: InvasionView, names: Names, side: str) -> dict[str, Any]:
    """What each side has besides its units: support, replacements, losses; and the state of affairs."""
    shown = side or SIDES[0]
    return {
        "own": {"heading": "Your means" if side else f"{ADJECTIVES[shown]} means", "rows": _rows(seen, shown)},
        "enemy": {
            "heading": "The enemy's means" if side else f"{ADJECTIVES[other(shown)]} means", "rows": _rows(seen, other(shown)),
        },
        "affairs": _affairs(seen),
    }


def _rows(seen: InvasionView, side: str) -> list[dict[str, str]]:
    points = [f"air {seen['air'][side]}"] + [f"naval {seen['naval']}"] * (side == "allied")
    found = {"Support points left": ", ".join(points), "Replacement points": str(seen["rp"][side])}
    put = seen["interdiction"]
    if side == "allied" and (put["air"] or put["naval"]):
        found["On interdiction"] = f"air {put['air']}, naval {put['naval']}"
    if side == "axis" and put["counter"]:
        found["Covering its shipping"] = f"air {put['counter']}"
    lost = [f"{u['name']} ({u['id']})" for u in seen["units"] if u["side"] == side and u["place"] == ELIMINATED]
    if lost:
        found["Eliminated"] = "; ".join(lost)
    return [{"label": k, "text": v} for k, v in found.items()]


def _affairs(seen: InvasionView) -> list[str]:
    """Mussolini, operations, the evacuation."""
    found = [f"Operation {code}, turn {turn}." for code, turn in seen["operations"].items()]
    if seen["plan"]:
        found.append(f"Your invasion marker {seen['plan'][1]} lies on turn {seen['plan'][0]}.")
    if seen["mussolini"]["fallen"]:
        found.append("Mussolini has fallen: Italian ratings are one lower.")
    elif seen["mussolini"]["revival"]:
        found.append("There was a Fascist Revival: CCNN ratings are two higher.")
    if seen["evacuating"]:
        found.append("The Axis is evacuating Sicily.")
    return found


def score(seen: InvasionView, names: Names) -> dict[str, Any]:
    """Victory points: what is held, what was lost, what was settled on the way; and the levels of victory."""
    held = ", ".join(f"{what} [{hex_}] {points}" for hex_, what, points in seen["holdings"]) or "nothing yet"
    lost = ", ".join(f"{unit} {points:+d}" for unit, points in seen["losses"])
    settled = ", ".join(f"{what} {points:+d}" for what, points in seen["ledger"].items() if points)
    notes = [f"Losses: {lost}."] * bool(lost) + [f"Settled: {settled}."] * bool(settled)
    levels = "; ".join(f"{name} from {least}" if least > -99 else f"else {name}" for name, least in seen["levels"])
    return {
        "sides": [{"side": "allied", "name": "Allied", "vp": seen["vp_held"]["allied"], "line": held}],
        "notes": [*notes, f"Levels of victory: {levels}."],
        "lead": "",
    }


