"""Order lines to directives.

``parse`` reads the lines of one mail for one side and knows no more than that side does.  Whether an order can be carried
out is only found when its turn comes: :mod:`.choosing` picks it among the legal options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.standing import ONCE, PLAN, STANDING, Directive, Test
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ELIMINATED
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.rules.sequence import player_turn, position
from pbem.games.invasion_sicily.words import choosing, clauses, scopes
from pbem.games.invasion_sicily.words.asks import CATALOGUE, acts
from pbem.games.invasion_sicily.words.names import names
from pbem.games.invasion_sicily.words.verbs import PHASE_WORDS, VERBS
from pbem.orders.catalogue import AskKind
from pbem.core.documents import Severity
from pbem.orders.diagnostics import ERROR, REFUSED, WARNING, Diagnostic
from pbem.orders.drafts import Draft, Parsed, numbered
from pbem.orders.grammar import SHOWN, Form, Reader, Trouble, first_clause, read_first
from pbem.orders.help import Language
from pbem.orders.lexer import LONGEST, WORD, Token, odd_letters, tokenise
from pbem.orders.service_verbs import SERVICE
from pbem.orders.source import Line
from pbem.orders.standing import read_choice, read_standing
from pbem.orders.suggest import near

CLAUSED = ("battle", "standing", "attack")
"""Verbs in which ';' separates parts; in all others it begins a comment."""

LISTED = ("land", "keep", "replace", "box", "hold")
"""Verbs whose units are ordered one by one."""

LANGUAGE = Language("Invasion: Sicily", VERBS, CATALOGUE, clauses.CLAUSE_HELP, PHASE_WORDS, {}, {}, "a combat")
"""All of it, for the help."""

ANSWER_WORDS = frozenset(word for k in CATALOGUE.kinds if not k.phase_orders for word in k.openers)

ORDER_WORDS = frozenset(VERBS.words) | ANSWER_WORDS
"""What a line of this title may begin with: an order, or the answer to a question."""

ATTACK = Form("attack HEX with UNITS")


class Refused(Exception):
    """A line is understood, but not legal."""

    def __init__(self, code: str, message: str, rule: str, start: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.code, self.message, self.rule, self.start, self.length = code, message, rule, start, length


def parse(
    state: State, side: str, step: str, lines: Sequence[Line], open_asks: Sequence[Ask] = (), in_force: Sequence[Directive] = (),
    guard: str = "", guard_line: Line | None = None, source: str = "",
) -> Parsed:
    """Read the order lines of ``side``, sent while ``step`` is played.

    ``open_asks``: the questions waiting; ``in_force``: the side's directives (what ``cancel`` counts in); ``guard``: what the
    block's ``turn`` line says; ``source``: where the lines come from, noted with each directive.
    """
    parser = _Parser(state, side, step, open_asks, in_force, source)
    if guard:
        parser.guard(guard, guard_line or Line(0, f"turn {guard}"))
    for line in lines:
        parser.line(line)
    return parser.finish()


def guard_of(scope: str) -> str:
    """The guard line of a reply block: 'turn 2 allied movement'."""
    return f"turn {scope}"


class _Parser:
    def __init__(
        self, state: State, side: str, step: str, open_asks: Sequence[Ask], in_force: Sequence[Directive], source: str
    ) -> None:
        self.state, self.side, self.step, self.source = state, side, step, source
        self.asks = [a for a in open_asks if a.side == side]
        self.in_force = [d for d in in_force if d.side == side]
        self.names = names(state.data, side)
        self.slots = self.names.slots()
        self.out = Parsed()
        self.start, self.chosen, self.stale, self.adding = step, "", "", False
        self.tokens: list[Token] = []
        self.now = Line(0, "")
        self.cut: Line | None = None
        self.replies: list[str] = []
        self.said: dict[str, list[str]] = {}
        self.lasting: list[str] = []
        self.answered: set[str] = set()
        self.moved: dict[tuple[str, str], Line] = {}

    # -- the block as a whole ---------------------------------------------------------------------

    def guard(self, text: str, line: Line) -> None:
        """The ``turn`` line: orders for a phase that is over are refused, for a later one they wait."""
        self.now, self.tokens, self.stale = line, tokenise(line.text), ""
        words = text.split()
        number = _number(words[0]) if len(words) == 1 else -1
        scope = "" if number > 0 else scopes.read(words, self.side, self.step)
        if number > self.state.data.turns or number < 1 and (not scope or self._beyond(scope)):
            said = f"'{text[:SHOWN]}' is no phase of this game; now: {guard_of(self.step)}"
            self._tell(ERROR, 0, len(self.tokens), "guard", said)
            self.stale = text[:SHOWN]
            return
        if number > 0:
            if number < position(self.step)[0]:
                self.stale = f"turn {number}"
        elif position(scope) < position(self.step):
            self.stale = scope
        else:
            self.start = scope
        if self.stale:
            said = f"these orders are for {self.stale}, which is over; now: {guard_of(self.step)}"
            self._tell(REFUSED, 0, len(self.tokens), "stale", said, "4.0")

    def line(self, line: Line) -> None:
        """One order line; whatever is wrong with it is noted and the others stand."""
        if len(line.text) > LONGEST:
            self.now, self.tokens = line, []
            said = f"this line has {len(line.text)} characters, more than {LONGEST}: nothing of it is taken"
            self._tell(ERROR, 0, 1, "long", said)
            return
        self.now, self.tokens = line, tokenise(line.text)
        if not any(t.kind == WORD for t in self.tokens):
            return
        try:
            self._line()
        except Trouble as t:
            if t.code == "missing" and t.start >= len(self.tokens):
                self.cut = line
            self._tell(ERROR, t.start, t.length, t.code, t.message + self._odd(t), "", t.suggestions)
        except Refused as r:
            self._tell(REFUSED, r.start, r.length, r.code, r.message, r.rule)

    def finish(self) -> Parsed:
        """Close the phases that got orders, and put everything into the order it is carried out in."""
        out = self.out
        out.phases = sorted(out.phases, key=position)
        out.directives.sort(key=lambda d: out.phases.index(d["scope"]) if d["scope"] in out.phases else len(out.phases))
        for scope in out.phases:
            for kind in scopes.order_kinds(self.side, scope):
                closing = CATALOGUE[kind].closing
                if closing:
                    text = f"pass {scopes.phase_of(scope)}"
                    out.directives.append(Draft(kind, (closing,), PLAN).data(text, self.source, scope))
        if not self.adding:
            out.replace += [(s, k) for s in out.phases for k in scopes.asks_of(self.side, s)]
        out.canonical += self.replies
        for scope in sorted(self.said, key=position):
            out.canonical += [f"phase {scope}", *self.said[scope]]
        out.canonical += self.lasting
        return out

    def _tell(
        self, severity: Severity, start: int, length: int, code: str, message: str, rule: str = "",
        suggestions: Sequence[str] = (),
    ) -> None:
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

    def _line(self) -> None:
        word = self.tokens[0].text
        if word == "answer":
            self._answer()
            return
        if word == "turn" and len(self.tokens) > 1:
            self.guard(" ".join(t.text for t in self.tokens[1:]), self.now)
            return
        if self._short_answer():
            return
        verb = VERBS.find(word)
        if verb is None:
            raise self._unknown(word)
        self.tokens = [replace(self.tokens[0], text=verb.name), *self.tokens[1:]]
        if verb.name not in CLAUSED:
            self.tokens = first_clause(self.tokens)
        handler = _HANDLERS.get(verb.name)
        if handler is not None:
            handler(self)
            return
        form, text = read_first(verb.forms, self.tokens, 0, self.slots)
        self._phase_order(form, text)

    def _unknown(self, word: str) -> Trouble:
        if word in ANSWER_WORDS:
            asked = " or ".join(k.name for k in CATALOGUE.kinds if not k.phase_orders and word in k.openers)
            said = f"no question is open that '{word}' answers ({asked}); a standing order can answer it beforehand"
            return Trouble("no-question", said, 0)
        if self.cut and self.cut.no == self.now.no - 1:
            whole = f"{self.cut.text} {self.now.text}"
            said = f"'{self.tokens[0].raw[:SHOWN]}' is no order; was line {self.cut.no} broken in two? Send it as one line"
            return Trouble("broken", said, 0, 1, (whole,))
        like = near(word, [*VERBS.words, *SERVICE.words])
        found = dict.fromkeys(verb.name for w in like if (verb := VERBS.find(w) or SERVICE.find(w)))
        return Trouble("unknown-verb", f"'{self.tokens[0].raw[:SHOWN]}' is no order", 0, 1, tuple(found))

    def _phase_order(self, form: Form, text: str) -> None:
        scope = self._scope(form.kinds)
        kind = next(k for k in form.kinds if acts(self.side, scope, k))
        if len(form.parts) > 1 and form.parts[1].text == "UNIT":
            self._check_unit(text.split()[1], allow_dead=kind == "replacements")
            self._check_twice(text, scope)
        self._accept(scope, text, [Draft(kind, (text,))])

    def _scope(self, kinds: Sequence[str]) -> str:
        """The phase a line is for: the one set by ``phase``, else the next of this player turn that takes it."""
        self._fresh()
        verb = self.tokens[0].text
        if self.chosen:
            if not any(acts(self.side, self.chosen, k) for k in kinds):
                raise Refused("wrong-phase", f"you cannot '{verb}' in {self.chosen}; {self._when(kinds)}", "4.0")
            return self.chosen
        scope = scopes.find(self.side, self.start, kinds)
        if not scope:
            said = f"there is no phase left in this player turn in which you can '{verb}'; {self._when(kinds)}"
            raise Refused("wrong-phase", said, "4.0")
        return scope

    def _when(self, kinds: Sequence[str]) -> str:
        for step in scopes.steps_from(self.step):
            if any(acts(self.side, step, k) for k in kinds):
                return f"to order it beforehand write 'phase {step}' above it"
        return "it cannot be ordered any more"

    def _fresh(self) -> None:
        if self.stale:
            raise Refused("stale", f"not taken: it is for {self.stale}", "4.0", 0, len(self.tokens))

    def _accept(self, scope: str, text: str, drafts: Sequence[Draft]) -> None:
        """An order of a phase."""
        self._put(scope, text, drafts)
        self.said.setdefault(scope, []).append(text)
        if scope not in self.out.phases:
            self.out.phases.append(scope)

    def _put(self, scope: str, text: str, drafts: Sequence[Draft]) -> None:
        source = f"{self.source} line {self.now.no}".strip()
        self.out.directives += [d.data(text, source, scope) for d in drafts]

    def _check_unit(self, unit: str, at: int = 1, allow_dead: bool = False) -> None:
        """A unit that is out of play takes no orders (everybody sees that it is)."""
        if self.state.units[unit].place == ELIMINATED and not allow_dead:
            raise Refused("gone", f"{unit} is no longer in play", "9.5.2", at)

    def _check_twice(self, text: str, scope: str) -> None:
        verb, unit = text.split()[:2]
        before = self.moved.setdefault((f"{scope} {verb}", unit), self.now)
        if before is not self.now:
            self._tell(WARNING, 0, 2, "twice", f"{unit} has an order for this phase in line {before.no} already")

    # -- verbs with a meaning of their own -----------------------------------------------------------

    def _each(self) -> None:
        """A verb that takes a list: 'land US-16, US-26 at Dime' is an order for each."""
        verb = VERBS.find(self.tokens[0].text)
        assert verb is not None
        form, text = read_first(verb.forms, self.tokens, 0, self.slots)
        words = text.split(" ")
        tail = next((i for i, w in enumerate(words) if w in ("at", "to")), len(words))
        scope = self._scope(form.kinds or ("movement", "motorized", "reaction"))
        kind = next((k for k in form.kinds if acts(self.side, scope, k)), "")
        for unit in words[1:tail]:
            self._check_unit(unit, allow_dead=kind == "replacements")
            one = " ".join([verb.name, unit, *words[tail:]])
            if kind:
                self._check_twice(one, scope)
            self._accept(scope, one, [Draft(kind, (one,))] if kind else [])

    def _move(self) -> None:
        """7.1.3 'move stack 1823 to 1924' moves all that stand there, one after the other."""
        verb = VERBS.find("move")
        assert verb is not None
        if len(self.tokens) < 2 or self.tokens[1].text not in ("stack", "all"):
            form, text = read_first(verb.forms, self.tokens, 0, self.slots)
            self._phase_order(form, text)
            return
        reader = Reader(self.tokens, 2)
        here = self.slots["HEX"](reader)
        reader.skip_free()
        there = self.slots["PATH"](reader)
        reader.expect_end()
        units = [u for u in board.at(self.state, here, self.side) if not board.logistic(self.state, u)]
        if not units:
            raise Refused("empty", f"no unit of yours that can move stands in {here} now", "7.1.3", 2)
        for unit in units:
            self._phase_order(verb.forms[0], f"move {unit} to {there}")

    def _attack(self) -> None:
        """8.1.1 The declaration, and after ';' a plan for the combat that follows."""
        parts = first_clause(self.tokens)
        _, text = read_first((ATTACK,), parts, 0, self.slots)
        scope = self._scope(("movement",))
        words = text.split(" ")
        target = words[1]
        shown = f"attack {target} with {', '.join(words[3:])}"
        plan = clauses.read_plan(self.names, self.tokens, len(parts), target)
        self._accept(scope, shown, [Draft("movement", (text,))])
        if plan.drafts:
            fight = scopes.find(self.side, scope, ("battle",))
            self._accept(fight, f"battle {target}; {'; '.join(plan.texts)}", self._fought(fight, target, plan))

    def _fought(self, scope: str, target: str, plan: clauses.Plan) -> list[Draft]:
        first = [Draft("battle", (f"fight {target}",))] if target and acts(self.side, scope, "battle") else []
        return [*first, *plan.drafts]

    def _battle(self) -> None:
        target, plan = self._plan(1, PLAN)
        scope = self._scope(("loss",))
        text = "; ".join([f"battle {target or clauses.ANY}", *plan.texts])
        self._accept(scope, text, self._fought(scope, target, plan))

    def _plan(self, at: int, mode: str) -> tuple[str, clauses.Plan]:
        parts = first_clause(self.tokens)
        reader = Reader(parts, at)
        reader.skip_free()
        target = "" if reader.take(clauses.ANY, "all", "every") else self.slots["HEX"](reader)
        reader.expect_end()
        return target, clauses.read_plan(self.names, self.tokens, len(parts), target, mode)

    def _refuse(self) -> None:
        """8.2 'refuse 2224 to 2323, 2423', or by any way."""
        verb = VERBS.find("refuse")
        assert verb is not None
        _, text = read_first(verb.forms, self.tokens, 0, self.slots)
        words = text.split(" ")
        scope = self._scope(("refusal",))
        choices = (f"refuse to {' '.join(words[3:])}",) if len(words) > 2 else ("away",)
        self._accept(scope, text, [Draft("refusal", choices, PLAN, words[1])])

    def _pass(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        if words == ["rest"]:
            self._fresh()
            for step in scopes.steps_from(self.start):
                if player_turn(step) == player_turn(self.start) and self._passable(step):
                    self._accept(step, "pass", [])
            return
        if words:
            scope = scopes.read(words, self.side, self.start)
            if not scope:
                raise self._no_phase(words)
        else:
            scope = self.chosen or self.start
        self._fresh()
        if not self._passable(scope):
            raise Refused("nothing-to-pass", f"you have nothing to order in {scope}; name the phase: 'pass movement'", "4.0")
        self._accept(scope, "pass", [])
        if not words:
            self.chosen, self.start = "", list(islice(scopes.steps_from(scope), 2))[1]

    def _passable(self, step: str) -> bool:
        return any(CATALOGUE[k].closing for k in scopes.order_kinds(self.side, step))

    def _beyond(self, scope: str) -> bool:
        """Whether a phase lies after the last turn of the game."""
        return position(scope)[0] > self.state.data.turns

    def _no_phase(self, words: list[str]) -> Trouble:
        if not words:
            return Trouble("missing", "missing here: a phase", 1)
        said, known = " ".join(words), [n for e in scopes.PHASES.entries for n in e.names]
        return Trouble("phase", f"'{said}' is no phase to come", 1, max(1, len(words)), near(said, known))

    def _phase(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        scope = scopes.read(words, self.side, self.start)
        if not scope or self._beyond(scope):
            self.chosen = ""
            if scope:
                raise Refused("beyond", f"the game ends with turn {self.state.data.turns}", "4.0", 1, len(words))
            raise self._no_phase(words)
        if position(scope) < position(self.step):
            raise Refused("past", f"{scope} is over", "4.0", 1, len(words))
        self.chosen = scope

    def _add(self) -> None:
        Reader(self.tokens, 1).expect_end()
        self.adding = True

    def _cancel(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        gone = self._cancelled(words)
        self.out.cancel += [d.id for d in gone if d.id not in self.out.cancel]
        self.lasting.append(" ".join(["cancel", *words]))

    def _cancelled(self, words: list[str]) -> list[Directive]:
        standing = [d for d in self.in_force if d.mode == STANDING]
        if words == ["all"]:
            return [d for d in self.in_force if d.mode != STANDING]
        if words == ["standing", "all"]:
            return standing
        if len(words) == 2 and words[0] == "standing" and words[1].isdigit():
            texts, number = numbered(self.in_force, STANDING), _number(words[1])
            if not 1 <= number <= len(texts):
                have = f"{len(texts) or 'no'} standing order{'' if len(texts) == 1 else 's'}"
                raise Trouble("number", f"you have {have}; 'orders' lists them", 2)
            return [d for d in standing if d.text == texts[number - 1]]
        by_id = [d for d in self.in_force if len(words) == 1 and d.id == words[0]]
        scope = scopes.read(words, self.side, self.step) if words and not by_id else ""
        found = by_id or [d for d in self.in_force if scope and d.scope == scope]
        if not found:
            usage = "'all', a phase, 'standing' and a number, or an order's number is expected here"
            raise Trouble("cancel", f"you have no orders for {scope}" if scope else usage, 1, max(1, len(words)))
        return found

    def _standing(self) -> None:
        words = [t.text for t in self.tokens]
        if len(words) > 1 and VERBS.find(words[1]) is VERBS.find("battle") and "then" not in words:
            target, plan = self._plan(2, STANDING)
            if not plan.drafts:
                raise Refused("standing", "a standing battle plan says how to fight; it cannot be empty", "9.4", 1)
            drafts, text = plan.drafts, "; ".join([f"standing battle {target or clauses.ANY}", *plan.texts])
        else:
            drafts, text = read_standing(self.tokens, 1, CATALOGUE, self.slots, self._wheres)
        for draft in drafts:
            self._supersede(draft)
        self._put("", text, drafts)
        self.lasting.append(text)

    def _supersede(self, draft: Draft) -> None:
        """A standing order replaces an older one for just the same case, and is useless behind a wider one."""
        for old in self.in_force:
            if old.mode != STANDING or old.kind != draft.kind or old.id in self.out.cancel:
                continue
            if draft.same_case(old):
                self.out.cancel.append(old.id)
            elif old.where in ("", draft.where) and set(old.tests) <= set(draft.tests):
                self._tell(WARNING, 0, 1, "behind", f"your older order '{old.text}' comes first; cancel it to use this one")

    def _wheres(self, reader: Reader, kind: AskKind) -> list[tuple[str, tuple[Test, ...]]]:
        """One place of ``at``."""
        return [(self.slots["HEX"](reader), ())]

    # -- answers ----------------------------------------------------------------------------------

    def _answer(self) -> None:
        self._fresh()
        name = self.tokens[1].text if len(self.tokens) > 1 else ""
        ask = next((a for a in self.asks if a.id == name), None)
        if ask is None:
            asked = ", ".join(f"{a.id} ({a.kind})" for a in self.asks) or "none"
            if not name:
                raise Trouble("missing", f"missing here: the number of a question; open: {asked}", 1)
            raise Trouble("no-question", f"question '{name[:20]}' is not open; open: {asked}", 1)
        choice = read_choice(CATALOGUE[ask.kind], self.tokens, 2, self.slots, len(self.tokens))
        got = choosing.choose(self.state, ask, choice)
        if isinstance(got, Refusal):
            raise Refused("refused", got.reason, got.rule, 2, len(self.tokens) - 2)
        self._take_answer(ask, choice)

    def _short_answer(self) -> bool:
        """Whether the line answers a question that is open, and is taken as that."""
        read = [(ask, choice) for ask in self.asks if (choice := self._read_answer(ask))]
        fresh = [(a, c, choosing.choose(self.state, a, c)) for a, c in read if a.id not in self.answered]
        legal = [(a, c) for a, c, got in fresh if isinstance(got, Option)]
        if len(legal) > 1:
            each = " or ".join(f"'answer {a.id} {c}'" for a, c in legal)
            raise Trouble("ambiguous", f"several open questions take this: write {each}", 0, len(self.tokens))
        later = [(a, c) for a, c in read if a.id in self.answered and CATALOGUE[a.kind].series]
        if legal or later:
            self._fresh()
            self._take_answer(*(legal or later)[0])
            return True
        refused = [got for _, _, got in fresh if isinstance(got, Refusal)]
        if refused and not VERBS.find(self.tokens[0].text):
            raise Refused("refused", refused[0].reason, refused[0].rule, 0, len(self.tokens))
        if read and not fresh and (len(self.tokens) == 1 or not VERBS.find(self.tokens[0].text)):
            raise Refused("answered", f"question {read[0][0].id} has its answer in this mail already", "", 0, len(self.tokens))
        return False

    def _read_answer(self, ask: Ask) -> str:
        """The line as an answer to ``ask``, '' if it is none."""
        kind = CATALOGUE[ask.kind]
        if kind.phase_orders:
            return ""
        try:
            return read_choice(kind, self.tokens, 0, self.slots, len(self.tokens))
        except Trouble:
            return ""

    def _take_answer(self, ask: Ask, choice: str) -> None:
        """The first answer to a question is for it alone, further ones are for those that follow from it."""
        if ask.id in self.answered:
            self._put(ask.scope, choice, [Draft(ask.kind, (choice,), ONCE, ask.where)])
            self.replies.append(choice)
            return
        self.answered.add(ask.id)
        self.out.replace.append((ask.id, ask.kind))
        text = f"answer {ask.id} {choice}"
        self._put(ask.id, text, [Draft(ask.kind, (choice,))])
        self.replies.append(text)


def _number(word: str) -> int:
    """The number that a word is; -1 if it is none, or longer than any that could be meant."""
    return int(word) if word.isdecimal() and len(word) <= 9 else -1


_HANDLERS: dict[str, Callable[[_Parser], None]] = {
    "battle": _Parser._battle, "pass": _Parser._pass, "phase": _Parser._phase, "add": _Parser._add, "cancel": _Parser._cancel,
    "standing": _Parser._standing, "answer": _Parser._answer, "move": _Parser._move, "attack": _Parser._attack,
    "refuse": _Parser._refuse, **dict.fromkeys(LISTED, _Parser._each),
}


def text_of(option: Option, ask: Ask) -> str:
    """The order line that takes ``option``."""
    kind = CATALOGUE[ask.kind]
    if not kind.phase_orders:
        return f"answer {ask.id} {option.key}"
    if option.key == kind.closing:
        return f"pass {scopes.phase_of(ask.scope)}"
    return option.key


MOST_SHOWN = 12
"""Options of a question that a reply block lists."""

LOOKED_AT = 400
"""Of a question with thousands of options so many are looked at for examples."""


def wanted(ask: Ask) -> list[str]:
    """The lines of a reply block for a question.  All are comments: a reply sent as it came does nothing."""
    kind = CATALOGUE[ask.kind]
    if not kind.phase_orders:
        marks = {ask.default: "   (the default)"}
        shown = [f"#   {text_of(o, ask)}{marks.get(o.key, '')}" for o in islice(ask.each(), MOST_SHOWN)]
        return [f"# {ask.prompt or kind.prompt}", *shown]
    first: dict[str, str] = {}
    for option in islice(ask.each(), LOOKED_AT):
        first.setdefault(option.key.split(" ")[0], text_of(option, ask))
    if ask.closing is not None:
        first.setdefault(ask.closing.key, text_of(ask.closing, ask))
    return [f"# {kind.title}:", *(f"#   {line}" for line in list(first.values())[:MOST_SHOWN])]
