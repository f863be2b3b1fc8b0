"""Help and completion answer at once: what they may import, and what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HEAVY = {
    "PIL", "aiosmtpd", "apscheduler", "css_inline", "dkim", "dns", "icalendar", "imapclient", "jinja2", "msgspec", "numpy",
    "rapidfuzz", "resvg_py", "sqlite_utils", "structlog",
}
"""Libraries that help has no use for."""

NEEDED = {"msgspec", "numpy", "sqlite_utils"}
"""Those of them that a list of games does need, or that come with what it needs."""


def imported(*words: str, folder: Path) -> set[str]:
    """The modules that a command has imported at its end."""
    code = (
        "import json, sys\nfrom pbem.cli import main\n"
        f"assert main({list(words)!r}) == 0\nprint(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT), "PBEM_DB": "pbem.db"}, check=True,
        capture_output=True, text=True,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize("words", [("--help",), ("game", "new", "--help"), ("--version",)], ids=" ".join)
def test_help_imports_the_command_line_alone(words: tuple[str, ...], tmp_path: Path) -> None:
    found = imported(*words, folder=tmp_path)
    assert not found & HEAVY
    ours = {m for m in found if m.startswith("pbem.") and not m.startswith("pbem.cli")}
    assert not ours, "what a command needs is imported in its function"


def test_a_list_of_games_needs_neither_mail_nor_pictures(tmp_path: Path) -> None:
    imported("init", folder=tmp_path)
    assert not imported("game", "list", folder=tmp_path) & (HEAVY - NEEDED)


def test_the_version_is_that_of_the_project() -> None:
    done = subprocess.run([sys.executable, "-m", "pbem", "--version"], cwd=ROOT, check=True, capture_output=True, text=True)
    assert f'version = "{done.stdout.split()[1]}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("typed", "offered"), [("pbem ga", "game"), ("pbem game re", "rewind"), ("pbem rolls --st", "--stats")])
def test_the_shell_completes_commands_and_options(typed: str, offered: str) -> None:
    environment = {**os.environ, "_PBEM_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" "))}
    done = subprocess.run([sys.executable, "-m", "pbem"], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert offered in done.stdout.split()
