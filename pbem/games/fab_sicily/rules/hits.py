"""6.4 How hits are absorbed (6.41, 6.42; who takes step-losses is 6.43, :mod:`.losses`).

The letters of 6.42 are kept: a) field works, b) disorder by artillery, c) retreat by ground fire, d) steps.
"""

from __future__ import annotations

from pbem.core.asks import Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import abort, losses, withdrawal
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle, Flow, Segment
from pbem.games.fab_sicily.rules.losses import Hits
from pbem.games.fab_sicily.position.state import DISORDERED

GUNS, GROUND = "artillery", "ground"
"""What scored the hits against the Defender."""


# -- 6.41 -------------------------------------------------------------------------------------------


def against_attacker(ctx: Ctx, battle: Battle, hits: int) -> Segment:
    """6.41 Hits against the Attacker; True if he aborts the attack."""
    if not hits:
        return False
    yield from _mandatory(ctx, battle, hits)
    hits -= 1
    if hits and b.pieces(ctx.state, battle, battle.attacker) and abort.possible(ctx.state, battle):
        [answer] = yield [_abort_ask(ctx, battle, hits)]
        if answer.key == "abort":
            ctx.emit(e.Aborted(battle.area, hits))
            yield from abort.abort(ctx, battle)
            return True
    yield from losses.take(ctx, battle, battle.attacker, hits, "6.41")
    return False


def _mandatory(ctx: Ctx, battle: Battle, hits: int) -> Flow:
    """6.41a The first hit of every segment costs the point unit a step, or a battle asset.

    RULING: "always", so in a later segment the point unit may lose a second step before another unit
    has lost its first; 6.43 rules the rest (6.41b).
    """
    side = battle.attacker
    point = battle.points[side]
    assets = [c for c in b.battle_assets(ctx.state, battle, side) if c != point]
    yield from losses.lose(ctx, battle, side, [*assets, point], hits, "6.41")


def _abort_ask(ctx: Ctx, battle: Battle, hits: int) -> Ask:
    """6.41b Default: press on, unless the hits would destroy all that is left."""
    left = sum(b.steps(ctx.state, p) for p in b.pieces(ctx.state, battle, battle.attacker))

    def make() -> list[Option]:
        return [Option("press", "take the hits and go on"), Option("abort", abort.WORDS.get(battle.assault, abort.STAY))]

    default = "abort" if hits >= left else "press"
    prompt = f"{hits} more to take: press on or abort?"
    return b.ask(ctx, battle, battle.attacker, "abort", "6.41", make, default, prompt, hits=hits)


# -- 6.42 -------------------------------------------------------------------------------------------


def against_defender(ctx: Ctx, battle: Battle, hits: int, source: str) -> Hits:
    """6.42 Hits against the Defender, from GUNS or GROUND; how many found nobody to strike."""
    if hits:
        hits = _field_works(ctx, battle, hits)
    if hits and source == GUNS:
        hits = yield from _disorder(ctx, battle, hits)
    if hits and source == GROUND:
        hits = yield from _retreat(ctx, battle, hits)
    return (yield from losses.take(ctx, battle, battle.defender, hits, "6.42"))


def _field_works(ctx: Ctx, battle: Battle, hits: int) -> int:
    """6.42a The first hit goes into the field works, if there are any."""
    if not b.in_works(ctx.state, battle, battle.defender):
        return hits
    ctx.emit(e.HitAbsorbed(battle.area, battle.defender, "field-works", "", "6.42"))
    ctx.emit(e.Works(battle.area, battle.defender, False, "6.42"))
    return hits - 1


def _disorder(ctx: Ctx, battle: Battle, hits: int) -> Hits:
    """6.42b One artillery hit is absorbed by disordering every unit that is not disordered yet."""
    units = b.units(ctx.state, battle, battle.defender)
    if all(u.status == DISORDERED for u in units):
        return hits
    [answer] = yield [_disorder_ask(ctx, battle, hits)]
    if answer.key == "lose":
        return hits
    ctx.emit(e.HitAbsorbed(battle.area, battle.defender, "disorder", "", "6.42"))
    for unit in units:
        b.disorder(ctx, unit.id, "6.42")
    return hits - 1


def _disorder_ask(ctx: Ctx, battle: Battle, hits: int) -> Ask:
    """Default: disorder, which heals by itself."""

    def make() -> list[Option]:
        return [Option("disorder", "all units become disordered"), Option("lose", "take it as a step-loss")]

    prompt = f"{hits} from artillery: absorb one by disorder?"
    return b.ask(ctx, battle, battle.defender, "disorder", "6.42", make, "disorder", prompt, hits=hits)


def _retreat(ctx: Ctx, battle: Battle, hits: int) -> Hits:
    """6.42c One hit of ground fire is absorbed by retreating all units; 6.6 who cannot takes a step-loss instead."""
    side = battle.defender
    if not withdrawal.possible(ctx.state, battle):
        return hits
    [answer] = yield [_retreat_ask(ctx, battle, hits)]
    if answer.key == "lose":
        return hits
    ctx.emit(e.HitAbsorbed(battle.area, side, "retreat", "", "6.42"))
    yield from withdrawal.withdraw(ctx, battle, disorder=True, rule="6.42")
    for unit in b.units(ctx.state, battle, side):
        if unit.area == battle.area:
            yield from losses.lose(ctx, battle, side, [unit.id], 1, "6.6")
    return hits - 1


def _retreat_ask(ctx: Ctx, battle: Battle, hits: int) -> Ask:
    """Default: hold against a single hit if two steps (or an asset to lose) stand there, else retreat."""
    state, side = ctx.state, battle.defender
    left = sum(b.steps(state, p) for p in b.pieces(state, battle, side))

    def make() -> list[Option]:
        return [Option("retreat", "all units retreat and are disordered"), Option("lose", "stay and take it as a step-loss")]

    default = "lose" if hits == 1 and left > 1 else "retreat"
    prompt = f"{hits} from ground fire: absorb one by retreating?"
    return b.ask(ctx, battle, side, "retreat-or-loss", "6.42", make, default, prompt, hits=hits)
