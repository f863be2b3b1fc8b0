"""What 'help' mails back: a page on orders, questions or mail; a rule; how open points are decided; what errors mean."""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any
from typing import TYPE_CHECKING

from pbem import title_packages
from pbem.core.rule_ids import RuleIds
from pbem.games import find_title
from pbem.orders import help
from pbem.orders.service_verbs import SERVICE
from pbem.reports.render import WIDTH, guarded, render, template_dir
from pbem.service.club import options
from pbem.service.play import clock
from pbem.service.records.coverage import coverage
from pbem.scenarios import catalog

if TYPE_CHECKING:
    from pbem.games.contract import Title

OPTION_WORDS = ("options", "option")

ERRORS: Mapping[str, str] = {
    "unknown-verb": "the first word is no order. 'help orders' lists them all; the mail says which may have been meant.",
    "unknown": "no unit, place, asset or other thing is called so. Its id, as the report shows it, always works.",
    "ambiguous": "the words can mean several things, and nothing is guessed. Use the id, or 'answer', the question's number and"
    " the choice.",
    "missing": "something more is needed at the place that is marked.",
    "junk": "the order is understood up to the mark; what follows is not. Leave it out, or begin a comment with #.",
    "broken": "the line seems to belong to the one before it; your mail program broke it. Put both in one line.",
    "long": "the line is too long to be read. Write one order a line.",
    "guard": "the line 'turn ...' names no phase of this game. Copy it from the reply block of the last report.",
    "stale": "the orders are for a phase that is over. The mail says what is wanted now.",
    "phase": "no such phase is to come. 'help phases' lists their names.",
    "later": "a warning: the order was taken for a later phase, as the one it would belong to is over.",
    "twice": "the same unit, or the same part of a battle plan, is named twice. The line that comes first counts.",
    "beyond": "the phase that is named lies after the last turn of the game.",
    "behind": "a warning: an older standing order of yours is asked before this one. 'cancel standing 2' takes it back.",
    "cancel": "there is nothing of that description to take back. 'orders' lists what is in force.",
    "no-question": "no question that is open takes this as its answer. 'status' lists the open ones.",
    "choice": "the question does not take this choice. 'help' and the name of the question shows its choices.",
    "nowhere": "the question is not asked about a place, so its standing order names none.",
    "or": "a standing order has one condition, or several that all must hold. Write one for each case.",
    "fact": "this cannot be tested at that question. 'help standing' lists what can.",
    "operator": "a test is a fact, a sign like = or >=, and a value: 'steps <= 2'.",
    "value": "the fact is one of a few words; the mail lists them.",
    "number": "a number is expected at the mark.",
    "wrong-phase": "the order belongs to another phase. The mail says which; 'phase NAME' above it means that one.",
    "past": "the phase that is named is over.",
    "answered": "another line of this mail answers the question already. The first one counts.",
    "nothing-to-pass": "there is nothing of yours to pass in this phase. Name the one you mean: 'pass reaction'.",
    "refused": "the order is understood, but the rules do not allow it now. The rule is named: 'help' and its number tells more.",
}
"""What each sort of finding means and what to do about it; titles add their own."""


def page(rules: Title, topic: Sequence[str], width: int = WIDTH) -> str:
    """The help on a topic (words as mailed), ready to be mailed."""
    template, view = _found(rules, topic)
    words = frozenset({*rules.words.order_words, *SERVICE.words, "game", "turn", "end"})
    names = (f"{rules.name}/help/{template}", f"help/{template}")
    return guarded(render(template_dir(), names, {**view, "width": width, "order_words": words}), words)


def known(rules: Title, topic: Sequence[str]) -> bool:
    """Whether there is a page on the topic; the list of topics is what all others get."""
    return not topic or _found(rules, topic)[0] != "index.txt.j2"


def club(topic: str = "", width: int = WIDTH) -> str:
    """The help on what the club does, for who plays no game."""
    if topic.lower() in OPTION_WORDS:
        template, view = _options()
    else:
        found = help.club(topic, *_example())
        template, view = found.template, found.view
    words = frozenset({*SERVICE.words, "game", "turn", "end"})
    return guarded(render(template_dir(), f"help/{template}", {**view, "width": width, "order_words": words}), words)


def _example() -> tuple[str, str]:
    """A scenario and a side of it that examples may name."""
    first = catalog.shown_first()
    return first, find_title(first.partition("/")[0]).sides[-1]


def _options() -> tuple[str, Mapping[str, Any]]:
    """What can be chosen for a game, besides the switches of its scenario."""
    return "options.txt.j2", {"options": [{"name": n, "said": s} for n, s in {**clock.OPTIONS, **options.OPTIONS}.items()]}


