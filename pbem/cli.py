"""The command line.  Every command takes --db; settings are environment variables or ``.env`` (see pbem.config).

Exit codes: 0 fine, 1 the thing asked about is wrong, 2 bad use.  Errors are one line on stderr.  What only the host needs
stands in :mod:`pbem.hostcli`, what is about people in :mod:`pbem.peoplecli`.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from pbem import config as settings
from pbem import daemon, hostcli, peoplecli
from pbem.audit import history, stats
from pbem.bootstrap import bootstrap, geometry
from pbem.config import ConfigError
from pbem.core.fold import NoSuchStep
from pbem.games.contract import UnknownTitle, find_title
from pbem.reports import render
from pbem.service.letters import attachments, mailing, outgoing, pictures
from pbem.service.mailroom import explain, intake
from pbem.service.play import game_session, map_request, referee, referee_mail
from pbem.service.records import audit_site, bundle, roll_history
from pbem.service.records.bundle import BadBundle
from pbem.service.records.coverage import Covered, coverage
from pbem.service.host.doctor import examine
from pbem.service.play.referee import CannotDo
from pbem.service.play.game_session import BadGame, Player, Stopped
from pbem.scenarios import catalog
from pbem.store.api import GameExists, NoSuchGame, StoreError
from pbem.scenarios.catalog import ScenarioError
from pbem.store.schema import open_store
from pbem.terminal import (
    BAD_USE, FINE, WRONG, Bad, Db, GameId, NoDb, Reason, Wrong, load, log, new_table, one_of, opened, show_table, write_rows,
)

app = typer.Typer(name="pbem", help="A play-by-email adjudicator.", no_args_is_help=True, add_completion=False)
games = typer.Typer(help="Create games, and the referee's acts.", no_args_is_help=True)
letters = typer.Typer(help="Mail that goes out.", no_args_is_help=True)
mails = typer.Typer(help="Mail that came in.", no_args_is_help=True)
scenario = typer.Typer(help="The scenarios and their data.", no_args_is_help=True)
people = typer.Typer(help="Members, and whose mail is not taken.", no_args_is_help=True)
app.command("status")(hostcli.status)
app.command("health")(hostcli.watch)
app.command("resume")(hostcli.resume)
app.command("backup")(hostcli.backup)
app.command("restore")(hostcli.restore)
games.command("list")(hostcli.game_list)
games.command("clock")(hostcli.game_clock)
people.command("list")(peoplecli.people_list)
people.command("deny")(peoplecli.people_deny)
people.command("allow")(peoplecli.people_allow)
for sub, name in ((games, "game"), (letters, "outbox"), (mails, "inbox"), (scenario, "scenario"), (people, "people")):
    app.add_typer(sub, name=name)

MISUSE = (Bad, ConfigError, StoreError, BadGame, GameExists, CannotDo, ScenarioError, UnknownTitle, BadBundle, NoSuchStep)
"""Errors whose message says by itself what, where and how to mend."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit code; the entry point of the console script and of ``python -m pbem``."""
    command = typer.main.get_command(app)
    try:
        return command.main(args=list(argv) if argv is not None else None, prog_name="pbem", standalone_mode=False) or FINE
    except typer.Exit as end:
        return end.exit_code
    except Wrong as error:
        return _fail(error, WRONG)
    except MISUSE as error:
        return _fail(error, BAD_USE)
    except NoSuchGame as error:
        return _fail(f"{error}; 'pbem game list' names them", BAD_USE)
    except (daemon.Busy, Stopped, *daemon.TROUBLE) as error:
        return _fail(error, WRONG)
    except (KeyboardInterrupt, typer.Abort):
        return _fail("stopped", WRONG)
    except Exception as error:
        if hasattr(error, "format_message"):  # what the library for the command line finds wrong with the words given
            return _fail(f"{error.format_message()} ('--help' after the command tells how)", BAD_USE)
        if os.environ.get("PBEM_LOG_LEVEL") == "debug":
            raise
        return _fail(f"{type(error).__name__}: {error} (a fault of the program; PBEM_LOG_LEVEL=debug shows where)", WRONG)


