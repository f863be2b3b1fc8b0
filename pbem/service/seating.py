"""Taking a seat by mail, deciding about it, and giving it up before the game has begun."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pbem.orders.club_verbs import ClubRequest
from pbem.service import consent, making, members, observing, options, post, referee, turns
from pbem.service.consent import NEW, SEAT
from pbem.service.counter import At, Denied, Verb
from pbem.service.desk import Desk
from pbem.service.lobby import find, games, heading, list_scenarios
from pbem.service.referee import CannotDo
from pbem.service.turns import Player
from pbem.store.api import CLOSED, PENDING, REFEREE, RUNNING, Game, Member, Seat


def join(at: At, request: ClubRequest) -> None:
    """'join p1 axis', 'join p1'; in a block of the game 'join axis'."""
    member, words = at.member, [w.lower() for w in request.args]
    if len(words) == 1 and request.game and words[0] != request.game:
        words = [request.game, *words]
    game = find(at, words[0])
    seat = _wanted(at, game, words[1] if len(words) > 1 else "")
    if why := _objection(at.desk, game, seat.side, member, "you"):
        raise Denied(why)
    if not at.desk.config.operator == at.person.address and not members.may_register(at.desk, member.address):
        raise Denied("the host of this server does not let your address in")
    at_once = game.status == PENDING and options.of(game.options, "seats") == "open" or (
        game.status == RUNNING and member.available and options.of(game.options, "missed") == "substitute"
    )
    if at_once:
        sit(at, game, seat.side, member)
        return
    to = decider(at.desk, game, seat)
    consent.ask(at.desk, to, SEAT, member, {"game": game.id, "side": seat.side}, [
        f"{members.shown(member)} wants to play {seat.side.capitalize()} in game {game.id} ({heading(game)}).",
    ])
    at.say("You have asked for the seat", f"Whoever decides about {seat.side.capitalize()} in game {game.id} has been asked; you"
           " hear of the answer.")


def _objection(desk: Desk, game: Game, side: str, member: Member, who: str) -> str:
    """Why a member cannot have a seat that is free, '' if he can: nobody plays both sides, not even one after the other."""
    now = next((s.side for s in members.seats(desk, member) if s.game == game.id), "")
    if now:
        return f"{who} {'have' if who == 'you' else 'has'} the seat of {now} in game {game.id}"
    before = members.held(desk, game.id, member)
    knows = "know" if who == "you" else "knows"
    return "" if before in ("", side) else f"{who} played {before} in game {game.id}, and {knows} what that side hides"


def _wanted(at: At, game: Game, side: str) -> Seat:
    """The seat that somebody may have."""
    seats = [s for s in at.desk.store.games.seats(game.id) if s.side != REFEREE]
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


def sit(at: At, game: Game, side: str, member: Member) -> None:
    """A member takes a seat: a free one, or over from its player in the middle of the game."""
    desk = at.desk
    desk.store.people.drop_observer(game.id, member.id)
    if game.status == RUNNING:
        try:
            referee.substitute(desk, game.id, side, Player(member.address, member.name), source=at.source)
        except CannotDo as why:
            raise Denied(str(why)) from None
        _say_to(at, member, f"You play {side.capitalize()} in game {game.id}", [
            "The situation as it is now is in the report that goes out with this. 'report 1' mails an older one again.",
        ])
        return
    seat = desk.store.games.seat(game.id, side)
    new = replace(seat, address=member.address, name=member.name, token=members.secret(desk), wishes=member.wishes)
    desk.store.games.save_seat(new)
    desk.note("seat", f"{side} is taken", game.id)
    left = [s for s in desk.store.games.seats(game.id) if not s.address]
    waits = "It begins when all seats are taken." if left else "All seats are taken: it begins, the first report is out."
    _say_to(at, member, f"You play {side.capitalize()} in game {game.id}", [waits])
    if not left:
        making.start(desk, game.id)


def _say_to(at: At, member: Member, heading: str, lines: list[str]) -> None:
    """Tell a member, in the answer if it is he who wrote."""
    if at.person.address in member.addresses:
        at.say(heading, *lines)
    else:
        post.tell(at.desk, member, heading, lines)


def decider(desk: Desk, game: Game, seat: Seat) -> str:
    """The address of who decides about a seat: the referee, else who made the game, else the host; of a seat that is taken
    over, in the end the other player."""
    seats = desk.store.games.seats(game.id)
    maker = desk.store.people.get(game.maker) if game.status == PENDING else None
    found = [s.address for s in seats if s.side == REFEREE] + ([maker.address] if maker else []) + [desk.config.operator]
    found += [s.address for s in seats if s.side not in (REFEREE, seat.side)]
    to = next((a for a in found if a), "")
    if not to:
        raise Denied("there is nobody who could decide about the seat")
    return to


def decide(at: At, request: ClubRequest) -> None:
    """'accept bcdf2345', 'decline bcdf2345'."""
    desk, word = at.desk, consent.asked(at, request.args[0].lower())
    applicant = desk.store.people.get(word.member) if word else None
    if word is None or word.kind not in (SEAT, NEW) or applicant is None:
        raise Denied("there is no such word, or it has been used; it stands in the mail that asked you")
    desk.store.people.spend(word.word)
    if word.expires <= desk.now:
        raise Denied("it was too long ago; whoever asked may ask again")
    what = f"the seat of {word.data['side']} in game {word.data['game']}" if word.kind == SEAT else "the new game"
    if request.verb == "decline":
        post.tell(desk, applicant, "Not accepted", [f"You asked for {what}: the answer is no."])
        at.say("Declined", f"{applicant.name or 'Who asked'} is told.")
    elif word.kind == NEW:
        game = making.make(desk, applicant, word.data)
        post.tell(desk, applicant, f"Game {game.id} is made", [
            f"The host agrees: {heading(game)}. It begins when all seats are taken.", f"'leave {game.id}' gives it up before.",
        ])
        at.say("Accepted", f"Game {game.id} is made; {applicant.name or 'who asked'} is told.")
    else:
        game = find(at, str(word.data["game"])) if at.desk.store.people.at(at.person.address) else desk.store.games.get(
            str(word.data["game"])
        )
        seat = _wanted(at, game, str(word.data["side"]))
        if why := _objection(desk, game, seat.side, applicant, applicant.name or "who asked"):
            raise Denied(why)
        sit(at, game, seat.side, applicant)
        at.say("Accepted", f"{applicant.name or 'Who asked'} has {what}.")


def leave(at: At, request: ClubRequest) -> None:
    """'leave p1': an observer goes; a player of a game that has not begun gives his seat up, or the whole game, if he made it."""
    desk, member, game = at.desk, at.member, find(at, request.args[0])
    if any(o.game == game.id for o in desk.store.people.observed(member.id)):
        desk.store.people.drop_observer(game.id, member.id)
        at.say(f"Game {game.id}", "You observe it no more.")
        return
    seat = next((s for s in members.seats(desk, member) if s.game == game.id and s.side != REFEREE), None)
    if seat is None:
        raise Denied(f"you have no seat in game {game.id}, and do not observe it")
    if game.status == RUNNING:
        raise Denied(f"the game has begun: 'resign {game.id}' gives your seat up, 'concede {game.id}' the game")
    if game.status != PENDING:
        raise Denied(f"game {game.id} is {game.status}: there is nothing to leave")
    if game.maker == member.id:
        turns.stop(desk, game.id, CLOSED, "given up before it began")
        for other in desk.store.games.seats(game.id):
            if other.address and other.side not in (REFEREE, seat.side):
                told = ["Who made it has given it up before it began."]
                post.note(desk, other.address, "The game is given up", told, game=game.id)
        at.say(f"Game {game.id}", "The game is given up.")
    else:
        desk.store.games.save_seat(replace(seat, address="", name="", token=members.secret(desk), thread="", wishes={}))
        at.say(f"Game {game.id}", "Your seat is free again.")


VERBS: Mapping[str, Verb] = {
    "games": games, "scenarios": list_scenarios, "new": making.new, "join": join, "accept": decide, "decline": decide,
    "leave": leave, "observe": observing.observe,
}