def _found(rules: Title, topic: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
    said = " ".join(topic).lower()
    if said in ("rulings", "ruling"):
        return "rulings.txt.j2", {"rulings": rulings(rules.name)}
    if said in OPTION_WORDS:
        return _options()
    errors = {**ERRORS, **rules.words.language.errors}
    if said in ("errors", "error") or said.removeprefix("error ") in errors and said.startswith("error "):
        one = said.removeprefix("error ")
        return "errors.txt.j2", {"errors": [{"name": n, "said": s} for n, s in errors.items() if one not in errors or n == one]}
    number = ids(rules.name).named(said.removeprefix("rule "))
    if number and (view := rule(rules, number)):
        return "rule.txt.j2", {"rule": view}
    found = help.find(topic, rules.words.language, catalog.shown_first(), rules.sides[-1])
    return found.template, found.view


# -- rules ----------------------------------------------------------------------------------------------


@cache
def _index(title: str) -> dict[str, dict[str, str]]:
    """All numbered rules of a title: kind, heading, scenarios, and what they come to in our own words."""
    folder = catalog.folder(title)
    if not (folder / "rules.csv").is_file():
        return {}
    with (folder / "rules.csv").open(newline="", encoding="utf-8") as file:
        found = {row["rule"]: dict(row) for row in csv.DictReader(file)}
    words = folder / "rules_help.csv"
    if words.is_file():
        with words.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                found.setdefault(row["rule"], {"rule": row["rule"], "heading": ""})["words"] = row["words"]
    return found


@cache
def ids(title: str) -> RuleIds:
    """The numbers of a title's rulebook."""
    return RuleIds(list(_index(title)))


@cache
def _code(title: str) -> dict[str, list[str]]:
    return {c.rule: c.code for c in coverage(title, catalog.folder(title))}


def rule(rules: Title, id: str) -> dict[str, Any] | None:
    """A rule: its heading, our own words for it, the orders and questions about it, rulings, parts, and where it is in the
    program; None if the title has none of that number."""
    index, language = _index(rules.name), rules.words.language
    row = index.get(id)
    if row is None:
        return None
    known = ids(rules.name)
    parts = [{"id": i, "heading": index[i]["heading"]} for i in known.parts(id)]
    words = row.get("words") or (
        "This number heads the rules below." if parts else "It is part of the data of the scenarios, not of the program's rules."
    )
    found: dict[str, Any] = {
        "id": id, "heading": row["heading"], "words": words, "reach": _reach(row), "parts": parts,
        "orders": [v.name for v in language.verbs.verbs if known.named(v.rule) == id],
        "questions": [k.name for k in language.catalogue.kinds if known.named(k.rule) == id],
        "rulings": [r for r in rulings(rules.name) if id in known.cited(r)], "code": _code(rules.name).get(id, [])[:6],
        "near": [] if parts else [i for i in known.parts(known.heads[id]) if i != id] if known.heads[id] else [],
    }  # fmt: skip
    return {**found, **{f"{part}_line": ", ".join(found[part]) for part in ("orders", "questions", "code", "near")}}


def _reach(row: Mapping[str, str]) -> str:
    """In which scenarios the rule can matter, where that is known."""
    not_in = [k.replace("_", " ").title() for k, v in row.items() if v == "no"]
    return f"It plays no part in {' and '.join(not_in)}." if not_in else ""


# -- rulings --------------------------------------------------------------------------------------------


@cache
def _sources(title: str) -> tuple[str, ...]:
    """The code of a title, module by module."""
    return tuple(f.read_text(encoding="utf-8") for f in _files(title))


def _files(title: str) -> list[Any]:
    """The modules of a title, those in its folders too."""

    def inside(folder: Any) -> Iterator[Any]:
        for entry in sorted(folder.iterdir(), key=lambda f: str(f.name)):
            if entry.is_dir():
                yield from inside(entry)
            elif entry.name.endswith(".py"):
                yield entry

    return list(inside(files(title_packages.package(title))))


@cache
def rulings(title: str) -> tuple[str, ...]:
    """How open points of the rules are decided: what the title's code says after 'RULING:', with the rule it is about."""
    found = []
    for source in _sources(title):
        for node in ast.walk(ast.parse(source)):
            text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
            if isinstance(text, str) and "RULING:" in text:
                heading = " ".join(text.strip().split("\n\n")[0].partition("RULING:")[0].split())
                for part in text.split("RULING:")[1:]:
                    said = " ".join(part.split("\n\n")[0].split())
                    found.append(_spoken(heading, said))
    return tuple(found)


THINGS = {"block": "a unit", "chit": "an asset", "side": "a side", "army": "army"}
"""Names of the program, as a player would say them."""


def _spoken(heading: str, said: str) -> str:
    """A function's heading and a ruling of it, without the words of a program."""
    heading = re.sub(r"; ``\w+``: [^.]*|[,;] (?:or None|'' if [^.]*)", "", heading).replace("True if", "Whether")
    text = f"{heading} Ruling: {said[:1].upper()}{said[1:]}".strip().replace("*or*", "or")
    return re.sub(r"``(\w+)``", lambda m: THINGS.get(m[1], f"'{m[1]}'"), text)
