"""Why an order of a phase came to nothing, where no question ever asked for it."""

from __future__ import annotations

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.standing import Directive
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.words import choosing
from pbem.games.invasion_sicily.words.asks import CATALOGUE


def why(state: State, order: Directive) -> Refusal | None:
    """The reason, with its rule; None for what only closes a phase or answers a question that did not come."""
    kind = CATALOGUE[order.kind]
    if not kind.phase_orders or order.choices[0] in ("done", kind.closing):
        return None
    if order.kind == "battle":
        return Refusal(f"no combat was left to fight at {order.choices[0].split()[-1]}", "9.1.3")
    closed = Ask(order.side, order.kind, kind.rule, order.scope, lambda: [Option("done")], "done")
    found = choosing.choose(state, closed, order.choices[0])
    return found if isinstance(found, Refusal) else Refusal("the phase ended before it could be carried out", kind.rule)
