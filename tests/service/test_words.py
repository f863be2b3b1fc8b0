"""What counts as a player's own words, from the raw mail to its effect: rows B1 to B11 of the faults that were found, each a
kind of its own."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from pbem.service.mailroom import intake
from tests.service.conftest import ANN, BOB, JUDGE, text

FIRST = "game p1\nturn 1 reinforcement\nplace 5-1 at B1\nplace 5-2 at B1\nwait\nend\n"
OTHER = FIRST.replace("5-2 at B1", "5-2 at B2")
READY = "game p1\nready\nend\n"
WORD = re.compile(r"confirm ([2-9bcdfghjkmnpqrstvwxz]{8})")


def orders(club) -> int:
    """How often orders of Ann's have been put in force."""
    return len(list(club.store.journal.rows("p1", kinds=["orders"])))


def said(mail: EmailMessage) -> str:
    return " ".join(text(mail).split())


def html(club, sender: str, body: str, **headers: str):
    return club.write(sender, body, Content_Type="text/html; charset=utf-8", **headers)


# -- B1 ------------------------------------------------------------------------------------------------

UNKNOWN = {
    "no heading": "Nothing to add from my side.\n\n", "an odd heading": "Nothing to add.\n\n~ Ann, some days ago ~\n\n",
    "a heading in no known language": "Bon, nuk kam asgjë.\n\nAnn shkroi:\n\n", "a rule": "Nothing to add from me.\n\n* * *\n",
    "a name": "Nothing to add from me.\n\nAnn:\n",
}


@pytest.mark.parametrize("above", UNKNOWN.values(), ids=UNKNOWN)
def test_b1_a_block_that_came_before_under_other_words_is_asked_about_and_confirmed_by_one_line(club, above):
    assert club.write(ANN, FIRST).disposition == "accept"
    assert club.write(ANN, OTHER).disposition == "accept"
    club.later(hours=3)
    club.post()
    outcome = club.write(ANN, above + FIRST, In_Reply_To="<x@example.org>")
    assert outcome.disposition == "ask-resend" and "those of your mail of 14 March, 09:15" in outcome.reason
    [asked] = club.post()
    assert asked["To"] == ANN and "Please confirm" in asked["Subject"]
    assert "Nothing of your mail has been carried out" in said(asked) and "| place 5-2 at B1" in text(asked)
    assert club.store.games.draft("p1", "allied").lines[-1] == "place 5-2 at B2"
    word = WORD.search(text(asked))[1]
    quote = "".join(f"{line}\n" for line in text(asked).splitlines())
    assert club.write(ANN, f"confirm {word}\n\n{quote}").disposition == "accept"
    assert club.store.games.draft("p1", "allied").lines[-1] == "place 5-2 at B1"
    assert "Kept, not in force" in text(club.post()[-1])
    assert club.write(ANN, f"confirm {word}\n").disposition == "accept-with-errors"


def test_b1_a_word_confirms_for_its_own_mail_and_from_its_own_address(club):
    club.write(ANN, FIRST)
    club.write(ANN, OTHER)
    club.post()
    club.write(ANN, "Nothing to add from my side.\n\n" + FIRST)
    word = WORD.search(text(club.post()[0]))[1]
    assert club.write(BOB, f"confirm {word}\n").disposition == "accept-with-errors"
    assert club.store.games.draft("p1", "allied").lines[-1] == "place 5-2 at B2"
    club.later(hours=24 * 8)
    assert club.write(ANN, f"confirm {word}\n").disposition == "accept-with-errors"
    assert club.store.games.draft("p1", "allied").lines[-1] == "place 5-2 at B2"


def test_b1_orders_that_were_asked_about_and_never_confirmed_are_asked_about_in_a_quote_as_well(club):
    asked = f"<s>No:</s><p>{OTHER.replace('place 5-1', '<s>place 50-1</s> place 5-1')}</p>".replace("\n", "<br>")
    assert html(club, ANN, asked).disposition == "ask-resend"
    assert club.write(ANN, "So what about this one now?\n\n" + OTHER).disposition == "ask-resend"


@pytest.mark.parametrize(
    "again",
    [FIRST, f"Hi judge,\n\n{FIRST}\nCheers,\nAnn\n", FIRST.upper(), FIRST.replace("\n", "  \n"), f"{FIRST}\nThanks!\n"],
)
def test_b1_the_same_block_with_no_other_words_is_no_quote(club, again):
    club.write(ANN, f"These are my orders for now, I think.\n\n{FIRST}")
    club.post()
    assert club.write(ANN, again).disposition == "accept"


