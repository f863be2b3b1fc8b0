"""Journal rows in SQLite: appended, never changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from sqlite_utils import Database

from pbem.core.journal import Row, canonical
from pbem.store.statements import columns, insert, rows


class SqliteJournals:
    """See :class:`pbem.store.api.Journals`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        for row in rows:
            insert(self._db, "journal", {**columns(row), "payload": canonical(row.payload)})

    def told(self, game: str, kinds: Sequence[str]) -> tuple[int, str]:
        """Number and hash of the last row of these kinds."""
        marks = ", ".join("?" * len(kinds))
        sql = f"select seq, hash from journal where game = ? and kind in ({marks}) order by seq desc limit 1"
        return next(((int(r["seq"]), str(r["hash"])) for r in rows(self._db, sql, [game, *kinds])), (-1, ""))

    def rows(self, game: str, first: int = 0, last: int | None = None, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Rows by number, ``last`` included; ``kinds`` narrows them."""
        where, values = "game = ? and seq >= ?", [game, first]
        if last is not None:
            where, values = where + " and seq <= ?", [*values, last]
        if kinds:
            where, values = f"{where} and kind in ({', '.join('?' * len(kinds))})", [*values, *kinds]
        for found in rows(self._db, f"select * from journal where {where} order by seq", values):
            yield Row(**{**found, "payload": msgspec.json.decode(found["payload"])})
