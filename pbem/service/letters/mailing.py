"""What is mailed to whom, and the letters themselves: composed here, queued in the game's own transaction."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import quote

from pbem.core import documents
from pbem.core.dice import seeds_of
from pbem.core.journal import Row
from pbem.mail.compose import Attachment, Outgoing, compose, message_id, thread
from pbem.reports import mails, render
from pbem.reports.wording import hash_lines
from pbem.service.club import members, options
from pbem.service.letters import attachments, pictures
from pbem.service.mailroom.identity import tag_text
from pbem.service.context import ServiceContext
from pbem.service.club.members import CLUB
from pbem.service.times import later, moment
from pbem.service.play import taken_back
from pbem.service.play.game_session import GameSession, played, sides_asked
from pbem.service.letters.mail_preferences import MailPreferences
from pbem.store.api import OVER, PLANNER, REFEREE, Game, Letter, Member, Report, Seat

MOVES_ON = ("event", "answer", "roll", "skip", "step")
"""Kinds of row that show that a game has gone on."""

WITNESSED = ("event", "answer", "roll", "step")
"""Kinds of row that a head may be of while a game runs.  Orders that a side locks, or its 'ready', are rows at once: a head that
counted them would tell the other side that, and when, its opponent has written.  So they are witnessed when play moves on."""

REPORT, RECEIPT, REMINDER, NOTICE, PRESS, ALARM = "report", "receipt", "reminder", "notice", "press", "alarm"
LIMITED = (RECEIPT, NOTICE)
"""Answers to mails: only so many an hour go to one address (reports go out with the game, which is limit enough)."""

ALARMS_PER_HOUR = 20
"""Alarms have an allowance of their own, so that nothing that players or strangers write can use it up."""

LAST = "With this mail come the journal with the seed of its dice, the story of the game, and all that each side was told."
"""What the last mail says of its files."""

CLUB_MARK = f"[{CLUB}]"
"""What stands before the subject of a mail that belongs to no game."""

SUBJECT = 69
"""Characters of a subject, so that the header is one line of 78."""


@dataclass(frozen=True)
class Answered:
    """The mail that a letter answers: its Message-ID and those of its thread."""

    message_id: str = ""
    references: tuple[str, ...] = ()


@dataclass(frozen=True)
class Receipt:
    """What a side's mail came to.

    ``findings`` are of :func:`pbem.reports.mails.finding`; ``notes`` more lines ('18 quoted lines ignored'); ``check``:
    nothing was put in force; ``refused``: why the whole mail counts for nothing.
    """

    accepted: tuple[str, ...] = ()
    findings: tuple[documents.Finding, ...] = ()
    notes: tuple[str, ...] = ()
    check: bool = False
    refused: str = ""
    answered: Answered = Answered()

    @property
    def bad(self) -> int:
        """How many lines were not understood or refused; a mail that is refused as a whole counts as one."""
        return bool(self.refused) + sum(f["severity"] != "warning" for f in self.findings)


# -- after a change of the game --------------------------------------------------------------------------


def send(
    play: GameSession, rows: Sequence[Row], receipts: Mapping[str, Receipt] | None = None, lines: Sequence[str] = (),
) -> None:
    """The mails that follow from a change: at most one to each side.

    A side is written to if its mail is being answered, if it is asked something new, at the end of a stretch of play,
    and when the game is over; ``lines``: what both sides are to read now (what the referee did).  Who wants a digest is
    written to when he is asked something; his next report tells all that happened meanwhile.
    """
    receipts, lines, play.announcements = receipts or {}, [*lines, *play.announcements], []
    asked = {s: [a.id for a in play.asks if a.side == s] for s in sides_asked(play.asks)}
    moved = any(r.kind in MOVES_ON for r in rows)
    turned = play.rules.player_turn(play.session.step_name) != play.player_turn or play.session.over
    for side in play.rules.sides:
        if play.seats[side].address == PLANNER:
            continue
        receipt = receipts.get(side)
        new = not set(asked.get(side, [])) <= set(play.seats[side].asked)
        digest = MailPreferences.of(play.seats[side]).digest and not new and not play.session.over
        if receipt and (receipt.refused or not moved or digest):
            answer(play, side, receipt)
        elif receipt or lines or (moved and (new or turned) and not digest):
            report(play, side, lines, receipt)
        if play.seats[side].asked != tuple(asked.get(side, [])):
            play.seats[side] = replace(play.seats[side], asked=tuple(asked.get(side, [])))
    play.keep_seats()
    if turned or play.game.status == OVER:
        from pbem.service.club import observing  # which writes letters, too

        observing.tell(play)


def report(play: GameSession, side: str, lines: Sequence[str] = (), receipt: Receipt | None = None) -> None:
    """Mail a side its report: all that happened since the last one.  ``receipt``: what became of the mail that it answers."""
    seat, context = play.seats[side], play.context
    standing, plans = play.in_force(side)
    told = facts(play, side)
    given = receipt or Receipt()
    if play.session.over or play.game.status == OVER:
        lines = [*lines, LAST]
    mail = mails.taken(given.accepted, given.findings, [*lines, *given.notes])
    doc = _with_draft(play, side, play.rules.telling.report(
        told, play.session.state, side, played(context, play.game.id, seat.reported), play.asks,
        standing=standing, plans=plans, receipt=mail if any(mail.values()) else None,
    ))
    doc = ended(play, doc)
    doc = _standing_still(play, side, doc, told["deadline"])
    last = context.store.games.report(play.game.id, side)
    if last and last.doc["deadline"] and not doc["deadline"] and last.doc["deadline"]["at"] > play.now:
        doc["deadline_off"] = last.doc["deadline"]
    doc["pictures"] = pictures.wanted(context, play.game.title, play.game.id, doc)
    text, id = queue(context, play.game, seat, doc, REPORT, answered=given.answered, files=_last_files(play, doc))
    subject, number = subject_of(context, seat, doc), told["number"]
    context.store.games.add_report(
        Report(play.game.id, side, number, seat.reported, play.session.seq - 1, play.now, subject, text, doc, id)
    )
    play.seats[side] = replace(context.store.games.seat(play.game.id, side), report=number, reported=play.session.seq)


def ended(play: GameSession, doc: documents.Report) -> documents.Report:
    """A view of a game that its players ended says so, like that of one which the rules ended."""
    if play.game.status != OVER or doc["over"]:
        return doc
    who, _, how = play.game.note.partition(" ")
    winner = next((s for s in play.rules.sides if s != who), "") if how == "conceded" else "draw"
    text = f"{who.capitalize()} gave it up" if how == "conceded" else "A draw was agreed"
    return {
        **doc, "kind": "over", "headline": f"The game is over: {text[:1].lower()}{text[1:]}", "seed": seeds_text(play),
        "over": {"winner": winner, "text": text, "vp": dict(doc["view"].get("vp_held", {}))}, "wanted": [], "deadline": None,
        "waiting": "", "reply": [],
    }


def _last_files(play: GameSession, doc: Mapping[str, Any]) -> Sequence[Attachment]:
    """What only the last mail of a game carries."""
    if doc["kind"] != "over":
        return ()
    if not play.last_files:
        from pbem.service.play import ending  # which ends games by way of this module

        play.last_files = ending.files(play)
    return play.last_files


def latest(play: GameSession, side: str) -> documents.Report:
    """A report as the side sees it now: what happened in its last one and since."""
    games, seat = play.context.store.games, play.seats[side]
    last = games.report(play.game.id, side)
    standing, plans = play.in_force(side)
    rows = played(play.context, play.game.id, last.first if last else 0)
    told: documents.Facts = {**facts(play, side), "number": max(1, seat.report)}
    doc = play.rules.telling.report(told, play.session.state, side, rows, play.asks, standing=standing, plans=plans)
    return _standing_still(play, side, _with_draft(play, side, doc), told["deadline"])


def _standing_still(play: GameSession, side: str, doc: documents.Report, deadline: documents.Due | None) -> documents.Report:
    """A report of a game that was taken back says what it waits for."""
    if not play.held:
        return doc
    return {**taken_back.shown(play, side, doc, deadline), "headline": taken_back.headline(play, side, doc["phase"])}


def answer(play: GameSession, side: str, receipt: Receipt) -> None:
    """Answer a side's mail when the game has not gone on by it."""
    view = brief(play, side)
    if receipt.refused:
        doc = mails.refusal(view, receipt.refused, findings=receipt.findings)
    else:
        doc = mails.receipt(
            view, status(play, side), accepted=receipt.accepted, findings=receipt.findings, check=receipt.check,
            notes=receipt.notes,
        )
    queue(play.context, play.game, play.seats[side], doc, RECEIPT, answered=receipt.answered)