def test_b1_talk_around_a_short_block_is_no_reason_to_ask(club):
    for talk in ("", "Nice shot, Bob!\n\n", "On we go.\n\n", "I like this game.\n\n"):
        club.write(ANN if club.store.games.get("p1").waiting[0] == "allied" else BOB, talk + READY)
    assert not [m for m in club.post() if "Please confirm" in m["Subject"]]


def test_b1_but_a_line_that_looks_like_a_heading_is(club):
    club.play(until=lambda g: g.step_name == "1 allied movement")
    before = orders(club), club.store.games.get("p1").seq
    assert club.write(ANN, f"Seen.\n\nAnn, some time ago\n\n{READY}").disposition == "ask-resend"
    assert (orders(club), club.store.games.get("p1").seq) == before


def test_b1_requests_may_come_again_under_any_words(club):
    for words in ("Hello!", "And once more: what is it?", "Now then, at 10:02:"):
        assert club.write(ANN, f"{words}\n\ngame p1\nstatus\nend\n").disposition == "accept"


# -- B2, B3: see tests/mail/test_versions.py ------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (FIRST.replace("place 5-2", "<s>place 5-2</s>"), "lines of your orders are struck out"),
        (f"<style>.h{{display:none}}</style><div class='h'>{FIRST}</div>Hello", "formatting hides"),
        (f"Hello<blockquote>{FIRST}</blockquote>", "no orders"), (f"<del>{FIRST}</del>", "struck out"),
    ],
)
def test_b3_struck_out_and_hidden_lines_are_asked_about(club, body, why):
    assert html(club, ANN, body.replace("\n", "<br>")).disposition == "ask-resend"
    [answer] = club.post()
    assert why in said(answer) and orders(club) == 0 and club.store.games.draft("p1", "allied") is None


def test_b3_what_is_confirmed_is_what_was_read(club):
    html(club, ANN, FIRST.replace("place 5-2", "<s>place 50-2</s> place 5-2").replace("\n", "<br>"))
    asked = text(club.post()[0])
    assert "50-2" not in asked
    assert club.write(ANN, f"confirm {WORD.search(asked)[1]}\n").disposition == "accept"
    assert club.store.games.draft("p1", "allied").lines == ("phase 1 reinforcement", "place 5-1 at B1", "place 5-2 at B1")


def test_b2_versions_that_differ_are_asked_about(club):
    body = (
        f"--b\nContent-Type: text/plain\n\nSeen.\n\n{FIRST}\n--b\nContent-Type: text/html\n\n<p>Seen.</p>"
        f"<blockquote>{FIRST}</blockquote>\n--b--\n".replace(f">{FIRST}", ">" + FIRST.replace("\n", "<br>"))
    )
    outcome = club.write(ANN, body, MIME_Version="1.0", Content_Type='multipart/alternative; boundary="b"')
    assert outcome.disposition == "ask-resend" and "shows these orders as quoted" in outcome.reason
    assert orders(club) == 0 and "| place 5-1 at B1" in text(club.post()[0])


# -- B4 ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", ["| ", "|  ", " | "])
def test_b4_lines_copied_from_our_receipt_count_in_a_block(club, mark):
    body = f"game p1\nturn 1 reinforcement\n{mark}place 5-1 at B1\n{mark}place 5-2 at B1\nplace 50-1 at B3\nwait\nend\n"
    assert club.write(ANN, body).disposition == "accept"
    assert len(club.store.games.draft("p1", "allied").lines) == 4


def test_b4_a_receipt_that_is_quoted_whole_stays_a_quote(club):
    body = f"{FIRST}\n| game p1\n| place 5-2 at B2\n| end\n"
    assert club.write(ANN, body).disposition == "accept"
    assert club.store.games.draft("p1", "allied").lines[-1] == "place 5-2 at B1"


@pytest.mark.parametrize("mark", ["> ", ">> ", "» ", "Ann> "])
def test_b4_a_marked_line_in_a_block_is_left_out_and_named(club, mark):
    club.write(ANN, f"game p1\nplace 5-1 at B1\n{mark}place 5-2 at B2\nwait\nend\n")
    [answer] = club.post()
    assert "Not read, as it is marked as quoted" in said(answer) and "place 5-2 at B2" in said(answer)


