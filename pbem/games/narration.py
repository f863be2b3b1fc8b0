"""The skeleton of a story: journal rows of one game, as one side may know them, go through once and become phases with lines.

A title's story is a subclass: it tells events and dice in its own words.  A battle is a line that has lines of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from pbem.core.documents import Item, Move, Phase, Roll
from pbem.core.journal import Row
from pbem.core.standing import Directive

ACTS = {
    "pause": "the referee paused the game", "resume": "the referee let the game go on",
    "extend": "the deadline was moved by {hours} hours", "rule": "a ruling of the referee",
    "moved": "the deadline moved by {hours} hours", "clock": "the referee changed the game's clock",
    "adjust": "the referee corrected the position", "substitute": "the referee gave a seat to another player",
}
"""Acts from outside, in words; a reason stands behind them."""


class Narration:
    """Goes through the rows once.

    ``phases``: what happened, by step; ``rolls``, ``moves``, ``battles``: the same by sort; ``battle``: the one that is being
    told.
    """

    def __init__(self, side: str, standing: Sequence[Directive], sides: Mapping[str, str]) -> None:
        """``side``: who reads; ``standing``: its standing orders, which are named by number; ``sides``: what sides are called."""
        self.side, self.standing, self.sides = side, standing, sides
        self.phases: list[Phase] = []
        self.rolls: list[Roll] = []
        self.moves: list[Move] = []
        self.battles: list[Item] = []
        self.battle: Item | None = None
        self._ready = False

    # -- what a title says ------------------------------------------------------------------------

    def heading(self, step: str) -> tuple[str, str]:
        """A step's title in words, and its rule."""
        raise NotImplementedError

    def tell_roll(self, row: Row) -> None:
        """A roll that this side may see."""

    def tell_answer(self, row: Row) -> None:
        """A question that was answered, by whichever side."""

    def tell_event(self, row: Row) -> None:
        """An event, with what its row says of who may know it."""

    def put(self, told: Item) -> None:
        """A line that is about to be told; what waits to be told before it comes first."""
        self.append(told)

    def append(self, told: Item) -> None:
        """Put a line down; neighbours may be joined."""
        self.lines.append(told)

    def leave(self) -> None:
        """The step ends: what still waits is told."""

    # -- the rows ---------------------------------------------------------------------------------

    def tell(self, rows: Sequence[Row], now: str, start: str = "") -> Self:
        """``now``: the step that the game stands in after the rows; ``start``: what belongs to no step comes under this one,
        else under the first that begins."""
        self.phase(_first_step(rows, now, start))
        for row in rows:
            self._row(row)
        self.leave()
        self.phases = [p for p in self.phases if p["items"]]
        return self

    def phase(self, step: str) -> None:
        """What follows belongs to that step."""
        if self.phases:
            self.leave()
        self.battle = None
        title, rule = self.heading(step)
        self.phases.append({"step": step, "title": title, "rule": rule, "items": []})

    def _row(self, row: Row) -> None:
        if row.kind == "step":
            self.phase(row.payload["name"])
        elif row.kind == "roll":
            if not row.payload["secret"] or row.payload["side"] == self.side:
                self.tell_roll(row)
        elif row.kind == "answer":
            self.tell_answer(row)
        elif row.kind == "event":
            self.tell_event(row)
        elif row.kind == "skip":
            self._skip(row)
        elif row.kind == "control":
            self._control(row)

    @property
    def lines(self) -> list[Item]:
        """Where the next line goes: into the battle, or the phase."""
        return self.battle["lines"] if self.battle else self.phases[-1]["items"]

    def open_battle(self, told: Item) -> None:
        """What follows is part of it, until ``battle`` is None again."""
        self.battle = told
        self.battles.append(told)
        self.phases[-1]["items"].append(told)

    def _skip(self, row: Row) -> None:
        skip = row.payload
        if skip["side"] == self.side:
            told = item(f"not carried out: '{skip['text']}': {skip['reason']}.", skip["rule"], "refused")
            self.put({**told, "source": row.source})

    def _control(self, row: Row) -> None:
        act, payload = row.payload.get("act", ""), row.payload
        if act == "deadline":
            if payload.get("side") == self.side:
                self._ready = bool(payload.get("ready"))
            who = self.sides[payload["side"]]
            said = f"{who} said 'ready'" if payload.get("ready") else f"the deadline passed for {who}"
            self.put(item(f"{said}; open questions take their defaults."))
        elif act == "rewind":
            there = self.heading(payload["name"])[0]
            self.put(item(f"the referee took the game back to the start of '{there}': {payload['reason']}.", "", "refused"))
        elif act in ACTS or payload.get("reason"):
            said = ACTS.get(act, f"the referee: {act}").format(**payload)
            self.put(item(f"{said}: {payload['reason']}." if payload.get("reason") else f"{said}."))

    def source(self, row: Row) -> str:
        """Where an answer came from: 'by your standing order 3', 'by default at the deadline', or the message and line."""
        answer = row.payload
        if answer["how"] == "default":
            return "by default" if self._ready else "by default at the deadline"
        if answer["how"] == "standing":
            texts = list(dict.fromkeys(d.text for d in self.standing))
            number = texts.index(answer["order"]) + 1 if answer["order"] in texts else 0
            return f"by your standing order {number}" if number else f"by your standing order '{answer['order']}'"
        return row.source

    def roll(self, row: Row, text: str, *, told: bool) -> None:
        """Note a roll; ``text``: in words; ``told``: whether the story tells of it, too."""
        roll = row.payload
        self.rolls.append({
            "seq": row.seq, "step": self.phases[-1]["title"], "side": roll["side"], "rule": roll["rule"], "text": capital(text),
            "purpose": roll["purpose"], "faces": list(roll["faces"]), "sides": roll["sides"], "target": roll["target"],
            "mods": [(why, by) for why, by in roll["mods"]], "told": told,
        })


def _first_step(rows: Sequence[Row], now: str, start: str) -> str:
    """The step that the first rows belong to, when it began before them."""
    for row in rows:
        if row.kind == "answer":
            return str(row.payload["scope"])
        if row.kind == "step":
            return start or str(row.payload["name"])
    return now


def item(text: str, rule: str = "", tone: str = "", **more: Any) -> Item:
    """A line of the story."""
    made: Item = {"text": capital(text), "rule": rule, "source": "", "tone": tone}
    made.update(more)  # type: ignore[typeddict-item]
    return made


def capital(text: str) -> str:
    """First letter upper case."""
    return text[:1].upper() + text[1:]
