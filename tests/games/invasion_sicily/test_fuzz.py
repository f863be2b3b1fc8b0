"""Random legal play to the end: no dead end, no exception, every invariant after every event."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import pytest

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import Bot, play_out
from pbem.core.chooser import Chooser
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.games.invasion_sicily import RULESET, InvasionSicily
from tests.games.invasion_sicily.play import raw

GAMES = int(os.environ.get("PBEM_FUZZ_GAMES", "40"))
BIG_GAMES = int(os.environ.get("PBEM_FUZZ_BIG_GAMES", "1"))
LOOKED_AT = 300
"""Of the thousands of options of a phase a random player looks at so many."""


class Watched(InvasionSicily):
    """Checks the invariants after each event."""

    def apply(self, state: Any, event: Any) -> None:
        super().apply(state, event)
        wrong = self.check(state)
        assert not wrong, f"after {event}: {wrong}"


def new_game(name: str, rules: Any = RULESET, scenario: str = "gela", options: Any = None) -> Session:
    dice = SeededDice(name.encode().ljust(32, b"."))
    creation = {"scenario": f"invasion_sicily/{scenario}", "commitment": dice.commitment}
    return Session.start(name, rules, raw(scenario), options or {}, dice, "2026-01-01T00:00:00Z", creation)


def random_bot(chooser: Chooser) -> Bot:
    """Any legal option among the first ones; one in four times it ends a phase that it could go on with."""

    def choose(state: Any, ask: Ask) -> Option:
        if ask.closing is not None and chooser.below(4) == 0:
            return ask.closing
        return chooser.pick(list(islice(ask.each(), LOOKED_AT)))

    return choose


def played(scenario: str, name: str, options: Any = None) -> Session:
    session = new_game(name, Watched(), scenario, options)
    bot = random_bot(Chooser(name))
    play_out(session, {"allied": bot, "axis": bot}, limit=100_000)
    return session


@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_reach_their_end(number: int) -> None:
    session = played("gela", f"fuzz-{number}")
    assert session.over and session.state.winner in ("allied", "axis", "draw")


@pytest.mark.parametrize("number", range(BIG_GAMES))
@pytest.mark.parametrize("scenario", ["husky", "toe"])
def test_random_campaigns_reach_their_end(scenario: str, number: int) -> None:
    odd = {"counter_chain": True, "ersatz_return": False, "counter_interdict": "one", "port_flip": "own"} if number % 2 else {}
    session = played(scenario, f"{scenario}-{number}", odd)
    assert session.over and session.state.winner in ("allied", "axis", "draw")


def test_every_option_offered_can_be_chosen_by_its_text() -> None:
    """What is generated and what is looked up are the same options."""
    session = new_game("texts")
    bot = random_bot(Chooser("texts"))
    seen: dict[str, int] = {}

    def checked(state: Any, ask: Ask) -> Option:
        for option in islice(ask.each(), 150):
            got = RULESET.choose(state, ask, option.key)
            assert isinstance(got, Option), f"{ask.kind}: {option.key}: {got}"
            assert (got.key, dict(got.data)) == (option.key, dict(option.data))
            seen[ask.kind] = seen.get(ask.kind, 0) + 1
        return bot(state, ask)

    play_out(session, {"allied": checked, "axis": checked})
    assert {"movement", "transport", "engineering"} <= set(seen)
