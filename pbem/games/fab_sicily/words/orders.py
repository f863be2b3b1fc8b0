"""Order lines to directives, and a player's words to one of the options offered.

``parse`` reads the lines of one mail for one side and knows no more than that side does.  Whether an
order can be carried out is only found when its turn comes: ``choose`` picks it among the legal options.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.documents import Severity
from pbem.core.standing import ONCE, PLAN, STANDING, Directive, Test
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.words import choosing, scopes
from pbem.games.fab_sicily.words.asks import BATTLE_FACTS, CATALOGUE, acts
from pbem.games.fab_sicily.words.battle_orders import CLAUSE_HELP, BattleReader
from pbem.games.fab_sicily.position.data import ELIMINATED, OFF_MAP
from pbem.games.fab_sicily.words.names import CLASSES, names
from pbem.games.fab_sicily.rules.sequence import position
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.words.verbs import PHASE_WORDS, VERBS
from pbem.orders.catalogue import AskKind
from pbem.orders.diagnostics import ERROR, REFUSED, WARNING, Diagnostic
from pbem.orders.drafts import Draft, Parsed, numbered
from pbem.orders.grammar import SHOWN, Form, Reader, Trouble, first_clause, read_first
from pbem.orders.help import Language
from pbem.orders.lexer import LONGEST, SEP, WORD, Token, odd_letters, tokenise
from pbem.orders.service_verbs import SERVICE
from pbem.orders.source import Line
from pbem.orders.standing import read_choice, read_standing
from pbem.orders.suggest import near

MOST_SHOWN = 12
"""Options of a question that a reply block lists."""

CLAUSED = ("battle", "standing")
"""Verbs in which ';' separates parts; in all others it begins a comment."""

HOLD = Form("hold UNIT")

LANGUAGE = Language(
    "FAB: Sicily", VERBS, CATALOGUE, CLAUSE_HELP, PHASE_WORDS, {word: names for word, (_, names) in CLASSES.items()},
    BATTLE_FACTS, "a battle", "Lentini",
)
"""All of it, for the help."""

ANSWER_WORDS = frozenset(word for k in CATALOGUE.kinds if not k.phase_orders for word in k.openers)

ORDER_WORDS = frozenset(VERBS.words) | ANSWER_WORDS
"""What a line of this title may begin with: an order, or the answer to a question."""


class Refused(Exception):
    """A line is understood, but not legal."""

    def __init__(self, code: str, message: str, rule: str, start: int = 0, length: int = 1) -> None:
        super().__init__(message)
        self.code, self.message, self.rule, self.start, self.length = code, message, rule, start, length


def parse(
    state: State,
    side: str,
    step: str,
    lines: Sequence[Line],
    open_asks: Sequence[Ask] = (),
    in_force: Sequence[Directive] = (),
    guard: str = "",
    guard_line: Line | None = None,
    source: str = "",
) -> Parsed:
    """Read the order lines of ``side``, sent while ``step`` is played.

    ``open_asks``: the questions waiting; ``in_force``: the side's directives (what ``cancel`` counts in);
    ``guard``: what the block's ``turn`` line says; ``source``: where the lines come from, noted with each directive.
    """
    parser = _Parser(state, side, step, open_asks, in_force, source)
    if guard:
        parser.guard(guard, guard_line or Line(0, f"turn {guard}"))
    for line in lines:
        parser.line(line)
    return parser.finish()


def choose(state: State, ask: Ask, choice: str) -> Option | Refusal:
    """The option of ``ask`` that a player's ``choice`` means, or why there is none."""
    return choosing.choose(state, ask, choice)


def guard_of(scope: str) -> str:
    """The guard line of a reply block: 'turn 2 allied movement'."""
    return f"turn {scope if scope[:1].isdigit() else f'1 {scope}'}"


