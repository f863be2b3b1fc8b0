"""Imports go one way, and rules are pure: no clock, no chance, no input or output, no order taken from a set."""

from __future__ import annotations

import ast
import csv
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from pbem.games import find_title

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pbem"

MAY_IMPORT = {
    "core": {"core"},
    "kit": {"core", "kit"},
    "orders": {"core", "kit", "orders"},
    "title_packages": set(),
    "games": {"core", "kit", "orders"},  # and its own title, see below
    "scenarios": {"core", "kit", "scenarios", "title_packages"},
    "store": {"core", "store"},
    "reports": {"core", "kit", "reports", "title_packages"},
    "audit": {"core", "audit"},
    "mail": {"mail"},
    "service": {
        "core", "orders", "games", "scenarios", "store", "reports", "audit", "mail", "service", "config", "title_packages",
    },
    "config": set(),
    "bootstrap": {"core", "orders", "games", "scenarios", "store", "reports", "audit", "mail", "service", "config"},
    "daemon": {"store", "mail", "service", "config", "bootstrap"},
}
"""A layer (a package or module of pbem) and what of pbem it may import; what is not named stands on top."""

PURE = ("core", "kit", "games")
IMPURE_MODULES = {
    "asyncio", "ctypes", "datetime", "glob", "http", "io", "logging", "multiprocessing", "os", "pathlib", "pickle", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
    "uuid", "zoneinfo",
}
IMPURE_CALLS = {"open", "print", "input", "id", "hash", "exec", "eval", "globals"}


def modules() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "_data" not in p.parts)


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(tree: ast.Module) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports are not used here"
            module = node.module or ""
            for name in node.names:
                yield (f"{module}.{name.name}" if module.count(".") < 3 and module.startswith("pbem") else module), node.lineno


