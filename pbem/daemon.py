"""The daemon: one idempotent tick, again and again, and as soon as there is news in the mailbox.

A tick fetches, handles, sweeps deadlines and sends; nothing is kept between ticks but connections.  Each of these fails alone:
it says why in one line, and the others go on.  A server that fails is left in peace for a while
(:mod:`pbem.service.host.breaker`).  If the mailbox cannot be read, deadlines wait too: the answer may be lying there.  When they
are to be held or moved is told by :mod:`pbem.service.play.outages`.  Each tick says in a file how things stand
(:mod:`pbem.service.host.health`).
"""

from __future__ import annotations

import fcntl
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from imaplib import IMAP4
from pathlib import Path
from sqlite3 import DatabaseError
from typing import Any, TextIO, TypeVar

from apscheduler.executors.pool import ThreadPoolExecutor
from apscheduler.schedulers.blocking import BlockingScheduler
from imapclient.exceptions import LoginError

from pbem.bootstrap import App
from pbem.config import Config
from pbem.mail.embedded import EmbeddedServer
from pbem.mail.limits import TooSlow
from pbem.mail.mailbox import BadFolder, Later, Mailbox
from pbem.mail.oauth import OAuthError
from pbem.service.host import breaker, health, retention
from pbem.service.letters import outgoing
from pbem.service.mailroom import collection, intake
from pbem.service.mailroom.collection import Collected
from pbem.service.play import deadlines, outages
from pbem.service.logs import log
from pbem.service.letters.outgoing import Sender
from pbem.store.schema import open_store

T = TypeVar("T")

TROUBLE = (OSError, IMAP4.error, DatabaseError)
"""What goes wrong with servers, disks and locks: it is told in a line, and the next tick tries again."""

PLAIN = (Later, BadFolder, TooSlow, OAuthError)
"""Errors whose message is for the host as it stands."""

WATCH_SECONDS = 30
PAUSE_SECONDS, LONGEST_PAUSE = 1.0, 900.0
"""Seconds between two looks of the watcher, and after looks that failed, each time twice as long."""


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

    def fails(self, what: str, why: str, quiet: bool = False) -> None:
        """Something failed; ``quiet``: that has been logged."""
        self.trouble = True
        self.failed[what] = why
        if not quiet:
            log.error(f"{what} failed", why=why)

    @property
    def anything(self) -> bool:
        """Whether there was anything to do."""
        return bool(self.fetched or self.handled or self.due or self.sent)


def tick(
    app: App, mailbox: Mailbox, sender: Sender, stop: Callable[[], bool] = lambda: False, *, afresh: bool = False,
    at_once: bool = False,
) -> Done:
    """One cycle.  ``stop`` is asked between two mails: then the rest is left to the next tick; ``afresh``: look through
    the whole mailbox, for mails that were stored but not moved out of it when the program ended; ``at_once``: try what has
    failed before without waiting for the end of its pause."""
    done = Done()
    believed = _guarded("clock", lambda: outages.clock_believed(app.context), done)
    fetched = fetch(app, mailbox, done, stop, afresh, at_once)
    if believed:
        passing = _guarded("outage", lambda: _recover(app, fetched, stop), done)
        _guarded("handle", lambda: _handle(app, done, stop), done)
        if passing and not stop():
            _guarded("deadlines", lambda: _sweep(app, done), done)
    if not stop():
        _guarded("send", lambda: _send(app, sender, done, at_once), done)
    _guarded("note", lambda: _note_tick(app, done, bool(believed)), done)
    if done.anything:
        log.info("tick", fetched=done.fetched, handled=done.handled, due=done.due, sent=done.sent)
    return done


def _guarded(what: str, act: Callable[[], T], done: Done) -> T | None:
    """What ``act`` gives; None if it failed, which is told in a line and stops no other part."""
    try:
        return act()
    except TROUBLE as error:
        done.fails(what, said(error))
    except Exception as error:
        done.fails(what, f"{said(error)} (a fault of the program; PBEM_LOG_LEVEL=debug shows where)")
        log.debug(f"{what} failed", exc_info=True)
    return None


def said(error: BaseException) -> str:
    """An error in one line."""
    text = " ".join(str(error).split())
    return (text if isinstance(error, PLAIN) else f"{type(error).__name__}: {text}")[:300]


def fetch(
    app: App, mailbox: Mailbox, done: Done, stop: Callable[[], bool] = lambda: False, afresh: bool = False,
    at_once: bool = False,
) -> bool:
    """Store what is new in the mailbox; whether all of it could be read.  Mail that cannot be read now is left where it is."""
    context = app.context
    pause = None if at_once else breaker.paused(context, breaker.FETCH)
    if pause is not None:
        done.fails(breaker.FETCH, pause.why, quiet=True)
        return False
    found = Collected()
    whole = _guarded(breaker.FETCH, lambda: _collect(app, mailbox, found, stop, afresh), done)
    done.fetched = found.count
    moving = breaker.open_now(context, breaker.MOVE)
    if moving is not None:
        done.fails(breaker.MOVE, moving.why, quiet=True)
    return bool(whole)


