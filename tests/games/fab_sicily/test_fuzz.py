"""Random legal play to the end: no dead end, no exception, every invariant after every event."""

from __future__ import annotations

import os
from typing import Any

import pytest

from pbem.core.autoplay import answer, play_out
from pbem.core.chooser import Chooser
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.games.fab_sicily import RULESET, FabSicily
from pbem.games.fab_sicily.players.bots import planner, random_bot
from tests.games.fab_sicily.play import raw

GAMES = int(os.environ.get("PBEM_FUZZ_GAMES", "200"))
BATCH = 10
BIG_GAMES = int(os.environ.get("PBEM_FUZZ_BIG_GAMES", "4"))
"""Random games of each of the two big scenarios; 100 before a release."""

ODD = dict.fromkeys(
    ("historical", "optional_airborne", "optional_artillery", "optional_artillery_loss", "optional_works"), True
)
"""Options of every second big game."""


class Watched(FabSicily):
    """Checks the invariants after each event."""

    def apply(self, state: Any, event: Any) -> None:
        super().apply(state, event)
        wrong = self.check(state)
        assert not wrong, f"after {event}: {wrong}"


def new_game(name: str, rules: Any = RULESET, scenario: str = "primosole_bridge", options: Any = None) -> Session:
    dice = SeededDice(name.encode().ljust(32, b"."))
    creation = {"scenario": f"fab_sicily/{scenario}", "commitment": dice.commitment}
    return Session.start(name, rules, raw(scenario), options or {}, dice, "2026-01-01T00:00:00Z", creation)


@pytest.mark.parametrize("batch", range(GAMES // BATCH))
def test_random_games_reach_their_end(batch: int) -> None:
    for i in range(BATCH):
        name = f"fuzz-{batch * BATCH + i}"
        session = new_game(name, Watched())
        bot = random_bot(Chooser(name))
        play_out(session, {"allied": bot, "axis": bot})
        assert session.over and session.state.winner in ("allied", "axis", "draw"), name


@pytest.mark.parametrize("number", range(BIG_GAMES))
@pytest.mark.parametrize("scenario", ["tournament", "campaign"])
def test_random_games_of_the_whole_island_reach_their_end(scenario: str, number: int) -> None:
    name = f"{scenario}-{number}"
    session = new_game(name, Watched(), scenario, ODD if number % 2 else {})
    bot = random_bot(Chooser(name))
    play_out(session, {"allied": bot, "axis": bot})
    assert session.over and session.state.winner in ("allied", "axis", "draw"), name


@pytest.mark.parametrize("scenario", ["tournament", "campaign"])
def test_planner_games_of_the_whole_island_reach_their_end(scenario: str) -> None:
    session = new_game(f"planned-{scenario}", Watched(), scenario)
    play_out(session, {"allied": planner, "axis": planner})
    assert session.state.winner


def test_planner_games_reach_their_end() -> None:
    for i in range(3):
        session = new_game(f"planned-{i}", Watched())
        play_out(session, {"allied": planner, "axis": planner})
        assert session.state.winner


@pytest.mark.parametrize("scenario", ["primosole_bridge", "tournament"])
def test_every_option_offered_parses_back_from_its_text_form(scenario: str) -> None:
    session = new_game("texts", scenario=scenario)
    chooser = Chooser("texts")
    bot = random_bot(chooser)
    kinds: dict[str, int] = {}
    while session.run():
        for ask in list(session.open):
            if session.pending(ask):
                for option in ask.options[:: max(1, len(ask.options) // 25)]:
                    got = RULESET.choose(session.state, ask, option.key)
                    assert got == option, f"{ask.kind}: {option.key!r} gives {got}"
                kinds[ask.kind] = kinds.get(ask.kind, 0) + 1
                answer(session, ask, bot(session.state, ask).key)
    assert {"admin", "movement", "battle"} <= set(kinds)
