"""Who wrote a mail, which seats that person holds, and which game the mail is about."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.mail import auth
from pbem.mail.auth import Verdict
from pbem.mail.parse import Incoming
from pbem.orders.club_verbs import WORD
from pbem.service.club import members
from pbem.service.context import ServiceContext
from pbem.service.club.members import CLUB
from pbem.store.api import CLOSED, OVER, REFEREE, Letter, Member, NoSuchGame, Seat

_TAG = re.compile(r"\[([a-z0-9][a-z0-9.-]{0,60})(?:/([a-z0-9]{8}))?\]")


@dataclass(frozen=True)
class Tag:
    """What stands in brackets in the subject of our mails: the game and, where the policy asks for it, the seat's token."""

    game: str = ""
    token: str = ""


def tag(subject: str) -> Tag:
    """The first tag in a subject."""
    found = _TAG.search(subject[:400].lower())
    return Tag(found[1], found[2] or "") if found else Tag()


def tag_text(seat: Seat, policy: str) -> str:
    """The tag of a mail to a seat."""
    return f"[{seat.game}/{seat.token}]" if policy in ("token", "both") else f"[{seat.game}]"


TOKENS = "tokens"
"""The setting that keeps since when the secrets of a member are in use: what was mailed before proves nothing any more."""

_SECRETS = (
    re.compile(r"(\[[a-z0-9][a-z0-9.-]{0,60})/[a-z0-9]{8}\]", re.IGNORECASE),
    re.compile(r"(<pbem\.[\w.-]{1,160}?\.)[0-9a-f]{18}(?=@)", re.IGNORECASE),
)
"""A seat's token in a subject, and the secret part of our Message-IDs."""


def redacted(text: str) -> str:
    """A text that somebody wrote, without what would let its reader write in a seat's name."""
    return _SECRETS[1].sub(r"\1hidden", _SECRETS[0].sub(r"\1]", text))


_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"|]{1,64}@[^\s<>()\[\],;:\"|]{1,200}")


def unaddressed(text: str) -> str:
    """A text that is handed on, without secrets and without mail addresses that somebody may have typed into it."""
    return _ADDRESS.sub("(address)", redacted(text))


@dataclass(frozen=True)
class Person:
    """A believed sender: his seats, what his mail says of a game by its thread and subject, and who he is (None for a
    stranger, and for the host if he is no member)."""

    address: str
    seats: tuple[Seat, ...]
    thread: Letter | None
    tag: Tag
    member: Member | None = None

    @property
    def home(self) -> str:
        """Where mail to him goes."""
        return self.member.address if self.member else self.address

    @property
    def addresses(self) -> tuple[str, ...]:
        """All that he may write from."""
        return self.member.addresses if self.member else (self.address,)

    def seat(self, game: str) -> Seat | None:
        """His seat in a game; that of a side before that of the referee."""
        mine = [s for s in self.seats if s.game == game]
        return min(mine, key=lambda s: s.side == REFEREE, default=None)


def identify(context: ServiceContext, incoming: Incoming, raw: bytes, again: bool = False) -> tuple[Verdict, Person]:
    """Judge who wrote a mail; ``again``: it was held for DNS trouble, so that our own check may settle it.

    A seat's secret is in the Message-ID and the subject of every mail to it."""
    sender = incoming.senders[0] if len(incoming.senders) == 1 else ""
    if sender and members.denied(context, sender):
        return Verdict(False, f"{sender} is on the deny list", "reject-auth", sender), Person(sender, (), None, Tag())
    member = context.store.people.at(sender) if sender else None
    addresses = member.addresses if member else (sender,)
    seats = members.seats(context, member) if member else context.store.games.seats_of(sender) if sender else []
    named = tag(incoming.subject)
    ids = [i for i in (incoming.in_reply_to, *incoming.references[-20:]) if i]
    thread = context.store.outbox.thread(ids) if ids else None
    secrets = {s.token for s in seats} | ({member.token} if member else set())
    mine = thread if thread is not None and thread.recipient in addresses else None
    fresh = mine is not None and (member is None or mine.created >= context.store.notes.value(f"{TOKENS} {member.id}"))
    proven = fresh or bool(named.token) and named.token in secrets or _word(context, sender, incoming.text)
    verdict = auth.judge(
        incoming, raw, policy=context.config.trust, authserv_id=context.config.authserv_id, dnsfunc=context.dns,
        seat_addresses=_holders(context, sender, bool(seats or member)), token_ok=proven, again=again,
        may_lack=context.config.dkim_may_lack.lower().replace(",", " ").split(),
    )
    return verdict, Person(sender, tuple(seats), mine, Tag("", named.token) if named.game == CLUB else named, member)


def owner(context: ServiceContext, incoming: Incoming) -> Seat | None:
    """The seat whose secret a mail has, whoever wrote it: in its subject, or as the id of a mail of ours that it answers."""
    named = tag(incoming.subject)
    if named.token:
        return next((s for s in context.store.games.seats(named.game) if s.token == named.token and s.address), None)
    ids = [i for i in (incoming.in_reply_to, *incoming.references[-20:]) if i]
    letter = context.store.outbox.thread(ids) if ids else None
    seats = context.store.games.seats(letter.game) if letter is not None and letter.game else []
    return next((s for s in seats if letter and s.side == letter.side and s.address == letter.recipient), None)


def _holders(context: ServiceContext, sender: str, known: bool) -> set[str]:
    """The sender, if he is known here; else the one whose sub-address he may be writing from."""
    if known or sender and sender == context.config.operator:
        return {sender}
    plain = re.sub(r"\+[^@]*@", "@", sender)
    return {plain} if plain != sender and context.store.people.at(plain) else set()


_ONE = re.compile(rf"(?<!\w){WORD}(?!\w)")


def _word(context: ServiceContext, sender: str, text: str) -> bool:
    """Whether a mail has a word in it that was mailed to its sender, and to nobody else."""
    found = dict.fromkeys(_ONE.findall(text[:20_000].lower()))
    return any(context.store.people.word(word, sender) for word in list(found)[:20])


class Unclear(Exception):
    """Which game is meant cannot be told; says why, in words for the sender."""


def game_of(context: ServiceContext, person: Person, named: str) -> Seat:
    """The seat that a block is written from: by its ``game`` line, else the subject, else the thread, else the only game."""
    thread = person.thread.game if person.thread else ""
    said = list(dict.fromkeys(g for g in (named, person.tag.game, thread if not named else "") if g))
    if not said:
        mine = [s for s in person.seats if s.side != REFEREE]
        mine = [s for s in mine if _alive(context, s.game)] or mine
        if len(mine) == 1:
            return mine[0]
        names = ", ".join(sorted({s.game for s in mine})) or "none"
        raise Unclear(f"no game is named: begin with a line 'game NAME'; your games: {names}")
    if len(said) > 1:
        raise Unclear(f"the mail names two games, {said[0]} and {said[1]}: which one is meant?")
    seat = person.seat(said[0])
    if seat is None:
        raise Unclear(f"you have no seat in a game called {said[0]}")
    return seat


def _alive(context: ServiceContext, game: str) -> bool:
    try:
        return context.store.games.get(game).status not in (OVER, CLOSED)
    except NoSuchGame:
        return False
