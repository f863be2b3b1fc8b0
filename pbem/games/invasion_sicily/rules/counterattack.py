"""9.8 Counterattack."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import other
from pbem.games.invasion_sicily.position.state import COUNTERED, RETREATED, State
from pbem.games.invasion_sicily.rules.declaring import strength
from pbem.games.invasion_sicily.rules.phases import Flow, ask
from pbem.games.invasion_sicily.rules.terrain import closed

if TYPE_CHECKING:
    from pbem.games.invasion_sicily.rules.combat import Fight


def able(state: State, unit: str, target: str) -> bool:
    """9.8, 9.8.2, 9.8.5 Whether a unit may counterattack: next to the victors, with a strength, not yet used for one, no gun."""
    found = state.units[unit]
    return (
        not state.type(unit).gun and not found.has(COUNTERED) and board.on_map(state, found)
        and target in state.data.map.near(found.place) and strength(state, unit, target) > 0
        and closed(state.data, state.type(unit), found.place, target) is None
    )


def offer(ctx: Ctx, fight: Fight, retreated: Sequence[str]) -> Flow:
    """9.8, 9.8.3 Defenders that went back one hex may attack the victors who advanced, at once.

    RULING: a counterattack of a counterattack is not allowed (switch 'counter_chain'): 9.8 speaks of a declared combat.
    """
    state, side, target = ctx.state, other(fight.side), fight.target
    victors = board.at(state, target, fight.side)
    back = [u for u in retreated if able(state, u, target)]
    stacks = list(dict.fromkeys(state.units[u].place for u in back))
    if not victors or not back:
        return
    answer = yield from ask(
        ctx, side, "counter", "9.8",
        [Option("none"), *(Option(f"counter from {h}", data={"hex": h}, tags=("counter",)) for h in stacks)], "none",
        where=target, facts=_facts(state, back, victors, target, side),
    )
    if answer.key == "none":
        return
    groups = {answer["hex"]: [u for u in back if state.units[u].place == answer["hex"]]}
    others = [
        u.id for u in board.in_play(state, side)
        if u.id not in groups[answer["hex"]] and able(state, u.id, target) and u.place not in state.attacks
        and not u.has(RETREATED) and u.place != answer["hex"]
    ]
    yield from _join(ctx, side, target, groups, others)
    yield from _fight(ctx, fight, groups, answer["hex"])


def _join(ctx: Ctx, side: str, target: str, groups: dict[str, list[str]], others: list[str]) -> Flow:
    """9.8.2 Friendly units next to the victors may join, unless they are under attack themselves."""
    left = list(others)
    while left:
        answer = yield from ask(
            ctx, side, "join", "9.8.2",
            [Option("join all", tags=("all",)), *(Option(f"join {u}", data={"unit": u}) for u in left)], "done",
            where=target, closing=Option("done", tags=("none",)), facts={"units": len(left)},
        )
        if answer.key == "done":
            return
        for unit in list(left) if answer.key == "join all" else [answer["unit"]]:
            left.remove(unit)
            groups.setdefault(ctx.state.units[unit].place, []).append(unit)


def _fight(ctx: Ctx, fight: Fight, groups: dict[str, list[str]], lead_hex: str) -> Flow:
    """9.8.1, 9.8.4 The regular procedure, led by a unit of the stack that retreated."""
    from pbem.games.invasion_sicily.rules import combat

    state, side, target = ctx.state, other(fight.side), fight.target
    lead = max(groups[lead_hex], key=lambda u: (board.combat_er(state, u), board.steps(state, u), u))
    if len(groups[lead_hex]) > 1:
        answer = yield from ask(
            ctx, side, "lead", "9.8.1", [Option(f"lead {u}", data={"unit": u}) for u in groups[lead_hex]], f"lead {lead}",
            where=target, facts={"role": "counter", "units": len(groups[lead_hex])},
        )
        lead = answer["unit"]
    counter = combat.Fight(target, side, groups, True, lead)
    ctx.emit(e.CombatBegan(target, side, lead, tuple(counter.units), True))
    for unit in counter.units:
        ctx.emit(e.Marked(unit, COUNTERED, True, "9.8.5"))
    yield from combat.resolve(ctx, counter)


def _facts(state: State, back: Sequence[str], victors: Sequence[str], target: str, side: str) -> dict[str, int]:
    """What the defender knows: strengths without those that could join, German ones doubled."""
    attack = sum(strength(state, u, target) * (2 if state.type(u).nation == "German" else 1) for u in back)
    defence = sum(board.defence(state, u) for u in victors)
    return {"attack": attack, "defence": defence, "odds": attack // max(1, defence)}
