"""What every phase does: begin, name itself, roll dice, settle control and stacks at its end."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import Any

from pbem.core.asks import Answer, Ask, Option
from pbem.core.engine import Ctx
from pbem.core.stage import Stage
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import SIDES, Band

Flow = Generator[Sequence[Ask], list[Answer], None]
Got = Generator[Sequence[Ask], list[Answer], Answer]

Options = Callable[[], Iterable[Option]] | Sequence[Option]

DONE = Option("done", "nothing more")
NONE = Option("none", "nothing")


def begin(ctx: Ctx) -> None:
    """4.0 A phase begins; its name is that of the step."""
    stage = Stage.parse(ctx.session.step_name)
    ctx.emit(e.PhaseBegan(stage.turn, stage.side, stage.phase))


def scope(ctx: Ctx) -> str:
    """The phase as orders name it: '2 allied movement'."""
    return ctx.session.step_name


def ask(
    ctx: Ctx, side: str, kind: str, rule: str, make: Options, default: str, prompt: str = "",
    where: str = "", facts: Mapping[str, Any] | None = None, closing: Option | None = None,
) -> Got:
    """One question, and its answer.  Great questions make their options only as far as somebody looks."""
    maker = make if callable(make) else lambda: make
    [answer] = yield [
        Ask(side, kind, rule, scope(ctx), maker, default, prompt, where, facts or {}, closing=closing)
    ]
    return answer


def die(
    ctx: Ctx, side: str, purpose: str, rule: str, mods: Sequence[tuple[str, int]] = (), target: int | None = None,
    read: Callable[[int], Mapping[str, Any]] | None = None,
) -> int:
    """2.3, 2.3.1, 2.3.2 One ten-sided die with its modifiers; 0 is read as 10.

    With a ``target`` the modified roll must not be higher.  ``read``: what the modified roll comes to, for the record.
    """
    add = sum(value for _, value in mods)

    def result(faces: Sequence[int]) -> Mapping[str, Any]:
        if read is not None:
            return read(faces[0] + add)
        return {} if target is None else {"hits": int(faces[0] + add <= target)}

    shown = None if target is None else target - add
    face = ctx.roll(
        1, purpose=purpose, rule=rule, side=side, sides=10, mods=[m for m in mods if m[1]], target=shown, read=result
    )[0]
    return face + add


def er_check(ctx: Ctx, unit: str, purpose: str, rule: str, mods: Sequence[tuple[str, int]] = (), combat: bool = False) -> bool:
    """3.6, 3.6.2 A roll not above the efficiency rating; ``combat``: in combat the rating of some is lower (5.2.3c, 11.3.2b7)."""
    rating = board.combat_er(ctx.state, unit) if combat else board.er(ctx.state, unit)
    return die(ctx, board.side_of(ctx.state, unit), purpose, rule, mods, rating) <= rating


def table_roll(ctx: Ctx, side: str, name: str, column: str, purpose: str, rule: str, mods: Sequence[tuple[str, int]] = ()) -> Any:
    """A die on a one-die table of the scenario: what stands in a column of its row."""
    rows = ctx.state.data.tables[name]

    def read(roll: int) -> Mapping[str, Any]:
        found = band(rows, roll)
        return {"table": TABLES[name], "row": _row(found), "cell": str(found.results[column]), "status": found.status}

    return band(rows, die(ctx, side, purpose, rule, mods, None, read)).results[column]


TABLES = {
    "weather": "Weather Table", "air_assault": "Air Assault/Transfer Table", "naval_transport": "Axis Naval Transport Table",
    "mussolini": "Fall of Mussolini Table",
}
"""What the rulebook calls its one-die tables."""

END = 99
"""A row of a table that goes as far as this has no end."""


def _row(found: Band) -> str:
    """'9-10', '8 or less', '11 or more'."""
    if found.low <= -END:
        return f"{found.high} or less"
    if found.high >= END:
        return f"{found.low} or more"
    return str(found.low) if found.low == found.high else f"{found.low}-{found.high}"


def band(rows: Iterable[Band], roll: int) -> Band:
    """The row of a one-die table; a roll beyond its ends is read at the end."""
    found = list(rows)
    for row in found:
        if row.low <= roll <= row.high:
            return row
    return found[0] if roll < found[0].low else found[-1]


def lose_step(ctx: Ctx, unit: str, rule: str) -> None:
    """3.8.1, 3.8.2, 3.8.3 A unit loses a step: it is turned over, or eliminated."""
    if board.steps(ctx.state, unit) > 1:
        ctx.emit(e.StepLost(unit, rule))
    else:
        ctx.emit(e.Eliminated(unit, rule))


def end_of_phase(ctx: Ctx) -> Flow:
    """3.2, 3.5.1 At the end of a phase control is settled by zones, and what is too much in a hex is eliminated."""
    from pbem.games.invasion_sicily.rules import control, stacking

    control.settle(ctx)
    for side in SIDES:
        yield from stacking.end_of_phase(ctx, side)
