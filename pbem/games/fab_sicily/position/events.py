"""Everything that can happen, as frozen values.  Prose is made from them in the templates only.

``block`` is a block id, ``area`` a place, ``side`` 'allied' or 'axis', ``rule`` the rule that made it
happen.  :data:`SECRET` says which fields the other side may not see while the block is face-away.
"""

from __future__ import annotations

from dataclasses import dataclass

from pbem.kit.events import Registry

BY_PORT = "port"
"""14.26 How a block moves that has landed by a port: it may still act in the phase."""


@dataclass(frozen=True)
class PhaseBegan:
    """3.0 A phase of a player turn (or 'reinforcement', 'victory' with player '').  ``contested``: the
    areas contested as it begins (2.4, newly contested areas are judged against it)."""

    turn: int
    player: str
    phase: str
    contested: tuple[str, ...]


@dataclass(frozen=True)
class Placed:
    """A block is put somewhere (set-up, 4.1c arrival, 14.27a drop)."""

    block: str
    area: str
    steps: int
    rule: str


@dataclass(frozen=True)
class Delayed:
    """4.1c, 14.24b A block that was to arrive finds no entry open and waits for the next turn."""

    block: str
    rule: str


@dataclass(frozen=True)
class Moved:
    """A block moved.  ``path``: the places passed, start first; ``mode``: 'operational', 'strategic',
    'reaction', 'breakthrough', 'exploitation', 'retreat', 'reinforce', 'landing', 'at-sea', 'sea-retreat', 'evacuation',
    or :data:`BY_PORT`."""

    block: str
    path: tuple[str, ...]
    mode: str
    cost: int
    rule: str


@dataclass(frozen=True)
class Entered:
    """A block came into a contested area (5.35c, 5.35e, 14.27 depend on how)."""

    block: str
    area: str
    origin: str
    border: str
    river: bool
    blown: bool
    sea: bool
    air: bool


@dataclass(frozen=True)
class Dug:
    """5.23 A unit spent its whole allowance on field works (their marker is another event)."""

    block: str


@dataclass(frozen=True)
class Halted:
    """5.35d A unit gave up crossing a bridge that was blown before it, and moves no further."""

    block: str
    border: str


@dataclass(frozen=True)
class BridgeTried:
    """5.35d The other side had its one try at this bridge this phase."""

    border: str


@dataclass(frozen=True)
class BridgeBlown:
    """A bridge is down (4.31, 5.35d) or, with ``blown`` False, up again (4.32)."""

    border: str
    blown: bool
    side: str
    rule: str


@dataclass(frozen=True)
class Identified:
    """15.3 A face-down garrison turns out to be ``card``; ``steps`` are its steps."""

    block: str
    card: str
    steps: int


@dataclass(frozen=True)
class Shown:
    """A block is turned face-up to both sides (``shown``) or stood up again."""

    block: str
    shown: bool
    rule: str


@dataclass(frozen=True)
class Seen:
    """8.32 One enemy block is shown to ``side`` alone until the end of the Admin Phase; '' ends it."""

    block: str
    side: str


@dataclass(frozen=True)
class StatusSet:
    """6.5 A block becomes 'good', 'disordered' or 'recovering'."""

    block: str
    status: str
    rule: str


@dataclass(frozen=True)
class SupplySet:
    """9.32 A block is supplied or not."""

    block: str
    supplied: bool


@dataclass(frozen=True)
class AreasUnsupplied:
    """9.32 The areas ``side`` controls that cannot trace supply (all of them, replacing the last list)."""

    side: str
    areas: tuple[str, ...]


@dataclass(frozen=True)
class Reserve:
    """5.21 A reserve marker is put on a block, or taken off."""

    block: str
    on: bool
    rule: str


@dataclass(frozen=True)
class Exploit:
    """6.8 An exploitation marker is put on a block, or taken off."""

    block: str
    on: bool
    rule: str


@dataclass(frozen=True)
class StepLost:
    """6.43 A block loses one step (and stays in play)."""

    block: str
    rule: str


@dataclass(frozen=True)
class StepGained:
    """8.26, 8.31, 17.24 A block gains one step."""

    block: str
    rule: str


@dataclass(frozen=True)
class Eliminated:
    """A block is removed.  ``how``: 'losses', 'surrender', 'overstacked', 'no-drop', 'off-map', 'unsupplied-green'."""

    block: str
    how: str
    rule: str


@dataclass(frozen=True)
class Proven:
    """15.3d A garrison survived the round that revealed it: it is a veteran unit from now on."""

    block: str


@dataclass(frozen=True)
class Drawn:
    """4.2a Chits drawn from the cup into the Available Box, in the order drawn."""

    side: str
    chits: tuple[str, ...]


@dataclass(frozen=True)
class ChitMoved:
    """An asset or event changes box: 'cup', 'available', 'used', 'eliminated', or 'map' at ``area`` for ``use``."""

    chit: str
    box: str
    area: str
    use: str
    rule: str


@dataclass(frozen=True)
class Works:
    """5.23 Field works of ``side`` are built in an area, or removed."""

    area: str
    side: str
    on: bool
    rule: str


@dataclass(frozen=True)
class Roadblock:
    """4.34 A roadblock of ``side`` is set, or removed."""

    area: str
    side: str
    on: bool
    rule: str


