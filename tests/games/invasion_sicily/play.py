"""A position from a few lines of text, and one step played on it with scripted dice and answers.

Position lines (``board``), one thing a line, ``#`` comments:

    at 1823 US-16 US-26/1 disordered    units in a hex or box ('/1': reduced), then markers of the line's last unit:
                                        unsupplied disrupted fired dropped transported attacked defended moved
    port 2407 US-20                     a Beach unit on its Port side
    cd 1823 CD-30                       the coast defence piece of a hex, turned over ('-' for untried)
    ersatz 2224 ERS-1 ER-05             an Ersatz piece ('-' for untried)
    sea 1723 US-16                      on an invasion hex
    control allied 1823 2407            control
    attack 1823 US-16 US-26             a declared attack
    strongpoint 2224 / demolition 2407 6 / turn 5 / weather mud storm / air allied 3 / naval 4 / rp axis 2
    interdiction 2 1 0 / fallen / revival / plan 7 Catania / done Husky 1 / evacuating / zone off / captured 2407 3

Units not named are out of play (eliminated for none of them: 'reserved').

    play = Play(board(text), "2 allied combat", dice=[("9.4", 2)], answers={"lead": "lead US-16"})
``answers``: by kind of question, or 'axis:events' for one side's; orders that are refused are noted, and the next is tried.
    play.events     what happened, as values;  play.state;  play.refused: why choices were refused;  play.asked
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.autoplay import answer
from pbem.core.dice import ScriptedDice
from pbem.core.engine import Session
from pbem.core.stage import Stage
from pbem.games.invasion_sicily import InvasionSicily
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position import invariants
from pbem.games.invasion_sicily.position import state as states
from pbem.games.invasion_sicily.position.data import Data, build
from pbem.games.invasion_sicily.position.state import State

WORDS = ("unsupplied", "disrupted", "fired", "dropped", "transported", "attacked", "defended", "moved", "committed")


@cache
def raw(scenario: str) -> Mapping[str, Any]:
    """The scenario's JSON."""
    from pbem.scenarios.catalog import load

    return load("invasion_sicily", scenario)


@cache
def data(scenario: str = "husky", **switches: Any) -> Data:
    """The scenario's fixed facts."""
    return build(raw(scenario), switches)


def board(text: str, scenario: str = "husky", **switches: Any) -> State:
    """The state that the lines describe (see the module's docstring)."""
    state = states.new(data(scenario, **switches))
    for unit in state.units.values():
        unit.place = "cup" if unit.id.startswith("ERS-") else "reserved"
    state.plan, state.turn, state.player, state.phase = [], 2, "allied", "movement"
    for line in text.strip().splitlines():
        words = line.split("#")[0].split()
        if words:
            _LINES[words[0]](state, words[1:])
    return state


def _at(state: State, words: list[str]) -> None:
    place, last = words[0], ""
    for word in words[1:]:
        if word in WORDS:
            state.units[last].marks = sorted([*state.units[last].marks, word])
            continue
        last, _, steps = word.partition("/")
        state.units[last].place, state.units[last].reduced = place, steps == "1"
        if place in state.data.hexes and state.data.units[last].side == "allied":
            state.control[place] = "allied"


def _port(state: State, words: list[str]) -> None:
    _at(state, words)
    state.units[words[1]].port = True


def _cd(state: State, words: list[str]) -> None:
    piece = state.units[f"CD-{words[0]}"]
    piece.place, piece.card = words[0], words[1].replace("-", "", 1) if words[1] == "-" else words[1]


def _ersatz(state: State, words: list[str]) -> None:
    piece = state.units[words[1]]
    piece.place, piece.card = words[0], "" if words[2] == "-" else words[2]


def _sea(state: State, words: list[str]) -> None:
    for unit in words[1:]:
        state.units[unit].place, state.units[unit].target = words[0], state.data.beaches[words[0]].target


def _control(state: State, words: list[str]) -> None:
    for hex_ in words[1:]:
        state.control[hex_] = words[0]


def _attack(state: State, words: list[str]) -> None:
    state.attacks[words[0]] = list(words[1:])
    for unit in words[1:]:
        state.units[unit].marks = sorted([*state.units[unit].marks, "committed"])


def _weather(state: State, words: list[str]) -> None:
    state.weather, state.storm = words[0], "storm" in words


def _set(name: str, value: Any) -> Any:
    return lambda state, words: setattr(state, name, value(words) if callable(value) else value)


