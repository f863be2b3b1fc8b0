"""What is used of these words outside the title (:class:`pbem.games.contract.Words`)."""

from __future__ import annotations

from pbem.games.invasion_sicily.words import adjusting, orders

order_words = orders.ORDER_WORDS
language = orders.LANGUAGE
adjustments = tuple(adjusting.FORMS.values())
parse = orders.parse
adjustment = adjusting.adjustment
