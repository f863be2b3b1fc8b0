"""Playing a session without players: bots answer every question through the ordinary orders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.core.asks import Ask, Option
from pbem.core.engine import Session
from pbem.core.ruleset import State
from pbem.core.standing import ONCE, Directive

Bot = Callable[[State, Ask], Option]


class TooLong(RuntimeError):
    """A game did not end within the limit of answers."""


def answer(session: Session, ask: Ask, key: str, source: str = "bot") -> None:
    """Record one answer to one question, as orders of its side."""
    given: dict[str, Any] = Directive("", ask.side, ask.kind, ONCE, (key,), key, scope=ask.id, source=source).as_dict()
    session.submit("orders", {"side": ask.side, "directives": [given]}, source)


def play_out(session: Session, bots: Mapping[str, Bot], limit: int = 20_000) -> int:
    """Play to the end; returns the number of answers given.  :class:`TooLong` past ``limit``."""
    given = 0
    while session.run():
        for ask in list(session.open):
            if session.pending(ask):
                answer(session, ask, bots[ask.side](session.state, ask).key)
                given += 1
                if given > limit:
                    raise TooLong(f"game {session.game}: no end after {limit} answers, in {session.step_name}")
    return given
