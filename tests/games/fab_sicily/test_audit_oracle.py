"""Random and planned games watched by the second reading of the rules (:mod:`.oracle`)."""

from __future__ import annotations

import os

import pytest

from pbem.core.asks import Ask
from pbem.core.autoplay import answer, play_out
from pbem.core.chooser import Chooser
from pbem.games.fab_sicily.players.bots import planner, random_bot
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.oracle import Eyes, Oracle, reach
from tests.games.fab_sicily.test_fuzz import new_game

GAMES = int(os.environ.get("PBEM_ORACLE_GAMES", "12"))


@pytest.mark.parametrize("number", range(GAMES))
def test_random_games_break_no_rule(number: int) -> None:
    oracle = Oracle()
    session = new_game(f"oracle-{number}", oracle)
    bot = random_bot(Chooser(f"oracle-{number}"))
    play_out(session, {"allied": bot, "axis": bot})
    assert session.over and oracle.seen > 100


def test_a_planned_game_breaks_no_rule() -> None:
    oracle = Oracle()
    session = new_game("oracle-planned", oracle)
    play_out(session, {"allied": planner, "axis": planner})
    assert session.over and oracle.seen > 100


@pytest.mark.parametrize("number", range(3))
def test_every_move_that_the_rules_allow_is_offered(number: int) -> None:
    """5.3, 7.2, 7.31 The destinations offered are those of all legal paths, in a game played at random."""
    oracle = Oracle()
    session = new_game(f"moves-{number}", oracle)
    bot = random_bot(Chooser(f"moves-{number}"))
    compared = 0
    while session.run():
        for ask in list(session.open):
            if session.pending(ask):
                if ask.kind in ("movement", "reaction", "breakthrough"):
                    compared += compare(session.state, ask, oracle)
                answer(session, ask, bot(session.state, ask).key)
    assert compared > 100


def compare(state: State, ask: Ask, oracle: Oracle) -> int:
    """How many units' destinations were compared; a difference fails."""
    x, offered = Eyes(state), {}
    for option in ask.options:
        if option.data.get("do") == "move" and not option.data["with"]:
            offered.setdefault((option.data["block"], option.data["mode"]), set()).add(option.data["path"][-1])
    for (block, mode), places in offered.items():
        if state.blocks[block].area in state.data.areas:
            assert places == reach(x, block, mode, oracle.crossed), f"{block} from {state.blocks[block].area}, {state.phase}"
    return len(offered)
