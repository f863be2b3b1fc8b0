"""A position from a few lines of text, and one step played on it with scripted dice and answers.

Position lines (``board``), one thing a line, ``#`` comments:

    at 15 50-1/3 50-2 disordered        blocks in a place ('/3' = steps, else full), then markers of the line's
                                        last block: disordered recovering unsupplied reserve exploit shown proven
    garrison 13 S-1                     a face-down garrison ('garrison 13 S-1 is S-vet2' = revealed as that card)
    control allied 1 2 4                control of areas
    works 13 axis / roadblock 12 axis / blown 12-15 / beachhead B3 / assault 15 river / unsupplied allied 6
    available 24ART ENG-1 / used NAV-1 / cup 12ART / eliminated 3CDO / map ENG-1 12 roadblock
    turn 2 / released 51 / port P1 1 / plan alternate
    conditional AIR-C1 / table MORALE-1     waiting for 16.4 or 17.21; in effect beside the map
    newly 15                            contested only since the movement phase just past (2.4)
    entered 15 50-1 from 14 by river    how a block came there: '', river, blown, sea or air

Blocks not named stay 'to-come'.  Areas whose control is not given belong to who stands there alone, else to the Axis.

    play = Play(board(text), "2 allied combat", dice=[("6.25", 2)], orders={"allied": [...], "axis": [...]})
    play.events            all events of the step(s), play.waiting, play.state, play.faces_left

``orders``: order lines per side in the players' language (parsed by the real parser), given before the step runs.
``answers``: {(kind, where): key or list of keys} or {kind: …}; taken before the orders, for asks of either side.
``default=True`` answers everything else by its default.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.dice import Dice, ScriptedDice
from pbem.core.engine import Session
from pbem.core.standing import Directive
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.position import board as boards
from pbem.games.fab_sicily.position import state as states
from pbem.games.fab_sicily.position.data import SIDES, border_id, build, other
from pbem.games.fab_sicily.position.state import Entry, State

MARKERS = ("disordered", "recovering", "unsupplied", "reserve", "exploit", "shown", "proven")


@cache
def raw(scenario: str) -> Mapping[str, Any]:
    """The scenario's JSON: 'full' (the whole map) or 'primosole_bridge'."""
    from pbem.scenarios.catalog import load

    return load("fab_sicily", scenario)


def board(text: str, scenario: str = "full", **switches: Any) -> State:
    """The state that the lines describe (see the module's docstring)."""
    state = states.new(build(raw(scenario), switches))
    state.turn, state.player, state.phase = 2, "allied", "movement"
    for line in text.strip().splitlines():
        words = line.split("#")[0].split()
        if words:
            _LINES[words[0]](state, words[1:])
    for area in state.data.areas:
        if area not in state.control:
            alone = [s for s in SIDES if boards.in_area(state, area, s) and not boards.in_area(state, area, other(s))]
            state.control[area] = alone[0] if alone else "axis"
    state.contested_before = [a for a in boards.contested_areas(state) if a not in state.contested_before]
    return state


def _at(state: State, words: list[str]) -> None:
    area, last = words[0], None
    for word in words[1:]:
        if word in MARKERS:
            assert last is not None
            if word in ("disordered", "recovering"):
                last.status = word
            elif word == "unsupplied":
                last.supplied = False
            else:
                setattr(last, word, True)
            continue
        name, _, steps = word.partition("/")
        last = state.blocks[name]
        last.area, last.steps = area, int(steps or state.data.blocks[name].full or 0)


def _garrison(state: State, words: list[str]) -> None:
    block = state.blocks[words[1]]
    block.area = words[0]
    if "is" in words:
        block.card = words[words.index("is") + 1]
        block.steps, block.shown = len(state.data.cards[block.card].quality), True
        state.pool.remove(block.card)
    block.proven = "proven" in words


def _boxes(box: str) -> Any:
    def put(state: State, words: list[str]) -> None:
        for chit in words:
            state.chits[chit].box = box

    return put


def _table(state: State, words: list[str]) -> None:
    for chit in words:
        state.chits[chit].box, state.chits[chit].use = "table", state.data.chits[chit].kind


def _map(state: State, words: list[str]) -> None:
    chit = state.chits[words[0]]
    chit.box, chit.area, chit.use = "map", words[1], words[2]


def _entered(state: State, words: list[str]) -> None:
    area, block, _, origin = words[:4]
    how = words[5] if len(words) > 4 else ""
    border = border_id(area, origin) if origin in state.data.areas else ""
    state.entries.setdefault(area, []).append(
        Entry(block, origin, border, how in ("river", "blown"), how == "blown", how == "sea", how == "air")
    )


