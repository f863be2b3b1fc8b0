"""Where titles are found: those that come with the program, and packages elsewhere that ``PBEM_TITLES`` names.

One that comes with it is a package of ``pbem.games``, its reader a module of ``pbem.scenarios``, its files are folders of
``scenarios/`` and ``templates/``.  One from elsewhere has all of that in one package, which bears the title's name:
``RULESET``, a module ``reader``, folders ``scenarios/<title>`` and ``templates/<title>``.
"""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path

SETTING = "PBEM_TITLES"
"""The environment variable: packages with commas between them ('mygames.tiny')."""


def elsewhere() -> dict[str, str]:
    """The packages of titles that do not come with the program, by title."""
    named = (p.strip() for p in os.environ.get(SETTING, "").split(","))
    return {p.rpartition(".")[2]: p for p in named if p}


def package(title: str) -> str:
    """The package that holds a title's rules, whether there is one or not."""
    return elsewhere().get(title) or f"pbem.games.{title}"


def reader(title: str) -> str:
    """The module that reads a title's scenarios, whether there is one or not."""
    found = elsewhere().get(title)
    return f"{found}.reader" if found else f"pbem.scenarios.{title}"


def folder(title: str) -> Path | None:
    """Where a title's package is; None if there is no such package."""
    try:
        spec = find_spec(package(title))
    except ModuleNotFoundError:
        return None
    places = spec.submodule_search_locations if spec is not None else None
    return Path(next(iter(places))) if places else None


def folders(part: str) -> list[Path]:
    """The folders 'scenarios' or 'templates' that titles from elsewhere bring along."""
    return [found / part for title in elsewhere() if (found := folder(title)) is not None]
