"""Verb tables and the matcher that reads a line by them.

A form is a small pattern: ``move UNIT to PATH``, ``works PLACE [with CHIT=engineers]``.  Small letters are
words of the line, capitals are slots that the title reads, brackets may be left out (after ``=`` stands what
is then meant).  The same text is the usage line of the help.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from pbem.orders.lexer import CLAUSE, SEP, WORD, Token
from pbem.orders.lexicon import Entry, Lexicon

FREE = frozenset({"to", "at", "in", "into", "on", "the"})
"""Words that may stand anywhere between arguments, or be left out."""

STOPS = FREE | {"with", "from", "via", "as", "using", "then", "or", "and", "if", "for"}
"""Words that end a name."""


SHOWN = 40
"""Letters of a player's words that are repeated in a message."""


class Trouble(Exception):
    """A line cannot be read; says where (token numbers) and why."""

    def __init__(self, code: str, message: str, start: int, length: int = 1, suggestions: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code, self.message, self.start, self.length = code, message, start, length
        self.suggestions = tuple(suggestions)


@dataclass
class Reader:
    """The tokens of a line and how far they have been read."""

    tokens: Sequence[Token]
    at: int = 0
    end: int | None = None

    @property
    def stop(self) -> int:
        """Where this reader ends (a clause is read by a reader of its own)."""
        return len(self.tokens) if self.end is None else self.end

    @property
    def token(self) -> Token | None:
        """The next token."""
        return self.tokens[self.at] if self.at < self.stop else None

    def word(self) -> str:
        """The next token if it is a word, else ''."""
        token = self.token
        return token.text if token and token.kind == WORD else ""

    def take(self, *words: str) -> bool:
        """Read the next token if it is one of ``words``."""
        if self.word() in words:
            self.at += 1
            return True
        return False

    def skip_free(self) -> None:
        """Read past commas, arrows and words that do not count."""
        while self.token and (self.token.kind == SEP or self.token.text == ">" or self.token.text in FREE):
            self.at += 1

    def run(self) -> list[Token]:
        """The words from here to the next separator or stop word."""
        found = []
        for token in self.tokens[self.at : self.stop]:
            if token.kind != WORD or (token.text in STOPS):
                break
            found.append(token)
        return found

    def more(self) -> bool:
        """Whether another item of a list follows."""
        while self.token and (self.token.kind == SEP or self.token.text == ">" or self.token.text == "and"):
            self.at += 1
        return self.token is not None and self.token.kind == WORD and self.token.text not in STOPS

    def expect_end(self) -> None:
        """Nothing may be left over."""
        while self.token and self.token.kind == SEP:
            self.at += 1
        if self.token:
            raise Trouble("junk", "this is not understood after the order", self.at, self.stop - self.at)

    def missing(self, what: str) -> Trouble:
        """The trouble that ``what`` should stand here."""
        return Trouble("missing", f"missing here: {what}", self.at, 1)

    def name(self, lexicon: Lexicon) -> list[Entry]:
        """Read a name; several entries only if they are as good as each other."""
        self.skip_free()
        run = self.run()
        if not run:
            raise self.missing(lexicon.sort)
        found = lexicon.find(run)
        text = " ".join(t.raw for t in run)[:SHOWN]
        if not found.entries:
            like = lexicon.suggest(text)
            topic = "questions" if lexicon.sort == "question" else "names"
            said = f"no {lexicon.sort} is called '{text}'" + ("" if like else f"; 'help {topic}' tells how to name them")
            raise Trouble("unknown", said, self.at, len(run), like)
        if len(found.entries) > 1 and (not found.entries[0].kin or len({e.kin for e in found.entries}) > 1):
            said = " ".join(t.raw for t in run[: found.length])
            raise Trouble(
                "ambiguous", f"'{said}' can be {_either(found.entries)}: which {lexicon.sort}?", self.at, found.length
            )
        self.at += found.length
        return list(found.entries)


def _either(entries: Sequence[Entry], most: int = 6) -> str:
    labels = list(dict.fromkeys(e.label for e in entries))
    shown = labels[:most] + [f"{len(labels) - most} others"] * (len(labels) > most)
    return " or ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else shown[0]


Slot = Callable[[Reader], str]
"""Reads one argument and gives its canonical text."""


@dataclass(frozen=True)
class Form:
    """One shape of an order, and the kinds of question it answers."""

    text: str
    kinds: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The pattern, taken apart."""
        parts, last = _parts(re.findall(r"\[|\]|[^\s\[\]]+", self.text), 0)
        assert last == len(re.findall(r"\[|\]|[^\s\[\]]+", self.text)), self.text
        return tuple(parts)

    @property
    def usage(self) -> str:
        """The pattern as the help shows it."""
        return re.sub(r"=\S+?(?=[\s\]]|$)", "", self.text)


@dataclass(frozen=True)
class Part:
    """A word, a slot (capitals) or a bracketed group of a form."""

    text: str = ""
    default: str = ""
    group: tuple[Part, ...] = ()

    @property
    def slot(self) -> bool:
        """Whether the title must read it."""
        return self.text.isupper()


def _parts(pieces: list[str], at: int) -> tuple[list[Part], int]:
    found: list[Part] = []
    while at < len(pieces) and pieces[at] != "]":
        if pieces[at] == "[":
            inner, at = _parts(pieces, at + 1)
            found.append(Part(group=tuple(inner)))
        else:
            text, _, default = pieces[at].partition("=")
            found.append(Part(text, default))
        at += 1
    return found, at


def read(form: Form, reader: Reader, slots: Mapping[str, Slot]) -> str:
    """Read a whole order by ``form`` and give its canonical text; :class:`Trouble` if it does not fit."""
    words = _read(form.parts, reader, slots)
    reader.expect_end()
    return " ".join(words)


def _read(parts: Sequence[Part], reader: Reader, slots: Mapping[str, Slot]) -> list[str]:
    words: list[str] = []
    for part in parts:
        if part.group:
            words += _read_group(part.group, reader, slots)
        elif part.slot:
            reader.skip_free()
            words.append(slots[part.text](reader))
        else:
            _literal(part.text, reader)
            words.append(part.text)
    return words


def _literal(word: str, reader: Reader) -> None:
    if word in FREE:
        reader.skip_free()
    elif not reader.take(word):
        raise Trouble("missing", f"'{word}' is expected here", reader.at)


def _read_group(group: Sequence[Part], reader: Reader, slots: Mapping[str, Slot]) -> list[str]:
    opener = group[0]
    if opener.slot or opener.text in FREE:
        before = reader.at
        reader.skip_free()
        if reader.run():
            return _read(group, reader, slots)
        reader.at = before
    else:
        while reader.token and reader.token.kind == SEP:
            reader.at += 1
        if reader.word() == opener.text:
            return _read(group, reader, slots)
    if any(p.default for p in group):
        return [p.default or p.text for p in group]
    return []


def read_first(
    forms: Sequence[Form], tokens: Sequence[Token], at: int, slots: Mapping[str, Slot], end: int | None = None
) -> tuple[Form, str]:
    """The first form that fits, with its canonical text; else the trouble that got furthest."""
    worst: Trouble | None = None
    for form in forms:
        reader = Reader(tokens, at, end)
        try:
            return form, read(form, reader, slots)
        except Trouble as trouble:
            if worst is None or trouble.start > worst.start:
                worst = trouble
    assert worst is not None
    raise worst


@dataclass(frozen=True)
class Verb:
    """One order word: its forms, an example, and one sentence on what it does."""

    name: str
    forms: tuple[Form, ...]
    example: str
    help: str
    rule: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def usage(self) -> tuple[str, ...]:
        """Its forms as the help shows them."""
        return tuple(f.usage for f in self.forms)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of question that its forms answer."""
        return tuple(dict.fromkeys(k for f in self.forms for k in f.kinds))


@dataclass(frozen=True)
class VerbTable:
    """All verbs of one language."""

    verbs: tuple[Verb, ...]
    _by_word: Mapping[str, Verb] = field(init=False)

    def __post_init__(self) -> None:
        by_word: dict[str, Verb] = {}
        for verb in self.verbs:
            for word in (verb.name, *verb.aliases):
                assert word not in by_word, f"two verbs are called {word}"
                by_word[word] = verb
        object.__setattr__(self, "_by_word", by_word)

    def find(self, word: str) -> Verb | None:
        """The verb of that name or alias."""
        return self._by_word.get(word)

    @property
    def words(self) -> tuple[str, ...]:
        """All names and aliases."""
        return tuple(self._by_word)


def clauses(tokens: Sequence[Token], start: int) -> list[tuple[int, int]]:
    """The stretches between ``;`` from token ``start`` on, as (first, past the last); empty ones left out."""
    found, first = [], start
    for i, token in enumerate([*tokens[start:], Token(";", CLAUSE, 0, 0)], start):
        if token.kind == CLAUSE:
            if i > first:
                found.append((first, i))
            first = i + 1
    return found


def first_clause(tokens: Sequence[Token]) -> list[Token]:
    """The tokens before the first ``;``: what follows it is a comment, but in verbs that have clauses."""
    return list(tokens[: next((i for i, t in enumerate(tokens) if t.kind == CLAUSE), len(tokens))])


