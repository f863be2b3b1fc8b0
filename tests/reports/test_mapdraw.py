"""The map: one picture for one view, small, and with nothing on it that the view does not say."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pytest
from PIL import Image

from pbem.bootstrap import geometry
from pbem.games.fab_sicily.position.view import view
from pbem.reports.maps.counters import Style, counter
from pbem.reports.maps.area_maps import SECTORS, TOGETHER, _across, _plan_of, _shapes
from pbem.reports.maps.paint import FONTS, alt_text, map_png, map_svg, sectors
from pbem.reports.maps.areas import _apart, _settle, _spread, _stack, _Stack
from pbem.reports.maps.ground import KNOWN, PLAIN, SHADES, STREAM
from pbem.reports.maps.plan import Plan, clearance, inmost, inset
from tests.games.fab_sicily.mid_game import mid_game
from tests.games.fab_sicily.play import board

SHAPES = geometry("fab_sicily")
SQUARE = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)]


def test_same_view_same_bytes_and_small() -> None:
    seen = view(mid_game().state, "allied")
    png = map_png(seen, SHAPES)
    assert png == map_png(seen, SHAPES)
    assert len(png) <= 150_000
    with Image.open(io.BytesIO(png)) as picture:
        assert (picture.format, picture.mode, picture.width) == ("PNG", "P", 960)


def test_the_whole_island_stays_small() -> None:
    text = "\n".join(f"garrison {a} S-{i}" for i, a in enumerate((13, 14, 26, 57, 29), 1)) + "\nat 20 3-1 3-2\nat 19 1-1 1-2"
    assert len(map_png(view(board(text), "allied"), SHAPES, size=1300)) <= 150_000


def test_a_crowded_picture_has_fewer_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = view(mid_game().state, "allied")
    plain = map_png(seen, SHAPES)
    monkeypatch.setattr("pbem.reports.maps.paint.LIMIT", 100_000)
    small = map_png(seen, SHAPES)
    assert len(small) < len(plain) and len(small) <= 100_000
    with Image.open(io.BytesIO(small)) as picture:
        assert picture.size == Image.open(io.BytesIO(plain)).size


def words(svg: str) -> list[str]:
    return [t.text or "" for t in ElementTree.fromstring(svg).iter() if t.tag.endswith("text")]


def test_known_blocks_are_named_unknown_ones_are_blank() -> None:
    state = board("at 16 HG-1/3\nat 17 NAP-1 shown\nat 4 50-1\ngarrison 13 S-1", "primosole_bridge")
    allied, axis = (words(map_svg(view(state, s), SHAPES)) for s in ("allied", "axis"))
    assert "HG-1" not in allied and "HG-1" in axis
    assert "NAP-1" in allied
    assert "50-1" in allied and axis.count("50-1") == 1  # once in the legend
    assert "S-1" not in allied and "S-1" in axis


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("works 14 axis", "works"), ("roadblock 10 axis", "roadblock"), ("at 14 50-1\nat 14 SCH", "contested"),
        ("map AIR-2 16 interdiction", "AIR-2 interdiction"), ("at 4 50-1 disordered", "D"), ("beachhead B3", "B3"),
        ("at 15 50-1\nat 15 SCH\nassault 15 river", "river assault"),
        ("unsupplied axis 16", "no supply"), ("at at-sea 50-1", "the At Sea box"),
    ],
)  # fmt: skip
def test_markers_are_words_or_letters(text: str, word: str) -> None:
    assert word in words(map_svg(view(board(text, "primosole_bridge"), "allied"), SHAPES))


def test_an_assault_is_not_shown_once_the_area_is_won() -> None:
    seen = view(board("at 15 50-1\nassault 15 river", "primosole_bridge"), "allied")
    assert "river assault" not in words(map_svg(seen, SHAPES))


def test_moves_are_arrows() -> None:
    seen = view(board("at 4 50-1\nbeachhead B3", "primosole_bridge"), "allied")
    moves = [
        {"path": ["5", "4"], "mode": "operational", "side": "allied"},
        {"path": ["B3", "4"], "mode": "landing", "side": "allied"},
    ]
    assert map_svg(seen, SHAPES, moves=moves).count("l-13 -7v14z") == 2  # the second comes out of its landing box
    assert "l-13" not in map_svg(seen, SHAPES, moves=[{**moves[0], "path": ["5", "99"]}])


def test_a_move_ends_beside_the_counters_and_moves_together_are_one_arrow() -> None:
    seen = view(board("at 4 50-1 50-2", "primosole_bridge"), "allied")
    move = {"path": ["5", "4"], "mode": "operational", "side": "allied"}
    assert map_svg(seen, SHAPES, moves=[move, move]).count("l-13 -7v14z") == 1
    plan = _plan_of(seen, SHAPES, 0, ())
    stacks = {a["id"]: _stack(plan, a, 40) for a in seen["areas"]}
    left, top, right, bottom = stacks["4"].around
    assert left < stacks["4"].at[0] < right and top < stacks["4"].at[1] < bottom


def test_crowded_stacks_make_room_for_each_other() -> None:
    text = "at 14 50-1 50-2\nat 14 SCH NAP-1\nat 13 5-1 5-2\nat 13 NAP-2\nat 12 51-1 51-2\nat 15 1C-1 1C-2\nworks 14 axis"
    seen = view(board(text, "primosole_bridge"), "allied")
    plan = _plan_of(seen, SHAPES, 500, ())
    size = plan.unit * 5
    stacks = [_stack(plan, a, size) for a in seen["areas"]]
    assert overlaps(stacks)
    _spread(plan, stacks, size)
    assert not overlaps(stacks)


def overlaps(stacks: list[_Stack]) -> list[tuple[str, str]]:
    full = [s for s in stacks if s.tall]
    return [(s.area["id"], t.area["id"]) for i, s in enumerate(full) for t in full[i + 1 :] if _apart(s.box, t.box)]


def test_a_stack_without_room_is_drawn_smaller_and_leaves_the_names_free() -> None:
    text = "at 13 50-1 50-2\nat 13 SCH NAP-1\nat 12 51-1 51-2\nat 12 HG-1 HG-2\nat 14 5-1 5-2\nat 14 NAP-2 4A\nworks 14 axis"
    seen = view(board(text, "primosole_bridge"), "allied")
    plan = _plan_of(seen, SHAPES, 400, ())
    size = plan.unit * 5
    stacks = [_stack(plan, a, size) for a in seen["areas"]]
    _spread(plan, stacks, size)
    before = hidden(stacks)
    stacks = [_stack(plan, a, size) for a in seen["areas"]]
    _settle(plan, stacks, size)
    assert before and hidden(stacks) < before
    assert {s.scale for s in stacks if not s.tall} == {1} and min(s.scale for s in stacks) < 1


def hidden(stacks: list[_Stack]) -> float:
    """Square pixels of names that lie below counters."""
    covered = 0.0
    for s in (s for s in stacks if s.tall):
        for left, top, right, bottom in (t.label for t in stacks):
            x, y = min(s.box[2], right) - max(s.box[0], left), min(s.box[3], bottom) - max(s.box[1], top)
            covered += max(0.0, x) * max(0.0, y)
    return covered


def test_the_words_in_a_box_fit_it() -> None:
    state = board("beachhead B3", "primosole_bridge")
    state.beachheads["B3"] = "destroyed"
    drawn = map_svg(view(state, "allied"), SHAPES)
    pattern = r'<rect [^>]*? width="([\d.]+)"[^>]*?/><path [^>]*/><text [^>]*?font-size="([\d.]+)"[^>]*>B3 destroyed<'
    found = re.search(pattern, drawn)
    assert found and len("B3 destroyed") * 0.62 * float(found[2]) < float(found[1])


def test_a_long_id_fits_its_counter() -> None:
    known = {**KNOWN, **PLAIN, "side": "allied", "id": "15PG-12"}
    found = re.search(r'font-size="([\d.]+)"[^>]*>15PG-12<', counter(Style.of(SHAPES), known, 0, 0, 100))
    assert found and len("15PG-12") * 0.7 * float(found[1]) < 100


def test_every_battle_of_the_campaign_is_in_a_sector_that_shows_it_larger() -> None:
    places = {"65": "45-1", "58": "3-1", "48": "1-1", "54": "1-2", "6": "51-1", "14": "5-1", "9": "50-1"}
    seen = view(board("\n".join(f"at {a} {b}" for a, b in places.items()), "campaign"), "allied")
    battles = list(places)
    found = sectors(seen, SHAPES, battles)
    assert 1 < len(found) <= SECTORS and {a for part in found for a in part} >= set(battles)
    outlines = _shapes(SHAPES).outlines
    whole = _across(outlines, [a["id"] for a in seen["areas"]])
    assert all(_across(outlines, part) * TOGETHER <= whole * 1.001 for part in found)


def test_battles_are_marked_and_have_a_sector() -> None:
    seen = view(board("at 14 50-1 50-2\nat 14 SCH NAP-1", "primosole_bridge"), "allied")
    plain, marked = map_svg(seen, SHAPES), map_svg(seen, SHAPES, battles=["14"])
    assert len(marked) > len(plain) and sectors(seen, SHAPES, ["14"]) == [("14",)]
    near = map_png(seen, SHAPES, around=("14",), battles=["14"])
    assert near != map_png(seen, SHAPES, battles=["14"]) and len(near) < 100_000
    assert sectors(view(board("at 4 50-1", "primosole_bridge"), "allied"), SHAPES, []) == []


def test_relief_and_streams_are_on_the_ground_and_no_river_twice() -> None:
    seen = view(board("at 4 50-1", "primosole_bridge"), "allied")
    drawn = map_svg(seen, SHAPES)
    assert all(fill in drawn for fill, _ in SHADES.values()) and STREAM in drawn
    bare = map_svg(seen, {"areas": SHAPES["areas"], "style": SHAPES["style"]})
    assert STREAM not in bare and len(bare) < len(drawn)


def test_alt_text_says_where_the_fighting_is() -> None:
    assert "contested: Lentini [14]" in alt_text(view(board("at 14 50-1\nat 14 SCH", "primosole_bridge"), "allied"), SHAPES)


def test_the_fonts_are_shipped() -> None:
    for font in FONTS:
        with open(font, "rb") as file:
            assert file.read(4) == b"\x00\x01\x00\x00"


def test_the_inmost_point() -> None:
    x, y = inmost(SQUARE)
    assert abs(x - 5) < 0.5 and abs(y - 5) < 0.5
    assert clearance((20, 20), SQUARE) < 0 < clearance((5, 5), SQUARE)


def test_an_outline_drawn_in() -> None:
    assert inset(SQUARE, 1) == [(1, 1), (9, 1), (9, 9), (1, 9)]


def test_borders_are_what_two_outlines_share() -> None:
    left, right = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)], [(1, 0), (2, 0), (2, 1), (1, 1), (1, 0)]
    plan = Plan({"1": left, "2": right}, ("1", "2"), 500)
    assert len(plan.border("1", "2")) == 1
    assert plan.crossing("1", "2")[0] == pytest.approx(250, abs=1)
