"""9.5-9.8 What a combat leads to: losses, No Retreat, retreats, advance, counterattack."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, other
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules import advance, losses, retreat
from pbem.games.invasion_sicily.rules.losses import Result, living
from pbem.games.invasion_sicily.rules.phases import Flow, ask, er_check, lose_step

if TYPE_CHECKING:
    from pbem.games.invasion_sicily.rules.combat import Fight

YesNo = Generator[Sequence[Ask], list[Answer], bool]


def involved(state: State, fight: Fight) -> list[str]:
    """9.5.1, 10.1.5 Who suffers the attackers' result: the attacking units, and guns that gave support next to the defender."""
    near = [g for g in fight.guns if fight.target in state.data.map.near(state.units[g].place)]
    return [*fight.units, *near]


def apply(ctx: Ctx, fight: Fight, result: Result, defenders: Sequence[str]) -> Flow:
    """9.5, 9.6, 9.7.5 The result, first for the attackers, then for the defenders; then advance and counterattack."""
    state, target, foe = ctx.state, fight.target, other(fight.side)
    attackers = involved(state, fight)
    if result.wiped:
        for unit in fight.units:
            ctx.emit(e.Eliminated(unit, "9.4"))
        ctx.emit(e.CombatEnded(target, True))
        return
    result = losses.offset(state, result, attackers, defenders)
    yield from losses.take(ctx, fight.side, attackers, fight.lead, result.attacker, target)
    yield from losses.take(ctx, foe, defenders, fight.defence_lead, result.defender, target)
    if result.attacker_retreat:
        yield from _attackers_back(ctx, fight, attackers, result)
    last_stand = False
    if result.defender_retreat and living(state, defenders):
        stood = yield from _stand(ctx, fight, foe, defenders, fight.defence_lead, result.defender, (target,))
        if stood:
            last_stand = not living(state, defenders)
        else:
            yield from retreat.retreat(ctx, foe, target, living(state, defenders), result.defender_retreat, target)
    held = bool(board.at(state, target, foe))
    if not held and not last_stand and not result.attacker_retreat:
        yield from advance.advance(ctx, fight.side, target, living(state, fight.units), "9.7")
    ctx.emit(e.CombatEnded(target, held))
    if result.defender_retreat == 1 and not held and not (fight.counter and not state.data.switches["counter_chain"]):
        from pbem.games.invasion_sicily.rules import counterattack

        yield from counterattack.offer(ctx, fight, living(state, defenders))


def walk_in(ctx: Ctx, fight: Fight) -> Flow:
    """13.2.7, 14.1.3 Nobody is there: up to eleven stacking points enter, those from the invasion hex first."""
    yield from advance.advance(ctx, fight.side, fight.target, fight.units, "13.2.7")
    ctx.emit(e.CombatEnded(fight.target, False))


def _attackers_back(ctx: Ctx, fight: Fight, attackers: Sequence[str], result: Result) -> Flow:
    """9.6 Attackers retreat from their hexes; those on an invasion hex are evacuated at the end of the combat (13.2.5)."""
    state = ctx.state
    groups: dict[str, list[str]] = {}
    for unit in living(state, attackers):
        if not state.units[unit].target:
            groups.setdefault(state.units[unit].place, []).append(unit)
    for hex_, units in groups.items():
        lead = fight.lead if fight.lead in units else max(units, key=lambda u: (board.combat_er(state, u), u))
        taken = result.attacker if fight.lead in units else 0
        stood = yield from _stand(ctx, fight, fight.side, units, lead, taken, (hex_,))
        if not stood:
            yield from retreat.retreat(ctx, fight.side, hex_, living(state, units), result.attacker_retreat, fight.target)


def may_stand(state: State, side: str, hex_: str) -> bool:
    """9.6.7a, 16.2.4 Axis units in a strongpoint; Allied ones with a Beach or Port unit."""
    if side == AXIS:
        return hex_ in state.strongpoints
    return any(board.logistic(state, u) for u in board.at(state, hex_, ALLIED))


def _stand(
    ctx: Ctx, fight: Fight, side: str, units: Sequence[str], lead: str, steps_taken: int, hexes: tuple[str, ...]
) -> YesNo:
    """9.6.7 The No Retreat option: a check by the lead unit, and one step more."""
    state = ctx.state
    alive = living(state, units)
    if not alive or not may_stand(state, side, hexes[0]):
        return False
    answer = yield from ask(
        ctx, side, "no-retreat", "9.6.7", [Option("retreat"), Option("try")], _stand_default(state, alive, lead),
        where=fight.target,
        facts={
            "er": board.combat_er(state, lead if lead in alive else alive[0]),
            "steps": sum(board.steps(state, u) for u in alive),
        },
    )
    if answer.key == "retreat":
        return False
    reduced = steps_taken > 0
    if lead not in alive:
        lead = yield from _new_lead(ctx, fight, side, alive)
    passed = er_check(ctx, lead, f"{lead} does not retreat from {hexes[0]}", "9.6.7", combat=True)
    ctx.emit(e.StoodFast(hexes[0], side, passed))
    if not passed:
        return False
    if not reduced:
        lose_step(ctx, lead, "9.6.7")
    else:
        yield from losses.take(ctx, side, alive, "", 1, fight.target)
    return True


def _stand_default(state: State, units: Sequence[str], lead: str) -> str:
    """At the deadline units stand only with a good chance and a step to spare."""
    steps = sum(board.steps(state, u) for u in units)
    best = max(board.combat_er(state, u) for u in units)
    rating = board.combat_er(state, lead) if lead in units else best
    return "try" if rating >= 6 and steps >= 2 else "retreat"


def _new_lead(ctx: Ctx, fight: Fight, side: str, units: Sequence[str]) -> Generator[Sequence[Ask], list[Answer], str]:
    """9.6.7c2 If the lead unit is gone, the owner names another."""
    state = ctx.state
    best = max(units, key=lambda u: (board.combat_er(state, u), u))
    answer = yield from ask(
        ctx, side, "lead", "9.6.7", [Option(f"lead {u}", data={"unit": u}) for u in units], f"lead {best}",
        where=fight.target, facts={"role": "stand", "units": len(units)},
    )
    found: str = answer["unit"]
    return found
