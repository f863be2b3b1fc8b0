"""What a scripted player writes: the planner's choices as the order lines of one mail.

It thinks ahead through the phases that a person would order together, and sends standing orders for
the questions that would otherwise cost a mail each.
"""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.core.engine import Session, look_ahead
from pbem.core.stage import Stage
from pbem.games.fab_sicily.players import bots
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import before_battle
from pbem.games.fab_sicily.position.data import ALLIED, other
from pbem.games.fab_sicily.players.outlook import Outlook
from pbem.games.fab_sicily.rules.sequence import SEQUENCE
from pbem.games.fab_sicily.position.state import State

ORDERED = (
    "garrison", "plan", "beachhead", "recover", "arrival", "admin", "movement", "strategic", "reaction", "breakthrough", "drop",
    "resupply",
)
"""Kinds whose options are order lines of a phase; all others are questions, answered by number."""

TOGETHER = {
    "reinforcement": "admin", "admin": "combat", "movement": "combat", "strategic": "combat", "drop": "combat",
    "breakthrough": "breakthrough-combat",
}
"""From the phase that is open, one mail orders everything up to this phase."""


def standing_orders(side: str) -> list[str]:
    """The standing orders of a player who wants few mails."""
    return [
        "standing when bridge then blow",
        "standing when crossing then cross or stay",
        "standing when intercept if mission = support then intercept or none",
        "standing when intercept then none",
        "standing when point-unit then strongest",
        "standing when disorder then disorder",
        "standing when clear-works then clear",
        "standing when exploit-check then check",
        "standing when loss then asset or strongest",
        "standing when air-role then artillery",
        "standing when retreat-to then first",
        "standing when overstack then first",
        "standing when resupply then done",
        "standing when reaction then done",
        "standing when recover then first",
        "standing when arrival then first",
        "standing when battle then done or first",
        "standing when assets if role = defence then artillery or battle or done",
        "standing when assets then done",
        "standing when before-battle then stand",
        "standing when retreat-or-loss if steps <= 2 then retreat or lose",
        "standing when retreat-or-loss then lose",
        f"standing when abort if hits >= {3 if side == ALLIED else 2} then abort",
        "standing when abort then press",
    ]


def order_lines(session: Session, side: str) -> list[str]:
    """The lines that answer what ``side`` is asked now, and order the phases that follow from it."""
    last = TOGETHER.get(session.stage.phase, "")
    state, chosen = look_ahead(session, side, bots.planner, lambda step: not _before(step, session.stage.turn, last))
    open_ids = {a.id for a in session.open}
    lines: list[str] = []
    phase = ""
    for step, ask, option in chosen:
        if ask.kind in ORDERED:
            if step != phase:
                lines.append(f"phase {Stage.parse(step).phase}")
                phase = step
            lines.append(_line(option))
        elif ask.id in open_ids:
            lines.append(f"answer {ask.id} {option.key}")
    if last == "combat" and state.player == side:
        dropped = [option.key.split(" ")[3] for _, ask, option in chosen if ask.kind == "drop"]
        lines += _with_heading("drop", battle_lines(state, side, dropped, supplied=False))
        lines += _with_heading("combat", battle_lines(state, side, [a for a in board.contested_areas(state) if a not in dropped]))
    if last == "breakthrough-combat" and state.player == side:
        new = [a for a in board.contested_areas(state) if board.newly_contested(state, a)]
        lines += _with_heading(last, [*battle_lines(state, side, new), *second_round(state, side, new)])
    return lines


def _with_heading(phase: str, lines: list[str]) -> list[str]:
    return [f"phase {phase}", *lines] if lines else []


def _before(step: str, turn: int, last: str) -> bool:
    """Whether ``step`` is still among the phases that one mail orders: those up to the first phase ``last``."""
    stage = Stage.parse(step)
    if not last or stage.turn != turn:
        return False
    return SEQUENCE.order[stage.name] < SEQUENCE.order[f"{stage.side or ALLIED} {last}"]


def _line(option: Option) -> str:
    return "pass" if option.key in ("done", "none") else option.key


def battle_lines(state: State, side: str, contested: list[str], supplied: bool = True) -> list[str]:
    """A plan for every battle that ``side``, phasing, has or may choose, the worthiest first.

    Units that are not in supply get no assets (6.22).
    """
    look = Outlook(state, side)
    areas = sorted(contested, key=lambda a: -look.worth(a))
    left = [c.id for c in board.available(state, side, "artillery", "battle", "naval", "air", "engineer")]
    lines = []
    for area in areas:
        if bots.battle_value(look, area) <= 0.1:
            continue
        mine = [b for b in board.in_area(state, area, side) if b.status == "good"]
        if not mine:
            continue
        chosen = _assets(state, side, area, left) if supplied else []
        left = [c for c in left if c not in [x.split(" ")[0] for x in chosen]]
        point = max(mine, key=lambda b: b.steps)
        with_part = f" with {', '.join(chosen)}" if chosen else ""
        lines.append(f"battle {area}{with_part}; point {point.id}; abort at {max(2, sum(b.steps for b in mine) // 2)} hits")
    return lines


def second_round(state: State, side: str, newly: list[str]) -> list[str]:
    """7.42 One battle more, with a Special Action, if that is worth it."""
    look = Outlook(state, side)
    areas = [a for a in board.contested_areas(state) if a not in newly and look.own(a)]
    best = max(areas, key=lambda a: bots.again_value(look, a), default="")
    chits = before_battle.affecting(state, side, look.own(best)) if best else []
    return [f"battle {best} with {chits[0]}"] if chits and bots.again_value(look, best) > 0 else []


def _assets(state: State, side: str, area: str, left: list[str]) -> list[str]:
    data, works = state.data, state.works.get(area) == other(side)
    chosen: list[str] = []
    limits = {"artillery": 2, "naval": 2 if data.areas[area].coastal else 0, "air": 1, "battle": 1, "engineer": 1 if works else 0}
    shells = 0
    armies = board.armies(state, board.in_area(state, area, side))
    for chit in left:
        kind = data.chits[chit].kind
        if limits.get(kind, 0) <= 0 or not all(board.serves(data, chit, a) for a in armies):
            continue
        if kind in ("artillery", "naval") and shells >= 2:
            continue
        limits[kind] -= 1
        shells += kind in ("artillery", "naval")
        shock = kind == "naval" and works and not any(c.endswith("shock") for c in chosen)
        chosen.append(f"{chit} as shock" if shock else chit)
    return chosen