def test_b4_our_template_below_orders_is_no_second_block(club):
    template = "game p1\nturn 1 reinforcement\n# place 5-1 at B1\n; place 5-2 at B1\nend\n"
    assert club.write(ANN, FIRST + template).disposition == "accept"
    assert club.write(ANN, template + OTHER).disposition == "accept"
    outcome = club.write(ANN, template)
    assert outcome.disposition == "ask-resend" and "only comments" in outcome.reason


# -- B5 ------------------------------------------------------------------------------------------------


def test_b5_a_valid_word_from_another_address_is_told_to_the_owner_once(make_club):
    club = make_club(policy="token")
    club.game()
    first = next(m for m in club.post() if m["To"] == ANN)
    for fields in ({"Subject": f"Re: {first['Subject']}"}, {"In_Reply_To": str(first["Message-ID"])}):
        assert club.write("ann@phone.example.org", FIRST, **fields).disposition == "reject-auth"
    [told] = club.post()
    assert told["To"] == ANN and "address add ann@phone.example.org" in said(told) and "place" not in text(told)
    assert club.write("bob@phone.example.org", FIRST, Subject="Re: [p1/bcdfghjk] Turn 1").disposition == "reject-auth"
    assert club.post() == [] and orders(club) == 0


@pytest.mark.parametrize("wish", ["All", "OOF, AutoReply", "DR, RN, NRN, OOF, AutoReply"])
def test_b5_a_wish_about_answers_makes_nobody_a_machine(club, wish):
    assert club.write(ANN, FIRST, X_Auto_Response_Suppress=wish).disposition == "accept"


def test_b5_with_another_sign_it_is_a_machine(club):
    assert club.write(ANN, FIRST, X_Auto_Response_Suppress="All", Return_Path="<>").disposition == "ignore-auto"


# -- B6 ------------------------------------------------------------------------------------------------


def test_b6_a_signature_within_a_message_is_the_messages(club):
    outcome = club.write(ANN, f"press to axis\nHi Bob\n-- \nAnn\nend press\n{FIRST}")
    assert outcome.disposition == "accept" and club.store.games.draft("p1", "allied") is not None
    assert club.store.people.press("p1")[0].text.splitlines()[-1] == "Ann"


@pytest.mark.parametrize("last", ["end press\n", "-- \nAnn\nend press\n", "-- \nAnn\n", ""])
def test_b6_nothing_inside_a_message_is_carried_out(club, last):
    club.write(ANN, f"press to axis\nYou could have sent:\ngame p1\nconcede p1\nend\n{last}")
    assert club.store.games.get("p1").status == "running" and orders(club) == 0


def test_b6_a_message_without_an_end_right_above_orders_is_asked_about(club):
    outcome = club.write(ANN, f"press to axis\nWhat about\n{FIRST}")
    assert outcome.disposition == "ask-resend" and "no 'end press'" in outcome.reason
    assert club.store.people.press("p1") == [] and club.store.games.draft("p1", "allied") is None


def test_b6_a_message_and_orders_with_a_blank_line_between_are_both(club):
    assert club.write(ANN, f"press to axis\nGood luck!\n\n{FIRST}").disposition == "accept"
    assert len(club.store.people.press("p1")) == 1 and club.store.games.draft("p1", "allied") is not None


def test_b6_lines_cut_as_a_signature_that_look_like_orders_are_named(club):
    assert club.write(ANN, f"{FIRST}\n-- \nAnn\nplace 50-1 at B3\nmove along, please\n").disposition == "accept"
    [answer] = club.post()
    assert "part of your signature: 'place 50-1 at B3'" in said(answer) and "'Ann'" not in said(answer)


# -- B7: the rest is in test_people_seats.py ---------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        "I am away until Monday.\n\nPlease confirm. If that is right, send this line:\nconfirm WORD\n",
        "Out of the office.\nconfirm WORD\n", "Thank you for your mail, which I will read soon.\n\n    confirm WORD\n",
    ],
)
def test_b7_a_machine_that_quotes_the_word_confirms_nothing(club, reply):
    club.write("carol@example.org", "register Carol\n")
    word = WORD.search(text(club.post()[0]))[1]
    club.write("carol@example.org", reply.replace("WORD", word))
    assert club.store.people.at("carol@example.org") is None and club.post() == []
    assert club.write("carol@example.org", f"confirm {word}\n\nThanks, Carol\n").disposition == "accept"
    assert club.store.people.at("carol@example.org") is not None


