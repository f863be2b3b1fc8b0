"""A copy of the database while it is in use, and whether such a copy is whole."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
from sqlite_utils import Database

from pbem.core.journal import GENESIS, BrokenChain, Row, check_chain
from pbem.store.api import StoreError
from pbem.store.schema import newer, private
from pbem.store.statements import rows


DAMAGED = (BrokenChain, ValueError, sqlite3.DatabaseError)
"""What comes of reading rows that are damaged."""


def copy(source: Path, target: Path) -> None:
    """Copy a database into one file, as it is at one moment; whoever works with it goes on meanwhile.

    The file appears under its name when it is complete; one of that name is replaced.
    """
    if not source.is_file():
        raise StoreError(f"{source}: there is no database")
    part = target.with_name(target.name + ".part")
    part.unlink(missing_ok=True)
    try:
        private(part)
        with closing(sqlite3.connect(str(source))) as live, closing(sqlite3.connect(str(part))) as made:
            live.backup(made)
            made.execute("PRAGMA journal_mode=delete")
        part.replace(target)
    except (sqlite3.Error, OSError) as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"{target}: the copy could not be written ({error})") from None


def examine(path: Path, *, full: bool = False) -> list[str]:
    """What is wrong with a copy; empty if it is whole.

    SQLite's own checks, that this program knows its tables, and that each game ends with the row that its head names;
    ``full``: every row of every chain.
    """
    if not path.is_file():
        return ["there is no such file"]
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
            return list(_wrong(Database(connection), full))
    except sqlite3.Error as error:
        return [f"it is no database, or a broken one ({error})"]


def count(path: Path) -> tuple[int, int]:
    """How many games and journal rows a copy holds."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        [found] = rows(Database(connection), "select (select count(*) from games) g, (select count(*) from journal) j")
    return found["g"], found["j"]


def _wrong(db: Database, full: bool) -> Iterator[str]:
    said = [r["integrity_check"] for r in rows(db, "PRAGMA integrity_check(5)")]
    yield from (f"SQLite: {line}" for line in said if line != "ok")
    if said != ["ok"]:
        return
    for broken in rows(db, "PRAGMA foreign_key_check")[:5]:
        yield f"{_of(db, broken)}a row of {broken['table']} belongs to a row of {broken['parent']} that is not there"
    if "games" not in db.table_names():
        yield "it holds no games of pbem"
        return
    if unknown := newer(db):
        yield f"it was made by a newer pbem (it has {', '.join(unknown)}): install that one"
    for game in rows(db, "select id, seq, head from games order by id"):
        try:
            yield from _chain(db, game["id"], game["seq"], game["head"], full)
        except DAMAGED as error:
            yield f"game {game['id']}: {error}"


def _of(db: Database, broken: Mapping[str, Any]) -> str:
    """The game that a row with a broken link is part of, as the head of a line; '' for none."""
    table = broken["table"]
    name = "id" if table == "games" else "game" if "game" in db.table(table).columns_dict else ""
    found = rows(db, f"select [{name}] game from [{table}] where rowid = ?", [broken["rowid"]]) if name else []
    return f"game {found[0]['game']}: " if found else ""


def _chain(db: Database, game: str, seq: int, head: str, full: bool) -> Iterator[str]:
    """Whether the end of a game's journal is where its row says; ``full``: and all before it."""
    first = 0 if full else max(seq - 1, 0)
    found = rows(db, "select * from journal where game = ? and seq >= ? order by seq", [game, first])
    journal = [Row(**{**r, "payload": msgspec.json.decode(r["payload"])}) for r in found]
    end = check_chain(journal, journal[0].prev if journal and first else GENESIS, first)
    if first + len(journal) != seq or (end if journal else "") != head:
        yield f"game {game}: its journal ends with row {first + len(journal) - 1}, but the game stands at row {seq - 1}"

