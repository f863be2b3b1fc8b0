"""New games, and who is mailed when."""

import hashlib
from email import message_from_bytes, policy

import pytest

from pbem.core.journal import check_chain
from pbem.service.letters import pictures
from pbem.service.play import game_session
from pbem.service.play.game_session import BadGame, Player
from pbem.store.api import GameExists
from tests.service.conftest import ANN, BOB, SCENARIO, text

BOTH = {"allied": Player(ANN, "Ann"), "axis": Player(BOB, "Bob")}


def test_both_players_get_the_situation_what_is_wanted_and_the_commitment(make_club):
    club = make_club()
    club.game()
    ann, bob = club.post()
    assert (ann["To"], bob["To"]) == (ANN, BOB)
    commitment = hashlib.sha256(club.store.games.seed("p1")).hexdigest()
    for mail in (ann, bob):
        said = text(mail)
        assert commitment in said and "THE SITUATION" in said and "Welcome" in said
        assert club.store.games.seed("p1").hex() not in mail.as_string()
    assert "game p1\n" in text(ann) and "Default" in text(ann)
    assert "nothing is wanted of you now" in text(bob)
    assert "place 5-1" not in text(bob)


def test_the_letters_of_a_game_are_one_thread_for_each_player(club):
    club.write(ANN, "game p1\nplace 5-1 at B1\nend\n")
    club.write(ANN, "game p1\nplace 5-2 at B1\nend\n")
    first = club.store.games.seat("p1", "allied").thread
    for mail in club.post():
        assert mail["References"].split()[0] == first and mail["List-Id"] == "<p1.pbem.example.org>"


def test_a_report_has_json_a_calendar_entry_and_html(make_club):
    club = make_club(pictures=True)
    club.game()
    ids = [letter.id for letter in club.store.outbox.unsent()]
    ann, bob = (message_from_bytes(pictures.drawn(club.context, id).raw, policy=policy.default) for id in ids)
    assert [p.get_content_type() for p in ann.walk() if not p.is_multipart()] == [
        "text/plain", "text/html", "image/png", "application/json", "text/calendar",
    ]
    assert all(letter.drawing == "" for letter in club.store.outbox.unsent())
    assert "text/calendar" not in [p.get_content_type() for p in bob.walk()]
    entry = next(p for p in ann.walk() if p.get_content_type() == "text/calendar").get_content()
    assert "DTSTART:20260317T091500Z" in entry.replace("\r", "") and "UID:p1.allied@example.org" in entry
    html = ann.get_body(("html",)).get_content()
    assert "cid:map" in html and len(html) < 100_000


def test_a_side_is_mailed_when_the_ball_comes_to_it_and_not_before(club):
    club.write(ANN, "game p1\nplace 5-1 at B1\nend\n")
    assert [m["To"] for m in club.post()] == [ANN]
    club.play(until=lambda g: g.waiting == ("axis",))
    sent = club.post()
    [mine] = [text(m) for m in sent if m["To"] == BOB]
    assert "YOUR MOVE: " in mine and "wanted of you" in " ".join(mine.split())


def test_both_are_mailed_at_the_end_of_a_player_turn_and_of_the_game(club):
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    last = club.post()[-2:]
    assert {m["To"] for m in last} == {ANN, BOB}
    club.play(until=lambda g: g.status == "over")
    last = club.post()[-2:]
    assert {m["To"] for m in last} == {ANN, BOB}
    for mail in last:
        assert club.store.games.seed("p1").hex() in text(mail)
    assert club.store.games.dues("p1") == []


def test_reports_are_numbered_and_cover_every_row_once(club):
    club.play(until=lambda g: g.step_name.startswith("2 "))
    for side in ("allied", "axis"):
        last = club.store.games.report("p1", side)
        reports = [club.store.games.report("p1", side, n) for n in range(1, last.number + 1)]
        assert [r.first for r in reports] == [0, *(r.last + 1 for r in reports[:-1])]
        assert all(r.subject and r.text and r.doc["side"] == side for r in reports)


def test_a_game_goes_on_the_same_in_another_process(make_club, club):
    club.play(until=lambda g: g.step_name == "1 allied combat")
    again = make_club()
    again.play(until=lambda g: g.step_name.startswith("1 axis"))
    rows = list(again.store.journal.rows("p1"))
    assert check_chain(rows) == again.store.games.get("p1").head


def test_a_process_that_ends_after_every_mail_plays_the_same_game(tmp_path):
    from pbem.config import Config
    from tests.service.conftest import JUDGE, Club

    heads = []
    for restarts in (False, True):
        path = tmp_path / f"{restarts}.db"
        club = Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False))
        club.game()
        for _ in range(12):
            if restarts:
                club.app.close()
                club.open()
            sender = ANN if club.store.games.get("p1").waiting[0] == "allied" else BOB
            club.write(sender, "game p1\nready\nend\n")
            heads.append((restarts, club.store.games.get("p1").head))
        club.app.close()
    assert [h for r, h in heads if r] == [h for r, h in heads if not r]


def test_the_dice_of_two_games_differ(make_club):
    club = make_club()
    club.game("p1")
    club.game("p2")
    assert club.store.games.seed("p1") != club.store.games.seed("p2")


@pytest.mark.parametrize(
    ("name", "players", "options", "why"),
    [
        ("P 1", BOTH, {}, "cannot be a game's name"), ("", BOTH, {}, "name"), ("p1", {"allied": BOTH["allied"]}, {}, "axis"),
        ("p1", {**BOTH, "third": BOTH["axis"]}, {}, "sides"), ("p1", BOTH, {"colour": "red"}, "no option colour"),
        ("p1", BOTH, {"deadline_hours": "soon"}, "number of hours"), ("p1", BOTH, {"deadline_hours": "0"}, "number of hours"),
        ("p1", BOTH, {"assault_penalty": "perhaps"}, "true or false"),
    ],
)
def test_a_game_that_cannot_be_made_says_why(make_club, name, players, options, why):
    club = make_club()
    with pytest.raises(BadGame, match=why), club.store.transaction():
        game_session.create(club.context, *SCENARIO, name, players, None, options)
    assert club.store.games.count() == 0


def test_a_name_is_taken_once(club):
    with pytest.raises(GameExists, match="p1"):
        club.game()


def test_options_are_stored_as_values(make_club):
    club = make_club()
    club.game(assault_penalty="no", deadline_hours="24")
    game = club.store.games.get("p1")
    assert game.options == {"assault_penalty": False, "deadline_hours": 24.0}
    assert [d.at for d in club.store.games.dues("p1") if d.kind == "deadline"] == ["2026-03-15T09:15:00Z"]
