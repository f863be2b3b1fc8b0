"""A game that nobody plays does not play itself to its end."""

import pytest

from pbem.service.play import deadlines, planner_seat, referee
from pbem.store.api import PAUSED, RUNNING
from tests.service.conftest import ANN, BOB, REFEREE, Club
from tests.service.test_referee import told, whole


def days(club: Club, n: int) -> None:
    """So many days pass; deadlines are swept each of them, and mails read."""
    for _ in range(n):
        club.later(hours=24.1)
        deadlines.sweep(club.context)


@pytest.fixture
def daily(make_club) -> Club:
    club = make_club()
    club.game(deadline_hours=24)
    club.post()
    return club


def test_where_nobody_answers_the_game_pauses_and_its_referee_is_asked(daily: Club) -> None:
    days(daily, 20)
    game = daily.store.games.get("p1")
    assert game.status == PAUSED and game.step_name.startswith("1 "), "long before the end"
    said = told(daily)
    assert "nobody has answered" in said[ANN] and "nobody has answered" in said[BOB]
    assert "substitute" in said[REFEREE] and "resume" in said[REFEREE] and whole(daily) is None


def test_one_who_does_not_answer_is_enough(daily: Club) -> None:
    for _ in range(30):
        game = daily.store.games.get("p1")
        if game.status == PAUSED:
            break
        if "allied" in game.waiting:
            daily.write(ANN, "game p1\nready\nend\n")
        else:
            days(daily, 1)
    assert daily.store.games.get("p1").status == PAUSED
    assert "Axis has not answered for 4 deadlines in a row" in told(daily)[ANN] and whole(daily) is None


def test_who_answers_now_and_then_is_not_taken_for_gone(daily: Club) -> None:
    missed = 0
    for _ in range(60):
        game = daily.store.games.get("p1")
        if game.status != RUNNING:
            break
        side = game.waiting[0]
        if side == "allied" or missed == 3:
            missed = 0 if side == "axis" else missed
            daily.write(ANN if side == "allied" else BOB, "game p1\nready\nend\n")
        else:
            missed += 1
            days(daily, 1)
    assert daily.store.games.get("p1").status != PAUSED


def test_never_where_the_game_says_so(make_club) -> None:
    club = make_club()
    club.game(deadline_hours=24, misses=0)
    days(club, 40)
    assert club.store.games.get("p1").status != PAUSED


def test_the_referee_gives_the_seat_to_the_planner_and_it_goes_on(daily: Club) -> None:
    days(daily, 20)
    daily.post()
    referee.substitute(daily.context, "p1", "axis", planner_seat.player(), "he is gone")
    assert daily.store.games.get("p1").status == PAUSED
    assert referee.resume(daily.context, "p1").status == RUNNING
    assert "allied" in daily.store.games.get("p1").waiting and whole(daily) is None
