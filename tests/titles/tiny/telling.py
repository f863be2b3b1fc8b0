"""What players of Tiny are told: made from what one side may know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.asks import Ask
from pbem.core.documents import Brief, Facts, Item, Over, Phase, Report, Roll, Taken, Wanted
from pbem.core.journal import Row
from pbem.core.rolls import in_words
from pbem.core.stage import Stage
from pbem.core.standing import STANDING, Directive
from pbem.orders.replying import reply_block, text_of
from pbem.orders.service_verbs import SERVICE
from tests.titles.tiny.position import SIDES, State, view
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


def _item(text: str, rule: str = "", tone: str = "event", **more: Any) -> Item:
    made: Item = {"text": text[:1].upper() + text[1:], "rule": rule, "source": "", "tone": tone}
    made.update(more)  # type: ignore[typeddict-item]
    return made


def _roll(row: Row, step: str) -> Roll:
    said = row.payload
    text = f"{said['purpose']}: {', '.join(map(str, said['faces']))}: {in_words(said['result'], said['count'])}"
    return {
        "seq": row.seq, "step": step, "side": said["side"], "rule": said["rule"], "text": text[:1].upper() + text[1:],
        "purpose": said["purpose"], "faces": list(said["faces"]), "sides": said["sides"], "target": said["target"], "mods": [],
        "told": True,
    }  # fmt: skip


class Story:
    """The rows in words, for one side."""

    def __init__(self, rows: Sequence[Row], side: str, now: str) -> None:
        self.phases: list[Phase] = []
        self.rolls: list[Roll] = []
        self.battles: list[Item] = []
        self.lost = {s: {"steps": 0} for s in SIDES}
        self._battle: Item | None = None
        self._side = side
        self._phase(next((r.payload["scope"] for r in rows if r.kind == "answer"), now))
        for row in rows:
            getattr(self, f"_{row.kind}", lambda row: None)(row)
        self.phases = [p for p in self.phases if p["items"]]

    def _phase(self, step: str) -> None:
        self.phases.append({"step": step, "title": phase_title(step), "rule": "1.1", "items": []})

    def _add(self, item: Item) -> None:
        (self._battle["lines"] if self._battle else self.phases[-1]["items"]).append(item)

    def _step(self, row: Row) -> None:
        self._phase(row.payload["name"])

    def _roll(self, row: Row) -> None:
        self.rolls.append(_roll(row, self.phases[-1]["title"]))
        self._add(_item(self.rolls[-1]["text"] + ".", row.payload["rule"], "die"))

    def _skip(self, row: Row) -> None:
        if row.payload["side"] == self._side:
            told = f"not carried out: '{row.payload['text']}': {row.payload['reason']}."
            self._add({**_item(told, row.payload["rule"], "refused"), "source": row.source})

    def _answer(self, row: Row) -> None:
        said = row.payload
        if said["side"] == self._side and said["how"] in ("standing", "default"):
            self._add({**_item(f"{said['kind']}: {said['key']}.", said["rule"], "decision"), "source": f"by {said['how']}"})

    def _control(self, row: Row) -> None:
        if row.payload.get("reason"):
            self._add(_item(f"the referee ({row.payload['act']}): {row.payload['reason']}."))

    def _event(self, row: Row) -> None:
        event = row.payload["event"]
        if not row.payload["open"] and row.payload["side"] != self._side:
            return
        if event["type"] == "attack":
            self._battle = _item(f"{event['side']} attacks {event['hex']} with {', '.join(event['units'])}:", "4.1", "battle",
                                 area=event["hex"], attacker=event["side"], lines=[], result="")
            self.battles.append(self._battle)
            self.phases[-1]["items"].append(self._battle)
        elif event["type"] == "fought" and self._battle:
            self._battle["result"], self._battle = event["word"], None
        elif event["type"] in TEXTS:
            self.lost[row.payload["side"] or SIDES[0]]["steps"] += event["type"] == "eliminated"
            self._add(_item(TEXTS[event["type"]].format(**event) + ".", event["rule"]))


def rolls(state: State, side: str, rows: Sequence[Row]) -> list[Roll]:
    """The dice; all of them lie open."""
    return Story(rows, side, "1 reserve").rolls


def report(
    game: Facts, state: State, side: str, rows: Sequence[Row], asks: Sequence[Ask], *,
    standing: Sequence[Directive] = (), plans: Sequence[Directive] = (), receipt: Taken | None = None,
) -> Report:
    """A turn report."""
    seen, story = view(state, side), Story(rows, side, game["step"])
    score = ", ".join(f"{s.capitalize()} {n}" for s, n in seen["vp_held"].items())
    return {
        **brief(game, state, side, asks, standing=standing, plans=plans),
        "kind": "over" if state.winner else "welcome" if game["number"] == 1 else "report",
        "headline": phase_title(game["step"]), "news": [f"Victory points now: {score}."], "receipt": _titled(receipt),
        "pictures": [], "situation": {"lines": _situation(seen)}, "happened": story.phases, "battles": story.battles,
        "rolls": story.rolls, "moves": [], "losses": story.lost, "boxes": {}, "score": {"lines": [f"{score}."]}, "view": seen,
    }  # fmt: skip


def _titled(receipt: Taken | None) -> Taken | None:
    if receipt is None:
        return None
    named = {STANDING: "standing orders", "": ""}
    return {
        **receipt, "accepted": [{**p, "title": named.get(p["phase"]) or phase_title(p["phase"])} for p in receipt["accepted"]]
    }


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
    mine = [a for a in asks if a.side == side]
    others = [game["players"].get(s, s) for s in dict.fromkeys(a.side for a in asks if a.side != side)]
    waiting = [*(["you"] if mine else []), *others]
    phases: dict[str, list[str]] = {}
    for d in plans:
        phases.setdefault(phase_title(d.scope) if " " in d.scope else "At once", []).append(d.text)
    over: Over | None = None
    if state.winner:
        over = {"winner": state.winner, "text": f"{state.winner} wins", "vp": {s: state.points(s) for s in SIDES}}
    return {
        "ruleset": "tiny", "title": "Tiny", "scenario": state.data.title, "occasion": f"report {game['number']}",
        "game": {"id": game["id"], "number": game["number"], "players": game["players"]},
        "order_words": tuple(sorted({*order_words, *SERVICE.words, "game", "turn", "end"})), "side": side,
        "side_name": side.capitalize() or "observer", "player": game["players"].get(side, ""), "turn": max(1, state.turn),
        "turns": state.data.turns, "phase": phase_title(game["step"]), "step": game["step"],
        "deadline": game["deadline"] if mine else None, "wanted": [_wanted(a, n) for n, a in enumerate(mine, 1)],
        "waiting": f"The game waits for {' and '.join(waiting)}." if waiting else "",
        "orders": {
            "standing": [{"number": n, "text": d.text, "short": d.text.removeprefix("standing ")}
                         for n, d in enumerate(standing, 1)],
            "phases": [{"when": w, "lines": list(dict.fromkeys(lines))} for w, lines in phases.items()],
        },
        "reply": reply_block(game["id"], game["step"], mine, CATALOGUE) if side and not state.winner else [], "over": over,
        "head": game["head"], "seq": game["seq"], "show_commitment": game["number"] == 1, "commitment": game["commitment"],
        "seed": game["seed"] if state.winner else "",
    }  # fmt: skip


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
