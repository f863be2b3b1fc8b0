"""The report as data for programs: what the attached JSON holds.  ``report.schema.json`` beside this file is made from it
(``python -m pbem.reports.schema``), for tools in other languages.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

import msgspec

FORMAT, VERSION = "pbem-report", 1
FILE = Path(__file__).with_name("report.schema.json")
PRINTED_ONLY = ("order_words", "deadline_off")
"""Parts of a view that only the templates need."""

Side = str


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    """An object with these fields and no others."""


class Open(msgspec.Struct):
    """An object of the position: it has these fields, and may have more that its title needs."""


class Game(Strict):
    id: str
    number: int
    players: dict[Side, str]


class Deadline(Strict):
    at: str
    zone: str
    text: str
    short: str
    left: str
    missed: str = "defaults"


class Choice(Strict):
    key: str
    label: str


class Wanted(Strict):
    number: int
    id: str
    kind: str
    rule: str
    title: str
    place: str
    heading: str
    prompt: str
    facts: list[str]
    phase: str
    many: bool
    how: str
    choices: list[str]
    more: int
    labels: list[Choice]
    default: str
    default_words: str
    example: str


class Standing(Strict):
    number: int
    text: str
    short: str


class PhaseOrders(Strict):
    when: str
    lines: list[str]


class Orders(Strict):
    standing: list[Standing]
    phases: list[PhaseOrders]


class Over(Strict):
    winner: str
    text: str
    vp: dict[Side, int]


class Finding(Strict):
    severity: Literal["error", "refused", "warning"]
    word: str
    no: int
    text: str
    mark: str
    message: str
    rule: str
    suggestions: list[str]


class Accepted(Strict):
    phase: str
    title: str
    orders: list[str]


class Taken(Strict):
    count: int
    accepted: list[Accepted]
    findings: list[Finding]
    lines: list[str]


class Picture(Strict):
    cid: str
    name: str
    alt: str
    around: list[str]


class Face(Strict):
    n: int
    hit: bool


class Item(Strict, omit_defaults=True):
    """A line of the story; a battle has lines of its own, a shot its dice."""

    text: str
    rule: str
    source: str
    tone: str
    area: str = ""
    attacker: str = ""
    result: str = ""
    lines: list[Item] = []
    join: str = ""
    names: list[str] = []
    label: str = ""
    who: str = ""
    side: str = ""
    target: int = 0
    mods: str = ""
    faces: list[Face] = []
    hits: int = 0


class Phase(Strict):
    step: str
    title: str
    rule: str
    items: list[Item]


class Roll(Strict):
    seq: int
    step: str
    side: str
    rule: str
    text: str
    purpose: str
    faces: list[int]
    sides: int
    target: int | None
    mods: list[tuple[str, int]]
    told: bool


class Move(Strict):
    path: list[str]
    mode: str
    side: Side


class Losses(Strict):
    steps: int
    blocks: int


class Block(Open):
    """A block; of one that is not known only the first seven fields are there."""

    known: bool
    side: Side
    status: Literal["good", "disordered", "recovering"]
    supplied: bool
    reserve: bool
    exploit: bool
    garrison: bool
    id: str = ""
    name: str = ""
    nation: str = ""
    army: str = ""
    division: str = ""
    cls: str = ""
    symbol: str = ""
    motorized: bool = False
    airborne: bool = False
    turn: Any = None
    shown: bool = False
    steps: int | None = None
    full: int | None = None
    quality: str = ""


class Chit(Open):
    id: str
    name: str
    side: Side
    kind: str
    army: str
    nation: str
    division: str
    cls: str
    quality: str
    event: Any
    turn: Any
    area: str
    use: str


class Area(Open):
    id: str
    name: str
    zones: list[str]
    coastal: bool
    tdn: int
    landing: str | list[str]
    port: str
    airfield: bool
    vp: int
    lat: float
    lon: float
    control: str
    contested: bool
    unsupplied: list[Side]
    works: str
    roadblock: str
    assault: str
    blocks: dict[Side, list[Block]]
    assets: list[Chit]


class Border(Open):
    a: str
    b: str
    id: str
    road: Any
    river: str
    restricted: bool
    blown: bool


class Box(Open):
    id: str
    name: str
    area: str
    kind: str
    status: str
    damage: int
    blocks: dict[Side, list[Block]]


class Lost(Open):
    id: str
    name: str
    how: str
    nation: str


class View(Open):
    """All that the side may know of the position."""

    scenario: str
    title: str
    side: str
    turn: int
    turns: int
    player: str
    phase: str
    winner: str
    areas: list[Area]
    borders: list[Border]
    boxes: list[Box]
    chits: dict[Side, dict[str, list[Chit]]]
    eliminated: dict[Side, list[Lost]]
    to_come: list[Block]
    released: list[str]
    strat_moved: list[str]
    vp: dict[Side, int]
    vp_held: dict[Side, int]


class Report(Strict):
    """A turn report.  ``view`` is the position; ``happened`` the story; ``situation``, ``boxes`` and ``score`` say in words
    what the view says in data."""

    format: Literal["pbem-report"]
    version: Literal[1]
    kind: Literal["report", "welcome", "over"]
    ruleset: str
    title: str
    scenario: str
    game: Game
    occasion: str
    side: Side
    side_name: str
    player: str
    turn: int
    turns: int
    phase: str
    step: str
    headline: str
    news: list[str]
    deadline: Deadline | None
    wanted: list[Wanted]
    waiting: str
    receipt: Taken | None
    orders: Orders
    reply: list[str]
    over: Over | None
    head: str
    seq: int
    show_commitment: bool
    commitment: str
    seed: str
    pictures: list[Picture]
    happened: list[Phase]
    battles: list[Item]
    rolls: list[Roll]
    moves: list[Move]
    losses: dict[Side, Losses]
    situation: dict[str, Any]
    boxes: dict[str, Any]
    score: dict[str, Any]
    view: View


def data(doc: Mapping[str, Any]) -> dict[str, Any]:
    """A report's view as the data that are attached."""
    return {"format": FORMAT, "version": VERSION, **{k: v for k, v in doc.items() if k not in PRINTED_ONLY}}


def check(raw: bytes) -> Report:
    """The report in a JSON text; ``msgspec.ValidationError`` names the place that is not as it should be."""
    return msgspec.json.decode(raw, type=Report)


def written() -> str:
    """The JSON Schema of a report."""
    return json.dumps(msgspec.json.schema(Report), indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
