"""Everything that can happen, as frozen values.  Prose is made from them in the templates only.

``unit`` is a unit id, ``hex`` a hex number, ``place`` a hex or box, ``side`` 'allied' or 'axis', ``rule`` the rule that made it
happen.  Only :class:`Bid` is secret, until :class:`BidsOpened`.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit.events import Registry


@dataclass(frozen=True)
class PhaseBegan:
    """3.0 A phase or impulse begins; ``side`` is '' in the phases of both."""

    turn: int
    side: str
    phase: str


@dataclass(frozen=True)
class Placed:
    """A unit is put somewhere without moving there."""

    unit: str
    place: str
    rule: str
    target: str = ""


@dataclass(frozen=True)
class Moved:
    """A unit moved.  ``path``: the places passed, start first; ``mode``: 'operation', 'reaction', 'retreat', 'advance',
    'breakthrough', 'bonus', 'landing'; ``cost`` in movement points."""

    unit: str
    path: tuple[str, ...]
    mode: str
    cost: int
    rule: str


@dataclass(frozen=True)
class Marked:
    """A unit gets (or with ``on`` False loses) a marker."""

    unit: str
    mark: str
    on: bool
    rule: str


@dataclass(frozen=True)
class Fatigued:
    """6.25 An HQ's fatigue becomes ``level``: 0, 1 (its back) or 2 (Ops Comp)."""

    unit: str
    level: int
    rule: str


@dataclass(frozen=True)
class StepsLost:
    """8.56 An HQ or asset has lost ``steps`` more steps (fewer, below 0: refit)."""

    unit: str
    steps: int
    rule: str


@dataclass(frozen=True)
class Eliminated:
    """A unit leaves play."""

    unit: str
    rule: str


@dataclass(frozen=True)
class Points:
    """A track moves by ``change``.  ``track``: 'cp', 'support', 'ip', 'rp', 'spoil', 'gunnery', 'sealift', 'tactical'."""

    track: str
    side: str
    change: int
    rule: str


@dataclass(frozen=True)
class Bid:
    """5.31 A sealed bid."""

    side: str
    points: int


@dataclass(frozen=True)
class BidsOpened:
    """5.31 Both bids are open; ``side`` has the initiative."""

    side: str
    allied: int
    axis: int


@dataclass(frozen=True)
class TrackSet:
    """6.1 The operations track marker stands in position ``position`` (0: off it), in impulse number ``impulse``."""

    position: int
    impulse: int


@dataclass(frozen=True)
class TimeSet:
    """6.14 The time marker stands in a box."""

    box: int
    rule: str


@dataclass(frozen=True)
class Declared:
    """6.22 An operation is declared; ``corps``: the corps that directs it, or ''."""

    side: str
    operation: str
    units: tuple[str, ...]
    corps: str


@dataclass(frozen=True)
class FightBegan:
    """8.2 An attack on ``hex`` with ``units``."""

    hex: str
    side: str
    units: tuple[str, ...]
    operation: str


@dataclass(frozen=True)
class Supported:
    """8.3 What one side adds to a fight: tactical ratings, artillery, support points, gunnery."""

    hex: str
    side: str
    tactical: int
    artillery: int
    points: int
    gunnery: int


@dataclass(frozen=True)
class FightResolved:
    """8.23 ``ratio`` 'a:d' of the strengths; ``column`` 10 to 1; ``row``: the modified die; ``result`` as in the table."""

    hex: str
    attack: int
    defence: int
    code: int
    column: int
    mods: tuple[tuple[str, int], ...]
    die: int
    row: int
    result: str


@dataclass(frozen=True)
class Barraged:
    """8.1 A barrage: its strength, the modified die and the number (or '0', or '')."""

    hex: str
    side: str
    strength: int
    row: int
    result: str


@dataclass(frozen=True)
class LandingResolved:
    """10.7 An invasion assault on a coastal hex."""

    hex: str
    strength: int
    defence: int
    die: int
    result: str


@dataclass(frozen=True)
class CounterResolved:
    """10.81 An invasion counterattack on a coastal hex."""

    hex: str
    difference: int
    die: int
    result: str


@dataclass(frozen=True)
class MoraleChecked:
    """8.53 A morale check of units with one rating."""

    units: tuple[str, ...]
    target: int
    roll: int
    passed: bool


@dataclass(frozen=True)
class Marker:
    """A marker on the map: 'beachhead', 'port', 'breakthrough', 'hits', 'delay', 'damage'; ``value`` 0 takes it off."""

    kind: str
    hex: str
    value: int
    side: str
    rule: str


@dataclass(frozen=True)
class Boosted:
    """5.49 An army HQ adds its ratings to a corps for the turn ('' : it operates by itself)."""

    army: str
    corps: str


@dataclass(frozen=True)
class Evacuation:
    """Victory Conditions: the Axis declares the evacuation of Southern Italy."""

    roll: int


@dataclass(frozen=True)
class Refitted:
    """9.31 A side has carried out its refitting operation of the turn."""

    side: str


@dataclass(frozen=True)
class GameEnded:
    """Victory Conditions."""

    points: int
    level: str
    winner: str


Event = (
    PhaseBegan | Placed | Moved | Marked | Fatigued | StepsLost | Eliminated | Points | Bid | BidsOpened | TrackSet | TimeSet
    | Declared | FightBegan | Supported | FightResolved | Barraged | LandingResolved | CounterResolved | MoraleChecked | Marker
    | Boosted | Evacuation | Refitted | GameEnded
)

REGISTRY: Registry[Event] = Registry(Event.__args__)
TYPES = REGISTRY.types
to_data, from_data = REGISTRY.to_data, REGISTRY.from_data
