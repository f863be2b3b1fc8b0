"""The names a side may use in its orders: hexes, towns, beaches and boxes, its own units; of the enemy's nothing.

A number of four digits is always a hex.
"""

from __future__ import annotations

from functools import lru_cache

from pbem.games.invasion_sicily.position.data import (
    AFRICA, EVACUATION, FOLLOW_UP, INVASION, ITALY, SICILY_EVACUATION, Beach, Data, Hex, UnitType,
)
from pbem.orders.grammar import Reader, Slot, Trouble
from pbem.orders.lexicon import Entry, Lexicon

BOXES = {
    AFRICA: ("Africa", "Africa box", "Africa holding box", "Tunisia"),
    ITALY: ("Italy", "Italy box", "Italy holding box", "mainland"),
    INVASION: ("invasion", "invasion box", "amphibious invasion box", "amphibious box"),
    FOLLOW_UP: ("follow-up", "follow-up box", "followup"),
    EVACUATION: ("evacuation", "evacuation box", "emergency evacuation box"),
    SICILY_EVACUATION: ("sicily-evacuation", "sicily evacuation box"),
}


class Names:
    """All names that ``side`` may use, and the slots that read them."""

    def __init__(self, data: Data, side: str) -> None:
        self.data = data
        hexes = [_hex(h) for h in data.hexes.values()]
        beaches = [_beach(b) for b in data.beaches.values()]
        boxes = [Entry(box, spoken[0], tuple(dict.fromkeys((box, *spoken)))) for box, spoken in BOXES.items()]
        self.hexes = Lexicon("hex", hexes)
        self.beaches = Lexicon("beach", [*beaches, *(h for h in hexes if h.id not in data.beaches)])
        self.places = Lexicon("place", [*hexes, *boxes])
        self.units = Lexicon("unit of yours", [_unit(u) for u in data.units.values() if u.side == side])
        self.codes = Lexicon("operation", [Entry(c, c, (c, *(["no invasion", "dummy"] if c == "None" else [])))
                                           for c in data.operations])

    def slots(self) -> dict[str, Slot]:
        """How each slot of a form is read."""
        return {
            "UNIT": lambda r: r.name(self.units)[0].id,
            "UNITS": self.some_units,
            "HEX": lambda r: r.name(self.hexes)[0].id,
            "PLACE": lambda r: r.name(self.places)[0].id,
            "BEACH": lambda r: r.name(self.beaches)[0].id,
            "PATH": self.path,
            "WAY": self.way,
            "CODE": lambda r: r.name(self.codes)[0].id,
            "NUMBER": number,
            "GUN": lambda r: r.name(self.units)[0].id,
        }

    def some_units(self, reader: Reader) -> str:
        """Units one after the other: 'US-16 US-26'."""
        found = [reader.name(self.units)[0].id]
        while reader.more():
            found.append(reader.name(self.units)[0].id)
        return " ".join(dict.fromkeys(found))

    def path(self, reader: Reader) -> str:
        """Places one after the other, the last one is where it goes: '1924 via 1823'."""
        found = self._several(reader)
        if reader.take("via"):
            return f"{found[-1]} via {' '.join([*found[:-1], *self._several(reader)])}"
        return f"{found[-1]} via {' '.join(found[:-1])}" if len(found) > 1 else found[0]

    def way(self, reader: Reader) -> str:
        """Hexes in the order in which they are gone through, as retreats are written: '2123 2224'."""
        return " ".join(self._several(reader))

    def _several(self, reader: Reader) -> list[str]:
        found = [reader.name(self.places)[0].id]
        while reader.more() or reader.take("to"):
            place = reader.name(self.places)[0].id
            if found[-1] != place:
                found.append(place)
        return found


class _ByIdentity:
    """A scenario's data as a key: the same object is the same key."""

    def __init__(self, data: Data) -> None:
        self.data = data

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.data is self.data

    def __hash__(self) -> int:
        return len(self.data.hexes)


@lru_cache(maxsize=16)
def _made(data: _ByIdentity, side: str) -> Names:
    return Names(data.data, side)


def names(data: Data, side: str) -> Names:
    """The names that ``side`` may use; they are made once for a scenario's data."""
    return _made(_ByIdentity(data), side)


def number(reader: Reader) -> str:
    """A whole number."""
    reader.skip_free()
    word = reader.word()
    if not word.isdecimal() or len(word) > 3:
        raise Trouble("number", "a number is expected here", reader.at)
    reader.at += 1
    return str(int(word))


def _hex(hex_: Hex) -> Entry:
    spoken = (hex_.id, *hex_.towns, hex_.city, hex_.port, hex_.airfield)
    label = hex_.id if hex_.name == hex_.id else f"{hex_.name} [{hex_.id}]"
    return Entry(hex_.id, label, tuple(dict.fromkeys(s for s in spoken if s)))


def _beach(beach: Beach) -> Entry:
    return Entry(beach.hex, f"{beach.name} [{beach.hex}]", (beach.hex, beach.name, f"{beach.name} beach"))


def _unit(unit: UnitType) -> Entry:
    nation, _, number_ = unit.id.partition("-")
    spoken = [unit.id, unit.name, f"{nation} {unit.name}"]
    if unit.nation in ("US", "British", "German", "Italian", "Canadian"):
        spoken.append(f"{unit.nation} {unit.name}")
    return Entry(unit.id, f"{unit.id} {unit.name}", tuple(dict.fromkeys([*spoken, f"{nation}{number_}"])))
