"""The command line.  Every command takes --db; settings are environment variables or ``.env`` (see pbem.config).

Exit codes: 0 fine, 1 the thing asked about is wrong, 2 bad use.  Errors are one line on stderr.  The commands stand in the
modules of this package, by what they are about.  What a command needs is imported when it runs, so that help, completion and
mistyped commands cost nothing.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer

from pbem.cli import games, host, looking, people, playing, server, titles
from pbem.cli.terminal import BAD_USE, FINE, WRONG, Bad, Wrong

COMMANDS: dict[str, Callable[..., None]] = {
    "demo": playing.demo, "play": playing.play, "init": server.init, "doctor": server.doctor, "run": server.run,
    "tick": server.tick, "status": host.status, "health": host.watch, "resume": host.resume, "backup": host.backup,
    "restore": host.restore, "deliver": server.deliver, "notes": server.notes, "show": looking.show, "rolls": looking.rolls,
    "audit": looking.audit, "export": looking.export, "verify": looking.verify, "rules": titles.rules,
}
GROUPS: dict[str, tuple[str, dict[str, Callable[..., None]]]] = {
    "game": ("Create games, and the referee's acts.", {
        "new": games.new, "list": host.game_list, "show": games.show, "clock": host.game_clock, "pause": games.pause,
        "resume": games.resume, "extend": games.extend, "rewind": games.rewind, "substitute": games.substitute,
        "close": games.close, "reopen": games.reopen,
    }),
    "outbox": ("Mail that goes out.", {
        "list": server.outbox_list, "export": server.outbox_export, "flush": server.outbox_flush, "retry": server.outbox_retry,
    }),
    "inbox": ("Mail that came in.", {
        "list": server.inbox_list, "show": server.inbox_show, "release": server.inbox_release,
    }),
    "scenario": ("The scenarios and their data.", {"list": titles.scenario_list, "check": titles.scenario_check}),
    "people": ("Members, and whose mail is not taken.", {
        "list": people.people_list, "deny": people.people_deny, "allow": people.people_allow,
    }),
}  # fmt: skip
def _version(asked: bool) -> None:
    if asked:
        print(f"pbem {version()}")
        raise typer.Exit(FINE)


def _general(
    shown: Annotated[bool, typer.Option("--version", help="Which version this is.", callback=_version, is_eager=True)] = False,
) -> None:
    """A play-by-email adjudicator."""


def application(words: Sequence[str] = ()) -> typer.Typer:
    """The commands.  ``words``: the command line, so that a command that it names is made ready alone, and a group that is
    only mentioned stays empty; making all of them ready takes longer than most of them run."""
    first, second = (*words, "", "")[:2]
    named = first in COMMANDS or first in GROUPS
    app = typer.Typer(name="pbem", no_args_is_help=True)
    app.callback()(_general)
    for called, command in COMMANDS.items():
        if not named or called == first:
            app.command(called)(command)
    for name, (about, commands) in GROUPS.items():
        if named and name != first:
            continue
        group = typer.Typer(help=about, no_args_is_help=True)
        group.callback()(_nothing)
        for called, command in commands.items():
            if first != "--help" and (name != first or second not in commands or called == second):
                group.command(called)(command)
        app.add_typer(group, name=name, help=about)
    return app


def _nothing() -> None:
    """What a group does by itself."""


def version() -> str:
    """The version that is installed; in a source tree, the one that it would have."""
    from importlib import metadata

    try:
        return metadata.version("pbem")
    except metadata.PackageNotFoundError:
        import tomllib
        from pathlib import Path

        return str(tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]["version"])


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code; the entry point of the console script and of ``python -m pbem``."""
    args = list(argv) if argv is not None else sys.argv[1:]
    command = typer.main.get_command(application(args))
    try:
        return command.main(args=args, prog_name="pbem", standalone_mode=False) or FINE
    except typer.Exit as end:
        return end.exit_code
    except Wrong as error:
        return _fail(error, WRONG)
    except Bad as error:
        return _fail(error, BAD_USE)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("stopped", WRONG)
    except Exception as error:
        if hasattr(error, "format_message"):  # what the library for the command line finds wrong with the words given
            return _fail(f"{error.format_message()} ('--help' after the command tells how)", BAD_USE)
        return _known(error)


def _known(error: Exception) -> int:
    """What a command stumbled over: errors whose message says by itself what, where and how to mend; faults of the program."""
    from pbem import daemon
    from pbem.config import ConfigError
    from pbem.core.fold import NoSuchStep
    from pbem.games import UnknownTitle
    from pbem.scenarios.catalog import ScenarioError
    from pbem.service.play.game_session import BadGame, Stopped
    from pbem.service.play.referee import CannotDo
    from pbem.service.records.bundle import BadBundle
    from pbem.store.api import GameExists, NoSuchGame, StoreError

    misuse = (ConfigError, StoreError, BadGame, GameExists, CannotDo, ScenarioError, UnknownTitle, BadBundle, NoSuchStep)
    if isinstance(error, misuse):
        return _fail(error, BAD_USE)
    if isinstance(error, NoSuchGame):
        return _fail(f"{error}; 'pbem game list' names them", BAD_USE)
    if isinstance(error, (daemon.Busy, Stopped, *daemon.TROUBLE)):
        return _fail(error, WRONG)
    if os.environ.get("PBEM_LOG_LEVEL") == "debug":
        raise error
    return _fail(f"{type(error).__name__}: {error} (a fault of the program; PBEM_LOG_LEVEL=debug shows where)", WRONG)


def _fail(error: Exception | str, code: int) -> int:
    text = str(error) or type(error).__name__
    print("pbem: " + "\npbem: ".join(line for line in text.splitlines() if line), file=sys.stderr)
    return code