def _fail(error: Exception | str, code: int) -> int:
    text = str(error) or type(error).__name__
    print("pbem: " + "\npbem: ".join(line for line in text.splitlines() if line), file=sys.stderr)
    return code


# -- the server ------------------------------------------------------------------------------------------


@app.command()
def init(db: Db = None) -> None:
    """Write .env, if there is none, and make the database."""
    env = Path(".env")
    if not env.exists():
        env.write_text(settings.example(), encoding="utf-8")
        print(f"{env}: written; every setting is in it, at its default")
    config = load(db)
    existed = config.db.exists()
    open_store(config.db, create=True).close()
    print(f"{config.db}: {'the database is there and up to date' if existed else 'an empty database was made'}")


@app.command()
def doctor(db: Db = None) -> None:
    """Check the settings, the database, both mail servers and the clock."""
    config = load(db)
    bad = False
    for check in examine(config):
        print(f"{'ok  ' if check.ok else 'FAIL'}  {check.what}: {check.found}" + ("" if check.ok else f"; {check.mend}"))
        bad = bad or not check.ok
    raise typer.Exit(WRONG if bad else FINE)


@app.command()
def run(db: Db = None) -> None:
    """The daemon: fetch, handle, deadlines, send, until it is told to stop."""
    found = bootstrap(load(db))
    log(found.context.config)
    try:
        daemon.run(found)
    finally:
        found.close()


@app.command()
def tick(
    now: Annotated[bool, typer.Option("--now", help="Try at once what failed before and waits for its pause to end.")] = False,
    db: Db = None,
) -> None:
    """One cycle of the daemon."""
    with opened(db) as found:
        config = found.context.config
        log(config)
        with daemon.only_one(config.db), daemon.mail_server(config), found.new_mailbox() as mailbox:
            done = daemon.tick(found, mailbox, found.new_sender(), at_once=now)
        print(f"fetched {done.fetched}, handled {done.handled}, due {done.due}, sent {done.sent}")
        raise typer.Exit(WRONG if done.trouble else FINE)


@app.command()
def deliver(
    files: Annotated[list[Path], typer.Argument(help="Raw mails (.eml).")],
    why: Annotated[bool, typer.Option("--explain", help="File nothing; print as JSON how each mail is read.")] = False,
    db: Db = None,
) -> None:
    """Put raw mails into the inbox and handle them, as if they had been fetched; one line a mail."""
    failed = False
    with opened(db) as found:
        for path in files:
            if not path.is_file():
                raise Bad(f"{path}: there is no such file")
        if why:
            told = explain.explain(found.context, [path.read_bytes() for path in files])
            for path, each in zip(files, told, strict=True):
                print(json.dumps(each if len(files) == 1 else {"file": str(path), **each}, ensure_ascii=False))
            return
        for path in files:
            mail, new = intake.file(found.context, path.read_bytes(), found.context.now, f"file {path.name}")
            outcome = intake.handle(found.context, mail.id)
            where = f" [{outcome.game} {outcome.side}]" if outcome.game else ""
            print(f"{path}: {outcome.disposition if new else 'ignore-auto'}{where}: {outcome.reason}")
            failed = failed or outcome.disposition == intake.FAILED
    raise typer.Exit(WRONG if failed else FINE)


@letters.command("export")
def outbox_export(folder: Annotated[Path, typer.Argument(metavar="DIR")], db: Db = None) -> None:
    """Write unsent mails as .eml files; they stay in the outbox."""
    folder.mkdir(parents=True, exist_ok=True)
    with opened(db) as found:
        for letter in list(found.store.outbox.unsent()):
            path = folder / f"{letter.id:06d}-{_file_name(letter.game or 'note')}-{_file_name(letter.side or letter.kind)}.eml"
            path.write_bytes(pictures.drawn(found.context, letter.id).raw)
            print(f"{path}: to {letter.recipient}: {letter.subject}")


