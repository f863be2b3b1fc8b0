"""Questions about the position: the rulebook's nouns as functions.  Nothing here changes anything."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.fab_sicily.position.data import (
    AIRBORNE_BOX, ALLIED, ARMOR, AT_SEA, AXIS, ELIMINATED, GREEN, OFF_MAP, RESERVED, SIDES, Data, other,
)
from pbem.games.fab_sicily.position.state import GOOD, Block, Chit, State

STACKING_LIMIT = 2
"""5.1 Two units of each side in an area; assets do not count."""


def side_of(state: State, block: str) -> str:
    """Whose block it is."""
    return state.data.blocks[block].side


def in_area(state: State, area: str, side: str = "") -> list[Block]:
    """The blocks in a place (of one side), by id."""
    return [b for b in state.blocks.values() if b.area == area and side in ("", side_of(state, b.id))]


def on_map(state: State, side: str = "") -> list[Block]:
    """The blocks standing in areas (of one side)."""
    return [b for b in state.blocks.values() if b.area in state.data.areas and side in ("", side_of(state, b.id))]


def in_play(block: Block) -> bool:
    """2.4 In an area or in a box from which it may still come."""
    return block.area not in (RESERVED, ELIMINATED, OFF_MAP)


def assets_in(state: State, area: str, side: str = "", *uses: str) -> list[Chit]:
    """The assets on the map in an area (of one side, for one of ``uses``)."""
    return [
        c for c in state.chits.values()
        if c.box == "map" and c.area == area and side in ("", state.data.chits[c.id].side) and (not uses or c.use in uses)
    ]


HOLDING_ASSETS = ("roadblock", "flank")
"""4.35, 17.22 Assets that stand on the map by themselves and must be fought."""


def holders(state: State, area: str, side: str) -> list[Chit]:
    """Assets of ``side`` that hold an area by themselves: a defended roadblock, a flank invasion."""
    return assets_in(state, area, side, *HOLDING_ASSETS)


def forces(state: State, area: str, side: str) -> bool:
    """Whether ``side`` has a unit, or an asset that holds by itself, in the area."""
    return bool(in_area(state, area, side) or holders(state, area, side))


def contested(state: State, area: str) -> bool:
    """2.4 Forces of both sides are there."""
    units = {side_of(state, b.id) for b in in_area(state, area)}
    assets = {state.data.chits[c.id].side for c in assets_in(state, area, "", *HOLDING_ASSETS)}
    return len(units | assets) == len(SIDES)


def contested_areas(state: State) -> list[str]:
    """All contested areas, by number."""
    held: dict[str, set[str]] = {side: set() for side in SIDES}
    for block in state.blocks.values():
        held[side_of(state, block.id)].add(block.area)
    for chit in state.chits.values():
        if chit.box == "map" and chit.use in HOLDING_ASSETS:
            held[state.data.chits[chit.id].side].add(chit.area)
    return [a for a in state.data.areas if a in held[ALLIED] and a in held[AXIS]]


def newly_contested(state: State, area: str) -> bool:
    """2.4 Contested now, and not when the movement phase began."""
    return contested(state, area) and area not in state.contested_before


def controls(state: State, side: str, area: str) -> bool:
    """2.4 Whether ``side`` controls the area, contested or not."""
    return state.control.get(area) == side


def friendly_quiet(state: State, side: str, area: str) -> bool:
    """Friendly-controlled and uncontested."""
    return controls(state, side, area) and not forces(state, area, other(side))


def area_supplied(state: State, side: str, area: str) -> bool:
    """9.32 Whether the area was in supply for ``side`` at the last Supply Phase (always, before the first)."""
    return controls(state, side, area) and area not in state.unsupplied[side]


def vacant(state: State, area: str) -> bool:
    """No unit and no holding asset of any side."""
    return not any(forces(state, area, s) for s in SIDES)


def room(state: State, area: str, side: str) -> int:
    """5.1 How many more units of ``side`` may stand there."""
    return STACKING_LIMIT - len(in_area(state, area, side))


def is_garrison(state: State, block: str) -> bool:
    """15.3 An Italian coastal garrison block."""
    return state.data.blocks[block].garrison


def green_garrison(state: State, block: str) -> bool:
    """15.3d A garrison that has not yet survived the round that revealed it."""
    return is_garrison(state, block) and not state.blocks[block].proven


def full_steps(state: State, block: str) -> int:
    """Steps at full strength; 0 for a garrison nobody has seen yet."""
    b = state.blocks[block]
    if is_garrison(state, block):
        return len(state.data.cards[b.card].quality) if b.card else 0
    return state.data.blocks[block].full


def quality(state: State, block: str) -> int:
    """2.3 Current troop quality (0 green, 1 veteran, 2 elite), by current steps."""
    b = state.blocks[block]
    if is_garrison(state, block):
        return state.data.cards[b.card].quality[b.steps - 1] if b.card else GREEN
    return state.data.blocks[block].quality[b.steps - 1]


def is_armor(state: State, block: str) -> bool:
    """13.3 Armor class."""
    return state.data.blocks[block].cls == ARMOR


def good_order(block: Block) -> bool:
    """2.3 Neither disordered nor recovering."""
    return block.status == GOOD


def army(state: State, block: str) -> str:
    """13.2 The Higher Echelon: '7', '8' or '6' (all Axis)."""
    return state.data.blocks[block].army


def armies(state: State, blocks: Iterable[Block]) -> list[str]:
    """The Higher Echelons that some blocks belong to, sorted."""
    return sorted({army(state, b.id) for b in blocks})


def available(state: State, side: str, *kinds: str) -> list[Chit]:
    """The side's chits in its Available Box (of some kinds), by id."""
    return [
        c for c in state.chits.values()
        if c.box == "available" and state.data.chits[c.id].side == side and (not kinds or state.data.chits[c.id].kind in kinds)
    ]


