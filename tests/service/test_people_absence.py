"""Absences move deadlines as the game says; missed turns follow the game's policy; what is counted."""

from datetime import date

import pytest

from pbem.service.play import deadlines
from pbem.service.play.absence import uncovered
from pbem.service.club.away import days
from pbem.service.club.club_requests import Denied
from pbem.store.api import DEADLINE, Absence
from tests.service.conftest import ANN, BOB, REFEREE, text
from tests.service.people import CAROL, DAVE, mail_to, member, said

TODAY = date(2026, 12, 1)


@pytest.fixture
def game(make_club):
    """Makes a club with a game of some options."""
    def make(**options):
        club = make_club()
        club.game(**options)
        club.post()
        return club

    return make


def due(club, side="allied", name="p1"):
    return next(d.at for d in club.store.games.dues(name) if (d.side, d.kind) == (side, DEADLINE))


# -- days --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("said_, first, last", [
    ("12 Dec to 20 Dec", date(2026, 12, 12), date(2026, 12, 20)),
    ("from 12 december until 3 Jan", date(2026, 12, 12), date(2027, 1, 3)),
    ("Dec 12 - Dec 20", date(2026, 12, 12), date(2026, 12, 20)),
    ("2026-12-12 to 2026-12-20", date(2026, 12, 12), date(2026, 12, 20)),
    ("12.12. to 20.12.2026", date(2026, 12, 12), date(2026, 12, 20)),
    ("1st dec", TODAY, TODAY),
    ("28 Nov to 5 Dec", date(2026, 11, 28), date(2026, 12, 5)),
    ("3 Jan to 5 Jan", date(2027, 1, 3), date(2027, 1, 5)),
])
def test_days_are_read(said_, first, last):
    assert days(said_, TODAY) == (first, last)


@pytest.mark.parametrize("said_", [
    "12 to 20 Dec", "12/10 to 12/20", "20 Dec to 12 Dec 2026", "30 Feb to 2 Mar", "12 Dec to 20 Dec x", "soon",
    "2026-11-01 to 2026-11-05", "12 Dec to 30 Mar", "2028-01-01 to 2028-01-05", "12 Dec to 14 Dec to 16 Dec", "12 Foo",
])
def test_what_is_not_sure_is_not_guessed(said_):
    with pytest.raises(Denied):
        days(said_, TODAY)


def test_what_is_covered_already_counts_once():
    a, b = Absence(1, 7, "2", "4"), Absence(2, 7, "6", "8")
    assert [(x.first, x.last) for x in uncovered("1", "9", [a, b])] == [("1", "2"), ("4", "6"), ("8", "9")]
    assert [(x.first, x.last) for x in uncovered("3", "7", [a, b])] == [("4", "6")]
    assert uncovered("2", "4", [a, b]) == [] and len(uncovered("4", "6", [a, b])) == 1


# -- deadlines ---------------------------------------------------------------------------------------------


def test_an_absence_moves_the_deadline_and_both_are_told_of_no_more(game):
    club = game()
    assert due(club) == "2026-03-17T09:15:00Z"
    assert club.write(ANN, "absence 15 Mar to 20 Mar\n").disposition == "accept"
    assert due(club) == "2026-03-23T09:15:00Z"
    mails = club.post()
    assert "from 15 March 2026 to 20 March 2026 (UTC)" in said(mail_to(mails, ANN, "Your absence is noted"))
    told = mail_to(mails, BOB)
    assert "Monday 23 March 2026, 09:15 UTC. Allied is absent until 20 March 2026." in said(told) and "15 March" not in text(told)
    assert mail_to(mails, ANN, "new deadline")


def test_an_absence_that_is_longer_by_some_days_moves_it_by_those(game):
    club = game()
    club.write(ANN, "absence 15 Mar to 20 Mar\n")
    club.write(ANN, "absence 18 Mar to 22 Mar\n")
    assert due(club) == "2026-03-25T09:15:00Z"
    club.write(ANN, "absence 15 Mar to 22 Mar\n")
    assert due(club) == "2026-03-25T09:15:00Z"
    club.post()
    club.write(ANN, "absence\n")
    assert said(mail_to(club.post(), ANN)).count("You are absent") == 2


