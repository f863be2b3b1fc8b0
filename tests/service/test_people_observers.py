"""Observers read what lies open, later if the game says so, and all of it after the end."""

import pytest

from pbem.core.undone import standing
from pbem.service.club import observing
from pbem.service.play import game_session, referee
from tests.service.conftest import ANN, BOB, REFEREE, text
from tests.service.people import CAROL, mail_to, member, said, secrets_in, strangers_in, whole


@pytest.fixture
def watched(make_club):
    """Makes a club with a game that Carol may observe."""
    def make(observers="open", **options):
        club = make_club()
        club.game(observers=observers, **options)
        member(club, CAROL, "Carol")
        club.post()
        return club

    return make


def seen(club):
    return [m for m in club.post() if m["To"] == CAROL]


def test_an_observer_reads_what_lies_open_and_the_players_know(watched):
    club = watched()
    club.write(CAROL, "observe p1\n")
    mails = club.post()
    report = mail_to(mails, CAROL, "as observers see it")
    assert "face-down garrison" in text(report) and "S-1" not in text(report) and "game p1\nturn" not in text(report)
    assert mail_to(mails, ANN, "Carol observes the game") and mail_to(mails, BOB, "Carol observes the game")
    club.write(CAROL, "observe p1\n")
    club.write(CAROL, "leave p1\n")
    club.write(CAROL, "observe p1\n")
    assert {m["To"] for m in club.post()} == {CAROL}, "the players are told once"


def test_mails_come_after_each_player_turn_and_end_with_leave(watched):
    club = watched()
    club.write(CAROL, "observe p1\n")
    club.post()
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    [report] = seen(club)
    assert "Allied Movement" in text(report) or "allied movement" in text(report).lower()
    assert "mailto:judge@example.org?subject=leave%20p1" in str(report["List-Unsubscribe"])
    club.write(CAROL, "", Subject="leave p1")
    assert "observe it no more" in said(mail_to(club.post(), CAROL))
    club.play(until=lambda g: g.step_name.startswith("2 "))
    assert seen(club) == []


def test_nothing_that_a_side_hides_is_in_an_observers_mail(watched):
    """Where hidden blocks are: no unit's id or name beside those that lie open in the public's view or were told to both."""
    club = watched()
    club.write(CAROL, "observe p1\n")
    found = seen(club)
    club.play(until=lambda g: g.step_name.startswith("3 "))
    found += seen(club)
    assert len(found) > 4
    with club.store.transaction():
        play = game_session.take(club.context, "p1")
    data, state = play.session.data, play.session.state
    hidden = [b for b in state.blocks.values() if not b.shown]
    assert len(hidden) > 5
    view = play.rules.view(state, "")
    open_ids = {block["id"] for area in view["areas"] for side in area["blocks"].values() for block in side if block["known"]}
    assert not {b for b in open_ids if not state.blocks[b].shown}
    rows = list(club.store.journal.rows("p1"))
    told = {str(v) for r in rows if r.kind == "event" and r.payload["open"] for v in r.payload["event"].values()}
    for mail in found:
        for block in hidden:
            if block.id not in told:
                assert f"({block.id})" not in whole(mail) and f" {block.id} " not in text(mail), (block.id, data["scenario"])
        assert strangers_in(mail) == set() and secrets_in(club, mail) == set()


def test_delayed_by_a_turn(watched):
    club = watched("delayed 1")
    club.write(CAROL, "observe p1\n")
    first = mail_to(club.post(), CAROL, "as observers see it")
    assert "Set-up" in str(first["Subject"]) + text(first) and "Reinforcement" not in text(first)
    club.play(until=lambda g: g.step_name.startswith("1 axis"))
    assert seen(club) == []
    club.play(until=lambda g: g.step_name.startswith("2 "))
    found = seen(club)
    club.play(until=lambda g: g.step_name.startswith("2 axis"))
    found += seen(club)
    assert found and all("turn 2" not in text(m).lower().replace("turn 2 of", "") for m in found)
    club.play(until=lambda g: g.step_name.startswith("3 "))
    assert any("Turn 2" in str(m["Subject"]) for m in seen(club))


def test_how_far_is_told(watched):
    club = watched("delayed 2")
    club.write(CAROL, "observe p1\n")
    assert "when the game is 2 turns on" in said(mail_to(club.post(), CAROL))
    club.play(until=lambda g: g.step_name.startswith("3 axis"))
    with club.store.transaction():
        play = game_session.take(club.context, "p1")
    found = observing.shown(play)
    assert found is not None and observing.turn(found.step) == 1
    after = next(club.store.journal.rows("p1", found.upto, found.upto))
    assert after.kind == "step" and after.payload["name"].startswith("2 ")


def test_players_cannot_observe_their_own_game_and_nobody_where_it_has_none(watched):
    club = watched()
    club.write(ANN, "observe p1\n")
    assert "you play in game p1" in said(mail_to(club.post(), ANN)).lower()
    club.game("p2")
    club.post()
    club.write(CAROL, "observe p2\n")
    assert "without observers" in said(mail_to(club.post(), CAROL))


def test_the_full_reports_are_for_after_the_end_and_for_those_who_were_there(watched):
    club = watched()
    club.write(CAROL, "observe p1\nreport full p1\n")
    assert "for after the end" in said(mail_to(club.post(), CAROL, "Not done"))
    club.write(ANN, "game p1\npress to all\nGood game\nend press\nconcede p1\nend\n")
    club.post()
    for who in (CAROL, ANN, BOB, REFEREE):
        club.write(who, "report full p1\n")
        mail = mail_to(club.post(), who)
        files = {a.get_filename(): a.get_content() for a in mail.iter_attachments()}
        assert set(files) >= {"p1.zip", "p1-story.txt", "p1-allied.txt", "p1-axis.txt"}, who
        assert "S-1 Coastal Garrison" in files["p1-axis.txt"] and "S-1 Coastal Garrison" not in files["p1-allied.txt"]
        assert strangers_in(mail) == set() and secrets_in(club, mail) == set()
        assert "Good game" in said(mail)
    member(club, "player2@example.org", "Dave")
    club.write("player2@example.org", "report full p1\n")
    assert "no part in game p1" in said(mail_to(club.post(), "player2@example.org"))


def test_press_to_all_is_for_observers_too_where_nothing_is_delayed(watched):
    club = watched("delayed 1")
    club.write(CAROL, "observe p1\n")
    club.write(ANN, "press to all\nHello\nend press\n")
    assert all("Hello" not in text(m) for m in seen(club))
    club.game("p2", observers="open")
    club.post()
    club.write(CAROL, "observe p2\n")
    club.post()
    club.write(ANN, "game p2\npress to all\nHello\nend press\npress to axis\nBetween us\nend press\n")
    [mail] = seen(club)
    assert "Hello" in text(mail) and "Between" not in text(mail)


def test_who_reads_later_reads_the_game_that_was_played(watched):
    """The turn that a rewind has undone is not shown when the game comes to it again."""
    club = watched("delayed 1")
    club.write(CAROL, "observe p1\n")
    club.play(until=lambda g: g.step_name.startswith("2 allied movement"))
    referee.rewind(club.context, "p1", "1 allied movement", "try again")
    club.play(until=lambda g: g.step_name.startswith("2 allied"))
    with club.store.transaction():
        found = observing.shown(game_session.take(club.context, "p1"))
    rows = list(club.store.journal.rows("p1"))
    begun = [r for r in standing(rows) if r.kind == "step" and observing.turn(r.payload["name"]) == 2]
    assert found is not None and found.upto == begun[0].seq
