"""The map has the same bytes on every machine: other hash seeds, languages, time zones, folders and fonts change nothing.

The SVG is text of our own and must be as stored, everywhere.  The PNG is drawn by resvg and packed by Pillow: with the
versions that stand in the stored file it has the stored bytes; another version may draw an edge otherwise, and is then held
to the size and the look of the stored picture.  ``PBEM_GOLDEN=write`` stores both anew.
"""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import PIL
import pytest
import resvg_py
from PIL import Image, ImageChops, ImageStat

from pbem.bootstrap import geometry
from pbem.games.fab_sicily.position.view import view
from pbem.games.invasion_sicily.position.view import view as island_view
from pbem.reports.maps.paint import map_png, map_svg
from tests.games.fab_sicily.mid_game import mid_game
from tests.games.invasion_sicily.play import board

GOLDEN = Path(__file__).with_name("golden")
PICTURE, DIGESTS = GOLDEN / "sector.png", GOLDEN / "sector.json"
ROOT = Path(__file__).parents[2]
AROUND = ("13", "14")
MOVES = [{"path": ["5", "13"], "mode": "operational", "side": "allied"}]
ALIKE = 4.0
"""Mean difference of a channel, of 255, that another version of resvg may make."""


def drawn() -> dict[str, Any]:
    """A sector and the whole map, as both kinds of file, and what drew them."""
    seen, ground = view(mid_game().state, "allied"), geometry("fab_sicily")
    assert ground is not None
    hexes, island = island_view(board("at 1204 US-7 US-15\nat 1305 GE-PzHG"), "allied"), geometry("invasion_sicily")
    assert island is not None
    whole = {"moves": MOVES, "battles": ["13"]}
    part = {**whole, "around": AROUND}
    return {
        "svg": map_svg(seen, ground, **part), "png": map_png(seen, ground, **part),
        "whole svg": map_svg(seen, ground, **whole), "whole png": map_png(seen, ground, **whole),
        "hexes svg": map_svg(hexes, island), "hexes png": map_png(hexes, island),
        "near svg": map_svg(hexes, island, around=("1204",)), "near png": map_png(hexes, island, around=("1204",)),
    }  # fmt: skip


def digests() -> dict[str, str]:
    """What is stored and compared."""
    found = {name: sha256(data if isinstance(data, bytes) else data.encode()).hexdigest() for name, data in drawn().items()}
    return {**found, "resvg": str(resvg_py.__version__), "pillow": PIL.__version__}


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return digests()


def elsewhere(folder: Path, **settings: str) -> dict[str, str]:
    """The digests in a process of its own that has nothing of this one but the code."""
    program = "import json; from tests.reports.test_map_everywhere import digests; print(json.dumps(digests()))"
    env = {"PATH": "/nonexistent", "PYTHONPATH": str(ROOT), "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1", **settings}
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, env=env, capture_output=True, text=True, check=True)
    found: dict[str, str] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize(
    "settings",
    [
        {"PYTHONHASHSEED": "1", "LANG": "C", "TZ": "Pacific/Auckland", "FONTCONFIG_FILE": "/nonexistent"},
        {"PYTHONHASHSEED": "4711", "LANG": "de_DE.UTF-8", "LC_ALL": "tr_TR.UTF-8", "TZ": "America/Sao_Paulo"},
    ],
)  # fmt: skip
def test_another_process_draws_the_same(settings: dict[str, str], here: dict[str, str], tmp_path: Path) -> None:
    assert elsewhere(tmp_path, **settings) == here


def test_the_picture_is_as_stored(here: dict[str, str]) -> None:
    if os.environ.get("PBEM_GOLDEN") == "write":
        DIGESTS.write_text(json.dumps(here, indent=1) + "\n", encoding="utf-8")
        PICTURE.write_bytes(drawn()["png"])
    stored = json.loads(DIGESTS.read_text(encoding="utf-8"))
    assert [here[k] for k in here if "svg" in k] == [stored.get(k) for k in here if "svg" in k], "see the top of this test"
    if (here["resvg"], here["pillow"]) == (stored["resvg"], stored["pillow"]):
        assert here["png"] == sha256(PICTURE.read_bytes()).hexdigest() and here == stored
    assert alike(drawn()["png"], PICTURE.read_bytes())


def alike(one: bytes, other: bytes) -> bool:
    """Whether two pictures have one size and nearly the same colours."""
    a, b = (Image.open(io.BytesIO(data)).convert("RGB") for data in (one, other))
    return a.size == b.size and max(ImageStat.Stat(ImageChops.difference(a, b)).mean) < ALIKE


def test_pictures_of_other_positions_are_not_alike() -> None:
    seen, ground = view(mid_game().state, "axis"), geometry("fab_sicily")
    assert ground is not None
    assert alike(PICTURE.read_bytes(), PICTURE.read_bytes())
    assert not alike(map_png(seen, ground, around=("2", "4")), PICTURE.read_bytes())


def test_numbers_of_the_drawing_have_few_digits() -> None:
    """The last digits of a sine differ from machine to machine; what is written has at most two behind the point."""
    for name in ("svg", "whole svg", "hexes svg", "near svg"):
        assert not re.findall(r"\d\.\d{3,}|\d[eE][-+]?\d", re.sub(r"#[0-9a-f]{3,6}", "", drawn()[name]))
