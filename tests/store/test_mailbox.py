"""Mail in, mail out, notes."""

import sqlite3

import pytest

from pbem.store.api import DONE, FAILED, QUEUED, SENT, SHELVED, Letter, Note, StoreError
from pbem.store.schema import open_store

T1, T2, T3 = "2026-03-14T09:15:00Z", "2026-03-14T10:15:00Z", "2026-03-14T11:15:00Z"


def letter(n, **more):
    plain = {"message_id": f"<{n}@example.org>", "recipient": "ann@example.org", "subject": "s", "kind": "report"}
    return Letter(**{**plain, "raw": b"raw\x00\xff", **more})


def test_the_same_mail_is_kept_once(store):
    with store.transaction():
        first, new = store.inbox.file("k1", b"\xff\x00raw", T1, "maildir:1")
        again, newer = store.inbox.file("k1", b"other", T2, "maildir:2")
        third, _ = store.inbox.file("k2", b"third", T2, "maildir:3")
    assert (new, newer) == (True, False)
    assert again == first and first.raw == b"\xff\x00raw"
    with store.transaction():
        assert store.inbox.known_as(first.id, "<a@example.org>", "b1") == []
        assert [(m.id, m.body) for m in store.inbox.known_as(third.id, "<a@example.org>", "b2")] == [(first.id, "b1")]
        assert store.inbox.known_as(third.id, "", "b2") == []


def test_a_mail_is_claimed_until_it_is_finished(store, open_again):
    with store.transaction():
        mail, _ = store.inbox.file("k1", b"raw", T1, "")
        store.inbox.file("k2", b"raw2", T1, "")
    assert store.inbox.waiting() == [1, 2]
    with store.transaction():
        assert store.inbox.claim(mail.id).tries == 1
    with store.transaction():
        assert store.inbox.claim(mail.id).tries == 2
        store.inbox.finish(mail.id, DONE, "accept", "1 order", "g1", "red")
    other = open_again()
    assert other.inbox.claim(mail.id) is None
    assert other.inbox.waiting() == [2]
    with other.transaction():
        other.inbox.finish(2, SHELVED, "quarantine", "failed three times")
    assert [m.id for m in store.inbox.handled()] == [2, 1]
    assert [m.id for m in store.inbox.handled(game="g1")] == [1]
    assert store.inbox.counts() == {SHELVED: 1}


def test_a_folder_is_read_from_where_it_was_left(store):
    assert store.inbox.cursor("INBOX") == ""
    with store.transaction():
        store.inbox.set_cursor("INBOX", "7:100")
        store.inbox.set_cursor("INBOX", "7:101")
    assert store.inbox.cursor("INBOX") == "7:101"


def test_a_letter_goes_from_queued_to_sent(store, open_again):
    with store.transaction():
        one = store.outbox.queue(letter(1), T1)
        store.outbox.queue(letter(2, next_try=T3), T1)
    assert store.outbox.ready(T1) == [one]
    assert store.outbox.ready(T3) == [one, 2]
    with store.transaction():
        assert store.outbox.claim(one, T2).attempts == 1
    other = open_again()
    with other.transaction():
        assert other.outbox.claim(one, T2) is None
    assert other.outbox.interrupted() == [one]
    assert [x.id for x in other.outbox.unsent()] == [1, 2]
    with store.transaction():
        store.outbox.sent(one, T2)
    got = store.outbox.get(one)
    assert (got.status, got.sent, got.raw, got.created) == (SENT, T2, b"raw\x00\xff", T1)
    assert store.outbox.counts() == {QUEUED: 1}
    assert store.outbox.oldest() == T1


def test_a_letter_is_tried_again_or_given_up(store):
    with store.transaction():
        store.outbox.queue(letter(1), T1)
        store.outbox.claim(1, T1)
        store.outbox.retry(1, T3, "451 later")
    assert store.outbox.ready(T2) == [] and store.outbox.ready(T3) == [1]
    with store.transaction():
        store.outbox.claim(1, T3)
        store.outbox.failed(1, "550 no such user")
    assert store.outbox.counts() == {FAILED: 1} and store.outbox.oldest() == ""
    assert store.outbox.get(1).attempts == 2


def test_a_notice_goes_out_once(store):
    with store.transaction():
        assert store.outbox.queue(letter(1, once="reminder g1 red 5"), T1)
        assert store.outbox.queue(letter(2, once="reminder g1 red 5"), T1) == 0
        assert store.outbox.queue(letter(3), T1) and store.outbox.queue(letter(4), T1)
    assert [x.message_id for x in store.outbox.unsent()] == ["<1@example.org>", "<3@example.org>", "<4@example.org>"]


def test_a_thread_is_found_by_any_of_its_ids(store):
    with store.transaction():
        store.outbox.queue(letter(1, game="g1", side="red"), T1)
        store.outbox.queue(letter(2, game="g1", side="blue"), T1)
    assert store.outbox.thread(["<x>", "<1@example.org>"]).side == "red"
    assert store.outbox.thread(["<x>"]) is None and store.outbox.thread([]) is None
    assert [x.side for x in store.outbox.sent_to("g1")] == ["red", "blue"]
    assert [x.side for x in store.outbox.sent_to("g1", "blue")] == ["blue"]


def test_recent_letters_are_counted_by_address(store):
    with store.transaction():
        store.outbox.queue(letter(1, kind="receipt"), T1)
        store.outbox.queue(letter(2, kind="receipt"), T2)
        store.outbox.queue(letter(3), T3)
        store.outbox.queue(letter(4, recipient="bob@example.org"), T3)
    assert store.outbox.recent("ann@example.org", T2) == 2
    assert store.outbox.recent("ann@example.org", T2, ["receipt"]) == 1


def test_notes_and_values(store):
    with store.transaction():
        store.notes.add(Note(T1, "", "stranger", "eve@example.org"))
        store.notes.add(Note(T2, "g1", "shelved", "mail 4"))
        store.notes.set_value("last_tick", T1)
        store.notes.set_value("last_tick", T2)
    assert [n.kind for n in store.notes.last()] == ["shelved", "stranger"]
    assert [n.kind for n in store.notes.last(game="g1")] == ["shelved"]
    assert store.notes.value("last_tick") == T2 and store.notes.value("none") == ""


def test_opening_says_what_is_wrong(tmp_path):
    with pytest.raises(StoreError, match="pbem init"):
        open_store(tmp_path / "none.db")
    (tmp_path / "no.db").write_bytes(b"this is no database, but long enough to look at" * 40)
    with pytest.raises(StoreError, match=r"no\.db"):
        open_store(tmp_path / "no.db")


def test_two_writers_take_turns(tmp_path):
    one, two = open_store(tmp_path / "a.db", create=True), open_store(tmp_path / "a.db")
    two._db.conn.execute("PRAGMA busy_timeout=50")
    with one.transaction():
        one.notes.set_value("x", "1")
        with pytest.raises(sqlite3.OperationalError, match="locked"), two.transaction():
            pass
        assert two.notes.value("x") == ""
    with two.transaction():
        assert two.notes.value("x") == "1"
