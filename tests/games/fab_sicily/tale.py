"""Journal rows written by hand: events are folded into a position, and exposed, as the engine would do it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.journal import GENESIS, Row, seal
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position import view
from pbem.games.fab_sicily.position.apply import apply
from pbem.games.fab_sicily.position.state import State


class Tale:
    """A position and the rows that led there."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.rows: list[Row] = []
        self.faces = 0

    def add(self, kind: str, payload: Mapping[str, Any], source: str = "") -> Row:
        """One row of any kind."""
        prev = self.rows[-1].hash if self.rows else GENESIS
        row = seal("p1", len(self.rows), 1, kind, payload, source, "2026-01-01T00:00:00Z", prev)
        self.rows.append(row)
        return row

    def step(self, name: str) -> None:
        """A step begins."""
        self.add("step", {"name": name, "attempt": 1})

    def tell(self, *happened: e.Event) -> None:
        """Events, exposed and then folded in."""
        for event in happened:
            self.add("event", {"event": e.to_data(event), **view.visibility(self.state, event)})
            apply(event, self.state)

    def roll(
        self, side: str, purpose: str, rule: str, faces: Sequence[int], target: int | None = None,
        mods: Sequence[tuple[str, int]] = (), secret: bool = False, sides: int = 10,
    ) -> None:
        """Dice."""
        self.add("roll", {
            "n": self.faces, "count": len(faces), "sides": sides, "purpose": purpose, "rule": rule, "side": side,
            "target": target, "mods": [list(m) for m in mods], "secret": secret, "attempt": 1, "binding": "b",
            "faces": list(faces),
        })
        self.faces += len(faces)

    def answer(
        self, side: str, kind: str, key: str, how: str = "mailed", where: str = "", source: str = "mail 3, line 2",
        scope: str = "2 allied combat", rule: str = "6.2", id: str = "5.0", order: str = "",
        data: Mapping[str, Any] | None = None,
    ) -> None:
        """A decision taken."""
        self.add("answer", {
            "ask": f"q1.{len(self.rows)}", "side": side, "kind": kind, "rule": rule, "where": where, "scope": scope,
            "key": key, "data": data or {}, "how": how, "order": order or key, "id": id,
        }, source if how != "default" else "")

    def game(self, side: str = "allied", **more: Any) -> dict[str, Any]:
        """What the service tells a report about the game."""
        return {
            "id": "p1", "players": {"allied": "Ann", "axis": "Bob"}, "number": 7, "step": "2 allied combat",
            "head": self.rows[-1].hash if self.rows else GENESIS, "seq": len(self.rows), "commitment": "c0" * 32, "seed": "",
            "deadline": {
                "at": "2026-08-14T16:00:00Z", "zone": "Europe/Berlin",
                "text": "Friday 14 August 2026, 18:00 CEST (Europe/Berlin)",
                "short": "Fri 14 Aug 18:00 CEST", "left": "2 days 3 hours",
            },
            **more,
        }
