"""What a referee does to a game.  All of it is journaled, and both players are told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from pbem.core.asks import Refusal
from pbem.core.dice import SEED_BYTES, SeededDice
from pbem.core.engine import INPUTS
from pbem.core.fold import snapshot
from pbem.core.journal import Row
from pbem.core.standing import STANDING, Directive, directive
from pbem.service.club import members
from pbem.reports import mails
from pbem.service.letters import mailing, notices
from pbem.service.play import clock, game_session, ordering, seat_guard, taken_back
from pbem.service.play.clock import BadClock, Clock, number
from pbem.service.context import ServiceContext
from pbem.service.times import later
from pbem.service.play.game_session import PLANNER_NAME, Player, Stopped, GameSession
from pbem.store.api import CLOSED, DEADLINE, HALTED, OVER, PAUSED, PLANNER, REFEREE, RUNNING, TAKEN_BACK, Game


class CannotDo(ValueError):
    """The referee's wish does not fit the game as it is; says why."""


def pause(context: ServiceContext, game: str, reason: str = "", source: str = "") -> Game:
    """Play stops, and no deadline runs, until :func:`resume`."""
    with context.store.transaction():
        play = _running(context, game)
        act(play, {"act": "pause", "reason": reason}, source)
        play.game = game_session.stop(context, game, PAUSED, reason or "paused by the referee")
        play.dues = {}
        mailing.send(play, [], lines=[_said("The referee has paused the game; no deadline runs meanwhile", reason)])
        return play.game


def resume(context: ServiceContext, game: str, source: str = "") -> Game:
    """A paused or halted game goes on; everybody who is asked has the full time again."""
    with context.store.transaction():
        row = context.store.games.lock(game)
        if row.status not in (PAUSED, HALTED, TAKEN_BACK):
            raise CannotDo(f"game {game} is {row.status}: only a paused, halted or taken back game is resumed")
        play = _take(context, game)
        play.session.submit("control", {"act": "resume"}, source)
        if play.held:
            taken_back.release(play)
        else:
            play.game = replace(play.game, status=RUNNING, note="")
            ordering.put_sent_in_pause(play)
            _play(play)
        written = game_session.store_rows(play)
        context.note("resume", "resumed by the referee", game)
        mailing.send(play, written, lines=["The game goes on; whoever is asked has the full time again."])
        return play.game


def extend(
    context: ServiceContext, game: str, hours: float, side: str = "", reason: str = "", source: str = "",
) -> dict[str, str]:
    """Move the deadlines of a side ('': of all who are asked) by some hours, as the game's clock counts them; gives the new
    ones.  Both sides get a short notice of it."""
    with context.store.transaction():
        play = _running(context, game, TAKEN_BACK)
        asked = [s for s in play.waiting() if side in ("", s)]
        if not asked:
            raise CannotDo(f"game {game}: nothing is wanted of {side or 'anybody'}, so there is no deadline to move")
        act(play, {"act": "extend", "sides": asked, "hours": number(hours), "reason": reason}, source)
        own = play.clock
        starts = {s: max(play.deadline(s), play.now) for s in asked}
        moved = {s: own.deadline(at, hours) if hours > 0 else later(at, hours=hours) for s, at in starts.items()}
        for s, at in moved.items():
            game_session.set_due(play, s, at)
        if play.game.options.get("referee_acts") != "reported":
            why = _said(f"The referee has moved it by {hours:g} hours", reason).rstrip(".")
            for s, at in moved.items():
                for each in play.rules.sides:
                    doc = mails.moved(mailing.brief(play, each), s, own.words(at, play.now), why)
                    notices.notice(play, each, doc, f"extended {game} {s} {each} {play.game.seq} {at}")
        return moved


def set_clock(context: ServiceContext, game: str, wanted: Mapping[str, Any], reason: str = "", source: str = "") -> Clock:
    """Change how time runs in a game (:data:`pbem.service.play.clock.OPTIONS`): it counts from the next question on; reminders of
    deadlines that run already follow it at once."""
    with context.store.transaction():
        play = _running(context, game, TAKEN_BACK)
        odd = [name for name in wanted if name not in clock.OPTIONS]
        if odd or not wanted:
            raise CannotDo(f"{odd[0] if odd else 'nothing'} cannot be set: there are {', '.join(clock.OPTIONS)}")
        try:
            chosen = {name: clock.option(name, value) for name, value in wanted.items()}
        except BadClock as why:
            raise CannotDo(str(why)) from None
        state = dict(context.store.games.clock(game))
        context.store.games.set_clock(game, {**state, "changes": {**state.get("changes", {}), **chosen}})
        play.found_clock = None
        act(play, {"act": "clock", "set": chosen, "reason": reason}, source)
        for side, kind in list(play.dues):
            if kind == DEADLINE:
                game_session.set_due(play, side, play.deadline(side))
        context.note("clock", ", ".join(f"{name} = {value}" for name, value in chosen.items()), game)
        _tell(play, " ".join([_said("The referee has changed the clock of the game", reason), *play.clock.lines()]))
        return play.clock


