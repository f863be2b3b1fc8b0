"""The story of a game: every turn, both sides' blocks, and a page that needs nothing but a browser."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from pbem.audit.history import history
from pbem.core.undone import standing
from pbem.reports import storychart
from pbem.reports.archive import write_archive
from pbem.service.records.game_story import chronicle
from pbem.service.play import game_session, referee
from tests.service.conftest import Club


def test_a_game_is_told_turn_by_turn(club: Club, tmp_path: Path) -> None:
    club.play(until=lambda g: g.status == "over")
    story = chronicle(club.context, "p1")
    assert [t["label"] for t in story["turns"]] == ["Set-up", "Turn 1", "Turn 2", "Turn 3", "Turn 4"]
    assert story["turns"][0]["points"] == {"allied": 0, "axis": 20}
    assert all(t["picture"] is None for t in story["turns"])  # this club draws no maps
    assert len(story["battles"]) <= 5 and all(b["lines"] for b in story["battles"])
    for turn in story["turns"]:
        turn["picture"] = b"\x89PNG"
    index = write_archive(tmp_path, [], {"title": "A <game>", "lines": ["One line."], "facts": []}, story)
    page = (tmp_path / "story.html").read_text(encoding="utf-8")
    assert "story.html" in index.read_text(encoding="utf-8") and "A &lt;game&gt;: the story" in page
    assert (tmp_path / "story/turn4.png").is_file() and "Allied 0, Axis 20" in page
    assert not re.search(r"https?://(?!www\.w3\.org)", page)


def test_charts_are_whole_and_say_their_numbers_in_words() -> None:
    series = [("Allied", [0, 3]), ("Axis & Co", [20, 17])]
    for chart in (storychart.lines(["Set-up", "Turn 1"], series), storychart.bars(["Set-up", "Turn 1"], series)):
        root = ElementTree.fromstring(chart)
        assert "Axis & Co Set-up 20, Turn 1 17" in root.attrib["aria-label"]
        assert "17" in "".join(t.text or "" for t in root.iter() if t.tag.endswith("text"))


def test_after_two_rewinds_the_story_is_of_the_game_that_was_played(club: Club) -> None:
    """The second goes forward again, into what the first had undone by mistake."""
    club.play(until=lambda g: g.step_name.startswith("1 axis movement"))
    for step in ("1 allied movement", "1 axis draw"):
        referee.rewind(club.context, "p1", step, "try again")
    club.play(until=lambda g: g.status == "over")
    told = chronicle(club.context, "p1")["turns"][-1]["points"]
    with club.store.transaction():
        play = game_session.take(club.context, "p1")
        assert told == play.rules.view(play.session.state, "")["vp_held"]
    rows = list(club.store.journal.rows("p1"))
    left = {r.seq for r in standing(rows)}
    assert {r.row for r in history(rows) if not r.undone} == {r.seq for r in rows if r.kind == "roll" and r.seq in left}


def test_what_is_mailed_after_a_rewind_is_the_game_that_was_played(club: Club) -> None:
    """A report tells nothing that a rewind has undone, though it happened since the report before; but it tells the rewind."""
    club.play(until=lambda g: g.step_name == "1 allied drop")
    untold = 0
    for step in ("1 allied movement", "1 allied drop"):  # the second goes forward again, into what the first has undone
        referee.rewind(club.context, "p1", step, "try again")
        rows = list(club.store.journal.rows("p1"))
        left = {r.seq for r in standing(rows)}
        for side in ("allied", "axis"):
            report = club.store.games.report("p1", side)
            assert report is not None
            since = [r for r in rows if report.first <= r.seq <= report.last]
            untold += sum(r.kind == "event" and r.seq not in left for r in since)
            paths = [r.payload["event"]["path"] for r in since if r.seq in left and r.payload.get("event", {}).get("path")]
            assert all(m["path"] in paths for m in report.doc["moves"])
            assert {r["seq"] for r in report.doc["rolls"]} <= left
            assert "took the game back" in str(report.doc["happened"])
    assert untold > 20
