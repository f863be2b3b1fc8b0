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
PENDING, TAKEN_BACK = "pending", "taken back"
"""A game is pending until all its seats are taken, taken back until its players confirm how it goes on, halted by a
:class:`~pbem.core.engine.Divergence`, paused by the referee, over by its rules."""

REFEREE = "referee"
"""The referee's seat; he holds no side."""

NEW, HELD, DONE, SHELVED = "new", "held", "done", "shelved"
QUEUED, SENDING, SENT, FAILED, DROPPED = "queued", "sending", "sent", "failed", "dropped"
"""A letter is dropped when a later one takes its place before it was sent."""

DEADLINE, GRACE, REMINDER, PLANNED = "deadline", "grace", "reminder", "planner"
"""Kinds of what is due: a side's answer; the end of the patience after that; the next reminder; a turn of the planner."""

PLANNER = "planner"
"""In place of the address of a seat that the planner holds; it is none, so nothing can be mailed to it."""


class StoreError(RuntimeError):
    """The database cannot be used; the message says which one, why, and what to do."""


class NoSuchGame(LookupError):
    """No game of that name."""


class GameExists(ValueError):
    """The name is taken."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game's row, without the bulky parts.  ``title`` is the name of the title's package, ``head`` the end of
    the chain, ``seq`` the next row's number, ``waiting`` the sides whose answer is missing, ``note`` why it stands still,
    ``maker`` the member who made it by mail (0: the host did)."""

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
    maker: int = 0


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
    ``lapsed``: the stretch of play (``Ruleset.player_turn``) in which he missed a deadline, so that its other questions do
    not wait again; ``wishes``: how he wants his mails (:mod:`pbem.service.letters.mail_preferences`);
    ``draw``: the turn in which he offered a draw, as long as that stands;
    ``leaving``: why, and since when, somebody else may take the seat.  A free seat has no address."""

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
    draw: str = ""
    leaving: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """Orders of a side that are not in force yet: since some of its mail was not understood or refused, or (``whole``) since
    it says 'wait', or its game does not carry orders out as they come."""

    game: str
    side: str
    step: int
    payload: Mapping[str, Any]
    lines: tuple[str, ...]
    source: str
    at: str
    whole: bool = False


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


ANYBODY = "?"
"""The sender of a mail that was filed before it was kept who had been believed."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail that came in.  ``key`` is the digest of its bytes, ``body`` that of what it says; ``origin`` says where it
    was fetched; ``sender`` is whom it was believed to be from ('' if it was not), ``dated`` its Date field."""

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
    sender: str = ANYBODY
    dated: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of orders that a side sent: digests of its lines and of the ``words`` around it ('' if there were none), the
    Message-ID that its mail answered, and the mail's id."""

    game: str
    side: str
    digest: str
    words: str
    thread: str
    mail: int


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
class Member:
    """A person.  ``address`` is where mail goes to, ``addresses`` are all he may write from; ``token`` is the secret of
    mails that belong to no game ('' before the first one); ``zone``: his time zone ('' for the server's); ``shown``: whether
    others may read his address; ``available``: since when he stands on the list of substitutes ('' if he does not);
    ``wishes``: how he wants mails of new games; ``in_time``, ``late``, ``missed``: the deadlines that he has had."""

    id: int
    name: str
    address: str
    token: str = ""
    zone: str = ""
    shown: bool = False
    available: str = ""
    wishes: Mapping[str, Any] = field(default_factory=dict)
    joined: str = ""
    in_time: int = 0
    late: int = 0
    missed: int = 0
    addresses: tuple[str, ...] = ()

    @property
    def asked(self) -> int:
        """How many deadlines he has had."""
        return self.in_time + self.late + self.missed


@dataclass(frozen=True, slots=True)
class Word:
    """A secret that was mailed to ``address`` and counts once, from there alone, until ``expires``: for what (``kind``), for
    whom (``member``, 0 for nobody yet), and whatever belongs to it."""

    word: str
    kind: str
    address: str
    member: int
    data: Mapping[str, Any]
    issued: str
    expires: str


