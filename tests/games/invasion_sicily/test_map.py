"""Every hex number and place that the text names stands where the text says; what the map must hold at all."""

from __future__ import annotations

import pytest

from pbem.games.invasion_sicily.position.data import Hex
from tests.games.invasion_sicily.play import data



def hexes(landmass: str = "") -> list[Hex]:
    return [h for h in data("toe").hexes.values() if h.land and landmass in ("", h.landmass)]


@pytest.mark.rule("invasion_sicily", "5.5.3")
def test_palermo_is_2407_with_a_capacity_of_8() -> None:
    palermo = data("toe").hexes["2407"]
    assert (palermo.port, palermo.capacity, palermo.landmass) == ("Palermo", 8, "sicily")


@pytest.mark.rule("invasion_sicily", "11.4.1")
def test_the_axis_zone_runs_along_the_north_coast_from_2505_to_messina() -> None:
    found = data("toe")
    zone = [h.id for h in hexes("sicily") if h.zone == "axis"]
    assert {"2505", "4324", "4225"} <= set(zone)
    assert all(found.hexes[h].coastal for h in zone)
    assert found.hexes["4225"].port == "Messina"
    reached, queue = {"2505"}, ["2505"]
    while queue:
        for there in found.map.near(queue.pop()):
            if there in zone and there not in reached:
                reached.add(there)
                queue.append(there)
    assert reached == set(zone), "one unbroken chain"
    assert len(zone) < len(hexes("sicily")) // 5, "nearly all of Sicily is in the Allied zone"
    assert all(h.zone == "axis" for h in hexes("calabria"))


@pytest.mark.rule("invasion_sicily", "12.3.5")
def test_the_strait_parts_messina_from_reggio() -> None:
    found = data("toe")
    assert found.hexes["4226"].port == "Reggio Calabria"
    assert "4226" in found.map.near("4225") and not found.map.by_land("4225", "4226")


@pytest.mark.rule("invasion_sicily", "7.3")
@pytest.mark.rule("invasion_sicily", "7.3.1")
def test_some_hex_holds_clear_and_hill() -> None:
    assert any((h.terrain, h.also) == ("hill", "clear") for h in hexes())


@pytest.mark.rule("invasion_sicily", "13.2.3")
def test_no_coast_is_alpine() -> None:
    assert not [h.id for h in hexes() if h.coastal and h.terrain == "alpine"]


@pytest.mark.rule("invasion_sicily", "13.2")
def test_each_invasion_hex_is_sea_next_to_its_one_coastal_hex() -> None:
    found = data("toe")
    for beach in found.beaches.values():
        assert not found.hexes[beach.hex].land and found.hexes[beach.target].coastal
        assert beach.target in found.map.near(beach.hex)


@pytest.mark.rule("invasion_sicily", "13.1")
def test_there_are_five_operations_and_a_dummy() -> None:
    found = data("toe")
    assert len({b.operation for b in found.beaches.values()}) == 5
    assert [c for c, nations in found.operations.items() if nations == "none"] == ["None"]


@pytest.mark.rule("invasion_sicily", "5.3.3")
def test_calabria_has_a_north_edge_and_husky_has_no_calabria() -> None:
    assert [h.id for h in hexes("calabria") if h.edge]
    assert not [h for h in data("husky").hexes.values() if h.landmass == "calabria"]


@pytest.mark.rule("invasion_sicily", "11.4.2")
def test_there_are_more_airfields_than_the_allies_need() -> None:
    assert sum(bool(h.airfield) for h in hexes()) > 8


@pytest.mark.rule("invasion_sicily", "7.3.4")
def test_roads_cross_rivers_and_enter_mountains() -> None:
    sides = data("husky").map.sides
    assert any(s.get("river") and s.get("road") for s in sides.values())
    high = {h.id for h in hexes("sicily") if h.terrain in ("mountain", "alpine")}
    assert any(s.get("road") and set(k.split("-")) & high for k, s in sides.items())


@pytest.mark.rule("invasion_sicily", "5.3.5")
def test_every_port_lies_on_a_road() -> None:
    found = data("toe")
    assert not [h.id for h in hexes() if h.port and not found.map.on(h.id, "road")]


@pytest.mark.rule("invasion_sicily", "14.1.4")
def test_coast_defence_positions_are_coastal() -> None:
    assert not [h.id for h in hexes() if h.coast_defence and not h.coastal]


@pytest.mark.rule("invasion_sicily", "2.3.1")
def test_the_table_has_a_row_for_every_modified_roll() -> None:
    crt = data().crt
    assert [int(r) for r in crt.rows] == list(range(-2, 14))
    assert crt.columns == ("1:3", "1:2", "1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1")


def test_better_odds_and_lower_rolls_are_never_worse() -> None:
    """What the defender loses less what the attacker loses does not fall with the odds,
    nor rise with the roll, by more than a step."""
    from pbem.games.invasion_sicily.rules.losses import read

    crt = data().crt

    def worth(row: int, column: int) -> int:
        found = read(crt.cells[row][column])
        return 2 * (found.defender - found.attacker) + found.defender_retreat - found.attacker_retreat

    for row in range(len(crt.rows)):
        for column in range(len(crt.columns) - 1):
            assert worth(row, column) <= worth(row, column + 1) + 1
    for column in range(len(crt.columns)):
        for row in range(len(crt.rows) - 1):
            assert worth(row, column) + 1 >= worth(row + 1, column)
