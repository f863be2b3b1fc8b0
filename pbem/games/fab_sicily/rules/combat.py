"""6.0 Combat: which battle is fought next, and the Combat Round itself (6.2)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.core.asks import Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.rules import before_battle as before
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import (
    artillery_losses, clearing, committing, exploitation, fire, garrison, hits, phases, points, special, stacking,
)
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import Battle, Flow, Segment
from pbem.games.fab_sicily.position.state import State

# -- the two Combat Phases --------------------------------------------------------------------------


def combat(ctx: Ctx) -> Flow:
    """3.24, 6.0 The Combat Phase: newly contested areas must be fought for, contested ones may."""
    phases.begin(ctx)
    yield from battles(ctx, mandatory, _optional)
    yield from stacking.end_of_phase(ctx)


def breakthrough_combat(ctx: Ctx) -> Flow:
    """3.27, 7.4 The Breakthrough Combat Phase: optional combats cost a Special Action (7.42)."""
    phases.begin(ctx)
    yield from battles(ctx, mandatory, _reengaging, breakthrough=True)
    yield from stacking.end_of_phase(ctx)


Choices = Callable[[State], list[Option]]


def battles(ctx: Ctx, must: Callable[[State], list[str]], may: Choices, *, breakthrough: bool = False) -> Flow:
    """6.0 Combats in the order that the Phasing Player chooses, until none is left or he has done."""
    while must(ctx.state) or may(ctx.state):
        [answer] = yield [_next(ctx, must, may)]
        if answer.key == "done":
            return
        if "chit" in answer.option.data:
            special.spend(ctx, answer["chit"], "8.22")
        yield from fight_round(ctx, answer["area"], breakthrough=breakthrough)


def _next(ctx: Ctx, must: Callable[[State], list[str]], may: Choices) -> Ask:
    """Default: the first mandatory combat, then no more."""
    state = ctx.state
    first = must(state)

    def make() -> list[Option]:
        needed = [_fight(state, area, ("mandatory",)) for area in first]
        return [*needed, *may(state), *([] if first else [Option("done", "no more combats")])]

    return Ask(
        state.player, "battle", "6.0", phases.scope(ctx), make, f"fight {first[0]}" if first else "done",
        "Which battle is fought next?", "", {"mandatory": len(first)},
    )


def _fight(state: State, area: str, tags: tuple[str, ...], chit: str = "") -> Option:
    words = f"fight {area} with {chit}" if chit else f"fight {area}"
    data = {"area": area, **({"chit": chit} if chit else {})}
    return Option(words, f"attack at {board.place_name(state.data, area)}", tags, data)


def _open(state: State) -> list[str]:
    """Contested areas without a round in this phase where the Phasing Player has somebody to attack with (9.33d)."""
    return [a for a in board.contested_areas(state) if a not in state.fought and b.able(state, a, state.player)]


def mandatory(state: State) -> list[str]:
    """6.0, 7.41 Newly contested areas; 4.35 a defended roadblock makes its area contested too.

    RULING: where all the newcomers are disordered nobody may attack (9.33d), so no round is fought; the
    area is contested, and its units stay hidden until a round is.
    """
    return [a for a in _open(state) if board.newly_contested(state, a)]


def _optional(state: State) -> list[Option]:
    """6.0 Areas that were contested before."""
    return [_fight(state, a, ("optional",)) for a in _open(state) if not board.newly_contested(state, a)]


def _reengaging(state: State) -> list[Option]:
    """7.42, 8.22 Contested areas, for a Special Action that may affect all attacking units (8.1, 9.34d)."""
    return [
        _fight(state, a, ("optional",), chit)
        for a in _open(state) if not board.newly_contested(state, a)
        for chit in before.affecting(state, state.player, b.able(state, a, state.player))
    ]


# -- 6.2 --------------------------------------------------------------------------------------------


def fight_round(ctx: Ctx, area: str, *, breakthrough: bool = False, flank: str = "") -> Flow:
    """6.2 The Combat Round.  ``flank``: the asset that attacks by flank invasion (17.22)."""
    battle = b.begin(ctx, area, breakthrough, flank)
    battle.opportunity = yield from before.decide(ctx, battle)      # 6.21
    if not battle.opportunity:
        yield from committing.assign(ctx, battle)                   # 6.22, 6.23
        yield from points.designate(ctx, battle)                    # 6.24
        points.reveal(ctx, battle)
        battle.opportunity = not b.pieces(ctx.state, battle, battle.defender)  # 17.21f
    if not battle.opportunity:
        yield from points.replace(ctx, battle, battle.defender)
        yield from _segments(ctx, battle)                           # 6.25 to 6.28
    if battle.opportunity:
        yield from exploitation.opportunity(ctx, battle)            # 6.8
    yield from _end(ctx, battle)                                    # 6.29


def _segments(ctx: Ctx, battle: Battle) -> Flow:
    """6.25 to 6.28 The four fire segments, until somebody is gone or the attack is aborted."""
    for segment in (_attacking_artillery, _defending_artillery, _defensive_fire, _offensive_fire):
        over = yield from segment(ctx, battle)
        if over:
            return


def _attacking_artillery(ctx: Ctx, battle: Battle) -> Segment:
    """6.25 Attacking artillery; before it naval shock (16.21)."""
    if not b.pieces(ctx.state, battle, battle.attacker):
        return True
    yield from points.replace(ctx, battle, battle.attacker)
    yield from committing.air_role(ctx, battle, battle.attacker)
    clearing.shock(ctx, battle)
    scored = fire.artillery(ctx, battle, battle.attacker)
    battle.unapplied = yield from hits.against_defender(ctx, battle, scored, hits.GUNS)
    battle.opportunity = not b.pieces(ctx.state, battle, battle.defender)
    yield from points.replace(ctx, battle, battle.defender)
    return False


def _defending_artillery(ctx: Ctx, battle: Battle) -> Segment:
    """6.26 Defending artillery; the last segment if 6.25 destroyed the Defender."""
    yield from committing.air_role(ctx, battle, battle.defender)
    scored = fire.artillery(ctx, battle, battle.defender)
    aborted = yield from hits.against_attacker(ctx, battle, scored)
    if aborted or battle.opportunity or not b.pieces(ctx.state, battle, battle.attacker):
        return True
    yield from points.replace(ctx, battle, battle.attacker)
    return False


def _defensive_fire(ctx: Ctx, battle: Battle) -> Segment:
    """6.27 Defensive ground fire."""
    yield from committing.air_target(ctx, battle, battle.defender)
    scored = fire.ground(ctx, battle, battle.defender)
    aborted = yield from hits.against_attacker(ctx, battle, scored)
    return aborted or not b.pieces(ctx.state, battle, battle.attacker)


def _offensive_fire(ctx: Ctx, battle: Battle) -> Segment:
    """6.28 Offensive ground fire; before it field works are cleared (6.33, 16.22)."""
    yield from clearing.clear(ctx, battle)
    yield from committing.air_target(ctx, battle, battle.attacker)
    scored = fire.ground(ctx, battle, battle.attacker)
    battle.unapplied = yield from hits.against_defender(ctx, battle, scored, hits.GROUND)
    battle.opportunity = battle.unapplied > 0
    return True


def _end(ctx: Ctx, battle: Battle) -> Flow:
    """6.29 End of the Combat Round: assets to the Used Boxes, faces turned away where the fight is over.

    5.1 Stacking is enforced at once, here and where units went.
    """
    state = ctx.state
    everybody = [*battle.units[battle.defender], *battle.units[battle.attacker]]
    artillery_losses.guns(ctx, battle)
    for chit in _spent(state, battle):
        ctx.emit(e.ChitMoved(chit, "used", "", "", "6.29"))
    garrison.prove(ctx, everybody)
    ctx.emit(e.BattleEnded(battle.area, _result(state, battle)))
    for place in dict.fromkeys([battle.area, *(state.blocks[u].area for u in everybody)]):
        if place in state.data.areas:
            phases.settle(ctx, place)
            yield from stacking.enforce(ctx, place)


def _spent(state: State, battle: Battle) -> list[str]:
    """6.29 The assets assigned; 6.42c also a defended roadblock whose units have retreated."""
    retreated = any(board.in_play(u) and u.area != battle.area for u in (state.blocks[x] for x in battle.units[battle.defender]))
    left_behind = board.holders(state, battle.area, battle.defender) if retreated else []
    return [c.id for c in [*board.assets_in(state, battle.area, "", *b.COMMITTED), *left_behind]]


def _result(state: State, battle: Battle) -> str:
    there = {side: board.forces(state, battle.area, side) for side in (battle.attacker, battle.defender)}
    if all(there.values()):
        return "contested"
    if not any(there.values()):
        return "empty"
    return "attacker-holds" if there[battle.attacker] else "defender-holds"
