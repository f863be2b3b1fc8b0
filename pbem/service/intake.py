"""A raw mail from the inbox to its effect: who, which game, what is ordered, what is answered.

Each mail is one transaction (a few share a commit); what it changes, the answer to it and its own mark 'done' are
stored together or not at all.  A mail that fails three times, or ends the program ten times, is shelved and
the referee told.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from sqlite3 import OperationalError

from pbem.mail import faults
from pbem.mail.mailbox import header_only
from pbem.mail.parse import Incoming
from pbem.orders.service_verbs import take
from pbem.orders.source import OrderBlock
from pbem.reports.wording import counted
from pbem.service import (
    accounts, answers, away, counter, ending, judging, missed, ordering, post, pressing, refereeing, registry, seating, turns,
)
from pbem.service.accounts import Person, Unclear, redacted
from pbem.service.counter import At, Verb
from pbem.service.desk import Desk, log
from pbem.service.judging import ACCEPT, FAILED, IGNORED, NO_END, QUARANTINED, RESEND, WITH_ERRORS, Judgement
from pbem.service.post import Answered, Receipt
from pbem.service.pressing import Sent
from pbem.service.times import later
from pbem.service.turns import Stopped, Table
from pbem.store.api import DONE, HALTED, HELD, OVER, PENDING, REFEREE, RUNNING, SHELVED, Mail, Seat

TRIES = 3
"""A mail that has failed so often is shelved."""

CRASHES = 10
"""A mail during which the process ended so often is shelved; mostly that is not the mail's fault."""

TOGETHER, TOGETHER_BYTES, TOGETHER_SECONDS = 16, 4_000_000, 0.25
"""So many mails at most are handled before they are committed together, none more after so long."""

MOST_FINDINGS = 40
"""So many mistakes at most are listed in a receipt."""

MOST_STRAY = 3
"""So many lines below 'end' are named."""

CLUB_VERBS: Mapping[str, Verb] = {
    **registry.VERBS, **seating.VERBS, **away.VERBS, "full": ending.full, "help": counter.help_,
}
"""What is asked of the club rather than of a game."""

HELD_HOURS, HELD_MINUTES = 48, 10
"""A mail whose sender could not be shown for DNS trouble is looked at again for so long, so often."""

HELD_LOOK = "held_look"

STANDS_STILL = {
    "pending": "the game has not begun, as a seat is still free ('leave' and its name gives yours up)",
    "paused": "the game is paused by its referee; send your orders again when it goes on",
    "halted": "the game is halted, and its referee has been told why; send your orders again when it goes on",
    "over": "the game is over",
    "closed": "the game is closed",
}


@dataclass(frozen=True)
class Outcome:
    """What became of a mail, and why, in one line."""

    disposition: str
    reason: str
    game: str = ""
    side: str = ""
    held: bool = False
    """It stays in the inbox, to be judged once more."""


def file(desk: Desk, raw: bytes, received: str, origin: str) -> tuple[Mail, bool]:
    """Keep a mail, once, before anything is read of it; of one that is too large only the header."""
    if len(raw) > desk.config.max_mail_bytes:
        raw = header_only(raw[:100_000], len(raw))
    with desk.store.transaction():
        return desk.store.inbox.file(hashlib.sha256(raw).hexdigest(), raw, received, origin)


def handle(desk: Desk, id: int) -> Outcome:
    """Handle a mail that was filed.  Never raises for what is in the mail, nor for a game that fails."""
    with desk.store.transaction():
        mail = desk.store.inbox.claim(id)
    if mail is None:
        done = desk.store.inbox.get(id)
        return Outcome(done.disposition, f"handled before: {done.reason}", done.game, done.side)
    return _together(desk, [mail])[0]


