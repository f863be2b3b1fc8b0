"""Games, positions, seats, drafts, reports and deadlines in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlite_utils import Database

from pbem.core.engine import Snapshot
from pbem.core.journal import canonical
from pbem.core.journal import digest as digest_of
from pbem.store.api import Draft, Due, Game, GameExists, NoSuchGame, Position, Report, Seat
from pbem.store.damage import Damaged
from pbem.store.journal import SqliteJournals
from pbem.store.statements import columns, insert, rows, update

GAME = (
    "id, title, scenario, options, dataset, commitment, created, status, note, seq, step, step_name, head, waiting, touched,"
    " maker"
)
SEAT = "game, side, address, token, name, asked, reported, report, thread, lapsed, wishes, draw, leaving"


class SqliteGames:
    """See :class:`pbem.store.api.Games`."""

    def __init__(self, db: Database) -> None:
        self._db = db

    # -- games ----------------------------------------------------------------------------------

    def create(self, game: Game, seed: bytes, dataset: Mapping[str, Any], seats: Sequence[Seat]) -> None:
        """A new game."""
        if digest_of(dataset) != game.dataset:
            raise ValueError(f"game {game.id}: the data set's digest is not {game.dataset}")
        self._db.table("datasets").insert({"digest": game.dataset, "data": canonical(dataset)}, ignore=True)
        try:
            self._db.table("games").insert({**_game_row(game), "seed": seed.hex()})
        except sqlite3.IntegrityError:
            raise GameExists(f"there is already a game {game.id}") from None
        for place, seat in enumerate(seats):
            self._db.table("seats").insert({**_seat_row(seat), "place": place})

    def get(self, game: str) -> Game:
        """The game."""
        for found in rows(self._db, f"select {GAME} from games where id = ?", [game]):
            return _game(found)
        raise NoSuchGame(f"there is no game {game}")

    def titles(self, games: Sequence[str]) -> list[str]:
        """The titles of some games, each once."""
        marks = ", ".join("?" * len(games))
        sql = f"select distinct title from games where id in ({marks}) order by title"
        return [r["title"] for r in rows(self._db, sql, games)]

    def lock(self, game: str) -> Game:
        """The game; the transaction holds the write lock of the whole file."""
        if not self._db.conn.in_transaction:
            raise RuntimeError("a game is locked inside a transaction")
        return self.get(game)

    def page(self, after: str = "", limit: int = 1000) -> list[Game]:
        """Games by id."""
        return [_game(r) for r in rows(self._db, f"select {GAME} from games where id > ? order by id limit ?", [after, limit])]

    def count(self) -> int:
        """How many there are."""
        return self._db.table("games").count

    def seed(self, game: str) -> bytes:
        """The secret of its dice."""
        for found in rows(self._db, "select seed from games where id = ?", [game]):
            return bytes.fromhex(found["seed"])
        raise NoSuchGame(f"there is no game {game}")

    def add_seed(self, game: str, seed: bytes) -> None:
        """A new secret for the dice from now on."""
        self._db.execute("update games set seed = seed || ? where id = ?", [seed.hex(), game])

    def dataset(self, digest: str) -> Mapping[str, Any]:
        """A scenario's data."""
        found = rows(self._db, "select data from datasets where digest = ?", [digest])
        if not found:
            raise Damaged(f"the data of its scenario are missing (digest {digest[:12]})")
        data: Mapping[str, Any] = msgspec.json.decode(found[0]["data"])
        if digest_of(data) != digest:
            raise Damaged(f"the data of its scenario are not what they were (digest {digest[:12]})")
        return data

    def position(self, game: str) -> Position:
        """Where the game stands."""
        try:
            [found] = rows(self._db, "select * from positions where game = ?", [game])
        except ValueError:
            raise NoSuchGame(f"there is no game {game}") from None
        snapshot = Snapshot(**msgspec.json.decode(found["snapshot"]))
        return Position(snapshot, tuple(SqliteJournals(self._db).rows(game, snapshot.seq)))

    def save(self, game: Game, snapshot: Snapshot | None) -> None:
        """Keep the game's row and its snapshot."""
        update(self._db, "games", _game_row(game), ("id",))
        if snapshot is not None:
            text = msgspec.json.encode(columns(snapshot)).decode()
            insert(self._db, "positions", {"game": game.id, "seq": snapshot.seq, "snapshot": text}, replace=True)

    # -- seats ----------------------------------------------------------------------------------

    def seats(self, game: str) -> list[Seat]:
        """All seats."""
        return [_seat(r) for r in rows(self._db, f"select {SEAT} from seats where game = ? order by place", [game])]

    def seat(self, game: str, side: str) -> Seat:
        """One seat."""
        for found in rows(self._db, f"select {SEAT} from seats where game = ? and side = ?", [game, side]):
            return _seat(found)
        raise KeyError(f"game {game} has no seat {side}")

    def seats_of(self, address: str) -> list[Seat]:
        """All seats that an address holds."""
        return [_seat(r) for r in rows(self._db, f"select {SEAT} from seats where address = ? order by game, place", [address])]

    def save_seat(self, seat: Seat) -> None:
        """Keep a seat."""
        update(self._db, "seats", _seat_row(seat), ("game", "side"))

    # -- drafts and reports ---------------------------------------------------------------------

    def draft(self, game: str, side: str) -> Draft | None:
        """The side's draft."""
        for found in rows(self._db, "select * from drafts where game = ? and side = ?", [game, side]):
            payload, lines = msgspec.json.decode(found["payload"]), tuple(msgspec.json.decode(found["lines"]))
            return Draft(**{**found, "payload": payload, "lines": lines, "whole": bool(found["whole"])})
        return None

    def save_draft(self, draft: Draft) -> None:
        """Keep a draft."""
        plain = {**columns(draft), "payload": canonical(draft.payload), "lines": canonical(list(draft.lines))}
        self._db.table("drafts").insert(plain, replace=True)

    def drop_draft(self, game: str, side: str) -> None:
        """Forget the side's draft."""
        self._db.execute("delete from drafts where game = ? and side = ?", [game, side])

    def add_report(self, report: Report) -> None:
        """Keep a report."""
        self._db.table("reports").insert({**columns(report), "doc": canonical(report.doc)})

    def report(self, game: str, side: str, number: int = 0) -> Report | None:
        """The side's report of that number; the last one for 0."""
        where = "game = ? and side = ? and ? in (0, number)"
        for found in self._db.table("reports").rows_where(where, [game, side, number], order_by="number desc", limit=1):
            return Report(**{**found, "doc": msgspec.json.decode(found["doc"])})
        return None

    def reports(self, game: str, side: str) -> list[tuple[int, str]]:
        """All reports of a side."""
        found = rows(self._db, "select number, subject from reports where game = ? and side = ? order by number", [game, side])
        return [(r["number"], r["subject"]) for r in found]

    # -- what is due ----------------------------------------------------------------------------

    def set_due(self, due: Due) -> None:
        """Set or move what is due."""
        insert(self._db, "dues", columns(due), replace=True)

    def drop_due(self, game: str, side: str, kind: str = "") -> None:
        """Forget what is due."""
        self._db.execute("delete from dues where game = ? and side = ? and ? in ('', kind)", [game, side, kind])

    def dues(self, game: str) -> list[Due]:
        """What is due in a game."""
        found = rows(self._db, "select * from dues where game = ? order by at, side, kind", [game])
        return [Due(**r) for r in found]

    def due_by(self, now: str, limit: int = 100) -> list[Due]:
        """What is due by ``now``."""
        found = rows(self._db, "select * from dues where at <= ? order by at, game, side, kind limit ?", [now, limit])
        return [Due(**r) for r in found]

    def due_in(self, after: str = "", limit: int = 100) -> list[str]:
        """Ids of games in which something is due."""
        found = rows(self._db, "select distinct game from dues where game > ? order by game limit ?", [after, limit])
        return [r["game"] for r in found]

    def clock(self, game: str) -> Mapping[str, Any]:
        """What is kept of a game's clock."""
        for found in rows(self._db, "select state from clocks where game = ?", [game]):
            state: Mapping[str, Any] = msgspec.json.decode(found["state"])
            return state
        return {}

    def set_clock(self, game: str, state: Mapping[str, Any]) -> None:
        """Keep it."""
        insert(self._db, "clocks", {"game": game, "state": canonical(state)}, replace=True)

    # -- the lobby ------------------------------------------------------------------------------

    def in_status(self, status: str, limit: int = 50) -> list[Game]:
        """Games of a status."""
        found = rows(self._db, f"select {GAME} from games where status = ? order by created, id limit ?", [status, limit])
        return [_game(r) for r in found]

    def made_by(self, member: int, status: str) -> int:
        """How many games of a status a member has made."""
        [found] = rows(self._db, "select count(*) n from games where maker = ? and status = ?", [member, status])
        return int(found["n"])


def _game_row(game: Game) -> dict[str, Any]:
    return {**columns(game), "options": canonical(game.options), "waiting": canonical(list(game.waiting))}


def _game(found: Mapping[str, Any]) -> Game:
    options, waiting = msgspec.json.decode(found["options"]), tuple(msgspec.json.decode(found["waiting"]))
    return Game(**{**found, "options": options, "waiting": waiting})


def _seat_row(seat: Seat) -> dict[str, Any]:
    return {**columns(seat), "asked": canonical(list(seat.asked)), "wishes": canonical(dict(seat.wishes))}


def _seat(found: Mapping[str, Any]) -> Seat:
    asked, wishes = tuple(msgspec.json.decode(found["asked"])), msgspec.json.decode(found["wishes"])
    return Seat(**{**found, "asked": asked, "wishes": wishes})
