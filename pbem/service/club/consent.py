"""Asking whoever decides: a word goes to him, and 'accept' or 'decline' with it comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.service.club import registry
from pbem.service.letters import mailing
from pbem.service.club.club_requests import RequestContext, Denied
from pbem.service.context import ServiceContext
from pbem.service.times import later
from pbem.store.api import Member, Word

SEAT, NEW = "seat", "new"
"""What it is about: somebody wants a seat; somebody wants to make a game."""

ASK_DAYS = 14


def ask(context: ServiceContext, to: str, kind: str, member: Member, wanted: Mapping[str, Any], lines: Sequence[str]) -> None:
    """Ask somebody to agree to what a member wants."""
    if not to:
        raise Denied("there is nobody who could decide about it: the host has given no address")
    asked_ = f"asked {kind} {member.id} {wanted.get('game', '')}"
    if context.store.notes.value(asked_) > later(context.now, hours=-24):
        raise Denied("you have asked for it within the last day; the answer may still come")
    context.store.notes.set_value(asked_, context.now)
    word = registry.issue(context, kind, to, member.id, wanted, ASK_DAYS)
    answers = ["Answer with one of these lines:", f"    accept {word}", f"    decline {word}"]
    mailing.reach(context, to, f"{member.name or 'A member'} asks for your consent", [*lines, *answers])


def asked(at: RequestContext, word: str) -> Word | None:
    """The word, if it was mailed to one of the addresses of who sends it."""
    people, member = at.context.store.people, at.context.store.people.at(at.person.address)
    found = (people.word(word, a) for a in (member.addresses if member else (at.person.address,)))
    return next((w for w in found if w), None)
