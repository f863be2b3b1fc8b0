"""Steps given back to reduced units: by Special Action (8.26), staff (8.31) and event (17.24, 17.25)."""

from __future__ import annotations

from pbem.core.asks import Option, Refusal
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.rules import special
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position.data import ARMOR, AT_SEA, AXIS, ELITE, INFANTRY
from pbem.games.fab_sicily.position.state import State

RULES = {
    "special": "8.26", "special-event": "8.26", "staff": "8.31", "infantry-replacement": "17.24", "armor-replacement": "17.25",
}
"""The rule by which each kind of chit gives a step."""

AT_SEA_TOO = ("17.24", "17.25")
"""RULING: the replacement events serve "any reduced" unit of a class, so also one that waits in the At Sea box."""

CLASSES = {"staff": INFANTRY, "infantry-replacement": INFANTRY, "armor-replacement": ARMOR}
"""The only class it may be given to; Special Actions serve both (8.26)."""


def why_not(state: State, side: str, block: str, chit: str) -> Refusal | None:
    """Why ``block`` may not get a step by ``chit``, or None.

    RULING: a step is elite when its pip is: the quality that the unit has with that step regained (2.3).
    """
    refusal = special.missing(state, side, chit, tuple(RULES), "anything that gives replacements", "8.26")
    if refusal:
        return refusal
    kind = state.data.chits[chit]
    rule = RULES[kind.kind]
    if kind.kind == "staff" and side == AXIS:
        return Refusal("the Axis staff adds no replacements to units on the map: use it to restore an Italian asset", "14.63")
    return (
        _why_not_reduced(state, side, block, rule)
        or _why_not_served(state, block, chit, rule)
        or _why_not_quality(state, block, chit, rule)
    )


def _why_not_reduced(state: State, side: str, block: str, rule: str) -> Refusal | None:
    name = board.unit_name(state.data, block)
    b = state.blocks[block]
    at_sea = b.area == AT_SEA and rule in AT_SEA_TOO and state.data.mended
    if board.side_of(state, block) != side or not (b.area in state.data.areas or at_sea):
        return Refusal(f"{name} is not a unit of yours on the map", rule)
    if b.steps >= board.full_steps(state, block):
        return Refusal(f"{name} is not reduced: choose a unit that has lost steps", rule)
    if not b.supplied:
        return Refusal(f"{name} is unsupplied, and no replacements reach it: bring it into supply first", "9.34d")
    return None


def _why_not_served(state: State, block: str, chit: str, rule: str) -> Refusal | None:
    """8.1, 17.24 Own army with a single-use Special Action, own nationality with a replacement event."""
    kind, unit = state.data.chits[chit], state.type(block)
    if not board.serves(state.data, chit, unit.army):
        return Refusal(f"{chit} serves units of its own army only, and {board.unit_name(state.data, block)} is of another", "8.1")
    if kind.nation and kind.nation != unit.nation:
        return Refusal(f"{chit} is for units of another nationality than {board.unit_name(state.data, block)}", rule)
    return None


def _why_not_quality(state: State, block: str, chit: str, rule: str) -> Refusal | None:
    """8.31, 17.24, 17.25 The right class, and no elite step."""
    wanted = CLASSES.get(state.data.chits[chit].kind)
    if wanted is None:
        return None
    name = board.unit_name(state.data, block)
    if state.type(block).cls != wanted:
        return Refusal(f"{chit} is for {wanted}-class units only, and {name} is none", rule)
    if step_quality(state, block) == ELITE:
        return Refusal(f"the next step of {name} is elite: only a Special Action gives it back", rule)
    return None


def step_quality(state: State, block: str) -> int:
    """The troop quality printed on the step that a reduced unit would regain."""
    b = state.blocks[block]
    if board.is_garrison(state, block):
        return state.data.cards[b.card].quality[b.steps]
    return state.type(block).quality[b.steps]


def options(state: State, side: str) -> list[Option]:
    """`replace BLOCK with CHIT`, for every reduced unit and everything that serves it."""
    there = [*board.on_map(state, side), *board.in_area(state, AT_SEA, side)]
    reduced = [b.id for b in there if b.steps < board.full_steps(state, b.id)]
    return [
        Option(
            f"replace {block} with {c.id}", f"a step for {board.unit_name(state.data, block)}", ("replace",),
            {"do": "replace", "block": block, "chit": c.id},
        )
        for c in board.available(state, side, *RULES) for block in reduced if not why_not(state, side, block, c.id)
    ]


def replace(ctx: Ctx, block: str, chit: str) -> None:
    """8.26, 8.31, 17.24, 17.25 One step of replacements."""
    rule = RULES[ctx.state.data.chits[chit].kind]
    ctx.emit(e.StepGained(block, rule))
    special.spend(ctx, chit, rule)
