"""Commands to create games, and the referee's acts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from pbem.cli.terminal import Bad, Db, GameId, Reason, load, new_table, opened, show_table

if TYPE_CHECKING:
    from pbem.service.play.game_session import Player


def new(
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
    from pbem.bootstrap import bootstrap
    from pbem.scenarios import catalog
    from pbem.service.letters import mailing
    from pbem.service.play import game_session, referee_mail
    from pbem.store.schema import open_store

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
        waiting = sum(1 for x in found.store.outbox.unsent() if x.game == play.game.id)
        print(f"{waiting} mails are in the outbox: 'pbem run' sends them, 'pbem outbox export DIR' writes them as files")
    finally:
        found.close()


def _pair(text: str, option: str, shape: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip() or not value.strip():
        raise Bad(f"{option} {text!r}: write it like {shape}")
    return name.strip(), value.strip()


def _player(text: str) -> Player:
    from pbem.mail.address import BadAddress, named
    from pbem.service.play.game_session import Player
    from pbem.service.play.planner_seat import player as planner
    from pbem.store.api import PLANNER

    if text.strip().lower() == PLANNER:
        return planner()
    try:
        name, address = named(text)
    except BadAddress as why:
        raise Bad(f"{why}; a seat can also be 'Ann <ann@example.org>', or planner") from None
    return Player(address, "".join(c for c in name if c.isprintable())[:60])


def show(game: GameId, db: Db = None) -> None:
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


def pause(game: GameId, reason: Reason = "", db: Db = None) -> None:
    """Stop play; no deadline runs meanwhile."""
    from pbem.service.play import referee

    with opened(db) as found:
        referee.pause(found.context, game, reason)
        print(f"game {game} is paused")


def resume(game: GameId, db: Db = None) -> None:
    """Let a paused or halted game go on; whoever is asked has the full time again."""
    from pbem.service.play import referee

    with opened(db) as found:
        referee.resume(found.context, game)
        print(f"game {game} goes on")


def extend(
    game: GameId, hours: Annotated[float, typer.Option("--hours", help="How much later.")], side: str = "", reason: Reason = "",
    db: Db = None,
) -> None:
    """Move the deadline of a side, or of all who are asked."""
    from pbem.service.play import game_session, referee

    if not 0 < hours <= 24 * 366:
        raise Bad(f"--hours {hours:g}: give a number of hours above 0, at most a year")
    with opened(db) as found:
        for who, at in referee.extend(found.context, game, hours, side, reason).items():
            own = game_session.clock_of(found.context, found.store.games.get(game))
            print(f"{who}: {own.words(at, found.context.now)['text']}")


def rewind(
    game: GameId, to: Annotated[str, typer.Option("--to", help="The phase to begin again, like '2 allied movement'.")],
    reason: Reason, db: Db = None,
) -> None:
    """Go back to the start of a phase; nothing is erased, both players are told, the dice fall anew."""
    from pbem.service.play import referee

    with opened(db) as found:
        row = referee.rewind(found.context, game, to, reason)
        print(f"game {game} is back in {row.step_name}, waits for {' and '.join(row.waiting) or 'nobody'}")


def substitute(
    game: GameId, seat: Annotated[str, typer.Option("--seat", help="side=address, or side=planner")], reason: Reason = "",
    force: Annotated[bool, typer.Option("--force", help="Even somebody who knows the other side.")] = False, db: Db = None,
) -> None:
    """Give a seat to another person, or to the planner."""
    from pbem.service.play import referee

    side, who = _pair(seat, "--seat", "side=address")
    with opened(db) as found:
        referee.substitute(found.context, game, side, _player(who), reason, force=force)
        print(f"game {game}: {side} has a new player")


def close(
    game: GameId, reason: Reason = "",
    force: Annotated[bool, typer.Option("--force", help="Without a reason, though it is not over.")] = False, db: Db = None,
) -> None:
    """Put a game away; it stays in the database.  Players of a game that is not over are told why."""
    from pbem.service.play import referee

    with opened(db) as found:
        referee.close(found.context, game, reason, force)
        print(f"game {game} is closed; 'pbem game reopen {game}' opens it again")


def reopen(game: GameId, reason: Reason = "", db: Db = None) -> None:
    """Open a closed game again: paused, if it is not over; 'resume' then lets it go on."""
    from pbem.service.play import referee

    with opened(db) as found:
        row = referee.reopen(found.context, game, reason)
        print(f"game {game} is {row.status}")