def _file_name(text: str) -> str:
    return re.sub(r"[^a-z0-9.-]", "_", text.lower())


@letters.command("flush")
def outbox_flush(db: Db = None) -> None:
    """Send unsent mails now."""
    with opened(db) as found:
        config = found.context.config
        with daemon.only_one(config.db), daemon.mail_server(config):
            sent = outgoing.send_ready(found.context, found.new_sender(), limit=1_000_000, at_once=True)
        left = sum(found.store.outbox.counts().get(s, 0) for s in ("queued", "sending"))
        print(f"sent {sent}, {left} left")
        raise typer.Exit(WRONG if left else FINE)


@letters.command("list")
def outbox_list(db: Db = None) -> None:
    """Unsent mails, and why they are still there."""
    with opened(db) as found:
        table = new_table("id", "status", "to", "game", "kind", "tries", "next try", "last error", "subject")
        for x in found.store.outbox.unsent():
            table.add_row(str(x.id), x.status, x.recipient, x.game, x.kind, str(x.attempts), x.next_try, x.error, x.subject)
        show_table(table)


@mails.command("list")
def inbox_list(limit: int = 50, db: Db = None) -> None:
    """The mails handled last, and what became of them."""
    with opened(db) as found:
        table = new_table("id", "received", "disposition", "game", "side", "why")
        for m in found.store.inbox.handled(limit):
            table.add_row(str(m.id), m.received, m.disposition, m.game, m.side, m.reason)
        show_table(table)


@mails.command("show")
def inbox_show(id: int, db: Db = None) -> None:
    """A mail as it came in."""
    with opened(db) as found:
        try:
            mail = found.store.inbox.get(id)
        except KeyError:
            raise Bad(f"there is no mail {id}; 'pbem inbox list' names them") from None
        sys.stdout.buffer.write(mail.raw)


@app.command()
def notes(game: Annotated[str, typer.Option(help="Of one game.")] = "", limit: int = 50, db: Db = None) -> None:
    """The host's log: strangers, shelved mails, bounces, missed deadlines, acts of referees."""
    with opened(db) as found:
        table = new_table("at", "game", "kind", "what")
        for n in found.store.notes.last(limit, game or None):
            table.add_row(n.at, n.game, n.kind, n.text)
        show_table(table)


# -- games -----------------------------------------------------------------------------------------------


