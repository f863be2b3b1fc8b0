"""Dice that nobody can foresee and everybody can check.

A face is HMAC-SHA256(seed, canonical([game, step, attempt, n, sides, binding])) reduced by
rejection sampling.  ``binding`` is the digest of all orders locked so far: nobody can roll ahead
of his own orders, and other orders give other dice.  sha256(seed) goes out in the first mail, the seed in the last.
Rows that one side alone may read are salted from the same seed.  ``deploy/DICE.md`` is the whole protocol.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, Self

from pbem.core.journal import canonical, digest

FIRST_BINDING = digest("no orders yet")
SEED_BYTES = 32


def bind(binding: str, kind: str, payload: Mapping[str, Any]) -> str:
    """The binding after one more input: what a side ordered, or that its time was up.

    Where an order stood in the mail plays no part, nor the numbers of orders that are cancelled (they come from rows), nor
    anything else that a referee does: who runs the server cannot turn a die by it.
    """
    if kind == "orders":
        plain = {k: v for k, v in payload.items() if k != "cancel"}
        plain["directives"] = [{k: v for k, v in d.items() if k != "source"} for d in payload["directives"]]
        return digest([binding, kind, plain])
    if payload.get("act") == "deadline":
        return digest([binding, "deadline", payload["side"]])
    return binding


def seeds_of(seed: bytes) -> list[bytes]:
    """The seeds of a game, one behind the other as they are stored: a second one is drawn if play goes on after the
    first has been opened."""
    return [seed[i : i + SEED_BYTES] for i in range(0, len(seed), SEED_BYTES)]


NONCE, RESTORE = "nonce", "restore"
"""Acts of control rows: a side has given a nonce of its own to the dice; the host has put an older copy of the game back."""


def mixed(key: bytes, side: str, nonce: str) -> bytes:
    """The key of the dice after a side has given a nonce: HMAC-SHA256(key, canonical(["nonce", side, nonce])).

    Who drew the seed is bound to it by its commitment, and did not know the nonce; who gives the nonce does not know the seed.
    So neither of them alone can have chosen what is thrown."""
    return hmac.digest(key, canonical([NONCE, side, nonce]).encode(), "sha256")


class Dice(Protocol):
    """Where faces come from: the seed, a script (tests) or nothing at all (rehearsals)."""

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """The ``n``-th face of the step, 1 to ``sides``."""

    def salt(self, game: str, place: int | str) -> str:
        """What keeps a private row from being guessed; '' for none.  ``place``: see :func:`row_salt`."""

    def of_epoch(self, epoch: int) -> Self:
        """The dice after their seed has been drawn anew ``epoch`` times, before any nonce."""

    def mixed(self, side: str, nonce: str) -> Self:
        """The dice after a side has given a nonce."""


class NoSecret:
    """Dice without a seed: no salt, and nothing to draw anew."""

    def salt(self, game: str, place: int | str) -> str:
        """None."""
        return ""

    def of_epoch(self, epoch: int) -> Self:
        """The same."""
        return self

    def mixed(self, side: str, nonce: str) -> Self:
        """The same."""
        return self


@dataclass(frozen=True)
class SeededDice:
    """The real dice; ``seed`` is 32 secret bytes, and 32 more for each time that they were drawn anew (see
    :func:`seeds_of`); ``epoch`` counts these times; ``nonces``: (side, nonce) since then."""

    seed: bytes
    epoch: int = 0
    nonces: tuple[tuple[str, str], ...] = ()

    @cached_property
    def key(self) -> bytes:
        """The seed in use, with the nonces in it."""
        key = seeds_of(self.seed)[self.epoch]
        for side, nonce in self.nonces:
            key = mixed(key, side, nonce)
        return key

    @property
    def commitment(self) -> str:
        """What is published at the start: sha256 of the seed, hex; and after a nonce, that of the seed with it."""
        return hashlib.sha256(self.key).hexdigest()

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """The face; ``rule`` plays no part in it."""
        return seeded_face(self.key, game, step, attempt, n, sides, binding)

    def salt(self, game: str, place: int | str) -> str:
        """The salt of a private row: 128 bits that nobody else can compute before the seed is opened."""
        return row_salt(self.key, game, place)

    def of_epoch(self, epoch: int) -> SeededDice:
        """The dice with their seed of that number."""
        return SeededDice(self.seed, epoch)

    def mixed(self, side: str, nonce: str) -> SeededDice:
        """The dice with one nonce more."""
        return SeededDice(self.seed, self.epoch, (*self.nonces, (side, nonce)))


def row_salt(seed: bytes, game: str, place: int | str) -> str:
    """The first half of HMAC-SHA256(seed, canonical(["salt", game, place])), hex.

    ``place`` is the row's number; of orders, whose salt has a part in the binding, it is the binding before them, so that
    a row more or less above them (a pause) does not turn the dice.
    """
    return hmac.digest(seed, canonical(["salt", game, place]).encode(), "sha256").hex()[:32]


def seeded_face(seed: bytes, game: str, step: int, attempt: int, n: int, sides: int, binding: str) -> int:
    """One fair face from 1 to ``sides`` (rejection sampling over 64-bit words)."""
    if not 1 <= sides <= 2**32:
        raise ValueError(f"a die of {sides} sides cannot be rolled")
    limit = (1 << 64) - (1 << 64) % sides
    block = hmac.digest(seed, canonical([game, step, attempt, n, sides, binding]).encode(), "sha256")
    while True:
        for i in range(0, 32, 8):
            word = int.from_bytes(block[i : i + 8], "big")
            if word < limit:
                return word % sides + 1
        block = hmac.digest(seed, block, "sha256")


class ScriptExhausted(AssertionError):
    """A scripted die was asked for and none is left, or the next one is for another rule."""


class ScriptedDice(NoSecret):
    """Dice for tests: ``[(rule, face), …]`` in order; a rule of '' fits any roll."""

    def __init__(self, script: list[tuple[str, int]]) -> None:
        self.left = list(script)

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """The next scripted face; :class:`ScriptExhausted` if it is not meant for ``rule``."""
        if not self.left:
            raise ScriptExhausted(f"a die for rule {rule} was rolled, but the script has none left")
        wanted, face = self.left[0]
        if wanted and wanted != rule:
            raise ScriptExhausted(f"a die for rule {rule} was rolled, but the next scripted die is for {wanted}")
        self.left.pop(0)
        return face


class FlatDice(NoSecret):
    """Always the same face of a die of so many sides, as ``face_of`` says: for trials that tell nothing of the real dice."""

    def __init__(self, face_of: Callable[[int], int]) -> None:
        self._face_of = face_of

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """What is said of a die of so many ``sides``."""
        return self._face_of(sides)
