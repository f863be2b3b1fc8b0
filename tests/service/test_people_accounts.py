"""Becoming a member, more addresses, a change of address, names and settings: nothing before a word has come back."""

import pytest

from pbem.orders.help import Examples
from pbem.orders.club_verbs import CLUB
from pbem.service.mailroom import explain, intake
from pbem.service.club.registry import MOST_STRANGERS, MOST_WORDS
from tests.service.conftest import ANN, BOB, text
from tests.service.people import CAROL, DAVE, mail_to, member, said, word

NEW = "carol@example.net"


def register(club, address=CAROL, name="Carol"):
    assert club.write(address, f"register {name}\n").disposition == "accept"
    assert club.write(address, f"confirm {word(mail_to(club.post(), address))}\n").disposition == "accept"
    return mail_to(club.post(), address)


@pytest.mark.parametrize("trust", ["open", "token"])
def test_a_round_trip_makes_a_member(make_club, trust):
    club = make_club(policy=trust)
    assert club.write(CAROL, "Hello,\n\nregister Carol O'Neil please\n").disposition == "accept"
    asked = mail_to(club.post(), CAROL)
    assert "Carol O'Neil" in said(asked) and club.store.people.at(CAROL) is None
    code = word(asked)
    assert club.write(DAVE, f"confirm {code}\n").disposition == "accept" and club.post() == []
    assert club.store.people.at(CAROL) is None
    assert club.write(CAROL, f"> confirm {code}\n", In_Reply_To=str(asked["Message-ID"])).disposition == "reject-auth"
    club.write(CAROL, f"confirm {code}\n")
    assert club.store.people.at(CAROL).name == "Carol O'Neil"
    welcome = mail_to(club.post(), CAROL)
    assert club.write(CAROL, "games\n", In_Reply_To=str(welcome["Message-ID"])).disposition == "accept"
    assert mail_to(club.post(), CAROL, "FREE SEAT")


@pytest.mark.parametrize("result, made", [("pass", True), ("fail", False), ("none", False)])
def test_where_signatures_are_asked_for_a_stranger_needs_one_too(make_club, result, made):
    club = make_club(policy="dkim", authserv_id="mx.example.org")

    def write(body, number):
        shown = f"Authentication-Results: mx.example.org; dkim={result} header.d=example.org\r\n"
        raw = f"{shown}From: {CAROL}\r\nMessage-ID: <s{number}@example.org>\r\nSubject: hello\r\n\r\n{body}\r\n"
        mail, _ = intake.file(club.context, raw.encode(), club.context.now, "test")
        return intake.handle(club.context, mail.id)

    write("register Carol", 1)
    sent = [m for m in club.post() if m["To"] == CAROL]
    assert bool(sent) is made
    if made:
        write(f"confirm {word(sent[0])}", 2)
    assert bool(club.store.people.at(CAROL)) is made


def test_a_word_expires_and_counts_once(make_club):
    club = make_club()
    club.write(CAROL, "register Carol\n")
    code = word(mail_to(club.post(), CAROL))
    club.later(days=4)
    club.write(CAROL, f"confirm {code}\n")
    assert "expired" in said(mail_to(club.post(), CAROL)) and club.store.people.at(CAROL) is None
    register(club)
    club.write(CAROL, f"confirm {code}\n")
    assert "has been used" in said(mail_to(club.post(), CAROL))


def test_a_later_word_voids_the_earlier_one(make_club):
    club = make_club()
    club.write(CAROL, "register Carol\n")
    first = word(mail_to(club.post(), CAROL))
    club.write(CAROL, "register Carol\n")
    second = word(mail_to(club.post(), CAROL))
    club.write(CAROL, f"confirm {first}\n")
    assert club.store.people.at(CAROL) is None and club.post() == []
    club.write(CAROL, f"confirm {second}\n")
    assert club.store.people.at(CAROL)


def test_strangers_hear_of_nothing_else(club):
    for body in (
        "game p1\nready\nend\n", "games\n", "help\n", "account\n", "join p1 axis\n", "press to axis\nHello\n", "observe p1\n",
        "confirm bcdf2345\n", "accept bcdf2345\n", "address add ann@example.net\n",
    ):
        club.write(CAROL, body)
    assert club.post() == [] and club.store.people.at(CAROL) is None


