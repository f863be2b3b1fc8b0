"""The referee by mail: what he asks for is answered, what he does is journaled and told to both players.

Whatever acts on a game stands in a block that names the game and the turn as it is now, and ends with 'end':

    game p1
    turn 3 allied movement
    rewind turn 3 allied movement because the bridge was up
    end
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pbem.audit.check import Finding
from pbem.audit.verify import audit
from pbem.mail.address import BadAddress, mailable
from pbem.mail.compose import Attachment
from pbem.orders.help import Examples
from pbem.orders.source import Line, OrderBlock
from pbem.orders.service_verbs import REFEREE_VERBS
from pbem.reports.render import WIDTH, guarded
from pbem.reports.wording import counted
from pbem.service.club import members
from pbem.service.letters import mailing
from pbem.service.mailroom import secrets
from pbem.service.play import game_session, ordering, referee
from pbem.service.records import roll_history
from pbem.service.context import ServiceContext
from pbem.service.letters.mailing import Answered
from pbem.service.play.referee import CannotDo
from pbem.service.play.game_session import Player, Stopped
from pbem.store.api import PLANNER, REFEREE, RUNNING, TAKEN_BACK, Game, Seat

CLOCK_WORDS = {
    "deadline": ("deadline_hours", "time for an answer, in hours or days (clock deadline 3 days)"),
    "phases": ("phase_hours", "other times for some phases (clock phases setup 120, axis movement 48)"),
    "grace": ("grace_hours", "how long the game still waits for a late side (clock grace 12)"),
    "extension": ("extension_hours", "more time, once in the game, for who misses a deadline (clock extension 24)"),
    "remind": ("reminder_hours", "hours before the deadline (clock remind 48 24 6)"),
    "runs": ("clock_hours", "days and hours in which the time runs (clock runs mon-fri 08-22, or: always)"),
    "zone": ("zone", "the game's time zone (clock zone Europe/Rome)"),
    "early": ("early", "orders are carried out as they come (yes), at 'ready', or at the deadline only (no)"),
}
"""What a referee sets of a game's clock: his word, the option that it is, and what it means."""

ASKS = ("help", "audit", "rolls", "status", "notes")
"""Verbs that only ask."""

_BECAUSE = re.compile(r"\s+because\s+(?:of\s+)?", re.IGNORECASE)
_HOURS = re.compile(r"(\d+(?:\.\d+)?)\s*(h|hours?|d|days?)?", re.IGNORECASE)


class Refused(Exception):
    """A line is not carried out; says why, in words for the referee."""


@dataclass
class Answer:
    """What a referee's mail came to, line by line."""

    lines: list[str] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    bad: bool = False


def welcome(context: ServiceContext, game: Game) -> None:
    """The first letter to a game's referee: his tag is in it, which later mails of his must show."""
    for seat in context.store.games.seats(game.id):
        if seat.side == REFEREE:
            lines = [f"You are the referee of game {game.id}.", "Answer this mail, and leave its subject as it is.", ""]
            lines += [*_help(game, context), "", "Commitment to the dice (SHA-256 of their seed):", game.commitment]
            _send(context, game, seat, "You are the referee", lines, Answered())


def handle(context: ServiceContext, seat: Seat, block: OrderBlock, source: str, answered: Answered) -> Answer:
    """Carry out a referee's block, and answer it by one letter.  The first line that is refused ends it: what stands below
    was meant for a game in which that had been done."""
    answer = Answer()
    game = context.store.games.get(seat.game)
    holder = members.holder(context, seat)
    mine = holder.addresses if holder else (seat.address,)
    plain = [replace(line, text=secrets.without(context, mine, line.text)) for line in block.lines]
    for line in _gathered(plain):
        verb, rest = _split(line)
        try:
            if verb not in REFEREE_VERBS:
                raise Refused(f"this is nothing a referee can ask for: {', '.join(REFEREE_VERBS)}")
            if verb not in ASKS and line.text.strip().lower() != "clock":
                _named(context, seat, block)
            answer.lines += _DO[verb](_Desk(context, seat, source, answer), rest)
            answer.said.append(verb)
        except (Refused, CannotDo, Stopped) as why:
            answer.lines.append(f"NOT DONE, line {line.no}: {line.text[:60]}: {why}.")
            answer.said.append(f"{verb[:20]} refused")
            answer.bad = True
            break
    if not answer.lines:
        answer.lines, answer.bad = ["There is nothing in your mail that a referee can ask for.", *_help(game, context)], True
    heading = "NOT ACCEPTED" if answer.bad and len(answer.said) < 2 else "Done in part" if answer.bad else "Done"
    _send(context, context.store.games.get(seat.game), seat, heading, answer.lines, answered, answer.files)
    return answer


