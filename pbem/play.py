"""Alone at a terminal: one side against the planner, over the very path that mail takes.

What the player types is delivered as a mail of his and handled by the intake; what he reads is the text part of the
mails to him.  The planner holds the other seat and mails too.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

from pbem.bootstrap import App
from pbem.core.engine import Session
from pbem.orders.service_verbs import SERVICE
from pbem.service.letters import mailing, pictures
from pbem.service.mailroom import intake
from pbem.service.play import game_session
from pbem.service.play.clock import NEVER
from pbem.service.play.game_session import Player
from pbem.store.api import NoSuchGame

GAME = "solo"
YOU, PLANNER = Player("you@example.org", "You"), Player("planner@example.org", "The planner")
AT_ONCE = ("help", "status", "report", "orders", "rolls", "map")
"""Requests that are answered without a line 'end'."""

HOW = """\
Write orders, one a line, and a line 'end'.  Answered at once: help, status, report, orders, rolls, map.
'edit' opens your editor with a block to start from; 'ready' and 'end' leave the rest to the defaults; 'quit' leaves."""


class Stuck(RuntimeError):
    """The planner has nothing to write, and the game waits for it."""


@dataclass
class Solo:
    """A game at a terminal.  ``read`` gives the next line typed, None at the end of the input; ``tell`` prints."""

    app: App
    side: str
    read: Callable[[], str | None]
    tell: Callable[[str], None]
    folder: Path = Path(".")
    _seen: int = 0
    _number: int = 0
    _introduced: bool = field(default=False)

    def begin(self, title: str, scenario: str) -> None:
        """Set a game up, or take up the one that the database holds."""
        context = self.app.context
        try:
            context.store.games.get(GAME)
        except NoSuchGame:
            sides = context.rules(title).sides
            if self.side not in sides:
                raise game_session.BadGame(f"{title} has the sides {' and '.join(sides)}, not {self.side!r}") from None
            players = {s: YOU if s == self.side else PLANNER for s in sides}
            with context.store.transaction():
                play = game_session.create(context, title, scenario, GAME, players, options={"deadline_hours": NEVER})
                mailing.send(play, game_session.store_rows(play))
            return
        seat = next(s for s in context.store.games.seats(GAME) if s.address == YOU.address)
        self.side, self._introduced = seat.side, True
        letters = [letter.id for letter in context.store.outbox.sent_to(GAME)]
        self._seen = max(letters, default=0)
        self._number = len(letters)
        self._mail(YOU, ["report"])

    def play(self) -> bool:
        """Play until the game is over (True) or the player leaves (False)."""
        self.tell(HOW)
        while True:
            self._answers()
            if self._session().over:
                return True
            block = self._typed()
            if block is None:
                return False
            outcome = self._mail(YOU, block)
            if outcome.disposition in (intake.FAILED, intake.QUARANTINED):
                self.tell(f"That was not taken: {outcome.reason}.")

    # -- the two seats ----------------------------------------------------------------------------

    def _answers(self) -> None:
        """Show what has come for the player, and let the planner write until it is the player's turn."""
        self._show()
        while (session := self._session()).waiting() and self.side not in session.waiting():
            self._planner(session)
            self._show()

    def _planner(self, session: Session) -> None:
        """One mail of the planner; where it has nothing to say, the defaults."""
        side = session.waiting()[0]
        planner = self.app.context.rules(self.app.store.games.get(GAME).title).players
        lines = [] if self._introduced else planner.standing_orders(side)
        self._introduced = True
        guard = [f"turn {session.stage}"] if session.stage.turn else []
        self._mail(PLANNER, [*guard, *lines, *planner.order_lines(session, side)])
        after = self._session()
        if after.seq == session.seq and self._mail(PLANNER, ["ready"]).disposition != intake.ACCEPT:
            raise Stuck(f"the planner found nothing to do in {session.step_name}")

    def _session(self) -> Session:
        with self.app.context.store.transaction():
            return game_session.take(self.app.context, GAME).session

    # -- mail -------------------------------------------------------------------------------------

    def _mail(self, who: Player, lines: list[str]) -> intake.Outcome:
        """Deliver lines as a mail and handle it."""
        self._number += 1
        mail = EmailMessage(policy=policy.SMTP)
        mail["From"], mail["To"], mail["Subject"] = who.address, self.app.context.config.address, "orders"
        mail["Message-ID"] = f"<{GAME}.{self._number}.{self.app.context.secret(6).hex()}@example.org>"
        mail.set_content("\n".join([f"game {GAME}", *lines, "end"]) + "\n")
        filed, _ = intake.file(self.app.context, mail.as_bytes(), self.app.context.now, "terminal")
        return intake.handle(self.app.context, filed.id)

    def _show(self) -> None:
        """Print the mails that have come for the player."""
        store = self.app.store
        for letter in [x for x in store.outbox.sent_to(GAME) if x.id > self._seen]:
            self._seen = letter.id
            if letter.recipient == YOU.address:
                message = message_from_bytes(pictures.drawn(self.app.context, letter.id).raw, policy=policy.default)
                assert isinstance(message, EmailMessage)
                self._print(message)
                if letter.kind == mailing.NOTICE:
                    self._keep(message)

    def _print(self, message: EmailMessage) -> None:
        text = message.get_body(("plain",))
        self.tell(f"\n{str(text.get_content() if text else '').rstrip()}\n".replace("\r\n", "\n"))

    def _keep(self, message: EmailMessage) -> None:
        """Write a picture that was asked for into the folder; one that came with a report shows the past."""
        if any(part.get_content_type() == "application/json" for part in message.walk()):
            return
        for part in message.walk():
            if part.get_content_maintype() != "image":
                continue
            data = part.get_payload(decode=True)
            assert isinstance(data, bytes)
            path = self.folder / Path(part.get_filename() or "map").name
            path.write_bytes(data)
            self.tell(f"The map is in {path}.")

    # -- typing -----------------------------------------------------------------------------------

    def _typed(self) -> list[str] | None:
        """The next block of orders, without its frame; None when the player leaves."""
        block: list[str] = []
        while True:
            line = self.read()
            word = line.strip().lower() if line is not None else ""
            if line is None or (word in ("quit", "exit") and not block):
                return None
            if word == "edit" and not block:
                return self._edited()
            if word == "end" and block:
                return block
            if word and word != "end":
                block.append(line)
            verb = SERVICE.find(word.split(" ")[0]) if len(block) == 1 else None
            if verb is not None and verb.name in AT_ONCE:
                return block

    def _edited(self) -> list[str]:
        """The block that the player made of the reply block in his editor."""
        editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
        with self.app.context.store.transaction():
            lines = mailing.brief(game_session.take(self.app.context, GAME), self.side)["reply"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "orders.txt"
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            try:
                subprocess.run([*shlex.split(editor), str(path)], check=True)
            except (OSError, subprocess.CalledProcessError) as why:
                self.tell(f"The editor '{editor}' failed ({why}); set EDITOR, or write the lines here.")
                return ["status"]
            found = path.read_text(encoding="utf-8").splitlines()
        return [line for line in found if line.strip().lower() not in ("end", f"game {GAME}")]