def work(desk: Desk, ids: Iterable[int], stop: Callable[[], bool] = lambda: False) -> int:
    """Handle mails one after the other; gives how many.  ``stop`` is asked between two of them.

    Each is a transaction of its own within that of a few, so that a disk that is slow to write is not waited for by each.
    A mail that has been tried before, and may be what ended the program, is alone in its.
    """
    left = deque(ids)
    done = 0
    while left and not stop():
        some = _claimed(desk, left)
        found = _together(desk, some, stop)
        left.extendleft(mail.id for mail in reversed(some[len(found) :]))
        done += len(found)
    return done


def _claimed(desk: Desk, left: deque[int]) -> list[Mail]:
    """The next few mails, each with one more try counted, taken from ``left``; of those tried before one at most."""
    found: list[Mail] = []
    with desk.store.transaction():
        while left and len(found) < TOGETHER and sum(len(m.raw) for m in found) < TOGETHER_BYTES:
            mail = desk.store.inbox.claim(left[0])
            if mail is not None and mail.tries > 1 and found:
                desk.store.inbox.release(mail.id)
                break
            left.popleft()
            if mail is not None:
                found.append(mail)
                if mail.tries > 1:
                    break
    faults.point("handle.claimed")
    return found


def _together(desk: Desk, mails: Sequence[Mail], stop: Callable[[], bool] = lambda: False) -> list[Outcome]:
    """What became of the first few of these mails; the others are given back."""
    found: list[Outcome] = []
    end = time.monotonic() + TOGETHER_SECONDS
    try:
        with desk.store.transaction():
            for mail in mails:
                if found and (stop() or time.monotonic() > end):
                    break
                found.append(_handled(desk, mail))
            for mail in mails[len(found) :]:
                desk.store.inbox.release(mail.id)
            faults.point("handle.finished")
    except OperationalError:  # the disk is full or the database is locked: that is not the mails' fault
        with suppress(OperationalError), desk.store.transaction():
            for mail in mails:
                desk.store.inbox.release(mail.id)
        raise
    faults.point("handle.committed")
    for mail, outcome in zip(mails, found, strict=False):
        told = {"disposition": outcome.disposition, "reason": redacted(outcome.reason), "game": outcome.game}
        log.info("mail", id=mail.id, **told, side=outcome.side)
    return found


def _handled(desk: Desk, mail: Mail) -> Outcome:
    """What became of a claimed mail."""
    if mail.tries > CRASHES:
        return _shelve(desk, mail, f"the program ended {CRASHES} times while it was handled")
    try:
        with desk.store.transaction():
            outcome = _outcome(desk, mail)
            faults.point("handle.answered")
            _finish(desk, mail, outcome)
            return outcome
    except Stopped as stopped:
        return _halt(desk, mail, stopped)
    except OperationalError:
        raise
    except Exception as error:  # a fault of ours must not stop the daemon: the mail is tried again, then shelved
        log.exception("mail failed", mail=mail.id, tries=mail.tries)
        why = redacted(f"{type(error).__name__}: {error}")[:300]
        return _shelve(desk, mail, why) if mail.tries >= TRIES else Outcome(FAILED, f"{why} (try {mail.tries})")


def waiting(desk: Desk) -> list[int]:
    """The mails to be handled now: new ones and, from time to time, those held for DNS trouble."""
    new = desk.store.inbox.waiting()
    held = desk.store.inbox.held()
    if not held or desk.store.notes.value(HELD_LOOK) > later(desk.now, minutes=-HELD_MINUTES):
        return new
    with desk.store.transaction():
        desk.store.notes.set_value(HELD_LOOK, desk.now)
    return held + new


def _finish(desk: Desk, mail: Mail, outcome: Outcome) -> None:
    if outcome.held:
        desk.store.inbox.hold(mail.id, outcome.disposition, redacted(outcome.reason))
        return
    status = SHELVED if outcome.disposition == QUARANTINED else DONE
    reason = redacted(outcome.reason)
    desk.store.inbox.finish(mail.id, status, outcome.disposition, reason, outcome.game, outcome.side)


def _shelve(desk: Desk, mail: Mail, why: str) -> Outcome:
    """Put a mail aside for a person to look at."""
    outcome = Outcome(QUARANTINED, why)
    with desk.store.transaction():
        _finish(desk, mail, outcome)
        _tell_host(desk, mail, why)
    return outcome