class _Parser:
    def __init__(
        self, state: State, side: str, step: str, open_asks: Sequence[Ask], in_force: Sequence[Directive], source: str
    ) -> None:
        self.state, self.side, self.step, self.source = state, side, step, source
        self.asks = [a for a in open_asks if a.side == side]
        self.in_force = [d for d in in_force if d.side == side]
        self.names = names(state.data, side)
        self.slots = self.names.slots()
        self.skipped = state.data.skipped
        self.battles = BattleReader(self.names)
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
        scope = "" if number > 0 else scopes.read(words, self.side, self.step, self.skipped)
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
            self._tell(REFUSED, 0, len(self.tokens), "stale", said, "3.0")

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
                if CATALOGUE[kind].closing == "done":
                    text = f"pass {scopes.phase_of(scope)}"
                    out.directives.append(Draft(kind, ("done",), PLAN).data(text, self.source, scope))
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
        names = dict.fromkeys(verb.name for w in like if (verb := VERBS.find(w) or SERVICE.find(w)))
        return Trouble("unknown-verb", f"'{self.tokens[0].raw[:SHOWN]}' is no order", 0, 1, tuple(names))

    def _phase_order(self, form: Form, text: str) -> None:
        scope = self._scope(form.kinds)
        kind = next(k for k in form.kinds if acts(self.side, scope, k))
        if form.parts[1].text == "UNIT":
            self._check_unit(text.split()[1])
            if kind not in ("admin", "recover"):
                self._check_twice(text, scope)
        self._accept(scope, text.replace(f" from {choosing.ANY_WORD}", ""), [Draft(kind, (text,))])

    def _scope(self, kinds: Sequence[str]) -> str:
        """The phase a line is for: the one set by ``phase``, else the next of this player turn that takes it."""
        self._fresh()
        verb = self.tokens[0].text
        if self.chosen:
            if not any(acts(self.side, self.chosen, k) for k in kinds):
                raise Refused("wrong-phase", f"you cannot '{verb}' in {self.chosen}; {self._when(kinds)}", "3.0")
            return self.chosen
        scope = scopes.find(self.side, self.start, kinds, self.skipped)
        if not scope:
            said = f"there is no phase left in this player turn in which you can '{verb}'; {self._when(kinds)}"
            raise Refused("wrong-phase", said, "3.0")
        if scopes.phase_of(scope) == "breakthrough" and "movement" in kinds and self.start != scope:
            self._tell(WARNING, 0, 1, "later", f"taken as an order for {scope}: the movement phase is over", "7.3")
        return scope

    def _when(self, kinds: Sequence[str]) -> str:
        for step in scopes.steps_from(self.step, self.skipped):
            if any(acts(self.side, step, k) for k in kinds):
                return f"to order it beforehand write 'phase {step}' above it"
        return "it cannot be ordered any more"

    def _fresh(self) -> None:
        if self.stale:
            raise Refused("stale", f"not taken: it is for {self.stale}", "3.0", 0, len(self.tokens))

    def _accept(self, scope: str, text: str, drafts: Sequence[Draft]) -> None:
        """An order of a phase."""
        self._put(scope, text, drafts)
        self.said.setdefault(scope, []).append(text)
        if scope not in self.out.phases:
            self.out.phases.append(scope)

    def _put(self, scope: str, text: str, drafts: Sequence[Draft]) -> None:
        source = f"{self.source} line {self.now.no}".strip()
        self.out.directives += [d.data(text, source, scope) for d in drafts]

    def _check_unit(self, block: str, at: int = 1) -> None:
        """2.4 A unit that is out of play takes no orders (its owner sees that it is)."""
        if self.state.blocks[block].area in (ELIMINATED, OFF_MAP):
            raise Refused("gone", f"{board.unit_name(self.state.data, block)} is no longer in play", "2.4", at)

    def _check_twice(self, text: str, scope: str) -> None:
        block = text.split()[1]
        before = self.moved.setdefault((scope, block), self.now)
        if before is not self.now:
            self._tell(WARNING, 0, 2, "twice", f"{block} has an order for this phase in line {before.no} already")

    # -- verbs with a meaning of their own -----------------------------------------------------------

    def _place(self) -> None:
        """14.24 'place 5/1, 5/2 at B1' is an order for each unit."""
        reader, units = Reader(self.tokens, 1), list[tuple[int, str]]()
        while not units or _another(reader):
            units.append((reader.at, self.slots["UNIT"](reader)))
        box = self.slots["BOX"](reader)
        reader.expect_end()
        scope = self._scope(("arrival",))
        for at, unit in units:
            self._check_unit(unit, at)
            text = f"place {unit} at {box}"
            self._check_twice(text, scope)
            self._accept(scope, text, [Draft("arrival", (text,))])

    def _each(self) -> None:
        """A verb that takes a list: 'garrison 14, 26' is 'garrison 14' and 'garrison 26'."""
        verb = VERBS.find(self.tokens[0].text)
        assert verb is not None
        form, reader = verb.forms[0], Reader(self.tokens, 1)
        read, places = self.slots[form.parts[1].text.rstrip(",")], list[str]()
        while not places or reader.more():
            places.append(read(reader))
        reader.expect_end()
        scope = self._scope(form.kinds)
        for place in places:
            text = f"{verb.name} {place}"
            self._accept(scope, text, [Draft(form.kinds[0], (text,))])

    def _hold(self) -> None:
        _, text = read_first((HOLD,), self.tokens, 0, self.slots)
        self._check_unit(text.split()[1])
        self._accept(self._scope(("movement", "reaction", "breakthrough")), text, [])

    def _battle(self) -> None:
        plan = self.battles.read(self.tokens, 1)
        scope = self._battle_scope(plan.area)
        drafts = list(plan.drafts)
        if acts(self.side, scope, "battle") and plan.area:
            drafts.insert(0, Draft("battle", (f"fight {plan.area}" + (f" with {plan.special}" if plan.special else ""),)))
        elif plan.special and not acts(self.side, scope, "battle"):
            said = "a Special Action is not an asset; to bring up a unit write 'before reinforce with UNIT'"
            raise Refused("special", said, "8.1")
        self._accept(scope, plan.text, drafts)

    def _battle_scope(self, area: str) -> str:
        if self.chosen:
            return self._scope(("loss",))
        self._fresh()
        scope = scopes.find_battle(self.start, not area or self.state.assaults.get(area) == "airborne")
        if not scope:
            raise Refused("wrong-phase", f"there are no more battles in this player turn; {self._when(('battle',))}", "3.0")
        return scope

    def _pass(self) -> None:
        words = [t.text for t in self.tokens[1:]]
        if words == ["rest"]:
            self._fresh()
            for step in scopes.steps_from(self.start, self.skipped):
                if scopes.half(step) == scopes.half(self.start) and self._passable(step):
                    self._accept(step, "pass", self._closing(step))
            return
        if words:
            scope = scopes.read(words, self.side, self.start, self.skipped)
            if not scope:
                raise self._no_phase(words)
        else:
            scope = self.chosen or self.start
        self._fresh()
        if not self._passable(scope):
            raise Refused("nothing-to-pass", f"you have nothing to order in {scope}; name the phase: 'pass reaction'", "3.0")
        self._accept(scope, "pass", self._closing(scope))
        ended = all(CATALOGUE[k].closing == "done" for k in scopes.order_kinds(self.side, scope))
        if ended and not words:
            self.chosen, self.start = "", list(islice(scopes.steps_from(scope, self.skipped), 2))[1]

    def _passable(self, step: str) -> bool:
        return any(CATALOGUE[k].closing for k in scopes.order_kinds(self.side, step))

    def _closing(self, step: str) -> list[Draft]:
        """'done' is appended to every phase that has orders; only other words are needed here."""
        kinds = scopes.order_kinds(self.side, step)
        return [Draft(k, (CATALOGUE[k].closing,), PLAN) for k in kinds if CATALOGUE[k].closing not in ("", "done")]

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
        scope = scopes.read(words, self.side, self.start, self.skipped)
        if scope and self._beyond(scope):
            self.chosen = ""
            raise Refused("beyond", f"the game ends with turn {self.state.data.turns}", "3.0", 1, len(words))
        if not scope:
            self.chosen = ""
            raise self._no_phase(words)
        if position(scope) < position(self.step):
            raise Refused("past", f"{scope} is over", "3.0", 1, len(words))
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
        scope = scopes.read(words, self.side, self.step, self.skipped) if words and not by_id else ""
        found = by_id or [d for d in self.in_force if scope and d.scope == scope]
        if not found:
            usage = "'all', a phase, 'standing' and a number, or an order's number is expected here"
            raise Trouble("cancel", f"you have no orders for {scope}" if scope else usage, 1, max(1, len(words)))
        return found

    def _standing(self) -> None:
        words = [t.text for t in self.tokens]
        if len(words) > 1 and VERBS.find(words[1]) is VERBS.find("battle") and "then" not in words:
            plan = self.battles.read(self.tokens, 2, STANDING)
            text = f"standing {plan.text}"
            if plan.special or not plan.drafts:
                said = "a standing battle plan says how to fight; it cannot be empty or spend a Special Action"
                raise Refused("standing", said, "7.42", 1)
            drafts = plan.drafts
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
        """One place of ``at``: of a border the border or an area beside it, of a unit the unit or its area."""
        start = reader.at
        slot = {"border": "BORDER", "unit": "UNIT", "chit": "CHIT"}.get(kind.where, "AREA")
        try:
            if slot == "AREA":
                return [(self.slots["AREA"](reader), ())]
            reader.skip_free()
            area = self.names.areas.find(reader.run()).entries
            if len(area) != 1:
                return [(self.slots[slot](reader), ())]
        except Trouble:
            if slot == "AREA":
                raise
            reader.at = start
        place = self.slots["AREA"](reader)
        if kind.where != "border":
            return [("", (Test("area", "=", place),))]
        rivers = [b.id for b in self.state.data.borders.values() if b.river and place in (b.a, b.b)]
        if not rivers:
            raise Trouble("river", f"{board.place_name(self.state.data, place)} has no river border", start, reader.at - start)
        return [(b, ()) for b in rivers]

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
        kind = CATALOGUE[ask.kind]
        choice = read_choice(kind, self.tokens, 2, self.slots, len(self.tokens))
        got = choose(self.state, ask, choice)
        if isinstance(got, Refusal):
            raise Refused("refused", got.reason, got.rule, 2, len(self.tokens) - 2)
        self._take_answer(ask, choice)

    def _short_answer(self) -> bool:
        """Whether the line answers a question that is open, and is taken as that."""
        read = [(ask, choice) for ask in self.asks if (choice := self._read_answer(ask))]
        fresh = [(a, c, choose(self.state, a, c)) for a, c in read if a.id not in self.answered]
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
            where = ask.where if CATALOGUE[ask.kind].where == "area" else ""
            self._put(ask.scope, choice, [Draft(ask.kind, (choice,), ONCE, where)])
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