def test_days_are_those_of_the_players_zone_over_the_change_of_the_clocks(game):
    """Rome goes to summer time on 29 March: the eight days from the 25th are 191 hours long."""
    club = game(deadline_hours=300)
    club.write(ANN, "set zone Europe/Rome\n")
    before = due(club)
    club.write(ANN, "absence 25 Mar to 1 Apr\n")
    [absence] = club.store.people.absences(club.store.people.at(ANN).id)
    assert (absence.first, absence.last) == ("2026-03-24T23:00:00Z", "2026-04-01T22:00:00Z")
    assert (before, due(club)) == ("2026-03-26T21:15:00Z", "2026-04-03T20:15:00Z")


def test_in_a_block_of_a_game_days_are_those_of_the_game(game):
    club = game(zone="Pacific/Auckland")
    club.write(ANN, "game p1\nabsence 16 Mar to 17 Mar\nend\n")
    [absence] = club.store.people.absences(club.store.people.at(ANN).id)
    assert (absence.first, absence.last) == ("2026-03-15T11:00:00Z", "2026-03-17T11:00:00Z")
    assert "(Pacific/Auckland)" in said(mail_to(club.post(), ANN, "Your absence is noted"))


def test_the_clock_of_a_later_question_stands_still_as_well(game):
    club = game()
    club.write(BOB, "absence 20 Mar to 30 Mar\n")
    assert "No deadline of yours had to move" in said(mail_to(club.post(), BOB))
    club.later(days=5)
    club.play(until=lambda g: g.waiting == ("axis",))
    assert due(club, "axis") == "2026-04-02T09:15:00Z"
    told = said(mail_to(club.post(), ANN, "absent until"))
    assert "Axis is absent until 30 March 2026. The deadline is Thursday 2 April 2026, 09:15 UTC." in told


def test_a_game_may_take_no_notice_or_allow_only_some_days(game):
    club = game(absence="ignore")
    club.write(ANN, "absence 15 Mar to 20 Mar\n")
    assert due(club) == "2026-03-17T09:15:00Z"
    assert "without regard to absences" in said(mail_to(club.post(), ANN))
    assert club.post() == []
    club.game("p2", absence_days=2)
    assert due(club, name="p2") == "2026-03-19T09:15:00Z"
    club.write(ANN, "absence 21 Mar to 30 Mar\n")
    assert due(club, name="p2") == "2026-03-19T09:15:00Z"


def test_each_hour_of_an_absence_counts_once_however_many_deadlines_it_moves(game):
    club = game(absence_days=10)
    club.write(ANN, "absence 15 Mar to 20 Mar\n")
    club.write(ANN, "game p1\nready\nend\n")
    assert due(club) == "2026-03-23T09:15:00Z", "the next question has its full time, too"
    ann = club.store.people.at(ANN)
    assert club.store.people.moved("p1", ann.id) == 6 * 24
    club.write(ANN, "absence 21 Mar to 31 Mar\n")
    assert due(club) == "2026-03-27T09:15:00Z", "four days more are left of the ten"
    assert club.store.people.moved("p1", ann.id) == 10 * 24


def test_an_absence_taken_back_moves_nothing_more(game):
    club = game()
    club.write(BOB, "absence 14 Mar to 30 Mar\n")
    club.write(BOB, "absence cancel\n")
    club.play(until=lambda g: g.waiting == ("axis",))
    assert due(club, "axis") == "2026-03-17T09:15:00Z"


# -- missed turns ------------------------------------------------------------------------------------------


def sweep(club, **span):
    club.later(**span)
    return deadlines.sweep(club.context)


def test_by_default_defaults_play_and_the_miss_is_counted(game):
    club = game()
    assert sweep(club, hours=73)
    assert club.store.games.get("p1").waiting == ("axis",)
    assert (club.store.people.at(ANN).missed, club.store.people.at(ANN).asked) == (1, 1)


