"""A seat for the planner: one person plays by mail at once, or a missing player's game goes on."""

from __future__ import annotations

from pbem.service.letters import mailing
from pbem.service.play import deadlines, game_session, planner_seat, referee
from pbem.service.play.game_session import Player
from pbem.store.api import OVER, PLANNER
from tests.service.conftest import ANN, BOB, REFEREE, SCENARIO, Club, text
from tests.service.test_referee import told, whole


def alone(club: Club, name: str = "solo") -> None:
    """A game of Ann's against the planner."""
    players = {"allied": Player(ANN, "Ann"), "axis": planner_seat.player()}
    with club.store.transaction():
        play = game_session.create(club.context, *SCENARIO, name, players, None, {})
        mailing.send(play, game_session.store_rows(play))


def swept(club: Club, most: int = 40) -> None:
    """What is due at once is done, as by the tick."""
    for _ in range(most):
        if not deadlines.sweep(club.context):
            return
    raise AssertionError("the planner never comes to an end")


def test_one_person_plays_by_mail_to_the_end(club: Club) -> None:
    alone(club)
    club.post()
    sent = []
    for _ in range(200):
        swept(club)
        game = club.store.games.get("solo")
        sent += club.post()
        if game.status == OVER:
            break
        assert game.waiting == ("allied",), "the planner has answered whatever it was asked"
        assert club.write(ANN, "game solo\nready\nend\n").disposition == "accept"
    assert club.store.games.get("solo").status == OVER
    assert {str(m["To"]) for m in sent} == {ANN}, "nothing is mailed to the planner"
    rows = list(club.store.journal.rows("solo", kinds=["orders"]))
    by = {r.payload["side"] for r in rows if r.source == planner_seat.SOURCE}
    assert by == {"axis"}
    club.context.store.games.get("solo")


def test_the_other_player_is_told_who_plays(club: Club) -> None:
    alone(club)
    [first] = club.post()
    assert "the planner" in " ".join(text(first).split())


def test_a_new_game_by_mail_against_the_planner_begins_at_once(make_club) -> None:
    club = make_club()
    club.write(ANN, "register Ann\n")
    word = next(w for w in text(club.post()[-1]).split() if len(w) == 8 and w.isalnum() and not w.isalpha())
    club.write(ANN, f"confirm {word}\n")
    club.post()
    club.write(ANN, f"new {'/'.join(SCENARIO)} as allied named solo axis=planner\n")
    said = [" ".join(text(m).split()) for m in club.post()]
    assert any("planner the rest" in s for s in said) and club.store.games.get("solo").status == "running"
    seats = {s.side: s.address for s in club.store.games.seats("solo")}
    assert seats["axis"] == PLANNER and seats["allied"] == ANN


def test_the_planner_takes_a_missing_players_seat(club: Club) -> None:
    club.post()
    act = "game p1\nturn 1 reinforcement\nsubstitute axis planner because Bob is ill\nend\n"
    assert club.write(REFEREE, act).disposition == "accept"
    said = told(club)
    assert "played by the planner" in said[ANN] and "Bob is ill" in said[ANN] and "taken your seat" in said[BOB]
    assert club.write(BOB, "game p1\npass counter-admin\nend\n").disposition != "accept"
    club.write(ANN, "game p1\nready\nend\n")
    swept(club)
    assert "axis" not in club.store.games.get("p1").waiting and whole(club) is None


def test_a_taken_back_game_goes_on_when_the_planner_is_wanted(club: Club) -> None:
    club.play(until=lambda g: g.step_name.startswith("2 allied"))
    referee.substitute(club.context, "p1", "axis", planner_seat.player())
    referee.rewind(club.context, "p1", "1 axis movement", "to try again")
    assert club.store.games.get("p1").waiting == ("axis",)
    swept(club)
    assert club.store.games.get("p1").waiting == ("allied",) and whole(club) is None
