"""Members, their addresses and all that is about them rather than a game, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec
from sqlite_utils import Database

from pbem.core.journal import canonical
from pbem.store.api import Absence, Member, Observer, Press, Word
from pbem.store.statements import columns, insert, rows, update

COUNTS = ("in_time", "late", "missed")


class SqlitePeople:
    """See :class:`pbem.store.api.People`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    # -- members --------------------------------------------------------------------------------

    def add(self, member: Member) -> Member:
        """A new member with one address."""
        row = _member_row(member)
        del row["id"]
        made = replace(member, id=insert(self._db, "people", row), addresses=(member.address,))
        self.add_address(made.id, made.address, made.joined)
        return made

    def at(self, address: str) -> Member | None:
        """The member who has this address."""
        return self._one("p.id = (select member from addresses where address = ?)", address)

    def get(self, id: int) -> Member | None:
        """The member of that number."""
        return self._one("p.id = ?", id)

    def named(self, name: str) -> Member | None:
        """The member of that name."""
        return self._one("p.name = ? collate nocase", name)

    def _one(self, where: str, value: Any) -> Member | None:
        sql = f"select p.*, a.address held from people p left join addresses a on a.member = p.id where {where}"
        found = rows(self._db, f"{sql} order by p.id, a.since, a.rowid", [value])
        held = tuple(r.pop("held") for r in found if r["id"] == found[0]["id"])
        return _member(found[0], tuple(a for a in held if a)) if found else None

    def save(self, member: Member) -> None:
        """Keep a member's row."""
        update(self._db, "people", _member_row(member), ("id",))

    def page(self, after: int = 0, limit: int = 1000) -> list[Member]:
        """Members by number."""
        found = rows(self._db, "select * from people where id > ? order by id limit ?", [after, limit])
        return [_member(r, (r["address"],)) for r in found]

    def available(self, limit: int = 50) -> list[Member]:
        """Who stands on the list of substitutes."""
        found = rows(self._db, "select * from people where available > '' order by available, id limit ?", [limit])
        return [_member(r, (r["address"],)) for r in found]

    def add_address(self, member: int, address: str, since: str) -> None:
        """One more address of a member."""
        insert(self._db, "addresses", {"address": address, "member": member, "since": since})

    def drop_address(self, address: str) -> None:
        """An address is nobody's any more."""
        self._db.execute("delete from addresses where address = ?", [address])

    def count(self, member: int, what: str) -> None:
        """One more deadline."""
        if what not in COUNTS:
            raise ValueError(f"{what!r} is not counted; {', '.join(COUNTS)} are")
        self._db.execute(f"update people set {what} = {what} + 1 where id = ?", [member])

    # -- words ----------------------------------------------------------------------------------

    def issue(self, word: Word) -> None:
        """Keep a word."""
        data = canonical(word.data)
        void = "update words set expires = '' where kind = ? and address = ? and data = ?"
        self._db.execute(void, [word.kind, word.address, data])
        insert(self._db, "words", {**columns(word), "data": data})

    def word(self, word: str, address: str) -> Word | None:
        """The word, if it was mailed to that address."""
        for found in rows(self._db, "select * from words where word = ? and address = ? and expires > ''", [word, address]):
            return Word(**{**found, "data": msgspec.json.decode(found["data"])})
        return None

    def spend(self, word: str) -> None:
        """It counts no more."""
        self._db.execute("update words set expires = '' where word = ?", [word])

    def issued(self, since: str, kind: str, address: str = "", member: int = 0) -> int:
        """How many words of a kind were issued since a time."""
        sql = "select count(*) n from words where kind = ? and issued >= ? and ? in ('', address) and ? in (0, member)"
        [found] = rows(self._db, sql, [kind, since, address, member])
        return int(found["n"])

    def forget_words(self, before: str) -> None:
        """Drop the words that were issued, and expired, before a time."""
        self._db.execute("delete from words where issued < ? and expires < ?", [before, before])

    # -- absences -------------------------------------------------------------------------------

    def absences(self, member: int, now: str = "") -> list[Absence]:
        """A member's absences that are not over."""
        found = rows(self._db, "select * from absences where member = ? and last > ? order by first, id", [member, now])
        return [Absence(**r) for r in found]

    def add_absence(self, member: int, first: str, last: str) -> None:
        """One more."""
        insert(self._db, "absences", {"member": member, "first": first, "last": last})

    def drop_absences(self, member: int, now: str) -> int:
        """Forget those that are not over."""
        return self._db.execute("delete from absences where member = ? and last > ?", [member, now]).rowcount

    def moved(self, game: str, member: int) -> float:
        """Hours by which a member's absences have moved deadlines of a game."""
        found = rows(self._db, "select hours from moved where game = ? and member = ?", [game, member])
        return float(found[0]["hours"]) if found else 0.0

    def add_moved(self, game: str, member: int, hours: float) -> None:
        """So many hours more."""
        total = self.moved(game, member) + hours
        insert(self._db, "moved", {"game": game, "member": member, "hours": total}, replace=True)

    # -- observers and press --------------------------------------------------------------------

    def observers(self, game: str) -> list[Observer]:
        """Who watches a game."""
        return [Observer(**r) for r in rows(self._db, "select * from observers where game = ? order by since, member", [game])]

    def observed(self, member: int) -> list[Observer]:
        """What a member watches."""
        return [Observer(**r) for r in rows(self._db, "select * from observers where member = ? order by game", [member])]

    def save_observer(self, observer: Observer) -> None:
        """Add an observer, or keep how far he has been told."""
        insert(self._db, "observers", columns(observer), replace=True)

    def drop_observer(self, game: str, member: int) -> None:
        """He watches no more."""
        self._db.execute("delete from observers where game = ? and member = ?", [game, member])

    def add_press(self, press: Press) -> None:
        """Keep a message."""
        row = columns(press)
        del row["id"]
        insert(self._db, "press", row)

    def press(self, game: str, after: int = 0) -> list[Press]:
        """The messages of a game."""
        found = rows(self._db, "select * from press where game = ? and id > ? order by id", [game, after])
        return [Press(**{**r, "anonymous": bool(r["anonymous"])}) for r in found]

    def press_since(self, game: str, side: str, since: str) -> int:
        """How many messages a side has written since a time."""
        sql = "select count(*) n from press where game = ? and side = ? and at >= ?"
        [found] = rows(self._db, sql, [game, side, since])
        return int(found["n"])


def _member_row(member: Member) -> dict[str, Any]:
    row = {**columns(member), "wishes": canonical(dict(member.wishes)), "shown": int(member.shown)}
    del row["addresses"]
    return row


def _member(found: Mapping[str, Any], addresses: tuple[str, ...]) -> Member:
    wishes, shown = msgspec.json.decode(found["wishes"]), bool(found["shown"])
    return Member(**{**found, "wishes": wishes, "shown": shown, "addresses": addresses})
