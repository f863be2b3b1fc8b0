"""What every part of the service is given: the store, the settings, and the edges of the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

import structlog

from pbem.config import Config
from pbem.core.ruleset import Ruleset
from pbem.service.times import stamp
from pbem.store.api import Note, Store

log = structlog.get_logger("pbem")


@dataclass(frozen=True)
class Desk:
    """``clock`` tells the time, ``secret`` gives that many unguessable bytes, ``rules`` finds a title by name,
    ``scenario`` reads a scenario's data from its files."""

    store: Store
    config: Config
    clock: Callable[[], datetime]
    secret: Callable[[int], bytes]
    rules: Callable[[str], Ruleset]
    scenario: Callable[[str, str], Mapping[str, Any]]

    @property
    def now(self) -> str:
        """The time, as it is stored."""
        return stamp(self.clock())

    def note(self, kind: str, text: str, game: str = "") -> None:
        """Write into the host's log, in the transaction that is open."""
        self.store.notes.add(Note(self.now, game, kind, text))
        log.info(kind, game=game, text=text)

    def data(self, digest: str) -> Mapping[str, Any]:
        """A scenario's data as a game has them.  They never change, so a few are kept at hand."""
        return _data(self.store, digest)


@lru_cache(maxsize=16)
def _data(store: Store, digest: str) -> Mapping[str, Any]:
    return store.games.dataset(digest)
