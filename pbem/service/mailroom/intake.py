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
from sqlite3 import DatabaseError

from pbem.mail import faults
from pbem.mail.mailbox import header_only
from pbem.mail.parse import Incoming
from pbem.orders.club_verbs import ClubRequest
from pbem.orders.service_verbs import take
from pbem.orders.source import OrderBlock
from pbem.reports import mails
from pbem.reports.wording import counted
from pbem.service.club import away, club_requests, press, registry, seating, unsubscribing
from pbem.service.letters import mailing
from pbem.service.mailroom import classification, doubts, identity, repeats
from pbem.service.play import ending, game_session, missed_turns, ordering, player_requests, referee_mail
from pbem.service.mailroom.identity import Person, Unclear, redacted
from pbem.service.club.club_requests import RequestContext, Verb
from pbem.service.context import ServiceContext
from pbem.service.logs import log
from pbem.service.mailroom.classification import ACCEPT, FAILED, IGNORED, NO_END, QUARANTINED, RESEND, WITH_ERRORS, Judgement
from pbem.service.letters.mailing import Answered, Receipt
from pbem.service.club.press import Sent
from pbem.service.times import later
from pbem.service.play.game_session import Damaged, GameSession, Stopped
from pbem.store.damage import of_the_disk
from pbem.store.api import DONE, HALTED, HELD, OVER, PAUSED, PENDING, REFEREE, RUNNING, SHELVED, TAKEN_BACK, Mail, Seat

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
    **registry.VERBS, **seating.VERBS, **away.VERBS, "full": ending.full, "help": club_requests.help_,
    "unsubscribe": unsubscribing.unsubscribe,
}
"""What is asked of the club rather than of a game."""

HELD_HOURS, HELD_MINUTES = 48, 10
"""A mail whose sender could not be shown for DNS trouble is looked at again for so long, so often."""

HELD_LOOK = "held_look"

