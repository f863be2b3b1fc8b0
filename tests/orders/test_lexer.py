"""Tokens, and what is levelled before anything is compared."""

from __future__ import annotations

import pytest

from pbem.orders.lexer import CLAUSE, OP, SEP, WORD, fold, odd_letters, tokenise, uncommented


def texts(line: str) -> list[str]:
    return [t.text for t in tokenise(line)]


@pytest.mark.parametrize(
    "line",
    [
        "move 50/1 to sortino", "  MOVE\t50/1  To   Sortino.", "move 50/1\u00a0to Sortino!", "Move 50/1 to «Sortino»",
        "move 50/1 to [Sortino]",
    ],
)
def test_case_blanks_and_punctuation_do_not_count(line: str) -> None:
    assert texts(line) == ["move", "50/1", "to", "sortino"]


@pytest.mark.parametrize("arrow", ["->", "-->", "=>", "→", ","])
def test_arrows_are_separators(arrow: str) -> None:
    tokens = tokenise(f"move 50/1{arrow}14")
    assert [t.text for t in tokens] == ["move", "50/1", ",", "14"]
    assert tokens[2].kind == SEP


def test_a_single_arrow_head_may_be_an_operator() -> None:
    assert [(t.text, t.kind) for t in tokenise("5/2 > 14")] == [("5/2", WORD), (">", OP), ("14", WORD)]


@pytest.mark.parametrize(("written", "meant"), [(">=", ">="), ("≥", ">="), ("<>", "!="), ("==", "="), ("≤", "<="), ("=", "=")])
def test_operators(written: str, meant: str) -> None:
    assert texts(f"hits{written}2") == ["hits", meant, "2"]


@pytest.mark.parametrize("dash", "‐‑‒–—−-")
def test_all_dashes_are_one(dash: str) -> None:
    assert texts(f"move 50{dash}1 to 4") == ["move", "50-1", "to", "4"]


def test_accents_apostrophes_and_wide_letters_are_levelled() -> None:
    assert fold("Canicattì") == "canicatti"
    assert fold("Sant’Agata") == fold("Sant'Agata") == "santagata"
    assert fold("ＭＯＶＥ") == "move"
    assert fold("Sor\u00adtino") == "sortino"


def test_columns_are_those_of_the_line_as_written() -> None:
    line = "  move  50/1 → Sortino"
    assert [line[t.start : t.end] for t in tokenise(line)] == ["move", "50/1", "→", "Sortino"]


def test_comments() -> None:
    assert texts("move 50/1 to 4 # for now") == ["move", "50/1", "to", "4"]
    assert texts("# move 50/1 to 4") == texts("; move 50/1 to 4") == []
    assert uncommented("a#b") == "a#b"
    assert [t.kind for t in tokenise("battle 15; point 50/1")][2] == CLAUSE


def test_a_letter_of_another_alphabet_is_named() -> None:
    assert odd_letters("sоrtino") == ["о (cyrillic small letter o)"]
    assert odd_letters("sortino") == odd_letters("москва") == []
