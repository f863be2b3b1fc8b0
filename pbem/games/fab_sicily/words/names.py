"""The names a side may use in its orders: places and its own blocks and chits; of the enemy's only the Italian assets,
which lie open and may be struck (17.21c)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, AT_SEA, Area, BlockType, ChitType, Data
from pbem.orders.grammar import Reader, Slot, Trouble
from pbem.orders.lexer import WORD
from pbem.orders.lexicon import Entry, Lexicon, level

CLASSES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "engineers": (("engineer",), ("engineers", "engineer", "any engineer", "any engineers", "eng")),
    "naval": (("naval",), ("naval", "naval support", "any naval support", "any naval", "navy", "ships", "nav")),
    "air": (("air",), ("air", "air support", "any air support", "any air", "aircraft", "planes")),
    "sa": (("special", "special-event"), ("sa", "special action", "special actions", "any special action", "any sa")),
    "staff": (("staff",), ("staff", "command staff", "any staff")),
    "any-artillery": (("artillery",), ("any-artillery",)),
    "any-battle": (("battle",), ("any-battle", "any battle asset")),
}
"""Words for 'any one of mine': the chit kinds, and the names.  The first that is offered is taken."""

_TAKEN = frozenset(level(n) for _, names in CLASSES.values() for n in names)

_SPELT = (
    (re.compile(r"\barmoured\b"), "armored"), (re.compile(r"\barmor\b"), "armour"), (re.compile(r"\barmou?red\b"), "armd"),
    (re.compile(r"\bgoering\b"), "goring"), (re.compile(r"\bkampfgruppe\b"), "kg"), (re.compile(r"\bbrigade\b"), "bde"),
    (re.compile(r"\bcommando\b"), "cdo"), (re.compile(r"\broyal tank\b"), "rtr"),
    (re.compile(r"\b(\d+)(?:st|nd|rd|th)\b"), r"\1"),
)
"""Spellings that mean the same."""


def names(data: Data, side: str) -> Names:
    """The names that ``side`` may use; they are made once for a scenario's data and kept with them."""
    kept: dict[str, Names] = data.__dict__.setdefault("_names", {})
    if side not in kept:
        kept[side] = Names(data, side)
    return kept[side]


class Names:
    """All names that ``side`` may use, and the slots that read them."""

    def __init__(self, data: Data, side: str) -> None:
        self.data = data
        blocks = [b for b in data.blocks.values() if b.side == side]
        self.own_chits = [c for c in data.chits.values() if c.side == side]
        self.areas = Lexicon("area", map(_area, data.areas.values()))
        self.places = Lexicon("place", [*self.areas.entries, *_boxes(data)])
        self.units = Lexicon("unit of yours", map(_unit, blocks))
        self.chits = Lexicon("asset or event of yours", [*_classes(), *map(_chit, self.own_chits)])
        self.who = Lexicon("unit or asset of yours", [*self.units.entries, *self.chits.entries])
        self.divisions = Lexicon("division of yours", _divisions(blocks))
        self.italian = Lexicon("Italian asset", [_chit(c) for c in data.chits.values() if c.nation == "it"])

    def slots(self) -> dict[str, Slot]:
        """How each slot of a form is read."""
        return {
            "UNIT": lambda r: r.name(self.units)[0].id,
            "AREA": lambda r: r.name(self.areas)[0].id,
            "PLACE": lambda r: r.name(self.places)[0].id,
            "PATH": self.path,
            "BOX": self.box,
            "PORT": self.port,
            "BORDER": self.border,
            "BORDERS": self.borders,
            "CHIT": self.chit,
            "WHO": lambda r: self._any_of(r.name(self.who)),
            "DIVISION": lambda r: r.name(self.divisions)[0].id,
            "USE": self.use,
            "ITALIAN": lambda r: "|".join(e.id for e in r.name(self.italian)),
        }

    def path(self, reader: Reader) -> str:
        """Places one after the other; the last is the destination: '15 via 12 14'."""
        reader.take("via")
        found = self._several(reader)
        if reader.take("via"):
            return f"{found[-1]} via {' '.join([*found[:-1], *self._several(reader)])}"
        return f"{found[-1]} via {' '.join(found[:-1])}" if len(found) > 1 else found[0]

    def _several(self, reader: Reader) -> list[str]:
        found = self._leg(reader)
        while reader.more() or reader.take("to"):
            found += self._leg(reader)
        return [place for i, place in enumerate(found) if not i or found[i - 1] != place]

    def _leg(self, reader: Reader) -> list[str]:
        """A place, or several that dashes join: '13-12'."""
        reader.skip_free()
        legs = [self.areas.named(part) for part in reader.word().split("-")]
        if len(legs) > 1 and self.places.named(reader.word()) is None and all(legs):
            reader.at += 1
            return [leg.id for leg in legs if leg]
        return [reader.name(self.places)[0].id]

    def box(self, reader: Reader) -> str:
        """A landing or port box, or an area: where a unit arrives itself, or for the box that leads there."""
        reader.skip_free()
        return reader.name(self.places)[0].id

    def port(self, reader: Reader) -> str:
        """A port box, or the area of the port."""
        reader.skip_free()
        start, place = reader.at, reader.name(self.places)[0].id
        port = self.data.areas[place].port if place in self.data.areas else place
        if port not in self.data.ports:
            raise Trouble("port", f"{place} is no port", start, reader.at - start)
        return port

    def border(self, reader: Reader) -> str:
        """'12-15', '12/15', 'Sortino-Lentini', '12 to 15'."""
        reader.skip_free()
        start, token = reader.at, reader.token
        if token is None or token.kind != WORD:
            raise reader.missing("border, like 12-15")
        halves = re.split(r"[-/.]", token.text)
        ends = [self.areas.named(h) for h in halves]
        if len(ends) == 2 and ends[0] and ends[1]:
            reader.at += 1
            a, b = ends[0].id, ends[1].id
        else:
            a = reader.name(self.areas)[0].id
            reader.take("and")
            b = reader.name(self.areas)[0].id
        if b not in self.data.adjacent[a]:
            names = f"{board.place_name(self.data, a)} and {board.place_name(self.data, b)}"
            raise Trouble("border", f"{names} have no common border", start, reader.at - start)
        return self.data.border(a, b).id

    def borders(self, reader: Reader) -> str:
        """One border or more."""
        found = [self.border(reader)]
        while reader.more():
            found.append(self.border(reader))
        return " ".join(found)

    def chit(self, reader: Reader) -> str:
        """An asset or event; 'a|b' if several are as good."""
        reader.skip_free()
        token = reader.token
        if token and "|" in token.text:
            named = [self.chits.named(t) for t in token.text.split("|")]
            if all(named):
                reader.at += 1
                return "|".join(n.id for n in named if n)
        return self._any_of(reader.name(self.chits))

    def _any_of(self, entries: Sequence[Entry]) -> str:
        """The word for 'any one of mine' if the entries are all there are of a sort, else their ids."""
        ids = [e.id for e in entries]
        for word, (kinds, _) in CLASSES.items():
            if len(ids) > 1 and ids == [c.id for c in self.own_chits if c.kind in kinds]:
                return word
        return "|".join(ids)

    def use(self, reader: Reader) -> str:
        """What a naval asset does in a battle (16.21)."""
        if reader.word() not in ("shock", "artillery"):
            raise Trouble("use", "'shock' or 'artillery' is expected here", reader.at)
        reader.at += 1
        return reader.tokens[reader.at - 1].text


