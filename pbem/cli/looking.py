"""Commands to look at a game and to check it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pbem.cli.terminal import Bad, Db, GameId, NoDb, Wrong, one_of, opened, write_rows

if TYPE_CHECKING:
    from pbem.audit import stats


def show(
    game: GameId, side: Annotated[str, typer.Option("--as", help="The side that looks.")],
    style: Annotated[str, typer.Option("--format", help="text, html, json, png or svg.")] = "text",
    around: Annotated[str, typer.Option("--around", help="Of the picture only what lies round a place.")] = "", db: Db = None,
) -> None:
    """A report as that side sees it now."""
    from pbem.bootstrap import cache_folder, geometry
    from pbem.reports import render
    from pbem.service.letters import attachments, mailing, pictures
    from pbem.service.play import game_session, map_request

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
            ground = geometry(play.game.title, cache_folder(found.context.config))
            if ground is None:
                raise Bad(f"{play.game.title} has no map to draw")
            try:
                areas = map_request.around(doc["view"], ground, around)
            except map_request.NoPlace as error:
                raise Bad(str(error)) from None
            sys.stdout.buffer.write(pictures.picture(doc, ground, areas, f"map.{style}"))


def rolls(
    game: GameId,
    words: Annotated[list[str] | None, typer.Argument(metavar="[WORD]...", help="Turn, side, phase, rule or purpose.")] = None,
    style: Annotated[str, typer.Option("--format", help="table, csv or json.")] = "table",
    with_stats: Annotated[bool, typer.Option("--stats", help="Whether the dice were fair, instead of each roll.")] = False,
    chart: Annotated[Path | None, typer.Option("--picture", metavar="FILE.png", help="Draw them: faces, luck over time.")] = None,
    side: Annotated[str, typer.Option("--as", help="Only what that side may see.")] = "", db: Db = None,
) -> None:
    """Every roll of a game, or those that all WORDs fit."""
    from pbem.audit import history
    from pbem.service.records import bundle, roll_history

    one_of(style, "table", "csv", "json")
    with opened(db) as found:
        g = found.store.games.get(game)
        rules = found.context.rules(g.title)
        if side:
            one_of(side, *rules.sides)
        rows = list(found.store.journal.rows(game, kinds=["step", "roll", "control"]))
        chosen = history.matching(roll_history.of_game(rules, rows, side, bundle.ended(g)), words or [])
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


def audit(
    game: GameId,
    html: Annotated[Path | None, typer.Option("--html", metavar="DIR", help="Write the audit as pages, too.")] = None,
    side: Annotated[str, typer.Option("--as", help="Pages for that side, while the game runs.")] = "", db: Db = None,
) -> None:
    """Run a game's rules again from its journal: chain, dice, every event.  Exit code 1 names the first difference."""
    from pbem.service.play import referee_mail
    from pbem.service.records import audit_site, bundle

    with opened(db) as found:
        g = found.store.games.get(game)
        if side:
            one_of(side, *found.context.rules(g.title).sides)
        wrong = referee_mail.examine(found.context, g)
        if html:
            index = audit_site.write(found.context, game, html, side, "" if wrong is None else wrong)
            hidden = "" if side or bundle.ended(g) else "; it shows what each side hides from the other"
            print(f"{index}: open it in a browser{hidden}")
        if wrong is not None:
            raise Wrong(f"game {game}: {wrong.why}")
        count = len(list(found.store.journal.rows(game, kinds=["roll"])))
        print(f"game {game} is whole: {g.seq} rows, {count} rolls, chain, dice and rules agree; head {g.head}")


def export(
    game: GameId, file: Annotated[Path, typer.Argument(metavar="FILE.zip")],
    side: Annotated[str, typer.Option("--as", help="What that side may know; needed while the game runs.")] = "",
    full: Annotated[bool, typer.Option("--full", help="Everything but the seed, though the game still runs.")] = False,
    db: Db = None,
) -> None:
    """A game in one file, to be checked by anybody."""
    from pbem.service.records import bundle

    with opened(db) as found:
        g = found.store.games.get(game)
        sides = found.context.rules(g.title).sides
        if g.status != "over" and not full and side not in sides:
            raise Bad(f"game {game} is not over: say for whom (--as {' or '.join(sides)}), or --full for your own eyes")
        count = bundle.export(found.context, game, file, "" if full else side)
        print(f"{file}: {count} rows" + (f", as {side} may know them" if side and g.status != "over" and not full else ""))


def verify(
    file: Annotated[Path, typer.Argument(metavar="FILE.zip")],
    kept: Annotated[list[Path] | None, typer.Argument(metavar="[MAIL.eml | OLDER.zip]...", help="What you kept.")] = None,
    sent: Annotated[list[str] | None, typer.Option(
        metavar="SIDE=PATH", help="All mails that a side sent (a file or a folder): finds an order that nobody wrote.",
    )] = None,
    db: NoDb = None,
) -> None:
    """Check such a file without a database; mails you kept bear witness.  Exit code 1 names the first thing that is wrong."""
    from pbem.games import find_title
    from pbem.service.records import bundle

    for path in [file, *(kept or [])]:
        if not path.is_file():
            raise Bad(f"{path}: there is no such file")
    found = bundle.verify(file, find_title, kept or [], _sent(sent or []))
    for line in found.cuts:
        print(f"{file}: {line}")
    if found.wrong:
        raise Wrong(f"{file}: {found.wrong}")
    dice = f"{found.checked} dice thrown again" if found.checked else "the seed of the dice comes with the end of the game"
    hidden = f", {found.hidden} of them known by their hash alone" if found.hidden else ""
    more = ", the rules run again" if found.rules else ""
    more += f", {found.witnesses} hashes from what you kept agree" if kept else ""
    more += f", {found.lost} are of what was lost with that copy" if found.lost else ""
    print(f"{file}: game {found.game} is whole: {found.rows} rows{hidden}, {found.rolls} rolls; {dice}{more}; head {found.head}")


def _sent(given: list[str]) -> dict[str, list[Path]]:
    """'allied=FOLDER' as the files of each side."""
    found: dict[str, list[Path]] = {}
    for text in given:
        side, _, name = text.partition("=")
        path = Path(name)
        files = sorted(p for p in path.iterdir() if p.is_file()) if name and path.is_dir() else [path]
        if not side or not name or not all(p.is_file() for p in files):
            raise Bad(f"--sent {text}: write SIDE=PATH, where PATH is a mail or a folder of mails")
        found.setdefault(side, []).extend(files)
    return found
