"""Deadlines as a game's own clock has them: grace, extension, reminders, early processing, and what the referee changes."""

import pytest
from icalendar import Calendar

from pbem.service.play import deadlines, game_session, referee
from pbem.service.play.referee import CannotDo
from pbem.store.api import DEADLINE, GRACE, REMINDER
from tests.service.conftest import ANN, BOB, REFEREE, text

PLACED = "game p1\nplace 5-1 at B1\nend\n"


def dues(club):
    return {(d.side, d.kind): d.at for d in club.store.games.dues("p1")}


def sweep(club, **span):
    """Let time pass, and do what is due."""
    club.later(**span)
    deadlines.sweep(club.context)
    return club.post()


def words(mail):
    return " ".join(text(mail).split())


def entry(mail):
    """The calendar entry of a mail."""
    [part] = [p for p in mail.walk() if p.get_content_type() == "text/calendar"]
    return Calendar.from_ical(part.get_payload(decode=True)).walk("VEVENT")[0]


@pytest.fixture
def start(make_club):
    """Makes a club with one game of these options, whose first mails are out."""

    def make(**options):
        club = make_club()
        club.game(**options)
        club.first = club.post()
        return club

    return make


def missed(club):
    return [n.text for n in club.store.notes.last(50, "p1") if n.kind == "deadline"]


def test_reminders_go_out_at_each_time_named_once(start):
    club = start(reminder_hours="48 24 6")
    assert dues(club)["allied", REMINDER] == "2026-03-15T09:15:00Z"
    for hours in (24, 24, 18):
        [mail] = sweep(club, hours=hours)
        assert mail["To"] == ANN and "the game waits for you" in text(mail)
        assert deadlines.sweep(club.context) == 0 and club.post() == []
    assert ("allied", REMINDER) not in dues(club)


def test_who_has_kept_all_that_is_asked_is_not_reminded(start):
    club = start(early="no")
    club.write(ANN, PLACED)
    club.post()
    assert sweep(club, hours=48) == []


def test_grace_is_said_and_then_the_turn_is_missed(start):
    club = start(grace_hours=12, zone="Europe/Rome")
    mails = sweep(club, hours=72)
    late = next(m for m in mails if "still waits" in text(m))
    assert late["To"] == ANN and "until Tuesday 17 March 2026, 22:15 CET (Europe/Rome)" in words(late)
    assert dues(club) == {("allied", GRACE): "2026-03-17T21:15:00Z"} and not missed(club)
    assert sweep(club, hours=11) == []
    sweep(club, hours=1)
    assert len(missed(club)) == 1 and club.store.games.get("p1").waiting == ("axis",)


def test_an_answer_within_the_grace_is_in_time(start):
    club = start(grace_hours=12)
    sweep(club, hours=72)
    club.write(ANN, PLACED)
    club.play(until=lambda g: g.waiting == ("axis",))
    sweep(club, hours=13)
    assert not missed(club)


def test_the_extension_comes_once_in_a_game_and_both_are_told(start):
    club = start(extension_hours=24)
    before = entry(club.first[0])
    mails = [m for m in sweep(club, hours=72) if "has moved" in text(m)]
    assert {m["To"] for m in mails} == {ANN, BOB} and not missed(club)
    ann = next(m for m in mails if m["To"] == ANN)
    assert "Your deadline has moved to Wednesday 18 March 2026, 09:15 UTC" in words(ann)
    assert "The deadline of Allied has moved" in words(next(m for m in mails if m["To"] == BOB))
    after = entry(ann)
    assert after["UID"] == before["UID"] and after["SEQUENCE"] > before["SEQUENCE"]
    assert str(after["DTSTART"].dt) == "2026-03-18 09:15:00+00:00"
    sweep(club, hours=24)
    assert len(missed(club)) == 1
    club.play(until=lambda g: g.waiting == ("allied",))
    sweep(club, hours=72)
    assert len(missed(club)) == 2


@pytest.mark.parametrize(
    ("zone", "at"),
    [("Europe/Rome", "Tuesday 17 March 2026, 10:15 CET (Europe/Rome)"), ("UTC", "Tuesday 17 March 2026, 09:15 UTC")],
)
def test_every_date_has_the_zone_of_the_game(start, zone, at):
    club = start(zone=zone)
    ann = next(m for m in club.first if m["To"] == ANN)
    assert at in words(ann)


@pytest.mark.parametrize(
    ("early", "body", "carried_out"),
    [
        ("yes", PLACED, True), ("ready", PLACED, False), ("ready", PLACED.replace("end", "ready\nend"), True),
        ("no", PLACED, False),
        ("no", PLACED.replace("end", "ready\nend"), False), ("yes", PLACED.replace("end", "wait\nend"), False),
    ],
)
def test_orders_are_carried_out_early_as_the_game_says(start, early, body, carried_out):
    club = start(early=early)
    seq = club.store.games.get("p1").seq
    club.write(ANN, body)
    [mail] = [m for m in club.post() if m["To"] == ANN]
    assert (club.store.games.get("p1").seq > seq) is carried_out
    if not carried_out:
        assert "place 5-1 at B1" in text(mail) and "All that is asked of you is answered" in words(mail)
    sweep(club, hours=72)
    assert club.store.games.draft("p1", "allied") is None
    if not carried_out:
        assert [n.kind for n in club.store.notes.last(50, "p1")].count("met") == 1 and not missed(club)


def test_what_a_mail_with_a_mistake_leaves_is_incomplete(start):
    club = start(early="no")
    for body in (PLACED.replace("end", "nonsense\nend"), PLACED.replace("place", "add\nplace")):
        club.write(ANN, body)
        [mail] = [m for m in club.post() if m["To"] == ANN]
        assert "Not everything that is asked of you is answered" in words(mail)
    [reminder] = sweep(club, hours=48)
    assert "not all that is asked of you is answered yet" in words(reminder)


