"""5.2, 7.2, 7.3 The three phases in which units march: who may do what, and the orders of a phase one by one.

:func:`path_option` and :func:`refusal` answer for orders that are not among an ask's options.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import (
    boundaries, costs, evacuation, events_play, fieldworks, forbidden_zones, landing, marching, paths, phases, reserves, special,
    stacking,
)
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.costs import BREAKTHROUGH, EXPLOITATION, OPERATIONAL, REACTION, Ground
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, ALLIED, AT_SEA, RESERVED, other
from pbem.games.fab_sicily.rules.marching import Flow
from pbem.games.fab_sicily.rules.paths import ITALY, Way
from pbem.games.fab_sicily.position.state import Block, State
from pbem.games.fab_sicily.rules.strategic import strategic

__all__ = ["breakthrough", "movement", "options", "path_option", "reaction", "refusal", "strategic"]

DONE = Option("done", "no further moves")


# -- the phases -------------------------------------------------------------------------------------


def movement(ctx: Ctx) -> Flow:
    """3.22, 5.2 The Operational Movement Phase."""
    phases.begin(ctx)
    side = ctx.state.player
    yield from _act(ctx, side, "movement", "5.2", "Move, dig in or put in reserve; all others hold their positions.")
    yield from _ashore_at_last(ctx, side, OPERATIONAL)
    yield from _leave_forbidden_zones(ctx, side)
    events_play.end_extraction(ctx)
    yield from stacking.end_of_phase(ctx)


def reaction(ctx: Ctx) -> Flow:
    """3.25, 7.2 The Reaction Phase."""
    phases.begin(ctx)
    yield from _act(ctx, other(ctx.state.player), "reaction", "7.2", "Move reserve units in reaction.")
    yield from stacking.end_of_phase(ctx)


def breakthrough(ctx: Ctx) -> Flow:
    """3.26, 7.3 The Breakthrough Movement Phase."""
    phases.begin(ctx)
    side = ctx.state.player
    yield from _act(ctx, side, "breakthrough", "7.3", "Move reserve units and exploiting units.")
    yield from _ashore_at_last(ctx, side, BREAKTHROUGH)
    yield from stacking.end_of_phase(ctx)


def _act(ctx: Ctx, side: str, kind: str, rule: str, prompt: str) -> Flow:
    """5.35a One unit after the other, until the side is done."""
    while True:
        [answer] = yield [
            Ask(side, kind, rule, phases.scope(ctx), lambda: options(ctx.state, side, kind), "done", prompt, closing=DONE)
        ]
        if answer.key == "done":
            return
        yield from _carry_out(ctx, answer)


def _carry_out(ctx: Ctx, answer: Answer) -> Flow:
    block, data = answer["block"], answer.option.data
    if data["do"] == "dig":
        fieldworks.dig(ctx, block)
        marching.drop_markers(ctx, block, marching.MARKERS[data["mode"]])
    elif data["do"] == "reserve":
        ctx.emit(e.Reserve(block, True, "5.21"))
    else:
        if data.get("with"):
            special.spend(ctx, data["with"], "8.21")
        yield from marching.march(ctx, block, data["path"], data["mode"])
        if data.get("home"):
            yield from marching.go_on(ctx, block, data["home"], data["mode"], data["cost"])


# -- who may act ------------------------------------------------------------------------------------


def mode_of(state: State, block: str) -> str:
    """7.1, 7.31 How a unit moves in the phase that is on."""
    if state.phase == "reaction":
        return REACTION
    if state.phase == "breakthrough":
        return BREAKTHROUGH if state.blocks[block].reserve else EXPLOITATION
    return OPERATIONAL


def why_not_act(state: State, block: str) -> Refusal | None:
    """5.24, 7.1, 8.21, 15.3a Why a unit may do nothing in the phase that is on, or None."""
    b, name = state.blocks[block], board.unit_name(state.data, block)
    if b.area not in state.data.areas and not landing.coast(state, b.area):
        return Refusal(f"{name} {_off_the_map(state, block)}", "5.2")
    if b.moved:
        return Refusal(f"{name} has moved or dug in already in this phase", "5.2")
    if state.phase == "reaction":
        return None if b.reserve else Refusal(f"{name} is not in reserve: only reserve units may react", "7.1")
    if state.phase == "breakthrough":
        return None if b.reserve or b.exploit else Refusal(f"{name} is neither in reserve nor marked for exploitation", "7.1")
    if board.green_garrison(state, block) and _chosen_green(state, board.side_of(state, block)) not in ("", block):
        return Refusal("one green Italian unit has acted in this phase: all others hold", "15.3a")
    return None


def _off_the_map(state: State, block: str) -> str:
    """Where a unit is that cannot be moved yet, and what its owner can do."""
    area, turn = state.blocks[block].area, state.type(block).turn
    if area == AIRBORNE_BOX:
        return f"waits in the Airborne Assault box: 'drop {block} at AREA' lands it"
    if area == RESERVED and turn > state.turn:
        return f"arrives on turn {turn}"
    return "is not on the map"


def _chosen_green(state: State, side: str) -> str:
    """15.3a The green unit that acts in this phase.

    RULING: Example 6G says what 15.3a means: in each Operational Movement Phase one green unit may move, dig
    or be put in reserve, the others hold.  One that is in reserve already is the one chosen.
    """
    acting = [
        b.id for b in state.blocks.values()
        if board.side_of(state, b.id) == side and board.green_garrison(state, b.id) and (b.moved or b.reserve)
    ]
    return acting[0] if acting else ""


# -- options ----------------------------------------------------------------------------------------


def options(state: State, side: str, kind: str) -> Iterator[Option]:
    """5.2, 7.2, 7.31 Every single act that is open to the side: per unit one cheapest way to each place, dig, reserve."""
    ground = costs.survey(state, side)
    for block in state.blocks.values():
        if board.side_of(state, block.id) == side:
            yield from _of_unit(ground, block, kind)


def _of_unit(ground: Ground, block: Block, kind: str) -> Iterator[Option]:
    state = ground.state
    refusal = why_not_act(state, block.id)
    if refusal:
        if kind == "breakthrough":
            yield from _by_special_action(ground, block)
        return
    mode = mode_of(state, block.id)
    verb = "exploit" if mode == EXPLOITATION else "move"
    for way in _ways(ground, block, mode).values():
        yield _move(ground, verb, block.id, way, mode)
    if not (forbidden_zones.why_not_stay(state, block.id) or fieldworks.why_not_dig(state, block.id)):
        data = {"do": "dig", "block": block.id, "mode": mode}
        yield Option(f"dig {block.id}", f"{board.unit_name(state.data, block.id)} digs in", data=data)
    if kind == "movement" and not (forbidden_zones.why_not_stay(state, block.id) or reserves.why_not_reserve(state, block.id)):
        label = f"{board.unit_name(state.data, block.id)} goes into reserve"
        yield Option(f"reserve {block.id}", label, data={"do": "reserve", "block": block.id})


def _ways(ground: Ground, block: Block, mode: str) -> dict[str, Way]:
    if block.area not in ground.state.data.areas:
        return landing.ashore(ground, block.id, mode)
    unit = costs.mover(ground, block.id, mode)
    ways = forbidden_zones.leaving(ground, unit, paths.ways(ground, unit))
    home = evacuation.way(ground, block.id, mode)
    return {**ways, ITALY: home} if isinstance(home, Way) else ways


def _move(
    ground: Ground, verb: str, block: str, way: Way, mode: str, words: str = "", special_action: str = "",
) -> Option:
    extra: dict[str, Any] = {"do": "move", "mode": mode, "with": special_action}
    if boundaries.astray(ground.state, block):
        rest = forbidden_zones.onward(ground, costs.mover(ground, block, mode), way)
        extra |= {"home": list(rest.path)} if isinstance(rest, Way) else {}
    return paths.option(ground.state, verb, block, way, words, extra)


def _by_special_action(ground: Ground, block: Block) -> Iterator[Option]:
    """8.21 A supplied armor unit in good order that has not moved may be activated to exploit."""
    state = ground.state
    if why_not_activate(state, block.id):
        return
    ways = paths.ways(ground, costs.mover(ground, block.id, EXPLOITATION)).values()
    for chit in special.usable(state, ground.side, board.army(state, block.id)):
        for way in ways:
            yield _move(ground, "exploit", block.id, way, EXPLOITATION, f" with {chit.id}", chit.id)


def why_not_activate(state: State, block: str) -> Refusal | None:
    """8.21 Why no Special Action can make the unit exploit, or None."""
    b, name = state.blocks[block], board.unit_name(state.data, block)
    if b.area not in state.data.areas or b.reserve or b.exploit or b.moved:
        return Refusal(f"{name} moves in this phase by itself, has moved, or is not on the map", "8.21")
    if not board.is_armor(state, block):
        return Refusal(f"{name} is not armor: only armor may exploit", "8.21")
    if not b.supplied or not board.good_order(b):
        return Refusal(f"{name} must be supplied and in good order to exploit by Special Action", "8.21")
    return None


# -- orders that are no options ---------------------------------------------------------------------


def path_option(state: State, block: str, path: Sequence[str], mode: str = "") -> Option | Refusal:
    """5.3 The option of a path that a player spells out (with or without its start), or what is wrong with it."""
    refusal_ = why_not_act(state, block)
    if refusal_:
        return refusal_
    ground = costs.survey(state, board.side_of(state, block))
    mode = mode or mode_of(state, block)
    here = state.blocks[block].area
    full = tuple(path) if path and path[0] == here else (here, *path)
    if len(full) < 2:
        return Refusal(f"say where {board.unit_name(state.data, block)} goes", "5.22")
    way = _spelled(ground, block, full, mode)
    if isinstance(way, Refusal):
        return way
    if boundaries.astray(state, block):
        rest = forbidden_zones.onward(ground, costs.mover(ground, block, mode), way)
        if isinstance(rest, Refusal):
            return rest
    verb = "exploit" if mode == EXPLOITATION else "move"
    return _move(ground, verb, block, way, mode, f" via {' '.join(full[1:-1])}" if len(full) > 2 else "")


def _spelled(ground: Ground, block: str, path: tuple[str, ...], mode: str) -> Way | Refusal:
    state, inland = ground.state, path
    unknown = [a for a in path[1:] if a not in state.data.areas]
    if unknown:
        return Refusal(f"{board.place_name(state.data, unknown[0])} is no area that units move to", "2.4")
    if path[0] in state.data.areas:
        unit = costs.mover(ground, block, mode)
    else:
        wrong = _spelled_landing(ground, block, path)
        if wrong:
            return wrong
        ways = landing.ashore(ground, block, mode)
        if len(path) == 2:
            return ways[path[1]]
        unit, inland = costs.mover(ground, block, mode, path[1]), path[1:]
    steps = paths.walk(ground, unit, inland)
    if isinstance(steps, Refusal):
        return steps
    river = steps[-1].river and path[-1] in ground.enemy
    return Way(path, sum(s.cost for s in steps), river)


def _spelled_landing(ground: Ground, block: str, path: tuple[str, ...]) -> Refusal | None:
    state, box = ground.state, path[0]
    area = landing.coast(state, box)
    if path[1] != area:
        return Refusal(f"{board.place_name(state.data, box)} leads to {board.place_name(state.data, area)} only", "14.26")
    if len(path) == 2:
        return landing.why_not_ashore(ground, block)
    if box in state.data.landing:
        only = board.place_name(state.data, area)
        return Refusal(f"landing takes the whole movement allowance: the unit can land at {only}, and no further", "14.26")
    if area in ground.enemy:
        return costs.MUST_STOP.refusal(state, block, area, path[2])
    return landing.why_not_use(state, ground.side, box)


def refusal(state: State, block: str, there: str, mode: str = "") -> Refusal:
    """Why `move BLOCK to THERE` is not among the options of the phase that is on."""
    b = state.blocks[block]
    barred = why_not_act(state, block)
    if barred:
        return barred
    if there == ITALY:
        home = evacuation.way(costs.survey(state, board.side_of(state, block)), block, mode or mode_of(state, block))
        return home if isinstance(home, Refusal) else Refusal("say 'italy' alone, or the way to Messina before it", "14.29")
    if there not in state.data.areas:
        return Refusal(f"{board.place_name(state.data, there)} is no area that units move to", "2.4")
    ground = costs.survey(state, board.side_of(state, block))
    mode = mode or mode_of(state, block)
    if b.area in state.data.areas:
        unit = costs.mover(ground, block, mode)
        way = paths.ways(ground, unit).get(there)
        return forbidden_zones.must_leave(state, block) if way and unit.astray else paths.why_not(ground, unit, there)
    area = landing.coast(state, b.area)
    wrong = _spelled_landing(ground, block, (b.area, area) if there == area else (b.area, area, there))
    return wrong or paths.why_not(ground, costs.mover(ground, block, mode, area), there)


# -- what must happen at the end of a phase ---------------------------------------------------------


def _ashore_at_last(ctx: Ctx, side: str, mode: str) -> Flow:
    """14.24 Units still in boxes must advance now; Allied units that cannot are put into the At Sea box.

    In the Operational Movement Phase units in reserve may stay in their port (14.24c), until the end of
    the Breakthrough Movement Phase.
    """
    for block in landing.boxed(ctx.state, side):
        if block.reserve and mode == OPERATIONAL:
            continue
        box, area = block.area, landing.coast(ctx.state, block.area)
        if area in landing.ashore(costs.survey(ctx.state, side), block.id, mode):
            yield from marching.march(ctx, block.id, (box, area), mode)
        elif side == ALLIED:
            ctx.emit(e.Moved(block.id, (box, AT_SEA), "at-sea", 0, "14.24b"))
            marching.drop_markers(ctx, block.id, "14.24c")


def _leave_forbidden_zones(ctx: Ctx, side: str) -> Flow:
    """14.43 A unit in a zone where it may not operate must leave it as soon as it can."""
    for block in board.on_map(ctx.state, side):
        if not boundaries.astray(ctx.state, block.id) or block.moved:
            continue
        ground = costs.survey(ctx.state, side)
        home = forbidden_zones.way_home(ground, costs.mover(ground, block.id, OPERATIONAL))
        if home:
            yield from marching.march(ctx, block.id, home.path, OPERATIONAL)
