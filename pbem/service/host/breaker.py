"""What the world outside keeps failing at: mail in, mail out.  It is tried again after pauses that grow.

How a part stands is a stored value, so that the daemon, a tick from cron and a restart all keep to it.  A server that says
'later' is asked again after a minute, then two, four, up to half an hour; one that refuses our login, up to four hours, since
asking again does not mend a password and may lock the account.  The operator is written to once.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from pbem.service.context import ServiceContext
from pbem.service.logs import log
from pbem.service.letters import mailing
from pbem.service.times import later, moment

FETCH, MOVE, SEND = "fetch", "move", "send"
"""Parts: reading the mailbox, moving mails out of it, sending."""

BUSY, REFUSED = "busy", "refused"
"""Kinds: it may work later; a person must mend it."""

PAUSES = {BUSY: (60, 1800), REFUSED: (300, 14_400)}
"""Seconds of the first pause, and of the longest; each is twice the one before."""

TOLD_MINUTES = 15
"""The operator hears of trouble that has lasted for so long, and of a refused login when it is refused again."""


@dataclass(frozen=True)
class Trouble:
    """A part that fails: ``since`` when, ``tries`` made, ``until`` when it is not tried again, ``why`` in words; ``told``: the
    operator has been written to; ``ended``: when it worked again, '' as long as it does not."""

    since: str
    tries: int
    kind: str
    why: str
    until: str
    told: bool = False
    ended: str = ""


def last(context: ServiceContext, part: str) -> Trouble | None:
    """The last trouble of a part, whether it is over or not."""
    text = context.store.notes.value(f"trouble {part}")
    return Trouble(**json.loads(text)) if text else None


def open_now(context: ServiceContext, part: str) -> Trouble | None:
    """The trouble that a part is in."""
    found = last(context, part)
    return found if found and not found.ended else None


def paused(context: ServiceContext, part: str) -> Trouble | None:
    """The trouble that a part is in, if it is too early to try again.  (A clock that was set back does not make it wait.)"""
    found = open_now(context, part)
    if found is None or context.now >= found.until:
        return None
    longest = PAUSES[found.kind][1]
    return found if found.until <= later(context.now, seconds=longest) else None


def failed(context: ServiceContext, part: str, why: str, kind: str = BUSY, *, progress: bool = False) -> Trouble:
    """A part has failed (again); ``progress``: something was done all the same, so that the pauses begin anew."""
    before = open_now(context, part)
    tries = 1 if before is None or progress or before.kind != kind else before.tries + 1
    first, longest = PAUSES[kind]
    until = later(context.now, seconds=min(longest, first * 2 ** min(tries - 1, 20)))
    since, told = (before.since, before.told) if before else (context.now, False)
    found = Trouble(since, tries, kind, why, until, told)
    lasted = moment(context.now) - moment(since)
    with context.store.transaction():
        if not told and (lasted >= timedelta(minutes=TOLD_MINUTES) or kind == REFUSED and tries > 1):
            _tell(context, part, found)
            found = replace(found, told=True)
        if before is None:
            context.note("trouble", f"{part}: {why}")
        _keep(context, part, found)
    log.warning(f"{part} fails", why=why, tries=tries, since=since, again_at=until)
    return found


def works(context: ServiceContext, part: str) -> bool:
    """A part works; whether it did not before."""
    before = open_now(context, part)
    if before is None:
        return False
    with context.store.transaction():
        _keep(context, part, replace(before, ended=context.now))
        context.note("trouble", f"{part} works again; it did not since {before.since}: {before.why}")
    log.info(f"{part} works again", since=before.since)
    return True


def _keep(context: ServiceContext, part: str, trouble: Trouble) -> None:
    context.store.notes.set_value(f"trouble {part}", json.dumps(asdict(trouble)))


TOLD: dict[str, tuple[str, Sequence[str]]] = {
    FETCH: ("Mail cannot be read", (
        "Nothing is lost: mails stay in the mailbox. No deadline passes meanwhile; they all move by the time lost.",
        "It is tried again after growing pauses, and all goes on by itself when it works. 'pbem doctor' tests it at once, and"
        " 'pbem tick --now' tries without waiting (with the daemon running: restart it).",
    )),
    MOVE: ("Mails cannot be moved out of the inbox", (
        "They are stored and handled all the same, and none twice. They are moved when it works again.",
        "Is the mailbox full, or the folder gone? 'pbem doctor' looks.",
    )),
    SEND: ("Mail cannot be sent", (
        "Nothing is lost: letters wait in the outbox, in their order. If it lasts, no deadline passes; they all move by the"
        " time lost.",
        "It is tried again after growing pauses, and all goes out by itself when it works. 'pbem outbox list' shows what waits,"
        " 'pbem doctor' tests the server.",
    )),
}
"""What the operator reads."""


def _tell(context: ServiceContext, part: str, trouble: Trouble) -> None:
    subject, lines = TOLD[part]
    mended = ["That does not mend itself: look at the settings and the account."] if trouble.kind == REFUSED else []
    said = [f"Since {trouble.since}: {trouble.why}.", *mended, *lines]
    mailing.alarm(context, "", subject, said, once=f"trouble {part} {trouble.since}")


def facts(context: ServiceContext) -> dict[str, Any]:
    """For the health file: each part that is in trouble, with 'since', 'why' and 'until'."""
    found = {part: open_now(context, part) for part in (FETCH, MOVE, SEND)}
    return {part: {"since": t.since, "why": t.why, "until": t.until} for part, t in found.items() if t}