def facts(play: GameSession, side: str) -> documents.Facts:
    """What the title's report and brief are told of the game."""
    due, game, session = play.deadline(side), play.game, play.session
    seq, head = head_told(play.context, game, session.over)
    return {
        "id": game.id,
        "players": {s.side: s.name for s in play.seats.values() if s.side != REFEREE},
        "number": play.seats[side].report + 1,
        "step": session.step_name,
        "deadline": {**play.clock.words(due, play.now), "missed": options.of(game.options, "missed")} if due else None,
        "head": head,
        "seq": seq,
        "commitment": game.commitment,
        "seed": seeds_text(play) if session.over else "",
    }


def head_told(context: ServiceContext, game: Game, over: bool = False) -> tuple[int, str]:
    """The row that mails bear witness of now, and its hash: of a game that is over the very last one."""
    if over or game.status == OVER:
        return game.seq - 1, game.head
    return context.store.journal.told(game.id, WITNESSED)


def seeds_text(play: GameSession) -> str:
    """The seed of the game's dice, hex; a line each if it has had several."""
    return "\n".join(s.hex() for s in seeds_of(play.context.store.games.seed(play.game.id)))


def brief(play: GameSession, side: str) -> documents.Brief:
    """What every mail of the game tells a side."""
    standing, plans = play.in_force(side)
    told: documents.Facts = {**facts(play, side), "number": max(1, play.seats[side].report)}
    doc = play.rules.telling.brief(told, play.session.state, side, play.asks, standing=standing, plans=plans)
    doc = _with_draft(play, side, doc)
    return taken_back.shown(play, side, doc, told["deadline"]) if play.held else doc


