"""One combat phase on a small position, with dice written 'rule: faces | rule: faces'."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pbem.core.asks import Ask
from tests.games.fab_sicily.play import Play, board

ALLIED_SUPPLY = "beachhead B3\ncontrol allied 4"
"""Area 6 and its neighbours trace to the beachhead at Avola [4]; the Axis traces by its default control."""


def rule(number: str) -> pytest.MarkDecorator:
    """The mark of a test."""
    return pytest.mark.rule("fab_sicily", number)


def dice(text: str) -> list[tuple[str, int]]:
    """'6.25: 2 5 | 6.26: 5' as scripted dice."""
    found = []
    for part in filter(None, (p.strip() for p in text.split("|"))):
        number, _, faces = part.partition(":")
        found += [(number.strip(), int(f)) for f in faces.split()]
    return found


def fight(
    text: str,
    script: str = "",
    answers: Mapping[Any, Any] | None = None,
    step: str = "2 allied combat",
    switches: Mapping[str, Any] | None = None,
) -> Play:
    """Play the phase; unanswered questions take their defaults, dice left over fail."""
    state = board(f"{text}\n{ALLIED_SUPPLY}")
    state.data.switches.update(switches or {})  # type: ignore[attr-defined]
    play = Play(state, step, dice(script), None, answers, default=True)
    assert not play.faces_left, f"dice left over: {play.faces_left}"
    return play


def asks(play: Play, kind: str, side: str = "") -> list[Ask]:
    """The questions of a kind that somebody had to answer."""
    return [a for a in play.asked if a.kind == kind and side in ("", a.side)]


def offered(play: Play, kind: str, side: str = "") -> list[str]:
    """The options of the first such question; none if it was not asked."""
    found = asks(play, kind, side)
    return [o.key for o in found[0].options] if found else []


def fired(play: Play) -> dict[str, tuple[int, dict[str, int], int]]:
    """Firer to (Success Number, modifiers, dice)."""
    return {f["firer"]: (f["target"], dict(f["mods"]), len(f["faces"])) for f in play.of("Fired")}


def absorbed(play: Play, side: str) -> list[str]:
    """How a side took its hits, in order: 'field-works', 'lost 50-1' …"""
    return [f"{h['how']} {h['who']}".strip() for h in play.of("HitAbsorbed") if h["side"] == side]
