"""One sentence for each thing that can happen, from redacted events; and dice in words.

An item is ``{"text", "rule", "source", "tone"}``.  ``tone`` is 'order', 'refused', 'decision', 'die', 'fire', 'good', 'bad' or ''
and never the only sign of anything.  ``join`` and ``names``: items that follow each other with one ``join`` become one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.core.documents import Item
from pbem.games.brief import count, listed
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules.d10 import success
from pbem.games.fab_sicily.position.events import BY_PORT
from pbem.games.fab_sicily.position.data import AT_SEA, AXIS, SIDES, Data
from pbem.games.narration import capital, item

SIDE_NAMES = {"allied": "the Allies", "axis": "the Axis"}
ADJECTIVES = {"allied": "Allied", "axis": "Axis"}

PHASES = {
    "reinforcement": ("Reinforcement Phase", "4.1"),
    "draw": ("draw", "4.2a"),
    "admin": ("Admin Phase", "4.2b"),
    "counter-admin": ("Admin Phase, second half", "4.2c"),
    "movement": ("Movement Phase", "5.2"),
    "strategic": ("Strategic Movement Phase", "5.4"),
    "drop": ("airborne drop", "14.27a"),
    "combat": ("Combat Phase", "6.0"),
    "reaction": ("Reaction Phase", "7.2"),
    "breakthrough": ("Breakthrough Movement Phase", "7.3"),
    "breakthrough-combat": ("Breakthrough Combat Phase", "7.4"),
    "supply": ("Supply Phase", "9.0"),
    "victory": ("Victory Check", "3.4"),
    "setup": ("Set-up", "22.14"),
}

FIRE = {
    "attacking-artillery": ("Attacking artillery", "6.25"),
    "defending-artillery": ("Defending artillery", "6.26"),
    "defensive-fire": ("Defensive fire", "6.27"),
    "offensive-fire": ("Offensive fire", "6.28"),
}

MODES = {
    "operational": "moved",
    "strategic": "moved strategically",
    "reaction": "moved in reaction",
    "breakthrough": "moved",
    "exploitation": "exploited",
    "retreat": "retreated",
    "reinforce": "came to reinforce the battle",
    "landing": "landed",
    BY_PORT: "landed",
    "sea-retreat": "retreated to sea",
    "evacuation": "was evacuated",
}

USES = {"flank": "flank invasion", "roadblock": "defended roadblock"}
CLEARED = {
    "16.21": "the naval guns remove", "6.33": "engineers clear", "16.22": "Rangers clear", "16.23": "Commandos clear",
}  # fmt: skip
"""Who removed field works in a battle, by the rule."""

TABLED = {
    "morale-collapse": "Italian morale collapses by a level.",
    "slapping": "Patton has slapped a soldier: from now on it takes two American Special Actions to use one.",
    "extraction": "The Germans prepare a tactical extraction.",
    "airfield": "With the captured airfield the Axis loses {chit}.",
}
"""Chits laid beside the map, by what they do there; ``chit`` is the chit itself."""

STEP_LOSSES = ("6.32", "6.41", "6.41a", "6.43")
"""Rules by which an asset is lost to a hit."""

RESULTS = {
    "contested": "Both sides hold on: the area stays contested.",
    "attacker-holds": "The attackers hold the area alone.",
    "defender-holds": "The defenders hold the area alone.",
    "empty": "Nobody is left in the area.",
}

GONE = {
    "losses": "was destroyed",
    "surrender": "surrendered",
    "overstacked": "had nowhere to go and was lost",
    "no-drop": "could not be dropped and was lost",
    "off-map": "was forced off the map and is lost",
    "unsupplied-green": "dissolved, out of supply",
}


def phase_title(step: str) -> str:
    """'2 allied movement' as 'Allied Movement Phase, turn 2'."""
    words = step.split(" ")
    title = PHASES.get(words[-1], (words[-1], ""))[0]
    if len(words) == 1:
        return title
    return f"{ADJECTIVES[words[1]] + ' ' if len(words) == 3 else ''}{title}, turn {words[0]}"


def does(side: str, verb: str) -> str:
    """'the Allies draw', 'the Axis draws'."""
    return f"{SIDE_NAMES[side]} {verb}{'s' if side == AXIS else ''}"


def signed(number: int) -> str:
    """'+1', '-1'."""
    return f"{number:+d}"


@dataclass(frozen=True)
class Names:
    """What things are called, from the scenario's fixed data only."""

    data: Data

    def block(self, event: Mapping[str, Any], key: str = "block") -> str:
        """The block an event is about; one that may not be known is 'an Axis block'."""
        return self.piece(event[key]) if event.get(key) else f"an {ADJECTIVES[event['owner']]} block"

    def piece(self, known: str) -> str:
        """A block or chit: '50th Infantry (50-1)'."""
        kind = self.data.blocks.get(known) or self.data.chits.get(known)
        return f"{kind.name} ({known})" if kind else known

    def place(self, place: str) -> str:
        """'Lentini [14]'."""
        return board.place_name(self.data, place)

    def places(self, places: Iterable[str]) -> str:
        """Several places; many areas by number only."""
        ids = list(places)
        return listed([self.place(p) for p in ids]) if len(ids) <= 4 else "areas " + ", ".join(ids)

    def bridge(self, border: str) -> str:
        """'the bridge Lentini [14] - Catania [26]'."""
        a, b = border.split("-")
        return f"the bridge {self.place(a)} - {self.place(b)}"


