"""Deadlines, reminders, absence."""

import pytest

from pbem.service.play import deadlines, game_session
from pbem.store.api import DEADLINE, REMINDER
from tests.service.conftest import ANN, BOB, text


def dues(club):
    return {(d.side, d.kind): d.at for d in club.store.games.dues("p1")}


def test_who_is_asked_has_a_deadline_and_is_reminded_once(club):
    assert dues(club) == {("allied", DEADLINE): "2026-03-17T09:15:00Z", ("allied", REMINDER): "2026-03-16T09:15:00Z"}
    club.later(hours=47, minutes=59)
    assert deadlines.sweep(club.context) == 0
    club.later(minutes=1)
    assert deadlines.sweep(club.context) == 1
    [mail] = club.post()
    assert mail["To"] == ANN and "reminder" in text(mail).lower()
    assert "Tuesday 17 March 2026, 09:15 UTC" in " ".join(text(mail).split())
    assert deadlines.sweep(club.context) == 0 and club.post() == []


def test_a_missed_deadline_takes_the_defaults_to_the_end_of_the_player_turn(club):
    club.later(hours=72)
    deadlines.sweep(club.context)
    assert club.store.games.get("p1").waiting == ("axis",)
    ann = next(m for m in club.post() if m["To"] == ANN)
    assert "Your deadline has passed" in " ".join(text(ann).split()) and "place 5-1 at B1" in text(ann)
    while club.store.games.get("p1").step_name.startswith("1 allied"):
        assert club.store.games.get("p1").waiting == ("axis",)
        club.write(BOB, "game p1\nready\nend\n")


def test_who_writes_again_is_waited_for_again(club):
    club.play(until=lambda g: g.step_name == "1 allied admin")
    club.later(hours=73)
    deadlines.sweep(club.context)
    assert club.store.games.seat("p1", "allied").lapsed == "1 allied"
    club.write(ANN, "game p1\nstanding when bridge then blow\nend\n")
    assert club.store.games.seat("p1", "allied").lapsed == ""
    club.play(until=lambda g: g.waiting == ("allied",) or g.step_name.startswith("1 axis"))
    assert club.store.games.get("p1").step_name == "1 allied movement"


def test_an_answer_gives_the_full_time_for_the_next_question_only(club):
    club.later(hours=50)
    club.write(ANN, "game p1\nplace 5-1 at B1\nnonsense\nend\n")
    assert dues(club)[("allied", DEADLINE)] == "2026-03-17T09:15:00Z"
    club.write(ANN, "game p1\nplace 5-1 at B1\nend\n")
    assert dues(club)[("allied", DEADLINE)] == "2026-03-19T11:15:00Z"
    club.play(until=lambda g: g.waiting == ("axis",))
    assert {s for s, _ in dues(club)} == {"axis"}


def test_a_draft_is_carried_out_at_the_deadline(club):
    club.write(ANN, "game p1\nplace 5-1 at B4\nnonsense\nend\n")
    club.later(hours=72)
    deadlines.sweep(club.context)
    answers = [r.payload for r in club.store.journal.rows("p1", kinds=["answer"]) if r.payload["kind"] == "arrival"]
    assert ("place 5-1 at B4", "mailed") in [(a["key"], a["how"]) for a in answers]
    assert club.store.games.draft("p1", "allied") is None
    assert any("What you had sent was carried out" in " ".join(text(m).split()) for m in club.post())


def test_a_deadline_that_fails_is_put_off_and_does_not_hold_up_others(club, monkeypatch):
    club.game("p2")
    club.post()
    take = game_session.take

    def fail(context, game):
        if game == "p1":
            raise ValueError("a fault of ours")
        return take(context, game)

    monkeypatch.setattr(game_session, "take", fail)
    club.later(hours=72)
    club.context.store.games.drop_due("p1", "allied", REMINDER)
    club.context.store.games.drop_due("p2", "allied", REMINDER)
    assert deadlines.sweep(club.context) == 2
    assert dues(club)[("allied", DEADLINE)] == "2026-03-17T10:15:00Z"
    assert club.store.games.get("p2").waiting == ("axis",)
    assert any("failed" in m["Subject"] for m in club.post())


@pytest.mark.parametrize("hours", [24, 6])
def test_no_reminder_that_would_come_at_once(make_club, hours):
    club = make_club()
    club.game(deadline_hours=hours)
    assert [k for _, k in dues(club)] == [DEADLINE]


def test_a_whole_game_can_run_on_deadlines_alone(make_club):
    club = make_club()
    club.game(misses=0)
    for _ in range(60):
        if club.store.games.get("p1").status == "over":
            break
        club.later(hours=72)
        deadlines.sweep(club.context)
    assert club.store.games.get("p1").status == "over"
