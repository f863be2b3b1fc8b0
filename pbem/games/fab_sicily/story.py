"""What happened, in words: journal rows of one game, as one side may know them, turned into short sentences.

An item is ``{"text", "rule", "source", "tone"}``; a battle is an item that has ``lines`` of its own.  ``tone`` is
'order', 'refused', 'decision', 'die', 'fire', 'good', 'bad' or '' and never the only sign of anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.engine import success
from pbem.core.journal import Row
from pbem.core.standing import Directive
from pbem.games.fab_sicily import board
from pbem.games.fab_sicily.data import AT_SEA, AXIS, SIDES, Data
from pbem.games.fab_sicily.questions import QUESTIONS
from pbem.games.fab_sicily.view import event_view

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
    "sea-retreat": "retreated to sea",
    "at-sea": "stays at sea,",
    "evacuation": "was evacuated",
}

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


def listed(things: Sequence[str]) -> str:
    """'a', 'a and b', 'a, b and c'."""
    return things[0] if len(things) == 1 else ", ".join(things[:-1]) + " and " + things[-1] if things else "none"


def does(side: str, verb: str) -> str:
    """'the Allies draw', 'the Axis draws'."""
    return f"{SIDE_NAMES[side]} {verb}{'s' if side == AXIS else ''}"


def capital(text: str) -> str:
    """First letter upper case."""
    return text[:1].upper() + text[1:]


def count(number: int, noun: str, plural: str = "") -> str:
    """'1 hit', '2 hits', '2 dice'."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


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


Item = dict[str, Any]


def item(text: str, rule: str = "", tone: str = "", **more: Any) -> Item:
    """One line of the story."""
    return {"text": capital(text), "rule": rule, "source": "", "tone": tone, **more}


# -- one sentence an event ------------------------------------------------------------------------------
#
# A sentence function gets the redacted event and the names and returns an item, or None when the event
# needs no words.  ``join`` = (key, name): items that follow each other with one key become one sentence.

Sentence = Callable[[Mapping[str, Any], Names], "Item | None"]
SENTENCES: dict[str, Sentence] = {}
UNTOLD = frozenset({"PhaseBegan", "Entered", "BridgeTried", "Shown", "StratMoved", "FlankUsed", "Fired", "BattleBegan"})
"""Events that other words tell already (:class:`Story` tells the last two)."""


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
    if path[-1] == AT_SEA:
        return item(f"{names.block(event)} retreated to sea from {names.place(path[0])}.", event.get("rule", ""), "bad")
    if event["mode"] == "landing":
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
    return item(f"{names.piece(event['block'])} stood its ground and counts as veteran from now on.", "15.3d")


@tells("Drawn")
def _drawn(event: Mapping[str, Any], names: Names) -> Item:
    drawn = [names.piece(c) for c in event["chits"]]
    return item(f"{does(event['side'], 'draw')} {count(len(drawn), 'chit')}: {listed(drawn)}.", "4.2a")


@tells("ChitMoved")
def _chit(event: Mapping[str, Any], names: Names) -> Item:
    chit = names.piece(event["chit"])
    if event["box"] == "map":
        use = event["use"].replace("-", " ")
        return item(f"{chit} is placed in {names.place(event['area'])}{': ' + use if use else ''}.", event["rule"])
    side = ADJECTIVES[names.data.chits[event["chit"]].side]
    box = "cup" if event["box"] == "cup" else f"{event['box'].capitalize()} Box"
    return joined(f"Into the {side} {box}", [chit], event["rule"])


@tells("Works")
def _works(event: Mapping[str, Any], names: Names) -> Item:
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


# -- the story ------------------------------------------------------------------------------------------

FIRE_RULES = ("6.25", "6.26", "6.27", "6.28")
NAMING = ("block", "chit", "who", "border", "attacker", "defender")
AREA_EVENTS = ("BattleBegan", "Aborted", "RetreatedBefore", "HitAbsorbed", "Works", "Roadblock")
"""How an event is matched with the decision that led to it: by what it names, some also by their area."""

AT_ONCE = ("press", "fire", "disorder", "lose", "cross")
"""Choices that no event of their own tells."""

SILENT_KEYS = ("done", "none", "stand", "leave", "decline")
"""Choices to do nothing: told only when the deadline made them."""


