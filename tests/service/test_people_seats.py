"""Games made and joined by mail, consent, take-over in the middle of a turn, leaving."""

import pytest

from pbem.service.club import members
from pbem.service.letters import mailing
from pbem.service.play import deadlines, referee
from pbem.service.play.game_session import Player
from pbem.store.api import CLOSED, DEADLINE, PENDING, RUNNING
from tests.service.conftest import ANN, BOB, REFEREE, text
from tests.service.people import CAROL, DAVE, HOST, mail_to, member, said, word


@pytest.fixture
def lobby(make_club):
    """A club with two members and no game."""
    club = make_club()
    member(club, CAROL, "Carol")
    member(club, DAVE, "Dave")
    return club


def test_a_game_waits_without_a_deadline_until_its_seats_are_taken(lobby):
    assert lobby.write(CAROL, "new fab_sicily/primosole_bridge as axis named lion deadline_hours=48\n").disposition == "accept"
    assert "Game lion is made" in said(mail_to(lobby.post(), CAROL))
    game = lobby.store.games.get("lion")
    assert (game.status, lobby.store.games.dues("lion")) == (PENDING, [])
    lobby.later(days=30)
    assert deadlines.sweep(lobby.context) == 0 and lobby.post() == []
    lobby.write(DAVE, "games\n")
    assert "lion: The Primosole Bridge; Allied is free, made by Carol (no deadlines so far)" in said(mail_to(lobby.post(), DAVE))
    lobby.write(DAVE, "join lion\n")
    mails = lobby.post()
    assert mail_to(mails, DAVE, "Reinforcement Phase, turn 1: 1 answer wanted of you")
    assert mail_to(mails, CAROL, "Dave plays Allied, Carol plays Axis")
    game = lobby.store.games.get("lion")
    [due] = [d for d in lobby.store.games.dues("lion") if d.kind == DEADLINE]
    assert (game.status, due.side, due.at[:13]) == (RUNNING, "allied", "2026-04-15T09")
    assert lobby.write(DAVE, "game lion\nplace 5-1 at B1\nend\n").disposition == "accept"


def test_orders_for_a_game_that_has_not_begun_are_not_taken(lobby):
    lobby.write(CAROL, "new primosole_bridge as axis\n")
    lobby.post()
    assert lobby.write(CAROL, "game primosole-1\npass\nend\n").disposition == "accept-with-errors"
    assert "has not begun" in said(mail_to(lobby.post(), CAROL))


@pytest.mark.parametrize("line, words", [
    ("new primosole_brige as axis", "did you mean primosole_bridge or fab_sicily/primosole_bridge?"),
    ("new primosole_bridge as axes", "say which side you play: 'as allied or axis'"),
    ("new primosole_bridge as axis loudly", "'loudly' is not understood"),
    ("new primosole_bridge as axis colour=blue", "there is no option colour"),
    ("new primosole_bridge as axis missed=never", "missed is 'never': write defaults, wait or substitute"),
    ("new primosole_bridge as axis named LION-", "cannot be a game's name"),
    ("new primosole_bridge as axis named club", "cannot be a game's name"),
    ("join lyon axis", "there is no game called lyon (did you mean lion?)"),
    ("join lion axis", "no seat of axis is free"),
    ("join lion red", "'red' is no side of game lion: allied or axis"),
    ("new primosole_bridge as axis named lion", "there is a game called lion already; lion-2 is free"),
    ("leave lion", "you have no seat in game lion"),
    ("accept bcdf2345", "there is no such word"),
    ("observe lion", "is played without observers"),
    ("games tiger", "there is no game called tiger"),
])
def test_what_cannot_be_done_is_answered_kindly(lobby, line, words):
    lobby.write(CAROL, "new primosole_bridge as axis named lion\n")
    lobby.post()
    lobby.write(DAVE, f"{line}\n")
    told = said(mail_to(lobby.post(), DAVE)) if line != "leave lion" else words
    assert words.lower() in told.lower()


