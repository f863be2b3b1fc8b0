"""tables/modifiers.csv, from which players are told, says what the rules code does."""

from __future__ import annotations

import csv

from pbem.games.fab_sicily.rules import fire, morale
from pbem.games.fab_sicily.rules.battle import Battle
from pbem.scenarios.catalog import root
from tests.games.fab_sicily.play import board

POSITION = """
    at 6 51-1/4 4A/3 50-1/4 disordered unsupplied
    at 6 NAP-1/3
    works 6 axis
    garrison 13 S-1 is S-rec1a
    at 5 5-1/4 disordered unsupplied 1AB-1/2
"""


def table() -> dict[str, int]:
    """The file."""
    with (root() / "fab_sicily/tables/modifiers.csv").open(encoding="utf-8", newline="") as file:
        return {r["key"]: int(r["value"]) for r in csv.DictReader(file)}


def test_ground_fire() -> None:
    state, t = board(POSITION), table()
    units = {"allied": ["51-1", "4A", "50-1"], "axis": ["NAP-1"]}
    battle = Battle("6", "allied", "axis", False, True, "", "beach", units, {"allied": "51-1", "axis": "NAP-1"})
    battle.support["AIR-1"] = "50-1"
    tdn = state.data.areas["6"].tdn
    by = {p: dict(fire.ground_modifiers(state, battle, side, p)) for side, own in units.items() for p in own}
    assert by["51-1"]["elite against veteran"] == t["quality"] == -by["NAP-1"]["veteran against elite"]
    assert by["4A"]["armor against infantry"] == t["armor"] == state.data.switches["armor_modifier"]
    assert by["51-1"]["field works"] == t["works"]
    assert by["51-1"]["terrain"] == tdn * t["terrain"]
    assert next(v for k, v in by["51-1"].items() if "assault" in k) == t["assault-attacker"]
    assert next(v for k, v in by["NAP-1"].items() if "assault" in k) == t["assault-defender"]
    assert (by["50-1"]["disordered"], by["50-1"]["unsupplied"]) == (t["disordered"], t["unsupplied"])
    assert by["50-1"]["air support"] == t["air"]


def test_artillery_fire() -> None:
    state, t = board(POSITION), table()
    battle = Battle("6", "allied", "axis", False, True, "", "", {"allied": ["51-1"], "axis": ["NAP-1"]}, {"axis": "NAP-1"})
    assert fire.artillery_modifiers(state, battle, "allied") == [("field works", t["works"])]


def test_morale() -> None:
    state, t = board(POSITION), table()
    assert morale.modifiers(state, "S-1") == [("green", t["morale-green"])]
    assert morale.modifiers(state, "1AB-1") == [("elite", t["morale-elite"])]
    assert dict(morale.modifiers(state, "5-1")) == {
        "disordered": t["morale-disordered"], "unsupplied": t["morale-unsupplied"],
    }
