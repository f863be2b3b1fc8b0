"""Tables: rows, columns, shifts, clamps; odds and how they are rounded."""

from __future__ import annotations

from fractions import Fraction

import pytest

from pbem.kit.tables import Odds, Shift, Span, Table, column_for, floor_ratio, from_long, from_wide, nearest_on, rounded, span

WIDE = [
    {"roll": "3-4", "1:1": "0/1", "2:1": "0/2", "3:1": "0/3", "status": "reconstructed"},
    {"roll": "2 or less", "1:1": "1/0", "2:1": "1/1", "3:1": "0/1", "status": "printed"},
    {"roll": "5+", "1:1": "0/2", "2:1": "0/3", "3:1": "0/4", "status": "reconstructed"},
]
TABLE = from_wide("combat", WIDE, "roll", ["1:1", "2:1", "3:1"])


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("6", Span(6, 6)), ("-2", Span(-2, -2)), ("2-5", Span(2, 5)), ("-3--1", Span(-3, -1)), ("-1-2", Span(-1, 2)),
        ("5 or less", Span(None, 5)), ("6-", Span(None, 6)), ("11+", Span(11, None)), ("7 or more", Span(7, None)),
        ("-2 or less", Span(None, -2)), ("2 to 5", Span(2, 5)),
    ],
)
def test_rows_are_read(text: str, found: Span) -> None:
    assert span(text) == found


@pytest.mark.parametrize("text", ["", "many", "2..5", "1:1"])
def test_what_is_no_row_is_told(text: str) -> None:
    with pytest.raises(ValueError, match="is no row of a table"):
        span(text)


@pytest.mark.parametrize(
    ("total", "column", "shifts", "row", "read", "cell", "status"),
    [
        (1, "1:1", [], "2 or less", "1:1", "1/0", "printed"),
        (-9, "2:1", [], "2 or less", "2:1", "1/1", "printed"),
        (3, "2:1", [], "3-4", "2:1", "0/2", "reconstructed"),
        (4, "1:1", [1], "3-4", "2:1", "0/2", "reconstructed"),
        (99, "3:1", [2], "5+", "3:1", "0/4", "reconstructed"),
        (4, "1:1", [-3], "3-4", "1:1", "0/1", "reconstructed"),
        (4, "1:1", [-3, 1], "3-4", "1:1", "0/1", "reconstructed"),
        (4, 7, [-1], "3-4", "2:1", "0/2", "reconstructed"),
    ],
)
def test_look_ups(total: int, column: str | int, shifts: list[int], row: str, read: str, cell: str, status: str) -> None:
    found = TABLE.look_up(total, column, [Shift(n, "x") for n in shifts])
    assert (found.row, found.column, found.cell, found.status) == (row, read, cell, status)


def test_shifts_one_by_one_or_all_at_once() -> None:
    """At once: three left and two right of the second column is the first; one by one the table's edge swallows two."""
    shifts = [Shift(-3, "terrain", "9.2"), Shift(2, "armor", "9.4")]
    assert TABLE.look_up(4, "2:1", shifts).column == "1:1"
    one_by_one = from_wide("combat", WIDE, "roll", ["1:1", "2:1", "3:1"], each_shift=True)
    found = one_by_one.look_up(4, "2:1", shifts)
    assert found.column == "3:1" and [to for _, to in found.shifts] == ["1:1", "3:1"]
    assert found.start == "2:1" and found.json() == {
        "table": "combat", "row": "3-4", "column": "3:1", "cell": "0/3", "status": "reconstructed",
        "shifts": [["terrain", -3], ["armor", 2]],
    }


def test_a_table_of_cells_with_a_status_each() -> None:
    cells = [
        {"die": d, "diff": c, "result": f"{d}{c}", "status": "printed" if c == "-1" else "reconstructed"}
        for d in ("2", "1") for c in ("-1", "0")
    ]
    table = from_long("counter", cells, "die", "diff", "result", ["-1", "0"])
    assert table.rows == ("1", "2") and table.look_up(2, "0").cell == "20" and table.look_up(2, "-1").status == "printed"
    with pytest.raises(ValueError, match="counter: row 2, column 0 is missing"):
        from_long("counter", cells[:1] + cells[2:], "die", "diff", "result", ["-1", "0"])
    with pytest.raises(ValueError, match="counter: row 2, column -1 is there twice"):
        from_long("counter", cells[:1] + cells, "die", "diff", "result", ["-1", "0"])


def test_rows_must_follow_on_each_other() -> None:
    with pytest.raises(ValueError, match="combat: row 5-6 does not begin where row 1-3 ends"):
        Table("combat", ("1",), ("1-3", "5-6"), (("a",), ("b",)), (("", ), ("", )))


@pytest.mark.parametrize(
    ("attack", "defence", "floor", "half_up"),
    [
        (29, 10, "2:1", "3:1"), (10, 29, "1:3", "1:3"), (30, 10, "3:1", "3:1"), (10, 30, "1:3", "1:3"), (7, 7, "1:1", "1:1"),
        (15, 6, "2:1", "3:1"), (6, 15, "1:3", "1:3"), (Fraction(39, 4), 2, "4:1", "5:1"), (10, 11, "1:2", "1:1"),
        (11, 10, "1:1", "1:1"), (10, 21, "1:3", "1:2"), (Fraction(7, 2), 1, "3:1", "4:1"),
    ],
)
def test_odds_are_rounded_as_the_game_says(attack: int | Fraction, defence: int, floor: str, half_up: str) -> None:
    assert str(floor_ratio(attack, defence)) == floor
    assert str(rounded(attack, defence)) == half_up


LINE = [Fraction(1, 2), 1, Fraction(3, 2), 2, 3]


@pytest.mark.parametrize(
    ("attack", "defence", "ratio"),
    [(35, 20, Fraction(3, 2)), (36, 20, 2), (1, 9, Fraction(1, 2)), (90, 1, 3), (5, 2, 2), (51, 20, 3), (20, 20, 1)],
)
def test_the_nearest_ratio_of_a_line_and_the_lower_of_two(attack: int, defence: int, ratio: Fraction) -> None:
    assert LINE[nearest_on(LINE, attack, defence)] == ratio
    falling = LINE[::-1]
    assert falling[nearest_on(falling, attack, defence)] == ratio


@pytest.mark.parametrize(("odds", "column"), [("1:3", 0), ("1:9", 0), ("1:1", 2), ("2:1", 3), ("5:1", 4), ("9:1", 4)])
def test_the_column_for_odds(odds: str, column: int) -> None:
    attack, defence = map(int, odds.split(":"))
    assert column_for(Odds(attack, defence), ["1:3", "1:2", "1:1", "2:1", "3:1"]) == column
