"""The arithmetic of a game's clock: hours in which it runs, both changes of summer time, other times for some phases."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.config import Config
from pbem.service.play import clock
from pbem.service.play.clock import BadClock
from pbem.service.times import moment, stamp

ROME, NEW_YORK = "Europe/Rome", "America/New_York"


def of(**options):
    return clock.of(Config(), {k: clock.option(k, v) for k, v in options.items()}, {})


@pytest.mark.parametrize(
    ("zone", "start", "hours", "end"),
    [
        (ROME, "2026-03-27T19:00:00Z", 72, "2026-03-30T18:00:00Z"),  # 20:00 to 20:00, summer time begins on the 29th
        (ROME, "2026-03-28T19:00:00Z", 20, "2026-03-29T15:00:00Z"),  # no whole days: so many hours
        (ROME, "2026-03-28T01:30:00Z", 24, "2026-03-29T01:30:00Z"),  # 02:30 does not exist on the 29th
        (ROME, "2026-10-24T18:00:00Z", 24, "2026-10-25T19:00:00Z"),  # 20:00 to 20:00, 25 hours
        (ROME, "2026-10-24T00:30:00Z", 24, "2026-10-25T00:30:00Z"),  # 02:30 comes twice: the first
        (ROME, "2026-10-25T01:30:00Z", 24, "2026-10-26T01:30:00Z"),  # from the second 02:30
        (NEW_YORK, "2026-03-07T12:00:00Z", 48, "2026-03-09T11:00:00Z"),
        (NEW_YORK, "2026-10-31T11:00:00Z", 48, "2026-11-02T12:00:00Z"),
        ("UTC", "2026-03-28T19:00:00Z", 72, "2026-03-31T19:00:00Z"),
    ],
)
def test_whole_days_keep_the_time_of_day_over_both_changes(zone, start, hours, end):
    assert of(zone=zone).deadline(start, hours) == end


@pytest.mark.parametrize(
    ("windows", "start", "hours", "end"),
    [
        ("mon-fri 08-22", "2026-03-13T20:00:00Z", 24, "2026-03-17T16:00:00Z"),  # Fri 21:00: 1 h, Mon 14, Tue 9 -> 17:00
        ("mon-fri 08-22", "2026-03-14T10:00:00Z", 1, "2026-03-16T08:00:00Z"),  # Saturday: it starts on Monday at 08:00
        ("mon-fri", "2026-03-13T19:00:00Z", 48, "2026-03-17T19:00:00Z"),  # whole days, no weekend
        ("mon-fri", "2026-03-27T19:00:00Z", 24, "2026-03-30T18:00:00Z"),  # the weekend had only 47 hours
        ("00-24", "2026-03-28T19:00:00Z", 24, "2026-03-29T18:00:00Z"),  # always, so that days are days
        ("sun 01-04", "2026-03-28T12:00:00Z", 2, "2026-03-29T02:00:00Z"),  # 01:00 to 04:00 is two hours in spring
        ("sun 01-04", "2026-10-24T12:00:00Z", 4, "2026-10-25T03:00:00Z"),  # and four in autumn
        ("sun 02:30-05", "2026-03-28T12:00:00Z", 1, "2026-03-29T02:30:00Z"),  # 02:30 does not exist: 03:30
        ("sun 02:30-05", "2026-10-24T12:00:00Z", 1, "2026-10-25T01:30:00Z"),  # the first 02:30
        ("fri 18-24, sat 00-02", "2026-03-13T12:00:00Z", 7, "2026-03-14T00:00:00Z"),
        ("mon 08-12, mon 10-14", "2026-03-16T00:00:00Z", 6, "2026-03-16T13:00:00Z"),  # no hour twice
        ("fri-mon 10-11", "2026-03-13T12:00:00Z", 3, "2026-03-16T10:00:00Z"),
    ],
)
def test_the_clock_stands_still_outside_its_hours(windows, start, hours, end):
    found = of(zone=ROME, clock_hours=windows)
    assert found.deadline(start, hours) == end
    assert found.windows == () or found.ran(start, end) == hours


@given(
    st.datetimes(datetime(2026, 3, 1), datetime(2026, 11, 30)), st.integers(1, 400), st.sampled_from([ROME, NEW_YORK, "UTC"]),
    st.sampled_from(["always", "mon-fri 08-22", "sat sun", "daily 01:30-03:15"]),
)
def test_what_runs_is_what_was_counted(at, hours, zone, windows):
    found, start = of(zone=zone, clock_hours=windows), stamp(at.replace(tzinfo=UTC))
    end = found.run(start, hours)
    assert abs(found.ran(start, end) - hours) < 1e-9
    assert moment(end) - moment(start) >= timedelta(hours=hours)


def test_phases_and_turns_have_times_of_their_own():
    found = of(deadline_hours=72, phase_hours="setup 5 days; turn 1 96; axis move 24, 12 6")
    steps = ["setup", "1 axis movement", "2 axis movement", "2 allied movement", "11 allied admin", "12 allied admin"]
    assert [found.time_for(s) for s in steps] == [120, 96, 24, 72, 72, 6]


def test_reminders_come_at_the_times_named():
    found = of(reminder_hours="6, 48 24")
    at = "2026-03-17T09:00:00Z"
    assert found.reminder(at, "2026-03-14T09:00:00Z") == "2026-03-15T09:00:00Z"
    assert found.reminder(at, "2026-03-15T09:00:00Z") == "2026-03-16T09:00:00Z"
    assert found.reminder(at, "2026-03-17T03:00:00Z") == ""
    assert of(reminder_hours=0).reminder(at, "2026-03-14T09:00:00Z") == ""


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("deadline_hours", "soon", "number of hours"), ("deadline_hours", 0, "number of hours"),
        ("grace_hours", -1, "number of hours"),
        ("deadline_hours", "24 h tomorrow", "number of hours"), ("deadline_hours", "nan", "number of hours"),
        ("zone", "Rome", "like Europe/Rome"), ("zone", "../etc/passwd", "like Europe/Rome"), ("zone", "", "like Europe/Rome"),
        ("clock_hours", "mon-fri 22-08", "past midnight in two parts"), ("clock_hours", "mon-fri 8 to 22", "the days are"),
        ("clock_hours", "mon-fri 08-25", "past midnight"), ("clock_hours", "monday-caturday 08-22", "the days are"),
        ("clock_hours", "08", "mon-fri 08-22"), ("phase_hours", "setup", "setup 120"),
        ("phase_hours", "setup 0", "number of hours"),
        ("early", "maybe", "yes, ready or no"), ("reminder_hours", "a day before", "number of hours"),
    ],
)
def test_what_cannot_be_is_said_with_how_to_write_it(name, value, why):
    with pytest.raises(BadClock, match=why):
        clock.option(name, value)


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("deadline_hours", "3 days", 72), ("deadline_hours", "1.5", 1.5), ("reminder_hours", "24", 24),
        ("reminder_hours", "never", 0),
        ("reminder_hours", "6 24", "24 6"), ("clock_hours", "Mon-Fri  08-22", "mon-fri 08-22"), ("early", "Ready", "ready"),
        ("phase_hours", "Setup 2 days", "setup 48"), ("zone", ROME, ROME),
    ],
)
def test_options_are_stored_as_they_are_read(name, value, stored):
    assert clock.option(name, value) == stored
    assert clock.option(name, stored) == stored
