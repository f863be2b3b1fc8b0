"""Did you mean: the nearest of the words that would have been legal."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from pbem.orders.lexer import fold

NEAR = 68
"""Likeness, of 100, from which a word is worth suggesting."""


def near(word: str, legal: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The words of ``legal`` most like ``word``, best first."""
    words = list(dict.fromkeys(legal))
    found = process.extract(fold(word)[:80], words, scorer=fuzz.WRatio, processor=fold, score_cutoff=NEAR, limit=limit)
    return tuple(name for name, _, _ in sorted(found, key=lambda f: (-f[1], f[2])))
