"""Questions: their options are made one by one, as far as somebody looks."""

import re
from collections.abc import Iterator

import pytest

from pbem.core.asks import Ask, Option, Refusal, pick

DONE = Option("done")


def ask(*keys: str, closing: Option | None = None) -> tuple[Ask, list[str]]:
    """A question with these options, and the keys made so far."""
    made: list[str] = []

    def make() -> Iterator[Option]:
        for key in keys:
            made.append(key)
            yield Option(key, tags=("last",) if key == keys[-1] else ())

    return Ask("left", "add", "1.1", "1 turn", make, keys[0] if keys else "done", closing=closing), made


def test_only_as_many_options_are_made_as_somebody_looks_at() -> None:
    question, made = ask("a", "b", "c", "d")
    assert question.only is None and made == ["a", "b"]
    assert question.option("c") == Option("c") and made == ["a", "b", "c"]
    assert pick(question, "a") == Option("a") and made == ["a", "b", "c"]
    assert [o.key for o in question.options] == ["a", "b", "c", "d"] == made
    assert question.options is question.options and made == ["a", "b", "c", "d"], "never made twice"


def test_the_closing_option_comes_last_and_costs_nothing_to_find() -> None:
    question, made = ask("a", "b", closing=DONE)
    assert pick(question, "done") == DONE and not made
    assert question.only is None and made == ["a"]
    assert [o.key for o in question.options] == ["a", "b", "done"]


def test_the_one_option_there_is() -> None:
    assert ask("a")[0].only == Option("a", tags=("last",))
    assert ask(closing=DONE)[0].only == DONE


def test_a_question_without_an_option_is_a_fault() -> None:
    for look in (lambda q: q.only, lambda q: q.options):
        with pytest.raises(ValueError, match="has no option"):
            look(ask()[0])


def test_a_choice_is_a_key_then_a_tag_and_case_and_blanks_do_not_count() -> None:
    question, _ = ask("move 50-1 to 12", "b", "c")
    assert pick(question, " Move  50-1 TO 12") == question.options[0]
    assert pick(question, "last") == question.options[2] and pick(question, "first") == question.options[0]
    assert isinstance(pick(question, "z"), Refusal)


def test_a_question_that_looks_options_up_makes_none_of_the_others() -> None:
    question, made = ask(*(f"move {n} to {m}" for n in range(200) for m in range(200)), closing=DONE)

    def lookup(text: str) -> Option | None:
        found = re.fullmatch(r"move (\d+) to (\d+)", text)
        return Option(text) if found and int(found[1]) < 200 and int(found[2]) < 200 else None

    question.lookup = lookup
    question.default = "move 199 to 199"
    assert pick(question, " MOVE 7  to 190") == Option("move 7 to 190") and question.option("done") == DONE
    assert isinstance(pick(question, "move 7 to 200"), Refusal) and isinstance(pick(question, "anything"), Refusal)
    assert pick(question, "default") == Option("move 199 to 199") and not made
    assert pick(question, "first") == Option("move 0 to 0") and question.only is None and made == ["move 0 to 0"]
