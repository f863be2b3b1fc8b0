"""6.22, 6.23 Assets are assigned, Attacker first; 16.1 to 16.3 what the assets of this game may do.

No event of this title can be assigned to a battle (17.0), so the limit of one event never matters;
Special Actions do not count as events (8.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.core.asks import Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily import air, board, supply
from pbem.games.fab_sicily import battle as b
from pbem.games.fab_sicily import events as e
from pbem.games.fab_sicily.battle import AIR, ARTILLERY, BATTLE, SHOCK, Battle, Flow
from pbem.games.fab_sicily.state import State

MOST_ASSETS = {"attack": 8, "defence": 5}
"""6.22, 6.23 as amended by the errata."""

MOST_ARTILLERY = {"attack": 2, "defence": 1}
"""6.31 For units of one Higher Echelon."""

ITALIAN_LIMIT = 1
"""16.11 Italian battle assets in any one battle."""


@dataclass(frozen=True)
class Forces:
    """What a side's forces in the battle allow it to commit.

    ``armies``: their Higher Echelons; ``supplied``: 6.22, 6.23, 9.34a; ``artillery_only``: 4.35 a defended
    roadblock alone; ``sea_and_air``: 17.22 a flank invasion.
    """

    role: str
    armies: list[str]
    supplied: bool
    artillery_only: bool
    sea_and_air: bool


def forces(state: State, battle: Battle, side: str) -> Forces:
    """The forces of ``side`` as 6.22 and 6.23 look at them."""
    blocks = b.units(state, battle, side)
    holding = [state.data.chits[c.id] for c in board.holders(state, battle.area, side)]
    landed = any(c.flank for c in holding)
    armies = board.armies(state, blocks) if blocks else sorted({c.army for c in holding if c.army})
    return Forces(
        "attack" if battle.attacks(side) else "defence", armies, landed or _supplied(state, battle, side),
        bool(not blocks and holding and not landed), landed,
    )


def _supplied(state: State, battle: Battle, side: str) -> bool:
    """6.22, 6.23 In supply since the Supply Phase and tracing a supply path now (9.31).

    RULING: 6.23 asks the Defender for the path only, but 9.34a lets no unit marked unsupplied have assets,
    so the marker counts for both sides.  One unsupplied unit bars the assets of all: they help the battle.
    """
    blocks = b.units(state, battle, side)
    if not blocks:
        return supply.traces(state, side, battle.area)
    return all(u.supplied and supply.unit_traces(state, u.id) for u in blocks)


# -- the two assignments ----------------------------------------------------------------------------


def assign(ctx: Ctx, battle: Battle) -> Flow:
    """6.3 Assets are assigned, Attacker first."""
    for side, rule in ((battle.attacker, "6.22"), (battle.defender, "6.23")):
        yield from _assign(ctx, battle, side, rule)


def _assign(ctx: Ctx, battle: Battle, side: str, rule: str) -> Flow:
    while True:
        [answer] = yield [_ask(ctx, battle, side, rule)]
        if answer.key == "done":
            return
        chit, use = answer["chit"], answer["use"]
        ctx.emit(e.AssetCommitted(battle.area, side, chit, use))
        ctx.emit(e.ChitMoved(chit, "map", battle.area, use, rule))
        if use == AIR:
            yield from _announce(ctx, battle, side, chit)


def _announce(ctx: Ctx, battle: Battle, side: str, chit: str) -> Flow:
    """16.31, 16.32 A Ground Support Mission may be cancelled by the other side's one air asset of the battle
    (by the Attacker out of sequence, if he has committed none)."""
    battle.air_spent.append(side)
    foe = battle.foe(side)
    if foe not in battle.air_spent and (yield from air.intercept(ctx, "support", battle.area, chit)):
        battle.air_spent.append(foe)


def _ask(ctx: Ctx, battle: Battle, side: str, rule: str) -> Ask:
    """Default: no (more) assets; a deadline never spends what its owner may have other plans for."""

    def make() -> list[Option]:
        return [*options(ctx.state, battle, side), Option("done", "no (more) assets")]

    role = "attack" if battle.attacks(side) else "defence"
    return b.ask(
        ctx, battle, side, "assets", rule, make, "done", "which of your assets take part?", role=role,
        committed=len(_committed(ctx.state, battle, side)),
    )


# -- what may be added ------------------------------------------------------------------------------


def options(state: State, battle: Battle, side: str) -> list[Option]:
    """`add CHIT`, `add NAV as shock`, `add NAV as artillery`: all that may still be added, by kind."""
    have = forces(state, battle, side)
    if len(_committed(state, battle, side)) >= MOST_ASSETS[have.role]:
        return []
    found: list[Option] = []
    if have.supplied:
        found += _guns(state, battle, side, have) + _fighters(state, battle, side, have) + _ships(state, battle, side, have)
    return found + _planes(state, battle, side, have)


def _committed(state: State, battle: Battle, side: str) -> list[str]:
    return [c.id for c in board.assets_in(state, battle.area, side, *b.COMMITTED)]


def _add(state: State, chit: str, use: str, words: str = "") -> Option:
    kind = state.data.chits[chit]
    tags = tuple(t for t in (kind.kind, use, kind.nation, kind.division) if t)
    return Option(f"add {chit}{words}", f"{kind.name}{words}", tuple(dict.fromkeys(tags)), {"chit": chit, "use": use})


def _guns(state: State, battle: Battle, side: str, have: Forces) -> list[Option]:
    """6.31 Artillery assets."""
    if have.sea_and_air:
        return []
    return [
        _add(state, c.id, ARTILLERY) for c in board.available(state, side, "artillery")
        if artillery_fits(state, battle, side, have, c.id)
    ]


def artillery_fits(state: State, battle: Battle, side: str, have: Forces, chit: str) -> bool:
    """6.22, 6.23, 6.31 Up to two (Attacker) or one (Defender) of the one Higher Echelon; of several, the Attacker
    one from each, the Defender one in all.

    RULING: a strategic asset (16.2, naval support) goes for any Higher Echelon that has none yet.
    """
    firing = [c.id for c in board.assets_in(state, battle.area, side, ARTILLERY, SHOCK)]
    own = [state.data.chits[c].army for c in [*firing, chit]]
    if own[-1] not in ("", *have.armies):
        return False
    if len(have.armies) < 2:
        return len(own) <= MOST_ARTILLERY[have.role]
    most = len(have.armies) if have.role == "attack" else 1
    return len(own) <= most and all(own.count(a) <= 1 for a in have.armies)


def _fighters(state: State, battle: Battle, side: str, have: Forces) -> list[Option]:
    """6.32 Battle assets, engineers among them (4.3): of the one Higher Echelon; 4.35, 17.22 not for assets alone."""
    if have.artillery_only or have.sea_and_air or len(have.armies) != 1:
        return []
    return [
        _add(state, c.id, BATTLE) for c in board.available(state, side, "battle", "engineer")
        if board.serves(state.data, c.id, have.armies[0]) and italian_fits(state, battle, side, c.id)
    ]


def italian_fits(state: State, battle: Battle, side: str, chit: str) -> bool:
    """16.11 No more than one Italian battle asset in a battle."""
    chits = state.data.chits
    there = [c for c in board.assets_in(state, battle.area, side, BATTLE) if chits[c.id].nation == "it"]
    return chits[chit].nation != "it" or len(there) < ITALIAN_LIMIT


def _ships(state: State, battle: Battle, side: str, have: Forces) -> list[Option]:
    """16.21 Naval support: in coastal areas only, within the limits of artillery, as artillery or for shock."""
    if not state.data.areas[battle.area].coastal or have.artillery_only:
        return []
    ships = [c.id for c in board.available(state, side, "naval") if artillery_fits(state, battle, side, have, c.id)]
    works = battle.attacks(side) and b.in_works(state, battle, battle.defender)
    uses = (SHOCK, ARTILLERY) if works and not board.assets_in(state, battle.area, side, SHOCK) else (ARTILLERY,)
    return [_add(state, c, use, f" as {use}") for use in uses for c in ships]


def _planes(state: State, battle: Battle, side: str, have: Forces) -> list[Option]:
    """16.32 One air support asset per side and battle, whatever the supply (16.3).

    RULING: 4.35 lets one artillery asset help a defended roadblock and nothing else, so no ground support
    there; air combat against the enemy's stays possible.  Air support is strategic and serves mixed armies.
    """
    if battle.air_spent.count(side) >= _most_planes(state, battle, side) or have.artillery_only:
        return []
    return [_add(state, c.id, AIR) for c in air.ready(state, side)]


def _most_planes(state: State, battle: Battle, side: str) -> int:
    """16.32 One.  RULING: switch ``flank_air``, since example 15 lets a flank invasion have two; the rule prevails."""
    return int(state.data.switches.get("flank_air", 1)) if battle.flank and battle.attacks(side) else 1


# -- 16.32 ------------------------------------------------------------------------------------------


def air_role(ctx: Ctx, battle: Battle, side: str) -> Flow:
    """16.32 Before the artillery dice fall, ground support becomes artillery or the support of one piece."""
    for chit in [c.id for c in board.assets_in(ctx.state, battle.area, side, AIR)]:
        [answer] = yield [_role_ask(ctx, battle, side, chit, True)]
        if answer.key == "artillery":
            ctx.emit(e.ChitMoved(chit, "map", battle.area, ARTILLERY, "16.32"))
        else:
            battle.support[chit] = answer["piece"]


def air_target(ctx: Ctx, battle: Battle, side: str) -> Flow:
    """16.32 The support passes to another unit present if the one it was meant for is lost before it fires."""
    for chit in [c.id for c in board.assets_in(ctx.state, battle.area, side, AIR)]:
        left = b.pieces(ctx.state, battle, side)
        if left and battle.support[chit] not in left:
            [answer] = yield [_role_ask(ctx, battle, side, chit, False)]
            battle.support[chit] = answer["piece"]


def _role_ask(ctx: Ctx, battle: Battle, side: str, chit: str, guns: bool) -> Ask:
    """Default: artillery, which needs no unit to live; later the strongest piece."""
    state = ctx.state
    blocks = b.units(state, battle, side)
    helped = [u.id for u in blocks] or b.battle_assets(state, battle, side)
    best = b.strongest(state, blocks) if blocks else (helped or [""])[0]

    def make() -> list[Option]:
        support = [
            Option(f"support {p}", f"+2 for {b.name(state.data, p)}", ("strongest", "support") if p == best else (), {"piece": p})
            for p in sorted(helped, key=lambda p: p != best)
        ]
        return [*([Option("artillery", "fire as artillery")] if guns else []), *support]

    prompt = f"what does {b.name(state.data, chit)} do?"
    return b.ask(ctx, battle, side, "air-role", "16.32", make, "artillery" if guns else f"support {best}", prompt, chit=chit)