def test_a_server_that_is_asked_to_write_to_a_stranger_stops_soon(make_club):
    club = make_club(replies_per_hour=10**6)
    for n in range(MOST_WORDS + 3):
        club.write(CAROL, f"register Carol {'I' * n}\n")
        club.write(CAROL, "register not/allowed@all\n")
    assert len(club.post()) == MOST_WORDS
    for n in range(MOST_STRANGERS + 5):
        club.write(f"n{n}@example.org", f"register N{'o' * (n % 30)}{'e' * (n // 30)}\n")
    assert MOST_STRANGERS - 10 < len(club.post()) <= MOST_STRANGERS
    club.later(days=1, minutes=1)
    club.write(CAROL, "register Carol\n")
    assert mail_to(club.post(), CAROL)


def test_automatic_mail_confirms_nothing(make_club):
    club = make_club()
    club.write(CAROL, "register Carol\n", Auto_Submitted="auto-replied")
    assert club.post() == []
    club.write(CAROL, "register Carol\n")
    code = word(mail_to(club.post(), CAROL))
    club.write(CAROL, f"confirm {code}\n", Auto_Submitted="auto-replied")
    assert club.store.people.at(CAROL) is None


@pytest.mark.parametrize("name", [
    "Axis", "referee", "<b>x</b>", "bob@example.org", "www.example.org", "9", "x" * 41, "Ann", "a\tb<script>", "buy at x.com",
])
def test_names_that_nobody_can_have(club, name):
    club.write(CAROL, f"register {name}\n")
    [answer] = [m for m in club.post() if m["To"] == CAROL]
    assert "Not done" in text(answer)


def test_names_are_escaped_wherever_they_are_printed(make_club):
    """A host may have given any name at all."""
    club = make_club()
    member(club, CAROL, "<b>Eve</b>\r\nBcc: x@example.org")
    club.write(CAROL, "account\n")
    mail = mail_to(club.post(), CAROL)
    html = mail.get_body(("html",)).get_content()
    assert "<b>Eve" not in html and "&lt;b&gt;Eve" in html and mail["Bcc"] is None


def test_who_may_register(make_club):
    club = make_club(allow="example.net, player1@example.org", deny="eve.example.net")
    for address, let in ((CAROL, True), (DAVE, False), ("a@example.net", True), ("a@eve.example.net", False), (NEW, True)):
        club.write(address, f"register {address.split('@')[0].title()}\n")
        assert [m["To"] for m in club.post()] == [address] * let, address


def test_mail_of_the_denied_is_not_taken(make_club):
    club = make_club(deny="ann@example.org")
    club.game()
    club.post()
    assert club.write(ANN, "game p1\nready\nend\n").disposition == "reject-auth"
    assert club.post() == [] and club.store.games.get("p1").waiting == ("allied",)


def test_one_more_address_is_asked_for_from_the_old_and_confirmed_from_the_new(club):
    club.write(ANN, "address add Ann@Example.net\n")
    mails = club.post()
    code = word(mail_to(mails, "ann@example.net"))
    assert "ann@example.net" in said(mail_to(mails, ANN))
    assert club.write("ann@example.net", "game p1\nstatus\nend\n").disposition == "reject-auth"
    club.write("ann@example.net", f"confirm {code}\n")
    mails = club.post()
    assert mail_to(mails, ANN, "address remove") and mail_to(mails, "ann@example.net")
    assert club.write("ann@example.net", "game p1\nplace 5-1 at B1\nend\n").disposition == "accept"
    assert mail_to(club.post(), ANN, "place 5-1")
    club.write(ANN, "address remove ann@example.net\n")
    assert club.write("ann@example.net", "game p1\nstatus\nend\n").disposition == "reject-auth"


def test_the_address_of_somebody_else_is_not_written_to(club):
    club.write(ANN, f"address add {BOB}\n")
    [answer] = club.post()
    assert answer["To"] == ANN
    club.write(ANN, f"address add {NEW}\n")
    alike = mail_to(club.post(), ANN)
    assert said(answer).replace(BOB, NEW) == said(alike)