def _tell_host(desk: Desk, mail: Mail, why: str, game: str = "") -> None:
    desk.note("shelved", f"mail {mail.id}: {why}", game)
    post.tell_referee(desk, game, f"mail {mail.id} is shelved", [
        f"Mail {mail.id}, received {mail.received}, was not carried out: {why}.",
        f"It is kept in the database as it came; 'pbem inbox show {mail.id}' prints it.",
    ])


def _halt(desk: Desk, mail: Mail, stopped: Stopped) -> Outcome:
    """The rules and the journal disagree: the game waits for its referee, the mail is not carried out."""
    outcome = Outcome(QUARANTINED, f"the game is halted: {stopped}"[:300], stopped.game)
    with desk.store.transaction():
        halt(desk, stopped)
        _finish(desk, mail, outcome)
    return outcome


def halt(desk: Desk, stopped: Stopped) -> None:
    """Halt a game and tell its referee."""
    turns.stop(desk, stopped.game, HALTED, str(stopped)[:1000])
    post.tell_referee(desk, stopped.game, "the game is halted", [
        "What the rules do now is not what the journal says, so nothing more is done in this game until you look at it.",
        str(stopped)[:1000],
        f"'pbem audit {stopped.game}' names the first row that differs; 'pbem game resume {stopped.game}' tries again.",
    ])


# -- one mail ------------------------------------------------------------------------------------------


def _outcome(desk: Desk, mail: Mail) -> Outcome:
    """Everything that follows from a mail, in the transaction that is open."""
    incoming = judging.read(desk, mail.raw)
    earlier = desk.store.inbox.known_as(mail.id, incoming.message_id, incoming.body_digest)
    found = judging.judge(desk, mail.raw, incoming, earlier, mail.status == HELD)
    faults.point("handle.judged")
    if incoming.auto:
        return _automatic(desk, incoming)
    assert found.person is not None and found.verdict is not None
    if found.later and desk.now < later(mail.received, hours=HELD_HOURS):
        if mail.status != HELD:
            desk.note("held", f"mail {mail.id}: {found.reason}; it is looked at again for {HELD_HOURS} hours")
        return Outcome(QUARANTINED, f"held: {found.reason}", held=True)
    if not found.verdict.ok and not found.asked:
        return _not_believed(desk, mail, found, found.person)
    if found.same_as is not None:
        return Outcome(IGNORED, found.reason, found.same_as.game, found.same_as.side)
    if found.disposition == QUARANTINED:
        _tell_host(desk, mail, found.reason)
        return Outcome(QUARANTINED, found.reason)
    if found.disposition == RESEND:
        return _ask_again(desk, found.person, incoming, found.reason)
    return _Blocks(desk, mail, found, found.person).outcome()


def _automatic(desk: Desk, incoming: Incoming) -> Outcome:
    """Mail of a machine is not answered; what it says about a mail of ours is noted."""
    bounce = incoming.bounce
    if bounce is None or bounce.kind in ("read", "delivered"):
        return Outcome(IGNORED, incoming.auto)
    letter = desk.store.outbox.thread([bounce.message_id]) if bounce.message_id else None
    game, side = (letter.game, letter.side) if letter else ("", "")
    desk.note("bounce", f"a mail to {side or 'somebody'} came back: {bounce.kind} {bounce.status}".strip(), game)
    return Outcome(IGNORED, f"{incoming.auto} ({bounce.kind})", game, side)


def _not_believed(desk: Desk, mail: Mail, found: Judgement, person: Person) -> Outcome:
    """The sender hears nothing; the seat's owner is told once a day that somebody wrote in his name."""
    desk.note(found.disposition, f"mail {mail.id}: {found.reason}")
    if person.seats or person.member:
        post.note(
            desk, person.home, "A mail in your name was not believed",
            [
                "A mail came from your address that does not show that it is yours, so nothing of it was carried out.",
                "If you wrote it, send it again as an answer to one of our mails, and leave the subject as it is."
                " If not, there is nothing to do.",
            ],
            once=f"impostor {person.address} {desk.now[:10]}",
        )
    elif found.disposition == QUARANTINED:
        _tell_host(desk, mail, found.reason)
    return Outcome(found.disposition, found.reason)


