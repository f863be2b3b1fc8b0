"""The titles: each is a package of this one (or one from elsewhere), found by its name and imported when it is needed."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pbem import title_packages

if TYPE_CHECKING:
    from pbem.games.contract import Title


class UnknownTitle(LookupError):
    """No such title."""


def find_title(name: str) -> Title:
    """The title of that name; :class:`UnknownTitle` if there is none."""
    package = title_packages.package(name)
    module: Any = None
    if name.isidentifier():
        try:
            module = import_module(package)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
    if not hasattr(module, "RULESET"):
        raise UnknownTitle(f"no title is called {name!r}; see 'pbem scenario list'")
    found: Title = module.RULESET
    return found
