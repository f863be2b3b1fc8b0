"""Standing orders: ``when KIND [at WHERE, ...] [if FACT OP VALUE [and ...]] then CHOICE [or CHOICE ...]``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pbem.core.standing import STANDING, Test
from pbem.orders.catalogue import ALWAYS, NUMBER, PLACE, AskKind, Catalogue
from pbem.orders.drafts import Draft
from pbem.orders.grammar import Reader, Slot, Trouble, read_first
from pbem.orders.lexer import OP, Token
from pbem.orders.suggest import near

_WORD_OPERATORS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("at", "least"), ">="), (("at", "most"), "<="), (("more", "than"), ">"), (("less", "than"), "<"),
    (("fewer", "than"), "<"), (("not",), "!="), (("over",), ">"), (("under",), "<"), (("is",), "="),
)

Wheres = Callable[[Reader, AskKind], list[tuple[str, tuple[Test, ...]]]]
"""Reads one place of an ``at`` list: the ``where`` of directives and the tests that go with it."""


@dataclass
class Condition:
    """``when`` to ``if`` of a standing order, read."""

    kind: AskKind
    wheres: list[tuple[str, tuple[Test, ...]]]
    tests: tuple[Test, ...]
    text: str


def read_choice(
    kind: AskKind, tokens: Sequence[Token], at: int, slots: Mapping[str, Slot], end: int
) -> str:
    """One choice of a question in canonical words."""
    words = [t.text for t in tokens[at:end]]
    if len(words) == 1 and words[0] in (*ALWAYS, *kind.tags):
        return words[0]
    if len(words) == 1 and words[0] in ("yes", "no") and kind.yes:
        return kind.yes if words[0] == "yes" else kind.no
    if len(words) == 1 and words[0] in ("pass", "done") and kind.closing:
        return kind.closing
    if len(words) == 2 and words[1] in kind.tags and words[0] in kind.openers:
        return words[1]
    if not words:
        raise Trouble("missing", f"a choice is missing here: {choices_in_words(kind)}", at)
    try:
        return read_first(kind.choices, tokens, at, slots, end)[1]
    except Trouble as trouble:
        if trouble.start > at:
            raise
        said = f"'{words[0]}' does not answer {kind.name}: {choices_in_words(kind)}"
        raise Trouble("choice", said, at, 1, near(words[0], [*kind.openers, *kind.tags])) from None


def choices_in_words(kind: AskKind) -> str:
    """'blow, leave' or 'lose WHO, strongest, weakest'."""
    return ", ".join([*kind.usage, *kind.tags])


def read_standing(
    tokens: Sequence[Token], at: int, catalogue: Catalogue, slots: Mapping[str, Slot], wheres: Wheres
) -> tuple[list[Draft], str]:
    """The directives of one standing order (from token ``at`` on) and its canonical text."""
    reader = Reader(tokens, at)
    reader.take("when", "on", "for")
    entry = reader.name(catalogue.names)[0]
    condition = _condition(reader, catalogue[entry.id], slots, wheres)
    if not reader.take("then", "do", ":"):
        raise Trouble("missing", "'then' and a choice are expected here", reader.at)
    choices = _choices(reader, condition.kind, slots)
    text = f"standing when {condition.kind.name}{condition.text} then {' or '.join(choices)}"
    drafts = [
        Draft(condition.kind.name, tuple(choices), STANDING, where, (*tests, *condition.tests))
        for where, tests in condition.wheres
    ]
    return drafts, text


def _condition(reader: Reader, kind: AskKind, slots: Mapping[str, Slot], wheres: Wheres) -> Condition:
    found: list[tuple[str, tuple[Test, ...]]] = []
    if reader.take("at", "in", "near"):
        if not kind.where:
            raise Trouble("nowhere", f"{kind.name} is not asked about a place: leave out 'at'", reader.at - 1)
        while not found or reader.take("or") or reader.more():
            found += wheres(reader, kind)
    tests: list[Test] = []
    if reader.take("if", "while"):
        tests.append(_test(reader, kind, slots))
        while reader.take("and"):
            tests.append(_test(reader, kind, slots))
        if reader.word() == "or":
            raise Trouble("or", "conditions cannot be joined by 'or': write one standing order for each", reader.at)
    found = list(dict.fromkeys(found))
    text = f" at {', '.join(_where_words(found))}" if found else ""
    text += f" if {' and '.join(f'{t.fact} {t.op} {t.value}' for t in tests)}" if tests else ""
    return Condition(kind, found or [("", ())], tuple(tests), text)


def _where_words(found: Sequence[tuple[str, tuple[Test, ...]]]) -> list[str]:
    return [where or str(tests[0].value) for where, tests in found]


def _test(reader: Reader, kind: AskKind, slots: Mapping[str, Slot]) -> Test:
    fact = reader.word()
    if fact not in kind.facts:
        known = ", ".join(kind.facts) or "nothing"
        said = f"'{fact}' is not known when {kind.name} is asked; known: {known}"
        raise Trouble("fact", said, reader.at, 1, near(fact, kind.facts))
    reader.at += 1
    op = _operator(reader)
    sort = kind.facts[fact]
    word, at = reader.word(), reader.at
    if sort == PLACE:
        return Test(fact, op, slots["PLACE"](reader))
    reader.at += 1
    if sort == NUMBER:
        if not word.isdecimal():
            raise Trouble("number", f"a number is expected here: '{fact} {op} 2'", at)
        return Test(fact, op, int(word))
    if word not in sort:
        raise Trouble("value", f"'{fact}' is one of {', '.join(sort)}", at, 1, near(word, sort))
    return Test(fact, op, word)


def _operator(reader: Reader) -> str:
    token = reader.token
    if token and token.kind == OP:
        reader.at += 1
        return token.text
    if reader.word() == "is" and reader.at + 1 < reader.stop:
        reader.at += 1
    for words, op in _WORD_OPERATORS:
        have = [t.text for t in reader.tokens[reader.at : min(reader.stop, reader.at + len(words))]]
        if have == list(words):
            reader.at += len(words)
            return op
    if reader.at and reader.tokens[reader.at - 1].text == "is":
        return "="
    raise Trouble("operator", "one of = != < <= > >= is expected here", reader.at)


def _choices(reader: Reader, kind: AskKind, slots: Mapping[str, Slot]) -> list[str]:
    found: list[str] = []
    start = reader.at
    for at in range(reader.at, reader.stop + 1):
        if at == reader.stop or reader.tokens[at].text in ("or", "else"):
            choice = read_choice(kind, reader.tokens, start, slots, at)
            if choice not in found:
                found.append(choice)
            start = at + 1
    return found
