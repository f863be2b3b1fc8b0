"""What the rest of pbem may ask of a database, and the values that go in and out.

The interface is narrow on purpose: a second store (PostgreSQL with several workers) has to offer just
this, and to pass ``tests/store``.  Rules that every store keeps:

* Writing happens inside ``with store.transaction():``; it commits at the end of the block or not at all.
  A nested block joins the outer one.
* A game is only touched after ``games.lock(id)`` in the same transaction: one writer a game.
* Times are UTC, ISO 8601 with seconds ('2026-03-14T09:15:00Z'), so that they compare as text.
* No call's cost grows with the number of games, nor (the journal's readers apart) with the length of one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from pbem.core.engine import Snapshot
from pbem.core.journal import Row

RUNNING, PAUSED, HALTED, OVER, CLOSED = "running", "paused", "halted", "over", "closed"
"""A game is halted by a :class:`~pbem.core.engine.Divergence`, paused by the referee, over by its rules."""

REFEREE = "referee"
"""The referee's seat; he holds no side."""

NEW, HELD, DONE, SHELVED = "new", "held", "done", "shelved"
QUEUED, SENDING, SENT, FAILED = "queued", "sending", "sent", "failed"

DEADLINE, REMINDER = "deadline", "reminder"


class StoreError(RuntimeError):
    """The database cannot be used; the message says which one, why, and what to do."""


class NoSuchGame(LookupError):
    """No game of that name."""


class GameExists(ValueError):
    """The name is taken."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game's row, without the bulky parts.  ``title`` is the ruleset's name ('fab_sicily'), ``head`` the end of
    the chain, ``seq`` the next row's number, ``waiting`` the sides whose answer is missing, ``note`` why it stands still."""

    id: str
    title: str
    scenario: str
    options: Mapping[str, Any]
    dataset: str
    commitment: str
    created: str
    status: str = RUNNING
    note: str = ""
    seq: int = 0
    step: int = 0
    step_name: str = ""
    head: str = ""
    waiting: tuple[str, ...] = ()
    touched: str = ""


@dataclass(frozen=True, slots=True)
class Position:
    """What a game is resumed from: the snapshot at the start of its current step and the rows since then."""

    snapshot: Snapshot
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Seat:
    """Who plays ``side`` ('referee' too).  ``name`` is shown to the others, the address never; ``token`` is the secret
    that only we mailed to that address; ``asked``: the open questions he was mailed; ``reported``: the number of journal
    rows his last report covers, ``report`` that report's number; ``thread``: the Message-ID of the first mail to him;
    ``lapsed``: the stretch of play (``Ruleset.stretch``) in which he missed a deadline, so that its other questions do
    not wait again; ``wishes``: how he wants his mails (:mod:`pbem.service.wishes`)."""

    game: str
    side: str
    address: str
    token: str
    name: str = ""
    asked: tuple[str, ...] = ()
    reported: int = 0
    report: int = 0
    thread: str = ""
    lapsed: str = ""
    wishes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Draft:
    """Orders of a side that are not in force yet, since some of its mail was not understood or refused."""

    game: str
    side: str
    step: int
    payload: Mapping[str, Any]
    lines: tuple[str, ...]
    source: str
    at: str


@dataclass(frozen=True, slots=True)
class Report:
    """A report as it was mailed: journal rows ``first`` to ``last``; ``doc`` is what the templates were given, ``letter``
    the Message-ID under which it went out."""

    game: str
    side: str
    number: int
    first: int
    last: int
    at: str
    subject: str
    text: str
    doc: Mapping[str, Any] = field(default_factory=dict)
    letter: str = ""