@dataclass(frozen=True, slots=True)
class Absence:
    """When a member cannot play: from ``first`` to before ``last``."""

    id: int
    member: int
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Observer:
    """A member who watches a game: ``reported`` journal rows have been told, in ``number`` mails."""

    game: str
    member: int
    since: str
    reported: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Press:
    """A message of one player (``side``, ``member``) to a side, 'referee' or 'all', written in ``step``."""

    id: int
    game: str
    at: str
    side: str
    member: int
    to: str
    anonymous: bool
    step: str
    text: str


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

    def titles(self, games: Sequence[str]) -> list[str]:
        """The titles of some games, each once, in the order of the alphabet."""

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

    def in_status(self, status: str, limit: int = 50) -> list[Game]:
        """Games of a status, the oldest first."""

    def made_by(self, member: int, status: str) -> int:
        """How many games of a status a member has made."""

    def due_in(self, after: str = "", limit: int = 100) -> list[str]:
        """Ids of games in which something is due at any time, those after ``after``."""

    def clock(self, game: str) -> Mapping[str, Any]:
        """What is kept of a game's clock beside its options; empty if nothing is."""

    def set_clock(self, game: str, state: Mapping[str, Any]) -> None:
        """Keep it."""


class Journals(Protocol):
    """The journal rows of all games: appended, never changed."""

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows; a number that is taken is an error of the caller, and nothing is kept."""

    def rows(self, game: str, first: int = 0, last: int | None = None, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Rows by number, ``last`` included; ``kinds`` narrows them."""

    def told(self, game: str, kinds: Sequence[str]) -> tuple[int, str]:
        """Number and hash of the last row of these kinds; (-1, '') if there is none."""


class Inbox(Protocol):
    """Mail that came in, raw bytes first."""

    def file(self, key: str, raw: bytes, received: str, origin: str) -> tuple[Mail, bool]:
        """Keep a mail; False if the same bytes were already there (then that mail is returned)."""

    def known_as(self, id: int, message_id: str, body: str, dated: str = "") -> list[Mail]:
        """Remember what was read of a mail; gives the mails filed before it under the same Message-ID."""

    def believed(self, id: int, sender: str) -> None:
        """Remember that a mail was believed to be from ``sender``."""

    def twins(self, sender: str, body: str, dated: str, before: int = 0) -> list[Mail]:
        """The mails that were believed to be from ``sender``, say the same and bear the same date, the oldest first; ``before``:
        only those filed before that mail (0: all)."""

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

    def reopen(self, id: int) -> None:
        """A shelved mail waits to be handled once more."""

    def shelved(self, limit: int = 50) -> list[Mail]:
        """The mails shelved last, the newest first."""

    def handled(self, limit: int = 50, game: str = "") -> list[Mail]:
        """The mails handled last (of a game), the newest first."""

    def keep_block(self, block: Block) -> None:
        """Remember a block of orders."""

    def blocks(self, game: str, side: str, digest: str, before: int) -> list[Block]:
        """Equal blocks of a side in mails before one, the newest first, a few at most."""

    def last_block(self, game: str, side: str, before: int) -> Block | None:
        """The block that a side sent last, in a mail before one."""

    def last(self) -> int:
        """The id of the newest mail; 0 if there is none."""

    def heard(self, since: str, dispositions: Sequence[str], limit: int = 100, after: int = 0) -> int:
        """How many mails of these dispositions were received since a time, later than that of id ``after``, ``limit`` at
        most."""

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

    def mailed(self, recipient: str, part: str) -> bool:
        """Whether the Message-ID of a letter to an address holds a text."""

    def named(self, message_id: str) -> Letter | None:
        """The letter of that Message-ID."""

    def drawn(self, id: int, raw: bytes) -> None:
        """Its pictures are in it now."""

    def ready(self, now: str, limit: int = 100) -> list[int]:
        """Ids of queued letters whose time has come: in the order queued, and behind those the ones that have been tried."""

    def claim(self, id: int, now: str) -> Letter | None:
        """Mark a queued letter 'sending' and count the attempt; None if somebody else has it."""

    def sent(self, id: int, now: str) -> None:
        """It has been taken by the mail server."""

    def retry(self, id: int, at: str, error: str) -> None:
        """It has not been taken, or nobody knows: try the same letter again at a time."""

    def hasten(self, now: str) -> None:
        """Every queued letter may be tried now: the mail server works again."""

    def last_sent(self) -> str:
        """When a letter was taken last; '' if none was, or its bytes are no longer kept."""

    def failures(self) -> Iterator[Letter]:
        """All letters that were given up, oldest first."""

    def failed(self, id: int, error: str) -> None:
        """It will not be tried again by itself."""

    def again(self, id: int, now: str) -> None:
        """A letter that was given up waits to be sent again, as if it were new."""

    def interrupted(self) -> list[int]:
        """Ids of letters marked 'sending' (by a process that has ended: only one may send)."""

    def unsent(self) -> Iterator[Letter]:
        """All letters neither sent nor failed."""

    def recent(self, recipient: str, since: str, kinds: Sequence[str] = ()) -> int:
        """How many letters were queued for an address since a time."""

    def sent_to(self, game: str, side: str = "") -> Iterator[Letter]:
        """All letters of a game (to a side), oldest first."""

    def stuck(self, game: str, side: str) -> str:
        """When the oldest letter to a side was queued that the mail server would not take so far; '' if there is none."""

    def drop(self, game: str, side: str, kind: str, why: str) -> int:
        """Letters of a kind to a side that wait in line are not sent any more; how many."""

    def forget(self, before: str, limit: int = 500) -> int:
        """Drop the bytes of letters sent before a time, but not their rows; how many."""

    def counts(self) -> Mapping[str, int]:
        """How many there are of each status that is not sent."""

    def oldest(self) -> str:
        """When the oldest unsent letter was queued; '' if none waits."""


