"""The engine: runs a title's steps, records what happens, and stops at open questions.

``Session`` holds one game in memory.  Its only inputs are journal rows (``submit``) and its only
output is new journal rows (``new_rows``): storing them is somebody else's work.  A step that was
interrupted by a question is run again from its start; what it does is compared with the rows already
written, and past their end it goes on.  A difference is a :class:`Divergence`, and nothing is written.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from pbem.core.asks import DONE, Answer, Ask, Option, Refusal
from pbem.core.dice import FIRST_BINDING, NONCE, RESTORE, Dice, FlatDice, bind
from pbem.core.journal import GENESIS, Row, plain, private, seal
from pbem.core.rolls import Reading
from pbem.core.ruleset import Event, Ruleset, State
from pbem.core.stage import Stage
from pbem.core.standing import ONCE, PLAN, STANDING, Directive, Plans, directive
from pbem.core.steps import Ctx as Ctx
from pbem.core.steps import Mod as Mod
from pbem.core.steps import Step
from pbem.core.undone import LAID_OPEN, REWIND

INPUTS = ("orders", "control")
ADJUST = "adjust"
"""The control row that event rows follow which no rule made; it says how many."""


class Divergence(RuntimeError):
    """The rules do something else than the journal says; names the row."""


class GameOver(RuntimeError):
    """Orders were submitted to a finished game."""


@dataclass
class Snapshot:
    """All that is needed to go on from the start of a step without the rows before it."""

    seq: int
    step: int
    step_name: str
    head: str
    binding: str
    attempt: int
    state: dict[str, Any]
    plans: list[dict[str, Any]]
    epoch: int = 0
    nonces: list[list[str]] = field(default_factory=list)


@dataclass
class Session:
    """One game being played (or re-run)."""

    game: str
    rules: Ruleset
    data: Mapping[str, Any]
    options: Mapping[str, Any]
    state: State
    dice: Dice
    at: str
    seq: int = 0
    step: int = 0
    step_name: str = ""
    head: str = GENESIS
    binding: str = FIRST_BINDING
    attempt: int = 1
    epoch: int = 0
    nonces: list[list[str]] = field(default_factory=list)
    plans: Plans = field(default_factory=Plans)
    open: list[Ask] = field(default_factory=list)
    over: bool = False
    new_rows: list[Row] = field(default_factory=list)
    step_rows: list[Row] = field(default_factory=list)
    snapshot: Snapshot | None = None
    timed_out: set[str] = field(default_factory=set)
    failed: set[tuple[str, str, str]] = field(default_factory=set)
    """Side, mail and kind of the orders of this step that could not be carried out."""
    _recorded: deque[Row] = field(default_factory=deque)
    _faces: int = 0
    _asked: int = 0
    _gen: Step | None = None

    @property
    def stage(self) -> Stage:
        """Where the game stands: the step in progress."""
        return Stage.parse(self.step_name)

    # -- starting and resuming -----------------------------------------------------------------

    @classmethod
    def start(
        cls, game: str, rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], dice: Dice, at: str,
        creation: Mapping[str, Any],
    ) -> Self:
        """A new game.  ``creation`` is the payload of its first row (scenario, seats, commitment …)."""
        session = cls(game, rules, data, options, rules.new_state(data, options), dice, at)
        session._append("game", creation, "")
        session._begin(rules.first_step(session.state))
        return session

    @classmethod
    def resume(
        cls, game: str, rules: Ruleset, data: Mapping[str, Any], options: Mapping[str, Any], dice: Dice, at: str,
        snapshot: Snapshot, rows: Sequence[Row], hold: bool = False,
    ) -> Self:
        """A stored game: ``rows`` are those after the snapshot (the step in progress).

        If the process had died between two rows, what follows from them stands in ``new_rows``.  ``hold``: the step is not
        run, so that nothing is asked and no die falls before :meth:`run` is called.
        """
        state = rules.load(data, options, snapshot.state)
        session = cls(
            game, rules, data, options, state, dice.of_epoch(snapshot.epoch), at, epoch=snapshot.epoch, snapshot=snapshot,
            step_rows=list(rows),
        )
        session._replay(hold)
        return session

    def _replay(self, hold: bool = False) -> None:
        """Run the step in progress again, from its snapshot along the rows recorded since."""
        snapshot = self.snapshot
        assert snapshot is not None
        self.seq, self.head, self.step, self.step_name = snapshot.seq, snapshot.head, snapshot.step, snapshot.step_name
        self.binding, self.attempt = snapshot.binding, snapshot.attempt
        self.dice, self.nonces = self.dice.of_epoch(snapshot.epoch), []
        for side, nonce in snapshot.nonces:
            self._mix(side, nonce)
        self.plans = Plans([directive(d) for d in snapshot.plans])
        self._recorded = deque(self.step_rows)
        self._enter()
        self._catch_up()
        if not hold:
            self.run()

    def _begin(self, name: str) -> None:
        """Start the next step: its row, its snapshot, its generator."""
        self.step, self.step_name = self.step + 1, name
        self._append("step", {"name": name, "attempt": self.attempt}, "")
        self.snapshot = Snapshot(
            self.seq, self.step, name, self.head, self.binding, self.attempt, self.rules.dump(self.state),
            [d.as_dict() for d in self.plans.directives], self.epoch, [list(n) for n in self.nonces],
        )
        self.step_rows = []
        self._enter()

    def _enter(self) -> None:
        self._faces = self._asked = 0
        self.timed_out, self.failed = set(), set()
        self.open = []
        self._gen = self.rules.steps[self.step_name](Ctx(self))

    # -- inputs ---------------------------------------------------------------------------------

    def submit(self, kind: str, payload: Mapping[str, Any], source: str) -> Row:
        """Record orders of a side or an act from outside, and take it into account."""
        if self.over:
            raise GameOver(f"game {self.game} is over")
        row = self._append(kind, payload, source)
        self._take(row)
        return row

    def _take(self, row: Row) -> None:
        """What an input row changes."""
        self.binding = bind(self.binding, row.kind, row.payload)
        payload = row.payload
        if row.kind == "orders":
            side = payload["side"]
            new = [directive({**d, "id": f"{row.seq}.{i}", "side": side}) for i, d in enumerate(payload["directives"])]
            self.plans.add(new, [(payload["side"], s, k) for s, k in payload.get("replace", [])])
            self.plans.drop([d for d in payload.get("cancel", []) if self._owner(d) == payload["side"]])
        elif payload.get("act") == "deadline":
            self.timed_out.add(payload["side"])
        elif payload.get("act") == NONCE:
            self._mix(payload["side"], payload["nonce"])
        elif payload.get("act") == RESTORE:
            self.attempt += 1

    def _mix(self, side: str, nonce: str) -> None:
        """Dice and salts from now on are made with a side's nonce as well."""
        self.dice, self.nonces = self.dice.mixed(side, nonce), [*self.nonces, [side, nonce]]

    def give_nonce(self, side: str, nonce: str, source: str) -> Row:
        """A side puts a nonce of its own into the dice; the row commits to the key that comes of it."""
        key = getattr(self.dice.mixed(side, nonce), "commitment", "")
        return self.submit("control", {"act": NONCE, "side": side, "nonce": nonce, "mixed": key}, source)

    def _owner(self, directive_id: str) -> str:
        return next((d.side for d in self.plans.directives if d.id == directive_id), "")

    def rewind(self, to: Snapshot, reason: str, source: str, commitment: str = "", lay_open: bool = False) -> list[Directive]:
        """Go back to the start of an earlier step, even from the end of the game.  Nothing is erased: the attempt counts
        up, so that every die falls anew and visibly.  ``commitment``: of a new seed, if the one before has been opened.

        ``lay_open``: orders of phases that were in force there are not any more, but given back to be confirmed; standing
        orders stay.  (Games before this was possible have rewinds without it.)
        """
        self.over = False
        said = {"act": REWIND, "step": to.step, "name": to.step_name, "reason": reason}
        said |= {"commitment": commitment} if commitment else {}
        self.submit("control", {**said, LAID_OPEN: True} if lay_open else said, source)
        if commitment:
            self.epoch += 1
            self.dice, self.nonces = self.dice.of_epoch(self.epoch), []
        self.state = self.rules.load(self.data, self.options, to.state)
        self.plans = Plans([directive(d) for d in to.plans])
        open_again = [d for d in self.plans.directives if d.mode != STANDING] if lay_open else []
        self.plans.drop([d.id for d in open_again])
        self.attempt += 1
        self._begin(to.step_name)
        return open_again

    def adjust(self, events: Sequence[Event], said: Mapping[str, Any], source: str) -> None:
        """Correct the position from outside: one control row, and an event row for each change.  The open question is
        put again, as it is after the correction; what was decided before it stands."""
        self.submit("control", {**said, "act": ADJUST, "events": len(events)}, source)
        for event in events:
            self._append("event", {"event": self.rules.event_data(event), **self.rules.visibility(self.state, event)}, source)
            self.rules.apply(self.state, event)
        assert self.snapshot is not None
        self.state = self.rules.load(self.data, self.options, self.snapshot.state)
        self._replay()

    # -- running --------------------------------------------------------------------------------

    def run(self) -> list[Ask]:
        """Go on until a side must decide (its asks are returned and in ``open``) or the game is over."""
        answers: list[Answer] | None = None
        while not self.over:
            if not self.open and not self._advance(answers):
                answers = None
                continue
            found = self._answer_all(self.open)
            if found is None:
                break
            self.open, answers = [], found
        return self.open

    def _advance(self, answers: list[Answer] | None) -> bool:
        """Let the step go on; False when it has ended and the next one has begun."""
        assert self._gen is not None
        try:
            asks = next(self._gen) if answers is None else self._gen.send(answers)
        except StopIteration as stop:
            self._end(stop.value)
            return False
        for ask in asks:
            self._asked += 1
            ask.id = f"q{self.step}.{self._asked}"
        self.open = list(asks)
        return True

    def _end(self, following: str | None) -> None:
        self._catch_up()
        if self._recorded:
            extra = self._recorded[0]
            raise Divergence(f"game {self.game}: row {extra.seq} ({extra.kind}) does not follow from the rules")
        self._void_unused()
        name = following or self.rules.next_step(self.state, self.step_name)
        for scope in sorted({d.scope for d in self.plans.directives if d.scope}):
            if scope.startswith("q") or (name and self.rules.scope_over(name, scope)):
                self.plans.expire(scope)
        if name is None:
            self.over, self._gen, self.open = True, None, []
            return
        self._begin(name)

    def _void_unused(self) -> None:
        """Orders of the step that has ended and that no question came to: void, and their side is told why.  An order for
        what was forced anyway has had its way."""
        forced = [r.payload for r in self.step_rows if r.kind == "answer" and r.payload["how"] == "forced"]
        for d in [d for d in self.plans.directives if d.mode == ONCE and d.scope == self.step_name]:
            same = [a for a in forced if (a["side"], a["kind"]) == (d.side, d.kind) and self.rules.meant(self.state, d, a["key"])]
            if same:
                forced.remove(same[0])
                continue
            refusal = self.rules.unused(self.state, d)
            if refusal is not None:
                self._void(d, refusal)

    def _void(self, d: Directive, refusal: Refusal) -> None:
        """Take an order that cannot be carried out out of force, on record with the reason."""
        said = {"side": d.side, "id": d.id, "text": d.text, "reason": refusal.reason, "rule": refusal.rule}
        self._append("skip", said, d.source)
        self._drop_failed(d.id)

    def _drop_failed(self, directive_id: str) -> None:
        """Take an order that failed out of force, and remember which mail and kind it was of."""
        self.failed |= {(d.side, d.mail, d.kind) for d in self.plans.directives if d.id == directive_id}
        self.plans.drop([directive_id])

    def held(self, ask: Ask) -> bool:
        """Whether a phase stays open only because an order of the mail that would close it could not be carried out: what
        comes later may rest on it."""
        return self.pending(ask) and any(self._holds(d) for d in self.plans.fitting(ask))

    def _holds(self, d: Directive) -> bool:
        return d.holds and (d.side, d.mail, d.kind) in self.failed

    def pending(self, ask: Ask) -> bool:
        """Whether nothing answers ``ask`` yet."""
        return self._resolve(ask) is None

    def would_answer(self, side: str, payload: Mapping[str, Any]) -> bool:
        """Whether nothing that ``side`` is asked now would be open if these orders of it were in force as well."""
        kept = list(self.plans.directives)
        try:
            new = [directive({**d, "id": f"kept.{i}", "side": side}) for i, d in enumerate(payload["directives"])]
            self.plans.add(new, [(side, s, k) for s, k in payload.get("replace", [])])
            return not any(self.pending(a) for a in self.open if a.side == side)
        finally:
            self.plans.directives = kept

    def waiting(self) -> list[str]:
        """The sides whose answer is missing, in the order of the open asks."""
        return list(dict.fromkeys(a.side for a in self.open if self.pending(a)))

    def _answer_all(self, asks: list[Ask]) -> list[Answer] | None:
        """Answers to a whole batch, recorded; None while one is missing."""
        answers = []
        for ask in asks:
            self._catch_up()
            if not self._recorded:
                break
            answers.append(self._recorded_answer(ask))
        rest = asks[len(answers) :]
        for ask in rest:
            self._skip_impossible(ask)
        found = [self._resolve(a) for a in rest]
        if any(f is None for f in found):
            return None
        return answers + [self._record_answer(a, *f) for a, f in zip(rest, found, strict=True) if f is not None]

    def _skip_impossible(self, ask: Ask) -> None:
        """Void the orders of the phase that cannot be carried out now, and say why."""
        if ask.only is not None and ask.only.key != DONE:
            return  # the orders may be meant for the next question of this kind
        for d in self.plans.fitting(ask):
            if d.mode != ONCE:
                return
            result = self._first(ask, d)
            if isinstance(result, Option):
                return
            self._void(d, result)

    def _first(self, ask: Ask, d: Directive) -> Option | Refusal:
        refusal = Refusal("nothing was chosen", ask.rule)
        for choice in d.choices:
            got = self.rules.choose(self.state, ask, choice)
            if isinstance(got, Option):
                return got
            refusal = got
        return refusal

    def _resolve(self, ask: Ask) -> tuple[Option, str, Directive | None] | None:
        """Forced, mailed, plan, standing, wait, default at the deadline (design: few mails)."""
        only = ask.only
        if only is not None:
            return only, "forced", None
        for d in self.plans.fitting(ask):
            if self._holds(d):
                continue
            got = self._first(ask, d)
            if isinstance(got, Option):
                return got, {ONCE: "mailed", PLAN: "plan", STANDING: "standing"}[d.mode], d
        if ask.side in self.timed_out:
            option = ask.option(ask.default)
            if option is None:
                raise Divergence(f"ask {ask.kind} ({ask.rule}): its default {ask.default!r} is not an option")
            return option, "default", None
        return None

    # -- recording: first compare with what is written, past the end append ---------------------

    def _append(self, kind: str, payload: Mapping[str, Any], source: str) -> Row:
        place = self.binding if kind == "orders" else self.seq
        salt = self.dice.salt(self.game, place) if private(kind, payload) else ""
        if salt:
            payload = {**payload, "salt": salt}
        row = seal(self.game, self.seq, self.step, kind, payload, source, self.at, self.head)
        self.seq, self.head = row.seq + 1, row.hash
        self.new_rows.append(row)
        self.step_rows.append(row)
        return row

    def _catch_up(self) -> None:
        """Take the recorded inputs and skips that come next, and the events of a correction."""
        while self._recorded and self._recorded[0].kind in (*INPUTS, "skip"):
            row = self._pop()
            if row.kind == "skip":
                self._drop_failed(row.payload["id"])
            else:
                self._take(row)
            if row.payload.get("act") == ADJUST:
                for _ in range(row.payload["events"]):
                    self.rules.apply(self.state, self.rules.event_from(self._pop().payload["event"]))

    def _pop(self) -> Row:
        row = self._recorded.popleft()
        self.seq, self.head = row.seq + 1, row.hash
        return row

    def _next_recorded(self, kind: str, what: str) -> Row | None:
        self._catch_up()
        if not self._recorded:
            return None
        if self._recorded[0].kind != kind:
            row = self._recorded[0]
            raise Divergence(f"game {self.game}: row {row.seq} is a {row.kind}, but the rules give {what}")
        return self._pop()

    def record_event(self, event: Event) -> None:
        """See :meth:`Ctx.emit`."""
        data = self.rules.event_data(event)
        row = self._next_recorded("event", data["type"])
        if row is not None:
            if row.payload["event"] != data:
                raise Divergence(f"game {self.game}: row {row.seq} says {row.payload['event']}, but the rules give {data}")
        else:
            self._append("event", {"event": data, **self.rules.visibility(self.state, event)}, "")
        self.rules.apply(self.state, event)
        self._catch_up()  # a correction that came before the next question is in force when the question is made

    def record_roll(
        self, count: int, purpose: str, rule: str, side: str, sides: int, target: int | None, mods: list[Mod], secret: bool,
        read: Reading | None,
    ) -> list[int]:
        """See :meth:`Ctx.roll`."""
        said = {
            "n": self._faces, "count": count, "sides": sides, "purpose": purpose, "rule": rule, "side": side,
            "target": target, "mods": [list(m) for m in mods], "secret": secret, "attempt": self.attempt,
            "binding": self.binding,
        }
        self._catch_up()
        said["binding"] = self.binding
        row = self._next_recorded("roll", f"a roll for {purpose}")
        if row is not None:
            faces = list(row.payload["faces"])
            said |= _result(read, faces) if "result" in row.payload else {}  # older rows hold none
            if {k: v for k, v in row.payload.items() if k not in ("faces", "salt")} != said or len(faces) != count:
                raise Divergence(f"game {self.game}: row {row.seq} is the roll {dict(row.payload)}, but the rules give {said}")
        else:
            place = (self.game, self.step, self.attempt)
            faces = [self.dice.face(*place, self._faces + i, sides, self.binding, rule) for i in range(count)]
            self._append("roll", {**said, "faces": faces, **_result(read, faces)}, "")
        self._faces += count
        self._catch_up()
        return faces

    def _record_answer(self, ask: Ask, option: Option, how: str, d: Directive | None) -> Answer:
        source = d.source if d else ""
        payload = {
            "ask": ask.id, "side": ask.side, "kind": ask.kind, "rule": ask.rule, "where": ask.where, "scope": ask.scope,
            "key": option.key, "data": dict(option.data), "how": how, "order": d.text if d else "", "id": d.id if d else "",
        }
        self._append("answer", payload, source)
        if d and d.mode == ONCE:
            self.plans.drop([d.id])
        return Answer(ask.id, option, how, source)

    def _recorded_answer(self, ask: Ask) -> Answer:
        row = self._next_recorded("answer", f"the question {ask.kind}")
        if row is None or row.payload["ask"] != ask.id or row.payload["kind"] != ask.kind:
            raise Divergence(f"game {self.game}: row {row.seq if row else self.seq} does not answer {ask.id} ({ask.kind})")
        payload = row.payload
        if payload["how"] == "mailed":
            self.plans.drop([payload["id"]])
        self._catch_up()
        return Answer(ask.id, Option(payload["key"], data=payload["data"]), payload["how"], row.source)


