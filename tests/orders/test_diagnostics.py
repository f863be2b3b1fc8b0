"""What may have been meant."""

from __future__ import annotations

from pbem.orders.suggest import near


def test_only_like_words_are_suggested() -> None:
    assert near("mvoe", ["move", "battle", "dig"]) == ("move",)
    assert near("feint", ["move", "battle", "dig"]) == ()
