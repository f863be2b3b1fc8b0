"""6.25 to 6.28 The four fire segments: Success Numbers and dice.

A piece compares itself with the enemy's *point unit* (6.24).  Artillery knows neither quality nor terrain.
"""

from __future__ import annotations

from collections.abc import Mapping

from pbem.core.engine import Ctx, Mod
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import d10, garrison
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import ARTILLERY, Battle
from pbem.games.fab_sicily.position.data import QUALITY_NAMES
from pbem.games.fab_sicily.rules.morale import BASIC
from pbem.games.fab_sicily.position.state import State

PARTS: Mapping[str, tuple[str, str]] = {
    "attacking-artillery": ("6.25", "attacking artillery fire"),
    "defending-artillery": ("6.26", "defending artillery fire"),
    "defensive-fire": ("6.27", "defensive fire"),
    "offensive-fire": ("6.28", "offensive fire"),
}
"""A segment's rule and its name in the log."""

AIR_SUPPORT = 2
"""16.32 What ground support adds for one unit."""


def artillery(ctx: Ctx, battle: Battle, side: str) -> int:
    """6.25, 6.26 One die for each artillery asset; the hits."""
    part = "attacking-artillery" if battle.attacks(side) else "defending-artillery"
    guns = [c.id for c in board.assets_in(ctx.state, battle.area, side, ARTILLERY)]
    mods = artillery_modifiers(ctx.state, battle, side)
    return sum(_shoot(ctx, battle, part, side, gun, 1, mods) for gun in guns)


def ground(ctx: Ctx, battle: Battle, side: str) -> int:
    """6.27, 6.28 One die for each step of every unit and battle asset, and one more for divisional integrity
    (15.2); the hits of all of them together."""
    state = ctx.state
    part = "offensive-fire" if battle.attacks(side) else "defensive-fire"
    mods = {p: ground_modifiers(state, battle, side, p) for p in firing(state, battle, side)}
    extra = integrity(state, {p: BASIC + sum(by for _, by in m) for p, m in mods.items()})
    return sum(_shoot(ctx, battle, part, side, p, b.steps(state, p) + (p == extra), m) for p, m in mods.items())


def firing(state: State, battle: Battle, side: str) -> list[str]:
    """6.27, 6.28 The pieces that fire: not an asset that cleared the field works instead (6.33, 16.22)."""
    return [p for p in b.pieces(state, battle, side) if p not in battle.cleared]


def _shoot(ctx: Ctx, battle: Battle, part: str, side: str, firer: str, dice: int, mods: list[Mod]) -> int:
    data = ctx.state.data
    rule, words = PARTS[part]
    target = BASIC + sum(by for _, by in mods)
    purpose = f"{words} of {b.name(data, firer)} at {board.place_name(data, battle.area)}"
    faces = d10.roll(ctx, dice, purpose=purpose, rule=rule, side=side, target=target, mods=mods)
    hits = sum(d10.success(face, target) for face in faces)
    ctx.emit(e.Fired(battle.area, part, side, firer, target, tuple(mods), tuple(faces), hits))
    return hits


# -- Success Numbers --------------------------------------------------------------------------------


def artillery_modifiers(state: State, battle: Battle, side: str) -> list[Mod]:
    """6.25, 6.26 -1 against field works (5.23, Ex. 12A).  18.2 Advanced Artillery Modifiers, if switched on."""
    foe = battle.foe(side)
    works = b.in_works(state, battle, foe)
    mods = [("field works", -1)] if works else []
    if state.data.switches.get("optional_artillery", False):
        mods += [("against the Defender", -1)] if battle.attacks(side) else []
        mods += [("infantry in the open", 1)] if not works and not b.is_armor(state, battle.points[foe]) else []
    return mods


def ground_modifiers(state: State, battle: Battle, side: str, piece: str) -> list[Mod]:
    """6.27, 6.28 All that changes a piece's Success Number, one by one."""
    mods = [
        _quality(state, battle, side, piece), _armor(state, battle, side, piece), *_condition(state, piece),
        _works(state, battle, side), _terrain(state, battle, side), _assault(state, battle, side), _air(battle, piece),
    ]
    worst = piece in state.blocks and garrison.recruit(state, piece)
    return [(why, by) for why, by in mods if by < 0 or (by > 0 and not worst)]


def _quality(state: State, battle: Battle, side: str, piece: str) -> Mod:
    """6.24 One for each level above or below the enemy's point unit."""
    mine, theirs = b.quality(state, piece), b.quality(state, battle.points[battle.foe(side)])
    return f"{QUALITY_NAMES[mine]} against {QUALITY_NAMES[theirs]}", mine - theirs


def _armor(state: State, battle: Battle, side: str, piece: str) -> Mod:
    """6.24 Armor against an infantry point unit.

    RULING: switch ``armor_modifier``: unit type is compared, but the Combat Table is not in the rulebook.
    """
    helps = b.is_armor(state, piece) and not b.is_armor(state, battle.points[battle.foe(side)])
    return "armor against infantry", int(state.data.switches.get("armor_modifier", 0)) if helps else 0


def _condition(state: State, piece: str) -> list[Mod]:
    """9.33c -1 each for disordered (or recovering, 6.5) and unsupplied; assets can be neither."""
    if piece not in state.blocks:
        return []
    block = state.blocks[piece]
    return [("disordered", 0 if board.good_order(block) else -1), ("unsupplied", 0 if block.supplied else -1)]


def _works(state: State, battle: Battle, side: str) -> Mod:
    """5.23 -1 against units in field works when the dice are rolled.

    RULING: switch ``works_before_clear``; example 14F leaves it out of the Attacker's ground fire, against
    5.23 and example 10B.
    """
    counts = not battle.attacks(side) or state.data.switches.get("works_before_clear", True)
    return "field works", -1 if b.in_works(state, battle, battle.foe(side)) and counts else 0


def _terrain(state: State, battle: Battle, side: str) -> Mod:
    """2.4 The Terrain Difficulty Number, against the Attacker's ground fire only."""
    return "terrain", -state.data.areas[battle.area].tdn if battle.attacks(side) else 0


def _assault(state: State, battle: Battle, side: str) -> Mod:
    """14.27 River, beach and airborne assaults: the Defender's ground fire +1, the Attacker's -1.

    RULING: switch ``assault_penalty``: example 10B has the -1, 14 and 15 leave it out; 14.27 says penalties.
    """
    penalty = -1 if state.data.switches.get("assault_penalty", True) else 0
    return f"{battle.assault} assault", (penalty if battle.attacks(side) else 1) if battle.assault else 0


def _air(battle: Battle, piece: str) -> Mod:
    """16.32 Ground support."""
    return "air support", AIR_SUPPORT if piece in battle.support.values() else 0


# -- 15.2 -------------------------------------------------------------------------------------------


def integrity(state: State, numbers: Mapping[str, int]) -> str:
    """15.2 The unit that rolls the extra die: of two of one division that both fire, the one with the lower
    Success Number (of equals the first); '' if there is no such pair."""
    for piece in numbers:
        division = state.type(piece).division if piece in state.blocks else ""
        pair = [p for p in numbers if p in state.blocks and state.type(p).division == division]
        if division and len(pair) > 1:
            return min(pair, key=lambda p: numbers[p])
    return ""
