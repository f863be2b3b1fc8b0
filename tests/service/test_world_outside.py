"""The world outside has trouble: servers that throttle, refuse, limit or crawl, played over hours of simulated time.

Whatever they do: nothing is lost, nothing doubled, no deadline passes, health is red with the cause, the host hears of it once,
and all goes on by itself afterwards.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections import Counter
from datetime import UTC, datetime
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.daemon import tick
from pbem.mail.imap import ImapMailbox
from pbem.service.host import health
from pbem.service.host.doctor import examine
from pbem.store.api import DEADLINE, FAILED
from tests.mail.dovecot import Dovecot, need_dovecot
from tests.mail.fault_servers import FaultyImap, FaultySmtp
from tests.service.conftest import ANN, BOB, JUDGE

HOST = "host@example.org"
ORDERS = "game p1\nplace 5-1 at B1\nplace 5-2 at B1\nend\n"
THROTTLED = "NO Request is throttled. Suggested Backoff Time: 299910 milliseconds"
FIRST = "2026-03-17T09:15:00Z"
"""The first deadline of a game that begins with the club."""


def mail(body: str, number: int = 1, sender: str = ANN) -> bytes:
    head = f"From: {sender}\r\nTo: {JUDGE}\r\nSubject: orders\r\nMessage-ID: <o{number}@example.org>\r\n\r\n"
    return (head + body.replace("\n", "\r\n")).encode()


class World:
    """A club between two servers, its daemon ticking once a minute of simulated time."""

    def __init__(self, club, imap, smtp, **limits):
        self.club, self.imap, self.smtp = club, imap, smtp
        self.box = ImapMailbox("127.0.0.1", "judge", "secret", port=imap.port, tls="none", read_timeout=5, **limits)
        self.sender = club.app.new_sender()
        self.red: set[str] = set()
        club.game()
        self.tick()

    def tick(self, **more):
        done = tick(self.club.app, self.box, self.sender, **more)
        self.red.update(health.wrong(health.read(self.club.config.health), self.club.now))
        return done

    def run(self, hours=0, minutes=0):
        """Ticks, one a minute for minutes, one in ten minutes for hours."""
        for step in [10] * (hours * 6) + [1] * minutes:
            self.club.later(minutes=step)
            self.tick()

    def deadline(self):
        return {d.side: d.at for d in self.club.store.games.dues("p1") if d.kind == DEADLINE}.get("allied")

    def orders(self):
        return len(list(self.club.store.journal.rows("p1", kinds=["orders"])))

    def missed(self):
        return [n for n in self.club.store.notes.last(500) if n.kind == "deadline"]

    def to_host(self):
        """Subjects of what the host has been written."""
        return [x.subject for x in self.club.store.outbox.sent_to("") if x.recipient == HOST]

    def mailed(self, address):
        """Message-IDs of what the server took for somebody, and how often."""
        taken = [message_from_bytes(raw, policy=policy.default) for to, raw in self.smtp.taken if to == address]
        return Counter(str(m["Message-ID"]) for m in taken)

    def well(self):
        return health.wrong(health.read(self.club.config.health), self.club.now) == []


@pytest.fixture
def world(make_club):
    """Makes a world; ``limits`` are those of the mailbox."""
    with contextlib.ExitStack() as stack:
        def make(settings=None, **limits):
            imap, smtp = stack.enter_context(FaultyImap()), stack.enter_context(FaultySmtp())
            club = make_club(
                imap_host="127.0.0.1", imap_port=imap.port, imap_password="secret", imap_security="none", smtp_host="127.0.0.1",
                smtp_port=smtp.port, smtp_security="none", smtp_password="secret", **(settings or {}),
            )
            found = World(club, imap, smtp, **limits)
            stack.callback(found.box.close)
            stack.callback(found.sender.close)
            return found

        yield make


# -- A1: 'later' -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["BODY", "FETCH", "SEARCH", "NOOP", "SELECT", "LOGIN"])
@pytest.mark.parametrize("words", [THROTTLED, "BAD Request is throttled. Suggested Backoff Time: 89117 milliseconds"])
def test_a1_a_server_that_throttles_for_six_hours_loses_nothing(world, what, words):
    at = world()
    at.club.later(hours=71)  # one hour before the deadline
    at.tick()
    due = at.deadline()
    at.imap.put(mail(ORDERS))
    at.imap.says[what] = words
    at.box.close()  # so that it logs in anew
    at.run(hours=6)
    assert not at.missed() and at.orders() == 0
    assert {name: len(mails) for name, mails in at.imap.folders.items()} == {"INBOX": 1, "Processed": 0, "Quarantine": 0}
    assert at.to_host() == ["Mail could not be read for a while", "Mail cannot be read"]  # the first one for the 71 hours
    assert any("fetch failed" in line and "throttled" in line and "tried again at" in line for line in at.red)
    at.imap.says.clear()
    at.run(minutes=31)
    assert at.orders() == 1 and not at.missed() and at.deadline() > due and at.well()
    assert {name: len(mails) for name, mails in at.imap.folders.items()} == {"INBOX": 0, "Processed": 1, "Quarantine": 0}
    assert len(at.to_host()) == 2 and set(at.mailed(ANN).values()) == {1}


def test_a1_throttled_twice_is_a_matter_of_minutes(world):
    at = world()
    at.imap.put(mail(ORDERS))
    at.imap.says["BODY"] = THROTTLED
    at.tick()
    at.run(minutes=1)
    at.imap.says.clear()
    at.run(minutes=3)
    assert at.orders() == 1 and at.to_host() == [] and at.deadline() > FIRST and at.well()


def test_a1_one_mail_that_is_refused_for_hours_is_shelved_and_the_host_told(world):
    at = world()
    bad = at.imap.put(mail("status\n", 1))
    at.imap.withheld.add(bad)
    at.imap.put(mail(ORDERS, 2))
    at.run(minutes=50)
    assert at.orders() == 0 and len(at.imap.inbox) == 2, "for an hour it may be the server"
    at.run(hours=1)
    assert at.orders() == 1 and list(at.imap.inbox) == [bad], "then those behind it are read"
    at.run(hours=3)
    assert list(at.imap.folders["Quarantine"]) == [bad] and not at.imap.inbox and at.well()
    assert [s for s in at.to_host() if "in the mailbox cannot be read" in s] == ["a mail in the mailbox cannot be read"]
    at.imap.put(mail("status\n", 3))
    at.run(minutes=31)
    assert {m.disposition for m in at.club.store.inbox.handled()} == {"accept"} and len(at.club.store.inbox.handled()) == 2


def test_a1_a_mail_alone_is_shelved_after_half_a_day_and_two_bad_ones_do_not_hide_each_other(world):
    at = world()
    at.imap.empty.add(at.imap.put(mail("status\n", 1)))
    at.run(hours=11)
    assert len(at.imap.inbox) == 1
    at.run(hours=2)
    assert not at.imap.inbox and len(at.imap.folders["Quarantine"]) == 1
    for number in (2, 3):
        at.imap.withheld.add(at.imap.put(mail("status\n", number)))
    at.imap.put(mail(ORDERS, 4))
    at.run(hours=9)
    assert at.orders() == 1 and len(at.imap.folders["Quarantine"]) == 3 and at.well()


def test_a1_a_server_with_a_date_that_is_none_is_read_all_the_same(world):
    at = world()
    at.imap.arrived = "00-000-0000 00:00:00 +0000"
    at.imap.put(mail(ORDERS))
    at.run(minutes=5)
    assert at.orders() == 1 and not at.imap.inbox


def test_a1_mails_that_cannot_be_moved_are_handled_once_and_moved_later(world):
    at = world()
    at.imap.says["MOVE"] = "NO [OVERQUOTA] Quota exceeded"
    for number in (1, 2):
        at.imap.put(mail(ORDERS if number == 1 else "status\n", number))
    at.run(hours=2)
    assert at.orders() == 1 and len(at.imap.inbox) == 2 and at.to_host() == ["Mails cannot be moved out of the inbox"]
    assert any("Quota exceeded" in line for line in at.red)
    at.imap.says.clear()
    at.run(minutes=31)
    assert not at.imap.inbox and len(at.imap.folders["Processed"]) == 2 and at.orders() == 1 and at.well()
    assert len(at.club.store.inbox.handled()) == 2


# -- A2: pauses ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "words", "most"),
    [
        ("LOGIN", "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)", 8),
        ("LOGIN", "NO [UNAVAILABLE] Temporary authentication failure", 20),
        ("NOOP", "NO [THROTTLED] too many requests", 20),
        ("SELECT", "NO [INUSE] locked by another session", 20),
    ],
)
def test_a2_pauses_grow_the_host_is_told_once_and_health_is_red(world, command, words, most):
    at = world()
    at.imap.says[command] = words
    at.box.close()
    at.imap.asked.clear()
    at.run(minutes=360)
    assert 3 <= at.imap.count(command) <= most and at.imap.count("LOGIN") <= most
    assert at.to_host() == ["Mail cannot be read"] and any("fetch failed" in line for line in at.red) and not at.well()
    at.imap.says.clear()
    at.imap.put(mail(ORDERS))
    assert at.tick(at_once=True).fetched == 1 and at.orders() == 1 and at.well()


def test_a2_the_daemon_itself_does_not_hammer_a_server_that_refuses_it(make_club, monkeypatch):
    import threading

    from pbem import daemon

    with FaultyImap() as imap, FaultySmtp() as smtp:
        imap.says["LOGIN"] = "NO [AUTHENTICATIONFAILED] Invalid credentials (Failure)"
        club = make_club(
            imap_host="127.0.0.1", imap_port=imap.port, imap_password="x", imap_security="none", smtp_host="127.0.0.1",
            smtp_port=smtp.port, smtp_security="none", tick_seconds=1,
        )
        monkeypatch.setattr(daemon.signal, "signal", lambda number, act: None)
        club.now = datetime.now(UTC)
        service = daemon._Service(club.app, club.app.new_mailbox(), club.app.new_sender())
        thread = threading.Thread(target=service.serve)
        thread.start()
        time.sleep(6)
        service._stop(15, None)
        thread.join(20)
        assert not thread.is_alive() and imap.count("LOGIN") == 1


def test_a2_a_watcher_whose_server_throttles_looks_less_and_less_often(make_club, monkeypatch):
    from pbem import daemon

    with FaultyImap() as imap:
        club = make_club(imap_host="127.0.0.1", imap_port=imap.port, imap_password="x", imap_security="none")
        imap.says["NOOP"] = "NO [THROTTLED] too many requests"
        service = daemon._Service(club.app, club.app.new_mailbox(), club.app.new_sender())
        service.readable.set()
        waits = []
        monkeypatch.setattr(service.stopping, "wait", lambda seconds: waits.append(seconds) or len(waits) > 12)
        service._watch()
        assert waits[1:6] == [2, 4, 8, 16, 32] and max(waits) == 900


# -- A3: limits of our own sending -----------------------------------------------------------------------

LIMITS = {
    "gmail": ("RCPT", "550 5.4.5 Daily user sending limit exceeded. For more information go to https://support.example.org"),
    "gmail, at once": ("MAIL", "550 5.4.5 Daily user sending limit exceeded."),
    "exchange": ("DOT", "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; permanent exception"),
    "plesk": (
        "DOT", "554 5.7.0 Your message could not be sent. The limit on the number of allowed outgoing messages was exceeded. Try"
        " again later.",
    ),
    "no code": ("DOT", "550 You have exceeded your hourly sending quota"),
    "rate": ("RCPT", "450 4.7.1 Error: too much mail, rate limit exceeded"),
    "closing": ("MAIL", "421 4.3.2 Service not available, closing transmission channel"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a3_a_day_over_the_sending_limit_loses_no_letter_and_passes_no_deadline(world, name):
    at = world()
    at.club.later(hours=71)
    at.tick()
    at.smtp.taken.clear()
    command, words = LIMITS[name]
    at.smtp.says[command] = words
    due = at.deadline()
    at.imap.put(mail(ORDERS, 1))
    at.imap.put(mail("game p1\nstatus\nend\n", 2, BOB))
    at.run(hours=24)
    assert at.orders() == 1 and not at.missed() and at.smtp.taken == []
    assert at.club.store.outbox.counts().get(FAILED, 0) == 0 and at.club.store.outbox.counts()["queued"] >= 3
    assert at.smtp.count("EHLO") < 120 and any("send failed" in line for line in at.red)
    assert at.to_host().count("Mail cannot be sent") == 1
    at.smtp.says.clear()
    at.run(minutes=61)
    assert at.club.store.outbox.counts() == {} and at.well()
    assert {ANN, BOB, HOST} <= {to for to, _ in at.smtp.taken}
    assert all(set(at.mailed(a).values()) == {1} for a in (ANN, BOB, HOST))
    waits = [d.at for d in at.club.store.games.dues("p1") if d.kind == DEADLINE]
    assert not at.missed() and waits and min(waits) > due
    assert at.to_host().count("Mail cannot be sent") == 1 and len(at.to_host()) == 2  # and one for the 71 hours


def test_a3_a_refused_login_waits_for_the_host_and_is_tried_seldom(world):
    at = world()
    at.sender.close()
    at.smtp.says["AUTH"] = "535 5.7.8 Username and Password not accepted"
    at.imap.put(mail("game p1\nstatus\nend\n"))
    at.smtp.asked.clear()
    at.run(hours=6)
    assert 2 <= at.smtp.count("AUTH") <= 16 and not at.club.store.outbox.counts().get(FAILED)
    at.smtp.says.clear()
    at.tick(at_once=True)
    assert at.club.store.outbox.counts().get("queued", 0) == 0 or at.club.store.outbox.counts() == {}


def test_a3_a_bad_address_is_given_up_at_once_and_does_not_stop_the_others(world):
    at = world()
    at.smtp.says[f"RCPT {ANN}"] = "550 5.1.1 The email account that you tried to reach does not exist"
    at.imap.put(mail("game p1\nstatus\nend\n", 1, ANN))
    at.imap.put(mail("game p1\nstatus\nend\n", 2, BOB))
    at.run(minutes=3)
    assert at.club.store.outbox.counts().get(FAILED) == 1 and at.mailed(BOB) and at.well()


def test_a3_one_receiver_whose_mailbox_is_full_holds_up_nobody(world):
    at = world()
    at.smtp.says[f"RCPT {ANN}"] = "552 5.2.2 The recipient's mailbox is full"
    for number, sender in enumerate((ANN, BOB, ANN, BOB), 1):
        at.imap.put(mail("game p1\nstatus\nend\n", number, sender))
        at.run(minutes=5)
    assert not at.club.store.outbox.counts().get(FAILED) and at.well() and sum(at.mailed(BOB).values()) >= 3
    at.smtp.says.clear()
    at.run(hours=5)
    assert at.club.store.outbox.counts() == {}


def test_a3_one_receiver_for_whom_the_server_says_limit_holds_up_nobody(world):
    at = world()
    at.smtp.says[f"RCPT {ANN}"] = "550 5.7.1 user message rate limit exceeded"
    for number, sender in enumerate((ANN, BOB, ANN, BOB), 1):
        at.imap.put(mail("game p1\nstatus\nend\n", number, sender))
        at.run(minutes=20)
    assert not at.club.store.outbox.counts().get(FAILED) and sum(at.mailed(BOB).values()) >= 3


def test_a3_when_nobody_can_be_written_to_it_is_us_and_no_letter_is_given_up(world):
    at = world()
    for number in range(2, 6):
        at.club.game(f"p{number}")
    with at.club.store.transaction():
        seats = [at.club.store.games.seat(f"p{n}", "allied") for n in range(2, 6)]
        for number, seat in enumerate(seats):
            at.club.store._db.execute(
                "update outbox set recipient = ? where game = ? and side = 'allied'", [f"p{number}@example.net", seat.game]
            )
    at.smtp.says["RCPT"] = "550 5.7.1 refused for reasons of policy"
    at.run(minutes=30)
    assert not at.club.store.outbox.counts().get(FAILED) and any("people in a row were refused" in line for line in at.red)
    at.smtp.says.clear()
    at.tick(at_once=True)
    at.run(hours=1)
    assert at.club.store.outbox.counts() == {} and at.well()


# -- A4: a server with a namespace -----------------------------------------------------------------------


@pytest.mark.parametrize("processed", ["Processed", "INBOX.Processed", "INBOX.Done.Judge"])
def test_a4_a_real_server_with_a_prefix(make_club, processed):
    need_dovecot()
    with Dovecot(prefix="INBOX.") as imap, FaultySmtp() as smtp:
        club = make_club(
            imap_host="127.0.0.1", imap_port=imap.imap_port, imap_user="judge", imap_password="secret", imap_security="none",
            imap_processed=processed, smtp_host="127.0.0.1", smtp_port=smtp.port, smtp_security="none",
        )
        club.game()
        imap.deliver(mail(ORDERS), sender=ANN)
        with club.app.new_mailbox() as box:
            assert not tick(club.app, box, club.app.new_sender()).trouble
            assert list(box.fetch()) == []
        assert len(list(club.store.journal.rows("p1", kinds=["orders"]))) == 1
        assert all(check.ok for check in examine(club.config, lambda: club.now) if check.what.startswith("imap"))
        folder = "INBOX." + processed.removeprefix("INBOX.")
        assert list((imap.d / "mail" / "judge" / f".{folder.removeprefix('INBOX.')}").glob("*/*example*")) or list(
            (imap.d / "mail" / "judge").glob(f".*{processed.rpartition('.')[2]}/*/*,*")
        )


def test_a4_a_prefix_that_the_server_does_not_tell_is_found(world, make_club):
    at = world()
    at.imap.prefix, at.imap.capabilities = "INBOX.", "IMAP4rev1 MOVE"
    at.imap.folders = {"INBOX": at.imap.inbox}
    at.box.close()
    at.imap.put(mail(ORDERS))
    at.run(minutes=5)
    assert at.orders() == 1 and len(at.imap.folders["INBOX.Processed"]) == 1


@pytest.mark.parametrize(
    ("says", "value", "mend"),
    [
        ("LOGIN", "NO [AUTHENTICATIONFAILED] Invalid credentials", "PBEM_IMAP_USER and PBEM_IMAP_PASSWORD"),
        ("CREATE", "NO [CANNOT] Invalid mailbox name", "PBEM_IMAP_PROCESSED"),
        ("SELECT", "NO [NONEXISTENT] Unknown Mailbox: Judge", "PBEM_IMAP_FOLDER"),
        ("NOOP", "NO [THROTTLED] too many requests", "wait"),
    ],
)
def test_a4_the_doctor_names_the_cause(world, says, value, mend):
    at = world()
    at.imap.folders = {"INBOX": at.imap.inbox}
    at.imap.says[says] = value
    [check] = [c for c in examine(at.club.config, lambda: at.club.now) if c.what == "imap"]
    assert not check.ok and mend in check.mend, check
    assert ("PASSWORD" in check.mend) == (says == "LOGIN")


# -- A5: one part fails ----------------------------------------------------------------------------------


def test_a5_a_server_without_uidvalidity_is_told_in_a_line_and_the_rest_goes_on(world):
    at = world()
    at.imap.validity = 0
    at.box.close()
    at.club.game("p2")
    before = len(at.smtp.taken)
    done = at.tick()
    assert "no UIDVALIDITY" in done.failed["fetch"] and "\n" not in done.failed["fetch"] and done.sent == 2
    assert len(at.smtp.taken) == before + 2
    at.imap.validity = 100
    at.imap.put(mail(ORDERS))
    at.run(minutes=2)
    assert at.orders() == 1 and at.well()


@pytest.mark.parametrize("part", ["clock_believed", "work", "handle", "sweep", "send_ready", "tidy"])
@pytest.mark.parametrize("error", [KeyError("x"), ValueError("odd"), RuntimeError("two\nlines"), OSError(28, "No space left")])
def test_a5_each_part_of_a_tick_fails_alone(world, monkeypatch, part, error):
    from pbem import daemon

    at = world()
    at.imap.put(mail(ORDERS))
    place, name = {
        "clock_believed": (daemon.outages, "clock_believed"), "work": (daemon.outages, "work"), "handle": (daemon.intake, "work"),
        "sweep": (daemon.deadlines, "sweep"), "send_ready": (daemon.outgoing, "send_ready"), "tidy": (daemon.retention, "tidy"),
    }[part]

    def fails(*args, **more):
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(place, name, fails)
        at.club.later(minutes=1)
        done = at.tick()
    assert done.trouble and len(done.failed) == 1 and done.fetched == 1
    [why] = done.failed.values()
    assert "\n" not in why and type(error).__name__ in why
    assert (done.handled == 1) == (part not in ("clock_believed", "handle"))
    assert (done.sent > 0) == (part not in ("clock_believed", "handle", "send_ready"))
    at.run(minutes=1)
    assert at.orders() == 1 and at.well()


# -- A6: slow servers ------------------------------------------------------------------------------------


def test_a6_a_server_that_sends_a_byte_at_a_time_does_not_hold_the_tick(world):
    at = world(session=1.0)
    at.box.close()
    at.imap.drip = 0.3  # always faster than the limit of a read
    at.imap.put(mail(ORDERS))
    begun = time.monotonic()
    done = at.tick()
    assert time.monotonic() - begun < 4 and "too slow" in done.failed["fetch"] and at.orders() == 0
    at.imap.drip = 0
    at.run(minutes=2)
    assert at.orders() == 1 and len(at.imap.folders["Processed"]) == 1 and at.well()


@pytest.mark.parametrize("tls", ["ssl", "starttls", "none"])
def test_a6_a_greeting_that_never_ends(tls):
    with FaultyImap() as imap:
        imap.drip = 0.2
        box = ImapMailbox("127.0.0.1", "judge", "secret", port=imap.port, tls=tls, read_timeout=5, session=0.7)
        begun = time.monotonic()
        with pytest.raises(OSError):
            list(box.fetch())
        assert time.monotonic() - begun < 4


def test_a6_what_a_slow_server_has_given_is_kept_and_the_rest_comes_with_the_next_tick(world):
    at = world(session=1.5)
    for number in range(1, 9):
        at.imap.put(mail("game p1\nstatus\nend\n", number))
    at.imap.drip = 0.0005
    for _ in range(40):
        at.run(minutes=2)
        if not at.imap.inbox:
            break
    assert len(at.club.store.inbox.handled()) == 8 and not at.imap.inbox


def test_a6_a_slow_smtp_server_is_hung_up_and_the_letters_wait(world):
    at = world()
    at.sender.close()
    at.sender.limit.seconds = 1.0
    at.smtp.drip = 0.3
    at.club.game("p2")
    before = len(at.smtp.taken)
    begun = time.monotonic()
    done = at.tick()
    assert time.monotonic() - begun < 4 and "too slow" in done.failed["send"] and len(at.smtp.taken) == before
    at.smtp.drip = 0
    at.run(minutes=2)
    assert len(at.smtp.taken) == before + 2 and set(at.mailed(ANN).values()) == {1} and at.well()


def test_a6_an_answer_that_crawls_behind_the_dot_doubles_nothing_but_the_same_mail(world):
    at = world()
    at.sender.limit.seconds = 1.0
    at.club.game("p2")
    at.smtp.says["DOT"] = "250 " + "x" * 3000
    before = len(at.smtp.taken)
    at.smtp.drip = 0.02  # the commands come through, the long answer does not
    at.tick()
    at.smtp.drip = 0
    at.smtp.says.clear()
    at.run(minutes=3)
    assert len(at.smtp.taken) > before
    assert len({re.search(rb"Message-ID: (.*)\r", raw)[1] for to, raw in at.smtp.taken if to == ANN}) == 2  # type: ignore[index]
    assert at.club.store.outbox.counts() == {}


def test_the_guide_for_hosts_names_tests_that_exist():
    root = Path(__file__).parents[2]
    table = root.joinpath("deploy", "README.md").read_text(encoding="utf-8").partition("## When servers have trouble")[2]
    named = set(re.findall(r"\| (test_a\d_\w+) \|", table))
    written = "".join(p.read_text(encoding="utf-8") for p in root.joinpath("tests").rglob("test_*.py"))
    assert len(named) >= 12 and {name for name in named if f"def {name}(" not in written} == set()
