"""Forms and the matcher."""

from __future__ import annotations

import pytest

from pbem.orders.grammar import Form, Reader, Trouble, Verb, VerbTable, clauses, first_clause, read, read_first
from pbem.orders.lexer import tokenise
from pbem.orders.lexicon import Entry, Lexicon

THINGS = Lexicon("thing", [Entry(n, n, (n,)) for n in ("ann", "bob", "cup", "hat")])
KIN = Lexicon("cup", [Entry(f"c{i}", f"cup {i}", (f"c{i}", "cup"), "cups") for i in (1, 2)])
SLOTS = {"WHO": lambda r: r.name(THINGS)[0].id, "CUP": lambda r: "|".join(e.id for e in r.name(KIN))}
GIVE = Form("give WHO to WHO [with CUP=any]", ("giving",))


def given(line: str, form: Form = GIVE) -> str:
    return read(form, Reader(tokenise(line)), SLOTS)


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("give hat to ann", "give hat to ann with any"), ("give hat > ann", "give hat to ann with any"),
        ("give hat, ann", "give hat to ann with any"), ("give hat ann with c2", "give hat to ann with c2"),
        ("give hat ann, with cup", "give hat to ann with c1|c2"),
    ],
)  # fmt: skip
def test_a_form_is_read_into_its_canonical_text(line: str, text: str) -> None:
    assert given(line) == text


@pytest.mark.parametrize(
    ("line", "code", "start"),
    [
        ("give hat to zoe", "unknown", 3), ("give hat", "missing", 2), ("give hat to", "missing", 3),
        ("give hat to ann tomorrow", "junk", 4), ("give hat to ann with", "missing", 5), ("take hat to ann", "missing", 0),
    ],
)  # fmt: skip
def test_trouble_says_where(line: str, code: str, start: int) -> None:
    with pytest.raises(Trouble) as caught:
        given(line)
    assert (caught.value.code, caught.value.start) == (code, start)


def test_the_form_that_got_furthest_explains() -> None:
    with pytest.raises(Trouble, match="zoe"):
        read_first([Form("give WHO now"), Form("give WHO to WHO")], tokenise("give hat to zoe"), 0, SLOTS)


def test_ambiguous_names_list_what_they_can_mean() -> None:
    two = Lexicon("hat", [Entry("h1", "red hat", ("hat",)), Entry("h2", "blue hat", ("hat",))])
    with pytest.raises(Trouble, match="'hat' can be red hat or blue hat: which hat"):
        Reader(tokenise("hat")).name(two)


def test_usage_hides_defaults() -> None:
    assert GIVE.usage == "give WHO to WHO [with CUP]"


def test_clauses() -> None:
    tokens = tokenise("battle 15 with x; point y;; abort")
    assert [" ".join(t.text for t in tokens[a:b]) for a, b in clauses(tokens, 1)] == ["15 with x", "point y", "abort"]
    assert len(first_clause(tokens)) == 4


def test_no_word_belongs_to_two_verbs() -> None:
    with pytest.raises(AssertionError, match="two verbs are called b"):
        VerbTable((Verb("a", (), "", "", "", ("b",)), Verb("b", (), "", "")))
