"""The chain and the dice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.core.dice import FIRST_BINDING, ScriptedDice, ScriptExhausted, SeededDice, seeded_face
from pbem.games.fab_sicily.rules.d10 import success
from pbem.core.journal import GENESIS, BrokenChain, Row, canonical, check_chain, seal


def rows() -> list[Row]:
    found: list[Row] = []
    for i in range(6):
        found.append(seal("g", i, 1, "event", {"n": i}, "", "2026-01-01T00:00:00Z", found[-1].hash if found else GENESIS))
    return found


def test_a_whole_chain_gives_its_head() -> None:
    assert check_chain(rows()) == rows()[-1].hash


@pytest.mark.parametrize("n", range(6))
def test_any_changed_row_is_named(n: int) -> None:
    bad = rows()
    bad[n] = replace(bad[n], payload={"n": 99})
    with pytest.raises(BrokenChain, match=f"row {n} "):
        check_chain(bad)


@pytest.mark.parametrize("n", range(5))
def test_any_dropped_or_swapped_row_is_named(n: int) -> None:
    short = rows()
    del short[n]
    with pytest.raises(BrokenChain, match=f"row {n}"):
        check_chain(short)
    swapped = rows()
    swapped[n], swapped[n + 1] = swapped[n + 1], swapped[n]
    with pytest.raises(BrokenChain, match=f"row {n}"):
        check_chain(swapped)


def test_canonical_text_is_one_text() -> None:
    assert canonical({"b": 1, "a": ["é", None, True]}) == '{"a":["é",null,true],"b":1}'


def test_faces_are_a_fixed_function_of_their_place() -> None:
    seed = bytes(32)
    first = [seeded_face(seed, "g", 1, 1, n, 10, FIRST_BINDING) for n in range(12)]
    assert first == [seeded_face(seed, "g", 1, 1, n, 10, FIRST_BINDING) for n in range(12)]
    for other in (("h", 1, 1), ("g", 2, 1), ("g", 1, 2)):
        assert first != [seeded_face(seed, *other, n, 10, FIRST_BINDING) for n in range(12)]
    assert first != [seeded_face(seed, "g", 1, 1, n, 10, "0" * 64) for n in range(12)]
    assert SeededDice(seed).commitment == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_faces_are_even() -> None:
    counts = Counter(seeded_face(b"x" * 32, "g", 1, 1, n, 10, FIRST_BINDING) for n in range(20_000))
    assert sorted(counts) == list(range(1, 11))
    assert sum((c - 2000) ** 2 / 2000 for c in counts.values()) < 27.9, "chi-square, 9 degrees of freedom, p = 0.001"


@given(st.integers(1, 100), st.integers(0, 50))
def test_faces_stay_on_the_die(sides: int, n: int) -> None:
    assert 1 <= seeded_face(b"s" * 32, "g", 1, 1, n, sides, FIRST_BINDING) <= sides


def test_scripted_dice_must_come_in_their_order() -> None:
    dice = ScriptedDice([("6.25", 3), ("", 7)])
    with pytest.raises(ScriptExhausted, match=r"6\.25"):
        dice.face("g", 1, 1, 0, 10, "", "6.26")
    assert [dice.face("g", 1, 1, n, 10, "", "6.25") for n in range(2)] == [3, 7]
    with pytest.raises(ScriptExhausted, match="none left"):
        dice.face("g", 1, 1, 2, 10, "", "6.25")


@pytest.mark.rule("fab_sicily", "2.1")
def test_a_one_always_succeeds_and_a_ten_never() -> None:
    assert success(1, -3) and not success(10, 14)
    assert success(5, 5) and not success(6, 5)
