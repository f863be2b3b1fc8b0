"""Drivers: games of The Italian Campaign without players, and positions set up by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from typing import Any

from pbem.core.asks import Answer, Ask, Option
from pbem.core.chooser import Chooser
from pbem.core.dice import ScriptedDice, SeededDice
from pbem.core.engine import Session
from pbem.core.stage import Stage
from pbem.games.italian_campaign import RULESET, ItalianCampaign
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.state import State
from pbem.games.italian_campaign.rules.phases import Ctx
from pbem.scenarios import catalog

LOOKED_AT = 60
"""How many options of a great question the random player looks at."""

BELLIGERENT = ("attack", "barrage", "counter", "assault", "advance")


@cache
def raw(scenario: str = "salerno_short") -> dict[str, Any]:
    """A scenario's data."""
    return catalog.load("italian_campaign", scenario)


class Watched(ItalianCampaign):
    """Checks the invariants after each event."""

    def apply(self, state: State, event: e.Event) -> None:
        super().apply(state, event)
        wrong = self.check(state)
        assert not wrong, f"after {event}: {wrong}"


def new_game(name: str, rules: Any = RULESET, scenario: str = "salerno_short", options: Any = None) -> Session:
    """A game with dice of its own name."""
    dice = SeededDice(name.encode().ljust(32, b"."))
    creation = {"scenario": f"italian_campaign/{scenario}", "commitment": dice.commitment}
    return Session.start(name, rules, raw(scenario), options or {}, dice, "2026-01-01T00:00:00Z", creation)


def random_player(name: str) -> Callable[[Any, Ask], Option]:
    """Defaults half of the time, else whatever comes, attacks before all."""
    chooser = Chooser(name)

    def choose(state: Any, ask: Ask) -> Option:
        default = ask.option(ask.default)
        assert default is not None, f"{ask.kind}: its default {ask.default!r} is not offered"
        seen = list(islice(ask.each(), LOOKED_AT))
        fights = [o for o in seen if o.key.split(" ")[0] in BELLIGERENT]
        if fights and chooser.below(2):
            return chooser.pick(fights)
        return default if chooser.below(2) else chooser.pick(seen)

    return choose


# -- positions by hand ------------------------------------------------------------------------------


class Recorder:
    """Stands for the engine: keeps the events, rolls scripted dice."""

    def __init__(self, state: State, step: str, faces: Iterable[int] = ()) -> None:
        self.state, self.step_name, self.options = state, step, {}
        self.dice = ScriptedDice([("", f) for f in faces])
        self.events: list[Any] = []
        self.rolls: list[Any] = []

    @property
    def stage(self) -> Any:
        """The step as a value."""
        return Stage.parse(self.step_name)

    def record_event(self, event: Any) -> None:
        """See the engine."""
        self.events.append(event)
        RULESET.apply(self.state, event)

    def record_roll(self, count: int, purpose: str, rule: str, side: str, sides: int, target: Any, mods: Any, secret: bool,
                    read: Any) -> list[int]:
        """See the engine."""
        faces = [self.dice.face("", 0, 0, 0, sides, "", rule) for _ in range(count)]
        self.rolls.append({"rule": rule, "faces": faces, "mods": mods, **(dict(read(faces)) if read else {})})
        return faces


def position(where: dict[str, str], initiative: str = "allied") -> State:
    """A state with these units on these hexes (or in these boxes) and no others."""
    state = RULESET.new_state(raw("salerno"), {})
    for unit in state.units.values():
        unit.place, unit.target = where.get(unit.id, "to-come"), ""
    state.initiative, state.turn, state.time = initiative, 2, 8
    return state


def run(state: State, flow: Callable[[Ctx], Any], faces: Iterable[int] = (), answers: dict[str, str] | None = None,
        step: str = "2 allied impulse-1") -> Recorder:
    """Carry out a flow of the rules with scripted dice; questions take their default or what ``answers`` says, by kind.

    Dice that are left over fail.
    """
    recorder = Recorder(state, step, faces)
    recorder.events = []
    generator = flow(Ctx(recorder))  # type: ignore[arg-type]
    if hasattr(generator, "send"):
        reply: Any = None
        while True:
            try:
                asks = generator.send(reply)
            except StopIteration:
                break
            reply = [_answer(ask, answers or {}) for ask in asks]
    assert not recorder.dice.left, f"dice are left over: {recorder.dice.left}"
    return recorder


def _answer(ask: Ask, answers: dict[str, str]) -> Any:
    key = answers.get(ask.kind, ask.default)
    option = ask.option(key)
    assert option is not None, f"{ask.kind}: {key!r} is not among {[o.key for o in islice(ask.each(), 20)]}"
    return Answer("q", option, "mailed")
