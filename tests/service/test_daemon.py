"""The tick through Maildirs and the embedded mail server, and the daemon as a process."""

import os
import signal
import socket
import subprocess
import sys
import time
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem import daemon
from pbem.daemon import Busy, Done, tick
from pbem.mail import maildir
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.maildir import Maildir
from pbem.mail.smtp import Sender
from pbem.store.api import DEADLINE
from tests.service.conftest import ANN, BOB, JUDGE

ORDERS = "game p1\nplace 5-1 at B1\nend\n"


def mail(body, number=1):
    found = EmailMessage()
    found["From"], found["To"], found["Subject"], found["Message-ID"] = ANN, JUDGE, "orders", f"<d{number}@example.org>"
    found.set_content(body)
    return found.as_bytes()


@pytest.fixture
def served(make_club, tmp_path):
    """A club with its embedded mail server running."""
    with EmbeddedServer(tmp_path / "mail") as server:
        club = make_club(listen=f"127.0.0.1:{server.port}", maildir=tmp_path / "mail")
        club.game()
        yield club


def box(club, address):
    return Maildir(club.config.maildir / address)


def test_a_tick_sends_fetches_and_handles(served):
    with served.app.new_mailbox() as mailbox:
        sender = served.app.new_sender()
        assert tick(served.app, mailbox, sender) == Done(sent=2)
        assert [b"report 1" in m.raw for m in box(served, BOB).fetch()] == [True]
        with Sender("127.0.0.1", served.config.listen_at[1], tls="none") as ann:
            ann.send(ANN, JUDGE, mail(ORDERS))
        assert tick(served.app, mailbox, sender) == Done(fetched=1, handled=1, sent=1)
        assert tick(served.app, mailbox, sender) == Done()
    assert list(box(served, JUDGE).fetch()) == []
    assert len(list(box(served, ANN).fetch())) == 2
    assert served.store.notes.value("last_tick") == served.context.now


def test_a_mail_stored_but_not_moved_is_not_handled_twice(served, monkeypatch):
    maildir.deliver(maildir.make(served.config.maildir / JUDGE), mail(ORDERS))
    with served.app.new_mailbox() as mailbox:
        monkeypatch.setattr(mailbox, "done", lambda key, ok: (_ for _ in ()).throw(OSError("read-only")))
        assert tick(served.app, mailbox, served.app.new_sender()).trouble
        monkeypatch.undo()
        tick(served.app, mailbox, served.app.new_sender())
    assert len(list(served.store.journal.rows("p1", kinds=["orders"]))) == 1


def test_deadlines_wait_while_the_mailbox_cannot_be_read(served, monkeypatch):
    served.later(hours=80)
    with served.app.new_mailbox() as mailbox:
        monkeypatch.setattr(mailbox, "fetch", lambda after: (_ for _ in ()).throw(ConnectionError("no route")))
        done = tick(served.app, mailbox, served.app.new_sender())
        assert done.trouble and not done.due
        assert [d.kind for d in served.store.games.dues("p1")].count(DEADLINE) == 1
        monkeypatch.undo()
        assert not tick(served.app, mailbox, served.app.new_sender()).due  # the server is left in peace for a minute
        served.later(minutes=1)
        assert tick(served.app, mailbox, served.app.new_sender()).due == 2


def test_stop_ends_after_the_mail_in_hand(served):
    for n in range(3):
        maildir.deliver(maildir.make(served.config.maildir / JUDGE), mail(ORDERS, n))
    asked = []
    with served.app.new_mailbox() as mailbox:
        done = tick(served.app, mailbox, served.app.new_sender(), lambda: len(asked) > 4 or bool(asked.append(1)))
    assert done.fetched == 3 and done.handled < 3 and not done.sent


def test_a_second_process_is_refused(tmp_path):
    with daemon.only_one(tmp_path / "a.db"):
        with pytest.raises(Busy, match=f"process {os.getpid()}"), daemon.only_one(tmp_path / "a.db"):
            pass
        with daemon.only_one(tmp_path / "b.db"):
            pass
    with daemon.only_one(tmp_path / "a.db"):
        pass


@pytest.fixture
def process(tmp_path):
    """Runs 'pbem run' in a folder of its own; the environment it had is given too."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {
        **os.environ, "PBEM_DB": str(tmp_path / "club.db"), "PBEM_ADDRESS": JUDGE, "PBEM_MAILDIR": str(tmp_path / "mail"),
        "PBEM_LISTEN": f"127.0.0.1:{port}", "PBEM_PICTURES": "false", "PBEM_TICK_SECONDS": "3600",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    started = []

    def start(*command):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        started.append(subprocess.Popen([sys.executable, "-m", "pbem", *command], cwd=tmp_path, env=env, **pipes))
        return started[-1]

    yield start
    for each in started:
        if each.poll() is None:
            each.kill()
        each.wait(10)


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)


def test_the_daemon_answers_mail_soon_and_ends_on_sigterm(make_club, process, tmp_path):
    make_club().game()
    run = process("run")
    letters = maildir.make(tmp_path / "mail" / ANN) / "new"
    wait_for(lambda: len(list(letters.iterdir())) >= 2)  # the first report, and one of the deadline long past on this clock
    again = process("run")
    assert again.wait(60) == 1 and "working on this database" in again.stderr.read()
    maildir.deliver(maildir.make(tmp_path / "mail" / JUDGE), mail(ORDERS))
    wait_for(lambda: len(list(letters.iterdir())) >= 3)
    run.send_signal(signal.SIGTERM)
    assert run.wait(30) == 0
    assert "Traceback" not in run.stderr.read()


def test_n27_what_the_host_does_at_the_console_goes_out_at_once_where_a_daemon_runs(make_club, process, tmp_path):
    club = make_club()
    club.now = datetime.now(UTC)
    club.game()
    process("run")
    letters = maildir.make(tmp_path / "mail" / BOB) / "new"
    wait_for(lambda: len(list(letters.iterdir())) == 1)
    time.sleep(2)
    pause = process("game", "pause", "p1", "--reason", "agreed")
    assert pause.wait(60) == 0, pause.stderr.read()
    wait_for(lambda: len(list(letters.iterdir())) == 2, 5)
