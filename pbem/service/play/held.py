"""Whose word a game waits for that was taken back: kept beside its clock."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from pbem.service.context import ServiceContext


@dataclass(frozen=True)
class Held:
    """Whose word is ``wanted``, and who has ``spoken`` (others may as well)."""

    wanted: tuple[str, ...]
    spoken: tuple[str, ...] = ()

    @property
    def missing(self) -> list[str]:
        """Whose word is missing."""
        return [side for side in self.wanted if side not in self.spoken]

    @classmethod
    def read(cls, context: ServiceContext, game: str, sides: Sequence[str]) -> Self:
        """How a game stands; all ``sides`` are wanted if nothing is kept of it."""
        found = context.store.games.clock(game).get("held", {})
        return cls(tuple(found.get("wanted", sides)), tuple(found.get("spoken", ())))

    def write(self, context: ServiceContext, game: str) -> None:
        """Keep it."""
        state = dict(context.store.games.clock(game))
        context.store.games.set_clock(game, {**state, "held": {"wanted": list(self.wanted), "spoken": list(self.spoken)}})


def forget(context: ServiceContext, game: str) -> None:
    """The game goes on."""
    state = {k: v for k, v in context.store.games.clock(game).items() if k != "held"}
    context.store.games.set_clock(game, state)
