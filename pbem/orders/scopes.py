"""Which phase an order line is for: scopes are step names ('2 allied movement')."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from pbem.core.stage import Stage
from pbem.kit.sequence import TurnSequence
from pbem.orders.catalogue import Catalogue
from pbem.orders.lexicon import Entry, Lexicon

PHASING, OTHER, BOTH = "phasing", "other", "both"
"""Of whom something is asked in a phase.  What both sides do together is the phasing side's, for each of them."""

ANY = "any "
"""Before a side's name: of that side, whoever's player turn it is.  The name alone: of that side in its own."""

Asked = Mapping[str, Sequence[tuple[str, str]]]
"""By kind of question: the phases where it is asked, and of whom; () for every phase."""

LONGEST_NUMBER = 9
"""Digits of a turn that is read as a number at all."""


class Scopes:
    """The phases of a title as its players name them.

    ``phase_words``, ``side_words``: phases and sides, and what players call them; ``fought_in``: the phases that both sides plan
    battles for; ``halves``: a phase and its second half, which the same word means to the other side.
    """

    def __init__(
        self, sequence: TurnSequence, catalogue: Catalogue, asked: Asked, phase_words: Mapping[str, Sequence[str]],
        side_words: Mapping[str, Sequence[str]], *, fought_in: Collection[str] = (), halves: Mapping[str, str] | None = None,
    ) -> None:
        self.sequence, self.catalogue, self.asked, self.side_words = sequence, catalogue, asked, side_words
        self.fought_in, self.halves = fought_in, halves or {}
        self.phases = Lexicon("phase", [Entry(p, p, tuple(words)) for p, words in phase_words.items()])
        self._acts: dict[tuple[str, str, str], bool] = {}

    def acts(self, side: str, step: str, kind: str) -> bool:
        """Whether ``kind`` may be asked of ``side`` in a step."""
        stage = Stage.parse(step)
        case = (side, stage.name, kind)
        if case not in self._acts:
            self._acts[case] = not self.asked[kind] or any(
                phase == stage.phase and _means(who, side, stage.side in ("", side)) for phase, who in self.asked[kind]
            )
        return self._acts[case]

    def steps_from(self, step: str, skipped: Collection[str] = ()) -> Iterator[str]:
        """The steps from ``step`` on, itself first, in this turn and the next."""
        return self.sequence.steps_from(step, skipped)

    def player_turn(self, step: str, skipped: Collection[str] = ()) -> Iterator[str]:
        """What is left of the player turn of ``step``, itself first."""
        here = self.sequence.player_turn(step)
        return takewhile(lambda s: self.sequence.player_turn(s) == here, self.steps_from(step, skipped))

    def find(self, side: str, start: str, kinds: Iterable[str], skipped: Collection[str] = ()) -> str:
        """The first step of the player turn of ``start``, from there on, that asks ``side`` one of ``kinds``; '' if none."""
        wanted = [k for k in kinds if self.asked[k]]
        return next((s for s in self.player_turn(start, skipped) if any(self.acts(side, s, k) for k in wanted)), "")

    def asks_of(self, side: str, step: str) -> tuple[str, ...]:
        """All kinds that may be asked of ``side`` in a step."""
        return tuple(k.name for k in self.catalogue.kinds if self.acts(side, step, k.name))

    def order_kinds(self, side: str, step: str) -> tuple[str, ...]:
        """The kinds by which ``side`` orders a step line by line."""
        return tuple(k for k in self.asks_of(side, step) if self.catalogue[k].phase_orders)

    def read(self, words: Sequence[str], side: str, start: str, skipped: Collection[str] = ()) -> str:
        """The step that '2 allied move', 'axis combat' or 'reaction' means to ``side``; '' if there is none.

        Without turn and side it is the next phase of that name in which the side has something to order.
        """
        turn, player, rest = "", "", list(words)
        if rest and rest[0] == "turn":
            rest.pop(0)
        if rest and rest[0].isdecimal() and len(rest[0]) <= LONGEST_NUMBER:
            turn = str(int(rest.pop(0)))
        for name, spoken in self.side_words.items():
            if rest and rest[0] in spoken:
                player = name
                rest.pop(0)
        if rest and rest[-1] in ("phase", "phases"):
            rest.pop()
        found = self.phases.find_words(rest)
        return self._match(found[0].id, turn, player, side, start, skipped) if len(found) == 1 else ""

    def _match(self, phase: str, turn: str, player: str, side: str, start: str, skipped: Collection[str]) -> str:
        theirs = self.sequence.player_turn(start).rpartition(" ")[2] != side
        names = {phase, self.halves.get(phase, phase)} if not player and theirs else {phase}
        if turn:
            steps = [s for s in (self.sequence.setup, *(f"{turn} {n}" for n in self.sequence.turn)) if s and s not in skipped]
        else:
            steps = list(self.steps_from(start, skipped))
        for step in steps:
            stage = Stage.parse(step)
            if stage.phase not in names or (stage.side and player not in ("", stage.side)):
                continue
            if player or (turn and not stage.side) or self._has_orders(side, step):
                return step
        return ""

    def _has_orders(self, side: str, step: str) -> bool:
        """Whether the side orders something there: actions of its own, or its part in battles."""
        return any(self.asked[k] for k in self.order_kinds(side, step)) or Stage.parse(step).phase in self.fought_in


def _means(who: str, side: str, phasing: bool) -> bool:
    if who in (PHASING, OTHER):
        return phasing if who == PHASING else not phasing
    return who == BOTH or who == f"{ANY}{side}" or (phasing and who == side)


def phase_of(step: str) -> str:
    """'movement' of '2 allied movement'."""
    return Stage.parse(step).phase
