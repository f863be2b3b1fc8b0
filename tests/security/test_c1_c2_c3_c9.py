"""C1 signed mails sent on, C2 somebody else's Message-ID, C3 secrets in what is handed on, C9 allowances, C10 files."""

from __future__ import annotations

import re
import secrets as random_secrets
import stat
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from urllib.parse import quote

import dkim
import pytest

from pbem.mail import auth
from pbem.service.club import press, registry
from pbem.service.mailroom import classification, identity, secrets
from pbem.service.play import game_session
from tests.mail.test_auth import KEYS
from tests.service.conftest import ANN, BOB, JUDGE, REFEREE, Club, text

ORDERS = "game p1\nplace 5-1 at B1\nplace 5-2 at B1\nend\n"
SIGNED = (b"from", b"to", b"subject", b"date", b"message-id")
EVE = "eve@evil.example"

Patch = pytest.MonkeyPatch
Form = Callable[[str], str]
"""A way to write a secret down."""

Tokens = tuple[Club, str, EmailMessage]
"""A club under the policy 'token', the word of Ann's seat, and the first mail to her."""


# -- C1 ----------------------------------------------------------------------------------------------------------


def signing(club: Club) -> Club:
    key = (KEYS / "dkim.txt").read_bytes().strip()
    club.context.__dict__["dns"] = lambda name, timeout=5: key
    return club


@pytest.fixture(params=["dkim", "both"])
def signed_club(request: pytest.FixtureRequest, make_club: Any) -> Club:
    club = signing(make_club(policy=request.param))
    club.game()
    club.game("p2")
    club.post()
    return club


def write(
    club: Club, body: str = ORDERS, sender: str = ANN, to: str = JUDGE, subject: str = "", id: str = "a1", **more: str,
) -> bytes:
    """A mail of Ann's, with her word in the subject."""
    token = club.store.games.seat("p1", "allied").token
    fields = {
        "From": sender, "To": to, "Subject": subject or f"Re: [p1/{token}] Turn 1", "Date": "Sat, 14 Mar 2026 09:00:00 +0000",
        "Message-ID": f"<{id}@example.org>", **{k.replace("_", "-"): v for k, v in more.items()},
    }
    head = "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v)
    return (head + "\r\n" + body.replace("\n", "\r\n")).encode()


def sign(raw: bytes, covers: tuple[bytes, ...] = SIGNED, domain: bytes = b"example.org", **more: Any) -> bytes:
    key = (KEYS / "dkim.pem").read_bytes()
    relaxed = (b"relaxed", b"relaxed")
    return bytes(dkim.sign(raw, b"t1", domain, key, include_headers=list(covers), canonicalize=relaxed, **more)) + raw


def hand_in(club: Club, raw: bytes) -> str:
    from pbem.service.mailroom import intake

    mail, _ = intake.file(club.context, raw, club.context.now, "test")
    return intake.handle(club.context, mail.id).disposition


ON_TOP = {
    "another Message-ID": b"Message-ID: <evil@x>\r\n",
    "another Subject": b"Subject: Re: [p2] Turn 1\r\n",
    "a Subject that resigns": b"Subject: resign p1\r\n",
    "another Date": b"Date: Sun, 15 Mar 2026 09:00:00 +0000\r\n",
    "another To": b"To: judge@example.org\r\n",
    "another From": b"From: bob@example.org\r\n",
    "an encoding": b"Content-Transfer-Encoding: base64\r\n",
    "a type": b"Content-Type: text/html\r\n",
    "a language of its own": b"Content-Language: de\r\n",
    "a MIME-Version": b"MIME-Version: 1.0\r\n",
}


@pytest.mark.parametrize("top", ON_TOP.values(), ids=ON_TOP)
def test_c1_an_old_mail_with_a_field_on_top_is_not_believed(signed_club: Club, top: bytes, monkeypatch: Patch) -> None:
    """DKIM signs the lowest field of a name; a reader takes the topmost."""
    club = signed_club
    raw = top + sign(write(club, to=ANN if b"To:" in top else JUDGE))
    assert hand_in(club, raw) in ("reject-auth", "quarantine")
    assert club.store.games.draft("p1", "allied") is None
    monkeypatch.setattr(auth, "doubled", lambda fields: "")
    monkeypatch.setattr(auth, "uncovered", lambda *args: "")
    monkeypatch.setattr(auth, "_lacking", lambda *args: "")
    state, _ = auth.authenticate(raw, ANN, "", club.context.dns)
    assert state == (auth.FAIL if b"From:" in top else auth.PASS), "dkimpy itself only minds a second From"


