"""The daemon: one idempotent tick, again and again, and as soon as there is news in the mailbox.

A tick fetches, handles, sweeps deadlines and sends; nothing is kept between ticks but connections.  If the mailbox cannot
be read, deadlines wait too: the answer may be lying there.  When they are to be held or moved is told by
:mod:`pbem.service.play.outages`.  Each tick says in a file how things stand (:mod:`pbem.service.host.health`).
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from imaplib import IMAP4
from pathlib import Path
from sqlite3 import OperationalError
from typing import Any, TextIO, TypeVar

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.blocking import BlockingScheduler

from pbem.bootstrap import App
from pbem.config import Config
from pbem.mail import faults
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.mailbox import Fetched, Mailbox
from pbem.service.host import health, retention
from pbem.service.letters import outgoing
from pbem.service.mailroom import intake
from pbem.service.play import deadlines, outages
from pbem.service.context import log
from pbem.service.letters.outgoing import Sender
from pbem.service.times import stamp

T = TypeVar("T")

TROUBLE = (OSError, IMAP4.error, OperationalError)
"""What goes wrong with servers, disks and locks: it is logged, and the next tick tries again."""

TOGETHER, TOGETHER_BYTES = 50, 1_000_000
"""So many mails at most are stored in one transaction."""

WATCH_SECONDS = 30
PAUSE_SECONDS = 1.0


class Busy(RuntimeError):
    """Another process works on this database."""


@contextmanager
def only_one(db: Path) -> Iterator[None]:
    """Hold the right to fetch and send for this database; :class:`Busy` if another process has it.

    The lock is the operating system's, so that it is gone with the process, however it ends.
    """
    path = db.with_name(db.name + ".lock")
    with path.open("a+") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Busy(f"{db}: process {_owner(file)} is working on this database; stop it first, or wait") from None
        file.truncate(0)
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


def _owner(file: TextIO) -> str:
    file.seek(0)
    return file.read(20).strip() or "?"


@contextmanager
def mail_server(config: Config) -> Iterator[None]:
    """The embedded mail server, where it is the one that is used."""
    if not config.embedded:
        yield
        return
    host, port = config.listen_at
    with EmbeddedServer(config.maildir, port, host):
        yield


@dataclass
class Done:
    """What a tick did; ``trouble``: whether something outside failed meanwhile, ``failed``: what, and why."""

    fetched: int = 0
    handled: int = 0
    due: int = 0
    sent: int = 0
    trouble: bool = False
    failed: dict[str, str] = field(default_factory=dict)

    @property
    def anything(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.fetched or self.handled or self.due or self.sent)


def tick(
    app: App, mailbox: Mailbox, sender: Sender, stop: Callable[[], bool] = lambda: False, *, afresh: bool = False
) -> Done:
    """One cycle.  ``stop`` is asked between two mails: then the rest is left to the next tick; ``afresh``: look through
    the whole mailbox, for mails that were stored but not moved out of it when the program ended."""
    done = Done()
    believed = _guarded("clock", lambda: outages.clock_believed(app.context), done)
    fetched = _guarded("fetch", lambda: _fetched(app, mailbox, done, stop, afresh), done)
    if believed:
        passing = _guarded("outage", lambda: _recover(app, bool(fetched), stop), done)
        _guarded("handle", lambda: _handle(app, done, stop), done)
        if passing and not stop():
            _guarded("deadlines", lambda: _sweep(app, done), done)
    if not stop():
        _guarded("send", lambda: _send(app, sender, done), done)
    _guarded("note", lambda: _note_tick(app, done), done)
    if done.anything:
        log.info("tick", fetched=done.fetched, handled=done.handled, due=done.due, sent=done.sent)
    return done


def _guarded(what: str, act: Callable[[], T], done: Done) -> T | None:
    """What ``act`` gives; None if it came to nothing for trouble from outside, which is logged."""
    try:
        return act()
    except TROUBLE as error:
        why = f"{type(error).__name__}: {error}"[:300]
        log.error(f"{what} failed", why=why)
        done.trouble = True
        done.failed[what] = why
        return None


def _fetched(app: App, mailbox: Mailbox, done: Done, stop: Callable[[], bool], afresh: bool) -> bool:
    fetch(app, mailbox, done, stop, afresh)
    return True


def _recover(app: App, fetched: bool, stop: Callable[[], bool]) -> bool:
    """Whether deadlines may pass: mail could be read, and what had to be moved for an outage has been."""
    if not fetched or not outages.work(app.context, stop):
        return False
    outages.reached(app.context)
    return outages.work(app.context, stop)


def fetch(app: App, mailbox: Mailbox, done: Done, stop: Callable[[], bool] = lambda: False, afresh: bool = False) -> None:
    """Store what is new in the mailbox; a mail is moved out of it once it is safe in the database."""
    store = app.store
    folder = app.context.config.imap_folder if app.context.config.imap_host else "maildir"
    mails = mailbox.fetch("" if afresh else store.inbox.cursor(folder))
    faults.point("fetch.begun")
    while some := _some(mails, stop):
        with store.transaction():
            for mail in some:
                if mail.raw:
                    intake.file(app.context, mail.raw, stamp(mail.received), f"{folder} {mail.key}")
                else:
                    app.context.note("unreadable", f"the server does not hand out mail {mail.key} of {folder}")
            store.inbox.set_cursor(folder, some[-1].key)
            faults.point("store.filed")
        faults.point("store.committed")
        for mail in some:
            mailbox.done(mail.key, bool(mail.raw))
            faults.point("move.done")
            done.fetched += 1


def _some(mails: Iterator[Fetched], stop: Callable[[], bool]) -> list[Fetched]:
    """The next few mails, to be stored together; none when told to stop."""
    found: list[Fetched] = []
    while len(found) < TOGETHER and sum(len(m.raw) for m in found) < TOGETHER_BYTES and not stop():
        mail = next(mails, None)
        if mail is None:
            break
        faults.point("fetch.got")
        found.append(mail)
    return found


def _handle(app: App, done: Done, stop: Callable[[], bool]) -> None:
    done.handled = intake.work(app.context, intake.waiting(app.context), stop)


def _sweep(app: App, done: Done) -> None:
    """Deadlines pass only when every mail that has come is dealt with: the answer may be among those left to the next tick."""
    if app.store.inbox.waiting(1):
        return
    done.due = deadlines.sweep(app.context)


def _send(app: App, sender: Sender, done: Done) -> None:
    done.sent = outgoing.send_ready(app.context, sender)


def _note_tick(app: App, done: Done) -> None:
    retention.tidy(app.context)
    with app.store.transaction():
        app.store.notes.set_value("last_tick", app.context.now)
    health.write(app.context, done.failed)


def run(app: App) -> None:
    """Serve until SIGTERM or SIGINT; the mail in hand is finished first."""
    config = app.context.config
    with only_one(config.db), mail_server(config), app.new_mailbox() as mailbox:
        service = _Service(app, mailbox, app.new_sender())
        service.serve()


class _Service:
    """The scheduler, the tick it runs, and a watcher that calls it when mail arrives."""

    def __init__(self, app: App, mailbox: Mailbox, sender: Sender) -> None:
        self.app, self.mailbox, self.sender = app, mailbox, sender
        self.stopping = threading.Event()
        self.afresh = True
        self.scheduler = BlockingScheduler(
            executors={"default": ThreadPoolExecutor(1)}, timezone="UTC",
            job_defaults={"coalesce": True, "max_instances": 1, "misfire_grace_time": None},
        )

    def serve(self) -> None:
        """Until told to stop."""
        seconds = self.app.context.config.tick_seconds
        self.scheduler.add_job(self._tick, "interval", seconds=seconds, id="tick", next_run_time=self.app.context.clock())
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        watcher = threading.Thread(target=self._watch, name="watch", daemon=True)
        watcher.start()
        log.info("running", db=str(self.app.context.config.db), every=seconds)
        self.scheduler.start()
        watcher.join(5)
        log.info("stopped")

    def _stop(self, number: int, frame: Any) -> None:
        if not self.stopping.is_set():
            self.stopping.set()
            self.scheduler.shutdown(wait=True)

    def _tick(self) -> None:
        done = tick(self.app, self.mailbox, self.sender, self.stopping.is_set, afresh=self.afresh)
        self.afresh = self.afresh and done.trouble

    def _watch(self) -> None:
        """Wait for mail on a connection of its own, and have the tick run at once when there is some."""
        with self.app.new_mailbox() as box:
            while not self.stopping.wait(PAUSE_SECONDS):
                with suppress(*TROUBLE):
                    if box.wait(WATCH_SECONDS, self.stopping.is_set) and not self.stopping.is_set():
                        self.scheduler.modify_job("tick", next_run_time=self.app.context.clock())
