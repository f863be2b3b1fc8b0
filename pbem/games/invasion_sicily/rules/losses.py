"""9.5 Combat results: steps lost."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules.phases import Flow, ask, lose_step


class Result(NamedTuple):
    """A cell of the Combat Results Table: steps and hexes of retreat of both sides; ``wiped``: the attackers are eliminated."""

    attacker: int = 0
    attacker_retreat: int = 0
    defender: int = 0
    defender_retreat: int = 0
    wiped: bool = False


_CELL = re.compile(r"(\d)(?:r(\d))?/(\d)(?:r(\d))?")


def read(cell: str) -> Result:
    """'1/2r2' as a value: the attacker loses a step, the defender two, and retreats two hexes."""
    if cell == "E":
        return Result(wiped=True)
    found = _CELL.fullmatch(cell)
    if found is None:
        raise ValueError(f"{cell!r} is no combat result")
    a, ar, d, dr = (int(x or 0) for x in found.groups())
    return Result(a, ar, d, dr)


def offset(state: State, result: Result, attackers: Sequence[str], defenders: Sequence[str]) -> Result:
    """9.5.3 note 2 If one side has fewer steps than it must lose, the other side loses one less."""
    have_a, have_d = (sum(board.steps(state, u) for u in side) for side in (attackers, defenders))
    attacker, defender = result.attacker, result.defender
    if have_d < result.defender and attacker:
        attacker -= 1
    if have_a < result.attacker and defender:
        defender -= 1
    return result._replace(attacker=attacker, defender=defender)


def take(ctx: Ctx, side: str, units: Sequence[str], lead: str, steps: int, target: str) -> Flow:
    """9.5.3 A force loses steps: the lead unit the first, the owner chooses the others."""
    for number in range(steps):
        alive = living(ctx.state, units)
        if not alive:
            return
        if number == 0 and lead in alive:
            lose_step(ctx, lead, "9.5.3")
            continue
        cheapest = min(alive, key=lambda u: (board.steps(ctx.state, u) == 1, _worth(ctx.state, u), u))
        answer = yield from ask(
            ctx, side, "loss", "9.5.3", _options(ctx.state, alive), f"lose {cheapest}", where=target,
            facts={"steps": steps - number, "units": len(alive)},
        )
        lose_step(ctx, answer["unit"], "9.5.3")


def living(state: State, units: Sequence[str]) -> list[str]:
    """Those that are still in play."""
    return [u for u in units if state.units[u].place in state.data.hexes]


def _worth(state: State, unit: str) -> int:
    return board.attack(state, unit) + board.defence(state, unit)


def _options(state: State, units: Sequence[str]) -> list[Option]:
    """Each unit; the weakest and the strongest are tagged so, and those that would die or live."""
    ranked = sorted(units, key=lambda u: (_worth(state, u), u))
    found = []
    for unit in units:
        tags = ["last-step" if board.steps(state, unit) == 1 else "full"]
        tags += ["weakest"] * (unit == ranked[0]) + ["strongest"] * (unit == ranked[-1])
        found.append(Option(f"lose {unit}", tags=tuple(tags), data={"unit": unit}))
    return found