def _collect(app: App, mailbox: Mailbox, found: Collected, stop: Callable[[], bool], afresh: bool) -> bool:
    context = app.context
    try:
        collection.collect(context, mailbox, found, stop, afresh)
        collection.move_rest(context, mailbox)
    except Exception as error:
        refused = isinstance(error, LoginError) or isinstance(error, OAuthError) and error.refused
        why = f"the mail server refuses the login: {said(error)}" if isinstance(error, LoginError) else said(error)
        breaker.failed(
            context, breaker.FETCH, why, breaker.REFUSED if refused else breaker.BUSY, progress=bool(found.count)
        )
        raise
    breaker.works(context, breaker.FETCH)
    return True


def _recover(app: App, fetched: bool, stop: Callable[[], bool]) -> bool:
    """Whether deadlines may pass: mail could be read, and what had to be moved for an outage has been."""
    if not fetched or not outages.work(app.context, stop):
        return False
    if breaker.open_now(app.context, breaker.SEND) is None:
        outages.reached(app.context)
    return outages.passable(app.context) and outages.work(app.context, stop)


def _handle(app: App, done: Done, stop: Callable[[], bool]) -> None:
    done.handled = intake.work(app.context, intake.waiting(app.context), stop)


def _sweep(app: App, done: Done) -> None:
    """Deadlines pass only when every mail that has come is dealt with: the answer may be among those left to the next tick."""
    if app.store.inbox.waiting(1):
        return
    done.due = deadlines.sweep(app.context)


def _send(app: App, sender: Sender, done: Done, at_once: bool) -> None:
    done.sent = outgoing.send_ready(app.context, sender, at_once=at_once)
    trouble = breaker.open_now(app.context, breaker.SEND)
    if trouble is not None:
        done.fails(breaker.SEND, trouble.why, quiet=True)


def _note_tick(app: App, done: Done, believed: bool) -> None:
    retention.tidy(app.context)
    with app.store.transaction():
        app.store.notes.set_value("last_tick", app.context.now)
        if believed:
            app.store.notes.set_value(outages.BELIEVED, app.context.now)
    health.write(app.context, done.failed)


def run(app: App) -> None:
    """Serve until SIGTERM or SIGINT; the mail in hand is finished first."""
    config = app.context.config
    with only_one(config.db), mail_server(config), app.new_mailbox() as mailbox:
        service = _Service(app, mailbox, app.new_sender())
        service.serve()


class _Service:
    """The scheduler, the tick it runs, and two watchers that call it: when mail arrives, and when another process (a command of
    the host) has left letters to be sent or a mail to be handled."""

    def __init__(self, app: App, mailbox: Mailbox, sender: Sender) -> None:
        self.app, self.mailbox, self.sender = app, mailbox, sender
        self.stopping = threading.Event()
        self.afresh, self.first = True, True
        self.readable = threading.Event()
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
        watchers = [
            threading.Thread(target=self._watch, name="watch mail", daemon=True),
            threading.Thread(target=self._watch_database, name="watch database", daemon=True),
        ]
        for watcher in watchers:
            watcher.start()
        log.info("running", db=str(self.app.context.config.db), every=seconds)
        self.scheduler.start()
        for watcher in watchers:
            watcher.join(5)
        log.info("stopped")

    def _stop(self, number: int, frame: Any) -> None:
        if not self.stopping.is_set():
            self.stopping.set()
            self.scheduler.shutdown(wait=True)

    def _tick(self) -> None:
        done = tick(
            self.app, self.mailbox, self.sender, self.stopping.is_set, afresh=self.afresh, at_once=self.first
        )
        self.first = False
        self.afresh = self.afresh and done.trouble
        if breaker.FETCH in done.failed:
            self.readable.clear()
        else:
            self.readable.set()

    def _at_once(self) -> None:
        if not self.stopping.is_set():
            self.scheduler.modify_job("tick", next_run_time=self.app.context.clock())

    def _watch(self) -> None:
        """Wait for mail on a connection of its own, and have the tick run at once when there is some.  As long as the tick
        cannot read mail, and ever longer after trouble of its own, it does not bother the server."""
        pause = PAUSE_SECONDS
        with self.app.new_mailbox() as box:
            while not self.stopping.wait(pause):
                if not self.readable.is_set():
                    box.close()
                    continue
                try:
                    if box.wait(WATCH_SECONDS, self.stopping.is_set):
                        self._at_once()
                    pause = PAUSE_SECONDS
                except Exception as error:
                    pause = min(LONGEST_PAUSE, 2 * pause)
                    log.debug("watching the mailbox failed", why=said(error), again_in=pause)

    def _watch_database(self) -> None:
        """Have the tick run at once when another process has queued a letter, or given a mail back to be handled."""
        store = open_store(self.app.context.config.db)
        seen = store.changes()
        try:
            while not self.stopping.wait(PAUSE_SECONDS):
                try:
                    now = store.changes()
                    if now == seen:
                        continue
                    seen = now
                    waits = store.outbox.ready(self.app.context.now, 1) or store.inbox.waiting(1)
                except DatabaseError as error:
                    log.debug("watching the database failed", why=said(error))
                    continue
                if waits:
                    self._at_once()
        finally:
            store.close()
