"""6.22, 6.23 Assets are assigned, Attacker first; 16.1 to 16.3 what the assets of this game may do.

No event of this title can be assigned to a battle (17.0), so the limit of one event never matters;
Special Actions do not count as events (8.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import air, supply_path
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import AIR, ARTILLERY, BATTLE, SHOCK, Battle, Flow
from pbem.games.fab_sicily.position.state import State

MOST_ASSETS = {"attack": 8, "defence": 5}
"""6.22, 6.23 as amended by the errata."""

MOST_ARTILLERY = {"attack": 2, "defence": 1}
"""6.31 For units of one Higher Echelon."""

ARMIES = {"7": "US 7th Army", "8": "British 8th Army", "6": "Axis"}
"""13.2 The Higher Echelons."""

ITALIAN_LIMIT = 1
"""16.11 Italian battle assets in any one battle."""


USES = {"artillery": (ARTILLERY,), "battle": (BATTLE,), "engineer": (BATTLE,), "naval": (SHOCK, ARTILLERY), "air": (AIR,)}
"""What each kind of asset can do in a battle (4.3, 6.31, 6.32, 16.21, 16.32)."""


@dataclass(frozen=True)
class Forces:
    """What a side's forces in the battle allow it to commit.

    ``armies``: their Higher Echelons; ``cut_off``: who lacks supply, in words ('' if nobody: 6.22, 6.23, 9.34a);
    ``artillery_only``: 4.35 a defended roadblock alone; ``sea_and_air``: 17.22 a flank invasion.
    """

    role: str
    armies: list[str]
    cut_off: str
    artillery_only: bool
    sea_and_air: bool

    @property
    def rule(self) -> str:
        """The rule of the side's assignment."""
        return "6.22" if self.role == "attack" else "6.23"


def forces(state: State, battle: Battle, side: str) -> Forces:
    """The forces of ``side`` as 6.22 and 6.23 look at them."""
    blocks = b.units(state, battle, side)
    holding = [state.data.chits[c.id] for c in board.holders(state, battle.area, side)]
    landed = any(c.flank for c in holding)
    armies = board.armies(state, blocks) if blocks else sorted({c.army for c in holding if c.army})
    return Forces(
        "attack" if battle.attacks(side) else "defence", armies, "" if landed else _cut_off(state, battle, side),
        bool(not blocks and holding and not landed), landed,
    )


def _cut_off(state: State, battle: Battle, side: str) -> str:
    """6.22, 6.23 Who is not in supply since the Supply Phase, or traces no supply path now (9.31); '' if all are and do.

    RULING: 6.23 asks the Defender for the path only, but 9.34a lets no unit marked unsupplied have assets,
    so the marker counts for both sides.  One unsupplied unit bars the assets of all: they help the battle.
    """
    blocks = b.units(state, battle, side)
    if not blocks:
        place = board.place_name(state.data, battle.area)
        return "" if supply_path.traces(state, side, battle.area) else f"{place} traces no supply path now"
    for unit in blocks:
        if not unit.supplied:
            return f"{board.unit_name(state.data, unit.id)} is marked unsupplied"
        if not supply_path.unit_traces(state, unit.id):
            return f"{board.unit_name(state.data, unit.id)} traces no supply path now"
    return ""


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
    return [
        _add(state, c.id, use, f" as {use}" if kinds == ("naval",) else "")
        for kinds in (("artillery",), ("battle", "engineer"), ("naval",), ("air",))
        for use in USES[kinds[0]]
        for c in board.available(state, side, *kinds) if not why_not(state, battle, side, have, c.id, use)
    ]


def _committed(state: State, battle: Battle, side: str) -> list[str]:
    return [c.id for c in board.assets_in(state, battle.area, side, *b.COMMITTED)]


def _add(state: State, chit: str, use: str, words: str) -> Option:
    kind = state.data.chits[chit]
    tags = tuple(t for t in (kind.kind, use, kind.nation, kind.division) if t)
    return Option(f"add {chit}{words}", f"{kind.name}{words}", tuple(dict.fromkeys(tags)), {"chit": chit, "use": use})


def why_not(state: State, battle: Battle, side: str, have: Forces, chit: str, use: str) -> Refusal | None:
    """6.22, 6.23 Why an asset of the Available Box may not be added to the battle for ``use``, or None."""
    most = MOST_ASSETS[have.role]
    if len(_committed(state, battle, side)) >= most:
        return Refusal(f"{most} assets take part already, and no more may: leave another one out", have.rule)
    if use == AIR:
        return _why_no_plane(state, battle, side, have)
    if have.cut_off:
        return Refusal(f"{have.cut_off}, so no assets but aircraft may help: open a supply path first", have.rule)
    if use == BATTLE:
        return _why_no_fighter(state, battle, side, have, chit)
    if state.data.chits[chit].kind == "naval":
        return _why_no_ship(state, battle, side, have, use) or why_no_guns(state, battle, side, have, chit)
    if have.sea_and_air:
        return Refusal("only aircraft and naval support may help a flank invasion", "17.22")
    return why_no_guns(state, battle, side, have, chit)


