"""A player who goes for the hexes that count, and attacks at even odds."""

from __future__ import annotations

from pbem.core.asks import DONE, Ask, Option
from pbem.core.engine import Session, look_ahead
from pbem.core.stage import Stage
from tests.titles.tiny import rules
from tests.titles.tiny.position import State
from tests.titles.tiny.words import CATALOGUE


def standing_orders(side: str) -> list[str]:
    """See :class:`pbem.games.contract.ScriptedPlayers`."""
    return ["standing when retreat then first", "standing when advance then first"]


def choose(state: State, ask: Ask) -> Option:
    """What it takes."""
    closing = ask.option(ask.default)
    assert closing is not None
    if ask.kind not in JUDGES:
        return closing
    for option in ask.options:
        if option.key == "appear" or option.key != DONE and JUDGES[ask.kind](state, ask.side, option):
            return option
    return closing


def _even(state: State, side: str, option: Option) -> bool:
    start, shifts = rules.column(state, side, str(option.data["hex"]))
    return start + sum(s.columns for s in shifts) >= 1


def _better(state: State, side: str, option: Option) -> bool:
    here, there = state.units[str(option.data["unit"])].place, str(option.data["hex"])
    return state.data.worth[there] > state.data.worth[here] and state.control.get(there) != side


JUDGES = {"combat": _even, "movement": _better}


def order_lines(session: Session, side: str) -> list[str]:
    """The lines that answer what is asked now, and order the rest of the player turn."""
    turn = rules.SEQUENCE.player_turn(session.step_name)
    _, chosen = look_ahead(session, side, choose, lambda step: rules.SEQUENCE.player_turn(step) != turn)
    open_ids, lines, phase = {a.id for a in session.open}, [], ""
    for step, ask, option in chosen:
        if CATALOGUE[ask.kind].phase_orders:
            lines += [f"phase {Stage.parse(step)}"] * (step != phase)
            phase = step
            lines.append("pass" if option.key == DONE else option.key)
        elif ask.id in open_ids:
            lines.append(f"answer {ask.id} {option.key}")
    return lines
