"""Accounts by mail: registering, more addresses, a change of address, names and settings.

Nothing is done before a word that was mailed to an address has come back from it.  Where mail goes to is changed only when the
old address has confirmed, too: whoever can forge a sender can still not read what is mailed to him.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from pbem.orders.club_verbs import ClubRequest
from pbem.service.club import members
from pbem.service.letters import mailing
from pbem.service.club.club_requests import RequestContext, Denied, Verb, address
from pbem.service.context import ServiceContext
from pbem.service.mailroom import identity
from pbem.service.club.members import BadName
from pbem.service.letters.mailing import Answered
from pbem.service.times import later
from pbem.service.letters.mail_preferences import BadWish, MailPreferences, wish
from pbem.store.api import Member, Word

REGISTER, ADD, CHANGE, RELEASE, REFUSED = "register", "add", "change", "release", "refused"
"""What a word confirms: a new member; one more address; a new main address, from the new one, then from the old one.  One that
is not mailed counts an answer to a stranger."""

KEPT_DAYS = 3
"""So long a word counts."""

MOST_WORDS, MOST_STRANGERS, MOST_OF_A_MEMBER = 3, 200, 10
"""So many mails to confirm something go to one address, to strangers altogether, and for one member, in a day.  What strangers
ask for, whose addresses may be forged, takes nothing from members."""

MOST_ADDRESSES = 5


def issue(context: ServiceContext, kind: str, to: str, member: int, data: Mapping[str, Any], days: float = KEPT_DAYS) -> str:
    """A new word for an address."""
    context.store.people.forget_words(later(context.now, hours=-24 * 30))
    word = members.secret(context)
    context.store.people.issue(Word(word, kind, to, member, data, context.now, later(context.now, hours=24 * days)))
    return word


def _mail_word(at: RequestContext, kind: str, to: str, member: int, data: Mapping[str, Any], what: str) -> bool:
    """Mail a word to an address; False if that address, or all of them, have had enough for today.  Of what the mail that asked
    for it says nothing goes out but a name that has been checked."""
    context = at.context
    if _enough(context, to, member):
        return False
    word = issue(context, kind, to, member, data)
    lines = [
        what, "If that is right, send this line from this address:", f"    confirm {word}",
        f"It counts for {KEPT_DAYS} days. If you know nothing of it, there is nothing to do, and nothing happens.",
    ]
    answered = at.answered if to == at.person.address else Answered()
    mailing.note(context, to, "Please confirm", lines, answered=answered, mark=mailing.CLUB_MARK)
    return True


def _enough(context: ServiceContext, to: str, member: int = 0) -> bool:
    """Whether an address, or all strangers together, or the member who asks, have had their fill for today; noted."""
    day_ago, people = later(context.now, hours=-24), context.store.people
    mine, most = ((ADD, CHANGE), MOST_OF_A_MEMBER) if member else ((REGISTER, REFUSED), MOST_STRANGERS)
    sent = sum(people.issued(day_ago, kind, to) for kind in mine)
    together = sum(people.issued(day_ago, kind, member=member) for kind in mine)
    if sent < MOST_WORDS and together < most:
        return False
    whose = "for one member" if member else "to strangers"
    context.note("not confirmed", f"{to} has had {sent} mails about confirming today, {together} went {whose}: no more")
    return True


# -- becoming a member -----------------------------------------------------------------------------------


def register(at: RequestContext, request: ClubRequest) -> None:
    """The first half: a word goes to the address that asked."""
    context, to = at.context, at.person.address
    known = context.store.people.at(to)
    address(to)
    if known is not None and known.name:
        raise Denied(f"you are a member already, as {known.name}; 'account name' and another name changes it")
    if not members.may_register(context, to):
        context.note("not registered", f"{to} wants to register, but is not on the list of who may")
        return
    try:
        name = members.name(context, request.args[0], known)
    except BadName as why:
        if known is None and _enough(context, to):
            return
        issue(context, REFUSED, to, 0, {})
        at.deny(request, str(why))
        return
    if known is not None:
        _rename(at, known, name)
    else:
        _mail_word(at, REGISTER, to, 0, {"name": name}, f"Somebody, most likely you, wants to play here under the name {name}.")


def confirm(at: RequestContext, request: ClubRequest) -> None:
    """A word has come back."""
    context, word = at.context, at.context.store.people.word(request.args[0].lower(), at.person.address)
    if word is None or word.kind not in _CONFIRMED:
        if context.store.people.at(at.person.address):
            raise Denied("no such word was mailed to this address, or it has been used; begin anew")
        context.note("not confirmed", f"{at.person.address} sent a word that it was not mailed")
        return
    context.store.people.spend(word.word)
    if word.expires <= context.now:
        raise Denied("the word has expired; begin anew")
    _CONFIRMED[word.kind](at, word)


def _registered(at: RequestContext, word: Word) -> None:
    context = at.context
    if context.store.people.at(word.address):
        raise Denied("this address has become a member's meanwhile")
    try:
        name = members.name(context, str(word.data["name"]))
    except BadName as why:
        raise Denied(f"{why}; register once more") from None
    context.store.people.add(Member(0, name, word.address, joined=context.now))
    context.note("member", f"{name} has registered")
    at.say(
        f"Welcome, {name}", "You are a member. Nobody reads your address, unless you say 'set address shown'.",
        "'games' lists the games with a free seat, 'scenarios' what can be played, 'help' and one of these words tells more:",
        "account, address, games, scenarios, new, join, observe, absence, available, press.",
    )


def _added(at: RequestContext, word: Word) -> None:
    """The new address has confirmed."""
    member = _owner(at, word)
    if word.kind == CHANGE:
        was = member.address
        code = issue(at.context, RELEASE, was, member.id, {"address": word.address})
        mailing.tell(at.context, member, "Your mail is to go elsewhere: please confirm", [
            f"From now on your mail is to go to {word.address}, which has confirmed it.",
            "If you want that, send this line from this address:", f"    confirm {code}",
            "If not, do nothing: without it nothing changes.",
        ])
        mailing.note(at.context, word.address, "Thank you", [
            "This address has confirmed. As the last step the old address is asked to; until then nothing changes.",
        ], answered=at.answered, mark=mailing.CLUB_MARK)
        return
    if at.context.store.people.at(word.address):
        raise Denied("this address is a member's already")
    at.context.store.people.add_address(member.id, word.address, at.context.now)
    mailing.tell(at.context, member, "One more address", [
        f"You may write from {word.address} now, too. If that was not your wish, 'address remove {word.address}' takes it off."
    ])
    mailing.note(at.context, word.address, "Thank you", [
        "You may write from this address now. Your mail goes where it went before; 'address change' moves it.",
    ], answered=at.answered, mark=mailing.CLUB_MARK)


def _changed(at: RequestContext, word: Word) -> None:
    """The old address has confirmed, too."""
    member, new = _owner(at, word), str(word.data["address"])
    people, other = at.context.store.people, at.context.store.people.at(new)
    if other is not None and other.id != member.id:
        raise Denied("the new address has become somebody else's meanwhile")
    if other is None:
        people.add_address(member.id, new, at.context.now)
    move(at.context, replace(member, address=new, token=""))
    at.context.note("address", f"{member.name or 'a member'} has another address")
    mailing.note(at.context, word.address, "Your mail goes elsewhere now", [
        f"From now on it goes to {new}. You may still write from here, until 'address remove {word.address}'.",
    ], answered=at.answered, mark=mailing.CLUB_MARK)


_CONFIRMED = {REGISTER: _registered, ADD: _added, CHANGE: _added, RELEASE: _changed}


def move(context: ServiceContext, member: Member) -> None:
    """Mail of a member goes to another of his addresses; his seats get new secrets, mailed to it with the next letter."""
    held = members.seats(context, context.store.people.get(member.id) or member)
    context.store.people.save(member)
    moved = [replace(seat, address=member.address, token=members.secret(context), thread="") for seat in held]
    for seat in moved:
        context.store.games.save_seat(seat)
    games = ", ".join(dict.fromkeys(s.game for s in held)) or "none"
    mailing.tell(context, member, "Your mail comes here now", [f"Your games: {games}. Answer this mail, or those that follow."])
    for seat in moved:
        mailing.note(context, seat.address, "This game's mail comes here now", [
            f"You hold the seat of {seat.side}. 'report' mails its last report again.",
        ], game=seat.game, mark=mailing.tag_text(seat, context.config.trust))


def new_token(at: RequestContext, request: ClubRequest) -> None:
    """'token new': what was mailed before shows no longer who somebody is.  The new words go where his mail goes, so that who
    has stolen the old ones gains nothing by asking."""
    context, member = at.context, replace(at.member, token=members.secret(at.context))
    held = members.seats(context, member)
    context.store.people.save(member)
    context.store.notes.set_value(f"{identity.TOKENS} {member.id}", context.now)
    for seat in held:
        context.store.games.save_seat(replace(seat, token=members.secret(context), thread=""))
    context.note("token", f"{member.name or 'a member'} has new secret words")
    games = ", ".join(dict.fromkeys(s.game for s in held)) or "none"
    mailing.tell(context, member, "You have new secret words", [
        "Mails that you were sent before no longer show that an answer is yours. For what is no game's, answer this mail.",
        f"Your games: {games}. Each of them writes to you now; answer that mail, or those that follow.",
    ], answered=at.answered)
    for seat in members.seats(context, member):
        mailing.note(context, seat.address, "You have a new secret word", [
            f"You hold the seat of {seat.side}. From now on the answers to this mail and to those that follow are yours.",
        ], game=seat.game, mark=mailing.tag_text(seat, context.config.trust))


def _owner(at: RequestContext, word: Word) -> Member:
    found = at.context.store.people.get(word.member)
    if found is None:
        raise Denied("the account is no longer there")
    return found


# -- the account -----------------------------------------------------------------------------------------


def addresses(at: RequestContext, request: ClubRequest) -> None:
    """'address', 'address add …', 'address change …', 'address remove …'."""
    member = at.member
    if len(request.args) < 2:
        at.say("Your addresses", *_addresses(member))
        return
    what, other = request.args[0].lower(), address(request.args[1])
    if what == "remove":
        _remove(at, member, other)
        return
    owner = at.context.store.people.at(other)
    if what == "add" and other in member.addresses:
        raise Denied(f"{other} is yours already")
    if what == "change" and other == member.address:
        raise Denied(f"your mail goes to {other} already")
    if what == "add" and len(member.addresses) >= MOST_ADDRESSES:
        raise Denied(f"you have {MOST_ADDRESSES} addresses; 'address remove' takes one off")
    if not members.may_register(at.context, other):
        raise Denied(f"the host of this server does not let {other} in")
    said = f"{member.name or 'A member of this club'} wants to write from this address"
    what_for = "." if what == "add" else ", and to get all mail here."
    free = owner is None or owner.id == member.id
    if free and not _mail_word(at, ADD if what == "add" else CHANGE, other, member.id, {}, said + what_for):
        raise Denied(f"nothing was mailed to {other}, as there have been too many such mails today; ask once more tomorrow")
    at.say("One more step", f"A word to confirm with is mailed to {other}, unless that address cannot be used here.")


def _remove(at: RequestContext, member: Member, other: str) -> None:
    if other not in member.addresses:
        raise Denied(f"{other} is none of yours")
    if other == member.address:
        raise Denied("your mail goes there; 'address change' and another address moves it first")
    for seat in at.context.store.games.seats_of(other):
        at.context.store.games.save_seat(replace(seat, address=member.address))
    at.context.store.people.drop_address(other)
    at.say("Your addresses", f"{other} is taken off.", *_addresses(at.member))


def _addresses(member: Member) -> list[str]:
    others = [a for a in member.addresses if a != member.address]
    return [f"Your mail goes to {member.address}.", f"You may write from {', '.join(others)}, too." if others else
            "'address add' and another address lets you write from there, too."]


def account(at: RequestContext, request: ClubRequest) -> None:
    """'account', 'account name …'."""
    member = at.member
    if len(request.args) > 1:
        try:
            name = members.name(at.context, request.args[1], member)
        except BadName as why:
            raise Denied(str(why)) from None
        _rename(at, member, name)
        return
    away = at.context.store.people.absences(member.id, at.context.now)
    off = [f"You are absent {span(at.context, member, a.first, a.last)}." for a in away]
    at.say(
        "Your account", f"Others read your name: {member.name or '(none yet)'}.", *_addresses(member),
        f"Your address is {'shown to the others in your games' if member.shown else 'shown to nobody'} (set address"
        f" {'hidden' if member.shown else 'shown'}).",
        f"Your days are those of {member.zone or at.context.config.timezone} (set zone Europe/Rome).",
        f"How you answered: {members.reliability(member)}.",
        f"You stand on the list of substitutes since {member.available[:10]}." if member.available else
        "You do not stand on the list of substitutes ('available').", *off,
        "How you get the mails of new games (set all width 60):", *MailPreferences(**dict(member.wishes)).lines(),
    )


def _rename(at: RequestContext, member: Member, name: str) -> None:
    """Another name, in all games."""
    at.context.store.people.save(replace(member, name=name))
    for seat in members.seats(at.context, member):
        at.context.store.games.save_seat(replace(seat, name=name))
    at.say("Your account", f"You are called {name} now.")


def span(context: ServiceContext, member: Member, first: str, last: str) -> str:
    """An absence in words: both days included, with the zone whose days they are."""
    zone = ZoneInfo(member.zone or context.config.timezone)
    begin, end = (mailing.moment(t).astimezone(zone) for t in (first, later(last, seconds=-1)))
    days = [f"{d.day} {d:%B} {d.year}" for d in (begin, end)]
    said = f"on {days[0]}" if days[0] == days[1] else f"from {days[0]} to {days[1]}"
    return f"{said} ({zone.key})"


def settings(at: RequestContext, request: ClubRequest) -> None:
    """'set all width 60', 'set address shown', 'set zone Europe/Rome'."""
    member, (what, *rest) = at.member, request.args
    words = " ".join(rest).split()
    if what.lower() == "all":
        _everywhere(at, member, words)
    elif what.lower() == "zone":
        try:
            zone = ZoneInfo(words[0] if words else "").key
        except (ValueError, OSError, LookupError):
            raise Denied(f"'{' '.join(words)[:40]}' is no time zone; write a place like Europe/Rome, or UTC") from None
        at.context.store.people.save(replace(member, zone=zone))
        at.say("Your account", f"Your days are those of {zone} from now on.")
    elif [w.lower() for w in words] in (["shown"], ["hidden"]):
        at.context.store.people.save(replace(member, shown=words[0].lower() == "shown"))
        at.say("Your account", "The others in your games may read your address." if words[0].lower() == "shown" else
               "Nobody reads your address.")
    else:
        raise Denied("write 'set address shown' or 'set address hidden'")


def _everywhere(at: RequestContext, member: Member, words: list[str]) -> None:
    """A wish for all games, those to come as well."""
    try:
        kept = wish(member.wishes, words) if words else dict(member.wishes)
        at.context.store.people.save(replace(member, wishes=kept))
        for seat in members.seats(at.context, member) if words else []:
            at.context.store.games.save_seat(replace(seat, wishes=wish(seat.wishes, words)))
    except BadWish as why:
        raise Denied(str(why)) from None
    at.say("How you get your mails, in all games", *MailPreferences(**kept).lines(), "With 'set all' it holds in every game.")


def available(at: RequestContext, request: ClubRequest) -> None:
    """'available', 'available no'."""
    off = request.args and request.args[0].lower() in ("no", "off")
    member = at.member
    at.context.store.people.save(replace(member, available="" if off else member.available or at.context.now))
    at.say("The list of substitutes", "You do not stand on it." if off else
           "You stand on it: when a seat is to be taken over you are asked, and 'join' takes it. 'available no' takes you off.")


VERBS: Mapping[str, Verb] = {
    "register": register, "confirm": confirm, "address": addresses, "account": account, "set": settings, "available": available,
    "token": new_token,
}
