"""The chain and the dice of a journal, without its rules.

One pass over the rows, whole or known by their hash alone; what can be said of them is said in their order.
``standalone.py`` says the same of a bundle in a program of its own; the two share no line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import msgspec

from pbem.core.dice import FIRST_BINDING, NONCE, RESTORE, bind, mixed, row_salt
from pbem.core.engine import INPUTS
from pbem.core.journal import GENESIS, Row, private
from pbem.core.undone import REWIND

canonical_bytes = msgspec.json.Encoder(order="sorted").encode
"""As :func:`pbem.core.journal.canonical`, nine times as fast; a test holds the two together."""

_WORDS = 1 << 64

Mac = Callable[[bytes], bytes]


def keyed(key: bytes) -> Mac:
    """HMAC-SHA256 (RFC 2104) with the two blocks of the key made once for all messages; keys of 64 bytes at most."""
    block = key.ljust(64, b"\0")
    inner, outer = bytes(b ^ 0x36 for b in block), bytes(b ^ 0x5C for b in block)
    return lambda message: sha256(outer + sha256(inner + message).digest()).digest()


@dataclass(frozen=True)
class Finding:
    """Something that is not as it must be: at which row (-1: the game as a whole), and why; ``broken``: the chain ends there."""

    row: int
    why: str
    broken: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """A row of which only the hash is told."""

    seq: int
    prev: str
    hash: str


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a host put an older copy of the game back: at row ``seq``, at that time, ``kept`` being the last row of the copy;
    ``was`` is the number of the last row before (-1: not known)."""

    seq: int
    at: str
    kept: int
    was: int

    def lost(self, seq: int, at: str) -> bool:
        """Whether a row that somebody was told at a time (ISO 8601, '' if that is not known) went with what was cut off."""
        return self.kept < seq and (self.was < 0 or seq <= self.was) and "" < at <= self.at


