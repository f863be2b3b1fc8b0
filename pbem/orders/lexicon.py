"""Names and the things they name: by id, by name, or by an unambiguous part of one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pbem.orders.lexer import WORD, Token, fold
from pbem.orders.suggest import near

LONGEST_NAME = 6
"""Words of the longest name."""

SHORTEST_PART = 3
"""Letters that a shortened word must have at least."""

_JOINTS = re.compile(r"[\s./\-]+")
_APOSTROPHES = re.compile("['’]")


@dataclass(frozen=True, slots=True)
class Entry:
    """``id``: what the name stands for; ``label``: how it is shown; ``names``: all its names, the id too.

    Entries with the same ``kin`` (if not '') are as good as each other: to name them all is not ambiguous.
    """

    id: str
    label: str
    names: tuple[str, ...]
    kin: str = ""


@dataclass(frozen=True, slots=True)
class Found:
    """The entries that the first ``length`` tokens of a run can mean."""

    entries: tuple[Entry, ...]
    length: int


@lru_cache(maxsize=4096)
def level(name: str) -> str:
    """'50/1', '50.1' and '50-1' are one name; so are 'Sant'Agata' and 'santagata'."""
    return _JOINTS.sub(" ", fold(name)).strip()


class Lexicon:
    """All things of one sort ('place') that a player may name."""

    def __init__(self, sort: str, entries: Iterable[Entry]) -> None:
        self.sort = sort
        self.entries = tuple(entries)
        self._exact: dict[str, list[Entry]] = {}
        self._words: list[tuple[Entry, list[list[str]]]] = []
        for entry in self.entries:
            spelt = [s for n in entry.names for s in (n, _APOSTROPHES.sub(" ", n))]
            levelled = list(dict.fromkeys(map(level, spelt)))
            for name in levelled:
                self._exact.setdefault(name, []).append(entry)
            self._words.append((entry, [n.split() for n in levelled]))

    def find(self, run: Sequence[Token]) -> Found:
        """What the beginning of ``run`` (words without a separator) names: the longest full name, else the
        longest part of one.  No entry: unknown; several: ambiguous."""
        texts = [level(t.text) for t in run[:LONGEST_NAME]]
        for length in range(len(texts), 0, -1):
            exact = self._exact.get(" ".join(texts[:length]))
            if exact:
                return self._with_echo(tuple(exact), texts, length)
        for length in range(len(texts), 0, -1):
            words = " ".join(texts[:length]).split()
            part = tuple(e for e, names in self._words if any(_part_of(words, name) for name in names))
            if part:
                return Found(part, length)
        return Found((), 0)

    def _with_echo(self, entries: tuple[Entry, ...], texts: list[str], length: int) -> Found:
        """'14 Rome' and 'Rome [14]' say the same twice; '50th 1' cannot be told before its end."""
        names = [names for e, names in self._words if e in entries]
        while length < len(texts) and all(any(set(texts[length].split()) <= set(n) for n in ns) for ns in names):
            length += 1
        return Found(entries, length)

    def find_words(self, words: Sequence[str]) -> tuple[Entry, ...]:
        """The entries that all of ``words`` together name."""
        found = self.find([Token(w, WORD, 0, 0) for w in words])
        return found.entries if found.length == len(words) else ()

    def named(self, name: str) -> Entry | None:
        """The one entry of exactly that name."""
        exact = self._exact.get(level(name), [])
        return exact[0] if len(exact) == 1 else None

    def suggest(self, word: str) -> tuple[str, ...]:
        """Labels of the entries whose names look like ``word``."""
        by_name = {n: e.label for e in reversed(self.entries) for n in e.names}
        return tuple(dict.fromkeys(by_name[n] for n in near(word, by_name)))


def _part_of(words: list[str], name: list[str]) -> bool:
    """Every word is a word of the name or begins one, in the name's order; a number alone must come first."""
    if len(words) == 1 and words[0].isdigit():
        return words == name[:1]
    rest = iter(name)
    return all(any(_begins(word, whole) for whole in rest) for word in words)


def _begins(word: str, whole: str) -> bool:
    return word == whole or (len(word) >= SHORTEST_PART and word.isalpha() and whole.startswith(word))
