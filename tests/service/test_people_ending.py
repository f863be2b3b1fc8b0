"""How players end a game: giving it up, or a draw that both have offered; and what the last mail holds."""

import io
import json
import zipfile
from pathlib import Path

import pytest

from pbem.games import find_title
from pbem.service.play import referee_mail
from pbem.service.records import bundle
from pbem.store.api import OVER, RUNNING
from tests.service.conftest import ANN, BOB, text
from tests.service.people import mail_to, said, strangers_in


def whole_game(club):
    return referee_mail.examine(club.context, club.store.games.get("p1"))


def test_a_draw_needs_both_and_an_offer_is_told_to_nobody(club):
    head = club.store.games.get("p1").head
    club.write(ANN, "game p1\ndraw offer\nend\n")
    [answer] = club.post()
    assert answer["To"] == ANN and "It stands until the end of turn 2" in said(answer)
    assert club.store.games.get("p1").head == head, "the journal, and so its hash in every mail, does not tell"
    club.write(BOB, "game p1\nstatus\nend\n")
    club.write(BOB, "draw\n")
    for mail in club.post():
        assert "offered" not in text(mail) and "No offer of yours stands" in said(mail) or "Where the game stands" in said(mail)
    club.write(BOB, "draw offer\n")
    mails = club.post()
    for who in (ANN, BOB):
        assert "a draw was agreed" in said(mail_to(mails, who)).lower()
    assert club.store.games.get("p1").status == OVER and whole_game(club) is None


def test_an_offer_can_be_withdrawn(club):
    club.write(ANN, "draw offer\n")
    club.write(ANN, "draw withdraw\n")
    club.write(BOB, "draw offer\n")
    assert club.store.games.get("p1").status == RUNNING
    assert "Your offer is withdrawn" in said(club.post()[1])


def test_an_offer_ends_with_the_next_turn(club):
    club.write(ANN, "draw offer\n")
    club.play(until=lambda g: g.step_name.startswith("3 "))
    club.write(BOB, "draw offer\n")
    assert club.store.games.get("p1").status == RUNNING
    club.write(ANN, "draw offer\n")
    assert club.store.games.get("p1").status == OVER


@pytest.mark.parametrize("line", ["draw back to Lentini", "draw offer?", "drawing"])
def test_prose_offers_nothing(club, line):
    club.write(ANN, f"game p1\n{line}\nend\n")
    assert club.store.games.seat("p1", "allied").draw == ""


def test_after_the_end_nothing_is_offered_or_given_up(club):
    club.write(ANN, "concede p1\n")
    club.post()
    for body in ("draw offer\n", "concede p1\n", "resign p1\n"):
        club.write(BOB, f"game p1\n{body}end\n")
        assert "the game is over" in said(club.post()[-1])
    assert whole_game(club) is None


def test_acts_that_come_with_the_last_orders_are_told_off(club):
    club.write(ANN, "game p1\nconcede p1\ndraw offer\nend\n")
    assert club.store.games.get("p1").status == OVER


@pytest.mark.parametrize("how", ["conceded", "agreed", "played"])
def test_the_last_mail_tells_everything(club, tmp_path, how):
    if how == "conceded":
        club.write(ANN, "concede p1\n")
    elif how == "agreed":
        club.write(ANN, "draw offer\n")
        club.write(BOB, "draw offer\n")
    else:
        club.play(until=lambda g: g.status == OVER)
    seed = club.store.games.seed("p1").hex()
    last = {m["To"]: m for m in club.post() if "game is over" in text(m)}
    assert set(last) == {ANN, BOB}
    for who, mail in last.items():
        assert seed in text(mail)
        files = {a.get_filename(): a.get_content() for a in mail.iter_attachments()}
        bundled = tmp_path / f"{who}.zip"
        bundled.write_bytes(files["p1.zip"])
        found = bundle.verify(Path(bundled), find_title)
        assert not found.wrong and found.hidden == 0 and (how != "played" or found.rules)
        assert "THE STORY OF GAME p1" in files["p1-story.txt"]
        theirs = "p1-axis.txt" if who == ANN else "p1-allied.txt"
        read = files.get(theirs) or zipfile.ZipFile(io.BytesIO(files[theirs + ".zip"])).read(theirs).decode()
        assert "the end" in read and strangers_in(mail) == set()
        report = json.loads(next(v for k, v in files.items() if k.endswith(".json")))
        assert report["kind"] == "over" and report["over"]["winner"] in ("allied", "axis", "draw")


@pytest.mark.parametrize(("release", "read"), [("public", False), ("all", True)])
def test_press_between_the_sides_is_released_if_the_game_was_made_so(make_club, release, read):
    club = make_club()
    club.game(release=release)
    club.post()
    club.write(ANN, "game p1\npress to axis\nBetween you and me.\nend press\npress to all\nHear, hear.\nend press\nend\n")
    club.write(ANN, "game p1\npress to referee\nHe is slow.\nend press\nend\n")
    told = " ".join(said(m) for m in club.post() if m["To"] == ANN)
    assert ("all who were in it may read it" in told) == read
    club.write(ANN, "game p1\ndraw offer\nend\n")
    club.write(BOB, "game p1\ndraw offer\nend\n")
    club.post()
    club.write(BOB, "game p1\nreport full\nend\n")
    full = said(mail_to(club.post(), BOB))
    assert "Ann to all, 1 reinforcement: Hear, hear." in full and "slow" not in full
    assert ("Ann to Axis, 1 reinforcement: Between you and me." in full) == read
