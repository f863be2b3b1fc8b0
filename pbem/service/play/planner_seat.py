"""A seat that the title's planner holds: it plays by the same questions as a person, and nothing is mailed to it.

Its turns are due rows like any deadline, so that they are played by the tick, one after the other, each in a transaction of its
own.  It knows no more than the view of its side (:class:`pbem.core.ruleset.ScriptedPlayers`).
"""

from __future__ import annotations

from pbem.core.standing import STANDING
from pbem.orders.source import Line, OrderBlock
from pbem.service.context import ServiceContext
from pbem.service.letters import mailing
from pbem.service.play import game_session, ordering, taken_back
from pbem.service.play.game_session import PLANNER_NAME, GameSession, Player
from pbem.store.api import PLANNER, RUNNING, TAKEN_BACK, Due

SOURCE = "the planner"
"""Where its orders come from, in the journal."""


def player() -> Player:
    """Who takes the seat."""
    return Player(PLANNER, PLANNER_NAME)


def play_turn(context: ServiceContext, due: Due) -> None:
    """The planner writes its orders for what it is asked now; the others are told what came of them."""
    play = game_session.take(context, due.game)
    side = due.side
    if play.game.status not in (RUNNING, TAKEN_BACK) or side not in play.waiting():
        context.store.games.drop_due(due.game, side)
        return
    if play.held:
        taken_back.speak(play, side)
    if side in play.waiting():
        _write(play, side)
    mailing.send(play, game_session.store_rows(play))


def _write(play: GameSession, side: str) -> None:
    """One mail of the planner, as it were; where it has nothing to say that helps, what is open takes its default."""
    planner, session = play.rules.players, play.session
    known = any(d.mode == STANDING for d in session.plans.of(side))
    lines = [*([] if known else planner.standing_orders(side)), *planner.order_lines(session, side)]
    before = (session.step, [a.id for a in play.asks])
    block = OrderBlock(play.game.id, lines=[Line(n, text) for n, text in enumerate(lines, 1)], ended=True)
    ordering.put(play, side, block, SOURCE)
    if side in session.waiting() and (session.step, [a.id for a in play.asks]) == before:
        ordering.make_ready(play, side)
        play.advance()