@dataclass(frozen=True, slots=True)
class Due:
    """Something to do for ``side`` at a time."""

    game: str
    side: str
    kind: str
    at: str


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that came in.  ``key`` is the digest of its bytes, ``body`` that of what it says; ``origin`` says where it
    was fetched."""

    id: int
    key: str
    raw: bytes
    received: str
    origin: str
    status: str
    tries: int
    message_id: str = ""
    body: str = ""
    disposition: str = ""
    reason: str = ""
    game: str = ""
    side: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail that goes out.  ``message_id`` is fixed when it is queued and never changes; ``kind`` is 'report',
    'receipt', 'reminder', 'notice'; ``once``: a key that no second letter may carry ('' for none); ``drawing``: the pictures
    that are still to be drawn into it (JSON, '' for none)."""

    message_id: str
    recipient: str
    subject: str
    raw: bytes
    kind: str
    game: str = ""
    side: str = ""
    once: str = ""
    id: int = 0
    status: str = QUEUED
    attempts: int = 0
    next_try: str = ""
    created: str = ""
    sent: str = ""
    error: str = ""
    drawing: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """Something the host should know."""

    at: str
    game: str
    kind: str
    text: str


class Games(Protocol):
    """Games, their positions, seats, drafts, reports and deadlines."""

    def create(self, game: Game, seed: bytes, dataset: Mapping[str, Any], seats: Sequence[Seat]) -> None:
        """A new game; :class:`GameExists` if its id is taken.  The data set is kept once, under its digest."""

    def get(self, game: str) -> Game:
        """The game; :class:`NoSuchGame` if there is none."""

    def lock(self, game: str) -> Game:
        """The game, which nobody else may touch until the transaction ends."""

    def page(self, after: str = "", limit: int = 1000) -> list[Game]:
        """Games by id, those after ``after``, a page at a time."""

    def count(self) -> int:
        """How many there are."""

    def seed(self, game: str) -> bytes:
        """The secret of its dice; of a game whose seed was drawn anew, all its seeds, one behind the other."""

    def add_seed(self, game: str, seed: bytes) -> None:
        """A new secret for the dice from now on; the ones before are kept."""

    def dataset(self, digest: str) -> Mapping[str, Any]:
        """A scenario's data as they were when the game began."""

    def position(self, game: str) -> Position:
        """Where the game stands; its cost depends on the current step alone."""

    def save(self, game: Game, snapshot: Snapshot | None) -> None:
        """Keep the game's row; a ``snapshot`` replaces the stored one (None: the step is still the same)."""

    def seats(self, game: str) -> list[Seat]:
        """All seats, the sides in the order given at creation."""

    def seat(self, game: str, side: str) -> Seat:
        """One seat; KeyError if there is none."""

    def seats_of(self, address: str) -> list[Seat]:
        """All seats that an address holds."""

    def save_seat(self, seat: Seat) -> None:
        """Keep a seat (a new holder replaces the old one)."""

    def draft(self, game: str, side: str) -> Draft | None:
        """The side's draft, if there is one."""

    def save_draft(self, draft: Draft) -> None:
        """Keep a draft in place of any earlier one."""

    def drop_draft(self, game: str, side: str) -> None:
        """Forget the side's draft."""

    def add_report(self, report: Report) -> None:
        """Keep a report that is being mailed."""

    def report(self, game: str, side: str, number: int = 0) -> Report | None:
        """The side's report of that number; the last one for 0."""

    def reports(self, game: str, side: str) -> list[tuple[int, str]]:
        """Number and subject of all reports of a side, oldest first."""

    def set_due(self, due: Due) -> None:
        """Set or move what is due for (game, side, kind)."""

    def drop_due(self, game: str, side: str, kind: str = "") -> None:
        """Forget what is due ('' for all kinds)."""

    def dues(self, game: str) -> list[Due]:
        """What is due in a game."""

    def due_by(self, now: str, limit: int = 100) -> list[Due]:
        """What is due by ``now``, the oldest first.  (A game that does not run has nothing due.)"""


class Journals(Protocol):
    """The journal rows of all games: appended, never changed."""

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows; a number that is taken is an error of the caller, and nothing is kept."""

    def rows(self, game: str, first: int = 0, last: int | None = None, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Rows by number, ``last`` included; ``kinds`` narrows them."""