UNCOVERED = {
    "To": (b"from", b"subject", b"date", b"message-id"),
    "Subject": (b"from", b"to", b"date", b"message-id"),
    "Date": (b"from", b"to", b"subject", b"message-id"),
    "Message-ID": (b"from", b"to", b"subject", b"date"),
}


@pytest.mark.parametrize("covers", UNCOVERED.values(), ids=UNCOVERED)
def test_c1_a_field_that_is_not_covered_spoils_a_mail(signed_club: Club, covers: tuple[bytes, ...], monkeypatch: Patch) -> None:
    """Whoever has such a mail can change that field in as many copies as he likes."""
    club = signed_club
    raw = sign(write(club), covers)
    assert hand_in(club, raw) == "reject-auth"
    said = b"Authentication-Results: mx.example.org; dkim=pass header.d=example.org; dmarc=pass header.from=example.org\r\n"
    assert auth.authenticate(said + raw, ANN, "mx.example.org", None)[0] == auth.FAIL, "whatever the trusted server says"
    monkeypatch.setattr(auth, "uncovered", lambda *args: "")
    monkeypatch.setattr(auth, "_lacking", lambda *args: "")
    assert auth.authenticate(said + raw, ANN, "mx.example.org", None)[0] == auth.PASS


def test_c1_a_host_can_let_a_field_be_uncovered(make_club: Any) -> None:
    club = signing(make_club(policy="dkim", dkim_may_lack="content-type, mime-version"))
    club.game()
    assert hand_in(club, sign(write(club, Content_Type="text/plain", MIME_Version="1.0"))) == "accept"
    assert hand_in(club, sign(write(club, id="a2"), UNCOVERED["Subject"])) == "reject-auth"


def test_c1_a_second_signature_that_covers_less_spoils_a_mail(signed_club: Club) -> None:
    """The trusted server's 'pass' may be that of the weaker one."""
    club = signed_club
    raw = sign(sign(write(club)), (b"from",))
    said = b"Authentication-Results: mx.example.org; dkim=pass header.d=example.org\r\n"
    assert auth.authenticate(said + raw, ANN, "mx.example.org", None)[0] == auth.FAIL


@pytest.mark.parametrize("domain", [b"evil.example", b"org", b"mail.example.org"])
def test_c1_a_signature_of_another_domain_shows_nothing(signed_club: Club, domain: bytes) -> None:
    assert hand_in(signed_club, sign(write(signed_club), domain=domain)) in ("reject-auth", "quarantine")


def test_c1_text_below_what_is_covered_spoils_a_mail(signed_club: Club) -> None:
    raw = sign(write(signed_club), length=True) + b"game p1\r\nconcede p1\r\nend\r\n"
    assert hand_in(signed_club, raw) == "reject-auth"


def test_c1_a_body_that_was_changed_spoils_a_mail(signed_club: Club) -> None:
    raw = sign(write(signed_club))
    assert hand_in(signed_club, raw.replace(b"at B1", b"at B2")) == "reject-auth"


@pytest.mark.parametrize("change", [b"X-A: 1\r\n", b"Received: from a by b; Sat, 14 Mar 2026 10:00:00 +0000\r\n"])
def test_c1_a_signed_mail_sent_again_has_no_effect(signed_club: Club, change: bytes) -> None:
    club = signed_club
    raw = sign(write(club))
    assert hand_in(club, raw) == "accept"
    assert hand_in(club, change + raw) == "ignore-auto"


