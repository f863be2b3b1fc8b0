"""What the store keeps of clocks, and finds of silence, stuck and old mail."""

from pbem.store.api import DROPPED, QUEUED, SENT, Due, Letter, Note
from tests.store.test_games import NOW, make

LATER, EVEN_LATER = "2026-03-15T09:15:00Z", "2026-03-16T09:15:00Z"


def letter(n, **more):
    return Letter(**{
        "message_id": f"<{n}@example.org>", "recipient": "ann@example.org", "subject": "s", "raw": b"raw", "kind": "report",
        "game": "g1", "side": "red", **more,
    })


def queue(store, *letters):
    with store.transaction():
        return [store.outbox.queue(x, NOW) for x in letters]


def test_a_clock_is_kept_and_replaced(store, open_again):
    make(store)
    assert store.games.clock("g1") == {}
    with store.transaction():
        store.games.set_clock("g1", {"changes": {"zone": "Europe/Rome"}})
        store.games.set_clock("g1", {"changes": {"zone": "UTC"}})
    assert open_again().games.clock("g1") == {"changes": {"zone": "UTC"}}


def test_games_with_something_due_are_paged(store):
    for name in ("g1", "g2", "g3"):
        make(store, name)
    with store.transaction():
        for game, side in (("g1", "red"), ("g1", "blue"), ("g3", "red")):
            store.games.set_due(Due(game, side, "deadline", NOW))
    assert store.games.due_in() == ["g1", "g3"]
    assert store.games.due_in("g1", 1) == ["g3"] and store.games.due_in("g3") == []


def test_mails_heard_are_counted(store):
    with store.transaction():
        for n, (at, disposition) in enumerate([(NOW, "accept"), (LATER, "ignore-auto"), (LATER, "ask-resend")]):
            mail, _ = store.inbox.file(f"k{n}", b"x", at, "test")
            store.inbox.finish(mail.id, "done", disposition, "")
    kinds = ("accept", "ask-resend")
    assert store.inbox.heard(NOW, kinds) == 2 and store.inbox.heard(LATER, kinds) == 1
    assert store.inbox.heard(NOW, kinds, limit=1) == 1 and store.inbox.heard("", kinds, after=3) == 0
    assert store.inbox.last() == 3


def test_notes_of_a_kind_are_counted(store):
    assert store.inbox.last() == 0
    with store.transaction():
        for at in (NOW, LATER, EVEN_LATER):
            store.notes.add(Note(at, "g1", "deadline", "missed"))
        store.notes.add(Note(LATER, "g1", "held", "x"))
    assert store.notes.count("deadline", LATER) == 2 and store.notes.count("deadline", "2027") == 0


def test_a_letter_is_stuck_once_the_server_would_not_take_it(store):
    make(store)
    one, two = queue(store, letter(1), letter(2, side="blue"))
    assert store.outbox.stuck("g1", "red") == ""
    with store.transaction():
        store.outbox.claim(one, LATER)
        store.outbox.retry(one, LATER, "no route")
    assert store.outbox.stuck("g1", "red") == NOW and store.outbox.stuck("g1", "blue") == ""
    with store.transaction():
        store.outbox.claim(one, LATER)
        store.outbox.sent(one, LATER)
    assert store.outbox.stuck("g1", "red") == ""


def test_letters_in_line_are_dropped_and_those_sent_are_not(store):
    make(store)
    ids = queue(store, letter(1, kind="reminder"), letter(2, kind="reminder"), letter(3), letter(4, kind="reminder", side="blue"))
    with store.transaction():
        store.outbox.claim(ids[0], NOW)
        store.outbox.sent(ids[0], NOW)
        assert store.outbox.drop("g1", "red", "reminder", "moved") == 1
    assert [store.outbox.get(i).status for i in ids] == [SENT, DROPPED, QUEUED, QUEUED]
    assert store.outbox.ready(NOW) == [ids[2], ids[3]] and [x.id for x in store.outbox.unsent()] == [ids[2], ids[3]]


def test_bytes_of_letters_sent_before_are_forgotten(store):
    make(store)
    ids = queue(store, letter(1), letter(2), letter(3), letter(4))
    with store.transaction():
        for id, at in zip(ids[:3], (NOW, NOW, EVEN_LATER), strict=True):
            store.outbox.claim(id, NOW)
            store.outbox.sent(id, at)
        assert store.outbox.forget(LATER, 1) == 1
        assert store.outbox.forget(LATER) == 1 and store.outbox.forget(LATER) == 0
    assert [store.outbox.get(i).raw for i in ids] == [b"", b"", b"raw", b"raw"]
