"""Events as JSON data: a title's events are frozen dataclasses, written with the name of their class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Generic, TypeVar

E = TypeVar("E")


class Registry(Generic[E]):
    """All events of a title by the names of their classes.

    The fields hold JSON values and tuples of them (a tuple is written as a list and read back as a tuple).  A name, once
    written into a stored game, stays: an event that is no longer made is kept for old journals.
    """

    def __init__(self, types: Iterable[type[Any]]) -> None:
        self.types: Mapping[str, type[Any]] = {t.__name__: t for t in types}
        self._fields = {t: tuple(f.name for f in fields(t)) for t in self.types.values()}

    def to_data(self, event: E) -> dict[str, Any]:
        """JSON data, with the name of the class under 'type'."""
        kind = type(event)
        return {"type": kind.__name__, **{name: _plain(getattr(event, name)) for name in self._fields[kind]}}

    def from_data(self, data: Mapping[str, Any]) -> E:
        """The event that :meth:`to_data` wrote; ``KeyError`` for a type that the title does not have."""
        made: E = self.types[data["type"]](**{name: _frozen(value) for name, value in data.items() if name != "type"})
        return made


def _plain(value: Any) -> Any:
    return [_plain(v) for v in value] if isinstance(value, (tuple, list)) else value


def _frozen(value: Any) -> Any:
    return tuple(_frozen(v) for v in value) if isinstance(value, (tuple, list)) else value