@pytest.mark.parametrize("path", modules(), ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_one_way(path: Path) -> None:
    mine = layer(path)
    allowed = MAY_IMPORT.get(mine)
    if allowed is None:
        return
    wrong = []
    for name, line in imports(ast.parse(path.read_text(encoding="utf-8"))):
        parts = name.split(".")
        if parts[0] != "pbem" or len(parts) == 1:
            continue
        own_title = mine == "games" and parts[1] == "games" and parts[2:3] == [path.relative_to(PACKAGE).parts[1]]
        contract = mine == "games" and parts[1] == "games" and (PACKAGE / "games" / f"{parts[2]}.py").is_file()
        finder = path == PACKAGE / "games" / "__init__.py" and parts[1] == "title_packages"
        if parts[1] not in allowed and not own_title and not contract and not finder:
            wrong.append(f"line {line}: {name}")
    assert not wrong, f"{path.name} may not import {wrong}"


@pytest.mark.parametrize("path", [p for p in modules() if layer(p) in PURE], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_rules_are_pure(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    wrong = []
    for name, line in imports(tree):
        top = name.split(".")[0]
        if top in IMPURE_MODULES or (top != "pbem" and top not in sys.stdlib_module_names):
            wrong.append(f"line {line}: import {name}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS:
            wrong.append(f"line {node.lineno}: {node.func.id}()")
    assert not wrong, wrong


@pytest.mark.parametrize("path", [p for p in modules() if layer(p) in PURE], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_no_order_is_taken_from_a_set(path: Path) -> None:
    wrong = [f"line {n.lineno}: {ast.unparse(n)}" for n in set_iterations(ast.parse(path.read_text(encoding="utf-8")))]
    assert not wrong, f"sort it, or use a dict or list: {wrong}"


ORDERLY = {"sorted", "len", "set", "frozenset", "sum", "min", "max", "any", "all", "bool"}
"""Functions whose result does not depend on the order of what they are given."""

KEEPS_ORDER = {"list", "tuple", "iter", "enumerate", "dict", "join", "deque", "zip", "map"}


def set_iterations(tree: ast.Module) -> Iterator[ast.expr]:
    """Expressions that are sets and whose order is used."""
    for scope in [tree, *(n for n in ast.walk(tree) if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)))]:
        known = _sets_of(scope)
        nodes = list(_own(scope))
        harmless = {id(a) for n in nodes if isinstance(n, ast.Call) and _name(n.func) in ORDERLY for a in n.args}
        harmless |= {id(n) for n in nodes if isinstance(n, ast.SetComp)}
        for node in nodes:
            if isinstance(node, (ast.For, ast.AsyncFor)) and _is_set(node.iter, known):
                yield node.iter
            elif isinstance(node, (ast.ListComp, ast.DictComp, ast.GeneratorExp)) and id(node) not in harmless:
                yield from (g.iter for g in node.generators if _is_set(g.iter, known))
            elif isinstance(node, ast.Call) and _name(node.func) in KEEPS_ORDER:
                yield from (a for a in node.args if _is_set(a, known))
            elif isinstance(node, ast.Starred) and id(node) not in harmless and _is_set(node.value, known):
                yield node.value


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope without those of functions inside it."""
    for child in ast.iter_child_nodes(scope):
        if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child
            yield from _own(child)


def _name(func: ast.expr) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _sets_of(scope: ast.AST) -> set[str]:
    """Names that are bound to sets in a scope."""
    found: set[str] = set()
    if isinstance(scope, (ast.FunctionDef, ast.AsyncFunctionDef)):
        arguments = [*scope.args.posonlyargs, *scope.args.args, *scope.args.kwonlyargs]
        found |= {a.arg for a in arguments if a.annotation is not None and _says_set(a.annotation)}
    for node in _own(scope):
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and _says_set(node.annotation):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign) and _is_set(node.value, found):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return found


def _says_set(annotation: ast.expr) -> bool:
    text = ast.unparse(annotation).strip("'\"")
    return text.split("[")[0] in ("set", "frozenset", "AbstractSet", "Set")


def _is_set(node: ast.expr, known: set[str]) -> bool:
    if isinstance(node, (ast.Set, ast.SetComp)):
        return True
    if isinstance(node, ast.Name):
        return node.id in known
    if isinstance(node, ast.Call):
        if _name(node.func) in ("set", "frozenset") and isinstance(node.func, ast.Name):
            return True
        by_set = isinstance(node.func, ast.Attribute) and _is_set(node.func.value, known)
        return by_set and _name(node.func) in ("union", "intersection", "difference", "symmetric_difference", "copy")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)):
        return _is_set(node.left, known) or _is_set(node.right, known)
    return False


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("for x in {1, 2}: pass", 1), ("for x in sorted({1, 2}): pass", 0), ("a = set(b)\nfor x in a: pass", 1),
        ("def f(a: set[str]):\n    return [x for x in a]", 1), ("def f(a: set[str]):\n    return any(x for x in a)", 0),
        ("list({1} | b)", 1), ("', '.join({1})", 1), ("[*{1}]", 1), ("for x in [1]: pass", 0), ("{x for x in {1}}", 0),
    ],
)
def test_the_search_for_sets_finds_them(code: str, found: int) -> None:
    assert len(list(set_iterations(ast.parse(code)))) == found


def test_nothing_refers_to_where_it_was_made() -> None:
    """What is committed may not lean on the machine it was written on."""
    places = ("/wo" + "rk/", "/tmp" + "/pb")
    folders = [ROOT / name for name in ("pbem", "templates", "scenarios", "tests", "deploy")]
    endings = (".py", ".j2", ".toml", ".csv", ".md", ".sh", ".txt")
    texts = [p for f in folders for p in sorted(f.rglob("*")) if p.suffix in endings]
    wrong = [str(t.relative_to(ROOT)) for t in texts if any(p in t.read_text("utf-8") for p in places)]
    assert not wrong


# -- titles ----------------------------------------------------------------------------------------------


PLAYED = sorted(p.parent.name for p in (PACKAGE / "games").glob("*/__init__.py"))
TITLES = sorted({*PLAYED, *(p.name for p in (ROOT / "scenarios").iterdir() if p.is_dir())})
SHARED_TEMPLATES = ("base", "audit", "help")
TO_COME = {
}
"""What still speaks of a title; a file leaves this list with its last such word, and none joins it."""


def shared() -> list[Path]:
    """The modules and templates that belong to no title."""
    own = {PACKAGE / "games" / t for t in TITLES}
    readers = {p for t in TITLES for p in (PACKAGE / "scenarios").glob(f"{t}*.py")}
    code = [p for p in modules() if not own & set(p.parents) and p not in readers]
    return code + [p for f in SHARED_TEMPLATES for p in sorted((ROOT / "templates" / f).rglob("*")) if p.is_file()]


@cache
def names() -> dict[str, str]:
    """Words that only one title says, and what they are: packages, titles, scenarios, places."""
    found = dict.fromkeys(TITLES, "a title") | {find_title(t).title: "a title" for t in PLAYED if hasattr(games(t), "RULESET")}
    for path in sorted((ROOT / "scenarios").glob("*/*.toml")):
        found[f"{path.parent.name}/{path.stem}"] = "a scenario"
    for path in sorted((ROOT / "scenarios").glob("*/map/*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                found |= {row[k]: "a place" for k in ("name", "place") if len(row.get(k) or "") > 4}
    return found


def games(title: str) -> Any:
    return import_module(f"pbem.games.{title}")


@cache
def sides() -> set[str]:
    return {side for t in PLAYED if hasattr(games(t), "RULESET") for side in find_title(t).sides}


def of_a_title(path: Path) -> list[str]:
    """What a shared file says that only a title may say: its names anywhere, its sides as values of the program."""
    text = path.read_text(encoding="utf-8")
    pattern = re.compile(rf"(?<!\w)({'|'.join(map(re.escape, sorted(names(), key=len, reverse=True)))})(?!\w)")
    wrong = [f"{match[1]} ({names()[match[1]]})" for match in pattern.finditer(text)]
    if path.suffix == ".py":
        values = [n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)]
        wrong += [f"{v!r} (a side)" for v in values if isinstance(v, str) and v in sides()]
    return wrong


@pytest.mark.parametrize("path", shared(), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_shared_file_names_a_title(path: Path) -> None:
    wrong = of_a_title(path)
    if path.relative_to(ROOT).as_posix() in TO_COME:
        assert wrong, "take it off the list"
    else:
        assert not wrong


def test_the_search_for_titles_finds_them(tmp_path: Path) -> None:
    for text, found in (("x = 'axis'", 1), ('"""the axis"""', 0), ("# fab_sicily", 1), ("# to Lentini", 1), ("# tolentino", 0)):
        file = tmp_path / "shared.py"
        file.write_text(text, encoding="utf-8")
        assert len(of_a_title(file)) == found, text
