"""What is thrown away, and when: the bytes of mails that were sent long ago.  Their rows stay, and so do all reports."""

from __future__ import annotations

from pbem.service.desk import Desk
from pbem.service.times import later

TIDIED, EVERY_HOURS = "tidied", 1
AT_ONCE = 500
"""So many mails at most are tidied away in one go, so that no tick becomes long."""


def tidy(desk: Desk) -> int:
    """Drop the bytes of letters sent longer ago than the settings keep them, now and then; gives how many."""
    days, now = desk.config.keep_sent_days, desk.now
    if not days or desk.store.notes.value(TIDIED) > later(now, hours=-EVERY_HOURS):
        return 0
    with desk.store.transaction():
        count = desk.store.outbox.forget(later(now, hours=-24 * days), AT_ONCE)
        if count < AT_ONCE:
            desk.store.notes.set_value(TIDIED, now)
    return count