_LINES: dict[str, Any] = {
    "at": _at,
    "garrison": _garrison,
    "control": lambda s, w: s.control.update(dict.fromkeys(w[1:], w[0])),
    "works": lambda s, w: s.works.update({w[0]: w[1]}),
    "roadblock": lambda s, w: s.roadblocks.update({w[0]: w[1]}),
    "blown": lambda s, w: s.blown.extend(w),
    "beachhead": lambda s, w: s.beachheads.update(dict.fromkeys(w, "in-play")),
    "assault": lambda s, w: s.assaults.update({w[0]: w[1]}),
    "unsupplied": lambda s, w: s.unsupplied[w[0]].extend(w[1:]),
    "available": _boxes("available"),
    "used": _boxes("used"),
    "cup": _boxes("cup"),
    "eliminated": _boxes("eliminated"),
    "conditional": _boxes("conditional"),
    "table": _table,
    "captured": lambda s, w: s.captured.append(" ".join(w)),
    "plan": lambda s, w: setattr(s, "plan", w[0]),
    "map": _map,
    "turn": lambda s, w: setattr(s, "turn", int(w[0])),
    "released": lambda s, w: s.released.extend(w),
    "newly": lambda s, w: s.contested_before.extend(w),
    "entered": _entered,
    "port": lambda s, w: s.port_damage.update({w[0]: int(w[1])}),
}


class Unanswered(AssertionError):
    """A question came up that the test did not answer."""


class _OneStep(Session):
    done = False

    def _begin(self, name: str) -> None:
        self.done, self._gen, self.over = True, None, True


class Play:
    """One step played on a position; the state is changed in place."""

    def __init__(
        self,
        state: State,
        step: str,
        dice: Sequence[tuple[str, int]] | Dice = (),
        orders: Mapping[str, Sequence[str]] | None = None,
        answers: Mapping[Any, Any] | None = None,
        default: bool = False,
    ) -> None:
        self.dice = dice if hasattr(dice, "face") else ScriptedDice(list(dice))  # type: ignore[arg-type]
        self.state = state
        self.answers = {k: list(v) if isinstance(v, (list, tuple)) else [v] for k, v in (answers or {}).items()}
        self.default = default
        self.asked: list[Ask] = []
        self.session = _OneStep("case", RULESET, {}, {}, state, self.dice, "2026-01-01T00:00:00Z", step=1, step_name=step)  # type: ignore[arg-type]
        self.diagnostics: list[Any] = []
        self.session._enter()
        for side, lines in (orders or {}).items():
            self._order(side, step, lines)
        self._run()

    def _order(self, side: str, step: str, lines: Sequence[str]) -> None:
        from pbem.games.fab_sicily.words import orders as parser
        from pbem.orders.source import Line

        parsed = parser.parse(self.state, side, step, [Line(i, t) for i, t in enumerate(lines, 1)])
        self.diagnostics += parsed.diagnostics
        payload = {"side": side, "directives": parsed.directives, "replace": parsed.replace, "cancel": []}
        self.session.submit("orders", payload, "")

    def _run(self) -> None:
        while not self.session.done:
            asks = self.session.run()
            if not asks:
                break
            for ask in asks:
                if self.session._resolve(ask) is None:
                    self._answer(ask)

    def _answer(self, ask: Ask) -> None:
        self.asked.append(ask)
        assert ask.options  # made now: they are what is legal before the answer
        given = next((self.answers[k] for k in ((ask.kind, ask.where), ask.kind) if self.answers.get(k)), None)
        if given is None and not self.default:
            raise Unanswered(f"{ask.side} is asked {ask.kind} {ask.where} ({ask.rule}): {[o.key for o in ask.options][:40]}")
        choice = given.pop(0) if given else ask.default
        option = RULESET.choose(self.state, ask, choice)
        if isinstance(option, Refusal):
            offered = [o.key for o in ask.options][:40]
            raise Unanswered(f"{ask.kind} {ask.where}: {choice!r} is refused: {option.reason} ({option.rule}); options {offered}")
        assert isinstance(option, Option)
        data = Directive("", ask.side, ask.kind, "once", (choice,), choice, scope=ask.id).as_dict()
        self.session.submit("orders", {"side": ask.side, "directives": [data]}, "")

    @property
    def events(self) -> list[dict[str, Any]]:
        """The step's events, as data."""
        return [dict(r.payload["event"]) for r in self.session.new_rows if r.kind == "event"]

    def of(self, *types: str) -> list[dict[str, Any]]:
        """The events of some types."""
        return [e for e in self.events if e["type"] in types]

    @property
    def skips(self) -> list[dict[str, Any]]:
        """Orders that could not be carried out."""
        return [dict(r.payload) for r in self.session.new_rows if r.kind == "skip"]

    @property
    def rolls(self) -> list[dict[str, Any]]:
        """The rolls made."""
        return [dict(r.payload) for r in self.session.new_rows if r.kind == "roll"]

    @property
    def faces_left(self) -> list[tuple[str, int]]:
        """Scripted dice that were not rolled."""
        return list(getattr(self.dice, "left", []))
