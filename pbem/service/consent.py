"""Asking whoever decides: a word goes to him, and 'accept' or 'decline' with it comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.service import post, registry
from pbem.service.counter import At, Denied
from pbem.service.desk import Desk
from pbem.service.times import later
from pbem.store.api import Member, Word

SEAT, NEW = "seat", "new"
"""What it is about: somebody wants a seat; somebody wants to make a game."""

ASK_DAYS = 14


def ask(desk: Desk, to: str, kind: str, member: Member, wanted: Mapping[str, Any], lines: Sequence[str]) -> None:
    """Ask somebody to agree to what a member wants."""
    if not to:
        raise Denied("there is nobody who could decide about it: the host has given no address")
    asked_ = f"asked {kind} {member.id} {wanted.get('game', '')}"
    if desk.store.notes.value(asked_) > later(desk.now, hours=-24):
        raise Denied("you have asked for it within the last day; the answer may still come")
    desk.store.notes.set_value(asked_, desk.now)
    word = registry.issue(desk, kind, to, member.id, wanted, ASK_DAYS)
    answers = ["Answer with one of these lines:", f"    accept {word}", f"    decline {word}"]
    post.reach(desk, to, f"{member.name or 'A member'} asks for your consent", [*lines, *answers])


def asked(at: At, word: str) -> Word | None:
    """The word, if it was mailed to one of the addresses of who sends it."""
    people, member = at.desk.store.people, at.desk.store.people.at(at.person.address)
    found = (people.word(word, a) for a in (member.addresses if member else (at.person.address,)))
    return next((w for w in found if w), None)
