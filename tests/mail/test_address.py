"""Addresses that are taken at the door, and those that are refused there."""

from __future__ import annotations

import pytest

from pbem.mail import headers
from pbem.mail.address import BadAddress, mailable, named

GOOD = {
    "ann@example.org": "ann@example.org",
    " Ann@Example.ORG ": "ann@example.org",
    "ann+sicily@example.org": "ann+sicily@example.org",
    "ann@exämple.org": "ann@xn--exmple-cua.org",
    "ann@例え.example.org": "ann@xn--r8jz45g.example.org",
    "o'ann@example.org": "o'ann@example.org",
    "judge@localhost": "judge@localhost",
}
BAD = [
    "", "ann", "@example.org", "ann@", "änn@example.org", "änn@exämple.org", "ann@example..org", "ann@-example.org",
    "ann@example.org.", ".ann@example.org", "ann@exam ple.org", "ann@example.org, bob@example.org", "ann@@example.org",
    "ann@example.org\nbob@example.org", "ann@example.org\r\nBcc: bob@example.org", '"ann x"@example.org', "ann@[127.0.0.1]",
    "a" * 65 + "@example.org", "ann@" + "é" * 300, "ann\u200b@example.org", "ann@example\u2028.org",
]
TWO = [
    "ann@example.org, bob@example.org", "Ann <ann@example.org>, Bob <bob@example.org>", "ann@example.org\nbob@example.org",
    "Ann <ann@example.org> <bob@example.org>", "ann@example.org bob@example.org", "Ann\r\nBcc: x <ann@example.org>",
]


@pytest.mark.parametrize(("typed", "kept"), GOOD.items())
def test_b8_an_address_is_kept_as_it_goes_on_the_line(typed: str, kept: str) -> None:
    assert mailable(typed) == kept and mailable(kept) == kept


@pytest.mark.parametrize("typed", BAD)
def test_b8_what_cannot_be_written_to_is_refused_in_one_line(typed: str) -> None:
    with pytest.raises(BadAddress) as refused:
        mailable(typed)
    assert str(refused.value).isprintable() and len(str(refused.value)) < 200


def test_b8_a_name_and_an_address_are_one_of_each() -> None:
    assert named("Ann <ann@exämple.org>") == ("Ann", "ann@xn--exmple-cua.org")
    assert named("ann@example.org") == ("", "ann@example.org")


@pytest.mark.parametrize("two", TWO)
def test_b8_two_addresses_are_none(two: str) -> None:
    with pytest.raises(BadAddress):
        named(two)


def test_b8_a_sender_is_read_as_it_is_kept() -> None:
    assert headers.addresses("Ann <Ann@Exämple.org>") == ("ann@xn--exmple-cua.org",)
    assert headers.addresses("Ann <ann@xn--exmple-cua.org>") == ("ann@xn--exmple-cua.org",)
