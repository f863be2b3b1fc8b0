"""The daemon is killed at every point that has a name, and at odd moments: nothing is lost, nothing happens twice."""

from __future__ import annotations

import contextlib
import random
import shutil
from collections import Counter
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.config import Config
from pbem.mail import maildir
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.faults import POINTS
from pbem.mail.maildir import Maildir
from pbem.service.mailroom.intake import CRASHES
from pbem.store.api import DONE, NEW, Due
from tests.mail.dovecot import Dovecot, need_dovecot
from tests.service.conftest import ANN, BOB, JUDGE, REFEREE, Club
from tests.service.ticker import Ticker

IN_DIALOGUE = ("smtp.dot", "smtp.answered", "send.sent")
"""Where the mail server may have taken a mail that is not marked as sent: it goes out again, as the same mail."""

BODIES = {
    ANN: "game p1\nplace 5-1 at B1\nplace 5-2 at B1\nend\n",
    BOB: "game p1\nstanding when bridge then blow\nend\n",
    REFEREE: "game p1\nready\nend\n",
    "eve@example.org": "game p1\nready\nend\n",
}


def letter(sender: str) -> bytes:
    found = EmailMessage(policy=policy.SMTP)
    found["From"], found["To"], found["Subject"] = sender, JUDGE, "orders"
    found["Message-ID"] = f"<{sender.partition('@')[0]}@example.org>"
    found.set_content(BODIES[sender])
    return found.as_bytes()


class Site:
    """A server with mails waiting in its mailbox and a deadline that has passed."""

    def __init__(self, folder: Path, begun: Path, ticker: Ticker, smtp: EmbeddedServer, imap: Dovecot | None = None) -> None:
        self.smtp, self.imap, self.box = smtp, imap, folder / "mail" / JUDGE
        settings = {
            "db": folder / "club.db", "address": JUDGE, "policy": "open", "pictures": "false", "operator": "host@example.org",
            "smtp_host": "127.0.0.1", "smtp_port": smtp.port, "smtp_security": "none", "maildir": folder / "mail",
        }
        if imap is not None:
            more = {"imap_host": "127.0.0.1", "imap_port": imap.imap_port, "imap_user": "judge", "imap_password": "secret"}
            settings |= {**more, "imap_security": "none"}
        shutil.copy(begun, folder / "club.db")
        self.club = Club(folder / "club.db", Config(**settings))
        maildir.make(self.box)
        self.write(*BODIES)
        self.ticker, self.settings = ticker, settings

    def tick(self, fault: str = "", count: int = 1, after: float = 0) -> int:
        """A tick of the daemon; how its process ended."""
        return self.ticker.tick(self.settings, fault, count, after)

    def write(self, *senders: str) -> None:
        for sender in senders:
            if self.imap is not None:
                self.imap.deliver(letter(sender), sender=sender)
            else:
                maildir.deliver(self.box, letter(sender))

    def delivered(self) -> Counter[tuple[str, str, str]]:
        """(receiver, subject, Message-ID) of each mail that arrived."""
        found: Counter[tuple[str, str, str]] = Counter()
        for address in (ANN, BOB, REFEREE, "host@example.org", "eve@example.org"):
            for mail in Maildir(self.smtp.maildir(address)).fetch():
                parsed = message_from_bytes(mail.raw, policy=policy.default)
                found[address, str(parsed["Subject"]), str(parsed["Message-ID"])] += 1
        return found

    def left(self) -> int:
        """Mails still in the mailbox."""
        with self.club.app.new_mailbox() as box:
            return sum(1 for _ in box.fetch())

    def effects(self) -> dict[str, object]:
        """Everything that must come out the same whatever happened on the way."""
        store = self.club.store
        rows = [r for game in ("p1", "p2") for r in store.journal.rows(game)]
        return {
            "inputs": [(r.game, r.payload.get("side", r.payload.get("act"))) for r in rows if r.kind in ("orders", "control")],
            "answers": [(r.game, r.payload["kind"], r.payload["key"]) for r in rows if r.kind == "answer"],
            "chain": all(a.hash == b.prev for a, b in zip(rows, rows[1:], strict=False) if a.game == b.game),
            "inbox": sorted((m.disposition, m.status) for m in store.inbox.handled()),
            "waiting": store.inbox.waiting(), "left": self.left(), "outbox": dict(store.outbox.counts()),
            "dues": [d for g in ("p1", "p2") for d in store.games.dues(g)],
            "reports": [(g, s, store.games.seat(g, s).report) for g in ("p1", "p2") for s in ("allied", "axis")],
        }

