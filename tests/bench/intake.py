"""How many mails a second go in: stored, parsed, identified, checked, put in force, and a receipt in the outbox.

    python -m tests.bench.intake [--games 1 100 10000] [--mails 800]

The yardstick is measured in the same run, in turns with it: the same mails parsed with the standard library and stored
with one commit each, in a database with the same settings; nothing is rendered.  For each number of games in the database
it prints milliseconds a mail (the median of the rounds) for both, their quotient, mails a second, and how many of our
milliseconds were the processor's (the rest is the disk, and other work of the machine).  Each round sends
MAILS mails to each of GAMES games (one after the other if there is but one), of which all are good orders that do not end the
phase; a player turn of the demo takes three.  Games are copies of one, and those used are put back between rounds, so that
the work is the same however many there are.
"""

from __future__ import annotations

import argparse
import email
import email.policy
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import structlog

from pbem.bootstrap import App, bootstrap
from pbem.config import Config
from pbem.service.letters import mailing
from pbem.service.mailroom import intake
from pbem.service.play import game_session
from pbem.service.play.game_session import Player
from pbem.store.schema import open_store

GAMES, MAILS = 4, 4
ROUND = GAMES * MAILS
TABLES = {"games": "id", "positions": "game", "seats": "game", "journal": "game", "dues": "game"}


@dataclass(frozen=True)
class Result:
    """Milliseconds a mail: the floor's and ours, and those of ours in which the processor worked for us."""

    games: int
    floor: float
    ours: float
    cpu: float

    @property
    def times(self) -> float:
        """Ours as a multiple of the floor."""
        return self.ours / self.floor

    @property
    def rate(self) -> float:
        """Mails a second."""
        return 1000 / self.ours


def mail(number: int, game: int) -> bytes:
    """Orders from the Allied player of a game."""
    head = {
        "Received": "from out.example.org by mx.example.org; Sat, 14 Mar 2026 09:15:53 +0000",
        "From": f"Ann <a{game}@example.org>",
        "To": "judge@example.org", "Subject": f"Re: [g{game}] Turn 1", "Date": "Sat, 14 Mar 2026 09:15:00 +0000",
        "Message-ID": f"<{number}.bench@example.org>", "MIME-Version": "1.0", "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "quoted-printable",
    }
    orders = f"game g{game}\r\nmove 50.1 to sortino\r\nmove 5.2 to lentini\r\nhold 51.1\r\nend\r\n"
    quoted = "\r\nOn 14 March 2026, judge@example.org wrote:\r\n" + "> THE SITUATION: nothing new =E2=80=93 see the map\r\n" * 20
    return ("".join(f"{k}: {v}\r\n" for k, v in head.items()) + "\r\n" + orders + quoted).encode()


