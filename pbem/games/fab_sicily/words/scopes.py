"""Which phase an order line is for: scopes are step names ('2 allied movement')."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from pbem.core.stage import Stage
from pbem.games.fab_sicily.words.asks import ASKED, CATALOGUE, acts
from pbem.games.fab_sicily.position.data import ALLIED, AXIS
from pbem.games.fab_sicily.rules.sequence import SETUP, TURN, position
from pbem.games.fab_sicily.words.verbs import PHASE_WORDS, SIDE_WORDS
from pbem.orders.lexicon import Entry, Lexicon

PHASES = Lexicon("phase", [Entry(p, p, words) for p, words in PHASE_WORDS.items()])

LONGEST_NUMBER = 9
"""Digits of a turn that is read as a number at all."""

AHEAD = 2
"""Turns, this one included, in which the next phase of a name is looked for."""


def steps_from(step: str, skipped: Sequence[str] = (), ahead: int = AHEAD) -> Iterator[str]:
    """The steps from ``step`` on, itself first, without those that the scenario leaves out (22.27)."""
    if step == SETUP:
        yield SETUP
    turn, index = position(step) if step != SETUP else (1, 0)
    for t in range(turn, turn + ahead):
        for name in TURN[index if t == turn else 0 :]:
            if f"{t} {name}" not in skipped:
                yield f"{t} {name}"


def half(step: str) -> tuple[int, str]:
    """The player turn that a step belongs to; set-up and reinforcement count to the first, the victory check to the second."""
    if step == SETUP:
        return (1, ALLIED)
    stage = Stage.parse(step)
    return (stage.turn, stage.side or (ALLIED if stage.name == TURN[0] else AXIS))


def phase_of(step: str) -> str:
    """'movement' of '2 allied movement'."""
    return Stage.parse(step).phase


def find(side: str, start: str, kinds: Iterable[str], skipped: Sequence[str] = ()) -> str:
    """The first step of the player turn of ``start``, from there on, that asks ``side`` one of ``kinds``; '' if none."""
    wanted = tuple(kinds)
    here = takewhile(lambda step: half(step) == half(start), steps_from(start, skipped))
    return next((step for step in here if any(ASKED[k] and acts(side, step, k) for k in wanted)), "")


def find_battle(start: str, dropped: bool) -> str:
    """The next Combat or Breakthrough Combat Phase of the player turn, or, where airborne units ``dropped``, the drop
    that is being played; a drop or a flank invasion yet to come is planned under ``phase``."""
    if phase_of(start) == "drop" and dropped:
        return start
    here = takewhile(lambda step: half(step) == half(start), steps_from(start))
    return next((step for step in here if phase_of(step) in ("combat", "breakthrough-combat")), "")


def asks_of(side: str, step: str) -> tuple[str, ...]:
    """All kinds that may be asked of ``side`` in a step."""
    return tuple(k.name for k in CATALOGUE.kinds if acts(side, step, k.name))


def order_kinds(side: str, step: str) -> tuple[str, ...]:
    """The kinds by which ``side`` orders a step action by action."""
    return tuple(k for k in asks_of(side, step) if CATALOGUE[k].phase_orders)


def read(words: Sequence[str], side: str, start: str, skipped: Sequence[str] = ()) -> str:
    """The step that '2 allied move', 'axis combat' or 'reaction' means to ``side``; '' if there is none.

    Without turn and side it is the next phase of that name in which the side has something to order.
    """
    turn, player, rest = "", "", list(words)
    if rest and rest[0] == "turn":
        rest.pop(0)
    if rest and rest[0].isdecimal() and len(rest[0]) <= LONGEST_NUMBER:
        turn = str(int(rest.pop(0)))
    for name, spoken in SIDE_WORDS.items():
        if rest and rest[0] in spoken:
            player = name
            rest.pop(0)
    if rest and rest[-1] in ("phase", "phases"):
        rest.pop()
    found = PHASES.find_words(rest)
    if len(found) != 1:
        return ""
    return _match(found[0].id, turn, player, side, start, skipped)


def _match(phase: str, turn: str, player: str, side: str, start: str, skipped: Sequence[str]) -> str:
    names = {phase, "counter-admin"} if phase == "admin" and not player else {phase}
    if turn:
        steps = [s for s in (SETUP, *(f"{turn} {name}" for name in TURN)) if s not in skipped]
    else:
        steps = list(steps_from(start, skipped))
    for step in steps:
        owner = Stage.parse(step).side
        if phase_of(step) not in names or (owner and player not in ("", owner)):
            continue
        if player or (turn and not owner) or _has_orders(side, step):
            return step
    return ""


def _has_orders(side: str, step: str) -> bool:
    """Whether the side orders something there: actions of its own, or its part in battles."""
    return any(ASKED[k] for k in order_kinds(side, step)) or acts(side, step, "loss") and phase_of(step) != "admin"
