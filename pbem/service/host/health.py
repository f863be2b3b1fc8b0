"""How the server stands, for whoever watches it: a file that each tick writes, and what to make of it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pbem.service.host import breaker
from pbem.service.play import outages
from pbem.service.context import ServiceContext
from pbem.service.times import moment

STALE_TICKS, STALE_SECONDS = 5, 300
"""A file is stale after so many ticks, but not before so many seconds: a tick that has much to do takes its time."""

HOURS_UNSENT = 2
"""A mail that waits longer than that to be sent is a bad sign."""


def facts(context: ServiceContext, failed: Mapping[str, str]) -> dict[str, Any]:
    """How things stand; ``failed``: what went wrong in the last tick, and why.

    'at' (UTC), 'every' (seconds between ticks), 'games', 'inbox' and 'outbox' (how many of each status that is not done),
    'oldest_unsent' and 'next_due' (UTC or ''), 'held' (why no deadline passes, or ''), 'failed', 'trouble' (by part: since
    when, why, and when it is tried again), 'pid'.
    """
    store, held = context.store, outages.hold(context)
    due = store.games.due_by("9999", 1)
    return {
        "at": context.now, "every": context.config.tick_seconds, "games": store.games.count(),
        "inbox": dict(store.inbox.counts()),
        "outbox": dict(store.outbox.counts()), "oldest_unsent": store.outbox.oldest(), "next_due": due[0].at if due else "",
        "held": held.why if held else "", "failed": dict(failed), "trouble": breaker.facts(context), "pid": os.getpid(),
    }


def write(context: ServiceContext, failed: Mapping[str, str]) -> None:
    """Write the file in one step, so that nobody reads half of it."""
    path = context.config.health
    part = path.with_name(path.name + ".part")
    part.write_text(json.dumps(facts(context, failed), indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def read(path: Path) -> dict[str, Any] | None:
    """What the last tick wrote; None if there is nothing to read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def wrong(found: Mapping[str, Any] | None, now: datetime, longest: float = 0) -> list[str]:
    """What is wrong, in words; empty if all is well.  ``longest``: seconds after which a file is stale (0: by its ticks)."""
    if found is None:
        return ["no tick has written yet how things stand: is the daemon running?"]
    said = []
    allowed = timedelta(seconds=longest or max(STALE_SECONDS, STALE_TICKS * found["every"]))
    if now - moment(found["at"]) > allowed:
        said.append(f"the last tick ended at {found['at']}: the daemon has stopped, or hangs")
    if found["held"]:
        said.append(f"all deadlines are held: {found['held']}")
    since = found.get("trouble", {})
    for what, why in found["failed"].items():
        lasts = f"; so since {since[what]['since']}, tried again at {since[what]['until']}" if what in since else ""
        said.append(f"{what} failed in the last tick: {why}{lasts}")
    if found["oldest_unsent"] and now - moment(found["oldest_unsent"]) > timedelta(hours=HOURS_UNSENT):
        said.append(f"a mail waits to be sent since {found['oldest_unsent']}: 'pbem outbox list' tells why")
    return said
