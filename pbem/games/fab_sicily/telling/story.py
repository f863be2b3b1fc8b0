"""What happened, in words: journal rows of one game, as one side may know them, turned into short sentences.

Phases hold items (see :mod:`.sentences`) in the order they happened; a battle is an item that has ``lines`` of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.documents import Move, Phase, Roll
from pbem.core.journal import Row
from pbem.core.standing import Directive
from pbem.games.fab_sicily.position.data import Data
from pbem.games.fab_sicily.words.questions import QUESTIONS
from pbem.games.fab_sicily.telling.sentences import (
    PHASES,
    SENTENCES,
    SIDE_NAMES,
    UNTOLD,
    Item,
    Names,
    capital,
    does,
    faces,
    fire_item,
    item,
    joined,
    modifiers,
    phase_title,
    roll_text,
)
from pbem.games.fab_sicily.rules.sequence import SETUP
from pbem.games.fab_sicily.position.view import event_view

FIRE_RULES = ("6.25", "6.26", "6.27", "6.28")
NAMING = ("block", "chit", "who", "border", "attacker", "defender")
AREA_EVENTS = ("BattleBegan", "Aborted", "RetreatedBefore", "HitAbsorbed", "Works", "Roadblock")
"""How an event is matched with the decision that led to it: by what it names, some also by their area."""

FIGHTING = ("AssetCommitted", "PointUnits", "Fired", "HitAbsorbed", "Aborted", "RetreatedBefore", "BattleEnded")
"""Events that only happen in a battle."""

AT_ONCE = ("press", "fire", "disorder", "lose", "cross")
"""Choices that no event of their own tells."""

ACTS = {
    "pause": "the referee paused the game", "resume": "the referee let the game go on",
    "extend": "the deadline was moved by {hours} hours", "rule": "a ruling of the referee",
    "moved": "the deadline moved by {hours} hours", "clock": "the referee changed the game's clock",
    "adjust": "the referee corrected the position", "substitute": "the referee gave a seat to another player",
}
"""Acts from outside, in words; a reason stands behind them."""

_ONE_MOVED = re.compile(r"An (Allied|Axis) block (?=moved |landed |retreated )")
"""Several blocks that nobody can tell apart went the same way."""

SILENT_KEYS = ("done", "none", "stand", "leave", "decline", "artillery")
"""Choices to do nothing, or what the fire tells anyway: told only when the deadline made them."""

AIR_COMBAT, BRIDGE_DIE = "16.31", "5.35d"


@dataclass
class Story:
    """Goes through the rows once and collects phases with their items."""

    names: Names
    side: str
    standing: Sequence[Directive]
    phases: list[Phase] = field(default_factory=list)
    rolls: list[Roll] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    battles: list[Item] = field(default_factory=list)
    taken: dict[str, list[str]] = field(default_factory=dict)
    steps_lost: dict[str, int] = field(default_factory=dict)
    blocks_lost: dict[str, int] = field(default_factory=dict)
    _battle: Item | None = None
    _attacker: str = ""
    _mission: Mapping[str, Any] | None = None
    _decided: list[Mapping[str, Any]] = field(default_factory=list)
    _dice: list[Mapping[str, Any]] = field(default_factory=list)
    _repeats: tuple[Item, str, int] | None = None
    _busy: bool = False
    _ready: bool = False

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
                "mods": [(why, by) for why, by in roll["mods"]],
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
        if act == "deadline" and payload.get("side") == self.side:
            self._ready = bool(payload.get("ready"))
        if act == "deadline" and payload.get("ready"):
            self._put(item(f"{SIDE_NAMES[payload['side']]} said 'ready'; open questions take their defaults."))
        elif act == "deadline":
            self._put(item(f"the deadline passed for {SIDE_NAMES[payload['side']]}; open questions take their defaults."))
        elif act == "rewind":
            self._put(
                item(
                    f"the referee took the game back to the start of '{phase_title(payload['name'])}': {payload['reason']}.",
                    "",
                    "refused",
                )
            )
        elif act in ACTS or payload.get("reason"):
            said = ACTS.get(act, f"the referee: {act}").format(**payload)
            self._put(item(f"{said}: {payload['reason']}." if payload.get("reason") else f"{said}."))

    def _take_event(self, row: Row) -> None:
        event = event_view(row.payload, self.side)
        if event is None:
            return
        self._busy = True
        kind = event["type"]
        if kind == "BattleBegan":
            self._open_battle(event["area"], event["attacker"], "7.4" if event["breakthrough"] else "6.2", self._source_of(event))
        elif kind in FIGHTING and not self._battle:
            self._open_battle(event["area"], self._phasing(), "6.2", "", again=True)
        self._tell_event(kind, event)
        self._count(kind, event)
        if kind == "Moved":
            self.moves.append({"path": list(event["path"]), "mode": event["mode"], "side": event["owner"]})
        if kind == "BattleEnded" and self._battle:
            self._tell_decisions()
            self._battle["result"] = event["result"]
            self._battle = None

    def _tell_event(self, kind: str, event: Mapping[str, Any]) -> None:
        if kind == "Fired":
            self._put(fire_item(event, self.names))
        elif kind == "MoraleChecked" and self._dice:
            self._tell_check(event)
        elif kind == "ChitMoved" and event["rule"] == AIR_COMBAT:
            self._tell_air_combat(event)
        elif kind not in UNTOLD and not self._needless(event):
            told = SENTENCES[kind]({**event, "attacking": event.get("side") == self._attacker}, self.names)
            if told:
                self._put({**told, "source": self._source_of(event)})

    def _count(self, kind: str, event: Mapping[str, Any]) -> None:
        """What the headlines sum up."""
        if kind == "StepLost":
            self.steps_lost[event["owner"]] = self.steps_lost.get(event["owner"], 0) + 1
        elif kind == "Eliminated":
            self.blocks_lost[event["owner"]] = self.blocks_lost.get(event["owner"], 0) + 1
        elif kind == "ControlSet" and self.phases[-1]["step"] != SETUP:
            for places in self.taken.values():
                places[:] = [p for p in places if p != event["area"]]
            self.taken.setdefault(event["side"], []).append(event["area"])

    # battles

    def _open_battle(self, area: str, attacker: str, rule: str, source: str, again: bool = False) -> None:
        """A battle begins, or goes on that the last report left in the middle (``again``)."""
        self._tell_dice()
        self._attacker = attacker
        place = self.names.place(area)
        title = f"The battle in {place} goes on:" if again else f"In {place} {does(attacker, 'attack')}:"
        self._battle = item(title, rule, "battle", source=source, area=area, attacker=attacker, lines=[], result="")
        self.battles.append(self._battle)
        self.phases[-1]["items"].append(self._battle)

    def _phasing(self) -> str:
        words = str(self.phases[-1]["step"]).split(" ")
        return words[1] if len(words) == 3 else ""

    def _needless(self, event: Mapping[str, Any]) -> bool:
        """What other lines say already: who controls the map at the start (22.13, 22.23: the Axis all of it), digging (5.23),
        and in a battle the assets' way and the hit that ends the works."""
        kind = event["type"]
        if kind == "ControlSet" and self.phases[-1]["step"] == SETUP:
            return True
        if not self._battle:
            return bool(kind == "Works" and event["on"] and event["rule"] == "5.23")
        return (kind == "ChitMoved" and event["box"] in ("used", "map")) or (kind == "Works" and event["rule"] == "6.42")

    def _tell_air_combat(self, event: Mapping[str, Any]) -> None:
        """16.31 Two events: the mission that is cancelled, then what cancels it."""
        mission, self._mission = self._mission, None if self._mission else event
        if mission is None:
            return
        decided = [d for d in (self._decision_of(event), self._decision_of(mission)) if d]
        place = next((d["where"] or d["data"].get("area", "") for d in decided), "")
        over = f" over {self.names.place(place)}" if place and not self._battle else ""
        words = f"{self.names.piece(event['chit'])} turns {self.names.piece(mission['chit'])} back; both go to their Used Boxes"
        self._put({**item(f"Air combat{over}: {words}.", AIR_COMBAT), "source": str(decided[0]["source"]) if decided else ""})

    def _tell_check(self, event: Mapping[str, Any]) -> None:
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
            return "by default" if self._ready else "by default at the deadline"
        if answer["how"] == "standing":
            texts = list(dict.fromkeys(d.text for d in self.standing))
            number = texts.index(answer["order"]) + 1 if answer["order"] in texts else 0
            return f"by your standing order {number}" if number else f"by your standing order '{answer['order']}'"
        return row.source

    def _source_of(self, event: Mapping[str, Any]) -> str:
        """Where this side's decision that led to an event came from; '' if it was not this side's."""
        decided = self._decision_of(event)
        return str(decided["source"]) if decided else ""

    def _decision_of(self, event: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """This side's decision that led to an event (taken off the list)."""
        whose = event.get("side") or event["owner"] or (event["attacker"] if event["type"] == "BattleBegan" else self.side)
        if whose != self.side:
            return None
        known = {event.get(k) for k in NAMING} | ({event.get("area")} if event["type"] in AREA_EVENTS else set())
        for decided in self._decided:
            words = {decided["where"], *decided["key"].split(" ")} - {""}
            if words & known:
                self._decided.remove(decided)
                return decided
        return None

    def _tell_decisions(self) -> None:
        """Decisions that no event told."""
        for decided in self._decided:
            by_deadline = decided["how"] == "default"
            if decided["key"] in SILENT_KEYS and not by_deadline:
                continue
            told = item(f"{self._chosen(decided)}: {decided['key']}.", decided["rule"], "decision")
            self._append({**told, "source": decided["source"]})
        self._decided = []

    def _chosen(self, decided: Mapping[str, Any]) -> str:
        """'Your choice at Lentini [14], press on or break off'."""
        data, where = self.names.data, decided["where"]
        title = QUESTIONS[decided["kind"]].title.rstrip("?").lower() if decided["kind"] in QUESTIONS else decided["kind"]
        if where in data.borders:
            return f"your choice at {self.names.bridge(where)}"
        if where in data.areas:
            return f"your choice at {self.names.place(where)}, {title}"
        return f"your choice for {self.names.piece(where)}, {title}" if where else f"your choice, {title}"

    # putting things down

    def _tell_dice(self) -> None:
        for roll in self._dice:
            self._append({**item(f"{roll_text(roll)}.", roll["rule"], "die"), "source": self._source_of_die(roll)})
        self._dice = []

    def _source_of_die(self, roll: Mapping[str, Any]) -> str:
        """5.35d A bridge that holds is told by the die alone."""
        if roll["rule"] != BRIDGE_DIE:
            return ""
        border = roll["purpose"].rpartition(" ")[2]
        return self._source_of({"type": "BridgeTried", "side": roll["side"], "owner": roll["side"], "border": border})

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
        if before and self._again(before, told):
            return
        if before and told.get("join") and before.get("join") == told["join"] and before["source"] == told["source"]:
            lines[-1] = {
                **before,
                **joined(told["join"], before["names"] + told["names"], told["rule"], told["tone"]),
                "source": told["source"],
            }
        else:
            lines.append(told)


    def _again(self, before: Item, told: Item) -> bool:
        """The same line once more is counted: 'Assietta (ASS-2) loses a step, 3 times.'"""
        line, text, number = self._repeats if self._repeats and self._repeats[0] is before else (before, before["text"], 1)
        more = told.get("join") or "lines" in told or "faces" in told
        if more or told["text"] != text or any(told[k] != before[k] for k in ("rule", "source", "tone")):
            return False
        self._repeats = (line, text, number + 1)
        if moved := _ONE_MOVED.match(text):
            before["text"] = f"{number + 1} {moved[1]} blocks {text[moved.end() :]}"
        else:
            before["text"] = f"{text.removesuffix('.')}, {'twice' if number == 1 else f'{number + 1} times'}."
        return True


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
