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
