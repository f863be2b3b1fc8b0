"""What is used of these words outside them (:class:`pbem.games.modular.Wording`)."""

from __future__ import annotations

from pbem.core.standing import Directive
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.words import adjusting, choosing, orders
from pbem.games.invasion_sicily.words import unused as never_used

order_words = orders.ORDER_WORDS
language = orders.LANGUAGE
adjustments = tuple(adjusting.FORMS.values())
parse = orders.parse
adjustment = adjusting.adjustment
choose = choosing.choose
unused = never_used.why


def meant(state: State, order: Directive, key: str) -> bool:
    """Whether an order is for the option of that key."""
    return key in order.choices
