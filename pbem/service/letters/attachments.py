"""What travels with a report besides its text: the deadline for a calendar, and the report as JSON for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from icalendar import Alarm, Calendar, Event
from typing import TYPE_CHECKING

from pbem.audit.history import cell
from pbem.core.rolls import in_words
from pbem.mail.compose import Attachment
from pbem.reports import schema
from pbem.service.play import game_session
from pbem.service.context import ServiceContext
from pbem.service.times import moment
from pbem.store.api import Game

if TYPE_CHECKING:
    from pbem.games.contract import Title


def of(context: ServiceContext, game: Game, doc: Mapping[str, Any]) -> list[Attachment]:
    """The attachments of a report."""
    found = [Attachment(f"{game.id}-report-{doc['game']['number']}.json", "application/json", as_json(doc))]
    if doc["rolls"]:
        found.append(rolls(context.rules(game.title), game, doc["rolls"], f"-{doc['game']['number']}"))
    if doc["deadline"] or doc.get("deadline_off"):
        found.append(deadline(context, game, doc))
    return found


def deadline(context: ServiceContext, game: Game, doc: Mapping[str, Any]) -> Attachment:
    """The deadline as a file for a calendar."""
    return Attachment(f"{game.id}-deadline.ics", "text/calendar", calendar(context, game, doc))


def as_json(doc: Mapping[str, Any]) -> bytes:
    """A report as JSON, as ``pbem/reports/report.schema.json`` describes it."""
    return (json.dumps(schema.data(doc), ensure_ascii=False, separators=(",", ":"), sort_keys=True) + "\n").encode()


COLUMNS = ("row", "phase", "side", "purpose", "rule", "sides", "faces", "modifiers", "target", "hits", "result")


def rolls(rules: Title, game: Game, found: Sequence[Mapping[str, Any]], number: str = "") -> Attachment:
    """Dice as CSV, one roll a line."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for r in found:
        mods, target = " ".join(f"{name} {n:+d}" for name, n in r["mods"]), r["target"]
        outcome = r.get("result") or {}
        hits = outcome.get("hits")
        if hits is None and target is not None and not outcome:
            hits = sum(rules.succeeds(f, target, r["sides"]) for f in r["faces"])
        faces = " ".join(map(str, r["faces"]))
        said = in_words(outcome, len(r["faces"]))
        row = [r["seq"], r["step"], r["side"], r["purpose"], r["rule"], r["sides"], faces, mods, target, hits, said]
        writer.writerow([cell(value) for value in row])
    return Attachment(f"{game.id}-dice{number}.csv", "text/csv", out.getvalue().encode())


def calendar(context: ServiceContext, game: Game, doc: Mapping[str, Any]) -> bytes:
    """The deadline as a calendar entry.  A game and side has one entry: a later mail moves it, or takes it off
    ('deadline_off') when nothing is due any more.  Whatever moves a deadline is a row of the journal, so that the number of
    rows tells calendars which entry is the later one."""
    off = not doc["deadline"]
    at = moment((doc["deadline"] or doc["deadline_off"])["at"])
    entry = Event()
    entry.add("uid", f"{game.id}.{doc['side']}@{context.config.domain}")
    entry.add("sequence", game.seq)
    entry.add("dtstamp", moment(context.now))
    entry.add("dtstart", at)
    entry.add("dtend", at)
    entry.add("summary", f"{doc['title']}, game {game.id}: orders are due")
    entry.add("description", doc["headline"])
    entry.add("status", "CANCELLED" if off else "CONFIRMED")
    entry.add("transp", "TRANSPARENT")
    for hours in () if off else game_session.clock_of(context, game).reminders:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", f"{game.id}: orders are due")
        alarm.add("trigger", timedelta(hours=-hours))
        entry.add_component(alarm)
    book = Calendar()
    book.add("prodid", "-//pbem//EN")
    book.add("version", "2.0")
    book.add("method", "CANCEL" if off else "PUBLISH")
    book.add_component(entry)
    found: bytes = book.to_ical()
    return found
