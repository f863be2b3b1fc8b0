"""The report as data for programs: what the attached JSON holds.  ``report.schema.json`` beside this file is made from it
(``python -m pbem.reports.schema``), for tools in other languages.  What a title's view holds besides is in the
``report.schema.json`` among its templates.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, TypedDict, get_type_hints

import msgspec

from pbem.core import documents

FORMAT, VERSION = "pbem-report", 1
NAME = "report.schema.json"
FILE = Path(__file__).with_name(NAME)
PRINTED_ONLY = ("order_words", "deadline_off", "dice_note")
"""Parts of a report that only the templates need."""

OPEN = ("View",)
"""What may hold more than is said here: titles add to it."""


class Heading(TypedDict):
    """How an attached report begins."""

    format: Literal["pbem-report"]
    version: Literal[1]


def shape(view: type = documents.View) -> type:
    """The type of an attached report; ``view``: what its title's views hold."""
    fields = {**get_type_hints(Heading), **get_type_hints(documents.Report), "view": view}
    made: Any = TypedDict
    found: type = made("Report", {k: t for k, t in fields.items() if k not in PRINTED_ONLY})
    return found


def data(doc: Mapping[str, Any]) -> dict[str, Any]:
    """A report as the data that are attached."""
    return {"format": FORMAT, "version": VERSION, **{k: v for k, v in doc.items() if k not in PRINTED_ONLY}}


def check(raw: bytes, view: type = documents.View) -> dict[str, Any]:
    """The report in a JSON text; ``msgspec.ValidationError`` names the place that is not as it should be, or has no business
    there."""
    found: dict[str, Any] = msgspec.json.decode(raw, type=shape(view))
    said = json.loads(raw)
    known = {**found, "view": said["view"]} if view is documents.View else found
    if more := _more(said, known):
        raise msgspec.ValidationError(f"no such field - at `{more}`")
    return found


def _more(said: Any, known: Any, place: str = "$") -> str:
    """The first place where a text says more than its type."""
    if isinstance(said, dict) and isinstance(known, dict):
        for key, value in said.items():
            if key not in known:
                return f"{place}.{key}"
            if found := _more(value, known[key], f"{place}.{key}"):
                return found
    elif isinstance(said, list) and isinstance(known, (list, tuple)):
        for n, (one, other) in enumerate(zip(said, known, strict=True)):
            if found := _more(one, other, f"{place}[{n}]"):
                return found
    return ""


def written(view: type = documents.View) -> str:
    """The JSON Schema of a report."""
    schema = msgspec.json.schema(shape(view))
    for name, part in schema["$defs"].items():
        if part.get("type") == "object" and "properties" in part and name not in OPEN:
            part["additionalProperties"] = False
    return json.dumps(schema, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(), encoding="utf-8")
