"""9.3 Coordination: lead hexes and lead units."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ELITE
from pbem.games.invasion_sicily.position.state import DISRUPTED, UNSUPPLIED, State
from pbem.games.invasion_sicily.rules.phases import ask

if TYPE_CHECKING:
    from pbem.games.invasion_sicily.rules.combat import Fight

Who = Generator[Sequence[Ask], list[Answer], str]


def lead_hexes(state: State, fight: Fight) -> list[str]:
    """9.3.2 The hexes that may lead: an invasion hex always does (13.2.4c); stacks without markers before those with."""
    at_sea = [h for h, units in fight.groups.items() if any(state.units[u].target for u in units)]
    if at_sea:
        return at_sea
    sound = [
        h for h, units in fight.groups.items()
        if not any(state.units[u].has(UNSUPPLIED) or state.units[u].has(DISRUPTED) for u in units)
    ]
    return sound or list(fight.groups)


def attacker(ctx: Ctx, fight: Fight) -> Who:
    """9.3.1, 9.3.2 The attacker names the lead unit; its hex is the lead hex.  Artillery never leads (9.3.5)."""
    state = ctx.state
    there = [u for h in lead_hexes(state, fight) for u in fight.groups[h]]
    units = [u for u in there if not state.type(u).gun and not board.logistic(state, u)] or there
    best = max(units, key=lambda u: (state.data.units[u].type not in ELITE, board.combat_er(state, u), board.steps(state, u),
                                     board.attack(state, u)))
    answer = yield from ask(
        ctx, fight.side, "lead", "9.3", [_option(state, u, best) for u in units], f"lead {best}", where=fight.target,
        facts={"role": "attack", "units": len(fight.units)},
    )
    found: str = answer["unit"]
    return found


def second(state: State, units: Sequence[str]) -> str:
    """9.3.3, 9.3.4 The unit that makes the check of a hex that does not lead: the best rated; no Allied airborne or commando
    unit unless all of that hex are.  Nothing hangs on it but the die, so the best is taken without a question."""
    plain = [u for u in units if state.data.units[u].type not in ELITE or state.data.units[u].side == "axis"]
    able = [u for u in plain or units if not state.type(u).gun] or list(units)
    return max(able, key=lambda u: (board.combat_er(state, u), u))


def defender(ctx: Ctx, fight: Fight, units: Sequence[str]) -> Who:
    """9.3.6 The defender names his lead unit: any but artillery that gives its support."""
    state = ctx.state
    best = max(units, key=lambda u: (board.combat_er(state, u), board.steps(state, u), board.defence(state, u)))
    side = board.side_of(state, units[0])
    answer = yield from ask(
        ctx, side, "lead", "9.3.6", [_option(state, u, best) for u in units], f"lead {best}", where=fight.target,
        facts={"role": "defence", "units": len(units)},
    )
    found: str = answer["unit"]
    return found


def _option(state: State, unit: str, best: str) -> Option:
    kinds = (("best", unit == best), ("armor", state.type(unit).armor), ("infantry", state.type(unit).type == "infantry"))
    tags = [tag for tag, on in kinds if on]
    return Option(f"lead {unit}", f"rated {board.combat_er(state, unit)}", tuple(tags), {"unit": unit})
