"""6.4 How hits are absorbed and taken.

The names of 6.42 are kept: a) field works, b) disorder by artillery, c) retreat by ground fire, d) steps.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily import abort
from pbem.games.fab_sicily import battle as b
from pbem.games.fab_sicily import before_battle as before
from pbem.games.fab_sicily import events as e
from pbem.games.fab_sicily import retreat
from pbem.games.fab_sicily.battle import Battle, Segment
from pbem.games.fab_sicily.state import DISORDERED, State

Hits = Generator[Sequence[Ask], list[Answer], int]
"""Takes some hits and returns how many are left."""

GUNS, GROUND = "artillery", "ground"
"""What scored the hits against the Defender."""


# -- 6.41 -------------------------------------------------------------------------------------------


def against_attacker(ctx: Ctx, battle: Battle, hits: int) -> Segment:
    """6.41 Hits against the Attacker; True if he aborts the attack."""
    if not hits:
        return False
    hits = yield from _mandatory(ctx, battle, hits)
    if hits and b.pieces(ctx.state, battle, battle.attacker) and abort.possible(ctx.state, battle):
        [answer] = yield [_abort_ask(ctx, battle, hits)]
        if answer.key == "abort":
            ctx.emit(e.Aborted(battle.area, hits))
            yield from abort.abort(ctx, battle)
            return True
    yield from _steps(ctx, battle, battle.attacker, hits, "6.41")
    return False


def _mandatory(ctx: Ctx, battle: Battle, hits: int) -> Hits:
    """6.41a The first hit of every segment costs the point unit a step, or a battle asset.

    RULING: "always", so in a later segment the point unit may lose a second step before another unit
    has lost its first; 6.43 rules the rest (6.41b).
    """
    side = battle.attacker
    point = [battle.points[side]] if battle.points[side] in b.pieces(ctx.state, battle, side) else []
    assets = [c for c in b.battle_assets(ctx.state, battle, side) if c not in point]
    yield from _lose(ctx, battle, side, [*assets, *point], hits, "6.41")
    return hits - 1


def _abort_ask(ctx: Ctx, battle: Battle, hits: int) -> Ask:
    """6.41b Default: press on, unless the hits would destroy all that is left."""
    left = sum(b.steps(ctx.state, p) for p in b.pieces(ctx.state, battle, battle.attacker))

    def make() -> list[Option]:
        return [
            Option("press", "take the hits and go on", ("press on",)),
            Option("abort", abort.WORDS.get(battle.assault, abort.STAY), ("break off",)),
        ]

    default = "abort" if hits >= left else "press"
    prompt = f"{hits} more to take: press on or abort?"
    return b.ask(ctx, battle, battle.attacker, "abort", "6.41", make, default, prompt, hits=hits)


# -- 6.42 -------------------------------------------------------------------------------------------


def against_defender(ctx: Ctx, battle: Battle, hits: int, source: str) -> Hits:
    """6.42 Hits against the Defender, from GUNS or GROUND; what is left found nobody to strike."""
    if hits:
        hits = _field_works(ctx, battle, hits)
    if hits and source == GUNS:
        hits = yield from _disorder(ctx, battle, hits)
    if hits and source == GROUND:
        hits = yield from _retreat(ctx, battle, hits)
    return (yield from _steps(ctx, battle, battle.defender, hits, "6.42"))


def _field_works(ctx: Ctx, battle: Battle, hits: int) -> int:
    """6.42a The first hit goes into the field works, if there are any."""
    if not b.in_works(ctx.state, battle, battle.defender):
        return hits
    ctx.emit(e.HitAbsorbed(battle.area, battle.defender, "field-works", "", "6.42"))
    ctx.emit(e.Works(battle.area, battle.defender, False, "6.42"))
    return hits - 1


def _disorder(ctx: Ctx, battle: Battle, hits: int) -> Hits:
    """6.42b One artillery hit is absorbed by disordering every unit that is not disordered yet."""
    if all(u.status == DISORDERED for u in b.units(ctx.state, battle, battle.defender)):
        return hits
    [answer] = yield [_disorder_ask(ctx, battle, hits)]
    if answer.key == "lose":
        return hits
    ctx.emit(e.HitAbsorbed(battle.area, battle.defender, "disorder", "", "6.42"))
    for unit in b.units(ctx.state, battle, battle.defender):
        disorder(ctx, unit.id, "6.42")
    return hits - 1


def _disorder_ask(ctx: Ctx, battle: Battle, hits: int) -> Ask:
    """Default: disorder, which heals by itself."""

    def make() -> list[Option]:
        return [Option("disorder", "all units become disordered"), Option("lose", "take it as a step-loss")]

    return b.ask(
        ctx, battle, battle.defender, "disorder", "6.42", make, "disorder", "absorb an artillery hit by disorder?", hits=hits,
    )


def disorder(ctx: Ctx, block: str, rule: str) -> None:
    """6.5 A unit becomes disordered (also a recovering one); if it is already, nothing more happens."""
    if ctx.state.blocks[block].status != DISORDERED:
        ctx.emit(e.StatusSet(block, DISORDERED, rule))


def _retreat(ctx: Ctx, battle: Battle, hits: int) -> Hits:
    """6.42c One hit of ground fire is absorbed by retreating all units.

    RULING: all or none, so it is offered only if each has somewhere to go; should the first to go leave
    the second no room, that one stays and takes a step-loss instead (6.6).
    """
    side = battle.defender
    units = [u.id for u in b.units(ctx.state, battle, side)]
    if not units or not all(retreat.retreat_options(ctx.state, u, battle.area) for u in units):
        return hits
    [answer] = yield [_retreat_ask(ctx, battle, hits)]
    if answer.key == "lose":
        return hits
    ctx.emit(e.HitAbsorbed(battle.area, side, "retreat", "", "6.42"))
    yield from before.withdraw(ctx, battle, disorder=True, rule="6.42")
    for unit in b.units(ctx.state, battle, side):
        if unit.area == battle.area:
            yield from _lose(ctx, battle, side, [unit.id], 1, "6.6")
    return hits - 1


def _retreat_ask(ctx: Ctx, battle: Battle, hits: int) -> Ask:
    """Default: hold against a single hit if two steps (or an asset to lose) stand there, else retreat."""
    state, side = ctx.state, battle.defender
    sturdy = sum(b.steps(state, p) for p in b.pieces(state, battle, side)) - hits

    def make() -> list[Option]:
        return [Option("retreat", "all units retreat and are disordered"), Option("lose", "stay and take it as a step-loss")]

    default = "lose" if hits == 1 and sturdy > 0 else "retreat"
    return b.ask(ctx, battle, side, "retreat-or-loss", "6.42", make, default, "absorb a hit by retreating?", hits=hits)


# -- 6.43 -------------------------------------------------------------------------------------------


def _steps(ctx: Ctx, battle: Battle, side: str, hits: int, rule: str) -> Hits:
    """6.41b, 6.42d Hits become step-losses one by one; the rest is unapplied."""
    while hits and (may := candidates(ctx.state, battle, side)):
        yield from _lose(ctx, battle, side, may, hits, "6.43")
        hits -= 1
    for _ in range(hits):
        ctx.emit(e.HitAbsorbed(battle.area, side, "unapplied", "", rule))
    return hits


def candidates(state: State, battle: Battle, side: str) -> list[str]:
    """6.43 Who may take the next step-loss.

    Battle assets at any time; the point unit before any other unit; nobody twice before everybody once.
    RULING: counted over the whole Combat Round, as 6.24 says of the point unit.
    """
    assets = b.battle_assets(state, battle, side)
    units = [u.id for u in b.units(state, battle, side)]
    if units and not any(u in battle.hit for u in battle.units[side]):
        first = [u for u in units if u == battle.points[side]]
        return assets + (first or units)
    fresh = [u for u in units if u not in battle.hit]
    return (assets + fresh) or units


def _lose(ctx: Ctx, battle: Battle, side: str, may: list[str], hits: int, rule: str) -> b.Flow:
    """6.43 One of ``may`` takes one step-loss."""
    if not may:
        return
    [answer] = yield [_loss_ask(ctx, battle, side, may, hits, rule)]
    piece = answer["piece"]
    ctx.emit(e.HitAbsorbed(battle.area, side, "lost", piece, rule))
    if piece not in ctx.state.blocks:
        ctx.emit(e.ChitMoved(piece, "eliminated", "", "", "6.32"))
        return
    battle.hit.append(piece)
    lose_step(ctx, piece, rule)


def lose_step(ctx: Ctx, block: str, rule: str) -> None:
    """2.3 A step-loss; with its last step a unit is eliminated."""
    if ctx.state.blocks[block].steps > 1:
        ctx.emit(e.StepLost(block, rule))
    else:
        ctx.emit(e.Eliminated(block, "losses", rule))


def _loss_ask(ctx: Ctx, battle: Battle, side: str, may: list[str], hits: int, rule: str) -> Ask:
    """Default: the battle asset of lowest quality, else the unit with most steps."""
    state = ctx.state
    assets = [p for p in may if p not in state.blocks]
    best = assets or [b.strongest(state, [state.blocks[p] for p in may])]

    def make() -> list[Option]:
        return [Option(f"lose {p}", b.name(state.data, p), _tags(state, p, may, battle), {"piece": p}) for p in may]

    default = f"lose {min(best, key=lambda p: b.quality(state, p))}"
    return b.ask(ctx, battle, side, "loss", rule, make, default, f"{hits} to take: who takes the next?", hits=hits)


def _tags(state: State, piece: str, may: list[str], battle: Battle) -> tuple[str, ...]:
    """Words for standing orders."""
    if piece not in state.blocks:
        return ("asset", state.data.chits[piece].kind)
    strengths = [b.steps(state, p) for p in may if p in state.blocks]
    own = b.steps(state, piece)
    tags = ["unit", "armor" if b.is_armor(state, piece) else "infantry"]
    tags += ["strongest"] if own == max(strengths) else []
    tags += ["weakest"] if own == min(strengths) else []
    return (*tags, *(("point",) if piece in battle.points.values() else ()))
