"""Whether a mail comes from the holder of a seat.

Four policies: ``token`` (the seat's address and something only we mailed to it), ``dkim`` (an aligned pass), ``both``,
and ``open`` (the address alone, for a trusted network).  Mail domains are what DKIM and DMARC vouch for, never persons:
at a shared provider the local part rests on the provider.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass

import authres
import dkim

from pbem.mail import headers
from pbem.mail.parse import Incoming

POLICIES = ("token", "dkim", "both", "open")

PASS, FAIL, UNKNOWN, LATER = "pass", "fail", "unknown", "later"
"""What is known of a sender: shown, refuted, nothing either way, to be tried again (DNS trouble)."""

MAX_DKIM = 3_000_000
MAX_SIGNATURES = 4
LONGEST_BLANKS = 300
"""A longer run of blanks makes dkimpy's patterns slow; such a mail is not verified here."""

DnsFunc = Callable[..., bytes | str | None]

_SENDERS_OWN = {"from", "dkim-signature", "message-id", "subject", "to", "date", "mime-version", "content-type"}

PROTECTED = ("from", "to", "subject", "date", "message-id", "mime-version")
"""Fields that we read and nobody may add or change, beside all whose name begins with 'content-'.  A signature covers the lowest
field of a name, a reader takes the topmost: so each may stand once, and must be covered if it is there."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``ok``, or not, why (for the referee's eyes), and what to do with the mail.

    ``disposition``: 'accept', 'reject-auth' (nobody hears of it but the seat's owner) or 'quarantine' (kept; may be
    confirmed through the registered address); ``sender`` is the one From address, '' if there is not exactly one;
    ``later``: DNS did not answer, so that the same mail may be shown to be genuine later; ``stranger``: nothing is wrong but
    that the address is not registered.
    """

    ok: bool
    reason: str
    disposition: str
    sender: str = ""
    later: bool = False
    stranger: bool = False


def judge(
    incoming: Incoming,
    raw: bytes,
    *,
    policy: str,
    authserv_id: str = "",
    dnsfunc: DnsFunc | None = None,
    seat_addresses: Collection[str] = (),
    token_ok: bool = False,
    again: bool = False,
    may_lack: Collection[str] = (),
) -> Verdict:
    """Judge who sent ``incoming`` (``raw`` are its bytes).

    ``authserv_id`` names the one mail server whose Authentication-Results are believed ('' for none); ``dnsfunc`` looks
    up TXT records as dkimpy wants it (None: signatures are not verified here); ``seat_addresses`` are the registered
    addresses, lower case; ``token_ok`` says that the mail carries the seat's token; ``again``: the trusted
    server had trouble with DNS when the mail came, so our own check may now settle it.
    """
    if policy not in POLICIES:
        raise ValueError(f"unknown policy {policy!r}, choose one of {', '.join(POLICIES)}")
    if len(incoming.senders) != 1 or not incoming.senders[0]:
        return Verdict(False, f"{len(incoming.senders) or 'no'} address(es) in From", "reject-auth")
    sender = incoming.senders[0]
    if policy in ("dkim", "both"):
        state, reason = authenticate(raw, sender, authserv_id, dnsfunc, again, may_lack)
        if state != PASS:
            return Verdict(False, reason, "reject-auth" if state == FAIL else "quarantine", sender, state == LATER)
    if sender not in seat_addresses:
        main = re.sub(r"\+[^@]*@", "@", sender)
        if main in seat_addresses:
            return Verdict(False, f"{sender} is not the registered address {main}", "quarantine", sender)
        return Verdict(False, f"{sender} holds no seat", "reject-auth", sender, stranger=True)
    if policy in ("token", "both") and not token_ok:
        return Verdict(False, "without the token of the seat", "quarantine", sender)
    return Verdict(True, policy, "accept", sender)


