"""What happened, in words: journal rows of one game, as one side may know them, turned into short sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.documents import Item, Move, Phase, Roll
from pbem.core.journal import Row
from pbem.core.rolls import in_words
from pbem.core.stage import Stage
from pbem.core.standing import Directive
from pbem.games.invasion_sicily.position.data import Data
from pbem.games.invasion_sicily.position.view import event_view
from pbem.games.invasion_sicily.telling.sentences import (
    PHASES, SENTENCES, SIDE_NAMES, UNTOLD, Names, capital, item, joined, phase_title,
)
from pbem.games.invasion_sicily.words.asks import CATALOGUE

ACTS = {
    "pause": "the referee paused the game", "resume": "the referee let the game go on",
    "extend": "the deadline was moved by {hours} hours", "rule": "a ruling of the referee",
    "moved": "the deadline moved by {hours} hours", "clock": "the referee changed the game's clock",
    "adjust": "the referee corrected the position", "substitute": "the referee gave a seat to another player",
}
"""Acts from outside, in words; a reason stands behind them."""

TOLD_BY_EVENTS = ("9.4", "11.3.2", "12.3.5", "3.7.1", "14.3.1", "14.1.2", "15.3.1")
"""Rolls whose result an event tells."""


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
    units_lost: dict[str, int] = field(default_factory=dict)
    _battle: Item | None = None
    _source: str = ""
    _ready: bool = False

    def phase(self, step: str) -> None:
        """What follows belongs to that step."""
        self._battle, self._source = None, ""
        title, rule = phase_title(step), PHASES.get(Stage.parse(step).phase, ("", ""))[1]
        self.phases.append({"step": step, "title": title, "rule": rule, "items": []})

    def row(self, row: Row) -> None:
        """Take one row in."""
        getattr(self, f"_take_{row.kind}", lambda r: None)(row)

    def done(self) -> Story:
        """Nothing more comes."""
        self.phases = [p for p in self.phases if p["items"]]
        return self

    # -- rows -------------------------------------------------------------------------------------

    def _take_step(self, row: Row) -> None:
        self.phase(row.payload["name"])

    def _take_roll(self, row: Row) -> None:
        roll = row.payload
        told = roll["rule"] not in TOLD_BY_EVENTS
        self.rolls.append({
            "seq": row.seq, "step": self.phases[-1]["title"], "side": roll["side"], "rule": roll["rule"],
            "text": capital(roll_text(roll)), "purpose": roll["purpose"], "faces": list(roll["faces"]), "sides": roll["sides"],
            "target": roll["target"], "mods": [(why, by) for why, by in roll["mods"]], "told": told,
        })
        if told:
            self._append(item(f"{roll_text(roll)}.", roll["rule"], "die"))

    def _take_answer(self, row: Row) -> None:
        answer = row.payload
        self._source = ""
        if answer["side"] != self.side or answer["how"] == "forced":
            return
        self._source = self.source(row)
        if answer["how"] == "default" and answer["kind"] in CATALOGUE.by_name:
            kind = CATALOGUE[answer["kind"]]
            if not kind.phase_orders:
                where = f" at {self.names.place(answer['where'])}" if answer["where"] else ""
                self._append({**item(f"{kind.title.rstrip('?').lower()}{where}: {answer['key']}.", answer["rule"], "decision"),
                              "source": self._source})

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

    def _take_skip(self, row: Row) -> None:
        skip = row.payload
        if skip["side"] == self.side:
            told = item(f"not carried out: '{skip['text']}': {skip['reason']}.", skip["rule"], "refused")
            self._append({**told, "source": row.source})

    def _take_control(self, row: Row) -> None:
        act, payload = row.payload.get("act", ""), row.payload
        if act == "deadline":
            if payload.get("side") == self.side:
                self._ready = bool(payload.get("ready"))
            who = SIDE_NAMES[payload["side"]]
            said = f"{who} said 'ready'" if payload.get("ready") else f"the deadline passed for {who}"
            self._append(item(f"{said}; open questions take their defaults."))
        elif act == "rewind":
            back = f"the referee took the game back to the start of '{phase_title(payload['name'])}': {payload['reason']}."
            self._append(item(back, "", "refused"))
        elif act in ACTS or payload.get("reason"):
            said = ACTS.get(act, f"the referee: {act}").format(**payload)
            self._append(item(f"{said}: {payload['reason']}." if payload.get("reason") else f"{said}."))

    def _take_event(self, row: Row) -> None:
        event = event_view(row.payload, self.side)
        if event is None:
            return
        kind = event["type"]
        if kind == "CombatBegan":
            self._open_battle(event)
        self._count(kind, event)
        if kind == "Moved":
            self.moves.append({"path": list(event["path"]), "mode": event["mode"], "side": event["owner"]})
        if kind == "CombatEnded" and self._battle:
            self._battle["result"] = "defender-holds" if event["held"] else "attacker-holds"
            self._battle = None
        tell = SENTENCES.get(kind)
        if kind in UNTOLD or tell is None:
            return
        told = tell(event, self.names)
        if told:
            mine = event["owner"] in ("", self.side)
            self._append({**told, "source": self._source if mine else ""})

    def _open_battle(self, event: Mapping[str, Any]) -> None:
        place, side = self.names.place(event["hex"]), event["side"]
        who = capital(SIDE_NAMES[side])
        verb = ("counterattack" if event["counter"] else "attack") + ("" if side == "allied" else "s")
        with_ = self.names.units(event["units"])
        title = f"{who} {verb} {place} with {with_}, led by {event['lead']}:"
        rule = "9.8" if event["counter"] else "9.4"
        self._battle = item(title, rule, "battle", area=event["hex"], attacker=side, lines=[], result="")
        self.battles.append(self._battle)
        self.phases[-1]["items"].append(self._battle)

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

    def _append(self, told: Item) -> None:
        lines = self._battle["lines"] if self._battle else self.phases[-1]["items"]
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
    story = Story(Names(data), side, standing)
    story.phase(_first_step(rows, now))
    for row in rows:
        story.row(row)
    return story.done()


def _first_step(rows: Sequence[Row], now: str) -> str:
    """The step that the first rows belong to, when it began before them."""
    for row in rows:
        if row.kind == "answer":
            return str(row.payload["scope"])
        if row.kind == "step":
            return str(row.payload["name"])
    return now
