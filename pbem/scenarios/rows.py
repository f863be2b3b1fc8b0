"""Reading scenario files: every row checked, every fault kept with its file, its line and how to mend it."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError

STATUSES = ("printed", "deduced", "historical", "reconstructed")
"""How sure a row is: on the printed page; follows from it; from history; filled in by us."""


ALL = "*"
"""Stands for every row, when a whole file cannot be read."""


class Problem(NamedTuple):
    """Something wrong in a data file; ``line`` counts from 1."""

    file: str
    line: int
    message: str
    mend: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message} ({self.mend})"


Status = Annotated[
    Literal["printed", "deduced", "historical", "reconstructed"], Field(description=f"one of {', '.join(STATUSES)}")
]
Source = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=3),
    Field(description="say where it comes from: a rule ('rule 22.17'), an example ('example 12D'), a book"),
]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1), Field(description="write a text")]
YesNo = Annotated[Literal["yes", "no"], Field(description="'yes' or 'no'")]


def _words(value: Any) -> Any:
    return tuple(w for w in value.split(";") if w) if isinstance(value, str) else value


Words = Annotated[tuple[str, ...], BeforeValidator(_words), Field(description="texts with ';' between them")]


class Row(BaseModel):
    """A line of a file.  The description of a field says what to write there."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    file: str
    line: int


class Table(BaseModel):
    """A part of a TOML file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


R = TypeVar("R", bound=Row)
T = TypeVar("T", bound=Table)


def _text(path: Path, name: str, problems: list[Problem]) -> str | None:
    """The file as text, without a byte order mark; None and a problem if that cannot be had."""
    try:
        raw = path.read_bytes()
    except OSError as why:
        problems.append(Problem(name, 1, f"cannot be read: {why.strerror}", "put the file there or name another one"))
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as why:
        line = raw[: why.start].count(b"\n") + 1
        problems.append(Problem(name, line, f"byte {raw[why.start]:#x} is not UTF-8", "save the file as UTF-8"))
        return None


def _said(error: Any) -> str:
    """pydantic's words, begun in lower case and without its prefix."""
    words = str(error["msg"]).removeprefix("Value error, ")
    return words[:1].lower() + words[1:]


def _wanted(model: type[BaseModel], loc: Sequence[Any]) -> str:
    """The description of the field at ``loc``, or of the last field on the way to it that has one."""
    found = ""
    at: Any = model
    for key in loc:
        if get_origin(at) is dict:
            at = get_args(at)[1]
        elif isinstance(at, type) and issubclass(at, BaseModel) and key in at.model_fields:
            found = at.model_fields[key].description or found
            at = at.model_fields[key].annotation
        else:
            break
    return found


def read_csv(path: Path, name: str, model: type[R], problems: list[Problem], broken: set[str]) -> list[R]:
    """The good rows of a CSV file; ``name`` is the file's name in problems.

    ``broken`` receives the first field of every bad row, so that nobody says that it is missing as well.
    """
    text = _text(path, name, problems)
    if text is None:
        broken.add(ALL)
        return []
    columns = [info.alias or f for f, info in model.model_fields.items() if f not in ("file", "line")]
    reader = csv.DictReader(text.splitlines(keepends=True))
    header = reader.fieldnames or []
    if sorted(header) != sorted(columns):
        missing, extra = [c for c in columns if c not in header], [h for h in header if h not in columns]
        said = [f"column {c} is missing" for c in missing] + [f"column {h!r} is not known" for h in extra]
        problems.append(Problem(
            name, 1, "; ".join(said) or "a column is there twice", f"the first line must be: {','.join(columns)}"
        ))
        broken.add(ALL)
        return []
    rows = []
    for record in reader:
        row = _row(record, name, reader.line_num, model, problems)
        if row is None:
            broken.add(str(record[header[0]]))
        else:
            rows.append(row)
    return rows


def _row(record: dict[Any, Any], name: str, line: int, model: type[R], problems: list[Problem]) -> R | None:
    if None in record:
        problems.append(Problem(
            name, line, f"the row has {len(record[None])} fields too many", "put text that has a comma in it between quotes"
        ))
        return None
    short = [c for c, v in record.items() if v is None]
    if short:
        problems.append(Problem(name, line, f"the row ends before {short[0]}", f"add the fields {', '.join(short)}"))
        return None
    try:
        return model(file=name, line=line, **record)
    except ValidationError as errors:
        for error in errors.errors():
            field = str(error["loc"][0]) if error["loc"] else ""
            value = f"{field} = {record.get(field, '')!r}: " if field else ""
            problems.append(Problem(name, line, value + _said(error), _wanted(model, error["loc"]) or "correct the row"))
        return None


def read_toml(path: Path, name: str, model: type[T], problems: list[Problem]) -> T | None:
    """A TOML file as ``model``, or None and problems."""
    text = _text(path, name, problems)
    if text is None:
        return None
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        at = re.search(r"at line (\d+)", str(why))
        line = int(at.group(1)) if at else len(text.splitlines())
        problems.append(Problem(name, line, f"not TOML: {why}", "correct the line"))
        return None
    try:
        return model.model_validate(data)
    except ValidationError as errors:
        for error in errors.errors():
            where = ".".join(str(k) for k in error["loc"])
            mend = _wanted(model, error["loc"]) or "correct the entry"
            problems.append(Problem(name, toml_line(text, error["loc"]), f"{where}: {_said(error)}", mend))
        return None


def toml_line(text: str, loc: Sequence[Any]) -> int:
    """The line of the entry at ``loc``; that of the table round it if the entry is not there."""
    keys = [str(k) for k in loc if not isinstance(k, int)]
    table: list[str] = []
    best, depth = 1, 0
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        entry = re.match(r"\s*([\w.\"-]+)\s*=", line)
        if head:
            table = [k.strip().strip('"') for k in head.group(1).split(".")]
            path = table
        elif entry:
            path = [*table, *(k.strip('"') for k in entry.group(1).split("."))]
        else:
            continue
        if len(path) > depth and path == keys[: len(path)]:
            best, depth = number, len(path)
    return best


def twice(rows: Iterable[R], key: Any, what: str, problems: list[Problem]) -> dict[Any, R]:
    """Rows by key; a key that comes again is a problem."""
    found: dict[Any, R] = {}
    for row in rows:
        k = key(row)
        if k in found:
            first = found[k]
            problems.append(Problem(
                row.file, row.line, f"{what} {k if isinstance(k, str) else '-'.join(map(str, k))} is there twice",
                f"delete this row or the one in line {first.line}",
            ))
        else:
            found[k] = row
    return found