def rewind(context: ServiceContext, game: str, to: str, reason: str, source: str = "") -> Game:
    """Go back to the start of a phase, by its name ('2 allied movement').  Nothing is erased, and the dice fall anew.

    From a game that is over, too: its seed has been opened, so a new one is drawn, and its commitment is told.
    """
    with context.store.transaction():
        row = context.store.games.lock(game)
        if row.status not in (RUNNING, PAUSED, OVER, TAKEN_BACK):
            raise CannotDo(f"game {game} is {row.status}: only one that runs, is paused or is over goes back")
        play = _take(context, game)
        rows = list(context.store.journal.rows(game))
        steps = {r.payload["name"]: r.step for r in rows if r.kind == "step"}
        if to not in steps:
            raise CannotDo(f"game {game} has played no phase called {to!r}; it is in {row.step_name!r}")
        then = snapshot(play.rules, context.data(row.dataset), row.options, rows, steps[to])
        commitment = _new_seed(play) if row.status == OVER else ""
        said = _said_there(rows, then.seq)
        laid_open = [*play.session.rewind(then, reason, source, commitment, lay_open=True), *said]
        for side, seat in play.seats.items():
            play.seats[side] = replace(seat, asked=(), lapsed="", draw="")
        taken_back.hold(play, laid_open)
        written = game_session.store_rows(play)
        context.note("rewind", f"back to {to}: {reason}", game)
        lines = [
            _said(f"The referee has taken the game back to the start of {to}", reason),
            "What happened since then no longer counts, but stays in the journal; the dice fall anew.",
            "Nothing is played before the players have spoken. What had been ordered ahead lies open again, as lines that are"
            " kept: 'ready' puts yours in force, new orders take their place.",
        ]
        if commitment:
            lines.append(f"As the seed of the dice had been opened, a new one was drawn; its SHA-256: {commitment}")
        mailing.send(play, written, lines=lines)
        return play.game


def _said_there(rows: Sequence[Row], seq: int) -> list[Directive]:
    """The orders given right at the start of a step, before anything was played in it: how it went on after it had been taken
    back to before."""
    found: list[Directive] = []
    for row in rows[seq:]:
        if row.kind not in INPUTS:
            break
        if row.kind == "orders":
            side = row.payload["side"]
            found += [directive({**d, "id": f"{row.seq}.{i}", "side": side}) for i, d in enumerate(row.payload["directives"])]
    return [d for d in found if d.mode != STANDING]


def _new_seed(play: GameSession) -> str:
    """Draw a new seed for a game whose seed everybody knows; gives its commitment."""
    games, game = play.context.store.games, play.game.id
    seed = play.context.secret(SEED_BYTES)
    games.add_seed(game, seed)
    play.session.dice = SeededDice(games.seed(game), play.session.epoch)
    play.game = replace(play.game, status=RUNNING, note="")
    return sha256(seed).hexdigest()


def rule(context: ServiceContext, game: str, text: str, source: str = "") -> None:
    """Put a ruling on record; both players read it."""
    with context.store.transaction():
        play = _running(context, game, TAKEN_BACK)
        act(play, {"act": "rule", "reason": text}, source)
        context.note("rule", text, game)
        _tell(play, f"A ruling of the referee: {text}")


def adjust(context: ServiceContext, game: str, asked: Sequence[Sequence[str]], reason: str, source: str = "") -> int:
    """Correct the position ('steps 50-1 2', …), all of it or nothing.  Gives how many corrections were made."""
    with context.store.transaction():
        play = _running(context, game)
        rules, session = play.rules, play.session
        trial = rules.load(session.data, session.options, rules.dump(session.state))
        before, events = set(rules.check(trial)), []
        for words in asked:
            event = rules.words.adjustment(trial, words)
            if isinstance(event, Refusal):
                raise CannotDo(f"{' '.join(words)[:60]}: {event.reason}")
            rules.apply(trial, event)
            events.append(event)
        wrong = [w for w in rules.check(trial) if w not in before]
        if wrong:
            raise CannotDo(f"that would leave the position unsound: {'; '.join(wrong[:3])}")
        try:
            session.adjust(events, {"reason": reason}, source)
            play.advance()
        except Exception as error:  # whatever the rules cannot do with it: the transaction takes everything back
            why = "the phase in progress cannot go on from there; take the game back to its start ('rewind') first"
            raise CannotDo(f"{why} ({type(error).__name__})") from error
        written = game_session.store_rows(play)
        context.note("adjust", f"{len(events)} corrections: {reason}", game)
        mailing.send(play, written, lines=[_said("The referee has corrected the position; see what happened below", reason)])
        return len(events)


