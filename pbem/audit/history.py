"""The roll history: every roll with its number, place, purpose, raw faces, modifiers, target and result."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from pbem.core.journal import Row
from pbem.core.rolls import in_words
from pbem.core.stage import Stage
from pbem.core.undone import undone_rows

COLUMNS = (
    "number", "row", "turn", "phase", "side", "purpose", "rule", "sides", "faces", "mods", "target", "hits", "result", "attempt",
    "undone",
)

Succeeds = Callable[[int, int, int], bool]
"""Whether a face meets a target on a die of so many sides: the title's :meth:`~pbem.core.ruleset.Ruleset.succeeds`."""

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""With these a formula begins."""


@dataclass(frozen=True)
class Roll:
    """One roll.  ``number`` counts all rolls of the game, secret ones too: who may not see one sees a gap.  ``hits``: dice
    that succeeded (None without a target); ``outcome``: what the faces came to, as recorded (:data:`pbem.core.rolls.RESULT`);
    ``undone``: the game was taken back behind it."""

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
    outcome: Mapping[str, Any] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """What came of it, in a few words."""
        known = self.outcome or ({} if self.hits is None else {"hits": self.hits})
        return in_words(known, len(self.faces))

    @property
    def die(self) -> str:
        """Its kind: 'd10', or '2d6' where the dice were added up."""
        added = "sum" in self.outcome and len(self.faces) > 1
        return f"{len(self.faces)}d{self.sides}" if added else f"d{self.sides}"

    @property
    def values(self) -> tuple[int, ...]:
        """The numbers that it gave, as its kind of die counts them."""
        return (sum(self.faces),) if self.die[0] != "d" else self.faces


def history(rows: Iterable[Row], side: str = "", succeeds: Succeeds | None = None) -> list[Roll]:
    """All rolls among a game's rows from its first; with ``side`` those that it may see while the game runs.  ``succeeds``
    is for the rolls of older games, whose rows do not say what came of them."""
    kept = list(rows)
    undone = undone_rows(kept)
    found: list[Roll] = []
    phase, number = "", 0
    for row in kept:
        payload = row.payload
        if row.kind == "step":
            phase = str(payload["name"])
        elif row.kind == "roll":
            number += 1
            if not payload["secret"] or side in ("", payload["side"]):
                found.append(_roll(number, row, phase, row.seq in undone, succeeds))
    return found


def _roll(number: int, row: Row, phase: str, undone: bool, succeeds: Succeeds | None) -> Roll:
    payload, stage = row.payload, Stage.parse(phase)
    faces, target, outcome = tuple(payload["faces"]), payload["target"], payload.get("result", {})
    hits = outcome.get("hits")
    if hits is None and target is not None and succeeds is not None and not outcome:
        hits = sum(succeeds(f, target, payload["sides"]) for f in faces)
    return Roll(
        number, row.seq, stage.turn, stage.name, payload["side"], payload["purpose"], payload["rule"], payload["sides"], faces,
        tuple((n, m) for n, m in payload["mods"]), target, hits, payload["attempt"], payload["secret"], undone, outcome,
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

RESULT_WIDTH = 8
"""Results that are longer stand below their line."""

HEADING = "   No  Turn and phase         Side    Rule   Dice         Needs  Result"


def table(rolls: Sequence[Roll], width: int = 72) -> list[str]:
    """Two lines or more a roll, none wider than ``width`` (72 at least for the first of each)."""
    lines, usual = [HEADING, "  " + "-" * (len(HEADING) - 2)], Counter(r.sides for r in rolls).most_common(1)
    usual_sides = usual[0][0] if usual else 0
    for r in rolls:
        faces = " ".join(map(str, r.faces)) + ("" if r.sides == usual_sides else f" of {r.sides}")
        where = f"{r.turn} {r.phase}" if r.turn else r.phase
        long, result = len(faces) > 12, r.result if len(r.result) <= RESULT_WIDTH else ""
        needs = "" if r.target is None else str(r.target)
        shown = "(below)" if long else faces
        line = f"{r.number:>5}  {where[:21]:<21}  {r.side[:6]:<6}  {r.rule[:5]:<5}  {shown:<12} {needs:>4}   {result}"
        lines.append(line.rstrip())
        more = [r.purpose, *(f"{name} {value:+d}" for name, value in r.mods)]
        more += [f"dice {faces}"] if long else []
        more += [] if result == r.result else [r.result]
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
        plain = {**vars(r), "faces": " ".join(map(str, r.faces)), "mods": mods, "undone": "yes" if r.undone else "",
                 "result": r.result}
        writer.writerow([cell(plain[c]) for c in COLUMNS])
    return out.getvalue()


def cell(value: Any) -> Any:
    """A field of a table; words that a spreadsheet would take for a formula get an apostrophe before them."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def plain(rolls: Iterable[Roll]) -> list[dict[str, Any]]:
    """As JSON data."""
    return [
        {**asdict(r), "faces": list(r.faces), "mods": [list(m) for m in r.mods], "result": r.result, "outcome": dict(r.outcome)}
        for r in rolls
    ]


def as_json(rolls: Iterable[Roll]) -> str:
    """As JSON text."""
    return json.dumps(plain(rolls), ensure_ascii=False, indent=1) + "\n"