def test_a_member_has_few_games_without_players(lobby):
    for _ in range(4):
        lobby.write(CAROL, "new primosole_bridge as axis\n")
    assert "3 games of yours wait" in said(lobby.post()[-1])
    lobby.write(CAROL, "leave primosole-1\nnew primosole_bridge as allied\n")
    assert lobby.store.games.get("primosole-1").status == CLOSED and lobby.store.games.get("primosole-4").status == PENDING


def test_consent_is_asked_of_who_made_the_game_and_given_once(lobby):
    lobby.write(CAROL, "new primosole_bridge as axis consent named lion\n")
    lobby.post()
    lobby.write(DAVE, "join lion allied\n")
    mails = lobby.post()
    asked = mail_to(mails, CAROL)
    assert "Dave (no deadlines so far) wants to play Allied" in said(asked) and DAVE not in text(asked)
    code = word(asked)
    lobby.write(DAVE, f"accept {code}\n")
    assert "there is no such word" in said(mail_to(lobby.post(), DAVE)).lower()
    lobby.write(CAROL, f"accept {code}\ndecline {code}\n")
    assert "both" in said(mail_to(lobby.post(), CAROL)) and lobby.store.games.get("lion").status == PENDING
    lobby.write(CAROL, f"accept {code}\n")
    assert lobby.store.games.get("lion").status == RUNNING
    assert mail_to(lobby.post(), DAVE, "You play Allied in game lion")
    lobby.write(CAROL, f"accept {code}\n")
    assert "used" in said(mail_to(lobby.post(), CAROL))


def test_consent_can_be_refused_and_becomes_too_old(lobby):
    lobby.write(CAROL, "new primosole_bridge as axis private named lion\n")
    lobby.write(DAVE, "games\n")
    assert "lion" not in text(mail_to(lobby.post(), DAVE))
    lobby.write(DAVE, "join lion\n")
    code = word(mail_to(lobby.post(), CAROL))
    lobby.write(CAROL, f"decline {code}\n")
    assert "the answer is no" in said(mail_to(lobby.post(), DAVE))
    lobby.write(DAVE, "join lion\n")
    assert "within the last day" in said(mail_to(lobby.post(), DAVE)), "nobody is asked again and again"
    lobby.later(days=2)
    lobby.write(DAVE, "join lion\n")
    code = word(mail_to(lobby.post(), CAROL))
    lobby.later(days=15)
    lobby.write(CAROL, f"accept {code}\n")
    assert "too long ago" in said(mail_to(lobby.post(), CAROL)) and lobby.store.games.get("lion").status == PENDING


def test_who_may_make_games_is_the_hosts_setting(make_club):
    club = make_club(new_games="host")
    member(club, CAROL, "Carol")
    club.write(CAROL, "new primosole_bridge as axis\n")
    assert "only the host" in said(mail_to(club.post(), CAROL)).lower()


def test_the_host_can_want_to_be_asked(make_club):
    club = make_club(new_games="consent", referee=REFEREE, policy="token")
    member(club, CAROL, "Carol")
    with club.store.transaction():
        mailing.tell(club.context, club.store.people.at(CAROL), "Hello", ["Hello."])
    letter = mail_to(club.post(), CAROL)
    club.write(CAROL, "new primosole_bridge as axis named lion\n", In_Reply_To=str(letter["Message-ID"]))
    mails = club.post()
    asked = mail_to(mails, HOST)
    assert mail_to(mails, CAROL, "The host is asked") and "Carol" in said(asked) and CAROL not in text(asked)
    assert club.write(HOST, f"accept {word(asked)}\n").disposition == "accept"
    mails = club.post()
    assert mail_to(mails, CAROL, "Game lion is made") and mail_to(mails, HOST, "Accepted")
    assert club.store.games.seat("lion", "referee").address == REFEREE


