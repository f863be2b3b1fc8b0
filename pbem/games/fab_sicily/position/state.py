"""What changes during a game.  All of it is JSON values; see :mod:`.apply` for how it changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.games.fab_sicily.position.data import RESERVED, BlockType, Data

GOOD, DISORDERED, RECOVERING = "good", "disordered", "recovering"


@dataclass
class Block:
    """A block in play.  ``area``: a place (see :mod:`.data`); ``shown``: face-up (both sides know it);
    ``card``: the garrison card once revealed, '' before (nobody knows it); ``proven``: 15.3d."""

    id: str
    area: str = RESERVED
    steps: int = 0
    status: str = GOOD
    supplied: bool = True
    reserve: bool = False
    exploit: bool = False
    shown: bool = False
    card: str = ""
    proven: bool = False
    moved: bool = False


@dataclass
class Chit:
    """An asset or event.  ``box``: to-come, cup, available, used, eliminated, conditional (waiting for 16.4 or 17.21), table (in
    effect beside the map: 16.4, 17.11, 17.12, 17.21), or 'map' (then ``area``);
    ``use``: what it does on the map or in a battle ('interdiction', 'roadblock', 'flank', 'battle', 'artillery' …)."""

    id: str
    box: str = RESERVED
    area: str = ""
    use: str = ""


@dataclass
class Entry:
    """How a block came into a contested area in this player turn: from where, over which border ('' if none),
    ``river`` with its bridge ``blown`` or not, or by ``sea`` or ``air``."""

    block: str
    origin: str
    border: str = ""
    river: bool = False
    blown: bool = False
    sea: bool = False
    air: bool = False


@dataclass
class State:
    """A game.  Maps are keyed by area, border or block id.  ``plan``: the landing plan (22.24); ``captured``: what the Allies
    have taken for the first time (16.4, 17.21: 'airfield 18', 'port 5', 'key-area 15'); ``fresh_morale``: the events of 17.21
    played in the Admin Phase that is on."""

    data: Data
    turn: int = 0
    player: str = ""
    phase: str = ""
    blocks: dict[str, Block] = field(default_factory=dict)
    chits: dict[str, Chit] = field(default_factory=dict)
    control: dict[str, str] = field(default_factory=dict)
    unsupplied: dict[str, list[str]] = field(default_factory=lambda: {"allied": [], "axis": []})
    works: dict[str, str] = field(default_factory=dict)
    roadblocks: dict[str, str] = field(default_factory=dict)
    assaults: dict[str, str] = field(default_factory=dict)
    blown: list[str] = field(default_factory=list)
    beachheads: dict[str, str] = field(default_factory=dict)
    port_damage: dict[str, int] = field(default_factory=dict)
    released: list[str] = field(default_factory=list)
    pool: list[str] = field(default_factory=list)
    contested_before: list[str] = field(default_factory=list)
    entries: dict[str, list[Entry]] = field(default_factory=dict)
    crossed: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)
    fought: list[str] = field(default_factory=list)
    battle: str = ""
    strat_moved: list[str] = field(default_factory=list)
    special_left: list[str] = field(default_factory=list)
    flank_used: list[str] = field(default_factory=list)
    seen: dict[str, str] = field(default_factory=dict)
    vp: dict[str, int] = field(default_factory=dict)
    winner: str = ""
    plan: str = ""
    captured: list[str] = field(default_factory=list)
    fresh_morale: list[str] = field(default_factory=list)

    def type(self, block: str) -> BlockType:
        """The printed block."""
        return self.data.blocks[block]

    def zones(self, army: str) -> tuple[str, ...]:
        """14.31, 22.25, 22.26 The zones of an Allied army."""
        plan = self.data.plans.get(self.plan)
        return (plan.zones if plan else self.data.zones).get(army, ())

    def release_zones(self, army: str) -> tuple[str, ...]:
        """14.61 The zones that a released division of the army may enter as well."""
        plan = self.data.plans.get(self.plan)
        return (plan.release_zones if plan else self.data.release_zones).get(army, ())


def new(data: Data) -> State:
    """22.13 The state before set-up: nothing is placed yet."""
    return State(
        data,
        blocks={b: Block(b) for b in data.blocks},
        chits={c: Chit(c) for c in data.chits},
        pool=sorted(data.cards),
    )


ADDED_LATER = ("fresh_morale",)
"""Fields that older games were stored without; they are left out while they are empty, so that those stay as they are."""


def dump(state: State) -> dict[str, Any]:
    """JSON data, without the fixed data; shares nothing with the state."""
    saved = {k: _copy(v) for k, v in vars(state).items() if k not in ("data", "blocks", "chits", "entries")}
    saved = {k: v for k, v in saved.items() if v or k not in ADDED_LATER}
    saved["blocks"] = [dict(vars(b)) for b in state.blocks.values()]
    saved["chits"] = [dict(vars(c)) for c in state.chits.values()]
    saved["entries"] = {a: [dict(vars(e)) for e in es] for a, es in state.entries.items()}
    return saved


def load(data: Data, saved: Mapping[str, Any]) -> State:
    """The state that :func:`dump` wrote (a deep copy: nothing is shared with ``saved``)."""
    plain = {k: _copy(v) for k, v in saved.items() if k not in ("blocks", "chits", "entries")}
    return State(
        data, **plain,
        blocks={b["id"]: Block(**b) for b in saved["blocks"]},
        chits={c["id"]: Chit(**c) for c in saved["chits"]},
        entries={a: [Entry(**e) for e in es] for a, es in saved["entries"].items()},
    )


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _copy(v) for k, v in value.items()}
    return list(value) if isinstance(value, list) else value
