"""Directives in the making: what a line asks for, before the phase it belongs to is settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.core.standing import ONCE, Directive, Test
from pbem.orders.diagnostics import WARNING, Diagnostic


@dataclass(frozen=True)
class Draft:
    """The parts of a directive that a line gives by itself."""

    kind: str
    choices: tuple[str, ...]
    mode: str = ONCE
    where: str = ""
    tests: tuple[Test, ...] = ()

    def data(self, text: str, source: str, scope: str) -> dict[str, Any]:
        """The directive as plain data, but for its id and side."""
        return {
            "kind": self.kind, "mode": self.mode, "choices": list(self.choices), "text": text, "scope": scope,
            "where": self.where, "tests": [{"fact": t.fact, "op": t.op, "value": t.value} for t in self.tests], "source": source,
        }

    def same_case(self, d: Directive) -> bool:
        """Whether a directive in force speaks to just the same questions."""
        return (self.kind, self.where, set(self.tests)) == (d.kind, d.where, set(d.tests))


@dataclass
class Parsed:
    """What the lines of one mail come to.

    ``directives``: fields of :class:`~pbem.core.standing.Directive` but for id and side; ``replace``: (scope, kind)
    sets that they supersede; ``cancel``: ids of directives taken back; ``canonical``: the orders accepted, as an
    order block that says the same; ``phases``: scopes for which a set of orders was given.
    """

    directives: list[dict[str, Any]] = field(default_factory=list)
    replace: list[tuple[str, str]] = field(default_factory=list)
    cancel: list[str] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    canonical: list[str] = field(default_factory=list)
    phases: list[str] = field(default_factory=list)

    @property
    def good(self) -> bool:
        """Whether every line stands."""
        return all(d.severity == WARNING for d in self.diagnostics)


def numbered(in_force: Sequence[Directive], mode: str) -> list[str]:
    """The texts of the directives of a mode, each once, in order: 'cancel standing 2' means the second."""
    return list(dict.fromkeys(d.text for d in in_force if d.mode == mode))