def _ask_again(desk: Desk, person: Person, incoming: Incoming, why: str) -> Outcome:
    """Nothing of the mail can be taken; its sender is told why, and in his game's thread if it is known."""
    answered = Answered(incoming.message_id, incoming.references)
    try:
        seat = accounts.game_of(desk, person, "")
    except Unclear:
        seat = None
    if seat is None or seat.side == REFEREE or desk.store.games.get(seat.game).status != RUNNING:
        post.note(desk, person.home, "NOT ACCEPTED", [f"Nothing of your mail was taken: {why}."], answered=answered)
        return Outcome(RESEND, why)
    table = turns.take(desk, seat.game)
    post.answer(table, seat.side, Receipt(refused=f"nothing of your mail was taken: {why}", answered=answered))
    return Outcome(RESEND, why, seat.game, seat.side)


class _Blocks:
    """The order blocks of a believed mail, each dealt with for its game."""

    def __init__(self, desk: Desk, mail: Mail, found: Judgement, person: Person) -> None:
        self.desk, self.mail, self.found, self.person = desk, mail, found, person
        incoming = found.incoming
        self.answered = Answered(incoming.message_id, incoming.references)
        self.notes = [f"{incoming.quoted_lines} quoted lines were ignored."] if incoming.quoted_lines else []
        stray = found.stray[:MOST_STRAY]
        self.notes += [f"Below 'end' nothing is read; line {x.no} stands there: '{x.text[:40]}'." for x in stray]
        self.sent: list[Sent] = []

    def outcome(self) -> Outcome:
        """Deal with each block, deliver messages, meet what is asked of the club; the worst of what became of them counts."""
        if self.found.unclear:
            said = [f"A part of your mail was not taken: {why}." for why in self.found.unclear]
            post.note(self.desk, self.person.home, "NOT ACCEPTED in part", said, answered=self.answered)
        self.sent = pressing.handle(self.desk, self.person, self.found.messages)
        delivered = [Outcome(ACCEPT if s.ok else WITH_ERRORS, "press" if s.ok else "press denied", s.game) for s in self.sent]
        at = At(self.desk, self.person, f"mail {self.mail.id}", self.answered)
        counter.handle(at, self.found.asked, CLUB_VERBS)
        dealt = [self._deal(seat, block) for seat, block in self.found.chosen]
        if self.sent:
            at.say("Press", *(s.line for s in self.sent))
        counter.answer(at)
        asked = [Outcome(WITH_ERRORS if at.bad else ACCEPT, ", ".join(at.said))] if self.found.asked else []
        return self._together([*dealt, *delivered, *asked], bool(self.found.unclear))

    @staticmethod
    def _together(dealt: list[Outcome], partly: bool) -> Outcome:
        kinds = {o.disposition for o in dealt}
        disposition = kinds.pop() if len(kinds) == 1 else WITH_ERRORS
        if partly and disposition == ACCEPT:
            disposition = WITH_ERRORS
        first = dealt[0]
        return Outcome(disposition, "; ".join(o.reason for o in dealt), first.game, first.side)

    def _of_press(self, game: str) -> list[str]:
        """What became of the messages in a game, each told once."""
        told = [s.line for s in self.sent if s.game == game]
        self.sent = [s for s in self.sent if s.game != game]
        return told

    # -- one block --------------------------------------------------------------------------------

    def _deal(self, seat: Seat, block: OrderBlock) -> Outcome:
        if seat.side == REFEREE:
            return self._referee(seat, block)
        if not block.ended:
            return self._refuse(seat, NO_END, RESEND)
        game = self.desk.store.games.lock(seat.game)
        if game.status != RUNNING:
            return self._standing_still(seat, block, game.status)
        table = turns.take(self.desk, seat.game, game)
        before = missed.asked(table, seat.side)
        dealt = ordering.deal(table, seat.side, block, f"mail {self.mail.id}")
        missed.answered(table, seat.side, before)
        acts = [r for r in dealt.requests if r.verb in answers.ACTS]
        said, denied = [], None
        if dealt.receipt:
            said.append(_in_words(dealt.receipt, table))
            wrong = {r: why for r in acts if (why := answers.objection(table, r))}
            denied = [answers.not_done(r, why) for r, why in wrong.items()]
            said += [f"{r.verb} denied" for r in wrong]
            acts = [r for r in acts if r not in wrong]
        said += answers.answer(table, seat.side, [r for r in dealt.requests if r.verb not in answers.ACTS], self.answered, denied)
        if dealt.receipt:
            receipt = self._shortened(dealt.receipt, [*(denied or []), *self._of_press(seat.game)])
            post.send(table, dealt.rows, {seat.side: receipt})
        said += answers.answer(table, seat.side, acts, self.answered)
        bad = denied or dealt.receipt is not None and dealt.receipt.bad
        return Outcome(WITH_ERRORS if bad else ACCEPT, ", ".join(said) or "nothing asked", seat.game, seat.side)

    def _shortened(self, receipt: Receipt, more: Sequence[str] = ()) -> Receipt:
        """A receipt that lists no more mistakes than anybody reads, and what else there is to say."""
        notes = [*receipt.notes, *more, *self.notes]
        rest = len(receipt.findings) - MOST_FINDINGS
        if rest > 0:
            notes.append(f"{rest} more lines with something to say about are not listed here.")
        return replace(receipt, findings=receipt.findings[:MOST_FINDINGS], notes=tuple(notes), answered=self.answered)

    def _refuse(self, seat: Seat, why: str, disposition: str) -> Outcome:
        if self.desk.store.games.get(seat.game).status == RUNNING:
            table = turns.take(self.desk, seat.game)
            post.answer(table, seat.side, Receipt(refused=why, notes=tuple(self.notes), answered=self.answered))
        else:
            post.note(self.desk, seat.address, "NOT ACCEPTED", [f"{why}."], game=seat.game, answered=self.answered)
        return Outcome(disposition, why, seat.game, seat.side)

    def _standing_still(self, seat: Seat, block: OrderBlock, status: str) -> Outcome:
        """Orders are refused while a game stands still; what was asked for is answered, where no play is needed."""
        why = STANDS_STILL[status]
        requests, lines = take(block.lines)
        wanted = [r for r in requests if r.verb in ("help", "report", "rolls")] if status not in (HALTED, PENDING) else []
        if wanted and not lines:
            table = turns.take(self.desk, seat.game)
            return Outcome(ACCEPT, ", ".join(answers.answer(table, seat.side, wanted, self.answered)), seat.game, seat.side)
        lines_said = [f"Nothing of your mail was taken: {why}."]
        post.note(self.desk, seat.address, "NOT ACCEPTED", lines_said, game=seat.game, answered=self.answered)
        return Outcome(WITH_ERRORS, why, seat.game, seat.side)

    def _referee(self, seat: Seat, block: OrderBlock) -> Outcome:
        done = refereeing.handle(self.desk, seat, block, f"mail {self.mail.id}", self.answered)
        return Outcome(WITH_ERRORS if done.bad else ACCEPT, ", ".join(done.said) or "nothing asked", seat.game, seat.side)


def _in_words(receipt: Receipt, table: Table) -> str:
    """A receipt in one line for the log."""
    count = len([line for line in receipt.accepted if not line.startswith("phase ")])
    words = counted(count, "order")
    if receipt.check:
        words = f"checked {words}"
    if receipt.bad:
        words += f", {counted(receipt.bad, 'line')} not taken"
    waiting = " and ".join(table.session.waiting())
    where = "game over" if table.game.status == OVER else f"waits for {waiting}" if waiting else "goes on"
    return f"{words}; {table.session.step_name}, {where}"
