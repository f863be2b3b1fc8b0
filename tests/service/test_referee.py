"""What a referee does, and that both players hear of it."""

import pytest

from pbem.audit.verify import audit
from pbem.core.journal import check_chain
from pbem.service.play import deadlines, referee
from pbem.service.play.referee import CannotDo
from pbem.service.play.game_session import Player
from pbem.store.api import CLOSED, DEADLINE, PAUSED, RUNNING
from tests.service.conftest import ANN, BOB, text


def due(club, side="allied"):
    return next((d.at for d in club.store.games.dues("p1") if d.side == side and d.kind == DEADLINE), "")


def whole(club):
    game = club.store.games.get("p1")
    rows = list(club.store.journal.rows("p1"))
    assert check_chain(rows) == game.head
    return audit(rows, club.context.rules(game.title), club.context.data(game.dataset), game.options, club.store.games.seed("p1"))


def told(club):
    return {str(m["To"]): " ".join(text(m).split()) for m in club.post()}


def test_a_paused_game_takes_no_orders_and_has_no_deadline(club):
    assert referee.pause(club.context, "p1", "holidays").status == PAUSED
    said = told(club)
    assert set(said) == {ANN, BOB} and all("holidays" in s for s in said.values())
    assert due(club) == ""
    club.later(hours=1000)
    assert deadlines.sweep(club.context) == 0
    assert club.write(ANN, "game p1\nplace 5-1 at B1\nend\n").disposition == "accept-with-errors"
    assert "paused" in told(club)[ANN]
    assert referee.resume(club.context, "p1").status == RUNNING
    assert due(club) == "2026-04-28T01:15:00Z"
    assert set(told(club)) == {ANN, BOB}
    assert club.write(ANN, "game p1\nplace 5-1 at B1\nend\n").disposition == "accept"
    assert whole(club) is None


def test_a_deadline_is_moved_for_who_is_asked(club):
    assert referee.extend(club.context, "p1", 48, reason="server trouble") == {"allied": "2026-03-19T09:15:00Z"}
    assert due(club) == "2026-03-19T09:15:00Z"
    assert all("server trouble" in s for s in told(club).values())
    with pytest.raises(CannotDo, match="axis"):
        referee.extend(club.context, "p1", 48, "axis")
    assert whole(club) is None


def test_going_back_erases_nothing_and_tells_both(club):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    before = list(club.store.journal.rows("p1"))
    club.write(ANN, "game p1\nphase 2 allied movement\nmove 5-1 to 4\nnonsense\nend\n")
    club.post()
    game = referee.rewind(club.context, "p1", "1 allied movement", "a ruling was wrong")
    assert game.step_name == "1 allied movement" and game.waiting == ("allied",)
    rows = list(club.store.journal.rows("p1"))
    assert rows[: len(before)] == before
    said = told(club)
    assert set(said) == {ANN, BOB} and all("a ruling was wrong" in s for s in said.values())
    assert club.store.games.draft("p1", "allied") is None and due(club)
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    assert {r.payload["attempt"] for r in club.store.journal.rows("p1", len(before), kinds=["roll"])} <= {2}
    assert whole(club) is None
    with pytest.raises(CannotDo, match="no phase called"):
        referee.rewind(club.context, "p1", "3 allied movement", "")


def test_a_substitute_gets_the_game_and_the_old_holder_nothing_more(make_club):
    club = make_club(policy="token")
    club.game()
    old = next(m for m in club.post() if m["To"] == ANN)
    referee.substitute(club.context, "p1", "allied", Player("Carol@example.org", "Carol"))
    sent = club.post()
    assert {str(m["To"]) for m in sent} == {ANN, BOB, "carol@example.org"}
    new = next(m for m in sent if m["To"] == "carol@example.org")
    orders = "game p1\nplace 5-1 at B1\nend\n"
    assert club.write(ANN, orders, In_Reply_To=str(old["Message-ID"])).reason == "you have no seat in a game called p1"
    assert club.write("carol@example.org", orders, In_Reply_To=str(old["Message-ID"])).disposition == "quarantine"
    assert club.write("carol@example.org", orders, In_Reply_To=str(new["Message-ID"])).disposition == "accept"
    assert "example.org" not in "".join(str(dict(r.payload)) for r in club.store.journal.rows("p1"))
    assert whole(club) is None


def test_a_closed_game_writes_to_nobody(club):
    assert referee.close(club.context, "p1").status == CLOSED
    assert club.post() == []
    with pytest.raises(CannotDo):
        referee.close(club.context, "p1")
    with pytest.raises(CannotDo, match="closed"):
        referee.pause(club.context, "p1")
    with pytest.raises(CannotDo):
        referee.resume(club.context, "p1")
