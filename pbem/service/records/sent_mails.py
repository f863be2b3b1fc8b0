"""Mails that a player sent, as witnesses of what he ordered: an order that stands in none of them was not his.

Nothing in a journal shows that an order came from its player; the copies in his own mailbox do.  So all mails of a side are read
again where the rules stand before each input, as they were when they came, and each order, 'ready', nonce and concession of
that side must be in one of them.  What a referee did in a side's name is said to be his by the row above it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.core.dice import NONCE
from pbem.core.engine import Session
from pbem.core.journal import Row
from pbem.mail import parse
from pbem.orders.service_verbs import SERVICE, take
from pbem.orders.source import Line, OrderBlock, blocks
from pbem.service.play import nonces


class SentMails:
    """All mails of some sides: :data:`pbem.audit.verify.Heard` asks them about each input row, in order."""

    def __init__(self, game: str, sent: Mapping[str, Sequence[Path]]) -> None:
        self.game = game
        self.texts = {side: [parse.read(p.read_bytes(), parse.Limits()).text for p in paths] for side, paths in sent.items()}
        self.blocks: dict[str, list[OrderBlock]] = {}
        self.said: dict[str, set[str]] = {side: set() for side in sent}
        self.proxy = ""

    def __call__(self, session: Session, row: Row) -> str:
        """Why a side cannot have caused the row, '' if nothing speaks against it."""
        payload = row.payload
        side, proxy = str(payload.get("side", "")), self.proxy
        self.proxy = side if payload.get("act") == "as" else ""
        for each in self.texts:
            self._read(session, each)
        if side not in self.texts or row.kind == "orders" and proxy == side:
            return ""
        missing = next((m for m in self._wanted(row.kind, payload) if m not in self.said[side]), "")
        return f"none of the mails that {side} sent has '{missing}'" if missing else ""

    @staticmethod
    def _wanted(kind: str, payload: Mapping[str, Any]) -> list[str]:
        """What must stand in a mail of the side for such a row."""
        if kind == "orders":
            given = [str(d["text"]) for d in payload["directives"]]  # a standing order given anew takes the old one back
            return given or (["cancel"] if payload.get("cancel") else [])
        if payload.get("act") == "deadline":
            return ["ready"] if payload.get("ready") else []
        if payload.get("act") == NONCE:
            return [f"nonce {payload['nonce']}"]
        return ["concede"] if payload.get("act") == "concede" else []

    def _read(self, session: Session, side: str) -> None:
        """What the mails of a side order, read as the game stands now."""
        words: Any = session.rules
        if side not in self.blocks:
            begins = {*words.words.order_words, *SERVICE.words}
            found = [b for text in self.texts[side] for b in blocks(text, begins).blocks]
            self.blocks[side] = [b for b in found if b.game in ("", self.game)]
        asks = [a for a in session.open if session.pending(a)]
        for block in self.blocks[side]:
            requests, lines = take(block.lines)
            self.said[side].update(r.verb for r in requests)
            self.said[side].update(f"nonce {nonces.words(r)}" for r in requests if r.verb == NONCE)
            parsed = words.words.parse(
                session.state, side, session.step_name, lines, open_asks=asks, in_force=session.plans.of(side),
                guard=block.guard, guard_line=block.guard_line,
            )
            self.said[side].update(str(d["text"]) for d in parsed.directives)
            self.said[side].update(["cancel"] if any(_cancels(line) for line in lines) else [])


def _cancels(line: Line) -> bool:
    return line.text.strip().lower().startswith("cancel")
