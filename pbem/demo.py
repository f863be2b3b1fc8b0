"""The demo: a whole game by real mail on loopback, between two scripted players.

The judge is the ordinary daemon's tick.  The players have nothing but a Maildir and an SMTP port: what they
write goes out as mail, what they get is mail.  A player thinks with the planner, from his own side's view.
"""

from __future__ import annotations

import hashlib
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path
from statistics import median
from typing import Any

from pbem.bootstrap import App, bootstrap
from pbem.config import Config
from pbem.core.engine import Session
from pbem.games.contract import ScriptedPlayers, Title
from pbem.daemon import tick
from pbem.mail.embedded import EmbeddedServer, folder_name
from pbem.mail.maildir import Maildir
from pbem.mail.smtp import Sender
from pbem.reports.archive import write_archive
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.records import audit_site
from pbem.service.records.game_story import chronicle
from pbem.service.play.game_session import Player
from pbem.store.schema import open_store

JUDGE = "judge@example.org"
PLAYERS = (Player("ann@example.org", "Ann"), Player("bob@example.org", "Bob"))
"""Who plays the sides, in their order."""
GAME = "demo"

MOST_MAILS = 400
"""A game that needs more has gone wrong."""


class Stuck(RuntimeError):
    """Nobody has anything to write, and the game is not over."""


@dataclass
class Summary:
    """How the demo went: the archive's first page, mails in per player turn ('2 allied'), and the result."""

    index: Path
    mails_in: Counter[str]
    mails_out: int
    winner: str
    points: dict[str, int]
    seconds: float

    @property
    def most(self) -> int:
        """The most mails in that any player turn took."""
        return max(self.mails_in.values())

    @property
    def average(self) -> float:
        """Mails in for a player turn, on average."""
        return sum(self.mails_in.values()) / max(len(self.mails_in), 1)

    @property
    def median(self) -> float:
        """Mails in for a player turn, on the median."""
        return median(self.mails_in.values())

    def counted(self) -> str:
        """The figures in words."""
        return f"{self.median:g} on the median, {self.average:.1f} on average, {self.most} at most"


@dataclass
class Scripted:
    """A player with a mail client: reads his Maildir, answers by SMTP."""

    side: str
    player: Player
    box: Maildir
    sender: Sender
    read: list[bytes] = field(default_factory=list)
    introduced: bool = False

    def fetch(self) -> list[bytes]:
        """Mails that have come in since the last time."""
        new = []
        for mail in self.box.fetch():
            new.append(mail.raw)
            self.box.done(mail.key, True)
        self.read += new
        return new

    def answer(self, session: Session, writer: ScriptedPlayers) -> bytes:
        """Write orders as a reply to the last mail, quoting it as mail programs do; ``writer`` thinks them up."""
        last = message_from_bytes(self.read[-1], policy=policy.default)
        assert isinstance(last, EmailMessage)
        standing = [] if self.introduced else writer.standing_orders(self.side)
        self.introduced = True
        guard = f"turn {session.stage}" if session.stage.turn else ""
        lines = [f"game {session.game}", guard, *standing, *writer.order_lines(session, self.side), "end"]
        reply = EmailMessage(policy=policy.SMTP)
        reply["From"] = f"{self.player.name} <{self.player.address}>"
        reply["To"] = JUDGE
        reply["Subject"] = f"Re: {last['Subject']}"
        reply["Date"] = format_datetime(datetime.now(UTC))
        reply["Message-ID"] = make_msgid(domain="example.org")
        reply["In-Reply-To"] = str(last["Message-ID"])
        reply["References"] = f"{last['References'] or ''} {last['Message-ID']}".strip()
        text = last.get_body(preferencelist=("plain",))
        quoted = [f"> {line}" for line in (text.get_content() if text else "").splitlines()]
        signed = ["", f"-- {self.player.name}, by hand", ""]
        reply.set_content("\n".join([*(line for line in lines if line), *signed, *quoted]) + "\n")
        raw = reply.as_bytes()
        self.sender.send(self.player.address, JUDGE, raw)
        return raw


def run(
    directory: Path,
    scenario: str,
    seed: int | None = None,
    rate: float = 0.0,
    progress: Callable[[str, int, int], None] = lambda words, done, of: None,
) -> Summary:
    """Play ``scenario`` into ``directory`` (emptied of an earlier demo).

    ``seed``: the same number gives the same game (its dice are then no secret); ``rate``: at most so many
    mails a second, 0 for as fast as it goes; ``progress``: told what goes on, and how far the game is.
    """
    began = time.monotonic()
    _clear(directory)
    title, _, name = scenario.partition("/")
    with EmbeddedServer(directory / "mail") as server:
        config = Config(
            db=directory / "pbem.db", address=JUDGE, name="pbem", listen=f"127.0.0.1:{server.port}", maildir=directory / "mail",
            policy="token", replies_per_hour=100_000,
        )
        app = bootstrap(config, store=open_store(config.db, create=True), secret=_secret(seed))
        rules = app.context.rules(title)
        players = {
            side: Scripted(
                side, player, Maildir(directory / "mail" / folder_name(player.address)),
                Sender("127.0.0.1", server.port, tls="none"),
            )
            for side, player in zip(rules.sides, PLAYERS, strict=True)
        }
        return _Demo(app, rules, directory, title, name, players, rate, progress, began).play()


