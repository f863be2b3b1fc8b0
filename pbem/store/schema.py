"""The SQLite store: its tables, how they came to be, and how a database is opened.

One file, write-ahead log, one writer at a time.  A change of the tables is a new migration at the end of
this module; an old one is never edited.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from sqlite_utils import Database, Migrations

from pbem.store.api import ANYBODY, StoreError
from pbem.store.games import SqliteGames
from pbem.store.journal import SqliteJournals
from pbem.store.mailbox import SqliteInbox, SqliteNotes, SqliteOutbox
from pbem.store.people import SqlitePeople

BUSY_SECONDS = 30
"""How long a writer waits for another one."""

TRANSACTION = "BEGIN IMMEDIATE", ("ROLLBACK",), "COMMIT"
WITHIN = "SAVEPOINT within", ("ROLLBACK TO within", "RELEASE within"), "RELEASE within"
"""How a transaction, and one within another, begins, is undone and ends; RELEASE is about the innermost of a name.  (The
savepoints of sqlite-utils have a new name each, so that SQLite has to read each statement anew.)"""

migrations = Migrations("pbem")


@migrations()
def m001_games(db: Database) -> None:
    """Games, their data and all that belongs to a seat."""
    db.table("datasets").create({"digest": str, "data": str}, pk="digest")
    db.table("games").create(
        {
            "id": str, "title": str, "scenario": str, "options": str, "dataset": str, "seed": str, "commitment": str,
            "created": str, "status": str, "note": str, "seq": int, "step": int, "step_name": str, "head": str,
            "waiting": str, "touched": str,
        },
        pk="id", not_null={"title", "scenario", "dataset", "seed", "status"}, foreign_keys=[("dataset", "datasets", "digest")],
    )
    db.table("positions").create({"game": str, "seq": int, "snapshot": str}, pk="game", foreign_keys=[("game", "games", "id")])
    db.table("seats").create(
        {
            "game": str, "side": str, "place": int, "address": str, "token": str, "name": str, "asked": str, "reported": int,
            "report": int, "thread": str, "lapsed": str,
        },
        pk=("game", "side"), not_null={"address", "token"}, foreign_keys=[("game", "games", "id")],
    )
    db.table("seats").create_index(["address"])
    db.table("drafts").create(
        {"game": str, "side": str, "step": int, "payload": str, "lines": str, "source": str, "at": str},
        pk=("game", "side"), foreign_keys=[("game", "games", "id")],
    )
    db.table("reports").create(
        {"game": str, "side": str, "number": int, "first": int, "last": int, "at": str, "subject": str, "text": str, "doc": str},
        pk=("game", "side", "number"), foreign_keys=[("game", "games", "id")],
    )
    db.table("dues").create(
        {"game": str, "side": str, "kind": str, "at": str},
        pk=("game", "side", "kind"), foreign_keys=[("game", "games", "id")],
    )
    db.table("dues").create_index(["at"])


@migrations()
def m002_journal(db: Database) -> None:
    """The journal: one hash-chained list of rows a game."""
    db.table("journal").create(
        {"game": str, "seq": int, "step": int, "kind": str, "payload": str, "source": str, "at": str, "prev": str, "hash": str},
        pk=("game", "seq"), not_null={"step", "kind", "payload", "source", "at", "prev", "hash"},
        foreign_keys=[("game", "games", "id")],
    )


@migrations()
def m003_mail(db: Database) -> None:
    """Mail in and out, and the host's notes."""
    db.table("inbox").create(
        {
            "id": int, "key": str, "raw": bytes, "received": str, "origin": str, "status": str, "tries": int,
            "message_id": str, "body": str, "disposition": str, "reason": str, "game": str, "side": str,
        },
        pk="id", not_null={"key", "raw", "status"},
    )
    db.table("inbox").create_index(["key"], unique=True)
    db.table("inbox").create_index(["message_id"])
    db.table("inbox").create_index(["status", "id"])
    db.table("inbox").create_index(["game", "id"])
    db.table("cursors").create({"folder": str, "key": str}, pk="folder")
    db.table("outbox").create(
        {
            "id": int, "message_id": str, "recipient": str, "subject": str, "raw": bytes, "kind": str, "game": str,
            "side": str, "once": str, "status": str, "attempts": int, "next_try": str, "created": str, "sent": str,
            "error": str,
        },
        pk="id", not_null={"message_id", "recipient", "raw", "status"},
    )
    db.table("outbox").create_index(["message_id"], unique=True)
    db.table("outbox").create_index(["once"], unique=True)
    db.table("outbox").create_index(["status", "next_try"])
    db.table("outbox").create_index(["recipient", "created"])
    db.table("outbox").create_index(["game", "side"])
    db.table("notes").create({"id": int, "at": str, "game": str, "kind": str, "text": str}, pk="id")
    db.table("notes").create_index(["game", "id"])
    db.table("settings").create({"name": str, "value": str}, pk="name")


