"""The journal: one append-only, hash-chained list of rows per game.

The journal is the game.  State is a fold over its event rows and may be thrown away; an audit
re-runs the rules and demands the same rows.  A row's hash covers every other field and the hash
before it, so that no row can be changed, dropped or swapped unseen.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

GENESIS = "0" * 64
"""``prev`` of a game's first row."""

KINDS = ("game", "step", "event", "roll", "answer", "skip", "orders", "control")
"""What a row can be: creation, start of a step, state change, dice, decision taken, order not
carried out, a player's orders locked in, an act from outside (deadline, referee)."""


class BrokenChain(ValueError):
    """A row that does not follow from the row before it; names the row."""


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> str:
    """One text for one JSON value: sorted keys, no blanks, UTF-8 kept."""
    return _ENCODER.encode(value)


def plain(value: Any) -> Any:
    """A JSON value as it comes back from the journal: lists for tuples, dicts for mappings."""
    return json.loads(canonical(value))


def digest(value: Any) -> str:
    """SHA-256 (hex) of a value's canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Row:
    """One journal row.  ``at`` is UTC (ISO 8601); ``source`` names the message and line, if any."""

    game: str
    seq: int
    step: int
    kind: str
    payload: Mapping[str, Any]
    source: str
    at: str
    prev: str
    hash: str

    def as_dict(self) -> dict[str, Any]:
        """The row as plain JSON data."""
        return asdict(self)


def private(kind: str, payload: Mapping[str, Any]) -> bool:
    """Whether one side alone may read a row while the game runs.  Such a row carries a salt, so that nobody can guess
    its content and try the guess on its hash."""
    if kind == "event":
        return not payload.get("open", True)
    if kind == "roll":
        return bool(payload.get("secret"))
    return kind in ("orders", "answer", "skip")


def seal(
    game: str, seq: int, step: int, kind: str, payload: Mapping[str, Any], source: str, at: str, prev: str
) -> Row:
    """Make the row that follows ``prev`` (a hash)."""
    if kind not in KINDS:
        raise ValueError(f"journal kind {kind!r} is not one of {', '.join(KINDS)}")
    return Row(game, seq, step, kind, payload, source, at, prev, _hash(game, seq, step, kind, payload, source, at, prev))


def _hash(*fields: Any) -> str:
    return digest(list(fields))


def check_chain(rows: Iterable[Row], prev: str = GENESIS, seq: int = 0) -> str:
    """Return the head of the chain; raise :class:`BrokenChain` at the first bad row."""
    for row in rows:
        if row.seq != seq:
            raise BrokenChain(f"row {seq} is missing (found row {row.seq})")
        if row.prev != prev:
            raise BrokenChain(f"row {row.seq} ({row.kind}) does not follow row {row.seq - 1}")
        if row.hash != _hash(row.game, row.seq, row.step, row.kind, row.payload, row.source, row.at, row.prev):
            raise BrokenChain(f"row {row.seq} ({row.kind}) was changed: its hash does not fit its content")
        prev, seq = row.hash, seq + 1
    return prev
