"""Cuts an order line into tokens that remember their columns.

Case, accents, apostrophes, runs of blanks, brackets and trailing punctuation do not count; the many
dashes and arrows that mail programs make are one dash and one arrow.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

WORD, SEP, CLAUSE, OP = "word", "sep", "clause", "op"

LONGEST = 1000
"""Longer lines are refused unread."""

_ARROWS = ("-->", "==>", "->", "=>", "→", "➔", "➜", "⇒")
_OPERATORS = (">=", "<=", "!=", "<>", "==", "≥", "≤", "≠", "=", "<", ">")
_SAME = {"≥": ">=", "≤": "<=", "≠": "!=", "<>": "!=", "==": "="}
_DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
_DROPPED = dict.fromkeys(map(ord, "'’‘`´\"“”«»‹›\u00ad\u200b\u200c\u200d\u2060\ufeff"), "")
_PIECE = re.compile(
    "|".join(re.escape(a) for a in (*_ARROWS, *_OPERATORS)) + r"|[,;&]|(?:(?!-->|==>|->|=>)[^\s,;&<>=!≥≤≠→➔➜⇒]|!(?!=))+"
)


@dataclass(frozen=True, slots=True)
class Token:
    """``text`` is folded, ``raw`` as written; ``start`` and ``end`` are columns of the line, from 0."""

    text: str
    kind: str
    start: int
    end: int
    raw: str = ""


def fold(text: str) -> str:
    """Compatibility forms, case, accents, apostrophes and kinds of dash are levelled."""
    if text.isascii():
        return text.translate(_DROPPED).lower()
    plain = unicodedata.normalize("NFKD", text.translate(_DASHES).translate(_DROPPED))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold().translate(_DASHES)


def tokenise(text: str) -> list[Token]:
    """The tokens of a line, without its comment.

    A word keeps its inner '-', '/', '.' and '|'.  An arrow, '&' and a '+' by itself are the word separator ``,``; ``>`` is
    an operator, which the grammar takes for an arrow where no comparison can stand.
    """
    return list(_tokens(text))


@lru_cache(maxsize=1024)
def _tokens(text: str) -> tuple[Token, ...]:
    """A mail's lines are looked at several times on their way."""
    found: list[Token] = []
    for piece in _PIECE.finditer(uncommented(text)):
        raw, start = piece.group(), piece.start()
        if raw in _ARROWS or raw in (",", "&", "+"):
            found.append(Token(",", SEP, start, piece.end()))
        elif raw == ";":
            found.append(Token(raw, CLAUSE, start, piece.end()))
        elif raw in _OPERATORS:
            found.append(Token(_SAME.get(raw, raw), OP, start, piece.end()))
        else:
            found += _word(raw, start)
    return tuple(found)


def _word(raw: str, start: int) -> list[Token]:
    text = fold(raw)
    text = text.strip("()[]{}").rstrip(".!?:").strip("()[]{}*")
    if not any(c.isalnum() for c in text):
        return []
    return [Token(text, WORD, start, start + len(raw), raw.strip("()[]{}"))]


def uncommented(text: str) -> str:
    """The line up to a ``#`` that stands at its start or after a blank; '' for a line that starts with ``;``."""
    if text.lstrip().startswith(";"):
        return ""
    return re.split(r"(?:^|(?<=\s))#", text, maxsplit=1)[0]


def odd_letters(text: str) -> list[str]:
    """Letters of other alphabets in a word that also has Latin ones: 'о (CYRILLIC SMALL LETTER O)'."""
    letters = [c for c in text if c.isalpha()]
    latin = [c for c in letters if unicodedata.name(c, "").startswith("LATIN")]
    if not latin:
        return []
    return [f"{c} ({unicodedata.name(c, 'unknown').lower()})" for c in dict.fromkeys(letters) if c not in latin]
