"""6.2 One combat round: who takes part, and what has become of them so far.

A *piece* is a unit (block id) or an asset (chit id).  Assets that fire and can be lost like units are
called battle assets here: those committed as such (6.32), a defended roadblock (4.35), a flank invasion
(17.22).  Artillery, naval and air support are none (6.31, 16.21, 16.32).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import phases
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.board import face_down
from pbem.games.fab_sicily.position.data import ARMOR, GREEN, Data, other
from pbem.games.fab_sicily.position.state import DISORDERED, Block, State

Flow = Generator[Sequence[Ask], list[Answer], None]
"""A part of a combat round that may ask."""

Segment = Generator[Sequence[Ask], list[Answer], bool]
"""A part after which the round may be over: then it returns True."""

ARTILLERY, BATTLE, AIR, SHOCK = "artillery", "battle", "air", "shock"
"""What an asset does in a battle; an air mission that was made artillery becomes ARTILLERY (16.32)."""

COMMITTED = (ARTILLERY, BATTLE, AIR, SHOCK)

UNKNOWN_STEPS = 1
"""What an asset has, and what a face-down garrison is counted as by its owner, who does not know it either (15.3)."""


@dataclass
class Battle:
    """One combat round.

    ``units``: both sides' rosters, the lost and the retreated included; ``points``: point unit of each
    side; ``reinforced``: blocks that came by 8.23; ``hit``: units that suffered a step-loss in this
    round (6.43); ``support``: which piece an air asset helps; ``air_spent``: sides that have used
    their one air asset (16.32); ``cleared``: assets that removed field works instead of firing (6.33);
    ``unapplied``: hits that found no defender left; ``opportunity``: an exploitation opportunity arose (6.8).
    """

    area: str
    attacker: str
    defender: str
    breakthrough: bool
    newly: bool
    flank: str
    assault: str
    units: dict[str, list[str]]
    points: dict[str, str] = field(default_factory=dict)
    reinforced: list[str] = field(default_factory=list)
    hit: list[str] = field(default_factory=list)
    support: dict[str, str] = field(default_factory=dict)
    air_spent: list[str] = field(default_factory=list)
    cleared: list[str] = field(default_factory=list)
    unapplied: int = 0
    opportunity: bool = False

    def foe(self, side: str) -> str:
        """The other side."""
        return self.defender if side == self.attacker else self.attacker

    def attacks(self, side: str) -> bool:
        """Whether ``side`` is the Attacker."""
        return side == self.attacker


def begin(ctx: Ctx, area: str, breakthrough: bool, flank: str) -> Battle:
    """6.2 Open the round: the Phasing Player attacks, or whoever lands a flank invasion (17.22)."""
    state = ctx.state
    attacker = state.data.chits[flank].side if flank else state.player
    defender = other(attacker)
    newly = bool(flank) or board.newly_contested(state, area)
    ctx.emit(e.BattleBegan(area, attacker, breakthrough, newly))
    return Battle(
        area, attacker, defender, breakthrough, newly, flank, "beach" if flank else state.assaults.get(area, ""),
        {attacker: [b.id for b in able(state, area, attacker)], defender: [b.id for b in board.in_area(state, area, defender)]},
    )


def reopened(state: State, ask: Ask) -> Battle:
    """The battle that a question is about, as far as the map shows it (for the words of refusals)."""
    attacker = ask.side if ask.facts.get("battle") == "attack" else other(ask.side)
    landed = [c.id for c in board.assets_in(state, ask.where, attacker, "flank")] if state.phase.endswith("admin") else []
    rosters = {
        attacker: [u.id for u in able(state, ask.where, attacker)],
        other(attacker): [u.id for u in board.in_area(state, ask.where, other(attacker))],
    }
    assault = state.assaults.get(ask.where, "")
    return Battle(ask.where, attacker, other(attacker), False, False, "".join(landed), assault, rosters)


def able(state: State, area: str, side: str) -> list[Block]:
    """9.33d The units that may attack: neither disordered nor recovering."""
    return [b for b in board.in_area(state, area, side) if board.good_order(b)]


# -- who is left ------------------------------------------------------------------------------------


def units(state: State, battle: Battle, side: str) -> list[Block]:
    """6.2 The units of ``side`` that still take part; the Attacker's only while in good order."""
    blocks = [state.blocks[u] for u in battle.units[side]]
    return [b for b in blocks if board.in_play(b) and (not battle.attacks(side) or board.good_order(b))]