@games.command("new")
def game_new(
    scenario_name: Annotated[str, typer.Argument(metavar="SCENARIO", help="TITLE/SCENARIO, as 'pbem scenario list' shows it.")],
    id: Annotated[str, typer.Option("--id", help="The game's name in all mails.")],
    seat: Annotated[list[str], typer.Option("--seat", help="side=address or 'side=Name <address>', once a side.")],
    referee_address: Annotated[str, typer.Option("--referee", help="Who hears of trouble and may step in.")] = "",
    hours: Annotated[str, typer.Option("--deadline", help="Time for an answer: 72, '3 days'.")] = "",
    phases: Annotated[str, typer.Option("--phases", help="Other times for some phases: 'axis movement 48, 1 96'.")] = "",
    runs: Annotated[str, typer.Option("--clock", help="When that time runs: 'mon-fri 08-22'.")] = "",
    zone: Annotated[str, typer.Option("--zone", help="The game's time zone: Europe/Rome.")] = "",
    grace: Annotated[str, typer.Option("--grace", help="Hours that a late side is still waited for.")] = "",
    extension: Annotated[str, typer.Option("--extension", help="Hours more, once in the game, for who misses a deadline.")] = "",
    remind: Annotated[str, typer.Option("--remind", help="Hours before the deadline: '48 24 6'.")] = "",
    early: Annotated[str, typer.Option("--early", help="Carry orders out as they come (yes), when ready, or no.")] = "",
    set_: Annotated[list[str] | None, typer.Option("--set", help="option=value: a switch of the scenario …")] = None,
    db: Db = None,
) -> None:
    """Create a game; both players get the situation, what is wanted of them, and a block to reply with."""
    title, slash, name = scenario_name.partition("/")
    if not slash or not title or not name:
        raise Bad(f"{scenario_name!r} is no scenario; write it like {catalog.shown_first()}")
    players = {}
    for side, who in (_pair(text, "--seat", "side=address") for text in seat):
        if side in players:
            raise Bad(f"--seat {side} is given twice")
        players[side] = _player(who)
    times = {
        "deadline_hours": hours, "phase_hours": phases, "clock_hours": runs, "zone": zone, "grace_hours": grace,
        "extension_hours": extension, "reminder_hours": remind, "early": early,
    }
    options = {k: v for k, v in times.items() if v} | dict(_pair(text, "--set", "option=value") for text in set_ or [])
    config = load(db)
    found = bootstrap(config, store=open_store(config.db, create=True))
    try:
        with found.store.transaction():
            play = game_session.create(
                found.context, title, name, id.lower(), players, _player(referee_address) if referee_address else None, options
            )
            mailing.send(play, game_session.store_rows(play), lines=play.clock.lines())
            referee_mail.welcome(found.context, play.game)
        print(f"game {play.game.id}: {scenario_name}, waits for {' and '.join(play.session.waiting()) or 'nobody'}")
        print(f"commitment of the dice (sha256 of the seed): {play.game.commitment}")
        print(f"{len(players)} mails are in the outbox: 'pbem run' sends them, 'pbem outbox export DIR' writes them as files")
    finally:
        found.close()


