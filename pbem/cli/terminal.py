"""What all commands share: their options, the application that they open, errors with their exit codes, tables."""

from __future__ import annotations

import csv
import io
import json
import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from pbem.bootstrap import App
    from pbem.config import Config

FINE, WRONG, BAD_USE = 0, 1, 2

Db = Annotated[Path | None, typer.Option("--db", help="The database file (else PBEM_DB).", show_default=False)]
NoDb = Annotated[Path | None, typer.Option("--db", help="Taken by every command; not needed here.", hidden=True)]
GameId = Annotated[str, typer.Argument(metavar="GAME", help="The game's name.", show_default=False)]
Reason = Annotated[str, typer.Option("--reason", help="Why; both players read it.")]


class Bad(Exception):
    """Bad use: what, where, how to mend; exit code 2."""


class Wrong(Exception):
    """The thing asked about is wrong; exit code 1."""


def load(db: Path | None, **given: Any) -> Config:
    """The settings; ``given`` stand above those of the environment."""
    from pbem import config

    found = config.load(db=db, **given)
    log(found, quiet=True)
    return found


def log(config: Config, quiet: bool = False) -> None:
    """Lines on stderr; quiet commands tell errors only."""
    from pbem.service.logs import level_of
    from pbem.service.logs import log as lines

    lines.set_up(level_of(config.log_level, quiet), config.log_json)
    logging.getLogger("apscheduler").setLevel(logging.ERROR)


@contextmanager
def opened(db: Path | None) -> Iterator[App]:
    """The application on an existing database, closed at the end."""
    from pbem.bootstrap import bootstrap

    found = bootstrap(load(db))
    try:
        yield found
    finally:
        found.close()


def new_table(*columns: str) -> Table:
    """An empty table with these heads."""
    from rich.table import Table

    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def show_table(table: Table) -> None:
    """On a terminal as wide as it is; into a pipe one line a row."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    Console(width=None if terminal else 240, soft_wrap=not terminal, markup=False, highlight=False).print(table)


def write_rows(rows: Iterable[dict[str, Any]], style: str) -> None:
    """Rows as CSV or JSON."""
    found = list(rows)
    if style == "json":
        print(json.dumps(found, ensure_ascii=False, indent=1))
        return
    out = io.StringIO()
    writer = csv.DictWriter(out, list(found[0]) if found else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in row.items()} for row in found)
    sys.stdout.write(out.getvalue())


def one_of(value: str, *known: str) -> str:
    if value not in known:
        raise Bad(f"{value!r} is not one of {', '.join(known)}")
    return value
