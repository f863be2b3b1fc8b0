"""9.0 The Combat Phase, and 9.4 one combat from the lead unit to the advance."""

from __future__ import annotations

import functools
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, ELITE, other
from pbem.games.invasion_sicily.position.state import ATTACKED, DEFENDED, FOUGHT, State
from pbem.games.invasion_sicily.rules import advance, aftermath, coast, defence, landing, leading, losses, odds, support
from pbem.games.invasion_sicily.rules.declaring import strength
from pbem.games.invasion_sicily.rules.phases import Flow, ask, begin, die, end_of_phase, er_check


@dataclass
class Fight:
    """One combat.  ``groups``: attacking units by hex; ``guns``: artillery that gave support; ``counter``: 9.8.

    The last four are filled in as the combat goes on.
    """

    target: str
    side: str
    groups: dict[str, list[str]]
    counter: bool = False
    lead: str = ""
    guns: list[str] = field(default_factory=list)
    defence_guns: list[str] = field(default_factory=list)
    defence_lead: str = ""

    @property
    def units(self) -> list[str]:
        """All attacking units."""
        return [u for group in self.groups.values() for u in group]


Number = Generator[Sequence[Ask], list[Answer], int]


def combat(ctx: Ctx) -> Flow:
    """9.1, 9.1.1, 9.1.3, 9.1.4, 9.1.7 The attacker resolves all declared combats, in any order; no others are fought."""
    begin(ctx)
    side = ctx.state.player
    while ctx.state.attacks:
        yield from _call_off(ctx, side)
        targets = list(ctx.state.attacks)
        if not targets:
            break
        answer = yield from ask(
            ctx, side, "battle", "9.4", [Option(f"fight {t}", data={"hex": t}) for t in targets], f"fight {targets[0]}",
            facts={"battles": len(targets), "turn": ctx.state.turn},
        )
        yield from declared(ctx, side, answer["hex"])
    for target in list(dict.fromkeys(u.target for u in ctx.state.units.values() if u.target)):
        landing.fail(ctx, target)
    yield from end_of_phase(ctx)


def _call_off(ctx: Ctx, side: str) -> Flow:
    """Attacks without attackers or without an enemy; those on an invasion hex go ashore where nobody is left (13.2.7)."""
    for target in list(ctx.state.attacks):
        units, enemies = ctx.state.attacks[target], board.at(ctx.state, target, other(side))
        if units and enemies:
            continue
        ctx.emit(e.CalledOff(target, "9.1.2"))
        if units:
            yield from advance.advance(ctx, side, target, list(units), "13.2.7")


def declared(ctx: Ctx, side: str, target: str) -> Flow:
    """9.4 A declared combat."""
    state = ctx.state
    units = [u for u in state.attacks[target] if state.units[u].place in state.data.hexes]
    groups: dict[str, list[str]] = {}
    for unit in units:
        groups.setdefault(state.units[unit].place, []).append(unit)
    fight = Fight(target, side, groups)
    coast.reveal_all(ctx, units, "9.4")
    _enter_reserves(ctx, units)
    fight.lead = yield from leading.attacker(ctx, fight)
    ctx.emit(e.CombatBegan(target, side, fight.lead, tuple(units), False))
    yield from resolve(ctx, fight)
    landing.fail(ctx, target)


def _enter_reserves(ctx: Ctx, units: Sequence[str]) -> None:
    """14.4 The first combat of a unit that is wanted in Italy costs victory points.

    RULING: attacking counts, being attacked does not: the Allied player 'commits' it.
    """
    state = ctx.state
    for unit in units:
        if state.data.units[unit].reserve and not state.units[unit].has(FOUGHT):
            ctx.emit(e.Marked(unit, FOUGHT, True, "14.4"))
            points = next(v.points for v in state.data.values if v.kind == "event" and v.what == "reserve")
            ctx.emit(e.Scored("reserve", points, "14.4"))


def resolve(ctx: Ctx, fight: Fight) -> Flow:
    """9.4 I-VII Both strengths, the odds, the die, the result; then 9.5 to 9.8."""
    state, target = ctx.state, fight.target
    _elite_lead(ctx, fight)
    attack = yield from _attack(ctx, fight)
    defenders = board.at(state, target, other(fight.side))
    coast.reveal_all(ctx, defenders, "9.4")
    defenders = board.at(state, target, other(fight.side))
    if not defenders:
        yield from aftermath.walk_in(ctx, fight)
        return
    defence_ = yield from defence.strength(ctx, fight, defenders)
    for unit in [*fight.units, *fight.guns]:
        ctx.emit(e.Marked(unit, ATTACKED, True, "15.2.2"))
    for unit in defenders:
        ctx.emit(e.Marked(unit, DEFENDED, True, "15.2.2"))
    result = _roll(ctx, fight, attack, defence_)
    yield from aftermath.apply(ctx, fight, result, defenders)


def _elite_lead(ctx: Ctx, fight: Fight) -> None:
    """9.3.4 Victory points for an attack that Allied airborne or commando units lead.

    RULING: the penalty is for the lead unit of the attack, not where all attacking units are airborne or commandos, nor in a
    counterattack: then nobody else could lead.
    """
    state = ctx.state
    elite = [state.data.units[u].type in ELITE for u in fight.units]
    if fight.side == ALLIED and not fight.counter and state.data.units[fight.lead].type in ELITE and not all(elite):
        points = next(v.points for v in state.data.values if v.kind == "event" and v.what == "elite-lead")
        ctx.emit(e.Scored("elite-lead", points, "9.3.4"))


