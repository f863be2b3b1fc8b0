"""`check` finds every broken row of every file in one run, and says where it is and how to mend it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.scenarios import catalog
from pbem.scenarios.rows import Problem

Break = Callable[[str, str, str], int]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the files of FAB: Sicily."""
    shutil.copytree(catalog.root() / "fab_sicily", tmp_path / "fab_sicily")
    return tmp_path / "fab_sicily"


@pytest.fixture
def spoil(copy: Path) -> Break:
    """Replace a text that occurs once in a file; the number of its line."""

    def replace(name: str, old: str, new: str) -> int:
        path = copy / name
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1, (name, old, text.count(old))
        path.write_text(text.replace(old, new), encoding="utf-8")
        return text[: text.index(old)].count("\n") + 1

    return replace


def line_of(copy: Path, name: str, start: str) -> tuple[int, str]:
    """The number and the text of the line that begins like this."""
    for number, text in enumerate((copy / name).read_text(encoding="utf-8").splitlines(), 1):
        if text.startswith(start):
            return number, text
    raise AssertionError(f"no line {start} in {name}")


def only(problems: list[Problem]) -> Problem:
    assert len(problems) == 1, "\n".join(map(str, problems))
    return problems[0]


def test_the_files_are_sound() -> None:
    assert catalog.check() == []


def test_a_copy_is_sound(copy: Path) -> None:
    assert catalog.check(copy) == catalog.check(copy.parent) == catalog.check(copy / "full.toml") == []