def _pair(text: str, option: str, shape: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise Bad(f"{option} {text!r}: write it like {shape}")
    return name.strip(), value.strip()


def _player(text: str) -> Player:
    name, address = parseaddr(text)
    if not settings.is_address(address):
        raise Bad(f"{text!r} is no mail address; write it like ann@example.org or 'Ann <ann@example.org>'")
    return Player(address, "".join(c for c in name if c.isprintable())[:60])


@games.command("show")
def game_show(game: GameId, db: Db = None) -> None:
    """One game: seats, phase, deadlines, options, the host's notes on it."""
    with opened(db) as found:
        g = found.store.games.get(game)
        table = new_table("what", "is")
        facts: list[tuple[str, str]] = [
            ("game", g.id), ("scenario", f"{g.title}/{g.scenario}"), ("status", f"{g.status} {g.note}".strip()),
            ("phase", g.step_name), ("waits for", ", ".join(g.waiting) or "nobody"), ("created", g.created),
            ("options", json.dumps(dict(g.options), sort_keys=True)), ("commitment", g.commitment),
            ("journal", f"{g.seq} rows, head {g.head}"),
        ]
        for s in found.store.games.seats(game):
            facts.append((f"seat {s.side}", f"{s.name} <{s.address}>, {s.report} reports, token {s.token}".strip()))
        facts += [(f"due {d.side}", f"{d.kind} {d.at}") for d in found.store.games.dues(game)]
        facts += [(n.at, f"{n.kind}: {n.text}") for n in reversed(found.store.notes.last(20, game))]
        for what, is_ in facts:
            table.add_row(what, is_)
        show_table(table)


@games.command("pause")
def game_pause(game: GameId, reason: Reason = "", db: Db = None) -> None:
    """Stop play; no deadline runs meanwhile."""
    with opened(db) as found:
        referee.pause(found.context, game, reason)
        print(f"game {game} is paused")


@games.command("resume")
def game_resume(game: GameId, db: Db = None) -> None:
    """Let a paused or halted game go on; whoever is asked has the full time again."""
    with opened(db) as found:
        referee.resume(found.context, game)
        print(f"game {game} goes on")


@games.command("extend")
def game_extend(
    game: GameId, hours: Annotated[float, typer.Option("--hours", help="How much later.")], side: str = "", reason: Reason = "",
    db: Db = None,
) -> None:
    """Move the deadline of a side, or of all who are asked."""
    if not 0 < hours <= 24 * 366:
        raise Bad(f"--hours {hours:g}: give a number of hours above 0, at most a year")
    with opened(db) as found:
        for who, at in referee.extend(found.context, game, hours, side, reason).items():
            own = game_session.clock_of(found.context, found.store.games.get(game))
            print(f"{who}: {own.words(at, found.context.now)['text']}")


@games.command("rewind")
def game_rewind(
    game: GameId, to: Annotated[str, typer.Option("--to", help="The phase to begin again, like '2 allied movement'.")],
    reason: Reason, db: Db = None,
) -> None:
    """Go back to the start of a phase; nothing is erased, both players are told, the dice fall anew."""
    with opened(db) as found:
        row = referee.rewind(found.context, game, to, reason)
        print(f"game {game} is back in {row.step_name}, waits for {' and '.join(row.waiting) or 'nobody'}")


@games.command("substitute")
def game_substitute(game: GameId, seat: Annotated[str, typer.Option("--seat", help="side=address")], db: Db = None) -> None:
    """Give a seat to another person."""
    side, who = _pair(seat, "--seat", "side=address")
    with opened(db) as found:
        referee.substitute(found.context, game, side, _player(who))
        print(f"game {game}: {side} has a new player")


@games.command("close")
def game_close(game: GameId, reason: Reason = "", db: Db = None) -> None:
    """Put a game away; it stays in the database."""
    with opened(db) as found:
        referee.close(found.context, game, reason)
        print(f"game {game} is closed")


# -- looking at a game -----------------------------------------------------------------------------------


@app.command()
def show(
    game: GameId, side: Annotated[str, typer.Option("--as", help="The side that looks.")],
    style: Annotated[str, typer.Option("--format", help="text, html, json, png or svg.")] = "text",
    around: Annotated[str, typer.Option("--around", help="Of the picture only what lies round a place.")] = "", db: Db = None,
) -> None:
    """A report as that side sees it now."""
    one_of(style, "text", "html", "json", "png", "svg")
    with opened(db) as found, found.store.transaction():
        play = game_session.take(found.context, game)
        one_of(side, *play.rules.sides)
        doc = mailing.latest(play, side)
        if style == "text":
            sys.stdout.write(render.text_report(doc))
        elif style == "html":
            sys.stdout.write(render.html_report(doc))
        elif style == "json":
            sys.stdout.write(attachments.as_json(doc).decode())
        else:
            ground = geometry(play.game.title)
            if ground is None:
                raise Bad(f"{play.game.title} has no map to draw")
            try:
                areas = map_request.around(doc["view"], around)
            except map_request.NoPlace as error:
                raise Bad(str(error)) from None
            sys.stdout.buffer.write(pictures.picture(doc, ground, areas, f"map.{style}"))


@app.command()
def rolls(
    game: GameId,
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORD]...", help="Turn, side, phase, rule or purpose.")] = None,
    style: Annotated[str, typer.Option("--format", help="table, csv or json.")] = "table",
    with_stats: Annotated[bool, typer.Option("--stats", help="Whether the dice were fair, instead of each roll.")] = False,
    chart: Annotated[Path | None, typer.Option("--picture", metavar="FILE.png", help="Draw them: faces, luck over time.")] = None,
    side: Annotated[str, typer.Option("--as", help="Only what that side may see.")] = "", db: Db = None,
) -> None:
    """Every roll of a game, or those that all WORDs fit."""
    one_of(style, "table", "csv", "json")
    with opened(db) as found:
        g = found.store.games.get(game)
        rules = found.context.rules(g.title)
        if side:
            one_of(side, *rules.sides)
        rows = list(found.store.journal.rows(game, kinds=["step", "roll", "control"]))
        chosen = history.matching(roll_history.of_game(rules, rows, side, g.status in bundle.ENDED), words or [])
        if chart:
            chart.write_bytes(roll_history.picture(rules, chosen, f"The dice of game {game}"))
            print(f"{chart}: {len(chosen)} rolls")
        elif with_stats and style == "table":
            print("\n".join(roll_history.fairness(rules, chosen)))
        elif with_stats:
            write_rows((_numbers(f) for f in roll_history.tested(rules, chosen)), style)
        elif style == "table":
            print("\n".join(history.table(chosen)))
        else:
            sys.stdout.write(history.as_csv(chosen).replace("\r\n", "\n") if style == "csv" else history.as_json(chosen))


