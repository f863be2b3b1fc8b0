"""The scenarios on disk: which there are, whether their files are sound, and their data for the rulesets."""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pbem
from pbem import title_packages
from pbem.scenarios.rows import Problem

class Reader(Protocol):
    """What reads the files of a title: the module of this package that has the title's name, or its own module ``reader``."""

    def check(self, folder: Path, label: str) -> list[Problem]:
        """Every problem of every file of the title."""

    def load(self, folder: Path, label: str, scenario: str) -> tuple[dict[str, Any] | None, list[Problem]]:
        """The JSON data of a scenario, and the problems of its files (no data if there are any)."""


def reader(title: str) -> Reader:
    """The reader of a title; :class:`ScenarioError` if it has none."""
    module = title_packages.reader(title)
    try:
        found: Reader = import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise ScenarioError(f"no title is called {title!r}: there is no module {module}, which would read its files") from None
    return found


class ScenarioError(Exception):
    """The scenario does not exist or its files are broken; ``problems`` says where."""

    def __init__(self, message: str, problems: list[Problem] | None = None) -> None:
        self.problems = problems or []
        super().__init__("\n".join([message, *map(str, self.problems)]))


class Entry(NamedTuple):
    """A scenario in the catalog."""

    title: str
    scenario: str
    heading: str
    path: Path
    introduction: bool = False


def root() -> Path:
    """The scenarios directory: inside the installed package, else beside it in the source tree."""
    package = Path(pbem.__file__).parent
    inside = package / "_data" / "scenarios"
    return inside if inside.is_dir() else package.parent / "scenarios"


def folder(title: str) -> Path:
    """Where the files of a title are, whether there are any or not."""
    places = [p / title for p in (root(), *title_packages.folders("scenarios"))]
    return next((p for p in places if p.is_dir()), places[0])


def _folders() -> list[Path]:
    """The folders of all titles."""
    return [f for at in (root(), *title_packages.folders("scenarios")) for f in sorted({p.parent for p in at.glob("*/*.toml")})]


def catalog(every: bool = False) -> list[Entry]:
    """The scenarios that can be played; ``every``: those for tests too."""
    found = []
    for path in (p for f in _folders() for p in sorted(f.glob("*.toml"))):
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            continue
        if every or data.get("playable") is True:
            heading, first = str(data.get("heading", path.stem)), data.get("introduction") is True
            found.append(Entry(path.parent.name, path.stem, heading, path, first))
    return found


def load(title: str, scenario: str) -> dict[str, Any]:
    """The JSON data of a scenario; :class:`ScenarioError` if there is none or a file of it is broken."""
    path = folder(title) / f"{scenario}.toml"
    if not path.is_file():
        names = ", ".join(f"{e.title}/{e.scenario}" for e in catalog())
        raise ScenarioError(f"there is no scenario {title}/{scenario}; there are: {names}")
    raw, problems = reader(title).load(path.parent, title, scenario)
    if raw is None:
        raise ScenarioError(f"the files of {title}/{scenario} are broken:", problems)
    return raw


def check(path: Path | str | None = None) -> list[Problem]:
    """Every problem of every file: of all titles, or of the title that ``path`` (a folder or a file of it) belongs to."""
    if path is None:
        folders = _folders()
    else:
        folders = _titles(Path(path))
        if not folders:
            return [Problem(str(path), 1, "there is no scenario here", "give the folder of a title, with a .toml file in it")]
    return [problem for folder in folders for problem in _check(folder)]


def _titles(path: Path) -> list[Path]:
    """The title folders at, round or below a path."""
    at = path if path.is_dir() else path.parent
    for folder in (at, *at.parents):
        if any(folder.glob("*.toml")) and (folder / "map").is_dir():
            return [folder]
    return sorted({p.parent for p in at.glob("*/*.toml") if (p.parent / "map").is_dir()})


def _check(folder: Path) -> list[Problem]:
    return reader(_title_of(folder)).check(folder, folder.name)


def _title_of(folder: Path) -> str:
    """The title that a folder's files are for: the ``format`` of its scenario files, or else the folder's name."""
    for path in sorted(folder.glob("*.toml")):
        try:
            named = tomllib.loads(path.read_text(encoding="utf-8")).get("format")
        except (tomllib.TOMLDecodeError, UnicodeDecodeError):
            continue
        if isinstance(named, str) and named.isidentifier():
            return named
    return folder.name


def shown_first() -> str:
    """'TITLE/SCENARIO' that the demo plays and that examples name: the one marked ``introduction``, else the first."""
    entries = catalog()
    marked = [e for e in entries if e.introduction]
    return "/".join((marked or entries)[0][:2]) if entries else ""


def statuses(title: str) -> dict[str, Counter[str]]:
    """How many facts of each file are printed, deduced, historical or reconstructed."""
    counts: dict[str, Counter[str]] = {}
    at = folder(title)
    for path in sorted(at.rglob("*.csv")):
        name = path.relative_to(at).as_posix()
        if name.startswith("build/"):
            continue
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        counts[name] = Counter(v for r in rows for k, v in r.items() if k and k.endswith("status") and v)
    return counts
