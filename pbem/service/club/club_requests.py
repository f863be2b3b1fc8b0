"""The club's counter: what members, and people who want to be, ask of it by mail, answered in one letter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from pbem.mail.address import BadAddress, mailable
from pbem.orders.club_verbs import ClubRequest
from pbem.service.letters import mailing
from pbem.service.play import help_pages
from pbem.service.mailroom.identity import Person
from pbem.service.context import ServiceContext
from pbem.service.letters.mailing import Answered
from pbem.store.api import Member

MOST = 10
"""Requests of one mail that are answered."""


class Denied(Exception):
    """A request cannot be met; says why, in words for the one who asked."""


@dataclass
class RequestContext:
    """One mail at the counter: who wrote it, what it answers, ``source`` for the journal; ``heading`` and ``lines`` of the
    answer, what to log, whether something was denied."""

    context: ServiceContext
    person: Person
    source: str
    answered: Answered = Answered()
    heading: str = ""
    lines: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    bad: bool = False

    @property
    def member(self) -> Member:
        """Who wrote; only a member may ask for most things."""
        found = self.context.store.people.at(self.person.address)
        if found is None:
            raise Denied("first become a member: 'register' and your name, in a line of its own")
        return found

    def say(self, heading: str, *lines: str) -> None:
        """One more thing for the answer; a letter about several has a heading that says so."""
        self.heading = heading if not self.heading else "What you asked for"
        self.lines += [*([""] if self.lines else []), *([f"{heading}."] if self.lines else []), *lines]

    def deny(self, request: ClubRequest, why: str) -> None:
        """Say that a request is not met, and why."""
        self.bad = True
        self.said.append(f"{request.verb} denied")
        self.say(f"Not done: {_echo(request)}", f"{why[:1].upper()}{why[1:]}.")

    @property
    def host(self) -> bool:
        """Whether it is the operator who writes."""
        return self.person.address == self.context.config.operator


Verb = Callable[[RequestContext, ClubRequest], None]


def handle(at: RequestContext, asked: Sequence[ClubRequest], verbs: Mapping[str, Verb]) -> None:
    """Meet the requests one after the other, each in a transaction of its own."""
    both = {r.args for r in asked if r.verb == "accept"} & {r.args for r in asked if r.verb == "decline"}
    if both:
        asked = [r for r in asked if r.args not in both]
        at.bad = True
        at.said.append("accept and decline")
        at.say("Not done", "Your mail holds both 'accept' and 'decline'. Send the line that you mean, without what we wrote.")
    for request in asked[:MOST]:
        before = len(at.said)
        try:
            with at.context.store.transaction():
                verbs[request.verb](at, request)
            at.said += [request.verb] if len(at.said) == before else []
        except Denied as why:
            at.deny(request, str(why))
    if len(asked) > MOST:
        at.say("Not done", f"Only {MOST} requests of a mail are answered; {len(asked) - MOST} more were left.")


def answer(at: RequestContext) -> None:
    """Mail what there is to say, in one letter."""
    if at.lines:
        mailing.reach(at.context, at.person.address, at.heading, at.lines, at.answered)


def help_(at: RequestContext, request: ClubRequest) -> None:
    """The page on what the club does, for who has no game to ask in."""
    mailing.page(
        at.context, at.person.home, f"{mailing.CLUB_MARK} Help", help_pages.club(" ".join(request.args)), answered=at.answered,
    )


def address(text: str) -> str:
    """An address as it is kept."""
    try:
        return mailable(text)
    except BadAddress as why:
        raise Denied(str(why)) from None


def _echo(request: ClubRequest) -> str:
    """The request as its writer put it, short enough for a heading."""
    return f"'{request.line.text[:60]}'"
