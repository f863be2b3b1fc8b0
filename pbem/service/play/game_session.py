"""A game at work: taken up from the store, changed, and put back with its mails, all in one transaction."""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from typing import TYPE_CHECKING

from pbem.core.asks import Ask
from pbem.core.engine import Divergence, Session
from pbem.core.journal import Row, digest
from pbem.core.standing import STANDING, Directive
from pbem.core.undone import REWIND, standing
from pbem.mail import faults
from pbem.service.club import members, options
from pbem.service.play import absence, clock, seat_guard
from pbem.service.play.clock import BadClock, Clock
from pbem.service.play.held import Held
from pbem.service.context import ServiceContext
from pbem.service.club.members import CLUB
from pbem.service.club.options import BadOption
from pbem.store import damage
from pbem.store.damage import check_seed, of_the_disk
from pbem.store.api import (
    DEADLINE, GRACE, OVER, PENDING, PLANNED, PLANNER, REFEREE, REMINDER, RUNNING, TAKEN_BACK, Draft, Due, Game, Seat,
)

if TYPE_CHECKING:
    from pbem.games.contract import Title

WAITS, NEVER = "waits", "9999-12-31T00:00:00Z"
"""What is due of a side that the game waits for without a deadline, and when."""

RESIGNED, MISSED = "resigned", "missed"
"""Why somebody else may take a seat: its player wants to leave; or has not answered, and did not do so since."""

PLANNER_NAME = "the planner"
"""What other players read in place of a name where nobody plays."""

GAME_NAME = re.compile(r"[a-z0-9](?:[a-z0-9.-]{0,38}[a-z0-9])?")


class Stopped(RuntimeError):
    """A game cannot go on: its rules and its journal disagree.  ``game`` is its id."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(why)
        self.game = game


class Damaged(Stopped):
    """A game cannot go on: what is stored of it is damaged."""


class BadGame(ValueError):
    """A game cannot be made as asked; says why and how to mend it."""


@dataclass(frozen=True)
class Player:
    """Who takes a seat: an address, and a name that the others may read."""

    address: str
    name: str = ""


@dataclass
class GameSession:
    """A game between :func:`take` and :func:`put`.  ``loaded`` is the first row of the stored snapshot's step, ``player_turn``
    the stretch of play when it was taken up; ``dues``: when what is due, by side and kind; ``announcements``: what both
    players are to read with the next mails; ``last_files``: what goes with those that end the game."""

    context: ServiceContext
    game: Game
    rules: Title
    session: Session
    seats: dict[str, Seat]
    now: str
    loaded: int = -1
    player_turn: str = ""
    stored: dict[str, Seat] = field(default_factory=dict)
    drafts: dict[str, Draft | None] = field(default_factory=dict)
    dues: dict[tuple[str, str], str] = field(default_factory=dict)
    announcements: list[str] = field(default_factory=list)
    found_clock: Clock | None = None
    last_files: list[Any] = field(default_factory=list)

    @property
    def asks(self) -> list[Ask]:
        """The open questions that nobody has answered."""
        return [a for a in self.session.open if self.session.pending(a)]

    def in_force(self, side: str) -> tuple[list[Directive], list[Directive]]:
        """A side's standing orders, and its other orders."""
        mine = self.session.plans.of(side)
        return [d for d in mine if d.mode == STANDING], [d for d in mine if d.mode != STANDING]

    @property
    def clock(self) -> Clock:
        """How time runs in this game."""
        if self.found_clock is None:
            self.found_clock = clock_of(self.context, self.game)
        return self.found_clock

    def deadline(self, side: str) -> str:
        """When the side's answer is due, at the latest when it is late already; '' if nothing is."""
        return self.dues.get((side, DEADLINE)) or self.dues.get((side, GRACE), "")

    def order(self, side: str, payload: Mapping[str, Any], source: str) -> None:
        """Lock orders of a side in.  Whoever writes again is no longer taken for absent."""
        self.session.submit("orders", {"side": side, "directives": [], **payload}, source)
        seat = self.seats[side]
        if seat.lapsed or seat.leaving.startswith(MISSED):
            self.seats[side] = replace(seat, lapsed="", leaving="" if seat.leaving.startswith(MISSED) else seat.leaving)

    def keep_seats(self) -> None:
        """Store the seats that have changed."""
        for side, seat in self.seats.items():
            if self.stored.get(side) != seat:
                self.context.store.games.save_seat(seat)
        self.stored = dict(self.seats)

    def draft(self, side: str) -> Draft | None:
        """What the side has sent that is kept, and not in force yet."""
        if side not in self.drafts:
            self.drafts[side] = self.context.store.games.draft(self.game.id, side)
        return self.drafts[side]

    def keep_draft(self, draft: Draft) -> None:
        """Keep a side's orders without putting them in force."""
        self.context.store.games.save_draft(draft)
        self.drafts[draft.side] = draft

    def drop_draft(self, side: str) -> None:
        """Forget what is kept of a side."""
        self.context.store.games.drop_draft(self.game.id, side)
        self.drafts[side] = None

    def lapse(self, side: str) -> None:
        """The side's time is up: what it is asked in this stretch of play takes the defaults."""
        self.seats[side] = replace(self.seats[side], lapsed=self.rules.player_turn(self.session.step_name))

    @property
    def held(self) -> bool:
        """Whether the game was taken back and its players have not yet said how it goes on: nothing is played."""
        return self.game.status == TAKEN_BACK

    def waiting(self) -> list[str]:
        """The sides that the game waits for."""
        return Held.read(self.context, self.game.id, self.rules.sides).missing if self.held else self.session.waiting()

    def advance(self) -> None:
        """Go on until somebody must decide, or the game is over; :class:`Stopped` if the rules are at odds with themselves."""
        if self.held:
            return
        try:
            self.session.run()
            while absent := self._absent():
                self.session.submit("control", {"act": "deadline", "side": absent}, "")
                self.session.run()
        except Divergence as error:
            raise Stopped(self.game.id, str(error)) from error

    def _absent(self) -> str:
        player_turn = self.rules.player_turn(self.session.step_name)
        return next((s for s in self.session.waiting() if self.seats[s].lapsed == player_turn), "")


