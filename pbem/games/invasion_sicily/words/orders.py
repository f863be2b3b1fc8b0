"""The order lines of Invasion: Sicily as directives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.standing import PLAN, STANDING, Directive, Test
from pbem.games.invasion_sicily.position import board
from pbem.games.invasion_sicily.position.data import ELIMINATED
from pbem.games.invasion_sicily.position.state import State
from pbem.games.invasion_sicily.words import choosing, clauses
from pbem.games.invasion_sicily.words.errors import ERRORS
from pbem.games.invasion_sicily.words.asks import CATALOGUE
from pbem.games.invasion_sicily.words.names import names
from pbem.games.invasion_sicily.words.scopes import SCOPES
from pbem.games.invasion_sicily.words.verbs import PHASE_WORDS, VERBS
from pbem.orders.catalogue import AskKind
from pbem.orders.drafts import Draft, Parsed
from pbem.orders.grammar import Form, Reader, first_clause, read_first
from pbem.orders.help import Language
from pbem.orders.reader import Handler, OrderReader, Refused, answer_words
from pbem.orders.source import Line

LISTED = ("land", "keep", "replace", "box", "hold")
"""Verbs whose units are ordered one by one."""

LANGUAGE = Language("Invasion: Sicily", VERBS, CATALOGUE, clauses.CLAUSE_HELP, PHASE_WORDS, {}, {}, "a combat", errors=ERRORS)
"""All of it, for the help."""

ORDER_WORDS = frozenset(VERBS.words) | answer_words(CATALOGUE)
"""What a line of this title may begin with: an order, or the answer to a question."""

ATTACK = Form("attack HEX with UNITS")


def parse(
    state: State, side: str, step: str, lines: Sequence[Line], open_asks: Sequence[Ask] = (), in_force: Sequence[Directive] = (),
    guard: str = "", guard_line: Line | None = None, source: str = "",
) -> Parsed:
    """The order lines of ``side``, sent while ``step`` is played (see :class:`pbem.games.contract.Words`)."""
    return InvasionReader(state, side, step, open_asks, in_force, source).read(lines, guard, guard_line)


class InvasionReader(OrderReader):
    """What this title's orders have of their own."""

    verbs, catalogue, scopes = VERBS, CATALOGUE, SCOPES
    sequence_rule = "4.0"
    claused = ("battle", "standing", "attack")
    passing = "movement"

    def __init__(
        self, state: State, side: str, step: str, open_asks: Sequence[Ask], in_force: Sequence[Directive], source: str
    ) -> None:
        self.state, self.names = state, names(state.data, side)
        super().__init__(
            side, step, self.names.slots(), state.data.turns, open_asks=open_asks, in_force=in_force, source=source
        )

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(), "battle": self._battle, "move": self._move, "attack": self._attack, "refuse": self._refuse,
            **dict.fromkeys(LISTED, self._each),
        }

    def choose(self, ask: Ask, choice: str) -> Option | Refusal:
        return choosing.choose(self.state, ask, choice)

    def check_unit(self, unit: str, kind: str, at: int = 1) -> None:
        """9.5.2 A unit that is out of play takes no orders (everybody sees that it is), but may be replaced."""
        if self.state.units[unit].place == ELIMINATED and kind != "replacements":
            raise Refused("gone", f"{unit} is no longer in play", "9.5.2", at)

    def closes(self, kind: AskKind) -> bool:
        """Whatever ends a question of the phase, its orders end it."""
        return bool(kind.closing)

    def order_of(self, text: str, scope: str) -> tuple[str, str]:
        """A unit may move and attack in one phase."""
        verb, unit = text.split()[:2]
        return (f"{scope} {verb}", unit)

    def wheres(self, reader: Reader, kind: AskKind) -> list[tuple[str, tuple[Test, ...]]]:
        """One place of ``at``."""
        return [(self.slots["HEX"](reader), ())]

    def standing_plan(self) -> tuple[Sequence[Draft], str] | None:
        """'standing battle any; lose weakest'."""
        words = [t.text for t in self.tokens]
        if len(words) < 2 or VERBS.find(words[1]) is not VERBS.find("battle") or "then" in words:
            return None
        target, plan = self._plan(2, STANDING)
        if not plan.drafts:
            raise Refused("standing", "a standing battle plan says how to fight; it cannot be empty", "9.4", 1)
        return plan.drafts, "; ".join([f"standing battle {target or clauses.ANY}", *plan.texts])

    # -- verbs with a meaning of their own ------------------------------------------------------------

    def _each(self) -> None:
        """A verb that takes a list: 'land US-16, US-26 at Dime' is an order for each."""
        verb = VERBS.find(self.tokens[0].text)
        assert verb is not None
        form, text = read_first(verb.forms, self.tokens, 0, self.slots)
        words = text.split(" ")
        tail = next((i for i, w in enumerate(words) if w in ("at", "to")), len(words))
        scope = self.scope_of(form.kinds or ("movement", "motorized", "reaction"))
        kind = next((k for k in form.kinds if self.scopes.acts(self.side, scope, k)), "")
        for unit in words[1:tail]:
            self.check_unit(unit, kind)
            one = " ".join([verb.name, unit, *words[tail:]])
            if kind:
                self.check_twice(one, scope)
            self.accept(scope, one, [Draft(kind, (one,))] if kind else [])

    def _move(self) -> None:
        """7.1.3 'move stack 1823 to 1924' moves all that stand there, one after the other."""
        verb = VERBS.find("move")
        assert verb is not None
        if len(self.tokens) < 2 or self.tokens[1].text not in ("stack", "all"):
            form, text = read_first(verb.forms, self.tokens, 0, self.slots)
            self.phase_order(form, text)
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
            self.phase_order(verb.forms[0], f"move {unit} to {there}")

    def _attack(self) -> None:
        """8.1.1 The declaration, and after ';' a plan for the combat that follows."""
        parts = first_clause(self.tokens)
        _, text = read_first((ATTACK,), parts, 0, self.slots)
        scope = self.scope_of(("movement",))
        words = text.split(" ")
        target = words[1]
        shown = f"attack {target} with {', '.join(words[3:])}"
        plan = clauses.read_plan(self.names, self.tokens, len(parts), target)
        self.accept(scope, shown, [Draft("movement", (text,))])
        if plan.drafts:
            fight = self.scopes.find(self.side, scope, ("battle",))
            self.accept(fight, f"battle {target}; {'; '.join(plan.texts)}", self._fought(fight, target, plan))

    def _fought(self, scope: str, target: str, plan: clauses.Plan) -> list[Draft]:
        first = [Draft("battle", (f"fight {target}",))] if target and self.scopes.acts(self.side, scope, "battle") else []
        return [*first, *plan.drafts]

    def _battle(self) -> None:
        target, plan = self._plan(1, PLAN)
        scope = self.scope_of(("loss",))
        text = "; ".join([f"battle {target or clauses.ANY}", *plan.texts])
        self.accept(scope, text, self._fought(scope, target, plan))

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
        scope = self.scope_of(("refusal",))
        choices = (f"refuse to {' '.join(words[3:])}",) if len(words) > 2 else ("away",)
        self.accept(scope, text, [Draft("refusal", choices, PLAN, words[1])])
