"""Which phase an order line is for."""

from __future__ import annotations

from pbem.games.fab_sicily.rules.sequence import SEQUENCE
from pbem.games.fab_sicily.words.asks import ASKED, CATALOGUE
from pbem.games.fab_sicily.words.verbs import PHASE_WORDS, SIDE_WORDS
from pbem.orders.scopes import Scopes, phase_of

SCOPES = Scopes(
    SEQUENCE, CATALOGUE, ASKED, PHASE_WORDS, SIDE_WORDS, fought_in=("combat", "breakthrough-combat", "drop"),
    halves={"admin": "counter-admin"},
)


def find_battle(start: str, dropped: bool) -> str:
    """The next Combat or Breakthrough Combat Phase of the player turn, or, where airborne units ``dropped``, the drop
    that is being played; a drop or a flank invasion yet to come is planned under ``phase``."""
    if phase_of(start) == "drop" and dropped:
        return start
    return next((step for step in SCOPES.player_turn(start) if phase_of(step) in ("combat", "breakthrough-combat")), "")
