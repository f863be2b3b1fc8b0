"""Names: whole, in part, ambiguous, unknown."""

from __future__ import annotations

import pytest

from pbem.orders.lexer import tokenise
from pbem.orders.lexicon import Entry, Lexicon

PLACES = Lexicon(
    "area",
    [
        Entry("12", "Sortino [12]", ("12", "Sortino")),
        Entry("15", "Val di Catania [15]", ("15", "Val di Catania")),
        Entry("26", "Catania [26]", ("26", "Catania")),
        Entry("34", "Sant'Agata di Militello [34]", ("34", "Sant'Agata di Militello")),
        Entry("50-1", "50/1 50th Infantry", ("50-1", "50th Infantry 1", "50th Infantry")),
        Entry("50-2", "50/2 50th Infantry", ("50-2", "50th Infantry 2", "50th Infantry")),
    ],
)


def find(text: str) -> tuple[list[str], int]:
    found = PLACES.find(tokenise(text))
    return [e.id for e in found.entries], found.length


@pytest.mark.parametrize(
    ("text", "id", "length"),
    [
        ("12", "12", 1), ("sortino", "12", 1), ("sort", "12", 1), ("Catania", "26", 1), ("val di catania", "15", 3),
        ("val", "15", 1), ("sant agata", "34", 2), ("agata", "34", 1), ("sant'agata", "34", 1), ("50/1", "50-1", 1),
        ("50.1", "50-1", 1), ("50 1", "50-1", 2), ("50th 2", "50-2", 2), ("50th infantry 2", "50-2", 3),
        ("Sortino [12]", "12", 2), ("12 Sortino", "12", 2), ("sortino catania", "12", 1),
    ],
)  # fmt: skip
def test_one_thing_is_meant(text: str, id: str, length: int) -> None:
    assert find(text) == ([id], length)


@pytest.mark.parametrize("text", ["1", "so", "xyz", "ania", "2"])
def test_nothing_is_meant(text: str) -> None:
    assert find(text) == ([], 0)


def test_several_things_are_meant() -> None:
    assert find("50th") == (["50-1", "50-2"], 1)
    assert find("50th Infantry") == (["50-1", "50-2"], 2)


def test_suggestions_are_labels_of_like_names() -> None:
    assert PLACES.suggest("Sortno")[0] == "Sortino [12]"
    assert PLACES.suggest("qqqq") == ()
