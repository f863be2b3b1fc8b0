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
from pbem.service.letters import mailing, pictures
from pbem.service.context import ServiceContext, log
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


def send_ready(context: ServiceContext, sender: Sender, limit: int = 500) -> int:
    """Send what is due to be sent; gives how many letters were taken.  Only one process may do this at a time."""
    _take_up_interrupted(context)
    taken = 0
    for id in context.store.outbox.ready(context.now, limit):
        taken += _send(context, sender, id)
    return taken


def _take_up_interrupted(context: ServiceContext) -> None:
    """Letters that a process died over."""
    found = context.store.outbox.interrupted()
    if found:
        with context.store.transaction():
            for id in found:
                context.store.outbox.retry(id, context.now, "the program ended while it was being sent")


def _send(context: ServiceContext, sender: Sender, id: int) -> bool:
    """One letter; never raises for what is wrong with it or with the mail server."""
    pictures.drawn(context, id)
    with context.store.transaction():
        letter = context.store.outbox.claim(id, context.now)
        faults.point("send.claimed")
    faults.point("send.marked")
    if letter is None:
        return False
    try:
        sender.send(context.config.address, letter.recipient, letter.raw)
    except Permanent as error:
        _failed(context, letter, str(error))
        return False
    except (SendError, OSError) as error:
        _again(context, letter, str(error))
        return False
    except Exception as error:  # one odd letter must not hold up the others
        _failed(context, letter, f"{type(error).__name__}: {error}")
        return False
    with context.store.transaction():
        context.store.outbox.sent(id, context.now)
        faults.point("send.sent")
    faults.point("send.committed")
    log.info("sent", letter=id, kind=letter.kind, game=letter.game, side=letter.side)
    return True


def _again(context: ServiceContext, letter: Letter, why: str) -> None:
    if context.now > later(letter.created, hours=GIVE_UP):
        _failed(context, letter, f"given up after {letter.attempts} tries: {why}")
        return
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(letter.attempts - 1, 20))
    with context.store.transaction():
        context.store.outbox.retry(letter.id, later(context.now, seconds=wait), why[:300])
    log.warning("not sent", letter=letter.id, attempts=letter.attempts, why=why[:300], again_in=wait)


def _failed(context: ServiceContext, letter: Letter, why: str) -> None:
    """Given up: noted; the referee hears of it unless it was a letter to him."""
    with context.store.transaction():
        context.store.outbox.failed(letter.id, why[:300])
        context.note("not sent", f"letter {letter.id} ({letter.kind}) to {letter.side or 'somebody'}: {why[:300]}", letter.game)
        if letter.kind != mailing.NOTICE:
            mailing.tell_referee(context, letter.game, "a mail could not be delivered", [
                f"The {letter.kind} to {letter.side or 'a player'} was refused: {why[:200]}.",
                "The game goes on; 'pbem game substitute' gives the seat another address.",
            ], once=f"undelivered {letter.game} {letter.side} {context.now[:10]}")
