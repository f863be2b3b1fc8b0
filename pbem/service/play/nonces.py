"""A player's own part in the dice: a line 'nonce' and any words in his first mail (deploy/DICE.md).

The host is bound to his seed before he can know the words, and the player gives them before he can know the seed.  So each side
can give one nonce while nothing of its own is locked, and once more after a new seed was drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.orders.service_verbs import ServiceRequest
from pbem.service.club import members
from pbem.service.mailroom import secrets
from pbem.service.play.game_session import GameSession

SHORTEST, LONGEST = 8, 200
"""Characters of a nonce."""


def words(request: ServiceRequest) -> str:
    """What a line 'nonce …' gives."""
    return " ".join(request.line.text.split()[1:])


def give(play: GameSession, side: str, asked: Sequence[ServiceRequest], source: str, *, trial: bool = False) -> list[str]:
    """Put the nonce of a mail into the dice; gives what to tell its sender.  ``trial``: nothing is done."""
    if not asked:
        return []
    nonce, shown = words(asked[0]), asked[0].line.text[:40]
    if why := _objection(play, side, nonce, len(asked)):
        return [f"Not done, '{shown}': {why}."]
    if trial:
        return [f"'{shown}' is only tried here: no nonce is given."]
    row = play.session.give_nonce(side, nonce, source)
    return [
        f"Your nonce has a part in every die from now on: '{nonce}'. Row {row.seq} of the journal has the SHA-256 of the seed"
        f" with it: {row.payload['mixed']}"
    ]


def _addresses(play: GameSession, side: str) -> tuple[str, ...]:
    holder = members.holder(play.context, play.seats[side])
    return holder.addresses if holder else (play.seats[side].address,)


def _objection(play: GameSession, side: str, nonce: str, count: int) -> str:
    """Why no nonce can be taken; '' if it can."""
    if play.session.over:
        return "the game is over"
    if count > 1:
        return "a mail gives one nonce"
    if not SHORTEST <= len(nonce) <= LONGEST or not nonce.isprintable():
        return f"a nonce has {SHORTEST} to {LONGEST} characters; twenty letters that mean nothing are as good as any"
    if secrets.without(play.context, _addresses(play, side), nonce) != nonce:
        return "it holds a secret word of yours, and the other side reads it"
    if any(given == side for given, _ in play.session.nonces):
        return "you have given one, and it counts"
    kept = list(play.context.store.journal.rows(play.game.id, kinds=("orders", "control")))
    drawn = max((i for i, r in enumerate(kept) if "commitment" in r.payload), default=-1)
    mine = [r for r in kept[drawn + 1 :] if r.payload.get("side") == side]
    if any(r.kind == "orders" or r.payload.get("ready") for r in mine):
        return "it comes with your first mail that holds orders, or before it: you have had your say already"
    return ""
