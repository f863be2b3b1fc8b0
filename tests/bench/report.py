"""What a report costs beside its picture: text, HTML, JSON and map as a multiple of the map alone (target: 1.3 at most).

    python -m tests.bench.report [SCENARIO]

Measured in processor time, the best of several rounds, with the ground drawn before (a daemon draws it once).
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any

from pbem.bootstrap import geometry
from pbem.core.autoplay import answer
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.core.ruleset import ruleset
from pbem.reports import mapdraw, render, schema
from pbem.store.scenarios import load

ROUNDS, ANSWERS = 15, 250


def mid_game(scenario: str) -> dict[str, Any]:
    """The Allied report after so many answers by default, and all that happened before it."""
    rules, dice = ruleset("fab_sicily"), SeededDice(b"bench".ljust(32, b"."))
    start = {"commitment": dice.commitment}
    session = Session.start("bench", rules, load("fab_sicily", scenario), {}, dice, "2026-01-01T00:00:00Z", start)
    given = 0
    while session.run() and given < ANSWERS:
        for ask in [a for a in session.open if session.pending(a)]:
            answer(session, ask, ask.options[given % len(ask.options)].key)
            given += 1
    game = {
        "id": "bench", "players": {"allied": "Ann", "axis": "Bob"}, "number": 9, "step": session.step_name, "deadline": None,
        "head": session.head, "seq": session.seq, "commitment": "c0" * 32, "seed": "",
    }  # fmt: skip
    rows = session.new_rows[-400:]
    return rules.report(game, session.state, "allied", rows, [a for a in session.open if session.pending(a)])


def best(work: Callable[[], Any]) -> float:
    """Milliseconds of the fastest of several rounds."""
    found = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        found.append((time.process_time() - began) * 1000)
    return min(found)


def main() -> None:
    doc = mid_game(sys.argv[1] if len(sys.argv) > 1 else "primosole_bridge")
    ground, battles = geometry("fab_sicily"), [b["area"] for b in doc["battles"]]
    assert ground is not None

    def picture() -> bytes:
        return mapdraw.map_png(doc["view"], ground, moves=doc["moves"], battles=battles)

    def words() -> int:
        data = json.dumps(schema.data(doc), ensure_ascii=False, indent=1, sort_keys=True)
        return len(render.text_report(doc)) + len(render.html_report(doc)) + len(data)

    began = time.process_time()
    size = len(picture())
    first = (time.process_time() - began) * 1000
    words()
    alone, rest = best(picture), best(words)
    print(f"first picture {first:.0f} ms; a further one {alone:.0f} ms, {size / 1000:.0f} kB")
    print(f"text, HTML and JSON {rest:.1f} ms")
    print(f"a report is {(alone + rest) / alone:.2f} times its picture (target: at most 1.30)")


if __name__ == "__main__":
    main()