def _another(reader: Reader) -> bool:
    """Whether a comma or 'and' is followed by one more of a list, and not by the place that ends the order."""
    token, before = reader.token, reader.at
    if token is not None and (token.kind == SEP or token.text == "and"):
        if reader.more() and reader.at + len(reader.run()) < reader.stop:
            return True
        reader.at = before
    return False


_HANDLERS: dict[str, Callable[[_Parser], None]] = {
    "hold": _Parser._hold, "battle": _Parser._battle, "pass": _Parser._pass, "phase": _Parser._phase, "add": _Parser._add,
    "cancel": _Parser._cancel, "standing": _Parser._standing, "answer": _Parser._answer,
    "garrison": _Parser._each, "beachhead": _Parser._each, "place": _Parser._place,
}


def text_of(option: Option, ask: Ask) -> str:
    """The order line that takes ``option``."""
    kind = CATALOGUE[ask.kind]
    if not kind.phase_orders:
        return f"answer {ask.id} {option.key}"
    if option.key == kind.closing:
        return f"pass {scopes.phase_of(ask.scope)}"
    return option.key


def wanted(ask: Ask) -> list[str]:
    """The lines of a reply block for a question.  All are comments: a reply sent as it came does nothing."""
    kind = CATALOGUE[ask.kind]
    if not kind.phase_orders:
        marks = {ask.default: "   (the default)"}
        shown = [f"#   {text_of(o, ask)}{marks.get(o.key, '')}" for o in ask.options[:MOST_SHOWN]]
        return [f"# {ask.prompt or kind.prompt}", *shown]
    first: dict[str, str] = {}
    for option in ask.options:
        first.setdefault(option.key.split(" ")[0], text_of(option, ask))
    return [f"# {kind.title}:", *(f"#   {line}" for line in list(first.values())[:MOST_SHOWN])]