def _send(
    context: ServiceContext, game: Game, seat: Seat, heading: str, lines: Sequence[str], answered: Answered,
    files: Sequence[Attachment] = (),
) -> None:
    where = f"Game {game.id}, {game.step_name}, {game.status}."
    filled = [part for line in lines for part in textwrap.wrap(line, WIDTH, subsequent_indent="    ") or [""]]
    text = "\n".join([heading, where, "", *filled, ""])
    words = frozenset(context.rules(game.title).words.order_words)
    subject = mailing.tagged(context, seat, heading)
    mailing.queue_text(
        context, game, seat, subject, guarded(text, words), mailing.NOTICE, answered=answered, attachments=list(files),
    )


# -- reading -------------------------------------------------------------------------------------------


def _split(line: Line) -> tuple[str, str]:
    verb, _, rest = line.text.strip().partition(" ")
    return verb.lower().rstrip(":"), rest.strip()


def _gathered(lines: Sequence[Line]) -> list[Line]:
    """'as axis ...' lines that follow each other are one mail of that side, and 'adjust' lines one correction."""
    found: list[Line] = []
    for line in lines:
        verb, rest = _split(line)
        together = found and verb in ("as", "adjust") and _split(found[-1])[0] == verb
        if together and (verb == "adjust" or _split(found[-1])[1].split(" ")[0].lower() == rest.split(" ")[0].lower()):
            found[-1] = Line(found[-1].no, f"{found[-1].text}\n{rest}")
        elif line.text.strip():
            found.append(line)
    return found


def _reason(text: str) -> tuple[str, str]:
    """What is asked, and what stands after 'because'."""
    parts = _BECAUSE.split(f" {text} ", maxsplit=1)
    what, why = parts[0].strip(), parts[1].strip() if len(parts) > 1 else ""
    return ("", what[8:].strip()) if what.lower().startswith("because ") else (what, why[:400])


def _named(context: ServiceContext, seat: Seat, block: OrderBlock) -> None:
    """Whether the block names the game and the turn as they are."""
    game = context.store.games.get(seat.game)
    now = f"'game {game.id}', 'turn {game_session.numbered(game.step_name)}'"
    if block.game != game.id or not block.guard:
        raise Refused(f"who acts names the game and the turn, in lines of their own above: {now}")
    if not means(block.guard.split(" "), game_session.numbered(game.step_name)):
        raise Refused(f"your mail is for turn {block.guard[:40]}, but the game has gone on; now: {now}")
    if not block.ended:
        raise Refused("a line 'end' is missing below, so that not all of it may be there")


def means(words: Sequence[str], step: str) -> bool:
    """Whether '2 axis move' is '2 axis movement': the turn is the same, and each word begins one of the phase's, in order."""
    turn, *phase = step.replace("-", " ").split(" ")
    left = iter(phase)
    wanted = [w for word in words for w in word.lower().split("-")]
    return wanted[:1] == [turn] and all(any(part.startswith(word) for part in left) for word in wanted[1:])


# -- what can be asked ---------------------------------------------------------------------------------


@dataclass
class _Desk:
    context: ServiceContext
    seat: Seat
    source: str
    answer: Answer

    @property
    def game(self) -> Game:
        return self.context.store.games.get(self.seat.game)

    @property
    def sides(self) -> Sequence[str]:
        return self.context.rules(self.game.title).sides

    def side(self, word: str) -> str:
        if word.lower() not in self.sides:
            raise Refused(f"'{word[:20]}' is no side: {' or '.join(self.sides)}")
        return word.lower()


