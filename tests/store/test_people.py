"""Members, words, absences, observers, press; and a database of before there were any."""

import sqlite3
from dataclasses import replace

import pytest

from pbem.store import schema
from pbem.store.api import PENDING, Member, Observer, Press, Word
from tests.store.test_games import make

NOW, LATER = "2026-03-14T09:15:00Z", "2026-03-20T09:15:00Z"


def ann(store):
    with store.transaction():
        return store.people.add(Member(0, "Ann", "ann@example.org", joined=NOW))


def test_a_member_is_found_by_each_of_his_addresses(store):
    made = ann(store)
    with store.transaction():
        store.people.add_address(made.id, "ann@example.net", LATER)
    found = store.people.at("ann@example.net")
    assert found == replace(made, addresses=("ann@example.org", "ann@example.net")) == store.people.get(made.id)
    assert store.people.named("ANN") == found and store.people.named("Bob") is None and store.people.at("bob@example.org") is None
    with store.transaction():
        store.people.save(replace(found, zone="Europe/Rome", shown=True, wishes={"width": 60}))
        store.people.count(made.id, "late")
        store.people.drop_address("ann@example.net")
    kept = store.people.get(made.id)
    assert (kept.zone, kept.shown, kept.wishes, kept.late, kept.asked) == ("Europe/Rome", True, {"width": 60}, 1, 1)
    assert kept.addresses == ("ann@example.org",)


def test_only_deadlines_are_counted(store):
    made = ann(store)
    with pytest.raises(ValueError, match="not counted"), store.transaction():
        store.people.count(made.id, "name")


def test_substitutes_stand_in_the_order_of_their_offers(store):
    with store.transaction():
        for name, since in (("a", LATER), ("b", ""), ("c", NOW)):
            store.people.add(Member(0, name, f"{name}@example.org", available=since))
    assert [m.name for m in store.people.available()] == ["c", "a"]
    assert [m.name for m in store.people.page()] == ["a", "b", "c"]


def test_a_word_counts_from_its_address_and_once(store):
    word = Word("bcdf2345", "register", "ann@example.org", 0, {"name": "Ann"}, NOW, LATER)
    with store.transaction():
        store.people.issue(word)
        store.people.issue(replace(word, word="ghjk2345"))
    assert store.people.word("bcdf2345", "ann@example.org") is None
    assert store.people.word("ghjk2345", "bob@example.org") is None
    assert store.people.word("ghjk2345", "ann@example.org") == replace(word, word="ghjk2345")
    assert store.people.issued(NOW, "register") == 2 and store.people.issued(NOW, "register", "bob@example.org") == 0
    with store.transaction():
        store.people.forget_words(NOW)
        assert store.people.word("ghjk2345", "ann@example.org")
        store.people.spend("ghjk2345")
    assert store.people.word("ghjk2345", "ann@example.org") is None


def test_absences_and_what_they_moved(store):
    made, game = ann(store), make(store)
    with store.transaction():
        store.people.add_absence(made.id, "2026-03-12T00:00:00Z", "2026-03-13T00:00:00Z")
        store.people.add_absence(made.id, "2026-03-20T00:00:00Z", "2026-03-25T00:00:00Z")
        store.people.add_moved(game.id, made.id, 24)
        store.people.add_moved(game.id, made.id, 0.5)
    assert [a.first[:10] for a in store.people.absences(made.id, NOW)] == ["2026-03-20"]
    assert store.people.moved(game.id, made.id) == 24.5 and store.people.moved("g2", made.id) == 0
    with store.transaction():
        assert store.people.drop_absences(made.id, NOW) == 1
    assert len(store.people.absences(made.id)) == 1


def test_observers_and_press(store):
    made, game = ann(store), make(store)
    seen = Observer(game.id, made.id, NOW)
    press = Press(0, game.id, NOW, "red", made.id, "all", False, "1 red move", "Buon giorno")
    with store.transaction():
        store.people.save_observer(seen)
        store.people.save_observer(replace(seen, reported=7, number=1))
        store.people.add_press(press)
        store.people.add_press(replace(press, anonymous=True))
    assert store.people.observers(game.id) == store.people.observed(made.id) == [replace(seen, reported=7, number=1)]
    first, second = store.people.press(game.id)
    assert first == replace(press, id=first.id) and second.anonymous and store.people.press(game.id, first.id) == [second]
    assert store.people.press_since(game.id, "red", NOW) == 2 and store.people.press_since(game.id, "red", LATER) == 0
    with store.transaction():
        store.people.drop_observer(game.id, made.id)
    assert not store.people.observers(game.id)


def test_games_of_a_status_and_a_maker(store):
    game = make(store)
    with store.transaction():
        store.games.save(replace(game, status=PENDING, maker=3), None)
    assert [g.id for g in store.games.in_status(PENDING)] == ["g1"] and store.games.in_status("over") == []
    assert store.games.made_by(3, PENDING) == 1 and store.games.made_by(3, "running") == 0


def test_seats_of_an_older_database_become_members(tmp_path, monkeypatch):
    """Each address once, under a name that it has in one of its seats; the games load as they were."""
    old = schema.migrations
    before = type(old)("pbem")
    before._migrations = [m for m in old._migrations if m.name < "m005"]
    monkeypatch.setattr(schema, "migrations", before)
    schema.open_store(tmp_path / "old.db", create=True).close()
    with sqlite3.connect(tmp_path / "old.db") as db:
        db.execute("insert into datasets values ('d', '{}')")
        db.execute(
            "insert into games (id, title, scenario, options, dataset, seed, commitment, created, status, note, seq, step,"
            " step_name, head, waiting, touched) values ('g1', 'toy', 's', '{}', 'd', '00', 'c', ?, 'running', '', 1, 1, 'x',"
            " 'h', '[]', ?)", [NOW, NOW],
        )
        for place, (side, address, name) in enumerate((
            ("red", "ann@example.org", "Ann"), ("blue", "bob@example.org", ""), ("referee", "ann@example.org", ""),
        )):
            db.execute(
                "insert into seats (game, side, place, address, token, name, asked, reported, report, thread, lapsed)"
                " values ('g1', ?, ?, ?, 't', ?, '[]', 0, 0, '', '')", [side, place, address, name],
            )
    monkeypatch.setattr(schema, "migrations", old)
    store = schema.open_store(tmp_path / "old.db")
    try:
        assert [(m.name, m.address) for m in store.people.page()] == [("Ann", "ann@example.org"), ("", "bob@example.org")]
        assert store.people.at("bob@example.org").addresses == ("bob@example.org",)
        assert [s.draw for s in store.games.seats("g1")] == ["", "", ""] and store.games.get("g1").maker == 0
    finally:
        store.close()