def authenticate(
    raw: bytes, sender: str, authserv_id: str = "", dnsfunc: DnsFunc | None = None, again: bool = False,
    may_lack: Collection[str] = (),
) -> tuple[str, str]:
    """What is known about the domain of ``sender``, and why: by the trusted server's word, else by our own check.

    Whatever anybody says of a signature, it proves no more than it covers: a protected field that stands twice, or that no
    signature of the domain covers, is not believed."""
    fields = headers.split(raw)
    domain = sender.rpartition("@")[2]
    if twice := doubled(fields):
        return UNKNOWN, f"the field {twice} stands twice"
    if bare := uncovered(fields, domain, may_lack):
        return FAIL, f"the signature does not cover the field {bare}"
    partial = _partly_signed(fields, domain)
    stated = _trusted_results(fields, authserv_id)
    state, reason = _by_results(stated, domain) if stated else (UNKNOWN, "no Authentication-Results of a trusted server")
    if state == PASS and partial:
        own, why = _by_signature(raw, fields, domain, dnsfunc, may_lack)
        return (PASS, why) if own == PASS else (FAIL, "the signature covers only a part of the body (l=)")
    if dnsfunc is not None and (state == UNKNOWN or (again and state == LATER)):
        state, reason = _by_signature(raw, fields, domain, dnsfunc, may_lack)
    return state, reason


def addressed(raw: bytes, sender: str, ours: str) -> bool:
    """Whether a mail names us as a receiver, in a field that nobody can have added: To, or Cc if the signature covers it.

    Whoever was sent a signed mail can send it on to anybody; to us it is an order only if it was written to us.  A mail
    without a signature of its domain cannot be sent on like that."""
    fields = headers.split(raw)
    signed = [t for t in _signatures(fields) if _aligned(headers.lower(t.get("d", "")), sender.rpartition("@")[2])]
    if not signed:
        return True
    covers_cc = all("cc" in headers.lower(t.get("h", "")).replace(" ", "").split(":") for t in signed)
    values = [*fields.all("To"), *(fields.all("Cc") if covers_cc else [])]
    return any(_plain(a) == _plain(ours) for value in values for a in headers.addresses(value))


def _plain(address: str) -> str:
    """An address without its sub-address."""
    return re.sub(r"\+[^@]*@", "@", address.lower())


def protected(fields: headers.Fields) -> list[str]:
    """The protected fields that a mail has, by name."""
    return [name for name in fields.named if name in PROTECTED or name.startswith("content-")]


def doubled(fields: headers.Fields) -> str:
    """A protected field that stands twice; '' if none does."""
    return next((name for name in protected(fields) if len(fields.named[name]) > 1), "")


def uncovered(fields: headers.Fields, domain: str, may_lack: Collection[str] = ()) -> str:
    """A protected field that is there, but not covered by each signature of ``domain``; '' if all are, or if nothing is signed.

    Each, as it is not known which of several the trusted server found valid."""
    for tags in _signatures(fields):
        if _aligned(headers.lower(tags.get("d", "")), domain) and (bare := _lacking(fields, tags, may_lack)):
            return bare
    return ""


def _lacking(fields: headers.Fields, tags: dict[str, str], may_lack: Collection[str]) -> str:
    """A protected field that one signature does not cover."""
    signed = {headers.lower(name.strip()) for name in tags.get("h", "").split(":")} | set(may_lack)
    return next((name for name in protected(fields) if name not in signed), "")


def _trusted_results(fields: headers.Fields, authserv_id: str) -> list[authres.AuthenticationResult]:
    """The results in the topmost header of the trusted server, above everything the sender wrote himself."""
    if not authserv_id:
        return []
    for name, value in fields.items:
        if name.lower() in _SENDERS_OWN:
            break
        named = re.match(r"\s*([^\s;()]{1,255})", value)
        if name.lower() == "authentication-results" and named and headers.lower(named.group(1)) == headers.lower(authserv_id):
            return _results(value)
    return []


def _results(value: str) -> list[authres.AuthenticationResult]:
    """Parse with authres; what it cannot parse says nothing."""
    text = " ".join(value[:8000].split()).rstrip("; ")
    try:
        return list(authres.AuthenticationResultsHeader.parse(f"Authentication-Results: {text}").results)
    except Exception:  # authres raises its own SyntaxError and, on odd input, others
        return []


