"""What is thrown away, and when: the bytes of mails that were sent long ago.  Their rows stay, and so do all reports."""

from __future__ import annotations

from pbem.service.context import ServiceContext
from pbem.service.times import later

TIDIED, EVERY_HOURS = "tidied", 1
AT_ONCE = 500
"""So many mails at most are tidied away in one go, so that no tick becomes long."""


def tidy(context: ServiceContext) -> int:
    """Drop the bytes of letters sent longer ago than the settings keep them, now and then; gives how many."""
    days, now = context.config.keep_sent_days, context.now
    if not days or context.store.notes.value(TIDIED) > later(now, hours=-EVERY_HOURS):
        return 0
    with context.store.transaction():
        count = context.store.outbox.forget(later(now, hours=-24 * days), AT_ONCE)
        if count < AT_ONCE:
            context.store.notes.set_value(TIDIED, now)
    return count
