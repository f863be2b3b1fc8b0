"""Zones of control and stacking."""

from __future__ import annotations

import pytest

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import build
from pbem.kit.stacking import choices, excess
from pbem.kit.zoc import Zone, projected

GRID = Grid(True, 1, "CCRR", (Sheet("", (1, 9), (1, 9)),))
MAP = build(GRID, [{"hex": h, "terrain": "clear"} for h in GRID.all()], [
    {"hex_a": "0505", "hex_b": "0504", "sea": "1"}, {"hex_a": "0505", "hex_b": "0605", "river": "1"},
])


def test_a_unit_reaches_into_the_six_hexes_around_and_not_into_its_own() -> None:
    found = projected(MAP.near, ["0505"], lambda h: True)
    assert list(found) == list(MAP.near("0505"))
    assert set(found.values()) == {Zone(1, ("0505",))}


def test_zones_add_up_and_name_their_sources_in_order() -> None:
    strength = {"0505": 4, "0605": 3, "0507": 0}
    found = projected(MAP.near, strength, strength.__getitem__)
    assert found["0506"] == Zone(4, ("0505",)) and found["0606"] == Zone(7, ("0505", "0605"))
    assert found["0605"] == Zone(4, ("0505",)), "into a place of its own side as well"
    assert "0508" not in found, "what exerts nothing has no zone"


def test_no_zone_over_a_closed_hexside_or_into_an_immune_place() -> None:
    found = projected(MAP.near, ["0505"], lambda h: 1, MAP.by_land, lambda h: h == "0606")
    assert list(found) == ["0605", "0506", "0406", "0405"]


@pytest.mark.parametrize(
    ("units", "limit", "over", "gone"),
    [
        ("", 3, 0, [""]),
        ("ab", 3, 0, [""]),
        ("abc", 3, 3, ["c"]),
        ("abd", 3, 1, ["a", "d", "b"]),
        ("aad", 1, 2, ["aa", "ad", "ad"]),
        ("c", 2, 1, ["c"]),
    ],
)
def test_what_is_too_much_and_who_may_go(units: str, limit: int, over: int, gone: list[str]) -> None:
    points = {"a": 1, "b": 2, "c": 3, "d": 1}
    assert excess(units, points.__getitem__, limit) == over
    assert ["".join(g) for g in choices(units, points.__getitem__, limit)] == gone
