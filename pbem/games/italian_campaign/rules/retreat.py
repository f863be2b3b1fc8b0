"""8.55 Retreats: where to, at what price, and what becomes of those who cannot."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.core.asks import Option
from pbem.games.italian_campaign.position import board
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import UNIT, other
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules import losses, movement, phases, supply
from pbem.games.italian_campaign.rules.phases import Ctx, Flow
from pbem.kit.retreat import Path, Retreats, ways
from pbem.kit.search import Bar


def find(state: State, unit: str, length: int, causes: Sequence[str]) -> Retreats:
    """8.55 The ways of that length, each step further from the hexes that caused the retreat, the best first: through the
    fewest enemy zones, within the stacking limit, in command.

    RULING: each step must lead further from every cause, or, where no way does, from the nearest one.
    """
    here = state.units[unit].place
    m = movement.free(state, unit, 1)
    distance = state.data.board.distance

    def passes(path: Path, there: str) -> Bar[str] | None:
        bar = movement.closed(state, m, there)
        if bar is None and not state.data.board.by_land(path[-1], there):
            bar = Bar(there, "the sea lies between", "8.552")
        if bar is None and not movement.step_cost(state, m, path[-1], there):
            bar = Bar(there, f"{there} is prohibited terrain", "8.552")
        if bar is None and any(distance(there, c) <= distance(path[-1], c) for c in strict):
            bar = Bar(there, f"{there} is no further from the enemy", "8.55")
        return bar

    def rank(path: Path) -> tuple[int, bool, bool, int]:
        crossed = sum(1 for h in path[1:] if movement.contested(state, m.side, h))
        return (crossed, not board.room(state, path[-1], unit), not _in_command(state, unit, path[-1]), state.data.code(path[-1]))

    def nearest(place: str) -> int:
        return min((distance(place, c) for c in causes), default=0)

    strict: Sequence[str] = causes
    found = ways(state.data.board.near, here, length, passes, rank)
    if not found.ways and causes:
        strict = ()
        found = ways(state.data.board.near, here, length, passes, rank, nearest)
    return found


def _in_command(state: State, unit: str, there: str) -> bool:
    hqs = [state.units[h].place for h in supply.commanders(state, unit)] if state.type(unit).kind == UNIT else []
    on_map = [p for p in hqs if p in state.data.board.hexes]
    return not on_map or min(state.data.board.distance(there, p) for p in on_map) <= board.radius(state, unit)


def retreat(ctx: Ctx, unit: str, length: int, causes: Sequence[str], rule: str) -> Flow:
    """8.55 A unit retreats, or pays for what it cannot (8.552)."""
    state = ctx.state
    if state.units[unit].place not in state.data.board.hexes:
        _back_to_sea(ctx, unit)
        return
    for hexes in range(length, 0, -1):
        found = find(state, unit, hexes, causes)
        if found.ways:
            yield from _go(ctx, unit, found, rule)
            break
    else:
        hexes = 0
    if board.in_play(state, unit) and hexes < length:
        yield from _stand(ctx, unit, length - hexes)


def _back_to_sea(ctx: Ctx, unit: str) -> None:
    """10.82 From a beach box one goes back to the staging area."""
    place = ctx.state.units[unit].place
    if place.startswith(board.BEACH):
        zone = place.removeprefix(board.BEACH).rpartition("-")[0]
        ctx.emit(e.Placed(unit, f"{board.STAGING}{zone}", "10.82"))


def _go(ctx: Ctx, unit: str, found: Retreats, rule: str) -> Flow:
    state = ctx.state
    ends: dict[str, Path] = {}
    for _, path in found.ways:
        ends.setdefault(path[-1], path)
    options = [
        Option(f"retreat {unit} to {end}", f"{board.name(state, unit)} retreats to {board.place_name(state, end)}", (end,),
               {"path": list(path)})
        for end, path in ends.items()
    ]
    prompt = f"Where does {board.name(state, unit)} retreat to?"
    side = board.side_of(state, unit)
    answer = yield from phases.ask(ctx, side, "retreat-to", "8.55", options, options[0].key, prompt, where=unit)
    path = tuple(answer["path"])
    zones_crossed = [h for h in path[1:] if movement.contested(state, side, h)]
    if zones_crossed:
        yield from _through_zone(ctx, unit)
        if not board.in_play(state, unit):
            return
    crowded = not board.room(state, path[-1], unit)
    ctx.emit(e.Moved(unit, path, "retreat", 0, rule))
    if crowded:
        losses.disrupt(ctx, unit, "7.23")


def _through_zone(ctx: Ctx, unit: str) -> Flow:
    """8.55 Zone effects: a morale check at the first enemy zone; an isolated unit is lost."""
    state = ctx.state
    if board.isolated(state, unit):
        losses.eliminate(ctx, unit, "8.55")
        return
    if losses.check_morale(ctx, [unit], False, "8.55"):
        yield from losses.lose_steps(ctx, [unit], 1, "8.55")


def _stand(ctx: Ctx, unit: str, missing: int) -> Flow:
    """8.552 A unit that cannot retreat is removed, or its HQ loses a step for each hex; an isolated one is removed."""
    state = ctx.state
    if board.isolated(state, unit):
        losses.eliminate(ctx, unit, "8.552")
        return
    bearer = losses.bearers(state, [unit])[0]
    options = [
        Option("stay", f"{board.name(state, bearer)} loses {missing} steps", (), {"stay": True}),
        Option("remove", f"{board.name(state, unit)} is removed", (), {"stay": False}),
    ]
    left = board.defence(state, bearer) if state.type(bearer).headquarters else 1
    default = "stay" if left > 3 or state.type(unit).headquarters else "remove"
    side = board.side_of(state, unit)
    answer = yield from phases.ask(ctx, side, "no-retreat", "8.552", options, default, where=unit, facts={"dr": left})
    if answer["stay"]:
        for _ in range(missing):
            if board.in_play(state, bearer):
                losses.take_step(ctx, bearer, "8.552")
    else:
        losses.eliminate(ctx, unit, "8.552")


def causes_of(state: State, units: Sequence[str], target: str) -> list[str]:
    """8.55 The hexes that a retreat leads away from: where the attackers stand; a beach box counts as its coastal hex."""
    found = [state.units[u].place for u in units if state.units[u].place in state.data.board.hexes]
    return list(dict.fromkeys(found)) or [target]


def enemies_next_to(state: State, hex_: str, side: str) -> list[str]:
    """The enemy's hexes next to one."""
    foe = board.held(state, other(side))
    return [h for h in state.data.board.near(hex_) if h in foe]
