"""6.41b Breaking an attack off, and 14.27, 14.28 what that means in an assault."""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily import battle as b
from pbem.games.fab_sicily import board, retreat
from pbem.games.fab_sicily import events as e
from pbem.games.fab_sicily.battle import Battle
from pbem.games.fab_sicily.data import AT_SEA
from pbem.games.fab_sicily.state import DISORDERED, Entry, State

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
    return all(_way_back(state, battle, u.id) for u in b.units(state, battle, battle.attacker) if _entry(state, battle, u.id))


def abort(ctx: Ctx, battle: Battle) -> b.Flow:
    """6.41b The attacking units become disordered; in an assault they also go back the way they came.

    RULING: who did not come in this phase (a second round, 7.42) stays.
    """
    for unit in [u.id for u in b.units(ctx.state, battle, battle.attacker)]:
        entry = _entry(ctx.state, battle, unit)
        if not entry:
            ctx.emit(e.StatusSet(unit, DISORDERED, "6.41"))
            continue
        options = _way_back(ctx.state, battle, unit)
        if entry.sea:
            _lose_beachhead(ctx, entry.origin)
        if not options:
            ctx.emit(e.StatusSet(unit, DISORDERED, "6.41"))
            continue
        [answer] = yield [
            b.ask(
                ctx, battle, battle.attacker, "retreat-to", "6.6", lambda o=options: o, options[0].key,  # type: ignore[misc]
                f"where does {board.unit_name(ctx.state.data, unit)} go back to?", where=unit, block=unit,
            )
        ]
        retreat.retreat(ctx, unit, answer.option.data, True, "14.28" if entry.sea else "6.41")


def _lose_beachhead(ctx: Ctx, box: str) -> None:
    """14.27b The Axis captures the beachhead."""
    if ctx.state.beachheads.get(box) == "in-play":
        ctx.emit(e.BeachheadSet(box, "captured", "14.27b"))


def _entry(state: State, battle: Battle, unit: str) -> Entry | None:
    """How the unit came into a river or beach assault, if it came in this phase."""
    if not battle.assault:
        return None
    return next((x for x in reversed(state.entries.get(battle.area, [])) if x.block == unit), None)


def _way_back(state: State, battle: Battle, unit: str) -> list[Option]:
    """Where an aborting unit may go: to sea if it landed (14.27b), else back over the border it crossed.

    RULING: a unit that joined a beach assault by land goes back by land too.
    """
    entry = _entry(state, battle, unit)
    if entry is None:
        return []
    if entry.sea:
        path = [battle.area, AT_SEA]
        return [Option(f"retreat {unit} to {AT_SEA}", "back to sea", ("sea",), {"block": unit, "path": path})]
    return [
        o for o in retreat.retreat_options(state, unit, battle.area) if o.data["path"][1] == entry.origin
    ] or _beyond(state, battle, unit, entry.origin)


def _beyond(state: State, battle: Battle, unit: str, origin: str) -> list[Option]:
    """6.6 Back across the river, and on from there if two units stand there already."""
    side = board.side_of(state, unit)
    if origin not in state.data.areas or not board.friendly_quiet(state, side, origin):
        return []
    if board.room(state, origin, side) > 0:
        return [Option(f"retreat {unit} to {origin}", "back across", (), {"block": unit, "path": [battle.area, origin]})]
    onward = retreat.retreat_options(state, unit, origin)
    return [
        Option(
            f"retreat {unit} to {o.data['path'][-1]} via {' '.join(o.data['path'][:-1])}", "back across, and on", (),
            {"block": unit, "path": [battle.area, *o.data["path"]]},
        )
        for o in onward if battle.area not in o.data["path"]
    ]
