"""What is mailed to whom, and the letters themselves: composed here, queued in the game's own transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pbem.core.journal import Row
from pbem.mail.compose import Image, Outgoing, compose, message_id, thread
from pbem.reports import mapdraw, mails, render, when
from pbem.service import attachments
from pbem.service.accounts import tag_text
from pbem.service.desk import Desk
from pbem.service.times import later, moment
from pbem.service.turns import Table, sides_asked
from pbem.store.api import REFEREE, Game, Letter, Report, Seat

MOVES_ON = ("event", "answer", "roll", "skip", "step")
"""Kinds of row that show that a game has gone on."""

REPORT, RECEIPT, REMINDER, NOTICE = "report", "receipt", "reminder", "notice"
LIMITED = (RECEIPT, NOTICE)
"""Answers to mails: only so many an hour go to one address (reports go out with the game, which is limit enough)."""

SUBJECT = 69
"""Characters of a subject, so that the header is one line of 78."""

MAP = "map"
"""Content-ID of the picture in a report."""


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
    findings: tuple[Mapping[str, Any], ...] = ()
    notes: tuple[str, ...] = ()
    check: bool = False
    refused: str = ""
    answered: Answered = Answered()

    @property
    def bad(self) -> int:
        """How many lines were not understood or refused."""
        return sum(f["severity"] != "warning" for f in self.findings)


# -- after a change of the game --------------------------------------------------------------------------


def send(table: Table, rows: Sequence[Row], receipts: Mapping[str, Receipt] | None = None, lines: Sequence[str] = ()) -> None:
    """The mails that follow from a change: at most one to each side.

    A side is written to if its mail is being answered, if it is asked something new, at the end of a stretch of play,
    and when the game is over; ``lines``: what both sides are to read now (what the referee did).
    """
    receipts = receipts or {}
    asked = {s: [a.id for a in table.asks if a.side == s] for s in sides_asked(table.asks)}
    moved = any(r.kind in MOVES_ON for r in rows)
    turned = table.rules.stretch(table.session.step_name) != table.stretch or table.session.over
    for side in table.rules.sides:
        receipt = receipts.get(side)
        new = not set(asked.get(side, [])) <= set(table.seats[side].asked)
        if receipt and (receipt.refused or not moved):
            answer(table, side, receipt)
        elif receipt or lines or (moved and (new or turned)):
            report(table, side, [*lines, *(_lines(receipt) if receipt else [])], receipt.answered if receipt else Answered())
        table.seats[side] = replace(table.seats[side], asked=tuple(asked.get(side, [])))
        table.desk.store.games.save_seat(table.seats[side])


def _lines(receipt: Receipt) -> list[str]:
    """A receipt as lines of a report."""
    found = [f"Accepted: {line}" for line in receipt.accepted if not line.startswith("phase ")]
    for f in receipt.findings:
        place = f", line {f['no']}" if f["no"] else ""
        rule = f" ({f['rule']})" if f["rule"] else ""
        found.append(f"{f['word']}{place}: {f['message']}{rule}")
    return [*found, *receipt.notes]


def report(table: Table, side: str, lines: Sequence[str] = (), answered: Answered = Answered()) -> None:
    """Mail a side its report: all that happened since the last one."""
    seat, desk = table.seats[side], table.desk
    standing, plans = table.in_force(side)
    told = facts(table, side)
    doc = _with_draft(table, side, table.rules.report(
        told, table.session.state, side, list(desk.store.journal.rows(table.game.id, seat.reported)), table.asks,
        standing=standing, plans=plans, receipt={"lines": list(lines)} if lines else None,
    ))
    text = queue(desk, table.game, seat, doc, REPORT, answered=answered)
    subject = subject_of(desk, seat, doc)
    desk.store.games.add_report(
        Report(table.game.id, side, told["number"], seat.reported, told["seq"], table.now, subject, text, doc)
    )
    table.seats[side] = replace(desk.store.games.seat(table.game.id, side), report=told["number"], reported=table.session.seq)


def latest(table: Table, side: str) -> dict[str, Any]:
    """A report as the side sees it now: what happened in its last one and since."""
    games, seat = table.desk.store.games, table.seats[side]
    last = games.report(table.game.id, side)
    standing, plans = table.in_force(side)
    rows = list(table.desk.store.journal.rows(table.game.id, last.first if last else 0))
    told = {**facts(table, side), "number": max(1, seat.report)}
    doc = table.rules.report(told, table.session.state, side, rows, table.asks, standing=standing, plans=plans)
    return _with_draft(table, side, doc)


def answer(table: Table, side: str, receipt: Receipt) -> None:
    """Answer a side's mail when the game has not gone on by it."""
    view = brief(table, side)
    if receipt.refused:
        doc = mails.refusal(view, receipt.refused, findings=receipt.findings)
    else:
        accepted = [*receipt.accepted, *receipt.notes]
        doc = mails.receipt(view, status(table, side), accepted=accepted, findings=receipt.findings, check=receipt.check)
    queue(table.desk, table.game, table.seats[side], doc, RECEIPT, answered=receipt.answered)


