"""The units that one line is for, '50/1, 50/2', '50/1 & 50/2', '50th Division', and the way they go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.core.asks import Ask
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import ELIMINATED, OFF_MAP
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.words.names import Names
from pbem.games.fab_sicily.words.verbs import VERBS
from pbem.orders.grammar import FREE, Reader, Trouble, Verb
from pbem.orders.lexer import SEP, Token
from pbem.orders.lexicon import Entry

ARRIVING = ("place", "drop")
"""Verbs for units that are not on the map yet."""

UNIT_VERBS = ("move", "dig", "reserve", "hold", "strat", "exploit", "drop", "place")
"""Verbs that take a list: a line for several units is a line for each."""


RESERVE = next(v for v in VERBS.verbs if v.name == "reserve")


def verb_of(word: str) -> str:
    """The verb in '50/1 digs', '50/1 advances to 12', '50/1 in reserve'; '' if the word is none."""
    if word == "reserved":
        return RESERVE.name
    found = VERBS.find(word) or VERBS.find(word.removesuffix("s")) or VERBS.find(word.removesuffix("es"))
    return found.name if found is not None and found.name in UNIT_VERBS else ""


@dataclass(frozen=True)
class Units:
    """The blocks that are named, where each stands in the line, and the first token after them."""

    blocks: tuple[str, ...]
    at: tuple[int, ...]
    end: int


def read(state: State, names: Names, tokens: Sequence[Token], start: int, verb: str) -> Units:
    """The units from token ``start`` on; at least one, else :class:`~pbem.orders.grammar.Trouble`."""
    reader = Reader(tokens, start)
    found: dict[str, int] = {}
    while not found or _goes_on(state, names, reader, verb):
        at = reader.at
        for block in _one(state, names, reader, verb):
            found.setdefault(block, at)
    return Units(tuple(found), tuple(found.values()), reader.at)


def _one(state: State, names: Names, reader: Reader, verb: str) -> list[str]:
    """One unit, or the units of a division that is named as a whole."""
    reader.skip_free()
    run = reader.run()
    division, unit = names.divisions.find(run), names.units.find(run)
    if len(division.entries) == 1 and (division.length > unit.length or _whole(names, unit.entries)):
        blocks = _of_division(state, division.entries[0].id, verb)
        if not blocks:
            where = "is still to arrive" if verb in ARRIVING else "is in play"
            raise Trouble("gone", f"no unit of the {division.entries[0].label} {where}", reader.at, division.length)
        reader.at += division.length
        return blocks
    return [reader.name(names.units)[0].id]


def _whole(names: Names, entries: Sequence[Entry]) -> bool:
    """Whether the units that a name can mean are those of one division, and nothing else."""
    divisions = {names.data.blocks[e.id].division for e in entries}
    return len(entries) > 1 and len(divisions) == 1 and "" not in divisions


def _of_division(state: State, division: str, verb: str) -> list[str]:
    """2.2 The blocks of a division that the verb can be for: those in play, on the map or still to arrive."""
    mine = [b.id for b in state.data.blocks.values() if b.division == division]
    live = [b for b in mine if state.blocks[b].area not in (ELIMINATED, OFF_MAP)]
    ashore = [b for b in live if state.blocks[b].area in state.data.areas]
    return [b for b in live if b not in ashore] if verb in ARRIVING else ashore or live


def _goes_on(state: State, names: Names, reader: Reader, verb: str) -> bool:
    """Whether one more unit follows, and not the place where they go."""
    before = reader.at
    while reader.token and (reader.token.kind == SEP or reader.token.text == "and"):
        reader.at += 1
    run = reader.run()
    if run and run[0].text not in FREE and not _is_place(names, run):
        probe = Reader(reader.tokens, reader.at)
        try:
            if _one(state, names, probe, verb):
                return True
        except Trouble:
            pass
    reader.at = before
    return False


def _is_place(names: Names, run: Sequence[Token]) -> bool:
    """Whether the words name a place at least as well as a unit: '5' and 'Catania' after a unit are places."""
    place, unit = names.places.find(run), names.units.find(run)
    return bool(place.entries) and (len(unit.entries) != 1 or names.places.named(run[0].text) is not None)


def origin(names: Names, tokens: Sequence[Token], at: int) -> tuple[str, int]:
    """The place that 'from Augusta' names after the units, and the first token after it; ('', at) if it is not said."""
    reader = Reader(tokens, at)
    if not reader.take("from"):
        return "", at
    return reader.name(names.places)[0].id, reader.at


def elsewhere(state: State, block: str, place: str) -> str:
    """Where a unit is that was said to be at ``place``: '50/1 is at Sortino [12]'; '' if it is there, or off its coast."""
    at = state.blocks[block].area
    area = state.data.areas.get(at)
    if not place or at == place or area is not None and place in (area.landing, area.port):
        return ""
    return f"{board.unit_name(state.data, block)} is at {board.place_name(state.data, at) if area else at}"


def only_one(asks: Sequence[Ask], verb: Verb) -> str:
    """The unit that 'drop at Pachino' is for, if only one can be meant; else ''."""
    offered = [o.key.split() for a in asks if a.kind in verb.kinds for o in a.options]
    units = {words[1].upper() for words in offered if words[0] == verb.name and len(words) > 1}
    return units.pop() if len(units) == 1 else ""


def gap(state: State, text: str) -> str:
    """5.22 What is wrong with a way that is spelled out ('move 50-1 to 3 via 4 5'): two areas without a common border."""
    words = text.split()
    if "via" not in words:
        return ""
    way = [w for w in (*words[words.index("via") + 1 :], words[3]) if w in state.data.areas]
    for a, b in pairwise(way):
        if b not in state.data.adjacent[a]:
            names = [board.place_name(state.data, p) for p in (a, b)]
            near = ", ".join(board.place_name(state.data, p) for p in state.data.adjacent[a])
            return f"{names[0]} and {names[1]} have no common border; beside {names[0]} lie {near}"
    return ""
