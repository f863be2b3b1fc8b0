"""The Maildir as mailbox."""

from __future__ import annotations

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem.mail import maildir
from pbem.mail.maildir import Maildir
from pbem.mail.parse import read


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_oldest_first_from_new_and_cur(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    keys = [maildir.deliver(tmp_path, f"Subject: {n}\n\n".encode()) for n in range(12)]
    (tmp_path / "new" / keys[0]).rename(tmp_path / "cur" / f"{keys[0]}:2,S")
    (tmp_path / "tmp" / "half").write_bytes(b"x")
    fetched = list(box.fetch())
    assert [f.key for f in fetched] == keys
    assert [read(f.raw).subject for f in fetched] == [str(n) for n in range(12)]
    assert all(abs(datetime.now(UTC) - f.received) < timedelta(minutes=1) for f in fetched)


def test_done_moves_and_may_be_repeated(tmp_path: Path) -> None:
    with Maildir(tmp_path) as box:
        good, bad = (maildir.deliver(tmp_path, b"x") for _ in range(2))
        (tmp_path / "new" / bad).rename(tmp_path / "cur" / f"{bad}:2,S")
        for _ in range(2):
            box.done(good, True)
            box.done(bad, False)
        box.done("nothing*", True)
        assert list(box.fetch()) == []
    assert names(tmp_path / ".Processed" / "cur") == [f"{good}:2,S"]
    assert names(tmp_path / ".Quarantine" / "cur") == [f"{bad}:2,S"]


def test_a_mail_that_goes_while_fetching(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    first, second, third = (maildir.deliver(tmp_path, b"x") for _ in range(3))
    iterator = box.fetch()
    assert next(iterator).key == first
    os.unlink(tmp_path / "new" / second)
    assert [f.key for f in iterator] == [third]


def test_of_a_large_mail_only_the_header(tmp_path: Path) -> None:
    box = Maildir(tmp_path, largest=1000)
    maildir.deliver(tmp_path, b"From: ann@example.org\r\nSubject: big\r\n\r\n" + b"x" * 5000)
    [fetched] = box.fetch()
    incoming = read(fetched.raw)
    assert (incoming.problem, incoming.senders, incoming.subject) == ("too-large", ("ann@example.org",), "big")


def test_wait(tmp_path: Path) -> None:
    box = Maildir(tmp_path)
    assert box.wait(0) is False
    assert box.wait(5, stop=lambda: True) is False
    timer = threading.Timer(0.2, maildir.deliver, [tmp_path, b"x"])
    timer.start()
    begun = time.monotonic()
    assert box.wait(10) is True
    assert time.monotonic() - begun < 2
    timer.join()
