"""A map frozen from rows: what lies where, what is next to what, and the faults of rows."""

from __future__ import annotations

import pytest

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import Fault, build, faults
from pbem.kit.search import reachable

GRID = Grid(True, 1, "CCRR", (Sheet("", (1, 60), (1, 39)),))
HEXES: list[dict[str, object]] = [
    {"hex": "4225", "terrain": "hill", "coastal": "1", "town": "Messina", "port": "Messina", "airfield": "0", "source": "x"},
    {"hex": "4226", "terrain": "mountain", "coastal": 1, "town": "Reggio;Reggio Calabria", "port": "", "source": "x"},
    {"hex": "4325", "terrain": "clear", "coastal": True, "town": "", "port": None, "source": "x"},
    {"hex": "4125", "terrain": "sea", "coastal": "0", "town": "", "port": "", "source": "x"},
    {"hex": "4224", "terrain": "clear", "coastal": "no", "town": "Villa;Messina", "port": "", "source": "x"},
]
SIDES: list[dict[str, object]] = [
    {"hex_a": "4226", "hex_b": "4225", "sea": "1", "river": "", "road": "", "rail": "0", "source": "x", "status": "printed"},
    {"hex_a": "4224", "hex_b": "4225", "sea": "0", "river": "1", "road": "main", "rail": "", "source": "x", "status": "printed"},
]
BOXES: list[dict[str, object]] = [
    {"place": "Tunis", "connects": "4226;Malta", "capacity": "9"}, {"place": "Malta", "connects": ["4225"], "capacity": ""},
]
MAP = build(GRID, HEXES, SIDES, BOXES)


def test_neighbours_are_those_on_the_map_clockwise_and_then_the_boxes() -> None:
    assert MAP.near("4225") == ("4224", "4325", "4226", "4125", "Malta")
    assert MAP.near("4226") == ("4225", "4325", "4125", "Tunis")
    assert MAP.near("Tunis") == ("4226", "Malta") and MAP.near("Malta") == ("4225", "Tunis")
    assert reachable("Tunis", MAP.near)["4224"] == 3, "areas, hexes and boxes are searched alike"


def test_neighbours_are_mutual() -> None:
    places = [*MAP.hexes, *MAP.boxes]
    assert all(a in MAP.near(b) for a in places for b in MAP.near(a))


def test_what_lies_on_a_hexside_is_the_same_from_both_sides() -> None:
    assert MAP.side("4225", "4226") == MAP.side("4226", "4225") == {"sea": "1"}
    assert MAP.side("4225", "4224") == {"river": "1", "road": "main"} and MAP.side("4225", "4325") == {}
    assert MAP.across("4224", "4225", "road") == "main" and MAP.across("4224", "4225", "sea") == ""
    assert MAP.on("4225", "road") and not MAP.on("4226", "road")


@pytest.mark.parametrize(("a", "b", "open_"), [("4225", "4224", True), ("4225", "4226", False), ("4225", "4125", False)])
def test_by_land_one_crosses_no_sea(a: str, b: str, open_: bool) -> None:
    assert MAP.by_land(a, b) is MAP.by_land(b, a) is open_


@pytest.mark.parametrize(
    ("attackers", "only"), [(["4224"], True), (["4224", "4325"], False), (["4325"], False), ([], False)]
)
def test_an_attack_across_a_river_alone(attackers: list[str], only: bool) -> None:
    assert MAP.only_across(attackers, "4225", "river") is only


def test_a_row_says_what_it_says() -> None:
    messina = MAP.hexes["4225"]
    assert (messina.terrain, messina.land, messina.get("port"), messina.get("airfield"), messina.get("nothing")) == (
        "hill", True, "Messina", "", "",
    )
    assert MAP.hexes["4325"].get("coastal") == "1" and not MAP.hexes["4125"].land
    assert "source" not in messina.features and MAP.boxes["Tunis"].features == {"capacity": "9"}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("messina", ("4225", "4224")), ("Reggio Calabria", ("4226",)), ("REGGIO", ("4226",)), ("4226", ("4226",)),
        ("tunis", ("Tunis",)), ("0101", ()), ("Rome", ()), ("", ()),
    ],
)
def test_a_place_is_found_by_number_or_name(text: str, places: tuple[str, ...]) -> None:
    assert MAP.find(text) == places


