"""Taking a seat by mail, deciding about it, and giving it up before the game has begun."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.orders.club_verbs import ClubRequest
from pbem.service.club import consent, making, members, observing, options
from pbem.service.letters import mailing
from pbem.service.play import game_session, referee
from pbem.service.club.consent import NEW, SEAT
from pbem.service.club.club_requests import RequestContext, Denied, Verb
from pbem.service.context import ServiceContext
from pbem.service.club.lobby import find, games, heading, list_scenarios
from pbem.service.play.referee import CannotDo
from pbem.service.play.game_session import Player
from pbem.store.api import CLOSED, PENDING, REFEREE, RUNNING, Game, Member, Seat


def join(at: RequestContext, request: ClubRequest) -> None:
    """'join p1 axis', 'join p1'; in a block of the game 'join axis'."""
    member, words = at.member, [w.lower() for w in request.args]
    if len(words) == 1 and request.game and words[0] != request.game:
        words = [request.game, *words]
    game = find(at, words[0])
    seat = _wanted(at, game, words[1] if len(words) > 1 else "")
    if why := _objection(at.context, game, seat.side, member, "you"):
        raise Denied(why)
    if not at.context.config.operator == at.person.address and not members.may_register(at.context, member.address):
        raise Denied("the host of this server does not let your address in")
    at_once = game.status == PENDING and options.of(game.options, "seats") == "open" or (
        game.status == RUNNING and member.available and options.of(game.options, "missed") == "substitute"
    )
    if at_once:
        sit(at, game, seat.side, member)
        return
    to = decider(at.context, game, seat)
    consent.ask(at.context, to, SEAT, member, {"game": game.id, "side": seat.side}, [
        f"{members.shown(member)} wants to play {seat.side.capitalize()} in game {game.id} ({heading(game)}).",
    ])
    at.say("You have asked for the seat", f"Whoever decides about {seat.side.capitalize()} in game {game.id} has been asked; you"
           " hear of the answer.")


def _objection(context: ServiceContext, game: Game, side: str, member: Member, who: str) -> str:
    """Why a member cannot have a seat that is free, '' if he can: nobody plays both sides, not even one after the other."""
    now = next((s.side for s in members.seats(context, member) if s.game == game.id), "")
    if now:
        return f"{who} {'have' if who == 'you' else 'has'} the seat of {now} in game {game.id}"
    before = members.held(context, game.id, member)
    knows = "know" if who == "you" else "knows"
    return "" if before in ("", side) else f"{who} played {before} in game {game.id}, and {knows} what that side hides"


def _wanted(at: RequestContext, game: Game, side: str) -> Seat:
    """The seat that somebody may have."""
    seats = [s for s in at.context.store.games.seats(game.id) if s.side != REFEREE]
    if game.status not in (PENDING, RUNNING):
        raise Denied(f"game {game.id} is {game.status}: no seat can be taken")
    free = [s for s in seats if not s.address or game.status == RUNNING and s.leaving]
    if side and side not in [s.side for s in seats]:
        raise Denied(f"'{side[:20]}' is no side of game {game.id}: {' or '.join(s.side for s in seats)}")
    found = [s for s in free if side in ("", s.side)]
    if not found:
        watch = f"; 'observe {game.id}' lets you watch" if options.delay(game.options) is not None else ""
        raise Denied(f"no seat {f'of {side} ' if side else ''}is free in game {game.id}{watch}")
    if len(found) > 1:
        raise Denied(f"say which side: 'join {game.id} {found[0].side}' or 'join {game.id} {found[1].side}'")
    return found[0]


def sit(at: RequestContext, game: Game, side: str, member: Member) -> None:
    """A member takes a seat: a free one, or over from its player in the middle of the game."""
    context = at.context
    context.store.people.drop_observer(game.id, member.id)
    if game.status == RUNNING:
        try:
            referee.substitute(context, game.id, side, Player(member.address, member.name), source=at.source)
        except CannotDo as why:
            raise Denied(str(why)) from None
        _say_to(at, member, f"You play {side.capitalize()} in game {game.id}", [
            "The situation as it is now is in the report that goes out with this. 'report 1' mails an older one again.",
        ])
        return
    seat = context.store.games.seat(game.id, side)
    new = replace(seat, address=member.address, name=member.name, token=members.secret(context), wishes=member.wishes)
    context.store.games.save_seat(new)
    context.note("seat", f"{side} is taken", game.id)
    left = [s for s in context.store.games.seats(game.id) if not s.address]
    waits = "It begins when all seats are taken." if left else "All seats are taken: it begins, the first report is out."
    _say_to(at, member, f"You play {side.capitalize()} in game {game.id}", [waits])
    if not left:
        making.start(context, game.id)


def _say_to(at: RequestContext, member: Member, heading: str, lines: list[str]) -> None:
    """Tell a member, in the answer if it is he who wrote."""
    if at.person.address in member.addresses:
        at.say(heading, *lines)
    else:
        mailing.tell(at.context, member, heading, lines)


def decider(context: ServiceContext, game: Game, seat: Seat) -> str:
    """The address of who decides about a seat: the referee, else who made the game, else the host; of a seat that is taken
    over, in the end the other player."""
    seats = context.store.games.seats(game.id)
    maker = context.store.people.get(game.maker) if game.status == PENDING else None
    found = [s.address for s in seats if s.side == REFEREE] + ([maker.address] if maker else []) + [context.config.operator]
    found += [s.address for s in seats if s.side not in (REFEREE, seat.side)]
    to = next((a for a in found if a), "")
    if not to:
        raise Denied("there is nobody who could decide about the seat")
    return to


def decide(at: RequestContext, request: ClubRequest) -> None:
    """'accept bcdf2345', 'decline bcdf2345'."""
    context, word = at.context, consent.asked(at, request.args[0].lower())
    applicant = context.store.people.get(word.member) if word else None
    if word is None or word.kind not in (SEAT, NEW) or applicant is None:
        raise Denied("there is no such word, or it has been used; it stands in the mail that asked you")
    context.store.people.spend(word.word)
    if word.expires <= context.now:
        raise Denied("it was too long ago; whoever asked may ask again")
    what = f"the seat of {word.data['side']} in game {word.data['game']}" if word.kind == SEAT else "the new game"
    if request.verb == "decline":
        mailing.tell(context, applicant, "Not accepted", [f"You asked for {what}: the answer is no."])
        at.say("Declined", f"{applicant.name or 'Who asked'} is told.")
    elif word.kind == NEW:
        game = making.make(context, applicant, word.data)
        mailing.tell(context, applicant, f"Game {game.id} is made", [
            f"The host agrees: {heading(game)}. It begins when all seats are taken.", f"'leave {game.id}' gives it up before.",
        ])
        at.say("Accepted", f"Game {game.id} is made; {applicant.name or 'who asked'} is told.")
    else:
        game = find(at, str(word.data["game"])) if at.context.store.people.at(at.person.address) else context.store.games.get(
            str(word.data["game"])
        )
        seat = _wanted(at, game, str(word.data["side"]))
        if why := _objection(context, game, seat.side, applicant, applicant.name or "who asked"):
            raise Denied(why)
        sit(at, game, seat.side, applicant)
        at.say("Accepted", f"{applicant.name or 'Who asked'} has {what}.")


def leave(at: RequestContext, request: ClubRequest) -> None:
    """'leave p1': an observer goes; a player of a game that has not begun gives his seat up, or the whole game, if he made it."""
    context, member, game = at.context, at.member, find(at, request.args[0])
    if any(o.game == game.id for o in context.store.people.observed(member.id)):
        context.store.people.drop_observer(game.id, member.id)
        at.say(f"Game {game.id}", "You observe it no more.")
        return
    seat = next((s for s in members.seats(context, member) if s.game == game.id and s.side != REFEREE), None)
    if seat is None:
        raise Denied(f"you have no seat in game {game.id}, and do not observe it")
    if game.status == RUNNING:
        raise Denied(f"the game has begun: 'resign {game.id}' gives your seat up, 'concede {game.id}' the game")
    if game.status != PENDING:
        raise Denied(f"game {game.id} is {game.status}: there is nothing to leave")
    if game.maker == member.id:
        game_session.stop(context, game.id, CLOSED, "given up before it began")
        for other in context.store.games.seats(game.id):
            if other.address and other.side not in (REFEREE, seat.side):
                told = ["Who made it has given it up before it began."]
                mailing.note(context, other.address, "The game is given up", told, game=game.id)
        at.say(f"Game {game.id}", "The game is given up.")
    else:
        context.store.games.save_seat(replace(seat, address="", name="", token=members.secret(context), thread="", wishes={}))
        at.say(f"Game {game.id}", "Your seat is free again.")


VERBS: Mapping[str, Verb] = {
    "games": games, "scenarios": list_scenarios, "new": making.new, "join": join, "accept": decide, "decline": decide,
    "leave": leave, "observe": observing.observe,
}
