"""Who sent a mail: the four policies, and ways past them that must not work."""

from __future__ import annotations

from pathlib import Path

import pytest
from dkim import dkim_sign

from pbem.mail.auth import Verdict, authenticate, judge
from pbem.mail.parse import read

SEATS = ("ann@example.org", "bob@example.org")
BODY = b"game p1\r\nmove 50-1 to 14\r\nend\r\n"
MX = "mx.example.org"
KEYS = Path(__file__).parent / "keys"


@pytest.fixture(scope="module")
def key() -> tuple[bytes, bytes]:
    """A private key and the TXT record of its public half."""
    return (KEYS / "dkim.pem").read_bytes(), (KEYS / "dkim.txt").read_bytes().strip()


def mail(results: str = "", sender: str = "Ann <ann@example.org>", extra: str = "") -> bytes:
    top = f"Authentication-Results: {results}\r\n" if results else ""
    head = f"From: {sender}\r\nTo: judge@example.org\r\nSubject: Re: [p1]\r\nDate: Sat, 14 Mar 2026 09:15:00 +0000\r\n{extra}"
    return top.encode() + head.encode() + b"Message-ID: <a@example.org>\r\n\r\n" + BODY


def decide(raw: bytes, policy: str = "dkim", token: bool = False, dns: object = None) -> Verdict:
    return judge(
        read(raw), raw, policy=policy, authserv_id=MX, dnsfunc=dns, seat_addresses=SEATS, token_ok=token  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("results", "disposition"),
    [
        ("mx.example.org; dmarc=pass header.from=example.org", "accept"),
        ("MX.Example.Org 1; dmarc=pass header.from=example.org;", "accept"),
        ("mx.example.org; dkim=pass header.d=example.org", "accept"),
        ("mx.example.org; dkim=pass header.i=@example.org; dmarc=none header.from=example.org", "accept"),
        ("mx.example.org; dkim=fail header.d=other.example; dkim=pass header.d=example.org", "accept"),
        ("mx.example.org; dmarc=pass header.from=mailer.example.org", "quarantine"),
        ("mx.example.org; dmarc=pass header.from=example.org; dmarc=fail header.from=example.org", "reject-auth"),
        ("mx.example.org; dkim=pass header.d=example.org; dkim=fail header.d=example.org", "reject-auth"),
        ("mx.example.org; dkim=pass header.d=org", "reject-auth"),
        ("mx.example.org; dkim=pass header.d=ample.org", "reject-auth"),
        ("mx.example.org; dkim=pass header.d=mailer.example.org", "reject-auth"),
        ("mx.example.org; spf=fail smtp.mailfrom=ann@example.org; dkim=none", "reject-auth"),
        ("mx.example.org; spf=pass smtp.mailfrom=ann@example.org", "quarantine"),
        ("mx.example.org; dkim=temperror header.d=example.org", "quarantine"),
        ("mx.example.org; none", "quarantine"),
        ("mx.example.org", "quarantine"),
        ("mx.example.org; dmarc=(((", "quarantine"),
        ("spf=pass smtp.mailfrom=example.org; dmarc=pass header.from=example.org; compauth=pass", "quarantine"),
        ("mx.example.org.evil.example; dmarc=pass header.from=example.org", "quarantine"),
        ("mx.example.org; dmarc=fail (dmarc=pass header.from=example.org) header.from=example.org", "reject-auth"),
        ("", "quarantine"),
    ],
)
def test_the_trusted_servers_word(results: str, disposition: str) -> None:
    assert decide(mail(results)).disposition == disposition


def test_only_the_topmost_results_count() -> None:
    forged = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"
    assert decide(mail("mx.example.org; dmarc=fail header.from=example.org", extra=forged)).disposition == "reject-auth"
    raw = mail("mx.example.org; dmarc=fail header.from=example.org")
    assert decide(raw.replace(b"From:", forged.encode() + b"From:", 1)).disposition == "reject-auth"


def test_results_among_the_senders_own_fields_do_not_count() -> None:
    forged = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"
    assert decide(mail(extra=forged)).disposition == "quarantine"
    assert decide(mail("other.example; dmarc=pass header.from=example.org", extra=forged)).disposition == "quarantine"


