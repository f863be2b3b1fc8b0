"""The IMAP mailbox against a real Dovecot."""

from __future__ import annotations

import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from imaplib import IMAP4
from pathlib import Path

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from pbem.mail.imap import ImapMailbox
from pbem.mail.parse import read
from tests.mail.dovecot import Dovecot, need_dovecot

KEYS = Path(__file__).parent / "keys"


def mail(n: int, size: int = 0) -> bytes:
    head = f"From: Ann <ann@example.org>\r\nTo: judge@example.org\r\nSubject: no {n}\r\nMessage-ID: <n{n}@example.org>\r\n\r\n"
    return head.encode() + b"game primosole-1\r\nend\r\n" + b"x" * 70 * (size // 70)


@pytest.fixture
def server() -> Iterator[Dovecot]:
    need_dovecot()
    with Dovecot() as server:
        yield server


@pytest.fixture
def mailbox(server: Dovecot) -> Iterator[ImapMailbox]:
    with ImapMailbox("127.0.0.1", "judge", "secret", port=server.imap_port, tls="none") as mailbox:
        yield mailbox


def subjects(mailbox: ImapMailbox, after: str = "") -> list[str]:
    return [read(fetched.raw).subject for fetched in mailbox.fetch(after)]


def folder(server: Dovecot, name: str) -> int:
    with IMAPClient("127.0.0.1", port=server.imap_port, ssl=False) as client:
        client.login("judge", "secret")
        return int(client.select_folder(name, readonly=True)[b"EXISTS"])


def test_fetch_in_order_and_after_the_cursor(server: Dovecot, mailbox: ImapMailbox) -> None:
    for n in (1, 2, 3):
        server.deliver(mail(n))
    fetched = list(mailbox.fetch())
    assert [read(f.raw).subject for f in fetched] == ["no 1", "no 2", "no 3"]
    assert all(abs(datetime.now(UTC) - f.received) < timedelta(minutes=1) and f.received.tzinfo is UTC for f in fetched)
    assert subjects(mailbox, fetched[1].key) == ["no 3"]
    assert subjects(mailbox, fetched[2].key) == []


def test_fetch_leaves_the_mail_unseen_and_does_not_mind_it_seen(server: Dovecot, mailbox: ImapMailbox) -> None:
    server.deliver(mail(1))
    list(mailbox.fetch())
    with IMAPClient("127.0.0.1", port=server.imap_port, ssl=False) as client:
        client.login("judge", "secret")
        client.select_folder("INBOX")
        assert client.search(["UNSEEN"])
        client.add_flags(client.search(), [b"\\Seen"])
    assert subjects(mailbox) == ["no 1"]


def test_done_moves_and_may_be_repeated(server: Dovecot, mailbox: ImapMailbox) -> None:
    for n in (1, 2):
        server.deliver(mail(n))
    good, bad = mailbox.fetch()
    mailbox.done(good.key, True)
    mailbox.done(good.key, True)
    mailbox.done(bad.key, False)
    mailbox.done("1:1", True)
    assert (folder(server, "INBOX"), folder(server, "Processed"), folder(server, "Quarantine")) == (0, 1, 1)


def test_the_server_is_killed_between_two_mails(server: Dovecot, mailbox: ImapMailbox) -> None:
    for n in (1, 2, 3):
        server.deliver(mail(n))
    iterator = mailbox.fetch()
    first = next(iterator)
    server.kill()
    server.start()
    assert [read(f.raw).subject for f in iterator] == ["no 2", "no 3"]
    mailbox.done(first.key, True)
    assert folder(server, "Processed") == 1


def test_the_folder_is_numbered_anew(server: Dovecot, mailbox: ImapMailbox) -> None:
    for n in (1, 2):
        server.deliver(mail(n))
    last = list(mailbox.fetch())[-1].key
    mailbox.close()
    server.forget_numbers()
    time.sleep(1.1)  # Dovecot takes the new UIDVALIDITY from the clock
    again = list(mailbox.fetch(last))
    assert [read(f.raw).subject for f in again] == ["no 1", "no 2"]
    assert again[0].key.partition(":")[0] != last.partition(":")[0]
    mailbox.done(last, True)
    assert folder(server, "INBOX") == 2


def test_of_a_large_mail_only_the_header_is_fetched(server: Dovecot) -> None:
    server.deliver(mail(1, size=50_000))
    with ImapMailbox("127.0.0.1", "judge", "secret", port=server.imap_port, tls="none", largest=10_000) as mailbox:
        [fetched] = mailbox.fetch()
    incoming = read(fetched.raw)
    assert len(fetched.raw) < 2_000
    assert (incoming.problem, incoming.senders, incoming.subject) == ("too-large", ("ann@example.org",), "no 1")


def test_wait_ends_when_mail_arrives(server: Dovecot, mailbox: ImapMailbox) -> None:
    assert mailbox.wait(0.1) is False
    timer = threading.Timer(0.5, server.deliver, [mail(1)])
    timer.start()
    begun = time.monotonic()
    assert mailbox.wait(20) is True
    assert time.monotonic() - begun < 2.5
    assert subjects(mailbox) == ["no 1"]
    assert mailbox.wait(0.1) is False
    timer.join()


def test_wait_ends_on_a_dead_connection(server: Dovecot, mailbox: ImapMailbox) -> None:
    list(mailbox.fetch())
    timer = threading.Timer(0.5, server.kill)
    timer.start()
    begun = time.monotonic()
    assert mailbox.wait(20) is True
    assert time.monotonic() - begun < 5
    timer.join()
    with pytest.raises((OSError, IMAP4.error)):
        list(mailbox.fetch())
    server.start()
    assert subjects(mailbox) == []


def test_wait_can_be_stopped(server: Dovecot, mailbox: ImapMailbox) -> None:
    begun = time.monotonic()
    assert mailbox.wait(20, stop=lambda: time.monotonic() - begun > 0.3) is False
    assert time.monotonic() - begun < 3


def test_a_wrong_password(server: Dovecot) -> None:
    with ImapMailbox("127.0.0.1", "judge", "wrong", port=server.imap_port, tls="none") as mailbox, pytest.raises(LoginError):
        list(mailbox.fetch())


@pytest.mark.parametrize("tls", ["ssl", "starttls"])
def test_tls(tls: str) -> None:
    need_dovecot()
    certificate, key = KEYS / "localhost.pem", KEYS / "localhost-key.pem"
    trusting = ssl.create_default_context(cafile=str(certificate))
    with Dovecot(certificate=(certificate, key)) as server:
        server.deliver(mail(1))
        port = server.imaps_port if tls == "ssl" else server.imap_port
        with ImapMailbox("127.0.0.1", "judge", "secret", port=port, tls=tls, context=trusting) as mailbox:
            assert subjects(mailbox) == ["no 1"]
        distrusting = ImapMailbox("127.0.0.1", "judge", "secret", port=port, tls=tls)
        with pytest.raises(ssl.SSLError):
            list(distrusting.fetch())
