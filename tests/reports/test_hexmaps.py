"""Maps of hexes: both ways of lying, far and close, and nothing on them that the view does not say."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from pbem.bootstrap import geometry
from pbem.core.documents import OnMap, Piece, View
from pbem.games.invasion_sicily.position.view import view
from pbem.games.invasion_sicily.telling.on_map import on_map
from pbem.kit.grid import Grid, Sheet
from pbem.reports.maps import hex_maps, paint
from pbem.reports.maps.counters import Style
from pbem.reports.maps.hexplan import CLOSE, FAR, HexPlan
from pbem.service.play import map_request
from tests.games.invasion_sicily.play import board

ISLAND = geometry("invasion_sicily")
FLAT = Grid(True, 1, "CCRR", (Sheet("", (1, 9), (1, 9)),))
POINTY = Grid(False, 0, "SR.CC", (Sheet("A", (1, 9), (1, 9)),))
COLOURS = {"north": "#1f5fae", "south": "#9c3b12"}
STYLE = Style(COLOURS, {"north": ("#b9cbe2", "#1f3d63"), "south": ("#dcc3b0", "#5d2409")})
SEEN = {"title": "Trial", "turn": 1, "player": "north", "phase": "movement", "side": "north"}


def piece(place: str, side: str = "north", **more: Any) -> Piece:
    found = {
        "place": place, "side": side, "known": True, "label": "1st", "symbol": "inf", "size": "X", "numbers": "5-6-4",
        "nation": "", "badges": [],
    }  # fmt: skip
    return {**found, **more}  # type: ignore[typeddict-item]


def island(grid: Grid, *pieces: Piece, columns: int = 7, **more: Any) -> Mapping[str, Any]:
    """A small map whose middle is land."""
    ids = [i for i in grid.all() if all(n <= columns for n in grid.offset(grid.parse(i)))]
    inner = {i for i in ids if all(2 <= n <= columns - 1 for n in grid.offset(grid.parse(i)))}
    rows = [{"hex": i, "terrain": "clear" if i in inner else "sea", "town": "", "port": ""} for i in ids]
    middle = grid.name(grid.hex(4, 4))
    rows = [{**r, "town": "Troina", "port": "yes"} if r["hex"] == middle else r for r in rows]
    near = grid.name(grid.neighbours(grid.parse(middle))[0])
    sides = [{"hex_a": middle, "hex_b": near, "river": "Salso", "road": "main", "rail": "1", "ridge": "", "sea": ""}]
    seen: OnMap = {"pieces": list(pieces), "control": {}, "flags": {}, "signs": [], "boxes": {"africa": "North Africa"}, **more}
    hexes = {
        "grid": grid, "terrain": {"clear": ("#f3eddb", 0), "sea": ("#a9c3cf", 0)}, "towns": ("town",), "roads": ("main",),
        "north": 0, "metres": 5000, "badges": {"tired": ("T", "#5b1a7a", "tired")}, "on_map": lambda _: seen,
    }  # fmt: skip
    style = {"colours": COLOURS, "unknown": STYLE.unknown, "drawn": (), "hexes": hexes}
    return {"hexes": rows, "hexsides": sides, "style": style}


def words(svg: str) -> list[str]:
    return [t.text or "" for t in ElementTree.fromstring(svg).iter() if t.tag.endswith("text")]


@pytest.mark.parametrize("grid", [FLAT, POINTY])
def test_neighbours_lie_a_hex_apart_and_share_their_side(grid: Grid) -> None:
    plan = HexPlan(grid, [{"hex": i, "terrain": "clear"} for i in grid.all()], CLOSE, STYLE)
    middle = grid.hex(5, 5)
    for near in grid.neighbours(middle):
        assert math.dist(plan.point(middle), plan.point(near)) == pytest.approx(CLOSE)
        for end in plan.side(middle, near):
            for at in (middle, near):
                assert min(math.dist(end, corner) for corner in plan.corners(at)) < 0.01


@pytest.mark.parametrize("grid", [FLAT, POINTY])
def test_a_small_map_is_drawn_close_as_a_whole(grid: Grid) -> None:
    middle = grid.name(grid.hex(4, 4))
    ground = island(grid, piece(middle))
    svg = paint.map_svg(SEEN, ground)
    assert {middle, "Troina", "5-6-4", "X", "main road", "river", "railway", "port", "10 km"} <= set(words(svg))
    assert paint.sectors(SEEN, ground, [middle]) == []
    with Image.open(io.BytesIO(paint.map_png(SEEN, ground))) as picture:
        assert picture.format == "PNG" and f'width="{picture.width}" height="{picture.height}"' in svg


def test_unknown_pieces_say_nothing() -> None:
    svg = paint.map_svg(SEEN, island(FLAT, piece("0404", "south", known=False)))
    assert "5-6-4" not in words(svg) and "?" in words(svg)


def test_a_stack_shows_the_first_piece_and_how_many_there_are() -> None:
    stack = [piece("0404", numbers=f"{n}-1-1") for n in range(2, 7)]
    found = words(paint.map_svg(SEEN, island(FLAT, *stack)))
    assert found.index("2-1-1") > found.index("3-1-1") and "5" in found and "5-1-1" not in found


def test_badges_signs_flags_and_control_are_on_it() -> None:
    signs = [{"place": "0404", "words": "attack", "side": ""}, {"place": "9999", "words": "nowhere", "side": ""}]
    ground = island(FLAT, piece("0404", badges=["tired"]), signs=signs, flags={"0405": "north"}, control={"0304": "south"})
    bare = paint.map_svg(SEEN, island(FLAT, piece("0404")))
    full = paint.map_svg(SEEN, ground)
    assert words(full).count("T") == 2 and {"attack", "tired"} <= set(words(full)) and "nowhere" not in words(full)
    assert full.count(COLOURS["south"]) == bare.count(COLOURS["south"]) + 1
    assert full.count(COLOURS["north"]) == bare.count(COLOURS["north"]) + 1


def test_pieces_off_the_map_lie_in_named_boxes_below() -> None:
    one, two = island(FLAT, piece("0404")), island(FLAT, piece("africa"), piece("africa"), piece("italy"))
    heights = [int(re.findall(r'height="(\d+)"', paint.map_svg(SEEN, g))[0]) for g in (one, two)]
    assert heights[1] - heights[0] == 80
    assert {"North Africa", "italy"} <= set(words(paint.map_svg(SEEN, two)))
    many = words(paint.map_svg(SEEN, island(FLAT, *[piece("africa")] * 40)))
    assert f"+{40 - many.count('5-6-4')}" in many


def test_moves_are_arrows_and_retreats_are_dashed() -> None:
    move = {"path": ["0303", "0403", "0404"], "mode": "movement", "side": "north"}
    ground = island(FLAT, piece("0404"))
    assert paint.map_svg(SEEN, ground, moves=[move, move]).count("l-13 -7v14z") == 1
    assert paint.map_svg(SEEN, ground, moves=[{**move, "path": ["africa", "0404"]}]).count("l-13 -7v14z") == 0
    plain, back = (paint.map_svg(SEEN, ground, moves=[{**move, "mode": m}]) for m in ("movement", "retreat"))
    assert back.count("<path") > plain.count("<path")


def husky(side: str = "allied", text: str = "at 1204 US-7 US-15\nat 1305 GE-PzHG") -> View:
    return view(board(text), side)


def test_the_whole_is_far_and_a_sector_close() -> None:
    seen = husky()
    plans = [hex_maps.paper(seen, ISLAND, 0, around).plan for around in ((), ("1204",))]
    assert [p.size for p in plans] == [FAR, CLOSE] and plans[1].width < 14 * CLOSE
    whole, part = paint.map_svg(seen, ISLAND), paint.map_svg(seen, ISLAND, around=("1204",))
    assert "1204" in words(part) and "1204" not in words(whole)


def test_pictures_are_small_and_the_same_each_time() -> None:
    seen = husky()
    for around in ((), ("1204",)):
        png = paint.map_png(seen, ISLAND, around=around)
        assert png == paint.map_png(seen, ISLAND, around=around) and len(png) < paint.LIMIT


@pytest.mark.parametrize("around", ["1204", "2407", "4225", "2035"])
def test_a_sector_shows_its_hex_even_at_the_edge(around: str) -> None:
    paper = hex_maps.paper(husky(), ISLAND, 0, (around,))
    x, y = paper.plan.at(around) or (0, 0)
    assert 0 < x < paper.width and paper.plan.top < y < paper.plan.foot


def test_battles_and_questions_have_a_sector_and_near_ones_share_it() -> None:
    found = paint.sectors(husky(), ISLAND, ["1204", "1305", "4225"], ["2035"])
    assert found == [("1204", "1305"), ("4225",), ("2035",)]
    assert paint.sectors(husky(), ISLAND, []) == []


def test_a_place_where_both_sides_crowd_has_a_sector() -> None:
    seen = husky()
    units = [{**u, "place": "1204" if u["side"] == "allied" else "1305"} for u in seen["units"]]
    assert len(paint.sectors({**seen, "units": units}, ISLAND, [])) == 1


def test_what_stands_on_the_map_is_what_the_view_says() -> None:
    text = "at 1204 US-7"
    pieces = [p for p in on_map(husky("axis", text))["pieces"] if p["side"] == "allied"]
    assert [(p["symbol"], p["nation"], p["size"]) for p in pieces if p["place"] == "1204"] == [("inf", "us", "III")]
    assert not {p["place"] for p in on_map(husky())["pieces"]} & {"eliminated", "reserved", "cup"}


def test_untried_pieces_are_unknown_to_both() -> None:
    for side in ("allied", "axis"):
        seen = view(board("cd 1823 -"), side)
        assert [(p["known"], p["numbers"]) for p in on_map(seen)["pieces"] if p["place"] == "1823"] == [(False, "")]


def test_alt_text_says_where_the_attacks_are() -> None:
    seen = husky()
    assert "attacks on 1305" in paint.alt_text({**seen, "attacks": [{"hex": "1305", "units": ["US-7"]}]}, ISLAND)
    assert "around 1204" in paint.alt_text(seen, ISLAND, ("1204",))


@pytest.mark.parametrize(
    ("said", "found"), [("1204", "1204"), ("hex [1204]", "1204"), ("Enna", "2419"), ("enna", "2419"), ("castelv", "1406")]
)
def test_a_map_may_be_asked_for_round_a_hex_or_a_town(said: str, found: str) -> None:
    assert ISLAND is not None and map_request.around(husky(), ISLAND, said) == (found,)


@pytest.mark.parametrize(
    ("said", "why"), [("Enma", "did you mean .*Enna"), ("9999", "9999"), ("Rome", "no place is called 'Rome'")]
)
def test_what_is_no_place_is_refused(said: str, why: str) -> None:
    assert ISLAND is not None
    with pytest.raises(map_request.NoPlace, match=why):
        map_request.around(husky(), ISLAND, said)
