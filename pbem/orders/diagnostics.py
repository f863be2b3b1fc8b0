"""What is wrong with a line, where, why, and what may have been meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from pbem.core.documents import Severity
from pbem.orders.source import Line

ERROR: Final = "error"
REFUSED: Final = "refused"
WARNING: Final = "warning"
"""Not understood; understood but not legal (the rule is cited); accepted but odd."""

SHOWN = 68
"""Columns of a source line that are shown."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding.  ``column`` counts from 0; ``suggestions`` are texts that could replace the marked part."""

    severity: Severity
    line: Line
    column: int
    length: int
    code: str
    message: str
    rule: str = ""
    suggestions: tuple[str, ...] = ()

    def render(self) -> str:
        """The line, a caret under the marked part, and the words; no output line is longer than 76."""
        shown, column = _window(self.line.text, self.column)
        marks = max(1, min(self.length, len(shown) - column))
        said = f"{self.severity}: {self.message}" + (f" [{self.rule}]" if self.rule else "")
        out = [f"{self.line.no:>4}  {shown}", f"      {' ' * column}{'^' * marks}", *_wrap(said)]
        if self.suggestions:
            out += _wrap(f"did you mean: {', '.join(self.suggestions)}?")
        return "\n".join(out)


def _window(text: str, column: int) -> tuple[str, int]:
    """The part of a long line around ``column``, and where the column is in it."""
    text = "".join(c if c.isprintable() else " " for c in text)
    if len(text) <= SHOWN:
        return text, min(column, len(text))
    start = max(0, min(column - SHOWN // 2, len(text) - SHOWN)) if column > SHOWN - 20 else 0
    head, tail = "... " if start else "", " ..." if start + SHOWN < len(text) else ""
    part = text[start + len(head) : start + SHOWN - len(tail)]
    return head + part + tail, min(column - start, SHOWN - len(tail))


def _wrap(text: str, width: int = 70) -> list[str]:
    lines = [""]
    for word in text.split():
        word = word if len(word) <= width else word[: width - 3] + "..."
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return [f"      {line}" for line in lines]
