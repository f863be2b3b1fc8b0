"""What 'help' tells of a place, a unit or the points, in a few lines: made from one side's view and the printed pieces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.brief import count, listed
from pbem.games.fab_sicily.position.data import OFF_MAP, QUALITY_NAMES, SIDES, BlockType, Data, other
from pbem.games.fab_sicily.position.seen import AreaSeen, BlockSeen, BorderSeen, BoxSeen, FabView
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.position.view import view
from pbem.games.fab_sicily.telling import report
from pbem.games.fab_sicily.telling.sentences import ADJECTIVES, Names
from pbem.games.fab_sicily.words.names import names
from pbem.games.narration import capital

FREE = ("where", "is", "area", "place", "unit", "borders", "who", "what", "the")
"""Words that may stand before a name: 'help where 50-1'."""

VICTORY = ("victory", "points", "score", "victory points")


def look_up(state: State, side: str, words: Sequence[str]) -> list[str]:
    """What ``side`` may know of the thing that ``words`` name; nothing if they name none."""
    named = list(words)
    while len(named) > 1 and named[0].lower() in FREE:
        named.pop(0)
    if not named:
        return []
    seen = view(state, side)
    if " ".join(named).lower() in VICTORY:
        return _victory(seen, state.data)
    places = names(state.data, side).places.find_words(named)
    blocks = [b for s in (side, other(side)) for b in names(state.data, s).units.find_words(named)]
    if len(places) == 1 and len(blocks) != 1:
        return _place(seen, state.data, places[0].id)
    if len(blocks) == 1 and not places:
        return _unit(seen, state.data, blocks[0].id)
    if found := [*places, *blocks]:
        return [f"That can mean {listed([f.label for f in found])}. Ask for one by its id."]
    return []


# -- places ---------------------------------------------------------------------------------------------


def _place(seen: FabView, data: Data, place: str) -> list[str]:
    area = next((a for a in seen["areas"] if a["id"] == place), None)
    if area:
        return [_ground(area), *_forces(area["blocks"], seen["side"]), *_borders(seen, data, place)]
    box = next((b for b in seen["boxes"] if b["id"] == place), None)
    return _box(box, seen["side"], data) if box else [f"{capital(Names(data).place(place))} is empty or not in use."]


def _ground(area: AreaSeen) -> str:
    """The area in a sentence: who holds it, its terrain, what is built there, what it is worth."""
    held = f"{ADJECTIVES[area['control']]} control" if area["control"] else "nobody's control"
    told = [held, *["contested"] * area["contested"], f"Terrain Difficulty Number {area['tdn']}"]
    told += ["coastal"] * area["coastal"] + ["airfield"] * area["airfield"]
    told += [f"port box {area['port']}"] if area["port"] else []
    told += [f"field works of the {ADJECTIVES[area['works']]} side"] if area["works"] else []
    told += ["roadblock"] * bool(area["roadblock"]) + ["prepared assault"] * bool(area["assault"])
    told += [f"out of supply for the {ADJECTIVES[s]} side" for s in area["unsupplied"]]
    told += [count(area["vp"], "victory point")] if area["vp"] else []
    assets = [f" {ADJECTIVES[c['side']]} asset there: {c['name']} ({c['id']})." for c in area["assets"]]
    return f"{area['name']} [{area['id']}]: {', '.join(told)}.{''.join(assets)}"


def _forces(blocks: dict[str, list[BlockSeen]], side: str) -> list[str]:
    order = (side, other(side)) if side in SIDES else SIDES
    there = [f"{ADJECTIVES[s]}: {'; '.join(map(_block, blocks[s]))}." for s in order if blocks[s]]
    return there or ["No units are there."]


def _block(block: BlockSeen) -> str:
    """'50-1 Northumbrian 3/4 veteran, disordered', or what is seen of one that is not known."""
    told = report.block_words(block)
    return ", ".join([" ".join(w for w in (told["id"], told["text"], told["strength"]) if w), *told["marks"]])


def _borders(seen: FabView, data: Data, area: str) -> list[str]:
    """5.31 The neighbours, each with its boundary and who controls it."""
    control = {a["id"]: a["control"] for a in seen["areas"]}
    found = []
    for border in seen["borders"]:
        if area in (border["a"], border["b"]):
            beyond = border["b"] if border["a"] == area else border["a"]
            told = [ADJECTIVES[control[beyond]]] if control[beyond] else []
            found.append(f"{Names(data).place(beyond)} ({', '.join([*told, *_boundary(border)])})")
    return [f"Borders: {'; '.join(found)}."] if found else []


def _boundary(border: BorderSeen) -> Iterable[str]:
    yield "road" if border["road"] else "no road"
    if border["river"]:
        yield f"river {border['river']}"
    if border["blown"]:
        yield "bridge blown"
    if border["restricted"]:
        yield "restricted, 14.1"


def _box(box: BoxSeen, side: str, data: Data) -> list[str]:
    told = [f"leads to {Names(data).place(box['area'])}"] if box["area"] else []
    told += [box["status"].replace("-", " ")] if box["status"] else []
    told += [f"damage level {box['damage']}"] if box["damage"] else []
    return [f"{capital(box['name'])}: {', '.join(told)}." if told else f"{capital(box['name'])}.", *_forces(box["blocks"], side)]


# -- units ----------------------------------------------------------------------------------------------


def _unit(seen: FabView, data: Data, block: str) -> list[str]:
    kind = data.blocks[block]
    return [_printed(kind), _whereabouts(seen, data, kind)]


def _printed(kind: BlockType) -> str:
    """2.3 What is printed on the block; a garrison's strength is on its card, which nobody knows (15.3)."""
    told = [f"{ADJECTIVES[kind.side]} {kind.cls}", *["motorized"] * kind.motorized, *["airborne"] * kind.airborne]
    if kind.garrison:
        told.append("a coastal garrison, its strength drawn when it is revealed (15.3)")
    else:
        levels = [f"{n} {QUALITY_NAMES[q]}" for n, q in reversed(list(enumerate(kind.quality, 1)))]
        told.append(f"quality by steps left: {listed(levels)}")
    return f"{kind.id} {kind.name}: {', '.join(told)}."