def substitute(
    context: ServiceContext, game: str, side: str, player: Player, reason: str = "", source: str = "", force: bool = False,
) -> Game:
    """Another person takes a seat over; the one before hears no more of the game.  ``force``: even somebody who knows what the
    other side hides, or has another seat."""
    with context.store.transaction():
        play = _running(context, game, TAKEN_BACK, PAUSED)
        if side not in play.seats:
            raise CannotDo(f"game {game} has the seats {', '.join(play.seats)}, not {side!r}")
        before = play.seats[side]
        why = "" if force else seat_guard.objection(context, game, play.seats.values(), side, player.address)
        if why:
            raise CannotDo(f"{why} (where that is meant: --force, or 'force' behind the address)")
        act(play, {"act": "substitute", "side": side, "reason": reason}, source)
        members.remember(context, before)
        if player.address == PLANNER:
            new = {"address": PLANNER, "name": PLANNER_NAME, "wishes": {}}
        else:
            member = members.ensure(context, player.address.lower(), player.name)
            new = {"address": member.address, "name": player.name or member.name, "wishes": member.wishes}
        seat = replace(
            before, token=members.secret(context), thread="", lapsed="", asked=(), draw="", leaving="", **new,  # type: ignore[arg-type]
        )
        play.seats[side] = seat
        play.keep_seats()
        context.note("substitute", f"{side} has a new player", game)
        told = [f"Another player has taken your seat in game {game} over."]
        mailing.note(context, before.address, "You have been replaced", told, game=game)
        if side != REFEREE:
            if player.address == PLANNER:
                game_session.store_rows(play)
            elif side in play.waiting() and play.game.status != PAUSED:
                game_session.set_due(play, side, game_session.full_time(play))
            who = "is played by the planner from now on, not by a person" if player.address == PLANNER else "has a new player"
            mailing.send(play, [], lines=[_said(f"The seat of {side} {who}", reason)])
        return play.game


def close(context: ServiceContext, game: str, reason: str = "", force: bool = False) -> Game:
    """The game is put away; it stays in the database, and :func:`reopen` brings it back.  One that is not over is closed with a
    ``reason`` only, or by ``force``; everybody in it is told."""
    with context.store.transaction():
        row = context.store.games.lock(game)
        if row.status == CLOSED:
            raise CannotDo(f"game {game} is closed already")
        if row.status != OVER and not reason and not force:
            raise CannotDo(f"game {game} is {row.status}, not over: say why it is closed, for its players to read")
        closed = game_session.stop(context, game, CLOSED, reason or "closed by the referee")
        if row.status != OVER:
            lines = [_said("The game is closed before its end", reason), "Nothing of it is lost: the host can open it again."]
            for seat in context.store.games.seats(game):
                mailing.note(context, seat.address, "The game is closed", lines, game=game)
        return closed


def reopen(context: ServiceContext, game: str, reason: str = "") -> Game:
    """A closed game is opened again: paused, if it is not over, so that :func:`resume` lets it go on."""
    with context.store.transaction():
        row = context.store.games.lock(game)
        if row.status != CLOSED:
            raise CannotDo(f"game {game} is {row.status}, not closed")
        status = OVER if not row.waiting else PAUSED
        opened = game_session.stop(context, game, status, reason or "opened again")
        if status == PAUSED:
            lines = [_said("The game is open again, and paused for now", reason), "You hear when it goes on."]
            for seat in context.store.games.seats(game):
                mailing.note(context, seat.address, "The game is open again", lines, game=game)
        return opened


def _running(context: ServiceContext, game: str, *also: str) -> GameSession:
    """The game, if it runs (or is what ``also`` says)."""
    row = context.store.games.lock(game)
    if row.status not in (RUNNING, *also):
        raise CannotDo(f"game {game} is {row.status}" + (f" ({row.note})" if row.note else ""))
    return _take(context, game)


def _take(context: ServiceContext, game: str) -> GameSession:
    try:
        return game_session.take(context, game)
    except Stopped as stopped:
        raise CannotDo(f"game {game} cannot go on: {stopped}") from None


def _play(play: GameSession) -> None:
    try:
        play.advance()
    except Stopped as stopped:
        raise CannotDo(f"game {play.game.id} cannot go on: {stopped}") from None


def act(play: GameSession, payload: dict[str, object], source: str = "") -> None:
    """Put an act on record."""
    play.session.submit("control", payload, source)
    game_session.store_rows(play)


def _tell(play: GameSession, line: str) -> None:
    """Tell both sides of an act that changes nothing on the board: at once, or with their next report if the game says so."""
    if play.game.options.get("referee_acts") != "reported":
        mailing.send(play, [], lines=[line])


def _said(what: str, reason: str) -> str:
    return f"{what}: {reason}." if reason else f"{what}."
