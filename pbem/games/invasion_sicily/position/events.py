"""Everything that can happen, as frozen values.  Prose is made from them in the templates only.

``unit`` is a unit id, ``hex`` a hex number, ``place`` a hex or box, ``side`` 'allied' or 'axis', ``rule`` the rule that made it
happen.  Only :class:`PlanSet`, :class:`BeachPlanned` and :class:`BoxMoved` are secret (13.1.2): all else lies open on the map.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pbem.kit.events import Registry


@dataclass(frozen=True)
class PhaseBegan:
    """4.0 A phase begins; ``player`` is '' in the segments of both players."""

    turn: int
    player: str
    phase: str


@dataclass(frozen=True)
class Placed:
    """A unit comes into play or is put somewhere without moving there."""

    unit: str
    place: str
    rule: str
    reduced: bool = False


@dataclass(frozen=True)
class Moved:
    """A unit moved.  ``path``: the places passed, start first; ``mode``: 'movement', 'motorized', 'reaction', 'refusal',
    'retreat', 'advance', 'landing', 'sea', 'air', 'drop', 'evacuation', 'follow-up'; ``cost`` in half movement points."""

    unit: str
    path: tuple[str, ...]
    mode: str
    cost: int
    rule: str


@dataclass(frozen=True)
class BoxMoved:
    """A unit is moved from one Allied box to another (13.1.4, 13.1.5)."""

    unit: str
    place: str
    rule: str


@dataclass(frozen=True)
class Embarked:
    """13.2.1 A unit is put on an invasion hex (or a commando on another sea hex) to land at ``target``."""

    unit: str
    hex: str
    target: str
    rule: str


@dataclass(frozen=True)
class BeachPlanned:
    """13.2.1 The invasion hex that a unit will be put on; '' for none."""

    unit: str
    beach: str


@dataclass(frozen=True)
class Limited:
    """13.2.3, 13.4.4 What a landed unit may still move in this phase, in half movement points (-1: no limit)."""

    unit: str
    left: int
    rule: str


@dataclass(frozen=True)
class Marked:
    """A unit gets (or with ``on`` False loses) a marker: 'unsupplied', 'disrupted', 'fired' and others (see :mod:`.state`)."""

    unit: str
    mark: str
    on: bool
    rule: str


@dataclass(frozen=True)
class StepLost:
    """3.8.2 A unit is turned to its reduced side."""

    unit: str
    rule: str


@dataclass(frozen=True)
class StepGained:
    """15.2.2 A reduced unit is full again."""

    unit: str
    rule: str


@dataclass(frozen=True)
class Eliminated:
    """3.8.2 A unit leaves play."""

    unit: str
    rule: str


@dataclass(frozen=True)
class Revealed:
    """14.1.3, 15.3.1 An untried piece turns out to be ``card``."""

    unit: str
    card: str
    rule: str


@dataclass(frozen=True)
class Turned:
    """6.1.3 A Beach unit is turned to its Port side (``port``) or back."""

    unit: str
    port: bool
    rule: str


@dataclass(frozen=True)
class Controlled:
    """3.2 Hexes change hands."""

    side: str
    hexes: tuple[str, ...]


@dataclass(frozen=True)
class Declared:
    """8.1 An attack on ``hex`` is declared with ``units``."""

    hex: str
    units: tuple[str, ...]
    rule: str


@dataclass(frozen=True)
class CalledOff:
    """8.2.2 A declared attack finds nobody to attack."""

    hex: str
    rule: str


@dataclass(frozen=True)
class Refused:
    """8.2 The defenders of ``hex`` try to refuse combat."""

    hex: str
    passed: bool


@dataclass(frozen=True)
class CombatBegan:
    """9.4 A declared attack on ``hex`` is resolved; ``counter``: it is a counterattack (9.8)."""

    hex: str
    side: str
    lead: str
    units: tuple[str, ...]
    counter: bool


@dataclass(frozen=True)
class StrengthTold:
    """9.4 I, II What one side puts into a combat: its own strength, and what of the support counts."""

    hex: str
    side: str
    strength: int
    support: int


@dataclass(frozen=True)
class CombatResolved:
    """9.4 VII ``column``: the odds column used, ``result`` as in the table, ``mods``: the die roll modifiers (what, value)."""

    hex: str
    attack: int
    defence: int
    column: str
    mods: tuple[tuple[str, int], ...]
    die: int
    row: int
    result: str


@dataclass(frozen=True)
class CombatEnded:
    """9.0 ``held``: whether the defenders still hold the hex."""

    hex: str
    held: bool


@dataclass(frozen=True)
class StoodFast:
    """9.6.7 No Retreat is tried."""

    hex: str
    side: str
    passed: bool


@dataclass(frozen=True)
class WeatherSet:
    """3.7 The weather of the turn."""

    weather: str
    storm: bool


@dataclass(frozen=True)
class ReadinessSet:
    """11.1, 12.1, 11.4 Support points of the turn, and whether the Axis air zone still exists."""

    allied_air: int
    axis_air: int
    naval: int
    axis_zone: bool


@dataclass(frozen=True)
class Spent:
    """Support points are used; ``kind``: 'air' or 'naval'; ``use``: 'support', 'interdiction', 'counter', 'rome', 'lost'."""

    side: str
    kind: str
    points: int
    use: str


@dataclass(frozen=True)
class Interdicted:
    """11.2, 12.2 Points on interdiction for the turn; ``counter``: Axis air against it (11.2.4)."""

    air: int
    naval: int
    counter: int


@dataclass(frozen=True)
class ReplacementsChanged:
    """15.1.2 Replacement points gained or used."""

    side: str
    points: int
    rule: str


@dataclass(frozen=True)
class Scored:
    """17.0 Victory points of the Allies that are settled at once; ``what``: 'axis-zone', 'elite-lead', 'reserve' …"""

    what: str
    points: int
    rule: str


@dataclass(frozen=True)
class StrongpointSet:
    """16.1, 16.2.6 A strongpoint is built or destroyed."""

    hex: str
    built: bool


@dataclass(frozen=True)
class DemolitionSet:
    """5.5.6, 5.5.3e The demolition points on a port, all told."""

    hex: str
    points: int


@dataclass(frozen=True)
class RomeBombed:
    """14.3.2 The Allies declare that they bomb Rome."""


@dataclass(frozen=True)
class MussoliniRolled:
    """14.3 ``result``: 'falls', 'revival' or 'none'; ``bombed``: Rome was bombed for it."""

    result: str
    bombed: bool


@dataclass(frozen=True)
class EvacuationDeclared:
    """13.6.1 The Axis gives Sicily up."""


@dataclass(frozen=True)
class PlanSet:
    """13.1.2 An invasion marker is put on a later turn, or (turn 0) taken away.  Secret."""

    turn: int
    code: str


@dataclass(frozen=True)
class OperationBegan:
    """13.1 The marker is turned over: the operation is carried out this turn."""

    code: str


@dataclass(frozen=True)
class OperationDelayed:
    """13.1.2 A Storm puts the operation off by a turn."""

    code: str
    turn: int


@dataclass(frozen=True)
class PortsGrown:
    """5.5.3g The two large Port units are turned to their better side."""


@dataclass(frozen=True)
class TransportUsed:
    """12.3, 11.3 Transport used in this phase; ``what`` names the limit (see :mod:`..rules.transport`)."""

    what: str
    amount: int


@dataclass(frozen=True)
class SeaLoss:
    """12.3.5d What became of a unit at sea: 'arrives', 'stays', 'step', 'eliminated'."""

    unit: str
    result: str


@dataclass(frozen=True)
class AirResult:
    """11.3.2 What became of a unit in the air: 'lands', 'disrupted' …"""

    unit: str
    result: str


@dataclass(frozen=True)
class TurnEnded:
    """4 D4 The state of the score at the end of a turn."""

    points: int


@dataclass(frozen=True)
class GameEnded:
    """17.0 The game is over."""

    winner: str
    level: str
    points: int


@dataclass(frozen=True)
class Adjusted:
    """A correction by the referee: ``what`` in words, ``change`` as data."""

    what: str
    kind: str
    key: str
    value: str


Event = Any

REGISTRY: Registry[Event] = Registry((
    PhaseBegan, Placed, Moved, BoxMoved, Embarked, BeachPlanned, Limited, Marked, StepLost, StepGained, Eliminated, Revealed,
    Turned, Controlled, Declared, CalledOff, Refused, CombatBegan, StrengthTold, CombatResolved, CombatEnded, StoodFast,
    WeatherSet, ReadinessSet, Spent, Interdicted, ReplacementsChanged, Scored, StrongpointSet, DemolitionSet, RomeBombed,
    MussoliniRolled, EvacuationDeclared, PlanSet, OperationBegan, OperationDelayed, PortsGrown, TransportUsed, SeaLoss,
    AirResult, TurnEnded, GameEnded, Adjusted,
))
TYPES = REGISTRY.types
to_data, from_data = REGISTRY.to_data, REGISTRY.from_data