@pytest.mark.parametrize(
    ("sender", "disposition"),
    [
        ("ANN@EXAMPLE.ORG", "accept"),
        ("eve@example.org", "reject-auth"),
        ('"ann@example.org" <eve@example.org>', "reject-auth"),
        ("ann@example.org <eve@example.org>", "reject-auth"),
        ("Ann <ann@example.org>, Eve <eve@example.org>", "reject-auth"),
        ("ann+games@example.org", "quarantine"),
        ("", "reject-auth"),
        ("bo\u0062\u0301@example.org", "reject-auth"),
    ],
)
def test_the_address(sender: str, disposition: str) -> None:
    assert decide(mail("mx.example.org; dmarc=pass header.from=example.org", sender)).disposition == disposition


@pytest.mark.parametrize(
    ("policy", "signed", "token", "disposition"),
    [
        ("open", False, False, "accept"),
        ("token", False, True, "accept"),
        ("token", True, False, "quarantine"),
        ("dkim", True, False, "accept"),
        ("dkim", False, True, "quarantine"),
        ("both", True, True, "accept"),
        ("both", True, False, "quarantine"),
        ("both", False, True, "quarantine"),
    ],
)
def test_policies(policy: str, signed: bool, token: bool, disposition: str) -> None:
    raw = mail("mx.example.org; dmarc=pass header.from=example.org" if signed else "")
    verdict = decide(raw, policy, token)
    assert (verdict.disposition, verdict.ok, verdict.sender) == (disposition, disposition == "accept", "ann@example.org")


def test_an_unknown_policy_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="unknown policy"):
        decide(mail(), "none")


def signed(key: tuple[bytes, bytes], raw: bytes, domain: bytes = b"example.org", **options: object) -> bytes:
    return bytes(dkim_sign(raw, b"t1", domain, key[0], **options)) + raw


def test_our_own_verification(key: tuple[bytes, bytes]) -> None:
    raw = signed(key, mail())
    dns = {b"t1._domainkey.example.org.": key[1], b"t1._domainkey.other.example.": key[1]}

    def ask(name: bytes, timeout: int = 5) -> bytes | None:
        return dns.get(name)

    def trouble(name: bytes, timeout: int = 5) -> bytes | None:
        raise TimeoutError

    assert decide(raw, dns=ask).disposition == "accept"
    assert decide(raw.replace(b"to 14", b"to 15"), dns=ask).disposition == "reject-auth"
    assert decide(raw.replace(b"[p1]", b"[p2]"), dns=ask).disposition == "reject-auth"
    assert decide(raw, dns=trouble).disposition == "quarantine"
    assert decide(raw, dns=lambda name, timeout=5: None).disposition == "reject-auth"
    assert decide(raw).disposition == "quarantine"
    assert decide(signed(key, mail(), b"other.example"), dns=ask).disposition == "quarantine"
    assert decide(signed(key, mail(), length=True) + b"more\r\n", dns=ask).disposition == "reject-auth"
    assert decide(signed(key, mail(), include_headers=[b"from", b"date"]), dns=ask).disposition == "reject-auth"
    assert decide(signed(key, mail(), include_headers=[b"from", b"date", b"subject"]), dns=ask).disposition == "reject-auth"
    all_there = [b"from", b"date", b"subject", b"to", b"message-id"]
    assert decide(signed(key, mail(), include_headers=all_there), dns=ask).disposition == "accept"
    assert decide(b"X-A: 1\r\n" + raw.replace(b"To:", b"no field\r\nTo:"), dns=ask).disposition == "reject-auth"


def test_a_part_signature_spoils_the_trusted_servers_pass(key: tuple[bytes, bytes]) -> None:
    def ask(name: bytes, timeout: int = 5) -> bytes:
        return key[1]

    results = b"Authentication-Results: mx.example.org; dkim=pass header.d=example.org\r\n"
    raw = signed(key, mail(), length=True)
    assert decide(results + raw, dns=ask).disposition == "reject-auth"
    assert decide(results + signed(key, raw), dns=ask).disposition == "accept"


def test_a_hostile_mail_is_not_verified_for_long(key: tuple[bytes, bytes]) -> None:
    raw = signed(key, mail())
    assert authenticate(raw + b" " * 1_000_000 + b"x", "ann@example.org", "", lambda name, timeout=5: key[1])[0] == "unknown"
