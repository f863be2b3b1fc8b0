"""The engine: answer order, resuming, divergence, rewinding, rehearsing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.core.dice import SeededDice
from pbem.core.engine import Divergence, GameOver, Session, rehearse
from pbem.core.journal import check_chain
from tests.core.tiny import Tiny

SEED = SeededDice(bytes(range(32)))
AT = "2026-01-01T00:00:00Z"


def start() -> Session:
    session = Session.start("g", Tiny(), {}, {}, SEED, AT, {"scenario": "tiny"})  # type: ignore[arg-type]
    session.run()
    return session


def order(kind: str, *choices: str, mode: str = "once", scope: str = "", tests: tuple[Any, ...] = ()) -> dict[str, Any]:
    conditions = [dict(zip(("fact", "op", "value"), t, strict=True)) for t in tests]
    return {
        "kind": kind, "mode": mode, "choices": list(choices), "text": f"{kind} {choices[0]}", "scope": scope, "where": "",
        "tests": conditions, "source": "m1",
    }


def give(session: Session, side: str, *directives: dict[str, Any], **more: Any) -> None:
    session.submit("orders", {"side": side, "directives": list(directives), **more}, "m1")
    session.run()


def resumed(session: Session, rows: list[Any]) -> Session:
    assert session.snapshot is not None
    later = [r for r in rows if r.seq >= session.snapshot.seq]
    return Session.resume("g", Tiny(), {}, {}, SEED, AT, session.snapshot, later)  # type: ignore[arg-type]


def test_it_waits_for_both_sides_and_journals_nothing_meanwhile() -> None:
    session = start()
    assert session.waiting() == ["left", "right"]
    give(session, "left", order("add", "2"))
    assert session.waiting() == ["right"]
    assert [r.kind for r in session.new_rows] == ["game", "step", "orders"]


def test_answer_order_is_mailed_plan_standing_default() -> None:
    session = start()
    give(session, "left", order("add", "1", mode="standing"), order("add", "2", mode="plan"), order("add", "3"))
    give(session, "right", order("add", "3"))
    answers = [r.payload for r in session.new_rows if r.kind == "answer"]
    how = {a["side"]: (a["how"], a["key"]) for a in answers}
    assert how == {"left": ("mailed", "3"), "right": ("mailed", "3")}
    give(session, "left", order("roll", "stop"))
    give(session, "right", order("add", "1"))
    last = [r.payload for r in session.new_rows if r.kind == "answer" and r.payload["side"] == "left"][-1]
    assert (last["how"], last["key"], last["order"]) == ("plan", "2", "add 2")


def test_a_standing_order_holds_only_where_its_tests_hold() -> None:
    session = start()
    give(session, "left", order("add", "3", mode="standing", tests=(("total", ">", 0),)))
    assert session.waiting() == ["left", "right"]
    give(session, "left", order("add", "middle", mode="standing", tests=(("total", "=", 0), ("total", "<", 1))))
    assert session.waiting() == ["right"]


def test_an_impossible_order_is_skipped_with_its_reason_and_the_next_one_taken() -> None:
    session = start()
    give(session, "left", order("add", "7"), order("add", "2"))
    give(session, "right", order("add", "1"))
    skip = next(r.payload for r in session.new_rows if r.kind == "skip")
    assert skip["text"] == "add 7" and skip["rule"] == "1.1" and "7" in skip["reason"]
    assert session.state.total == 3


def test_the_deadline_plays_the_default_for_that_side_only() -> None:
    session = start()
    session.submit("control", {"act": "deadline", "side": "left"}, "clock")
    session.run()
    assert session.waiting() == ["right"]
    session.submit("control", {"act": "deadline", "side": "right"}, "clock")
    session.run()
    assert session.state.total == 2 and session.step_name == "2 turn"
    assert {r.payload["how"] for r in session.new_rows if r.kind == "answer"} == {"default"}


def test_new_orders_replace_the_set_they_name_and_standing_orders_can_be_cancelled() -> None:
    session = start()
    give(session, "left", order("add", "1", scope="1 turn"))
    give(session, "left", order("add", "3", scope="1 turn"), replace=[["1 turn", "add"]])
    give(session, "left", order("roll", "stop", mode="standing"))
    mine = session.plans.of("left")
    assert [d.choices for d in mine] == [("3",), ("stop",)]
    give(session, "right", order("add", "1"), cancel=[mine[1].id])
    assert session.plans.of("left")[0].choices == ("stop",), "a side cannot cancel the other side's orders"
    assert session.state.total == 4


def play_to_the_end() -> Session:
    session = start()
    while not session.over:
        for side in ("left", "right"):
            if side in session.waiting():
                more = [order("roll", "roll"), order("roll", "stop")] if side == "left" else []
                give(session, side, order("add", "2"), *more)
    return session


def test_a_game_resumes_the_same_after_any_row() -> None:
    whole = play_to_the_end()
    check_chain(whole.new_rows)
    with pytest.raises(GameOver):
        whole.submit("orders", {"side": "left", "directives": []}, "")
    inputs = [r for r in whole.new_rows if r.kind in ("orders", "control")]
    session, rows = start(), []
    rows += session.new_rows
    for row in inputs:
        session = resumed(session, rows)
        session.submit(row.kind, row.payload, row.source)
        session.run()
        rows += session.new_rows
    assert rows == whole.new_rows


def test_a_process_that_dies_after_any_row_goes_on_with_the_same_rows() -> None:
    session = start()
    snapshots = [session.snapshot]
    while not session.over:
        for side in ("left", "right"):
            if side in session.waiting():
                more = [order("roll", "roll"), order("roll", "stop")] if side == "left" else []
                give(session, side, order("add", "3"), *more)
                snapshots.append(session.snapshot)
    whole = session.new_rows
    for cut in range(3, len(whole) + 1):
        snapshot = [s for s in snapshots if s and s.seq <= cut][-1]
        again = Session.resume("g", Tiny(), {}, {}, SEED, AT, snapshot, whole[snapshot.seq : cut])  # type: ignore[arg-type]
        rows = whole[:cut] + again.new_rows
        for row in [r for r in whole if r.kind == "orders" and r.seq >= cut]:
            assert row.seq == again.seq
            again.submit(row.kind, row.payload, row.source)
            again.run()
        assert whole[:cut] + again.new_rows == whole, f"cut after row {cut - 1}: {rows[-1]}"


@pytest.mark.parametrize("field,value", [("faces", [9]), ("target", 9), ("purpose", "malice")])
def test_a_changed_roll_diverges_when_its_step_is_resumed(field: str, value: Any) -> None:
    session = start()
    give(session, "left", order("add", "1"), order("roll", "roll"))
    give(session, "right", order("add", "1"))
    rows = [replace(r, payload={**r.payload, field: value}) if r.kind == "roll" else r for r in session.new_rows]
    with pytest.raises(Divergence, match="row"):
        resumed(session, rows)


def test_a_dropped_event_diverges() -> None:
    session = start()
    give(session, "left", order("add", "1"), order("roll", "roll"))
    give(session, "right", order("add", "1"))
    events = [r for r in session.new_rows if r.kind == "event"]
    with pytest.raises(Divergence):
        resumed(session, [r for r in session.new_rows if r is not events[0]])


def test_dice_are_bound_to_the_orders_given_before_them() -> None:
    def face(first: str) -> int:
        session = start()
        give(session, "left", order("add", first), order("roll", "roll"))
        give(session, "right", order("add", "1"))
        return int(next(r.payload["faces"][0] for r in session.new_rows if r.kind == "roll"))

    assert len({face(c) for c in "123"} | {face("1")}) > 1
    assert face("1") == face("1")


def test_rewinding_keeps_every_row_and_rolls_anew() -> None:
    session = start()
    first = session.snapshot
    assert first is not None
    give(session, "left", order("add", "1"), order("roll", "roll"), order("roll", "stop"))
    give(session, "right", order("add", "1"))
    before = list(session.new_rows)
    session.rewind(first, "wrong map", "referee")
    session.run()
    assert session.state.total == 0 and session.attempt == 2
    assert session.new_rows[: len(before)] == before
    check_chain(session.new_rows)
    assert session.new_rows[-1].payload == {"name": "1 turn", "attempt": 2}


def test_a_rehearsal_tells_what_would_be_skipped_and_changes_nothing() -> None:
    session = start()
    rows = list(session.new_rows)
    payload = {"side": "left", "directives": [order("add", "8"), order("add", "1")]}
    skipped = rehearse(session, "left", payload)
    assert [s["text"] for s in skipped] == ["add 8"]
    assert session.new_rows == rows and session.waiting() == ["left", "right"]
