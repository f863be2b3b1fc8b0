"""Where scenarios are found, and how they are loaded."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import pbem
from pbem.scenarios import catalog


def test_the_catalog_offers_what_can_be_played() -> None:
    entries = catalog.catalog()
    assert [(e.title, e.scenario, e.heading) for e in entries] == [
        ("fab_sicily", "campaign", "The Campaign"), ("fab_sicily", "primosole_bridge", "The Primosole Bridge"),
        ("fab_sicily", "tournament", "The Tournament"), ("invasion_sicily", "gela", "Gela Beachhead"),
        ("invasion_sicily", "husky", "Operation Husky"), ("invasion_sicily", "toe", "The Toe as well"),
    ]
    assert entries[0].path.is_file()
    assert "full" in [e.scenario for e in catalog.catalog(every=True)]


def test_data_is_json() -> None:
    raw = catalog.load("fab_sicily", "primosole_bridge")
    assert json.loads(json.dumps(raw)) == raw
    assert raw["scenario"] == "primosole_bridge"


def test_an_unknown_scenario_names_the_known_ones() -> None:
    with pytest.raises(catalog.ScenarioError, match=r"no scenario fab_sicily/omaha.*fab_sicily/primosole_bridge"):
        catalog.load("fab_sicily", "omaha")


def test_the_installed_files_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "pbem" / "_data" / "scenarios"
    shutil.copytree(catalog.root() / "fab_sicily", inside / "fab_sicily")
    monkeypatch.setattr(pbem, "__file__", str(tmp_path / "pbem" / "__init__.py"))
    assert catalog.root() == inside
    assert catalog.load("fab_sicily", "primosole_bridge")["turns"] == 4


def test_broken_files_are_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inside = tmp_path / "pbem" / "_data" / "scenarios"
    shutil.copytree(catalog.root() / "fab_sicily", inside / "fab_sicily")
    monkeypatch.setattr(pbem, "__file__", str(tmp_path / "pbem" / "__init__.py"))
    path = inside / "fab_sicily/map/areas.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("\n14,Lentini", "\n14x,Lentini"), encoding="utf-8")
    with pytest.raises(catalog.ScenarioError, match=r"areas\.csv:15: id = '14x'"):
        catalog.load("fab_sicily", "primosole_bridge")


def test_facts_are_counted_by_status() -> None:
    counts = catalog.statuses("fab_sicily")
    assert counts["map/symbols.csv"]["printed"] == 8
    assert set(sum(counts.values(), start=type(next(iter(counts.values())))())) == {
        "printed", "deduced", "historical", "reconstructed",
    }


def test_no_source_names_a_path_of_ours() -> None:
    for path in (catalog.root() / "fab_sicily").rglob("*"):
        if path.suffix in (".csv", ".toml", ".md", ".py"):
            text = path.read_text(encoding="utf-8")
            assert "shared/" not in text and "/work" not in text and "/tmp" not in text, path


def inside(point: tuple[float, float], ring: list[list[float]]) -> bool:
    """Whether a point lies in a polygon (even-odd rule)."""
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(ring, ring[1:], strict=False):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


def test_the_drawing_agrees_with_the_tables() -> None:
    folder = catalog.root() / "fab_sicily/map"
    raw = catalog.load("fab_sicily", "full")
    shapes = {str(f["properties"]["area"]): f["geometry"] for f in json.loads((folder / "areas.geojson").read_text())["features"]}
    outside = [
        a["id"] for a in raw["areas"]
        if not inside((a["lon"], a["lat"]), shapes[a["id"]]["coordinates"][0])
    ]
    assert outside == []
    drawn = [f["properties"]["border"] for f in json.loads((folder / "borders.geojson").read_text())["features"]]
    assert drawn == [f"{b['a']}-{b['b']}" for b in raw["borders"]]