def played(context: ServiceContext, game: str, first: int, last: int | None = None) -> list[Row]:
    """The journal from row ``first`` on (to ``last``), as far as it is the game that was played: without what a rewind among
    these rows has undone.  Rewinds are rare, so the whole journal is only read for one."""
    rows = list(context.store.journal.rows(game, first, last))
    if not any(r.kind == "control" and r.payload.get("act") == REWIND for r in rows):
        return rows
    return [r for r in standing(list(context.store.journal.rows(game, 0, last))) if r.seq >= first]


def take(context: ServiceContext, game: str, locked: Game | None = None) -> GameSession:
    """Take a game up; the transaction that is open locks it (``locked``: has done so).  :class:`Stopped` if it cannot go on."""
    row = locked or context.store.games.lock(game)
    rules = context.rules(row.title)
    session, loaded = _resumed(context, row, rules)
    play = GameSession(
        context, row, rules, session, {s.side: s for s in context.store.games.seats(game)}, context.now, loaded,
        rules.player_turn(session.step_name),
    )
    play.stored = dict(play.seats)
    play.dues = {(d.side, d.kind): d.at for d in context.store.games.dues(game)}
    return play


def _resumed(context: ServiceContext, row: Game, title: Title) -> tuple[Session, int]:
    """The session of a stored game, and the first row of its snapshot's step.  :class:`Damaged` if what is stored is not what
    was stored, whether it can be read or not: that is the trouble of this game alone."""
    games, broken = context.store.games, (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError)
    try:
        seed, data, position = games.seed(row.id), context.data(row.dataset), games.position(row.id)
        check_seed(seed, row.commitment)
        dice = context.dice(seed)
        session = Session.resume(
            row.id, title, data, row.options, dice, context.now, position.snapshot, position.rows, hold=row.status == TAKEN_BACK,
        )
    except Divergence as error:
        raise Stopped(row.id, str(error)) from error
    except broken as error:
        if of_the_disk(error):
            raise
        unread = f"what is stored of it cannot be read ({type(error).__name__}: {error})"
        why = str(error) if isinstance(error, damage.Damaged) else unread
        raise Damaged(row.id, why[:300]) from error
    return session, position.snapshot.seq


