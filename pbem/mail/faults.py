"""Named points at which a test ends the process as a power cut would.

``PBEM_FAULT=name`` kills the process when it passes the point of that name, ``name:3`` when it passes it the third time.
"""

from __future__ import annotations

import os
import signal

POINTS = {
    "fetch.begun": "the mailbox is open, nothing is read yet",
    "fetch.got": "a mail has been read from the mailbox",
    "store.filed": "it is written, but not committed",
    "store.committed": "it is safe in the database, and still in the mailbox",
    "move.done": "it has been moved out of the mailbox",
    "handle.claimed": "one more try is counted",
    "handle.judged": "it is known who wrote and what",
    "handle.played": "the orders are carried out, the rows are not written yet",
    "handle.answered": "rows and answers are written, the mail is not marked yet",
    "handle.finished": "all of a few mails is written, but not committed",
    "handle.committed": "all is committed",
    "shift.done": "the deadlines of a game have moved for an outage, but it is not committed",
    "due.done": "a deadline is carried out, but not committed",
    "send.claimed": "a letter is marked as being sent, but not committed",
    "send.marked": "that is committed, nothing has left yet",
    "smtp.connected": "the mail server has answered",
    "smtp.envelope": "it has accepted the receiver",
    "smtp.half": "half of the mail is on its way",
    "smtp.whole": "the mail is on its way but for the dot at its end",
    "smtp.dot": "the dot is on its way, the answer not yet read",
    "smtp.answered": "the server has taken the mail",
    "send.sent": "it is marked as sent, but not committed",
    "send.committed": "that is committed",
}
"""Every point, and where things stand there."""

_NAME, _, _COUNT = os.environ.get("PBEM_FAULT", "").partition(":")
_left = int(_COUNT or 1)


def arm(name: str, count: int = 1) -> None:
    """End the process when ``name`` is passed for the ``count``-th time."""
    global _NAME, _left
    _NAME, _left = name, count


def point(name: str) -> None:
    """One of :data:`POINTS`; nothing happens here unless a test asked for it."""
    global _left
    if name == _NAME:
        _left -= 1
        if _left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
