"""What the papers for developers name is there: functions, files, layers, kinds of row."""

from __future__ import annotations

import re
from functools import reduce
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from pbem.core.journal import KINDS
from pbem.games import find_title
from pbem.scenarios.catalog import catalog
from tests.test_layers import MAY_IMPORT

ROOT = Path(__file__).parents[1]
BUILT, TITLES, CHANGES = ROOT / "pbem" / "README.md", ROOT / "pbem" / "games" / "README.md", ROOT / "deploy" / "CHANGELOG.md"
PAPERS = (BUILT, TITLES, CHANGES)


def code(path: Path) -> list[str]:
    """What stands in a page as code."""
    return re.findall(r"`([^`\n]+)`", path.read_text(encoding="utf-8"))


def resolve(name: str) -> object:
    """The module, class or function of pbem that a dotted name is."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        module = ".".join(["pbem", *parts[:length]])
        try:
            found = find_spec(module)
        except ModuleNotFoundError:
            found = None
        if found is not None:
            return reduce(getattr, parts[length:], import_module(module))
    raise AttributeError(name)


TOP = {p.name.removesuffix(".py") for p in (ROOT / "pbem").iterdir()}


def dotted() -> list[str]:
    """The dotted names of pbem in the page on how it is built."""
    return sorted({c for c in code(BUILT) if re.fullmatch(r"[a-z_]+(\.\w+)+", c) and c.split(".")[0] in TOP})


@pytest.mark.parametrize("name", dotted())
def test_every_function_named_is_there(name: str) -> None:
    assert resolve(name) is not None


@pytest.mark.parametrize("path", PAPERS, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_file_and_page_named_is_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target
    named = [c for c in code(path) if re.fullmatch(r"(pbem|tests|scenarios|deploy|templates)/[\w./]*", c) and "TITLE" not in c]
    for name in named:
        assert (ROOT / name).exists(), name


def test_the_table_of_layers_names_each_and_all_that_it_may_import() -> None:
    table = BUILT.read_text(encoding="utf-8").split("## The layers")[1].split("\n## ")[0]
    lines = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    told = {name.strip("` "): may.strip() for names, _, may in lines for name in names.split(",")}
    for layer in ("core", "kit", "orders", "games", "store", "audit", "reports", "mail", "scenarios"):
        allowed = MAY_IMPORT[layer] - {layer, "title_packages"}
        said = set() if told[layer] == "nothing of ours" else {word.strip() for word in told[layer].split(",")}
        assert said == allowed, layer


def test_every_kind_of_row_is_explained() -> None:
    table = BUILT.read_text(encoding="utf-8").split("## What each row of the journal holds")[1].split("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(KINDS)


def test_the_version_of_every_title_that_is_played_has_an_entry() -> None:
    heads = re.findall(r"^## (.+?), version (\d+)", CHANGES.read_text(encoding="utf-8"), re.MULTILINE)
    for name in sorted({e.title for e in catalog() if e.title != "tiny"}):
        title = find_title(name)
        assert (title.title, str(title.version)) in heads, f"deploy/CHANGELOG.md: what is version {title.version} of {name}?"