def in_box(state: State, side: str, box: str) -> list[Chit]:
    """The side's chits in a box, by id."""
    return [c for c in state.chits.values() if c.box == box and state.data.chits[c.id].side == side]


def serves(data: Data, chit: str, army_id: str) -> bool:
    """14.31, 16.1, 16.2 Whether an asset or event may be used for units of that Higher Echelon."""
    return data.chits[chit].army in ("", army_id)


def neighbours(state: State, area: str) -> tuple[str, ...]:
    """Adjacent areas, by number."""
    return state.data.adjacent[area]


def interdicted(state: State, area: str, side: str) -> bool:
    """16.33 The enemy of ``side`` has an interdiction mission in the area."""
    return bool(assets_in(state, area, other(side), "interdiction"))


BOX_NAMES = {
    AT_SEA: "the At Sea box", AIRBORNE_BOX: "the Airborne Assault box", ELIMINATED: "the Eliminated box",
    RESERVED: "units to come",
}


def place_name(data: Data, place: str) -> str:
    """'Lentini [14]', 'beachhead B3', 'At Sea box'."""
    if place in data.areas:
        return f"{data.areas[place].name} [{place}]"
    return BOX_NAMES.get(place) or (f"port box {place}" if place in data.ports else f"beachhead {place}")


def unit_name(data: Data, block: str) -> str:
    """'50/1 Northumbrian'-like name for the owner."""
    return f"{block.replace('-', '/')} {data.blocks[block].name}"


def face_down(state: State, block: str) -> bool:
    """15.3 A garrison that no battle has revealed yet: nobody knows it, its owner included."""
    b = state.blocks[block]
    return is_garrison(state, block) and not (b.shown or b.proven)


def italian_morale(state: State) -> int:
    """17.21b The level of Italian Morale Collapse: the events on its table."""
    return sum(1 for c in in_box(state, ALLIED, "table") if state.data.chits[c.id].kind == "morale-collapse")


def morale_in_battle(state: State) -> int:
    """17.21d, e The level that Italian units in a battle feel.

    RULING: the events of "previous Admin Phases" count, so that a flank invasion fought in an Admin Phase does not feel what
    was played in it.  With the switch ``morale_previous`` off an event counts at once, as in games begun before revision 3.
    """
    literal = state.data.mended and state.data.switches.get("morale_previous", True)
    fresh = len(state.fresh_morale) if literal and state.phase in ("admin", "counter-admin") else 0
    return italian_morale(state) - fresh


def known_to(state: State, side: str, block: str) -> bool:
    """Whether ``side`` may know which block this is (its own, face-up, or seen by 8.32).

    Nobody knows what a face-down garrison is, its owner included (15.3); that it is a garrison,
    everybody sees.
    """
    b = state.blocks[block]
    return side_of(state, block) == side or b.shown or state.seen.get(block) == side