@migrations()
def m004_reports(db: Database) -> None:
    """How a player wants his mails; pictures drawn after the change of the game; the letter a report went out in."""
    db.table("seats").add_column("wishes", str, not_null_default="{}")
    db.table("outbox").add_column("drawing", str, not_null_default="")
    db.table("reports").add_column("letter", str, not_null_default="")


@migrations()
def m005_people(db: Database) -> None:
    """Members and their addresses, made of the seats there are; words to confirm, absences, observers, press; who made a
    game by mail; offers of a draw; seats that are to be taken over."""
    db.table("people").create(
        {
            "id": int, "name": str, "address": str, "token": str, "zone": str, "shown": int, "available": str, "wishes": str,
            "joined": str, "in_time": int, "late": int, "missed": int,
        },
        pk="id", not_null={"name", "address"},
    )
    db.table("people").create_index(["name"])
    db.table("people").create_index(["available"])
    db.table("addresses").create(
        {"address": str, "member": int, "since": str}, pk="address", foreign_keys=[("member", "people", "id")],
    )
    db.table("addresses").create_index(["member"])
    db.table("words").create(
        {"word": str, "kind": str, "address": str, "member": int, "data": str, "issued": str, "expires": str}, pk="word",
    )
    db.table("words").create_index(["kind", "issued"])
    db.table("words").create_index(["address"])
    db.table("absences").create(
        {"id": int, "member": int, "first": str, "last": str}, pk="id", foreign_keys=[("member", "people", "id")],
    )
    db.table("absences").create_index(["member", "last"])
    db.table("moved").create({"game": str, "member": int, "hours": float}, pk=("game", "member"))
    db.table("observers").create(
        {"game": str, "member": int, "since": str, "reported": int, "number": int}, pk=("game", "member"),
        foreign_keys=[("game", "games", "id"), ("member", "people", "id")],
    )
    db.table("observers").create_index(["member"])
    db.table("press").create(
        {
            "id": int, "game": str, "at": str, "side": str, "member": int, "to": str, "anonymous": int, "step": str, "text": str,
        },
        pk="id", foreign_keys=[("game", "games", "id")],
    )
    db.table("press").create_index(["game", "id"])
    db.table("games").add_column("maker", int, not_null_default=0)
    db.table("games").create_index(["status", "created"])
    db.table("games").create_index(["maker", "status"])
    db.table("seats").add_column("draw", str, not_null_default="")
    db.table("seats").add_column("leaving", str, not_null_default="")
    db.execute(
        "insert into people (name, address, token, zone, shown, available, wishes, joined, in_time, late, missed)"
        " select max(s.name), s.address, '', '', 0, '', '{}', min(g.created), 0, 0, 0 from seats s join games g on g.id = s.game"
        " where s.address != '' group by s.address"
    )
    db.execute("insert into addresses (address, member, since) select address, id, joined from people")