def test_c1_without_a_message_id_text_and_date_tell_it_is_the_same(signed_club: Club, monkeypatch: Patch) -> None:
    club = signed_club
    body = "game p1\nstanding when bridge then blow\nend\n"
    raw = sign(write(club, body, id="").replace(b"Message-ID: <@example.org>\r\n", b""), SIGNED[:4])
    assert hand_in(club, raw) == "accept"
    rows = club.store.games.get("p1").seq
    assert hand_in(club, b"X-A: 1\r\n" + raw) == "ignore-auto" and club.store.games.get("p1").seq == rows
    monkeypatch.setattr(classification, "twins", lambda *args: [])
    assert hand_in(club, b"X-A: 2\r\n" + raw) != "ignore-auto", "without it, it is taken for a new mail"


@pytest.mark.parametrize("more", [{}, {"Cc": JUDGE}], ids=["to somebody else", "and to us by a Cc that was added"])
def test_c1_a_mail_that_was_written_to_somebody_else_is_asked_about(
    signed_club: Club, more: dict[str, str], monkeypatch: Patch,
) -> None:
    """Ann told Eve what she had ordered; Eve sends it on to us, with Ann's signature."""
    club = signed_club
    raw = sign(write(club, to=EVE, **more))
    assert hand_in(club, raw) == "ask-resend" and club.store.games.draft("p1", "allied") is None
    assert any("names our address neither in To nor in Cc" in " ".join(text(m).split()) for m in club.post() if m["To"] == ANN)
    monkeypatch.setattr(auth, "addressed", lambda *args: True)
    assert hand_in(club, sign(write(club, to=EVE, id="a2", Date="Sat, 14 Mar 2026 09:30:00 +0000", **more))) == "accept"


@pytest.mark.parametrize("body", ["concede p1\n", "address change eve@evil.example\n", "press to axis\nI give up\nend press\n"])
def test_c1_nothing_else_of_a_mail_to_somebody_else_is_done(signed_club: Club, body: str) -> None:
    club = signed_club
    assert hand_in(club, sign(write(club, body, to=EVE))) == "ask-resend"
    assert club.store.games.get("p1").status == "running" and not club.store.people.press("p1")


@pytest.mark.parametrize("to", [f"Judge <{JUDGE}>", f"{EVE}, {JUDGE}", JUDGE.upper(), JUDGE.replace("@", "+p1@")])
def test_c1_a_mail_to_us_in_other_forms_is_taken(signed_club: Club, to: str) -> None:
    assert hand_in(signed_club, sign(write(signed_club, to=to))) == "accept"


@pytest.mark.parametrize("subject", ["resign p1", "concede p1", "Re: resign p1"])
def test_c1_a_subject_gives_nothing_up(signed_club: Club, subject: str) -> None:
    club = signed_club
    token = club.store.games.seat("p1", "allied").token
    hand_in(club, sign(write(club, "\n", subject=f"{subject} [p1/{token}]")))
    assert club.store.games.get("p1").status == "running" and not club.store.games.seat("p1", "allied").leaving


# -- C2 ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", ["game p1\nready\nend\n", ORDERS], ids=["the same text", "another text"])
def test_c2_somebody_elses_message_id_takes_nothing_from_her(club: Club, body: str, monkeypatch: Patch) -> None:
    """Bob mails first under the Message-ID that Ann's mail is going to have."""
    club.write(BOB, "game p1\nstatus\nend\n", Message_ID="<ann-77@example.org>")
    club.write(BOB, body, Message_ID="<ann-78@example.org>")
    club.post()
    assert club.write(ANN, body, Message_ID="<ann-78@example.org>").disposition == "accept"
    assert any(m["To"] == ANN for m in club.post())


def test_c2_without_the_sender_hers_would_be_ignored(club: Club, monkeypatch: Patch) -> None:
    from pbem.store.api import ANYBODY

    monkeypatch.setattr(type(club.store.inbox), "believed", lambda self, id, sender: self._db.execute(
        "update inbox set sender = ? where id = ?", [ANYBODY, id]) and None)
    club.write(BOB, "game p1\nready\nend\n", Message_ID="<ann-78@example.org>")
    assert club.write(ANN, "game p1\nready\nend\n", Message_ID="<ann-78@example.org>").disposition == "ignore-auto"