def test_a_seat_is_taken_over_in_the_middle_of_a_turn(make_club):
    club = make_club(policy="token")
    club.game()
    old = mail_to(club.post(), ANN)
    member(club, CAROL, "Carol")
    thread = {"In_Reply_To": str(old["Message-ID"])}
    club.write(ANN, "game p1\nplace 5-1 at B2\nstanding when abort then press\nend\n", **thread)
    club.post()
    assert club.write(ANN, "resign p1\n", **thread).disposition == "accept"
    mails = club.post()
    assert mail_to(mails, REFEREE, "wants to leave") and mail_to(mails, ANN, "still yours")
    with club.store.transaction():
        mailing.tell(club.context, club.store.people.at(CAROL), "Hello", ["Hello."])
    letter = mail_to(club.post(), CAROL)
    club.write(CAROL, "join p1 allied\n", In_Reply_To=str(letter["Message-ID"]))
    asked = mail_to(club.post(), REFEREE)
    assert "Carol" in said(asked) and CAROL not in text(asked)
    token = club.store.games.seat("p1", "allied").token
    club.write(REFEREE, f"accept {word(asked)}\n")
    mails = club.post()
    assert mail_to(mails, ANN, "Another player has taken your seat")
    report = mail_to(mails, CAROL, "THE SITUATION")
    assert "when abort then press" in said(report) and "Carol (Allied)" in said(report) and "5-1" in text(report)
    assert mail_to(mails, BOB, "new player") and ANN not in text(report)
    seat = club.store.games.seat("p1", "allied")
    assert (seat.address, seat.name, seat.leaving) == (CAROL, "Carol", "") and seat.token != token
    orders = "game p1\nready\nend\n"
    assert "no seat" in club.write(ANN, orders, **thread).reason
    assert "no seat" in club.write(ANN, orders, Subject=f"Re: [p1/{token}]", **thread).reason
    assert club.write(CAROL, orders, Subject=f"[p1/{seat.token}]").disposition == "accept"


def test_a_seat_that_nobody_leaves_is_not_given_away(club):
    member(club, CAROL, "Carol")
    club.write(CAROL, "join p1 axis\n")
    assert "no seat of axis is free" in said(mail_to(club.post(), CAROL)).lower()


def test_b7_the_unsubscribe_of_a_mail_program_means_fewer_mails_and_no_resignation(make_club):
    """The mail that List-Unsubscribe makes has a subject, no thread, and a text of the program's own at most."""
    from urllib.parse import parse_qs, urlsplit

    club = make_club(policy="token")
    club.game()
    link = str(mail_to(club.post(), ANN)["List-Unsubscribe"]).strip("<>")
    [subject] = parse_qs(urlsplit(link).query)["subject"]
    assert subject.startswith("unsubscribe p1")
    assert club.write(ANN, "", Subject="unsubscribe p1").disposition == "quarantine"
    club.post()
    for body in ("", "This message was automatically generated by Gmail.\n"):
        assert club.write(ANN, body, Subject=subject).disposition == "accept"
        [answer] = club.post()
        assert answer["To"] == ANN and "Your seat is still yours. 'set digest off' undoes this" in said(answer)
    seat = club.store.games.seat("p1", "allied")
    assert seat.wishes == {"digest": True} and seat.leaving == ""
    assert club.store.games.get("p1").status == RUNNING


@pytest.mark.parametrize("body", ["", "This message was automatically generated by Gmail.\n", "Sent from my phone\n"])
@pytest.mark.parametrize("subject", ["resign p1", "Re: resign p1", "concede p1"])
def test_b7_a_subject_gives_nothing_up(club, subject, body):
    assert club.write(ANN, body, Subject=subject).disposition == "ask-resend"
    [answer] = club.post()
    assert answer["To"] == ANN and "you still have your seat" in said(answer)
    assert club.store.games.seat("p1", "allied").leaving == "" and club.store.games.get("p1").status == RUNNING


@pytest.mark.parametrize(
    "body",
    [
        "I was about to\nresign p1\nbut then I saw the map.\n", "Do not\nconcede p1\nBob!\n",
        "I will not follow your advice\nconcede p1\n",
    ],
)
def test_b7_a_line_within_prose_gives_nothing_up(club, body):
    assert club.write(ANN, body).disposition == "ask-resend"
    [answer] = club.post()
    assert "stands among other words" in said(answer) and "send it alone" in said(answer)
    assert club.store.games.seat("p1", "allied").leaving == "" and club.store.games.get("p1").status == RUNNING


