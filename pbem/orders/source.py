"""Finds the orders in a mail's text: blocks from ``game NAME`` to ``end``.

The text has been cleaned before (charset, quotes, signature); whatever prose is left must not spoil orders.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from pbem.orders.lexer import tokenise

REPORT_PREFIX = "| "
"""Lines of our own reports begin so where they could be taken for orders."""

ABOVE = frozenset({"check", "wait", "add"})
"""What changes the meaning of a whole mail counts above the ``game`` line too: nobody who writes 'check' there may find
his orders carried out."""

GAME = re.compile(r"^\s*game\s*:?\s+([A-Za-z0-9][\w.\-‐‑‒–—]*)\s*[.!,]?\s*$", re.IGNORECASE)
END = re.compile(r"^\s*end\s*[.!]?\s*$", re.IGNORECASE)
_GUARD = re.compile(r"^\s*turn\s*:?\s+(\d.*)$", re.IGNORECASE)
_DASH = re.compile("[‐‑‒–—]")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the text, counted from 1."""

    no: int
    text: str


@dataclass
class OrderBlock:
    """What stands between ``game NAME`` and ``end``.

    ``game``: '' if no game was named; ``guard``: what follows ``turn`` ('2 allied move'), '' without;
    ``ended``: whether ``end`` came.
    """

    game: str
    guard: str = ""
    lines: list[Line] = field(default_factory=list)
    ended: bool = False
    guard_line: Line | None = None

    def same(self, other: OrderBlock) -> bool:
        """Whether both say the same, wherever they stand."""
        return (self.game, self.guard, self._texts(), self.ended) == (other.game, other.guard, other._texts(), other.ended)

    def _texts(self) -> list[str]:
        return [" ".join(line.text.lower().split()) for line in self.lines]


@dataclass
class Source:
    """``blocks`` in the order found, each once; ``ignored``: lines outside them; ``stray``: those of the
    ignored lines that begin like orders; ``outside``: all of them that are not blank; ``empty``: blocks in which nothing but
    comments stands, which are none."""

    blocks: list[OrderBlock] = field(default_factory=list)
    ignored: int = 0
    stray: list[Line] = field(default_factory=list)
    outside: list[Line] = field(default_factory=list)
    empty: list[OrderBlock] = field(default_factory=list)


def blocks(text: str, verbs: Collection[str] = ()) -> Source:
    """Find the order blocks in ``text``.

    ``verbs`` are the words an order may begin with.  A block without a ``game`` line (in a reply) begins at
    the first line that starts with one of them, but only ahead of any other block; without an ``end`` it
    is believed only if no block with a ``game`` line follows, to which its lines of :data:`ABOVE` then belong.
    A line of our own mails ('| place 5-1 at B5') counts where somebody copied it into a block that he began.
    """
    source = Source()
    block: OrderBlock | None = None
    for no, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = Line(no, raw.strip())
        if raw.startswith(REPORT_PREFIX.strip()) and block is not None and block.game:
            line = Line(no, raw.lstrip("| \t").strip())
            raw = line.text
        elif raw.startswith(REPORT_PREFIX.strip()) or raw.lstrip().startswith(">"):
            source.ignored += 1
            continue
        named = GAME.match(raw)
        if named:
            _close(source, block, verbs, cut_short=True)
            above = [line for line in block.lines if _alone(line) in ABOVE] if block and not block.game else []
            block = OrderBlock(_DASH.sub("-", named.group(1)).lower(), lines=above)
        elif block is None and not source.blocks and _begins_with(line, verbs):
            block = OrderBlock("")
            _add(block, line)
        elif block is None:
            source.ignored += bool(line.text)
            source.outside += [line] if line.text else []
            if _begins_with(line, verbs):
                source.stray.append(line)
        elif END.match(raw):
            block.ended = True
            _close(source, block, verbs)
            block = None
        else:
            _add(block, line)
    _close(source, block, verbs)
    return source


def _add(block: OrderBlock, line: Line) -> None:
    guard = _GUARD.match(line.text)
    if guard and not block.guard and all(_alone(line) in ABOVE for line in block.lines):
        words = [t.text for t in tokenise(guard.group(1))]
        block.guard, block.guard_line = " ".join(words), line
    elif tokenise(line.text):
        block.lines.append(line)


def _close(source: Source, block: OrderBlock | None, verbs: Collection[str], cut_short: bool = False) -> None:
    """Keep a finished block, unless it is prose that only looked like one, or a copy."""
    if block is None:
        return
    orders = [line for line in block.lines if _begins_with(line, verbs)]
    prose = not block.ended and (bool(verbs) and not orders if block.game else cut_short)
    if prose:
        source.ignored += len(block.lines) + 1
        source.outside += block.lines
        source.stray += orders
    elif block.ended and not block.lines:
        source.empty.append(block)
    elif not any(block.same(b) for b in source.blocks):
        source.blocks.append(block)


def _alone(line: Line) -> str:
    """The one word that a line consists of, '' if there are more."""
    words = tokenise(line.text)
    return words[0].text if len(words) == 1 else ""


def _begins_with(line: Line, verbs: Collection[str]) -> bool:
    if not verbs or not line.text:
        return False
    tokens = tokenise(line.text[:200])
    return bool(tokens) and (tokens[0].text in verbs or tokens[0].text == "turn" and bool(_GUARD.match(line.text)))