_LINES: dict[str, Any] = {
    "at": _at, "port": _port, "cd": _cd, "ersatz": _ersatz, "sea": _sea, "control": _control, "attack": _attack,
    "weather": _weather,
    "strongpoint": lambda s, w: s.strongpoints.extend(w),
    "demolition": lambda s, w: s.demolition.update({w[0]: int(w[1])}),
    "turn": _set("turn", lambda w: int(w[0])),
    "air": lambda s, w: s.air.update({w[0]: int(w[1])}),
    "naval": _set("naval", lambda w: int(w[0])),
    "rp": lambda s, w: s.rp.update({w[0]: int(w[1])}),
    "interdiction": _set("interdiction", lambda w: dict(zip(("air", "naval", "counter"), map(int, w), strict=True))),
    "fallen": lambda s, w: s.mussolini.update(fallen=1),
    "revival": lambda s, w: s.mussolini.update(revival=1),
    "plan": _set("plan", lambda w: [int(w[0]), w[1]]),
    "done": lambda s, w: s.operations.update({w[0]: int(w[1])}),
    "evacuating": _set("evacuating", True),
    "zone": _set("axis_zone", False),
    "captured": lambda s, w: s.captured.update({w[0]: int(w[1])}),
}


class _OneStep(InvasionSicily):
    """Plays one step on a given position."""

    def __init__(self, state: State, step: str) -> None:
        super().__init__()
        self.given, self.step, self.events = state, step, list[Any]()

    def new_state(self, data: Mapping[str, Any], options: Mapping[str, Any]) -> State:
        return self.given

    def load(self, data: Mapping[str, Any], options: Mapping[str, Any], saved: Mapping[str, Any]) -> State:
        self.events.clear()
        return states.load(self.given.data, saved)

    def first_step(self, state: State) -> str:
        return self.step

    def next_step(self, state: State, done: str) -> str | None:
        return None

    def apply(self, state: State, event: Any) -> None:
        self.events.append(event)
        super().apply(state, event)
        wrong = invariants.check(state)
        assert not wrong, f"after {event}: {wrong}"


class Play:
    """One step, played to its end; asks without an answer take their default."""

    def __init__(
        self, state: State, step: str, dice: Sequence[tuple[str, int]] = (), answers: Mapping[str, Any] | None = None,
        orders: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        stage = Stage.parse(step)
        state.turn = stage.turn
        self.left = {k: [v] if isinstance(v, str) else list(v) for k, v in (answers or {}).items()}
        self.refused: list[Refusal] = []
        self.asked: list[Ask] = []
        scripted = ScriptedDice(list(dice))
        rules = _OneStep(state, step)
        self.session = Session.start("case", rules, {}, {}, scripted, "2026-01-01T00:00:00Z", {"scenario": "case"})
        while self.session.run():
            for ask in list(self.session.open):
                if self.session.pending(ask):
                    self.asked.append(ask)
                    answer(self.session, ask, self._chosen(ask))
        self.events, self.state = rules.events, self.session.state
        assert not scripted.left, f"dice left over: {scripted.left}"
        unused = {k: v for k, v in self.left.items() if v}
        assert not unused, f"never asked: {unused}"

    def _chosen(self, ask: Ask) -> str:
        key = f"{ask.side}:{ask.kind}" if f"{ask.side}:{ask.kind}" in self.left else ask.kind
        while self.left.get(key):
            choice = self.left[key].pop(0)
            got = self.session.rules.choose(self.session.state, ask, choice)
            if isinstance(got, Option):
                return choice
            self.refused.append(got)
        return ask.default

    def of(self, kind: type[Any]) -> list[Any]:
        """The events of one kind."""
        return [x for x in self.events if isinstance(x, kind)]

    @property
    def result(self) -> e.CombatResolved:
        """The one combat's result."""
        [found] = self.of(e.CombatResolved)
        return found  # type: ignore[no-any-return]

    def place(self, unit: str) -> str:
        """Where a unit is now."""
        return self.state.units[unit].place  # type: ignore[no-any-return]


def refusal(state: State, ask_kind: str, choice: str, side: str = "allied") -> Refusal:
    """Why a choice is refused in an open question of that kind."""
    from pbem.games.invasion_sicily.words.choosing import choose

    ask = Ask(side, ask_kind, "", "2 allied movement", lambda: [Option("done")], "done")
    got = choose(state, ask, choice)
    assert isinstance(got, Refusal), f"{choice} is possible: {got}"
    return got
