"""What a side may see, and what becomes of an event it may not see in full."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

import pytest

from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.position import view
from tests.games.fab_sicily.play import board

HIDDEN = {"known", "side", "status", "supplied", "reserve", "exploit", "garrison"}


def area(seen: dict[str, Any], number: str) -> dict[str, Any]:
    return next(a for a in seen["areas"] if a["id"] == number)


def test_an_enemy_block_is_a_count_and_its_markers() -> None:
    state = board("at 16 HG-1/3 disordered reserve", "primosole_bridge")
    [block] = area(view.view(state, "allied"), "16")["blocks"]["axis"]
    assert set(block) == HIDDEN
    assert (block["known"], block["status"], block["reserve"]) == (False, "disordered", True)


def test_the_owner_sees_all_of_it() -> None:
    state = board("at 16 HG-1/3", "primosole_bridge")
    [block] = area(view.view(state, "axis"), "16")["blocks"]["axis"]
    assert (block["id"], block["steps"]) == ("HG-1", 3)


@pytest.mark.rule("fab_sicily", "6.24")
def test_a_face_up_block_is_known_to_both() -> None:
    state = board("at 16 HG-1/3 shown", "primosole_bridge")
    [block] = area(view.view(state, "allied"), "16")["blocks"]["axis"]
    assert (block["id"], block["steps"]) == ("HG-1", 3)


@pytest.mark.parametrize(
    "text", ["at 16 HG-1/1 SCH disordered", "at 16 NAP-2/2 disordered HG-2/2", "at 16 SCH disordered HG-1/1"]
)
def test_the_order_of_unknown_blocks_tells_nothing(text: str) -> None:
    first = view.view(board("at 16 HG-1 SCH disordered", "primosole_bridge"), "allied")
    assert view.view(board(text, "primosole_bridge"), "allied")["areas"] == first["areas"]


@pytest.mark.rule("fab_sicily", "15.3")
def test_nobody_knows_a_face_down_garrison_not_even_its_owner() -> None:
    state = board("garrison 13 S-1", "primosole_bridge")
    [own] = area(view.view(state, "axis"), "13")["blocks"]["axis"]
    assert (own["id"], own["steps"], own["garrison"]) == ("S-1", None, True)
    [enemy] = area(view.view(state, "allied"), "13")["blocks"]["axis"]
    assert set(enemy) == HIDDEN and enemy["garrison"]


@pytest.mark.rule("fab_sicily", "8.32")
def test_what_the_staff_found_out_only_its_side_knows() -> None:
    state = board("garrison 13 S-1", "primosole_bridge")
    block = state.blocks["S-1"]
    block.card, block.steps, state.seen = "S-rec2a", 2, {"S-1": "allied"}
    [enemy] = area(view.view(state, "allied"), "13")["blocks"]["axis"]
    [own] = area(view.view(state, "axis"), "13")["blocks"]["axis"]
    assert (enemy["id"], enemy["steps"]) == ("S-1", 2)
    assert own["steps"] is None
    assert view.visibility(state, e.Identified("S-1", "S-rec2a", 2)) == {"open": False, "side": "allied", "where": "13"}


@pytest.mark.rule("fab_sicily", "10.0")
def test_boxes_and_cups_are_public_what_is_to_come_is_not() -> None:
    state = board("available 24ART\ncup 12ART", "primosole_bridge")
    seen = view.view(state, "axis")
    assert [c["id"] for c in seen["chits"]["allied"]["available"]] == ["24ART"]
    assert "to_come" in seen["chits"]["axis"] and "to_come" not in seen["chits"]["allied"]
    assert all(b["side"] == "axis" for b in seen["to_come"])


def test_without_a_side_only_what_lies_open_is_seen() -> None:
    state = board("at 16 HG-1\nat 4 50-1", "primosole_bridge")
    for side in ("", "referee", "nobody"):
        seen = view.view(state, side)
        assert seen["side"] == "" and seen["to_come"] == []
        assert not any(b["known"] for a in seen["areas"] for blocks in a["blocks"].values() for b in blocks)


def test_a_view_is_json() -> None:
    seen = view.view(board("at 16 HG-1\nmap AIR-2 16 interdiction\nbeachhead B3", "primosole_bridge"), "axis")
    assert json.loads(json.dumps(seen)) == seen


# -- events ---------------------------------------------------------------------------------------------

OPEN_BY_RULE = {"Shown", "Seen", "Eliminated", "MoraleChecked", "PointUnits", "Identified"}
VALUES = {
    "str": "13", "int": 1, "bool": True, "tuple[str, ...]": ("11", "13"), "tuple[tuple[str, int], ...]": (("works", -1),),
    "tuple[int, ...]": (3,), "tuple[tuple[str, str, int], ...]": (),
}  # fmt: skip


def example(kind: type[Any], block: str) -> Any:
    """An event of a type about a block."""
    named = {"block": block, "firer": block, "who": block, "defender": block, "border": "12-15", "box": "B3", "side": "axis"}
    return kind(**{f.name: named.get(f.name, VALUES[str(f.type)]) for f in fields(kind)})


@pytest.mark.parametrize("name", sorted(e.TYPES))
def test_an_event_about_a_hidden_block_does_not_name_it(name: str) -> None:
    state = board("at 13 HG-1/3", "primosole_bridge")
    event = example(e.TYPES[name], "HG-1")
    payload = {"event": e.to_data(event), **view.visibility(state, event)}
    told = view.event_view(payload, "allied")
    if name in OPEN_BY_RULE:
        assert told is not None and told["hidden"] is False
    else:
        assert "HG-1" not in json.dumps(told)
    own = view.event_view(payload, "axis")
    assert own is not None and own["type"] == name


@pytest.mark.parametrize("name", sorted(e.TYPES))
def test_an_event_about_a_known_block_is_open(name: str) -> None:
    state = board("at 13 HG-1/3 shown", "primosole_bridge")
    event = example(e.TYPES[name], "HG-1")
    assert view.visibility(state, event)["open"]


@pytest.mark.rule("fab_sicily", "8.32")
@pytest.mark.parametrize("name", ["Seen", *sorted(set(e.TYPES) - OPEN_BY_RULE)])
def test_what_the_staff_has_seen_is_between_the_two_sides(name: str) -> None:
    """Who looks on learns no more than of any other face-away block."""
    state = board("at 13 HG-1/3", "primosole_bridge")
    state.seen["HG-1"] = "allied"
    event = example(e.TYPES[name], "HG-1")
    payload = {"event": e.to_data(event), **view.visibility(state, event)}
    for side in ("allied", "axis"):
        told = view.event_view(payload, side)
        assert told is not None and told["hidden"] is False
    assert "HG-1" not in json.dumps(view.event_view(payload, ""))
    if name == "Seen":
        older = {k: v for k, v in payload.items() if k != "public"}
        assert view.event_view(older, "") is None and view.event_view(older, "allied") is not None


@pytest.mark.parametrize("name", sorted(OPEN_BY_RULE - {"Seen"}))
def test_what_lies_open_is_told_to_everybody(name: str) -> None:
    state = board("at 13 HG-1/3", "primosole_bridge")
    event = example(e.TYPES[name], "HG-1")
    payload = {"event": e.to_data(event), **view.visibility(state, event)}
    told = view.event_view(payload, "")
    assert told is not None and told["hidden"] is False and "public" not in payload


def test_a_hidden_move_shows_the_way_and_no_more() -> None:
    state = board("at 16 HG-1/3", "primosole_bridge")
    event = e.Moved("HG-1", ("16", "15", "14"), "operational", 4, "15.1")
    told = view.event_view({"event": e.to_data(event), **view.visibility(state, event)}, "allied")
    assert told == {
        "type": "Moved", "path": ["16", "15", "14"], "mode": "operational", "where": "14", "owner": "axis", "hidden": True,
    }  # fmt: skip
