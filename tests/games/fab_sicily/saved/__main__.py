"""Adds a saved game: see the package's docstring."""

import sys
import tempfile
from pathlib import Path

from tests.games.fab_sicily import saved

name, scenario, steps, *options = sys.argv[1:]
if (saved.HERE / f"{name}.db.xz").exists():
    sys.exit(f"{name} is there already, and stays as it is: take another name")
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "club.db"
    saved.make(path, scenario, int(steps), dict(option.split("=", 1) for option in options))
    print(saved.pack(path, name))
