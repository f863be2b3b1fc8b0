"""What is drawn once: kept in memory and on disk, by what it is; and lines in pieces."""

from __future__ import annotations

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from PIL import Image

from pbem.bootstrap import geometry
from pbem.games.fab_sicily.position.view import view
from pbem.reports.maps import area_maps, paint, rasters
from pbem.reports.maps.marks import PIECE, Mark, pieces, stroke, written
from tests.games.fab_sicily.mid_game import mid_game

SVG = rasters.document(40, 30, '<rect width="40" height="30" fill="#a9c3cf"/><text x="4" y="20">N</text>')


def test_a_ground_is_drawn_once_and_then_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh = rasters.kept(SVG, tmp_path / "cache")
    assert fresh.tobytes() == rasters.kept(SVG, None).tobytes()
    monkeypatch.setattr(rasters, "raster", lambda svg: pytest.fail("drawn again"))
    assert rasters.kept(SVG, tmp_path / "cache").tobytes() == fresh.tobytes()
    assert [f.suffix for f in (tmp_path / "cache").iterdir()] == [".png"]


def test_another_ground_or_another_drawer_is_another_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rasters.kept(SVG, tmp_path)
    rasters.kept(SVG.replace("#a9c3cf", "#a9c3ce"), tmp_path)
    monkeypatch.setattr("PIL.__version__", "0.0")
    rasters.kept(SVG, tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("bytes_", [b"", b"\x89PNG\r\n\x1a\n", b"no picture"])
def test_a_damaged_file_is_drawn_anew(tmp_path: Path, bytes_: bytes) -> None:
    good = rasters.kept(SVG, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(bytes_)
    assert rasters.kept(SVG, tmp_path).tobytes() == good.tobytes()
    with Image.open(file) as mended:
        assert mended.size == (40, 30)


def test_a_file_cut_short_is_drawn_anew(tmp_path: Path) -> None:
    good = rasters.kept(SVG, tmp_path)
    (file,) = tmp_path.iterdir()
    file.write_bytes(file.read_bytes()[:-40])
    assert rasters.kept(SVG, tmp_path).tobytes() == good.tobytes()


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    assert rasters.kept(SVG, tmp_path / "file" / "cache").size == (40, 30)


def test_processes_that_draw_the_same_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from hashlib import sha256; from pbem.reports.maps import rasters; "
        "print(sha256(rasters.kept(sys.argv[1], Path(sys.argv[2])).tobytes()).hexdigest())"
    )

    def run(_: int) -> str:
        command = [sys.executable, "-c", program, SVG, str(tmp_path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(3) as pool:
        assert len(set(pool.map(run, range(3)))) == 1
    assert [f.suffix for f in tmp_path.iterdir()] == [".png"]


def test_pictures_with_and_without_a_cache_are_the_same(tmp_path: Path) -> None:
    seen, bare = view(mid_game().state, "allied"), geometry("fab_sicily")
    ground = geometry("fab_sicily", tmp_path)
    assert bare is not None and ground is not None

    def drawn() -> list[bytes]:
        area_maps._plan.cache_clear()
        area_maps._larger.cache_clear()
        return [paint.map_png(seen, ground), paint.map_png(seen, ground, around=("13", "14"))]

    first = drawn()
    assert list(tmp_path.iterdir())
    assert drawn() == first == [paint.map_png(seen, bare), paint.map_png(seen, bare, around=("13", "14"))]


def test_the_same_mark_elsewhere_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    picture = Image.new("RGB", (60, 40), "#ffffff")
    face = '<rect x="-4" y="-4" width="8" height="8" fill="#102030"/>'
    rasters.pasted(picture, [Mark(10, 10, face, (-4, -4, 4, 4))])
    monkeypatch.setattr(rasters, "raster", lambda svg: pytest.fail("drawn again"))
    rasters.pasted(picture, [Mark(30, 20, face, (-4, -4, 4, 4)), Mark(500, 20, face, (-4, -4, 4, 4))])
    assert [picture.getpixel(p) for p in ((10, 10), (30, 20), (26, 16), (34, 24), (20, 20))] == [
        (16, 32, 48), (16, 32, 48), (16, 32, 48), (255, 255, 255), (255, 255, 255),
    ]  # fmt: skip


def test_marks_lie_where_their_svg_lies() -> None:
    line = stroke([[(10.4, 20.0), (30.2, 5.0)]], 'stroke="#000000" stroke-width="3"', 3)
    picture = Image.new("RGB", (50, 40), "#ffffff")
    rasters.pasted(picture, [line])
    whole = rasters.raster(rasters.document(50, 40, '<rect width="50" height="40" fill="#fff"/>' + written([line])))
    assert picture.tobytes() == whole.convert("RGB").tobytes()


def test_a_line_in_pieces() -> None:
    long = [(0.0, 0.0), (200.0, 0.0), (200.0, 30.0)]
    found = pieces(long)
    assert sum(math.dist(a, b) for a, b in found) == pytest.approx(230)
    assert all(math.dist(a, b) <= PIECE for a, b in found) and found[0][0] == (0, 0) and found[-1][1] == (200, 30)
    assert all(b == pytest.approx(c) for (_, b), (c, _) in zip(found, found[1:], strict=False))
    assert pieces([(0, 0), (10, 0)], 3, 2) == [((0, 0), (3, 0)), ((5, 0), (8, 0))]
    assert pieces([(0, 0), (4, 0), (4, 4)], 6, 2) == [((0, 0), (4, 0)), ((4, 0), (4, 2))]
