"""The parts of a battle plan: ``lead US-16; guns all; air 2; lose weakest; advance all; counter at 2:1``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.core.standing import PLAN, Test
from pbem.games.invasion_sicily.words.names import Names, number
from pbem.orders.drafts import Draft
from pbem.orders.grammar import Reader, Trouble, clauses
from pbem.orders.lexer import Token
from pbem.orders.suggest import near

ANY = "any"

CLAUSE_HELP: dict[str, tuple[str, str]] = {
    "lead": ("lead UNIT, ...", "who leads, the first of them that can; 'lead best', 'lead armor'"),
    "guns": ("guns all|none|UNIT, ...", "artillery that supports"),
    "role": ("role support|defend", "what guns in the attacked hex do"),
    "air": ("air NUMBER", "air points, or as many as there are"),
    "naval": ("naval NUMBER", "naval points, or as many as there are"),
    "lose": ("lose UNIT, ...|weakest|strongest|full", "who loses steps after the lead unit"),
    "stand": ("stand always|never|at NUMBER steps", "whether No Retreat is tried"),
    "retreat": ("retreat land|sea|to HEX, ...", "how units retreat"),
    "advance": ("advance all|none|UNIT, ...", "who advances"),
    "counter": ("counter always|never|at ODDS", "whether thrown back units strike back"),
    "join": ("join all|none|UNIT, ...", "who joins a counterattack"),
}


@dataclass
class Plan:
    """What the clauses say: their canonical words, and directives for the questions of a combat."""

    texts: list[str]
    drafts: list[Draft]


_Read = tuple[str, str, list[tuple[tuple[str, ...], tuple[Test, ...]]]]
"""A clause read: its canonical words, the kind of question, and choices with their tests."""


def read_plan(names: Names, tokens: Sequence[Token], at: int, where: str, mode: str = PLAN) -> Plan:
    """The clauses from token ``at`` on, for the combat at ``where`` ('': any)."""
    found = Plan([], [])
    for start, end in clauses(tokens, at):
        reader = Reader(tokens, start, end)
        word = reader.word()
        read = _CLAUSES.get(word)
        if read is None:
            said = f"'{word}' begins no part of a battle plan; possible: {', '.join(_CLAUSES)} (parts are separated by ';')"
            raise Trouble("clause", said, start, 1, near(word, _CLAUSES))
        reader.at += 1
        text, kind, plans = read(names, reader)
        reader.expect_end()
        if any(t.split(" ")[0] == text.split(" ")[0] for t in found.texts):
            raise Trouble("twice", f"'{word}' stands twice in this plan", start)
        found.texts.append(text)
        found.drafts += [Draft(kind, choices, mode, where, tests) for choices, tests in plans]
    return found


def _units(names: Names, reader: Reader) -> list[str]:
    return names.some_units(reader).split(" ")


def _lead(names: Names, reader: Reader) -> _Read:
    """9.3.1, 9.3.6"""
    for tag in ("best", "armor", "infantry"):
        if reader.take(tag):
            return f"lead {tag}", "lead", [((tag,), ())]
    units = _units(names, reader)
    return f"lead {', '.join(units)}", "lead", [(tuple(f"lead {u}" for u in units), ())]


def _some(kind: str, word: str, verb: str) -> Callable[[Names, Reader], _Read]:
    """'all', 'none' or units one by one, and then no more."""

    def read(names: Names, reader: Reader) -> _Read:
        if reader.take("none", "no", "never"):
            return f"{word} none", kind, [(("done",), ())]
        if reader.take("all", "any"):
            return f"{word} all", kind, [((f"{word} all", "done"), ())]
        units = _units(names, reader)
        return f"{word} {', '.join(units)}", kind, [((*(f"{verb} {u}" for u in units), "done"), ())]

    return read


def _points(kind: str) -> Callable[[Names, Reader], _Read]:
    """10.2, 10.3 So many points, or as many as there are."""

    def read(names: Names, reader: Reader) -> _Read:
        if reader.take("all"):
            return f"{kind} all", kind, [(("all",), ())]
        if reader.take("none", "no"):
            return f"{kind} 0", kind, [((f"{kind} 0",), ())]
        most = int(number(reader))
        return f"{kind} {most}", kind, [(tuple(f"{kind} {n}" for n in range(most, -1, -1)), ())]

    return read


def _role(names: Names, reader: Reader) -> _Read:
    """10.1.6"""
    for word in ("support", "defend"):
        if reader.take(word):
            return f"role {word}", "gun-role", [((word,), ())]
    raise Trouble("missing", "'support' or 'defend' is expected here", reader.at)


def _lose(names: Names, reader: Reader) -> _Read:
    """9.5.3"""
    for tag in ("weakest", "strongest", "full"):
        if reader.take(tag):
            return f"lose {tag}", "loss", [((tag, "weakest"), ())]
    units = _units(names, reader)
    return f"lose {', '.join(units)}", "loss", [((*(f"lose {u}" for u in units), "weakest"), ())]


def _threshold(word: str, kind: str, fact: str, yes: tuple[str, ...], no: str) -> Callable[[Names, Reader], _Read]:
    """'never', 'always', or 'at 2' of something."""

    def read(names: Names, reader: Reader) -> _Read:
        if reader.take("never", "no"):
            return f"{word} never", kind, [((no,), ())]
        if reader.take("always", "yes"):
            return f"{word} always", kind, [((*yes, no), ())]
        reader.take("at", "from")
        least, at = reader.word().split(":")[0], reader.at
        if not least.isdecimal():
            raise Trouble("number", f"'never', 'always' or 'at 2' is expected after '{word}'", at)
        reader.at += 1
        reader.take(":1", "steps", "step")
        if reader.token is not None and reader.token.text in (":", "1"):
            reader.at = reader.stop
        return f"{word} at {int(least)}", kind, [(yes, (Test(fact, ">=", int(least)),)), ((no,), ())]

    return read


def _retreat(names: Names, reader: Reader) -> _Read:
    """9.6, 9.6.6"""
    if reader.take("land"):
        return "retreat land", "retreat", [(("land", "first"), ())]
    if reader.take("sea"):
        return "retreat sea", "retreat", [(("sea", "first"), ())]
    way = names.way(reader)
    return f"retreat to {', '.join(way.split(' '))}", "retreat", [((f"retreat to {way}", "first"), ())]


_CLAUSES: dict[str, Callable[[Names, Reader], _Read]] = {
    "lead": _lead,
    "guns": _some("guns", "guns", "fire"),
    "role": _role,
    "air": _points("air"),
    "naval": _points("naval"),
    "lose": _lose,
    "stand": _threshold("stand", "no-retreat", "steps", ("try",), "retreat"),
    "retreat": _retreat,
    "advance": _some("advance", "advance", "advance"),
    "counter": _threshold("counter", "counter", "odds", ("counter",), "none"),
    "join": _some("join", "join", "join"),
}