class People(Protocol):
    """Who plays here: members, their addresses, the words mailed to confirm something, absences, observers, press."""

    def add(self, member: Member) -> Member:
        """A new member with one address; gives him with his number."""

    def at(self, address: str) -> Member | None:
        """The member who has this address."""

    def get(self, id: int) -> Member | None:
        """The member of that number."""

    def named(self, name: str) -> Member | None:
        """The member of that name, whatever its capitals."""

    def save(self, member: Member) -> None:
        """Keep a member's row; his addresses are as they were."""

    def page(self, after: int = 0, limit: int = 1000) -> list[Member]:
        """Members by number."""

    def available(self, limit: int = 50) -> list[Member]:
        """Who stands on the list of substitutes, the longest first."""

    def add_address(self, member: int, address: str, since: str) -> None:
        """One more address of a member."""

    def drop_address(self, address: str) -> None:
        """An address is nobody's any more."""

    def count(self, member: int, what: str) -> None:
        """One more deadline 'in_time', 'late' or 'missed'."""

    def issue(self, word: Word) -> None:
        """Keep a word; an earlier one of the same kind, address and data is void."""

    def word(self, word: str, address: str) -> Word | None:
        """The word, if it was mailed to that address."""

    def spend(self, word: str) -> None:
        """It counts no more."""

    def issued(self, since: str, kind: str, address: str = "", member: int = 0) -> int:
        """How many words of a kind were issued since a time (to an address, for a member), those that count no more included."""

    def forget_words(self, before: str) -> None:
        """Drop the words that were issued, and expired, before a time."""

    def absences(self, member: int, now: str = "") -> list[Absence]:
        """A member's absences that are not over by ``now``, the earliest first."""

    def add_absence(self, member: int, first: str, last: str) -> None:
        """One more."""

    def drop_absences(self, member: int, now: str) -> int:
        """Forget those that are not over; gives how many there were."""

    def moved(self, game: str, member: int) -> float:
        """Hours by which a member's absences have moved deadlines of a game."""

    def add_moved(self, game: str, member: int, hours: float) -> None:
        """So many hours more."""

    def observers(self, game: str) -> list[Observer]:
        """Who watches a game."""

    def observed(self, member: int) -> list[Observer]:
        """What a member watches."""

    def save_observer(self, observer: Observer) -> None:
        """Add an observer, or keep how far he has been told."""

    def drop_observer(self, game: str, member: int) -> None:
        """He watches no more."""

    def add_press(self, press: Press) -> None:
        """Keep a message (its ``id`` is given by the store)."""

    def press(self, game: str, after: int = 0) -> list[Press]:
        """The messages of a game, oldest first, those after a number."""

    def press_since(self, game: str, side: str, since: str) -> int:
        """How many messages a side has written since a time."""


class Notes(Protocol):
    """The host's log and a few settings that the database itself keeps."""

    def add(self, note: Note) -> None:
        """Write a note."""

    def last(self, limit: int = 50, game: str | None = None) -> list[Note]:
        """The newest notes (of a game; '' for those of none), the newest first."""

    def count(self, kind: str, since: str) -> int:
        """How many notes of a kind were written since a time."""

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
    def people(self) -> People:
        """Who plays here."""

    @property
    def notes(self) -> Notes:
        """The host's log."""

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing; nested blocks join the outer one."""

    def changes(self) -> int:
        """A number that is another one once somebody else has written into the database."""

    def close(self) -> None:
        """Let go of it."""
