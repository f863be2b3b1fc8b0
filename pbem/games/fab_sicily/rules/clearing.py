"""6.33, 16.21 to 16.23 Removing the Defender's field works in battle."""

from __future__ import annotations

from pbem.core.asks import Ask, Option
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.rules import battle as b
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.battle import SHOCK, Battle, Flow
from pbem.games.fab_sicily.position.state import State


def shock(ctx: Ctx, battle: Battle) -> None:
    """16.21 Naval shock removes the field works as the first act of the battle."""
    if board.assets_in(ctx.state, battle.area, battle.attacker, SHOCK):
        _remove(ctx, battle, "16.21")


def clear(ctx: Ctx, battle: Battle) -> Flow:
    """6.33, 16.22, 16.23 Engineers, Rangers and Commandos that got through may clear the works instead of firing."""
    for chit in b.battle_assets(ctx.state, battle, battle.attacker):
        if b.in_works(ctx.state, battle, battle.defender) and clears(ctx.state, chit):
            [answer] = yield [_ask(ctx, battle, chit)]
            if answer.key == "clear":
                battle.cleared.append(chit)
                _remove(ctx, battle, rule(ctx.state, chit))


def clears(state: State, chit: str) -> bool:
    """Whether an asset can clear field works."""
    return state.data.chits[chit].kind == "engineer" or state.data.chits[chit].clears


def rule(state: State, chit: str) -> str:
    """The rule that lets the asset do it."""
    kind = state.data.chits[chit]
    if kind.kind == "engineer":
        return "6.33"
    return "16.23" if kind.nation == "uk" else "16.22"


def _ask(ctx: Ctx, battle: Battle, chit: str) -> Ask:
    """Default: clear, which helps all that fire after it."""

    def make() -> list[Option]:
        return [Option("clear", "remove the field works instead of firing"), Option("fire", "fire as a battle asset")]

    prompt = f"what does {b.name(ctx.state.data, chit)} do about the field works?"
    return b.ask(ctx, battle, battle.attacker, "clear-works", rule(ctx.state, chit), make, "clear", prompt, where=chit, chit=chit)


def _remove(ctx: Ctx, battle: Battle, by: str) -> None:
    if b.in_works(ctx.state, battle, battle.defender):
        ctx.emit(e.Works(battle.area, battle.defender, False, by))
