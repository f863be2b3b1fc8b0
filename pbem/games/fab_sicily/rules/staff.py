"""8.3 Staff Functions (replacements found are in :mod:`.replacements`)."""

from __future__ import annotations

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import reserves, special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, ALLIED, ARMOR, AT_SEA, other
from pbem.games.fab_sicily.position.state import Block, State

ASSETS = ("artillery", "battle", "engineer")
"""14.63 What Italian assets there are."""


def options(state: State, side: str) -> list[Option]:
    """Everything that the command staff can do, but for replacements."""
    found: list[Option] = []
    for staff in board.available(state, side, "staff"):
        found += _restore_options(state, side, staff.id)
        found += _spy_options(state, side, staff.id)
        found += _reserve_options(state, side, staff.id)
    return found


def _missing(state: State, side: str, staff: str) -> Refusal | None:
    return special.missing(state, side, staff, ("staff",), "a command staff", "8.3")


# -- 14.63 ------------------------------------------------------------------------------------------


def why_not_restore(state: State, side: str, chit: str, staff: str) -> Refusal | None:
    """14.63 Why an eliminated asset may not be restored, or None.  Artillery and engineers are infantry class (13.3)."""
    kind = state.data.chits[chit]
    if side == ALLIED:
        return Refusal("only the Axis staff restores assets: yours gives a step to an infantry unit", "8.31")
    if kind.nation != "it" or kind.kind not in ASSETS or kind.cls == ARMOR:
        return Refusal(f"{chit} is not an Italian infantry-class asset", "14.63")
    if state.chits[chit].box != "eliminated":
        return Refusal(f"{chit} is not in your Eliminated Box", "14.63")
    return _missing(state, side, staff)


def _restore_options(state: State, side: str, staff: str) -> list[Option]:
    return [
        Option(
            f"restore {c.id} with {staff}", f"restore {state.data.chits[c.id].name}", ("restore",),
            {"do": "restore", "chit": staff, "asset": c.id},
        )
        for c in board.in_box(state, side, "eliminated") if not why_not_restore(state, side, c.id, staff)
    ]


def restore(ctx: Ctx, asset: str, staff: str) -> None:
    """14.63 An Italian infantry-class asset goes from the Eliminated Box to the Available Box."""
    ctx.emit(e.ChitMoved(asset, "available", "", "", "14.63"))
    special.spend(ctx, staff, "14.63")


# -- 8.32 -------------------------------------------------------------------------------------------


def hidden(state: State, side: str, place: str) -> list[Block]:
    """8.32 The enemy blocks in a place that ``side`` could have shown to it.

    RULING: not a face-down garrison: 15.3 keeps it unknown to both players until it enters combat, and
    exclusive rules take precedence (2.1).
    """
    return [
        b for b in board.in_area(state, place, other(side))
        if not board.known_to(state, side, b.id) and not (board.is_garrison(state, b.id) and not b.card)
    ]


def why_not_spy(state: State, side: str, place: str, staff: str) -> Refusal | None:
    """8.32 Why there is nothing to find out there, or None."""
    if not hidden(state, side, place):
        where = board.place_name(state.data, place)
        return Refusal(f"no enemy unit at {where} can be shown to you: choose another place", "8.32")
    return _missing(state, side, staff)


def _spy_options(state: State, side: str, staff: str) -> list[Option]:
    places = [*state.data.areas, *state.data.landing, *state.data.ports, AIRBORNE_BOX, AT_SEA]
    return [
        Option(
            f"spy {place} with {staff}", f"see one enemy unit at {board.place_name(state.data, place)}", ("spy",),
            {"do": "spy", "area": place, "chit": staff},
        )
        for place in places if not why_not_spy(state, side, place, staff)
    ]


def spy(ctx: Ctx, side: str, place: str, staff: str) -> None:
    """8.32 Intelligence Gathering.

    RULING: one face-away block cannot be told from another by mail, so the player names the place and a
    die picks the block.
    """
    blocks = hidden(ctx.state, side, place)
    face = 1
    if len(blocks) > 1:
        purpose = f"which unit at {board.place_name(ctx.state.data, place)} is seen"
        [face] = ctx.roll(1, sides=len(blocks), purpose=purpose, rule="8.32", side=side, secret=True)
    ctx.emit(e.Seen(blocks[face - 1].id, side))
    special.spend(ctx, staff, "8.32")


def end_intelligence(ctx: Ctx) -> None:
    """8.32 At the end of the Admin Phase the units seen stand face-away again."""
    for block in sorted(ctx.state.seen):
        ctx.emit(e.Seen(block, ""))


# -- 8.33 -------------------------------------------------------------------------------------------


def why_not_reserve(state: State, side: str, block: str, staff: str) -> Refusal | None:
    """8.33 Why the unit may not be marked as a reserve, or None."""
    if board.side_of(state, block) != side:
        return Refusal(f"{board.unit_name(state.data, block)} is not a unit of yours", "8.33")
    return reserves.why_not_reserve(state, block) or _missing(state, side, staff)


def _reserve_options(state: State, side: str, staff: str) -> list[Option]:
    return [
        Option(
            f"reserve {block} with {staff}", f"put {board.unit_name(state.data, block)} in reserve", ("reserve",),
            {"do": "reserve", "block": block, "chit": staff},
        )
        for block in state.blocks if not why_not_reserve(state, side, block, staff)
    ]


def reserve(ctx: Ctx, block: str, staff: str) -> None:
    """8.33 Reserves Made Available."""
    ctx.emit(e.Reserve(block, True, "8.33"))
    special.spend(ctx, staff, "8.33")
