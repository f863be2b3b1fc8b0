"""The tables of what was tried name tests that are there, and the attacks in them are many."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ("deploy/DICE.md", "deploy/README.md")
_ROW = re.compile(r"^\| .+ \| .+ \| `?(?P<test>test_\w+)(?:\[(?P<case>[^\]]+)\])?`? \|$", re.MULTILINE)


def named(page: str) -> list[tuple[str, str]]:
    """The tests that a page's tables name, each with its case ('' for all)."""
    return [(m["test"], m["case"] or "") for m in _ROW.finditer((ROOT / page).read_text(encoding="utf-8"))]


def functions() -> dict[str, str]:
    """Every test function of the project, and the text of its file."""
    found: dict[str, str] = {}
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        text = file.read_text(encoding="utf-8")
        names = [n.name for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef) and n.name.startswith("test_")]
        found.update(dict.fromkeys(names, text))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_tests_that_a_table_names_are_there(page: str) -> None:
    there, rows = functions(), named(page)
    lines = [line for line in (ROOT / page).read_text(encoding="utf-8").splitlines() if re.search(r"\| `?test_", line)]
    assert len(rows) == len(lines), "a line of a table that is not read as one"
    assert [test for test, _ in rows if test not in there] == []
    ways = (ROOT / "tests" / "audit" / "test_tampering.py").read_text(encoding="utf-8")
    assert [case for test, case in rows if case and f'"{case}"' not in there[test] and f"def {case}(" not in ways] == []


def test_no_line_stands_twice_and_there_are_more_than_eighty() -> None:
    rows = [row for page in PAGES for row in named(page)]
    assert len(rows) == len(set(rows)) >= 80