@pytest.mark.parametrize("sign", ["👍", "❤️", "🎉🎉", "👍🏽\n\n> game p1\n> end"])
def test_b7_a_sign_is_not_answered(club, sign):
    assert club.write(ANN, f"{sign}\n", Content_Type="text/plain; charset=utf-8").disposition == "ignore-auto"
    assert club.post() == []


# -- B10 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [FIRST.replace("wait\n", ""), READY], ids=["orders", "ready"])
def test_b10_send_pressed_twice_is_nothing_new(club, body):
    first = next(iter(club.store.outbox.sent_to("p1", "allied"))).message_id
    assert club.write(ANN, body, In_Reply_To=first, Date="Sat, 14 Mar 2026 09:14:50 +0000").disposition == "accept"
    club.later(minutes=2)
    club.post()
    before = club.store.games.get("p1").seq
    outcome = club.write(ANN, body, In_Reply_To=first, Date="Sat, 14 Mar 2026 10:15:00 +0100")
    assert outcome.disposition == "accept" and outcome.reason.startswith("says the same as mail")
    [answer] = club.post()
    assert "This is what you sent on 14 March, 09:15: nothing new" in said(answer) and "NOT ACCEPTED" not in text(answer)
    assert club.store.games.get("p1").seq == before


def test_b10_the_same_answer_to_an_old_mail_a_while_later_counts(club):
    first = next(iter(club.store.outbox.sent_to("p1", "allied"))).message_id
    for minute in range(0, 40, 10):
        club.later(minutes=10)
        before = club.store.games.get("p1").seq
        who = ANN if club.store.games.get("p1").waiting[0] == "allied" else BOB
        club.write(who, READY, In_Reply_To=first, Date=f"Sat, 14 Mar 2026 09:{minute:02}:00 +0000")
        assert club.store.games.get("p1").seq > before


def test_b10_orders_sent_again_when_the_game_has_moved_on_are_nothing_new(club):
    club.write(ANN, FIRST.replace("wait", "ready"))
    club.post()
    outcome = club.write(ANN, FIRST.replace("wait", "ready"))
    assert outcome.disposition == "accept"
    assert "nothing new" in said(club.post()[0])


def test_b10_the_same_words_in_answer_to_a_later_mail_count_anew(club):
    ids = []
    for _ in range(2):
        waiting = club.store.games.get("p1").waiting[0]
        letter = list(club.store.outbox.sent_to("p1", waiting))[-1]
        ids.append(letter.message_id)
        seq = club.store.games.get("p1").seq
        assert club.write(ANN if waiting == "allied" else BOB, READY, In_Reply_To=letter.message_id).disposition == "accept"
        assert club.store.games.get("p1").seq > seq
    assert len(set(ids)) == 2


CAUSES = {
    "flowed with every line soft": (
        "".join(f"{line} \n" for line in FIRST.splitlines()), {"Content_Type": "text/plain; charset=utf-8; format=flowed"}
    ),
    "related, root not first": (
        "--r\nContent-Type: image/png\nContent-ID: <i>\nContent-Transfer-Encoding: base64\n\niVBORw0KGgo=\n"
        f"--r\nContent-Type: text/plain\nContent-ID: <root>\n\n{FIRST}\n--r--\n",
        {"MIME_Version": "1.0", "Content_Type": 'multipart/related; boundary=r; start="<root>"'},
    ),
    "HTML called plain": ("<html><body><div>" + FIRST.replace("\n", "</div><div>") + "</div></body></html>", {}),
    "quoted-printable without a label": (FIRST.replace("reinforcement", "reinforce=\nment=20").replace("end", "end=20"), {}),
}


@pytest.mark.parametrize(("body", "fields"), CAUSES.values(), ids=CAUSES)
def test_b10_text_under_wrong_labels_is_read(club, body, fields):
    assert club.write(ANN, body, **fields).disposition == "accept"
    assert club.store.games.draft("p1", "allied") is not None


