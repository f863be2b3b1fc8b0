"""Sending: the embedded server, and servers that refuse, fail or hang up."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from pbem.mail.embedded import EmbeddedServer
from pbem.mail.maildir import Maildir
from pbem.mail.replies import DATA, MAIL as FROM, NotAllowed, RCPT, judged
from pbem.mail.smtp import Permanent, Sender, SendError, Temporary, Unavailable, Unknown

MAIL = b"Subject: x\n\nhello\n.\n..two\r\nlast\rend"


def stored(server: EmbeddedServer, address: str) -> list[bytes]:
    return [fetched.raw for fetched in Maildir(server.maildir(address)).fetch()]


def test_a_mail_arrives_as_it_was_sent(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server, Sender("127.0.0.1", server.port, tls="none") as sender:
        sender.send("judge@example.org", "Ann@example.org", MAIL)
        sender.send("", "bob@example.org", MAIL)
        [mail] = stored(server, "ann@example.org")
        assert mail == (
            b"Return-Path: <judge@example.org>\r\nDelivered-To: Ann@example.org\r\n"
            b"Subject: x\r\n\r\nhello\r\n.\r\n..two\r\nlast\r\nend\r\n"
        )
        assert stored(server, "bob@example.org")[0].startswith(b"Return-Path: <>\r\n")


def test_nothing_within_a_mail_can_end_it(tmp_path: Path) -> None:
    smuggled = b"Subject: x\n\na\n.\r\nMAIL FROM:<eve@example.org>\n.\n"
    with EmbeddedServer(tmp_path) as server, Sender("127.0.0.1", server.port, tls="none") as sender:
        sender.send("judge@example.org", "ann@example.org", smuggled)
        assert len(stored(server, "ann@example.org")) == 1


def test_a_receiver_cannot_leave_the_folder(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path / "mail") as server, Sender("127.0.0.1", server.port, tls="none") as sender:
        sender.send("judge@example.org", "../../../x@example.org", MAIL)
    assert [path.name for path in tmp_path.iterdir()] == ["mail"]
    assert [path.name for path in (tmp_path / "mail").iterdir()] == ["_.._.._x@example.org"]


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.1", "::"])
def test_the_embedded_server_listens_on_loopback_only(tmp_path: Path, host: str) -> None:
    with pytest.raises(ValueError, match="loopback only"):
        EmbeddedServer(tmp_path, host=host)


def test_the_port_is_free_again_after_stop(tmp_path: Path) -> None:
    with EmbeddedServer(tmp_path) as server:
        port = server.port
    with EmbeddedServer(tmp_path, port=port) as server:
        assert server.port == port


class Staged:
    """Answers as told, once for each answer, then takes mail."""

    def __init__(self, rcpt: list[str] | None = None, data: list[str] | None = None) -> None:
        self.rcpt, self.data = rcpt or [], data or []
        self.taken: list[bytes] = []

    async def handle_RCPT(self, server: Any, session: Any, envelope: Any, address: str, options: list[str]) -> str:
        answer = self.rcpt.pop(0) if self.rcpt else "250 ok"
        if answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        answer = self.data.pop(0) if self.data else "250 ok"
        if answer == "drop":
            self.taken.append(envelope.content)
            server.transport.abort()
        if answer.startswith("250"):
            self.taken.append(envelope.content)
        return answer


@pytest.fixture
def staged() -> Iterator[Any]:
    running: list[Controller] = []

    def start(**answers: list[str]) -> tuple[Staged, Sender]:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        handler = Staged(**answers)
        controller = Controller(handler, hostname="127.0.0.1", port=port)
        controller.start()
        running.append(controller)
        return handler, Sender("127.0.0.1", port, tls="none", timeout=5)

    yield start
    for controller in running:
        controller.stop()


@pytest.mark.parametrize(
    ("answers", "kind"),
    [
        ({"data": ["451 try later"]}, Temporary),
        ({"data": ["550 no"]}, Permanent),
        ({"data": ["552 too large"]}, Permanent),
        ({"rcpt": ["450 busy"]}, Temporary),
        ({"rcpt": ["550 no such user"]}, Permanent),
        ({"data": ["421 closing"]}, Unavailable),
        ({"data": ["drop"]}, Unknown),
    ],
)
def test_failures_and_going_on_after_them(staged: Any, answers: dict[str, list[str]], kind: type[SendError]) -> None:
    handler, sender = staged(**answers)
    with sender:
        with pytest.raises(kind) as caught:
            sender.send("judge@example.org", "ann@example.org", MAIL)
        assert type(caught.value) is kind
        taken = len(handler.taken)
        assert taken == (kind is Unknown)
        sender.send("judge@example.org", "ann@example.org", MAIL)
        assert len(handler.taken) == taken + 1


def test_a_server_that_hung_up_between_two_mails(staged: Any) -> None:
    handler, sender = staged()
    with sender:
        sender.send("judge@example.org", "ann@example.org", MAIL)
        assert sender._smtp is not None and sender._smtp.sock is not None
        sender._smtp.sock.shutdown(socket.SHUT_RDWR)
        sender.send("judge@example.org", "ann@example.org", MAIL)
    assert len(handler.taken) == 2


def test_no_server() -> None:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        with pytest.raises(Temporary):
            Sender("127.0.0.1", s.getsockname()[1], tls="none", timeout=2).send("judge@example.org", "ann@example.org", MAIL)


def test_a_server_without_tls_gets_no_mail(staged: Any) -> None:
    handler, sender = staged()
    with pytest.raises(Temporary):
        Sender("127.0.0.1", sender.port, tls="starttls", timeout=2).send("judge@example.org", "ann@example.org", MAIL)
    assert handler.taken == []


@pytest.mark.parametrize("rcpt", ["ann@example.org>\r\nRCPT TO:<eve@example.org", "ä@example.org", "a b@example.org"])
def test_an_address_that_would_be_a_command(rcpt: str) -> None:
    with pytest.raises(Permanent):
        Sender("127.0.0.1", 9, tls="none").send("judge@example.org", rcpt, MAIL)


REPLIES = [
    # (code, words, command, kind)
    (550, "5.4.5 Daily user sending limit exceeded. See https://support.example.org", RCPT, Unavailable),
    (550, "5.4.5 Daily SMTP relay limit exceeded for user", DATA, Unavailable),
    (421, "4.7.0 Try again later, closing connection.", FROM, Unavailable),
    (421, "4.7.28 Our system has detected an unusual rate of mail originating from your IP address", DATA, Unavailable),
    (454, "4.7.0 Too many login attempts, please try again later.", FROM, Unavailable),
    (554, "5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; a permanent exception", DATA, Unavailable),
    (554, "5.7.0 The limit on the number of allowed outgoing messages was exceeded. Try again later.", DATA, Unavailable),
    (452, "4.5.3 You have exceeded the hourly limit of recipients", RCPT, Unavailable),
    (550, "You have exceeded your hourly sending quota", DATA, Unavailable),
    (552, "5.2.2 Daily message quota exceeded for your account", DATA, Unavailable),
    (450, "4.7.1 Error: too much mail from 192.0.2.1, rate limit exceeded", RCPT, Unavailable),
    (550, "5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Spamhaus", RCPT, Unavailable),
    (432, "4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded", DATA, Unavailable),
    (451, "4.3.0 Mail server temporarily rejected message", FROM, Unavailable),
    (452, "4.3.1 Insufficient system storage", FROM, Unavailable),
    (550, "5.1.8 Access denied, bad outbound sender: your account sends too many messages", RCPT, Unavailable),
    (535, "5.7.8 Username and Password not accepted", FROM, NotAllowed),
    (530, "5.7.0 Must issue a STARTTLS command first", FROM, NotAllowed),
    (530, "5.7.57 Client not authenticated to send mail", FROM, NotAllowed),
    (550, "5.7.60 SMTP; Client does not have permissions to send as this sender", DATA, NotAllowed),
    (553, "5.7.1 Sender address rejected: not owned by user judge", FROM, NotAllowed),
    (554, "5.7.1 <ann@example.org>: Relay access denied", RCPT, NotAllowed),
    (550, "5.7.54 SMTP; Unable to relay recipient in non-accepted domain", RCPT, NotAllowed),
    (550, "5.1.1 The email account that you tried to reach does not exist", RCPT, Permanent),
    (550, "no such user", RCPT, Permanent),
    (551, "User not local", RCPT, Permanent),
    (550, "5.4.1 Recipient address rejected: Access denied", RCPT, Permanent),
    (553, "5.1.3 The recipient address is not a valid RFC 5321 address", RCPT, Permanent),
    (552, "5.3.4 Message size exceeds fixed maximum message size", FROM, Permanent),
    (554, "5.7.1 Message rejected as spam by content filtering", DATA, Permanent),
    (550, "5.2.1 The email account that you tried to reach is disabled", RCPT, Permanent),
    (552, "5.2.2 The email account that you tried to reach is over quota", RCPT, Temporary),
    (452, "4.2.2 Mailbox full", RCPT, Temporary),
    (550, "5.2.1 The user you are trying to contact is receiving mail too quickly", RCPT, Temporary),
    (450, "4.2.0 Greylisted, see http://postgrey.example.org/help", RCPT, Temporary),
    (451, "4.7.1 Please try again later", RCPT, Temporary),
    (451, "try later", DATA, Temporary),
    (450, "4.1.2 Recipient address rejected: Domain not found", RCPT, Temporary),
    (550, "5.7.1 Greylisting in effect, please come back later", RCPT, Temporary),
]


@pytest.mark.parametrize(("code", "words", "command", "kind"), REPLIES)
def test_a3_what_a_reply_means_is_told_by_its_code_and_words(code: int, words: str, command: str, kind: type[SendError]) -> None:
    assert judged(code, f"{code} {words}", command) is kind


@pytest.mark.parametrize(
    ("domain", "wire"), [("bücher.example", "xn--bcher-kva.example"), ("例え.example", "xn--r8jz45g.example")],
)
def test_b8_a_domain_that_is_not_ascii_is_written_in_ascii(tmp_path: Path, domain: str, wire: str) -> None:
    with EmbeddedServer(tmp_path) as server, Sender("127.0.0.1", server.port, tls="none") as sender:
        sender.send("judge@example.org", f"bob@{domain}", MAIL)
        assert len(stored(server, f"bob@{wire}")) == 1


@pytest.mark.parametrize("rcpt", ["bob@-ü-..example", "bob@" + "ü" * 80 + ".example", "bóbí@example.org"])
def test_b8_an_address_that_cannot_be_written_is_refused_for_good(rcpt: str) -> None:
    with pytest.raises(Permanent):
        Sender("127.0.0.1", 9, tls="none").send("judge@example.org", rcpt, MAIL)
