"""A club with a clock of its own, mails in as text, mails out as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from typing import Any

import pytest
import structlog

from pbem.bootstrap import App, bootstrap
from pbem.config import Config
from pbem.service.letters import mailing
from pbem.service.mailroom import intake
from pbem.service.play import game_session
from pbem.service.mailroom.intake import Outcome
from pbem.service.play.game_session import Player
from pbem.store.schema import open_store

structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))

ANN, BOB, REFEREE, JUDGE = "ann@example.org", "bob@example.org", "referee@example.org", "judge@example.org"
SCENARIO = ("fab_sicily", "primosole_bridge")


@dataclass
class Club:
    """One server.  ``write`` mails to it and handles the mail; ``post`` gives what it has mailed since the last look."""

    path: Any
    config: Config
    now: datetime = datetime(2026, 3, 14, 9, 15, tzinfo=UTC)
    seen: int = 0
    app: App = field(init=False)
    _numbers: Any = field(default_factory=lambda: count(1))
    _secrets: Any = field(default_factory=lambda: count(1))

    def __post_init__(self) -> None:
        self.open()

    def open(self) -> None:
        """Open the database, as a new process would."""
        store = open_store(self.path, create=True)
        self.app = bootstrap(self.config, store=store, clock=lambda: self.now, secret=self._secret)
        self.store, self.context = self.app.store, self.app.context

    def _secret(self, size: int) -> bytes:
        return (next(self._secrets).to_bytes(4, "big") * size)[-size:]

    def later(self, **span: float) -> None:
        """Let time pass."""
        self.now += timedelta(**span)

    def game(self, name: str = "p1", **options: Any) -> None:
        """A game between Ann (Allied) and Bob (Axis)."""
        players = {"allied": Player(ANN, "Ann"), "axis": Player(BOB, "Bob")}
        with self.store.transaction():
            play = game_session.create(self.context, *SCENARIO, name, players, Player(REFEREE), options)
            mailing.send(play, game_session.store_rows(play))

    def write(self, sender: str, body: str, **headers: str) -> Outcome:
        """A mail to the club, handled at once."""
        return intake.handle(self.context, self.put(sender, body, **headers))

    def put(self, sender: str, body: str, **headers: str) -> int:
        """A mail to the club, filed."""
        fields = {
            "From": sender, "To": JUDGE, "Subject": "orders", "Message-ID": f"<m{next(self._numbers)}@example.org>",
            **{k.replace("_", "-"): v for k, v in headers.items()},
        }
        raw = "".join(f"{k}: {v}\r\n" for k, v in fields.items() if v) + "\r\n" + body.replace("\n", "\r\n")
        mail, _ = intake.file(self.context, raw.encode(), self.context.now, "test")
        return mail.id

    def post(self) -> list[EmailMessage]:
        """The mails queued since the last look."""
        letters = [x for x in self.store.outbox.unsent() if x.id > self.seen]
        self.seen = max([self.seen, *(x.id for x in letters)])
        return [message_from_bytes(x.raw, policy=policy.default) for x in letters]  # type: ignore[misc]

    def play(self, *, until: Callable[[Any], bool], limit: int = 400) -> None:
        """Both sides say 'ready' until the game's row satisfies ``until``."""
        for _ in range(limit):
            game = self.store.games.get("p1")
            if until(game):
                return
            self.write(ANN if game.waiting[0] == "allied" else BOB, "game p1\nready\nend\n")
        raise AssertionError(f"not reached: {self.store.games.get('p1').step_name}")


def text(mail: EmailMessage) -> str:
    """A mail's text part."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


@pytest.fixture
def make_club(tmp_path):
    """Makes clubs with other settings; all on one database."""
    made = []

    def make(**settings: Any) -> Club:
        given = {"address": JUDGE, "policy": "open", "pictures": False, "operator": "host@example.org", **settings}
        made.append(Club(tmp_path / "club.db", Config(db=tmp_path / "club.db", **given)))
        return made[-1]

    yield make
    for club in made:
        club.app.close()


@pytest.fixture
def club(make_club):
    """A club on a trusted network, with one game whose first mails are out."""
    found = make_club()
    found.game()
    found.post()
    return found