def test_b10_a_signature_that_fails_is_named_as_the_cause(make_club):
    club = make_club(policy="dkim", authserv_id="mx.example.org")
    club.game()
    club.post()
    result = "Authentication-Results: mx.example.org; dkim=fail header.d=example.org\r\n"
    raw = f"{result}From: {ANN}\r\nTo: {JUDGE}\r\nSubject: Re: [p1]\r\nDate: Sat, 14 Mar 2026 09:15:00 +0000\r\n\r\n{FIRST}"
    mail, _ = intake.file(club.context, raw.encode(), club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition in ("reject-auth", "quarantine")
    [told] = club.post()
    assert "dkim=fail" in said(told) and "answer to one of our mails" not in said(told)


# -- B11 -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line", ["*place* 5-1 _at_ B1", "_place 5-1 at B1_", "/place/ 5-1 at *B1*", "place 5-1 at B1\0", "**place 5-1** at B1"]
)
def test_b11_marks_of_emphasis_are_off(club, line):
    assert club.write(ANN, FIRST.replace("place 5-1 at B1", line)).disposition == "accept"
    assert "place 5-1 at B1" in club.store.games.draft("p1", "allied").lines


def test_b11_nul_joins_nothing(club):
    outcome = club.write(ANN, FIRST.replace("at B1\nplace 5-2", "at B\0001\nplace 5-2"))
    assert outcome.disposition == "accept-with-errors"
    assert "place 5-1 at B1" not in club.store.games.draft("p1", "allied").lines


def test_b11_text_that_cannot_be_decoded_is_named_and_not_echoed(club):
    noise = "".join(chr(33 + n * 7 % 90) for n in range(400))
    outcome = club.write(ANN, f"\u00ff{noise}", Content_Transfer_Encoding="base64", Content_Type="text/plain; charset=utf-8")
    assert outcome.disposition == "ask-resend" and "came damaged" in outcome.reason
    assert noise[:10] not in text(club.post()[0])


# -- B9 ------------------------------------------------------------------------------------------------


ODD = ["idna", "punycode", "undefined", "rot13", "hex", "unicode_escape", "mbcs", "base64", "x" * 500, "\u00e4"]


@pytest.mark.parametrize("charset", ODD)
@pytest.mark.parametrize("subtype", ["plain", "html"])
def test_b9_an_odd_charset_is_an_unknown_one(club, charset, subtype):
    body = FIRST.replace("end", "# \u00e9\nend")
    body = body.replace("\n", "<br>") if subtype == "html" else body
    raw = f"From: {ANN}\r\nTo: {JUDGE}\r\nContent-Type: text/{subtype}; charset={charset}\r\n\r\n{body}"
    mail, _ = intake.file(club.context, raw.encode("latin-1", "replace"), club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition == "accept"


@pytest.mark.parametrize("charset", ["idna", "punycode", "undefined"])
def test_b9_nor_does_one_in_a_report_stop_anything(club, charset):
    raw = (
        b"From: mailer-daemon@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/report; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/rfc822-headers; charset=" + charset.encode() + b"\r\n\r\nTo: \xe9@example.org\r\n--b--\r\n"
    )
    mail, _ = intake.file(club.context, raw, club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition == "ignore-auto"


# -- B8: see tests/mail/test_address.py --------------------------------------------------------------------


@pytest.mark.parametrize("sender", ["änn@example.org", "änn@exämple.org"])
def test_b8_who_cannot_be_written_to_is_not_registered_and_nothing_fails(club, sender):
    raw = f"From: {sender}\r\nTo: {JUDGE}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nregister Änn\r\n".encode()
    mail, _ = intake.file(club.context, raw, club.context.now, "test")
    outcome = intake.handle(club.context, mail.id)
    assert outcome.disposition == "reject-auth" and "before the @" in outcome.reason
    assert club.post() == []


def test_b8_a_domain_of_other_letters_is_written_to_in_ascii(club):
    raw = f"From: Carol <carol@exämple.org>\r\nTo: {JUDGE}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nregister Carol\r\n"
    mail, _ = intake.file(club.context, raw.encode(), club.context.now, "test")
    assert intake.handle(club.context, mail.id).disposition == "accept"
    [told] = club.post()
    assert told["To"] == "carol@xn--exmple-cua.org"


@pytest.mark.parametrize("line", ["address add änn@example.org", "address add ann@example..org", "address change ann@-x.org"])
def test_b8_an_address_that_cannot_be_written_to_is_refused_in_the_answer(club, line):
    assert club.write(ANN, f"{line}\n", Content_Type="text/plain; charset=utf-8").disposition == "accept-with-errors"
    assert [m["To"] for m in club.post()] == [ANN]
