"""How a mail is read, without filing it: the referee's tool when a player says that he did send orders."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from pbem.mail.parse import Incoming
from pbem.mail.typed import bare
from pbem.orders.diagnostics import ERROR, WARNING, Diagnostic
from pbem.orders.service_verbs import take
from pbem.orders.source import OrderBlock
from pbem.service.mailroom import classification
from pbem.service.play import game_session
from pbem.service.context import ServiceContext
from pbem.service.mailroom.classification import ACCEPT, NO_END, RESEND, WITH_ERRORS, Judgement
from pbem.service.play.game_session import Stopped
from pbem.store.api import REFEREE, RUNNING, Mail, Seat

SHOWN = ("attached-mail", "picture", "winmail", "encrypted", "file")


def explain(context: ServiceContext, raws: Iterable[bytes]) -> list[dict[str, Any]]:
    """For each mail its ``disposition``, the order ``lines`` taken from it, and the ``reasons``.

    Mails are taken to arrive one after the other, so that one that repeats another is known for it.
    """
    before: list[Mail] = []
    found = []
    for raw in raws:
        with context.store.transaction():
            told, mail = _one(context, raw, before)
        before.append(mail)
        found.append(told)
    return found


def _one(context: ServiceContext, raw: bytes, before: list[Mail]) -> tuple[dict[str, Any], Mail]:
    """What is to be told of a mail, and the mail as if it had been filed."""
    key = hashlib.sha256(raw).hexdigest()
    filed = context.store.inbox.filed(key) or next((m for m in before if m.key == key), None)
    incoming = classification.read(context, raw)
    known = [m for m in context.store.inbox.under(incoming.message_id) if filed is None or filed.id == 0 or m.id < filed.id]
    known += [m for m in before if m.message_id and m.message_id == incoming.message_id and m is not filed]
    known += classification.twins(context, incoming, filed.id if filed else 0)
    judged = classification.judge(context, raw, incoming, known)
    disposition, reasons = judged.disposition, [judged.reason, *_extraction(incoming)]
    if judged.disposition == ACCEPT:
        disposition, said = _form(context, judged)
        reasons += said
    mail_id = filed.id if filed is not None and filed.id else context.store.inbox.last() + 1
    if disposition != RESEND and (why := classification.doubt(context, judged, mail_id)):
        disposition, reasons = RESEND, [*reasons, f"to be confirmed: {why}"]
    shown = judged.blocks if disposition in (ACCEPT, WITH_ERRORS, RESEND) else ()
    lines = [line for block in shown for line in normalised(block)]
    if filed is not None and filed.id:
        reasons.append(f"filed already as mail {filed.id}: {filed.disposition or filed.status}: {filed.reason}".rstrip(": "))
    mail = Mail(0, key, b"", "", "", "", 0, incoming.message_id, incoming.body_digest, disposition, sender=_believed(judged))
    return {"disposition": disposition, "lines": lines, "reasons": list(dict.fromkeys(r for r in reasons if r))}, mail


def _believed(judged: Judgement) -> str:
    return judged.person.address if judged.person and judged.verdict and (judged.verdict.ok or judged.asked) else ""


def _extraction(incoming: Incoming) -> list[str]:
    """What of the mail did not count."""
    said = []
    if incoming.quoted_lines:
        said.append(f"{incoming.quoted_lines} quoted lines ignored")
    if incoming.signature_lines:
        said.append(f"{incoming.signature_lines} lines of a signature ignored")
    said += [f"read from the attachment {name}" for name in incoming.attachments]
    said += [f"there is also: {kind}" for kind in incoming.seen if kind in SHOWN]
    return said


def _form(context: ServiceContext, judged: Judgement) -> tuple[str, list[str]]:
    """Whether the chosen blocks are whole, and each of their lines can be understood as something of the sender's own."""
    kinds, said = [], list(judged.unclear)
    for seat, block in judged.chosen:
        kind, why = _block(context, seat, block)
        kinds.append(kind)
        said += [f"{seat.game}, {w}" for w in why]
    said += [f"asked of the club: {r.verb}" for r in judged.asked] + [f"press to {m.to}" for m in judged.messages]
    if not kinds and (judged.asked or judged.messages):
        return WITH_ERRORS if judged.unclear else ACCEPT, said
    if all(kind == RESEND for kind in kinds):
        return RESEND, said
    return (WITH_ERRORS if judged.unclear or set(kinds) != {ACCEPT} else ACCEPT), said


def _block(context: ServiceContext, seat: Seat, block: OrderBlock) -> tuple[str, list[str]]:
    if not block.ended:
        return RESEND, [NO_END]
    _, lines = take(block.lines)
    if seat.side == REFEREE:
        return WITH_ERRORS, ["the referee acts with 'pbem game ...'"]
    try:
        play = game_session.take(context, seat.game)
    except Stopped as stopped:
        return ACCEPT, [f"the game is halted, its lines were not looked at: {stopped}"[:300]]
    session = play.session
    parsed = play.rules.words.parse(
        session.state, seat.side, session.step_name, lines, open_asks=play.asks, in_force=session.plans.of(seat.side),
        guard=block.guard, guard_line=block.guard_line,
    )
    standing = [f"the game is {play.game.status}"] if play.game.status != RUNNING else []
    wrong = any(d.severity == ERROR for d in parsed.diagnostics)
    return WITH_ERRORS if wrong else ACCEPT, [*(_finding(d) for d in parsed.diagnostics if d.severity != WARNING), *standing]


def _finding(d: Diagnostic) -> str:
    kind = "not understood" if d.severity == ERROR else "understood, but not legal now"
    return f"line {d.line.no} {kind}: {d.message}: {bare(d.line.text)[:200]}"


def normalised(block: OrderBlock) -> list[str]:
    """The lines of a block: typography, bullets, end punctuation and blanks folded, in lower case."""
    lines = [f"game {block.game}"] if block.game else []
    lines += [bare(block.guard_line.text).lower()] if block.guard_line is not None else []
    return lines + [bare(line.text).lower() for line in block.lines] + (["end"] if block.ended else [])
