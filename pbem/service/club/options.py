"""What can be chosen for a game about the people in it: who may take a seat, absences, missed turns, press, observers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

CHOICES: Mapping[str, tuple[str, ...]] = {
    "seats": ("open", "consent", "private"),
    "absence": ("move", "ignore"),
    "missed": ("defaults", "wait", "substitute"),
    "press": ("named", "anonymous", "no"),
    "release": ("public", "all"),
}
"""Options of a few words; the first is what a game has that says nothing."""

OPTIONS: Mapping[str, str] = {
    "seats": "open: anybody takes a free seat; consent: the host or referee is asked first; private: the same, and the game is"
    " not listed",
    "absence": "move: deadlines move when a player is absent; ignore: they do not",
    "absence_days": "by so many days at most in a game, for each player (30)",
    "missed": "of a missed turn. defaults: standing orders and defaults play; wait: the game waits, the referee is asked;"
    " substitute: others are asked to take the seat",
    "misses": "after so many missed deadlines of one player in a row, or half as many of everybody, the game pauses and its"
    " referee is asked (4); 0: never",
    "press": "named: players may write to each other; anonymous: without their name, too; no: not at all",
    "release": "what 'report full' tells of press after the end. public: what was written to all; all: also what the sides wrote"
    " to each other",
    "observers": "no: nobody watches; open: members may; 'delayed 2': they are told two turns later",
}
"""What can be set for a game, each with what it means."""

DEFAULTS: Mapping[str, Any] = {
    **{name: words[0] for name, words in CHOICES.items()}, "absence_days": 30, "observers": "no", "misses": 4,
}


class BadOption(ValueError):
    """A value that cannot be; says how to write it."""


def option(name: str, value: Any) -> Any:
    """A value for one of :data:`OPTIONS`, as it is stored."""
    text = " ".join(str(value).lower().split())
    if name == "absence_days":
        if not text.isdecimal() or not 0 <= int(text) <= 366:
            raise BadOption(f"absence_days is {text[:20]!r}: give a number of days, at most 366")
        return int(text)
    if name == "misses":
        if not text.isdecimal() or not 0 <= int(text) <= 99:
            raise BadOption(f"misses is {text[:20]!r}: give a number of missed deadlines, 0 for never")
        return int(text)
    if name == "observers":
        found = re.fullmatch(r"delayed[ :-]?(\d{1,2})(?: turns?)?", text)
        if found:
            return f"delayed {int(found[1])}"
        if text not in ("no", "open"):
            raise BadOption(f"observers is {text[:20]!r}: write no, open, or 'delayed 2'")
        return text
    if text not in CHOICES[name]:
        raise BadOption(f"{name} is {text[:20]!r}: write {', '.join(CHOICES[name][:-1])} or {CHOICES[name][-1]}")
    return text


def of(options: Mapping[str, Any], name: str) -> Any:
    """What a game has chosen."""
    return options.get(name, DEFAULTS[name])


def delay(options: Mapping[str, Any]) -> int | None:
    """By how many turns observers are told later; None if there are none."""
    found = str(of(options, "observers"))
    return None if found == "no" else 0 if found == "open" else int(found.split(" ")[1])
