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
from typing import Annotated, Any

import structlog
import typer
from rich.console import Console
from rich.table import Table

from pbem import config as settings
from pbem.bootstrap import App, bootstrap
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
    found = settings.load(db=db, **given)
    log(found, quiet=True)
    return found


def log(config: Config, quiet: bool = False) -> None:
    """Lines on stderr; quiet commands tell errors only."""
    level = max(logging.WARNING if quiet else 0, getattr(logging, config.log_level.upper()))
    level = logging.DEBUG if config.log_level == "debug" else level
    structlog.configure(
        processors=[
            structlog.processors.add_log_level, structlog.processors.TimeStamper(fmt="iso", utc=True),
            *([structlog.processors.format_exc_info] if config.log_json else []),
            structlog.processors.JSONRenderer() if config.log_json else structlog.dev.ConsoleRenderer(
                colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback,
            ),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level), logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
    logging.getLogger("apscheduler").setLevel(logging.ERROR)


@contextmanager
def opened(db: Path | None) -> Iterator[App]:
    """The application on an existing database, closed at the end."""
    found = bootstrap(load(db))
    try:
        yield found
    finally:
        found.close()


def new_table(*columns: str) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def show_table(table: Table) -> None:
    """On a terminal as wide as it is; into a pipe one line a row."""
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
