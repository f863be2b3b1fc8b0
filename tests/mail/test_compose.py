"""What we send."""

from __future__ import annotations

import email
from dataclasses import replace
from datetime import UTC, datetime
from email import policy
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.compose import Attachment, Image, Outgoing, Unsafe, clean, compose, message_id, thread
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.maildir import Maildir
from pbem.mail.parse import read
from pbem.mail.smtp import Sender

PLAIN = Outgoing(
    sender="judge@example.org",
    to="ann@example.org",
    subject="[p1] Turn 2",
    text="Situation – turn 2\n" + "x" * 300 + "\n.\nFrom the hill\n",
    message_id="<p1.2.ann@example.org>",
    date=datetime(2026, 3, 14, 9, 15, tzinfo=UTC),
)
FULL = replace(
    PLAIN,
    html="<p>Situation <img src='cid:map@p1'></p>",
    images=(Image("map@p1", "map.png", b"\x89PNG" * 100),),
    attachments=(
        Attachment("deadline.ics", "text/calendar", b"BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"),
        Attachment("r.json", "application/json", b"{}"),
    ),
    in_reply_to="<a@example.org>",
    references=("<root@example.org>", "<a@example.org>"),
    game="P1",
    unsubscribe="judge@example.org?subject=unsubscribe%20p1",
    sender_name="Judge, the",
)


def parsed(raw: bytes) -> EmailMessage:
    message = email.message_from_bytes(raw, policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_headers() -> None:
    message = parsed(compose(FULL))
    assert {name: str(message[name]) for name in ("From", "To", "Message-ID", "In-Reply-To", "References", "Date")} == {
        "From": '"Judge, the" <judge@example.org>',
        "To": "ann@example.org",
        "Message-ID": "<p1.2.ann@example.org>",
        "In-Reply-To": "<a@example.org>",
        "References": "<root@example.org> <a@example.org>",
        "Date": "Sat, 14 Mar 2026 09:15:00 +0000",
    }
    marks = {
        "Auto-Submitted": "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Pbem": "1",
        "List-Id": "<p1.pbem.example.org>",
        "List-Unsubscribe": "<mailto:judge@example.org?subject=unsubscribe%20p1>",
    }
    assert {name: str(message[name]) for name in marks} == marks


def test_structure() -> None:
    kinds = [part.get_content_type() for part in parsed(compose(FULL)).walk()]
    assert kinds == [
        "multipart/mixed",
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
        "text/calendar",
        "application/json",
    ]
    assert [part.get_content_type() for part in parsed(compose(PLAIN)).walk()] == ["text/plain"]
    image = next(part for part in parsed(compose(FULL)).walk() if part.get_content_type() == "image/png")
    assert (image["Content-ID"], image.get_content_disposition(), image.get_filename()) == ("<map@p1>", "inline", "map.png")


def test_short_plain_lines_and_the_same_bytes_each_time() -> None:
    raw = compose(FULL)
    assert raw == compose(FULL)
    assert raw.isascii()
    assert max(len(line) for line in raw.split(b"\r\n")) <= 76
    assert parsed(compose(PLAIN)).get_content().splitlines() == PLAIN.text.splitlines()


def test_it_comes_back_as_automatic_mail() -> None:
    assert read(compose(PLAIN)).auto == "our own mail"
    mine = read(compose(replace(PLAIN, by_hand=True)))
    assert (mine.auto, mine.message_id, mine.senders) == ("", "<p1.2.ann@example.org>", ("judge@example.org",))
    assert mine.typed.startswith("Situation – turn 2\n")


def test_as_received(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server, Sender("127.0.0.1", server.port, tls="none") as sender:
        sender.send("judge@example.org", "ann@example.org", compose(FULL))
        [fetched] = Maildir(server.maildir("ann@example.org")).fetch()
    assert fetched.raw.endswith(compose(FULL))


@pytest.mark.parametrize(
    "wrong",
    [
        {"to": "ann@example.org\r\nBcc: eve@example.org"},
        {"to": "ann@example.org, eve@example.org"},
        {"to": "Ann <ann@example.org>"},
        {"to": ""},
        {"sender": "judge"},
        {"message_id": "<a b@example.org>"},
        {"message_id": ""},
        {"references": ("<a@example.org>\r\nBcc: eve@example.org",)},
        {"in_reply_to": "x"},
        {"game": "p1>\r\nX: y"},
        {"unsubscribe": "judge@example.org?subject=a>\r\nX: y"},
        {"date": datetime(2026, 3, 14)},
    ],
)
def test_what_cannot_be_a_header_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(Unsafe):
        compose(replace(PLAIN, **wrong))  # type: ignore[arg-type]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=120), st.text(max_size=60), st.text(max_size=200))
def test_no_text_makes_a_header(subject: str, name: str, text: str) -> None:
    attached = (Attachment(name, "text/plain", b"x"),)
    raw = compose(replace(FULL, subject=subject, sender_name=name, text=text, attachments=attached))
    message = parsed(raw)
    assert sorted(set(message.keys())) == sorted(set(parsed(compose(FULL)).keys()))
    assert message["To"] == "ann@example.org"
    assert [a.addr_spec for a in message["From"].addresses] == ["judge@example.org"]


@pytest.mark.parametrize(
    "subject", ["Re: – =?UTF-8?Q?=0A?=Bcc: eve@example.org", "a\r\nBcc: eve@example.org", "a\u2028b\x0bc", "==??"]
)
def test_clean(subject: str) -> None:
    cleaned = clean(subject)
    assert "=?" not in cleaned and cleaned.isprintable()
    raw = compose(replace(PLAIN, subject=subject))
    assert b"\nBcc" not in raw


def test_message_ids_and_threads() -> None:
    assert message_id("example.org", "p1", 2, "report for Ann") == "<p1.2.report-for-Ann@example.org>"
    assert thread("<r@x.org>") == ("<r@x.org>", ("<r@x.org>",))
    assert thread("<r@x.org>", "<b@x.org>", ["<r@x.org>", "<a@x.org>", "<bad id>"]) == (
        "<b@x.org>",
        ("<r@x.org>", "<a@x.org>", "<b@x.org>"),
    )
    assert thread("", "nonsense") == ("", ())
    assert len(thread("<r@x.org>", "<z@x.org>", [f"<{n}@x.org>" for n in range(100)])[1]) == 21
