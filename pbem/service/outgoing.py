"""Sending what stands in the outbox.

A letter is marked 'sending' and committed before the mail server is spoken to, and 'sent' afterwards.  If the process
dies, or the line drops, between the end of the mail and the server's answer, nobody knows whether it was taken; then the
same bytes with the same Message-ID are sent once more, which mail programs show as one mail.  That is the only case in
which a mail can go out twice.
"""

from __future__ import annotations

from typing import Protocol

from pbem.mail import faults
from pbem.mail.smtp import Permanent, SendError
from pbem.service import pictures, post
from pbem.service.desk import Desk, log
from pbem.service.times import later
from pbem.store.api import Letter

FIRST_WAIT, LONGEST_WAIT = 60, 4 * 3600
"""Seconds until the next try: doubled each time."""

GIVE_UP = 5 * 24
"""Hours after which a letter is no longer tried."""


class Sender(Protocol):
    """How a mail leaves; see :class:`pbem.mail.smtp.Sender`."""

    def send(self, mail_from: str, rcpt: str, raw: bytes) -> None:
        """Hand a mail over, or raise :class:`~pbem.mail.smtp.SendError`."""


def send_ready(desk: Desk, sender: Sender, limit: int = 500) -> int:
    """Send what is due to be sent; gives how many letters were taken.  Only one process may do this at a time."""
    _take_up_interrupted(desk)
    taken = 0
    for id in desk.store.outbox.ready(desk.now, limit):
        taken += _send(desk, sender, id)
    return taken


def _take_up_interrupted(desk: Desk) -> None:
    """Letters that a process died over."""
    found = desk.store.outbox.interrupted()
    if found:
        with desk.store.transaction():
            for id in found:
                desk.store.outbox.retry(id, desk.now, "the program ended while it was being sent")


def _send(desk: Desk, sender: Sender, id: int) -> bool:
    """One letter; never raises for what is wrong with it or with the mail server."""
    pictures.drawn(desk, id)
    with desk.store.transaction():
        letter = desk.store.outbox.claim(id, desk.now)
        faults.point("send.claimed")
    faults.point("send.marked")
    if letter is None:
        return False
    try:
        sender.send(desk.config.address, letter.recipient, letter.raw)
    except Permanent as error:
        _failed(desk, letter, str(error))
        return False
    except (SendError, OSError) as error:
        _again(desk, letter, str(error))
        return False
    except Exception as error:  # one odd letter must not hold up the others
        _failed(desk, letter, f"{type(error).__name__}: {error}")
        return False
    with desk.store.transaction():
        desk.store.outbox.sent(id, desk.now)
        faults.point("send.sent")
    faults.point("send.committed")
    log.info("sent", letter=id, kind=letter.kind, game=letter.game, side=letter.side)
    return True


def _again(desk: Desk, letter: Letter, why: str) -> None:
    if desk.now > later(letter.created, hours=GIVE_UP):
        _failed(desk, letter, f"given up after {letter.attempts} tries: {why}")
        return
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(letter.attempts - 1, 20))
    with desk.store.transaction():
        desk.store.outbox.retry(letter.id, later(desk.now, seconds=wait), why[:300])
    log.warning("not sent", letter=letter.id, attempts=letter.attempts, why=why[:300], again_in=wait)


def _failed(desk: Desk, letter: Letter, why: str) -> None:
    """Given up: noted; the referee hears of it unless it was a letter to him."""
    with desk.store.transaction():
        desk.store.outbox.failed(letter.id, why[:300])
        desk.note("not sent", f"letter {letter.id} ({letter.kind}) to {letter.side or 'somebody'}: {why[:300]}", letter.game)
        if letter.kind != post.NOTICE:
            post.tell_referee(desk, letter.game, "a mail could not be delivered", [
                f"The {letter.kind} to {letter.side or 'a player'} was refused: {why[:200]}.",
                "The game goes on; 'pbem game substitute' gives the seat another address.",
            ], once=f"undelivered {letter.game} {letter.side} {desk.now[:10]}")