def _area(area: Area) -> Entry:
    parts = [p.strip() for p in area.name.split("/")]
    return Entry(area.id, f"{area.name} [{area.id}]", tuple(dict.fromkeys((area.id, area.name, *parts, *area.aliases))))


def _boxes(data: Data) -> list[Entry]:
    found = [Entry(b, f"beachhead {b}", (b, f"beachhead {b}", f"landing box {b}")) for b in data.landing]
    found += [
        Entry(p, f"port box {p}", (p, f"port {p}", f"port box {p}", f"port of {data.areas[a].name}"))
        for p, a in data.ports.items()
    ]
    return [
        *found,
        Entry(AT_SEA, "At Sea box", (AT_SEA, "sea", "At Sea box")),
        Entry(AIRBORNE_BOX, "Airborne Assault box", (AIRBORNE_BOX, "Airborne Assault box")),
        Entry("italy", "Italy", ("italy", "mainland")),
    ]


def _spellings(name: str) -> list[str]:
    found = [name]
    for pattern, other in _SPELT:
        found += [pattern.sub(other, n.lower()) for n in list(found) if pattern.search(n.lower())]
    return found


def _unit(block: BlockType) -> Entry:
    number = block.id.rpartition("-")[2] if "-" in block.id else ""
    names = [block.id]
    for name in _spellings(block.name):
        names += [f"{name} {number}", f"{number} {name}", name] if number else [name]
    return Entry(block.id, f"{block.id.replace('-', '/')} {block.name}", tuple(dict.fromkeys(names)))


def _chit(chit: ChitType) -> Entry:
    names = [n for n in (chit.id, *_spellings(re.sub(r"[()]", " ", chit.name))) if level(n) not in _TAKEN or n == chit.id]
    names += ["reusable special action"] * (chit.kind == "special") + ["single special action"] * (chit.kind == "special-event")
    kin = f"{chit.name}/{chit.kind}/{chit.army}/{chit.nation}/{chit.division}/{chit.quality}"
    return Entry(chit.id, f"{chit.id} {chit.name}", tuple(dict.fromkeys(names)), kin)


def _classes() -> list[Entry]:
    return [Entry(word, f"any {word.removeprefix('any-')}", names) for word, (_, names) in CLASSES.items()]


def _called(division: str, spellings: Sequence[str]) -> list[str]:
    """'50th Infantry', '50th Infantry Division', '50th Division', '50 Div'."""
    short = [division, re.sub(r" (Infantry|Armou?red)$", "", spellings[0])]
    return [*spellings, *(f"{n} {word}" for n in (*spellings, *short) for word in ("division", "div"))]


def _divisions(blocks: Iterable[BlockType]) -> list[Entry]:
    names: dict[str, list[str]] = {}
    for block in blocks:
        if block.division:
            names.setdefault(block.division, [block.division]).extend(_called(block.division, _spellings(block.name)))
    return [Entry(d, f"{n[1]} [{d}]", tuple(dict.fromkeys(n))) for d, n in names.items()]
