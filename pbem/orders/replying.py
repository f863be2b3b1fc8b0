"""The lines that a report suggests to send back."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import islice

from pbem.core.asks import Ask, Option
from pbem.orders.catalogue import Catalogue
from pbem.orders.scopes import phase_of

MOST_SHOWN = 12
"""Options of a question that a reply block lists."""

WIDTH = 70


def guard_of(step: str) -> str:
    """The guard line of a reply block: 'turn 2 allied movement'."""
    return f"turn {step if step[:1].isdigit() else f'1 {step}'}"


def text_of(option: Option, ask: Ask, catalogue: Catalogue) -> str:
    """The order line that takes ``option``."""
    kind = catalogue[ask.kind]
    if not kind.phase_orders:
        return f"answer {ask.id} {option.key}"
    return f"pass {phase_of(ask.scope)}" if option.key == kind.closing else option.key


def wanted(ask: Ask, catalogue: Catalogue, looked_at: int | None = None) -> list[str]:
    """The lines of a reply block for a question, all of them comments.  Of a question with thousands of options only so many
    are ``looked_at`` for examples (None: all)."""
    kind = catalogue[ask.kind]
    if not kind.phase_orders:
        marks = {ask.default: "   (the default)"}
        shown = islice(ask.each(), MOST_SHOWN)
        return [f"# {ask.prompt or kind.prompt}", *(f"#   {text_of(o, ask, catalogue)}{marks.get(o.key, '')}" for o in shown)]
    first: dict[str, str] = {}
    for option in islice(ask.each(), looked_at):
        first.setdefault(option.key.split(" ")[0], text_of(option, ask, catalogue))
    if ask.closing is not None:
        first.setdefault(ask.closing.key, text_of(ask.closing, ask, catalogue))
    return [f"# {kind.title}:", *(f"#   {line}" for line in list(first.values())[:MOST_SHOWN])]


def reply_block(game: str, step: str, asks: Sequence[Ask], catalogue: Catalogue, looked_at: int | None = None) -> list[str]:
    """The lines to send back.  All suggestions are comments, so that a reply sent as it came does nothing."""
    lines = [f"game {game}", guard_of(step)]
    for ask in asks:
        for line in wanted(ask, catalogue, looked_at):
            lines += textwrap.wrap(line, WIDTH, subsequent_indent="#     ", break_on_hyphens=False)
    return [*lines, "end"]
