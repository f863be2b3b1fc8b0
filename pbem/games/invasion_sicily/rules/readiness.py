"""4 A4 The Air/Naval Readiness Phase: support points, air superiority, replacement points, the large Port units."""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.core.engine import Ctx
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import ALLIED, SIDES
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules.events_phase import allied_zone_airfields
from pbem.games.invasion_sicily.rules.phases import NONE, Flow, ask, begin

AIRFIELDS = 8
"""11.4.2 So many in Allied hands end the Axis zone."""


def readiness(ctx: Ctx) -> Flow:
    """4 A4, 11.1.1, 11.1.2, 11.4.3, 12.1.1, 12.1.2 Points are set; each side may buy a replacement point (15.1.2c)."""
    begin(ctx)
    state = ctx.state
    track = state.data.track[state.turn]
    air = dict(track.air)
    if state.spent.get("rome"):
        air[ALLIED] = 0
    naval = track.naval + (state.data.modifiers["revival-naval"] if state.mussolini["revival"] else 0)
    naval = max(0, naval)
    if state.storm:
        air, naval = {s: p // 2 for s, p in air.items()}, naval // 2
    zone = allied_zone_airfields(state) < AIRFIELDS
    ctx.emit(e.ReadinessSet(air["allied"], air["axis"], naval, zone))
    for side in SIDES:
        if track.rp[side]:
            ctx.emit(e.ReplacementsChanged(side, track.rp[side], "15.1.2b"))
    _ports(ctx)
    for side in SIDES:
        if not _useful(state, side):
            continue
        answer = yield from ask(
            ctx, side, "buy-rp", "15.1.2", [NONE, Option("buy", "one replacement point for one victory point")], "none",
            facts={"rp": state.rp[side], "turn": state.turn},
        )
        if answer.key == "buy":
            ctx.emit(e.ReplacementsChanged(side, 1, "15.1.2c"))
            what = f"{side}-rp"
            points = next(v.points for v in state.data.values if v.kind == "event" and v.what == what)
            ctx.emit(e.Scored(what, points, "15.1.2c"))


def _useful(state: State, side: str) -> bool:
    """Nobody is asked to buy what he cannot use at all: units must be reduced or eliminated."""
    from pbem.games.invasion_sicily.rules.replacements import ever_helped

    return any(ever_helped(state, u.id) for u in state.units.values() if state.data.units[u.id].side == side)


def _ports(ctx: Ctx) -> None:
    """5.5.3g On the turn after the capture of Catania or Palermo the two large Port units become larger.

    RULING: either city turns both (switch 'port_flip'); 'own' needs the city of the unit's own nation (see :mod:`.ports`).
    """
    state = ctx.state
    if state.grown:
        return
    taken = [state.captured.get(state.data.where(c), 99) < state.turn for c in ("Catania", "Palermo")]
    if any(taken):
        ctx.emit(e.PortsGrown())
