"""Two turns through a real mail server: orders come in by IMAP, reports go out by SMTP."""

from __future__ import annotations

import contextlib
import threading
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from pbem import daemon
from pbem.daemon import tick
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.maildir import Maildir
from tests.mail.dovecot import Dovecot, need_dovecot
from tests.service.conftest import ANN, BOB, JUDGE
from tests.service.test_daemon import wait_for


def reply(to: EmailMessage, orders: str, number: int) -> bytes:
    """An answer as a mail program makes it, with the mail below."""
    found = EmailMessage(policy=policy.SMTP)
    found["From"], found["To"], found["Subject"] = str(to["To"]), JUDGE, f"Re: {to['Subject']}"
    found["Message-ID"], found["In-Reply-To"] = f"<d{number}@example.org>", str(to["Message-ID"])
    found["References"] = f"{to['References'] or ''} {to['Message-ID']}".strip()
    quoted = [f"> {line}" for line in to.get_body(("plain",)).get_content().splitlines()]
    found.set_content("\n".join([*orders.splitlines(), "", "On 14 March 2026, judge@example.org wrote:", *quoted]))
    return found.as_bytes()


def test_two_turns(make_club, tmp_path: Path) -> None:
    need_dovecot()
    with contextlib.ExitStack() as stack:
        imap = stack.enter_context(Dovecot())
        smtp = stack.enter_context(EmbeddedServer(tmp_path / "players"))
        club = make_club(
            policy="token", imap_host="127.0.0.1", imap_port=imap.imap_port, imap_user="judge", imap_password="secret",
            imap_security="none", smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_security="none",
        )
        club.game()
        mailbox, sender = stack.enter_context(club.app.new_mailbox()), club.app.new_sender()
        boxes = {"allied": Maildir(smtp.maildir(ANN)), "axis": Maildir(smtp.maildir(BOB))}
        last: dict[str, EmailMessage] = {}
        for number in range(80):
            done = tick(club.app, mailbox, sender)
            assert not done.trouble
            for side, box in boxes.items():
                for mail in box.fetch():
                    last[side] = message_from_bytes(mail.raw, policy=policy.default)  # type: ignore[assignment]
                    box.done(mail.key, True)
            game = club.store.games.get("p1")
            if game.step_name.startswith("3 "):
                break
            orders = "game p1\nplace 5-1 at B4\nready\nend\n" if game.step_name == "1 reinforcement" else "game p1\nready\nend\n"
            imap.deliver(reply(last[game.waiting[0]], orders, number), sender=str(last[game.waiting[0]]["To"]))
        assert game.step_name.startswith("3 ")
        assert {m.disposition for m in club.store.inbox.handled(200)} == {"accept"}
        assert list(mailbox.fetch()) == []
        answers = [r.payload for r in club.store.journal.rows("p1", kinds=["answer"])]
        assert ("place 5-1 at B4", "mailed") in [(a["key"], a["how"]) for a in answers]


def test_a_mail_that_comes_back_under_a_new_number_is_not_handled_twice(make_club) -> None:
    need_dovecot()
    with Dovecot() as imap:
        club = make_club(
            imap_host="127.0.0.1", imap_port=imap.imap_port, imap_user="judge", imap_password="secret", imap_security="none",
            smtp_host="127.0.0.1", smtp_port=1, smtp_security="none",
        )
        club.game()
        orders = EmailMessage()
        orders["From"], orders["To"], orders["Message-ID"] = ANN, JUDGE, "<one@example.org>"
        orders.set_content("game p1\nplace 5-1 at B4\nend\n")
        for _ in range(2):
            imap.deliver(orders.as_bytes(), sender=ANN)
            with club.app.new_mailbox() as mailbox:
                tick(club.app, mailbox, club.app.new_sender())
        assert club.store.inbox.get(1).disposition == "accept"
        assert len(list(club.store.journal.rows("p1", kinds=["orders"]))) == 1


def test_a_mail_that_was_stored_but_not_moved_is_moved_when_the_daemon_starts_again(make_club, monkeypatch) -> None:
    need_dovecot()
    with Dovecot() as imap:
        club = make_club(
            imap_host="127.0.0.1", imap_port=imap.imap_port, imap_user="judge", imap_password="secret", imap_security="none",
            smtp_host="127.0.0.1", smtp_port=1, smtp_security="none",
        )
        club.game()
        imap.deliver(f"From: {ANN}\r\nMessage-ID: <one@example.org>\r\n\r\nstatus\r\n".encode(), sender=ANN)
        with club.app.new_mailbox() as mailbox:
            monkeypatch.setattr(mailbox, "done", lambda key, ok: None)
            assert tick(club.app, mailbox, club.app.new_sender()).handled == 1
        with club.app.new_mailbox() as mailbox:
            assert tick(club.app, mailbox, club.app.new_sender()).fetched == 0
            again = tick(club.app, mailbox, club.app.new_sender(), afresh=True)
            assert (again.fetched, again.handled) == (1, 0)
            assert list(mailbox.fetch()) == []


def test_mail_that_arrives_wakes_the_daemon_within_two_seconds(make_club, tmp_path: Path, monkeypatch) -> None:
    need_dovecot()
    with contextlib.ExitStack() as stack:
        imap = stack.enter_context(Dovecot())
        smtp = stack.enter_context(EmbeddedServer(tmp_path / "players"))
        club = make_club(
            imap_host="127.0.0.1", imap_port=imap.imap_port, imap_user="judge", imap_password="secret", imap_security="none",
            smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_security="none", tick_seconds=3600,
        )
        club.game()
        service = daemon._Service(club.app, stack.enter_context(club.app.new_mailbox()), club.app.new_sender())
        monkeypatch.setattr(daemon.signal, "signal", lambda number, act: None)
        ticks: list[float] = []
        plain = daemon.tick
        monkeypatch.setattr(daemon, "tick", lambda *args, **more: (ticks.append(time.monotonic()), plain(*args, **more))[1])
        thread = threading.Thread(target=service.serve)
        thread.start()
        try:
            letters = smtp.maildir(ANN) / "new"
            wait_for(lambda: letters.is_dir() and len(list(letters.iterdir())) == 1)
            time.sleep(1.5)  # the watcher has its connection, and waits
            for number in range(3):
                before = len(list(letters.iterdir()))
                raw = f"From: {ANN}\r\nMessage-ID: <w{number}@example.org>\r\n\r\nstatus\r\n"
                imap.deliver(raw.encode(), sender=ANN)
                begun = time.monotonic()
                wait_for(lambda: ticks[-1] > begun)  # noqa: B023
                assert ticks[-1] - begun < 2
                wait_for(lambda: len(list(letters.iterdir())) == before + 1)  # noqa: B023
                if number == 1:
                    imap.hang_up()
                time.sleep(1.5)
        finally:
            service._stop(15, None)
            thread.join(20)
        assert not thread.is_alive()