@pytest.mark.parametrize("trust", ["open", "token"])
def test_mail_goes_elsewhere_only_once_the_old_address_has_agreed(make_club, trust):
    club = make_club(policy=trust)
    club.game()
    first = mail_to(club.post(), ANN)
    before = club.store.games.seat("p1", "allied")
    club.write(ANN, f"address change {NEW}\n", In_Reply_To=str(first["Message-ID"]))
    code = word(mail_to(club.post(), NEW))
    club.write(NEW, f"confirm {code}\n")
    mails = club.post()
    release = word(mail_to(mails, ANN))
    assert club.store.games.seat("p1", "allied") == before
    assert club.write(NEW, f"confirm {release}\n").disposition == "accept" and club.store.games.seat("p1", "allied") == before
    club.post()
    club.write(ANN, f"confirm {release}\n")
    after = club.store.games.seat("p1", "allied")
    assert (after.address, after.token != before.token) == (NEW, True)
    letter = mail_to(club.post(), NEW, "[p1")
    assert club.write(NEW, "game p1\nstatus\nend\n", In_Reply_To=str(letter["Message-ID"])).disposition == "accept"
    assert mail_to(club.post(), NEW, "Where the game stands")


def test_a_forged_wish_to_move_the_mail_comes_to_nothing(club):
    """On a server that believes any sender: who forges Ann's address can still not read her mail."""
    club.write(ANN, "address change eve@example.net\n")
    code = word(mail_to(club.post(), "eve@example.net"))
    club.write("eve@example.net", f"confirm {code}\n")
    mails = club.post()
    assert mail_to(mails, ANN, "elsewhere")
    assert club.store.people.at(ANN).address == ANN and club.store.people.at("eve@example.net") is None


def test_the_account_tells_all_and_its_settings_hold(club):
    club.write(ANN, "account name Anna\nset zone Europe/Rome\nset address shown\nset all width 60\naccount\n")
    told = said(mail_to(club.post(), ANN))
    for words in ("Anna", "Europe/Rome", "shown to the others", "set width 60", ANN, "no deadlines so far"):
        assert words in told
    seat = club.store.games.seat("p1", "allied")
    assert (seat.name, seat.wishes["width"]) == ("Anna", 60)
    club.game("p2")
    assert club.store.games.seat("p2", "allied").wishes == {"width": 60}
    for wrong in ("set zone Nowhere/There\n", "set address maybe\n", "set all width 9\n", "account name Bob\n"):
        club.post()
        club.write(ANN, wrong)
        assert "Not done" in text(mail_to(club.post(), ANN))


def test_what_is_nearly_right_is_told_how_it_is_written(make_club):
    club = make_club()
    member(club, CAROL, "Carol")
    assert club.write(CAROL, "join the game p1 as axis player\n").disposition == "ask-resend"
    assert "join GAME SIDE" in said(mail_to(club.post(), CAROL))
    assert club.write(CAROL, "Just saying hello.\n").disposition == "ask-resend"


EXAMPLES = Examples("fab_sicily/primosole_bridge", "axis")


def test_every_verb_has_help_from_within_a_game_and_without_one(club):
    member(club, CAROL, "Carol")
    for verb in CLUB.verbs:
        for sender in (ANN, CAROL):
            club.later(hours=1)
            assert club.write(sender, f"help {verb.name}\n").disposition == "accept"
            page = said(mail_to(club.post(), sender))
            assert EXAMPLES.filled(verb.example) in page
    club.write(ANN, "help club\n")
    assert all(EXAMPLES.filled(v.example) in said(m) for m in club.post() for v in CLUB.verbs)


def test_an_address_with_letters_that_nobody_sees_is_no_members(make_club):
    club = make_club()
    club.write("player1\u2060@example.org", "register Carol\n")
    club.write(ANN, "register Ann\n")
    code = word(mail_to(club.post(), ANN))
    club.write(ANN, f"confirm {code}\n")
    club.post()
    club.write(ANN, "address add b\u00f6b@example.org\n")
    assert "letters from a to z" in said(mail_to(club.post(), ANN))
    assert [m.address for m in club.store.people.page()] == [ANN]


def test_what_a_mail_asks_of_the_club_is_explained(make_club):
    """'pbem deliver --explain': what a mail would come to, without any effect."""
    club = make_club()
    member(club, ANN, "Ann")
    mails = {
        f"From: {CAROL}\n\nregister Carol\n": "accept", f"From: {CAROL}\n\ngames\n": "reject-auth",
        f"From: {ANN}\n\ngames\n": "accept", f"From: {ANN}\n\njoin p1 axis now then\n": "ask-resend",
        f"From: {ANN}\nSubject: games\n\n": "accept",
    }
    found = explain.explain(club.context, [m.encode() for m in mails])
    assert [f["disposition"] for f in found] == list(mails.values())
    assert "asked of the club: games" in found[2]["reasons"] and club.post() == [] and club.store.people.at(CAROL) is None
