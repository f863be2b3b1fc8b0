"""5.35d, 5.35e Bridges blown before a crossing, and the assault markers of those who came over."""

from __future__ import annotations

from collections.abc import Generator

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import d10, phases
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import border_id, other
from pbem.games.fab_sicily.position.state import Entry, State

BLOW_TARGET = 5
"""5.35d The attempt succeeds on 1 to 5, unmodified."""


def threatened(state: State, side: str, here: str, there: str) -> bool:
    """5.35d Whether a unit of ``side`` that crosses gives the enemy a try at the bridge: the area becomes, or
    is, newly contested, the bridge stands, and it is the first attempt at it in this phase."""
    border = state.data.border(here, there)
    return (
        bool(border.river)
        and border.id not in state.blown
        and border.id not in state.tried
        and board.forces(state, there, other(side))
        and there not in state.contested_before
    )


def attempt(ctx: Ctx, side: str, here: str, there: str) -> Generator[list[Ask], list[Answer], bool]:
    """5.35d The side that holds ``there`` may try to blow the bridge; True if it is blown."""
    foe, border = other(side), border_id(here, there)
    [answer] = yield [_ask(ctx, foe, border, there)]
    if answer.key != "blow":
        return False
    ctx.emit(e.BridgeTried(border))
    blown = d10.check(ctx, purpose=f"blowing the bridge {border}", rule="5.35d", side=foe, target=BLOW_TARGET)
    if blown:
        ctx.emit(e.BridgeBlown(border, True, foe, "5.35d"))
    return blown


def _ask(ctx: Ctx, side: str, border: str, area: str) -> Ask:
    place = board.place_name(ctx.state.data, area)
    options = [Option("blow", f"try to blow the bridge {border} (1 to 5 succeeds)"), Option("leave", "leave the bridge standing")]
    return Ask(
        side, "bridge", "5.35d", phases.scope(ctx), lambda: options, "blow",
        f"The enemy is about to cross the bridge {border} to {place}. Blow it?", border, {"area": area},
    )


# -- 5.35e, 14.27 -----------------------------------------------------------------------------------


def mark_assault(ctx: Ctx, area: str) -> None:
    """5.35e, 14.27 Set, change or take away the assault marker after a unit has entered the area."""
    state = ctx.state
    if not board.newly_contested(state, area):
        return
    kind = assault(state, area)
    if kind != state.assaults.get(area, ""):
        ctx.emit(e.AssaultMarked(area, kind, "14.27" if kind in ("airborne", "beach") else "5.35e"))


def assault(state: State, area: str) -> str:
    """14.27 What assault the attackers of a newly contested area make: 'airborne' before 'beach' before 'river'.

    5.35e A river assault only while all of them came across rivers, and one of them over a blown bridge (Ex. 8D).
    Who is not in good order does not attack (6.2, 9.33d), and does not count however he came.
    RULING: any unit that lands from a beachhead makes it a beach assault, even if others came by land (14.27b asks
    for no more than a newly contested coastal area, where 5.35e says 'all').
    """
    entries = attackers(state, area)
    if state.data.mended:
        entries = [entry for entry in entries if board.good_order(state.blocks[entry.block])]
    if any(entry.air for entry in entries):
        return "airborne"
    if any(entry.sea for entry in entries):
        return "beach"
    if entries and all(entry.river for entry in entries) and any(entry.blown for entry in entries):
        return "river"
    return ""


def attackers(state: State, area: str) -> list[Entry]:
    """How the phasing side's units that stand in the area came in (the last time)."""
    last = {entry.block: entry for entry in state.entries.get(area, ())}
    return [last[b.id] for b in board.in_area(state, area, state.player) if b.id in last]