# -- one sentence an event ------------------------------------------------------------------------------
#
# A sentence function gets the redacted event and the names and returns an item, or None when the event
# needs no words.

Sentence = Callable[[Mapping[str, Any], Names], "Item | None"]
SENTENCES: dict[str, Sentence] = {}
UNTOLD = frozenset({"PhaseBegan", "Entered", "BridgeTried", "Shown", "StratMoved", "FlankUsed", "Fired", "BattleBegan"})
"""Events that other words tell already (the story tells the last two)."""


def tells(kind: str) -> Callable[[Sentence], Sentence]:
    """Register the sentence of an event type."""

    def register(function: Sentence) -> Sentence:
        SENTENCES[kind] = function
        return function

    return register


def joined(prefix: str, names: list[str], rule: str = "", tone: str = "") -> Item:
    """'Out of supply: 50th Infantry (50-1)'; neighbours of the same prefix are joined."""
    return item(f"{prefix}: {listed(_counted(names))}.", rule, tone, join=prefix, names=names)


_ONE_OF = re.compile(r"(.+) \(([^()]+)\)(.*)")


def _counted(names: Sequence[str]) -> list[str]:
    """Equal things together: '2 Axis blocks in Vizzini [11]', 'Naval Support (NAV-1, NAV-2)'."""
    groups: dict[tuple[str, str], list[str]] = {}
    for name in names:
        match = _ONE_OF.fullmatch(name)
        groups.setdefault((match[1], match[3]) if match else (name, ""), []).append(match[2] if match else "")
    return [f"{name} ({', '.join(ids)}){rest}" if ids[0] else _times(len(ids), name) for (name, rest), ids in groups.items()]


def _times(number: int, name: str) -> str:
    return f"{number} {name.split(' ', 1)[1].replace(' block', ' blocks', 1)}" if number > 1 else name


@tells("Placed")
def _placed(event: Mapping[str, Any], names: Names) -> Item:
    return joined("Placed", [f"{names.block(event)} in {names.place(event['area'])}"], event.get("rule", ""))


@tells("Moved")
def _moved(event: Mapping[str, Any], names: Names) -> Item:
    path, verb = event["path"], MODES.get(event["mode"], "moved")
    if event["mode"] == "at-sea":
        return item(f"{names.block(event)} stays at sea, from {names.place(path[0])}.", event.get("rule", ""))
    if path[-1] == AT_SEA:
        return item(f"{names.block(event)} retreated to sea from {names.place(path[0])}.", event.get("rule", ""), "bad")
    if event["mode"] in ("landing", BY_PORT):
        return item(f"{names.block(event)} landed at {names.place(path[-1])} from {names.place(path[0])}.", event.get("rule", ""))
    via = f" by way of {listed([names.place(p) for p in path[1:-1]])}" if len(path) > 2 else ""
    cost = f" ({event['cost']} MP)" if event.get("cost") else ""
    return item(
        f"{names.block(event)} {verb} from {names.place(path[0])} to {names.place(path[-1])}{via}{cost}.", event.get("rule", "")
    )


