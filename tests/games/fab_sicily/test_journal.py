"""A whole game's journal: resumed after any row, folded without rules, audited, forged."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from pbem.audit.verify import audit
from pbem.core import fold
from pbem.core.autoplay import play_out
from pbem.core.dice import SeededDice
from pbem.core.engine import Session, Snapshot
from pbem.core.journal import GENESIS, Row, canonical, check_chain, seal
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.rules import costs
from pbem.games.fab_sicily.players.bots import planner
from tests.games.fab_sicily.play import raw
from tests.games.fab_sicily.test_fuzz import new_game

NAME = "journal"
SEED = NAME.encode().ljust(32, b".")


@cache
def played() -> tuple[tuple[Row, ...], dict[int, Snapshot]]:
    """A planner game's rows, and the snapshot at the start of each step."""
    session = new_game(NAME)
    snapshots: dict[int, Snapshot] = {}
    begin = session._begin

    def keep(name: str) -> None:
        begin(name)
        assert session.snapshot is not None
        snapshots[session.step] = session.snapshot

    assert session.snapshot is not None
    snapshots[session.step] = session.snapshot
    session._begin = keep  # type: ignore[method-assign]
    play_out(session, {"allied": planner, "axis": planner})
    return tuple(session.new_rows), snapshots


def resume(snapshot: Snapshot, rows: list[Row]) -> Session:
    return Session.resume(NAME, RULESET, raw("primosole_bridge"), {}, SeededDice(SEED), "2026-01-01T00:00:00Z", snapshot, rows)


def test_the_chain_is_whole() -> None:
    rows, _ = played()
    assert check_chain(rows) == rows[-1].hash


EVERY = int(os.environ.get("PBEM_CUT_EVERY", "3"))
"""How many rows apart the game is cut; 1 takes a minute."""


@pytest.mark.parametrize("part", range(4))
def test_stopping_after_any_row_and_starting_again_gives_the_same_game(part: int) -> None:
    """The step that the cut falls in is finished from its snapshot."""
    rows, snapshots = played()
    for cut in range(3 + part * EVERY, len(rows), 4 * EVERY):
        snapshot = [s for s in snapshots.values() if s.seq <= cut][-1]
        session = resume(snapshot, list(rows[snapshot.seq : cut]))
        step_end = next((s.seq for s in snapshots.values() if s.seq > cut), len(rows))
        for row in rows[cut:step_end]:
            if row.kind in ("orders", "control") and row.seq >= session.seq:
                assert row.seq == session.seq, f"cut after row {cut - 1}"
                session.submit(row.kind, row.payload, row.source)
                session.run()
        made = session.new_rows[: step_end - cut]
        assert made == list(rows[cut : cut + len(made)]), f"cut after row {cut - 1}"
        assert len(made) == step_end - cut, f"cut after row {cut - 1}"


def test_folding_the_events_alone_gives_the_same_position() -> None:
    rows, snapshots = played()
    for step in (2, len(snapshots) // 2, len(snapshots)):
        folded = fold.snapshot(RULESET, raw("primosole_bridge"), {}, rows, step)
        assert folded.state == snapshots[step].state
        assert folded == snapshots[step]


def sealed(rows: list[Row]) -> list[Row]:
    made: list[Row] = []
    for row in rows:
        prev = made[-1].hash if made else GENESIS
        made.append(seal(row.game, len(made), row.step, row.kind, row.payload, row.source, row.at, prev))
    return made


def check(rows: list[Row]) -> Any:
    return audit(rows, RULESET, raw("primosole_bridge"), {}, SEED)


def test_an_honest_game_is_whole() -> None:
    assert check(list(played()[0])) is None


def middle(kind: str) -> int:
    found = [r.seq for r in played()[0] if r.kind == kind]
    return found[len(found) // 2]


def test_a_changed_die_is_named() -> None:
    rows = list(played()[0])
    at = middle("roll")
    faces = [f % rows[at].payload["sides"] + 1 for f in rows[at].payload["faces"]]
    rows[at] = replace(rows[at], payload={**rows[at].payload, "faces": faces})
    plain, forged = check(rows), check(sealed(rows))
    assert plain.row == at and forged.row == at
    assert "the seed gives" in forged.why


def test_a_changed_order_is_named() -> None:
    rows = list(played()[0])
    at = middle("orders")
    given = rows[at].payload["directives"][0]
    choices = [r.payload["directives"][0]["choices"] for r in rows if r.kind == "orders"]
    other = next(c for c in choices if c != given["choices"])
    rows[at] = replace(rows[at], payload={**rows[at].payload, "directives": [{**given, "choices": other}]})
    assert check(rows).row == at
    assert at < check(sealed(rows)).row <= at + 2


def test_a_dropped_row_is_named() -> None:
    rows = list(played()[0])
    at = middle("event")
    del rows[at]
    assert check(rows).row == at
    assert check(sealed(rows)).row == at


def test_a_changed_rule_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Infantry with one movement point: the first row that would be another is named."""
    monkeypatch.setattr(costs, "INFANTRY_POINTS", 1)
    found = check(list(played()[0]))
    assert found is not None and found.row > 0 and f"row {found.row}" in found.why


@pytest.mark.parametrize("scenario", ["primosole_bridge", "tournament"])
def test_the_order_of_keys_in_the_stored_data_plays_no_part(scenario: str) -> None:
    """The database keeps a scenario in canonical form, with its keys sorted; the games are the same."""
    played = []
    for data in (raw(scenario), json.loads(canonical(raw(scenario)))):
        dice = SeededDice(b"keys".ljust(32, b"."))
        session = Session.start("keys", RULESET, data, {}, dice, "2026-01-01T00:00:00Z", {"commitment": dice.commitment})
        play_out(session, {"allied": planner, "axis": planner})
        played.append(session.head)
    assert played[0] == played[1]
