"""People of a club beside Ann and Bob, and what is read in their letters."""

from __future__ import annotations

import re
from email.message import EmailMessage

from pbem.service.club import members
from tests.service.conftest import ANN, BOB, JUDGE, REFEREE, Club, text

CAROL, DAVE, HOST = "player1@example.org", "player2@example.org", "host@example.org"
ADDRESS = re.compile(r"[\w.+-]+@[\w.-]+")


def member(club: Club, address: str, name: str) -> None:
    """A member whom the host vouches for."""
    with club.store.transaction():
        members.ensure(club.context, address, name)


def mail_to(mails: list[EmailMessage], address: str, words: str = "") -> EmailMessage:
    """The one mail to an address (that has these words in it)."""
    [found] = [m for m in mails if m["To"] == address and words in f"{m['Subject']} {said(m)}"]
    return found


def said(mail: EmailMessage) -> str:
    """A mail's text in one line, so that no line end is in the way."""
    return " ".join(text(mail).split())


def word(mail: EmailMessage) -> str:
    """The word to confirm or accept with."""
    found = re.search(r"^\s*(?:confirm|accept) ([2-9b-z]{8})$", text(mail), re.MULTILINE)
    assert found, text(mail)
    return found[1]


def whole(mail: EmailMessage) -> str:
    """All that a mail holds: headers, and every part that is text."""
    parts = [str(part.get_content()) for part in mail.walk() if part.get_content_maintype() == "text"]
    parts += [part.get_content().decode() for part in mail.walk() if part.get_content_type() == "application/json"]
    return "\n".join([*(f"{k}: {v}" for k, v in mail.items()), *parts])


def strangers_in(mail: EmailMessage, *allowed: str) -> set[str]:
    """The addresses of people that a mail shows, but for its receiver's own and ours."""
    found = {a.rstrip(".") for a in ADDRESS.findall(whole(mail))}
    ours = {JUDGE, str(mail["To"]), *allowed}
    people = {ANN, BOB, REFEREE, CAROL, DAVE, HOST, "player3@example.org", "carol@example.net"}
    return (found & people) - ours


def secrets_in(club: Club, mail: EmailMessage) -> set[str]:
    """The secrets of others' seats and accounts that a mail shows."""
    to = str(mail["To"])
    mine = club.store.people.at(to)
    addresses = mine.addresses if mine else (to,)
    tokens = {s.token for g in club.store.games.page() for s in club.store.games.seats(g.id) if s.address not in addresses}
    tokens |= {m.token for m in club.store.people.page() if m.token and m.address != (mine.address if mine else "")}
    return {t for t in tokens if t in whole(mail)}