def _whereabouts(seen: FabView, data: Data, kind: BlockType) -> str:
    """Where it is and how it stands, as far as the side that asks can see."""
    for place in (*seen["areas"], *seen["boxes"]):
        for block in place["blocks"][kind.side]:
            if block["known"] and block["id"] == kind.id:
                return f"It is in {Names(data).place(place['id'])}: {_block(block)}."
    for lost in seen["eliminated"][kind.side]:
        if lost["id"] == kind.id:
            return "It has left the map for good." if lost["how"] == OFF_MAP else "It was eliminated."
    if any(b["id"] == kind.id for b in seen["to_come"]):
        return f"It is still to come: turn {kind.turn}." if kind.turn else "It is still to come."
    return "You do not see where it is." if kind.side != seen["side"] else "It is not in play."


# -- points ---------------------------------------------------------------------------------------------


def _victory(seen: FabView, data: Data) -> list[str]:
    """19.3 The points as they stand, and what gives them."""
    told = []
    for side in SIDES:
        areas = listed([Names(data).place(a) for a in seen["vp_areas"][side]]) or "no area"
        lost = f", and {count(len(seen['trophies'][side]), 'trophy', 'trophies')} (19.2)" if seen["trophies"][side] else ""
        told.append(f"{ADJECTIVES[side]}: {count(seen['vp_held'][side], 'victory point')} for {areas}{lost}.")
    worth = [f"{a['name']} [{a['id']}] {a['vp']}" for a in seen["areas"] if a["vp"]]
    return [*told, f"What areas are worth: {', '.join(worth)}.", f"Turn {seen['turn']} of {seen['turns']}."]
