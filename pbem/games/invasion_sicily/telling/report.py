"""A turn report as one value: everything a template prints, already in words and in order.

Made from :func:`view.view`, the story and the asks of one side, never from the other side's secrets.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any

from pbem.core.asks import Ask
from pbem.core.documents import Brief, Facts, Over, Report, Taken, Wanted
from pbem.core.journal import Row
from pbem.core.standing import Directive
from pbem.games.brief import Voice, count, listed, report_words
from pbem.games.invasion_sicily.position.data import SIDES, other
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.position.view import view
from pbem.games.invasion_sicily.telling import situation
from pbem.games.invasion_sicily.telling.sentences import ADJECTIVES, SIDE_NAMES, Names, phase_title
from pbem.games.invasion_sicily.telling.story import Story, tell
from pbem.games.invasion_sicily.words import orders
from pbem.games.invasion_sicily.words.asks import CATALOGUE
from pbem.orders.catalogue import AskKind
from pbem.orders.replying import text_of

EXAMPLES_OF = 400
"""Of a question with thousands of options so many are looked at for examples in the reply block."""

CHOICES_SHOWN = 24
"""Lines of choices that a question may take."""

LOOKED_AT = 60
"""Of a question with thousands of options so many are looked at for its lines of choices."""


VOICE = Voice(
    "invasion_sicily", "Invasion: Sicily", SIDE_NAMES, ADJECTIVES, phase_title, CATALOGUE,
    report_words(orders.ORDER_WORDS, CATALOGUE), EXAMPLES_OF,
)

RESULTS = {"defender-holds": "held", "attacker-holds": "taken", "": "not over yet"}


def report(
    game: Facts, state: State, side: str, rows: Sequence[Row], asks: Sequence[Ask], *, standing: Sequence[Directive] = (),
    plans: Sequence[Directive] = (), receipt: Taken | None = None,
) -> Report:
    """The report for ``side``; '' for an observer, who reads what lies open (see :class:`pbem.games.contract.Telling`)."""
    seen = view(state, side)
    story = tell(rows, state.data, side, game["step"], standing)
    mine = [a for a in asks if a.side == side]
    names = Names(state.data)
    return {
        **brief(game, state, side, asks, standing=standing, plans=plans),
        "kind": "over" if state.winner else "welcome" if game["number"] == 1 else "report",
        "headline": _headline(state, game["step"], len(mine)) if side or state.winner else phase_title(game["step"]),
        "news": _news(story, state, side, names),
        "receipt": VOICE.carried_out(receipt, rows, side) if receipt else None,
        "pictures": [],
        "situation": situation.situation(seen, names, side),
        "happened": story.phases,
        "battles": story.battles,
        "rolls": story.rolls,
        "moves": story.moves,
        "losses": {s: {"steps": story.steps_lost.get(s, 0), "units": story.units_lost.get(s, 0)} for s in SIDES},
        "boxes": situation.boxes(seen, names, side),
        "score": situation.score(seen, names),
        "view": seen,
    }


def brief(
    game: Facts, state: State, side: str, asks: Sequence[Ask], *, standing: Sequence[Directive] = (),
    plans: Sequence[Directive] = (),
) -> Brief:
    """What every mail of a game carries: who, what is wanted, orders in force, reply block."""
    names = Names(state.data)
    mine = [a for a in asks if a.side == side]
    return VOICE.brief(
        game, side, asks, [wanted(a, names, n) for n, a in enumerate(mine, 1)], _over(state), scenario=state.data.title,
        turn=max(1, state.turn), turns=state.data.turns, standing=standing, plans=plans,
    )


def _headline(state: State, step: str, questions: int) -> str:
    return f"The game is over: {state.level}" if state.winner else VOICE.headline(step, questions)


def _over(state: State) -> Over | None:
    if not state.winner:
        return None
    points = view(state, "")["vp_held"]
    return {"winner": state.winner, "text": f"{state.level} with {points['allied']} points", "vp": dict(points)}


def _news(story: Story, state: State, side: str, names: Names) -> list[str]:
    """The report in three lines at most: combats, what was taken and lost, the points."""
    told = []
    fought = [f"{names.place(b['area'])} ({RESULTS[b['result']]})" for b in story.battles]
    if fought:
        told.append(f"{'Combat' if len(fought) == 1 else 'Combats'}: {'; '.join(fought)}.")
    changed = []
    for s in SIDES:
        places = [names.place(h) for h in story.taken.get(s, []) if _notable(state, h)]
        if places:
            changed.append(f"{ADJECTIVES[s]} now: {listed(places)}.")
    lost = []
    for s in (side, other(side)) if side in SIDES else SIDES:
        parts = [count(story.steps_lost.get(s, 0), "step")] * bool(story.steps_lost.get(s))
        parts += [count(story.units_lost.get(s, 0), "unit")] * bool(story.units_lost.get(s))
        if parts:
            lost.append(f"{ADJECTIVES[s]} {listed(parts)}")
    if lost:
        changed.append(f"Lost: {'; '.join(lost)}.")
    if changed:
        told.append(" ".join(changed))
    told.append(f"Allied victory points now: {view(state, side)['vp_held']['allied']}.")
    return told


def _notable(state: State, hex_: str) -> bool:
    found = state.data.hexes.get(hex_)
    return found is not None and bool(found.city or found.port or found.airfield or found.towns)


# -- questions ------------------------------------------------------------------------------------------


def wanted(ask: Ask, names: Names, number: int) -> Wanted:
    """One open question: what is asked, the rule, the choices in short, the default, and how to answer."""
    kind, place = CATALOGUE[ask.kind], names.place(ask.where) if ask.where else ""
    shown = list(islice(ask.each(), LOOKED_AT))
    if ask.closing is not None and ask.closing not in shown:
        shown.append(ask.closing)
    default = ask.option(ask.default) or shown[0]
    example = next((o for o in shown if o.key not in (ask.default, kind.closing)), default)
    choices = [o.key for o in shown] if not kind.phase_orders else _forms(kind)
    return {
        "number": number, "id": ask.id, "kind": ask.kind, "rule": ask.rule, "title": kind.title, "place": place,
        "heading": f"{kind.title.rstrip('?')}, {place}" if place else kind.title, "prompt": ask.prompt or kind.prompt,
        "facts": [f"{k.replace('_', ' ').replace('-', ' ')} {v}" for k, v in ask.facts.items() if v not in ("", None)],
        "phase": phase_title(ask.scope), "many": kind.phase_orders, "how": _how(kind, ask), "choices": choices[:CHOICES_SHOWN],
        "more": max(0, len(choices) - CHOICES_SHOWN), "labels": _labels(shown) if not kind.phase_orders else [],
        "default": text_of(default, ask, CATALOGUE) if kind.phase_orders else default.key, "default_words": kind.default,
        "example": text_of(example, ask, CATALOGUE),
    }  # fmt: skip


def _forms(kind: AskKind) -> list[str]:
    """Of a phase with thousands of options the forms are shown, not the options: the map shows what is near."""
    return list(dict.fromkeys(kind.usage))


def _how(kind: AskKind, ask: Ask) -> str:
    """How to answer, in a sentence."""
    if not kind.phase_orders:
        return "One of these is the answer; its word alone is enough while no other question takes it."
    end = f" 'pass {ask.scope.split(' ')[-1]}' ends them." if ask.closing is not None else ""
    return f"One order a line, carried out in that order.{end}"


def _labels(shown: Sequence[Any]) -> list[Any]:
    """Short lists are shown option by option, with what each one means."""
    if len(shown) > 8 or not any(o.label for o in shown):
        return []
    return [{"key": o.key, "label": o.label} for o in shown]
