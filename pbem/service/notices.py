"""A deadline that moves: on record with its reason, told to whom it concerns, once, with the entry for his calendar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.reports import mails
from pbem.service import attachments, post, turns
from pbem.service.clock import number
from pbem.service.turns import Table
from pbem.service.wishes import Wishes

MISSED, LATE, MET, MOVED = "deadline", "late", "met", "moved"
"""Kinds of the host's notes: a turn was missed; a deadline passed, but the game still waits; kept orders were carried out in
time; a deadline was moved."""


def move(table: Table, side: str, until: str, why: str, *, everybody: bool = False) -> None:
    """Move the deadline of a side, and tell it why; ``everybody``: the other side as well."""
    before, clock = table.deadline(side), table.clock
    hours = number(clock.ran(before, until)) if before else 0
    table.session.submit("control", {"act": "moved", "sides": [side], "hours": hours, "reason": why}, "")
    rows = turns.store_rows(table)
    turns.set_due(table, side, until)
    table.desk.note(MOVED, f"the deadline of {side} from {before or 'now'} to {until}: {why}", table.game.id)
    post.send(table, rows)
    for each in table.rules.sides if everybody else [side]:
        doc = mails.moved(post.brief(table, each), side, clock.words(until, table.now), why)
        notice(table, each, doc, f"moved {table.game.id} {each} {table.game.seq} {until}")


def notice(table: Table, side: str, doc: Mapping[str, Any], once: str) -> None:
    """Mail a side a word about its deadline; ``once``: the key that no other letter may have."""
    wanted = doc["deadline"] and Wishes.of(table.seats[side]).files
    files = [attachments.deadline(table.desk, table.game, doc)] if wanted else []
    post.queue(table.desk, table.game, table.seats[side], doc, post.REMINDER, once=once, files=files)
