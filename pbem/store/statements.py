"""Single rows, written by statements that are made once: what is done for every mail must not ask for the tables' shape."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from sqlite_utils import Database


def columns(value: Any) -> dict[str, Any]:
    """A dataclass as a row; unlike ``asdict`` it leaves what is in its fields alone."""
    kind: Any = type(value)
    return {name: getattr(value, name) for name in _names(kind)}


@cache
def _names(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(kind))


def rows(db: Database, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """What a query finds; unlike ``Database.query`` without a savepoint of its own."""
    cursor = db.conn.execute(sql, values)
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, found, strict=True)) for found in cursor.fetchall()]


def insert(db: Database, table: str, row: Mapping[str, Any], *, replace: bool = False) -> int:
    """Add a row; its rowid."""
    cursor = db.conn.execute(_insert(table, tuple(row), replace), list(row.values()))
    return int(cursor.lastrowid or 0)


def update(db: Database, table: str, row: Mapping[str, Any], key: tuple[str, ...]) -> None:
    """Set a row's columns; those in ``key`` say which row.  KeyError if there is none."""
    values = [v for k, v in row.items() if k not in key] + [row[k] for k in key]
    if db.conn.execute(_update(table, tuple(row), key), values).rowcount != 1:
        raise KeyError(f"{table}: there is no row {', '.join(str(row[k]) for k in key)}")


@cache
def _insert(table: str, columns: tuple[str, ...], replace: bool) -> str:
    names, marks = ", ".join(f"[{c}]" for c in columns), ", ".join("?" * len(columns))
    return f"insert {'or replace ' if replace else ''}into [{table}] ({names}) values ({marks})"


@cache
def _update(table: str, columns: tuple[str, ...], key: tuple[str, ...]) -> str:
    told = ", ".join(f"[{c}] = ?" for c in columns if c not in key)
    return f"update [{table}] set {told} where {' and '.join(f'[{c}] = ?' for c in key)}"
