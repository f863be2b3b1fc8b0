"""A month of a club: 50 games between 40 players who have nothing but mail, on a clock of its own.

    python -m tests.service.month [--days 31] [--seed 1]

The server is the daemon's own tick, every half hour.  It starts on 5 March 2026: in New York summer time begins on the 8th, in
Rome on the 29th.  The players write what the planner thinks of for them, as answers to the last mail they had in a game; they
write soon, slowly or too late, go away (and say so), fall silent, have an answering machine, make mistakes, and send the same
mail twice.  The server is off for 16 hours, its mail server takes nothing for four.
"""

from __future__ import annotations

import argparse
import heapq
import random
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import policy
from email.message import EmailMessage, Message
from email.parser import BytesHeaderParser
from email.utils import format_datetime
from itertools import count
from pathlib import Path
from typing import Any

import structlog

from pbem.bootstrap import App, bootstrap
from pbem.config import Config
from pbem.daemon import tick
from pbem.games.fab_sicily.players import scripted
from pbem.mail.mailbox import Fetched
from pbem.mail.smtp import Temporary
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.play.game_session import Player
from pbem.store.api import OVER, RUNNING
from pbem.store.schema import open_store

JUDGE, HOST, REFEREE = "judge@example.org", "host@example.org", "referee@example.org"
START = datetime(2026, 3, 5, 12, 0, tzinfo=UTC)
STEP = timedelta(minutes=30)
GAMES, PLAYERS = 50, 40

OFF = (datetime(2026, 3, 18, 9, 10, tzinfo=UTC), datetime(2026, 3, 19, 1, 10, tzinfo=UTC))
"""The server is off."""
MUTE = (datetime(2026, 3, 23, 8, 0, tzinfo=UTC), datetime(2026, 3, 23, 12, 0, tzinfo=UTC))
"""The mail server takes nothing."""

CLOCKS: tuple[dict[str, Any], ...] = (
    {"zone": "Europe/Rome", "deadline_hours": 72},
    {"zone": "America/New_York", "deadline_hours": 72, "reminder_hours": "48 12"},
    {"zone": "Europe/Rome", "deadline_hours": 30, "clock_hours": "mon-fri 08-22, sat sun 10-18", "grace_hours": 12},
    {"zone": "America/New_York", "deadline_hours": 48, "extension_hours": 24, "missed": "wait"},
    {"zone": "UTC", "deadline_hours": 48, "phase_hours": "combat 24", "early": "ready"},
    {"zone": "Europe/Rome", "deadline_hours": 48, "grace_hours": 24, "extension_hours": 24, "missed": "substitute"},
)
"""What the games agree on, in turns."""

HEADERS = BytesHeaderParser()

PACES = {"prompt": (4, 30), "slow": (16, 54), "late": (45, 90), "silent": (5, 30)}
"""Hours from a mail to its answer."""


@dataclass
class Person:
    """A player: how fast he answers; when he is away (he says so the day before); when he falls silent; his habits."""

    address: str
    pace: str
    away: tuple[datetime, datetime] | None = None
    silent: datetime | None = None
    machine: bool = False
    clumsy: float = 0.0
    plain: bool = False
    introduced: set[str] = field(default_factory=set)

    def there(self, at: datetime) -> bool:
        """Whether he reads his mail then."""
        return not (self.away and self.away[0] <= at < self.away[1]) and not (self.silent and at >= self.silent)


class Lines:
    """The mailbox of the server, and its way out: what arrives, and what was taken, with the time."""

    def __init__(self, month: Month) -> None:
        self.month = month
        self.inbox: list[Fetched] = []
        self.sent: list[tuple[datetime, str, bytes]] = []
        self.refused = 0

    def fetch(self, after: str = "") -> Iterator[Fetched]:
        """What lies there."""
        yield from [m for m in self.inbox if m.key > after]

    def done(self, key: str, read: bool = True) -> None:
        """Moved away."""
        self.inbox = [m for m in self.inbox if m.key != key]

    def send(self, mail_from: str, rcpt: str, raw: bytes) -> None:
        """Taken, or not."""
        if MUTE[0] <= self.month.now < MUTE[1]:
            self.refused += 1
            raise Temporary("451 try again later")
        self.sent.append((self.month.now, rcpt, raw))


