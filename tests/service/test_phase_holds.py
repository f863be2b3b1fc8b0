"""A phase stays open when a line that a mail has for it fails: what comes later may rest on it."""

from __future__ import annotations

from pbem.audit.verify import audit
from pbem.service.play import deadlines
from tests.service.conftest import ANN, BOB, text

LANDED = (
    "game p1\nplace 5-1, 5-2 at B1\nplace 50-1, 50-2 at B2\nplace 51-1 & 51-2 at B3\nplace 1st Canadian Division at B4\n"
    "place 231 at B5\npass admin\nphase movement\n"
)
GOOD = "move 5-1 -> Modica\n50th Division -> Pachino\n"
FAR = "move 51-1 to Catania\n"
"""No unit lands there (14.26), which is only found when it is carried out."""


def moved(club, lines: str):
    """Ann writes up to her movement ahead, Bob passes; gives where the game stands then and the last mail to Ann."""
    assert club.write(ANN, f"{LANDED}{lines}end\n").disposition == "accept"
    outcome = club.write(BOB, "game p1\npass\nend\n")
    mails = [m for m in club.post() if m["To"] == ANN]
    return outcome.reason, text(mails[-1])


def test_all_good_lines_close_the_phase(club):
    where, _ = moved(club, GOOD)
    assert "1 allied drop, waits for allied" in where


def test_a_line_that_fails_keeps_it_open_and_its_good_lines_are_carried_out(club):
    where, mail = moved(club, GOOD + FAR)
    assert "1 allied movement, waits for allied" in where
    assert "Not carried out: 'move 51-1 to 26'" in mail and "landed at Modica" in mail
    assert "Movement orders (5.2)" in mail.split("WANTED OF YOU")[1], "it is asked what is done instead"


def test_new_orders_close_it(club):
    moved(club, GOOD + FAR)
    assert "1 allied drop" in club.write(ANN, "game p1\nmove 51-1 to 4\nend\n").reason


def test_so_does_ready_in_a_mail_of_its_own(club):
    moved(club, GOOD + FAR)
    assert "1 allied drop" in club.write(ANN, "game p1\nready\nend\n").reason


def test_ready_beside_the_lines_does_not(club):
    where, _ = moved(club, GOOD + FAR + "ready\n")
    assert "1 allied movement, waits for allied" in where


def test_regardless_goes_on(club):
    where, mail = moved(club, GOOD + FAR + "regardless\n")
    assert "1 allied drop" in where and "Not carried out: 'move 51-1 to 26'" in mail


def test_the_deadline_closes_it(club):
    moved(club, GOOD + FAR)
    club.later(days=4)
    deadlines.sweep(club.context)
    assert club.store.games.get("p1").step_name == "1 allied drop"


def test_the_game_audits_after_it(club):
    moved(club, GOOD + FAR)
    club.write(ANN, "game p1\nmove 51-1 to 4\nend\n")
    game, rows = club.store.games.get("p1"), list(club.store.journal.rows("p1"))
    rules, data = club.context.rules(game.title), club.context.data(game.dataset)
    assert audit(rows, rules, data, game.options, club.store.games.seed("p1")) is None
