"""What players of Tiny are told: made from what one side may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from pbem.core.asks import Ask
from pbem.core.documents import Brief, Facts, OnMap, Over, Piece, Report, Roll, Taken, View, Wanted
from pbem.core.journal import Row
from pbem.core.rolls import in_words
from pbem.core.stage import Stage
from pbem.core.standing import Directive
from pbem.games.brief import Voice, report_words
from pbem.games.narration import Narration, item
from pbem.orders.replying import text_of
from tests.titles.tiny import rules
from tests.titles.tiny.position import SIDES, State, TinyView, view
from tests.titles.tiny.words import CATALOGUE, order_words

TEXTS = {
    "appeared": "{unit} appears in {hex}", "moved": "{unit} moves from {start} to {hex}", "sent": "{unit} waits in {hex}, unseen",
    "retreated": "{unit} retreats from {start} to {hex}", "advanced": "{unit} advances to {hex}",
    "eliminated": "{unit} is eliminated", "ended": "the game is over: {word}", "adjusted": "the referee puts {unit} into {hex}",
}
"""Events in words; the others tell nothing by themselves."""


def phase_title(step: str) -> str:
    """'Turn 2, Blue movement'."""
    stage = Stage.parse(step)
    return f"Turn {stage.turn}, {f'{stage.side} {stage.phase}'.strip().capitalize()}"


def on_map(seen: View) -> OnMap:
    """1.2, 2.1, 3.1 Units (its own side's reserve, too) and who holds what."""
    shown = cast(TinyView, seen)
    pieces: list[Piece] = [
        {
            "place": u["place"], "side": u["side"], "known": True, "label": u["name"], "symbol": "inf", "size": "II",
            "numbers": str(u["strength"]), "nation": "", "badges": ["waits"] * u["hidden"],
        }
        for u in shown["units"]
    ]  # fmt: skip
    return {"pieces": pieces, "control": {}, "flags": shown["control"], "signs": [], "boxes": {}}


ADJECTIVES = {s: s.capitalize() for s in SIDES}
VOICE = Voice("tiny", "Tiny", ADJECTIVES, ADJECTIVES, phase_title, CATALOGUE, report_words(order_words, CATALOGUE))


class Story(Narration):
    """The rows in words, for one side."""

    def __init__(self, side: str, standing: Sequence[Directive] = ()) -> None:
        super().__init__(side, standing, ADJECTIVES)
        self.lost = {s: {"units": 0} for s in SIDES}

    def heading(self, step: str) -> tuple[str, str]:
        """See :class:`Narration`."""
        return phase_title(step), "1.1"

    def tell_roll(self, row: Row) -> None:
        """See :class:`Narration`."""
        said = row.payload
        text = f"{said['purpose']}: {', '.join(map(str, said['faces']))}: {in_words(said['result'], said['count'])}"
        self.roll(row, text, told=True)
        self.append(item(f"{text}.", said["rule"], "die"))

    def tell_answer(self, row: Row) -> None:
        """See :class:`Narration`."""
        said = row.payload
        if said["side"] == self.side and said["how"] in ("standing", "default"):
            self.append({**item(f"{said['kind']}: {said['key']}.", said["rule"], "decision"), "source": self.source(row)})

    def tell_event(self, row: Row) -> None:
        """See :class:`Narration`."""
        event = row.payload["event"]
        if not row.payload["open"] and row.payload["side"] != self.side:
            return
        if event["type"] == "attack":
            text = f"{event['side']} attacks {event['hex']} with {', '.join(event['units'])}:"
            self.open_battle(item(text, "4.1", "battle", area=event["hex"], attacker=event["side"], lines=[], result=""))
        elif event["type"] == "fought" and self.battle:
            self.battle["result"], self.battle = event["word"], None
        elif event["type"] in TEXTS:
            if event["type"] == "eliminated":
                self.lost[row.payload["side"]]["units"] += 1
            self.append(item(TEXTS[event["type"]].format(**event) + ".", event["rule"]))


def rolls(state: State, side: str, rows: Sequence[Row]) -> list[Roll]:
    """The dice; all of them lie open."""
    return Story(side).tell(rows, rules.SEQUENCE.first).rolls


def report(
    game: Facts, state: State, side: str, rows: Sequence[Row], asks: Sequence[Ask], *,
    standing: Sequence[Directive] = (), plans: Sequence[Directive] = (), receipt: Taken | None = None,
) -> Report:
    """A turn report."""
    seen, story = view(state, side), Story(side, standing).tell(rows, game["step"])
    score = ", ".join(f"{s.capitalize()} {n}" for s, n in seen["vp_held"].items())
    return {
        **brief(game, state, side, asks, standing=standing, plans=plans),
        "kind": "over" if state.winner else "welcome" if game["number"] == 1 else "report",
        "headline": phase_title(game["step"]), "news": [f"Victory points now: {score}."],
        "receipt": VOICE.carried_out(receipt, rows, side) if receipt else None,
        "pictures": [], "situation": {"lines": _situation(seen)}, "happened": story.phases, "battles": story.battles,
        "rolls": story.rolls, "moves": [], "losses": story.lost, "boxes": {}, "score": {"lines": [f"{score}."]}, "view": seen,
    }  # fmt: skip


def _situation(seen: Mapping[str, Any]) -> list[str]:
    """Hex by hex."""
    lines = []
    for place in dict.fromkeys([*seen["control"], *(u["place"] for u in seen["units"])]):
        here = [f"{u['id']} ({u['strength']}{', unseen' if u['hidden'] else ''})" for u in seen["units"] if u["place"] == place]
        lines.append(f"{place}, {seen['control'].get(place, 'nobody')}: {', '.join(here) or 'no unit'}")
    return [*sorted(lines), *(f"The reserve of {s} has not appeared." for s in seen["reserves"])]


def brief(
    game: Facts, state: State, side: str, asks: Sequence[Ask], *, standing: Sequence[Directive] = (),
    plans: Sequence[Directive] = (),
) -> Brief:
    """What every mail carries."""
    over: Over | None = None
    if state.winner:
        text = "Nobody has won" if state.winner == "draw" else f"{state.winner.capitalize()} has won"
        over = {"winner": state.winner, "text": text, "vp": {s: state.points(s) for s in SIDES}}
    return VOICE.brief(
        game, side, asks, [_wanted(a, n) for n, a in enumerate((a for a in asks if a.side == side), 1)], over,
        scenario=state.data.title, turn=max(1, state.turn), turns=state.data.turns, standing=standing, plans=plans,
    )


def _wanted(ask: Ask, number: int) -> Wanted:
    """One open question."""
    kind, default = CATALOGUE[ask.kind], ask.option(ask.default)
    assert default is not None
    return {
        "number": number, "id": ask.id, "kind": ask.kind, "rule": ask.rule, "title": kind.title, "place": ask.where,
        "heading": f"{kind.title}, {ask.where}" if ask.where else kind.title, "prompt": ask.prompt or kind.prompt,
        "facts": [f"{k} {v}" for k, v in ask.facts.items()], "phase": phase_title(ask.scope), "many": kind.phase_orders,
        "how": "One order a line; 'pass' ends them." if kind.phase_orders else "One of these is the answer.",
        "choices": [o.key for o in ask.options], "more": 0, "labels": [], "default": text_of(default, ask, CATALOGUE),
        "default_words": kind.default, "example": text_of(ask.options[0], ask, CATALOGUE),
    }  # fmt: skip