def first_commands(scenario: str, pbem: str, sides: Sequence[str]) -> list[str]:
    """What a newcomer types to play a game of his own with files in place of a mail server; ``pbem`` is how we are called."""
    mine, other = sides
    return [
        f"{pbem} game new {scenario} --id p1 --seat {mine}=you@example.org --seat {other}=friend@example.org",
        f"{pbem} outbox export mails    # the first mails, one to each player, as files",
        r"printf 'From: you@example.org\n\ngame p1\nhelp orders\nend\n' > orders.eml    # an answer: lines to pbem",
        f"{pbem} deliver orders.eml    # hand it in; 'outbox export' again writes what comes back",
        f"{pbem} show p1 --as {mine}    # the game as that side sees it, at any time",
    ]


def _clear(directory: Path) -> None:
    """Make room for the demo, and never for more than that."""
    ours = any((directory / name).exists() for name in ("index.html", "pbem.db"))
    if directory.exists() and any(directory.iterdir()) and not ours:
        raise FileExistsError(f"{directory} is not empty and holds no demo: name another directory")
    for part in ("mail", "mails", "audit"):
        shutil.rmtree(directory / part, ignore_errors=True)
    for file in directory.glob("pbem.db*"):
        file.unlink()
    (directory / "index.html").unlink(missing_ok=True)
    directory.mkdir(parents=True, exist_ok=True)


def _secret(seed: int | None) -> Callable[[int], bytes]:
    """Where the game's secrets come from: the system, or a number for a demo that can be repeated."""
    if seed is None:
        return secrets.token_bytes
    calls = iter(range(10**9))
    return lambda size: hashlib.sha512(f"demo {seed} {next(calls)}".encode()).digest()[:size]


@dataclass
class _Demo:
    app: App
    rules: Title
    directory: Path
    title: str
    scenario: str
    players: dict[str, Scripted]
    rate: float
    progress: Callable[[str, int, int], None]
    began: float
    mails: list[dict[str, Any]] = field(default_factory=list)
    mails_in: Counter[str] = field(default_factory=Counter)

    def play(self) -> Summary:
        """Create the game, then mail to and fro until it is over."""
        context = self.app.context
        with context.store.transaction():
            play = game_session.create(context, self.title, self.scenario, GAME, {s: p.player for s, p in self.players.items()})
            mailing.send(play, game_session.store_rows(play), lines=["Welcome. Here is how things stand, and what is wanted."])
        with self.app.new_mailbox() as mailbox:
            sender = self.app.new_sender()
            while True:
                tick(self.app, mailbox, sender)
                arrived = self._fetch()
                session = self._session()
                if session.over and not arrived:
                    break
                if not session.over:
                    self._write(session)
        return self._finish()

    def _session(self) -> Session:
        with self.app.context.store.transaction():
            return game_session.take(self.app.context, GAME).session

    def _fetch(self) -> int:
        count = 0
        for scripted_player in self.players.values():
            for raw in scripted_player.fetch():
                self.mails.append({"raw": raw, "recipient": scripted_player.player.name, "direction": "to"})
                count += 1
        return count

    def _write(self, session: Session) -> None:
        waiting = session.waiting()
        if not waiting or sum(self.mails_in.values()) > MOST_MAILS:
            raise Stuck(f"the demo stopped in {session.step_name}: {[(a.side, a.kind) for a in session.open]}")
        for side in waiting:
            writer = self.players[side]
            raw = writer.answer(session, self.rules.players)
            self.mails.append({"raw": raw, "recipient": writer.player.name, "direction": "from"})
            self.mails_in[self._player_turn(session)] += 1
            done, whole = self.rules.progress(session.state, session.step_name)
            self.progress(f"turn {session.stage.turn}, {writer.player.name} writes", done, whole)
            if self.rate:
                time.sleep(1 / self.rate)

    def _player_turn(self, session: Session) -> str:
        """'2 allied'; what both sides do together counts to the first one's."""
        return f"{session.stage.turn} {session.stage.side or self.rules.sides[0]}"

    def _finish(self) -> Summary:
        session = self._session()
        state, rules = session.state, self.rules
        winner, points = rules.winner(state), dict(rules.points(state))
        summary = Summary(self.directory / "index.html", self.mails_in, 0, winner, points, time.monotonic() - self.began)
        summary.mails_out = sum(m["direction"] == "to" for m in self.mails)
        story = chronicle(self.app.context, GAME)
        audit_site.write(self.app.context, GAME, self.directory / "audit")
        write_archive(self.directory, self.mails, _told(summary, rules.heading(state)), story)
        summary.seconds = time.monotonic() - self.began
        return summary


def _told(summary: Summary, scenario: str) -> dict[str, Any]:
    """What the archive's first page says of the game."""
    result = "a draw" if summary.winner == "draw" else f"won by the {summary.winner.capitalize()} side"
    points = ", ".join(f"{side.capitalize()} {n}" for side, n in summary.points.items()) + " victory points"
    return {
        "title": f"{scenario}: a game by mail",
        "audit": "audit/index.html",
        "lines": [
            "Two scripted players, Ann and Bob, played this game with nothing but their mail.",
            "Every mail is here as its receiver saw it.",
            f"The game was {result} ({points}).",
        ],
        "facts": [
            ("Mails from the players", str(sum(summary.mails_in.values()))),
            ("Mails to the players", str(summary.mails_out)),
            ("Mails in for a player turn", summary.counted()),
        ],
    }