def battle_assets(state: State, battle: Battle, side: str) -> list[str]:
    """6.32 The battle assets of ``side`` still there; a flank invasion never joins an attack but its own (17.22)."""
    committed = [c.id for c in board.assets_in(state, battle.area, side, BATTLE)]
    holding = [c.id for c in board.holders(state, battle.area, side)]
    return [c for c in holding if not battle.attacks(side) or c == battle.flank] + committed


def pieces(state: State, battle: Battle, side: str) -> list[str]:
    """The units and battle assets of ``side`` that are left."""
    return [b.id for b in units(state, battle, side)] + battle_assets(state, battle, side)


def steps(state: State, piece: str) -> int:
    """2.3 Steps of a piece as its owner knows them; an asset has one."""
    if piece not in state.blocks or face_down(state, piece):
        return UNKNOWN_STEPS
    return state.blocks[piece].steps


def quality(state: State, piece: str) -> int:
    """2.3 Current troop quality of a piece; battle assets have their own (6.32)."""
    return board.quality(state, piece) if piece in state.blocks else state.data.chits[piece].quality


def is_armor(state: State, piece: str) -> bool:
    """13.3 Armor class."""
    kind: Any = state.data.blocks.get(piece) or state.data.chits[piece]
    return bool(kind.cls == ARMOR)


def in_works(state: State, battle: Battle, side: str) -> bool:
    """5.23 Whether the pieces of ``side`` there have field works."""
    return state.works.get(battle.area) == side


def name(data: Data, piece: str) -> str:
    """'Napoli (NAP-1)'."""
    kind: Any = data.blocks.get(piece) or data.chits[piece]
    return f"{kind.name} ({piece})"


def face_up(state: State, area: str) -> bool:
    """5.22 Whether the units there lie open from an earlier round."""
    return any(u.shown for u in board.in_area(state, area))


def strongest(state: State, blocks: Sequence[Block]) -> str:
    """The block with most steps, of equals the better, then the first."""
    return max(blocks, key=lambda b: (steps(state, b.id), _known_quality(state, b))).id


def _known_quality(state: State, block: Block) -> int:
    return GREEN if face_down(state, block.id) else board.quality(state, block.id)


# -- what befalls them ------------------------------------------------------------------------------


def disorder(ctx: Ctx, block: str, rule: str) -> None:
    """6.5 A unit becomes disordered (also a recovering one); if it is already, nothing more happens."""
    if ctx.state.blocks[block].status != DISORDERED:
        ctx.emit(e.StatusSet(block, DISORDERED, rule))


# -- asking -----------------------------------------------------------------------------------------


def ask(
    ctx: Ctx, battle: Battle, side: str, kind: str, rule: str, make: Callable[[], Sequence[Option]], default: str, prompt: str,
    where: str = "", **facts: Any,
) -> Ask:
    """A question of this battle, with the facts that both sides may know and the side's own steps."""
    state = ctx.state
    own = [b.id for b in units(state, battle, side)]
    known = {
        "area": battle.area, "battle": "attack" if battle.attacks(side) else "defence", "units": len(own),
        "steps": sum(steps(state, u) for u in own), "assets": len(battle_assets(state, battle, side)),
        "enemies": len(board.in_area(state, battle.area, battle.foe(side))), "assault": battle.assault or "none",
        "works": state.works.get(battle.area, "none"),
    }
    place = board.place_name(state.data, battle.area)
    said = f"Battle at {place}: {prompt}"
    return Ask(side, kind, rule, phases.scope(ctx), make, default, said, where or battle.area, {**known, **facts})
