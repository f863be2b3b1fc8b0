"""The check is not much dearer than its hashes, and its fast text is the protocol's text."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from pbem.audit.check import canonical_bytes, keyed
from pbem.core.journal import canonical
from tests.bench import audit

NUMBERS = st.integers(-(2**53), 2**53) | st.integers(1, 10**7).map(lambda n: n / 1000)
"""Whole numbers, and hours to the thousandth: all that a journal holds."""

WORDS = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)


@given(VALUES)
def test_the_fast_text_is_the_canonical_one(value: object) -> None:
    assert canonical_bytes(value) == canonical(value).encode()


@given(st.binary(max_size=64), st.binary())
def test_the_keyed_hash_is_hmac(key: bytes, message: bytes) -> None:
    assert keyed(key)(message) == hmac.digest(key, message, "sha256")


def test_chain_and_dice_cost_at_most_three_times_their_hashes() -> None:
    best = min(whole / bare for whole, bare in (audit.measure(5_000) for _ in range(3)))
    assert best <= 3
