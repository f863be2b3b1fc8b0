"""A deadline that moves: on record with its reason, told to whom it concerns, once, with the entry for his calendar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.reports import mails
from pbem.service.letters import attachments, mailing
from pbem.service.play import game_session
from pbem.service.play.clock import number
from pbem.service.play.game_session import GameSession
from pbem.service.letters.mail_preferences import MailPreferences

MISSED, LATE, MET, MOVED = "deadline", "late", "met", "moved"
"""Kinds of the host's notes: a turn was missed; a deadline passed, but the game still waits; kept orders were carried out in
time; a deadline was moved."""


def move(play: GameSession, side: str, until: str, why: str, *, everybody: bool = False) -> None:
    """Move the deadline of a side, and tell it why; ``everybody``: the other side as well."""
    before, clock = play.deadline(side), play.clock
    hours = number(clock.ran(before, until)) if before else 0
    play.session.submit("control", {"act": "moved", "sides": [side], "hours": hours, "reason": why}, "")
    rows = game_session.store_rows(play)
    game_session.set_due(play, side, until)
    play.context.note(MOVED, f"the deadline of {side} from {before or 'now'} to {until}: {why}", play.game.id)
    mailing.send(play, rows)
    for each in play.rules.sides if everybody else [side]:
        doc = mails.moved(mailing.brief(play, each), side, clock.words(until, play.now), why)
        notice(play, each, doc, f"moved {play.game.id} {each} {play.game.seq} {until}")


def notice(play: GameSession, side: str, doc: Mapping[str, Any], once: str) -> None:
    """Mail a side a word about its deadline; ``once``: the key that no other letter may have."""
    wanted = doc["deadline"] and MailPreferences.of(play.seats[side]).files
    files = [attachments.deadline(play.context, play.game, doc)] if wanted else []
    mailing.queue(play.context, play.game, play.seats[side], doc, mailing.REMINDER, once=once, files=files)
