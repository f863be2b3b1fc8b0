"""The roll history: every roll with its number, place, purpose, raw faces, modifiers, target and result."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from pbem.core.engine import success
from pbem.core.journal import Row

COLUMNS = (
    "number", "row", "turn", "phase", "side", "purpose", "rule", "sides", "faces", "mods", "target", "hits", "attempt", "undone",
)

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With these a formula begins."""


@dataclass(frozen=True)
class Roll:
    """One roll.  ``number`` counts all rolls of the game, secret ones too: who may not see one sees a gap.  ``hits``: dice
    that succeeded (None without a target); ``undone``: the game was taken back behind it."""

    number: int
    row: int
    turn: int
    phase: str
    side: str
    purpose: str
    rule: str
    sides: int
    faces: tuple[int, ...]
    mods: tuple[tuple[str, int], ...]
    target: int | None
    hits: int | None
    attempt: int
    secret: bool = False
    undone: bool = False

    @property
    def result(self) -> str:
        """What came of it, in a word or two."""
        if self.hits is None:
            return ""
        if len(self.faces) == 1:
            return "success" if self.hits else "failure"
        return f"{self.hits} of {len(self.faces)}"


def history(rows: Iterable[Row], side: str = "") -> list[Roll]:
    """All rolls among a game's rows from its first; with ``side`` those that it may see while the game runs."""
    found: list[Roll] = []
    steps: list[int] = []
    phase, number = "", 0
    for row in rows:
        payload = row.payload
        if row.kind == "step":
            phase = str(payload["name"])
        elif row.kind == "control" and payload.get("act") == "rewind":
            back = payload["step"]
            found = [Roll(**{**vars(r), "undone": r.undone or s >= back}) for r, s in zip(found, steps, strict=True)]
        elif row.kind == "roll":
            number += 1
            if payload["secret"] and side not in ("", payload["side"]):
                continue
            found.append(_roll(number, row, phase))
            steps.append(row.step)
    return found


def _roll(number: int, row: Row, phase: str) -> Roll:
    payload = row.payload
    turn, _, rest = phase.partition(" ")
    faces, target = tuple(payload["faces"]), payload["target"]
    return Roll(
        number, row.seq, int(turn) if turn.isdecimal() else 0, rest if turn.isdecimal() else phase, payload["side"],
        payload["purpose"], payload["rule"], payload["sides"], faces, tuple((n, m) for n, m in payload["mods"]), target,
        None if target is None else sum(success(f, target) for f in faces), payload["attempt"], payload["secret"],
    )


def matching(rolls: Sequence[Roll], words: Sequence[str]) -> list[Roll]:
    """The rolls that all words fit: a turn ('3'), a side, the beginning of a phase's word ('combat', 'move'), a rule
    ('6.27'), or a word of the purpose."""
    wanted = [w.lower() for w in words if w.lower() not in ("turn", "of", "the", "phase", "rule", "rolls")]
    sides = {r.side for r in rolls}
    return [r for r in rolls if all(r.side == w if w in sides else _fits(r, w) for w in wanted)]


def _fits(roll: Roll, word: str) -> bool:
    if word.isdecimal():
        return roll.turn == int(word)
    if word[:1].isdecimal() and "." in word:
        return roll.rule.startswith(word)
    parts = [*roll.phase.replace("-", " ").split(" "), *roll.purpose.lower().split(" ")]
    return any(part.startswith(word) for part in parts) or roll.phase == word


# -- as text, CSV, JSON --------------------------------------------------------------------------------

HEADING = "   No  Turn and phase         Side    Rule   Dice         Needs  Result"


def table(rolls: Sequence[Roll], width: int = 72) -> list[str]:
    """Two lines or more a roll, none wider than ``width`` (72 at least for the first of each)."""
    lines = [HEADING, "  " + "-" * (len(HEADING) - 2)]
    for r in rolls:
        faces = " ".join(map(str, r.faces)) + ("" if r.sides == 10 else f" of {r.sides}")
        where = f"{r.turn} {r.phase}" if r.turn else r.phase
        long = len(faces) > 12
        needs = "" if r.target is None else str(r.target)
        shown = "(below)" if long else faces
        line = f"{r.number:>5}  {where[:21]:<21}  {r.side[:6]:<6}  {r.rule[:5]:<5}  {shown:<12} {needs:>4}   {r.result}"
        lines.append(line.rstrip())
        more = [r.purpose, *(f"{name} {value:+d}" for name, value in r.mods)]
        more += [f"dice {faces}"] if long else []
        more += ["taken back"] if r.undone else []
        more += ["secret"] if r.secret else []
        lines += textwrap.wrap("; ".join(more), width - 2, initial_indent=" " * 7, subsequent_indent=" " * 9)
    return lines


def as_csv(rolls: Iterable[Roll]) -> str:
    """One roll a line; several faces or modifiers in one field, with blanks and semicolons between."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for r in rolls:
        mods = "; ".join(f"{name} {value:+d}" for name, value in r.mods)
        plain = {**vars(r), "faces": " ".join(map(str, r.faces)), "mods": mods, "undone": "yes" if r.undone else ""}
        writer.writerow([cell(plain[c]) for c in COLUMNS])
    return out.getvalue()


def cell(value: Any) -> Any:
    """A field of a table; words that a spreadsheet would take for a formula get an apostrophe before them."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def plain(rolls: Iterable[Roll]) -> list[dict[str, Any]]:
    """As JSON data."""
    return [{**asdict(r), "faces": list(r.faces), "mods": [list(m) for m in r.mods]} for r in rolls]


def as_json(rolls: Iterable[Roll]) -> str:
    """As JSON text."""
    return json.dumps(plain(rolls), ensure_ascii=False, indent=1) + "\n"
