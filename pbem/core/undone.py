"""Which rows of a journal a rewind has undone: one meaning for the story, the audit, the bundle and the reports."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.journal import Row

REWIND = "rewind"
"""The act of the control row that takes a game back to the start of an earlier step."""


LAID_OPEN = "open"
"""Set in such a row: the orders that were in force there have to be confirmed anew."""


def standing(rows: Sequence[Row]) -> list[Row]:
    """The rows of the game as it was played, in order: those before the step that the last rewind went back to, and those
    after it.

    A rewind names a step by its number.  Since every step that begins has a number of its own, also after a rewind, the
    rows before "step 12" are those of lower steps that stood when step 12 began; a rewind may go back into what an earlier
    one undid, and that counts again then.
    """
    kept: list[Row] = []
    for i, row in enumerate(rows):
        if row.kind == "control" and row.payload.get("act") == REWIND:
            kept = [*_before(rows[:i], row.payload["step"]), row]
        else:
            kept.append(row)
    return kept


def _before(rows: Sequence[Row], step: int) -> list[Row]:
    """What stood when that step began."""
    start = next((i for i, row in enumerate(rows) if row.kind == "step" and row.step == step), len(rows))
    return standing(rows[:start])


def undone_rows(rows: Sequence[Row]) -> frozenset[int]:
    """The numbers of the rows that no longer stand."""
    left = {row.seq for row in standing(rows)}
    return frozenset(row.seq for row in rows if row.seq not in left)
