"""Mail in, mail out and the host's notes in SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlite_utils import Database

from pbem.store.api import DROPPED, FAILED, HELD, NEW, QUEUED, SENDING, SENT, SHELVED, Block, Letter, Mail, Note
from pbem.store.statements import columns, insert, rows, update

LETTER = "id, message_id, recipient, subject, kind, game, side, once, status, attempts, next_try, created, sent, error"

BLOCK = "game, side, digest, words, thread, mail"

WAITING = "outbox indexed by idx_outbox_status_next_try"
"""Where the few letters are looked for that are not sent; named, as SQLite may think that most letters are among them."""


class SqliteInbox:
    """See :class:`pbem.store.api.Inbox`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def file(self, key: str, raw: bytes, received: str, origin: str) -> tuple[Mail, bool]:
        """Keep a mail, once."""
        blank = dict.fromkeys(("message_id", "body", "disposition", "reason", "game", "side", "sender", "dated"), "")
        row = {"key": key, "raw": raw, "received": received, "origin": origin, "status": NEW, "tries": 0, **blank}
        before = self.filed(key)
        if before is not None:
            return before, False
        id = insert(self._db, "inbox", row)
        return Mail(id, key, raw, received, origin, NEW, 0, sender=""), True

    def known_as(self, id: int, message_id: str, body: str, dated: str = "") -> list[Mail]:
        """Remember what was read of a mail."""
        update(self._db, "inbox", {"id": id, "message_id": message_id, "body": body, "dated": dated}, ("id",))
        sql = "select * from inbox where message_id = ? and id < ? order by id"
        return [Mail(**r) for r in rows(self._db, sql, [message_id, id])] if message_id else []

    def believed(self, id: int, sender: str) -> None:
        """Remember whom it is from."""
        update(self._db, "inbox", {"id": id, "sender": sender}, ("id",))

    def twins(self, sender: str, body: str, dated: str, before: int = 0) -> list[Mail]:
        """Mails of a sender that say the same and bear the same date."""
        sql = "select * from inbox where body = ? and sender = ? and dated = ? and (id < ? or ? = 0) order by id"
        return [Mail(**r) for r in rows(self._db, sql, [body, sender, dated, before, before])]

    def filed(self, key: str) -> Mail | None:
        """The mail of these bytes."""
        return next((Mail(**r) for r in rows(self._db, "select * from inbox where key = ?", [key])), None)

    def under(self, message_id: str) -> list[Mail]:
        """All mails under a Message-ID."""
        if not message_id:
            return []
        return [Mail(**r) for r in rows(self._db, "select * from inbox where message_id = ? order by id", [message_id])]

    def get(self, id: int) -> Mail:
        """One mail."""
        for found in rows(self._db, "select * from inbox where id = ?", [id]):
            return Mail(**found)
        raise KeyError(f"there is no mail {id}")

    def waiting(self, limit: int = 100) -> list[int]:
        """Ids of mails not handled yet."""
        return self._ids(NEW, limit)

    def held(self, limit: int = 100) -> list[int]:
        """Ids of mails to be judged once more."""
        return self._ids(HELD, limit)

    def _ids(self, status: str, limit: int) -> list[int]:
        return [r["id"] for r in rows(self._db, "select id from inbox where status = ? order by id limit ?", [status, limit])]

    def claim(self, id: int) -> Mail | None:
        """Count one more try."""
        self._db.execute("update inbox set tries = tries + 1 where id = ? and status in (?, ?)", [id, NEW, HELD])
        mail = self.get(id)
        return mail if mail.status in (NEW, HELD) else None

    def release(self, id: int) -> None:
        """Take the try back."""
        self._db.execute("update inbox set tries = tries - 1 where id = ? and tries > 0", [id])

    def hold(self, id: int, disposition: str, reason: str) -> None:
        """Keep it to be judged once more."""
        self._db.table("inbox").update(id, {"status": HELD, "tries": 0, "disposition": disposition, "reason": reason})

    def finish(self, id: int, status: str, disposition: str, reason: str, game: str = "", side: str = "") -> None:
        """What became of it."""
        became = {"status": status, "disposition": disposition, "reason": reason, "game": game, "side": side}
        update(self._db, "inbox", {"id": id, **became}, ("id",))

    def reopen(self, id: int) -> None:
        """Have a shelved mail handled once more."""
        self._db.table("inbox").update(id, {"status": NEW, "tries": 0})

    def shelved(self, limit: int = 50) -> list[Mail]:
        """The mails shelved last."""
        return [Mail(**r) for r in self._db.table("inbox").rows_where("status = ?", [SHELVED], order_by="id desc", limit=limit)]

    def handled(self, limit: int = 50, game: str = "") -> list[Mail]:
        """The mails handled last."""
        where, values = ("game = ?", [game]) if game else ("status != ?", [NEW])
        return [Mail(**r) for r in self._db.table("inbox").rows_where(where, values, order_by="id desc", limit=limit)]

    def keep_block(self, block: Block) -> None:
        """Remember a block of orders."""
        insert(self._db, "blocks", columns(block))

    def blocks(self, game: str, side: str, digest: str, before: int) -> list[Block]:
        """Equal blocks, the newest first."""
        sql = f"select {BLOCK} from blocks where game = ? and side = ? and digest = ? and mail < ? order by id desc limit 20"
        return [Block(**r) for r in rows(self._db, sql, [game, side, digest, before])]

    def last_block(self, game: str, side: str, before: int) -> Block | None:
        """The block that a side sent last."""
        sql = f"select {BLOCK} from blocks where game = ? and side = ? and mail < ? order by id desc limit 1"
        return next((Block(**r) for r in rows(self._db, sql, [game, side, before])), None)

    def last(self) -> int:
        """The id of the newest mail."""
        [found] = rows(self._db, "select max(id) id from inbox")
        return int(found["id"] or 0)

    def heard(self, since: str, dispositions: Sequence[str], limit: int = 100, after: int = 0) -> int:
        """How many mails of these dispositions were received since a time."""
        marks = ", ".join("?" * len(dispositions))
        where = f"received >= ? and disposition in ({marks}) and id > ?"
        return len(rows(self._db, f"select 1 from inbox where {where} limit ?", [since, *dispositions, after, limit]))

    def counts(self) -> Mapping[str, int]:
        """How many of each status that is not done."""
        found = rows(self._db, "select status, count(*) n from inbox where status in ('new', 'held', 'shelved') group by status")
        return {r["status"]: r["n"] for r in found}

    def cursor(self, folder: str) -> str:
        """How far a folder has been read."""
        for found in self._db.table("cursors").rows_where("folder = ?", [folder]):
            return str(found["key"])
        return ""

    def set_cursor(self, folder: str, key: str) -> None:
        """Remember it."""
        self._db.table("cursors").insert({"folder": folder, "key": key}, replace=True)


