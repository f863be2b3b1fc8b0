"""The world the case mails assume: who plays, which orders there are, what becomes of a mail.

A small stand-in for intake: it decides on extraction, identity and form alone, never on the position.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from pbem.mail import auth
from pbem.mail.parse import QUARANTINE, Incoming, Limits, read
from pbem.mail.typed import bare
from pbem.orders.source import OrderBlock, blocks

CASES = Path(__file__).parent / "cases"
DNS = json.loads((CASES / "dkim_dns.json").read_text())
SEATS: dict[str, dict[str, tuple[str, ...]]] = {
    "alice@example.org": {"primosole-1": ("50.1", "5.2", "51.1")},
    "bob@example.org": {"primosole-1": ()},
}
TOWNS = ("sortino", "lentini", "augusta", "carlentini", "catania")
VERBS = ("move", "hold")


def dnsfunc(name: bytes, timeout: int = 5) -> bytes | None:
    """TXT records from the fixture file."""
    found = DNS.get(name.decode())
    return found.encode() if found else None


@dataclass
class World:
    """Remembers what was taken, for duplicates."""

    policy: str = "dkim"
    limits: Limits = Limits()
    known: dict[str, str] = field(default_factory=dict)

    def explain(self, raw: bytes) -> tuple[str, list[str], str]:
        """(disposition, order lines, reason) of one mail."""
        incoming = read(raw, self.limits)
        if incoming.auto:
            return "ignore-auto", [], incoming.auto
        verdict = auth.judge(
            incoming, raw, policy=self.policy, authserv_id="mx.example.org", dnsfunc=dnsfunc, seat_addresses=SEATS
        )
        if not verdict.ok:
            return verdict.disposition, [], verdict.reason
        if incoming.problem:
            return ("quarantine" if incoming.problem in QUARANTINE else "ask-resend"), [], incoming.problem
        if incoming.message_id and incoming.message_id in self.known:
            same = self.known[incoming.message_id] == incoming.body_digest
            return ("ignore-auto" if same else "quarantine"), [], "the same Message-ID again"
        if incoming.message_id:
            self.known[incoming.message_id] = incoming.body_digest
        return self.orders(incoming, verdict.sender)

    def orders(self, incoming: Incoming, sender: str) -> tuple[str, list[str], str]:
        found = blocks(incoming.text, VERBS).blocks
        lines = [line for block in found for line in _lines(block)]
        tag = re.match(r".*\[([\w.-]+)\]", incoming.subject)
        tagged = tag.group(1).lower() if tag else ""
        games = [block.game or tagged for block in found]
        if not found:
            return "ask-resend", [], "no orders"
        if len(set(games)) < len(games):
            return "ask-resend", [], "two different blocks for one game"
        if not all(block.ended for block in found):
            return "ask-resend", lines, "no end"
        seats = SEATS[sender]
        if not any(game in seats for game in games):
            return "ask-resend", lines, "no such game"
        if tagged and found[0].game and found[0].game != tagged:
            return "ask-resend", lines, "subject and body name different games"
        units = seats.get(games[0], ())
        wrong = [line.text for block in found for line in block.lines if not _order(bare(line.text).lower(), units)]
        strange = [game for game in games if game not in seats]
        return ("accept-with-errors" if wrong or strange else "accept"), lines, "; ".join(wrong + strange)[:200]


def _lines(block: OrderBlock) -> list[str]:
    lines = [f"game {block.game}"] if block.game else []
    lines += [f"turn {block.guard}"] if block.guard else []
    return lines + [bare(line.text).lower() for line in block.lines] + (["end"] if block.ended else [])


def _order(line: str, units: tuple[str, ...]) -> bool:
    words = line.split()
    if words[0] == "hold":
        return len(words) == 2 and words[1] in units
    return len(words) == 4 and words[0] == "move" and words[1] in units and words[2] == "to" and words[3] in TOWNS