@dataclass(frozen=True)
class AssaultMarked:
    """5.35e, 14.27 A River Assault marker is set; ``kind``: 'river', 'beach', 'airborne', or '' to remove it."""

    area: str
    kind: str
    rule: str


@dataclass(frozen=True)
class ControlSet:
    """2.4 An area changes hands (or is set up)."""

    area: str
    side: str


@dataclass(frozen=True)
class BeachheadSet:
    """14.22 A landing box holds a beachhead ('in-play'), or it is 'captured' (14.27b) or 'destroyed' (14.22)."""

    box: str
    status: str
    rule: str


@dataclass(frozen=True)
class PortDamaged:
    """14.51 A port's damage level is now ``level`` (0 to 2)."""

    box: str
    level: int
    rule: str


@dataclass(frozen=True)
class Released:
    """14.61 A division (or brigade) may leave its army's zone; ``division`` is its id."""

    division: str
    rule: str


@dataclass(frozen=True)
class StratMoved:
    """14.8 The one strategic move of ``army`` in this turn is made."""

    army: str


@dataclass(frozen=True)
class SpecialKept:
    """4.1a The reusable Special Action of ``side`` was left over in the last turn."""

    side: str
    on: bool


@dataclass(frozen=True)
class FlankUsed:
    """16.23, 17.22 A flank invasion asset has been used as an event."""

    chit: str


@dataclass(frozen=True)
class BattleBegan:
    """6.2 A combat round begins.  ``attacker`` is the phasing side; ``breakthrough``: 7.4."""

    area: str
    attacker: str
    breakthrough: bool
    newly: bool


@dataclass(frozen=True)
class AssetCommitted:
    """6.22, 6.23 An asset joins a battle; ``use``: 'artillery', 'battle', 'air', 'shock', 'event'."""

    area: str
    side: str
    chit: str
    use: str


@dataclass(frozen=True)
class PointUnits:
    """6.24 Both point units, told when both are chosen ('' if a side has none)."""

    area: str
    defender: str
    attacker: str


@dataclass(frozen=True)
class Fired:
    """6.25 to 6.28 One firer's dice against a target.  ``part``: 'attacking-artillery',
    'defending-artillery', 'defensive-fire', 'offensive-fire'; ``hits`` of ``dice``."""

    area: str
    part: str
    side: str
    firer: str
    target: int
    mods: tuple[tuple[str, int], ...]
    faces: tuple[int, ...]
    hits: int


@dataclass(frozen=True)
class HitAbsorbed:
    """6.41, 6.42 How one hit was taken.  ``how``: 'field-works', 'disorder', 'retreat', 'abort', 'lost', 'unapplied'."""

    area: str
    side: str
    how: str
    who: str
    rule: str


@dataclass(frozen=True)
class Aborted:
    """6.41b The attacker breaks the attack off; ``ignored`` hits are ignored."""

    area: str
    ignored: int


@dataclass(frozen=True)
class RetreatedBefore:
    """8.24 The defender retreated by Special Action."""

    area: str


@dataclass(frozen=True)
class BattleEnded:
    """6.29 ``result``: 'contested', 'attacker-holds', 'defender-holds', 'empty'."""

    area: str
    result: str


@dataclass(frozen=True)
class MoraleChecked:
    """6.7 A block (or asset) made a morale check."""

    block: str
    passed: bool
    purpose: str
    rule: str


@dataclass(frozen=True)
class PlanChosen:
    """22.24 The landing plan, told with the beachheads."""

    plan: str
    rule: str


@dataclass(frozen=True)
class Captured:
    """16.4, 17.21 The Allies take an 'airfield', a 'port' or a 'key-area' for the first time."""

    what: str
    area: str
    rule: str


@dataclass(frozen=True)
class Adjusted:
    """The referee corrects the position: ``what`` (see :data:`.adjusting.FORMS`) of a ``block``, or of another ``piece`` (chit,
    area, border, port box), is ``value`` from now on."""

    what: str
    block: str
    piece: str
    value: str


@dataclass(frozen=True)
class Scored:
    """22.17, 19.3 Victory points of both sides, and the areas that gave them."""

    allied: int
    axis: int
    areas: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True)
class Won:
    """The game is over; ``side`` 'allied', 'axis' or 'draw'."""

    side: str
    by: str
    rule: str


Event = (
    PhaseBegan | Placed | Delayed | Moved | Entered | Dug | Halted | BridgeTried | BridgeBlown | Identified | Shown | Seen
    | StatusSet | SupplySet | AreasUnsupplied | Reserve | Exploit | StepLost | StepGained | Eliminated | Proven | Drawn
    | ChitMoved | Works | Roadblock
    | AssaultMarked | ControlSet | BeachheadSet | PortDamaged | Released | StratMoved | SpecialKept | FlankUsed | BattleBegan
    | AssetCommitted | PointUnits | Fired | HitAbsorbed | Aborted | RetreatedBefore | BattleEnded | MoraleChecked
    | PlanChosen | Captured | Scored | Won
    | Adjusted
)

REGISTRY: Registry[Event] = Registry(Event.__args__)
TYPES = REGISTRY.types
to_data, from_data = REGISTRY.to_data, REGISTRY.from_data