Document = TypeVar("Document", documents.Brief, documents.Report)


def _with_draft(play: GameSession, side: str, doc: Document) -> Document:
    """Lines that are kept are shown with the orders in force, as what they are."""
    draft = play.draft(side)
    if draft is None:
        return doc
    kept: documents.PhaseOrders = {"when": "Kept, not in force", "lines": list(draft.lines)}
    orders: documents.Orders = {**doc["orders"], "phases": [*doc["orders"]["phases"], kept]}
    shown = doc.copy()
    shown["orders"] = orders
    return shown


def status(play: GameSession, side: str) -> str:
    """none, incomplete or complete: how far the side's orders, in force or kept, answer what it is asked."""
    if play.held:
        return "none" if side in play.waiting() else "complete"
    mine = [a for a in play.session.open if a.side == side]
    if not any(play.session.pending(a) for a in mine):
        return "complete"
    draft = play.draft(side)
    if draft is not None and draft.whole and play.session.would_answer(side, draft.payload):
        return "complete"
    scopes = {a.scope for a in mine}
    begun = any(d.scope in scopes for d in play.in_force(side)[1])
    return "incomplete" if draft is not None or begun else "none"


# -- letters ---------------------------------------------------------------------------------------------


def subject_of(context: ServiceContext, seat: Seat, doc: Mapping[str, Any]) -> str:
    """The subject of a mail, made of the game, the turn and our own words only.

    By References, and by what Outlook groups by, all mails of a seat are one thread.  Gmail wants one subject as well, and
    breaks a conversation off behind a hundred mails; so reports, reminders and receipts of a turn have the same ('Re:' before
    the receipts) and make a conversation a turn.  What must not be overlooked in it stands by itself: mails that are not
    taken whole, and answers to requests.
    """
    when = f"Turn {doc['turn']}" if doc.get("turn") else "Set-up"
    turn = f"{when}: {doc['scenario']}" if "turn" in doc else ""
    if doc["kind"] == "receipt" and not [f for f in doc["findings"] if f["severity"] != "warning"]:
        return f"Re: {tagged(context, seat, turn)}"
    if doc["kind"] in ("note", "refusal", "receipt", "press"):
        return tagged(context, seat, ": ".join(p for p in (doc["headline"].partition(":")[0], doc.get("phase", "")) if p))
    return tagged(context, seat, turn)


