"""Corrections of the position by the referee: a small vocabulary, each a value that is looked at before it is taken.

No rule moves a piece here; what follows from a correction (control, supply) is for the referee to correct as well.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from pbem.core.asks import Refusal
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import AIRBORNE_BOX, AT_SEA, ELIMINATED, RESERVED, SIDES
from pbem.games.fab_sicily.position.state import DISORDERED, GOOD, RECOVERING, State

ON, OFF = ("on", "yes"), ("off", "no", "none")
BOXES = ("to-come", "cup", "available", "used", "eliminated")

FORMS: Mapping[str, str] = {
    "steps": "adjust steps BLOCK NUMBER",
    "place": "adjust place BLOCK AREA (or a box: B1, P1, at-sea, airborne, eliminated, to-come)",
    "status": "adjust status BLOCK good|disordered|recovering",
    "supply": "adjust supply BLOCK on|off",
    "reserve": "adjust reserve BLOCK on|off",
    "exploit": "adjust exploit BLOCK on|off",
    "box": "adjust box CHIT to-come|cup|available|used|eliminated",
    "control": "adjust control AREA allied|axis",
    "works": "adjust works AREA allied|axis|none",
    "roadblock": "adjust roadblock AREA allied|axis|none",
    "bridge": "adjust bridge BORDER blown|whole",
    "port": "adjust port BOX 0|1|2",
}
"""All that can be corrected, and how it is written."""


def adjustment(state: State, words: Sequence[str]) -> e.Adjusted | Refusal:
    """The correction that ``words`` ('steps', '50-1', '2') ask for, or why it cannot be made."""
    if len(words) != 3 or words[0] not in FORMS:
        known = FORMS.get(words[0]) if words else None
        return Refusal(f"write it like '{known}'" if known else f"what can be corrected: {', '.join(FORMS)}")
    what, name, value = words[0], words[1], words[2]
    pieces = _pieces(state, what)
    piece = next((p for p in pieces if p.lower() == name.lower()), "")
    if not piece:
        return Refusal(f"'{name[:40]}' is not the id of anything that has '{what}'; write ids as reports show them")
    allowed = _values(state, what, piece)
    new = next((v for v in allowed if v.lower() == _said(what, value.lower())), "")
    if not new:
        return Refusal(f"'{value[:40]}' is no {what} of {piece}: {', '.join(allowed[:12])}{' …' if len(allowed) > 12 else ''}")
    return e.Adjusted(what, piece if what in BLOCK_WORDS else "", "" if what in BLOCK_WORDS else piece, new)


BLOCK_WORDS = ("steps", "place", "status", "supply", "reserve", "exploit")


def _said(what: str, value: str) -> str:
    """'yes' is 'on', and 'no' is 'off' or, of a marker, 'none'."""
    if value in ON:
        return "on"
    if value in OFF:
        return "none" if what in ("works", "roadblock") else "off"
    return value


def _pieces(state: State, what: str) -> list[str]:
    if what in BLOCK_WORDS:
        return list(state.blocks)
    if what == "box":
        return list(state.chits)
    if what == "bridge":
        return [b.id for b in state.data.borders.values() if b.river]
    return list(state.data.ports) if what == "port" else list(state.data.areas)


def _values(state: State, what: str, piece: str) -> list[str]:
    data = state.data
    if what == "steps":
        return [str(n) for n in range(1, board.full_steps(state, piece) + 1)]
    if what == "place":
        if not state.blocks[piece].steps and not board.face_down(state, piece):
            return [ELIMINATED, RESERVED]  # first 'steps', then 'place'
        return [*data.areas, *state.beachheads, *data.ports, AT_SEA, AIRBORNE_BOX, ELIMINATED, RESERVED]
    return {
        "status": [GOOD, DISORDERED, RECOVERING], "supply": ["on", "off"], "reserve": ["on", "off"], "exploit": ["on", "off"],
        "box": list(BOXES), "control": list(SIDES), "works": [*SIDES, "none"], "roadblock": [*SIDES, "none"],
        "bridge": ["blown", "whole"], "port": ["0", "1", "2"],
    }[what]


# -- folding -------------------------------------------------------------------------------------------


def fold(event: e.Adjusted, state: State) -> None:
    """Put a correction into the state."""
    _FOLDS[event.what](state, event.block or event.piece, event.value)


def _place(state: State, block: str, value: str) -> None:
    state.blocks[block].area = value
    for entries in state.entries.values():
        entries[:] = [x for x in entries if x.block != block]


def _box(state: State, chit: str, value: str) -> None:
    c = state.chits[chit]
    c.box, c.area, c.use = value, "", ""


def _marker(markers: dict[str, str], area: str, value: str) -> None:
    if value == "none":
        markers.pop(area, None)
    else:
        markers[area] = value


def _bridge(state: State, border: str, value: str) -> None:
    state.blown = sorted({*state.blown, border}) if value == "blown" else [b for b in state.blown if b != border]


_FOLDS: Mapping[str, Callable[[State, str, str], None]] = {
    "steps": lambda s, b, v: setattr(s.blocks[b], "steps", int(v)),
    "place": _place,
    "status": lambda s, b, v: setattr(s.blocks[b], "status", v),
    "supply": lambda s, b, v: setattr(s.blocks[b], "supplied", v == "on"),
    "reserve": lambda s, b, v: setattr(s.blocks[b], "reserve", v == "on"),
    "exploit": lambda s, b, v: setattr(s.blocks[b], "exploit", v == "on"),
    "box": _box,
    "control": lambda s, a, v: s.control.__setitem__(a, v),
    "works": lambda s, a, v: _marker(s.works, a, v),
    "roadblock": lambda s, a, v: _marker(s.roadblocks, a, v),
    "bridge": _bridge,
    "port": lambda s, p, v: s.port_damage.__setitem__(p, int(v)),
}