@tells("Delayed")
def _delayed(event: Mapping[str, Any], names: Names) -> Item:
    return joined("Arrives a turn later", [names.block(event)], event.get("rule", "4.1c"), "bad")


@tells("Dug")
def _dug(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"{_block_at(event, names)} digs field works.", "5.23")


@tells("Halted")
def _halted(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"{names.block(event)} stops before {names.bridge(event['border'])}.", "5.35d")


@tells("BridgeBlown")
def _bridge(event: Mapping[str, Any], names: Names) -> Item:
    done = "is blown" if event["blown"] else "is repaired"
    return item(f"{names.bridge(event['border'])} {done} by {SIDE_NAMES[event['side']]}.", event["rule"])


@tells("Identified")
def _identified(event: Mapping[str, Any], names: Names) -> Item:
    quality = names.data.cards[event["card"]].quality
    grade = "recruits" if not any(quality) else "veterans"
    return item(
        f"{_block_at(event, names)} in {names.place(event['where'])} turns out to be {grade}, {count(event['steps'], 'step')}.",
        "15.3",
    )


@tells("Seen")
def _seen(event: Mapping[str, Any], names: Names) -> Item | None:
    if not event["side"]:
        return None
    return item(
        f"{does(event['side'], 'learn')} which block {names.piece(event['block'])} in {names.place(event['where'])} is.", "8.32"
    )


@tells("StatusSet")
def _status(event: Mapping[str, Any], names: Names) -> Item:
    words = {"good": ("Back in good order", "good"), "disordered": ("Disordered", "bad"), "recovering": ("Recovering", "")}
    prefix, tone = words[event["status"]]
    return joined(prefix, [_block_at(event, names)], event.get("rule", ""), tone)


@tells("SupplySet")
def _supply(event: Mapping[str, Any], names: Names) -> Item:
    prefix, tone = ("In supply again", "good") if event["supplied"] else ("Out of supply", "bad")
    return joined(prefix, [_block_at(event, names)], "9.32", tone)


def _block_at(event: Mapping[str, Any], names: Names) -> str:
    return names.piece(event["block"]) if event.get("block") else f"{names.block(event)} in {names.place(event['where'])}"


@tells("AreasUnsupplied")
def _areas_unsupplied(event: Mapping[str, Any], names: Names) -> Item | None:
    if not event["areas"]:
        return None
    return item(f"{ADJECTIVES[event['side']]} areas out of supply: {names.places(event['areas'])}.", "9.32")


@tells("Reserve")
def _reserve(event: Mapping[str, Any], names: Names) -> Item | None:
    return joined("Put into reserve", [_block_at(event, names)], event.get("rule", "5.21")) if event["on"] else None


@tells("Exploit")
def _exploit(event: Mapping[str, Any], names: Names) -> Item | None:
    return joined("May exploit", [_block_at(event, names)], event.get("rule", "6.8"), "good") if event["on"] else None


@tells("StepLost")
def _step_lost(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"{_block_at(event, names)} loses a step.", event.get("rule", ""), "bad")


@tells("Adjusted")
def _adjusted(event: Mapping[str, Any], names: Names) -> Item:
    what = event["what"]
    if event["hidden"]:
        return item(f"The referee corrects the {what} of {_block_at(event, names)}.", "", "refused")
    value = names.place(event["value"]) if what == "place" else event["value"]
    piece = event.get("piece", "")
    of = names.block(event) if event["block"] else names.place(piece) if piece in names.data.areas else names.piece(piece)
    return item(f"The referee corrects the {what} of {of}: now {value}.", "", "refused")


@tells("StepGained")
def _step_gained(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"{_block_at(event, names)} gains a step.", event.get("rule", ""), "good")


@tells("Eliminated")
def _eliminated(event: Mapping[str, Any], names: Names) -> Item:
    return item(
        f"{names.block(event)} {GONE.get(event['how'], 'was eliminated')} ({names.place(event['where'])}).", event["rule"], "bad"
    )


