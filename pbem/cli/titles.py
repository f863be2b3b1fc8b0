"""Commands about titles: their rules and scenarios."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.terminal import WRONG, Bad, NoDb, new_table, one_of, show_table, write_rows

if TYPE_CHECKING:
    from rich.table import Table

    from pbem.service.records.coverage import Covered


def rules(title: str, style: Annotated[str, typer.Option("--format", help="table or csv.")] = "table", db: NoDb = None) -> None:
    """Every rule of a title: where it is implemented, which tests are about it."""
    from pbem.scenarios import catalog
    from pbem.service.records.coverage import coverage

    one_of(style, "table", "csv")
    if not (catalog.folder(title) / "rules.csv").is_file():
        raise Bad(f"there is no list of rules of {title!r}; 'pbem scenario list' names the titles")
    found = coverage(title, catalog.folder(title))
    if style == "csv":
        write_rows(({**r.__dict__, "reach": " ".join(f"{k}={v}" for k, v in r.reach.items())} for r in found), "csv")
        return
    show_table(_table_of_rules(found))
    untested = [r.rule for r in found if "yes" in r.reach.values() and not r.tests]
    print(f"{sum(bool(r.tests) for r in found)} of {len(found)} rows have tests.")
    if untested:
        print(f"Reached by a scenario and without a test: {', '.join(untested)}.")


def _table_of_rules(found: Sequence[Covered]) -> Table:
    table = new_table("rule", "heading", "code", "tests")
    for r in found:
        tests = list(dict.fromkeys(r.tests))
        code = ", ".join(r.code[:3]) + (f" and {len(r.code) - 3} more" if len(r.code) > 3 else "")
        table.add_row(r.rule, r.heading, code or r.note, str(len(tests)) if tests else "-")
    return table


def scenario_list(db: NoDb = None) -> None:
    """What can be played."""
    from pbem.scenarios import catalog

    table = new_table("scenario", "name")
    for e in catalog.catalog():
        table.add_row(f"{e.title}/{e.scenario}", e.heading)
    show_table(table)


def scenario_check(
    path: Annotated[Path | None, typer.Argument(help="A title's folder, or a file in it.")] = None, db: NoDb = None
) -> None:
    """Whether the data are sound; every broken row, with file and line and how to mend it."""
    from pbem.scenarios import catalog

    problems = catalog.check(path)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        raise typer.Exit(WRONG)
    table = new_table("file", "printed", "deduced", "historical", "reconstructed")
    for title in sorted({e.title for e in catalog.catalog(every=True)}):
        for name, count in catalog.statuses(title).items():
            table.add_row(f"{title}/{name}", *(str(count[s]) for s in ("printed", "deduced", "historical", "reconstructed")))
    show_table(table)
