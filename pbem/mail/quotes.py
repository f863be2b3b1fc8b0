"""Cuts what the player did not write: quoted mail, attributions, signature, PGP armour.

Line by line and without backtracking patterns, since bodies come from anybody.  Where a quote has no '>' only its
beginning can be known, so everything below it is cut: a player who writes under such a quote is asked to send again,
which is better than last turn's orders being taken for new ones.

What stands between the marks of a message ('press to axis' … 'end press') is the message's, whatever it looks like; and a
line of our own ('| place 5-1 at B5') that was copied into a block of orders is one of its lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pbem.mail.attribution import LONGEST, heading, next_filled
from pbem.mail.typed import fold

_PREFIXED = re.compile(
    r"\s{0,3}(?:>|\|(?:\s|$)|[A-Za-z]{1,4}>+(?:\s|$)|[A-Za-z]{1,4}>>"
    r"|[\u203a\u00bb\uff1e\u2502\u2503\u00a6\u258c\u258e\u258f\uff5c}\]:](?:\s|$))"
)
_MARK = re.compile(r"(?:\s{0,3}(?:[>\u203a\u00bb\uff1e\u2502\u2503\u00a6\u258c\u258e\u258f\uff5c|}\]:]|[A-Za-z]{1,4}>)+)+\s?")
_OURS = re.compile(r"\s{0,3}\|\s")
_GAME = re.compile(r"\s{0,40}game\s{0,5}:?\s{1,5}\S{1,80}\s{0,5}[.!,]?\s{0,40}", re.IGNORECASE)
_END = re.compile(r"\s{0,40}end\s{0,5}[.!]?\s{0,40}", re.IGNORECASE)
_PRESS = re.compile(
    r"\s{0,40}press(?: anonymous(?:ly)?)? to (?:the )?\w[\w-]{0,30}\s{0,5}(?::.{0,500})?[.!]?\s{0,40}", re.IGNORECASE
)
_PRESS_END = re.compile(r"\s{0,40}(?:end(?: of)?(?: the)? press|endpress)\s{0,5}[.!]?\s{0,40}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Cut:
    """What remains; how many lines that were not blank went with quotes, and with a signature; the lines of the signature;
    the marked lines that stood inside a block of orders and went with the quotes."""

    text: str
    quoted: int = 0
    signature: int = 0
    signed: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()


@dataclass
class _Kept:
    """What has been kept and dropped so far."""

    lines: list[str] = field(default_factory=list)
    quoted: int = 0
    inside: list[str] = field(default_factory=list)

    def cut(self, more_quoted: int = 0, signature: list[str] | None = None) -> Cut:
        """The end of it: what is left goes with a quote, or with a signature."""
        signed = tuple(line.strip() for line in (signature or ())[1:] if line.strip())
        return Cut("\n".join(self.lines), self.quoted + more_quoted, _filled(signature or []), signed, tuple(self.inside))


def cut(text: str) -> Cut:
    """Remove quoted mail, PGP armour and the signature from ``text``; everything else stays as it is."""
    lines = _unarmoured(text.splitlines())
    marked = [_PREFIXED.match(line) is not None for line in lines]
    plain = [line[:LONGEST] if m else fold(line[:LONGEST]) for line, m in zip(lines, marked, strict=True)]
    kept = _Kept()
    message_end, block_end = _ends(lines, marked, _PRESS, _PRESS_END), _ends(lines, marked, _GAME, _END)
    until = 0
    i = 0
    while i < len(lines):
        if not marked[i] and i in message_end:
            kept.lines += lines[i : message_end[i] + 1]
            i = message_end[i] + 1
            continue
        until = max(until, block_end.get(i, 0))
        if marked[i]:
            if i < until and _OURS.match(lines[i]):
                kept.lines.append(lines[i])
            else:
                kept.quoted += 1
                kept.inside += [_MARK.sub("", lines[i], count=1).strip()] if i < until else []
            i += 1
            if _heads_unmarked(lines, plain, marked, i):
                return kept.cut(_filled(lines[i:]))
            continue
        if lines[i].rstrip("\r\n") in ("-- ", "--\u00a0"):
            return kept.cut(signature=lines[i:])
        below = heading(lines, plain, i)
        if below is not None:
            first = next_filled(plain, below)
            if first is None or not marked[first]:
                return kept.cut(_filled(lines[i:]))
            kept.quoted += _filled(lines[i:first])
            i = first
            continue
        kept.lines.append(lines[i])
        i += 1
    return kept.cut()


def _ends(lines: list[str], marked: list[bool], begins: re.Pattern[str], ends: re.Pattern[str]) -> dict[int, int]:
    """For each unmarked line that begins a block or a message: the unmarked line that ends it, if that is there before
    another one begins."""
    found: dict[int, int] = {}
    begun = -1
    for i, line in enumerate(lines):
        if marked[i] or len(line) > LONGEST + 200:
            continue
        if begins.fullmatch(line):
            begun = i
        elif begun >= 0 and ends.fullmatch(line):
            found[begun] = i
            begun = -1
    return found


def _heads_unmarked(lines: list[str], plain: list[str], marked: list[bool], i: int) -> bool:
    """Whether the marked lines that end above line ``i`` end in the heading of a quote whose own lines have no mark."""
    below = next_filled(plain, i)
    if below is None or marked[below] or i < len(lines) and marked[i]:
        return False
    start = i - 1
    while start > 0 and marked[start - 1] and i - start < 10:
        start -= 1
    bare = [fold(_MARK.sub("", line[:LONGEST], count=1)) for line in lines[start:i]]
    while bare and not bare[-1]:
        bare.pop()
    return any(heading(bare, bare, at) == len(bare) for at in range(len(bare)) if bare[at])


def _filled(lines: list[str]) -> int:
    return sum(1 for line in lines if line.strip(" \t\u00a0>|"))


def _unarmoured(lines: list[str]) -> list[str]:
    """The text of PGP clear-signed mail without armour lines, headers and dash escapes."""
    if not any(line.startswith("-----BEGIN PGP SIGNED") for line in lines):
        return lines
    kept: list[str] = []
    state = "outside"
    for line in lines:
        mark = line.rstrip()
        if mark == "-----BEGIN PGP SIGNED MESSAGE-----":
            state = "headers"
        elif mark == "-----BEGIN PGP SIGNATURE-----":
            state = "signature"
        elif mark == "-----END PGP SIGNATURE-----":
            state = "outside"
        elif state == "headers":
            state = "headers" if mark else "text"
        elif state == "text":
            kept.append(line[2:] if line.startswith("- ") else line)
        elif state == "outside":
            kept.append(line)
    return kept