def _attack(ctx: Ctx, fight: Fight) -> Number:
    """9.4 I The strength of the attack: hex by hex, halved where coordination fails, and its support.

    Support counts up to the strength of the units.
    """
    state, target = ctx.state, fight.target
    lead_hex = state.units[fight.lead].place
    total = 0
    for hex_, units in fight.groups.items():
        value = sum(strength(state, u, target) * (2 if doubled(state, fight, u) else 1) for u in units)
        if hex_ != lead_hex:
            second = leading.second(state, units)
            if not er_check(ctx, second, f"{second} joins the attack on {target} from {hex_}", "9.3.3", combat=True):
                value //= 2
        total += value
    if fight.counter:
        ctx.emit(e.StrengthTold(target, fight.side, total, 0))
        return total
    free = support.free_gun(state, [g for g in _gun_list(state, fight) if state.units[g].place == lead_hex])
    fight.guns = yield from support.guns(ctx, fight.side, target, _gun_list(state, fight), free, target, total)
    given = sum(board.support(state, g) for g in fight.guns)
    facts = {"attack": total}
    given += yield from support.air(ctx, fight.side, target, total - given, facts)
    if fight.side == ALLIED:
        given += yield from support.ships(ctx, target, total - given, facts)
    counted = min(given, total)
    ctx.emit(e.StrengthTold(target, fight.side, total, counted))
    return total + counted


def doubled(state: State, fight: Fight, unit: str) -> bool:
    """9.8.4a German units in the lead stack of a counterattack."""
    return fight.counter and state.type(unit).nation == "German" and state.units[unit].place == state.units[fight.lead].place


def _gun_list(state: State, fight: Fight) -> list[str]:
    """10.1.4 All guns that may support the attack; those that attack themselves use their attack strength."""
    return [
        u.id for u in state.units.values()
        if state.data.units[u.id].side == fight.side and u.id not in fight.units
        and not support.why_not_fire(state, u.id, fight.target, True)
    ]


def shift(state: State, fight: Fight, defenders: Sequence[str]) -> bool:
    """9.4 IV Armor effects: an armored lead unit, and a defender in the open without armor, guns against it or a strongpoint."""
    hex_ = state.data.hexes[fight.target]
    return (
        state.type(fight.lead).armor and not state.type(fight.lead).gun
        and hex_.terrain == "clear" and not hex_.city and fight.target not in state.strongpoints
        and not any(state.type(u).armor or state.type(u).antitank for u in defenders)
        and not any(
            state.type(u).armor and state.data.map.across(state.units[u].place, fight.target, "river") for u in fight.units
        )
    )


def modifiers(state: State, fight: Fight, over: int) -> list[tuple[str, int]]:
    """9.4 V, 14.2, 14.2.2, 16.2.1 All die roll modifiers, one by one."""
    values, found = state.data.modifiers, list[tuple[str, int]]()
    at_sea = any(state.units[u].target for u in fight.units)
    if not fight.counter:
        found.append(odds.terrain_drm(state, fight.target))
        found.append(odds.hexside_drm(state, fight.target, list(fight.groups)))
    if at_sea:
        found.append(("amphibious assault", values["amphibious"] * (2 if state.data.switches["amphibious_twice"] else 1)))
    if fight.side == ALLIED and len(dict.fromkeys(state.type(u).command for u in fight.units)) > 1:
        found.append(("US and British units", values["mixed-nations"]))
    if fight.target in state.strongpoints and fight.side == ALLIED:
        found.append(("strongpoint", values["strongpoint"]))
    mine, theirs = board.combat_er(state, fight.lead), board.combat_er(state, fight.defence_lead) if fight.defence_lead else 0
    if fight.defence_lead:
        found.append((f"ratings {mine} and {theirs}", theirs - mine))
    found.append(("odds above 8:1", over))
    return [m for m in found if m[1]]


def _reading(state: State, ratio: odds.Ratio, row: int) -> dict[str, Any]:
    """What the die came to, for the record."""
    found = state.data.crt.look_up(row, ratio.column)
    shifts = [["armor", 1]] if ratio.shifted else []
    return {
        "table": found.table, "row": found.row, "column": found.column, "shifts": shifts, "cell": found.cell,
        "status": found.status,
    }


def _roll(ctx: Ctx, fight: Fight, attack: int, defence_: int) -> losses.Result:
    """9.4 III-VII Odds, shift, modifiers and the die."""
    state = ctx.state
    defenders = board.at(state, fight.target, other(fight.side))
    ratio = odds.ratio(state.data, attack, defence_, shift(state, fight, defenders))
    if not ratio.column:
        ctx.emit(e.CombatResolved(fight.target, attack, defence_, ratio.odds, (), 0, 0, "E"))
        return losses.Result(wiped=True)
    mods = modifiers(state, fight, ratio.over)
    net = odds.net(mods)
    reading = functools.partial(_reading, state, ratio)
    row = die(ctx, fight.side, f"combat at {fight.target}", "9.4", [("net modifier", net)], None, reading)
    cell = state.data.crt.look_up(row, ratio.column).cell
    ctx.emit(e.CombatResolved(fight.target, attack, defence_, ratio.column, tuple(mods), row - net, row, cell))
    return losses.read(cell)