class SqliteOutbox:
    """See :class:`pbem.store.api.Outbox`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def queue(self, letter: Letter, now: str) -> int:
        """Put a letter in line."""
        row = {**columns(letter), "status": QUEUED, "next_try": letter.next_try or now, "created": now}
        row["once"] = letter.once or None
        del row["id"]
        if letter.once and list(rows(self._db, "select id from outbox where once = ?", [letter.once])):
            return 0
        return insert(self._db, "outbox", row)

    def get(self, id: int) -> Letter:
        """One letter."""
        return _letter(self._db.table("outbox").get(id))

    def thread(self, message_ids: Sequence[str]) -> Letter | None:
        """The newest of our letters among these."""
        asked = list(message_ids)[:100]
        marks = ", ".join("?" * len(asked))
        for found in rows(self._db, f"select {LETTER} from outbox where message_id in ({marks}) order by id desc limit 1", asked):
            return _letter({**found, "raw": b""})
        return None

    def mailed(self, recipient: str, part: str) -> bool:
        """Whether a Message-ID of a letter to an address holds a text."""
        sql = "select 1 from outbox where recipient = ? and instr(message_id, ?) limit 1"
        return bool(list(rows(self._db, sql, [recipient, part])))

    def named(self, message_id: str) -> Letter | None:
        """The letter of that Message-ID."""
        for found in self._db.table("outbox").rows_where("message_id = ?", [message_id]):
            return _letter(found)
        return None

    def drawn(self, id: int, raw: bytes) -> None:
        """Its pictures are in it now."""
        self._db.table("outbox").update(id, {"raw": raw, "drawing": ""})

    def ready(self, now: str, limit: int = 100) -> list[int]:
        """Ids of queued letters whose time has come."""
        waiting = f"select id from {WAITING} where status = ? and next_try <= ? order by next_try, id limit ?"
        return [r["id"] for r in rows(self._db, waiting, [QUEUED, now, limit])]

    def claim(self, id: int, now: str) -> Letter | None:
        """Mark a queued letter 'sending'."""
        cursor = self._db.execute(
            "update outbox set status = ?, attempts = attempts + 1, next_try = ? where id = ? and status = ?",
            [SENDING, now, id, QUEUED],
        )
        return self.get(id) if cursor.rowcount == 1 else None

    def sent(self, id: int, now: str) -> None:
        """It has been taken."""
        update(self._db, "outbox", {"id": id, "status": SENT, "sent": now, "error": ""}, ("id",))

    def retry(self, id: int, at: str, error: str) -> None:
        """Try the same letter again."""
        self._db.table("outbox").update(id, {"status": QUEUED, "next_try": at, "error": error})

    def hasten(self, now: str) -> None:
        """Every queued letter's time has come."""
        self._db.execute("update outbox set next_try = ? where status = ? and next_try > ?", [now, QUEUED, now])

    def last_sent(self) -> str:
        """When a letter was taken last."""
        kept = "outbox indexed by outbox_kept where status = 'sent' and length(raw) > 0"
        [found] = rows(self._db, f"select max(sent) at from {kept}")
        return found["at"] or ""

    def failures(self) -> Iterator[Letter]:
        """All letters that were given up."""
        for found in self._db.table("outbox").rows_where("status = ?", [FAILED], order_by="id"):
            yield _letter(found)

    def failed(self, id: int, error: str) -> None:
        """Given up."""
        self._db.table("outbox").update(id, {"status": FAILED, "error": error})

    def again(self, id: int, now: str) -> None:
        """Send a letter that was given up."""
        fresh = {"status": QUEUED, "attempts": 0, "next_try": now, "created": now, "error": ""}
        self._db.table("outbox").update(id, fresh)

    def interrupted(self) -> list[int]:
        """Ids of letters marked 'sending'."""
        return [r["id"] for r in rows(self._db, f"select id from {WAITING} where status = ? order by id", [SENDING])]

    def unsent(self) -> Iterator[Letter]:
        """All letters neither sent nor failed."""
        for found in self._db.table("outbox").rows_where("status in (?, ?)", [QUEUED, SENDING], order_by="id"):
            yield _letter(found)

    def recent(self, recipient: str, since: str, kinds: Sequence[str] = ()) -> int:
        """How many letters were queued for an address since a time."""
        where, values = "recipient = ? and created >= ?", [recipient, since]
        if kinds:
            where, values = f"{where} and kind in ({', '.join('?' * len(kinds))})", [*values, *kinds]
        [found] = rows(self._db, f"select count(*) n from outbox where {where}", values)
        return int(found["n"])

    def sent_to(self, game: str, side: str = "") -> Iterator[Letter]:
        """All letters of a game."""
        where, values = ("game = ? and side = ?", [game, side]) if side else ("game = ?", [game])
        for found in self._db.table("outbox").rows_where(where, values, order_by="id"):
            yield _letter(found)

    def stuck(self, game: str, side: str) -> str:
        """When the oldest letter to a side was queued that was not taken so far."""
        waiting = "game = ? and side = ? and status in ('queued', 'sending') and attempts > 0"
        for found in rows(self._db, f"select min(created) at from outbox where {waiting}", [game, side]):
            return found["at"] or ""
        return ""

    def drop(self, game: str, side: str, kind: str, why: str) -> int:
        """Letters that wait in line are not sent any more."""
        which = "game = ? and side = ? and kind = ? and status = ?"
        found = self._db.execute(
            f"update outbox set status = ?, error = ? where {which}", [DROPPED, why, game, side, kind, QUEUED]
        )
        return found.rowcount

    def forget(self, before: str, limit: int = 500) -> int:
        """Drop the bytes of letters sent before a time."""
        kept = "outbox indexed by outbox_kept where status = 'sent' and length(raw) > 0"
        old = f"select id from {kept} and sent < ? limit ?"
        return self._db.execute(f"update outbox set raw = x'' where id in ({old})", [before, limit]).rowcount

    def counts(self) -> Mapping[str, int]:
        """How many of each status that is not sent."""
        where = "status in ('queued', 'sending', 'failed') group by status"
        found = self._db.table("outbox").rows_where(where, select="status, count(*) n")
        return {r["status"]: r["n"] for r in found}

    def oldest(self) -> str:
        """When the oldest unsent letter was queued."""
        for found in rows(self._db, f"select min(created) at from {WAITING} where status in ('queued', 'sending')"):
            return found["at"] or ""
        return ""


class SqliteNotes:
    """See :class:`pbem.store.api.Notes`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, note: Note) -> None:
        """Write a note."""
        self._db.table("notes").insert(columns(note))

    def last(self, limit: int = 50, game: str | None = None) -> list[Note]:
        """The newest notes."""
        where, values = ("1", []) if game is None else ("game = ?", [game])
        found = self._db.table("notes").rows_where(where, values, select="at, game, kind, text", order_by="id desc", limit=limit)
        return [Note(**r) for r in found]

    def count(self, kind: str, since: str) -> int:
        """How many notes of a kind were written since a time."""
        [found] = rows(self._db, "select count(*) n from notes where kind = ? and at >= ?", [kind, since])
        return int(found["n"])

    def value(self, name: str) -> str:
        """A stored setting."""
        for found in rows(self._db, "select value from settings where name = ?", [name]):
            return str(found["value"])
        return ""

    def set_value(self, name: str, value: str) -> None:
        """Keep a setting."""
        self._db.table("settings").insert({"name": name, "value": value}, replace=True)


def _letter(found: Mapping[str, Any]) -> Letter:
    return Letter(**{**found, "once": found["once"] or ""})
