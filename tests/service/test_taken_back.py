"""A game that is taken back stands still at the step named: nothing is rolled before its players have spoken."""

from __future__ import annotations

from typing import Any

from pbem.service.play import deadlines, referee
from pbem.store.api import PAUSED, RUNNING, TAKEN_BACK
from tests.service.conftest import ANN, BOB, Club, text
from tests.service.test_referee import told, whole

LAND = """game p1
place 5/1, 5/2 at Siracusa
place 50/1, 50/2 at Augusta
place 51/1, 51/2 at Avola
place 1C/1, 1C/2 at Modica
place 231 at Pachino
pass admin
move 5/1 to Siracusa
move 5/2 to Siracusa
drop 1AB/1 at Pachino
battle Siracusa; point 5/1
standing battle any; point strongest; lose weakest; abort at 3 hits
standing when assets then done
end
"""
BOB_ORDERS = """game p1
pass counter-admin
standing when bridge then blow
standing when before-battle then stand
standing when assets then done
standing when retreat-to then first
standing battle any; point strongest; lose asset, weakest; retreat at 2 hits
end
"""


def rolls(club: Club) -> int:
    return len(list(club.store.journal.rows("p1", kinds=["roll"])))


def landed(club: Club) -> None:
    """A first turn up to its battles."""
    assert club.write(ANN, LAND).disposition == "accept"
    assert club.write(BOB, BOB_ORDERS).disposition == "accept"
    club.post()


def back(club: Club, to: str = "1 allied movement") -> Any:
    return referee.rewind(club.context, "p1", to, "an order was misread")


def test_nothing_is_rolled_before_a_player_confirms(club: Club) -> None:
    landed(club)
    thrown = rolls(club)
    assert thrown
    for _ in range(3):
        game = back(club)
        assert game.status == TAKEN_BACK and game.step_name == "1 allied movement" and game.waiting == ("allied",)
    assert rolls(club) == thrown and whole(club) is None
    said = told(club)
    assert "move 5-1 to 5" in said[ANN] and "battle 5; point 5-1" in said[ANN] and "Kept, not in force" in said[ANN]
    assert "move 5-1" not in said[BOB] and "Allied" in said[BOB]
    assert "battle any; point strongest" in said[ANN]  # standing orders stay as they are


def test_ready_puts_what_is_kept_in_force(club: Club) -> None:
    landed(club)
    back(club)
    club.post()
    thrown = rolls(club)
    assert club.write(ANN, "game p1\nready\nend\n").disposition == "accept"
    game = club.store.games.get("p1")
    assert game.status == RUNNING and rolls(club) > thrown and club.store.games.draft("p1", "allied") is None
    assert whole(club) is None


def test_what_was_confirmed_lies_open_again_when_it_is_taken_back_once_more(club: Club) -> None:
    landed(club)
    back(club)
    club.write(ANN, "game p1\nready\nend\n")
    back(club)
    draft = club.store.games.draft("p1", "allied")
    assert draft is not None and "move 5-1 to 5" in draft.lines and whole(club) is None


def test_new_orders_take_the_place_of_what_is_kept(club: Club) -> None:
    landed(club)
    back(club)
    club.post()
    assert club.write(ANN, "game p1\nturn 1 allied movement\nmove 50/1 to Augusta\nend\n").disposition == "accept"
    rows = list(club.store.journal.rows("p1", kinds=["orders"]))
    moves = [d["text"] for d in rows[-1].payload["directives"] if d["kind"] == "movement" and "done" not in d["choices"]]
    assert moves == ["move 50-1 to 13"]
    assert "battle 5" not in str(rows[-1].payload) and club.store.games.get("p1").status == RUNNING
    assert whole(club) is None


def test_a_mistake_or_a_question_does_not_let_it_go_on(club: Club) -> None:
    landed(club)
    back(club)
    thrown = rolls(club)
    for mail in ("move 50/1 to Augusta\nnonsense\n", "status\n", "check\nmove 50/1 to Augusta\n", "wait\nmove 50/1 to Augusta\n"):
        club.write(ANN, f"game p1\n{mail}end\n")
        assert club.store.games.get("p1").status == TAKEN_BACK and rolls(club) == thrown
    assert "move 50-1 to 13" in told(club)[ANN]
    assert whole(club) is None


def test_the_other_side_alone_does_not_let_it_go_on_but_is_heard(club: Club) -> None:
    landed(club)
    back(club)
    club.post()
    assert club.write(BOB, "game p1\npass reaction\nend\n").disposition == "accept"
    assert club.store.games.get("p1").status == TAKEN_BACK and "has spoken, too" in told(club)[BOB]
    club.write(ANN, "game p1\nready\nend\n")
    assert any("pass" in str(r.payload) for r in club.store.journal.rows("p1", kinds=["orders"]) if r.payload["side"] == "axis")
    assert club.store.games.draft("p1", "axis") is None and whole(club) is None


def test_both_are_wanted_where_both_order(club: Club) -> None:
    landed(club)
    game = back(club, "1 reinforcement")
    assert game.waiting == ("allied", "axis")
    club.write(ANN, "game p1\nready\nend\n")
    assert club.store.games.get("p1").status == TAKEN_BACK and club.store.games.get("p1").waiting == ("axis",)
    club.write(BOB, "game p1\nready\nend\n")
    assert club.store.games.get("p1").status == RUNNING and whole(club) is None


def test_a_deadline_speaks_for_who_does_not_and_drops_what_was_kept(club: Club) -> None:
    landed(club)
    back(club)
    club.post()
    thrown = rolls(club)
    club.later(hours=80)
    assert deadlines.sweep(club.context) >= 1
    game = club.store.games.get("p1")
    assert game.status == RUNNING and game.waiting == ("allied",) and rolls(club) == thrown
    assert club.store.games.draft("p1", "allied") is None
    assert any("deadline of Allied has passed" in " ".join(text(m).split()) for m in club.post()) and whole(club) is None


def test_in_a_pause_too_and_the_referee_may_let_it_go_on(club: Club) -> None:
    landed(club)
    thrown = rolls(club)
    assert referee.pause(club.context, "p1", "dinner").status == PAUSED
    assert back(club).status == TAKEN_BACK and rolls(club) == thrown
    assert referee.resume(club.context, "p1").status == RUNNING
    assert club.store.games.get("p1").waiting == ("allied",) and whole(club) is None


def test_another_process_finds_it_standing_still(club: Club) -> None:
    landed(club)
    back(club)
    thrown = rolls(club)
    club.open()
    club.write(ANN, "game p1\nstatus\nend\n")
    assert rolls(club) == thrown and club.store.games.get("p1").status == TAKEN_BACK
    club.play(until=lambda g: g.status == "over")
    assert whole(club) is None
