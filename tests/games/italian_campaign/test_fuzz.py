"""Random legal play to the end: no dead end, no exception, every invariant after every event, and the audit finds the same."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import pytest

from pbem.audit.verify import audit
from pbem.core.asks import Ask, Option, pick
from pbem.core.autoplay import answer, play_out
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.games.italian_campaign import RULESET
from tests.games.italian_campaign.play import Watched, new_game, random_player, raw

GAMES = int(os.environ.get("PBEM_FUZZ_GAMES_ITALIAN", "6"))
"""Random games of the short option; 200 before a release."""


@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_reach_their_end(number: int) -> None:
    name = f"fuzz-{number}"
    session = new_game(name, Watched())
    player = random_player(name)
    play_out(session, {"allied": player, "axis": player})
    assert session.over and session.state.winner in ("allied", "axis", "draw"), name
    assert session.state.time >= 22


def test_a_game_of_defaults_reaches_its_end() -> None:
    session = new_game("defaults", Watched())

    def default(state: Any, ask: Ask) -> Option:
        option = ask.option(ask.default)
        assert option is not None
        return option

    play_out(session, {"allied": default, "axis": default})
    assert session.state.level


def test_every_option_can_be_said_in_its_own_words() -> None:
    session = new_game("texts", Watched())
    player = random_player("texts")

    def choose(state: Any, ask: Ask) -> Option:
        for option in islice(ask.each(), 25):
            assert pick(ask, option.key) == option, f"{ask.kind}: {option.key}"
        return player(state, ask)

    play_out(session, {"allied": choose, "axis": choose})


def test_a_step_run_again_from_its_rows_gives_the_same() -> None:
    """A process that dies in the middle of a step and comes back stands where it was."""
    session = new_game("again", Watched())
    player = random_player("again")
    for _ in range(60):
        session.run()
        if session.over:
            break
        for ask in list(session.open):
            if session.pending(ask):
                answer(session, ask, player(session.state, ask).key)
        session.run()
        assert session.snapshot is not None
        dice = SeededDice(b"again".ljust(32, b"."))
        other = Session.resume(
            "again", Watched(), raw(), {}, dice, "2026-01-01T00:00:00Z", session.snapshot, session.step_rows
        )
        assert other.rules.dump(other.state) == session.rules.dump(session.state)
        assert [a.kind for a in other.open] == [a.kind for a in session.open] and not other.new_rows


def test_a_whole_campaign_reaches_its_end_and_audits_equal() -> None:
    name = "whole"
    session = new_game(name, Watched(), "salerno")
    player = random_player(name)
    play_out(session, {"allied": player, "axis": player}, 100_000)
    assert session.state.time >= 72 and session.state.level
    seed = name.encode().ljust(32, b".")
    assert audit(session.new_rows, RULESET, raw("salerno"), {}, seed, over=True) is None
