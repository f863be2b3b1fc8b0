"""Alone at a terminal: what is typed goes in as mail, what is mailed is printed."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem import cli


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In an empty folder, with no settings from outside."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PBEM_DB", raising=False)
    monkeypatch.delenv("VISUAL", raising=False)


def play(monkeypatch: pytest.MonkeyPatch, capsys: Any, typed: str, *more: str, side: str = "allied") -> tuple[int, str, str]:
    """Type this, and give the exit code, what was printed, and the errors."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    code = cli.main(["play", "fab_sicily/primosole_bridge", "--side", side, *more])
    out, err = capsys.readouterr()
    return code, out, err


def test_orders_go_in_and_reports_come_out(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    typed = "place 5-1 at B1\nplace 5-9 at B1\nend\nhelp move\nready\nend\nquit\n"
    code, out, err = play(monkeypatch, capsys, typed)
    assert (code, err) == (0, "")
    assert "game solo: report 1" in out and "THE ORDER 'MOVE'" in out
    said = " ".join(out.split())
    assert "is called '5-9'" in said and "Kept, not in force:" in said and "place 5-1 at B1" in said
    assert "game solo: report 2" in out and out.index("report 1") < out.index("THE ORDER 'MOVE'") < out.index("report 2")
    assert "The game is gone" in out


def test_nobody_watches_the_clock(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    _, out, _ = play(monkeypatch, capsys, "place 5-1 at B1\nend\nstatus\nready\nend\nquit\n")
    said = " ".join(out.split())
    assert out.count("WANTED OF YOU") >= 3 and "Default: pass" in said or "Default:" in said
    assert not re.search(r"from this mail|\bUTC\b|Default, on|By \w+day", said)


def test_the_planner_answers_for_the_other_side(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    _, out, _ = play(monkeypatch, capsys, "ready\nend\n", side="axis")
    assert "The planner (Allied)" in out or "Allied Admin Phase" in out
    assert out.count("game solo: report") >= 2 and "WANTED OF YOU" in out


def test_a_game_goes_on_from_its_file(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    _, first, _ = play(monkeypatch, capsys, "ready\nend\n", "--db", str(tmp_path / "solo.db"))
    assert "The game is kept" in first and "game solo: report 2" in first
    _, second, _ = play(monkeypatch, capsys, "status\nquit\n", "--db", str(tmp_path / "solo.db"))
    assert "report 1" not in second and "game solo: report 2" in second and "Where the game stands" in second


def test_a_map_is_written_beside_the_player(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    _, out, _ = play(monkeypatch, capsys, "map around Lentini\nquit\n")
    assert "The map is in solo-map.png." in out
    assert (tmp_path / "solo-map.png").read_bytes()[:4] == b"\x89PNG"


def test_an_old_report_leaves_the_map_alone(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    _, out, _ = play(monkeypatch, capsys, "report 1\nquit\n")
    assert out.count("game solo: report 1") == 2 and not (tmp_path / "solo-map.png").exists()


def test_an_editor_starts_from_the_reply_block(monkeypatch: pytest.MonkeyPatch, capsys: Any, tmp_path: Path) -> None:
    script = tmp_path / "editor.sh"
    script.write_text('#!/bin/sh\ncp "$1" seen.txt\necho "ready" > "$1"\necho "end" >> "$1"\n')
    script.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(script))
    _, out, _ = play(monkeypatch, capsys, "edit\nquit\n")
    assert (tmp_path / "seen.txt").read_text().startswith("game solo\nturn 1 reinforcement\n")
    assert "game solo: report 2" in out


def test_an_editor_that_fails_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    monkeypatch.setenv("EDITOR", "/no/such/editor")
    assert "The editor '/no/such/editor' failed" in play(monkeypatch, capsys, "edit\nquit\n")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["fab_sicily", "--side", "allied"], "is no scenario"),
        (["fab_sicily/primosole_bridge", "--side", "french"], "has the sides"),
    ],
)
def test_bad_use(capsys: Any, words: list[str], said: str) -> None:
    assert cli.main(["play", *words]) == 2
    assert said in capsys.readouterr().err
