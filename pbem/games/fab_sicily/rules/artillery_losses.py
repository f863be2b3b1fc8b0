"""18.3 Artillery Destruction, an optional rule: guns may be lost with the area they defended."""

from __future__ import annotations

from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.rules import d10
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import ARTILLERY, Battle

RETREATED, DESTROYED = 1, 2
"""Success Numbers: some of the defenders survived, or none."""


def guns(ctx: Ctx, battle: Battle) -> None:
    """18.3 One die for each defending artillery asset, if the switch is on and no defending unit is left there."""
    state = ctx.state
    if not state.data.switches.get("optional_artillery_loss", False) or board.in_area(state, battle.area, battle.defender):
        return
    mods = [("hits not absorbed", battle.unapplied)] if battle.unapplied else []
    target = (RETREATED if b.pieces(state, battle, battle.defender) else DESTROYED) + battle.unapplied
    for chit in [c.id for c in board.assets_in(state, battle.area, battle.defender, ARTILLERY)]:
        if state.data.chits[chit].kind != "artillery":
            continue
        purpose = f"destruction of {b.name(state.data, chit)} at {board.place_name(state.data, battle.area)}"
        [face] = d10.roll(ctx, 1, purpose=purpose, rule="18.3", side=battle.attacker, target=target, mods=mods)
        if d10.success(face, target):
            ctx.emit(e.ChitMoved(chit, "eliminated", "", "", "18.3"))
