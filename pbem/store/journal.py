"""Journal rows in SQLite: appended, never changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
from sqlite_utils import Database

from pbem.core.journal import Row, canonical


class SqliteJournals:
    """See :class:`pbem.store.api.Journals`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def append(self, rows: Sequence[Row]) -> None:
        """Add rows."""
        self._db.table("journal").insert_all({**row.as_dict(), "payload": canonical(row.payload)} for row in rows)

    def rows(self, game: str, first: int = 0, last: int | None = None, kinds: Sequence[str] = ()) -> Iterator[Row]:
        """Rows by number, ``last`` included; ``kinds`` narrows them."""
        where, values = "game = ? and seq >= ?", [game, first]
        if last is not None:
            where, values = where + " and seq <= ?", [*values, last]
        if kinds:
            where, values = f"{where} and kind in ({', '.join('?' * len(kinds))})", [*values, *kinds]
        for found in self._db.table("journal").rows_where(where, values, order_by="seq"):
            yield Row(**{**found, "payload": msgspec.json.decode(found["payload"])})
