"""Folding the journal gives the positions that were there when it was written."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from pbem.core.engine import Session
from pbem.core.fold import NoSuchStep, snapshot
from tests.core.test_engine import give, order, start
from tests.core.tiny import Tiny


def played() -> tuple[Session, list[Any]]:
    """Some turns with mailed, standing and skipped orders, and the snapshots taken on the way."""
    session = start()
    taken = [session.snapshot]

    def on(side: str, *directives: Any, **more: Any) -> None:
        give(session, side, *directives, **more)
        if session.snapshot is not taken[-1]:
            taken.append(session.snapshot)

    on("left", order("add", "1", mode="standing"), order("roll", "stop"), order("roll", "stop", scope="2 turn"))
    on("right", order("add", "8"), order("add", "1"))
    on("right", order("add", "1"), order("add", "1", scope="3 turn"), cancel=["2.0"])
    on("left", order("roll", "stop"))
    return session, taken


def same(folded: Any, taken: Any) -> bool:
    return json.dumps(asdict(folded)) == json.dumps(asdict(taken))


def fold(session: Session, step: int) -> Any:
    return snapshot(Tiny(), {}, {}, session.new_rows, step)  # type: ignore[arg-type]


def test_every_snapshot_can_be_folded_again() -> None:
    session, taken = played()
    assert len(taken) > 2
    for then in taken:
        assert same(fold(session, then.step), then)


def test_also_after_going_back_twice() -> None:
    session, taken = played()
    session.rewind(taken[1], "a mistake", "")
    session.run()
    again = session.snapshot
    give(session, "right", order("add", "2"))
    session.rewind(taken[0], "another", "")
    session.run()
    first = session.snapshot
    give(session, "right", order("add", "1"))
    assert first is not None and again is not None
    for then in (*taken, again, first):
        assert same(fold(session, then.step), then)
    session.rewind(taken[2], "into what was undone", "")
    session.run()
    assert same(fold(session, session.step), session.snapshot)
    assert session.step_name == "3 turn"


def test_a_step_that_never_was() -> None:
    session, _ = played()
    with pytest.raises(NoSuchStep, match="step 99"):
        fold(session, 99)
