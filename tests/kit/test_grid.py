"""Hex numbers, directions, distances: both orientations, both parities, sheets that overlap."""

from __future__ import annotations

import pytest

from pbem.kit.grid import BadHex, Grid, Hex, Sheet, distance, hexside

FLAT = Grid(True, 1, "CCRR", (Sheet("", (1, 60), (1, 39)),))
"""Flat tops, odd columns half a hex lower."""
FLAT_EVEN = Grid(True, 0, "CCRR", (Sheet("", (1, 60), (1, 39)),))
POINTY = Grid(False, 0, "SR.CC", (Sheet("A", (1, 35), (1, 60)), Sheet("B", (1, 35), (1, 60), 34)))
"""Pointy tops, even rows half a hex to the right; column 1 of sheet B is column 35 of sheet A."""
POINTY_ODD = Grid(False, 1, "SR.CC", POINTY.sheets)
TWO = Grid(True, 1, "SCCRR", (Sheet("S", (1, 60), (1, 39)), Sheet("I", (1, 60), (1, 60), 100)))
"""Two maps that do not touch, with a letter before the number."""
GRIDS = {"flat": FLAT, "flat even": FLAT_EVEN, "pointy": POINTY, "pointy odd": POINTY_ODD, "two maps": TWO}


def names(grid: Grid, hexes: tuple[Hex, ...]) -> list[str]:
    return [grid.name(h) for h in hexes]


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_every_id_is_read_and_printed_back(grid: Grid) -> None:
    ids = list(grid.all())
    assert len(set(ids)) == len(ids)
    assert [grid.canonical(i) for i in ids] == ids


def test_the_whole_of_two_sheets_is_there_and_the_seam_but_once() -> None:
    ids = list(POINTY.all())
    assert len(ids) == 60 * 69
    assert "A7.35" in ids and "B7.01" not in ids and ids[:2] == ["A1.01", "A1.02"]


@pytest.mark.parametrize(
    ("grid", "text", "name"),
    [
        (FLAT, "2407", "2407"), (FLAT, " 0107 ", "0107"),
        (POINTY, "B5.32", "B5.32"), (POINTY, "B05.32", "B5.32"), (POINTY, "b5.32", "B5.32"),
        (POINTY, "A19.9", "A19.09"), (POINTY, "A19.09", "A19.09"),
        (POINTY, "B35.01", "A35.35"), (POINTY, "A35.35", "A35.35"), (POINTY, "B35.02", "B35.02"),
        (TWO, "S4909", "S4909"), (TWO, "I1122", "I1122"), (TWO, "i1122", "I1122"),
    ],
)
def test_an_id_may_be_written_in_more_than_one_way(grid: Grid, text: str, name: str) -> None:
    assert grid.canonical(text) == name


@pytest.mark.parametrize(
    ("grid", "text", "said"),
    [
        (FLAT, "407", "'407' is not the number of a hex: one looks like 0101"),
        (FLAT, "24070", "one looks like 0101"),
        (FLAT, "B2407", "one looks like 0101"),
        (FLAT, "6140", "hex 6140 is not on the map: columns 1 to 60, rows 1 to 39"),
        (FLAT, "0000", "hex 0000 is not on the map"),
        (FLAT, "٢407", "is not the number of a hex"),
        (POINTY, "C5.32", "one looks like A1.01"),
        (POINTY, "B5", "one looks like A1.01"),
        (POINTY, "B61.01", "sheet A has columns 1 to 35, rows 1 to 60; sheet B has columns 1 to 35, rows 1 to 60"),
        (TWO, "4909", "one looks like S0101"),
    ],
)
def test_what_is_no_id_is_told(grid: Grid, text: str, said: str) -> None:
    with pytest.raises(BadHex) as why:
        grid.parse(text)
    assert said in str(why.value)


@pytest.mark.parametrize(
    ("grid", "text", "around"),
    [
        (FLAT, "2407", ["2406", "2506", "2507", "2408", "2307", "2306"]),
        (FLAT, "2507", ["2506", "2607", "2608", "2508", "2408", "2407"]),
        (FLAT_EVEN, "2407", ["2406", "2507", "2508", "2408", "2308", "2307"]),
        (FLAT_EVEN, "2507", ["2506", "2606", "2607", "2508", "2407", "2406"]),
        (POINTY, "A20.10", ["A19.11", "A20.11", "A21.11", "A21.10", "A20.09", "A19.10"]),
        (POINTY, "A19.10", ["A18.10", "A19.11", "A20.10", "A20.09", "A19.09", "A18.09"]),
        (POINTY_ODD, "A19.10", ["A18.11", "A19.11", "A20.11", "A20.10", "A19.09", "A18.10"]),
        (POINTY, "A20.35", ["B19.02", "B20.02", "B21.02", "A21.35", "A20.34", "A19.35"]),
        (FLAT, "0101", ["", "0201", "0202", "0102", "", ""]),
    ],
)
def test_neighbours_go_clockwise_from_hexside_1(grid: Grid, text: str, around: list[str]) -> None:
    assert names(grid, grid.neighbours(grid.parse(text))) == around


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_neighbours_are_mutual_and_six_on_and_off_the_map(grid: Grid) -> None:
    for name in list(grid.all())[::7]:
        at = grid.parse(name)
        around = grid.neighbours(at)
        assert len(set(around)) == 6
        assert all(at in grid.neighbours(n) and distance(at, n) == 1 for n in around)
        assert [grid.direction(at, n) for n in around] == [1, 2, 3, 4, 5, 6]
        assert [grid.step(at, d) for d in range(1, 7)] == list(around)


