"""A reproducible source of choices for bots and fuzzers: no global state, no ``random``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from pbem.core.dice import FIRST_BINDING, seeded_face

T = TypeVar("T")


class Chooser:
    """Picks by the same hash that makes the dice; the same name gives the same picks."""

    def __init__(self, name: str) -> None:
        self._seed = name.encode()
        self._n = 0

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1."""
        self._n += 1
        return seeded_face(self._seed, "chooser", 0, 0, self._n, limit, FIRST_BINDING) - 1

    def pick(self, items: Sequence[T]) -> T:
        """One of ``items``, all alike."""
        return items[self.below(len(items))]