def why_no_guns(state: State, battle: Battle, side: str, have: Forces, chit: str) -> Refusal | None:
    """6.22, 6.23, 6.31 Up to two (Attacker) or one (Defender) of the one Higher Echelon; of several, the Attacker
    one from each, the Defender one in all.

    RULING: a strategic asset (16.2, naval support) goes for any Higher Echelon that has none yet.
    """
    firing = [c.id for c in board.assets_in(state, battle.area, side, ARTILLERY, SHOCK)]
    own = [state.data.chits[c].army for c in [*firing, chit]]
    if own[-1] not in ("", *have.armies):
        return _stranger(state, have, chit)
    mixed = len(have.armies) > 1 and have.role == "attack"
    most = len(have.armies) if mixed else MOST_ARTILLERY[have.role]
    if len(own) > most:
        return Refusal(f"at most {most} may fire as artillery here, ships included: leave another one out", "6.31")
    if mixed and any(own.count(a) > 1 for a in have.armies):
        return Refusal("units of two armies attack, so each army gives one artillery asset at most", "6.22")
    return None


def _stranger(state: State, have: Forces, chit: str) -> Refusal:
    """14.31, 16.2 The asset is of a Higher Echelon that has no unit in the battle."""
    army = ARMIES[state.data.chits[chit].army]
    return Refusal(f"{b.name(state.data, chit)} serves the {army} only, and no unit of it takes part", have.rule)


def _why_no_fighter(state: State, battle: Battle, side: str, have: Forces, chit: str) -> Refusal | None:
    """6.32 Battle assets, engineers among them (4.3): of the one Higher Echelon; 4.35, 17.22 not for assets alone."""
    if have.artillery_only:
        return Refusal("a defended roadblock can be helped by one artillery asset only", "4.35")
    if have.sea_and_air:
        return Refusal("only aircraft and naval support may help a flank invasion", "17.22")
    if len(have.armies) != 1:
        return Refusal("units of two armies take part, so only artillery can be assigned: no battle assets", have.rule)
    if not board.serves(state.data, chit, have.armies[0]):
        return _stranger(state, have, chit)
    if not italian_fits(state, battle, side, chit):
        return Refusal("one Italian battle asset takes part already, and no more may: take a German one", "16.11")
    return None


def italian_fits(state: State, battle: Battle, side: str, chit: str) -> bool:
    """16.11 No more than one Italian battle asset in a battle."""
    chits = state.data.chits
    there = [c for c in board.assets_in(state, battle.area, side, BATTLE) if chits[c.id].nation == "it"]
    return chits[chit].nation != "it" or len(there) < ITALIAN_LIMIT


def _why_no_ship(state: State, battle: Battle, side: str, have: Forces, use: str) -> Refusal | None:
    """16.21 Naval support: in coastal areas only, within the limits of artillery, as artillery or for shock."""
    place = board.place_name(state.data, battle.area)
    if have.artillery_only:
        return Refusal("a defended roadblock can be helped by one artillery asset of its army only", "4.35")
    if not state.data.areas[battle.area].coastal:
        return Refusal(f"{place} is not on the coast: ships cannot reach it", "16.21")
    if use != SHOCK:
        return None
    if not battle.attacks(side) or not b.in_works(state, battle, battle.defender):
        return Refusal(f"there are no enemy field works at {place} to be shelled: add the ships as artillery", "16.21")
    if board.assets_in(state, battle.area, side, SHOCK):
        return Refusal("ships shell the field works already: add these as artillery", "16.21")
    return None


def _why_no_plane(state: State, battle: Battle, side: str, have: Forces) -> Refusal | None:
    """16.32 One air support asset per side and battle, whatever the supply (16.3).

    RULING: 4.35 lets one artillery asset help a defended roadblock and nothing else, so no ground support
    there; air combat against the enemy's stays possible.  Air support is strategic and serves mixed armies.
    """
    if have.artillery_only:
        return Refusal("a defended roadblock can be helped by one artillery asset only", "4.35")
    if battle.air_spent.count(side) >= _most_planes(state, battle, side):
        return Refusal("you have used your air support of this battle, for the mission or in air combat: one a battle", "16.32")
    return None


def _most_planes(state: State, battle: Battle, side: str) -> int:
    """16.32 One.  RULING: switch ``flank_air``, since example 15 lets a flank invasion have two; the rule prevails."""
    return int(state.data.switches.get("flank_air", 1)) if battle.flank and battle.attacks(side) else 1


def refusal(state: State, ask: Ask, chit: str, use: str) -> Refusal | None:
    """Why `add CHIT [as USE]` is not among the options of ``ask``, or None.

    Of aircraft the position on the map does not tell whether they have flown; if nothing else is in the way,
    they have.
    """
    side, kind = ask.side, state.data.chits[chit]
    uses = USES.get(kind.kind, ())
    if kind.side != side or not uses:
        return Refusal(f"{b.name(state.data, chit)} is no asset of yours that can be assigned to a battle", ask.rule)
    if state.chits[chit].box != "available":
        return Refusal(f"{b.name(state.data, chit)} is not in your Available Box", ask.rule)
    if use and use not in uses:
        return Refusal(f"{b.name(state.data, chit)} cannot be used as {use}", ask.rule)
    battle = b.reopened(state, ask)
    if AIR in uses:
        battle.air_spent = [side] * _most_planes(state, battle, side)
    have = forces(state, battle, side)
    return why_not(state, battle, side, have, chit, use or uses[-1])


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