@pytest.mark.parametrize(("name", "start", "old", "new", "message", "mend"), [
    ("map/areas.csv", "14,", ",0,relief", ",9,relief", "tdn = '9'", "Terrain Difficulty Number"),
    ("map/areas.csv", "14,", ",B,yes,", ",E,yes,", "zones = 'E'", "A, B, C or D"),
    ("map/areas.csv", "14,", "37.285", "north", "lat = 'north'", "degrees north"),
    ("map/borders.csv", "14,15,", ",road,", ",path,", "connection = 'path'", "'road' or 'field'"),
    ("map/borders.csv", "14,15,", "14,15,", "15,14,", "15 must be lower than 14", "correct the row"),
    ("map/borders.csv", "14,15,", "14,15,", "14,99,", "no area 99", "map/areas.csv"),
    ("map/borders.csv", "14,15,", ",printed,road", ",certain,road", "status = 'certain'", "reconstructed"),
    ("map/borders.csv", "16,25,", ",real ground,historical", ",,", "the river Dittaino has no source", "correct the row"),
    ("map/boxes.csv", "B4,", ",5,", ",6,", "B4 leads to 6, which is not coastal", "coastal"),
    ("map/boxes.csv", "P1,", "P1,port", "P1,landing", "P1 cannot be a landing box", "P1 to P4"),
    ("map/symbols.csv", "26,airfield", "airfield", "airport", "symbol = 'airport'", "'airfield'"),
    ("forces/blocks.csv", "50-1,", ",VVVV,", ",VVXV,", "quality = 'VVXV'", "G green, V veteran, E elite"),
    ("forces/blocks.csv", "50-1,", ",VVVV,", ",,", "every other block has one", "correct the row"),
    ("forces/blocks.csv", "50-1,", ",uk,8,", ",uk,6,", "army 6 is not allied", "13.2"),
    ("forces/blocks.csv", "51-1,", ",8,51,", ",8,50,", "division 50 has more than two blocks", "20.0"),
    ("forces/garrisons.csv", "S-rec2a", "GG", "2", "quality = '2'", "a letter a step"),
    ("forces/chits.csv", "24ART", "artillery", "cannon", "kind = 'cannon'", "special-event"),
    ("forces/chits.csv", "24ART,", "24ART,", "50-1,", "50-1 is also a block", "another id"),
    ("forces/primosole_bridge.csv", "50-1,", "50-1,", "60-1,", "no piece 60-1", "blocks.csv"),
    ("forces/primosole_bridge.csv", "NAP-1,", ",6,", ",8,", "area 8 is not in play", "playing_area"),
    ("forces/primosole_bridge.csv", "24ART,", ",cup,", ",6,", "a chit cannot be placed in 6", "'cup' or 'available'"),
    ("forces/primosole_bridge.csv", "50-1,", ",Inv,", ",Air,", "50-1 cannot arrive by Air", "14.24"),
    ("forces/primosole_bridge.csv", "HG-1,", ",2,", ",12,", "turn = '12'", "a turn from 1 to 9"),
    ("forces/primosole_bridge.csv", "S-1,", ",S,", ",6,", "S-1 cannot be placed in 6", "15.3"),
    ("tables/draws.csv", "3,axis,", ",10,", ",ten,", "allied_half = 'ten'", "a whole number"),
    ("tables/draws.csv", "3,axis,", ",5,", ",,", "axis_half = ''", "a whole number"),
    ("tables/primosole_points.csv", "5,", "5,2", "55,2", "area 55 is not in play", "playing_area"),
    ("tables/modifiers.csv", "air,", ",2,", ",20,", "value = '20'", "-3 to 3"),
])
def test_a_broken_row(copy: Path, name: str, start: str, old: str, new: str, message: str, mend: str) -> None:
    number, text = line_of(copy, name, start)
    assert old in text
    lines = (copy / name).read_text(encoding="utf-8").splitlines()
    lines[number - 1] = text.replace(old, new, 1)
    (copy / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = [p for p in catalog.check(copy) if message in p.message]
    assert [(p.file, p.line) for p in found[:1]] == [(f"fab_sicily/{name}", number)], catalog.check(copy)
    assert mend in found[0].mend


@pytest.mark.parametrize(("old", "new", "message", "mend"), [
    ('turns = 4', 'turns = 40', "turns: ", "1 to 9"),
    ('turns = 4\n', '', "turns: field required", "the number of turns"),
    ('playable = true', 'playable = perhaps', "not TOML", "correct the line"),
    ('playable = true', 'playable = "perhaps"', "playable: ", "true or false"),
    ('"B4", "B5"]', '"B4", "D1"]', "beachheads: D1 leads to no area in play", "map/boxes.csv"),
    ('[16, 17, 25, 26]\nforced', '[16, 17, 29]\nforced', "axis_sources: there is no area 29 in play", "map/areas.csv"),
    ('garrison_areas = [1, ', 'garrison_areas = [', "10 garrison blocks, 10 garrison cards, 9 areas", "22.14"),
    ('16, 17, 25, 26]\ngarrison', '16, 17, 65, 25, 26]\ngarrison', "area 65 cannot be reached", "borders"),
    ('rule = "14.27"', 'rule = ""', "switches.assault_penalty.rule: ", "write a text"),
    ('value = 1\nrule = "6.24"', 'worth = 1\nrule = "6.24"', "switches.armor_modifier.value: field required", "true, false"),
])
def test_a_broken_entry_of_a_scenario(spoil: Break, copy: Path, old: str, new: str, message: str, mend: str) -> None:
    line = spoil("primosole_bridge.toml", old, new)
    found = [p for p in catalog.check(copy) if message in p.message]
    assert found, catalog.check(copy)
    assert found[0].file == "fab_sicily/primosole_bridge.toml" and mend in found[0].mend
    if "field required" not in message and "\n" not in old:
        assert found[0].line == line


def test_everything_in_one_run_and_nothing_twice(copy: Path, spoil: Break) -> None:
    """A bad row is named once: that others refer to it is not a second fault."""
    wanted = {
        ("map/areas.csv", spoil("map/areas.csv", "12,Sortino,,B,no,", "12,Sortino,,B,inland,")),
        ("map/borders.csv", spoil("map/borders.csv", "14,26,title", "14,66,title")),
        ("map/boxes.csv", spoil("map/boxes.csv", "B4,landing", "B4,beach")),
        ("forces/blocks.csv", spoil("forces/blocks.csv", "SCH,Kampfgruppe Schmalz,axis", "SCH,Kampfgruppe Schmalz,german")),
        ("forces/garrisons.csv", spoil("forces/garrisons.csv", "S-rec1c,G,", "S-rec1c,R,")),
        ("forces/chits.csv", spoil("forces/chits.csv", "24ART,24th Artillery,allied", "24ART,24th Artillery,british")),
        ("forces/primosole_bridge.csv", spoil("forces/primosole_bridge.csv", "50-2,1,Inv", "50-2,soon,Inv")),
        ("forces/full.csv", spoil("forces/full.csv", "50-2,1,Inv", "50-2,late,Inv")),
        ("tables/draws.csv", spoil("tables/draws.csv", "3,axis,10,5", "3,axis,10")),
        ("tables/modifiers.csv", spoil("tables/modifiers.csv", "works,-1,", "works,minus one,")),
        ("tables/primosole_points.csv", spoil("tables/primosole_points.csv", "\n12,1,", "\n12,one,") + 1),
        ("full.toml", spoil("full.toml", "turns = 4", "turns = 0")),
    }
    assert {(p.file.removeprefix("fab_sicily/"), p.line) for p in catalog.check(copy)} == wanted
    assert len(catalog.check(copy)) == len(wanted) and all(p.mend for p in catalog.check(copy))


def test_a_row_that_is_there_twice(copy: Path) -> None:
    path = copy / "map/borders.csv"
    text = path.read_text(encoding="utf-8")
    number, row = line_of(copy, "map/borders.csv", "14,26,")
    path.write_text(text + row + "\n", encoding="utf-8")
    problem = only(catalog.check(copy))
    assert problem.line == text.count("\n") + 1
    assert problem.message == "border 14-26 is there twice" and f"line {number}" in problem.mend


def test_a_piece_that_is_there_twice(copy: Path) -> None:
    with (copy / "forces/primosole_bridge.csv").open("a", encoding="utf-8") as file:
        file.write("SCH,0,26,again,historical\n")
    assert only(catalog.check(copy)).message == "piece SCH is there twice"


def test_three_units_in_one_area(spoil: Break, copy: Path) -> None:
    spoil("forces/primosole_bridge.csv", "HG-1,2,17 16,", "HG-1,0,26,")
    line = spoil("forces/primosole_bridge.csv", "HG-2,3,16 25,", "HG-2,0,26,")
    problem = only(catalog.check(copy))
    assert (problem.line, problem.message) == (line, "more than 2 units start in 26")


def test_a_column_that_is_missing(copy: Path, spoil: Break) -> None:
    spoil("map/symbols.csv", "area,symbol,source,status", "area,sign,source,status")
    problem = only(catalog.check(copy))
    assert (problem.file, problem.line) == ("fab_sicily/map/symbols.csv", 1)
    assert "column symbol is missing" in problem.message and "area,symbol,source,status" in problem.mend


def test_a_field_too_many_and_one_too_few(copy: Path, spoil: Break) -> None:
    many = spoil("map/symbols.csv", "26,airfield,example 10C,printed", "26,airfield,example 10C, letter E,printed")
    few = spoil("map/symbols.csv", "65,airfield,example 10C,printed", "65,airfield,example 10C")
    found = catalog.check(copy)
    assert [p.line for p in found] == [many, few]
    assert "quotes" in found[0].mend and "status" in found[1].mend


def test_a_file_that_is_missing(copy: Path) -> None:
    (copy / "tables/draws.csv").unlink()
    assert any(p.file == "fab_sicily/tables/draws.csv" and "cannot be read" in p.message for p in catalog.check(copy))


def test_a_file_that_nothing_reads(copy: Path) -> None:
    (copy / "tables/old_draws.csv").write_text("turn\n", encoding="utf-8")
    assert "no scenario reads this file" in only(catalog.check(copy)).message


def test_a_file_that_is_not_utf8(copy: Path) -> None:
    path = copy / "map/areas.csv"
    number, _ = line_of(copy, "map/areas.csv", "40,")
    path.write_bytes(path.read_bytes().replace("Canicattì".encode(), b"Canicatt\xec"))
    problem = catalog.check(copy)[0]
    assert (problem.file, problem.line) == ("fab_sicily/map/areas.csv", number) and "UTF-8" in problem.mend


def test_a_shape_that_is_missing(copy: Path, spoil: Break) -> None:
    spoil("map/areas.geojson", '"properties":{"area":12}', '"properties":{"area":13}')
    assert [p.message for p in catalog.check(copy)] == ["area 12 has 0 shapes", "area 13 has 2 shapes"]


def test_a_folder_without_scenarios(tmp_path: Path) -> None:
    assert "no scenario here" in only(catalog.check(tmp_path)).message


def test_a_problem_reads_like_a_compiler_message() -> None:
    assert str(Problem("fab_sicily/map/areas.csv", 7, "tdn = '9': too high", "0 to 3")) == (
        "fab_sicily/map/areas.csv:7: tdn = '9': too high (0 to 3)"
    )
