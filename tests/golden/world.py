"""A server with a fixed clock, fixed secrets, steady dice and a frozen scenario: the same mails in give the same mails out."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from pathlib import Path
from typing import Any

from pbem.bootstrap import App, bootstrap
from pbem.config import Config
from pbem.core.dice import FIRST_BINDING, SeededDice
from pbem.core.engine import Session
from pbem.service.letters import mailing
from pbem.service.mailroom import intake
from pbem.service.play import deadlines, game_session
from pbem.service.mailroom.intake import Outcome
from pbem.service.times import moment, stamp
from pbem.service.play.game_session import Player
from pbem.scenarios import catalog
from pbem.store.api import DEADLINE
from pbem.store.schema import open_store

HOME = Path(__file__).parent / "primosole"
SCENARIO = HOME / "scenario.json"
ANN, BOB, REFEREE, JUDGE = "ann@example.org", "bob@example.org", "referee@example.org", "judge@example.org"
PLAYERS = {"allied": Player(ANN, "Ann"), "axis": Player(BOB, "Bob")}
GAME = "p1"
START = datetime(2026, 3, 2, 18, 0, tzinfo=UTC)

HEAD = re.compile(r"(Chain head after journal row )\d+(, for your records:\n)([0-9a-f]{64})")


class SteadyDice(SeededDice):
    """Dice that do not turn with the orders: another word in the journal must not make it another game."""

    def face(self, game: str, step: int, attempt: int, n: int, sides: int, binding: str, rule: str) -> int:
        """The face that the seed gives without any orders."""
        return super().face(game, step, attempt, n, sides, FIRST_BINDING, rule)

    def of_epoch(self, epoch: int) -> SteadyDice:
        """The dice with their seed of that number."""
        return SteadyDice(self.seed, epoch)


def frozen() -> dict[str, Any]:
    """The scenario as it was when the golden game was written, so that tuning its data does not touch the game."""
    found: dict[str, Any] = json.loads(SCENARIO.read_text(encoding="utf-8"))
    return found


def freeze() -> None:
    """Store the scenario as its files have it now."""
    text = json.dumps(catalog.load("fab_sicily", "primosole_bridge"), ensure_ascii=False, sort_keys=True, indent=1)
    SCENARIO.write_text(text + "\n", encoding="utf-8", newline="\n")


@dataclass
class World:
    """One server with one game.  ``hand_in`` handles a mail at its own Date, after all that was due before it."""

    path: Path
    scenario: Mapping[str, Any] = field(default_factory=frozen)
    seed: str = "golden"
    app: App = field(init=False)
    now: datetime = START
    out: list[bytes] = field(default_factory=list)
    _secrets: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        config = Config(
            db=self.path, address=JUDGE, policy="open", pictures=False, operator="host@example.org", replies_per_hour=1000
        )
        self.app = bootstrap(
            config, store=open_store(self.path, create=True), clock=lambda: self.now, secret=self._secret,
            scenario=lambda title, name: self.scenario,
        )
        self.app.context = replace(self.app.context, dice=SteadyDice)
        with self.app.store.transaction():
            play = game_session.create(
                self.app.context, "fab_sicily", "primosole_bridge", GAME, PLAYERS, Player(REFEREE), {"deadline_hours": 72}
            )
            mailing.send(play, game_session.store_rows(play))

    def _secret(self, size: int) -> bytes:
        """The seed of the dice does not depend on how many other secrets are drawn."""
        name = self.seed if size == 32 else f"{self.seed} {next(self._secrets)}"
        return hashlib.sha512(name.encode()).digest()[:size]

    def close(self) -> None:
        """Let go of the database."""
        self.app.close()

    def hand_in(self, raw: bytes) -> Outcome:
        """A mail arrives at the time that its Date says."""
        mail = message_from_bytes(raw, policy=policy.default)
        self.pass_time(mail["Date"].datetime.astimezone(UTC))
        return self.deliver(raw)

    def deliver(self, raw: bytes) -> Outcome:
        """A mail arrives now."""
        filed, _ = intake.file(self.app.context, raw, self.app.context.now, "golden")
        return intake.handle(self.app.context, filed.id)

    def pass_time(self, until: datetime) -> None:
        """Let the time go on, and whatever falls due meanwhile happen when it is due."""
        while due := [d.at for d in self.app.store.games.dues(GAME) if d.at <= stamp(until)]:
            self.now = moment(min(due))
            deadlines.sweep(self.app.context)
            self.send()
        self.now = until

    def next_deadline(self) -> datetime:
        """When the next of the players' times is up."""
        return moment(min(d.at for d in self.app.store.games.dues(GAME) if d.kind == DEADLINE))

    def session(self) -> Session:
        """The game as it stands."""
        with self.app.store.transaction():
            return game_session.take(self.app.context, GAME).session

    def send(self) -> None:
        """What waits in line goes out."""
        outbox, now = self.app.store.outbox, self.app.context.now
        with self.app.store.transaction():
            for letter in filter(None, [outbox.claim(id, now) for id in outbox.ready(now, 1000)]):
                outbox.sent(letter.id, now)
                self.out.append(letter.raw)

    def post(self) -> list[EmailMessage]:
        """The mails that went out since the last look."""
        self.send()
        raws, self.out = self.out, []
        return [message_from_bytes(raw, policy=policy.default) for raw in raws]  # type: ignore[misc]


def text(mail: EmailMessage) -> str:
    """A mail's text part."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")
