"""Checking a game from its journal: the chain, the dice, and the rules run again.

Loading a game folds its events and runs no rules; an audit runs the rules from the first row and
demands the same rows.  It names the first row that is not as it must be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pbem.core.dice import SeededDice
from pbem.core.engine import INPUTS, Divergence, Session
from pbem.core.fold import NoSuchStep, snapshot
from pbem.core.journal import BrokenChain, Row, check_chain
from pbem.core.ruleset import Ruleset


@dataclass(frozen=True)
class Finding:
    """The first thing that is wrong: at which row (-1: the game as a whole), and why."""

    row: int
    why: str


def audit(
    rows: Sequence[Row], rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], seed: bytes
) -> Finding | None:
    """None if the game is whole; else the first difference."""
    if not rows:
        return Finding(-1, "the journal is empty")
    try:
        check_chain(rows)
    except BrokenChain as broken:
        return Finding(_row_of(str(broken)), str(broken))
    committed = rows[0].payload.get("commitment")
    if committed != sha256(seed).hexdigest():
        return Finding(0, f"row 0 commits to the seed {committed}, but the seed's sha256 is {sha256(seed).hexdigest()}")
    return _Rerun(rows, rules, data, options, seed).difference()


def _row_of(text: str) -> int:
    return int(next(w for w in text.split() if w.isdigit()))


class _Rerun:
    """The rules once more, fed with the recorded inputs."""

    def __init__(
        self, rows: Sequence[Row], rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], seed: bytes
    ) -> None:
        self.rows, self.compared = rows, 0
        self.rules, self.data, self.options = rules, data, options
        self.session = Session.start(
            rows[0].game, rules, data, options, SeededDice(seed), rows[0].at, rows[0].payload
        )

    def difference(self) -> Finding | None:
        """Feed and compare until the journal ends or something differs."""
        while True:
            try:
                self.session.run()
            except Divergence as error:
                return Finding(self.session.seq, str(error))
            found = self._compare()
            if found or self.compared == len(self.rows):
                return found
            row = self.rows[self.compared]
            if row.kind not in INPUTS:
                return Finding(row.seq, f"row {row.seq} is a {row.kind}, but the rules wait for orders here")
            found = self._feed(row)
            if found:
                return found

    def _compare(self) -> Finding | None:
        made = self.session.new_rows
        for row in made:
            if self.compared == len(self.rows):
                return Finding(row.seq, f"row {row.seq} ({row.kind}) follows from the rules, but the journal ends before it")
            recorded = self.rows[self.compared]
            if (row.kind, row.payload, row.source, row.step) != (recorded.kind, recorded.payload, recorded.source, recorded.step):
                return Finding(recorded.seq, f"row {recorded.seq}: {_difference(recorded, row)}")
            self.compared += 1
        made.clear()
        return None

    def _feed(self, row: Row) -> Finding | None:
        self.session.at = row.at
        if row.kind == "control" and row.payload.get("act") == "rewind":
            try:
                then = snapshot(self.rules, self.data, self.options, self.rows[: row.seq], row.payload["step"])
            except NoSuchStep:
                return Finding(row.seq, f"row {row.seq} goes back to step {row.payload['step']}, which was never played")
            self.session.rewind(then, row.payload["reason"], row.source)
        else:
            self.session.submit(row.kind, row.payload, row.source)
        return None


def _difference(recorded: Row, made: Row) -> str:
    if recorded.kind != made.kind:
        return f"the journal has a {recorded.kind}, the rules give a {made.kind} ({_brief(made)})"
    if recorded.kind == "roll" and recorded.payload.get("faces") != made.payload.get("faces"):
        shown, given = recorded.payload.get("faces"), made.payload["faces"]
        return f"the die for {made.payload['purpose']} shows {shown}, the seed gives {given}"
    return f"the journal says {_brief(recorded)}, the rules give {_brief(made)}"


def _brief(row: Row) -> str:
    payload = row.payload
    what = payload.get("event") or {k: payload[k] for k in ("kind", "key", "purpose", "faces", "text", "name") if k in payload}
    return f"{row.kind} {what}"