@pytest.mark.parametrize("body", ["resign p1\n", "Hi all,\nresign p1\nSorry!\nAnn\n", "I have no time.\n\nresign p1\n\nAnn\n"])
def test_b7_a_resignation_by_a_line_of_its_own_can_be_taken_back(club, body):
    assert club.write(ANN, body).disposition == "accept"
    assert club.store.games.seat("p1", "allied").leaving.startswith("resigned")
    assert "'resign p1 withdraw'" in said(mail_to(club.post(), ANN))
    assert club.write(ANN, "resign p1 withdraw\n").disposition == "accept"
    mails = club.post()
    assert "Nobody else can take it" in said(mail_to(mails, ANN)) and mail_to(mails, REFEREE, "stays after all")
    assert club.store.games.seat("p1", "allied").leaving == ""
    assert "resign denied" in club.write(ANN, "resign p1 withdraw\n").reason


def test_concede_is_not_taken_from_a_subject(club):
    assert club.write(ANN, "", Subject="concede p1").disposition == "ask-resend"
    assert club.store.games.get("p1").status == RUNNING


def test_bad_orders_and_a_denied_request_have_one_answer(club):
    found = club.write(ANN, "game p1\nplace 5-1 at Nowhere\nconcede\nreport 99\nend\n")
    [answer] = club.post()
    assert found.disposition == "accept-with-errors" and "concede denied" in found.reason and "report denied" in found.reason
    for words in ("Nowhere", "name the game: 'concede p1'", "there is no report 99"):
        assert words in said(answer)


def test_orders_below_the_end_are_named(club):
    club.write(ANN, "game p1\nplace 5-1 at B1\nend\nplace 5-2 at B2\nThanks, and regards\n")
    [answer] = club.post()
    assert "Below 'end' nothing is read; line 4 stands there: 'place 5-2 at B2'" in said(answer)
    assert "Thanks" not in text(answer)


def test_a_game_can_be_asked_about_and_private_ones_not(club):
    club.write(ANN, "games p1\n")
    told = said(mail_to(club.post(), ANN))
    assert "Allied: Ann (no deadlines so far)" in told and "@" not in told
    member(club, CAROL, "Carol")
    club.write(ANN, "new primosole_bridge as axis private named lion\n")
    club.post()
    club.write(CAROL, "games lion\n")
    assert "there is no game called lion" in said(mail_to(club.post(), CAROL)).lower()


def test_reliability_is_shown_with_its_number(club):
    club.write(ANN, "game p1\nready\nend\n")
    ann = club.store.people.at(ANN)
    assert (ann.in_time, ann.late, ann.missed) == (1, 0, 0)
    assert members.reliability(ann) == "1 of 1 deadlines met"


def test_the_referee_can_give_a_seat_to_a_member_by_any_of_his_addresses(club):
    member(club, CAROL, "Carol")
    with club.store.transaction():
        club.store.people.add_address(club.store.people.at(CAROL).id, "carol@example.net", club.context.now)
    referee.substitute(club.context, "p1", "axis", Player("carol@example.net"))
    seat = club.store.games.seat("p1", "axis")
    assert (seat.address, seat.name) == (CAROL, "Carol")


def test_nobody_plays_one_side_after_the_other(club):
    """Who has seen what the Axis hides does not play against it."""
    member(club, CAROL, "Carol")
    referee.substitute(club.context, "p1", "axis", Player(CAROL, "Carol"))
    club.write(ANN, "resign p1\n")
    club.post()
    club.write(BOB, "join p1 allied\n")
    assert "you played axis in game p1, and know what that side hides" in said(mail_to(club.post(), BOB)).lower()
    club.write(CAROL, "resign p1\n")
    club.post()
    club.write(BOB, "join p1 axis\n")
    asked = mail_to(club.post(), REFEREE)
    club.write(REFEREE, f"accept {word(asked)}\n")
    assert club.store.games.seat("p1", "axis").address == BOB
