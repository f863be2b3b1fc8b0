"""3.21, 4.2 The Admin Phase: draws, then what the phasing player does, then what the other does."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import air, cups, engineers, events_play, flank, phases, replacements, special, stacking, staff
from pbem.games.fab_sicily.position.data import SIDES, other
from pbem.games.fab_sicily.words.refusals import Done
from pbem.games.fab_sicily.position.state import State

Flow = Generator[Sequence[Ask], list[Answer], None]


# -- the steps ----------------------------------------------------------------------------------------


def draw(ctx: Ctx) -> Flow:
    """4.2a Both players draw."""
    phases.begin(ctx)
    for side in SIDES:
        cups.draw(ctx, side)
    yield from ()


def admin(ctx: Ctx) -> Flow:
    """4.2b The phasing player's events, engineers, staff and Special Actions."""
    phases.begin(ctx)
    yield from _actions(ctx, ctx.state.player)


def counter_admin(ctx: Ctx) -> Flow:
    """4.2c The same for the other player; then the phase is over."""
    phases.begin(ctx)
    yield from _actions(ctx, other(ctx.state.player))
    staff.end_intelligence(ctx)
    yield from stacking.end_of_phase(ctx)


def _actions(ctx: Ctx, side: str) -> Flow:
    done = Done()
    while True:
        [answer] = yield [_ask(ctx, side, done)]
        if answer.key == "done":
            return
        yield from _perform(ctx, side, answer, done)


def _ask(ctx: Ctx, side: str, done: Done) -> Ask:
    state = ctx.state
    return Ask(
        side, "admin", "4.2", phases.scope(ctx), lambda: options(state, side, done), "done",
        prompt="Play events, use engineers, staff and Special Actions", facts=_facts(state, side),
        closing=Option("done", "nothing (more) in this Admin Phase"),
    )


def _facts(state: State, side: str) -> dict[str, int]:
    kinds = {"engineers": ("engineer",), "staff": ("staff",), "air": ("air",), "specials": special.KINDS}
    return {name: len(board.available(state, side, *some)) for name, some in kinds.items()}


# -- options ------------------------------------------------------------------------------------------


def options(state: State, side: str, done: Done) -> Iterator[Option]:
    """4.2b, 4.2c Every legal single action."""
    yield from engineers.options(state, side, done.ports)
    yield from special.rally_options(state, side)
    yield from replacements.options(state, side)
    yield from special.release_options(state, side)
    yield from staff.options(state, side)
    yield from air.interdict_options(state, side, done.cancelled)
    yield from flank.options(state, side, done.invaded)
    yield from events_play.options(state, side)
    yield from cups.recycle_options(state, side)


def _perform(ctx: Ctx, side: str, answer: Answer, done: Done) -> Flow:
    data = answer.option.data
    match data["do"]:
        case "interdict":
            if not (yield from air.interdict(ctx, data["area"], data["chit"])):
                done.cancelled.append(data["area"])
        case "invade":
            done.invaded = True
            yield from flank.invade(ctx, data["area"], data["chit"])
        case "damage" | "mend":
            done.ports.append(data["port"])
            engineers.change_port(ctx, side, data["port"], data["chit"])
        case "blow":
            engineers.blow(ctx, side, data["borders"], data["chit"])
        case "repair":
            engineers.repair(ctx, side, data["borders"], data["chit"])
        case "works":
            engineers.works(ctx, side, data["area"], data["chit"])
        case "roadblock":
            engineers.roadblock(ctx, side, data["area"], data["chit"])
        case "defend":
            engineers.defend(ctx, side, data["area"], data["chit"])
        case "rally":
            special.rally(ctx, side, data["area"], data["chit"])
        case "release":
            special.release(ctx, data["division"], data["brigade"], data["chit"])
        case "replace":
            replacements.replace(ctx, data["block"], data["chit"])
        case "restore":
            staff.restore(ctx, data["asset"], data["chit"])
        case "spy":
            staff.spy(ctx, side, data["area"], data["chit"])
        case "reserve":
            staff.reserve(ctx, data["block"], data["chit"])
        case "play":
            yield from events_play.play(ctx, data["chit"])
        case "recycle":
            cups.recycle(ctx, data["assets"], data["chit"])
