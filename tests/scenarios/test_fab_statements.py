"""Every statement of the rulebook about the map and the pieces of FAB: Sicily holds in the files."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from pbem.games.fab_sicily.position.data import Data, border_id, build
from pbem.scenarios import catalog

rule = pytest.mark.rule


@cache
def whole() -> Data:
    """The whole map."""
    return build(catalog.load("fab_sicily", "full"), {})


@cache
def small() -> Data:
    """22.1 The Primosole Bridge."""
    return build(catalog.load("fab_sicily", "primosole_bridge"), {})


def pairs(text: str) -> list[tuple[str, str]]:
    """'1-2 1-3' as pairs."""
    return [(a, b) for a, b in (word.split("-") for word in text.split())]


ADJACENT = pairs("""
    1-2 1-3 1-4 2-3 2-7 3-4 4-5 4-6 5-6 6-7 6-11 6-13 7-8 7-10 9-10 10-11 11-15 12-13 12-15 13-14 14-15 17-18 18-19
    18-22 20-21 24-35 25-26 25-27 25-33 26-27 27-28 27-30 27-32 27-33 28-30 30-32 31-32 31-34 32-33 33-34 34-36 37-38
    38-46 40-42 40-43 40-45 42-52 43-44 43-51 44-45 44-46 44-48 44-50 45-46 46-48 48-49 48-50 49-56 50-51 50-54 51-52
    51-53 53-60 54-55 54-59 55-56 55-57 56-57 57-58 58-59 59-60 64-65
""")
APART = pairs("1-6 2-6 3-5 3-13 1-5 1-13 2-4 2-5 5-12 4-12 5-14 4-14 4-7 1-7 5-7")
ROAD = pairs("""
    18-19 24-35 25-33 26-27 27-28 27-33 28-30 30-32 32-33 37-38 37-46 40-42 40-45 42-52 44-46 45-46 46-48 48-49 48-50
    49-56 50-51 50-54 51-52 51-53 53-60 54-55 55-56 56-57 57-58 58-59 59-60
