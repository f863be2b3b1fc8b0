"""Commands for the host: how the server stands, what to do when it stands still, copies of the database."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.terminal import FINE, WRONG, Bad, Db, GameId, Reason, Wrong, load, new_table, opened, show_table

if TYPE_CHECKING:
    from rich.table import Table

    from pbem.bootstrap import App
    from pbem.store.api import Due, Game

SHELVED_SHOWN = 5
"""So many shelved mails are named."""


# -- how it stands ---------------------------------------------------------------------------------------


def status(db: Db = None) -> None:
    """Inbox, outbox, shelved mails, last tick, next deadline, and whether deadlines are held."""
    from pbem.service.host import health
    from pbem.service.play import outages

    with opened(db) as found:
        store, now = found.store, found.context.now
        facts, held = health.facts(found.context, {}), outages.hold(found.context)
        due = store.games.due_by("9999", 1)
        shelved = store.inbox.shelved(SHELVED_SHOWN)
        lines = [
            ("games", str(facts["games"])), ("inbox", _counted(facts["inbox"])), ("outbox", _counted(facts["outbox"])),
            ("oldest unsent", _ago(facts["oldest_unsent"], now) or "none"),
            ("last tick", _ago(store.notes.value("last_tick"), now) or "never"),
            ("mail read", _ago(store.notes.value(outages.SERVED), now) or "never"),
            ("next due", f"{due[0].at} {due[0].kind} of {due[0].side} in {due[0].game}" if due else "nothing"),
            ("deadlines", f"held since {held.at}: {held.why}; 'pbem resume' goes on" if held else "pass as usual"),
        ]
        for part, trouble in facts["trouble"].items():
            lines.append((f"{part} fails", f"since {trouble['since']}: {trouble['why']}; tried again at {trouble['until']}"))
        lines += [(f"shelved {m.id}", f"{m.received}: {m.reason}") for m in shelved]
        table = new_table("what", "is")
        for what, is_ in lines:
            table.add_row(what, is_)
        show_table(table)


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{n} {s}" for s, n in counts.items()) or "nothing waits"


def _ago(at: str, now: str) -> str:
    from pbem.reports import when
    from pbem.service.times import moment

    return f"{at} ({when.span(moment(now) - moment(at))} ago)".replace("no time left ago", "just now") if at else ""


def watch(
    longest: Annotated[float, typer.Option("--max-age", help="Seconds after which the last tick is too long ago.")] = 0,
    style: Annotated[str, typer.Option("--format", help="text or json.")] = "text", db: Db = None,
) -> None:
    """What the last tick wrote into the health file; exit code 1 if something is wrong.  Needs no database."""
    from pbem.service.host import health

    path = load(db).health
    found = health.read(path)
    wrong = health.wrong(found, datetime.now().astimezone(), longest)
    if style == "json":
        print(json.dumps({**(found or {}), "wrong": wrong}, ensure_ascii=False))
    else:
        print("\n".join(wrong) or f"all is well: {path}, {found['at'] if found else ''}")
    raise typer.Exit(WRONG if wrong else FINE)


def game_list(
    status: Annotated[str, typer.Option("--status", help="Only games that are so: running, paused, halted, over …")] = "",
    db: Db = None,
) -> None:
    """All games: whose turn, since when, until when, and whether all is well."""
    with opened(db) as found:
        table = new_table("game", "scenario", "status", "phase", "waits for", "since", "due", "health")
        for game in all_games(found):
            if status in ("", game.status):
                _add(table, found, game)
        show_table(table)


def _add(table: Table, app: App, game: Game) -> None:
    from pbem.service.play import game_session
    from pbem.store.api import DEADLINE, GRACE

    dues = app.store.games.dues(game.id)
    until = min((d.at for d in dues if d.kind in (DEADLINE, GRACE)), default="")
    words = game_session.clock_of(app.context, game).words(until, app.context.now)["short"] if until else ""
    what, who = f"{game.title}/{game.scenario}", ", ".join(game.waiting)
    table.add_row(game.id, what, game.status, game.step_name, who, game.touched, words, _health(app, game, dues))


def _health(app: App, game: Game, dues: list[Due]) -> str:
    """Whether all is well with a game, in a few words."""
    from pbem.service.play import game_session
    from pbem.store.api import CLOSED, DEADLINE, GRACE, OVER, REFEREE, RUNNING

    if game.status in (OVER, CLOSED):
        return ""
    if game.status != RUNNING:
        return game.note or game.status
    said = [f"{d.side} is late" for d in dues if d.kind == GRACE]
    said += [f"{d.side} missed its turn, and the game waits" for d in dues if d.kind == game_session.WAITS]
    said += [f"{d.side} is overdue" for d in dues if d.kind == DEADLINE and d.at < app.context.now]
    for seat in app.store.games.seats(game.id):
        if seat.side != REFEREE and seat.lapsed and seat.lapsed == app.context.rules(game.title).player_turn(game.step_name):
            said.append(f"{seat.side} missed this turn")
        if app.store.outbox.stuck(game.id, seat.side):
            said.append(f"mail to {seat.side} does not leave")
    return "; ".join(said) or "ok"


def all_games(app: App) -> Iterator[Game]:
    """All games by their names."""
    after = ""
    while page := app.store.games.page(after):
        yield from page
        after = page[-1].id


# -- the clock -------------------------------------------------------------------------------------------


def resume(
    as_they_stand: Annotated[bool, typer.Option("--as-they-stand", help="Let deadlines pass without moving them.")] = False,
    db: Db = None,
) -> None:
    """Go on after all deadlines were held; they are moved by the time that was lost."""
    from pbem.service.play import outages
    from pbem.service.play.outages import NothingHeld

    with opened(db) as found:
        try:
            held = outages.resume(found.context, as_they_stand)
        except NothingHeld as why:
            raise Bad(str(why)) from None
        print(f"all goes on; deadlines were held since {held.at}: {held.why}")
        print("they pass as they stand" if as_they_stand else "the next tick moves them, and tells whoever has one")


def game_clock(
    game: GameId,
    set_: Annotated[list[str] | None, typer.Option("--set", help="option=value; without it, how the clock stands.")] = None,
    reason: Reason = "", db: Db = None,
) -> None:
    """How time runs in a game: time for an answer, hours in which it runs, zone, grace, reminders; and change it."""
    from pbem.service.play import clock, game_session, referee

    wanted = {}
    for text in set_ or []:
        name, equals, value = text.partition("=")
        if not equals or name.strip() not in clock.OPTIONS:
            known = "\n".join(f"  {n}: {what}" for n, what in clock.OPTIONS.items())
            raise Bad(f"--set {text!r}: write it like deadline_hours=48; there are:\n{known}")
        wanted[name.strip()] = value.strip()
    with opened(db) as found:
        own = referee.set_clock(found.context, game, wanted, reason) if wanted else game_session.clock_of(
            found.context, found.store.games.get(game)
        )
        print("\n".join(own.lines()))


# -- copies of the database ------------------------------------------------------------------------------


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Where the copy goes; one of that name is replaced.")],
    full: Annotated[bool, typer.Option("--full", help="Check every row of every game, not only the last one.")] = False,
    db: Db = None,
) -> None:
    """Copy the database, also while the daemon runs, and check that the copy is whole."""
    from pbem.store import backup as copies

    copies.copy(load(db).db, file)
    _whole(file, full)


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A copy that 'pbem backup' made.")], db: Db = None,
) -> None:
    """Put a copy in the place of the database, which is kept beside it; the daemon must be stopped."""
    from pbem import daemon
    from pbem.service.records import restoring
    from pbem.store import backup as copies
    from pbem.store.schema import open_store

    config = load(db)
    _whole(file, full=True)
    with daemon.only_one(config.db):
        kept = _set_aside(config.db)
        copies.copy(file, config.db)
        open_store(config.db).close()
        with opened(config.db) as found:
            for line in restoring.mark(found.context, restoring.heads(kept) if kept else None):
                print(line)
    if kept:
        print(f"what was there before is now {kept}")
    print(f"{config.db}: restored. Mails that came since the copy was made lie in the folder {config.imap_processed!r} of the")
    print("mailbox: move them back to where mail is read, and they are handled again. Deadlines are moved at the first tick.")


def _whole(file: Path, full: bool) -> None:
    from pbem.games import find_title
    from pbem.service.host import integrity
    from pbem.store import backup as copies

    wrong = copies.examine(file, full=full)
    if not wrong:
        wrong = [f"game {game}: {why}" for game, why in integrity.damaged(file, find_title, full=full)]
    if wrong:
        raise Wrong("\n".join(f"{file}: {line}" for line in wrong))
    games, rows = copies.count(file)
    print(f"{file}: whole, {games} games, {rows} journal rows" + (", each of them checked" if full else ""))


def _set_aside(db: Path) -> Path | None:
    """Rename a database and what belongs to it, if there is one."""
    if not db.exists():
        return None
    kept = db.with_name(f"{db.name}.before-{datetime.now().astimezone():%Y%m%dT%H%M%S}")
    for end in ("", "-wal", "-shm"):
        part = db.with_name(db.name + end)
        if part.exists():
            part.rename(kept.with_name(kept.name + end))
    return kept