class Bench:
    """A database with so many games in a folder."""

    def __init__(self, folder: Path, games: int) -> None:
        self.games, self.next, self.number, self.cpu = games, 0, 0, 0.0
        path = folder / f"{games}.db"
        config = Config(db=path, address="judge@example.org", policy="open", pictures=False, replies_per_hour=1_000_000)
        self.store = open_store(path, create=True)
        self.app: App = bootstrap(config, store=self.store)
        with self.store.transaction():
            players = {"allied": Player("a0@example.org", "Ann"), "axis": Player("b0@example.org", "Bob")}
            play = game_session.create(self.app.context, "fab_sicily", "primosole_bridge", "g0", players)
            mailing.send(play, game_session.store_rows(play))
        self.db = self.store._db.conn
        self.columns = {t: [c[1] for c in self.db.execute(f"pragma table_info({t})")] for t in TABLES}
        for table_name in TABLES:
            self.db.execute(f"create temp table was_{table_name} as select * from {table_name}")
        self._copies(range(1, games))
        self.floor_db = sqlite3.connect(folder / f"{games}.floor.db", isolation_level=None)
        self.floor_db.execute("pragma journal_mode=wal")
        self.floor_db.execute("pragma synchronous=full")
        self.floor_db.execute("create table inbox (id integer primary key, raw blob)")

    def _copies(self, numbers: Sequence[int]) -> None:
        """Copies of the first game under other names, with players of their own."""
        self.db.execute("begin immediate")
        self._insert(numbers, TABLES)
        self.db.execute("commit")

    def _insert(self, numbers: Sequence[int], tables: Mapping[str, str]) -> None:
        for n in numbers:
            for play, key in tables.items():
                told = {key: f"'g{n}'", "address": f"replace(address, '0@', '{n}@')"}
                values = ", ".join(told.get(c, f"[{c}]") for c in self.columns[play])
                self.db.execute(f"insert into {play} select {values} from was_{play}")

    def _put_back(self, n: int) -> None:
        """The game is as it was."""
        below = {play: key for play, key in TABLES.items() if play != "games"}
        columns = [c for c in self.columns["games"] if c != "id"]
        self.db.execute("begin immediate")
        for play, key in below.items():
            self.db.execute(f"delete from {play} where {key} = ?", [f"g{n}"])
        self.db.execute("delete from outbox where game = ?", [f"g{n}"])
        was = f"select {', '.join(f'[{c}]' for c in columns)} from was_games"
        self.db.execute(f"update games set ({', '.join(f'[{c}]' for c in columns)}) = ({was}) where id = ?", [f"g{n}"])
        self._insert([n], below)
        self.db.execute("commit")

    def floor(self, raws: Sequence[bytes]) -> float:
        """Seconds to parse and keep some mails, each with a commit."""
        begun = time.perf_counter()
        for raw in raws:
            message = email.message_from_bytes(raw, policy=email.policy.default)
            assert message["From"] and message["Subject"] and message.get_content()
            self.floor_db.execute("begin immediate")
            self.floor_db.execute("insert into inbox (raw) values (?)", [raw])
            self.floor_db.execute("commit")
        return time.perf_counter() - begun

    def ours(self, raws: Sequence[bytes]) -> float:
        """Seconds to take them in, to the receipts in the outbox."""
        context = self.app.context
        begun, cpu = time.perf_counter(), time.process_time()
        with self.store.transaction():
            ids = [intake.file(context, raw, context.now, "bench")[0].id for raw in raws]
        intake.work(context, ids)
        took = time.perf_counter() - begun
        self.cpu += time.process_time() - cpu
        assert {self.store.inbox.get(id).disposition for id in ids} == {"accept"}
        return took

    def round(self) -> tuple[float, float]:
        """Seconds of the floor and ours, for ROUND mails."""
        at_once = min(GAMES, self.games)
        floor = ours = 0.0
        for _ in range(GAMES // at_once):
            raws = [raw for _ in range(at_once) for raw in self._mails()]
            floor += self.floor(raws)
            ours += self.ours(raws)
        return floor, ours

    def _mails(self) -> list[bytes]:
        """The mails of a round to the next game, which is as it was."""
        game = self.next % self.games
        self.next += 7 if self.games > 7 else 1
        self._put_back(game)
        self.number += MAILS
        return [mail(self.number - i, game) for i in range(MAILS)]

    def run(self, mails: int) -> Result:
        """The median of so many rounds; the first one is not counted."""
        self.round()
        self.cpu = 0
        rounds = [self.round() for _ in range(max(3, mails // ROUND))]
        floor, ours = (statistics.median(times) * 1000 / ROUND for times in zip(*rounds, strict=True))
        return Result(self.games, floor, ours, self.cpu * 1000 / ROUND / len(rounds))

    def close(self) -> None:
        """Let go of both databases."""
        self.app.close()
        self.floor_db.close()


def measure(games: int, mails: int) -> Result:
    """Measure with so many games in the database."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), games)
        try:
            return bench.run(mails)
        finally:
            bench.close()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, nargs="+", default=[1, 100, 10_000])
    parser.add_argument("--mails", type=int, default=800)
    asked = parser.parse_args()
    print(f"{'games':>8} {'floor ms':>9} {'ours ms':>9} {'times':>6} {'mails/s':>8} {'cpu ms':>7}")
    for games in asked.games:
        found = measure(games, asked.mails)
        times = f"{found.floor:>9.2f} {found.ours:>9.2f} {found.times:>6.2f}"
        print(f"{games:>8} {times} {found.rate:>8.0f} {found.cpu:>7.2f}", flush=True)


if __name__ == "__main__":
    main()
