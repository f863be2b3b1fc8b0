"""4 B3, C3 The Reaction Phase: 8.2 combat refusal, 8.3 reaction movement."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import other
from pbem.games.invasion_sicily.position.state import REFUSED, TRIED_REACTION, UNSUPPLIED, State
from pbem.games.invasion_sicily.rules import advance, costs, moves, retreat, zones
from pbem.games.invasion_sicily.rules.costs import REACTION
from pbem.games.invasion_sicily.rules.movement import march
from pbem.games.invasion_sicily.rules.phases import DONE, Flow, ask, begin, end_of_phase, er_check

LEAST_ER = 5
"""8.2.1"""

NEAR = 2
"""8.3.1 Hexes from a defender hex."""


def reaction(ctx: Ctx) -> Flow:
    """8.2, 8.3 First all refusals, then reaction movement; without declared attacks there is neither."""
    begin(ctx)
    side = other(ctx.state.player)
    for target in list(ctx.state.attacks):
        yield from _refuse(ctx, side, target)
    yield from _react(ctx, side)
    yield from end_of_phase(ctx)


# -- 8.2 refusal --------------------------------------------------------------------------------------


def why_not_refuse(state: State, side: str, target: str) -> Refusal | None:
    """8.2.1 All units there motorized, with a rating of 5 or more, and in supply."""
    for unit in board.at(state, target, side):
        if not state.type(unit).motorized or board.er(state, unit) < LEAST_ER or state.units[unit].has(UNSUPPLIED):
            said = f"{unit} cannot refuse combat: all must be motorized, rated {LEAST_ER} or better, and in supply"
            return Refusal(said, "8.2.1")
    return None


def refusals(state: State, side: str, target: str) -> list[tuple[str, ...]]:
    """8.2.2, 8.2.3, 8.2.4 Two-hex ways for the whole stack: not through a vacant hex in an enemy zone, not into a hex
    under attack."""
    units = board.at(state, target, side)
    return [
        path for path in retreat.free_paths(state, units, target, 2)
        if path[-1] not in state.attacks and retreat.room_for(state, side, path[-1], units)
    ]


def _refuse(ctx: Ctx, side: str, target: str) -> Flow:
    state = ctx.state
    units = board.at(state, target, side)
    if not units or why_not_refuse(state, side, target):
        return
    paths = refusals(state, side, target)
    if not paths:
        return
    attackers = state.attacks[target]
    answer = yield from ask(
        ctx, side, "refusal", "8.2",
        [Option("stand"), *(_away(p) for p in paths)], "stand",
        where=target, facts={**_odds(state, target), "er": max(board.er(state, u) for u in units)},
    )
    if answer.key == "stand":
        return
    best = max(units, key=lambda u: (board.er(state, u), u))
    passed = er_check(ctx, best, f"{best} refuses combat at {target}", "8.2.2")
    ctx.emit(e.Refused(target, passed))
    if not passed:
        return
    for unit in units:
        retreat.go(ctx, unit, tuple(answer["path"]), "refusal", "8.2.2")
        ctx.emit(e.Marked(unit, REFUSED, True, "8.2.2"))
    ctx.emit(e.CalledOff(target, "8.2.2"))
    yield from advance.advance(ctx, state.player, target, list(attackers), "8.2.2", kind="follow")


def _away(path: tuple[str, ...]) -> Option:
    return Option(f"refuse to {' '.join(path[1:])}", tags=("away",), data={"path": list(path)})


def _odds(state: State, target: str) -> dict[str, int]:
    """What both sides can see of an attack: its odds without support, if no unit there is untried."""
    from pbem.games.invasion_sicily.rules import declaring

    foe = board.at(state, target, other(state.player))
    attack = sum(declaring.strength(state, u, target) for u in state.attacks.get(target, []))
    found = {"attack": attack, "units": len(foe)}
    if all(board.tried(state, u) for u in foe):
        defence = sum(board.defence(state, u) for u in foe)
        found |= {"defence": defence, "odds": attack // max(1, defence)}
    return found


# -- 8.3 reaction movement ------------------------------------------------------------------------------


def why_not_react(state: State, side: str, unit: str) -> Refusal | None:
    """8.3.1 Why a unit does not react, or None."""
    found = state.units[unit]
    refusal = moves.why_not_act(state, unit, REACTION)
    if refusal:
        return refusal
    if found.has(UNSUPPLIED):
        return Refusal(f"{unit} is out of supply", "8.3.1")
    if found.has(TRIED_REACTION):
        return Refusal(f"{unit} has tried to react already", "8.3.2")
    if found.has(REFUSED):
        return Refusal(f"{unit} has refused combat", "8.3.1")
    if found.place in state.attacks:
        return Refusal(f"{unit} is itself under attack", "8.3.1")
    if not any(state.data.map.distance(found.place, h) <= NEAR for h in state.attacks):
        return Refusal(f"no attack is declared within {NEAR} hexes of {unit}", "8.3.1")
    if state.type(unit).nation != "German" and found.place in zones.of(state, other(side)):
        return Refusal(f"{unit} is in an enemy zone of control", "8.3.1")
    return None


def options(state: State, side: str) -> Iterator[Option]:
    """8.3.1 Every unit that may try, and where it would go."""
    ground = costs.survey(state, side)
    units = [u.id for u in board.in_play(state, side) if not why_not_react(state, side, u.id)]
    yield from moves.options(ground, units, REACTION, "react")


def _react(ctx: Ctx, side: str) -> Flow:
    """8.3.1, 8.3.2 One unit after the other: an efficiency check, then up to half its movement allowance."""
    while ctx.state.attacks:
        answer = yield from ask(
            ctx, side, "reaction", "8.3", lambda: options(ctx.state, side), "done", closing=DONE,
            facts={"attacks": len(ctx.state.attacks), "turn": ctx.state.turn},
        )
        if answer.key == "done":
            return
        data = answer.option.data
        unit = data["unit"]
        ctx.emit(e.Marked(unit, TRIED_REACTION, True, "8.3.2"))
        if er_check(ctx, unit, f"{unit} reacts", "8.3.1"):
            march(ctx, unit, tuple(data["path"]), REACTION, data["cost"])