@dataclass
class Story:
    """Goes through the rows once and collects phases with their items."""

    names: Names
    side: str
    standing: Sequence[Directive]
    phases: list[dict[str, Any]] = field(default_factory=list)
    rolls: list[dict[str, Any]] = field(default_factory=list)
    moves: list[dict[str, Any]] = field(default_factory=list)
    battles: list[Item] = field(default_factory=list)
    _battle: Item | None = None
    _attacker: str = ""
    _decided: list[Mapping[str, Any]] = field(default_factory=list)
    _dice: list[Mapping[str, Any]] = field(default_factory=list)
    _busy: bool = False

    def phase(self, step: str) -> None:
        """What follows belongs to that step."""
        self._flush()
        self._battle = None
        self.phases.append(
            {"step": step, "title": phase_title(step), "rule": PHASES.get(step.split(" ")[-1], ("", ""))[1], "items": []}
        )

    def row(self, row: Row) -> None:
        """Take one row in."""
        getattr(self, f"_take_{row.kind}", lambda r: None)(row)

    def done(self) -> Story:
        """Nothing more comes."""
        self._flush()
        self.phases = [p for p in self.phases if p["items"]]
        return self

    # rows

    def _take_step(self, row: Row) -> None:
        self.phase(row.payload["name"])

    def _take_roll(self, row: Row) -> None:
        roll = row.payload
        if roll["secret"] and roll["side"] != self.side:
            return
        self._busy = True
        self.rolls.append(
            {
                "seq": row.seq,
                "step": self.phases[-1]["title"],
                "side": roll["side"],
                "rule": roll["rule"],
                "text": capital(roll_text(roll)),
                "purpose": roll["purpose"],
                "faces": list(roll["faces"]),
                "sides": roll["sides"],
                "target": roll["target"],
                "mods": [list(m) for m in roll["mods"]],
                "told": roll["target"] is not None,
            }
        )
        self._tell_dice()
        if roll["target"] is not None and roll["rule"] not in FIRE_RULES:
            self._dice.append(roll)

    def _take_answer(self, row: Row) -> None:
        answer = row.payload
        if answer["side"] != self.side or answer["how"] == "forced":
            return
        self._tell_dice()
        if self._busy:
            self._tell_decisions()
        self._busy = False
        self._decided.append({**answer, "source": self.source(row)})
        if answer["key"] in AT_ONCE:
            self._tell_decisions()

    def _take_skip(self, row: Row) -> None:
        skip = row.payload
        if skip["side"] == self.side:
            told = item(f"not carried out: '{skip['text']}': {skip['reason']}.", skip["rule"], "refused")
            self._put({**told, "source": row.source})

    def _take_control(self, row: Row) -> None:
        act, payload = row.payload.get("act", ""), row.payload
        if act == "deadline":
            self._put(item(f"the deadline passed for {SIDE_NAMES[payload['side']]}; open questions take their defaults."))
        elif act == "rewind":
            self._put(
                item(
                    f"the referee took the game back to the start of '{phase_title(payload['name'])}': {payload['reason']}.",
                    "",
                    "refused",
                )
            )
        elif payload.get("reason"):
            self._put(item(f"the referee: {act}: {payload['reason']}."))

    def _take_event(self, row: Row) -> None:
        event = event_view(row.payload, self.side)
        if event is None:
            return
        self._busy = True
        kind = event["type"]
        if kind == "MoraleChecked" and self._dice:
            self._told_with_die(event)
            return
        if kind == "BattleBegan":
            self._open_battle(event)
        elif kind == "Fired":
            self._put(fire_item(event, self.names))
        elif kind not in UNTOLD and not self._needless(event):
            told = SENTENCES[kind]({**event, "attacking": event.get("side") == self._attacker}, self.names)
            if told:
                self._put({**told, "source": self._source_of(event)})
        if kind == "Moved":
            self.moves.append({"path": list(event["path"]), "mode": event["mode"], "side": event["owner"]})
        if kind == "BattleEnded" and self._battle:
            self._tell_decisions()
            self._battle["result"] = event["result"]
            self._battle = None

    def other_dice(self) -> list[dict[str, Any]]:
        """The dice that no line of the story shows (draws), those for one purpose together."""
        found: list[dict[str, Any]] = []
        for roll in (r for r in self.rolls if not r["told"]):
            face = f"{', '.join(map(str, roll['faces']))} of {roll['sides']}"
            if found and (found[-1]["purpose"], found[-1]["rule"]) == (roll["purpose"], roll["rule"]):
                found[-1]["faces"].append(face)
            else:
                found.append({"purpose": roll["purpose"], "rule": roll["rule"], "faces": [face], "seq": roll["seq"]})
        return [{"text": f"{capital(f['purpose'])}: {'; '.join(f['faces'])}", "rule": f["rule"], "seq": f["seq"]} for f in found]

    # battles

    def _open_battle(self, event: Mapping[str, Any]) -> None:
        self._tell_dice()
        attacker = event["attacker"]
        self._attacker = attacker
        title = f"In {self.names.place(event['area'])} {does(attacker, 'attack')}:"
        source = self._source_of(event)
        self._battle = {
            **item(title, "7.4" if event["breakthrough"] else "6.2", "battle"),
            "source": source,
            "area": event["area"],
            "attacker": attacker,
            "lines": [],
            "result": "",
        }
        self.battles.append(self._battle)
        self.phases[-1]["items"].append(self._battle)

    def _needless(self, event: Mapping[str, Any]) -> bool:
        """What other lines say already: digging (5.23), and in a battle the assets' way and the works' end."""
        kind = event["type"]
        if not self._battle:
            return bool(kind == "Works" and event["on"] and event["rule"] == "5.23")
        return (kind == "ChitMoved" and event["box"] in ("used", "map")) or (kind == "Works" and not event["on"])

    def _told_with_die(self, event: Mapping[str, Any]) -> None:
        roll = self._dice.pop()
        self._tell_dice()
        mods = modifiers(roll["mods"])
        told = SENTENCES["MoraleChecked"](event, self.names)
        assert told is not None
        die = f"{faces(roll['faces'], roll['target'])} against {roll['target']}{f' ({mods})' if mods else ''}"
        self._put({**told, "text": f"{told['text'][:-1]} ({die}).", "source": self._source_of(event)})

    # decisions and their sources

    def source(self, row: Row) -> str:
        """'by your standing order 3', 'by default at the deadline', or the message and line."""
        answer = row.payload
        if answer["how"] == "default":
            return "by default at the deadline"
        if answer["how"] == "standing":
            texts = list(dict.fromkeys(d.text for d in self.standing))
            number = texts.index(answer["order"]) + 1 if answer["order"] in texts else 0
            return f"by your standing order {number}" if number else f"by your standing order '{answer['order']}'"
        return row.source

    def _source_of(self, event: Mapping[str, Any]) -> str:
        """The source of the decision that led to an event (taken off the list)."""
        known = {event.get(k) for k in NAMING} | ({event.get("area")} if event["type"] in AREA_EVENTS else set())
        for decided in self._decided:
            words = {decided["where"], *decided["key"].split(" ")} - {""}
            if words & known:
                self._decided.remove(decided)
                return str(decided["source"])
        return ""

    def _tell_decisions(self) -> None:
        """Decisions that no event told."""
        for decided in self._decided:
            by_deadline = decided["how"] == "default"
            if decided["key"] in SILENT_KEYS and not by_deadline:
                continue
            title = QUESTIONS[decided["kind"]].title if decided["kind"] in QUESTIONS else decided["kind"]
            where = f" at {self._where(decided['where'])}" if decided["where"] else ""
            told = item(f"your choice, {title.rstrip('?').lower()}{where}: {decided['key']}.", decided["rule"], "decision")
            self._append({**told, "source": decided["source"]})
        self._decided = []

    def _where(self, where: str) -> str:
        if "-" in where and where in self.names.data.borders:
            return self.names.bridge(where)
        return self.names.place(where) if where in self.names.data.areas else self.names.piece(where)

    # putting things down

    def _tell_dice(self) -> None:
        for roll in self._dice:
            self._append(item(f"{roll_text(roll)}.", roll["rule"], "die"))
        self._dice = []

    def _flush(self) -> None:
        if self.phases:
            self._tell_dice()
            self._tell_decisions()

    def _put(self, told: Item) -> None:
        self._tell_dice()
        self._append(told)

    def _append(self, told: Item) -> None:
        lines = self._battle["lines"] if self._battle else self.phases[-1]["items"]
        before = lines[-1] if lines else None
        if before and told.get("join") and before.get("join") == told["join"] and before["source"] == told["source"]:
            lines[-1] = {
                **before,
                **joined(told["join"], before["names"] + told["names"], told["rule"], told["tone"]),
                "source": told["source"],
            }
        else:
            lines.append(told)


def tell(rows: Sequence[Row], data: Data, side: str, now: str, standing: Sequence[Directive] = ()) -> Story:
    """The story of ``rows`` for ``side``; ``now`` is the step the game stands in after them."""
    story = Story(Names(data), side, standing)
    story.phase(_first_step(rows, now))
    for row in rows:
        story.row(row)
    return story.done()


def _first_step(rows: Sequence[Row], now: str) -> str:
    """The step that the first rows belong to, when it began before them."""
    for row in rows:
        if row.kind == "step":
            return "setup"
        if row.kind == "answer":
            return str(row.payload["scope"])
    return now
