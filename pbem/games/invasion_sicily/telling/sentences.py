"""Events in words, one short sentence each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.core.documents import Item
from pbem.core.stage import Stage
from pbem.games import narration
from pbem.games.invasion_sicily.position.data import Data
from pbem.games.narration import capital

SIDE_NAMES = {"allied": "the Allies", "axis": "the Axis"}
ADJECTIVES = {"allied": "Allied", "axis": "Axis"}

PHASES = {
    "events": ("Special Events Phase", "4.0"), "weather": ("Weather Phase", "3.7"),
    "supply": ("Supply Determination Phase", "5.2"),
    "readiness": ("Air/Naval Readiness Phase", "4.0"), "transport": ("Transport Phase", "12.3"),
    "movement": ("Movement Phase", "7.5.1"), "reaction": ("Reaction Phase", "8.3"), "combat": ("Combat Phase", "9.0"),
    "motorized": ("Motorized Movement Phase", "7.5.2"), "replacements": ("Replacements Phase", "15.1"),
    "special": ("Special Movement Phase", "13.4"), "engineering": ("Engineering Phase", "4.0"),
    "victory": ("Victory Conditions Phase", "17.0"),
}

PLACES = {
    "africa": "the Africa Holding Box", "italy": "the Italy Holding Box", "invasion": "the Amphibious Invasion Box",
    "follow-up": "the Follow-Up Box", "evacuation": "the Emergency Evacuation Box",
    "sicily-evacuation": "the Sicily Evacuation Box", "eliminated": "the eliminated units", "reserved": "the units to come",
}

UNTOLD = (
    "PhaseBegan", "Limited", "TransportUsed", "StrengthTold", "BeachPlanned", "Controlled", "CombatEnded", "Refused", "StoodFast",
)
"""Events that other lines tell, or that only help the rules."""


def phase_title(step: str) -> str:
    """'Turn 2, Allied Movement Phase'."""
    stage = Stage.parse(step)
    title = PHASES.get(stage.phase, (stage.phase, ""))[0]
    return f"Turn {stage.turn}, {ADJECTIVES[stage.side]} {title}" if stage.side else f"Turn {stage.turn}, {title}"


def listed(words: Iterable[str]) -> str:
    """'a, b and c'."""
    found = list(words)
    return found[0] if len(found) == 1 else f"{', '.join(found[:-1])} and {found[-1]}" if found else ""


def count(number: int, what: str) -> str:
    """'1 step', '3 steps'."""
    return f"{number} {what}{'' if number == 1 else 's'}"


class Names:
    """How places and units are called in prose."""

    def __init__(self, data: Data) -> None:
        self.data = data

    def place(self, place: str) -> str:
        """'Gela [1823]', '1924', 'the Africa Holding Box'."""
        hex_ = self.data.hexes.get(place)
        if hex_ is None:
            return PLACES.get(place, place)
        if not hex_.land:
            beach = self.data.beaches.get(place)
            return f"{beach.name} [{place}]" if beach else f"the sea at {place}"
        return place if hex_.name == place else f"{hex_.name} [{place}]"

    def unit(self, unit: str) -> str:
        """'16 Infantry (US-16)'."""
        found = self.data.units.get(unit)
        return f"{found.name} ({unit})" if found else unit

    def units(self, units: Iterable[str]) -> str:
        """Ids, in a list."""
        return listed(units)

    def card(self, card: str) -> str:
        """What a coast defence or Ersatz counter is worth: '2-3, rated 4'."""
        found = self.data.cards.get(card)
        return f"{found.attack}-{found.defence}, rated {found.er}" if found else card


def item(text: str, rule: str = "", tone: str = "event", **more: Any) -> Item:
    """A line of the story; most tell of an event."""
    return narration.item(text, rule, tone, **more)


Told = Callable[[Mapping[str, Any], Names], Item | None]

MODES = {
    "movement": "moves",
    "motorized": "drives", "reaction": "reacts", "refusal": "slips away", "retreat": "retreats",
    "advance": "advances", "landing": "goes ashore", "sea": "sails", "air": "flies", "drop": "jumps",
    "evacuation": "is taken off",
    "follow-up": "moves",
}


def _moved(event: Mapping[str, Any], names: Names) -> Item:
    path = event["path"]
    way = f" by {', '.join(path[1:-1])}" if len(path) > 2 and path[-1] in names.data.hexes else ""
    text = f"{names.unit(event['unit'])} {MODES[event['mode']]} from {names.place(path[0])} to {names.place(path[-1])}{way}."
    return item(text, event["rule"], join=f"{event['mode']} {' '.join(path)}", names=[names.unit(event["unit"])])


def joined(first: Item, names: list[str]) -> Item:
    """Several units that went the same way."""
    singular = first["names"][0]
    verb = {"moves": "move", "drives": "drive", "reacts": "react", "slips away": "slip away", "retreats": "retreat",
            "advances": "advance", "goes ashore": "go ashore", "sails": "sail", "flies": "fly", "jumps": "jump",
            "is taken off": "are taken off"}
    rest = first["text"][len(capital(singular)) + 1 :] if len(first["names"]) == 1 else first["label"]
    for one, many in verb.items():
        if len(first["names"]) == 1 and rest.startswith(one):
            rest = many + rest[len(one) :]
            break
    made: Item = {**first, "text": f"{capital(listed(names))} {rest}", "names": names, "label": rest}
    return made


MARKS = {
    ("unsupplied", True): "is out of supply", ("unsupplied", False): "is in supply again",
    ("disrupted", True): "is disrupted", ("disrupted", False): "is in order again",
}


def _marked(event: Mapping[str, Any], names: Names) -> Item | None:
    said = MARKS.get((event["mark"], event["on"]))
    return item(f"{names.unit(event['unit'])} {said}.", event["rule"]) if said else None


def _weather(event: Mapping[str, Any], names: Names) -> Item:
    ground = "dry" if event["weather"] == "dry" else "mud"
    return item(f"the weather is {ground}{', with a Storm' if event['storm'] else ''}.", "3.7")


def _readiness(event: Mapping[str, Any], names: Names) -> Item:
    zone = "" if event["axis_zone"] else " The Allies have air superiority everywhere."
    air = f"air {event['allied_air']} Allied and {event['axis_air']} Axis"
    return item(f"support points: {air}, naval {event['naval']}.{zone}", "11.1")


def _declared(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"an attack on {names.place(event['hex'])} is declared with {names.units(event['units'])}.", event["rule"])


def _resolved(event: Mapping[str, Any], names: Names) -> Item:
    if event["result"] == "E":
        said = f"{event['attack']} against {event['defence']}: worse than 1:3, the attackers are eliminated."
        return item(said, "9.4", "result")
    mods = ", ".join(f"{why} {by:+d}" for why, by in event["mods"]) or "no modifiers"
    net = event["row"] - event["die"]
    text = (f"{event['attack']} against {event['defence']}, column {event['column']}; {mods}"
            f"{f' (net {net:+d})' if event['mods'] else ''}; die {event['die']}: {result_words(event['result'])}.")
    return item(text, "9.4", "result")


def result_words(cell: str) -> str:
    """'the attacker loses 1 step, the defender 2 and retreats 2 hexes'."""
    attacker, defender = cell.split("/")
    said = []
    for who, part in (("the attacker", attacker), ("the defender", defender)):
        steps, _, back = part.partition("r")
        words = [f"loses {count(int(steps), 'step')}"] if int(steps) else []
        words += [f"retreats {count(int(back), 'hex') if int(back) == 1 else f'{back} hexes'}"] if back else []
        if words:
            said.append(f"{who} {listed(words)}")
    return "; ".join(said) or "nothing happens"


def _mussolini(event: Mapping[str, Any], names: Names) -> Item:
    words = {"falls": "Mussolini falls", "revival": "a Fascist Revival", "none": "Mussolini stays"}[event["result"]]
    return item(f"{words}{', with Rome bombed' if event['bombed'] else ''}.", "14.3")


def _interdicted(event: Mapping[str, Any], names: Names) -> Item:
    if event["counter"]:
        return item(f"the Axis covers its shipping with {count(event['counter'], 'air point')}.", "11.2.4")
    return item(f"on interdiction: air {event['air']}, naval {event['naval']}.", "11.2.1")


def _plain(text: str, rule: str = "", tone: str = "event") -> Told:
    """A sentence with fields: {unit}, {hex}, {place}, {target}, {card}; other fields as they are."""

    def tell(event: Mapping[str, Any], names: Names) -> Item:
        words = dict(event)
        for field in ("hex", "place", "target"):
            if isinstance(event.get(field), str):
                words[field] = names.place(event[field])
        if "unit" in event:
            words["unit"] = names.unit(event["unit"])
        if "card" in event:
            words["card"] = names.card(event["card"])
        if "side" in event:
            words["side"] = SIDE_NAMES.get(event["side"], event["side"])
        return item(text.format(**words), event.get("rule") or rule, tone)

    return tell


def _placed(event: Mapping[str, Any], names: Names) -> Item:
    side = " on its reduced side" if event["reduced"] else ""
    return item(f"{names.unit(event['unit'])} comes to {names.place(event['place'])}{side}.", event["rule"])


def _spent(event: Mapping[str, Any], names: Names) -> Item | None:
    if event["use"] in ("interdiction", "counter"):
        return None
    return item(f"{ADJECTIVES[event['side']]} {event['kind']} support: {count(event['points'], 'point')}.", "10.2")


def _changed(event: Mapping[str, Any], names: Names) -> Item | None:
    if event["rule"] not in ("15.1.2b", "12.3.5", "15.1.2c"):
        return None
    word = "gain" if event["points"] > 0 else "lose"
    who = "the Allies" if event["side"] == "allied" else "the Axis"
    verb = word if event["side"] == "allied" else f"{word}s"
    return item(f"{who} {verb} {count(abs(event['points']), 'replacement point')}.", event["rule"])


SCORED = {
    "axis-zone": "naval operations in the Axis air zone", "elite-lead": "an elite unit leads an attack",
    "reserve": "a unit wanted in Italy is committed", "allied-rp": "a replacement point is bought by the Allies",
    "axis-rp": "a replacement point is bought by the Axis", "lost-rp": "shipping is lost",
}


def _scored(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"victory points {event['points']:+d}: {SCORED.get(event['what'], event['what'])}.", event["rule"])


AIR = {
    "lands": "lands well", "disrupted": "lands scattered", "disrupted-step": "lands scattered and loses a step",
    "eliminated": "is destroyed in the air", "arrives": "arrives", "step-stays": "loses a step and stays",
}
SEA = {
    "arrives": "arrives", "stays": "has to stay in port", "step": "arrives with the loss of a step", "eliminated": "is sunk",
}

SENTENCES: dict[str, Told] = {
    "Placed": _placed,
    "Moved": _moved,
    "BoxMoved": _plain("{unit} is put into {place}."),
    "Embarked": _plain("{unit} lies off {target}."),
    "Marked": _marked,
    "StepLost": _plain("{unit} loses a step.", tone="loss"),
    "StepGained": _plain("{unit} is at full strength again."),
    "Eliminated": _plain("{unit} is eliminated.", tone="loss"),
    "Revealed": _plain("{unit} turns out to be {card}."),
    "Turned": lambda e, n: item(f"{n.unit(e['unit'])} becomes a {'Port' if e['port'] else 'Beach'} unit.", e["rule"]),
    "Declared": _declared,
    "CalledOff": _plain("the attack on {hex} finds nobody."),
    "CombatResolved": _resolved,
    "WeatherSet": _weather,
    "ReadinessSet": _readiness,
    "Spent": _spent,
    "Interdicted": _interdicted,
    "ReplacementsChanged": _changed,
    "Scored": _scored,
    "StrongpointSet": lambda e, n: item(
        f"{'a strongpoint is built in' if e['built'] else 'the strongpoint is destroyed in'} {n.place(e['hex'])}.",
        "16.1" if e["built"] else "16.2.6"),
    "DemolitionSet": lambda e, n: item(
        f"the port of {n.place(e['hex'])} " + (f"has {e['points']} points of demolition." if e["points"] else "is whole again."),
        "5.5.6"),
    "RomeBombed": _plain("the Allies bomb Rome.", "14.3.2"),
    "MussoliniRolled": _mussolini,
    "EvacuationDeclared": _plain("the Axis gives Sicily up.", "13.6.1"),
    "PlanSet": lambda e, n: item(
        f"the invasion marker {e['code']} lies on turn {e['turn']}." if e["turn"] else "the invasion marker is taken away.",
        "13.1.2"),
    "OperationBegan": _plain("the invasion begins: {code}.", "13.1"),
    "OperationDelayed": _plain("a Storm puts the invasion off to turn {turn}.", "13.1.2"),
    "PortsGrown": _plain("the large Port units work better from now on.", "5.5.3"),
    "SeaLoss": lambda e, n: item(f"{n.unit(e['unit'])} {SEA[e['result']]}.", "12.3.5"),
    "AirResult": lambda e, n: item(f"{n.unit(e['unit'])} {AIR[e['result']]}.", "11.3.2"),
    "TurnEnded": _plain("victory points at the end of the turn: {points}.", "17.0"),
    "GameEnded": _plain("the game is over: {level}, {points} points.", "17.0"),
    "Adjusted": _plain("the referee corrects the position: {what}."),
}
