"""17.0 Events played in the Admin Phase that are neither Special Actions nor replacements."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from pbem.core.asks import Answer, Ask, Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import collapse, special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ALLIED, AXIS
from pbem.games.fab_sicily.position.state import State

Flow = Generator[Sequence[Ask], list[Answer], None]

RELEASE, SLAPPING, EXTRACTION = "release", "slapping", "extraction"
RULES = {collapse.KIND: "17.21", RELEASE: "17.23", SLAPPING: "17.11", EXTRACTION: "17.12"}

AMERICANS = "7"


def options(state: State, side: str) -> list[Option]:
    """`play EVENT`."""
    return [
        Option(f"play {c.id}", f"play {state.data.chits[c.id].name}", ("play",), {"do": "play", "chit": c.id})
        for c in board.available(state, side, *RULES) if not why_not(state, side, c.id)
    ]


def why_not(state: State, side: str, chit: str) -> Refusal | None:
    """17.0 Why the event may not be played now, or None.

    RULING: the Tactical Extraction is played in the Axis player turn, whose Movement Phase it is for.
    """
    kind = state.data.chits[chit].kind
    if kind not in RULES:
        return Refusal(f"{chit} is not an event that is simply played: use the order word for what it does", "17.0")
    if kind == EXTRACTION and state.player != AXIS:
        return Refusal("play the Tactical Extraction in your own Admin Phase: it is for the Movement Phase after it", "17.12")
    if kind == RELEASE and not _bound(state):
        return Refusal("all American divisions are released already, or unsupplied (9.34d)", "17.23")
    return special.missing(state, side, chit, tuple(RULES), "an event that is simply played", RULES[kind])


def _bound(state: State) -> list[str]:
    """The divisions of the 7th Army that are not released yet, and that an event may affect.

    RULING: a division with an unsupplied unit on the map stays bound: 9.34d lets no event affect that unit (as in 14.61).
    """
    own = dict.fromkeys(b.division for b in state.data.blocks.values() if b.army == AMERICANS)
    cut_off = [state.type(b.id).division for b in board.on_map(state, ALLIED) if not b.supplied and state.data.mended]
    return [d for d in own if d not in state.released and d not in cut_off]


def play(ctx: Ctx, chit: str) -> Flow:
    """17.0 What the event does; 4.22 it is used up, or stays on the table as long as it lasts."""
    kind = ctx.state.data.chits[chit].kind
    if kind == collapse.KIND:
        yield from collapse.play(ctx, chit)
    elif kind == RELEASE:
        for division in _bound(ctx.state):
            ctx.emit(e.Released(division, "17.23"))
        special.spend(ctx, chit, "17.23")
    else:
        ctx.emit(e.ChitMoved(chit, "table", "", kind, RULES[kind]))


def end_extraction(ctx: Ctx) -> None:
    """17.12, 4.22 The event lasts for one Movement Phase."""
    for chit in [c.id for c in board.in_box(ctx.state, AXIS, "table") if c.use == EXTRACTION]:
        ctx.emit(e.ChitMoved(chit, "eliminated", "", "", "17.12"))
