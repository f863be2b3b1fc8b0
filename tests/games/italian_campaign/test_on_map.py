"""What the map of a report shows: what the view says, and nothing else."""

from __future__ import annotations

import io

import pytest
from PIL import Image

from pbem.bootstrap import geometry
from pbem.games.italian_campaign import RULESET
from pbem.games.italian_campaign.telling.on_map import on_map
from pbem.reports.maps import paint
from tests.games.italian_campaign.play import new_game


def test_hqs_units_and_boxes_as_on_the_counters() -> None:
    session = new_game("map")
    session.run()
    seen = RULESET.view(session.state, "axis")
    shown = on_map(seen)
    found = {p["label"]: p for p in shown["pieces"]}
    hq, unit = found["15th Panzergrenadier Div"], found["104 of 15PzG"]
    assert (hq["symbol"], hq["size"], hq["numbers"], hq["nation"]) == ("hq", "XX", "7-8", "de")
    assert (unit["symbol"], unit["size"], unit["numbers"]) == ("mech", "III", "4-1")
    assert not {p["place"] for p in shown["pieces"]} & {"to-come", "dead", "exited"}
    assert shown["boxes"]["reserve"] == "Reserve" and shown["boxes"]["staging:Salerno"] == "At sea, Salerno"
    assert shown["flags"]["0221"] == "axis"


@pytest.mark.parametrize("around", [(), ("0521",)])
def test_the_map_can_be_drawn(around: tuple[str, ...]) -> None:
    session = new_game("map")
    session.run()
    ground = geometry("italian_campaign")
    assert ground is not None
    png = paint.map_png(RULESET.view(session.state, "allied"), ground, around=around)
    assert len(png) <= paint.LIMIT
    with Image.open(io.BytesIO(png)) as picture:
        assert picture.format == "PNG"


def test_every_terrain_of_the_map_has_its_colour() -> None:
    ground = geometry("italian_campaign")
    assert ground is not None
    assert {row["terrain"] for row in ground["hexes"]} <= set(ground["style"]["hexes"]["terrain"])
