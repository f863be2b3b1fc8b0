"""Games, seats, drafts, reports, deadlines and the journal."""

from dataclasses import replace

import pytest

from pbem.core.engine import Snapshot
from pbem.core.journal import GENESIS, check_chain, digest, seal
from pbem.store.api import DEADLINE, REMINDER, Draft, Due, Game, GameExists, NoSuchGame, Report, Seat

NOW = "2026-03-14T09:15:00Z"
DATA = {"areas": [1, 2]}
SEATS = [
    Seat("g1", "red", "ann@example.org", "t1"), Seat("g1", "blue", "bob@example.org", "t2"),
    Seat("g1", "referee", "ann@example.org", "t3"),
]


def make(store, name="g1"):
    game = Game(name, "toy", "small", {"deadline_hours": 72}, digest(DATA), "c0ffee", NOW, touched=NOW)
    with store.transaction():
        store.games.create(game, b"s" * 32, DATA, [replace(s, game=name) for s in SEATS])
    return game


def chain(game, count):
    rows, prev = [], GENESIS
    for i in range(count):
        rows.append(seal(game, i, i // 3, "event", {"n": i, "text": "Catània"}, "", NOW, prev))
        prev = rows[-1].hash
    return rows


def snapshot(seq, step=1):
    return Snapshot(seq, step, "1 red move", GENESIS, "b", 1, {"turn": 1, "list": [1, "x"]}, [{"id": "3.0"}])


def test_a_game_comes_back_as_it_was_stored(store, open_again):
    made = make(store)
    other = open_again()
    assert other.games.get("g1") == made
    assert other.games.seed("g1") == b"s" * 32
    assert other.games.dataset(made.dataset) == DATA
    assert other.games.count() == 1 and [g.id for g in other.games.page()] == ["g1"]


def test_a_name_is_given_once(store):
    make(store)
    with pytest.raises(GameExists):
        make(store)
    with pytest.raises(NoSuchGame):
        store.games.get("g2")
    with pytest.raises(NoSuchGame):
        store.games.seed("g2")
    with pytest.raises(NoSuchGame):
        store.games.position("g2")


def test_pages_go_on_after_a_name(store):
    for name in ("c", "a", "b"):
        make(store, name)
    assert [g.id for g in store.games.page(limit=2)] == ["a", "b"]
    assert [g.id for g in store.games.page(after="b")] == ["c"]


def test_a_position_is_the_snapshot_and_the_rows_after_it(store):
    game, rows = make(store), chain("g1", 6)
    with store.transaction():
        store.journal.append(rows)
        store.games.save(replace(store.games.lock("g1"), seq=6, waiting=("red",)), snapshot(4))
    position = store.games.position("g1")
    assert position.snapshot == snapshot(4)
    assert position.rows == tuple(rows[4:])
    with store.transaction():
        store.games.save(replace(game, seq=7), None)
    assert store.games.position("g1").snapshot == snapshot(4)
    assert store.games.get("g1").seq == 7


def test_a_lock_needs_a_transaction(store):
    make(store)
    with pytest.raises(RuntimeError):
        store.games.lock("g1")


def test_journal_rows_keep_their_hashes(store):
    make(store)
    rows = chain("g1", 10)
    with store.transaction():
        store.journal.append(rows[:4])
        store.journal.append(rows[4:])
    assert list(store.journal.rows("g1")) == rows
    assert check_chain(store.journal.rows("g1")) == rows[-1].hash
    assert [r.seq for r in store.journal.rows("g1", 3, 5)] == [3, 4, 5]
    assert list(store.journal.rows("g1", kinds=["roll"])) == []


def test_a_row_number_is_taken_once_and_nothing_of_the_rest_is_kept(store):
    make(store)
    rows = chain("g1", 4)
    with store.transaction():
        store.journal.append(rows[:2])
    with pytest.raises(Exception, match=r"(?i)unique|duplicate"), store.transaction():
        store.journal.append([rows[2], rows[1]])
    assert [r.seq for r in store.journal.rows("g1")] == [0, 1]


def test_a_transaction_is_all_or_nothing_also_nested(store):
    make(store)
    with pytest.raises(ValueError), store.transaction():
        store.journal.append(chain("g1", 2))
        with store.transaction():
            store.notes.set_value("x", "1")
        raise ValueError
    assert list(store.journal.rows("g1")) == [] and store.notes.value("x") == ""
    with store.transaction():
        with pytest.raises(ValueError), store.transaction():
            store.notes.set_value("x", "1")
            raise ValueError
        store.notes.set_value("y", "2")
    assert (store.notes.value("x"), store.notes.value("y")) == ("", "2")


def test_seats(store):
    make(store)
    assert store.games.seats("g1") == SEATS
    assert [s.side for s in store.games.seats_of("ann@example.org")] == ["red", "referee"]
    with store.transaction():
        changed = replace(SEATS[1], address="new@example.org", asked=("q1.1",), reported=9, report=2, lapsed="1 blue")
        store.games.save_seat(changed)
    assert store.games.seats_of("bob@example.org") == []
    assert store.games.seat("g1", "blue").address == "new@example.org"
    with pytest.raises(KeyError):
        store.games.seat("g1", "green")
    assert store.games.seats("g1")[1].asked == ("q1.1",)


def test_one_draft_a_side(store):
    make(store)
    draft = Draft("g1", "red", 3, {"directives": [{"kind": "move"}]}, ("move a to b",), "<m1>", NOW)
    with store.transaction():
        store.games.save_draft(replace(draft, step=2))
        store.games.save_draft(draft)
    assert store.games.draft("g1", "red") == draft
    assert store.games.draft("g1", "blue") is None
    with store.transaction():
        store.games.drop_draft("g1", "red")
    assert store.games.draft("g1", "red") is None


def test_reports_by_number_and_the_last(store):
    make(store)
    first = Report("g1", "red", 1, 0, 5, NOW, "[g1] Turn 1", "text", {"k": [1]})
    with store.transaction():
        store.games.add_report(first)
        store.games.add_report(replace(first, number=2, first=6, last=9))
    assert store.games.report("g1", "red", 1) == first
    assert store.games.report("g1", "red").number == 2
    assert store.games.report("g1", "red", 3) is None and store.games.report("g1", "blue") is None


def test_what_is_due_comes_in_order_of_time(store):
    make(store)
    early, late = "2026-03-15T00:00:00Z", "2026-03-16T00:00:00Z"
    with store.transaction():
        store.games.set_due(Due("g1", "red", DEADLINE, early))
        store.games.set_due(Due("g1", "red", DEADLINE, late))
        store.games.set_due(Due("g1", "red", REMINDER, early))
    assert store.games.due_by("2026-03-14T23:59:59Z") == []
    assert [d.kind for d in store.games.due_by(early)] == [REMINDER]
    assert [d.kind for d in store.games.due_by(late)] == [REMINDER, DEADLINE]
    with store.transaction():
        store.games.drop_due("g1", "red", REMINDER)
    assert store.games.dues("g1") == [Due("g1", "red", DEADLINE, late)]
    with store.transaction():
        store.games.drop_due("g1", "red")
    assert store.games.dues("g1") == []
