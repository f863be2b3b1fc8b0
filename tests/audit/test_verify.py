"""The audit names what was changed, on the tiny game; the real game's turn comes in tests/games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pbem.audit.verify import audit
from pbem.core.autoplay import play_out
from pbem.core.chooser import Chooser
from pbem.core.dice import SeededDice
from pbem.core.engine import Session
from pbem.core.journal import GENESIS, Row, seal
from pbem.core.standing import ONCE, Directive
from tests.core.tiny import Tiny

SEED = bytes(range(32))


def game(rewound: bool = False) -> list[Row]:
    dice = SeededDice(SEED)
    creation = {"commitment": dice.commitment}
    session = Session.start("g", Tiny(), {}, {}, dice, "2026-01-01T00:00:00Z", creation)  # type: ignore[arg-type]
    first = session.snapshot
    chooser = Chooser("a")
    bots = dict.fromkeys(("left", "right"), lambda state, ask: chooser.pick(ask.options))
    if rewound:
        session.run()
        session.submit("control", {"act": "deadline", "side": "left"}, "clock")
        session.run()
        assert first is not None
        session.rewind(first, "a slip", "referee")
    play_out(session, bots)
    return session.new_rows


def sealed(rows: list[Row]) -> list[Row]:
    """The rows with a chain that fits them: what a forger with the database would write."""
    made: list[Row] = []
    for row in rows:
        prev = made[-1].hash if made else GENESIS
        made.append(seal(row.game, len(made), row.step, row.kind, row.payload, row.source, row.at, prev))
    return made


def check(rows: list[Row]) -> Any:
    return audit(rows, Tiny(), {}, {}, SEED)  # type: ignore[arg-type]


@pytest.mark.parametrize("rewound", [False, True])
def test_an_honest_game_is_whole(rewound: bool) -> None:
    assert check(game(rewound)) is None


def change(kind: str, **new: Any) -> Callable[[list[Row]], int]:
    def forge(rows: list[Row]) -> int:
        i = next(i for i, r in enumerate(rows) if r.kind == kind)
        rows[i] = replace(rows[i], payload={**rows[i].payload, **new})
        return i

    return forge


def change_order(rows: list[Row]) -> int:
    i = next(i for i, r in enumerate(rows) if r.kind == "answer" and r.payload["kind"] == "add")
    orders = [j for j, r in enumerate(rows[:i]) if r.kind == "orders"][-1]
    given = rows[orders].payload["directives"][0]
    other = {**given, "choices": ["1" if given["choices"] != ("1",) else "2"]}
    rows[orders] = replace(rows[orders], payload={**rows[orders].payload, "directives": [other]})
    return i


def drop(rows: list[Row]) -> int:
    i = next(i for i, r in enumerate(rows) if r.kind == "event")
    del rows[i]
    return i


FORGERIES = {
    "a die": change("roll", faces=[11]),
    "a target": change("roll", target=9),
    "an order": change_order,
    "a dropped event": drop,
    "an event": change("event", event={"type": "Added", "side": "left", "count": 9}),
    "a start": change("step", name="9 turn"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_is_found_and_its_row_named(name: str) -> None:
    rows = game()
    at = FORGERIES[name](rows)
    unsealed = check(rows)
    assert unsealed is not None and unsealed.row <= at
    found = check(sealed(rows))
    assert found is not None and abs(found.row - at) <= 1 and f"row {found.row}" in found.why


def test_another_seed_is_found() -> None:
    found = audit(game(), Tiny(), {}, {}, bytes(32))  # type: ignore[arg-type]
    assert found is not None and found.row == 0


def test_a_journal_cut_short_within_a_step_is_found() -> None:
    rows = game()
    last_answer = max(i for i, r in enumerate(rows) if r.kind == "answer")
    found = check(rows[: last_answer])
    assert found is not None and "ends before" in found.why


def test_changed_rules_are_found() -> None:
    class Changed(Tiny):
        def next_step(self, state: Any, done: str) -> str | None:
            return super().next_step(state, done) or "99 turn"

    found = audit(game(), Changed(), {}, {}, SEED)  # type: ignore[arg-type]
    assert found is not None and found.row > 0 and "version" not in found.why

    class Later(Changed):
        version = Changed.version + 1

    rows = game()
    rows[0] = replace(rows[0], payload={**rows[0].payload, "version": Changed.version})
    found = audit(sealed(rows), Later(), {}, {}, SEED)  # type: ignore[arg-type]
    assert found is not None and f"begun under version {Changed.version} of the rules" in found.why
    assert audit(sealed(rows), type("Same", (Tiny,), {"version": 7})(), {}, {}, SEED) is None, "what does the same is as good"


def test_older_event_rows_do_not_say_what_the_public_may_not_know() -> None:
    class Telling(Tiny):
        def visibility(self, state: Any, event: Any) -> dict[str, Any]:
            return {**super().visibility(state, event), "public": False}

    assert audit(game(), Telling(), {}, {}, SEED) is None  # type: ignore[arg-type]
    rows = game()
    change("event", public=True)(rows)
    found = audit(sealed(rows), Telling(), {}, {}, SEED)  # type: ignore[arg-type]
    assert found is not None and found.row > 0


def test_a_refusal_in_other_words_is_no_difference_but_another_order_refused_is() -> None:
    dice = SeededDice(SEED)
    session = Session.start("g", Tiny(), {}, {}, dice, "2026-01-01T00:00:00Z", {"commitment": dice.commitment})  # type: ignore[arg-type]
    session.run()
    wrong = Directive("", "left", "add", ONCE, ("add 7",), "add 7").as_dict()
    session.submit("orders", {"side": "left", "directives": [wrong]}, "")
    chooser = Chooser("a")
    play_out(session, dict.fromkeys(("left", "right"), lambda state, ask: chooser.pick(ask.options)))
    rows = session.new_rows
    assert check(rows) is None
    change("skip", reason="in other words", rule="9.9")(rows)
    assert check(sealed(rows)) is None
    change("skip", text="add 8")(rows)
    assert check(sealed(rows)) is not None