class Month:
    """The club, its people and its time."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.now, self.chance = START, random.Random(seed)
        self.db = folder / "club.db"
        config = Config(db=self.db, address=JUDGE, policy="token", operator=HOST, pictures=False, replies_per_hour=200)
        numbers = count(1)
        self.app: App = bootstrap(
            config, store=open_store(self.db, create=True), clock=lambda: self.now,
            secret=lambda size: random.Random(f"{seed} {next(numbers)}").randbytes(size),
        )
        self.app.store._db.conn.execute("pragma synchronous=off")  # type: ignore[attr-defined]  # no disk to wait for
        self.lines, self.keys, self.handed_in = Lines(self), count(1), 0
        self.read, self.ticks = 0, 0
        self.people = [self._person(n) for n in range(1, PLAYERS + 1)]
        self.by_address = {p.address: p for p in self.people}
        self.last: dict[tuple[str, str], Message] = {}
        self.plans: list[tuple[datetime, int, str, str]] = []
        self.planned: set[tuple[str, str]] = set()
        self.kinds: Counter[str] = Counter()
        for n in range(GAMES):
            self._game(n)
        for person in self.people:
            if person.away:
                self._plan(person.away[0] - timedelta(hours=20), person.address, "absence")

    def _person(self, n: int) -> Person:
        chance = self.chance
        pace = "late" if n % 8 == 0 else "silent" if n % 13 == 0 else chance.choice(["prompt", "prompt", "slow"])
        away = None
        if n % 5 == 0:
            begin = datetime(2026, 3, chance.randint(9, 26), 0, 0, tzinfo=UTC)
            away = (begin, begin + timedelta(days=chance.randint(3, 8)))
        silent = START + timedelta(days=chance.randint(5, 20)) if pace == "silent" else None
        return Person(
            f"player{n}@example.org", pace, away, silent, machine=n % 10 == 3, clumsy=0.25 if n % 6 == 1 else 0.03,
            plain=n % 7 != 0,
        )

    def _game(self, n: int) -> None:
        """Two players of whom no two games have the same pair."""
        ann, bob = self.people[n % PLAYERS], self.people[(n + 1 + n // PLAYERS) % PLAYERS]
        context = self.app.context
        players = {"allied": Player(ann.address, f"Player {n} a"), "axis": Player(bob.address, f"Player {n} b")}
        with context.store.transaction():
            play = game_session.create(
                context, "fab_sicily", "primosole_bridge", f"g{n + 1}", players, Player(REFEREE), CLOCKS[n % len(CLOCKS)]
            )
            mailing.send(play, game_session.store_rows(play))

    # -- time -----------------------------------------------------------------------------------

    def run(self, days: float) -> None:
        """Let days pass."""
        end = self.now + timedelta(days=days)
        while self.now < end:
            self.now += STEP
            while self.plans and self.plans[0][0] <= self.now:
                at, _, address, what = heapq.heappop(self.plans)
                self.planned.discard((address, what))
                self._act(max(at, self.now - STEP), self.by_address[address], what)
            if not OFF[0] <= self.now < OFF[1]:
                done = tick(self.app, self.lines, self.lines)
                assert not done.trouble, done
                self.ticks += 1
                self._deliver()

    def settle(self) -> None:
        """Nobody writes any more; what is in line goes out."""
        for _ in range(30):
            self.now += STEP
            tick(self.app, self.lines, self.lines)
            self._deliver(answering=False)

    def _plan(self, at: datetime, address: str, what: str) -> None:
        if (address, what) not in self.planned:
            self.planned.add((address, what))
            heapq.heappush(self.plans, (at, next(self.keys), address, what))

    # -- what the players do --------------------------------------------------------------------

    def _deliver(self, answering: bool = True) -> None:
        """The players get what was sent since the last time, and think about when to answer."""
        for _, rcpt, raw in self.lines.sent[self.read :]:
            person = self.by_address.get(rcpt)
            if person is None:
                continue
            mail = HEADERS.parsebytes(raw)
            game = str(mail["List-Id"] or "").partition(".")[0].strip("<")
            if not game:
                continue
            self.last[person.address, game] = mail
            if not answering:
                continue
            low, high = PACES[person.pace]
            self._plan(self.now + timedelta(hours=self.chance.uniform(low, high)), person.address, game)
            if person.machine and not person.there(self.now) or person.machine and self.chance.random() < 0.1:
                self._hand_in(self.now, self._machine(person, mail))
        self.read = len(self.lines.sent)

    def _act(self, at: datetime, person: Person, what: str) -> None:
        """What a player had in mind to do now: answer in a game, or say that he will be away."""
        if what == "absence":
            if person.away and any(address == person.address for address, _ in self.last):
                first, last = person.away[0], person.away[1] - timedelta(days=1)
                game = next(game for address, game in self.last if address == person.address)
                said = f"absence {first.day} {first:%b} to {last.day} {last:%b}\n"
                self._hand_in(at, self._reply(at, self.last[person.address, game], said), "absence")
            return
        if not person.there(at):
            if person.away and at < person.away[1] and not person.silent:
                self._plan(person.away[1] + timedelta(hours=self.chance.uniform(1, 12)), person.address, what)
            return
        row = self.app.store.games.get(what)
        mine = [s for s in self.app.store.games.seats(what) if s.address == person.address and s.side in row.waiting]
        if row.status == RUNNING and mine:
            self._hand_in(at, self._orders(at, person, what, mine[0].side), "orders")

    def _orders(self, at: datetime, person: Person, game: str, side: str) -> bytes:
        """A mail with what the planner would do, or a mistake."""
        with self.app.store.transaction():
            session = game_session.take(self.app.context, game).session
        body = [f"game {game}", f"turn {session.step_name}" if session.step_name[0].isdigit() else ""]
        if game not in person.introduced:
            person.introduced.add(game)
            body += scripted.standing_orders(side)
            body += ["set html off", "set files off", "set digest on"] if person.plain else []
        body += scripted.order_lines(session, side)
        body += ["ready", "end"]
        text = "\n".join(line for line in body if line) + "\n"
        mistake = self.chance.random()
        if mistake < person.clumsy:
            kind = self.chance.choice(["no end", "stale", "prose", "wrong game", "nonsense"])
            self.kinds[kind] += 1
            text = {
                "no end": text.replace("\nend\n", "\n"), "stale": f"game {game}\nturn 9 axis movement\nready\nend\n",
                "prose": "I shall think about it at the weekend.\n", "wrong game": text.replace(f"game {game}", "game g999"),
                "nonsense": f"game {game}\nmarch 50-1 on Rome\nend\n",
            }[kind]
            self._plan(at + timedelta(hours=self.chance.uniform(1, 30)), person.address, game)
        return self._reply(at, self.last[person.address, game], text)

    def _reply(self, at: datetime, to: Message, body: str, **headers: str) -> bytes:
        """An answer as a mail program makes it."""
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Date"] = str(to["To"]), JUDGE, format_datetime(at)
        mail["Subject"] = headers.pop("subject", " ".join(f"Re: {to['Subject']}".split()))
        mail["Message-ID"] = f"<m{next(self.keys)}@example.org>"
        mail["In-Reply-To"] = str(to["Message-ID"])
        mail["References"] = " ".join(f"{to['References'] or ''} {to['Message-ID']}".split())
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        quoted = "\n".join(f"> line {n} of the mail" for n in range(1, 6))
        mail.set_content(f"{body}\nOn that day, {JUDGE} wrote:\n{quoted}\n")
        return mail.as_bytes()

    def _machine(self, person: Person, mail: Message) -> bytes:
        self.kinds["answering machine"] += 1
        return self._reply(self.now, mail, "I am out of the office.\n", subject="Out of office", Auto_Submitted="auto-replied")

    def _hand_in(self, at: datetime, raw: bytes, kind: str = "") -> None:
        """A mail reaches the mailbox; now and then twice."""
        if kind:
            self.kinds[kind] += 1
        twice = kind == "orders" and self.chance.random() < 0.04
        self.kinds["sent twice"] += twice
        for _ in range(1 + twice):
            self.lines.inbox.append(Fetched(f"{next(self.keys):08d}", raw, at))
        self.handed_in += 1

    # -- what came of it ------------------------------------------------------------------------

    def games(self) -> dict[str, str]:
        """What became of each game: 'over', or whom it waits for, since when and until when."""
        found = {}
        for row in self.app.store.games.page():
            if row.status == OVER:
                found[row.id] = "over"
                continue
            dues = {d.side: f"{d.kind} {d.at}" for d in self.app.store.games.dues(row.id) if d.kind != "reminder"}
            until = ", ".join(f"{side} ({dues.get(side, 'nothing due')})" for side in row.waiting)
            found[row.id] = f"{row.status}: {until}, since {row.touched}" if until else row.status
        return found

    def mails_in(self) -> Counter[str]:
        """Mails that came, by disposition."""
        return Counter(m.disposition for m in self.app.store.inbox.handled(10**6))

    def letters(self) -> list[Any]:
        """All letters, in and out of games."""
        names = ["", *(g.id for g in self.app.store.games.page())]
        return [x for name in names for x in self.app.store.outbox.sent_to(name)]

    def deadlines(self) -> dict[str, int]:
        """Deadlines that were met, met late within the grace, and missed: as the members' rows count them."""
        total: dict[str, int] = defaultdict(int)
        for member in self.app.store.people.page():
            total["in time"] += member.in_time
            total["late"] += member.late
            total["missed"] += member.missed
        return dict(total)


def main() -> None:
    """Run it and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--days", type=float, default=31)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        month = Month(Path(folder), asked.seed)
        month.run(asked.days)
        month.settle()
        took = time.monotonic() - begun
        for game, what in sorted(month.games().items(), key=lambda g: int(g[0][1:])):
            print(f"{game:>4} {what}")
        print("in:", dict(month.mails_in()), "of which", dict(month.kinds))
        print("out:", dict(Counter((x.kind, x.status) for x in month.letters())))
        print("deadlines:", month.deadlines(), "notes:", dict(Counter(n.kind for n in month.app.store.notes.last(10**6))))
        print(f"{month.ticks} ticks, {month.lines.refused} tries refused by the mail server, {took:.0f} s")


if __name__ == "__main__":
    main()