""")
FIELD = pairs("11-15 12-15 18-22 25-26 27-30 38-46 40-43 43-51 44-45 44-50 52-53 54-59 55-57")
RIVER = {"12-15": "Anapo", "14-15": "Anapo", "14-26": "Simeto", "20-21": "Salso", "43-44": "", "44-45": "", "44-48": ""}


def test_there_are_72_statements_of_areas_that_touch_and_15_of_areas_that_do_not() -> None:
    assert (len(set(ADJACENT)), len(set(APART))) == (72, 15)


@pytest.mark.parametrize(("a", "b"), ADJACENT)
def test_areas_touch(a: str, b: str) -> None:
    assert border_id(a, b) in whole().borders


@pytest.mark.parametrize(("a", "b"), APART)
def test_areas_do_not_touch(a: str, b: str) -> None:
    assert border_id(a, b) not in whole().borders


@rule("fab_sicily", "5.31")
@pytest.mark.parametrize(("a", "b"), ROAD)
def test_a_road_leads_across(a: str, b: str) -> None:
    assert whole().border(a, b).road


@rule("fab_sicily", "5.31")
@pytest.mark.parametrize(("a", "b"), FIELD)
def test_no_road_leads_across(a: str, b: str) -> None:
    assert not whole().border(a, b).road


@rule("fab_sicily", "5.31")
@pytest.mark.parametrize("border", RIVER)
def test_a_river_flows_between(border: str) -> None:
    found = whole().borders[border].river
    assert found and RIVER[border] in ("", found)


def test_no_river_between_vizzini_and_val_di_catania() -> None:
    """Example 8D."""
    assert whole().border("11", "15").river == ""


def test_the_simeto_shields_catania() -> None:
    """Example 8A."""
    data = whole()
    assert {b.id for b in data.borders.values() if b.river == "Simeto" and "26" in (b.a, b.b)} >= {"14-26", "15-26", "16-26"}


@rule("fab_sicily", "14.1")
def test_the_restricted_boundaries() -> None:
    restricted = {b.id for b in whole().borders.values() if b.restricted}
    etna = {b.id for b in whole().borders.values() if "27" in (b.a, b.b)}
    assert restricted == etna | {"31-32", "33-34"}
    assert etna == {"25-27", "26-27", "27-28", "27-30", "27-32", "27-33"}


# -- places ------------------------------------------------------------------------------------------


def test_65_areas_and_their_names() -> None:
    names = {a.id: a.name for a in whole().areas.values()}
    assert list(names) == [str(n) for n in range(1, 66)]
    assert names["2"] == "Modica"  # errata: not 3
    assert (names["11"], names["12"]) == ("Vizzini", "Sortino")  # example 8D mixes them up
    assert (names["26"], names["29"]) == ("Catania", "Messina")  # 17.21 mixes them up
    assert (names["49"], names["57"]) == ("Termini Imerese", "Palermo")  # example 9D mixes them up
    assert len(set(names.values())) == 65


@rule("fab_sicily", "14.21")
def test_landing_boxes() -> None:
    landing = whole().landing
    assert set(landing) == {f"{zone}{n}" for zone, last in (("A", 4), ("B", 6), ("D", 13)) for n in range(1, last + 1)}
    assert (landing["B3"], landing["D1"], landing["D2"], landing["A1"]) == ("4", "56", "57", "20")
    assert len(set(landing.values())) == 23
    assert all(whole().areas[a].coastal for a in landing.values())
    assert "65" in whole().adjacent[landing["D5"]]  # example 1C
    assert whole().areas["4"].landing_name == "Acid South"  # example 16D
    assert [landing[f"B{n}"] for n in range(1, 7)] == ["2", "1", "4", "5", "13", "14"]


@rule("fab_sicily", "14.23")
def test_port_boxes() -> None:
    assert whole().ports == {"P1": "5", "P2": "26", "P3": "57", "P4": "29"}


def test_coast_without_invasion_boxes() -> None:
    """22.37 and examples 15 and 1B."""
    for area in ("26", "28", "29", "30", "48", "49", "34", "47"):
        assert whole().areas[area].coastal and not whole().areas[area].landing


def test_airfields_and_stars() -> None:
    """Example 10."""
    areas = whole().areas.values()
    assert {a.id for a in areas if a.airfield} == {"18", "26", "65"}
    assert {a.id for a in areas if a.star == "yellow star"} == {"15", "18", "26", "45", "49"}


@rule("fab_sicily", "2.4")
@pytest.mark.parametrize(("area", "tdn"), [("6", 2), ("34", 2), ("19", 0), ("20", 0)])
def test_terrain_difficulty(area: str, tdn: int) -> None:
    assert whole().areas[area].tdn == tdn


@rule("fab_sicily", "14.31")
@pytest.mark.parametrize(("zone", "areas"), [
    ("A", "7 10 11 16 17 25 24 38 39"), ("B", "1 2 3 4 5 6 12 13 14 15 26 27"), ("C", "33 35 37"), ("D", "45 46 57"),
])
def test_zones(zone: str, areas: str) -> None:
    assert all(whole().areas[a].zones == (zone,) for a in areas.split())


@rule("fab_sicily", "14.41")
def test_messina_lies_in_two_zones() -> None:
    assert set(whole().areas["29"].zones) == {"B", "C"}


# -- what moves cost ---------------------------------------------------------------------------------


def cost(a: str, b: str, occupied: str = "", slowed: str = "") -> int:
    """5.32 One step: 1 by road, 2 by field, 1 more into an occupied area and into or out of an interdicted one."""
    more = (b in occupied.split()) + (a in slowed.split()) + (b in slowed.split())
    return (1 if whole().border(a, b).road else 2) + more


def path(text: str, **extra: str) -> int:
    """The cost of '59 60 53'."""
    areas = text.split()
    return sum(cost(a, b, **extra) for a, b in zip(areas, areas[1:], strict=False))


def reach(start: str, points: int, **extra: str) -> dict[str, int]:
    """Areas within reach and the cheapest cost, over unrestricted borders."""
    best = {start: 0}
    todo = [start]
    while todo:
        at = todo.pop(0)
        for to in whole().adjacent[at]:
            total = best[at] + cost(at, to, **extra)
            if not whole().border(at, to).restricted and total <= min(points, best.get(to, 99) - 1):
                best[to] = total
                todo.append(to)
    return best


def test_example_3_interdiction_at_bolognetta() -> None:
    palermo, alcamo = reach("57", 3, slowed="56"), reach("58", 3, slowed="56")
    assert palermo["56"] == 2 and palermo["54"] == path("57 55 54") == 3
    assert not {"48", "49", "50"} & set(palermo)
    assert alcamo["56"] == alcamo["54"] == 3
    assert not {"48", "49", "50"} & set(alcamo)


def test_example_3_from_salemi() -> None:
    salemi = reach("59", 6)
    assert salemi["40"] == path("59 60 53 51 52 42 40") == 6
    assert salemi["41"] == path("59 60 53 51 52 42 41") == 6
    assert salemi["45"] == path("59 54 50 48 46 45") == 6


def test_example_6_basic_movement() -> None:
    assert path("50 51 43 40") == 5 and cost("40", "45", occupied="45") == 2
    assert path("50 44 46", occupied="44") == 4 and path("50 44 46 45", occupied="44 45") == 6
    assert path("50 48 46") == 2
    assert reach("50", 6, occupied="44 45")["45"] == path("50 48 46 45", occupied="45") == 4
    assert cost("50", "44", occupied="44") == 3
    assert reach("46", 6)["38"] == 2 and path("46 37 38") == 2


def test_example_7_around_etna() -> None:
    assert cost("26", "27", occupied="27") + 1 == 3 and cost("27", "33") == 1
    assert cost("25", "26", occupied="26") == 3
    assert path("25 33 32 30", occupied="32 30") == 5
    assert path("30 28 27", occupied="28 27") == 4
    assert cost("28", "27", occupied="27") == 2 and path("27 26", occupied="26") == 2
    assert path("28 27 33 25", occupied="27 25") == 5


def test_example_8_the_crossing() -> None:
    assert cost("12", "15", occupied="15") == 3 and cost("11", "15", occupied="15") == 3
    assert "12" not in whole().adjacent["26"]


def test_example_9_landing() -> None:
    assert cost("55", "56", occupied="56") == 2
    assert cost("50", "48") == 1
    assert [cost("57", "55"), cost("55", "54"), cost("54", "50")] == [2, 1, 1]
    assert set(whole().adjacent["56"]) - {"55", "57"} == {"49"}  # the only escape


def test_example_11_strategic_movement() -> None:
    assert path("59 58 57 56 49 48 46") == 6
    assert path("59 54 50 44") == 5 and cost("44", "45") == 2
    assert path("59 60 53 51 52 42 40") == 6
    # The example says that nothing reaches 45; the road of example 3C does, with its last point.  All costs of both hold.
    assert "45" not in reach("59", 5) and reach("59", 6)["40"] == 6


def test_example_17_breakthrough() -> None:
    assert path("19 18 22") == 3 and cost("19", "18") == 1
    assert cost("11", "10", occupied="10") <= 3
    assert {"7-10", "17-18", "9-10"} <= set(whole().borders)


# -- other examples ----------------------------------------------------------------------------------


@rule("fab_sicily", "14.27")
def test_example_13_where_airborne_units_may_drop() -> None:
    british, full = {"13", "5", "4", "2", "1"}, {"13", "5", "4", "2"}
    near = {a: british & set(whole().adjacent[a]) for a in whole().areas}
    sites = {a for a in near if len(near[a]) >= 2 and a not in full}
    assert sites == {"6", "3", "1"}
    assert near["6"] == {"13", "5", "4"} and near["3"] == {"4", "1", "2"} and near["1"] == {"4", "2"}
    assert len(near["12"]) == len(near["14"]) == len(near["7"]) == 1


def test_example_15_the_flank_invasion_is_within_two_areas() -> None:
    data = whole()
    assert set(data.adjacent["47"]) & set(data.adjacent["34"])


@pytest.mark.parametrize("way", ["6 11", "20 21", "19 18", "34 31", "6 5", "6 4", "6 7 8", "6 5 4", "4 1 2"])
def test_retreats_of_the_examples(way: str) -> None:
    assert path(way) > 0


def test_example_18_only_two_ways_lead_on_from_mussomeli_over_rivers() -> None:
    data = whole()
    assert all(data.border("44", other).river for other in ("43", "45", "48"))
    assert not data.border("44", "50").river


# -- the scenario ------------------------------------------------------------------------------------


@rule("fab_sicily", "22.13")
def test_the_small_map() -> None:
    named = [str(n) for n in (*range(1, 8), *range(10, 18), 25, 26)]
    assert list(small().areas) == named
    assert small().turns == 4


@rule("fab_sicily", "22.14")
def test_garrisons_and_beachheads() -> None:
    data = small()
    assert data.garrison_areas == ("1", "2", "3", "4", "5", "6", "7", "13", "14", "26")
    assert len([b for b in data.blocks.values() if b.garrison]) == len(data.cards) == 10
    assert data.beachheads == ("B1", "B2", "B3", "B4", "B5")


@rule("fab_sicily", "22.16")
def test_sources_and_zones() -> None:
    data = small()
    assert data.axis_sources == ("16", "17", "25", "26")
    assert data.zones["8"] == ("B",) and data.release_zones["8"] == ("A",)
    assert {a.id for a in data.areas.values() if a.zones == ("A",)} == {"7", "10", "11", "17", "16", "25"}


@rule("fab_sicily", "22.17")
def test_victory_points() -> None:
    points = {a.id: a.vp for a in small().areas.values() if a.vp}
    assert points == {**{str(n): 1 for n in (6, 7, *range(10, 16), 17)}, "5": 2, "16": 2, "25": 3, "26": 4}


@rule("fab_sicily", "4.2")
def test_draws_of_example_2() -> None:
    """Turn 3 is printed, and 11/5 for the Allies on turn 7 (16.5); their draw never changes.  That of the Axis falls: by one
    each turn up to turn 4, then by one every other turn, in the Allied half alone (reconstructed)."""
    draws = small().draws
    assert draws["allied"] == {str(t): (11, 5) for t in range(1, 10)}
    assert draws["axis"] == {str(t): (n, 5) for t, n in enumerate((12, 11, 10, 9, 9, 8, 8, 7, 7), 1)}


@rule("fab_sicily", "16.21")
def test_four_naval_support_assets_at_the_start() -> None:
    assert [c.box for c in small().chits.values() if c.kind == "naval"] == ["available"] * 4


@pytest.mark.parametrize("side", ["allied", "axis"])
def test_the_cup_holds_more_than_is_drawn(side: str) -> None:
    """Else the draw of a turn would leave nothing to chance."""
    data = small()
    for turn in range(1, data.turns + 1):
        ours = [c for c in data.chits.values() if c.side == side and c.box == "cup"]
        cup = [c for c in ours if c.turn == turn or (c.turn < turn and not c.event)]
        assert len(cup) > sum(data.draws[side][str(turn)])


def test_no_more_units_than_beachheads_hold_on_turn_1() -> None:
    data = small()
    landing = [b for b in data.blocks.values() if b.turn == 1 and b.at == "Inv"]
    assert len(data.beachheads) <= len(landing) <= 2 * len(data.beachheads)


# -- pieces ------------------------------------------------------------------------------------------


@rule("fab_sicily", "13.2")
def test_the_count_of_blocks() -> None:
    blocks = [b for b in whole().blocks.values() if not b.garrison]
    count = {n: len([b for b in blocks if b.nation == n]) for n in ("it", "de", "us", "uk")}
    assert count == {"it": 37 - 29, "de": 7, "us": 12, "uk": 15}
    assert len([b for b in blocks if b.cls == "armor"]) == 11


@rule("fab_sicily", "15.3")
def test_the_29_garrisons() -> None:
    from pbem.scenarios.catalog import root

    rows = (root() / "fab_sicily/forces/garrisons.csv").read_text(encoding="utf-8").splitlines()[1:]
    kinds = [row.split(",")[1] for row in rows]
    assert (kinds.count("VV"), kinds.count("GG"), kinds.count("G"), len(kinds)) == (1, 4, 24, 29)


@pytest.mark.parametrize(("block", "steps"), [("NAP-1", 3), ("50-1", 4), ("50-2", 4), ("1-1", 4), ("3-1", 4), ("3-2", 4)])
def test_strengths_of_the_examples(block: str, steps: int) -> None:
    quality = whole().blocks[block].quality
    assert len(quality) == steps and quality[2] == 1


@pytest.mark.parametrize(("chit", "fields"), [
    ("24ART", {"kind": "artillery", "army": "8"}), ("98ART", {"kind": "artillery", "army": "8"}),
    ("12ART", {"kind": "artillery", "nation": "it"}), ("50BA", {"kind": "battle", "division": "50"}),
    ("177BER", {"kind": "battle", "quality": 0}), ("3CDO", {"kind": "battle", "flank": True, "clears": True}),
    ("1RGR", {"kind": "battle", "quality": 2, "clears": True}), ("RCT30-1", {"kind": "battle", "quality": 1, "flank": True}),
])
def test_assets_of_the_examples(chit: str, fields: dict[str, Any]) -> None:
    found = whole().chits[chit]
    assert {k: getattr(found, k) for k in fields} == fields


def test_livorno_is_motorized_and_the_51st_elite() -> None:
    assert whole().blocks["LIV-1"].motorized
    assert whole().blocks["51-1"].quality[-1] == 2
