"""The audit as pages, opened in a browser from a folder: whole, and tampered with."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from pbem.bootstrap import geometry
from pbem.config import Config
from pbem.service.play import referee
from pbem.service.records import audit_site, bundle, restoring
from tests.service.conftest import ANN, BOB, JUDGE, Club

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome") or ""
in_browser = pytest.mark.skipif(not BROWSER and not os.environ.get("CI"), reason="there is no chromium here")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory):
    """A game in its second turn, with a nonce in its dice, a rewind behind it, and a copy that was put back."""
    folder = tmp_path_factory.mktemp("site")
    config = Config(db=folder / "club.db", address=JUDGE, policy="open", pictures=True, replies_per_hour=10**6)
    found = Club(folder / "club.db", config)
    found.game()
    for sender in (ANN, BOB):
        found.write(sender, f"game p1\nnonce seven grey herons and {sender}\nstanding when bridge then leave\nend\n")
    found.play(until=lambda g: g.step_name.startswith("1 axis admin"))
    referee.rewind(found.context, "p1", "1 allied combat", "a slip </script><b>in</b> the ruling")
    restoring.mark(found.context, {"p1": (9999, "ab" * 32)})
    found.play(until=lambda g: g.step_name.startswith("1 axis admin"))
    assert {"nonce", "restore", "rewind"} <= {r.payload["act"] for r in found.store.journal.rows("p1", kinds=("control",))}
    yield found
    found.app.close()


@pytest.fixture(scope="module")
def running(club: Club, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What Bob may see while the game runs."""
    return audit_site.write(club.context, "p1", tmp_path_factory.mktemp("axis"), "axis").parent


