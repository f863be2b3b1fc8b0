"""The pages that 'help' mails back."""

from __future__ import annotations

import pytest

from pbem.games.fab_sicily.words.orders import LANGUAGE
from pbem.orders.help import find, words
from pbem.orders.service_verbs import SERVICE
from pbem.reports.render import render, template_dir


def page(topic: str) -> str:
    found = find(topic.split(), LANGUAGE, "fab_sicily/primosole_bridge", "axis")
    return render(template_dir(), f"help/{found.template}", found.view)


TOPICS = ["", *words(LANGUAGE), *LANGUAGE.verbs.words, *SERVICE.words, *LANGUAGE.catalogue.by_name, "retreat or loss", "nonsense"]


@pytest.mark.parametrize("topic", TOPICS)
def test_every_topic_has_a_page_that_fits_a_mail(topic: str) -> None:
    text = page(topic)
    assert len(text.strip()) > 80
    assert all(len(line) <= 74 for line in text.split("\n"))


def test_the_page_of_orders_has_every_verb_with_usage_and_example() -> None:
    text = " ".join(page("orders").split())
    for verb in LANGUAGE.verbs.verbs:
        assert all(usage in text for usage in verb.usage), verb.name
        assert verb.example in text, verb.name


def test_the_pages_of_questions_have_every_kind() -> None:
    questions, standing = " ".join(page("questions").split()), " ".join(page("standing").split())
    for kind in LANGUAGE.catalogue.kinds:
        if not kind.phase_orders:
            assert f"{kind.name}: {kind.title}" in questions
            assert all(usage in questions for usage in kind.usage)
            assert kind.example in standing


def test_a_verb_a_question_and_both() -> None:
    assert "THE ORDER 'DIG'" in page("entrench")
    assert "THE QUESTION 'ABORT'" in page("abort")
    both = page("blow")
    assert "THE ORDER 'BLOW'" in both and "THE QUESTION 'BRIDGE'" in both


def test_unknown_topics_get_suggestions() -> None:
    assert "no help on 'battel'. Did you mean: battle" in page("battel")
