"""Dice that nobody can foresee and everybody can check.

A face is HMAC-SHA256(seed, canonical([game, step, attempt, n, sides, binding])) reduced by
rejection sampling.  ``binding`` is the digest of all orders locked so far: nobody can roll ahead
of his own orders, and other orders give other dice.  sha256(seed) goes out in the first mail.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import Protocol

from pbem.core.journal import canonical, digest

FIRST_BINDING = digest("no orders yet")


class Dice(Protocol):
    """Where faces come from: the seed, a script (tests) or nothing at all (rehearsals)."""

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """The ``n``-th face of the step, 1 to ``sides``."""


@dataclass(frozen=True)
class SeededDice:
    """The real dice; ``seed`` is 32 secret bytes."""

    seed: bytes

    @property
    def commitment(self) -> str:
        """What is published at the start: sha256 of the seed, hex."""
        return hashlib.sha256(self.seed).hexdigest()

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """The face; ``rule`` plays no part in it."""
        return seeded_face(self.seed, game, step, attempt, n, sides, binding)


def seeded_face(seed: bytes, game: str, step: int, attempt: int, n: int, sides: int, binding: str) -> int:
    """One fair face from 1 to ``sides`` (rejection sampling over 64-bit words)."""
    if not 1 <= sides <= 2**32:
        raise ValueError(f"a die of {sides} sides cannot be rolled")
    limit = (1 << 64) - (1 << 64) % sides
    block = hmac.new(seed, canonical([game, step, attempt, n, sides, binding]).encode(), hashlib.sha256).digest()
    while True:
        for i in range(0, 32, 8):
            word = int.from_bytes(block[i : i + 8], "big")
            if word < limit:
                return word % sides + 1
        block = hmac.new(seed, block, hashlib.sha256).digest()


class ScriptExhausted(AssertionError):
    """A scripted die was asked for and none is left, or the next one is for another rule."""


class ScriptedDice:
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


class FlatDice:
    """Always the worst face: used to rehearse orders without telling the future."""

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """Always ``sides``: on a ten-sided die a sure failure (2.1)."""
        return sides
