"""8.0 Special Actions: which may be used, what becomes of them, and the uses of the Admin Phase."""

from __future__ import annotations

from collections import Counter

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, AXIS, Data
from pbem.games.fab_sicily.position.state import GOOD, Block, Chit, State

KINDS = ("special", "special-event")
"""8.1 Reusable and single-use."""


def usable(state: State, side: str, army: str = "") -> list[Chit]:
    """8.1, 17.31 The Special Actions in the Available Box; with ``army``, those that may affect its units."""
    return [
        c for c in board.available(state, side, *KINDS)
        if (not army or board.serves(state.data, c.id, army)) and (not hampered(state, c.id) or partner(state, c.id))
    ]


def spend(ctx: Ctx, chit: str, rule: str) -> None:
    """4.22, 8.1 Put a used asset or Special Action into the Used Box, an event into the Eliminated Box; 17.11 with
    its partner if it takes two."""
    box = "eliminated" if ctx.state.data.chits[chit].event else "used"
    both = [chit, *(partner(ctx.state, chit)[:1] if hampered(ctx.state, chit) else [])]
    for one in both:
        ctx.emit(e.ChitMoved(one, box, "", "", rule if one == chit else "17.11"))


# -- 17.11 ------------------------------------------------------------------------------------------


def hampered(state: State, chit: str) -> bool:
    """17.11 Whether it takes two of them: single-use American Special Actions after the slapping."""
    kind = state.data.chits[chit]
    slapped = any(c.use == "slapping" for c in board.in_box(state, AXIS, "table"))
    return slapped and kind.kind == "special-event" and kind.army == "7"


def partner(state: State, chit: str) -> list[str]:
    """17.11 The other single-use American Special Actions in the Available Box."""
    return [c.id for c in board.available(state, ALLIED, "special-event") if c.id != chit and state.data.chits[c.id].army == "7"]


def missing(state: State, side: str, chit: str, kinds: tuple[str, ...], what: str, rule: str) -> Refusal | None:
    """Why a chit cannot be used at all: it is not ``what`` in the Available Box; None if it is."""
    kind = state.data.chits[chit]
    if state.chits[chit].box == "available" and kind.side == side and kind.kind in kinds:
        if hampered(state, chit) and not partner(state, chit):
            return Refusal(f"since the slapping it takes two American Special Actions, and you have {chit} alone", "17.11")
        return None
    return Refusal(f"{chit} is not {what} in your Available Box", rule)


# -- 8.25 -------------------------------------------------------------------------------------------


def rallied(state: State, side: str, area: str, chit: str) -> list[Block]:
    """8.25 The units that a rally at ``area`` would restore: own army only with a single-use Special
    Action (8.1), and no unsupplied unit (9.34d)."""
    places = (area, *board.neighbours(state, area))
    return [
        b for b in board.on_map(state, side)
        if b.area in places and b.status != GOOD and b.supplied and board.serves(state.data, chit, board.army(state, b.id))
    ]


def why_not_rally(state: State, side: str, area: str, chit: str) -> Refusal | None:
    """8.25 Why troops may not be rallied at ``area`` with ``chit``, or None."""
    place = board.place_name(state.data, area)
    if not board.area_supplied(state, side, area):
        return Refusal(f"{place} is not a supplied area of yours: name one that is, beside the units", "8.25")
    if not rallied(state, side, area, chit):
        return Refusal(f"no supplied unit of yours in or beside {place} is disordered or recovering and served by {chit}", "8.25")
    return missing(state, side, chit, KINDS, "a Special Action", "8.1")


def rally_options(state: State, side: str) -> list[Option]:
    """8.25 `rally AREA with SA`, wherever it restores somebody."""
    return [
        Option(
            f"rally {area} with {c.id}", f"rally the troops in and around {board.place_name(state.data, area)}", ("rally",),
            {"do": "rally", "area": area, "chit": c.id},
        )
        for c in usable(state, side) for area in state.data.areas if not why_not_rally(state, side, area, c.id)
    ]


def rally(ctx: Ctx, side: str, area: str, chit: str) -> None:
    """8.25 Rally the Troops."""
    for block in rallied(ctx.state, side, area, chit):
        ctx.emit(e.StatusSet(block.id, GOOD, "8.25"))
    spend(ctx, chit, "8.25")


# -- 14.61 ------------------------------------------------------------------------------------------


def formations(data: Data, brigades: bool) -> list[str]:
    """14.61 The Allied divisions (two blocks), or the independent brigades of the 8th Army (one block)."""
    blocks = Counter(b.division for b in data.blocks.values() if b.side == ALLIED)
    return [formation for formation, number in blocks.items() if (number == 1) == brigades]


def army_of(data: Data, formation: str) -> str:
    """The army of a division or brigade."""
    return next(b.army for b in data.blocks.values() if b.division == formation)


def why_not_release(state: State, side: str, division: str, brigade: str, chit: str) -> Refusal | None:
    """14.61 Why these formations may not be released with ``chit``, or None."""
    if side == AXIS:
        return Refusal("army boundaries do not bind the Axis: nothing to release", "14.32")
    if division not in formations(state.data, False):
        return Refusal(f"{division} is not an Allied division (a brigade goes along with a British division)", "14.61")
    if brigade and (brigade not in formations(state.data, True) or army_of(state.data, division) != "8"):
        return Refusal(f"{brigade} is not an independent brigade that goes along with {division}", "14.61")
    for formation in filter(None, (division, brigade)):
        refusal = _why_not_one(state, formation, chit)
        if refusal:
            return refusal
    return missing(state, side, chit, KINDS, "a Special Action", "8.1")


def _why_not_one(state: State, formation: str, chit: str) -> Refusal | None:
    """RULING: a formation with an unsupplied unit on the map is not released: 9.34d lets no Special
    Action affect that unit."""
    if formation in state.released:
        return Refusal(f"{formation} is already released", "14.61")
    if not board.serves(state.data, chit, army_of(state.data, formation)):
        return Refusal(f"{chit} releases formations of its own army only, and {formation} is of another", "14.61")
    if any(not b.supplied for b in board.on_map(state, ALLIED) if state.type(b.id).division == formation):
        return Refusal(f"{formation} has an unsupplied unit, which no Special Action may affect: open a supply path", "9.34d")
    return None


def release_options(state: State, side: str) -> list[Option]:
    """14.61 `release DIVISION with SA`, `release DIVISION BRIGADE with SA`."""
    brigades = ["", *formations(state.data, True)]
    return [
        Option(
            f"release {' '.join(filter(None, (division, brigade)))} with {c.id}",
            f"release {' and '.join(filter(None, (division, brigade)))} from the army boundary", ("release",),
            {"do": "release", "division": division, "brigade": brigade, "chit": c.id},
        )
        for c in usable(state, side) for division in formations(state.data, False) for brigade in brigades
        if not why_not_release(state, side, division, brigade, c.id)
    ]


def release(ctx: Ctx, division: str, brigade: str, chit: str) -> None:
    """14.61 Release a Division (and, with a British one, a brigade)."""
    for formation in filter(None, (division, brigade)):
        ctx.emit(e.Released(formation, "14.61"))
    spend(ctx, chit, "14.61")