def facts(table: Table, side: str) -> dict[str, Any]:
    """What the title's report and brief are told of the game."""
    due, game, session = table.deadline(side), table.game, table.session
    return {
        "id": game.id,
        "players": {s.side: s.name for s in table.seats.values() if s.side != REFEREE},
        "number": table.seats[side].report + 1,
        "step": session.step_name,
        "deadline": when.deadline(due, table.desk.config.timezone, table.now) if due else None,
        "head": session.head,
        "seq": session.seq - 1,
        "commitment": game.commitment,
        "seed": table.desk.store.games.seed(game.id).hex() if session.over else "",
    }


def brief(table: Table, side: str) -> Mapping[str, Any]:
    """What every mail of the game tells a side."""
    standing, plans = table.in_force(side)
    told = {**facts(table, side), "number": max(1, table.seats[side].report)}
    doc = table.rules.brief(told, table.session.state, side, table.asks, standing=standing, plans=plans)
    return _with_draft(table, side, doc)


def _with_draft(table: Table, side: str, doc: dict[str, Any]) -> dict[str, Any]:
    """Lines that are kept are shown with the orders in force, as what they are."""
    draft = table.desk.store.games.draft(table.game.id, side)
    if draft is None:
        return doc
    kept = [{"number": 0, "text": line, "when": "kept, not in force", "source": draft.source} for line in draft.lines]
    return {**doc, "orders": {**doc["orders"], "plans": [*doc["orders"]["plans"], *kept]}}


def status(table: Table, side: str) -> str:
    """none, incomplete or complete: how far the side's orders answer what it is asked."""
    mine = [a for a in table.session.open if a.side == side]
    if not any(table.session.pending(a) for a in mine):
        return "complete"
    drafted = table.desk.store.games.draft(table.game.id, side) is not None
    scopes = {a.scope for a in mine}
    begun = any(d.scope in scopes for d in table.in_force(side)[1])
    return "incomplete" if drafted or begun else "none"


# -- letters ---------------------------------------------------------------------------------------------


def subject_of(desk: Desk, seat: Seat, doc: Mapping[str, Any]) -> str:
    """The subject of a mail, made of the game, the phase and our own words only."""
    answers = doc["kind"] in ("note", "refusal", "receipt")
    parts = [doc["headline"].partition(":")[0], doc.get("phase", "")] if answers else [doc.get("phase", ""), doc["occasion"]]
    return tagged(desk, seat, ": ".join(p for p in parts if p))


def tagged(desk: Desk, seat: Seat, words: str) -> str:
    """A subject with the seat's tag."""
    mark = tag_text(seat, desk.config.trust)
    return f"{mark} {short(words, max(30, SUBJECT - len(mark) - 1))}"


def short(words: str, longest: int) -> str:
    """``words``, cut behind a whole word if they are too long."""
    return words if len(words) <= longest else words[: longest - 3].rpartition(" ")[0].rstrip(",:;") + "..."


