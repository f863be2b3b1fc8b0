"""What every part of the service is given: the store, the settings, and the edges of the world."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem.config import Config
from pbem.core.dice import Dice, SeededDice
from pbem.service.logs import log
from pbem.service.times import stamp
from pbem.store.api import Note, Store

if TYPE_CHECKING:
    from pbem.games.contract import Title
    from pbem.mail.auth import DnsFunc

_DATA: dict[str, Mapping[str, Any]] = {}


@dataclass(frozen=True)
class ServiceContext:
    """``clock`` tells the time, ``secret`` gives that many unguessable bytes, ``rules`` finds a title by name,
    ``scenario`` reads a scenario's data from its files, ``dns`` looks up the keys of signatures (None: they are not
    verified here), ``geometry`` is a title's map as shapes (None: no pictures), ``dice`` makes the dice of a seed."""

    store: Store
    config: Config
    clock: Callable[[], datetime]
    secret: Callable[[int], bytes]
    rules: Callable[[str], Title]
    scenario: Callable[[str, str], Mapping[str, Any]]
    dns: DnsFunc | None = None
    geometry: Callable[[str], Mapping[str, Any] | None] = lambda title: None
    dice: Callable[[bytes], Dice] = SeededDice

    @property
    def now(self) -> str:
        """The time, as it is stored."""
        return stamp(self.clock())

    def note(self, kind: str, text: str, game: str = "") -> None:
        """Write into the host's log, in the transaction that is open."""
        self.store.notes.add(Note(self.now, game, kind, text))
        log.info(kind, game=game, text=text)

    def data(self, digest: str) -> Mapping[str, Any]:
        """A scenario's data as a game has them.  The digest is that of the data, so a few are kept at hand."""
        if digest not in _DATA:
            if len(_DATA) >= 16:
                _DATA.clear()
            _DATA[digest] = self.store.games.dataset(digest)
        return _DATA[digest]
