"""Retreats: all ways of a length by rank, and what closed the others."""

from __future__ import annotations

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import build
from pbem.kit.retreat import Path, ways
from pbem.kit.search import Bar

GRID = Grid(True, 1, "CCRR", (Sheet("", (1, 9), (1, 9)),))
MAP = build(GRID, [{"hex": h, "terrain": "clear"} for h in GRID.all()], [])


def open_to(*enemies: str):  # type: ignore[no-untyped-def]
    def passes(path: Path, there: str) -> Bar[str] | None:
        return Bar(there, f"the enemy stands at {there}", "8.55") if there in enemies else None

    return passes


def test_ways_of_two_hexes_end_two_hexes_off() -> None:
    found = ways(MAP.near, "0505", 2, open_to(), lambda path: 0, lambda h: MAP.distance("0505", h))
    assert {path[-1] for _, path in found.ways} == set(MAP.ring("0505", 2))
    assert found.ways[0][1] == ("0505", "0504", "0503") and all(len(p) == 3 for _, p in found.ways)
    assert found.bars == []


def test_without_a_distance_a_way_may_end_beside_its_start_but_never_crosses_itself() -> None:
    found = ways(MAP.near, "0505", 2, open_to(), lambda path: 0)
    ends = {path[-1] for _, path in found.ways}
    assert set(MAP.near("0505")) <= ends and "0505" not in ends


def test_each_step_leads_further_from_the_enemy() -> None:
    found = ways(MAP.near, "0505", 2, open_to("0504"), lambda path: 0, lambda h: MAP.distance("0504", h))
    assert {path[-1] for _, path in found.ways} == {"0306", "0407", "0507", "0607", "0706"}


def test_the_lowest_rank_goes_first_and_equal_ones_clockwise() -> None:
    zones, friends = ("0504", "0605"), ("0606",)
    found = ways(MAP.near, "0505", 1, open_to("0506"), lambda path: (path[-1] in zones, path[-1] in friends))
    assert [path[-1] for _, path in found.ways] == ["0406", "0405", "0606", "0504", "0605"]
    assert found.best == [("0505", "0406"), ("0505", "0405")]


def test_what_is_shut_in_has_no_way_and_hears_why() -> None:
    found = ways(MAP.near, "0505", 2, open_to(*MAP.near("0505")), lambda path: 0)
    assert found.ways == [] and found.best == []
    assert [b.there for b in found.bars] == list(MAP.near("0505")) and found.bars[0].rule == "8.55"
