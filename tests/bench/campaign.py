"""What adjudicating a whole game from its recorded orders costs, as a multiple of its dice and journal rows alone.

    python -m tests.bench.campaign [SCENARIO] [ROUNDS]

Two scripted players play the game once, writing as they would by mail.  What they ordered is then adjudicated again
without mail, as the service does it: for each set of orders the game is taken up from its stored position, the orders
are locked in, the rules run until somebody must decide, and rows and position are stored in one transaction.  Beside it
stand the same number of HMAC dice and journal inserts, in transactions of the same size, and nothing else.  Processor
time, so that what else the machine does plays no part.
"""

from __future__ import annotations

import hashlib
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import process_time
from typing import Any

from pbem.core.dice import SeededDice
from pbem.core.engine import INPUTS, Session
from pbem.core.journal import Row, digest
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.players import scripted
from pbem.games.fab_sicily.words import orders
from pbem.orders.source import Line
from pbem.store.api import Game, Store
from pbem.scenarios.catalog import load
from pbem.store.schema import open_store

NAME, AT = "bench", "2026-01-01T00:00:00Z"
DICE = SeededDice(hashlib.sha256(b"bench").digest())
TARGET = 20


@dataclass(frozen=True)
class Recorded:
    """A game: its data, its rows, and how many rows each input brought about (the first number: creation)."""

    scenario: str
    data: Mapping[str, Any]
    rows: Sequence[Row]
    batches: Sequence[int]

    @property
    def inputs(self) -> list[Row]:
        """What the players ordered."""
        return [row for row in self.rows if row.kind in INPUTS]

    @property
    def faces(self) -> int:
        """Dice thrown."""
        return sum(row.payload["count"] for row in self.rows if row.kind == "roll")


@dataclass(frozen=True)
class Figures:
    """Seconds for the adjudication and for dice and rows alone; ``engine``: for the rules without the store."""

    recorded: Recorded
    whole: float
    engine: float
    alone: float

    @property
    def times(self) -> float:
        """The multiple."""
        return self.whole / self.alone


def start(recorded_data: Mapping[str, Any], scenario: str) -> Session:
    """The game before anything is ordered."""
    facts = {"scenario": scenario, "commitment": DICE.commitment}
    return Session.start(NAME, RULESET, recorded_data, {}, DICE, AT, facts)


def record(scenario: str) -> Recorded:
    """Play it to the end."""
    data = load("fab_sicily", scenario)
    session = start(data, scenario)
    session.run()
    batches, introduced = [len(session.new_rows)], []
    while not session.over:
        side = session.waiting()[0]
        lines = scripted.order_lines(session, side)
        if side not in introduced:
            introduced.append(side)
            lines = [*scripted.standing_orders(side), *lines]
        numbered = [Line(i, text) for i, text in enumerate(lines, 1)]
        parsed = orders.parse(session.state, side, session.step_name, numbered, session.open, session.plans.of(side))
        payload = {"side": side, "directives": parsed.directives, "replace": parsed.replace, "cancel": parsed.cancel}
        session.submit("orders", payload, "")
        session.run()
        batches.append(len(session.new_rows) - sum(batches))
    return Recorded(scenario, data, tuple(session.new_rows), tuple(batches))


def in_memory(game: Recorded) -> float:
    """Seconds for the rules alone: one session, nothing stored."""
    began = process_time()
    session = start(game.data, game.scenario)
    session.run()
    for row in game.inputs:
        _submit(session, row)
    seconds = process_time() - began
    assert session.over and session.head == game.rows[-1].hash, "another game was played"
    return seconds


def _submit(session: Session, row: Row) -> None:
    session.submit(row.kind, {k: v for k, v in row.payload.items() if k != "salt"}, row.source)
    session.run()


def adjudicated(game: Recorded, store: Store) -> float:
    """Seconds for the whole game, into ``store``."""
    began = process_time()
    with store.transaction():
        session = start(game.data, game.scenario)
        session.run()
        row = _row(game, session)
        store.games.create(row, DICE.seed, game.data, [])
        _save(store, row, session)
    for given in game.inputs:
        with store.transaction():
            row = store.games.lock(NAME)
            position = store.games.position(NAME)
            session = Session.resume(NAME, RULESET, game.data, {}, DICE, AT, position.snapshot, position.rows)
            _submit(session, given)
            _save(store, row, session)
    seconds = process_time() - began
    assert store.games.get(NAME).head == game.rows[-1].hash, "another game was played"
    return seconds


def _row(game: Recorded, session: Session) -> Game:
    return Game(NAME, "fab_sicily", game.scenario, {}, digest(game.data), DICE.commitment, AT)


def _save(store: Store, row: Game, session: Session) -> None:
    store.journal.append(session.new_rows)
    store.games.save(replace(row, seq=session.seq, head=session.head), session.snapshot)


def alone(game: Recorded, store: Store) -> float:
    """Seconds for the dice and the journal's rows, and nothing else."""
    throws = [(r.step, r.payload["attempt"], r.payload["n"] + i, r.payload["sides"], r.payload["binding"], r.payload["rule"])
              for r in game.rows if r.kind == "roll" for i in range(r.payload["count"])]  # fmt: skip
    with store.transaction():
        store.games.create(_row(game, start(game.data, game.scenario)), DICE.seed, game.data, [])
    began = process_time()
    for throw in throws:
        DICE.face(NAME, *throw)
    first = 0
    for batch in game.batches:
        with store.transaction():
            store.journal.append(game.rows[first : first + batch])
        first += batch
    return process_time() - began


def measure(scenario: str, rounds: int = 3) -> Figures:
    """The best of some rounds, in one run."""
    game = record(scenario)
    found = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            ours = open_store(Path(folder) / "ours.db", create=True)
            bare = open_store(Path(folder) / "bare.db", create=True)
            found.append((adjudicated(game, ours), in_memory(game), alone(game, bare)))
            ours.close()
            bare.close()
    return Figures(game, *(min(column) for column in zip(*found, strict=True)))


def told(figures: Figures) -> str:
    """The figures in words."""
    game = figures.recorded
    return (
        f"{game.scenario}: {len(game.rows)} rows, {game.faces} dice, {len(game.inputs)} sets of orders: adjudicated in "
        f"{figures.whole:.2f} s (the rules alone {figures.engine:.2f} s), dice and rows alone {figures.alone:.3f} s: "
        f"{figures.times:.1f} times (target {TARGET})"
    )


def main() -> None:
    scenario = sys.argv[1] if len(sys.argv) > 1 else "campaign"
    print(told(measure(scenario, int(sys.argv[2]) if len(sys.argv) > 2 else 3)))


if __name__ == "__main__":
    main()
