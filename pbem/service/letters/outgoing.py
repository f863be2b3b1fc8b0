"""Sending what stands in the outbox.

A letter is marked 'sending' and committed before the mail server is spoken to, and 'sent' afterwards.  If the process
dies, or the line drops, between the end of the mail and the server's answer, nobody knows whether it was taken; then the
same bytes with the same Message-ID are sent once more, which mail programs show as one mail.  That is the only case in
which a mail can go out twice.
"""

from __future__ import annotations

import json
import time
from typing import Protocol

from pbem.mail import faults
from pbem.mail.smtp import NotAllowed, Permanent, SendError, Unavailable, Unknown
from pbem.service.host import breaker
from pbem.service.letters import mailing, pictures
from pbem.service.context import ServiceContext
from pbem.service.logs import log
from pbem.service.times import later
from pbem.store.api import Letter

FIRST_WAIT, LONGEST_WAIT = 60, 4 * 3600
"""Seconds until the next try: doubled each time."""

GIVE_UP = 5 * 24
"""Hours after which a letter is no longer tried."""

LAST_DAY = "9999"

RUN_SECONDS = 300
"""A tick sends no longer than that; the rest is for the next one."""

IN_A_ROW = 3
"""So many people's addresses are not bad at once."""


class Sender(Protocol):
    """How a mail leaves; see :class:`pbem.mail.smtp.Sender`."""

    def send(self, mail_from: str, rcpt: str, raw: bytes) -> None:
        """Hand a mail over, or raise :class:`~pbem.mail.smtp.SendError`."""


def send_ready(context: ServiceContext, sender: Sender, limit: int = 500, *, at_once: bool = False) -> int:
    """Send what is due to be sent; gives how many letters were taken.  Only one process may do this at a time.

    If nothing can be sent for now, the rest waits together (:mod:`pbem.service.host.breaker`); ``at_once``: try all the same.
    """
    _take_up_interrupted(context)
    if not at_once and breaker.paused(context, breaker.SEND):
        return 0
    ids = context.store.outbox.ready(context.now, limit)
    if not ids and breaker.open_now(context, breaker.SEND):
        ids = context.store.outbox.ready(LAST_DAY, 2)  # to see whether the server takes anything, though their time has not come
    if not ids and not context.store.outbox.oldest():
        breaker.works(context, breaker.SEND)  # nothing waits any more: what did was given up, or no longer holds
    run, end = _Run(context, sender), time.monotonic() + RUN_SECONDS
    for id in ids:
        if run.over or time.monotonic() > end:
            break
        run.send(id)
    run.finish()
    return run.taken


class _Run:
    """A number of letters, sent one after the other.

    A reply that says 'not now' for a letter is about all of them if it says so for a second one, too, or if there is no other.
    Letters that are refused for good are given up, unless several are in a row, to different people and none is taken: then
    it is we who are refused, and nothing is given up.
    """

    def __init__(self, context: ServiceContext, sender: Sender) -> None:
        self.context, self.sender = context, sender
        self.taken, self.over = 0, False
        self.busy: SendError | None = None
        self.refused: list[tuple[Letter, str]] = []

    def send(self, id: int) -> None:
        """One letter; never raises for what is wrong with it or with the mail server."""
        context = self.context
        pictures.drawn(context, id)
        with context.store.transaction():
            letter = context.store.outbox.claim(id, context.now)
            faults.point("send.claimed")
        faults.point("send.marked")
        if letter is None:
            return
        try:
            self.sender.send(context.config.address, letter.recipient, letter.raw)
        except (SendError, OSError) as error:
            self._not_taken(letter, error)
        except Exception as error:  # one odd letter must not hold up the others
            _failed(context, letter, f"{type(error).__name__}: {error}")
        else:
            self._taken(letter)

    def _taken(self, letter: Letter) -> None:
        context = self.context
        with context.store.transaction():
            context.store.outbox.sent(letter.id, context.now)
            faults.point("send.sent")
        faults.point("send.committed")
        log.info("sent", letter=letter.id, kind=letter.kind, game=letter.game, side=letter.side)
        self.taken, self.busy = self.taken + 1, None
        if breaker.works(context, breaker.SEND):
            with context.store.transaction():
                context.store.outbox.hasten(context.now)
        self._give_up()

    def _not_taken(self, letter: Letter, error: Exception) -> None:
        if isinstance(error, Permanent):
            self.refused.append((letter, str(error)))
            receivers = {x.recipient for x, _ in self.refused}
            if self.taken == 0 and len(receivers) >= IN_A_ROW:
                self._we_are_refused()
            elif self.taken:
                self._give_up()
            return
        _again(self.context, letter, str(error))
        if isinstance(error, (Unavailable, Unknown, OSError)):
            general = getattr(error, "general", not isinstance(error, Unknown))
            if general or not self._its_own_fault(letter):
                self.over = general or self.busy is not None
                self.busy = error if isinstance(error, SendError) else Unavailable(str(error))

    def _its_own_fault(self, letter: Letter) -> bool:
        """Whether other letters have been taken since this one was not taken for the first time."""
        notes, name = self.context.store.notes, "not taken first"
        oldest = later(self.context.now, hours=-GIVE_UP)
        known = {id: at for id, at in json.loads(notes.value(name) or "{}").items() if at > oldest}
        at = known.setdefault(str(letter.id), self.context.now)
        with self.context.store.transaction():
            notes.set_value(name, json.dumps(known))
        return at < self.context.store.outbox.last_sent()

    def _we_are_refused(self) -> None:
        """So many different people cannot all have bad addresses."""
        for letter, why in self.refused:
            _again(self.context, letter, why)
        why = f"letters to {len(self.refused)} people in a row were refused, the last with: {self.refused[-1][1]}"
        self.busy = NotAllowed(why)
        self.refused, self.over = [], True

    def _give_up(self) -> None:
        for letter, why in self.refused:
            _failed(self.context, letter, why)
        self.refused = []

    def finish(self) -> None:
        """What the run has shown about the mail server."""
        self._give_up()
        if self.busy is not None:
            kind = breaker.REFUSED if isinstance(self.busy, NotAllowed) else breaker.BUSY
            breaker.failed(self.context, breaker.SEND, str(self.busy), kind, progress=bool(self.taken))


def _take_up_interrupted(context: ServiceContext) -> None:
    """Letters that a process died over."""
    found = context.store.outbox.interrupted()
    if found:
        with context.store.transaction():
            for id in found:
                context.store.outbox.retry(id, context.now, "the program ended while it was being sent")


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
        if letter.kind not in (mailing.NOTICE, mailing.ALARM):
            mailing.tell_referee(context, letter.game, "a mail could not be delivered", [
                f"The {letter.kind} to {letter.side or 'a player'} was refused: {why[:200]}.",
                "The game goes on; 'pbem game substitute' gives the seat another address.",
            ], once=f"undelivered {letter.game} {letter.side} {context.now[:10]}")
