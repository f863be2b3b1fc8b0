"""What a roll comes to, as the rules saw it: a small vocabulary, so that history, statistics and reports of any title can
tell of it without knowing its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Reading = Callable[[Sequence[int]], Mapping[str, Any]]
"""What a title makes of the faces of a roll: a result, see :data:`RESULT`."""

RESULT = {
    "hits": "dice that succeeded",
    "sum": "the dice added up, before modifiers",
    "table": "the table that was read, then:",
    "row": "its row, in the table's words",
    "column": "the column read, after all shifts",
    "shifts": "the shifts one by one: [[why, by], …]",
    "cell": "what stands there",
    "status": "how sure the cell is: printed, deduced, historical, reconstructed",
    "words": "what it means, where none of the above says it",
}
"""The names that a recorded result may use, each as often as it applies, and what they hold."""


def in_words(result: Mapping[str, Any], dice: int) -> str:
    """A result in a few words: 'success', '3 of 7', 'CRT row 6, column 4:1 (armor +1): D2'; '' for none."""
    said = []
    if "hits" in result:
        hits = int(result["hits"])
        said.append(f"{hits} of {dice}" if dice > 1 else "success" if hits else "failure")
    if "sum" in result and dice > 1:
        said.append(f"sum {result['sum']}")
    if "table" in result:
        said.append(_look_up(result))
    return "; ".join([*said, *([str(result["words"])] if result.get("words") else [])])


def _look_up(result: Mapping[str, Any]) -> str:
    """A look-up: table, row, column with its shifts, cell; cells that are not printed ones say so."""
    shifts = ", ".join(f"{why} {by:+d}" for why, by in result.get("shifts", ()))
    parts = [f"row {result['row']}"] if result.get("row") not in (None, "") else []
    if result.get("column") not in (None, ""):
        parts.append(f"column {result['column']}" + (f" ({shifts})" if shifts else ""))
    status = result.get("status", "")
    doubt = f" ({status})" if status not in ("", "printed") else ""
    return f"{result['table']}{' ' if parts else ''}{', '.join(parts)}: {result['cell']}{doubt}"