@tells("Proven")
def _proven(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"{names.piece(event['block'])} has come through its first battle and counts as veteran from now on.", "15.3d")


@tells("Drawn")
def _drawn(event: Mapping[str, Any], names: Names) -> Item:
    drawn = [names.piece(c) for c in event["chits"]]
    return item(f"{does(event['side'], 'draw')} {count(len(drawn), 'chit')}: {listed(drawn)}.", "4.2a")


@tells("ChitMoved")
def _chit(event: Mapping[str, Any], names: Names) -> Item | None:
    chit = names.piece(event["chit"])
    if event["box"] == "map":
        use = USES.get(event["use"], event["use"])
        return item(f"{chit} is placed in {names.place(event['area'])}{': ' + use if use else ''}.", event["rule"])
    if event["box"] == "table":
        words = TABLED.get(event["use"], "{chit} is in effect.").format(chit=chit)
        return item(words, event["rule"], "bad" if event["use"] == "airfield" else "")
    if event["box"] == "conditional":
        return None
    if event["rule"] in STEP_LOSSES:
        return joined("Lost", [chit], event["rule"], "bad")
    side = ADJECTIVES[names.data.chits[event["chit"]].side]
    box = "cup" if event["box"] == "cup" else f"{event['box'].capitalize()} Box"
    return joined(f"Into the {side} {box}", [chit], event["rule"])


@tells("Works")
def _works(event: Mapping[str, Any], names: Names) -> Item:
    if event["rule"] in CLEARED and not event["on"]:
        where = names.place(event["area"])
        return item(f"{CLEARED[event['rule']]} the {ADJECTIVES[event['side']]} field works in {where}.", event["rule"])
    return joined(f"{ADJECTIVES[event['side']]} field works {_made(event)}", [names.place(event["area"])], event["rule"])


@tells("Roadblock")
def _roadblock(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"{ADJECTIVES[event['side']]} roadblock in {names.place(event['area'])} {_made(event)}.", event["rule"])


def _made(event: Mapping[str, Any]) -> str:
    return "built" if event["on"] else "gone"


@tells("AssaultMarked")
def _assault(event: Mapping[str, Any], names: Names) -> Item | None:
    return item(f"{event['kind']} assault at {names.place(event['area'])}.", event["rule"]) if event["kind"] else None


@tells("ControlSet")
def _control(event: Mapping[str, Any], names: Names) -> Item:
    return joined(f"Now under {ADJECTIVES[event['side']]} control", [names.place(event["area"])], "2.4")


@tells("BeachheadSet")
def _beachhead(event: Mapping[str, Any], names: Names) -> Item:
    words = {"in-play": "Beachheads open", "captured": "Beachheads captured by the Axis", "destroyed": "Beachheads destroyed"}
    return joined(words[event["status"]], [f"{event['box']} ({names.place(names.data.landing[event['box']])})"], event["rule"])


@tells("PortDamaged")
def _port(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"The port of {names.place(names.data.ports[event['box']])} has damage level {event['level']}.", event["rule"])


@tells("Released")
def _released(event: Mapping[str, Any], names: Names) -> Item:
    kind = next((b for b in names.data.blocks.values() if b.division == event["division"]), None)
    return joined("Released from its army's zone", [kind.name if kind else event["division"]], event["rule"])


@tells("SpecialKept")
def _special_kept(event: Mapping[str, Any], names: Names) -> Item | None:
    return item(f"{does(event['side'], 'keep')} the Special Action of last turn.", "4.1a") if event["on"] else None


@tells("AssetCommitted")
def _committed(event: Mapping[str, Any], names: Names) -> Item:
    use = {"artillery": " as artillery", "air": " for ground support", "shock": " against the field works"}.get(event["use"], "")
    rule = "6.22" if event.get("attacking") else "6.23"
    return joined(capital(does(event["side"], "commit")), [names.piece(event["chit"]) + use], rule)


@tells("PointUnits")
def _points(event: Mapping[str, Any], names: Names) -> Item:
    defender, attacker = (names.piece(event[k]) if event[k] else "no unit" for k in ("defender", "attacker"))
    return item(f"The point units: {attacker} attacks, {defender} defends.", "6.24")


