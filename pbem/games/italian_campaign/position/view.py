"""What one side may know: everything but the other side's sealed bid (5.31)."""

from __future__ import annotations

from typing import Any

from pbem.core.ruleset import Seen
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import SIDES
from pbem.games.italian_campaign.position.state import State, dump


def view(state: State, side: str) -> dict[str, Any]:
    """The position as ``side`` sees it ('' for an observer)."""
    seen = dump(state)
    if len(state.bids) < len(SIDES):
        seen["bids"] = {s: n for s, n in state.bids.items() if s == side}
    return {**seen, "title": state.data.title, "dates": list(state.data.dates)}


def everything(state: State) -> dict[str, Any]:
    """All that either side knows."""
    return {**dump(state), "title": state.data.title, "dates": list(state.data.dates)}


def visibility(state: State, event: e.Event) -> Seen:
    """Who may know an event."""
    return {"side": event.side, "public": False} if isinstance(event, e.Bid) else {"open": True}
