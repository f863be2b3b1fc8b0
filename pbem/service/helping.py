"""What 'help' mails back: a page, or how open points of the rules are decided."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from pbem.core.ruleset import Ruleset
from pbem.orders import help
from pbem.orders.service_verbs import SERVICE
from pbem.reports.render import guarded, render, template_dir

def page(rules: Ruleset, topic: Sequence[str]) -> str:
    """The help on a topic (words as mailed), ready to be mailed."""
    found = help.find(topic, rules.language)
    words = frozenset({*rules.order_words, *SERVICE.words, "game", "turn", "end"})
    return guarded(render(template_dir(), f"help/{found.template}", found.view), words)


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
