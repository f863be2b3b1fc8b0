"""What the command line costs before it does anything, in one run: ``python -m tests.bench.startup``.

Each command is a process of its own, and so is the yardstick: importing typer, rich and sqlite_utils, which any command needs.
They take turns, so that a busy machine is busy for all of them; the fastest run of each counts.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
YARDSTICK = ("-c", "import typer, rich, sqlite_utils")
GAME = (
    "-m", "pbem", "game", "new", "fab_sicily/primosole_bridge", "--id", "p1", "--seat", "allied=ann@example.org",
    "--seat", "axis=bob@example.org",
)
MEASURED = {"pbem --help": ("-m", "pbem", "--help"), "pbem game list": ("-m", "pbem", "game", "list")}
MOST = {"pbem --help": 1.5, "pbem game list": 2.5}
"""What they may cost, in yardsticks."""


def run(args: Sequence[str], folder: Path) -> float:
    """Seconds that a process takes from start to end."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "PBEM_PICTURES": "false"}
    began = time.perf_counter()
    subprocess.run([sys.executable, *args], cwd=folder, env=environment, check=True, capture_output=True)
    return time.perf_counter() - began


def ratios(rounds: int = 7) -> dict[str, float]:
    """What each command costs, in yardsticks; and the yardstick itself in seconds."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        run(GAME, folder)
        wanted = {"": YARDSTICK, **MEASURED}
        best = dict.fromkeys(wanted, 1e9)
        for _ in range(rounds):
            for what, args in wanted.items():
                best[what] = min(best[what], run(args, folder))
    return {"seconds": best[""], **{what: best[what] / best[""] for what in MEASURED}}


def main() -> None:
    """Print them."""
    found = ratios()
    print(f"importing typer, rich and sqlite_utils: {found.pop('seconds'):.3f} s")
    for what, ratio in found.items():
        print(f"{what}: {ratio:.2f} times that (at most {MOST[what]})")


if __name__ == "__main__":
    main()
