"""What a scripted player writes: the planner's choices as the order lines of one mail.

It thinks ahead through the phases that a person would order together, and sends standing orders for the questions that would
otherwise cost a mail each.
"""

from __future__ import annotations

from pbem.core.asks import Option
from pbem.core.engine import Session, look_ahead
from pbem.core.stage import Stage
from pbem.games.invasion_sicily.players.planner import Planner
from pbem.games.invasion_sicily.rules.sequence import position
from pbem.games.invasion_sicily.words.asks import CATALOGUE

TOGETHER = {
    "events": "allied reaction", "readiness": "allied reaction", "transport": "{side} reaction", "movement": "{side} reaction",
    "replacements": "victory", "special": "victory", "engineering": "victory",
}
"""From the phase that is open, one mail orders everything before this one."""


def standing_orders(side: str) -> list[str]:
    """The standing orders of a player who wants few mails."""
    return [
        "standing when buy-rp then none",
        "standing when short-supply then auto",
        "standing when refusal if odds >= 4 then away or stand",
        "standing when refusal then stand",
        "standing when follow then all",
        "standing when lead then best",
        "standing when guns then all or done",
        "standing when gun-role then first",
        "standing when air if attack >= 6 then air 2 or all",
        "standing when air if defence >= 4 then air 1",
        "standing when air then air 0",
        "standing when naval then naval 3 or all",
        "standing when loss then full or weakest",
        "standing when no-retreat if steps >= 3 then try",
        "standing when no-retreat then retreat",
        "standing when retreat then land or first",
        "standing when advance then all",
        "standing when counter if odds >= 2 then counter",
        "standing when counter then none",
        "standing when join then all",
        "standing when stack-excess then first",
        "standing when battle then first",
        "standing when counter-interdict then done",
    ]


def order_lines(session: Session, side: str) -> list[str]:
    """The lines that answer what ``side`` is asked now, and order the phases that follow from it."""
    stage = session.stage
    goal = TOGETHER.get(stage.phase, "").format(side=stage.side)
    last = position(f"{stage.turn} {goal}") if goal else (0, 0)
    _, chosen = look_ahead(session, side, Planner(), lambda step: position(step) >= last)
    open_ids = {a.id for a in session.open}
    lines: list[str] = []
    phase = ""
    for step, ask, option in chosen:
        kind = CATALOGUE[ask.kind]
        if kind.phase_orders:
            if step != phase:
                lines.append(f"phase {Stage.parse(step)}")
                phase = step
            if option.key != "none" or kind.closing != "none":
                lines.append(_line(option))
        elif ask.id in open_ids:
            lines.append(f"answer {ask.id} {option.key}")
    return lines


def _line(option: Option) -> str:
    return "pass" if option.key in ("done", "none") else option.key
