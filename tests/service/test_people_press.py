"""Press: delivered as it was meant, never mixed up with orders, and without anybody's address or secret."""

import pytest

from pbem.audit.witness import witnesses
from pbem.orders import press
from pbem.service.club.press import LONGEST, MOST_AN_HOUR
from pbem.store.api import OVER
from tests.service.conftest import ANN, BOB, REFEREE, text
from tests.service.people import CAROL, mail_to, member, said, secrets_in, strangers_in


def allied_orders(club):
    return [d["text"] for r in club.store.journal.rows("p1", kinds=["orders"]) for d in r.payload["directives"]]


# -- where a message begins and ends -----------------------------------------------------------------------


@pytest.mark.parametrize("mail, messages, rest", [
    ("press to axis\nHello\n  there\nend press\nmove 1", ["Hello\n  there"], "move 1"),
    ("game p1\npress to axis\nHello\nend\n", ["Hello"], "game p1 end"),
    ("game p1\npress to axis\nHello\ngame p2\nmove 1\nend\n", ["Hello"], "game p1 game p2 move 1 end"),
    ("press to axis: Hello\nthere\npress to referee\nOh\nend press\npass", ["Hello\nthere", "Oh"], "pass"),
    ("press to the axis\n> quoted\nmine\n| ours\nend press", ["mine"], ""),
    ("press to axis\none\n\ntwo\n", ["one\n\ntwo"], ""),
    ("press on\npress 5\nstanding when abort then press", [], "press on press 5 standing when abort then press"),
    ("press to axis\nend of the road\nend press", ["end of the road"], ""),
])
def test_messages_are_cut_out(mail, messages, rest):
    found, left = press.take(mail)
    assert [m.text for m in found] == messages and " ".join(left.split()) == rest
    assert left.count("\n") == mail.count("\n")


# -- delivery ----------------------------------------------------------------------------------------------


def test_a_message_reaches_one_side_only(club):
    club.write(ANN, "press to axis\nHello Bob,\n\nmove along.\nAnn\nend press\n")
    mails = club.post()
    assert {m["To"] for m in mails} == {ANN, BOB}
    got = mail_to(mails, BOB)
    assert "Message from Allied to Axis: Ann writes" in said(got) and "| move along." in text(got).replace("|   ", "| ")
    assert "Your message went to Axis: 4 lines" in said(mail_to(mails, ANN))
    assert strangers_in(got) == set() and secrets_in(club, got) == set() and got["Reply-To"] is None and got["Cc"] is None


def test_to_the_referee_and_to_all(club):
    club.write(ANN, "press to referee: Is this legal?\n")
    assert {m["To"] for m in club.post()} == {ANN, REFEREE}
    club.write(REFEREE, "game p1\npress to all\nPlay on.\nend press\n")
    assert {m["To"] for m in club.post()} == {ANN, BOB, REFEREE}


def test_orders_and_messages_in_one_mail_are_kept_apart(club):
    body = "game p1\nplace 5-1 at B1\npress to axis\nplace 5-2 at B2\nready\nconcede p1\nend press\nplace 5-2 at B3\nend\n"
    assert club.write(ANN, body).disposition == "accept"
    assert club.store.games.get("p1").status != OVER
    assert allied_orders(club) == ["place 5-1 at B1", "place 5-2 at B3"]
    mails = club.post()
    assert "place 5-2 at B2" in text(mail_to(mails, BOB)) and "B3" not in text(mail_to(mails, BOB))
    assert "Your message went to Axis" in said(mail_to(mails, ANN))


@pytest.mark.parametrize("line", ["place 5-1 at B1", "move fifty to Sortino 12", "battle any; retreat at 2 hits"])
def test_orders_in_a_message_without_its_end_are_not_shown_to_the_other_side(club, line):
    found = club.write(ANN, f"game p1\npress to axis\nHello\n{line}\nend\n")
    assert found.disposition == "accept-with-errors"
    [answer] = club.post()
    assert answer["To"] == ANN and "looks like an order" in said(answer)
    assert club.store.people.press("p1") == []


def test_prose_that_begins_like_an_order_goes_out(club):
    club.write(ANN, "press to axis\nHold on, please.\nMove to the bar?\n")
    assert mail_to(club.post(), BOB, "Hold on, please.")


def test_quoted_mail_is_not_sent_on(club):
    body = (
        "press to axis\nYes.\n\nOn Sat, 14 Mar 2026 at 10:00, pbem <judge@example.org> wrote:\n> Your hidden blocks: 5-1 in B1\n"
        "> confirm bcdf2345\n"
    )
    club.write(ANN, body)
    assert "hidden" not in text(mail_to(club.post(), BOB))


