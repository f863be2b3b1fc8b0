"""A month of a 50-game club (:mod:`tests.service.month`), and that everything in it is accounted for at its end."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime, timedelta
from email import message_from_bytes, policy
from zoneinfo import ZoneInfo

import pytest

from pbem.reports.when import DAYS, MONTHS
from pbem.service.host import health
from pbem.service.play import game_session, outages
from pbem.service.play.referee_mail import examine
from pbem.service.times import moment, stamp
from pbem.store import backup
from pbem.store.api import DONE, DROPPED, OVER, PAUSED, RUNNING, SENT, SHELVED
from tests.service.month import GAMES, HOST, JUDGE, OFF, Month

DISPOSITIONS = {"accept", "accept-with-errors", "ask-resend", "ignore-auto", "reject-auth", "quarantine"}


def notes(month, kind):
    """The host's notes of a kind."""
    return [n for n in month.app.store.notes.last(10**6) if n.kind == kind]


def every_game_is_over_or_waits_for_somebody_since_and_until_a_time(month, letters):
    rows = month.app.store.games.page()
    assert len(rows) == GAMES and len([r for r in rows if r.status == OVER]) >= GAMES // 2
    for row in rows:
        assert row.status in (OVER, RUNNING, PAUSED), (row.id, row.status, row.note)
        dues = [d for d in month.app.store.games.dues(row.id) if d.kind != "reminder"]
        if row.status == OVER:
            assert not row.waiting and not dues
            continue
        if row.status == PAUSED:  # somebody fell silent: its referee, or the host, has been asked
            assert "has not answered" in row.note or "nobody has answered" in row.note
            assert row.waiting and not dues and any(row.id in x.subject and "nobody answers" in x.subject for x in letters)
            continue
        assert row.waiting and row.touched <= month.app.context.now
        assert {d.side for d in dues} == set(row.waiting)
        assert all(d.at > month.app.context.now for d in dues), dues


def every_mail_in_has_a_disposition_and_an_effect_once(month, letters):
    mails = month.app.store.inbox.handled(10**6)
    assert len(mails) == month.handed_in and not month.lines.inbox and not month.app.store.inbox.waiting()
    assert {m.status for m in mails} <= {DONE, SHELVED} and {m.disposition for m in mails} <= DISPOSITIONS
    found, kinds = Counter(m.disposition for m in mails), month.kinds
    assert found["ignore-auto"] == kinds["answering machine"] > 10 and not found["quarantine"] and not found["reject-auth"]
    assert found["ask-resend"] == kinds["no end"] + kinds["prose"] + kinds["wrong game"] > 5
    assert found["accept-with-errors"] == kinds["stale"] + kinds["nonsense"] > 5
    assert kinds["sent twice"] > 5 and kinds["absence"] > 3
    orders = [r.source.partition(",")[0] for g in month.app.store.games.page() for r in
              month.app.store.journal.rows(g.id, kinds=["orders"])]
    assert len({s for s in orders if s.startswith("mail ")}) >= found["accept"] // 2


def every_letter_went_out_once(month, letters):
    assert {x.status for x in letters} <= {SENT, DROPPED} and month.lines.refused > 0
    ids = Counter(message_from_bytes(raw)["Message-ID"] for _, _, raw in month.lines.sent)
    assert max(ids.values()) == 1 and set(ids) == {x.message_id for x in letters if x.status == SENT}
    once = [x.once for x in letters if x.once]
    assert len(once) == len(set(once)) > 50
    assert all(x.kind == "reminder" for x in letters if x.status == DROPPED)


def every_deadline_is_counted_as_met_late_or_missed(month, letters):
    counted = month.deadlines()
    assert counted["missed"] == len(notes(month, "deadline")) > 5
    assert counted["in time"] > 300 and 0 < counted["late"] <= len(notes(month, "late"))
    assert not notes(month, "failed") and not notes(month, "hold")