def test_ready_carries_out_what_was_kept(start):
    club = start(early="ready")
    club.write(ANN, PLACED)
    club.write(ANN, "game p1\nready\nend\n")
    answers = [r.payload["key"] for r in club.store.journal.rows("p1", kinds=["answer"])]
    assert "place 5-1 at B1" in answers


def test_an_empty_pass_is_complete(club):
    club.play(until=lambda g: g.step_name == "1 allied movement" and g.waiting == ("allied",))
    club.post()
    club.write(ANN, "game p1\npass\nend\n")
    assert club.store.games.get("p1").step_name != "1 allied movement"


def test_times_of_phases_count_where_they_are_named(start):
    club = start(phase_hours="1 reinforcement 120, allied admin 24", clock_hours="mon-fri 08-22", zone="Europe/Rome")
    # Saturday: the clock starts on Monday at 08:00 and runs 14 hours a day, 120 hours
    assert dues(club)["allied", DEADLINE] == "2026-03-26T15:00:00Z"
    club.play(until=lambda g: g.step_name == "1 allied admin" and g.waiting == ("allied",))
    assert dues(club)["allied", DEADLINE] == "2026-03-17T17:00:00Z"


def test_a_reminder_that_has_not_left_is_dropped_when_the_deadline_moves(start):
    club = start()
    sweep(club, hours=48)
    referee.extend(club.context, "p1", 48)
    kinds = [x.kind for x in club.store.outbox.unsent()]
    assert kinds.count("report") == 2 and kinds.count("reminder") == 2  # the notices of the new deadline, no reports
    assert all(b"has moved to" in x.raw for x in club.store.outbox.unsent() if x.kind == "reminder")
    assert dues(club)["allied", REMINDER] == "2026-03-18T09:15:00Z"


def test_n27_more_time_is_counted_by_the_clock_of_the_game(start):
    club = start(clock_hours="mon-fri 08-22", zone="UTC", deadline_hours=14)
    assert dues(club)["allied", DEADLINE] == "2026-03-16T22:00:00Z"  # a Monday
    assert referee.extend(club.context, "p1", 70) == {"allied": "2026-03-23T22:00:00Z"}  # five days of fourteen hours


def test_a_side_whose_mail_the_server_would_not_take_keeps_its_time(start):
    club = start()
    with club.store.transaction():
        for letter in list(club.store.outbox.unsent()):
            club.store.outbox.claim(letter.id, club.context.now)
            club.store.outbox.retry(letter.id, "2026-03-20T00:00:00Z", "no route to host")
    mails = sweep(club, hours=72)
    assert not missed(club) and dues(club)["allied", DEADLINE] == "2026-03-20T09:15:00Z"
    assert any("would not take the mails" in words(m) for m in mails if m["To"] == ANN)


def write_referee(club, *lines):
    game = club.store.games.get("p1")
    turn = game.step_name if game.step_name[0].isdigit() else f"1 {game.step_name}"
    club.write(REFEREE, "\n".join(["game p1", f"turn {turn}", *lines, "end", ""]))
    return club.post()


def test_the_referee_changes_the_clock_by_mail(start):
    club = start()
    mails = write_referee(
        club, "clock deadline 2 days because spring has come", "clock runs mon-fri 08-22", "clock zone Europe/Rome",
        "clock remind 30 6", "clock grace 12", "clock phases setup 96",
    )
    told = next(m for m in mails if m["To"] == REFEREE)
    assert "Time for an answer: 2 days (setup 4 days); the clock runs Mon Tue Wed Thu Fri 08:00-22:00" in words(told)
    assert {m["To"] for m in mails} == {ANN, BOB, REFEREE}
    assert any("changed the clock of the game: spring has come" in words(m) for m in mails)
    assert dues(club)["allied", DEADLINE] == "2026-03-17T09:15:00Z"
    assert dues(club)["allied", REMINDER] == "2026-03-16T03:15:00Z"
    club.write(ANN, PLACED)
    club.play(until=lambda g: g.waiting == ("axis",))
    own = game_session.clock_of(club.context, club.store.games.get("p1"))
    assert (own.hours, own.grace, own.zone, own.reminders) == (48, 12, "Europe/Rome", (30, 6))
    assert [r.payload["set"] for r in club.store.journal.rows("p1", kinds=["control"]) if r.payload["act"] == "clock"][0] == {
        "deadline_hours": 48
    }


def test_how_the_clock_stands_is_told_and_what_cannot_be_is_refused(start):
    club = start(extension_hours=24)
    club.write(REFEREE, "game p1\nclock\nend\n")
    [mail] = club.post()
    assert "A player who misses a deadline gets 1 day more, once in the game." in words(mail) and "clock runs:" in text(mail)
    [mail] = write_referee(club, "clock zone Atlantis")
    assert "NOT DONE" in text(mail) and "Europe/Rome" in words(mail)
    [mail] = write_referee(club, "clock tempo fast")
    assert "is not one of deadline, phases" in words(mail)
    with pytest.raises(CannotDo, match="cannot be set"):
        referee.set_clock(club.context, "p1", {"tempo": 1})


def test_an_audit_holds_over_moved_deadlines_and_changed_clocks(start):
    from pbem.service.play.referee_mail import examine

    club = start(extension_hours=24, grace_hours=6)
    sweep(club, hours=72)
    write_referee(club, "clock deadline 24")
    sweep(club, hours=24)
    sweep(club, hours=6)
    assert len(missed(club)) == 1
    assert examine(club.context, club.store.games.get("p1")) is None
