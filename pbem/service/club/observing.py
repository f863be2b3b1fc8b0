"""Observers: members who are mailed, after each player turn, what lies open on the table; later, if the game says so.

What they read is made from the public's view alone, which holds nothing that either side hides from the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.core.documents import Facts
from pbem.core.fold import snapshot
from pbem.core.journal import Row
from pbem.orders.club_verbs import ClubRequest
from pbem.core.ruleset import State
from pbem.core.stage import Stage
from pbem.core.undone import standing
from pbem.service.club import members, options
from pbem.service.letters import mailing
from pbem.service.play import game_session
from pbem.service.club.club_requests import RequestContext, Denied
from pbem.service.club.lobby import find, heading
from pbem.service.play.game_session import GameSession, played
from pbem.store.api import CLOSED, HALTED, OVER, PENDING, REFEREE, Member, Observer

MOST = 50
"""Observers of one game."""


@dataclass(frozen=True)
class Shown:
    """How far a game may be told to the public: the journal up to before row ``upto``, the position there, and its step."""

    upto: int
    state: State
    step: str


def observe(at: RequestContext, request: ClubRequest) -> None:
    """'observe p1': from now on, and once at once."""
    context, member, game = at.context, at.member, find(at, request.args[0])
    if options.delay(game.options) is None:
        raise Denied(f"game {game.id} is played without observers")
    if any(s.game == game.id and s.side != REFEREE for s in members.seats(context, member)):
        raise Denied(f"you play in game {game.id}")
    if game.status in (PENDING, HALTED, CLOSED):
        raise Denied(f"game {game.id} is {game.status}: there is nothing to see")
    known = next((o for o in context.store.people.observers(game.id) if o.member == member.id), None)
    if known is None and len(context.store.people.observers(game.id)) >= MOST:
        raise Denied(f"game {game.id} has {MOST} observers already")
    play = game_session.take(context, game.id)
    found = shown(play)
    observer = known or Observer(game.id, member.id, context.now)
    if found is None:
        context.store.people.save_observer(observer)
        at.say(f"You observe game {game.id}", f"{heading(game)}. The first mail comes when {_later(play)}.",
               f"'leave {game.id}' ends it.")
    else:
        _mail(play, replace(observer, reported=found.upto), member, found, [])
        at.say(f"You observe game {game.id}", f"{heading(game)}. What lies open now comes in a mail of its own.")
    if known is None:
        for side in play.rules.sides:
            mailing.note(context, play.seats[side].address, "Somebody observes the game", [
                f"{member.name or 'A member'} observes the game from now on, and reads what lies open on the table.",
            ], game=game.id, once=f"observes {game.id} {member.id} {side}")


def _later(play: GameSession) -> str:
    return f"the game is {options.delay(play.game.options)} turns on"


def tell(play: GameSession) -> None:
    """A player turn has ended: mail the observers what may be told of it by now."""
    observers = play.context.store.people.observers(play.game.id)
    found = shown(play) if observers else None
    if found is None:
        return
    store = play.context.store
    for observer in observers:
        member, since = store.people.get(observer.member), observer.reported
        if member is not None and found.upto > since:
            rows = played(play.context, play.game.id, since, found.upto - 1) if since else []
            _mail(play, observer, member, found, rows)


def shown(play: GameSession) -> Shown | None:
    """How far the game may be told; None if nothing of it yet.  Once it is over, all of it."""
    delay, session = options.delay(play.game.options), play.session
    if not delay or play.game.status == OVER or session.over:
        return Shown(session.seq, session.state, session.step_name)
    rows = list(play.context.store.journal.rows(play.game.id))
    last = turn(session.step_name) - delay
    steps = [r for r in standing(rows) if r.kind == "step"]
    later_ = next((i for i, r in enumerate(steps) if turn(str(r.payload["name"])) > last), len(steps))
    if not 0 < later_ < len(steps):
        return None
    mark, data = steps[later_], play.context.data(play.game.dataset)
    kept = snapshot(play.rules, data, play.game.options, rows, mark.step)
    return Shown(mark.seq, play.rules.load(data, play.game.options, kept.state), str(steps[later_ - 1].payload["name"]))


def turn(step: str) -> int:
    """The turn of a step; 0 before the first."""
    return Stage.parse(step).turn


def _mail(play: GameSession, observer: Observer, member: Member, found: Shown, rows: Sequence[Row]) -> None:
    """One mail to an observer: what happened openly since the last one, and what lies open now."""
    context, game = play.context, play.game
    over = game.status == OVER or play.session.over
    head = next(iter(context.store.journal.rows(game.id, found.upto - 1, found.upto - 1)))
    told: Facts = {
        "id": game.id, "players": {s.side: s.name for s in play.seats.values() if s.side != REFEREE},
        "number": observer.number + 1, "step": found.step, "deadline": None, "head": head.hash,
        "seq": found.upto - 1, "commitment": game.commitment,
        "seed": mailing.seeds_text(play) if over else "",
    }
    doc = play.rules.telling.report(told, found.state, "", list(rows), [])
    doc["kind"], doc["occasion"] = "report", f"observer's report {told['number']}"
    if over:
        doc = mailing.ended(play, doc)
    leaving = f"{context.config.address}?subject=leave%20{game.id}"
    when = f"Turn {doc['turn']}" if doc["turn"] else doc["phase"]
    mailing.send_text(context, member.address, f"[{game.id}] {when}, as observers see it", doc, game=game.id, kind=mailing.REPORT,
               unsubscribe=leaving)
    context.store.people.save_observer(replace(observer, reported=found.upto, number=observer.number + 1))
