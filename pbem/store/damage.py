"""Whose fault an error of the database is: the disk's, which passes, or that of what is stored, which does not.

A full disk or a lock stops everything until it is over.  A dataset that cannot be decoded, or a seed that is another than the
one whose hash was mailed, is the trouble of one game; nothing else may wait for it.
"""

from __future__ import annotations

import hashlib
import sqlite3

from pbem.core.dice import seeds_of

_DISK = {
    sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_PERM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL,
}


class Damaged(ValueError):
    """Something stored is not what was stored; says what."""


def of_the_disk(error: BaseException) -> bool:
    """Whether an error comes from a disk that is full, broken or read-only, or from a lock: all work waits until it is over."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, sqlite3.Error) and code is not None and (code & 0xFF) in _DISK


def check_seed(seed: bytes, commitment: str) -> None:
    """`Damaged` unless the seed of a game's dice is the one whose SHA-256 was mailed when the game began."""
    first = seeds_of(seed)[:1]
    if not first or hashlib.sha256(first[0]).hexdigest() != commitment:
        raise Damaged("the seed of its dice is not the one whose SHA-256 was mailed when the game began")