def _result(read: Reading | None, faces: list[int]) -> dict[str, Any]:
    """What the faces come to, as it is recorded; nothing where the rules do not say."""
    return {} if read is None else {"result": plain(read(faces))}


class _StepDone(Exception):
    """Ends a rehearsal."""


class _Rehearsal(Session):
    def _begin(self, name: str) -> None:
        raise _StepDone


def rehearse(session: Session, side: str, payload: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Try ``side``'s orders in the step in progress, without any effect, and return what would be skipped.

    The other sides' orders are left out and their questions take the default; every die shows the title's
    ``rehearsed_face``, so that nothing is told of the real ones.
    """
    assert session.snapshot is not None
    if all(d.get("scope") and d["scope"] != session.step_name and d["scope"][0] != "q" for d in payload["directives"]):
        return []  # none of them is for this step
    trial = _Rehearsal.resume(
        session.game, session.rules, session.data, session.options, session.dice, session.at, session.snapshot, session.step_rows
    )
    trial.dice, trial.new_rows = FlatDice(session.rules.rehearsed_face), []
    trial.plans.directives = trial.plans.of(side)
    trial.timed_out = {s for s in session.rules.sides if s != side}
    try:
        trial.submit("orders", payload, "")
        trial.run()
    except _StepDone:
        pass
    return [dict(r.payload) for r in trial.new_rows if r.kind == "skip" and r.payload["side"] == side]


class _Trial(Session):
    """A copy that plays on for one side: the others take their defaults; it ends where it is told to."""

    me = ""
    ends_before: Callable[[str], bool] | None = None

    def _begin(self, name: str) -> None:
        if self.ends_before is not None and self.ends_before(name):
            raise _StepDone
        super()._begin(name)

    def _enter(self) -> None:
        super()._enter()
        self.timed_out = {s for s in self.rules.sides if self.me and s != self.me}


def look_ahead(
    session: Session, side: str, choose: Callable[[Any, Ask], Option], stop: Callable[[str], bool]
) -> tuple[Any, list[tuple[str, Ask, Option]]]:
    """Play on from here in thought, for a scripted player who writes several phases in one mail.

    Returns the state he would reach before the first step that ``stop`` names, and what he chose on the
    way: (step, ask, option).  Dice as in :func:`rehearse`; the session itself is not touched.
    """
    assert session.snapshot is not None
    trial = _Trial.resume(
        session.game, session.rules, session.data, session.options, session.dice, session.at, session.snapshot, session.step_rows
    )
    trial.dice, trial.me = FlatDice(session.rules.rehearsed_face), side
    trial.ends_before = stop
    trial.plans.directives = trial.plans.of(side)
    trial.timed_out = {s for s in session.rules.sides if s != side}
    chosen: list[tuple[str, Ask, Option]] = []
    try:
        while trial.run():
            for ask in trial.open:
                if ask.side == side and trial.pending(ask):
                    option = choose(trial.state, ask)
                    chosen.append((trial.step_name, ask, option))
                    given = Directive("", side, ask.kind, ONCE, (option.key,), option.key, scope=ask.id)
                    trial.submit("orders", {"side": side, "directives": [given.as_dict()]}, "")
    except _StepDone:
        pass
    return trial.state, chosen