@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """A database with two games, in one of which a deadline has passed; after that the server was out for three hours."""
    path = tmp_path_factory.mktemp("begun") / "club.db"
    club = Club(path, Config(db=path, address=JUDGE, policy="open", pictures=False))
    club.game()
    club.game("p2")
    with club.store.transaction():
        club.store.games.set_due(Due("p2", "allied", "deadline", "2026-03-14T06:00:00Z"))
        club.store.notes.set_value("served", "2026-03-14T06:15:00Z")
    club.app.close()
    return path


@pytest.fixture(scope="module")
def ticker():
    """One helper for all."""
    with Ticker(datetime(2026, 3, 14, 9, 15, tzinfo=UTC)) as found:
        yield found


@pytest.fixture
def make_site(tmp_path, begun, ticker):
    """Sites, each with an SMTP server of its own."""
    with contextlib.ExitStack() as stack:
        count = iter(range(1000))

        def make(imap: Dovecot | None = None) -> Site:
            folder = tmp_path / f"s{next(count)}"
            folder.mkdir()
            site = Site(folder, begun, ticker, stack.enter_context(EmbeddedServer(folder / "players")), imap)
            stack.callback(site.club.app.close)
            return site

        yield make


def undisturbed(site: Site) -> tuple[dict[str, object], Counter[tuple[str, str]]]:
    assert site.tick() == 0
    assert site.tick() == 0
    return site.effects(), Counter((to, subject) for to, subject, _ in site.delivered())


def check(site: Site, expected: tuple[dict[str, object], Counter[tuple[str, str]]], twice: int) -> None:
    """As if nothing had happened; ``twice``: how many mails may have gone out twice."""
    effects, letters = expected
    assert site.effects() == effects
    arrived = site.delivered()
    assert Counter((to, subject) for to, subject, _ in arrived) == letters
    assert sum(n - 1 for n in arrived.values()) <= twice


def test_there_are_enough_points() -> None:
    assert len(POINTS) >= 15


def test_killed_at_every_point(make_site) -> None:
    expected = undisturbed(make_site())
    assert ("p1", "moved") in expected[0]["inputs"] and ("p2", "allied") in expected[0]["inputs"]
    assert expected[0]["waiting"] == [] and expected[0]["left"] == 0 and expected[0]["chain"]
    assert [status for _, status in expected[0]["inbox"]] == [DONE] * 4
    for name in POINTS:
        site = make_site()
        assert site.tick(name) == -9, f"{name} was not passed"
        assert site.tick(name, 2) in (-9, 0)
        assert site.tick() == 0 and site.tick() == 0
        check(site, expected, 2 if name in IN_DIALOGUE else 0)


def test_killed_at_odd_moments(make_site) -> None:
    expected = undisturbed(make_site())
    chance = random.Random(4)
    site = make_site()
    killed = sum(site.tick(after=chance.uniform(0.005, 0.25)) == -9 for _ in range(CRASHES - 1))
    assert site.tick() == 0 and site.tick() == 0
    check(site, expected, killed)


def test_killed_while_an_imap_server_is_read(make_site) -> None:
    need_dovecot()
    expected = undisturbed(make_site())
    for name in ("fetch.begun", "fetch.got", "store.filed", "store.committed", "move.done"):
        with Dovecot() as imap:
            site = make_site(imap)
            assert site.tick(name, 2 if name in ("fetch.got", "move.done") else 1) == -9
            assert site.tick() == 0 and site.tick() == 0
            check(site, expected, 0)


def test_a_folder_that_is_delivered_again(make_site) -> None:
    site = make_site()
    expected = undisturbed(site)
    site.write(*BODIES)
    assert site.tick() == 0
    assert site.left() == 0
    assert (site.effects()["answers"], site.effects()["reports"]) == (expected[0]["answers"], expected[0]["reports"])
    assert Counter((to, subject) for to, subject, _ in site.delivered()) == expected[1]


def test_a_crash_within_the_mail_is_no_reason_to_shelve_it_before_the_third(make_site) -> None:
    site = make_site()
    assert [site.tick("handle.judged") for _ in range(2)] == [-9, -9]
    assert site.club.store.inbox.get(1).status == NEW
    assert site.tick() == 0
    assert site.club.store.inbox.get(1).status == DONE
