"""6.41b Breaking an attack off, and 14.27, 14.28 what that means in an assault."""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import losses, retreat, withdrawal
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle, Flow
from pbem.games.fab_sicily.position.data import AT_SEA
from pbem.games.fab_sicily.position.state import Entry, State

STAY = "break off: the units stay, disordered"
WORDS = {
    "river": "break off: the units go back across the river, disordered",
    "beach": "break off: the units go back to sea, and the beachhead is lost",
}
"""What aborting means, in the words of the option."""


def possible(state: State, battle: Battle) -> bool:
    """6.41b Whether the attack may be aborted: not an airborne assault (14.27a), nor a flank invasion.

    RULING: in a river or beach assault the units "cannot remain in place", so all must have a way back.
    """
    if battle.assault == "airborne" or battle.flank:
        return False
    came = [u.id for u in b.units(state, battle, battle.attacker) if _entry(state, battle, u.id)]
    return all(_way_back(state, battle, u) for u in came)


def abort(ctx: Ctx, battle: Battle) -> Flow:
    """6.41b The attacking units become disordered; in an assault they also go back the way they came.

    RULING: the marker lies until the Supply Phase (9.5), so a second round (7.42) is an assault too, for the
    Success Numbers and for the way back; units that joined since then go back the way they came.
    """
    for unit in [u.id for u in b.units(ctx.state, battle, battle.attacker)]:
        if _entry(ctx.state, battle, unit):
            yield from _go_back(ctx, battle, unit)
        else:
            b.disorder(ctx, unit, "6.41")


def _go_back(ctx: Ctx, battle: Battle, unit: str) -> Flow:
    """14.27b To sea, and the beachhead is captured; or back over the border.  6.6 If another unit took the
    last room, this one is disordered in place and takes a step-loss instead."""
    options = _way_back(ctx.state, battle, unit)
    entry = _entry(ctx.state, battle, unit)
    if entry and entry.sea and ctx.state.beachheads.get(entry.origin) == "in-play":
        ctx.emit(e.BeachheadSet(entry.origin, "captured", "14.27b"))
    if options:
        yield from withdrawal.go(ctx, battle, unit, options, disorder=True, rule="6.41")
    else:
        b.disorder(ctx, unit, "6.41")
        losses.lose_step(ctx, unit, "6.6")


def _entry(state: State, battle: Battle, unit: str) -> Entry | None:
    """How the unit came into a river or beach assault, if it came in this player turn."""
    entries = state.entries.get(battle.area, []) if battle.assault else []
    return next((x for x in reversed(entries) if x.block == unit), None)


def _way_back(state: State, battle: Battle, unit: str) -> list[Option]:
    """Where an aborting unit may go: to sea if it landed (14.27b), else back over the border it crossed.

    RULING: a unit that joined a beach assault by land goes back by land too.
    """
    entry = _entry(state, battle, unit)
    if entry is None:
        return []
    if entry.sea:
        return [Option(f"retreat {unit} to {AT_SEA}", "back to sea", ("sea",), {"block": unit, "path": [battle.area, AT_SEA]})]
    back = [o for o in retreat.retreat_options(state, unit, battle.area) if o.data["path"][1] == entry.origin]
    return back or _beyond(state, battle, unit, entry.origin)


def _beyond(state: State, battle: Battle, unit: str, origin: str) -> list[Option]:
    """6.6 Back across the river even if that is not the nearest quiet area, and on from there if it is full."""
    side = board.side_of(state, unit)
    if origin not in state.data.areas or not board.friendly_quiet(state, side, origin):
        return []
    if board.room(state, origin, side) > 0:
        return [Option(f"retreat {unit} to {origin}", "back across", (origin,), {"block": unit, "path": [battle.area, origin]})]
    onward = [o.data["path"] for o in retreat.retreat_options(state, unit, origin)]
    return [
        Option(
            f"retreat {unit} to {path[-1]} via {' '.join(path[:-1])}", "back across, and on", (path[-1],),
            {"block": unit, "path": [battle.area, *path]},
        )
        for path in onward if battle.area not in path
    ]
