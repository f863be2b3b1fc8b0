"""No mail, however damaged, raises anything, and each gets a disposition."""

from __future__ import annotations

import csv
import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.mail.auth import authenticate
from pbem.mail.html import to_text
from pbem.mail.parse import Incoming, read
from pbem.mail.quotes import cut
from pbem.mail.typed import bare
from tests.mail.world import CASES, World, dnsfunc

MUTANTS = int(os.environ.get("PBEM_MUTANTS", "600"))
DISPOSITIONS = {"accept", "accept-with-errors", "ask-resend", "ignore-auto", "reject-auth", "quarantine"}

with (CASES / "index.csv").open(newline="", encoding="utf-8") as index:
    SMALL = [raw for row in csv.DictReader(index) if len(raw := (CASES / row["file"]).read_bytes()) < 20_000]

PIECES = [
    b"\0", b"\r", b"\n", b"\r\n\r\n", b"\xff", b"\xc3", b"<", b">", b'"', b"(", b";", b":", b"--", b"=", b"=\n", b"&#",
    b" " * 300, b"=?utf-8?q?=0A?=", b"Content-Type: multipart/mixed; boundary=b\r\n", b"Content-Type: message/rfc822\r\n",
    b"Content-Transfer-Encoding: base64\r\n", b"From: \r\n", b"charset=utf-16", b"name*", b"format=flowed; delsp=yes",
    b"\n-----BEGIN PGP SIGNED MESSAGE-----\n",
]
REPLACED = [b"utf-8", b"plain", b"quoted-printable", b"7bit", b"\r\n\r\n"]


def mutant(number: int) -> bytes:
    """One of the case mails, damaged in a few places."""
    chance = random.Random(number)
    raw = chance.choice(SMALL)
    for _ in range(chance.randint(1, 6)):
        at, to = sorted(chance.randrange(len(raw) + 1) for _ in range(2))
        raw = chance.choice(
            [
                raw[:at] + chance.choice(PIECES) + raw[at:],
                raw[:at] + raw[min(to, at + 40) :],
                raw[:to] + raw[at:to] + raw[to:],
                raw[:at] + bytes(chance.randrange(256) for _ in range(4)) + raw[at + 4 :],
                raw[:to],
                raw.replace(b"\r\n", b"\n"),
                raw.replace(chance.choice(REPLACED), chance.choice(PIECES)),
                raw[:at] + chance.choice(SMALL)[at:],
            ]
        )[:60_000] or b"\n"
    return raw


@pytest.mark.parametrize("block", range(4))
def test_mutants(block: int) -> None:
    for number in range(block, MUTANTS, 4):
        disposition, lines, reason = World().explain(mutant(number))
        assert disposition in DISPOSITIONS, (number, reason)
        assert not lines or disposition in ("accept", "accept-with-errors", "ask-resend")


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=600))
def test_any_bytes(raw: bytes) -> None:
    assert isinstance(read(raw), Incoming)
    authenticate(b"Authentication-Results: mx.example.org; " + raw, "ann@example.org", "mx.example.org", dnsfunc)


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_any_text(text: str) -> None:
    cut(text)
    to_text(text)
    line = bare(" ".join(text.split()))
    assert "\n" not in line
