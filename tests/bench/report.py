"""What a report costs, and whether it keeps its limits: bytes of its parts, seconds of its pictures, and the whole (text, HTML,
JSON and map).  What a further picture costs is given as a multiple of packing the same one as PNG, in the same run.

    python -m tests.bench.report [TITLE/SCENARIO ...]      (two of areas and one of hexes, if none is named)
    python -m tests.bench.report --demo              the demo with all its pictures, too (by the clock on the wall)

Measured in processor time, the best of several rounds; each scenario in a process of its own, so that its first picture is
the first.  Exits with 1 if a limit is not kept.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any
from unittest.mock import patch

from PIL import Image

from pbem.bootstrap import geometry
from pbem.core.autoplay import answer
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.games import find_title
from pbem.reports import render, schema
from pbem.reports.maps import paint, rasters
from pbem.scenarios.catalog import load

SCENARIOS = ("fab_sicily/primosole_bridge", "fab_sicily/campaign", "invasion_sicily/husky")
ROUNDS, ANSWERS, LOOKED_AT = 15, 250, 300
"""Of the thousands of options of a phase so many are looked at."""
FIRST, SECTOR, PACKING, REPORT, DEMO = 1.2, 2.5, 2.0, 0.1, 25.0
"""Seconds of the first picture and of the first sector, which draw the ground; a further picture as a multiple of packing it as
PNG; seconds of a report with its map; seconds of the demo."""

Line = tuple[str, float, float, str]
"""What was measured, how much, at most, unit."""


def mid_game(scenario: str) -> dict[str, Any]:
    """The Allied report after so many answers, and all that happened before it."""
    title, name = scenario.split("/")
    rules, dice = find_title(title), SeededDice(b"bench".ljust(32, b"."))
    start = {"commitment": dice.commitment}
    session = Session.start("bench", rules, load(title, name), {}, dice, "2026-01-01T00:00:00Z", start)
    given = 0
    while session.run() and given < ANSWERS:
        for ask in [a for a in session.open if session.pending(a)]:
            first = list(islice(ask.each(), LOOKED_AT))
            answer(session, ask, first[given % len(first)].key)
            given += 1
    game = {
        "id": "bench", "players": {"allied": "Ann", "axis": "Bob"}, "number": 9, "step": session.step_name, "deadline": None,
        "head": session.head, "seq": session.seq, "commitment": "c0" * 32, "seed": "",
    }  # fmt: skip
    rows = session.new_rows[-400:]
    return rules.telling.report(game, session.state, "allied", rows, [a for a in session.open if session.pending(a)])


def best(work: Callable[[], Any]) -> float:
    """Seconds of the fastest of several rounds."""
    return min(timed(work) for _ in range(ROUNDS))


def against_packing(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of the fastest of several rounds, and how many of them went into packing."""
    rounds, pack = [], rasters.packed
    for _ in range(ROUNDS):
        spent = []

        def noted(picture: Image.Image, palette: Image.Image, limit: int, spent: list[float] = spent) -> bytes:
            began = time.process_time()
            found = pack(picture, palette, limit)
            spent.append(time.process_time() - began)
            return found

        with patch.object(rasters, "packed", noted):
            rounds.append((timed(work), sum(spent)))
    return min(rounds)


def timed(work: Callable[[], Any]) -> float:
    """Seconds of processor time."""
    began = time.process_time()
    work()
    return time.process_time() - began


def measured(scenario: str) -> Iterator[Line]:
    """The figures of a scenario's report; nothing is kept on disk."""
    doc, ground = mid_game(scenario), geometry(scenario.split("/")[0])
    assert ground is not None
    battles = [b["area"] for b in doc["battles"]]

    def picture(around: tuple[str, ...] = ()) -> bytes:
        return paint.map_png(doc["view"], ground, around=around, moves=doc["moves"], battles=battles)

    def words() -> int:
        data = json.dumps(schema.data(doc), ensure_ascii=False, indent=1, sort_keys=True)
        return len(render.text_report(doc)) + len(render.html_report(doc)) + len(data)

    words()
    yield "first picture", timed(picture), FIRST, "s"
    sectors = paint.sectors(doc["view"], ground, battles) or paint.sectors(doc["view"], ground, [doc["moves"][-1]["path"][-1]])
    for number, around in enumerate(sectors, 1):
        yield f"sector {number}, first time", timed(partial(picture, around)), SECTOR, "s"
    for what, around in [("a further picture", ()), *((f"sector {n}", a) for n, a in enumerate(sectors, 1))]:
        whole, packing = against_packing(partial(picture, around))
        yield f"{what}, as a multiple of packing it", whole / packing, PACKING, ""
    yield "a report with its map", best(picture) + best(words), REPORT, "s"
    yield "picture", len(picture()) / 1000, paint.LIMIT / 1000, "kB"
    for number, around in enumerate(sectors, 1):
        yield f"sector {number}", len(picture(around)) / 1000, paint.LIMIT / 1000, "kB"
    yield "HTML part", len(render.html_report(doc).encode()) / 1000, render.HTML_LIMIT / 1000, "kB"


def demo() -> Iterator[Line]:
    """The demo with its pictures, its archive and its audit."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        command = [sys.executable, "-m", "pbem", "demo", str(Path(folder) / "demo"), "--seed", "1"]
        subprocess.run(command, check=True, capture_output=True)
        yield "demo", time.monotonic() - began, DEMO, "s"


def told(lines: Iterator[Line]) -> bool:
    """Print the figures; whether all limits are kept."""
    kept = True
    for what, value, limit, unit in lines:
        good = value <= limit
        kept &= good
        print(f"  {what:<40} {value:8.2f} {unit:<3} at most {limit:g}{'' if good else '   NOT KEPT'}")
    return kept


def main() -> int:
    """Measure what is asked for."""
    words = sys.argv[1:]
    if "--here" in words:
        return 0 if told(measured(words[0])) else 1
    scenarios = [w for w in words if not w.startswith("-")] or [*SCENARIOS]
    kept = True
    for scenario in scenarios:  # each in a process of its own, that the first picture is the first
        print(scenario, flush=True)
        kept &= subprocess.run([sys.executable, "-m", "tests.bench.report", scenario, "--here"], check=False).returncode == 0
    if "--demo" in words:
        print("the demo", flush=True)
        kept &= told(demo())
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