def test_distances_rings_and_directions_on_the_map() -> None:
    assert MAP.distance("4225", "4226") == 1 and MAP.distance("4224", "4226") == 2
    assert MAP.within("4225", 1) == ("4225", "4224", "4325", "4226", "4125")
    assert MAP.ring("4224", 2) == ("4325", "4226", "4125")
    assert MAP.direction("4225", "4226") == 4 and MAP.step("4224", 4, 2) == "4226" and MAP.step("4224", 1) == ""


def test_good_rows_have_no_faults() -> None:
    assert faults(GRID, HEXES, SIDES, BOXES) == []


HEX = {"hex": "4325", "terrain": "clear", "coastal": "", "port": ""}
SIDE = {"hex_a": "4224", "hex_b": "4325", "sea": "", "road": "", "rail": ""}


@pytest.mark.parametrize(
    ("hexes", "sides", "boxes", "fault"),
    [
        ([{**HEX, "hex": "432"}], [], [],
         Fault("hexes", 0, "'432' is not the number of a hex: one looks like 0101", "correct the number")),
        ([HEX, HEX], [], [], Fault("hexes", 1, "hex 4325 is there twice", "delete one of the rows")),
        ([{**HEX, "terrain": "sea", "coastal": "1"}], [], [],
         Fault("hexes", 0, "4325 is coastal and has no land", "give its terrain, or leave coastal empty")),
        ([{**HEX, "port": "Taormina"}], [], [],
         Fault("hexes", 0, "4325 has a port and is not coastal", "mark it coastal, or move the port")),
        (HEXES, [{**SIDE, "hex_b": "43"}], [],
         Fault("hexsides", 0, "'43' is not the number of a hex: one looks like 0101", "correct the number")),
        (HEXES, [{**SIDE, "hex_b": "4223"}], [],
         Fault("hexsides", 0, "hex 4223 is not in the table of hexes", "add it, or correct the number")),
        (HEXES, [{**SIDE, "hex_b": "4226"}], [],
         Fault("hexsides", 0, "4224 and 4226 are not neighbours", "name two hexes that share a side")),
        (HEXES, [{**SIDE, "hex_b": "4225"}, {**SIDE, "hex_a": "4225", "hex_b": "4224"}], [],
         Fault("hexsides", 1, "the side of 4225 and 4224 is there twice", "put all it has into one row")),
        (HEXES, [{**SIDE, "hex_b": "4225", "sea": "1", "road": "main"}], [],
         Fault("hexsides", 0, "a road crosses the sea between 4224 and 4225", "take the road or the sea away")),
        (HEXES, [{**SIDE, "hex_a": "4225", "hex_b": "4125", "rail": "1"}], [],
         Fault("hexsides", 0, "a rail leads into 4125, which has no land", "take the rail away, or give the hex its terrain")),
        (HEXES, [], [{"place": "Tunis", "connects": "4226;Rome"}],
         Fault("boxes", 0, "Tunis connects to Rome, which is no hex or box", "correct the place")),
        (HEXES, [], [{"place": "Tunis", "connects": ""}, {"place": "Tunis", "connects": ""}],
         Fault("boxes", 1, "box Tunis is there twice", "delete one of the rows")),
    ],
)
def test_each_fault_names_its_row_and_how_to_mend_it(
    hexes: list[dict[str, object]], sides: list[dict[str, object]], boxes: list[dict[str, object]], fault: Fault
) -> None:
    assert faults(GRID, hexes, sides, boxes) == [fault]
