"""Messages between players in a mail: cut out before anything is read as an order, so that the two are never mixed up.

A message begins below a line 'press to axis' and ends at 'end press'.  Without that it ends at a line 'end', which ends the
block of orders as well, at the next message, at a line 'game NAME', or with the mail.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.orders.source import END, GAME, REPORT_PREFIX

_HEAD = re.compile(
    r"\s*press(?P<anonymous> anonymous(?:ly)?)? to (?:the )?(?P<to>\w[\w-]{0,30})\s*(?::\s*(?P<rest>.*))?[.!]?\s*", re.IGNORECASE
)
_STOP = re.compile(r"\s*(?:end(?: of)?(?: the)? press|endpress)\s*[.!]?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Message:
    """``to``: the word behind 'to'; ``text`` as typed; ``line``: number of its first line; ``closed``: whether 'end press' was
    there, so that no orders can have got into it; ``game``: in whose block it stands; ``runs_on``: it has no 'end press', and
    the block of orders that ends it looks as if it was quoted in it."""

    to: str
    anonymous: bool
    text: str
    line: int
    closed: bool
    game: str = ""
    runs_on: bool = False


def take(text: str, typed: str = "") -> tuple[list[Message], str]:
    """The messages in a mail's text, and the text with blank lines in their place.  ``typed``: the same lines as they were
    typed."""
    lines = re.split(r"\r\n|\r|\n", text)
    shown = re.split(r"\r\n|\r|\n", typed) if typed else lines
    shown = shown if len(shown) == len(lines) else lines
    found: list[Message] = []
    game, at = "", 0
    while at < len(lines):
        head = _HEAD.fullmatch(lines[at])
        if named := GAME.match(lines[at]):
            game = named[1].lower()
        elif END.match(lines[at]):
            game = ""
        if head is None:
            at += 1
            continue
        stop, after = _end(lines, at + 1)
        said = [*([head["rest"]] if head["rest"] else []), *(s for s in shown[at + 1 : stop] if not _quoted(s))]
        written = "\n".join(s.rstrip() for s in said).strip("\n")
        runs_on = after == stop and _runs_on(lines, at, stop)
        found.append(Message(head["to"].lower(), bool(head["anonymous"]), written, at + 1, after > stop, game, runs_on))
        lines[at:after] = [""] * (after - at)
        at = after
    return found, "\n".join(lines)


def _end(lines: list[str], start: int) -> tuple[int, int]:
    """Where a message's text ends, and where what comes after it begins."""
    following = next((i for i in range(start, len(lines)) if _HEAD.fullmatch(lines[i])), len(lines))
    for i in range(start, following):
        if _STOP.fullmatch(lines[i]):
            return i, i + 1
    end = next((i for i in range(start, following) if END.match(lines[i]) or GAME.match(lines[i])), following)
    return end, end


def _runs_on(lines: list[str], start: int, stop: int) -> bool:
    """Whether the 'game' line that ends an open message stands right below its words, or below a colon, or has words of prose
    behind its block: 'You could have sent:', and what."""
    if stop >= len(lines) or not GAME.match(lines[stop]):
        return False
    above = [line for line in lines[start + 1 : stop] if line.strip()]
    return bool(above) and (bool(lines[stop - 1].strip()) or above[-1].rstrip().endswith(":"))


def _quoted(line: str) -> bool:
    return line.lstrip().startswith((">", REPORT_PREFIX.strip()))