class Check:
    """Goes through the rows once.  ``seeds``: those that have been opened; ``complete``: no row is held back; ``game``: whose
    rows they must be ('' for any)."""

    def __init__(self, seeds: Sequence[bytes] = (), complete: bool = True, game: str = "") -> None:
        self.seeds, self.complete, self.game = seeds, complete, game
        self.cuts: list[Cut] = []
        self._use(0)
        self.head, self.rows, self.hidden, self.rolls, self.checked = GENESIS, 0, 0, 0, 0
        self.step, self.attempt, self.faces = 0, 1, 0
        self.binding = FIRST_BINDING
        self.shown: tuple[Any, ...] | None = None

    def faults(self, rows: Iterable[Row | Sealed]) -> Iterator[Finding]:
        """All that is wrong, at most one thing a row; nothing more is said after a break of the chain."""
        kinds = {"game": self._game, "step": self._step, "roll": self._roll, "event": self._event, "control": self._control}
        for row in rows:
            found = self._link(row)
            if found:
                yield Finding(self.rows, found, broken=True)
                return
            self.rows += 1
            self.head = row.hash
            if isinstance(row, Sealed):
                self.hidden += 1
                continue
            try:
                place: int | str = row.seq
                if row.kind in INPUTS:
                    place = self.binding if row.kind == "orders" else place
                    self.binding = bind(self.binding, row.kind, row.payload)
                kind = kinds.get(row.kind)
                why = kind(row, row.payload) if kind is not None else ""
                if not why and private(row.kind, row.payload) and not self._salted(row, place):
                    why = "its salt is not the one the seed gives"
                if why:
                    yield Finding(row.seq, f"row {row.seq}: {why}")
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                yield Finding(row.seq, f"row {row.seq} is no proper {row.kind} row ({type(error).__name__}: {error})")

    def _link(self, row: Row | Sealed) -> str:
        if row.seq != self.rows:
            return f"row {self.rows} is missing (row {row.seq} stands in its place)"
        if row.prev != self.head:
            return f"row {row.seq} does not follow row {row.seq - 1}"
        if isinstance(row, Row):
            text = canonical_bytes((row.game, row.seq, row.step, row.kind, row.payload, row.source, row.at, row.prev))
            if sha256(text).hexdigest() != row.hash:
                return f"row {row.seq} ({row.kind}) was changed: its hash does not fit its content"
            if self.game and row.game != self.game:
                return f"row {row.seq} is of game {row.game!r}, not of {self.game!r}"
        return ""

    def _use(self, epoch: int) -> None:
        """Throw with the seed of that number, before any nonce."""
        self.epoch = epoch
        self._mix(self.seeds[epoch] if epoch < len(self.seeds) else None)

    def _mix(self, key: bytes | None) -> None:
        self.key = key
        self.mac = None if key is None else keyed(key)

    def _salted(self, row: Row, place: int | str) -> bool:
        key = self.key
        unknown = key is None or (row.kind == "orders" and not self.complete)
        return unknown or row.payload.get("salt") == row_salt(key or b"", row.game, place)

    def _game(self, row: Row, payload: Mapping[str, Any]) -> str:
        return "a second game begins" if row.seq else self._commitment(payload["commitment"])

    def _commitment(self, commitment: str) -> str:
        if self.key is None or sha256(self.key).hexdigest() == commitment:
            return ""
        return f"it commits to another seed than the one opened: {commitment}"

    def _step(self, row: Row, payload: Mapping[str, Any]) -> str:
        last, self.step, self.faces = self.step, row.step, 0
        if row.step != last + 1:
            return f"step {row.step} begins after step {last}"
        if payload["attempt"] != self.attempt:
            return f"it is attempt {payload['attempt']}, but the game has been taken back {self.attempt - 1} times"
        return ""

    def _control(self, row: Row, payload: Mapping[str, Any]) -> str:
        act = payload.get("act")
        if act == NONCE:
            self._mix(self.key and mixed(self.key, payload["side"], payload["nonce"]))
            return self._commitment(payload["mixed"])
        if act == RESTORE:
            self.cuts.append(Cut(row.seq, row.at, payload["row"], payload["was"]))
            if payload["row"] != row.seq - 1 or payload["head"] != row.prev:
                return "it does not name the row that it follows as the last of the copy"
        self.attempt += act in (REWIND, RESTORE)
        if act != REWIND or "commitment" not in payload:
            return ""
        self._use(self.epoch + 1)
        return self._commitment(payload["commitment"])

    def _event(self, row: Row, payload: Mapping[str, Any]) -> str:
        """An event that repeats dice repeats those before it."""
        event = payload["event"]
        if "faces" in event and self.complete and (event["faces"], event.get("mods"), event.get("target")) != self.shown:
            return "it repeats other dice, modifiers or another target than the roll before it"
        return ""

    def _roll(self, row: Row, roll: Mapping[str, Any]) -> str:
        faces, n, sides, binding, before = roll["faces"], roll["n"], roll["sides"], roll["binding"], self.faces
        count = len(faces)
        self.rolls += 1
        self.shown = (faces, roll["mods"], roll["target"])
        self.faces = n + count
        if n != before if self.complete else n < before:
            return f"its dice are numbered from {n}, but {before} have fallen before in this step"
        if count != roll["count"]:
            return f"{roll['count']} dice were to be rolled, {count} are shown"
        if roll["attempt"] != self.attempt or row.step != self.step:
            return f"it is of step {row.step}, attempt {roll['attempt']}; the game is in step {self.step}, attempt {self.attempt}"
        if self.complete and binding != self.binding:
            return "its dice are not bound to the orders before them"
        if self.mac is None:
            return ""
        mac = self.mac
        limit = _WORDS - _WORDS % sides
        for face in faces:
            block = mac(canonical_bytes((row.game, row.step, self.attempt, n, sides, binding)))
            word = int.from_bytes(block[:8], "big")
            due = word % sides + 1 if word < limit else _later_words(mac, block, sides, limit)
            if face != due:
                return f"a die for {roll['purpose']} shows {face}, the seed gives {due}"
            n += 1
        self.checked += count
        return ""


def _later_words(mac: Mac, block: bytes, sides: int, limit: int) -> int:
    """The face when the first word of the block was rejected."""
    at = 8
    while True:
        for i in range(at, 32, 8):
            word = int.from_bytes(block[i : i + 8], "big")
            if word < limit:
                return word % sides + 1
        block, at = mac(block), 0


def check(rows: Iterable[Row | Sealed], seeds: Sequence[bytes] = (), complete: bool = True) -> Finding | None:
    """The first thing that is wrong with the chain or the dice; None if nothing is."""
    return next(Check(seeds, complete).faults(rows), None)


def sealed(plain: Mapping[str, Any]) -> Row | Sealed:
    """A row of a bundle."""
    return Row(**plain) if "payload" in plain else Sealed(**plain)