@pytest.mark.parametrize(
    ("grid", "a", "b", "far"),
    [
        (FLAT, "2407", "4225", 27),  # Palermo to Messina: 18 columns are worth 9 rows, and 18 rows more than those
        (FLAT, "4617", "4618", 1), (FLAT, "4617", "4717", 1), (FLAT, "4618", "4717", 1), (FLAT, "4225", "4226", 1),
        (FLAT, "2407", "2407", 0), (FLAT, "1101", "1139", 38), (FLAT, "0101", "6001", 59),
        (POINTY, "A35.10", "B35.01", 25), (POINTY, "A35.10", "A35.35", 25),
        (POINTY, "A1.01", "A60.01", 59), (POINTY, "A1.01", "A1.35", 34), (POINTY, "A20.34", "B20.03", 3),
    ],
)
def test_distances(grid: Grid, a: str, b: str, far: int) -> None:
    assert distance(grid.parse(a), grid.parse(b)) == distance(grid.parse(b), grid.parse(a)) == far


@pytest.mark.parametrize("grid", GRIDS.values(), ids=GRIDS)
def test_rings_lines_and_distances_agree(grid: Grid) -> None:
    at = grid.parse(grid.example)
    centre = grid.step(grid.step(at, 3, 12), 4, 12)
    assert grid.ring(centre, 0) == (centre,)
    for n in range(1, 5):
        ring = grid.ring(centre, n)
        assert len(set(ring)) == 6 * n and ring[0] == grid.step(centre, 1, n)
        assert all(distance(centre, h) == n for h in ring)
        assert all(distance(a, b) == 1 for a, b in zip(ring, ring[1:] + ring[:1], strict=True))
        for end in ring:
            line = grid.line(centre, end)
            assert line[0] == centre and line[-1] == end and len(line) == n + 1
            assert all(distance(a, b) == 1 for a, b in zip(line, line[1:], strict=False))
            assert grid.line(end, centre) == line[::-1]
    assert len(set(grid.within(centre, 4))) == 1 + 6 + 12 + 18 + 24
    assert grid.within(centre, 4)[1:7] == grid.neighbours(centre)
    assert grid.line(centre, centre) == (centre,)


def test_a_line_down_a_row_of_hexes_and_one_along_hexsides() -> None:
    assert names(FLAT, FLAT.line(FLAT.parse("2404"), FLAT.parse("2407"))) == ["2404", "2405", "2406", "2407"]
    along = names(FLAT, FLAT.line(FLAT.parse("2404"), FLAT.parse("2604")))
    assert along in (["2404", "2503", "2604"], ["2404", "2504", "2604"])


@pytest.mark.parametrize(
    ("grid", "a", "b", "direction"),
    [
        (FLAT, "2407", "2407", 0), (FLAT, "2407", "2401", 1), (FLAT, "2407", "2807", 2), (FLAT, "2407", "2805", 2),
        (FLAT, "2407", "2809", 3), (FLAT, "2407", "2007", 5), (FLAT, "2407", "2009", 5), (FLAT, "2407", "2412", 4),
        (POINTY, "A20.10", "A20.15", 2), (POINTY, "A20.10", "A16.12", 1), (POINTY, "A20.10", "A16.10", 6),
        (POINTY, "A20.10", "A16.08", 6),
    ],
)
def test_the_direction_of_something_far_off(grid: Grid, a: str, b: str, direction: int) -> None:
    """Due east of a flat hex lies between directions 2 and 3, due west between 5 and 6: the first one clockwise is taken."""
    assert grid.direction(grid.parse(a), grid.parse(b)) == direction


def test_centres_are_whole_numbers_and_neighbours_lie_as_printed() -> None:
    x, y = FLAT.centre(FLAT.parse("2407"))
    assert [(a - x, b - y) for a, b in map(FLAT.centre, FLAT.neighbours(FLAT.parse("2407")))] == [
        (0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1),
    ]
    x, y = POINTY.centre(POINTY.parse("A20.10"))
    assert [(a - x, b - y) for a, b in map(POINTY.centre, POINTY.neighbours(POINTY.parse("A20.10")))] == [
        (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1),
    ]


def test_a_hexside_is_the_same_from_both_sides() -> None:
    assert hexside("2407", "2408") == hexside("2408", "2407") == "2407-2408"
