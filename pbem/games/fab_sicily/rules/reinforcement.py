"""3.1, 4.1 The Reinforcement Phase, and 14.2 where units may arrive."""

from __future__ import annotations

from collections.abc import Generator

from pbem.kit.search import distances
from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import cups, phases, stacking
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, ALLIED, AT_SEA, RESERVED, SIDES, other
from pbem.games.fab_sicily.rules.engineers import PORT_ARMY
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.rules.army_zones import in_zone

Flow = Generator[list[Ask], list[Answer], None]

BOX_LIMIT = 2
"""14.24 Units in a landing or port box."""


def reinforcement(ctx: Ctx) -> Flow:
    """4.1 The Reinforcement Phase, in the order of Example 2: recover, recall, withdraw ships, refill, arrive."""
    phases.begin(ctx)
    yield from cups.recover(ctx)
    cups.return_specials(ctx)
    cups.withdraw_ships(ctx)
    cups.refill(ctx)
    _airborne(ctx)
    yield from _arrivals(ctx)
    cups.arrive(ctx, ctx.state.turn, "4.1d")
    yield from stacking.end_of_phase(ctx)


def due(state: State, side: str) -> list[str]:
    """4.1c, 14.24b, 14.28 The blocks that come this turn: the new, the delayed and those at sea."""
    return [
        b.id for b in state.blocks.values()
        if board.side_of(state, b.id) == side
        and (b.area == AT_SEA or (b.area == RESERVED and 1 <= state.type(b.id).turn <= state.turn))
    ]


def _airborne(ctx: Ctx) -> None:
    """14.24 Arriving airborne units go to the Airborne Assault box, whatever their number."""
    for block in due(ctx.state, ALLIED):
        if ctx.state.type(block).airborne and ctx.state.blocks[block].area == RESERVED:
            ctx.emit(e.Placed(block, AIRBORNE_BOX, ctx.state.type(block).full, "14.24"))


def _arrivals(ctx: Ctx) -> Flow:
    """4.1c, 14.24 Both sides place a block each until none is left that has a place to go to."""
    while True:
        places = {side: _placements(ctx.state, side) for side in SIDES}
        asking = [s for s in SIDES if places[s]]
        if not asking:
            break
        answers = yield [_arrival_ask(ctx, side, places[side]) for side in asking]
        for answer in answers:
            _place(ctx, answer["block"], answer["box"])
    for side in SIDES:
        for block in due(ctx.state, side):
            ctx.emit(e.Delayed(block, "4.1c"))


def _place(ctx: Ctx, block: str, box: str) -> None:
    at_sea = ctx.state.blocks[block].area == AT_SEA
    steps = ctx.state.blocks[block].steps if at_sea else board.full_steps(ctx.state, block)
    ctx.emit(e.Placed(block, box, steps, "14.28" if at_sea else "4.1c"))
    if any(b.shown for b in board.in_area(ctx.state, box, other(board.side_of(ctx.state, block)))):
        ctx.emit(e.Shown(block, True, "5.22"))
    phases.settle(ctx, box)


def _placements(state: State, side: str) -> list[tuple[str, str]]:
    alike: dict[tuple[str, str, bool], list[str]] = {}
    found = []
    for block in due(state, side):
        kind = state.type(block)
        label = (kind.at, kind.army, kind.turn < state.turn)  # what `entries` looks at
        if label not in alike:
            alike[label] = entries(state, block)
        found += [(block, box) for box in alike[label]]
    return found


def _arrival_ask(ctx: Ctx, side: str, places: list[tuple[str, str]]) -> Ask:
    state = ctx.state

    def make() -> list[Option]:
        names = {box: _leads_to(state, box) for _, box in places}
        units = {block: board.unit_name(state.data, block) for block, _ in places}
        return [
            Option(
                f"place {block} at {box}", f"{units[block]} arrives at {names[box]}", (),
                {"block": block, "box": box},
            )
            for block, box in places
        ]

    block, box = next((p for p in places if _can_go_on(state, side, p[1])), places[0])
    return Ask(
        side, "arrival", "4.1c", phases.scope(ctx), make, f"place {block} at {box}",
        prompt="Place your arriving units", facts={"units": len(due(state, side))},
    )


def _leads_to(state: State, box: str) -> str:
    area = state.data.landing.get(box) or state.data.ports.get(box)
    name = board.place_name(state.data, box)
    return f"{name} ({board.place_name(state.data, area)})" if area else name


def _can_go_on(state: State, side: str, box: str) -> bool:
    """Whether the area behind a box has room for one more unit from it (14.24b)."""
    area = state.data.landing.get(box) or state.data.ports.get(box)
    return not area or board.room(state, area, side) > len(board.in_area(state, box, side))


# -- 14.25: where to ----------------------------------------------------------------------------------


def entries(state: State, block: str) -> list[str]:
    """14.25 The places where a block may arrive now: those its label names, or those of its army; ports first.

    RULING: on the small map the Axis supply sources (22.16) stand in for Messina: a delayed Axis unit whose own
    area is blocked comes to the nearest of them that is allowed (4.1c); of several as near its owner chooses.
    """
    kind = state.type(block)
    on_map = (*state.data.areas, *state.data.landing, *state.data.ports)
    named = [p for p in kind.at.replace(",", " ").split() if p in on_map]
    found = [p for p in named or army_boxes(state, kind.army) if _open(state, kind.side, p)]
    if not found and kind.turn < state.turn and named and named[0] in state.data.areas:
        far = distances(state.data.adjacent, named[0])
        allowed = [s for s in sorted(state.data.axis_sources, key=lambda s: far[s]) if _open(state, kind.side, s)]
        found = [s for s in allowed if far[s] == far[allowed[0]]] if state.data.mended else allowed[:1]
    return found


def army_boxes(state: State, army: str) -> list[str]:
    """14.25 The port boxes and beachheads of an army; beachheads belong to the army whose zone they lead to."""
    ports = [p for p in state.data.ports if PORT_ARMY[p] == army]
    return [*ports, *(b for b in state.beachheads if in_zone(state, army, state.data.landing[b]))]


def _open(state: State, side: str, place: str) -> bool:
    """4.1c, 14.23 to 14.25 Whether one more unit may be placed there.

    RULING: a port area may be contested: 14.25c asks for control only, and 14.24c tells what units in the
    port box of a contested area do; Example 1B describes a port that is quiet anyway.
    """
    data = state.data
    if place in data.areas:
        return board.room(state, place, side) > 0 and (board.controls(state, side, place) or board.vacant(state, place))
    if len(board.in_area(state, place)) >= BOX_LIMIT:
        return False
    if place in data.ports:
        return not state.port_damage.get(place) and board.controls(state, side, data.ports[place])
    return state.beachheads.get(place) == "in-play"