def test_c2_a_forgery_under_her_message_id_takes_nothing_from_her(make_club: Any) -> None:
    """Eve forges Ann's address without her word: the same text under the same Message-ID."""
    club = make_club(policy="token")
    club.game()
    token = club.store.games.seat("p1", "allied").token
    assert club.write(ANN, ORDERS, Message_ID="<ann-79@example.org>").disposition == "quarantine"
    assert club.write(ANN, ORDERS, Message_ID="<ann-79@example.org>", Subject=f"[p1/{token}]").disposition == "accept"


def test_c2_the_same_mail_of_the_same_sender_counts_once(club: Club) -> None:
    assert club.write(ANN, ORDERS, Message_ID="<ann-80@example.org>").disposition == "accept"
    assert club.write(ANN, ORDERS, Message_ID="<ann-80@example.org>", X_Copy="1").disposition == "ignore-auto"


# -- C3 ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def tokens(make_club: Any) -> tuple[Club, str, EmailMessage]:
    club = make_club(policy="token")
    club._secret = random_secrets.token_bytes  # type: ignore[method-assign]
    club.open()
    club.game()
    first = next(m for m in club.post() if m["To"] == ANN)
    return club, club.store.games.seat("p1", "allied").token, first


FORMS: dict[str, Form] = {
    "bare": lambda w: w,
    "in our subject": lambda w: f"[p1/{w}]",
    "without brackets": lambda w: f"the word is p1/{w}",
    "in capitals": lambda w: w.upper(),
    "with blanks": lambda w: " ".join(w),
    "with dashes": lambda w: "-".join(w),
    "wrapped": lambda w: f"{w[:3]}\n{w[3:]}",
    "in two halves": lambda w: f"my word is {w[:5]}...\n... {w[5:]}",
    "percent-coded": lambda w: "".join(f"%{ord(c):02X}" for c in w),
    "of an address to unsubscribe": lambda w: quote(f"unsubscribe p1 [p1/{w}]", safe=""),
    "quoted-printable": lambda w: "".join(f"={ord(c):02X}" for c in w),
    "behind an equals sign": lambda w: f"word={w}",
    "entities": lambda w: "".join(f"&#{ord(c)};" for c in w),
    "wide letters": lambda w: "".join(chr(ord(c) + 0xFEE0) for c in w),
    "twice": lambda w: f"{w} {w}",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_c3_her_word_is_not_handed_on(tokens: Tokens, form: Form, monkeypatch: Patch) -> None:
    club, word, _ = tokens

    def got() -> str:
        said = form(word)
        club.write(ANN, f"game p1\npress to axis\nHello Bob\n{said}\nbye\nend press\nend\n", Subject=f"[p1/{word}]")
        mail = next(m for m in club.post() if m["To"] == BOB)
        return text(mail)

    mail = got()
    assert "Hello Bob" in mail and "(hidden)" in mail or "[p1]" in mail
    for coded in (False, True):
        assert word not in secrets._compact(mail, coded)[0]
    monkeypatch.setattr(secrets, "without", lambda context, addresses, said: said)
    monkeypatch.setattr(press, "redacted", lambda said: said)
    monkeypatch.setattr(press, "discreet", lambda said: said)
    club.later(hours=1)
    assert any(word in secrets._compact(mail, coded)[0] for mail in [got()] for coded in (False, True))


IDS: dict[str, Form] = {
    "whole": lambda i: i, "without brackets": lambda i: i.strip("<>"), "its end": lambda i: i.split("@")[0][-20:],
    "percent-coded": lambda i: quote(i, safe=""),
}


@pytest.mark.parametrize("form", IDS.values(), ids=IDS)
def test_c3_the_ids_of_our_mails_to_her_are_not_handed_on(tokens: Tokens, form: Form) -> None:
    club, word, first = tokens
    part = re.search(r"[0-9a-f]{18}", str(first["Message-ID"]))
    assert part is not None
    said = form(str(first["Message-ID"]))
    club.write(ANN, f"game p1\npress to axis\n{said}\nend press\nend\n", Subject=f"[p1/{word}]")
    assert part[0] not in "".join(text(next(m for m in club.post() if m["To"] == BOB)).split())


def test_c3_a_referees_reason_hands_nothing_on(tokens: Tokens) -> None:
    club, _, _ = tokens
    word = club.store.games.seat("p1", "referee").token
    step = club.store.games.get("p1").step_name
    body = f"game p1\nturn {game_session.numbered(step)}\nrule my word is {word}\nend\n"
    club.write(REFEREE, body, Subject=f"[p1/{word}]")
    told = [text(m) for m in club.post() if m["To"] in (ANN, BOB)]
    assert told and all(word not in said for said in told) and any("(hidden)" in said for said in told)


def test_c3_ordinary_words_stay(tokens: Tokens) -> None:
    club, word, _ = tokens
    said = "Dear Bob, 12 34 56 78 90 12 34 56 78: that is 100% of what I = have & hold; strengths 2-3-4-5."
    club.write(ANN, f"game p1\npress to axis\n{said}\nend press\nend\n", Subject=f"[p1/{word}]")
    assert said in " ".join(text(next(m for m in club.post() if m["To"] == BOB)).split())


def test_c3_new_words_make_the_old_ones_worthless(tokens: Tokens, monkeypatch: Patch) -> None:
    club, word, first = tokens
    club.later(hours=1)
    assert club.write(ANN, "token new\n", Subject=f"[p1/{word}]").disposition == "accept"
    fresh = club.store.games.seat("p1", "allied").token
    told = club.post()
    assert fresh != word and {str(m["To"]) for m in told} == {ANN} and any(f"[p1/{fresh}]" in str(m["Subject"]) for m in told)
    assert club.write(ANN, ORDERS, Subject=f"[p1/{word}]").disposition == "quarantine"
    assert club.write(ANN, ORDERS, In_Reply_To=str(first["Message-ID"])).disposition == "quarantine"
    assert club.write(ANN, ORDERS, Subject=f"[p1/{fresh}]").disposition == "accept"
    monkeypatch.setattr(identity, "TOKENS", "never")
    assert club.write(ANN, ORDERS, In_Reply_To=str(first["Message-ID"])).disposition != "quarantine", "the old thread"


def test_c3_who_has_stolen_a_word_gains_nothing_by_new_ones(tokens: Tokens) -> None:
    club, word, _ = tokens
    assert club.write(EVE, "token new\n", Subject=f"[p1/{word}]").disposition != "accept"
    assert club.store.games.seat("p1", "allied").token == word


# -- C9, C10 -----------------------------------------------------------------------------------------------------


def flood(club: Club) -> None:
    for i in range(registry.MOST_STRANGERS + 5):
        name = "".join("abcdefghij"[int(d)] for d in str(i))
        club.write(f"v{i}@victim{i}.example", f"register N{name}\n")


def test_c9_a_flood_of_registrations_takes_nothing_from_members(club: Club, monkeypatch: Patch) -> None:
    flood(club)
    sent = [m for m in club.post() if "victim" in str(m["To"])]
    assert len(sent) == registry.MOST_STRANGERS
    club.write(ANN, "address add ann2@example.org\n")
    assert {"ann2@example.org", ANN} <= {str(m["To"]) for m in club.post()}
    monkeypatch.setattr(registry, "MOST_OF_A_MEMBER", 0)
    club.write(ANN, "address add ann3@example.org\n")
    assert {str(m["To"]) for m in club.post()} == {ANN}


def test_c9_who_is_sent_nothing_is_not_told_that_something_is_on_its_way(club: Club) -> None:
    for n in range(registry.MOST_OF_A_MEMBER):
        club.write(ANN, f"address change ann{n}@example.org\n")
    club.post()
    club.write(ANN, "address add late@example.org\n")
    [answer] = club.post()
    said = " ".join(text(answer).split())
    assert "Nothing was mailed to late@example.org" in said and "on its way" not in said and "A word to confirm" not in said


def test_c9_one_address_is_not_flooded(club: Club) -> None:
    for n in range(registry.MOST_WORDS + 3):
        club.write("newbie@example.net", f"register New{'abcdefgh'[n]}\n")
    assert len([m for m in club.post() if m["To"] == "newbie@example.net"]) == registry.MOST_WORDS


def test_c10_the_database_is_for_its_owner_alone(club: Club, tmp_path: Path) -> None:
    from pbem.store import backup

    backup.copy(club.path, tmp_path / "copy.db")
    for file in (club.path, tmp_path / "copy.db"):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
