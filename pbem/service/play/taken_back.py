"""A game that has been taken back stands still until its players say how it goes on.

Nothing is played, and no die falls, before everybody who is named in :attr:`Held.wanted` has spoken: 'ready' puts in force what
he had ordered before, which lies open again as lines that are kept; new orders take its place.  A deadline speaks for who does
not, without the kept lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from pbem.core import documents
from pbem.core.standing import Directive
from pbem.service.play import game_session
from pbem.service.play.game_session import GameSession
from pbem.service.play.held import Held, forget
from pbem.store.api import RUNNING, TAKEN_BACK, Draft


def hold(play: GameSession, laid_open: Sequence[Directive]) -> None:
    """The game stands at the start of a step it was taken back to; the orders that were in force there lie open again."""
    phasing, before = play.session.stage.side, play.held
    play.game = replace(play.game, status=TAKEN_BACK, note=f"taken back to {play.session.step_name}")
    Held((phasing,) if phasing in play.rules.sides else tuple(play.rules.sides)).write(play.context, play.game.id)
    for side in play.rules.sides:
        mine = [d for d in laid_open if d.side == side]
        if not before:
            play.drop_draft(side)
        if mine and (not before or play.draft(side) is None):
            payload: dict[str, Any] = {"directives": [d.as_dict() for d in mine], "replace": [], "cancel": []}
            lines = tuple(dict.fromkeys(d.text for d in mine))
            play.keep_draft(Draft(play.game.id, side, play.session.step, payload, lines, mine[0].source, play.now, True))


def speak(play: GameSession, side: str, kept: bool = True) -> bool:
    """A side has said how it goes on; True if the game does now.  ``kept``: what is kept of it comes in force then."""
    held = _held(play)
    if not kept:
        play.drop_draft(side)
    held = replace(held, spoken=(*held.spoken, *([] if side in held.spoken else [side])))
    if held.missing:
        held.write(play.context, play.game.id)
        return False
    release(play, held.spoken)
    return True


def release(play: GameSession, spoken: Sequence[str] = ()) -> None:
    """The game goes on, with what is kept of those who have ``spoken``."""
    play.game = replace(play.game, status=RUNNING, note="")
    forget(play.context, play.game.id)
    for side in spoken:
        draft = play.draft(side)
        if draft is not None and play.clock.early != "no":
            play.session.submit("orders", {"side": side, **draft.payload}, draft.source)
            play.drop_draft(side)
    play.advance()


def _held(play: GameSession) -> Held:
    return Held.read(play.context, play.game.id, play.rules.sides)


def _question(doc: documents.Brief | documents.Report, kept: bool) -> documents.Wanted:
    """What is asked, in the shape of a report's questions."""
    how = "'ready' puts the lines in force that are kept of you; new orders take their place." if kept else (
        "Send your orders for this phase; 'ready' alone goes on without any."
    )
    return {
        "number": 1, "id": "", "kind": "go-on", "rule": "", "title": "How does the game go on from here?", "place": "",
        "heading": f"How does the game go on from here? ({doc['phase']})", "prompt": how, "facts": [], "phase": doc["phase"],
        "many": False, "how": "", "choices": [], "more": 0, "labels": [], "default": "",
        "default_words": "it goes on without the lines that are kept", "example": "ready",
    }


def headline(play: GameSession, side: str, phase: str) -> str:
    """The first line of a report."""
    mine = side in _held(play).missing
    return f"{phase}: {'your word is wanted before it is played' if mine else 'nothing is wanted of you now'}"


Document = TypeVar("Document", documents.Brief, documents.Report)


def shown(play: GameSession, side: str, doc: Document, deadline: documents.Due | None) -> Document:
    """A view of the game for a side, with what is wanted of it said."""
    missing, kept = _held(play).missing, bool(side) and play.draft(side) is not None
    mine: bool = side in missing
    others: list[str] = [s.capitalize() for s in missing if s != side]
    reply = [
        f"game {play.game.id}", f"turn {game_session.numbered(play.session.step_name)}",
        "# 'ready' carries out what is kept of you; new orders take its place", "# ready", "end",
    ]
    waits = f"The game stands still until {' and '.join([*(['you'] if mine else []), *others])}"
    return {
        **doc, "wanted": [_question(doc, kept)] if mine else [], "deadline": deadline if mine else None,
        "reply": reply if side else [],
        "waiting": f"{waits} {'have' if mine or len(others) > 1 else 'has'} spoken." if missing else "",
    }
