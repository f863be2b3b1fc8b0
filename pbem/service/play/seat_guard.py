"""Who may have a seat: the same checks at every door, by mail and at the console."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.service.club import members
from pbem.service.context import ServiceContext
from pbem.store.api import PLANNER, REFEREE, Seat


def objection(context: ServiceContext, game: str, seats: Iterable[Seat], side: str, address: str) -> str:
    """Why somebody cannot have the seat of ``side`` (or be the referee), '' if he can.

    Nobody plays both sides of a game, not even one after the other, and nobody judges his own; the server does not play by
    mail.  ``seats``: those of the game, as far as they are known; a name of '' for a game that is still to be made.
    """
    address = address.lower()
    if not address or address == PLANNER:
        return ""
    if address == context.config.address.lower():
        return f"{address} is this server's own address"
    member = context.store.people.at(address)
    his = {address, *(member.addresses if member else ())}
    for seat in seats:
        if seat.side != side and seat.address in his:
            if REFEREE in (seat.side, side):
                return f"{address} would be the referee of a game that he plays"
            return f"{address} has the seat of {seat.side} already, and nobody plays both sides"
    before = members.held(context, game, member) if member and game else ""
    if before and before != side and side != REFEREE:
        return f"{address} played {before} in this game, and knows what that side hides"
    return ""