def queue(
    desk: Desk, game: Game, seat: Seat, doc: Mapping[str, Any], kind: str, *, answered: Answered = Answered(), once: str = ""
) -> str:
    """Put the letter of a view in line for a seat, and give its text."""
    text = render.text_report(doc)
    picture = _picture(desk, game, doc) if kind == REPORT else []
    html = render.html_report(doc, [{"cid": i.cid, "alt": mapdraw.alt_text(doc["view"])} for i in picture])
    more: dict[str, Any] = {"html": html, "images": picture}
    if kind == REPORT:
        more["attachments"] = attachments.of(desk, game, doc)
    queue_text(desk, game, seat, subject_of(desk, seat, doc), text, kind, answered=answered, once=once, **more)
    return text


def queue_text(
    desk: Desk, game: Game, seat: Seat, subject: str, text: str, kind: str, *, answered: Answered = Answered(), once: str = "",
    **more: Any,
) -> None:
    """Put a letter in line for a seat; ``more``: its HTML, pictures and attachments (see :class:`pbem.mail.compose.Outgoing`)."""
    if kind in LIMITED and _too_many(desk, seat.address, game.id):
        return
    id = message_id(desk.config.domain, "pbem", game.id, seat.side, kind, desk.secret(9).hex())
    replied, references = thread(seat.thread, answered.message_id, answered.references)
    letter = Outgoing(
        sender=desk.config.address, sender_name=desk.config.name, to=seat.address, subject=subject, text=text, message_id=id,
        date=moment(desk.now), in_reply_to=replied, references=references, game=game.id,
        unsubscribe=f"{desk.config.address}?subject=resign%20{game.id}&body=resign%20{game.id}", **more,
    )
    if not seat.thread:
        desk.store.games.save_seat(replace(seat, thread=id))
    row = Letter(id, seat.address, subject, compose(letter), kind, game.id, seat.side, once)
    desk.store.outbox.queue(row, desk.now)


def _too_many(desk: Desk, address: str, game: str = "") -> bool:
    """Whether the address has had its fill for this hour; noted once an hour."""
    hour_ago = later(desk.now, hours=-1)
    sent = desk.store.outbox.recent(address, hour_ago, LIMITED)
    if sent < desk.config.replies_per_hour:
        return False
    name = f"silenced {address}"
    if desk.store.notes.value(name) <= hour_ago:
        desk.store.notes.set_value(name, desk.now)
        desk.note("silenced", f"{address} has had {sent} answers within an hour: no more for now", game)
    return True


def _picture(desk: Desk, game: Game, doc: Mapping[str, Any]) -> list[Image]:
    geometry = desk.geometry(game.title)
    if geometry is None:
        return []
    return [Image(MAP, f"{game.id}-map.png", mapdraw.map_png(doc["view"], geometry, moves=doc.get("moves", [])))]


def note(
    desk: Desk, address: str, subject: str, lines: Sequence[str], *, game: str = "", answered: Answered = Answered(),
    once: str = "",
) -> None:
    """A few lines to somebody, outside the course of a game."""
    if not address or _too_many(desk, address, game):
        return
    doc = mails.note(game, subject, lines)
    id = message_id(desk.config.domain, "pbem", game or "note", NOTICE, desk.secret(9).hex())
    replied, references = thread("", answered.message_id, answered.references)
    letter = Outgoing(
        sender=desk.config.address, sender_name=desk.config.name, to=address, subject=f"[{game}] {subject}" if game else subject,
        text=render.text_report(doc), html=render.html_report(doc), message_id=id, date=moment(desk.now), in_reply_to=replied,
        references=references, game=game,
    )
    desk.store.outbox.queue(Letter(id, address, letter.subject, compose(letter), NOTICE, game, "", once), desk.now)


def tell_referee(desk: Desk, game: str, subject: str, lines: Sequence[str], once: str = "") -> None:
    """Write to the game's referee, or to the operator if it has none."""
    seats = desk.store.games.seats(game) if game else []
    address = next((s.address for s in seats if s.side == REFEREE), desk.config.operator)
    note(desk, address, subject, lines, game=game, once=once)