def tagged(context: ServiceContext, seat: Seat, words: str) -> str:
    """A subject with the seat's tag."""
    mark = tag_text(seat, context.config.trust)
    return f"{mark} {short(words, max(30, SUBJECT - len(mark) - 1))}"


def short(words: str, longest: int) -> str:
    """``words``, cut behind a whole word if they are too long."""
    return words if len(words) <= longest else words[: longest - 3].rpartition(" ")[0].rstrip(",:;") + "..."


def queue(
    context: ServiceContext, game: Game, seat: Seat, doc: Mapping[str, Any], kind: str, *, answered: Answered = Answered(),
    once: str = "",
    drawing: str = "", files: Sequence[Attachment] = (), text: str = "",
) -> tuple[str, str]:
    """Put the letter of a view in line for a seat, as its holder wants it; gives its text and its Message-ID.  ``text``: the
    words of the text part, if they are there already.

    ``drawing``: pictures that the letter is about, whatever the wishes; those of a report are taken from the view.
    """
    wishes = MailPreferences.of(seat)
    text = text or render.text_report({**doc, "width": wishes.width})
    shown = doc.get("pictures", []) if drawing or (kind == REPORT and wishes.map) else []
    more: dict[str, Any] = {"attachments": list(files)}
    if wishes.html:
        more["html"] = render.html_report(doc, [p for p in shown if p["cid"]])
    if kind == REPORT:
        drawing = pictures.plan(shown, game.title, report=doc["game"]["number"]) if shown else ""
        more["attachments"] += attachments.of(context, game, doc) if wishes.files else []
    subject = subject_of(context, seat, doc)
    more["head"] = _head(doc)
    return text, queue_text(context, game, seat, subject, text, kind, answered=answered, once=once, drawing=drawing, **more)


def _head(doc: Mapping[str, Any]) -> tuple[int, str] | None:
    """What a view bears witness of, in the last block of its text; None if it has none."""
    return (int(doc["seq"]), str(doc["head"])) if "head" in doc and "seq" in doc else None


def queue_text(
    context: ServiceContext, game: Game, seat: Seat, subject: str, text: str, kind: str, *, answered: Answered = Answered(),
    once: str = "",
    drawing: str = "", head: tuple[int, str] | None = None, **more: Any,
) -> str:
    """Put a letter in line for a seat; gives its Message-ID, '' if it is one too many.  ``drawing``: the pictures that are
    still to be drawn; ``head``: what its text bears witness of already; ``more``: its HTML and attachments (see
    :class:`pbem.mail.compose.Outgoing`)."""
    if seat.address == PLANNER or kind in LIMITED and _too_many(context, seat.address, game.id):
        return ""
    id = message_id(context.config.domain, "pbem", game.id, seat.side, kind, context.secret(9).hex())
    replied, references = thread(seat.thread, answered.message_id, answered.references)
    letter = Outgoing(
        sender=context.config.address, sender_name=context.config.name, to=seat.address, subject=subject,
        text=text if head else _witnessed(context, text, game, seat), head=head or _some(head_told(context, game)),
        message_id=id, date=moment(context.now), in_reply_to=replied, references=references,
        game=game.id, unsubscribe=_unsubscribe(context, seat), **_conversation(seat, game), **more,
    )
    if not seat.thread:
        context.store.games.save_seat(replace(seat, thread=id))
    row = Letter(id, seat.address, subject, compose(letter), kind, game.id, seat.side, once, drawing=drawing)
    context.store.outbox.queue(row, context.now)
    return id


def _unsubscribe(context: ServiceContext, seat: Seat) -> str:
    """The mail that asks for fewer mails: its subject says it, and that it comes from whom we wrote to."""
    return f"{context.config.address}?subject={quote(f'unsubscribe {seat.game} {tag_text(seat, context.config.trust)}', safe='')}"


