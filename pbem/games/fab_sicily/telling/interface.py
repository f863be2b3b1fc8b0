"""What is used of this telling outside the title (:class:`pbem.games.contract.Telling`)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.documents import Roll
from pbem.core.journal import Row
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.rules.sequence import SETUP
from pbem.games.fab_sicily.telling import looking
from pbem.games.fab_sicily.telling import report as reports
from pbem.games.fab_sicily.telling import story

report = reports.report
brief = reports.brief
look_up = looking.look_up


def rolls(state: State, side: str, rows: Sequence[Row]) -> list[Roll]:
    """The dice in words."""
    return story.tell(rows, state.data, side, SETUP).rolls