def _numbers(f: stats.Fairness) -> dict[str, Any]:
    tests = {f"{n}_{w}": getattr(getattr(f, n), w) for n in ("faces", "order", "luck") for w in ("p", "corrected")}
    kept = {k: v for k, v in vars(f).items() if k not in ("faces", "order", "luck")}
    return {**kept, "counts": list(f.counts), "values": list(f.values), **tests, "verdict": f.verdict}


@app.command()
def audit(
    game: GameId,
    html: Annotated[Path | None, typer.Option("--html", metavar="DIR", help="Write the audit as pages, too.")] = None,
    side: Annotated[str, typer.Option("--as", help="Pages for that side, while the game runs.")] = "", db: Db = None,
) -> None:
    """Run a game's rules again from its journal: chain, dice, every event.  Exit code 1 names the first difference."""
    with opened(db) as found:
        g = found.store.games.get(game)
        if side:
            one_of(side, *found.context.rules(g.title).sides)
        wrong = referee_mail.examine(found.context, g)
        if html:
            index = audit_site.write(found.context, game, html, side, "" if wrong is None else wrong)
            hidden = "" if side or g.status in bundle.ENDED else "; it shows what each side hides from the other"
            print(f"{index}: open it in a browser{hidden}")
        if wrong is not None:
            raise Wrong(f"game {game}: {wrong.why}")
        count = len(list(found.store.journal.rows(game, kinds=["roll"])))
        print(f"game {game} is whole: {g.seq} rows, {count} rolls, chain, dice and rules agree; head {g.head}")


@app.command()
def export(
    game: GameId, file: Annotated[Path, typer.Argument(metavar="FILE.zip")],
    side: Annotated[str, typer.Option("--as", help="What that side may know; needed while the game runs.")] = "",
    full: Annotated[bool, typer.Option("--full", help="Everything but the seed, though the game still runs.")] = False,
    db: Db = None,
) -> None:
    """A game in one file, to be checked by anybody."""
    with opened(db) as found:
        g = found.store.games.get(game)
        sides = found.context.rules(g.title).sides
        if g.status != "over" and not full and side not in sides:
            raise Bad(f"game {game} is not over: say for whom (--as {' or '.join(sides)}), or --full for your own eyes")
        count = bundle.export(found.context, game, file, "" if full else side)
        print(f"{file}: {count} rows" + (f", as {side} may know them" if side and g.status != "over" and not full else ""))


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip")],
    kept: Annotated[list[Path] | None, typer.Argument(metavar="[MAIL.eml | OLDER.zip]...", help="What you kept.")] = None,
    db: NoDb = None,
) -> None:
    """Check such a file without a database; mails you kept bear witness.  Exit code 1 names the first thing that is wrong."""
    for path in [file, *(kept or [])]:
        if not path.is_file():
            raise Bad(f"{path}: there is no such file")
    found = bundle.verify(file, find_title, kept or [])
    if found.wrong:
        raise Wrong(f"{file}: {found.wrong}")
    dice = f"{found.checked} dice thrown again" if found.checked else "the seed of the dice comes with the end of the game"
    hidden = f", {found.hidden} of them known by their hash alone" if found.hidden else ""
    more = ", the rules run again" if found.rules else ""
    more += f", {found.witnesses} hashes from what you kept agree" if kept else ""
    print(f"{file}: game {found.game} is whole: {found.rows} rows{hidden}, {found.rolls} rolls; {dice}{more}; head {found.head}")


