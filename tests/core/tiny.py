"""A game of one counter: each side in turn adds 1 to 3 or rolls a die; first to 10 or more wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pbem.core.asks import Ask, Option, Refusal, pick


@dataclass(frozen=True)
class Added:
    side: str
    count: int


@dataclass
class Total:
    total: int = 0
    turn: int = 0
    marks: int = 0


def turn(ctx: Any) -> Any:
    """One turn: both sides choose at once, then the first side may roll as often as it likes."""
    scope = ctx.session.step_name
    options = lambda: [Option("1"), Option("2", tags=("middle",)), Option("3")]  # noqa: E731
    asks = [Ask(s, "add", "1.1", scope, options, "1", where=s[0], facts={"total": ctx.state.total}) for s in ("left", "right")]
    for ask, answer in zip(asks, (yield asks), strict=True):
        ctx.emit(Added(ask.side, int(answer.key)))
    while True:
        [again] = yield [Ask("left", "roll", "1.2", scope, lambda: [Option("roll"), Option("stop")], "stop")]
        if again.key == "stop":
            return None
        face = ctx.roll(1, sides=10, purpose="luck", rule="1.2", side="left", target=5)[0]
        ctx.emit(Added("left", face))


class Tiny:
    """See the module."""

    name, title, sides, version = "tiny", "Tiny", ("left", "right"), 1
    steps = type("Steps", (), {"__getitem__": lambda self, name: turn})()

    def new_state(self, data: Any, options: Any) -> Total:
        return Total()

    def first_step(self, state: Total) -> str:
        return "1 turn"

    def next_step(self, state: Total, done: str) -> str | None:
        return None if state.total >= 10 else f"{int(done.split()[0]) + 1} turn"

    def scope_over(self, step: str, scope: str) -> bool:
        return int(scope.split()[0]) < int(step.split()[0])

    def apply(self, state: Total, event: Added) -> None:
        state.total += event.count

    def event_data(self, event: Added) -> dict[str, Any]:
        return {"type": "Added", **asdict(event)}

    def event_from(self, data: Mapping[str, Any]) -> Added:
        return Added(data["side"], data["count"])

    def visibility(self, state: Total, event: Added) -> dict[str, Any]:
        return {"open": True, "side": "", "where": ""}

    def dump(self, state: Total) -> dict[str, Any]:
        return asdict(state)

    def load(self, data: Any, options: Any, saved: Mapping[str, Any]) -> Total:
        return Total(**saved)

    def choose(self, state: Total, ask: Ask, choice: str) -> Any:
        return pick(ask, choice)

    def rehearsed_face(self, sides: int) -> int:
        return sides

    def meant(self, state: Total, order: Any, key: str) -> bool:
        return key in order.choices

    def unused(self, state: Total, order: Any) -> Any:
        return Refusal("nothing asked for it", "1.1")

    def view(self, state: Total, side: str) -> dict[str, Any]:
        return {"total": state.total}

    def check(self, state: Total) -> list[str]:
        return []
