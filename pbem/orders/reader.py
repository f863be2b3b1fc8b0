"""Order lines to directives: what is the same in every title.

A title makes a subclass with its verbs, questions and phases, and adds handlers for the verbs that mean more than a form
of the verb table.  The reader knows no more than the side whose lines it reads.  Whether an order can be carried out is only
found when its turn comes: then it is looked for among the legal options.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import ClassVar

from pbem.core.asks import DONE, Ask, Option, Refusal
from pbem.core.documents import Severity
from pbem.core.standing import PLAN, Directive, Test
from pbem.orders.catalogue import AskKind, Catalogue
from pbem.orders.diagnostics import ERROR, REFUSED, WARNING, Diagnostic
from pbem.orders.drafts import Draft, Parsed
from pbem.orders.grammar import SHOWN, Form, Reader, Slot, Trouble, Verb, VerbTable, first_clause, read_first
from pbem.orders.lexer import LONGEST, WORD, Token, odd_letters, tokenise
from pbem.orders.replying import guard_of
from pbem.orders.scopes import Scopes, phase_of
from pbem.orders.service_verbs import SERVICE
from pbem.orders.source import Line
from pbem.orders.standing import read_choice, read_standing
from pbem.orders.suggest import near
from pbem.orders.taking_back import cancelled, supersede
from pbem.orders.wordings import Phrase, plain

Handler = Callable[[], None]


class Refused(Exception):
    """A line is understood, but not legal."""

    def __init__(self, code: str, message: str, rule: str, start: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.code, self.message, self.rule, self.start, self.length = code, message, rule, start, length


class OrderReader:
    """Reads the lines of one mail for one side.

    ``verbs``, ``catalogue``, ``scopes``: what can be written, asked, and when; ``sequence_rule``: the rule of the sequence of
    play; ``claused``: verbs in which ';' separates parts (in all others it begins a comment); ``passing``: a phase for the
    example of a refusal; ``phrases``: other ways to say things, but in lines that begin with a word of ``as_written``.
    """

    verbs: ClassVar[VerbTable]
    catalogue: ClassVar[Catalogue]
    scopes: ClassVar[Scopes]
    sequence_rule: ClassVar[str]
    claused: ClassVar[Collection[str]] = ("standing",)
    passing: ClassVar[str]
    phrases: ClassVar[Sequence[Phrase]] = ()
    as_written: ClassVar[Collection[str]] = ("standing", "answer", "phase", "turn", "cancel", "add")

    def __init__(
        self, side: str, step: str, slots: Mapping[str, Slot], turns: int, *, open_asks: Sequence[Ask] = (),
        in_force: Sequence[Directive] = (), source: str = "", skipped: Collection[str] = (),
    ) -> None:
        """``step``: the one that is being played; ``slots``: read the arguments; ``turns``: of the whole game; ``open_asks``: the
        questions waiting; ``in_force``: what ``cancel`` counts in; ``source``: where the lines come from, noted with each
        directive; ``skipped``: the steps that the scenario leaves out."""
        self.side, self.step, self.source, self.slots, self.turns, self.skipped = side, step, source, slots, turns, skipped
        self.asks = [a for a in open_asks if a.side == side]
        self.in_force = [d for d in in_force if d.side == side]
        self.out = Parsed()
        self.start, self.chosen, self.stale, self.adding = step, "", "", False
        self.tokens: list[Token] = []
        self.now = Line(0, "")
        self._cut: Line | None = None
        self._replies: list[str] = []
        self._said: dict[str, list[str]] = {}
        self._lasting: list[str] = []
        self._answered: set[str] = set()
        self._ordered: dict[tuple[str, str], Line] = {}

    # -- what a title says ------------------------------------------------------------------------

    def choose(self, ask: Ask, choice: str) -> Option | Refusal:
        """The option of ``ask`` that ``choice`` means, or why there is none."""
        raise NotImplementedError

    def check_unit(self, unit: str, kind: str, at: int = 1) -> None:
        """:class:`Refused` for a unit that can take no order of that kind any more."""

    def handlers(self) -> Mapping[str, Handler]:
        """The verbs that are more than a form of the table, and what reads them."""
        return {
            "pass": self._pass, "phase": self._phase, "add": self._add, "cancel": self._cancel, "standing": self._standing,
            "answer": self._answer,
        }

    def shown(self, text: str) -> str:
        """An order as it is repeated to the player."""
        return text

    def one_order(self, kind: str) -> bool:
        """Whether a unit has one order of that kind in a phase, so that a second one looks odd."""
        return True

    def order_of(self, text: str, scope: str) -> tuple[str, str]:
        """What may stand once: the phase, and the unit that the order is for."""
        return (scope, text.split()[1])

    def closes(self, kind: AskKind) -> bool:
        """Whether the orders of a phase end it by themselves, so that nothing more is asked in it."""
        return kind.closing == DONE

    def in_phase(self, scope: str, kinds: Sequence[str]) -> None:
        """A line has found its phase: room for a warning."""

    def wheres(self, reader: Reader, kind: AskKind) -> list[tuple[str, tuple[Test, ...]]]:
        """One place of a standing order's ``at``, as the ``where`` of directives and the tests that go with it."""
        return [(self.slots["PLACE"](reader), ())]

    def series_where(self, ask: Ask) -> str:
        """The place that further answers of a series are bound to, '' for any."""
        return ask.where

    def meant(self) -> Verb | None:
        """The verb of a line that begins with none, put before it: here the words of one option ('historical')."""
        said = " ".join(t.text for t in self.tokens)
        keys = [o.key for a in self.asks if self.catalogue[a.kind].phase_orders for o in a.options]
        named = [key for key in keys if key.partition(" ")[2].lower() == said]
        return self.with_verb(named[0].split(" ")[0]) if len(named) == 1 else None

    def with_verb(self, verb: str) -> Verb | None:
        """The verb, which is put before the line."""
        self.tokens = [replace(self.tokens[0], text=verb), *self.tokens]
        return self.verbs.find(verb)

    def standing_plan(self) -> tuple[Sequence[Draft], str] | None:
        """A standing order that is no ``when``: a battle plan that holds in every phase."""
        return None

    # -- the block as a whole ---------------------------------------------------------------------

    def read(self, lines: Sequence[Line], guard: str = "", guard_line: Line | None = None) -> Parsed:
        """Read a block; ``guard``: what its ``turn`` line says."""
        if guard:
            self.guard(guard, guard_line or Line(0, f"turn {guard}"))
        for line in lines:
            self.line(line)
        return self.finish()

    def guard(self, text: str, line: Line) -> None:
        """The ``turn`` line: orders for a phase that is over are refused, for a later one they wait."""
        self.now, self.tokens, self.stale = line, tokenise(line.text), ""
        words, where = text.split(), self.scopes.sequence
        number = _number(words[0]) if len(words) == 1 else -1
        scope = "" if number > 0 else self.scopes.read(words, self.side, self.step, self.skipped)
        if number > self.turns or number < 1 and (not scope or self._beyond(scope)):
            said = f"'{text[:SHOWN]}' is no phase of this game; now: {guard_of(self.step)}"
            self.tell(ERROR, 0, len(self.tokens), "guard", said)
            self.stale = text[:SHOWN]
            return
        if number > 0:
            if number < where.position(self.step)[0]:
                self.stale = f"turn {number}"
        elif where.is_over(self.step, scope):
            self.stale = scope
        else:
            self.start = scope
        if self.stale:
            said = f"these orders are for {self.stale}, which is over; now: {guard_of(self.step)}"
            self.tell(REFUSED, 0, len(self.tokens), "stale", said, self.sequence_rule)

    def line(self, line: Line) -> None:
        """One order line; whatever is wrong with it is noted and the others stand."""
        if len(line.text) > LONGEST:
            self.now, self.tokens = line, []
            said = f"this line has {len(line.text)} characters, more than {LONGEST}: nothing of it is taken"
            self.tell(ERROR, 0, 1, "long", said)
            return
        self.now, self.tokens = line, tokenise(line.text)
        if not any(t.kind == WORD for t in self.tokens):
            return
        try:
            self._line()
        except Trouble as t:
            if t.code == "missing" and t.start >= len(self.tokens):
                self._cut = line
            self.tell(ERROR, t.start, t.length, t.code, t.message + self._odd(t), "", t.suggestions)
        except Refused as r:
            self.tell(REFUSED, r.start, r.length, r.code, r.message, r.rule)

    def finish(self) -> Parsed:
        """Close the phases that got orders, and put everything into the order it is carried out in."""
        out, position = self.out, self.scopes.sequence.position
        out.phases = sorted(out.phases, key=position)
        out.directives.sort(key=lambda d: out.phases.index(d["scope"]) if d["scope"] in out.phases else len(out.phases))
        for scope in out.phases:
            for kind in map(self.catalogue.__getitem__, self.scopes.order_kinds(self.side, scope)):
                if self.closes(kind):
                    text = f"pass {phase_of(scope)}"
                    out.directives.append(Draft(kind.name, (kind.closing,), PLAN).data(text, self.source, scope))
        if not self.adding:
            out.replace += [(s, k) for s in out.phases for k in self.scopes.asks_of(self.side, s)]
        out.canonical += self._replies
        for scope in sorted(self._said, key=position):
            out.canonical += [f"phase {scope}", *self._said[scope]]
        out.canonical += self._lasting
        return out

    def tell(
        self, severity: Severity, start: int, length: int, code: str, message: str, rule: str = "",
        suggestions: Sequence[str] = (),
    ) -> None:
        """Note a finding on the tokens from ``start`` on."""
        text, tokens = self.now.text, self.tokens
        if not tokens:
            column, end = 0, 1
        elif start < len(tokens):
            column, end = tokens[start].start, tokens[min(start + max(1, length), len(tokens)) - 1].end
        else:
            column, end = len(text.rstrip()), len(text.rstrip()) + 1
        self.out.diagnostics.append(Diagnostic(severity, self.now, column, end - column, code, message, rule, tuple(suggestions)))

    def _odd(self, trouble: Trouble) -> str:
        """A letter of another alphabet looks right and is not."""
        part = self.tokens[trouble.start : trouble.start + trouble.length]
        odd = [o for t in part for o in odd_letters(self.now.text[t.start : t.end])]
        return f"; it has the foreign letter {', '.join(odd)}" if odd else ""

    # -- one line ---------------------------------------------------------------------------------

    def plain(self) -> None:
        """Other ways to say it are put into plain words, but in the lines whose words are conditions and choices, and in
        those that answer a question as they stand."""
        self.tokens = plain(self.tokens, self.now.text, ())
        if self.tokens[0].text not in self.as_written and not any(map(self._read_answer, self.asks)):
            self.tokens = plain(self.tokens, self.now.text, self.phrases)

    def _line(self) -> None:
        self.plain()
        word = self.tokens[0].text
        if word == "answer":
            self._answer()
            return
        if word == "turn" and len(self.tokens) > 1:
            self.guard(" ".join(t.text for t in self.tokens[1:]), self.now)
            return
        if self._short_answer():
            return
        verb = self.verbs.find(word) or self.meant()
        if verb is None:
            raise self._unknown(word)
        self.tokens = [replace(self.tokens[0], text=verb.name), *self.tokens[1:]]
        if verb.name not in self.claused:
            self.tokens = first_clause(self.tokens)
        handler = self.handlers().get(verb.name)
        if handler is not None:
            handler()
            return
        self.phase_order(*read_first(verb.forms, self.tokens, 0, self.slots))

    def _unknown(self, word: str) -> Trouble:
        answered = [k.name for k in self.catalogue.kinds if not k.phase_orders and word in k.openers]
        if answered:
            said = f"no question is open that '{word}' answers ({' or '.join(answered)})"
            return Trouble("no-question", f"{said}; a standing order can answer it beforehand", 0)
        if self._cut and self._cut.no == self.now.no - 1:
            whole = f"{self._cut.text} {self.now.text}"
            said = f"'{self.tokens[0].raw[:SHOWN]}' is no order; was line {self._cut.no} broken in two? Send it as one line"
            return Trouble("broken", said, 0, 1, (whole,))
        like = near(word, [*self.verbs.words, *SERVICE.words])
        names = dict.fromkeys(verb.name for w in like if (verb := self.verbs.find(w) or SERVICE.find(w)))
        return Trouble("unknown-verb", f"'{self.tokens[0].raw[:SHOWN]}' is no order", 0, 1, tuple(names))

    def phase_order(self, form: Form, text: str) -> None:
        """An order that is one form of the verb table."""
        scope = self.scope_of(form.kinds)
        kind = next(k for k in form.kinds if self.scopes.acts(self.side, scope, k))
        if len(form.parts) > 1 and form.parts[1].text == "UNIT":
            self.check_unit(text.split()[1], kind)
            if self.one_order(kind):
                self.check_twice(text, scope)
        self.accept(scope, self.shown(text), [Draft(kind, (text,))])

    def scope_of(self, kinds: Sequence[str]) -> str:
        """The phase a line is for: the one set by ``phase``, else the next of this player turn that takes it."""
        self.check_fresh()
        verb = self.tokens[0].text
        if self.chosen:
            if not any(self.scopes.acts(self.side, self.chosen, k) for k in kinds):
                said = f"you cannot '{verb}' in {self.chosen}; {self.when(kinds)}"
                raise Refused("wrong-phase", said, self.sequence_rule)
            return self.chosen
        scope = self.scopes.find(self.side, self.start, kinds, self.skipped)
        if not scope:
            said = f"there is no phase left in this player turn in which you can '{verb}'; {self.when(kinds)}"
            raise Refused("wrong-phase", said, self.sequence_rule)
        self.in_phase(scope, kinds)
        return scope

    def when(self, kinds: Sequence[str]) -> str:
        """How to order something of ``kinds`` beforehand."""
        for step in self.scopes.steps_from(self.chosen or self.step, self.skipped):
            if any(self.scopes.acts(self.side, step, k) for k in kinds):
                return f"to order it beforehand write 'phase {step}' above it"
        return "it cannot be ordered any more"

    def check_fresh(self) -> None:
        """The lines below a ``turn`` line that is over are not taken."""
        if self.stale:
            raise Refused("stale", f"not taken: it is for {self.stale}", self.sequence_rule, 0, len(self.tokens))

    def accept(self, scope: str, text: str, drafts: Sequence[Draft]) -> None:
        """An order of a phase."""
        self.put(scope, text, drafts)
        self._said.setdefault(scope, []).append(text)
        if scope not in self.out.phases:
            self.out.phases.append(scope)

    def put(self, scope: str, text: str, drafts: Sequence[Draft]) -> None:
        """Directives, with the line they come from."""
        source = f"{self.source} line {self.now.no}".strip()
        self.out.directives += [d.data(text, source, scope) for d in drafts]

    def check_twice(self, text: str, scope: str) -> None:
        """A second order for the same unit is taken, with a warning."""
        case = self.order_of(text, scope)
        before = self._ordered.setdefault(case, self.now)
        if before is not self.now:
            self.tell(WARNING, 0, 2, "twice", f"{case[1]} has an order for this phase in line {before.no} already")

    # -- verbs that all titles have ---------------------------------------------------------------

    def _pass(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        if words == ["rest"]:
            self.check_fresh()
            for step in self.scopes.player_turn(self.start, self.skipped):
                if self._passable(step):
                    self.accept(step, "pass", self._closing(step))
            return
        if words:
            scope = self.scopes.read(words, self.side, self.start, self.skipped)
            if not scope:
                raise self._no_phase(words)
            if self._later_turn(scope, words):
                there = " ".join(words)
                said = f"this turn has no phase '{there}' of yours any more; for the next one write 'pass {scope}'"
                raise Refused("nothing-to-pass", said, self.sequence_rule, 1, len(words))
        else:
            scope = self.chosen or self.start
        self.check_fresh()
        if not self._passable(scope):
            said = f"you have nothing to order in {scope}; name the phase: 'pass {self.passing}'"
            raise Refused("nothing-to-pass", said, self.sequence_rule)
        self.accept(scope, "pass", self._closing(scope))
        ended = all(self.closes(self.catalogue[k]) for k in self.scopes.order_kinds(self.side, scope))
        if ended and not words:
            self.chosen, self.start = "", list(islice(self.scopes.steps_from(scope, self.skipped), 2))[1]

    def _passable(self, step: str) -> bool:
        return any(self.catalogue[k].closing for k in self.scopes.order_kinds(self.side, step))

    def _closing(self, step: str) -> list[Draft]:
        """What ends the questions of a phase that its orders do not end by themselves."""
        kinds = [self.catalogue[k] for k in self.scopes.order_kinds(self.side, step)]
        return [Draft(k.name, (k.closing,), PLAN) for k in kinds if k.closing and not self.closes(k)]

    def _later_turn(self, scope: str, words: Sequence[str]) -> bool:
        """Whether a phase that was named without its turn is one of a later turn."""
        turn = self.scopes.sequence.position
        return turn(scope)[0] > max(1, turn(self.start)[0]) and not any(w.isdecimal() for w in words)

    def _beyond(self, scope: str) -> bool:
        """Whether a phase lies after the last turn of the game."""
        return self.scopes.sequence.position(scope)[0] > self.turns

    def _no_phase(self, words: list[str]) -> Trouble:
        if not words:
            return Trouble("missing", "missing here: a phase", 1)
        said, known = " ".join(words), [n for e in self.scopes.phases.entries for n in e.names]
        return Trouble("phase", f"'{said}' is no phase to come", 1, max(1, len(words)), near(said, known))

    def _phase(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        scope = self.scopes.read(words, self.side, self.start, self.skipped)
        if not scope or self._beyond(scope):
            self.chosen = ""
            if not scope:
                raise self._no_phase(words)
            raise Refused("beyond", f"the game ends with turn {self.turns}", self.sequence_rule, 1, len(words))
        if self.scopes.sequence.is_over(self.step, scope):
            raise Refused("past", f"{scope} is over", self.sequence_rule, 1, len(words))
        if self._later_turn(scope, words):
            said = f"taken as {scope}: there is no such phase of yours left in this turn"
            self.tell(WARNING, 1, len(words), "later", said, self.sequence_rule)
        self.chosen = scope

    def _add(self) -> None:
        Reader(self.tokens, 1).expect_end()
        self.adding = True

    def _cancel(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        gone = cancelled(words, self.in_force, lambda: self.scopes.read(words, self.side, self.step, self.skipped))
        self.out.cancel += [d.id for d in gone if d.id not in self.out.cancel]
        self._lasting.append(" ".join(["cancel", *words]))

    def _standing(self) -> None:
        drafts, text = self.standing_plan() or read_standing(self.tokens, 1, self.catalogue, self.slots, self.wheres)
        for draft in drafts:
            gone, behind = supersede(draft, [d for d in self.in_force if d.id not in self.out.cancel])
            self.out.cancel += [d.id for d in gone]
            for old in behind:
                said = f"your older order '{old.text}' comes first; cancel it to use this one"
                self.tell(WARNING, 0, 1, "behind", said)
        self.put("", text, drafts)
        self._lasting.append(text)

    # -- answers ----------------------------------------------------------------------------------

    def _answer(self) -> None:
        self.check_fresh()
        name = self.tokens[1].text if len(self.tokens) > 1 else ""
        ask = next((a for a in self.asks if a.id == name), None)
        if ask is None:
            asked = ", ".join(f"{a.id} ({a.kind})" for a in self.asks) or "none"
            if not name:
                raise Trouble("missing", f"missing here: the number of a question; open: {asked}", 1)
            raise Trouble("no-question", f"question '{name[:20]}' is not open; open: {asked}", 1)
        choice = read_choice(self.catalogue[ask.kind], self.tokens, 2, self.slots, len(self.tokens))
        got = self.choose(ask, choice)
        if isinstance(got, Refusal):
            raise Refused("refused", got.reason, got.rule, 2, len(self.tokens) - 2)
        self._take_answer(ask, choice)

    def _short_answer(self) -> bool:
        """Whether the line answers a question that is open, and is taken as that."""
        read = [(ask, choice) for ask in self.asks if (choice := self._read_answer(ask))]
        fresh = [(a, c, self.choose(a, c)) for a, c in read if a.id not in self._answered]
        legal = [(a, c) for a, c, got in fresh if isinstance(got, Option)]
        if len(legal) > 1:
            each = " or ".join(f"'answer {a.id} {c}'" for a, c in legal)
            raise Trouble("ambiguous", f"several open questions take this: write {each}", 0, len(self.tokens))
        later = [(a, c) for a, c in read if a.id in self._answered and self.catalogue[a.kind].series]
        if legal or later:
            self.check_fresh()
            self._take_answer(*(legal or later)[0])
            return True
        refused = [got for _, _, got in fresh if isinstance(got, Refusal)]
        if refused and not self.verbs.find(self.tokens[0].text):
            raise Refused("refused", refused[0].reason, refused[0].rule, 0, len(self.tokens))
        if read and not fresh and (len(self.tokens) == 1 or not self.verbs.find(self.tokens[0].text)):
            raise Refused("answered", f"question {read[0][0].id} has its answer in this mail already", "", 0, len(self.tokens))
        return False

    def _read_answer(self, ask: Ask) -> str:
        """The line as an answer to ``ask``, '' if it is none."""
        kind = self.catalogue[ask.kind]
        if kind.phase_orders:
            return ""
        try:
            return read_choice(kind, self.tokens, 0, self.slots, len(self.tokens))
        except Trouble:
            return ""

    def _take_answer(self, ask: Ask, choice: str) -> None:
        """The first answer to a question is for it alone, further ones are for those that follow from it."""
        if ask.id in self._answered:
            self.put(ask.scope, choice, [Draft(ask.kind, (choice,), where=self.series_where(ask))])
            self._replies.append(choice)
            return
        self._answered.add(ask.id)
        self.out.replace.append((ask.id, ask.kind))
        text = f"answer {ask.id} {choice}"
        self.put(ask.id, text, [Draft(ask.kind, (choice,))])
        self._replies.append(text)


def answer_words(catalogue: Catalogue) -> frozenset[str]:
    """The words that answers to questions begin with."""
    return frozenset(word for k in catalogue.kinds if not k.phase_orders for word in k.openers)


def _number(word: str) -> int:
    """The number that a word is; -1 if it is none, or longer than any that could be meant."""
    return int(word) if word.isdecimal() and len(word) <= 9 else -1
