"""Which phase an order line is for."""

from __future__ import annotations

from pbem.games.invasion_sicily.rules.sequence import SEQUENCE
from pbem.games.invasion_sicily.words.asks import ASKED, CATALOGUE
from pbem.games.invasion_sicily.words.verbs import PHASE_WORDS, SIDE_WORDS
from pbem.orders.scopes import Scopes

SCOPES = Scopes(SEQUENCE, CATALOGUE, ASKED, PHASE_WORDS, SIDE_WORDS, fought_in=("combat",))
