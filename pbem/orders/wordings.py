"""Other ways to say the same: phrases of a line are put into the words that the grammar knows, before it is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pbem.orders.lexer import CLAUSE, SEP, WORD, Token

START, ANYWHERE, WHOLE = "start", "anywhere", "whole"
"""Where in a line a phrase counts."""

OPENINGS = frozenset({"please", "then", "next", "i", "we", "and", "also", "finally", "first"})
"""Words before an order that mean nothing."""

FAREWELLS = frozenset({"please", "thanks", "thx"})
"""Words behind an order that mean nothing."""


@dataclass(frozen=True)
class Phrase:
    """``said``: words, or several ways to say it, separated by '|'; ``meant``: the words that stand for it (',' and ';' are
    separators)."""

    said: str
    meant: str
    where: str = ANYWHERE

    @cached_property
    def ways(self) -> tuple[tuple[str, ...], ...]:
        """The ways to say it, the longest first."""
        return tuple(sorted((tuple(way.split()) for way in self.said.split("|")), key=len, reverse=True))


def plain(tokens: Sequence[Token], text: str, phrases: Sequence[Phrase]) -> list[Token]:
    """The tokens of the line ``text`` without numbering and courtesies, and with ``phrases`` put into plain words.  What is put
    in stands at the columns of what was said."""
    found = _bare(list(tokens), text)
    for phrase in phrases:
        found = _put(found, phrase)
    return found


def _bare(tokens: list[Token], text: str) -> list[Token]:
    if len(tokens) > 1 and tokens[0].text.isdecimal() and text[tokens[0].end - 1] in ".)" and tokens[1].kind == WORD:
        tokens = tokens[1:]
    while len(tokens) > 1 and tokens[0].text in OPENINGS and tokens[1].kind in (WORD, SEP):
        tokens = tokens[1:]
        while tokens[0].kind == SEP and len(tokens) > 1:
            tokens = tokens[1:]
    while len(tokens) > 1 and tokens[-1].text in FAREWELLS:
        tokens = tokens[:-1]
    return tokens


def _put(tokens: list[Token], phrase: Phrase) -> list[Token]:
    found, at = list[Token](), 0
    while at < len(tokens):
        length = 0 if phrase.where != ANYWHERE and at else _length(tokens, at, phrase)
        if length:
            found += [_token(word, tokens[at]) for word in phrase.meant.split()]
            at += length
        else:
            found.append(tokens[at])
            at += 1
    return found


def _length(tokens: Sequence[Token], at: int, phrase: Phrase) -> int:
    """How many tokens from ``at`` on are the phrase; 0 if they are not."""
    for way in phrase.ways:
        part = tuple(t.text for t in tokens[at : at + len(way)])
        if part == way and (phrase.where != WHOLE or len(tokens) == len(way)):
            return len(way)
    return 0


def _token(word: str, like: Token) -> Token:
    kind = {",": SEP, ";": CLAUSE}.get(word, WORD)
    return replace(like, text=word, kind=kind, raw=like.raw if kind == WORD else "")
