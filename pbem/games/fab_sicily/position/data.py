"""The printed game as values: map, blocks, chits, tables of one scenario.

Built from the plain JSON that ``pbem.scenarios.catalog`` reads from ``scenarios/fab_sicily``.  Places
are strings: areas '1' to '65', landing boxes 'B3', port boxes 'P1', and the boxes below.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

ALLIED, AXIS = "allied", "axis"
SIDES = (ALLIED, AXIS)
"""13.1 The Allies are the First Player."""

AT_SEA, AIRBORNE_BOX, ELIMINATED, OFF_MAP, RESERVED = "at-sea", "airborne", "eliminated", "off-map", "to-come"

GREEN, VETERAN, ELITE = 0, 1, 2
QUALITY_NAMES = ("green", "veteran", "elite")
ARMOR, INFANTRY = "armor", "infantry"


def other(side: str) -> str:
    """The other side."""
    return AXIS if side == ALLIED else ALLIED


@dataclass(frozen=True)
class Area:
    """2.4 An area.  ``tdn``: Terrain Difficulty Number; ``landing``/``port``: the box that leads here, with the
    beach's code name (14.21); ``star``: 19.1, '' or 'yellow star', 'white star', 'german cross'."""

    id: str
    name: str
    zones: tuple[str, ...]
    coastal: bool
    tdn: int
    landing: str
    port: str
    airfield: bool
    vp: int
    aliases: tuple[str, ...]
    lat: float
    lon: float
    landing_name: str = ""
    star: str = ""


@dataclass(frozen=True)
class Border:
    """5.31 A boundary.  ``river`` is the river's name or ''; ``restricted``: 14.1."""

    a: str
    b: str
    road: bool
    river: str
    restricted: bool

    @cached_property
    def id(self) -> str:
        """'12-15', lower number first."""
        return border_id(self.a, self.b)


@cache
def border_id(a: str, b: str) -> str:
    """The name of the border between two areas: '12-15'."""
    low, high = sorted((a, b), key=int)
    return f"{low}-{high}"


@dataclass(frozen=True)
class BlockType:
    """2.3 A block.  ``quality[k]`` is the troop quality with k+1 steps left; ``entry``: '' (see ``at``)
    or the places it may enter by, on ``turn``; ``cls``: 'armor' or 'infantry' (13.3)."""

    id: str
    name: str
    side: str
    nation: str
    army: str
    division: str
    cls: str
    symbol: str
    quality: tuple[int, ...]
    turn: int
    at: str
    garrison: bool
    motorized: bool
    airborne: bool

    @property
    def full(self) -> int:
        """Steps at full strength."""
        return len(self.quality)


@dataclass(frozen=True)
class GarrisonCard:
    """15.3 What a face-down coastal garrison turns out to be."""

    id: str
    quality: tuple[int, ...]


EVENT_KINDS = (
    "special-event", "infantry-replacement", "armor-replacement", "delay", "morale-collapse", "release", "slapping", "extraction",
)
"""2.2, 17.0 The kinds of chit that are events; all others are assets."""


@dataclass(frozen=True)
class ChitType:
    """2.2 An asset or event.

    ``kind``: artillery, battle, engineer, naval, air, staff, special (reusable Special Action, a block),
    special-event (single-use), infantry-replacement, armor-replacement, delay, morale-collapse (17.21), release (17.23),
    slapping (17.11), extraction (17.12).
    ``army``: '7', '8', '6' or '' (usable by any army of its side); ``nation`` us, uk, it, de;
    ``turn``: when it comes into its ``box`` (0: at the start): 'cup', 'available' or 'conditional' (16.4, 17.21);
    ``flank``: 17.22 flank invasion; ``clears``: 16.22 may remove field works instead of firing.
    """

    id: str
    name: str
    side: str
    kind: str
    army: str
    nation: str
    division: str
    cls: str
    quality: int
    turn: int
    box: str
    flank: bool
    clears: bool

    @property
    def event(self) -> bool:
        """Whether it is an event (single-use, 4.22) rather than an asset."""
        return self.kind in EVENT_KINDS


@dataclass(frozen=True)
class Plan:
    """22.25, 22.26 A landing plan.  ``zones``, ``release_zones``: what each Allied army may enter; ``boxes``: where its
    beachheads may lie, in the order of the coast; ``default``: where they lie if nobody says otherwise, which is also
    their number; ``consecutive``: the armies whose beachheads lie side by side."""

    rule: str
    zones: Mapping[str, tuple[str, ...]]
    release_zones: Mapping[str, tuple[str, ...]]
    boxes: Mapping[str, tuple[str, ...]]
    default: Mapping[str, tuple[str, ...]]
    consecutive: tuple[str, ...]


REVISION, FIRST_REVISION = 3, 2
"""The reading of the rules that new games have, and that of games whose data name none.  A game keeps the reading it was
begun with, so that it audits whole for ever: what a later revision reads otherwise asks :attr:`Data.revision`.

3: ports, Messina, released armies, forbidden zones, unsupplied units and some defaults read as the rulebook has them
(deploy/CHANGELOG.md has the list)."""


