"""Did you mean: the nearest of the words that would have been legal."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.orders.lexer import fold

NEAR = 68
"""Likeness, of 100, from which a word is worth suggesting."""

WHOLE = 45
"""Likeness that the letters of both must have as a whole, however like a part of them is: 'NAP-1' is not '5-1'."""


FIGURES = 80
"""The same where the player wrote figures alone: any two numbers are somewhat alike."""


def _letters(text: str) -> str:
    """The letters of ``text``; all of it if there are none."""
    return "".join(c for c in text if c.isalpha()) or text


def near(word: str, legal: Iterable[str], limit: int = 3) -> tuple[str, ...]:
    """The words of ``legal`` most like ``word``, best first."""
    from rapidfuzz import fuzz, process  # only mistakes need it

    words = list(dict.fromkeys(legal))
    said = fold(word)[:80]
    found = process.extract(said, words, scorer=fuzz.WRatio, processor=fold, score_cutoff=NEAR, limit=3 * limit)
    least = WHOLE if any(c.isalpha() for c in said) else FIGURES
    alike = [f for f in found if fuzz.ratio(_letters(said), _letters(fold(f[0]))) >= least]
    return tuple(name for name, _, _ in sorted(alike, key=lambda f: (-f[1], f[2]))[:limit])
