"""Whether each game of a database is what was stored: its data, its seed, and the position that its journal leads to."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from sqlite_utils import Database

from pbem.core.fold import NoSuchStep, snapshot
from pbem.store.api import Game
from pbem.store.damage import Damaged, check_seed
from pbem.store.schema import SqliteStore, migrations

if TYPE_CHECKING:
    from pbem.games.contract import Title

BROKEN = (Damaged, msgspec.DecodeError, ValueError, LookupError, TypeError, AttributeError, sqlite3.DatabaseError)
"""What comes of reading damaged rows."""


def reading(path: Path) -> SqliteStore:
    """A database to be looked at and not changed; one of an older version is brought up to date in memory."""
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    if migrations.pending(Database(connection)):
        with closing(connection):
            old, connection = connection, sqlite3.connect(":memory:")
            old.backup(connection)
        migrations.apply(Database(connection))
    return SqliteStore(connection)


def damaged(path: Path, rules: Callable[[str], Title], *, full: bool = False) -> Iterator[tuple[str, str]]:
    """(game, what is wrong) of each game whose stored data are damaged.

    Its data against their digest, its seed against the commitment, and whether its position can be read; ``full``: whether the
    position is the one that its journal leads to.
    """
    store = reading(path)
    try:
        known: dict[str, str] = {}
        after = ""
        while page := store.games.page(after):
            for game in page:
                why = known.setdefault(game.dataset, _dataset(store, game)) or _game(store, game, rules, full)
                if why:
                    yield game.id, why
            after = page[-1].id
    finally:
        store.close()


def _dataset(store: SqliteStore, game: Game) -> str:
    try:
        store.games.dataset(game.dataset)
    except BROKEN as error:
        return _said("the data of its scenario", error)
    return ""


def _game(store: SqliteStore, game: Game, rules: Callable[[str], Title], full: bool) -> str:
    try:
        check_seed(store.games.seed(game.id), game.commitment)
    except BROKEN as error:
        return _said("the seed of its dice", error)
    try:
        at = store.games.position(game.id).snapshot
        if full:
            title, data = rules(game.title), store.games.dataset(game.dataset)
            rows = list(store.journal.rows(game.id))
            then = snapshot(title, data, game.options, rows, at.step)
            kept = title.dump(title.load(data, game.options, at.state))
            made = title.dump(title.load(data, game.options, then.state))
            if (at.seq, at.head, at.step_name, at.binding, at.epoch) != (
                then.seq, then.head, then.step_name, then.binding, then.epoch
            ) or kept != made:
                return "its stored position is not the one that its journal leads to"
    except NoSuchStep:
        return "its stored position stands at a step that was never played"
    except BROKEN as error:
        return _said("its stored position", error)
    return ""


def _said(what: str, error: Exception) -> str:
    return str(error) if isinstance(error, Damaged) else f"{what} cannot be read ({type(error).__name__}: {error})"[:300]