@dataclass(frozen=True)
class Data:
    """One scenario's fixed data; ``switches`` are the RULINGs that sides could disagree on, and the optional rules.

    ``plans``: the landing plans the Allies choose from (none in 22.1); ``free_garrisons``: 22.24 the Axis places them;
    ``victory``: 'areas' (22.17), 'tournament' (22.28) or 'campaign' (22.38); ``sudden_death``: 19.4 by turn and side;
    ``conditional``: whether 16.4 and 17.21 are in force; ``skipped``: steps that are left out (22.27);
    ``revision``: see :data:`REVISION`.
    """

    scenario: str
    title: str
    turns: int
    areas: Mapping[str, Area]
    borders: Mapping[str, Border]
    blocks: Mapping[str, BlockType]
    cards: Mapping[str, GarrisonCard]
    chits: Mapping[str, ChitType]
    draws: Mapping[str, Mapping[str, tuple[int, int]]]
    garrison_areas: tuple[str, ...]
    beachheads: tuple[str, ...]
    zones: Mapping[str, tuple[str, ...]]
    release_zones: Mapping[str, tuple[str, ...]]
    axis_sources: tuple[str, ...]
    forced_off_map: bool
    switches: Mapping[str, Any]
    plans: Mapping[str, Plan] = field(default_factory=dict)
    free_garrisons: bool = False
    victory: str = "areas"
    sudden_death: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    conditional: bool = False
    skipped: tuple[str, ...] = ()
    revision: int = FIRST_REVISION

    @property
    def mended(self) -> bool:
        """Whether the game was begun under revision 3 or a later one."""
        return self.revision >= 3

    @property
    def historical(self) -> bool:
        """22.37 The strictly historical option."""
        return bool(self.switches.get("historical", False))

    @cached_property
    def adjacent(self) -> Mapping[str, tuple[str, ...]]:
        """Neighbours of each area, by number."""
        found: dict[str, list[str]] = {a: [] for a in self.areas}
        for b in self.borders.values():
            found[b.a].append(b.b)
            found[b.b].append(b.a)
        return {a: tuple(sorted(n, key=int)) for a, n in found.items()}

    def border(self, a: str, b: str) -> Border:
        """The border between two adjacent areas; KeyError if they are not adjacent."""
        return self.borders[border_id(a, b)]

    @cached_property
    def landing(self) -> Mapping[str, str]:
        """Landing box to coastal area (14.21)."""
        return {a.landing: a.id for a in self.areas.values() if a.landing}

    @cached_property
    def ports(self) -> Mapping[str, str]:
        """Port box to port area (14.23)."""
        return {a.port: a.id for a in self.areas.values() if a.port}


def build(raw: Mapping[str, Any], options: Mapping[str, Any]) -> Data:
    """Make :class:`Data` of a scenario's JSON (see ``scenarios/fab_sicily/README.md`` for its shape)."""
    areas = {a["id"]: Area(**{**a, "zones": tuple(a["zones"]), "aliases": tuple(a["aliases"])}) for a in raw["areas"]}
    borders = [Border(**b) for b in raw["borders"]]
    return Data(
        scenario=raw["scenario"], title=raw["title"], turns=raw["turns"], areas=areas,
        borders={b.id: b for b in borders},
        blocks={b["id"]: BlockType(**{**b, "quality": tuple(b["quality"])}) for b in raw["blocks"]},
        cards={c["id"]: GarrisonCard(c["id"], tuple(c["quality"])) for c in raw["cards"]},
        chits={c["id"]: ChitType(**c) for c in raw["chits"]},
        draws={p: {t: (n[0], n[1]) for t, n in by_turn.items()} for p, by_turn in raw["draws"].items()},
        garrison_areas=tuple(raw["garrison_areas"]), beachheads=tuple(raw["beachheads"]),
        zones={k: tuple(v) for k, v in raw["zones"].items()},
        release_zones={k: tuple(v) for k, v in raw["release_zones"].items()},
        axis_sources=tuple(raw["axis_sources"]), forced_off_map=raw["forced_off_map"],
        switches={**raw["switches"], **{k: v for k, v in options.items() if k in raw["switches"]}},
        plans={name: _plan(p) for name, p in raw.get("plans", {}).items()},
        free_garrisons=raw.get("free_garrisons", False), victory=raw.get("victory", "areas"),
        sudden_death=raw.get("sudden_death", {}), conditional=raw.get("conditional", False),
        skipped=tuple(raw.get("skipped_phases", ())), revision=raw.get("revision", FIRST_REVISION),
    )


def _plan(raw: Mapping[str, Any]) -> Plan:
    def tuples(name: str) -> dict[str, tuple[str, ...]]:
        return {k: tuple(v) for k, v in raw[name].items()}

    return Plan(
        raw["rule"], tuples("zones"), tuples("release_zones"), tuples("boxes"), tuples("default"), tuple(raw["consecutive"]),
    )
