"""Chits between the boxes and the cups: 4.1a, 4.1b, 4.1d, 4.2a, 4.21, 16.21 and 16.5."""

from __future__ import annotations

from collections.abc import Generator
from itertools import combinations

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import conquests, phases, special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.rules.conquests import MESSINA_PORT
from pbem.games.fab_sicily.position.data import ALLIED, RESERVED, SIDES
from pbem.games.fab_sicily.position.state import State

# -- 4.1: the Reinforcement Phase ---------------------------------------------------------------------


def recover(ctx: Ctx) -> Generator[list[Ask], list[Answer], None]:
    """4.1a Who has not used his reusable Special Action last turn may take an asset back from the Used Box."""
    for side in SIDES:
        kept = _kept(ctx.state, side)
        if kept or side in ctx.state.special_left:
            ctx.emit(e.SpecialKept(side, kept))
    asking = [s for s in ctx.state.special_left if _used(ctx.state, s)]
    if not asking:
        return
    answers = yield [_recover_ask(ctx, side) for side in asking]
    for answer in answers:
        if answer.key != "none":
            ctx.emit(e.ChitMoved(answer["chit"], "available", "", "", "4.1a"))


def _kept(state: State, side: str) -> bool:
    return state.turn > 1 and bool(board.available(state, side, "special"))


def _used(state: State, side: str) -> list[str]:
    return [c.id for c in board.in_box(state, side, "used") if state.data.chits[c.id].kind != "special"]


def _recover_ask(ctx: Ctx, side: str) -> Ask:
    state = ctx.state

    def make() -> list[Option]:
        assets = [Option(f"recover {c}", f"take back {state.data.chits[c].name}", (), {"chit": c}) for c in _used(state, side)]
        return [*assets, Option("none", "take nothing back")]

    best = min(_used(state, side), key=lambda chit: _worth(state, chit))
    return Ask(
        side, "recover", "4.1a", phases.scope(ctx), make, f"recover {best}" if state.data.mended else "none",
        prompt="Your Special Action was left over: take one asset from the Used Box to the Available Box?",
        facts={"used": len(_used(state, side))},
    )


WORTH = ("naval", "air", "artillery", "battle", "engineer", "staff")
"""What is taken back first by default: ships, of which 16.21 sends one home for good, then what decides battles."""


def _worth(state: State, chit: str) -> tuple[int, int]:
    kind = state.data.chits[chit]
    return (WORTH.index(kind.kind) if kind.kind in WORTH else len(WORTH), -kind.quality)


def return_specials(ctx: Ctx) -> None:
    """4.1a, 8.1 The reusable Special Actions go back to the Available Boxes."""
    for side in SIDES:
        for chit in board.in_box(ctx.state, side, "used"):
            if ctx.state.data.chits[chit.id].kind == "special":
                ctx.emit(e.ChitMoved(chit.id, "available", "", "", "8.1"))


def withdraw_ships(ctx: Ctx) -> None:
    """16.21 Support reduction: one naval support asset in the Used Box goes home for good."""
    ships = [c for c in board.in_box(ctx.state, ALLIED, "used") if ctx.state.data.chits[c.id].kind == "naval"]
    if ships:
        ctx.emit(e.ChitMoved(ships[0].id, "eliminated", "", "", "16.21"))


def refill(ctx: Ctx) -> None:
    """4.1b All assets that remain in the Used Boxes go to the cups."""
    for side in SIDES:
        for chit in board.in_box(ctx.state, side, "used"):
            ctx.emit(e.ChitMoved(chit.id, "cup", "", "", "4.1b"))


def arrive(ctx: Ctx, turn: int, rule: str) -> None:
    """4.1d, 22.14 The chits of a turn (and of turns before) go where the scenario puts them: the cup or the Available Box."""
    for chit in list(ctx.state.chits.values()):
        kind = ctx.state.data.chits[chit.id]
        if chit.box == RESERVED and kind.turn <= turn:
            ctx.emit(e.ChitMoved(chit.id, kind.box, "", "", rule))


# -- 4.2a: the draw -----------------------------------------------------------------------------------


def draw(ctx: Ctx, side: str) -> None:
    """4.2a Draw as many chits as the Turn Track says; 17.32 delays are out at once, and count; 16.4 so is the air
    support that a captured airfield costs the Axis."""
    cup = [c.id for c in board.in_box(ctx.state, side, "cup")]
    drawn = ctx.draw(cup, draws(ctx.state, side), purpose="chit drawn from the cup", rule="4.2a", side=side)
    if drawn:
        ctx.emit(e.Drawn(side, tuple(drawn)))
    for chit in drawn:
        if ctx.state.data.chits[chit].kind == "delay":
            ctx.emit(e.ChitMoved(chit, "eliminated", "", "", "17.32"))
        elif conquests.grounds(ctx.state, chit):
            ctx.emit(e.ChitMoved(chit, "table", "", conquests.GROUNDED, "16.4"))


def draws(state: State, side: str) -> int:
    """4.2a, 16.5 How many chits ``side`` draws in the Admin Phase of this player turn."""
    first, second = state.data.draws[side][str(state.turn)]
    printed = first if state.player == ALLIED else second
    return printed + (len(open_ports(state)) if side == ALLIED else 0)


def open_ports(state: State) -> list[str]:
    """16.5 The undamaged ports that the Allies control and occupy with a unit.

    RULING: in the introductory scenario too; 22.16 takes from 16.5 only what it does to Italian morale.
    """
    return [
        port for port, area in state.data.ports.items()
        if port != MESSINA_PORT and not state.port_damage.get(port) and board.controls(state, ALLIED, area)
        and board.in_area(state, area, ALLIED)
    ]


# -- 4.21: alternate event use ------------------------------------------------------------------------


def why_not_recycle(state: State, side: str, assets: list[str], event: str) -> Refusal | None:
    """4.21 Why ``event`` may not put these two assets back into the cup, or None."""
    lost = _lost(state, side)
    if len(set(assets)) != 2:
        return Refusal("an event puts two different assets back into the cup: name two", "4.21")
    for asset in assets:
        if asset not in lost:
            return Refusal(f"{asset} is not an asset in your Eliminated Box (events never come back)", "4.21")
    return None if event in _events(state, side) else Refusal(f"{event} is not an event in your Available Box", "4.21")


def _lost(state: State, side: str) -> list[str]:
    return [c.id for c in board.in_box(state, side, "eliminated") if not state.data.chits[c.id].event]


def _events(state: State, side: str) -> list[str]:
    return [
        c.id for c in board.available(state, side)
        if state.data.chits[c.id].event and (not special.hampered(state, c.id) or special.partner(state, c.id))
    ]


def recycle_options(state: State, side: str) -> list[Option]:
    """4.21 `recycle A B with EVENT`, for every pair of eliminated assets."""
    return [
        Option(f"recycle {a} {b} with {event}", f"{a} and {b} go back into the cup", ("recycle",),
               {"do": "recycle", "assets": [a, b], "chit": event})
        for event in _events(state, side) for a, b in combinations(_lost(state, side), 2)
    ]


def recycle(ctx: Ctx, assets: list[str], event: str) -> None:
    """4.21 Two eliminated assets go back into the cup; 4.22 the event is used up."""
    for asset in assets:
        ctx.emit(e.ChitMoved(asset, "cup", "", "", "4.21"))
    special.spend(ctx, event, "4.21")
