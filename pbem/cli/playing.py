"""Commands to play at once: the demo, and a game alone at the terminal."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from pbem.cli.terminal import Bad, load, log


def _ourselves() -> str:
    """How this program is called from wherever the user stands."""
    if shutil.which("pbem"):
        return "pbem"
    called = Path(sys.argv[0]).absolute()
    command = [str(called)] if called.name == "pbem" else [sys.executable, "-m", "pbem"]
    return shlex.join(command)


def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    scenario_name: Annotated[str, typer.Option("--scenario", help="TITLE/SCENARIO; else the one for newcomers.")] = "",
    seed: Annotated[int | None, typer.Option("--seed", help="A number, for a demo that can be repeated.")] = None,
    rate: Annotated[float, typer.Option("--rate", help="At most so many mails a second; 0: as fast as it goes.")] = 0,
) -> None:
    """Play a whole game by real mail on loopback between two scripted players, and leave every mail to be read."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from pbem import config as settings
    from pbem.demo import first_commands
    from pbem.demo import run as play
    from pbem.games import find_title
    from pbem.scenarios import catalog

    log(settings.load({}, None), quiet=True)
    scenario_name = scenario_name or catalog.shown_first()
    console = Console(stderr=True)
    with Progress(TextColumn("{task.description:32}"), BarColumn(), TimeElapsedColumn(), console=console) as bar:
        task = bar.add_task("setting up", total=None)
        done = play(
            folder, scenario_name, seed, rate, lambda words, at, of: bar.update(task, description=words, completed=at, total=of)
        )
        bar.update(task, description="done", completed=1, total=1)
    winner = "a draw" if done.winner == "draw" else f"{done.winner} wins"
    print(f"A whole game: {winner}; {sum(done.mails_in.values())} mails in, {done.mails_out} mails out, {done.seconds:.0f} s.")
    print(f"Mails in for a player turn: {done.counted()}.")
    print(f"Read every mail as its receiver saw it: {done.index.resolve()}")
    print("To play a side yourself, against a friend or both sides, with files in place of a mail server:")
    for line in first_commands(scenario_name, _ourselves(), find_title(scenario_name.partition("/")[0]).sides):
        print(f"  {line}")


def play(
    scenario_name: Annotated[str, typer.Argument(metavar="SCENARIO", help="TITLE/SCENARIO, as 'pbem scenario list' shows it.")],
    side: Annotated[str, typer.Option("--side", help="The side you play; the planner plays the other one.")],
    db: Annotated[Path | None, typer.Option("--db", help="Keep the game in this file, and go on with it the next time.")] = None,
) -> None:
    """Play one side alone, here at the terminal: write orders as in a mail, read reports as a mail brings them."""
    from pbem import play as alone
    from pbem.bootstrap import bootstrap
    from pbem.scenarios import catalog
    from pbem.store.schema import open_store

    title, slash, name = scenario_name.partition("/")
    if not slash or not title or not name:
        raise Bad(f"{scenario_name!r} is no scenario; write it like {catalog.shown_first()}")
    config = load(None, policy="open", operator="", replies_per_hour=1_000_000)
    found = bootstrap(config, store=open_store(db or ":memory:", create=True))
    try:
        solo = alone.Solo(found, side, _typed, print)
        solo.begin(title, name)
        over = solo.play()
    finally:
        found.close()
    if not over:
        print("The game is kept: the same command goes on with it." if db else "The game is gone; '--db FILE' would keep it.")


def _typed() -> str | None:
    """The next line at the terminal; None at its end."""
    try:
        return input("> " if sys.stdin.isatty() else "")
    except EOFError:
        return None