@migrations()
def m006_clock(db: Database) -> None:
    """What a referee changed of a game's clock, and the automatic extensions that were given; what was heard and missed since
    a moment, and sent mails whose bytes are still kept, found without looking through all of them."""
    db.table("clocks").create({"game": str, "state": str}, pk="game", foreign_keys=[("game", "games", "id")])
    db.table("inbox").create_index(["received"])
    db.table("notes").create_index(["kind", "at"])
    db.execute("create index outbox_kept on outbox (sent) where status = 'sent' and length(raw) > 0")


@migrations()
def m007_drafts(db: Database) -> None:
    """Whether kept orders came without a mistake, and wait for nothing but their time."""
    db.table("drafts").add_column("whole", int, not_null_default=0)


@migrations()
def m008_names(db: Database) -> None:
    """Members are found by name, whatever its case."""
    db.execute("create index people_named on people (name collate nocase)")


@migrations()
def m009_blocks(db: Database) -> None:
    """What blocks of orders each side has sent, to know one that comes back in a quote."""
    db.table("blocks").create(
        {"id": int, "game": str, "side": str, "digest": str, "words": str, "thread": str, "mail": int}, pk="id",
        foreign_keys=[("game", "games", "id")],
    )
    db.table("blocks").create_index(["game", "side", "digest"])
    db.table("blocks").create_index(["game", "side"])


@migrations()
def m010_senders(db: Database) -> None:
    """Whom a mail was believed to be from, and its date: a second mail is a duplicate only of one of the same sender."""
    db.table("inbox").add_column("sender", str, not_null_default=ANYBODY)
    db.table("inbox").add_column("dated", str, not_null_default="")
    db.table("inbox").create_index(["body"])


class SqliteStore:
    """See :class:`pbem.store.api.Store`."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._db = db = Database(connection)
        self.games = SqliteGames(db)
        self.journal = SqliteJournals(db)
        self.inbox = SqliteInbox(db)
        self.outbox = SqliteOutbox(db)
        self.people = SqlitePeople(db)
        self.notes = SqliteNotes(db)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing.  It takes the write lock at once, so that what it reads is what it changes."""
        connection = self._db.conn
        begin, back, end = TRANSACTION if not connection.in_transaction else WITHIN
        connection.execute(begin)
        try:
            yield
            connection.execute(end)
        except BaseException:
            for statement in back if connection.in_transaction else ():  # a full disk may have undone all of it already
                connection.execute(statement)
            raise

    def changes(self) -> int:
        """A number that is another one once somebody else has written into the file."""
        found = self._db.conn.execute("PRAGMA data_version").fetchone()
        return int(found[0])

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def newer(db: Database) -> list[str]:
    """Changes of the tables that this program does not know: a later one made them."""
    known = {m.name for m in migrations.pending(Database(memory=True))}
    return [m.name for m in migrations.applied(db) if m.name not in known]


def private(path: Path) -> None:
    """Make a file that nobody else may read (it will hold addresses, tokens and seeds), unless there is one already."""
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def open_store(path: str | Path, *, create: bool = False) -> SqliteStore:
    """Open a database (':memory:' for a passing one) and bring its tables up to date."""
    if str(path) != ":memory:" and not create and not Path(path).is_file():
        raise StoreError(f"{path}: there is no database; 'pbem init' makes one, or name it with --db or PBEM_DB")
    try:
        if create and str(path) != ":memory:":
            private(Path(path))
        connection = sqlite3.connect(str(path), timeout=BUSY_SECONDS, check_same_thread=False)
        connection.execute("PRAGMA foreign_keys=on")
        connection.execute("PRAGMA journal_mode=wal")
        connection.execute("PRAGMA synchronous=full")
        store = SqliteStore(connection)
        if unknown := newer(store._db):
            connection.close()
            raise StoreError(f"{path}: a newer pbem has worked on it ({', '.join(unknown)}): install that one")
        if migrations.pending(store._db):
            with store.transaction():
                migrations.apply(store._db)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(f"{path}: this database cannot be used ({error})") from None
    return store
