"""The files of The Italian Campaign: sound, and true to every hex and place that the rulebook names."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from pbem.kit.hexmap import HexMap, build
from pbem.kit.search import reachable
from pbem.scenarios import catalog
from pbem.scenarios.italian_campaign import GRID, Book

FOLDER = catalog.root() / "italian_campaign"
BOOK = Book(FOLDER, "italian_campaign")
MAPS = {
    sheet: build(
        GRID, [r.model_dump() for r in BOOK.hexes[sheet].values()], [r.model_dump() for r in BOOK.sides[sheet].values()],
        named=("town", "port"),
    )
    for sheet in ("salerno", "sicily")
}
SALERNO, SICILY = MAPS["salerno"], MAPS["sicily"]


def test_the_files_are_sound() -> None:
    assert catalog.check(FOLDER) == []


def test_a_scenario_is_loaded_and_its_short_option_ends_earlier() -> None:
    whole, short = (catalog.load("italian_campaign", s) for s in ("salerno", "salerno_short"))
    assert (whole["last_box"], short["last_box"]) == (72, 22) and whole["units"] == short["units"]
    assert whole["dates"][22] == "1943-09-20 PM"


@pytest.mark.parametrize(
    ("sheet", "hex_", "place"),
    [
        ("salerno", "0221", "Formia"), ("salerno", "1020", "Caserta"), ("salerno", "2021", "Montecorvino"),
        ("salerno", "3825", "Castrovillari"), ("salerno", "1122", "Naples"), ("sicily", "4909", "Messina"),
        ("sicily", "3927", "Riesi"), ("sicily", "4023", "Enna"), ("sicily", "5008", "Scilla"), ("sicily", "5105", "Gioia Tauro"),
        ("sicily", "5009", "Villa San Giovanni"),
    ],
)
def test_places_stand_in_the_hexes_that_the_text_gives(sheet: str, hex_: str, place: str) -> None:
    assert MAPS[sheet].find(place) == (hex_,)


@pytest.mark.parametrize(
    "hex_",
    [
        "1729", "3419", "4413", "4511", "4512", "4908", "4909", "4910", "4912", "4913", "4914", "5003", "5008", "5009", "5105",
        "5106", "5109", "5110",
    ],
)
def test_beach_and_coast_hexes_of_the_sicily_sheet_are_coastal_land(hex_: str) -> None:
    assert SICILY.hexes[hex_].land and SICILY.hexes[hex_].get("coastal") == "yes"


@pytest.mark.parametrize("hex_", ["3925", "3927", "4420", "4424", "4617", "4618", "4717"])
def test_hexes_that_the_text_names_are_land(hex_: str) -> None:
    assert SICILY.hexes[hex_].land


def test_the_strait_of_messina_lies_between_its_shores() -> None:
    sides = {h: SICILY.hexes[h].get("landmass") for h in ("4908", "4909", "4910", "5003", "5008", "5009", "5105", "5109", "5110")}
    assert [sides[h] for h in ("4908", "4909", "4910")] == ["sicily"] * 3
    assert {sides[h] for h in ("5003", "5008", "5009", "5105", "5109", "5110")} == {"mainland"}
    assert not SICILY.by_land("4909", "5009")


PORTS = {
    "Naples": 10, "Taranto": 5, "Bari": 3, "Brindisi": 1, "Barletta": 1, "Termoli": 1, "Vasto": 1, "Formia": 1, "Gaeta": 1,
    "Mondragone": 1, "Sorrento": 1, "Salerno": 1, "Sapri": 1, "Pizzo": 1, "Crotone": 1,
}


@pytest.mark.rule("italian_campaign", "10.91")
@pytest.mark.parametrize(("port", "value"), PORTS.items())
def test_ports_are_coastal_have_their_value_and_a_road_to_naples(port: str, value: int) -> None:
    [here] = [h for h, g in SALERNO.hexes.items() if g.get("port") == port]
    assert SALERNO.hexes[here].get("coastal") == "yes" and SALERNO.hexes[here].get("port_value") == str(value)
    assert "1122" in reachable(here, by_road(SALERNO))


def by_road(board: HexMap):  # type: ignore[no-untyped-def]
    def near(here: str) -> list[str]:
        return [h for h in board.near(here) if board.across(here, h, "road") in ("main", "minor")]

    return near


@pytest.mark.rule("italian_campaign", "6.52")
@pytest.mark.parametrize("hq", ["0221", "1020", "2021", "3412", "3825", "4431"])
def test_each_german_headquarters_has_a_road_to_the_north_edge(hq: str) -> None:
    edge = [h for h, g in SALERNO.hexes.items() if g.get("edge") == "north"]
    near_by = by_road(SALERNO)
    starts = [hq, *(h for h in SALERNO.near(hq) if SALERNO.by_land(hq, h) and near_by(h))]
    assert any(h in reachable(start, near_by) for h in edge for start in starts), "the first hex need only be a road hex"


@pytest.mark.parametrize(
    ("start", "goals", "most"),
    [
        ("3825", "2124 2225 2125", 18), ("4431", "3825", 18), ("4639", "4637", 4), ("5239", "5227 5228 5327 5328", 14),
    ],
)
def test_marches_of_the_play_notes_are_as_long_as_they_say(start: str, goals: str, most: int) -> None:
    """29 PzG reaches the beaches and 26 Pz joins it in one road march each; the entry roads lead to Pizzo and Crotone."""
    found = reachable(start, by_road(SALERNO))
    assert min(found[g] for g in goals.split() if g in found) <= most


def test_landing_zones_are_sixteen_and_a_german_hex_lies_between_the_beaches() -> None:
    zones = {z.zone for z in BOOK.zones.values() if z.sheet == "salerno"}
    assert len(zones) == 16
    held = [h for z in BOOK.zones.values() if z.zone in ("Salerno", "Paestum") for h in z.hexes]
    near = {z: [h for b in BOOK.zones.values() if b.zone == z for h in b.hexes] for z in ("Salerno", "Paestum")}
    assert "2123" not in held and SALERNO.distance("2123", "2021") <= 3
    assert all(any(SALERNO.distance("2123", h) == 1 for h in hexes) for hexes in near.values())


def test_the_mainland_is_in_one_piece() -> None:
    def near(here: str) -> list[str]:
        return [h for h in SALERNO.near(here) if SALERNO.by_land(here, h)]

    land = [h for h, g in SALERNO.hexes.items() if g.land]
    assert len(reachable("1122", near)) == len(land)


RESULTS = {(r.row, r.column): r.value for r in BOOK.combat if r.kind == "result"}
LINES = {(r.row, r.column): Fraction(r.value) for r in BOOK.combat if r.kind == "line"}


@pytest.mark.rule("italian_campaign", "8.23")
def test_the_combat_table_has_its_printed_rows_and_reads_the_example() -> None:
    assert [RESULTS["0", c] for c in range(10, 0, -1)] == ["4*/", "3*/", "3*/", "3*/", "2/", "2/", "2/", "1/0", "1/1", "1/2"]
    assert [RESULTS["1", c] for c in range(10, 1, -1)] == ["3*/", "3*/", "3*/", "2/", "2/", "2/", "1/0", "1/1", "1/2"]
    column = next(c for c in range(1, 11) if LINES["0", c] == Fraction(3, 2))
    assert RESULTS["6", column] == "0/2"


@pytest.mark.rule("italian_campaign", "8.2")
def test_the_combat_factors_have_their_printed_rows() -> None:
    found = {(f.class_, f.rating): f.value for f in BOOK.factors}
    assert [found["A", r] for r in range(9, 1, -1)] == [20, 18, 16, 14, 12, 10, 8, 6]
    assert [found["B", r] for r in range(9, 1, -1)] == [16, 14, 12, 10, 8, 6, 4, 2]
    assert (found["C", 9], found["A", 1], found["B", 1]) == (12, 4, 2)


@pytest.mark.rule("italian_campaign", "6.14")
@pytest.mark.parametrize(("box", "reactions"), [(6, 2), (5, 2), (4, 1), (3, 1), (2, 0), (1, 0)])
def test_the_reaction_boxes_that_lie_ahead_of_each_start(box: int, reactions: int) -> None:
    at = next(i for i, t in enumerate(BOOK.track) if t.box == str(box))
    assert sum(1 for t in BOOK.track[at:] if t.kind == "R") == reactions


def test_no_evacuation_below_thirteen_and_one_within_reach_with_naples() -> None:
    out = {r.capacity for r in BOOK.supply if r.points == "E"}
    assert out and out.isdisjoint({"0-3", "4-6", "7-9", "10-12"}) and "21-24" in out
    assert all(r.side == "axis" for r in BOOK.supply if r.points == "E")


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("forces/units.csv", "36US-141,141 Bde/Rgt,allied,US,unit,36US", "36US-141,141 Bde/Rgt,allied,US,unit,37US",
         "36US-141: there is no formation 37US"),
        ("forces/salerno.csv", "16Pz,0,2021", "16Pz,0,2030", "2030 is no land hex in play"),
        ("map/zones.csv", "salerno,Gaeta,1,0222", "salerno,Gaeta,1,0822", "0822 is no coastal hex of the salerno sheet"),
        ("tables/combat.csv", "result,0,10,4*/", "result,0,9,4*/", "0, 10 is there not at all"),
        ("tables/limits.csv", "strong,4", "stronger,4", "strong is missing"),
        ("salerno.toml", "Taranto = 0", "Tarent = 0", "there is no zone Tarent"),
    ],
)
def test_a_broken_row_is_told_with_its_file(tmp_path: Path, file: str, old: str, new: str, said: str) -> None:
    folder = tmp_path / "italian_campaign"
    shutil.copytree(FOLDER, folder)
    path = folder / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    found = catalog.check(folder)
    assert any(said in p.message and p.file == f"italian_campaign/{file}" and p.mend for p in found), found