def test_a_game_may_wait_and_ask_its_referee(game):
    club = game(missed="wait")
    sweep(club, hours=73)
    assert club.store.games.get("p1").waiting == ("allied",)
    mails = club.post()
    asked = said(mail_to(mails, REFEREE))
    assert "what is to be done" in asked and "extend allied 48" in asked
    assert "nothing is played until Allied answers" in said(mail_to(mails, BOB)) and mail_to(mails, ANN, "then waits")
    assert sweep(club, days=30) == 0 and club.post() == []
    club.write(ANN, "game p1\ncheck\nend\n")
    assert [d.kind for d in club.store.games.dues("p1")] == ["waits"]
    club.write(REFEREE, "game p1\nturn 1 reinforcement\nextend allied 48\nend\n")
    assert due(club) == "2026-04-18T10:15:00Z"
    club.write(ANN, "game p1\nready\nend\n")
    ann = club.store.people.at(ANN)
    assert (ann.in_time, ann.missed) == (1, 1) and club.store.games.get("p1").step_name == "1 allied admin"


def test_orders_that_come_after_all_let_a_waiting_game_go_on(game):
    club = game(missed="wait")
    sweep(club, hours=73)
    club.write(ANN, "game p1\nready\nend\n")
    assert club.store.games.get("p1").step_name == "1 allied admin" and due(club)


def test_the_list_of_substitutes_is_called_and_the_first_who_joins_has_the_seat(game):
    club = game(missed="substitute")
    for address, name in ((CAROL, "Carol"), (DAVE, "Dave")):
        member(club, address, name)
        club.write(address, "available\n")
    club.post()
    sweep(club, hours=73)
    assert club.store.games.get("p1").waiting == ("allied",) and due(club) == "2026-03-20T10:15:00Z"
    mails = club.post()
    for address in (CAROL, DAVE):
        assert "needs a player for Allied" in said(mail_to(mails, address))
    assert "others are asked to take the seat" in said(mail_to(mails, ANN)) and mail_to(mails, BOB)
    club.write(DAVE, "join p1 allied\n")
    assert club.store.games.seat("p1", "allied").address == DAVE
    assert mail_to(club.post(), DAVE, "THE SITUATION")
    club.write(CAROL, "join p1 allied\n")
    assert "no seat of allied is free" in said(mail_to(club.post(), CAROL)).lower()


def test_who_answers_before_a_substitute_comes_keeps_the_seat(game):
    club = game(missed="substitute")
    member(club, CAROL, "Carol")
    club.write(CAROL, "available\n")
    sweep(club, hours=73)
    club.write(ANN, "game p1\nready\nend\n")
    assert club.store.games.seat("p1", "allied").leaving == ""
    club.post()
    club.write(CAROL, "join p1 allied\n")
    assert club.store.games.seat("p1", "allied").address == ANN


def test_if_nobody_comes_defaults_play_at_last(game):
    club = game(missed="substitute")
    member(club, CAROL, "Carol")
    club.write(CAROL, "available\n")
    sweep(club, hours=73)
    assert club.store.games.get("p1").step_name == "1 reinforcement"
    sweep(club, hours=73)
    assert club.store.games.get("p1").waiting == ("axis",)


def test_if_nobody_is_on_the_list_defaults_play_at_once(game):
    club = game(missed="substitute")
    sweep(club, hours=73)
    assert club.store.games.get("p1").waiting == ("axis",)


def test_an_answer_within_the_grace_is_late(game):
    club = game(grace_hours=24)
    sweep(club, hours=73)
    club.write(ANN, "game p1\nready\nend\n")
    ann = club.store.people.at(ANN)
    assert (ann.in_time, ann.late, ann.missed) == (0, 1, 0)


def test_kept_orders_carried_out_at_the_deadline_are_in_time(game):
    club = game()
    places = "".join(f"place {u} at B1\n" for u in ("5-1", "5-2"))
    club.write(ANN, f"game p1\n{places}pass\nwait\nend\n")
    sweep(club, hours=73)
    assert club.store.people.at(ANN).asked == 1
