"""Who wins when planners play each other: the figure of scenarios/fab_sicily/README.md.

python -m tests.bench.balance [GAMES] [SCENARIO] [FIRST] [PLAN]

The games have the seeds FIRST (0), FIRST + 1 …; PLAN is the Allied landing plan ('historical', 'alternate').
"""

from __future__ import annotations

import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from statistics import mean

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import play_out
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.players.bots import planner
from pbem.games.fab_sicily.position.state import State
from pbem.scenarios.catalog import load


def one(job: tuple[str, int, str]) -> tuple[str, int, int, tuple[str, ...]]:
    """Winner, both sides' points, and the areas the Allies hold at the end."""
    scenario, number, plan = job

    def allied(state: State, ask: Ask) -> Option:
        return (ask.option(f"plan {plan}") if ask.kind == "plan" else None) or planner(state, ask)

    dice = SeededDice(f"balance-{number}".encode().ljust(32, b"."))
    session = Session.start(
        f"balance-{number}",
        RULESET,
        load("fab_sicily", scenario),
        {},
        dice,
        "2026-01-01T00:00:00Z",
        {"commitment": dice.commitment},
    )
    play_out(session, {"allied": allied, "axis": planner})
    state = session.state
    held = tuple(a for a in state.data.areas if state.control.get(a) == "allied")
    return state.winner, state.vp["allied"], state.vp["axis"], held


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    scenario = sys.argv[2] if len(sys.argv) > 2 else "primosole_bridge"
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    plan = sys.argv[4] if len(sys.argv) > 4 else "historical"
    with ProcessPoolExecutor() as pool:
        results = list(pool.map(one, [(scenario, n, plan) for n in range(first, first + games)], chunksize=5))
    won = Counter(r[0] for r in results)
    print(
        f"{games} games of {scenario}: "
        + ", ".join(f"{side} {won[side]} ({won[side] / games:.0%})" for side in ("allied", "axis", "draw"))
    )
    print(f"points on average: Allies {mean(r[1] for r in results):.1f}, Axis {mean(r[2] for r in results):.1f}")
    held = Counter(a for r in results for a in r[3])
    print("held by the Allies at the end: " + ", ".join(f"{a} {held[a] / games:.0%}" for a in sorted(held, key=int)))


if __name__ == "__main__":
    main()