# -- titles ----------------------------------------------------------------------------------------------


@app.command()
def rules(title: str, style: Annotated[str, typer.Option("--format", help="table or csv.")] = "table", db: NoDb = None) -> None:
    """Every rule of a title: where it is implemented, which tests are about it."""
    one_of(style, "table", "csv")
    if not (catalog.root() / title / "rules.csv").is_file():
        raise Bad(f"there is no list of rules of {title!r}; 'pbem scenario list' names the titles")
    found = coverage(title, catalog.root())
    if style == "csv":
        write_rows(({**r.__dict__, "reach": " ".join(f"{k}={v}" for k, v in r.reach.items())} for r in found), "csv")
        return
    show_table(_table_of_rules(found))
    untested = [r.rule for r in found if "yes" in r.reach.values() and not r.tests]
    print(f"{sum(bool(r.tests) for r in found)} of {len(found)} rows have tests.")
    if untested:
        print(f"Reached by a scenario and without a test: {', '.join(untested)}.")


def _table_of_rules(found: Sequence[Covered]) -> Table:
    table = new_table("rule", "heading", "code", "tests")
    for r in found:
        tests = list(dict.fromkeys(r.tests))
        code = ", ".join(r.code[:3]) + (f" and {len(r.code) - 3} more" if len(r.code) > 3 else "")
        table.add_row(r.rule, r.heading, code or r.note, str(len(tests)) if tests else "-")
    return table


@scenario.command("list")
def scenario_list(db: NoDb = None) -> None:
    """What can be played."""
    table = new_table("scenario", "name")
    for e in catalog.catalog():
        table.add_row(f"{e.title}/{e.scenario}", e.heading)
    show_table(table)


@scenario.command("check")
def scenario_check(
    path: Annotated[Path | None, typer.Argument(help="A title's folder, or a file in it.")] = None, db: NoDb = None
) -> None:
    """Whether the data are sound; every broken row, with file and line and how to mend it."""
    problems = catalog.check(path)
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        raise typer.Exit(WRONG)
    table = new_table("file", "printed", "deduced", "historical", "reconstructed")
    for title in sorted({e.title for e in catalog.catalog(every=True)}):
        for name, count in catalog.statuses(title).items():
            table.add_row(f"{title}/{name}", *(str(count[s]) for s in ("printed", "deduced", "historical", "reconstructed")))
    show_table(table)


def _ourselves() -> str:
    """How this program is called from wherever the user stands."""
    if shutil.which("pbem"):
        return "pbem"
    called = Path(sys.argv[0]).absolute()
    command = [str(called)] if called.name == "pbem" else [sys.executable, "-m", "pbem"]
    return shlex.join(command)


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new or empty folder.")],
    scenario_name: Annotated[str, typer.Option("--scenario", help="TITLE/SCENARIO; else the one for newcomers.")] = "",
    seed: Annotated[int | None, typer.Option("--seed", help="A number, for a demo that can be repeated.")] = None,
    rate: Annotated[float, typer.Option("--rate", help="At most so many mails a second; 0: as fast as it goes.")] = 0,
) -> None:
    """Play a whole game by real mail on loopback between two scripted players, and leave every mail to be read."""
    from pbem.demo import first_commands
    from pbem.demo import run as play

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


@app.command()
def play(
    scenario_name: Annotated[str, typer.Argument(metavar="SCENARIO", help="TITLE/SCENARIO, as 'pbem scenario list' shows it.")],
    side: Annotated[str, typer.Option("--side", help="The side you play; the planner plays the other one.")],
    db: Annotated[Path | None, typer.Option("--db", help="Keep the game in this file, and go on with it the next time.")] = None,
) -> None:
    """Play one side alone, here at the terminal: write orders as in a mail, read reports as a mail brings them."""
    from pbem import play as alone

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
