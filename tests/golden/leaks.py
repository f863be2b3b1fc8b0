"""What of the enemy a mail may name, and a search for what it may not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from email.message import EmailMessage
from typing import Any

from pbem.core.journal import Row
from pbem.games.fab_sicily.position.board import known_to
from pbem.games.fab_sicily.position.data import BlockType, Data, other
from pbem.games.fab_sicily.position.state import State

STEPS = re.compile(r"\b(\d)/\d (?:green|veteran|elite)")


def parts(mail: EmailMessage) -> dict[str, str]:
    """All of a mail as text: its headers, and each part decoded."""
    found = {"headers": "\n".join(f"{k}: {v}" for k, v in mail.items())}
    for number, part in enumerate(mail.walk()):
        if not part.is_multipart():
            content = part.get_content()
            name = f"{number} {part.get_content_type()} {part.get_filename() or ''}".strip()
            found[name] = content if isinstance(content, str) else content.decode("utf-8", "replace")
    return found


def opened(rows: Iterable[Row]) -> set[str]:
    """The blocks that events open to everybody have named: they may still be told of later, as what happened then."""
    events = [r.payload for r in rows if r.kind == "event" and r.payload["open"]]
    return {word for p in events for word in _words(p["event"])}


def _words(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)


def hidden_from(state: State, side: str, shown: set[str]) -> list[BlockType]:
    """The enemy blocks that a side knows nothing of: neither now, nor from what was open to all ('14.61': a formation that
    was released is public)."""
    return [
        b for b in state.data.blocks.values()
        if b.side == other(side) and not known_to(state, side, b.id) and b.id not in shown and b.id not in state.released
    ]


def leaks(said: Mapping[str, str], state: State, side: str, shown: set[str], own_words: str = "") -> list[str]:
    """Where a mail to ``side`` names a block that is hidden from it.

    By its id, or by its name where no block or chit that the side may know of has that name.  ``own_words``: what the side
    itself wrote in the mail that is answered; that may be quoted back to it.
    """
    hidden = hidden_from(state, side, shown)
    open_names = _open_names(state.data, {b.id for b in hidden})
    found = []
    for where, text in said.items():
        for block in hidden:
            names = [block.id] if not block.id.isdigit() else []
            if block.name not in open_names:
                names.append(block.name)
            found += [f"{where}: {n}" for n in names if _has(text, n) and not _has(own_words, n)]
    return found


def _open_names(data: Data, hidden: set[str]) -> str:
    """The names of everything but the hidden blocks; chits, places and what the two sides' formations are called."""
    names = [b.name for b in data.blocks.values() if b.id not in hidden]
    names += [c.name for c in data.chits.values()] + [a.name for a in data.areas.values()]
    return "\n".join(names)


def _has(text: str, name: str) -> bool:
    flat = " ".join(text.split())
    return bool(re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w.-])", flat, re.IGNORECASE))
