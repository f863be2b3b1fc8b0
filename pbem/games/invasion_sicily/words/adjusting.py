"""Corrections of the position by the referee: a small vocabulary, each a value that is looked at before it is taken.

No rule moves a unit here; what follows from a correction (control, supply) is for the referee to correct as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.asks import Refusal
from pbem.games.invasion_sicily.position import events as e
from pbem.games.invasion_sicily.position.data import BOXES, ELIMINATED, RESERVED, SIDES
from pbem.games.invasion_sicily.position.state import State

MARKS = ("unsupplied", "disrupted", "fired")
POINTS = ("air-allied", "air-axis", "naval", "rp-allied", "rp-axis", "vp")

FORMS: Mapping[str, str] = {
    "place": f"adjust place UNIT HEX (or {', '.join(BOXES)}, eliminated, reserved)",
    "steps": "adjust steps UNIT 1|2",
    "mark": "adjust mark UNIT +unsupplied|-unsupplied|+disrupted|-disrupted|+fired|-fired",
    "control": "adjust control HEX allied|axis",
    "points": f"adjust points {'|'.join(POINTS)} NUMBER",
    "strongpoint": "adjust strongpoint HEX on|off",
    "demolition": "adjust demolition HEX NUMBER",
}
"""All that can be corrected, and how it is written."""


def adjustment(state: State, words: Sequence[str]) -> e.Adjusted | Refusal:
    """The correction that ``words`` ('steps', 'US-16', '2') ask for, or why it cannot be made."""
    if len(words) != 3 or words[0] not in FORMS:
        known = FORMS.get(words[0]) if words else None
        return Refusal(f"write it like '{known}'" if known else f"what can be corrected: {', '.join(FORMS)}")
    what, name, value = words[0], words[1], words[2].lower()
    keys = _keys(state, what)
    key = next((k for k in keys if k.lower() == name.lower()), "")
    if not key:
        return Refusal(f"'{name[:40]}' is nothing that has '{what}'; write ids as reports show them")
    allowed = _values(state, what, key)
    if value not in allowed:
        return Refusal(f"'{value[:40]}' is no {what} of {key}: {', '.join(allowed[:12])}{' …' if len(allowed) > 12 else ''}")
    return e.Adjusted(f"{what} of {key}: {value}", what, key, value)


def _keys(state: State, what: str) -> list[str]:
    if what in ("place", "steps", "mark"):
        return list(state.units)
    if what == "points":
        return list(POINTS)
    hexes = state.data.hexes.values()
    return [h.id for h in hexes if h.land and (what != "demolition" or h.port)]


def _values(state: State, what: str, key: str) -> list[str]:
    if what == "place":
        return [*(h.id for h in state.data.hexes.values() if h.land), *BOXES, ELIMINATED, RESERVED]
    if what == "steps":
        return ["1", "2"][: state.type(key).steps]
    if what == "mark":
        return [f"{sign}{mark}" for mark in MARKS for sign in "+-"]
    if what == "control":
        return list(SIDES)
    if what == "strongpoint":
        return ["on", "off"]
    return [str(n) for n in range(100)]