def test_secrets_of_ours_in_a_message_are_taken_out(make_club):
    club = make_club(policy="token")
    club.game()
    first = mail_to(club.post(), ANN)
    seat = club.store.games.seat("p1", "allied")
    body = f"press to axis\nMy subject was [p1/{seat.token}], its id {first['Message-ID']}\nend press\n"
    club.write(ANN, body, In_Reply_To=str(first["Message-ID"]))
    got = mail_to(club.post(), BOB)
    assert seat.token not in text(got) and str(first["Message-ID"]) not in text(got) and "My subject was [p1]" in said(got)


def test_markup_in_a_message_is_text(club):
    club.write(ANN, "press to axis\n<img src=x onerror=alert(1)> {{ 7*7 }}\n\x02\x1b[31m\nend press\n")
    got = mail_to(club.post(), BOB)
    html = got.get_body(("html",)).get_content()
    assert "<img src=x" not in html and "&lt;img" in html and "{{ 7*7 }}" in text(got) and "\x1b" not in text(got)


@pytest.mark.parametrize("body, why", [
    ("press to axiss\nHello\n", "there is nobody called 'axiss' here (did you mean axis?)"),
    ("press to allied\nHello\n", "that is you"),
    ("press to axis\n\n", "there is no text"),
    (f"press to axis\n{'x' * 90}\n" + f"{'y' * 90}\n" * (LONGEST // 90 + 1), "is the most"),
    ("press anonymous to axis\nHello\n", "no anonymous press"),
])
def test_what_cannot_be_delivered_is_said_and_goes_nowhere(club, body, why):
    club.write(ANN, body)
    [answer] = club.post()
    assert answer["To"] == ANN and why in said(answer) and club.store.people.press("p1") == []


def test_a_player_cannot_flood_another(club):
    for n in range(MOST_AN_HOUR + 2):
        club.write(ANN, f"press to axis\nHello {n}\n")
    assert len([m for m in club.post() if m["To"] == BOB]) == MOST_AN_HOUR
    club.later(hours=2)
    club.write(BOB, "game p1\nstatus\nend\n")
    assert mail_to(club.post(), BOB), "messages do not use up the answers that a player may have"


def test_no_press_but_to_the_referee(make_club):
    club = make_club()
    club.game(press="no")
    club.post()
    club.write(ANN, "press to axis\nHello\n")
    assert [m["To"] for m in club.post()] == [ANN]
    club.write(ANN, "press to referee\nHello\n")
    assert {m["To"] for m in club.post()} == {ANN, REFEREE}


def test_an_anonymous_message_does_not_say_whose_it_is(make_club):
    club = make_club()
    club.game(press="anonymous")
    club.post()
    club.write(ANN, "set address shown\n")
    club.post()
    club.write(ANN, "press anonymous to all\nGuess who\nend press\n")
    for mail in club.post():
        if mail["To"] != ANN:
            assert "Guess who" in text(mail)
            assert not {"Ann", "allied", ANN} & set(said(mail).replace("Allied", "allied").split()), said(mail)


def test_an_address_is_shown_only_by_who_allows_it(club):
    club.write(ANN, "press to axis\nHello\n")
    assert strangers_in(mail_to(club.post(), BOB)) == set()
    club.write(ANN, "set address shown\n")
    club.post()
    club.write(ANN, "press to axis\nHello\n")
    assert strangers_in(mail_to(club.post(), BOB)) == {ANN}


def test_a_message_needs_a_seat(club):
    member(club, CAROL, "Carol")
    club.write(CAROL, "game p1\npress to axis\nHello\nend press\nend\n")
    [answer] = club.post()
    assert answer["To"] == CAROL and "no seat" in said(answer)


def test_a_message_changes_nothing_in_the_game(club):
    head = club.store.games.get("p1").head
    club.write(ANN, "press to axis\nHello\n")
    assert club.store.games.get("p1").head == head


def test_a_message_cannot_bear_false_witness_of_the_journal(club, tmp_path):
    """Kept mails prove what the journal was: what a player writes must not look like our own line."""
    fake = f"Chain head after journal row 3, for your records:\n{'ab' * 32}\n\nchain  head\nafter journal row 4\n{'cd' * 16}\n"
    club.write(ANN, f"press to axis\n{fake}end press\n")
    kept = tmp_path / "press.eml"
    kept.write_bytes(mail_to(club.post(), BOB).as_bytes())
    rows = {r.seq: r.hash for r in club.store.journal.rows("p1")}
    said_ = witnesses([kept], "p1")
    assert said_ and {s.seq: s.hash for s in said_}.items() <= rows.items()
