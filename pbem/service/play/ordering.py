"""One order block for one game: read, tried, put in force or kept as a draft, and carried out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pbem.core.asks import DONE
from pbem.core.documents import Finding
from pbem.core.engine import rehearse
from pbem.core.journal import Row
from pbem.core.standing import PLAN, STANDING
from pbem.orders.diagnostics import Diagnostic
from pbem.orders.lexer import tokenise
from pbem.orders.service_verbs import ServiceRequest, take as take_requests
from pbem.orders.source import Line, OrderBlock
from pbem.reports import mails
from pbem.service.play import game_session, nonces, taken_back
from pbem.service.letters.mailing import Receipt
from pbem.service.play.game_session import GameSession
from pbem.store.api import Draft

KEPT = "Your good lines are kept, and carried out at 'ready' or at the deadline; a new mail replaces them unless it says 'add'."
MOST_STANDING = 100
"""Standing orders that a side may have in force: every mail to it lists them."""

LASTING = "Your standing orders are in force."
HELD = "As you say 'wait', your orders are kept, and carried out at 'ready' or at the deadline."
NOT_EARLY = {
    "ready": "In this game orders are kept until 'ready' or the deadline; a new mail replaces them unless it says 'add'.",
    "no": "In this game orders are carried out at the deadline, not before; a new mail replaces them unless it says 'add'.",
}
"""What is said of good orders in a game whose clock does not let them be carried out as they come."""



@dataclass
class Reading:
    """What the lines of a block come to: ``payload`` is what would be locked in, ``findings`` what is wrong with them."""

    payload: dict[str, Any]
    canonical: list[str]
    findings: list[Finding]
    adding: bool = False

    @property
    def bad(self) -> bool:
        """Whether a line was not understood or refused."""
        return any(f["severity"] != "warning" for f in self.findings)

    @property
    def empty(self) -> bool:
        """Whether there is nothing to put in force."""
        return not any(self.payload.get(k) for k in ("directives", "cancel", "replace")) and not self.canonical

    def split(self, standing: Collection[str]) -> tuple[Reading, Reading]:
        """The standing orders given and taken back, and the orders of phases.  ``standing``: ids of those in force."""
        directives, gone = self.payload["directives"], self.payload["cancel"]
        lasting = {
            "directives": [d for d in directives if d["mode"] == STANDING], "cancel": [i for i in gone if i in standing],
            "replace": [],
        }
        passing = {
            "directives": [d for d in directives if d["mode"] != STANDING],
            "cancel": [i for i in gone if i not in standing], "replace": self.payload["replace"],
        }
        said = {line: line.startswith(("standing ", "cancel standing ")) for line in self.canonical}
        return (
            Reading(lasting, [line for line in self.canonical if said[line]], self.findings, self.adding),
            Reading(passing, [line for line in self.canonical if not said[line]], self.findings, self.adding),
        )


@dataclass
class Dealt:
    """What was done about a block: the receipt (None: only requests stood in it), the rows that followed, and the
    requests that are still to be answered."""

    receipt: Receipt | None = None
    rows: list[Row] = field(default_factory=list)
    requests: list[ServiceRequest] = field(default_factory=list)


def deal(play: GameSession, side: str, block: OrderBlock, source: str) -> Dealt:
    """Carry a block out for ``side``.  ``source`` names the mail, for the journal and the reports."""
    requests, lines = take_requests(block.lines)
    lines, cleared = _clearing(lines)
    said = {r.verb for r in requests}
    done = Dealt(requests=[r for r in requests if r.verb not in ("check", "ready", "wait", "nonce", "regardless")])
    given = nonces.give(play, side, [r for r in requests if r.verb == "nonce"], source, trial="check" in said)
    if cleared and "check" not in said:
        cleared = _clear(play, side, source)
    if not lines and not cleared and not said & {"ready", "wait", "check"}:
        if given:
            done.receipt, done.rows = Receipt(notes=tuple(given)), game_session.store_rows(play)
        return done
    reading = read(play, side, lines, block, source)
    if (count := _standing(play, side, reading)) > MOST_STANDING:
        many = f"with it you would have {count} standing orders, {MOST_STANDING} is the most: 'cancel standing 3' takes one back"
        done.receipt, done.rows = Receipt(refused=f"nothing of your mail was taken: {many}"), game_session.store_rows(play)
        return done
    if not reading.empty:
        reading = _tried(play, side, reading, lines)
    if "regardless" not in said:
        reading = _holding(reading)
    if "check" in said:
        done.receipt = _receipt(reading, *given, check=True)
    else:
        done.receipt = _put_in_force(play, side, reading, source, said)
        play.advance()
        notes = (*given, *cleared, *done.receipt.notes, *([STAYS_OPEN] if _stays_open(play, side) else []))
        done.receipt = replace(done.receipt, notes=notes)
        done.rows = game_session.store_rows(play)
    return done


STAYS_OPEN = (
    "The phase stays open, as a line of yours for it could not be carried out: 'ready' closes it, or order something else."
    " 'regardless' in a mail goes on whatever fails."
)


def _stays_open(play: GameSession, side: str) -> bool:
    return any(play.session.held(ask) for ask in play.session.open if ask.side == side)


def _holding(reading: Reading) -> Reading:
    """A phase does not close by itself if a line of this mail for it fails."""
    closing = [d["mode"] == PLAN and list(d["choices"]) == [DONE] and not d["where"] for d in reading.payload["directives"]]
    directives = [{**d, "holds": True} if c else d for d, c in zip(reading.payload["directives"], closing, strict=True)]
    return replace(reading, payload={**reading.payload, "directives": directives})


CLEARING = ["cancel", "orders"]
"""A line that takes back all that was ordered and is not carried out yet; standing orders stay."""


def _clearing(lines: Sequence[Line]) -> tuple[list[Line], list[str]]:
    """The lines without such a one, and a word on it if there was one."""
    left = [line for line in lines if [t.text for t in tokenise(line.text)] != CLEARING]
    return left, [] if len(left) == len(lines) else ["'cancel orders' is only tried here: nothing is taken back."]


def _clear(play: GameSession, side: str, source: str) -> list[str]:
    """Take back what is kept and what is in force for phases; gives what to say of it."""
    draft, passing = play.draft(side), play.in_force(side)[1]
    gone = dict.fromkeys([*(draft.lines if draft else ()), *(d.text for d in passing)])
    play.drop_draft(side)
    if passing:
        play.order(side, {"directives": [], "replace": [], "cancel": [d.id for d in passing]}, source)
    return [f"Taken back: {line}" for line in gone] or ["There was nothing of yours to take back."]


def put(play: GameSession, side: str, block: OrderBlock, source: str) -> None:
    """Put in force what of a block can be, whatever is wrong with the rest, and go on."""
    reading = read(play, side, block.lines, block, source)
    reading = reading if reading.empty else _tried(play, side, reading, block.lines)
    if not reading.empty:
        play.order(side, reading.payload, source)
        play.advance()


def read(play: GameSession, side: str, lines: Sequence[Line], block: OrderBlock, source: str) -> Reading:
    """The lines as the title understands them."""
    session = play.session
    parsed = play.rules.words.parse(
        session.state, side, session.step_name, lines, open_asks=play.asks, in_force=session.plans.of(side), guard=block.guard,
        guard_line=block.guard_line, source=source,
    )
    payload = {"directives": parsed.directives, "replace": [list(r) for r in parsed.replace], "cancel": list(parsed.cancel)}
    adding = any([t.text for t in tokenise(line.text)] == ["add"] for line in lines)
    return Reading(payload, list(parsed.canonical), [_finding(d) for d in parsed.diagnostics], adding)


def _standing(play: GameSession, side: str, reading: Reading) -> int:
    """How many standing orders the side would have."""
    new = [d["text"] for d in reading.payload["directives"] if d["mode"] == STANDING]
    if not new:
        return 0
    return len({*(d.text for d in play.in_force(side)[0] if d.id not in reading.payload["cancel"]), *new})


def _finding(d: Diagnostic) -> Finding:
    return mails.finding(
        d.severity, d.message, no=d.line.no, text=d.line.text, column=d.column, length=d.length, rule=d.rule,
        suggestions=d.suggestions,
    )


def _tried(play: GameSession, side: str, reading: Reading, lines: Sequence[Line]) -> Reading:
    """Try the orders out where that tells nothing hidden: a line that could not be carried out is refused at once, and
    taken out of what stands."""
    session = play.session
    if not play.rules.can_rehearse(session.step_name):
        return reading
    found: list[Finding] = []
    refused: list[Mapping[str, Any]] = []
    mine = f"{session.seq}."
    by_number = {line.no: line for line in lines}
    for skip in rehearse(session, side, {"side": side, **reading.payload}):
        if str(skip["id"]).startswith(mine):
            directive = reading.payload["directives"][int(str(skip["id"]).removeprefix(mine))]
            line = by_number.get(_line_number(directive["source"]), Line(0, skip["text"]))
            finding = mails.finding("refused", skip["reason"], no=line.no, text=line.text, length=len(line.text))
            found.append({**finding, "rule": skip["rule"]})
            refused.append(directive)
    return _without(reading, refused, found)


def _without(reading: Reading, refused: Sequence[Mapping[str, Any]], findings: Sequence[Finding]) -> Reading:
    """A reading without the lines of some directives, of which ``findings`` says what is wrong."""
    if not refused:
        return reading
    gone = {d["source"] for d in refused}
    canonical = list(reading.canonical)
    for text in (d["text"] for d in refused):
        if text in canonical:
            canonical.remove(text)
    headings = [line.startswith("phase ") for line in canonical]
    kept = [
        line for n, line in enumerate(canonical) if not headings[n] or n + 1 < len(canonical) and not headings[n + 1]
    ]
    directives = [d for d in reading.payload["directives"] if d["source"] not in gone] if kept else []
    payload = {**reading.payload, "directives": directives, "replace": reading.payload["replace"] if kept else []}
    return replace(reading, payload=payload, canonical=kept, findings=[*reading.findings, *findings])


def _line_number(source: str) -> int:
    word = source.rpartition(" ")[2]
    return int(word) if word.isdecimal() else 0


def _receipt(reading: Reading, *notes: str, check: bool = False) -> Receipt:
    return Receipt(tuple(reading.canonical), tuple(reading.findings), tuple(notes), check)


def _put_in_force(play: GameSession, side: str, reading: Reading, source: str, said: set[str]) -> Receipt:
    """Lock good orders in; keep those of a mail with mistakes, or of one that says 'wait', as a draft.

    Standing orders need nothing beside them to make sense: those of a mail with mistakes are in force at once.
    """
    lasting, passing = reading.split([d.id for d in play.in_force(side)[0]])
    draft = play.draft(side)
    replaced = draft.lines if draft and not passing.empty and not reading.adding else ()
    if replaced:
        play.drop_draft(side)
        draft = None
    if play.held:
        return _of_taken_back(play, side, reading, lasting, passing, source, said)
    notes = [f"Not kept any more, as this mail takes its place: {line}" for line in replaced if line not in reading.canonical]
    early = play.clock.early
    held = "wait" in said or not passing.empty and (early == "no" or early == "ready" and "ready" not in said)
    if "wait" in said:
        passing, lasting = reading, replace(reading, payload={}, canonical=[])
    if not lasting.empty and (reading.bad or passing.empty or held):
        play.order(side, lasting.payload, source)
        notes += [LASTING] if reading.bad or held else []
    if not passing.empty and (reading.bad or held):
        kept = _joined(draft, passing.payload)
        lines = (*(draft.lines if draft else ()), *passing.canonical)
        whole = not reading.bad and (draft is None or draft.whole)
        play.keep_draft(Draft(play.game.id, side, play.session.step, kept, lines, source, play.now, whole))
        notes.append(KEPT if reading.bad else HELD if "wait" in said else NOT_EARLY[early])
    elif not passing.empty:
        play.order(side, _joined(draft, reading.payload), source)
        if draft:
            play.drop_draft(side)
    elif reading.empty and "wait" in said:
        notes.append("Nothing of yours was about to be carried out, so there is nothing to hold back.")
    if "ready" in said and early == "no":
        notes += [NOT_EARLY[early]] if passing.empty else []
    elif "ready" in said and not reading.bad:
        make_ready(play, side, given=not passing.empty)
    return _receipt(reading, *notes)


def _of_taken_back(
    play: GameSession, side: str, reading: Reading, lasting: Reading, passing: Reading, source: str, said: set[str],
) -> Receipt:
    """A side says how a game goes on that was taken back: with what is kept of it, or with new orders."""
    if not lasting.empty:
        play.order(side, lasting.payload, source)
    draft = play.draft(side) if reading.adding else None
    if not passing.empty:
        lines = (*(draft.lines if draft else ()), *passing.canonical)
        kept = _joined(draft, passing.payload)
        play.keep_draft(Draft(play.game.id, side, play.session.step, kept, lines, source, play.now, not reading.bad))
    if reading.bad or "wait" in said or passing.empty and "ready" not in said:
        return _receipt(reading, *([KEPT] if reading.bad and not passing.empty else [HELD] if "wait" in said else []))
    if not taken_back.speak(play, side):
        return _receipt(reading, "The game goes on as soon as the other side has spoken, too; then your orders are carried out.")
    if "ready" in said and play.clock.early != "no":
        make_ready(play, side, given=not passing.empty)
    return _receipt(reading)


IN_PAUSE = "The game is paused. Your orders are kept, and carried out when it goes on; a new mail replaces them."
LATER = "The game is paused. Your lines are kept, but not carried out by themselves when it goes on."


def keep_in_pause(play: GameSession, side: str, block: OrderBlock, source: str) -> Receipt | None:
    """Orders that are sent while a game is paused: read, and kept until it goes on.  None if there are none in the block."""
    requests, lines = take_requests(block.lines)
    if not lines:
        return None
    reading, said = read(play, side, lines, block, source), {r.verb for r in requests}
    if reading.empty or "check" in said:
        return _receipt(reading, check="check" in said)
    draft = play.draft(side) if reading.adding else None
    whole = not reading.bad and "wait" not in said
    kept, text = _joined(draft, reading.payload), (*(draft.lines if draft else ()), *reading.canonical)
    play.keep_draft(Draft(play.game.id, side, play.session.step, kept, text, source, play.now, whole))
    _mark_pause(play, side, whole)
    return _receipt(reading, IN_PAUSE if whole else LATER)


def _mark_pause(play: GameSession, side: str, whole: bool) -> None:
    games, game = play.context.store.games, play.game.id
    state = dict(games.clock(game))
    sides = [s for s in state.get("in_pause", []) if s != side] + ([side] if whole else [])
    games.set_clock(game, {**state, "in_pause": sides})


def put_sent_in_pause(play: GameSession) -> None:
    """The game goes on: what was sent in the pause comes in force, where orders are carried out as they come."""
    games, game = play.context.store.games, play.game.id
    state = dict(games.clock(game))
    for side in state.pop("in_pause", []):
        if play.clock.early == "yes":
            put_draft(play, side)
    games.set_clock(game, state)


def make_ready(play: GameSession, side: str, given: bool = False) -> None:
    """The side has no more to say: its draft is put in force, and what is still open takes the default; but not where an
    order that was just ``given``, or kept in the draft, has failed and something may rest on it."""
    given = put_draft(play, side) or given
    play.advance()
    if side in play.session.waiting() and not (given and _stays_open(play, side)):
        play.session.submit("control", {"act": "deadline", "side": side, "ready": True}, "")


def put_draft(play: GameSession, side: str) -> bool:
    """Put a side's draft in force, if it has one."""
    draft = play.draft(side)
    if draft is None:
        return False
    play.session.submit("orders", {"side": side, **draft.payload}, draft.source)
    play.drop_draft(side)
    return True


def _joined(draft: Draft | None, payload: Mapping[str, Any]) -> dict[str, Any]:
    """A draft and what is added to it."""
    before: Mapping[str, Any] = draft.payload if draft else {}
    return {k: [*before.get(k, []), *payload.get(k, [])] for k in ("directives", "replace", "cancel")}
