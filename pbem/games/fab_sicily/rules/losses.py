"""6.43 Step-loss allocation."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle, Flow
from pbem.games.fab_sicily.position.state import State

Hits = Generator[Sequence[Ask], list[Answer], int]
"""Takes some hits and returns how many are left."""


def take(ctx: Ctx, battle: Battle, side: str, hits: int, rule: str) -> Hits:
    """6.41b, 6.42d Hits become step-losses one by one; what finds nobody is unapplied."""
    while hits and (may := candidates(ctx.state, battle, side)):
        yield from lose(ctx, battle, side, may, hits, "6.43")
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
    if not any(u in battle.hit for u in battle.units[side]):
        point = [u for u in units if u == battle.points[side]]
        return assets + (point or units)
    fresh = [u for u in units if u not in battle.hit]
    return (assets + fresh) or units


def lose(ctx: Ctx, battle: Battle, side: str, may: list[str], hits: int, rule: str) -> Flow:
    """6.43 One of ``may`` takes one step-loss."""
    [answer] = yield [_ask(ctx, battle, side, may, hits, rule)]
    piece = answer["piece"]
    ctx.emit(e.HitAbsorbed(battle.area, side, "lost", piece, rule))
    if piece in ctx.state.blocks:
        battle.hit.append(piece)
        lose_step(ctx, piece, rule)
    else:
        ctx.emit(e.ChitMoved(piece, "eliminated", "", "", "6.32"))


def lose_step(ctx: Ctx, block: str, rule: str) -> None:
    """2.3 A step-loss; with its last step a unit is eliminated."""
    if ctx.state.blocks[block].steps > 1:
        ctx.emit(e.StepLost(block, rule))
    else:
        ctx.emit(e.Eliminated(block, "losses", rule))


def _ask(ctx: Ctx, battle: Battle, side: str, may: list[str], hits: int, rule: str) -> Ask:
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
