"""Reads the scenario files of Tiny: map, forces, table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.kit.hexmap import faults
from pbem.scenarios.rows import Problem, Row, Source, Status, Table, Text, YesNo, read_csv, read_toml, twice
from pydantic import Field
from tests.titles.tiny.position import GRID


class HexRow(Row):
    """A hex; ``holder``: who holds it at the start ('' for nobody)."""

    hex: Text
    terrain: Text
    town: str
    worth: int
    holder: str
    source: Source
    status: Status


class UnitRow(Row):
    """A unit and where it begins."""

    unit: Text
    side: Text
    name: Text
    strength: int
    hex: Text
    reserve: YesNo
    source: Source
    status: Status


class CrtRow(Row):
    """A row of the combat table, by the sum of two dice."""

    roll: Text
    low: Text = Field(alias="1:2")
    even: Text = Field(alias="1:1")
    double: Text = Field(alias="2:1")
    triple: Text = Field(alias="3:1")
    source: Source
    status: Status


class Scenario(Table):
    """A scenario file."""

    format: str
    heading: Text
    about: Text
    playable: bool
    turns: int


def _read(folder: Path, label: str) -> tuple[dict[str, Any], list[Problem]]:
    """The rows of all tables, and what is wrong with them."""
    problems: list[Problem] = []

    def rows(name: str, model: Any) -> list[Any]:
        return read_csv(folder / name, f"{label}/{name}", model, problems, set())

    hexes = twice(rows("map/hexes.csv", HexRow), lambda r: r.hex, "hex", problems)
    units = twice(rows("forces/units.csv", UnitRow), lambda r: r.unit, "unit", problems)
    crt = rows("tables/crt.csv", CrtRow)
    listed = list(hexes.values())
    for fault in faults(GRID, [r.model_dump() for r in listed], []):
        problems.append(Problem(listed[fault.row].file, listed[fault.row].line, fault.message, fault.mend))
    for unit in units.values():
        if unit.hex not in hexes:
            problems.append(Problem(unit.file, unit.line, f"{unit.unit} stands in {unit.hex}, which is no hex", "correct it"))
    found = {"hexes": listed, "units": list(units.values()), "crt": crt}
    return {k: [r.model_dump(by_alias=True, exclude={"file", "line"}) for r in v] for k, v in found.items()}, problems


def check(folder: Path, label: str) -> list[Problem]:
    """See :class:`pbem.scenarios.catalog.Reader`."""
    problems = _read(folder, label)[1]
    for path in sorted(folder.glob("*.toml")):
        read_toml(path, f"{label}/{path.name}", Scenario, problems)
    return problems


def load(folder: Path, label: str, scenario: str) -> tuple[dict[str, Any] | None, list[Problem]]:
    """See :class:`pbem.scenarios.catalog.Reader`."""
    tables, problems = _read(folder, label)
    told = read_toml(folder / f"{scenario}.toml", f"{label}/{scenario}.toml", Scenario, problems)
    if told is None or problems:
        return None, problems
    return {"scenario": scenario, "title": told.heading, "turns": told.turns, **tables}, problems
