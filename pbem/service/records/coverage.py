"""Which rule is where: every numbered rule of a title, the code that cites it, the tests that are about it.

Code is read for rule numbers in docstrings and in ``rule=`` arguments; tests for the mark
``rule(title, id)`` (or a module's own ``@rule(id)``) and for case files.  Tests travel with the source
tree only.
"""

from __future__ import annotations

import ast
import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pbem.games

RULE_ID = re.compile(r"(?<![\w.])(E\d{1,2}|\d{1,2}\.\d{1,3})(?![\w]|\.\d)")
CASE = re.compile(r"^CASE ([E\d.]+)")


@dataclass
class Covered:
    """One rule: ``reach`` maps a scenario to 'yes' or 'no'; ``code`` and ``tests`` are places."""

    rule: str
    kind: str
    heading: str
    reach: dict[str, str]
    note: str
    code: list[str] = field(default_factory=list)
    tests: list[str] = field(default_factory=list)


def coverage(title: str, scenarios: Path) -> list[Covered]:
    """Every row of the title's ``rules.csv`` but the mere headings, with its places."""
    found = _index(scenarios / title / "rules.csv")
    package = Path(next(iter(pbem.games.__path__))) / title
    for path in sorted(package.rglob("*.py")):
        for rule, place in _citations(path):
            if rule in found and place not in found[rule].code:
                found[rule].code.append(place)
    for rule, place in _tests(title):
        if rule in found and place not in found[rule].tests:
            found[rule].tests.append(place)
    return list(found.values())


def _index(path: Path) -> dict[str, Covered]:
    found = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            reach = {k: v for k, v in row.items() if k not in ("rule", "kind", "heading", "note")}
            if row["kind"] != "info":
                found[row["rule"]] = Covered(row["rule"], row["kind"], row["heading"], reach, row["note"])
    return found


def _citations(path: Path) -> Iterator[tuple[str, str]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from _cited(ast.get_docstring(tree), path.stem)
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            place = f"{path.stem}.{node.name}"
            yield from _cited(ast.get_docstring(node), place)
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and RULE_ID.fullmatch(inner.value):
                    yield inner.value, place


def _cited(text: str | None, place: str) -> Iterator[tuple[str, str]]:
    for match in RULE_ID.finditer(text or ""):
        yield match.group(1), place


def _tests(title: str) -> Iterator[tuple[str, str]]:
    tests = Path(pbem.__path__[0]).parent / "tests"
    for path in sorted(tests.glob("**/test_*.py")) if tests.is_dir() else []:
        text = path.read_text(encoding="utf-8")
        if "rule(" in text:
            yield from _marked(ast.parse(text), path.stem)
    for path in sorted((tests / "games" / title / "cases").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := CASE.match(line):
                yield match.group(1).split("-")[0], f"case {line.split()[1]}"


def _marked(tree: ast.Module, module: str) -> Iterator[tuple[str, str]]:
    """The marks of a module's tests, also those of parameters."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            for call in (n for d in node.decorator_list for n in ast.walk(d) if isinstance(n, ast.Call)):
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                if name == "rule":
                    for arg in call.args:
                        if isinstance(arg, ast.Constant) and RULE_ID.fullmatch(str(arg.value)):
                            yield str(arg.value), f"{module}.{node.name}"
