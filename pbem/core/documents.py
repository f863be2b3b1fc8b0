"""What is told to a side, as values: the report, the short form that every mail starts from, the view of the position.

A title makes them from one side's view (:mod:`pbem.games.contract`); templates, mails and the attached JSON use them.  The
fields are the same for all titles, but for what is said to be the title's own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NotRequired, TypedDict

Side = str


class Due(TypedDict):
    """A deadline: ``at`` in UTC (ISO 8601), in the words of the reader's zone, and what happens then."""

    at: str
    zone: str
    text: str
    short: str
    left: str
    missed: NotRequired[str]


class Facts(TypedDict):
    """What a title is told of the game that it reports on.

    ``number``: of the report; ``step``: the step's name; ``head`` and ``seq``: hash and number of the last journal row;
    ``commitment``: sha256 of the seed; ``seed``: '' until the game is over.
    """

    id: str
    number: int
    players: Mapping[Side, str]
    step: str
    deadline: Due | None
    head: str
    seq: int
    commitment: str
    seed: str


class GameId(TypedDict):
    id: str
    number: int
    players: Mapping[Side, str]


class Choice(TypedDict):
    key: str
    label: str


class Wanted(TypedDict):
    """An open question of the side."""

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


class StandingOrder(TypedDict):
    number: int
    text: str
    short: str


class PhaseOrders(TypedDict):
    when: str
    lines: list[str]


class Orders(TypedDict):
    """The side's orders in force."""

    standing: list[StandingOrder]
    phases: list[PhaseOrders]


class Over(TypedDict):
    """How the game ended; ``vp``: victory points by side."""

    winner: str
    text: str
    vp: dict[Side, int]


Severity = Literal["error", "refused", "warning"]
"""Of a line: not understood; understood but not legal (the rule is cited); accepted but odd."""


class Finding(TypedDict):
    """Something wrong with a line that was mailed."""

    severity: Severity
    word: str
    no: int
    text: str
    mark: str
    message: str
    rule: str
    suggestions: list[str]


class Accepted(TypedDict):
    phase: str
    title: NotRequired[str]
    orders: list[str]


class Taken(TypedDict):
    """What became of the mail that a report answers."""

    count: int
    accepted: list[Accepted]
    findings: list[Finding]
    lines: list[str]


class Picture(TypedDict):
    cid: str
    name: str
    alt: str
    around: list[str]


class Face(TypedDict):
    n: int
    hit: bool


class Item(TypedDict):
    """A line of the story; a battle has lines of its own, a shot its dice.  ``result`` of a battle: who has the place after it
    ('attacker-holds', 'defender-holds', 'contested'), '' while it goes on."""

    text: str
    rule: str
    source: str
    tone: str
    area: NotRequired[str]
    attacker: NotRequired[str]
    result: NotRequired[str]
    lines: NotRequired[list[Item]]
    join: NotRequired[str]
    names: NotRequired[list[str]]
    label: NotRequired[str]
    who: NotRequired[str]
    side: NotRequired[str]
    target: NotRequired[int]
    mods: NotRequired[str]
    faces: NotRequired[list[Face]]
    hits: NotRequired[int]


class Phase(TypedDict):
    """What happened in a step."""

    step: str
    title: str
    rule: str
    items: list[Item]


class Roll(TypedDict):
    """A roll that the side may see.  ``told``: the story tells of it."""

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


class Move(TypedDict):
    """A move that the side saw: the places along its way."""

    path: list[str]
    mode: str
    side: Side


class View(TypedDict):
    """All that ``side`` ('': the public) may know of the position.  A title adds its own: places, units, markers; what a map
    shows of them is in :mod:`pbem.reports.maps`."""

    scenario: str
    title: str
    side: str
    turn: int
    turns: int
    player: str
    phase: str
    winner: str
    vp_held: dict[Side, int]


class Brief(TypedDict):
    """What every mail of a game says: who, what is wanted, orders in force, the lines to send back.

    ``order_words``: words that an order line may begin with, so that a line of prose which does is marked.
    """

    ruleset: str
    title: str
    scenario: str
    game: GameId
    occasion: str
    order_words: tuple[str, ...]
    side: Side
    side_name: str
    player: str
    turn: int
    turns: int
    phase: str
    step: str
    deadline: Due | None
    wanted: list[Wanted]
    waiting: str
    orders: Orders
    reply: list[str]
    over: Over | None
    head: str
    seq: int
    show_commitment: bool
    commitment: str
    seed: str


class Report(Brief):
    """A turn report.  ``view`` is the position; ``happened`` the story; ``situation``, ``boxes`` and ``score`` say in words
    what the view says in data, and are the title's own: its templates print them.  ``losses``: by side, what was lost, counted
    in the title's units, in the plural, the one that charts show in front ('steps')."""

    kind: Literal["report", "welcome", "over"]
    headline: str
    news: list[str]
    receipt: Taken | None
    pictures: list[Picture]
    situation: dict[str, Any]
    happened: list[Phase]
    battles: list[Item]
    rolls: list[Roll]
    moves: list[Move]
    losses: dict[Side, dict[str, int]]
    boxes: dict[str, Any]
    score: dict[str, Any]
    view: View
    deadline_off: NotRequired[Due]
    dice_note: NotRequired[str]
    """How the dice of the battles are printed, for who reads them."""


class Piece(TypedDict):
    """A counter on a map of hexes, as a title shows it.  ``place``: a hex or a box off the map; ``known``: False for one of
    which only the side is known; ``symbol``: of the arm ('inf', 'arm', 'mech', 'para', 'mtn', 'art', 'sp', 'at', 'recon',
    'eng', 'hq', 'supply', 'air', 'sea' or ''); ``size``: 'XX'; ``numbers``: what the counter says below, '5-6-4';
    ``nation``: whose colours it has; ``badges``: keys of the style's badges."""

    place: str
    side: Side
    known: bool
    label: str
    symbol: str
    size: str
    numbers: str
    nation: str
    badges: list[str]


class Sign(TypedDict):
    """A marker in words beside a hex; ``side``: in whose colour ('' for neither's)."""

    place: str
    words: str
    side: Side


class OnMap(TypedDict):
    """What stands on a map of hexes.  ``control``: hexes that are marked as a side's; ``flags``: places that have a flag;
    ``boxes``: names of the boxes off the map."""

    pieces: list[Piece]
    control: Mapping[str, Side]
    flags: Mapping[str, Side]
    signs: list[Sign]
    boxes: Mapping[str, str]
