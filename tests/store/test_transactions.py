"""All or nothing, one within another, and with SQLite undoing it by itself."""

import sqlite3

import pytest

from pbem.store.schema import SqliteStore, open_store


@pytest.fixture
def store(tmp_path):
    found = open_store(tmp_path / "t.db", create=True)
    yield found
    found.close()


def value(store: SqliteStore, name: str) -> str:
    return store.notes.value(name)


def test_an_inner_one_fails_alone(store):
    with store.transaction():
        store.notes.set_value("a", "1")
        with pytest.raises(KeyError), store.transaction():
            store.notes.set_value("a", "2")
            with store.transaction():
                store.notes.set_value("b", "2")
            raise KeyError
        with store.transaction():
            store.notes.set_value("c", "3")
    assert [value(store, n) for n in "abc"] == ["1", "", "3"]


def test_an_outer_one_undoes_all(store):
    with pytest.raises(KeyError), store.transaction():
        with store.transaction():
            store.notes.set_value("a", "1")
        raise KeyError
    assert value(store, "a") == ""


def test_what_sqlite_has_undone_is_not_undone_again(store):
    """As it does when the disk is full: the error is the one that is raised, and the next transaction is a new one."""
    with pytest.raises(sqlite3.IntegrityError), store.transaction(), store.transaction():
        store.notes.set_value("a", "1")
        store._db.conn.execute("insert or rollback into settings (name, value) values ('a', '2')")
    assert value(store, "a") == "" and not store._db.conn.in_transaction
    with store.transaction():
        store.notes.set_value("a", "3")
    assert value(store, "a") == "3"


def test_a_commit_that_fails_leaves_nothing_open(store):
    store._db.conn.execute("create table child (game text references games deferrable initially deferred)")
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store._db.conn.execute("insert into child values ('nobody')")
    assert not store._db.conn.in_transaction