def store_rows(play: GameSession) -> list[Row]:
    """Write what the session has done, and where it stands now; gives the rows written."""
    games, session = play.context.store.games, play.session
    faults.point("handle.played")
    rows = list(session.new_rows)
    play.context.store.journal.append(rows)
    session.new_rows.clear()
    snapshot = session.snapshot
    moved = snapshot is not None and snapshot.seq != play.loaded
    play.game = replace(
        play.game, seq=session.seq, step=session.step, step_name=session.step_name, head=session.head, touched=play.now,
        status=OVER if session.over else play.game.status,
        waiting=() if session.over or play.game.status == OVER else tuple(play.waiting()),
    )
    games.save(play.game, snapshot if moved else None)
    _set_dues(play)
    play.keep_seats()
    return rows


def _set_dues(play: GameSession) -> None:
    """Whoever is asked something new has the full time for it; whoever is asked nothing has no deadline, nor has anybody where
    there are none."""
    asked: dict[str, list[str]] = {side: [f"held {play.session.step}"] for side in play.waiting()} if play.held else {}
    for ask in play.asks if play.game.status == RUNNING else []:
        asked.setdefault(ask.side, []).append(ask.id)
    for side, seat in play.seats.items():
        if side == REFEREE:
            continue
        if seat.address == PLANNER:
            _set_planned(play, side, side in asked)
        elif side not in asked or not play.clock.time_for(play.session.step_name):
            _drop_due(play, side)
        elif not (play.deadline(side) or (side, WAITS) in play.dues) or not set(asked[side]) <= set(seat.asked):
            until, why = absence.shifted(play, side, full_time(play))
            set_due(play, side, until)
            play.announcements += [f"{why}. The deadline is {play.clock.words(until, play.now)['text']}."] if why else []


def _set_planned(play: GameSession, side: str, asked: bool) -> None:
    """The planner's turn is due at once."""
    if not asked:
        _drop_due(play, side)
    elif (side, PLANNED) not in play.dues:
        _drop_due(play, side)
        play.dues[side, PLANNED] = play.now
        play.context.store.games.set_due(Due(play.game.id, side, PLANNED, play.now))


def full_time(play: GameSession) -> str:
    """When an answer is due that is asked for now."""
    own = play.clock
    return own.deadline(play.now, own.time_for(play.session.step_name))


def set_due(play: GameSession, side: str, at: str, kind: str = DEADLINE) -> None:
    """The side has time until ``at``, the first reminder goes out before; what was said of an earlier deadline and has not
    left yet is not sent any more.  ``kind``: GRACE if the deadline has passed, and there is no more than patience left."""
    _drop_due(play, side)
    remind = play.clock.reminder(at, play.now) if kind == DEADLINE else ""
    for each, moment in {kind: at, REMINDER: remind}.items():
        if moment:
            play.dues[side, each] = moment
            play.context.store.games.set_due(Due(play.game.id, side, each, moment))


def wait_for(play: GameSession, side: str) -> None:
    """The side has no deadline any more; the game waits until it answers, or the referee gives it one."""
    _drop_due(play, side)
    play.dues[side, WAITS] = NEVER
    play.context.store.games.set_due(Due(play.game.id, side, WAITS, NEVER))


def _drop_due(play: GameSession, side: str) -> None:
    if any(s == side for s, _ in play.dues):
        play.context.store.games.drop_due(play.game.id, side)
        play.dues = {k: v for k, v in play.dues.items() if k[0] != side}
        play.context.store.outbox.drop(play.game.id, side, "reminder", "what it says of the deadline no longer holds")


def numbered(step: str) -> str:
    """A step with its turn, as a guard line names it; what comes before the first turn counts to it."""
    return step if step[:1].isdecimal() else f"1 {step}"


def clock_of(context: ServiceContext, game: Game) -> Clock:
    """How time runs in a game."""
    return clock.of(context.config, game.options, context.store.games.clock(game.id).get("changes", {}))


def stop(context: ServiceContext, game: str, status: str, note: str) -> Game:
    """A game stands still from now on ('paused', 'halted', 'closed'): nothing is due in it any more."""
    row = replace(context.store.games.lock(game), status=status, note=note, touched=context.now)
    row = replace(row, waiting=()) if status == OVER else row
    context.store.games.save(row, None)
    for due in context.store.games.dues(game):
        context.store.games.drop_due(game, due.side, due.kind)
    context.note(status, note, game)
    return row


