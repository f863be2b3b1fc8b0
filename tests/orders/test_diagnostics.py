"""What a player is shown of a wrong line."""

from __future__ import annotations

from pbem.orders.diagnostics import ERROR, REFUSED, Diagnostic
from pbem.orders.source import Line
from pbem.orders.suggest import near


def test_line_caret_rule_and_suggestion() -> None:
    line = Line(7, "move 50/1 to Sortno")
    text = Diagnostic(REFUSED, line, 13, 6, "x", "no place is called 'Sortno'", "5.22", ("Sortino [12]",)).render()
    assert text.split("\n") == [
        "   7  move 50/1 to Sortno",
        "                   ^^^^^^",
        "      refused: no place is called 'Sortno' [5.22]",
        "      did you mean: Sortino [12]?",
    ]


def test_a_caret_past_the_end() -> None:
    assert Diagnostic(ERROR, Line(1, "move 50/1 to"), 12, 1, "x", "missing").render().split("\n")[1] == " " * 18 + "^"


def test_long_lines_are_shortened_around_the_mark() -> None:
    text = "hold " + "x" * 900 + " here " + "y" * 900
    for column in (0, 5, 500, 906, 1700):
        shown = Diagnostic(ERROR, Line(12, text), column, 4, "x", "w" * 300).render()
        assert all(len(line) <= 76 for line in shown.split("\n"))
        source, caret = shown.split("\n")[:2]
        assert caret.index("^") < len(source)
    middle = Diagnostic(ERROR, Line(12, text), 906, 4, "x", "m").render().split("\n")
    assert middle[0][middle[1].index("^") :].startswith("here")


def test_control_characters_are_not_repeated() -> None:
    assert "\x07" not in Diagnostic(ERROR, Line(1, "mo\x07ve"), 0, 1, "x", "m").render()


def test_only_like_words_are_suggested() -> None:
    assert near("mvoe", ["move", "battle", "dig"]) == ("move",)
    assert near("feint", ["move", "battle", "dig"]) == ()
