"""Members: who they are, under what name, from which addresses, and how often they answered in time."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from pbem.orders.lexer import fold
from pbem.scenarios import catalog
from pbem.service.context import ServiceContext
from pbem.store.api import Member, Seat

CLUB = "club"
"""Stands in the subject of mails that belong to no game; no game is called so."""

LONGEST_NAME = 40
_LETTERS = "23456789bcdfghjkmnpqrstvwxz"
_RESERVED = frozenset({
    "referee", "host", "judge", "all", "both", "nobody", "anonymous", "observer", "observers", "player", "players", "server",
    "pbem", "operator", "admin", "postmaster", "game", "end", "club",
})
"""Names that would be taken for something else."""


class BadName(ValueError):
    """Nobody can be called so here; says why."""


def secret(context: ServiceContext) -> str:
    """8 letters and digits that nobody guesses, nor mistakes for each other (no vowels, 0, 1, l)."""
    drawn, found = int.from_bytes(context.secret(12)), ""
    for _ in range(8):
        drawn, letter = divmod(drawn, len(_LETTERS))
        found += _LETTERS[letter]
    return found


def _sides(context: ServiceContext) -> set[str]:
    """What the sides of the games here are called."""
    return {fold(side) for title in {e.title for e in catalog.catalog()} for side in context.rules(title).sides}


def name(context: ServiceContext, wanted: str, own: Member | None = None) -> str:
    """A name as it is kept; :class:`BadName` if it cannot be, or is somebody else's."""
    text = " ".join(unicodedata.normalize("NFC", wanted).split())
    if not 0 < len(text) <= LONGEST_NAME or not re.fullmatch(r"[^\W\d_][\w .'-]*", text):
        raise BadName(f"a name begins with a letter and has letters, digits, blanks, and . ' - in it, {LONGEST_NAME} at most")
    if fold(text) in _RESERVED or fold(text) in _sides(context) or re.search(r"www\.|\.(?:com|org|net)\b", text, re.IGNORECASE):
        raise BadName(f"'{text}' would be taken for something else; choose another name")
    other = context.store.people.named(text)
    if other is not None and (own is None or other.id != own.id):
        raise BadName(f"somebody here is called {text} already; choose another name")
    return text


def ensure(context: ServiceContext, address: str, called: str = "") -> Member:
    """The member of an address that the host vouches for; a new one if there is none."""
    found = context.store.people.at(address)
    return found or context.store.people.add(Member(0, called, address, joined=context.now))


def seats(context: ServiceContext, member: Member) -> list[Seat]:
    """All seats of a member, whichever of his addresses they are for."""
    held = [seat for address in member.addresses or (member.address,) for seat in context.store.games.seats_of(address)]
    return sorted(held, key=lambda s: s.game) if len(member.addresses) > 1 else held


def holder(context: ServiceContext, seat: Seat) -> Member | None:
    """The member who has a seat; None for a free one."""
    return context.store.people.at(seat.address) if seat.address else None


def remember(context: ServiceContext, seat: Seat) -> None:
    """A player leaves a seat: what he knows of its side stays with him."""
    member = holder(context, seat)
    if member is not None:
        context.store.notes.set_value(f"held {seat.game} {member.id}", seat.side)


def held(context: ServiceContext, game: str, member: Member) -> str:
    """The side that a member played in a game before; '' if none."""
    return context.store.notes.value(f"held {game} {member.id}")


def reliability(member: Member | None) -> str:
    """How often a member answered in time, with the number that this is of."""
    if member is None or not member.asked:
        return "no deadlines so far"
    said = [f"{member.in_time} of {member.asked} deadlines met"]
    said += [f"{member.late} answered late"] if member.late else []
    said += [f"{member.missed} missed"] if member.missed else []
    return ", ".join(said)


def shown(member: Member) -> str:
    """A member as others read of him: name, how reliable, and the address only if he allows it."""
    who = member.name or "a member without a name"
    return f"{who} ({'; '.join([*([member.address] if member.shown else []), reliability(member)])})"


def listed(address: str, entries: Iterable[str]) -> bool:
    """Whether an address, or its domain or one above that, is among the entries of a list."""
    domain = address.rpartition("@")[2]
    return any(address == e if "@" in e.lstrip("@") else domain == e or domain.endswith("." + e) for e in _plain(entries))


def _plain(entries: Iterable[str]) -> list[str]:
    return [e.strip().lower().removeprefix("@") for e in entries if e.strip(" @")]


DENIED = "deny"
"""The stored setting with what the host denied by command, beside PBEM_DENY."""


def denied(context: ServiceContext, address: str) -> bool:
    """Whether the host wants no mail from an address."""
    return listed(address, deny_list(context))


def deny_list(context: ServiceContext) -> list[str]:
    """Everything on the deny list."""
    return [*words(context.config.deny), *words(context.store.notes.value(DENIED))]


def may_register(context: ServiceContext, address: str) -> bool:
    """Whether the host lets an address in."""
    allowed = words(context.config.allow)
    return not denied(context, address) and (not allowed or listed(address, allowed))


def words(text: str) -> Sequence[str]:
    """The entries of a list that is written with blanks or commas."""
    return [w for w in re.split(r"[\s,;]+", text) if w]