# -- a new game ----------------------------------------------------------------------------------------


def create(
    context: ServiceContext, title: str, scenario: str, name: str, players: Mapping[str, Player], referee: Player | None = None,
    options: Mapping[str, Any] | None = None, maker: int = 0,
) -> GameSession:
    """A new game, set up and run until somebody must decide.  Its rows are stored; its mails are the caller's.

    ``maker``: the member who makes it by mail; the seats that he does not fill are free, and nothing is due before they are
    taken (:data:`~pbem.store.api.PENDING`)."""
    rules = context.rules(title)
    if not GAME_NAME.fullmatch(name) or name == CLUB:
        raise BadGame(f"{name!r} cannot be a game's name: small letters, digits, '-' and '.', at most 40, and not '{CLUB}'")
    if not set(players) <= set(rules.sides) or len(players) < len(rules.sides) and not maker:
        raise BadGame(f"{title} has the sides {' and '.join(rules.sides)}: give each one a --seat side=address")
    data = context.scenario(title, scenario)
    chosen = _options(data, options or {})
    seed = context.secret(32)
    commitment = hashlib.sha256(seed).hexdigest()
    facts: dict[str, Any] = {
        "title": title, "version": rules.version, "scenario": scenario, "dataset": digest(data), "options": chosen,
        "sides": list(rules.sides), "commitment": commitment,
    }
    session = Session.start(name, rules, data, chosen, context.dice(seed), context.now, facts)
    status = RUNNING if len(players) == len(rules.sides) else PENDING
    game = Game(name, title, scenario, chosen, facts["dataset"], commitment, context.now, status, maker=maker)
    seats = [_seat(context, name, side, players.get(side, Player(""))) for side in rules.sides]
    seats += [_seat(context, name, REFEREE, referee)] if referee else []
    for seat in seats:
        if why := seat_guard.objection(context, "", seats, seat.side, seat.address):
            raise BadGame(why)
    context.store.games.create(game, seed, data, seats)
    play = GameSession(context, game, rules, session, {s.side: s for s in seats}, context.now)
    planned = [s.side.capitalize() for s in seats if s.address == PLANNER]
    play.announcements += [f"{' and '.join(planned)} is played by the planner, not by a person."] if planned else []
    play.advance()
    return play


def _seat(context: ServiceContext, game: str, side: str, player: Player) -> Seat:
    address = player.address.lower()
    wishes = members.ensure(context, address, player.name).wishes if address not in ("", PLANNER) else {}
    return Seat(game, side, address, members.secret(context), player.name, wishes=wishes)


def _options(data: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The options as stored: times checked, switches of the same sort as the scenario's own."""
    chosen: dict[str, Any] = {}
    switches: Mapping[str, Any] = data.get("switches", {})
    for name, value in given.items():
        if name in clock.OPTIONS or name in options.OPTIONS:
            try:
                chosen[name] = (clock if name in clock.OPTIONS else options).option(name, value)
            except (BadClock, BadOption) as why:
                raise BadGame(str(why)) from None
        elif name == "referee_acts":
            if value not in ("mailed", "reported"):
                raise BadGame(f"{name} is {value!r}: 'mailed' at once, or 'reported' with the next report")
            chosen[name] = value
        elif name in switches:
            chosen[name] = _like(name, switches[name], value)
        else:
            known = ", ".join([*clock.OPTIONS, *options.OPTIONS, "referee_acts", *switches])
            raise BadGame(f"there is no option {name}; this scenario has {known}")
    return chosen


def _like(name: str, default: Any, value: Any) -> Any:
    """``value`` as the same kind of thing as ``default``."""
    text = str(value).strip().lower()
    if isinstance(default, bool):
        if text in ("true", "yes", "on", "1"):
            return True
        if text in ("false", "no", "off", "0"):
            return False
        raise BadGame(f"{name} is {value!r}: give true or false")
    if isinstance(default, int):
        if text.lstrip("-").isdecimal():
            return int(text)
        raise BadGame(f"{name} is {value!r}: give a whole number")
    return type(default)(value) if default is not None else value


def sides_asked(asks: Sequence[Ask]) -> list[str]:
    """The sides of some questions, each once."""
    return list(dict.fromkeys(a.side for a in asks))