def _help(game: Game, context: ServiceContext) -> list[str]:
    rules = context.rules(game.title)
    words, sides = rules.words, rules.sides
    known = Examples(
        "", sides[-1], words.language.place, words.language.phase, sides[0], words.language.example.example, words.adjustments[0]
    )
    usages = {verb: known.filled(usage) for verb, usage in REFEREE_VERBS.items()}
    found = ["A referee may ask at any time:"]
    found += [f"  {usage}" for verb, usage in usages.items() if verb in ASKS]
    found += ["", "and act, between lines that name the game and the turn as it is now:", ""]
    found += [f"  game {game.id}", f"  turn {game_session.numbered(game.step_name)}"]
    found += [f"  {usage}" for verb, usage in usages.items() if verb not in ASKS]
    found += ["  end", "", "'because' and a reason may stand behind any act; both players read it.", "Corrections:"]
    return [*found, *(f"  {form}" for form in words.adjustments)]


def _ask_help(at: _Desk, rest: str) -> list[str]:
    return _help(at.game, at.context)


def _status(at: _Desk, rest: str) -> list[str]:
    game, store = at.game, at.context.store
    found = [f"Status: {game.status} {game.note}".strip(), f"Waits for: {' and '.join(game.waiting) or 'nobody'}"]
    own, dues = game_session.clock_of(at.context, game), store.games.dues(game.id)
    found += [f"Due: {d.side} {d.kind}, {own.words(d.at, at.context.now)['text']}" for d in dues if d.kind != game_session.WAITS]
    found += own.lines()
    found += [f"Seat {s.side}: {s.name} <{s.address}>, {s.report} reports" for s in store.games.seats(game.id)]
    return found


def _notes(at: _Desk, rest: str) -> list[str]:
    return [f"{n.at} {n.kind}: {n.text}" for n in at.context.store.notes.last(30, at.game.id)] or ["Nothing is noted."]


def _rolls(at: _Desk, rest: str) -> list[str]:
    game, words = at.game, rest.lower().split()
    rules, rows = at.context.rules(game.title), list(at.context.store.journal.rows(game.id, kinds=["step", "roll", "control"]))
    rolls = roll_history.of_game(rules, rows, "", True)
    heading, lines = roll_history.letter(rules, rolls, words)
    at.answer.files += roll_history.files(rules, rolls, words, game.id)
    return [heading, "", *lines]


def _audit(at: _Desk, rest: str) -> list[str]:
    game = at.game
    found = examine(at.context, game)
    if found:
        return [f"NOT WHOLE: {found.why}."]
    return [
        "The game is whole: chain, dice and every event are what the rules make of the orders given.",
        f"{game.seq} journal rows.",
        "Both players can check it too: after the end 'pbem export' and 'pbem verify', or standalone.py in the bundle.",
    ]


def examine(context: ServiceContext, game: Game) -> Finding | None:
    """Audit a game from the store: None if it is whole."""
    games = context.store.games
    rows = list(context.store.journal.rows(game.id))
    found = audit(rows, context.rules(game.title), games.dataset(game.dataset), game.options, games.seed(game.id))
    if found is None and (game.seq, game.head) != (len(rows), rows[-1].hash):
        return Finding(len(rows) - 1, f"the journal ends with row {len(rows) - 1}, but the game stands at row {game.seq - 1}")
    return found


def _pause(at: _Desk, rest: str) -> list[str]:
    referee.pause(at.context, at.game.id, _reason(rest)[1], at.source)
    return ["The game is paused; both players are told."]


def _resume(at: _Desk, rest: str) -> list[str]:
    referee.resume(at.context, at.game.id, at.source)
    return ["The game goes on; both players are told."]


def _extend(at: _Desk, rest: str) -> list[str]:
    what, why = _reason(rest)
    words = what.split()
    side = at.side(words.pop(0)) if words and not words[0][0].isdecimal() else ""
    match = _HOURS.fullmatch(" ".join(words))
    hours = float(match[1]) * (24 if match[2] and match[2].lower().startswith("d") else 1) if match else 0
    if not 0 < hours <= 24 * 366:
        raise Refused("write it like 'extend 48', 'extend axis 2 days': hours above 0, at most a year")
    moved = referee.extend(at.context, at.game.id, hours, side, why, at.source)
    own = game_session.clock_of(at.context, at.game)
    return [f"The deadline of {s} is now {own.words(until, at.context.now)['text']}." for s, until in moved.items()]


