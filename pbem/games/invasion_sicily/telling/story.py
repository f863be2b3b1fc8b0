"""What happened, in words: journal rows of one game, as one side may know them, turned into short sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.documents import Item
from pbem.core.journal import Row
from pbem.core.rolls import in_words
from pbem.core.stage import Stage
from pbem.core.standing import Directive
from pbem.games.invasion_sicily.position.data import Data
from pbem.games.invasion_sicily.position.view import event_view
from pbem.games.invasion_sicily.telling.sentences import (
    PHASES, SENTENCES, SIDE_NAMES, UNTOLD, Names, item, joined, phase_title,
)
from pbem.games.invasion_sicily.words.asks import CATALOGUE
from pbem.games.narration import Narration, capital

TOLD_BY_EVENTS = ("9.4", "11.3.2", "12.3.5", "3.7.1", "14.3.1", "14.1.2", "15.3.1")
"""Rolls whose result an event tells."""


class Story(Narration):
    """What happened to one side, as far as it may know: besides the lines, what the headlines sum up."""

    def __init__(self, names: Names, side: str, standing: Sequence[Directive]) -> None:
        super().__init__(side, standing, SIDE_NAMES)
        self.names = names
        self.taken: dict[str, list[str]] = {}
        self.steps_lost: dict[str, int] = {}
        self.units_lost: dict[str, int] = {}
        self._source = ""

    def heading(self, step: str) -> tuple[str, str]:
        return phase_title(step), PHASES.get(Stage.parse(step).phase, ("", ""))[1]

    def leave(self) -> None:
        self._source = ""

    # -- rows -------------------------------------------------------------------------------------

    def tell_roll(self, row: Row) -> None:
        roll = row.payload
        told = roll["rule"] not in TOLD_BY_EVENTS
        self.roll(row, roll_text(roll), told=told)
        if told:
            self.append(item(f"{roll_text(roll)}.", roll["rule"], "die"))

    def tell_answer(self, row: Row) -> None:
        answer = row.payload
        self._source = ""
        if answer["side"] != self.side or answer["how"] == "forced":
            return
        self._source = self.source(row)
        if answer["how"] == "default" and answer["kind"] in CATALOGUE.by_name:
            kind = CATALOGUE[answer["kind"]]
            if not kind.phase_orders:
                where = f" at {self.names.place(answer['where'])}" if answer["where"] else ""
                self.append({**item(f"{kind.title.rstrip('?').lower()}{where}: {answer['key']}.", answer["rule"], "decision"),
                              "source": self._source})

    def tell_event(self, row: Row) -> None:
        event = event_view(row.payload, self.side)
        if event is None:
            return
        kind = event["type"]
        if kind == "CombatBegan":
            self._open_battle(event)
        self._count(kind, event)
        if kind == "Moved":
            self.moves.append({"path": list(event["path"]), "mode": event["mode"], "side": event["owner"]})
        if kind == "CombatEnded" and self.battle:
            self.battle["result"] = "defender-holds" if event["held"] else "attacker-holds"
            self.battle = None
        tell = SENTENCES.get(kind)
        if kind in UNTOLD or tell is None:
            return
        told = tell(event, self.names)
        if told:
            mine = event["owner"] in ("", self.side)
            self.append({**told, "source": self._source if mine else ""})

    def _open_battle(self, event: Mapping[str, Any]) -> None:
        place, side = self.names.place(event["hex"]), event["side"]
        who = capital(SIDE_NAMES[side])
        verb = ("counterattack" if event["counter"] else "attack") + ("" if side == "allied" else "s")
        with_ = self.names.units(event["units"])
        title = f"{who} {verb} {place} with {with_}, led by {event['lead']}:"
        rule = "9.8" if event["counter"] else "9.4"
        self.open_battle(item(title, rule, "battle", area=event["hex"], attacker=side, lines=[], result=""))

    def _count(self, kind: str, event: Mapping[str, Any]) -> None:
        """What the headlines sum up."""
        if kind == "StepLost":
            self.steps_lost[event["owner"]] = self.steps_lost.get(event["owner"], 0) + 1
        elif kind == "Eliminated":
            self.units_lost[event["owner"]] = self.units_lost.get(event["owner"], 0) + 1
        elif kind == "Controlled":
            for places in self.taken.values():
                places[:] = [p for p in places if p not in event["hexes"]]
            self.taken.setdefault(event["side"], []).extend(event["hexes"])

    def append(self, told: Item) -> None:
        lines = self.lines
        before = lines[-1] if lines else None
        if before and told.get("join") and before.get("join") == told["join"]:
            lines[-1] = joined(before, [*before["names"], *told["names"]])
        else:
            lines.append(told)


def roll_text(roll: Mapping[str, Any]) -> str:
    """A roll in a few words: 'US-16 reacts: 4, needs 7 or less: success'."""
    faces = ", ".join(map(str, roll["faces"]))
    mods = ", ".join(f"{why} {by:+d}" for why, by in roll["mods"])
    need = f", needs {roll['target']} or less" if roll["target"] is not None else ""
    result = in_words(roll.get("result", {}), len(roll["faces"]))
    return f"{roll['purpose']}: {faces}{f' ({mods})' if mods else ''}{need}{f': {result}' if result else ''}"


def tell(rows: Sequence[Row], data: Data, side: str, now: str, standing: Sequence[Directive] = ()) -> Story:
    """The story of ``rows`` for ``side``; ``now`` is the step the game stands in after them."""
    return Story(Names(data), side, standing).tell(rows, now)
