"""8.53, 8.54, 8.56 Morale, disruption and step losses."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ARMY, CORPS, HQ, UNIT
from pbem.games.italian_campaign.position.state import DISRUPTED, State
from pbem.games.italian_campaign.rules import phases
from pbem.games.italian_campaign.rules.phases import Ctx, Flow


def rating(state: State, unit: str, attacking: bool) -> int:
    """8.53 What a unit checks its morale against: the OR or DR of its HQ, or its asset rating."""
    if board.by_asset_rating(state, unit) or not board.parent(state, unit):
        if state.type(unit).kind in (CORPS, ARMY):
            return board.defence(state, unit)
        return board.asset_rating(state, unit)
    hq = board.parent(state, unit)
    return board.offence(state, hq) if attacking else board.defence(state, hq)


def check_morale(
    ctx: Ctx, units: Sequence[str], attacking: bool, rule: str, mods: Sequence[tuple[str, int]] = ()
) -> list[str]:
    """8.53 One roll of two dice for all of them; those whose rating is lower have failed."""
    if not units:
        return []
    side = board.side_of(ctx.state, units[0])
    ratings = {u: rating(ctx.state, u, attacking) for u in units}
    roll = phases.dice(ctx, side, 2, "morale", rule, mods, max(ratings.values()))
    failed = [u for u in units if roll > ratings[u]]
    for passed in (True, False):
        group = tuple(u for u in units if (u not in failed) == passed)
        if group:
            ctx.emit(e.MoraleChecked(group, max(ratings[u] for u in group), roll, passed))
    return failed


def disrupt(ctx: Ctx, unit: str, rule: str) -> bool:
    """8.54 A unit is disrupted; an HQ is tired by it as well.  False if it was disrupted already."""
    u = ctx.state.units[unit]
    if u.has(DISRUPTED):
        return False
    ctx.emit(e.Marked(unit, DISRUPTED, True, rule))
    if ctx.state.type(unit).kind == HQ and u.fatigue < 2:
        ctx.emit(e.Fatigued(unit, u.fatigue + 1, "8.54"))
    return True


def eliminate(ctx: Ctx, unit: str, rule: str) -> None:
    """8.56 A unit is removed; with its HQ go all of a division that have come into play."""
    state = ctx.state
    ctx.emit(e.Eliminated(unit, rule))
    if state.type(unit).kind == HQ:
        for sub in state.data.subordinates(unit):
            if state.units[sub].place not in ("dead", "exited"):
                ctx.emit(e.Eliminated(sub, "8.56"))


def take_step(ctx: Ctx, unit: str, rule: str) -> None:
    """8.56 A step is lost by an HQ or asset itself."""
    state = ctx.state
    ctx.emit(e.StepsLost(unit, 1, rule))
    kind = state.type(unit)
    if kind.headquarters:
        gone = board.defence(state, unit) <= 0
    else:
        gone = state.units[unit].steps >= kind.front.tr
    if gone:
        eliminate(ctx, unit, "8.56")


def bearers(state: State, units: Sequence[str]) -> list[str]:
    """8.56 Who bears the step losses of some units: their HQs, assets, and corps HQs themselves."""
    found: dict[str, None] = {}
    for unit in units:
        if not board.in_play(state, unit):
            continue
        found[board.parent(state, unit) or unit] = None
    return list(found)


def lose_steps(ctx: Ctx, units: Sequence[str], count: int, rule: str, armored: Sequence[str] = ()) -> Flow:
    """8.56 Step losses of the units in a fight: on an HQ, or by a unit that is removed and takes as many as its tactical rating.

    ``armored``: the units whose armor bonus was claimed: one of their HQs takes the first step.
    """
    left, first = count, True
    while left > 0:
        state = ctx.state
        hqs = bearers(state, [u for u in armored if board.in_play(state, u)] if first and armored else units)
        hqs = hqs or bearers(state, units)
        if not hqs:
            return
        options = list(_options(state, hqs, [u for u in units if board.in_play(state, u)]))
        side = board.side_of(state, hqs[0])
        healthy = [h for h in hqs if _rating_left(state, h) > 1]
        default = f"step {max(healthy or hqs, key=lambda h: _rating_left(state, h))}"
        answer = yield from phases.ask(
            ctx, side, "step", "8.56", options, default, f"{left} steps are lost. Who bears the next?",
            facts={"left": left, "dr": max(_rating_left(state, h) for h in hqs)},
        )
        if answer["unit"]:
            ctx.emit(e.Eliminated(answer["unit"], "8.56"))
            left -= max(1, answer["steps"])
        else:
            take_step(ctx, answer["hq"], rule)
            left -= 1
        first = False


def _rating_left(state: State, unit: str) -> int:
    if state.type(unit).headquarters:
        return board.defence(state, unit)
    return state.type(unit).front.tr - state.units[unit].steps


def _options(state: State, hqs: Sequence[str], units: Sequence[str]) -> list[Option]:
    found = [Option(f"step {h}", f"{board.name(state, h)} loses a step", ("hq",), {"hq": h, "unit": ""}) for h in hqs]
    for unit in units:
        if state.type(unit).kind == UNIT:
            tr = board.face(state, unit).tr
            label = f"{board.name(state, unit)} is removed instead of {tr} steps"
            found.append(Option(f"remove {unit}", label, ("unit",), {"hq": "", "unit": unit, "steps": tr}))
    return found