def _clock(at: _Desk, rest: str) -> list[str]:
    what, why = _reason(rest)
    word, _, value = what.partition(" ")
    if not word:
        told = game_session.clock_of(at.context, at.game).lines()
        return [*told, "", "What can be set:", *(f"  clock {name}: {words}" for name, (_, words) in CLOCK_WORDS.items())]
    if word.lower() not in CLOCK_WORDS:
        raise Refused(f"'{word[:20]}' is not one of {', '.join(CLOCK_WORDS)}")
    changed = referee.set_clock(at.context, at.game.id, {CLOCK_WORDS[word.lower()][0]: value}, why, at.source)
    return [*changed.lines(), "Deadlines that run already stay as they are; 'extend' moves them."]


def _rewind(at: _Desk, rest: str) -> list[str]:
    what, why = _reason(rest)
    words = [w for w in what.lower().replace("turn ", "").split() if w not in ("to", "the", "phase")]
    if not why:
        raise Refused("say why: 'rewind turn 3 allied movement because …'; both players read it")
    kept = at.context.store.journal.rows(at.game.id, kinds=["step"])
    found = [n for n in dict.fromkeys(str(r.payload["name"]) for r in kept) if means(words, game_session.numbered(n))]
    exact = [n for n in found if n.replace("-", " ").split() == words]
    if len(exact or found) != 1:
        several = f": which of {', '.join(found[:8])}?" if found else ""
        raise Refused(f"'{what[:40]}' is not one phase that was played{several}")
    game = referee.rewind(at.context, at.game.id, (exact or found)[0], why, at.source)
    return [f"The game is back at the start of {game.step_name}; the old rows stay, the dice fall anew, both players are told."]


def _substitute(at: _Desk, rest: str) -> list[str]:
    what, why = _reason(rest)
    words = what.split()
    force = words[-1:] == ["force"] and bool(words.pop())
    if len(words) != 2:
        raise Refused("write it like 'substitute axis new@example.org', or 'substitute axis planner'")
    try:
        address = words[1].lower() if words[1].lower() == PLANNER else mailable(words[1])
    except BadAddress as wrong:
        raise Refused(str(wrong)) from None
    referee.substitute(at.context, at.game.id, at.side(words[0]), Player(address), why, at.source, force)
    return [f"The seat of {words[0].lower()} has a new player; both sides and the one before are told."]


def _rule(at: _Desk, rest: str) -> list[str]:
    if not rest:
        raise Refused("write the ruling behind 'rule', in one line")
    referee.rule(at.context, at.game.id, rest[:1000], at.source)
    return ["The ruling is on record; both players read it."]


def _adjust(at: _Desk, rest: str) -> list[str]:
    asked, reasons = [], []
    for line in rest.split("\n"):
        what, why = _reason(line)
        asked.append(what.split())
        reasons += [why] if why else []
    if not reasons:
        raise Refused("say why: 'adjust steps 50-1 2 because …'; both players read it")
    done = referee.adjust(at.context, at.game.id, asked, "; ".join(reasons), at.source)
    return [f"{counted(done, 'correction')} made; both players are told."]


def _as(at: _Desk, rest: str) -> list[str]:
    first, *more = rest.split("\n")
    side = at.side(first.split(" ")[0])
    lines = [text.partition(" ")[2] for text in (first, *more)]
    if at.game.status not in (RUNNING, TAKEN_BACK):
        raise Refused(f"the game is {at.game.status}")
    with at.context.store.transaction():
        play = game_session.take(at.context, at.game.id)
        referee.act(play, {"act": "as", "side": side}, at.source)
        block = OrderBlock(at.game.id, lines=[Line(n, text) for n, text in enumerate(lines, 1)], ended=True)
        dealt = ordering.deal(play, side, block, f"{at.source} by the referee")
        receipt = dealt.receipt
        receipts = {side: receipt} if receipt else {}
        mailing.send(play, dealt.rows, receipts, lines=[f"The referee has written orders for the {side.capitalize()} side."])
    if receipt is None:
        raise Refused("there are no orders in it")
    if receipt.bad:
        at.answer.bad = True
    found = [f"Accepted for {side}: {line}" for line in receipt.accepted]
    found += [f"{f['word']}: {f['text']}: {f['message']}" for f in receipt.findings]
    return [*found, *receipt.notes]


_DO: Mapping[str, Callable[[_Desk, str], list[str]]] = {
    "help": _ask_help, "audit": _audit, "rolls": _rolls, "status": _status, "notes": _notes, "pause": _pause, "resume": _resume,
    "extend": _extend, "clock": _clock, "rewind": _rewind, "substitute": _substitute, "rule": _rule, "adjust": _adjust, "as": _as,
}
