"""What comes from outside a game: corrections, a game taken back after its end, salts and bindings."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pbem.audit.verify import audit
from pbem.core import fold
from pbem.core.dice import FIRST_BINDING, SeededDice, bind, seeds_of
from pbem.core.engine import Session
from pbem.core.journal import Row, check_chain, private
from tests.core.test_engine import AT, give, order
from tests.core.tiny import Added, Tiny

ONE, TWO = bytes(range(32)), bytes(range(32, 64))


def start(seed: bytes = ONE) -> Session:
    dice = SeededDice(seed)
    session = Session.start("g", Tiny(), {}, {}, dice, AT, {"commitment": dice.commitment})  # type: ignore[arg-type]
    session.run()
    return session


def whole(rows: list[Row], seed: bytes = ONE) -> None:
    check_chain(rows)
    found = audit(rows, Tiny(), {}, {}, seed)  # type: ignore[arg-type]
    assert found is None, found


def again(session: Session, rows: list[Row], seed: bytes = ONE) -> Session:
    """The same game taken up by another process."""
    assert session.snapshot is not None
    later = [r for r in rows if r.seq >= session.snapshot.seq]
    return Session.resume("g", Tiny(), {}, {}, SeededDice(seed), AT, session.snapshot, later)  # type: ignore[arg-type]


# -- corrections -------------------------------------------------------------------------------------


def test_a_correction_is_a_control_row_and_its_events() -> None:
    session = start()
    session.adjust([Added("left", 2), Added("right", 1)], {"reason": "a slip"}, "referee")
    assert [r.kind for r in session.new_rows[-3:]] == ["control", "event", "event"]
    assert session.new_rows[-3].payload == {"act": "adjust", "events": 2, "reason": "a slip"}
    assert session.state.total == 3
    whole(session.new_rows)


def test_the_open_question_is_put_again_as_it_is_after_the_correction() -> None:
    """In the midst of a step, too: what was decided before it stands."""
    session = start()
    give(session, "left", order("add", "1"))
    give(session, "right", order("add", "2"))
    assert session.open[0].kind == "roll" and session.state.total == 3
    session.adjust([Added("left", 4)], {"reason": "a slip"}, "referee")
    assert session.open[0].kind == "roll" and session.state.total == 7
    give(session, "left", order("roll", "stop"))
    session.run()
    assert session.open[0].facts == {"total": 7}
    session.adjust([Added("left", 1)], {"reason": "another"}, "referee")
    assert session.open[0].facts == {"total": 8}
    whole(session.new_rows)
    rows = list(session.new_rows)
    other = again(session, rows)
    assert other.head == session.head and other.state == session.state and other.open[0].facts == {"total": 8}
    assert not other.new_rows


def test_orders_given_before_a_correction_still_count() -> None:
    session = start()
    give(session, "left", order("add", "3"))
    session.adjust([Added("right", 1)], {"reason": "a slip"}, "referee")
    give(session, "right", order("add", "3"))
    assert session.state.total == 7
    whole(session.new_rows)


def test_a_correction_stays_when_the_game_goes_back_behind_it_or_not() -> None:
    session = start()
    give(session, "left", order("add", "1"), order("roll", "stop"))
    give(session, "right", order("add", "1"))
    assert session.step == 2
    session.adjust([Added("left", 3)], {"reason": "a slip"}, "referee")
    give(session, "left", order("add", "1"), order("roll", "stop"))
    give(session, "right", order("add", "1"))
    assert session.step == 3 and session.state.total == 7
    for step, total in ((3, 7), (2, 2)):
        then = fold.snapshot(Tiny(), {}, {}, session.new_rows, step)  # type: ignore[arg-type]
        session.rewind(then, "to see", "referee")
        session.run()
        assert session.state.total == total
    whole(session.new_rows)


def test_a_correction_whose_events_are_gone_is_found() -> None:
    session = start()
    session.adjust([Added("left", 2)], {"reason": "a slip"}, "referee")
    from tests.audit.test_verify import sealed

    found = audit(sealed(session.new_rows[:-1]), Tiny(), {}, {}, ONE)  # type: ignore[arg-type]
    assert found is not None and "announces 1 corrections" in found.why


def test_nothing_a_referee_does_touches_the_dice_but_a_rewind() -> None:
    plain, acted = start(), start()
    acted.adjust([Added("left", 0)], {"reason": "nothing"}, "referee")
    for act in ("pause", "resume", "rule", "extend"):
        acted.submit("control", {"act": act, "reason": "let us see other dice"}, "referee")
    faces = []
    for session in (plain, acted):
        give(session, "left", order("add", "1"), order("roll", "roll"), order("roll", "stop"))
        give(session, "right", order("add", "1"))
        faces.append([list(r.payload["faces"]) for r in session.new_rows if r.kind == "roll"])
    assert faces[0] == faces[1] != [] and plain.binding == acted.binding


# -- after the end -----------------------------------------------------------------------------------


def to_the_end(session: Session) -> None:
    while not session.over:
        give(session, "left", order("add", "3"), order("roll", "roll"), order("roll", "stop"))
        give(session, "right", order("add", "3"))


def test_a_game_that_is_over_goes_back_with_another_seed() -> None:
    session = start()
    to_the_end(session)
    first = [list(r.payload["faces"]) for r in session.new_rows if r.kind == "roll"]
    back = len(session.new_rows)
    session.dice = SeededDice(ONE + TWO, session.epoch)
    commitment = SeededDice(TWO).commitment
    then = fold.snapshot(Tiny(), {}, {}, session.new_rows, 1)  # type: ignore[arg-type]
    session.rewind(then, "the last mail was a slip", "referee", commitment)
    session.run()
    assert not session.over and session.epoch == 1 and session.snapshot is not None and session.snapshot.epoch == 1
    assert again(session, session.new_rows, ONE + TWO).dice == SeededDice(ONE + TWO, 1)
    to_the_end(session)
    assert first and session.new_rows[back].payload["commitment"] == commitment
    whole(session.new_rows, ONE + TWO)
    assert seeds_of(ONE + TWO) == [ONE, TWO]
    assert audit(session.new_rows, Tiny(), {}, {}, ONE + ONE) is not None  # type: ignore[arg-type]
    later = fold.snapshot(Tiny(), {}, {}, session.new_rows, session.step)  # type: ignore[arg-type]
    assert asdict(later)["epoch"] == 1


# -- salts and bindings ------------------------------------------------------------------------------


def test_private_rows_carry_a_salt_that_only_the_seed_gives() -> None:
    session = start()
    to_the_end(session)
    kinds: dict[str, set[bool]] = {}
    for row in session.new_rows:
        kinds.setdefault(row.kind, set()).add("salt" in row.payload)
        assert ("salt" in row.payload) == private(row.kind, row.payload)
    assert kinds["orders"] == kinds["answer"] == {True} and kinds["roll"] == kinds["step"] == {False}
    salts = [r.payload["salt"] for r in session.new_rows if "salt" in r.payload]
    assert len(set(salts)) == len(salts)


def test_where_an_order_stood_has_no_part_in_the_dice() -> None:
    """Who runs the server numbers the mails: he could turn the dice by sending some to himself."""
    payload: dict[str, Any] = {"side": "left", "directives": [order("add", "1")]}
    elsewhere = {"side": "left", "directives": [{**order("add", "1"), "source": "mail 99 line 7"}]}
    other = {"side": "left", "directives": [order("add", "2")]}
    assert bind(FIRST_BINDING, "orders", payload) == bind(FIRST_BINDING, "orders", elsewhere)
    assert bind(FIRST_BINDING, "orders", payload) != bind(FIRST_BINDING, "orders", other)
    for act in ("pause", "resume", "extend", "rule", "substitute", "as", "concede", "rewind"):
        assert bind(FIRST_BINDING, "control", {"act": act, "reason": "x"}) == FIRST_BINDING
    assert bind(FIRST_BINDING, "control", {"act": "deadline", "side": "left"}) != FIRST_BINDING