@tells("HitAbsorbed")
def _hit(event: Mapping[str, Any], names: Names) -> Item | None:
    words = {
        "field-works": "One hit goes into the field works, which are gone.",
        "disorder": "One hit is absorbed by falling into disorder.",
        "retreat": "One hit is absorbed by retreating.",
        "unapplied": "One hit finds nothing left to strike.",
    }
    return item(words[event["how"]], event["rule"]) if event["how"] in words else None


@tells("Aborted")
def _aborted(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"The attack is broken off; {count(event['ignored'], 'hit is', 'hits are')} ignored.", "6.41b")


@tells("RetreatedBefore")
def _retreated_before(event: Mapping[str, Any], names: Names) -> Item:
    return item("The defenders slip away before a shot is fired.", "8.24")


@tells("BattleEnded")
def _ended(event: Mapping[str, Any], names: Names) -> Item:
    return item(RESULTS[event["result"]], "6.29", result=event["result"])


@tells("MoraleChecked")
def _morale(event: Mapping[str, Any], names: Names) -> Item:
    passed, tone = ("passed", "good") if event["passed"] else ("failed", "bad")
    return item(f"Morale check of {names.piece(event['block'])} for {event['purpose']}: {passed}.", event["rule"], tone)


@tells("PlanChosen")
def _plan(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"The Allies land by the {event['plan']} plan.", event["rule"])


@tells("Captured")
def _captured(event: Mapping[str, Any], names: Names) -> Item:
    what = event["what"].replace("-", " ")
    return item(f"The Allies have taken the {what} of {names.place(event['area'])}.", event["rule"], "good")


@tells("Scored")
def _scored(event: Mapping[str, Any], names: Names) -> Item:
    return item(f"Victory points: the Allies {event['allied']}, the Axis {event['axis']}.", "19.3")


@tells("Won")
def _won(event: Mapping[str, Any], names: Names) -> Item:
    if event["side"] not in SIDES:
        return item(f"The game is a draw ({event['by']}).", event["rule"])
    return item(f"{does(event['side'], 'win')} ({event['by']}).", event["rule"], "good")


# -- dice -----------------------------------------------------------------------------------------------


def faces(numbers: Sequence[int], target: int | None) -> str:
    """Faces with the successes in brackets: '[2] 7 [1] 10'."""
    return " ".join(f"[{n}]" if target is not None and success(n, target) else str(n) for n in numbers)


def modifiers(mods: Iterable[Sequence[Any]]) -> str:
    """'field works -1, terrain -2', or ''."""
    return ", ".join(f"{name} {signed(n)}" for name, n in mods if n)


def roll_text(roll: Mapping[str, Any]) -> str:
    """A roll in one line: purpose, dice, target with modifiers, successes."""
    target, mods = roll["target"], modifiers(roll["mods"])
    against = f" against {target}{f' ({mods})' if mods else ''}" if target is not None else ""
    text = f"{roll['purpose']}: {faces(roll['faces'], target)}{against}"
    if target is None:
        return f"{text} (of {roll['sides']})"
    good = sum(success(f, target) for f in roll["faces"])
    return (
        f"{text}, {count(good, 'success', 'successes')}"
        if len(roll["faces"]) > 1
        else f"{text}, {'success' if good else 'failure'}"
    )


def fire_item(event: Mapping[str, Any], names: Names) -> Item:
    """One firer's dice in one line."""
    label, rule = FIRE[event["part"]]
    mods = modifiers(event["mods"])
    needs = f"needs {event['target']}{f' ({mods})' if mods else ''}"
    thrown = f"{faces(event['faces'], event['target'])} = {count(event['hits'], 'hit')}"
    text = f"{label}, {names.block(event, 'firer')}: {needs}: {thrown}."
    return item(
        text,
        rule,
        "fire",
        label=label,
        who=names.block(event, "firer"),
        side=event["side"],
        target=event["target"],
        mods=mods,
        faces=[{"n": f, "hit": success(f, event["target"])} for f in event["faces"]],
        hits=event["hits"],
    )