class Inbox(Protocol):
    """Mail that came in, raw bytes first."""

    def file(self, key: str, raw: bytes, received: str, origin: str) -> tuple[Mail, bool]:
        """Keep a mail; False if the same bytes were already there (then that mail is returned)."""

    def known_as(self, id: int, message_id: str, body: str) -> list[Mail]:
        """Remember what was read of a mail; gives the mails filed before it under the same Message-ID."""

    def filed(self, key: str) -> Mail | None:
        """The mail of these bytes, if there is one."""

    def under(self, message_id: str) -> list[Mail]:
        """All mails under a Message-ID, the oldest first."""

    def get(self, id: int) -> Mail:
        """One mail; KeyError if there is none."""

    def waiting(self, limit: int = 100) -> list[int]:
        """Ids of mails not handled yet, the oldest first."""

    def held(self, limit: int = 100) -> list[int]:
        """Ids of mails that are to be judged once more, the oldest first."""

    def claim(self, id: int) -> Mail | None:
        """Count one more try and return the mail; None if it was handled meanwhile."""

    def release(self, id: int) -> None:
        """Take the try back: it came to nothing for a reason that is not the mail's."""

    def hold(self, id: int, disposition: str, reason: str) -> None:
        """Keep it to be judged once more; its tries begin anew."""

    def finish(self, id: int, status: str, disposition: str, reason: str, game: str = "", side: str = "") -> None:
        """What became of it."""

    def handled(self, limit: int = 50, game: str = "") -> list[Mail]:
        """The mails handled last (of a game), the newest first."""

    def counts(self) -> Mapping[str, int]:
        """How many there are of each status that is not done."""

    def cursor(self, folder: str) -> str:
        """The key of the mail up to which a mailbox folder has been read; '' for a new one."""

    def set_cursor(self, folder: str, key: str) -> None:
        """Remember it."""


class Outbox(Protocol):
    """Mail that goes out: queued with the game's change in one transaction, sent later."""

    def queue(self, letter: Letter, now: str) -> int:
        """Put a letter in line; its id, or 0 if its ``once`` key was used before."""

    def get(self, id: int) -> Letter:
        """One letter."""

    def thread(self, message_ids: Sequence[str]) -> Letter | None:
        """The newest of our letters among these Message-IDs (without its raw bytes)."""

    def named(self, message_id: str) -> Letter | None:
        """The letter of that Message-ID."""

    def drawn(self, id: int, raw: bytes) -> None:
        """Its pictures are in it now."""

    def ready(self, now: str, limit: int = 100) -> list[int]:
        """Ids of queued letters whose time has come, in the order queued."""

    def claim(self, id: int, now: str) -> Letter | None:
        """Mark a queued letter 'sending' and count the attempt; None if somebody else has it."""

    def sent(self, id: int, now: str) -> None:
        """It has been taken by the mail server."""

    def retry(self, id: int, at: str, error: str) -> None:
        """It has not been taken, or nobody knows: try the same letter again at a time."""

    def failed(self, id: int, error: str) -> None:
        """It will not be tried again by itself."""

    def interrupted(self) -> list[int]:
        """Ids of letters marked 'sending' (by a process that has ended: only one may send)."""

    def unsent(self) -> Iterator[Letter]:
        """All letters neither sent nor failed."""

    def recent(self, recipient: str, since: str, kinds: Sequence[str] = ()) -> int:
        """How many letters were queued for an address since a time."""

    def sent_to(self, game: str, side: str = "") -> Iterator[Letter]:
        """All letters of a game (to a side), oldest first."""

    def counts(self) -> Mapping[str, int]:
        """How many there are of each status that is not sent."""

    def oldest(self) -> str:
        """When the oldest unsent letter was queued; '' if none waits."""


class Notes(Protocol):
    """The host's log and a few settings that the database itself keeps."""

    def add(self, note: Note) -> None:
        """Write a note."""

    def last(self, limit: int = 50, game: str | None = None) -> list[Note]:
        """The newest notes (of a game; '' for those of none), the newest first."""

    def value(self, name: str) -> str:
        """A stored setting; '' if there is none."""

    def set_value(self, name: str, value: str) -> None:
        """Keep a setting ('last_tick')."""


class Store(Protocol):
    """A database."""

    @property
    def games(self) -> Games:
        """Games and all that belongs to them."""

    @property
    def journal(self) -> Journals:
        """The journals."""

    @property
    def inbox(self) -> Inbox:
        """Mail in."""

    @property
    def outbox(self) -> Outbox:
        """Mail out."""

    @property
    def notes(self) -> Notes:
        """The host's log."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; nested blocks join the outer one."""

    def close(self) -> None:
        """Let go of it."""
