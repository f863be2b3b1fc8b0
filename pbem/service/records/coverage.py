"""Which rule is where: every numbered rule of a title, the code that cites it, the tests that are about it.

Code is read for rule numbers in docstrings and in ``rule=`` arguments; tests for the mark
``rule(title, id)`` (or a module's own ``@rule(id)``) and for case files.  Tests travel with the source
tree only.
"""

from __future__ import annotations

import ast
import csv
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pbem
from pbem import title_packages
from pbem.core.rule_ids import RuleIds


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


def coverage(title: str, data: Path) -> list[Covered]:
    """Every row of ``rules.csv`` in the title's folder ``data`` but the mere headings, with its places: the code that carries
    it out first (its docstring begins with the rule), then what else cites it."""
    found = _index(data / "rules.csv")
    ids, package = RuleIds(list(found)), title_packages.folder(title)
    cited = [c for path in sorted(package.rglob("*.py") if package is not None else []) for c in _citations(path, ids)]
    for rule, place, _ in sorted(cited, key=lambda c: not c[2]):
        if rule in found and place not in found[rule].code:
            found[rule].code.append(place)
    for rule, place in _tests(title, ids):
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


def _citations(path: Path, ids: RuleIds) -> Iterator[tuple[str, str, bool]]:
    """Rule, place, and whether the place is about that rule before all."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from ((rule, path.stem, False) for rule in ids.cited(ast.get_docstring(tree) or ""))
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            place = f"{path.stem}.{node.name}"
            said = ast.get_docstring(node) or ""
            yield from ((rule, place, said.startswith(rule)) for rule in ids.cited(said))
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str) and inner.value in ids.ids:
                    yield inner.value, place, False


def _tests(title: str, ids: RuleIds) -> Iterator[tuple[str, str]]:
    tests = Path(pbem.__path__[0]).parent / "tests"
    for path in sorted(tests.glob("**/test_*.py")) if tests.is_dir() else []:
        text = path.read_text(encoding="utf-8")
        if "rule(" in text:
            yield from _marked(ast.parse(text), title, path.stem, title in path.relative_to(tests).parts)
    for path in sorted((tests / "games" / title / "cases").glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            head, _, rest = line.partition(" ")
            if head == "CASE" and rest:
                yield rest.split()[0].split("-")[0], f"case {rest.split()[0]}"


def _marked(tree: ast.Module, title: str, module: str, own: bool) -> Iterator[tuple[str, str]]:
    """The marks of a module's tests, also those of parameters: ``rule(title, id)``, or ``rule(id)`` by a helper of the title's
    ``own`` tests."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            for call in (n for d in node.decorator_list for n in ast.walk(d) if isinstance(n, ast.Call)):
                name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
                said = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if name == "rule" and said and (own and len(said) == 1 or said[0] == title):
                    for id in said[-1:] if said[0] == title else said:
                        yield id, f"{module}.{node.name}"
