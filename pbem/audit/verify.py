"""Checking a game from its journal: the chain, the dice, and the rules run again.

Loading a game folds its events and runs no rules; an audit runs the rules from the first row and
demands the same rows.  It names the first row that is not as it must be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pbem.audit.check import Finding, check
from pbem.core.dice import SeededDice, seeds_of
from pbem.core.engine import ADJUST, INPUTS, Divergence, GameOver, Session
from pbem.core.fold import NoSuchStep, snapshot
from pbem.core.journal import Row
from pbem.core.ruleset import Ruleset
from pbem.core.undone import LAID_OPEN, REWIND, standing

ENDING = ("concede", "draw")
"""Acts of control rows by which players end a game."""

Heard = Callable[[Session, Row], str]
"""Says why a player cannot have caused an input row, '' if nothing speaks against it; the session stands before it."""


def audit(
    rows: Sequence[Row], rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], seed: bytes, *, over: bool = False,
    heard: Heard | None = None,
) -> Finding | None:
    """None if the game is whole; else the first difference.  ``seed``: all seeds of the game, one behind the other; ``over``: the
    game is said to have ended, by its rules or by its players; ``heard``: see :data:`Heard`."""
    if not rows:
        return Finding(-1, "the journal is empty")
    bad = check(rows, seeds_of(seed))
    if bad and (bad.row <= 0 or bad.broken):
        return bad
    rerun = _Rerun(rows, rules, data, options, seed, heard)
    differs = rerun.difference()
    if differs is None and over:
        differs = rerun.unfinished()
    if differs:
        differs = replace(differs, why=differs.why + _of_another_version(rows[0].payload, rules))
    return min((f for f in (bad, differs) if f), key=lambda f: f.row, default=None)


def _of_another_version(creation: Mapping[str, Any], rules: Ruleset) -> str:
    """Why a difference need not be anybody's doing; '' if the game was begun under these very rules."""
    begun = creation.get("version", rules.version)
    if begun == rules.version:
        return ""
    said = f"the game was begun under version {begun} of the rules, these are version {rules.version}"
    return f" ({said}: audit it with the pbem of then)"


class _Rerun:
    """The rules once more, fed with the recorded inputs."""

    def __init__(
        self, rows: Sequence[Row], rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], seed: bytes,
        heard: Heard | None = None,
    ) -> None:
        self.rows, self.compared, self.held, self.heard = rows, 0, False, heard
        self.rules, self.data, self.options = rules, data, options
        self.session = Session.start(
            rows[0].game, rules, data, options, SeededDice(seed), rows[0].at, rows[0].payload
        )

    def difference(self) -> Finding | None:
        """Feed and compare until the journal ends or something differs."""
        while True:
            try:
                if not self._stands_still():
                    self.session.run()
            except Divergence as error:
                return Finding(self.session.seq, str(error))
            found = self._compare()
            if found or self.compared == len(self.rows):
                return found
            row = self.rows[self.compared]
            if row.kind not in INPUTS:
                return Finding(row.seq, f"row {row.seq} is a {row.kind}, but the rules wait for orders here")
            try:
                found = self._feed(row)
            except GameOver:
                return Finding(row.seq, f"row {row.seq}: the rules have ended the game before it")
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                return Finding(row.seq, f"row {row.seq} is no proper {row.kind} row ({type(error).__name__}: {error})")
            if found:
                return found

    def _stands_still(self) -> bool:
        """Whether the game has been taken back and nothing was played yet: the players said first how it goes on."""
        if self.held:
            ahead = self.compared + len(self.session.new_rows)
            self.held = ahead >= len(self.rows) or self.rows[ahead].kind in INPUTS
        return self.held

    def unfinished(self) -> Finding | None:
        """What the rules still wait for at the last row, if neither they nor the players have ended the game."""
        acts = [r.payload.get("act") for r in standing(self.rows) if r.kind == "control"]
        if self.session.over or acts[-1:] and acts[-1] in ENDING:
            return None
        last, waiting = self.rows[-1].seq, " and ".join(self.session.waiting()) or "nobody"
        where = f"after row {last} the rules still wait for {waiting} ({self.session.step_name})"
        return Finding(last, f"{where}: the game is said to be over, but its end is not here")

    def _compare(self) -> Finding | None:
        made = self.session.new_rows
        for row in made:
            if self.compared == len(self.rows):
                return Finding(row.seq, f"row {row.seq} ({row.kind}) follows from the rules, but the journal ends before it")
            recorded = self.rows[self.compared]
            if (row.kind, row.source, row.step) != (recorded.kind, recorded.source, recorded.step) or not _same(recorded, row):
                return Finding(recorded.seq, f"row {recorded.seq}: {_difference(recorded, row)}")
            self.compared += 1
        made.clear()
        return None

    def _feed(self, row: Row) -> Finding | None:
        self.session.at, payload = row.at, row.payload
        if self.heard is not None and (why := self.heard(self.session, row)):
            return Finding(row.seq, f"row {row.seq}: {why}")
        if row.kind == "control" and payload.get("act") == REWIND:
            try:
                then = snapshot(self.rules, self.data, self.options, self.rows[: row.seq], payload["step"])
            except NoSuchStep:
                return Finding(row.seq, f"row {row.seq} goes back to step {payload['step']}, which was never played")
            self.session.rewind(then, payload["reason"], row.source, payload.get("commitment", ""), bool(payload.get(LAID_OPEN)))
            self.held = bool(payload.get(LAID_OPEN))
        elif row.kind == "control" and payload.get("act") == ADJUST:
            made = self.rows[row.seq + 1 : row.seq + 1 + payload["events"]]
            if len(made) != payload["events"] or any(r.kind != "event" for r in made):
                return Finding(row.seq, f"row {row.seq} announces {payload['events']} corrections, which do not follow it")
            said = {k: v for k, v in payload.items() if k not in ("act", "events")}
            self.session.adjust([self.rules.event_from(r.payload["event"]) for r in made], said, row.source)
        else:
            self.session.submit(row.kind, payload, row.source)
        return None


def _same(recorded: Row, made: Row) -> bool:
    """Whether two rows say the same.  What an order was refused with is words, which later versions may put better; older
    event rows do not say what the public may not know, and older roll rows not what the faces came to."""
    left: tuple[str, ...] = ("reason", "rule") if made.kind == "skip" else ()
    if made.kind == "event" and "public" not in recorded.payload:
        left = ("public",)
    if made.kind == "roll" and "result" not in recorded.payload:
        left = ("result",)
    said, again = ({k: v for k, v in r.payload.items() if k not in left} for r in (recorded, made))
    return said == again


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
