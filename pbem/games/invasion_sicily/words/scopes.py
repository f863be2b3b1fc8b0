"""Which phase an order line is for: scopes are step names ('2 allied movement')."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from pbem.core.stage import Stage
from pbem.games.invasion_sicily.rules.sequence import TURN, player_turn, position
from pbem.games.invasion_sicily.words.asks import ASKED, CATALOGUE, acts
from pbem.games.invasion_sicily.words.verbs import PHASE_WORDS, SIDE_WORDS
from pbem.orders.lexicon import Entry, Lexicon

PHASES = Lexicon("phase", [Entry(p, p, words) for p, words in PHASE_WORDS.items()])

LONGEST_NUMBER = 9
"""Digits of a turn that is read as a number at all."""

AHEAD = 2
"""Turns, this one included, in which the next phase of a name is looked for."""


def steps_from(step: str, ahead: int = AHEAD) -> Iterator[str]:
    """The steps from ``step`` on, itself first."""
    turn, index = position(step)
    for t in range(turn, turn + ahead):
        for name in TURN[index if t == turn else 0 :]:
            yield f"{t} {name}"


def phase_of(step: str) -> str:
    """'movement' of '2 allied movement'."""
    return Stage.parse(step).phase


def find(side: str, start: str, kinds: Iterable[str]) -> str:
    """The first step from ``start`` on, in this player turn, in which ``side`` is asked one of ``kinds``; '' if none."""
    wanted = tuple(kinds)
    here = takewhile(lambda step: player_turn(step) == player_turn(start), steps_from(start))
    return next((step for step in here if any(ASKED[k] and acts(side, step, k) for k in wanted)), "")


def asks_of(side: str, step: str) -> tuple[str, ...]:
    """All kinds that may be asked of ``side`` in a step."""
    return tuple(k.name for k in CATALOGUE.kinds if acts(side, step, k.name))


def order_kinds(side: str, step: str) -> tuple[str, ...]:
    """The kinds by which ``side`` orders a step line by line."""
    return tuple(k for k in asks_of(side, step) if CATALOGUE[k].phase_orders)


def read(words: Sequence[str], side: str, start: str) -> str:
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
    return _match(found[0].id, turn, player, side, start)


def _match(phase: str, turn: str, player: str, side: str, start: str) -> str:
    steps = [f"{turn} {name}" for name in TURN] if turn else list(steps_from(start))
    for step in steps:
        stage = Stage.parse(step)
        if stage.phase != phase or (stage.side and player not in ("", stage.side)):
            continue
        if player or (turn and not stage.side) or order_kinds(side, step) or acts(side, step, "loss"):
            return step
    return ""