STANDS_STILL = {
    "pending": "the game has not begun, as a seat is still free ('leave' and its name gives yours up)",
    "paused": "the game is paused by its referee, and there is no order in it that could be kept",
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


def file(context: ServiceContext, raw: bytes, received: str, origin: str) -> tuple[Mail, bool]:
    """Keep a mail, once, before anything is read of it; of one that is too large only the header."""
    if len(raw) > context.config.max_mail_bytes:
        raw = header_only(raw[:100_000], len(raw))
    with context.store.transaction():
        return context.store.inbox.file(hashlib.sha256(raw).hexdigest(), raw, received, origin)


def handle(context: ServiceContext, id: int) -> Outcome:
    """Handle a mail that was filed.  Never raises for what is in the mail, nor for a game that fails."""
    with context.store.transaction():
        mail = context.store.inbox.claim(id)
    if mail is None:
        done = context.store.inbox.get(id)
        return Outcome(done.disposition, f"handled before: {done.reason}", done.game, done.side)
    return _together(context, [mail])[0]


def work(context: ServiceContext, ids: Iterable[int], stop: Callable[[], bool] = lambda: False) -> int:
    """Handle mails one after the other; gives how many.  ``stop`` is asked between two of them.

    Each is a transaction of its own within that of a few, so that a disk that is slow to write is not waited for by each.
    A mail that has been tried before, and may be what ended the program, is alone in its.
    """
    left = deque(ids)
    done = 0
    while left and not stop():
        some = _claimed(context, left)
        found = _together(context, some, stop)
        left.extendleft(mail.id for mail in reversed(some[len(found) :]))
        done += len(found)
    return done


def _claimed(context: ServiceContext, left: deque[int]) -> list[Mail]:
    """The next few mails, each with one more try counted, taken from ``left``; of those tried before one at most."""
    found: list[Mail] = []
    with context.store.transaction():
        while left and len(found) < TOGETHER and sum(len(m.raw) for m in found) < TOGETHER_BYTES:
            mail = context.store.inbox.claim(left[0])
            if mail is not None and mail.tries > 1 and found:
                context.store.inbox.release(mail.id)
                break
            left.popleft()
            if mail is not None:
                found.append(mail)
                if mail.tries > 1:
                    break
    faults.point("handle.claimed")
    return found


def _together(context: ServiceContext, mails: Sequence[Mail], stop: Callable[[], bool] = lambda: False) -> list[Outcome]:
    """What became of the first few of these mails; the others are given back."""
    found: list[Outcome] = []
    end = time.monotonic() + TOGETHER_SECONDS
    try:
        with context.store.transaction():
            for mail in mails:
                if found and (stop() or time.monotonic() > end):
                    break
                found.append(_handled(context, mail))
            for mail in mails[len(found) :]:
                context.store.inbox.release(mail.id)
            faults.point("handle.finished")
    except DatabaseError:  # the disk is full or the database is locked: that is not the mails' fault
        with suppress(DatabaseError), context.store.transaction():
            for mail in mails:
                context.store.inbox.release(mail.id)
        raise
    faults.point("handle.committed")
    for mail, outcome in zip(mails, found, strict=False):
        told = {"disposition": outcome.disposition, "reason": redacted(outcome.reason), "game": outcome.game}
        log.info("mail", id=mail.id, **told, side=outcome.side)
    return found


def _handled(context: ServiceContext, mail: Mail) -> Outcome:
    """What became of a claimed mail."""
    if mail.tries > CRASHES:
        return _shelve(context, mail, f"the program ended {CRASHES} times while it was handled")
    try:
        with context.store.transaction():
            outcome = _outcome(context, mail)
            faults.point("handle.answered")
            _finish(context, mail, outcome)
            return outcome
    except Stopped as stopped:
        return _halt(context, mail, stopped)
    except Exception as error:  # a fault of ours must not stop the daemon: the mail is tried again, then shelved
        if of_the_disk(error):
            raise
        log.exception("mail failed", mail=mail.id, tries=mail.tries)
        why = redacted(f"{type(error).__name__}: {error}")[:300]
        return _shelve(context, mail, why) if mail.tries >= TRIES else Outcome(FAILED, f"{why} (try {mail.tries})")


def waiting(context: ServiceContext) -> list[int]:
    """The mails to be handled now: new ones and, from time to time, those held for DNS trouble."""
    new = context.store.inbox.waiting()
    held = context.store.inbox.held()
    if not held or context.store.notes.value(HELD_LOOK) > later(context.now, minutes=-HELD_MINUTES):
        return new
    with context.store.transaction():
        context.store.notes.set_value(HELD_LOOK, context.now)
    return held + new


def _finish(context: ServiceContext, mail: Mail, outcome: Outcome) -> None:
    if outcome.held:
        context.store.inbox.hold(mail.id, outcome.disposition, redacted(outcome.reason))
        return
    status = SHELVED if outcome.disposition == QUARANTINED else DONE
    reason = redacted(outcome.reason)
    context.store.inbox.finish(mail.id, status, outcome.disposition, reason, outcome.game, outcome.side)


def _shelve(context: ServiceContext, mail: Mail, why: str) -> Outcome:
    """Put a mail aside for a person to look at."""
    outcome = Outcome(QUARANTINED, why)
    with context.store.transaction():
        _finish(context, mail, outcome)
        _tell_host(context, mail, why)
    return outcome


def _tell_host(context: ServiceContext, mail: Mail, why: str, game: str = "") -> None:
    """Put it on record that a mail is shelved.  The operator is written to once a day, whatever strangers may send."""
    context.note("shelved", f"mail {mail.id}: {why}", game)
    mailing.tell_referee(context, game, f"mail {mail.id} is shelved", [
        f"Mail {mail.id}, received {mail.received}, was not carried out: {why}.",
        f"It is kept in the database as it came; 'pbem inbox show {mail.id}' prints it, 'pbem inbox release {mail.id}' has it"
        " handled once more.",
        "If more are shelved today, there is no second letter: 'pbem status' and 'pbem notes' name them.",
    ], once=f"shelved {game} {context.now[:10]}")


def _halt(context: ServiceContext, mail: Mail, stopped: Stopped) -> Outcome:
    """The rules and the journal disagree: the game waits for its referee, the mail is not carried out."""
    outcome = Outcome(QUARANTINED, f"the game is halted: {stopped}"[:300], stopped.game)
    with context.store.transaction():
        halt(context, stopped)
        _finish(context, mail, outcome)
    return outcome


def halt(context: ServiceContext, stopped: Stopped) -> None:
    """Halt a game and tell its referee."""
    game_session.stop(context, stopped.game, HALTED, str(stopped)[:1000])
    what = "What is stored of this game is damaged" if isinstance(stopped, Damaged) else (
        "What the rules do now is not what the journal says"
    )
    mend = ["'pbem backup --full' of an older copy shows whether that one is whole; 'pbem restore' goes back to it."]
    mailing.tell_referee(context, stopped.game, "the game is halted", [
        f"{what}, so nothing more is done in this game until you look at it.",
        str(stopped)[:1000],
        *(mend if isinstance(stopped, Damaged) else []),
        f"'pbem audit {stopped.game}' names the first row that differs; 'pbem game resume {stopped.game}' tries again.",
    ])


# -- one mail ------------------------------------------------------------------------------------------


def _outcome(context: ServiceContext, mail: Mail) -> Outcome:
    """Everything that follows from a mail, in the transaction that is open."""
    incoming = classification.read(context, mail.raw)
    earlier = context.store.inbox.known_as(mail.id, incoming.message_id, incoming.body_digest, incoming.date_header)
    earlier += classification.twins(context, incoming, mail.id)
    found = classification.judge(context, mail.raw, incoming, earlier, mail.status == HELD)
    faults.point("handle.judged")
    if incoming.auto:
        return _automatic(context, incoming)
    assert found.person is not None and found.verdict is not None
    if found.verdict.ok or found.asked:
        context.store.inbox.believed(mail.id, found.person.address)
    if found.later and context.now < later(mail.received, hours=HELD_HOURS):
        if mail.status != HELD:
            context.note("held", f"mail {mail.id}: {found.reason}; it is looked at again for {HELD_HOURS} hours")
        return Outcome(QUARANTINED, f"held: {found.reason}", held=True)
    if not found.verdict.ok and not found.asked:
        return _not_believed(context, mail, found, found.person)
    if found.same_as is not None:
        return Outcome(IGNORED, found.reason, found.same_as.game, found.same_as.side)
    if found.disposition == QUARANTINED:
        if found.person.seats or found.person.member:
            _tell_host(context, mail, found.reason)
        else:  # strangers never cause a letter
            context.note("shelved", f"mail {mail.id}: {found.reason}")
        return Outcome(QUARANTINED, found.reason)
    if found.disposition == RESEND:
        return _ask_again(context, found.person, incoming, found.reason)
    if why := classification.doubt(context, found, mail.id):
        return _ask_whether(context, mail, found, found.person, why)
    return _Blocks(context, mail, found, found.person).outcome()


def _automatic(context: ServiceContext, incoming: Incoming) -> Outcome:
    """Mail of a machine is not answered; what it says about a mail of ours is noted."""
    bounce = incoming.bounce
    if bounce is None or bounce.kind in ("read", "delivered"):
        return Outcome(IGNORED, incoming.auto)
    letter = context.store.outbox.thread([bounce.message_id]) if bounce.message_id else None
    game, side = (letter.game, letter.side) if letter else ("", "")
    context.note("bounce", f"a mail to {side or 'somebody'} came back: {bounce.kind} {bounce.status}".strip(), game)
    return Outcome(IGNORED, f"{incoming.auto} ({bounce.kind})", game, side)


def _not_believed(context: ServiceContext, mail: Mail, found: Judgement, person: Person) -> Outcome:
    """The sender hears nothing; the seat's owner is told once a day that somebody wrote in his name."""
    context.note(found.disposition, f"mail {mail.id}: {found.reason}")
    if person.seats or person.member:
        mailing.note(
            context, person.home, "A mail in your name was not believed", _why_not_believed(found),
            once=f"impostor {person.address} {context.now[:10]}",
        )
    elif (owner := identity.owner(context, found.incoming)) is not None:
        mailing.note(
            context, owner.address, "A mail came from another address",
            [
                f"A mail for your seat came from {person.address[:100]}, which is not known as an address of yours. It had the"
                " word that only we mailed to you. Nothing of it was carried out.",
                f"If that address is yours as well, write 'address add {person.address[:100]}' from this one, and then send your"
                " orders again. If not, somebody has read your mail: tell the referee.",
            ],
            game=owner.game, once=f"alias {owner.game} {owner.side} {person.address}",
        )
    return Outcome(found.disposition, found.reason)


def _why_not_believed(found: Judgement) -> list[str]:
    """What is missing from a mail to be believed, and what helps."""
    said = "A mail came from your address that does not show that it is yours, so nothing of it was carried out."
    if found.verdict is not None and "token" in found.verdict.reason:
        return [
            said, "If you wrote it, send it again as an answer to one of our mails, and leave the subject as it is."
            " If not, there is nothing to do.",
        ]
    return [
        said, f"The check of its sender says: {found.reason}.",
        "If you wrote it, send it once more straight from your own mail program: a mailing list, a forwarding address or a virus"
        " scanner on the way can break the signature of a mail. If not, there is nothing to do.",
    ]


def _ask_whether(context: ServiceContext, mail: Mail, found: Judgement, person: Person, why: str) -> Outcome:
    """Orders that may not be meant: nothing is done, their sender can confirm them."""
    incoming = found.incoming
    chosen = tuple((seat, block) for seat, block in found.chosen if repeats.counts(block))
    doubts.ask(context, mail, person, chosen, why, Answered(incoming.message_id, incoming.references))
    for seat, block in chosen:
        context.store.inbox.keep_block(repeats.row(seat, block, found.around, incoming.in_reply_to, mail.id))
    return Outcome(RESEND, f"to be confirmed: {why}", chosen[0][0].game, chosen[0][0].side)


def _ask_again(context: ServiceContext, person: Person, incoming: Incoming, why: str) -> Outcome:
    """Nothing of the mail can be taken; its sender is told why, and in his game's thread if it is known."""
    answered = Answered(incoming.message_id, incoming.references)
    try:
        seat = identity.game_of(context, person, "")
    except Unclear:
        seat = None
    if seat is None or seat.side == REFEREE or context.store.games.get(seat.game).status != RUNNING:
        mailing.note(context, person.home, "NOT ACCEPTED", [f"Nothing of your mail was taken: {why}."], answered=answered)
        return Outcome(RESEND, why)
    play = game_session.take(context, seat.game)
    mailing.answer(play, seat.side, Receipt(refused=f"nothing of your mail was taken: {why}", answered=answered))
    return Outcome(RESEND, why, seat.game, seat.side)


class _Blocks:
    """The order blocks of a believed mail, each dealt with for its game."""

    def __init__(self, context: ServiceContext, mail: Mail, found: Judgement, person: Person) -> None:
        self.context, self.mail, self.found, self.person = context, mail, found, person
        incoming = found.incoming
        self.answered = Answered(incoming.message_id, incoming.references)
        self.notes = [f"{incoming.quoted_lines} quoted lines were ignored."] if incoming.quoted_lines else []
        stray = found.stray[:MOST_STRAY]
        self.notes += [f"Below 'end' nothing is read; line {x.no} stands there: '{x.text[:40]}'." for x in stray]
        left_out = found.unread[:MOST_STRAY]
        self.notes += [f"Not read, as it is marked as quoted or part of your signature: '{line[:40]}'." for line in left_out]
        self.sent: list[Sent] = []
        self.meant: list[ClubRequest] = []

    def outcome(self) -> Outcome:
        """Deal with each block, deliver messages, meet what is asked of the club; the worst of what became of them counts."""
        if self.found.unclear:
            said = [f"A part of your mail was not taken: {why}." for why in self.found.unclear]
            mailing.note(self.context, self.person.home, "NOT ACCEPTED in part", said, answered=self.answered)
        self.sent = press.handle(self.context, self.person, self.found.messages)
        delivered = [Outcome(ACCEPT if s.ok else WITH_ERRORS, "press" if s.ok else "press denied", s.game) for s in self.sent]
        at = RequestContext(self.context, self.person, f"mail {self.mail.id}", self.answered)
        dealt = [outcome for request in self.found.asked for outcome in self._confirmed(request)]
        club_requests.handle(at, [r for r in self.found.asked if r not in self.meant], CLUB_VERBS)
        for line in self.found.prose:
            at.bad = True
            at.say("Not done", f"The line '{line.text[:60]}' stands among other words. If you mean it, send it alone.")
        dealt += [self._deal(seat, block, self.mail) for seat, block in self.found.chosen]
        if self.sent:
            at.say("Press", *(s.line for s in self.sent))
        club_requests.answer(at)
        asked = [Outcome(WITH_ERRORS if at.bad else ACCEPT, ", ".join(at.said))] if at.said or at.bad else []
        return self._together([*dealt, *delivered, *asked], bool(self.found.unclear))

    def _confirmed(self, request: ClubRequest) -> list[Outcome]:
        """What became of orders that were asked about, if this is the line that confirms them."""
        found = doubts.confirmed(self.context, self.person, request)
        if found is None:
            return []
        self.meant.append(request)
        return [self._deal(seat, block, self.context.store.inbox.get(found.mail)) for seat, block in found.chosen]

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

    def _deal(self, seat: Seat, block: OrderBlock, mail: Mail) -> Outcome:
        """Deal with a block that stands in a mail: this one, or the one that this one confirms."""
        if seat.side == REFEREE:
            return self._referee(seat, block)
        if not block.ended:
            return self._refuse(seat, NO_END, RESEND)
        game = self.context.store.games.lock(seat.game)
        if game.status not in (RUNNING, TAKEN_BACK):
            return self._standing_still(seat, block, game.status)
        play = game_session.take(self.context, seat.game, game)
        earlier = self._earlier(seat, block) if mail.id == self.mail.id else None
        if earlier is not None and game.status == RUNNING and self._sent_twice(earlier):
            return self._nothing_new(play, seat.side, earlier)
        before = missed_turns.asked(play, seat.side)
        dealt = ordering.deal(play, seat.side, block, f"mail {mail.id}")
        if earlier is not None and dealt.receipt and dealt.receipt.bad and not (dealt.receipt.accepted or dealt.rows):
            return self._nothing_new(play, seat.side, earlier)
        missed_turns.answered(play, seat.side, before)
        acts = [r for r in dealt.requests if r.verb in player_requests.ACTS]
        said, denied = [], None
        if dealt.receipt:
            said.append(_in_words(dealt.receipt, play))
            wrong = {r: why for r in acts if (why := player_requests.objection(play, r))}
            denied = [player_requests.not_done(r, why) for r, why in wrong.items()]
            said += [f"{r.verb} denied" for r in wrong]
            acts = [r for r in acts if r not in wrong]
        said += player_requests.answer(
            play, seat.side, [r for r in dealt.requests if r.verb not in player_requests.ACTS], self.answered, denied,
        )
        if dealt.receipt:
            receipt = self._shortened(dealt.receipt, [*(denied or []), *self._of_press(seat.game)])
            mailing.send(play, dealt.rows, {seat.side: receipt})
        said += player_requests.answer(play, seat.side, acts, self.answered)
        bad = denied or dealt.receipt is not None and dealt.receipt.bad
        return Outcome(WITH_ERRORS if bad else ACCEPT, ", ".join(said) or "nothing asked", seat.game, seat.side)

    def _earlier(self, seat: Seat, block: OrderBlock) -> Mail | None:
        """The mail that this one says once more, if its orders were taken; a block that does something is remembered."""
        if not repeats.counts(block):
            return None
        incoming, inbox = self.found.incoming, self.context.store.inbox
        mine = repeats.row(seat, block, self.found.around, incoming.in_reply_to, self.mail.id)
        last = repeats.again(self.context, mine)
        inbox.keep_block(mine)
        earlier = inbox.get(last.mail) if last is not None else None
        return earlier if earlier is not None and earlier.disposition in (ACCEPT, WITH_ERRORS) else None

    def _sent_twice(self, earlier: Mail) -> bool:
        """Whether this is the same answer to the same mail of ours, written within so short a time that nobody can have read
        what came of the first one, which was taken whole."""
        answers = bool(self.found.incoming.in_reply_to) and earlier.disposition == ACCEPT
        return answers and repeats.at_once(self.mail.raw, earlier.raw)

    def _nothing_new(self, play: GameSession, side: str, earlier: Mail) -> Outcome:
        """The same mail again, as when somebody presses Send twice: nothing is done a second time."""
        view, when = mailing.brief(play, side), doubts.when(self.context, earlier)
        doc = mails.receipt(view, mailing.status(play, side), accepted=[], findings=[], notes=self.notes)
        doc = {**doc, "headline": f"This is what you sent on {when}: nothing new, and nothing was done a second time"}
        mailing.queue(self.context, play.game, play.seats[side], doc, mailing.RECEIPT, answered=self.answered)
        return Outcome(ACCEPT, f"says the same as mail {earlier.id}", play.game.id, side)

    def _shortened(self, receipt: Receipt, more: Sequence[str] = ()) -> Receipt:
        """A receipt that lists no more mistakes than anybody reads, and what else there is to say."""
        notes = [*receipt.notes, *more, *self.notes]
        rest = len(receipt.findings) - MOST_FINDINGS
        if rest > 0:
            notes.append(f"{rest} more lines with something to say about are not listed here.")
        return replace(receipt, findings=receipt.findings[:MOST_FINDINGS], notes=tuple(notes), answered=self.answered)

    def _refuse(self, seat: Seat, why: str, disposition: str) -> Outcome:
        if self.context.store.games.get(seat.game).status == RUNNING:
            play = game_session.take(self.context, seat.game)
            mailing.answer(play, seat.side, Receipt(refused=why, notes=tuple(self.notes), answered=self.answered))
        else:
            mailing.note(self.context, seat.address, "NOT ACCEPTED", [f"{why}."], game=seat.game, answered=self.answered)
        return Outcome(disposition, why, seat.game, seat.side)

    def _standing_still(self, seat: Seat, block: OrderBlock, status: str) -> Outcome:
        """Orders are refused while a game stands still, or kept while it is paused; what was asked for is answered, where no
        play is needed."""
        why = STANDS_STILL[status]
        requests, lines = take(block.lines)
        wanted = [r for r in requests if r.verb in ("help", "report", "rolls")] if status not in (HALTED, PENDING) else []
        if wanted and not lines:
            play = game_session.take(self.context, seat.game)
            return Outcome(
                ACCEPT, ", ".join(player_requests.answer(play, seat.side, wanted, self.answered)), seat.game, seat.side,
            )
        if status == PAUSED:
            play = game_session.take(self.context, seat.game)
            receipt = ordering.keep_in_pause(play, seat.side, block, f"mail {self.mail.id}")
            if receipt is not None:
                mailing.answer(play, seat.side, self._shortened(receipt))
                disposition = WITH_ERRORS if receipt.bad else ACCEPT
                return Outcome(disposition, "kept while the game is paused", seat.game, seat.side)
        lines_said = [f"Nothing of your mail was taken: {why}."]
        mailing.note(self.context, seat.address, "NOT ACCEPTED", lines_said, game=seat.game, answered=self.answered)
        return Outcome(WITH_ERRORS, why, seat.game, seat.side)

    def _referee(self, seat: Seat, block: OrderBlock) -> Outcome:
        done = referee_mail.handle(self.context, seat, block, f"mail {self.mail.id}", self.answered)
        return Outcome(WITH_ERRORS if done.bad else ACCEPT, ", ".join(done.said) or "nothing asked", seat.game, seat.side)


def _in_words(receipt: Receipt, play: GameSession) -> str:
    """A receipt in one line for the log."""
    count = len([line for line in receipt.accepted if not line.startswith("phase ")])
    words = counted(count, "order")
    if receipt.check:
        words = f"checked {words}"
    if receipt.bad:
        words += f", {counted(receipt.bad, 'line')} not taken"
    waiting = " and ".join(play.session.waiting())
    where = "game over" if play.game.status == OVER else f"waits for {waiting}" if waiting else "goes on"
    return f"{words}; {play.session.step_name}, {where}"
