"""Undoes what phones, word processors and mail programs do to typed text."""

from __future__ import annotations

import re
import unicodedata

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d"
_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u02bc\u0060\u00b4\uff07\u2039\u203a"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
_ARROWS = "\u2192\u21d2\u2794\u2799\u279c\u279d\u279e\u27a1\u27a4\u27f6\u27f9\u21a6\u25ba\u25b6"
_SLASHES = "\u2044\u2215\u29f8"

_SAME = str.maketrans(
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_SINGLE_QUOTES, "'")
    | dict.fromkeys(_DOUBLE_QUOTES, '"')
    | dict.fromkeys(_ARROWS, "->")
    | dict.fromkeys(_SLASHES, "/")
)
_UNSEEN = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u3164", "\uffa0"} | {chr(c) for c in range(0xFE00, 0xFE10)}

_LINK_TAIL = re.compile(r"<(?:https?|tel|mailto|sms|callto|skype|x-apple-data-detectors)(?::|%3A)[^<>]{0,4000}>", re.IGNORECASE)
_BULLET = re.compile(
    r"(?:[-*+\u2022\u2023\u25e6\u2043\u2219\u25aa\u25ab\u25cf\u25cb\u25a0\u25a1\u25c6\u2b1a\u00b7\u2610\u2611\u2713\u2714]+"
    r"(?:\s+|(?=[^\W\d_]))|(?:->|o|\u00a7)\s+(?=[^\W\d_])|\[[ xX]?\]\s+)"
)
_NUMBER = re.compile(r"(?:\(\s?(?:\d{1,2}|[a-zA-Z])\s?\)|\d{1,2}\s?[.)\]]|[a-zA-Z]\))\s+(?=\S)")
_STARRED = re.compile(r"(?<![^\s(])\*{1,3}([^\s*](?:[^*]{0,200}[^\s*])?)\*{1,3}(?![^\s).,;:!?])")
_UNDERLINED = re.compile(r"(?<![^\s(,])_{1,3}([^\s_](?:[^_]{0,200}[^\s_])?)_{1,3}(?![^\s).,;:!?])")
_SLANTED = re.compile(r"(?<![^\s(,])/([^\s/](?:[^\s]{0,60}[^\s/])?)/(?![^\s).,;:!?])")
_END_MARKS = " \t.,;\u3002\u3001"


def fold(line: str) -> str:
    """One line with typographic variants made plain: dashes, quotes, arrows, odd blanks, invisible marks.

    Letters of other alphabets stay what they are, however much they look like ours.
    """
    line = line.rstrip("\0")
    if line.isascii():
        return " ".join(_printable(line).split())
    line = unicodedata.normalize("NFKC", line.translate(_SAME)).translate(_SAME)
    return " ".join(_printable(line).split())


def bare(line: str) -> str:
    """`fold` and no list mark, link target, *emphasis* or closing full stop either: an order as it was meant."""
    line = fold(line)
    if "<" in line:
        line = " ".join(_LINK_TAIL.sub("", line).split())
    for sign, pattern in (("*", _STARRED), ("_", _UNDERLINED), ("/", _SLANTED)):
        if sign in line:
            line = pattern.sub(r"\1", line)
    for _ in range(3):
        mark = _BULLET.match(line) or _NUMBER.match(line)
        if not mark:
            break
        line = line[mark.end() :]
    if len(line) > 2 and line[0] == line[-1] and line[0] in "_\"'":
        line = line[1:-1]
    return line.rstrip(_END_MARKS) or line


def _printable(line: str) -> str:
    return line if line.isascii() and line.isprintable() else line.translate(_SEEN)


class _Seen(dict[int, str]):
    """What is left of a character: itself, a blank, nothing, or a mark that it was broken; looked up once."""

    def __missing__(self, code: int) -> str:
        seen = self._look(chr(code))
        if len(self) < 10_000:
            self[code] = seen
        return seen

    def _look(self, char: str) -> str:
        kind = unicodedata.category(char)
        if char in "\t\x0b\x0c" or kind[0] == "Z":
            return " "
        if kind == "Cs" or char == "\0":
            return "\ufffd"
        return "" if kind in ("Cc", "Cf") or char in _UNSEEN else char


_SEEN = _Seen()
