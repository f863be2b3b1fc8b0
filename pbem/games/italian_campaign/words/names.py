"""The names a side may use in its answers: hexes, towns and ports, and its own units.

A number of four digits is always a hex.
"""

from __future__ import annotations

from pbem.games.italian_campaign.position.data import Data, UnitType
from pbem.orders.grammar import Reader, Slot, Trouble
from pbem.orders.lexicon import Entry, Lexicon

LONGEST_NUMBER = 3
"""Digits of a number of points."""


class Names:
    """All names that ``side`` may use, and the slots that read them."""

    def __init__(self, data: Data, side: str) -> None:
        self.hexes = Lexicon("hex", [_hex(data, h) for h in data.board.hexes])
        self.units = Lexicon("unit of yours", [_unit(u) for u in data.units.values() if u.side == side])
        self.operations = Lexicon("operation", [Entry(o, o, (o,)) for o in data.operations])

    def slots(self) -> dict[str, Slot]:
        """How each slot of a form is read."""
        return {
            "UNIT": lambda r: r.name(self.units)[0].id,
            "UNITS": self.some_units,
            "HEX": lambda r: r.name(self.hexes)[0].id,
            "OPERATION": lambda r: r.name(self.operations)[0].id,
            "NUMBER": number,
        }

    def some_units(self, reader: Reader) -> str:
        """Units one after the other: '36US-141 36US-142'."""
        found = [reader.name(self.units)[0].id]
        while reader.more():
            found.append(reader.name(self.units)[0].id)
        return " ".join(dict.fromkeys(found))


def number(reader: Reader) -> str:
    """A whole number."""
    reader.skip_free()
    word = reader.word()
    if not word.isdecimal() or len(word) > LONGEST_NUMBER:
        raise Trouble("number", "a number is expected here", reader.at)
    reader.at += 1
    return str(int(word))


def _hex(data: Data, hex_: str) -> Entry:
    town, port = data.board.hexes[hex_].get("town"), data.ports.get(hex_, "")
    label = f"{town or port} [{hex_}]" if town or port else hex_
    return Entry(hex_, label, tuple(dict.fromkeys(s for s in (hex_, town, port) if s)))


def _unit(unit: UnitType) -> Entry:
    """By its id, or by its name where it has one of its own (a regiment has its division's)."""
    return Entry(unit.id, f"{unit.id} {unit.name}", tuple(dict.fromkeys((unit.id, *([unit.name] if unit.headquarters else [])))))
