"""What every phase does: begin, ask, roll dice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any

from pbem.core.asks import Answer, Ask, Option
from pbem.core.steps import Ctx as AnyCtx
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.state import State

Ctx = AnyCtx[State, e.Event]
Flow = Generator[Sequence[Ask], list[Answer], None]
Got = Generator[Sequence[Ask], list[Answer], Answer]
Names = Generator[Sequence[Ask], list[Answer], list[str]]
"""A flow that ends with some units."""

Count = Generator[Sequence[Ask], list[Answer], int]
"""A flow that ends with a number."""

Options = Callable[[], Iterable[Option]] | Sequence[Option]

DONE = Option("done", "nothing more")
NONE = Option("none", "nothing")


def begin(ctx: Ctx) -> None:
    """3.0 A phase begins; its name is that of the step."""
    stage = ctx.session.stage
    ctx.emit(e.PhaseBegan(stage.turn, stage.side, stage.phase))


def question(
    ctx: Ctx, side: str, kind: str, rule: str, make: Options, default: str, prompt: str = "", where: str = "",
    facts: Mapping[str, Any] | None = None, closing: Option | None = None, lookup: Callable[[str], Option | None] | None = None,
) -> Ask:
    """A question as a value."""
    maker = make if callable(make) else lambda: make
    return Ask(
        side, kind, rule, ctx.session.step_name, maker, default, prompt, where, facts or {}, closing=closing, lookup=lookup
    )


def ask(ctx: Ctx, side: str, kind: str, rule: str, make: Options, default: str, prompt: str = "", **more: Any) -> Got:
    """One question, and its answer; ``more``: see :func:`question`."""
    [answer] = yield [question(ctx, side, kind, rule, make, default, prompt, **more)]
    return answer


def dice(
    ctx: Ctx, side: str, count: int, purpose: str, rule: str, mods: Sequence[tuple[str, int]] = (), target: int | None = None,
    read: Callable[[int], Mapping[str, Any]] | None = None,
) -> int:
    """Six-sided dice with their modifiers, added up.  With a ``target`` the sum must not be higher (8.53); ``read``: what it
    comes to, for the record."""
    kept = [m for m in mods if m[1]]
    add = sum(value for _, value in kept)

    def result(faces: Sequence[int]) -> Mapping[str, Any]:
        if read is not None:
            return read(sum(faces) + add)
        return {} if target is None else {"hits": int(sum(faces) + add <= target)}

    shown = None if target is None else target - add
    return sum(ctx.roll(count, sides=6, purpose=purpose, rule=rule, side=side, target=shown, mods=kept, read=result)) + add
