"""A game that is over, told from its journal: points and losses turn by turn, the map after each turn, the battles that
decided it.  Nothing is secret any more, so both sides' blocks are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.core.documents import Facts, Item
from pbem.core.journal import Row
from pbem.core.ruleset import State
from pbem.core.stage import Stage
from pbem.core.undone import standing
from pbem.reports.maps import paint
from pbem.service.context import ServiceContext

if TYPE_CHECKING:
    from pbem.games.contract import Title

BATTLES = 5
"""So many battles are told."""


def chronicle(context: ServiceContext, game: str) -> dict[str, Any]:
    """The story of a game: 'turns', each with 'label', 'points' and 'lost' by side and a 'picture' (PNG, or None);
    'battles', the weightiest first; 'sides'."""
    g = context.store.games.get(game)
    rules, data = context.rules(g.title), context.data(g.dataset)
    ground = context.geometry(g.title)
    rows = list(context.store.journal.rows(game))
    turns: list[dict[str, Any]] = []
    battles: list[dict[str, Any]] = []
    for label, played, state in _turns(rules, data, g.options, rows):
        told: Facts = {
            "id": game, "players": {}, "number": 1, "step": _first(played), "deadline": None, "head": "", "seq": 0,
            "commitment": "", "seed": "",
        }  # fmt: skip
        side = rules.sides[0]
        doc = rules.telling.report(told, state, side, played, [])
        seen = rules.everything(state)
        turns.append({
            "label": label, "points": dict(seen["vp_held"]), "lost": doc["losses"],
            "picture": paint.map_png(seen, ground) if ground else None,
        })
        battles += [{**b, "turn": label, "weight": _weight(b, rules.worth(state, b["area"]))} for b in doc["battles"]]
    battles.sort(key=lambda b: -b["weight"])
    return {"sides": list(rules.sides), "turns": turns, "battles": battles[:BATTLES]}


def _turns(
    rules: Title, data: Mapping[str, Any], options: Mapping[str, Any], rows: Sequence[Row]
) -> Iterator[tuple[str, list[Row], State]]:
    """Each turn's rows and the position at its end; set-up comes first."""
    state, turn = rules.new_state(data, options), 0
    played: list[Row] = []
    for row in standing(rows):
        if row.kind == "step":
            now = Stage.parse(row.payload["name"]).turn
            if now != turn:
                yield _label(turn), played, state
                turn, played = now, []
        played.append(row)
        if row.kind == "event":
            rules.apply(state, rules.event_from(row.payload["event"]))
    yield _label(turn), played, state


def _label(turn: int) -> str:
    return f"Turn {turn}" if turn else "Set-up"


def _first(rows: Sequence[Row]) -> str:
    return next((str(r.payload["name"]) for r in rows if r.kind == "step"), "setup")


def _weight(battle: Item, worth: int) -> float:
    """How much a battle counts: its hits, and the points of a place that it won (``worth``)."""
    hits = sum(line.get("hits", 0) for line in battle["lines"])
    return float(hits + (3 + 2 * worth) * (battle["result"] == "attacker-holds"))