def _conversation(seat: Seat, game: Game) -> dict[str, Any]:
    """What all mails of a seat are about, and since when."""
    return {"topic": f"Game {game.id}: {seat.side}", "begun": moment(game.created)}


def _some(head: tuple[int, str]) -> tuple[int, str] | None:
    return head if head[1] else None


def _witnessed(context: ServiceContext, text: str, game: Game, seat: Seat) -> str:
    """A letter's text with a head of the game's chain as its last block, whatever stands above it (deploy/DICE.md)."""
    seq, head = head_told(context, game)
    if not head:
        return text
    width = MailPreferences.of(seat).width
    row = textwrap.wrap(f"Chain head after journal row {seq}, for your records:", width)
    foot = ["", "-" * 24, f"In game {game.id}.", *row, *hash_lines(head, width), ""]
    return "\n".join([text.rstrip(), *foot])


def again(context: ServiceContext, game: Game, seat: Seat, report: Report, answered: Answered = Answered()) -> bool:
    """Mail a report once more: the body and its files are the same bytes as then, the envelope is a new one (a mail
    program may hide a second mail of the same Message-ID); once these are no longer kept, they are made anew from the report.
    False if there was no letter."""
    old = context.store.outbox.named(report.letter) if report.letter else None
    if old is None or not old.raw:
        return _made_anew(context, game, seat, report, answered)
    if _too_many(context, seat.address, game.id):
        return True
    id = message_id(context.config.domain, "pbem", game.id, seat.side, NOTICE, context.secret(9).hex())
    replied, references = thread(seat.thread, answered.message_id, answered.references)
    subject = tagged(context, seat, f"Report {report.number} again ({report.doc['phase']})")
    letter = Outgoing(
        sender=context.config.address, sender_name=context.config.name, to=seat.address, subject=subject, text="", message_id=id,
        date=moment(context.now), in_reply_to=replied, references=references, game=game.id,
        unsubscribe=_unsubscribe(context, seat), **_conversation(seat, game),
    )
    row = Letter(id, seat.address, subject, _rewrapped(compose(letter), old.raw), NOTICE, game.id, seat.side, drawing=old.drawing)
    context.store.outbox.queue(row, context.now)
    return True


def _made_anew(context: ServiceContext, game: Game, seat: Seat, report: Report, answered: Answered) -> bool:
    """The letter of a report: its text word for word as then, the page and the pictures drawn anew; to calendars it is as old
    as the report was."""
    if not report.letter:
        return False
    if not _too_many(context, seat.address, game.id):
        queue(context, replace(game, seq=report.last + 1), seat, report.doc, REPORT, answered=answered, text=report.text)
    return True


def _rewrapped(envelope: bytes, old: bytes) -> bytes:
    """The body of ``old``, with its own headers about what it is made of, and all other headers of ``envelope``."""
    def headers(raw: bytes, of_content: bool) -> list[bytes]:
        lines = re.split(rb"\r\n(?![ \t])", raw.partition(b"\r\n\r\n")[0])
        return [x for x in lines if x.lower().startswith((b"content-", b"mime-version", b"x-pbem-head")) == of_content]

    return b"\r\n".join([*headers(envelope, False), *headers(old, True)]) + b"\r\n\r\n" + old.partition(b"\r\n\r\n")[2]


def _too_many(context: ServiceContext, address: str, game: str = "") -> bool:
    """Whether the address has had its fill for this hour; noted once an hour."""
    hour_ago = later(context.now, hours=-1)
    sent = context.store.outbox.recent(address, hour_ago, LIMITED)
    if sent < context.config.replies_per_hour:
        return False
    name = f"silenced {address}"
    if context.store.notes.value(name) <= hour_ago:
        context.store.notes.set_value(name, context.now)
        context.note("silenced", f"{address} has had {sent} answers within an hour: no more for now", game)
    return True


def note(
    context: ServiceContext, address: str, subject: str, lines: Sequence[str], *, game: str = "", answered: Answered = Answered(),
    once: str = "", mark: str = "",
) -> None:
    """A few lines to somebody, outside the course of a game; ``mark``: what stands before the subject."""
    headed = f"{mark or f'[{game}]'} {subject}" if mark or game else subject
    send_text(context, address, headed, mails.note(game, subject, lines), game=game, kind=NOTICE, answered=answered, once=once)


