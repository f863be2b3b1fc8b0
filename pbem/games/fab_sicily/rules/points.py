"""6.24 Point units are designated, then units are revealed."""

from __future__ import annotations

from pbem.core.asks import Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import collapse, garrison
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle, Flow
from pbem.games.fab_sicily.position.board import face_down
from pbem.games.fab_sicily.position.data import QUALITY_NAMES
from pbem.games.fab_sicily.position.state import State


def designate(ctx: Ctx, battle: Battle) -> Flow:
    """6.24 The Defender first.  In a newly contested area neither knows the other's choice: both are asked
    together.  Where all defenders lie open from an earlier round, the Attacker sees what the Defender chose."""
    defenders = [u.shown for u in b.units(ctx.state, battle, battle.defender)]
    if battle.newly or not all(defenders):
        answers = yield [_ask(ctx, battle, battle.defender), _ask(ctx, battle, battle.attacker)]
        chosen = [a["piece"] for a in answers]
    else:
        [first] = yield [_ask(ctx, battle, battle.defender)]
        [second] = yield [_ask(ctx, battle, battle.attacker, facing=first["piece"])]
        chosen = [first["piece"], second["piece"]]
    battle.points = dict(zip((battle.defender, battle.attacker), chosen, strict=True))


def replace(ctx: Ctx, battle: Battle, side: str) -> Flow:
    """6.25, 6.26 A new point unit for a lost one, if anybody is left to lead."""
    left = b.pieces(ctx.state, battle, side)
    if not left or battle.points.get(side) in left:
        return
    [answer] = yield [_ask(ctx, battle, side)]
    battle.points[side] = answer["piece"]
    announce(ctx, battle)


def announce(ctx: Ctx, battle: Battle) -> None:
    """6.24 Tell both sides the point units."""
    ctx.emit(e.PointUnits(battle.area, battle.points[battle.defender], battle.points[battle.attacker]))


def eligible(state: State, battle: Battle, side: str) -> list[str]:
    """6.24 A unit if any is there, else an asset; 8.23 one that came to reinforce only when no other is left;
    14.27a in an airborne assault a unit that dropped."""
    units = [u.id for u in b.units(state, battle, side)]
    dropped = [x.block for x in state.entries.get(battle.area, []) if x.air and x.block in units]
    if battle.attacks(side) and battle.assault == "airborne" and dropped:
        return dropped
    return [u for u in units if u not in battle.reinforced] or units or b.battle_assets(state, battle, side)


def _ask(ctx: Ctx, battle: Battle, side: str, facing: str = "") -> Ask:
    """Default: the strongest unit, which lives longest in front."""
    state = ctx.state
    able = eligible(state, battle, side)
    blocks = [state.blocks[p] for p in able if p in state.blocks]
    best = b.strongest(state, blocks) if blocks else able[0]
    weakest = min(blocks, key=lambda u: b.steps(state, u.id)).id if blocks else able[0]

    def make() -> list[Option]:
        return [
            Option(f"point {p}", b.name(state.data, p), _tags(state, p, best, weakest), {"piece": p}) for p in able
        ]

    facts = {"point": facing} if facing else {}
    return b.ask(ctx, battle, side, "point-unit", "6.24", make, f"point {best}", "which unit leads?", **facts)


def _tags(state: State, piece: str, best: str, weakest: str) -> tuple[str, ...]:
    """Words for standing orders; of a face-down garrison its owner knows no quality (15.3)."""
    tags = ["strongest"] if piece == best else []
    tags += ["weakest"] if piece == weakest else []
    tags += ["armor" if b.is_armor(state, piece) else "infantry"]
    if piece in state.blocks:
        tags += ["green" if face_down(state, piece) else QUALITY_NAMES[b.quality(state, piece)]]
        tags += [t for t in (state.type(piece).division,) if t]
    return tuple(tags)


# -- the reveal -------------------------------------------------------------------------------------


def reveal(ctx: Ctx, battle: Battle) -> None:
    """6.24 All units of both sides are turned face-up; 15.3b garrisons last; then the Italians show their nerve (17.21).

    Only then are the point units told: a name in an event never goes before its block's face.
    """
    state = ctx.state
    there = [u.id for u in board.in_area(state, battle.area)]
    green = [u for u in there if board.green_garrison(state, u)]
    for block in there:
        if block not in green and not state.blocks[block].shown:
            ctx.emit(e.Shown(block, True, "6.24"))
    for block in green:
        garrison.reveal(ctx, block, "15.3b")
    announce(ctx, battle)
    collapse.shake(ctx, battle)