def nothing_was_adjudicated_in_haste_after_the_outage(month, letters):
    [outage] = notes(month, "outage")
    assert moment(outage.at) - OFF[1] < timedelta(hours=1)
    told = [x for x in letters if x.recipient == HOST and "Mail could not be read" in x.subject]
    assert len(told) == 1
    missed = [re.search(r"deadline of (\S+Z)", n.text)[1] for n in notes(month, "deadline")]
    assert missed and not [at for at in missed if stamp(OFF[0]) <= at <= stamp(OFF[1])]
    late = [n.at for n in notes(month, "late")]
    assert not [at for at in late if outage.at <= at < stamp(moment(outage.at) + timedelta(minutes=10))]
    moved = [r.payload for g in month.app.store.games.page() for r in month.app.store.journal.rows(g.id, kinds=["control"])
             if r.payload["act"] == "moved" and "out of reach" in r.payload["reason"]]
    assert len(moved) > 10


def every_date_is_absolute_with_the_zone_of_its_game_on_that_day(month, letters):
    """Read back from the mails: the day of the week, the day, the time and the zone's name fit together."""
    dates = re.compile(rf"({'|'.join(DAYS)}) (\d+) ({'|'.join(MONTHS)}) (\d{{4}}), (\d\d):(\d\d) (\w+)(?: \(([\w/]+)\))?")
    zones = {g.id: game_session.clock_of(month.app.context, g).zone for g in month.app.store.games.page()}
    seen: Counter[str] = Counter()
    for letter in [x for x in letters if x.kind == "reminder" or x.kind == "report" and int(x.id) % 5 == 0]:
        body = message_from_bytes(letter.raw, policy=policy.default).get_body(("plain",))
        for day, d, name, year, hour, minute, zone, place in dates.findall(" ".join(body.get_content().split())):
            assert (place or zone) == zones[letter.game], letter.subject
            at = datetime(int(year), MONTHS.index(name) + 1, int(d), int(hour), int(minute), tzinfo=ZoneInfo(place or zone))
            assert (DAYS[at.weekday()], at.tzname()) == (day, zone)
            seen[zone] += 1
    assert set(seen) == {"UTC", "CET", "CEST", "EST", "EDT"}, seen


def deadlines_fall_when_their_clocks_run(month, letters):
    for game in month.app.store.games.page():
        own = game_session.clock_of(month.app.context, game)
        for due in month.app.store.games.dues(game.id):
            if own.windows and due.kind == "deadline":
                assert own.ran(stamp(moment(due.at) - timedelta(hours=2)), due.at) > 0, due


def all_games_are_whole_and_so_is_a_copy(month, letters):
    for n in (1, 2, 3, 4, 6, 18):
        assert examine(month.app.context, month.app.store.games.get(f"g{n}")) is None
    copy = month.db.with_name("copy.db")
    backup.copy(month.db, copy)
    assert backup.examine(copy, full=True) == []


def the_server_is_well_at_the_end(month, letters):
    found = health.read(month.app.context.config.health)
    assert health.wrong(found, month.now) == [] and outages.hold(month.app.context) is None
    assert found["games"] == GAMES and found["outbox"] == {} and found["inbox"] == {}
    assert JUDGE not in {x.recipient for x in month.letters()}


CHECKS = (
    every_game_is_over_or_waits_for_somebody_since_and_until_a_time,
    every_mail_in_has_a_disposition_and_an_effect_once,
    every_letter_went_out_once,
    every_deadline_is_counted_as_met_late_or_missed,
    nothing_was_adjudicated_in_haste_after_the_outage,
    every_date_is_absolute_with_the_zone_of_its_game_on_that_day,
    deadlines_fall_when_their_clocks_run,
    all_games_are_whole_and_so_is_a_copy,
    the_server_is_well_at_the_end,
)


@pytest.mark.timeout(900)
def test_a_month_of_a_club_and_everything_in_it_accounted_for(tmp_path):
    """One test, so that tests that run side by side do not each run the month."""
    month = Month(tmp_path)
    try:
        month.run(31)
        month.settle()
        letters = month.letters()
        for check in CHECKS:
            check(month, letters)
    finally:
        month.app.close()
