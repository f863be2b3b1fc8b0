"""16.3 Air support: air combat, interdiction and air resupply (ground support is part of a battle)."""

from __future__ import annotations

from collections.abc import Generator

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import phases, special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import other
from pbem.games.fab_sicily.position.state import Block, Chit, State

Mission = Generator[list[Ask], list[Answer], bool]
Flow = Generator[list[Ask], list[Answer], None]


def ready(state: State, side: str) -> list[Chit]:
    """The side's air support assets in its Available Box."""
    return board.available(state, side, "air")


# -- 16.31 ------------------------------------------------------------------------------------------


def intercept(ctx: Ctx, mission: str, area: str, by: str) -> Mission:
    """16.31 Air combat: the other side may cancel the mission that chit ``by`` has just announced.

    ``mission`` is 'interdiction', 'support' or 'resupply'.  True if it is cancelled: then both assets
    have gone to their Used Boxes, and the caller may not let anybody replace the mission.
    """
    foe = other(ctx.state.data.chits[by].side)
    if not ready(ctx.state, foe):
        return False
    [answer] = yield [_intercept_ask(ctx, mission, area, foe)]
    if answer.key == "none":
        return False
    for chit in (by, answer["chit"]):
        ctx.emit(e.ChitMoved(chit, "used", "", "", "16.31"))
    return True


def _intercept_ask(ctx: Ctx, mission: str, area: str, side: str) -> Ask:
    state = ctx.state
    place = board.place_name(state.data, area)

    def make() -> list[Option]:
        found = [
            Option(f"intercept with {c.id}", f"cancel it with {state.data.chits[c.id].name}", ("intercept",), {"chit": c.id})
            for c in ready(state, side)
        ]
        return [*found, Option("none", "let it fly")]

    return Ask(
        side, "intercept", "16.31", phases.scope(ctx), make, "none", where=area,
        prompt=f"The enemy flies a mission ({mission}) at {place}. Cancel it by air combat?",
        facts={"mission": mission, "area": area, "air": len(ready(state, side))},
    )


# -- 16.33 ------------------------------------------------------------------------------------------


def why_not_interdict(state: State, side: str, area: str, chit: str, cancelled: list[str]) -> Refusal | None:
    """16.33 Why the mission may not be flown there, or None.

    RULING: two missions of one side in an area do not add up (the rule speaks of one additional MP), and
    a mission that air combat cancelled is not flown again to the same area in the same phase (16.31).
    """
    place = board.place_name(state.data, area)
    if board.assets_in(state, area, side, "interdiction"):
        return Refusal(f"you already interdict {place}: choose another area", "16.33")
    if area in cancelled:
        return Refusal(f"your mission to {place} was cancelled by air combat and may not be replaced", "16.31")
    return special.missing(state, side, chit, ("air",), "an air support asset", "16.33")


def interdict_options(state: State, side: str, cancelled: list[str]) -> list[Option]:
    """16.33 `interdict AREA with AIR`, for every land area."""
    return [
        Option(
            f"interdict {area} with {c.id}", f"interdict {board.place_name(state.data, area)}", ("interdict",),
            {"do": "interdict", "area": area, "chit": c.id},
        )
        for c in ready(state, side) for area in state.data.areas
        if not why_not_interdict(state, side, area, c.id, cancelled)
    ]


def interdict(ctx: Ctx, area: str, chit: str) -> Mission:
    """16.33 Fly the mission; False if air combat cancelled it."""
    cancelled = yield from intercept(ctx, "interdiction", area, chit)
    if not cancelled:
        ctx.emit(e.ChitMoved(chit, "map", area, "interdiction", "16.33"))
    return not cancelled


# -- 16.34 ------------------------------------------------------------------------------------------


def resupplied(state: State, side: str, area: str) -> bool:
    """16.34 Whether an air resupply mission of ``side`` reached the area: no morale check there, and
    disorder is adjusted (9.34b, 9.34c do not apply)."""
    return bool(board.assets_in(state, area, side, "resupply"))


def resupply(ctx: Ctx) -> Flow:
    """16.34 Both sides may fly air resupply, the phasing side first; call it once supply is marked (9.32).

    RULING: the other side may fly too: its disordered units are adjusted in this phase as well (9.35).
    """
    for side in (ctx.state.player, other(ctx.state.player)):
        yield from _resupply(ctx, side)


def _resupply(ctx: Ctx, side: str) -> Flow:
    cancelled: list[str] = []
    while ready(ctx.state, side) and _needy(ctx.state, side, cancelled):
        [answer] = yield [_resupply_ask(ctx, side, cancelled)]
        if answer.key == "done":
            return
        area, chit = answer["area"], answer["chit"]
        if (yield from intercept(ctx, "resupply", area, chit)):
            cancelled.append(area)
        else:
            ctx.emit(e.ChitMoved(chit, "map", area, "resupply", "16.34"))


def _needy(state: State, side: str, cancelled: list[str]) -> list[str]:
    def short(block: Block) -> bool:
        return not block.supplied

    return [
        a for a in state.data.areas
        if a not in cancelled and not resupplied(state, side, a) and any(map(short, board.in_area(state, a, side)))
    ]


def _resupply_ask(ctx: Ctx, side: str, cancelled: list[str]) -> Ask:
    state = ctx.state

    def make() -> list[Option]:
        flights = [
            Option(
                f"resupply {a} with {c.id}", f"resupply {board.place_name(state.data, a)} by air", ("resupply",),
                {"area": a, "chit": c.id},
            )
            for a in _needy(state, side, cancelled) for c in ready(state, side)
        ]
        return [*flights, Option("done", "no (more) air resupply")]

    return Ask(
        side, "resupply", "16.34", phases.scope(ctx), make, "done",
        prompt="Units of yours are unsupplied. Resupply them by air?", facts={"air": len(ready(state, side))},
    )


def land(ctx: Ctx) -> None:
    """16.33, 16.34 At the end of the Supply Phase all missions on the map go to the Used Boxes."""
    rules = {"interdiction": "16.33", "resupply": "16.34"}
    for chit in list(ctx.state.chits.values()):
        if chit.use in rules:
            ctx.emit(e.ChitMoved(chit.id, "used", "", "", rules[chit.use]))
