"""6.21 The Defender's Special Action decision: stand, reinforce (8.23) or retreat (8.24)."""

from __future__ import annotations

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import boundaries, costs, phases, special, withdrawal
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle, Segment
from pbem.games.fab_sicily.position.board import face_down
from pbem.games.fab_sicily.position.state import Block, State


def decide(ctx: Ctx, battle: Battle) -> Segment:
    """6.21 True if the Defender retreated by Special Action.

    He may reinforce as often as he has Special Actions and room.  RULING: having reinforced he may not
    retreat from the same battle any more: 6.21 offers the one *or* the other.
    """
    while True:
        [answer] = yield [_ask(ctx, battle)]
        if answer.key == "stand":
            return False
        if "block" not in answer.option.data:
            return (yield from _retreat(ctx, battle, answer["chit"]))
        _reinforce(ctx, battle, answer["block"], answer["chit"])


def _ask(ctx: Ctx, battle: Battle) -> Ask:
    def make() -> list[Option]:
        return [Option("stand", "stand and fight"), *_reinforcing(ctx.state, battle), *_retreating(ctx.state, battle)]

    return b.ask(
        ctx, battle, battle.defender, "before-battle", "6.21", make, "stand", "stand, reinforce or retreat by Special Action?",
        specials=len(special.usable(ctx.state, battle.defender)), reinforced=len(battle.reinforced),
    )


def affecting(state: State, side: str, blocks: list[Block]) -> list[str]:
    """8.1, 9.34d The Special Actions that may affect all these units: of their Higher Echelon, none unsupplied."""
    if not all(u.supplied for u in blocks):
        return []
    armies = board.armies(state, blocks)
    return [c.id for c in special.usable(state, side) if all(board.serves(state.data, c.id, a) for a in armies)]


# -- 8.23 -------------------------------------------------------------------------------------------


def _reinforcing(state: State, battle: Battle) -> list[Option]:
    """8.23 Not if only assets defend (4.35 too), nor beyond the stacking limit (5.1)."""
    side = battle.defender
    if why_no_reinforcement(state, battle):
        return []
    return [
        Option(f"reinforce with {u.id} using {chit}", _coming(state, u), ("reinforce",), {"block": u.id, "chit": chit})
        for area in board.neighbours(state, battle.area)
        for u in board.in_area(state, area, side) if not why_not_reinforce(state, battle, u.id)
        for chit in affecting(state, side, [u])
    ]


def why_no_reinforcement(state: State, battle: Battle) -> Refusal | None:
    """4.35, 5.1, 8.23 Why no unit at all may reinforce the battle, or None."""
    place = board.place_name(state.data, battle.area)
    if not b.units(state, battle, battle.defender):
        return Refusal(f"only assets defend {place}: no unit may reinforce them", "8.23")
    if board.room(state, battle.area, battle.defender) < 1:
        return Refusal(f"two units of yours stand at {place} already: there is no room for a third", "5.1")
    return None


def why_not_reinforce(state: State, battle: Battle, block: str) -> Refusal | None:
    """8.23, 9.34d, 14.4 Why this unit may not reinforce the battle, or None."""
    unit, name = state.blocks[block], board.unit_name(state.data, block)
    place = board.place_name(state.data, battle.area)
    if unit.area not in board.neighbours(state, battle.area):
        return Refusal(f"{name} is not in an area adjacent to {place}", "8.23")
    if board.contested(state, unit.area):
        return Refusal(f"{name} is in a contested area and may not leave it to reinforce {place}", "8.23")
    if not board.good_order(unit):
        return Refusal(f"{name} is not in good order and may not reinforce {place}: rally it first", "8.23")
    if not unit.supplied:
        return Refusal(f"{name} is unsupplied, and no Special Action may affect it: open a supply path first", "9.34d")
    if not may_enter(state, block, battle.area):
        return Refusal(f"{name} may not enter {place}: an army boundary or the mountains bar its way", "8.23")
    return None


def _coming(state: State, unit: Block) -> str:
    return f"bring {board.unit_name(state.data, unit.id)} in from {board.place_name(state.data, unit.area)}"


def may_enter(state: State, block: str, area: str) -> bool:
    """5.33 Whether the adjacent area is not prohibited to the unit (14.1 mountains, 14.41 and 14.43 boundaries)."""
    border = state.data.border(state.blocks[block].area, area)
    if boundaries.astray(state, block) or not boundaries.may_operate(state, block, area):
        return False
    ground = costs.survey(state, board.side_of(state, block))
    return not (border.restricted and board.is_armor(state, block)) or costs.etna_road(ground, border, area)


def _reinforce(ctx: Ctx, battle: Battle, block: str, chit: str) -> None:
    """8.23 The unit joins the battle; it may not be the point unit (6.24).

    5.22 It is face-up at once where the others already are; a face-down garrison never before 6.24 (15.3b).
    """
    state = ctx.state
    origin = state.blocks[block].area
    open_ = b.face_up(state, battle.area)
    special.spend(ctx, chit, "8.23")
    ctx.emit(e.Moved(block, (origin, battle.area), "reinforce", 0, "8.23"))
    battle.units[battle.defender].append(block)
    battle.reinforced.append(block)
    if open_ and not face_down(state, block):
        ctx.emit(e.Shown(block, True, "5.22"))
    phases.settle(ctx, origin, battle.area)


# -- 8.24 -------------------------------------------------------------------------------------------


def _retreating(state: State, battle: Battle) -> list[Option]:
    """8.24 All units go, if all can (6.6); 4.35 an asset cannot."""
    if battle.reinforced or not withdrawal.possible(state, battle):
        return []
    return [
        Option(f"retreat using {chit}", "retreat all units, in order, before the fight", ("retreat",), {"chit": chit})
        for chit in affecting(state, battle.defender, b.units(state, battle, battle.defender))
    ]


def _retreat(ctx: Ctx, battle: Battle, chit: str) -> Segment:
    """8.24 The units retreat and are not disordered.  RULING: if one had to stay after all, the round goes on."""
    special.spend(ctx, chit, "8.24")
    ctx.emit(e.RetreatedBefore(battle.area))
    yield from withdrawal.withdraw(ctx, battle, disorder=False, rule="8.24")
    return not board.in_area(ctx.state, battle.area, battle.defender)
