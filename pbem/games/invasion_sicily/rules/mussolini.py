"""14.3 The fall of Mussolini."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, AXIS, ELIMINATED, ITALY, RESERVED
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules.phases import table_roll


def may_roll(state: State) -> bool:
    """14.3.1 Two tries in a game, one in a marked turn, none once he has fallen."""
    track = state.data.track.get(state.turn)
    return bool(track and track.mussolini) and state.mussolini["tries"] < 2 and not state.mussolini["fallen"]


def resolve(ctx: Ctx) -> None:
    """14.3 The table, if the Allied player has asked for it.

    RULING: the try is declared with the events, and the die is rolled when the weather is known, for a Storm keeps the
    bombers from Rome (14.3.2); then the try goes on without them (switch 'rome_storm').
    """
    state = ctx.state
    if not state.spent.get("mussolini"):
        return
    bombed = state.bombing and not (state.storm and state.data.switches["rome_storm"] == "void")
    mods = []
    if bombed:
        first = state.mussolini["bombed"] == 0
        mods = [("Rome is bombed", state.data.modifiers["rome-first" if first else "rome-second"])]
    result = table_roll(ctx, ALLIED, "mussolini", "result", "the fall of Mussolini", "14.3.1", mods)
    ctx.emit(e.MussoliniRolled(result, bombed))
    if bombed:
        ctx.emit(e.TransportUsed("rome", 1))
    if result == "falls":
        _demoralize(ctx)


def _demoralize(ctx: Ctx) -> None:
    """14.3.3 Surviving CCNN units are removed at once.  No Italian unit can be sent to Sicily any more."""
    for unit in list(ctx.state.units.values()):
        if ctx.state.data.units[unit.id].type == "ccnn" and unit.place not in (ELIMINATED, RESERVED):
            ctx.emit(e.Eliminated(unit.id, "14.3.3"))


def may_return(state: State) -> list[str]:
    """14.3.4 After the revival one eliminated CCNN unit may come back."""
    if not state.mussolini["revival"] or state.mussolini.get("returned"):
        return []
    return [u.id for u in state.units.values() if state.data.units[u.id].type == "ccnn" and u.place == ELIMINATED]


def cities(state: State) -> list[str]:
    """15.2.3b, 14.3.4 Cities that the Axis holds."""
    return [h.id for h in state.data.hexes.values() if h.city and board.holds(state, AXIS, h.id)]


def barred(state: State, unit: str, place: str) -> bool:
    """14.3.3 Whether an Italian unit may not be sent to Sicily."""
    italian = state.data.units[unit].nation == "Italian"
    hex_ = state.data.hexes.get(place)
    return bool(italian and state.mussolini["fallen"] and hex_ and hex_.landmass == "sicily" and state.units[unit].place == ITALY)
