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
