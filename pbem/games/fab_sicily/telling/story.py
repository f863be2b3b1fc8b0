"""What happened, in words: journal rows of one game, as one side may know them, turned into short sentences.

Phases hold items (see :mod:`.sentences`) in the order they happened; a battle is an item that has ``lines`` of its own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.documents import Item
from pbem.core.journal import Row
from pbem.core.stage import Stage
from pbem.core.standing import Directive
from pbem.games.fab_sicily.position.data import Data
from pbem.games.fab_sicily.words.questions import QUESTIONS
from pbem.games.fab_sicily.telling.sentences import (
    PHASES,
    SENTENCES,
    SIDE_NAMES,
    UNTOLD,
    Names,
    does,
    faces,
    fire_item,
    joined,
    modifiers,
    phase_title,
    roll_text,
)
from pbem.games.fab_sicily.rules.sequence import SETUP
from pbem.games.fab_sicily.position.view import event_view
from pbem.games.narration import Narration, item

FIRE_RULES = ("6.25", "6.26", "6.27", "6.28")
NAMING = ("block", "chit", "who", "border", "attacker", "defender")
AREA_EVENTS = ("BattleBegan", "Aborted", "RetreatedBefore", "HitAbsorbed", "Works", "Roadblock")
"""How an event is matched with the decision that led to it: by what it names, some also by their area."""

FIGHTING = ("AssetCommitted", "PointUnits", "Fired", "HitAbsorbed", "Aborted", "RetreatedBefore", "BattleEnded")
"""Events that only happen in a battle."""

AT_ONCE = ("press", "fire", "disorder", "lose", "cross")
"""Choices that no event of their own tells."""

_ONE_MOVED = re.compile(r"An (Allied|Axis) block (?=moved |landed |retreated )")
"""Several blocks that nobody can tell apart went the same way."""

SILENT_KEYS = ("done", "none", "stand", "leave", "decline", "artillery")
"""Choices to do nothing, or what the fire tells anyway: told only when the deadline made them."""

AIR_COMBAT, BRIDGE_DIE = "16.31", "5.35d"


class Story(Narration):
    """What happened to one side, as far as it may know: besides the lines, what the headlines sum up."""

    def __init__(self, names: Names, side: str, standing: Sequence[Directive]) -> None:
        super().__init__(side, standing, SIDE_NAMES)
        self.names = names
        self.taken: dict[str, list[str]] = {}
        self.steps_lost: dict[str, int] = {}
        self.blocks_lost: dict[str, int] = {}
        self._attacker = ""
        self._mission: Mapping[str, Any] | None = None
        self._decided: list[Mapping[str, Any]] = []
        self._dice: list[Mapping[str, Any]] = []
        self._repeats: tuple[Item, str, int] | None = None
        self._busy = False

    def heading(self, step: str) -> tuple[str, str]:
        return phase_title(step), PHASES.get(Stage.parse(step).phase, ("", ""))[1]

    # rows

    def tell_roll(self, row: Row) -> None:
        roll = row.payload
        self._busy = True
        self.roll(row, roll_text(roll), told=roll["target"] is not None)
        self._tell_dice()
        if roll["target"] is not None and roll["rule"] not in FIRE_RULES:
            self._dice.append(roll)

    def tell_answer(self, row: Row) -> None:
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

    def tell_event(self, row: Row) -> None:
        event = event_view(row.payload, self.side)
        if event is None:
            return
        self._busy = True
        kind = event["type"]
        if kind == "BattleBegan":
            self._open_battle(event["area"], event["attacker"], "7.4" if event["breakthrough"] else "6.2", self._source_of(event))
        elif kind in FIGHTING and not self.battle:
            self._open_battle(event["area"], self._phasing(), "6.2", "", again=True)
        self._tell_event(kind, event)
        self._count(kind, event)
        if kind == "Moved":
            self.moves.append({"path": list(event["path"]), "mode": event["mode"], "side": event["owner"]})
        if kind == "BattleEnded" and self.battle:
            self._tell_decisions()
            self.battle["result"] = event["result"]
            self.battle = None

    def _tell_event(self, kind: str, event: Mapping[str, Any]) -> None:
        if kind == "Fired":
            self.put(fire_item(event, self.names))
        elif kind == "MoraleChecked" and self._dice:
            self._tell_check(event)
        elif kind == "ChitMoved" and event["rule"] == AIR_COMBAT:
            self._tell_air_combat(event)
        elif kind not in UNTOLD and not self._needless(event):
            told = SENTENCES[kind]({**event, "attacking": event.get("side") == self._attacker}, self.names)
            if told:
                self.put({**told, "source": self._source_of(event)})

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
        self.open_battle(item(title, rule, "battle", source=source, area=area, attacker=attacker, lines=[], result=""))

    def _phasing(self) -> str:
        words = str(self.phases[-1]["step"]).split(" ")
        return words[1] if len(words) == 3 else ""

    def _needless(self, event: Mapping[str, Any]) -> bool:
        """What other lines say already: who controls the map at the start (22.13, 22.23: the Axis all of it), digging (5.23),
        and in a battle the assets' way and the hit that ends the works."""
        kind = event["type"]
        if kind == "ControlSet" and self.phases[-1]["step"] == SETUP:
            return True
        if not self.battle:
            return bool(kind == "Works" and event["on"] and event["rule"] == "5.23")
        return (kind == "ChitMoved" and event["box"] in ("used", "map")) or (kind == "Works" and event["rule"] == "6.42")

    def _tell_air_combat(self, event: Mapping[str, Any]) -> None:
        """16.31 Two events: the mission that is cancelled, then what cancels it."""
        mission, self._mission = self._mission, None if self._mission else event
        if mission is None:
            return
        decided = [d for d in (self._decision_of(event), self._decision_of(mission)) if d]
        place = next((d["where"] or d["data"].get("area", "") for d in decided), "")
        over = f" over {self.names.place(place)}" if place and not self.battle else ""
        words = f"{self.names.piece(event['chit'])} turns {self.names.piece(mission['chit'])} back; both go to their Used Boxes"
        self.put({**item(f"Air combat{over}: {words}.", AIR_COMBAT), "source": str(decided[0]["source"]) if decided else ""})

    def _tell_check(self, event: Mapping[str, Any]) -> None:
        roll = self._dice.pop()
        self._tell_dice()
        mods = modifiers(roll["mods"])
        told = SENTENCES["MoraleChecked"](event, self.names)
        assert told is not None
        die = f"{faces(roll['faces'], roll['target'])} against {roll['target']}{f' ({mods})' if mods else ''}"
        self.put({**told, "text": f"{told['text'][:-1]} ({die}).", "source": self._source_of(event)})

    # decisions and their sources

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
            self.append({**told, "source": decided["source"]})
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
            self.append({**item(f"{roll_text(roll)}.", roll["rule"], "die"), "source": self._source_of_die(roll)})
        self._dice = []

    def _source_of_die(self, roll: Mapping[str, Any]) -> str:
        """5.35d A bridge that holds is told by the die alone."""
        if roll["rule"] != BRIDGE_DIE:
            return ""
        border = roll["purpose"].rpartition(" ")[2]
        return self._source_of({"type": "BridgeTried", "side": roll["side"], "owner": roll["side"], "border": border})

    def leave(self) -> None:
        self._tell_dice()
        self._tell_decisions()

    def put(self, told: Item) -> None:
        self._tell_dice()
        self.append(told)

    def append(self, told: Item) -> None:
        lines = self.lines
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
    return Story(Names(data), side, standing).tell(rows, now, SETUP)