def _by_results(results: list[authres.AuthenticationResult], domain: str) -> tuple[str, str]:
    """The worst of what the trusted server says, each clause with its own properties."""
    dmarc = [(headers.lower(r.result or ""), _property(r, "from")) for r in results if r.method == "dmarc"]
    signed = [(headers.lower(r.result or ""), _property(r, "d") or _property(r, "i")) for r in results if r.method == "dkim"]
    aligned = [result for result, d in signed if _aligned(d, domain)]
    if any(result == "fail" for result, _ in dmarc):
        return FAIL, "dmarc=fail"
    if "fail" in aligned:
        return FAIL, f"dkim=fail for {domain}"
    if any(result == "temperror" for result, _ in dmarc) or "temperror" in aligned:
        return LATER, "the trusted server had trouble with DNS (temperror)"
    if dmarc and all(result == "pass" and d in ("", domain) for result, d in dmarc):
        return PASS, "dmarc=pass"
    if "pass" in aligned and set(aligned) == {"pass"}:
        return PASS, f"dkim=pass for {domain}"
    if any(r.method == "spf" and headers.lower(r.result or "") == "fail" for r in results):
        return FAIL, "spf=fail and no aligned signature"
    if any(result == "pass" for result, _ in signed):
        return FAIL, f"signed, but not by {domain}"
    return UNKNOWN, "neither DKIM nor DMARC says anything"


def _property(result: authres.AuthenticationResult, name: str) -> str:
    """The domain in ``header.name`` of one clause."""
    for prop in result.properties:
        if prop.type == "header" and prop.name == name:
            return headers.lower(str(prop.value or "")).rpartition("@")[2]
    return ""


def _aligned(signer: str, domain: str) -> bool:
    """A domain may sign for itself and for those below it, as long as it is no top-level domain."""
    return bool(signer) and (signer == domain or ("." in signer and domain.endswith("." + signer)))


def _signatures(fields: headers.Fields) -> list[dict[str, str]]:
    """The tags of each DKIM-Signature."""
    found = []
    for value in fields.all("DKIM-Signature"):
        pairs = (tag.partition("=") for tag in value.split(";"))
        found.append({key.strip(): "".join(text.split()) for key, _, text in pairs})
    return found


def _partly_signed(fields: headers.Fields, domain: str) -> bool:
    """Whether a signature of ``domain`` has the l= tag, so that anything may stand below what it covers."""
    return any("l" in tags and _aligned(headers.lower(tags.get("d", "")), domain) for tags in _signatures(fields))


def _by_signature(
    raw: bytes, fields: headers.Fields, domain: str, dnsfunc: DnsFunc | None, may_lack: Collection[str] = ()
) -> tuple[str, str]:
    """Our own verification: an aligned signature over the whole body and over all protected fields."""
    signatures = _signatures(fields)[:MAX_SIGNATURES]
    if dnsfunc is None or not any(_aligned(headers.lower(tags.get("d", "")), domain) for tags in signatures):
        return UNKNOWN, f"not signed by {domain}"
    if len(raw) > MAX_DKIM or b" " * LONGEST_BLANKS in raw.replace(b"\t", b" "):
        return UNKNOWN, "too large to verify its signature"
    trouble = _Trouble(dnsfunc)
    state, reason = FAIL, f"no valid signature of {domain}"
    for index, tags in enumerate(signatures):
        if not _aligned(headers.lower(tags.get("d", "")), domain):
            continue
        if "l" in tags or _lacking(fields, tags, may_lack):
            reason = f"the signature of {domain} does not cover all of the mail"
            continue
        if _verifies(raw, index, trouble):
            return PASS, f"valid signature of {domain}"
    return (LATER, f"DNS trouble: {trouble.error}") if trouble.error else (state, reason)


def _verifies(raw: bytes, index: int, dnsfunc: DnsFunc) -> bool:
    try:
        return bool(dkim.DKIM(raw).verify(index, dnsfunc=dnsfunc))
    except Exception:  # dkimpy raises many kinds on mail that is not well formed: then it is not verified
        return False


class _Trouble:
    """A dnsfunc that remembers that asking failed, which is not the same as finding nothing."""

    def __init__(self, ask: DnsFunc) -> None:
        self.ask = ask
        self.error = ""

    def __call__(self, name: bytes, timeout: int = 5) -> bytes | str | None:
        try:
            return self.ask(name, timeout=timeout)
        except Exception as error:
            self.error = f"{type(error).__name__} for {name.decode('ascii', 'replace')[:200]}"
            return None
