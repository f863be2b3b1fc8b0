"""What a mail program's Unsubscribe does: fewer mails.  It never gives a seat up, since a stray click is enough for it."""

from __future__ import annotations

from dataclasses import replace

from pbem.orders.club_verbs import ClubRequest
from pbem.service.club import members
from pbem.service.club.club_requests import Denied, RequestContext
from pbem.service.letters.mail_preferences import wish
from pbem.store.api import REFEREE


def unsubscribe(at: RequestContext, request: ClubRequest) -> None:
    """'unsubscribe p1': an observer gets no more mails of the game, a player only those that ask him something."""
    context, game = at.context, request.args[0].lower()
    member = context.store.people.at(at.person.address)
    if member is not None and any(o.game == game for o in context.store.people.observed(member.id)):
        context.store.people.drop_observer(game, member.id)
        at.say(f"Game {game}", f"You observe it no more. 'observe {game}' takes you back.")
        return
    seats = members.seats(context, member) if member is not None else list(at.person.seats)
    seat = next((s for s in seats if s.game == game and s.side != REFEREE), None)
    if seat is None:
        raise Denied(f"you have no seat in game {game}, and do not observe it")
    context.store.games.save_seat(replace(seat, wishes=wish(seat.wishes, ("digest", "on"))))
    at.say(
        f"Fewer mails from game {game}",
        "From now on you get a report only when you are asked something; it tells all that has happened since the last one.",
        f"Your seat is still yours. 'set digest off' undoes this; 'resign {game}', as a line in the text of a mail, gives the"
        " seat up.",
    )