def send_text(
    context: ServiceContext, address: str, subject: str, doc: Mapping[str, Any], *, game: str = "", kind: str = NOTICE,
    answered: Answered = Answered(), once: str = "", **more: Any,
) -> None:
    """The letter of a view to somebody who holds no seat that it is about; ``more``: see
    :class:`pbem.mail.compose.Outgoing`."""
    html, more = render.html_report(doc), {**more, "head": _head(doc)}
    page(
        context, address, subject, render.text_report(doc), game=game, kind=kind, answered=answered, once=once, html=html, **more,
    )


def page(
    context: ServiceContext, address: str, subject: str, text: str, *, game: str = "", kind: str = NOTICE,
    answered: Answered = Answered(),
    once: str = "", **more: Any,
) -> None:
    """A ready text to somebody who holds no seat that it is about."""
    if address in ("", PLANNER) or kind in LIMITED and _too_many(context, address, game):
        return
    id = message_id(context.config.domain, "pbem", game or "note", kind, context.secret(9).hex())
    replied, references = thread("", answered.message_id, answered.references)
    letter = Outgoing(
        sender=context.config.address, sender_name=context.config.name, to=address, subject=subject, text=text, message_id=id,
        date=moment(context.now), in_reply_to=replied, references=references, game=game, **more,
    )
    context.store.outbox.queue(Letter(id, address, subject, compose(letter), kind, game, "", once), context.now)


def tell(
    context: ServiceContext, member: Member, subject: str, lines: Sequence[str], *, answered: Answered = Answered(),
    once: str = "",
) -> None:
    """A few lines to a member about nothing that belongs to a seat; where the policy asks for it, with his secret."""
    mark = CLUB_MARK
    if context.config.trust in ("token", "both"):
        if not member.token:
            member = replace(member, token=members.secret(context))
            context.store.people.save(member)
        mark = f"[{CLUB}/{member.token}]"
    note(context, member.address, subject, lines, answered=answered, once=once, mark=mark)


def reach(context: ServiceContext, address: str, subject: str, lines: Sequence[str], answered: Answered = Answered()) -> None:
    """A few lines about nothing that belongs to a seat: to the member who has an address, where his mail goes, else to it."""
    member = context.store.people.at(address)
    if member is not None:
        tell(context, member, subject, lines, answered=answered)
    else:
        note(context, address, subject, lines, answered=answered, mark=CLUB_MARK)


def tell_referee(context: ServiceContext, game: str, subject: str, lines: Sequence[str], once: str = "") -> None:
    """Write to the game's referee, or to the operator if it has none; see :func:`alarm`."""
    seats = context.store.games.seats(game) if game else []
    address = next((s.address for s in seats if s.side == REFEREE), context.config.operator)
    alarm(context, address, subject, lines, game=game, once=once)


def alarm(
    context: ServiceContext, address: str, subject: str, lines: Sequence[str], *, game: str = "", once: str = ""
) -> None:
    """Tell whoever is in charge that something needs him; ``address`` '' is the operator.

    One too many within an hour is not mailed, but stands in the host's log, and one letter an hour says so.
    """
    to = address or context.config.operator
    if not to:
        context.note("alarm", f"nobody to tell (PBEM_OPERATOR is empty): {subject}: {' '.join(lines)}"[:500], game)
        return
    if context.store.outbox.recent(to, later(context.now, hours=-1), (ALARM,)) < ALARMS_PER_HOUR:
        headed = f"[{game}] {subject}" if game else subject
        send_text(context, to, headed, mails.note(game, subject, lines), game=game, kind=ALARM, once=once)
        return
    context.note("alarm", f"not mailed, one too many this hour: {subject}: {' '.join(lines)}"[:500], game)
    said = [
        f"There have been more than {ALARMS_PER_HOUR} alarms within an hour; the others are not mailed one by one.",
        "'pbem notes' lists them all, 'pbem status' and 'pbem doctor' tell how the server stands.",
    ]
    doc = mails.note("", "more alarms", said)
    send_text(context, to, "more alarms", doc, kind=ALARM, once=f"alarms {to} {context.now[:13]}")
