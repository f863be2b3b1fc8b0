"""What a big club costs: an idle tick, a mail and the daemon's memory, with ten games in the file and with 10,000.

    python -m tests.bench.scale [--games 10 10000] [--mails 480] [--letters 10]

Every game has two players of its own, who are members with addresses, a journal, deadlines in the days to come, and a past: so
many letters sent to each side, as many mails that came, notes, reports.  It prints for each number of games the milliseconds of a
tick with nothing to do (median and slowest of 50, with all that the daemon does in it: mailbox, stops, deadlines, outbox, health
file), the milliseconds of a mail (median of rounds that go in turns through all the databases, so that they share whatever else
the machine does), and, with the most games, the most memory that a process of its own takes for ticks, mails and reports with
pictures; then the ratios, and whether the limits are kept.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import structlog

from pbem import daemon
from pbem.bootstrap import bootstrap
from pbem.config import Config
from pbem.mail import maildir
from pbem.mail.maildir import Maildir
from pbem.service.times import stamp
from tests.bench.intake import ROUND, Bench, mail

TICK_MS, MAIL_TIMES, MEMORY_MB = 50, 1.3, 200
"""The limits with 10,000 games."""

TICKS = 50
CHILD_MAILS = 20

PAST = (
    "insert or ignore into people (name, address, token, zone, shown, available, wishes, joined, in_time, late, missed)"
    " select name || substr(game, 2), address, '', '', 0, '', '{}', :now, 0, 0, 0 from seats where address not in"
    " (select address from addresses)",
    "insert or ignore into addresses (address, member, since) select address, id, joined from people",
    "insert into outbox (message_id, recipient, subject, raw, kind, game, side, status, attempts, next_try, created, sent, error)"
    " select '<' || s.game || '.' || s.side || '.' || n.value || '@example.org>', s.address, 'Turn 1', zeroblob(300), 'report',"
    " s.game, s.side, 'sent', 1, :past, :past, :past, '' from seats s, json_each(:numbers) n",
    "insert into inbox (key, raw, received, origin, status, tries, message_id, body, disposition, reason, game, side)"
    " select s.game || s.side || n.value, zeroblob(300), :past, 'past', 'done', 1, '<' || s.game || s.side || n.value || '@x>',"
    " '', 'accept', '', s.game, s.side from seats s, json_each(:numbers) n",
    "insert into notes (at, game, kind, text) select :past, g.id, 'moved', 'x' from games g, json_each(:numbers) n",
    "update dues set at = strftime('%Y-%m-%dT%H:%M:%SZ', :now, '+' || (3600 + abs(random()) % 259200) || ' seconds')",
)
"""What makes a database of copied games one with a past, and with deadlines spread over the next three days."""


class Nothing:
    """A mailbox without mail, and a mail server without work."""

    def fetch(self, after: str = "") -> Sequence[object]:
        """No mail."""
        return iter(())  # type: ignore[return-value]

    def done(self, key: str, read: bool = True) -> None:
        """Nothing to move."""

    def send(self, mail_from: str, rcpt: str, raw: bytes) -> None:
        """Taken."""


@dataclass(frozen=True)
class Result:
    """With so many games: milliseconds of an idle tick (median, slowest), of a mail, and the memory in MB (that with the most
    games)."""

    games: int
    tick: float
    slowest: float
    mail: float
    memory: float


def filled(folder: Path, games: int, letters: int) -> Bench:
    """A database with so many games and their past; each side has been sent ``letters`` letters."""
    bench = Bench(folder, games)
    now = datetime.now(UTC)
    told = {"now": stamp(now), "past": stamp(now - timedelta(days=1)), "numbers": json.dumps(list(range(letters)))}
    with bench.store.transaction():
        for statement in PAST:
            bench.db.execute(statement, told)
    return bench


def ticks(bench: Bench) -> tuple[float, float]:
    """Milliseconds of a tick with nothing to do: median and slowest."""
    nothing, took = Nothing(), []
    while daemon.tick(bench.app, nothing, nothing).anything:  # type: ignore[arg-type]
        pass
    for _ in range(TICKS):
        begun = time.perf_counter()
        done = daemon.tick(bench.app, nothing, nothing)  # type: ignore[arg-type]
        took.append((time.perf_counter() - begun) * 1000)
        assert not done.anything and not done.trouble, done
    return statistics.median(took), max(took)


def mails(benches: Sequence[Bench], count: int) -> list[float]:
    """Milliseconds of a mail in each database: rounds in turns, the first one not counted."""
    rounds: list[list[float]] = [[] for _ in benches]
    for n in range(count // ROUND + 1):
        for found, bench in zip(rounds, benches, strict=True):
            _, took = bench.round()
            found.extend([took] if n else [])
    return [statistics.median(found) * 1000 / ROUND for found in rounds]


def memory(db: Path, games: int) -> float:
    """MB that a process of its own takes at most, for mails to many games and their answers with pictures."""
    asked = [sys.executable, "-m", "tests.bench.scale", "--child", str(db), "--games", str(games)]
    done = subprocess.run(asked, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    return float(done.stdout.split()[-1])


def child(db: Path, games: int) -> None:
    """What :func:`memory` runs: prints the most memory that this process has taken, in MB."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    config = Config(db=db, address="judge@example.org", policy="open", replies_per_hour=1_000_000, maildir=db.parent / "mail")
    app = bootstrap(config, mailbox=lambda: Maildir(config.maildir / "judge@example.org"))
    with app.new_mailbox() as box:
        for n in range(CHILD_MAILS):
            game = n * max(games // CHILD_MAILS, 1) % games
            raw = mail(10**6 + n, game).replace(b"\r\nend", b"\r\nready\r\nend")
            maildir.deliver(maildir.make(config.maildir / "judge@example.org"), raw)
        sent = 0
        for _ in range(5):
            done = daemon.tick(app, box, Nothing())
            assert not done.trouble, done
            sent += done.sent
    assert sent >= min(CHILD_MAILS, games), sent
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    app.close()


def measure(games: Sequence[int], count: int, letters: int) -> list[Result]:
    """Measure with each of these numbers of games."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(40))
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        benches = []
        for n in games:
            benches.append(filled(Path(folder), n, letters))
            stack.callback(benches[-1].close)
        idle = [ticks(bench) for bench in benches]
        took = mails(benches, count)
        most = memory(benches[-1].app.context.config.db, benches[-1].games)
        return [Result(b.games, *i, t, most) for b, i, t in zip(benches, idle, took, strict=True)]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--games", type=int, nargs="+", default=[10, 10_000])
    parser.add_argument("--mails", type=int, default=480)
    parser.add_argument("--letters", type=int, default=10)
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child:
        child(asked.child, asked.games[0])
        return
    found = measure(asked.games, asked.mails, asked.letters)
    print(f"{'games':>8} {'players':>8} {'tick ms':>8} {'slowest':>8} {'mail ms':>8}")
    for r in found:
        print(f"{r.games:>8} {2 * r.games:>8} {r.tick:>8.1f} {r.slowest:>8.1f} {r.mail:>8.2f}")
    first, last = found[0], found[-1]
    for what, value, limit in (
        ("tick, ms", last.tick, TICK_MS), ("mail, times that of the first", last.mail / first.mail, MAIL_TIMES),
        ("memory, MB", last.memory, MEMORY_MB),
    ):
        print(f"{what:>30}: {value:.2f} (limit {limit}: {'kept' if value < limit else 'NOT KEPT'})")


if __name__ == "__main__":
    main()
