"""What 'help' mails back: the topics, or one of them, made from the same tables that the orders are read by."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from pbem.core.ruleset import Ruleset
from pbem.orders.catalogue import AskKind
from pbem.orders.grammar import Verb
from pbem.orders.service_verbs import SERVICE

INTRODUCTION = (
    "Orders are lines between 'game NAME' and 'end', one a line: a word, then what it is about. Case, commas and 'to' do not"
    " matter; units and places go by number, name or a part of it that fits only one. What follows # does nothing. Lines that"
    " are not understood or not legal come back with the reason; the good ones are kept.",
    "A mail replaces your earlier orders for the same phases, unless a line says 'add'. Questions that are open are answered by"
    " their choice alone, or beforehand by a standing order.",
)


def help_lines(rules: Ruleset, topic: str) -> list[str]:
    """The paragraphs of a topic ('' for the overview); empty if there is none of that name."""
    if not topic:
        return [*INTRODUCTION, *_overview(rules)]
    verb = SERVICE.find(topic) or rules.verbs.find(topic)
    if verb:
        return list(_verb(verb))
    kind = next((k for k in rules.questions if topic in (k.name, *k.aliases)), None)
    if kind:
        return list(_question(kind))
    return rulings(rules.name) if topic == "rulings" else []


@cache
def _sources(title: str) -> tuple[str, ...]:
    """The code of a title, module by module."""
    return tuple(f.read_text(encoding="utf-8") for f in _files(title))


def _files(title: str) -> list[Any]:
    folder = files(f"pbem.games.{title}")
    return sorted((f for f in folder.iterdir() if f.name.endswith(".py")), key=lambda f: f.name)


def rulings(title: str) -> list[str]:
    """How open points of the rules are decided: what the title's code says after 'RULING:', with the rule it is about."""
    found = []
    for source in _sources(title):
        for node in ast.walk(ast.parse(source)):
            text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
            if isinstance(text, str) and "RULING:" in text:
                heading = " ".join(text.strip().split("\n\n")[0].partition("RULING:")[0].split())
                for part in text.split("RULING:")[1:]:
                    said = " ".join(part.split("\n\n")[0].split())
                    found.append(f"{heading} Ruling: {said}".strip())
    return found


def _overview(rules: Ruleset) -> Iterator[str]:
    yield "Orders (send 'help' and one of these words): " + ", ".join(v.name for v in rules.verbs.verbs) + "."
    yield "Questions: " + ", ".join(k.name for k in rules.questions if not k.phase_orders) + "."
    yield "Requests, answered by mail:"
    for verb in SERVICE.verbs:
        yield f"{' / '.join(verb.usage)}: {verb.help}"
    yield "'help rulings' tells how open points of the rules are decided here."


def _verb(verb: Verb) -> Iterator[str]:
    yield f"Form: {' / '.join(verb.usage)}"
    yield verb.help + (f" (rule {verb.rule})" if verb.rule else "")
    yield f"Example: {verb.example}"
    if verb.aliases:
        yield f"Also written: {', '.join(verb.aliases)}"


def _question(kind: AskKind) -> Iterator[str]:
    yield f"{kind.title} (rule {kind.rule}): {kind.prompt}"
    yield kind.help
    yield f"Answers: {', '.join([*kind.usage, *kind.tags])}. Without one, at the deadline: {kind.default}."
    if kind.facts:
        yield f"A standing order may test: {', '.join(kind.facts)}."
    if kind.example:
        yield f"Example: {kind.example}"
