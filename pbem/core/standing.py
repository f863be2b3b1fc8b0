"""Directives: what a side has ordered in advance, and how it answers a question.

Every order line a player mails becomes one or more directives.  *Once* directives are the orders of
a phase, used up in the order given; a *plan* holds for one battle; a *standing* order holds until
cancelled.  Answer order: forced, once, plan, standing, wait, default at the deadline.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pbem.core.asks import Ask, Facts, Option, Refusal

ONCE, PLAN, STANDING = "once", "plan", "standing"
MODES = (ONCE, PLAN, STANDING)

_OPS: dict[str, Callable[[Any, Any], bool]] = {
    "=": lambda a, b: bool(a == b),
    "!=": lambda a, b: bool(a != b),
    "<": lambda a, b: bool(a < b),
    "<=": lambda a, b: bool(a <= b),
    ">": lambda a, b: bool(a > b),
    ">=": lambda a, b: bool(a >= b),
}


@dataclass(frozen=True, slots=True)
class Test:
    """One condition of a standing order: ``fact op value``, e.g. ``steps = 1``."""

    fact: str
    op: str
    value: str | int

    def holds(self, facts: Facts) -> bool:
        """Whether it holds; a fact that is not given, or of another type, never does."""
        have = facts.get(self.fact)
        if isinstance(have, bool):
            have = "yes" if have else "no"
        if have is None or isinstance(have, int) != isinstance(self.value, int):
            return False
        return _OPS[self.op](have, self.value)


@dataclass(frozen=True, slots=True)
class Directive:
    """An order in force.  ``id`` is unique in the game; ``choices`` are tried in turn;
    ``scope`` '' and ``where`` '' fit anything; ``text`` is the canonical order line; ``holds``: it does not
    close a phase for which another order of its mail could not be carried out."""

    id: str
    side: str
    kind: str
    mode: str
    choices: tuple[str, ...]
    text: str
    scope: str = ""
    where: str = ""
    tests: tuple[Test, ...] = ()
    source: str = ""
    holds: bool = False

    @property
    def mail(self) -> str:
        """What the orders of one mail have in common."""
        return self.id.partition(".")[0]

    def fits(self, ask: Ask) -> bool:
        """Whether this directive speaks to ``ask`` at all."""
        return (
            self.kind == ask.kind
            and self.scope in ("", ask.scope, ask.id)
            and self.where in ("", ask.where)
            and all(t.holds(ask.facts) for t in self.tests)
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain JSON data; ``holds`` only if it does, as games from before have no such field."""
        plain = {**_fields(self), "tests": tuple(_fields(t) for t in self.tests)}
        if not self.holds:
            del plain["holds"]
        return plain


def directive(data: dict[str, Any]) -> Directive:
    """The directive that :meth:`Directive.as_dict` made."""
    plain = dict(data)
    plain["choices"] = tuple(plain["choices"])
    plain["tests"] = tuple(Test(**t) for t in plain["tests"])
    return Directive(**plain)


def _fields(value: Directive | Test) -> dict[str, Any]:
    """As ``dataclasses.asdict`` does it, many times as fast: what is in the fields stays as it is."""
    return {name: getattr(value, name) for name in value.__slots__}


Choose = Callable[[Ask, str], "Option | Refusal"]


@dataclass
class Plans:
    """All directives of all sides that are still in force, in the order given."""

    directives: list[Directive] = field(default_factory=list)

    def add(self, new: list[Directive], replace: list[tuple[str, str, str]]) -> None:
        """Put ``new`` in force.  ``replace``: (side, scope, kind) sets that they supersede."""
        gone = set(replace)
        self.directives = [
            d for d in self.directives if d.mode == STANDING or (d.side, d.scope, d.kind) not in gone
        ] + new

    def drop(self, ids: list[str]) -> None:
        """Take directives out of force (used up, cancelled)."""
        gone = set(ids)
        self.directives = [d for d in self.directives if d.id not in gone]

    def expire(self, scope: str) -> None:
        """A phase has ended: what was meant for it is void."""
        self.directives = [d for d in self.directives if d.scope != scope]

    def of(self, side: str) -> list[Directive]:
        """What ``side`` has in force."""
        return [d for d in self.directives if d.side == side]

    def fitting(self, ask: Ask) -> Iterator[Directive]:
        """The side's directives that speak to ``ask``: once, then plans, then standing orders."""
        for mode in MODES:
            yield from [d for d in self.directives if d.side == ask.side and d.mode == mode and d.fits(ask)]