@pytest.fixture(scope="module")
def over(running: Path, club: Club, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything, after the end."""
    club.write(ANN, "concede p1\n")
    return audit_site.write(club.context, "p1", tmp_path_factory.mktemp("over"), "", "").parent


def look(index: Path, tmp_path: Path, query: str = "") -> str:
    """The page as it is when its scripts have done their work."""
    done = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
            "--disable-background-networking", "--disable-component-update", f"--user-data-dir={tmp_path / 'browser'}",
            "--virtual-time-budget=120000", "--dump-dom", index.as_uri() + query,
        ],
        capture_output=True, text=True, timeout=240, check=False,
    )  # fmt: skip
    assert "data-verdict" in done.stdout, done.stderr[-2000:]
    return done.stdout


def verdict(dom: str) -> tuple[str, str]:
    found = re.search(r'data-verdict="(\w+)"', dom)
    said = re.search(r'<p id="verdict".*?>(.*?)</p>', dom, re.DOTALL)
    assert found and said
    return found[1], re.sub(r"<.*?>", "", said[1])


# -- in the browser ----------------------------------------------------------------------------------


@in_browser
@pytest.mark.parametrize(("query", "by"), [("", "WebCrypto"), ("?plain", "own SHA-256")])
def test_a_whole_game_is_ticked_row_by_row(over: Path, tmp_path: Path, query: str, by: str) -> None:
    dom = look(over / "index.html", tmp_path, query)
    kind, said = verdict(dom)
    assert kind == "whole", said
    assert by in said and "dice thrown again from the seed" in said
    assert "not checked</td>" not in dom and "✗" not in dom
    rows = re.findall(r'<tr id="row-(\d+)">', dom)
    assert rows == [str(n) for n in range(len(rows))] and dom.count("✓ checked") >= len(rows) > 300


@in_browser
def test_what_one_side_may_know_is_checked_as_far_as_it_reaches(running: Path, tmp_path: Path) -> None:
    kind, said = verdict(look(running / "index.html", tmp_path))
    assert kind == "whole" and "known by their hash alone" in said and "when the seed is opened" in said


@in_browser
def test_rolls_are_filtered_in_the_page(over: Path, tmp_path: Path) -> None:
    dom = look(over / "index.html", tmp_path, "?find=garrison")
    play = dom[dom.index('<table id="rolls">') :]
    shown = [r for r in re.findall(r"<tr data-side.*?</tr>", play, re.DOTALL) if " hidden" not in r.split(">")[0]]
    assert shown and all("garrison" in r.lower() for r in shown)
    assert f"{len(shown)} rolls shown" in dom


def edit(name: str, pattern: str, new: str | Callable[[re.Match[str]], str]) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        changed, count = re.subn(pattern, new, text, count=1)
        assert count == 1
        path.write_text(changed, encoding="utf-8")

    return change


FACES = r'\\"faces\\":\[(\d+)'
FORGERIES = {
    "a die": (edit("data.js", FACES, lambda m: f'\\"faces\\":[{int(m[1]) % 10 + 1}'), r"row \d+ \(roll\) was changed"),
    "an order": (edit("data.js", r"then leave", "then blow"), r"row \d+ \(orders\) was changed"),
    "a hash": (edit("data.js", r'"hash":"\w', '"hash":"x'), r"row 0 \(game\) was changed"),
    "a seed": (edit("data.js", r'"seeds":\["\w{4}', '"seeds":["abcd'), "commits to another seed"),
    "no seed": (edit("data.js", r'"seeds":\["\w+"\]', '"seeds":[]'), "the seed that row 0 commits to is not here"),
    "a row out": (edit("data.js", r'\{"seq":50,.*?\},(?=\{"seq":51,)', ""), "row 50 is missing"),
    "a row held back": (
        edit("data.js", r'(\{"seq":60,"prev":"\w+","hash":"\w+"),"step":.*?\}(?=,\{"seq":61,)', r"\1}"), "withheld",
    ),
    "the end off": (edit("data.js", r',\{"seq":400,.*\]\};', "]};"), "row 399 is the last one here"),
    "a die on the page": (edit("index.html", r'(data-faces="\d+">)\d+', r"\g<1>77"), "the page shows other dice"),
    "a row on the page": (edit("index.html", r'(data-payload="90">\{)', r"\1 "), "row 90: the page shows other content"),
    "an order on the page": (edit("index.html", r'(data-order="\d+">)[^<]+', r"\1retreat to Rome"), "shows an order"),
}  # fmt: skip


@in_browser
@pytest.mark.parametrize("name", FORGERIES)
def test_a_tampered_copy_is_told_with_the_row(over: Path, tmp_path: Path, name: str) -> None:
    forge, words = FORGERIES[name]
    copy = tmp_path / "copy"
    shutil.copytree(over, copy)
    forge(copy)
    kind, said = verdict(look(copy / "index.html", tmp_path))
    assert kind == "wrong" and re.search(words, said), said


# -- without one -------------------------------------------------------------------------------------


class Links(HTMLParser):
    """What a page refers to, and what stands in its text."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.unnamed: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.links += [v for k, v in attrs if k in ("href", "src") and v]
        self.ids += [v for k, v in attrs if k == "id" and v]
        if tag == "img" and not given.get("alt"):
            self.unnamed.append(str(given.get("src")))


@pytest.mark.parametrize("which", ["running", "over"])
def test_the_site_stands_alone(which: str, request: pytest.FixtureRequest) -> None:
    folder = request.getfixturevalue(which)
    page = Links()
    page.feed((folder / "index.html").read_text(encoding="utf-8"))
    assert len(page.ids) == len(set(page.ids)) and not page.unnamed
    for link in page.links:
        if link.startswith("#"):
            assert link[1:] in page.ids, link
        else:
            assert ":" not in link and (folder / link).is_file(), link
    pictures = [link for link in page.links if link.startswith("positions/")]
    assert len(set(pictures)) > 3 and (folder / pictures[0]).read_bytes().startswith(b"\x89PNG")
    for name in ("verify.js", "page.js", "index.html"):
        assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", (folder / name).read_text(encoding="utf-8"))


def test_words_of_people_cannot_become_a_script(over: Path) -> None:
    text = (over / "data.js").read_text(encoding="utf-8")
    assert "in</b>" not in text and "<\\/script>" in text
    assert "<b>in</b>" not in (over / "index.html").read_text(encoding="utf-8")


def test_nothing_hidden_is_in_the_site_of_a_side(running: Path, club: Club) -> None:
    everything = "".join((running / name).read_text(encoding="utf-8") for name in ("data.js", "index.html"))
    hidden = [r for r in club.store.journal.rows("p1", last=300) if not bundle.visible(r, "axis")]
    assert hidden and not any(str(r.payload["salt"]) in everything for r in hidden)
    assert club.store.games.seed("p1").hex() not in everything
    ours = [d["text"] for r in hidden if r.kind == "orders" for d in r.payload["directives"]]
    assert not any(f">{text}<" in everything for text in ours if "standing" not in text)


def test_the_position_of_the_audit_shows_both_sides_blocks(club: Club, over: Path) -> None:
    rules = club.context.rules("fab_sicily")
    from pbem.service.play import game_session

    with club.store.transaction():
        state = game_session.take(club.context, "p1").session.state
    whole = rules.everything(state)
    for area in whole["areas"]:
        assert all(block["known"] for side in rules.sides for block in area["blocks"][side])
    assert geometry("fab_sicily") is not None
