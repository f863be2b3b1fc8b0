"""The order lines of FAB: Sicily as directives, and a player's words as one of the options offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.standing import STANDING, Directive, Test
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import ELIMINATED, OFF_MAP
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.words import choosing, unit_lists
from pbem.games.fab_sicily.words.errors import ERRORS
from pbem.games.fab_sicily.words.asks import BATTLE_FACTS, CATALOGUE
from pbem.games.fab_sicily.words.battle_orders import CLAUSE_HELP, BattleReader
from pbem.games.fab_sicily.words.names import CLASSES, names
from pbem.games.fab_sicily.words.scopes import SCOPES, find_battle
from pbem.games.fab_sicily.words.verbs import PHASE_WORDS, VERBS
from pbem.games.fab_sicily.words.wordings import OF_VERBS, PHRASES
from pbem.orders.catalogue import AskKind
from pbem.orders.diagnostics import WARNING
from pbem.orders.drafts import Draft, Parsed
from pbem.orders.grammar import FREE, Form, Reader, Trouble, Verb, read_first
from pbem.orders.help import Language
from pbem.orders.lexer import SEP, Token
from pbem.orders.reader import Handler, OrderReader, Refused, answer_words
from pbem.orders.scopes import phase_of
from pbem.orders.source import Line
from pbem.orders.wordings import plain

HOLD = Form("hold UNIT", ("movement", "reaction", "breakthrough"))

_UNIT_FORMS = {"hold": (HOLD,), "place": (Form("place UNIT at BOX", ("arrival",)),)}
"""How the order for one unit is read where the help shows another form."""

_GOING = {"arrival": "place", "drop": "drop", "strategic": "strat"}
"""What a unit with an arrow and a place is to do, by what is asked in the phase; else it moves."""

LANGUAGE = Language(
    "FAB: Sicily", VERBS, CATALOGUE, CLAUSE_HELP, PHASE_WORDS, {word: names for word, (_, names) in CLASSES.items()},
    BATTLE_FACTS, "a battle", "Lentini", ERRORS,
)
"""All of it, for the help."""

ORDER_WORDS = frozenset(VERBS.words) | answer_words(CATALOGUE)
"""What a line of this title may begin with: an order, or the answer to a question."""


def parse(
    state: State, side: str, step: str, lines: Sequence[Line], open_asks: Sequence[Ask] = (),
    in_force: Sequence[Directive] = (), guard: str = "", guard_line: Line | None = None, source: str = "",
) -> Parsed:
    """The order lines of ``side``, sent while ``step`` is played (see :class:`pbem.games.contract.Words`)."""
    return FabReader(state, side, step, open_asks, in_force, source).read(lines, guard, guard_line)


def choose(state: State, ask: Ask, choice: str) -> Option | Refusal:
    """The option of ``ask`` that a player's ``choice`` means, or why there is none."""
    return choosing.choose(state, ask, choice)


class FabReader(OrderReader):
    """What this title's orders have of their own."""

    verbs, catalogue, scopes = VERBS, CATALOGUE, SCOPES
    sequence_rule = "3.0"
    claused = ("battle", "standing")
    passing = "reaction"
    phrases = PHRASES
    as_written = (*OrderReader.as_written, "play", "recycle")

    def __init__(
        self, state: State, side: str, step: str, open_asks: Sequence[Ask], in_force: Sequence[Directive], source: str
    ) -> None:
        self.state, self.names = state, names(state.data, side)
        self.battles = BattleReader(self.names)
        super().__init__(
            side, step, self.names.slots(), state.data.turns, open_asks=open_asks, in_force=in_force, source=source,
            skipped=state.data.skipped,
        )

    def handlers(self) -> Mapping[str, Handler]:
        return {
            **super().handlers(), **dict.fromkeys(unit_lists.UNIT_VERBS, self._units), "battle": self._battle,
            "garrison": self._each, "beachhead": self._each,
        }

    def plain(self) -> None:
        """Some verbs have phrases of their own."""
        super().plain()
        verb = VERBS.find(self.tokens[0].text)
        self.tokens = plain(self.tokens, self.now.text, OF_VERBS.get(verb.name, ()) if verb else ())

    def meant(self) -> Verb | None:
        """'50/1 -> Sortino', '50/1 digs in', or the words of one option."""
        verb = super().meant()
        if verb is not None:
            return verb
        try:
            end = unit_lists.read(self.state, self.names, self.tokens, 0, "move").end
        except Trouble:
            return None
        if end >= len(self.tokens):
            return None
        if named := unit_lists.verb_of(self.tokens[end].text):
            self.tokens = [*self.tokens[:end], *self.tokens[end + 1 :]]
            return self.with_verb(named)
        phase = self.chosen or self.start
        going = next((v for kind, v in _GOING.items() if self.scopes.acts(self.side, phase, kind)), "move")
        arrives = going in unit_lists.ARRIVING and self.tokens[end].text in ("at", "in", "on")
        if arrives or self._leads(self.tokens[end]):
            return self.with_verb(going)
        return None

    def _leads(self, token: Token) -> bool:
        """Whether a token is an arrow, 'to' or 'from'."""
        arrow = token.kind == SEP and self.now.text[token.start : token.end] not in (",", "&", "+")
        return arrow or token.text in ("to", "from", ">")

    def choose(self, ask: Ask, choice: str) -> Option | Refusal:
        return choose(self.state, ask, choice)

    def check_unit(self, unit: str, kind: str, at: int = 1) -> None:
        """2.4 A unit that is out of play takes no orders (its owner sees that it is)."""
        if self.state.blocks[unit].area in (ELIMINATED, OFF_MAP):
            raise Refused("gone", f"{board.unit_name(self.state.data, unit)} is no longer in play", "2.4", at)

    def one_order(self, kind: str) -> bool:
        """Assets, not units, act in the Admin Phase."""
        return kind not in ("admin", "recover")

    def shown(self, text: str) -> str:
        """'from *' need not be said."""
        return text.replace(f" from {choosing.ANY_WORD}", "")

    def in_phase(self, scope: str, kinds: Sequence[str]) -> None:
        """7.3 'move' in the Breakthrough Phase."""
        if phase_of(scope) == "breakthrough" and "movement" in kinds and self.start != scope:
            self.tell(WARNING, 0, 1, "later", f"taken as an order for {scope}: the movement phase is over", "7.3")

    def series_where(self, ask: Ask) -> str:
        """A battle's further answers stay in its area."""
        return ask.where if CATALOGUE[ask.kind].where == "area" else ""

    # -- verbs with a meaning of their own -----------------------------------------------------------

    def _units(self) -> None:
        """'move 50/1, 50/2 to 13' is an order for each unit: nothing of the line is taken unless all of it is good."""
        verb = self._unit_verb()
        if [t.text for t in self.tokens] == ["hold", "rest"]:
            self.accept(self.scope_of(HOLD.kinds), "hold rest", [])
            return
        line = list(self.tokens)
        units = unit_lists.read(self.state, self.names, line, 1, verb.name)
        origin, end = unit_lists.origin(self.names, line, units.end)
        found = []
        for block, at in zip(units.blocks, units.at, strict=True):
            self.tokens = [line[0], replace(line[at], text=block.lower()), *line[end:]]
            form, text = read_first(_UNIT_FORMS.get(verb.name, verb.forms), self.tokens, 0, self.slots)
            self.check_unit(block, form.kinds[0])
            there = unit_lists.elsewhere(self.state, block, origin)
            if there and self.scope_of(form.kinds) == self.step:
                raise Refused("elsewhere", f"{there}, not at {board.place_name(self.state.data, origin)}", "5.22", 1)
            found.append((form, text))
        for form, text in found:
            self._unit_order(form, text)

    def _unit_verb(self) -> Verb:
        """The verb of the line, which gets its unit if only one can be meant."""
        verb = VERBS.find(self.tokens[0].text)
        assert verb is not None
        if len(self.tokens) > 1 and self.tokens[1].text in FREE - {"the"}:
            alone = unit_lists.only_one(self.asks, verb)
            if not alone:
                raise Trouble("missing", "missing here: a unit of yours", 1)
            self.tokens.insert(1, replace(self.tokens[0], text=alone.lower()))
        if self.tokens[-1].text == "reserved":
            verb, self.tokens = unit_lists.RESERVE, self.tokens[:-1]
            self.tokens[0] = replace(self.tokens[0], text=verb.name)
        return verb

    def _unit_order(self, form: Form, text: str) -> None:
        scope = self.scope_of(form.kinds)
        kind = next(k for k in form.kinds if self.scopes.acts(self.side, scope, k))
        if self.one_order(kind):
            self.check_twice(text, scope)
        if gap := unit_lists.gap(self.state, text):
            self.tell(WARNING, 2, len(self.tokens) - 2, "gap", f"this will not be possible: {gap}", "5.22")
        self.accept(scope, text, [] if form is HOLD else [Draft(kind, (text,))])

    def _each(self) -> None:
        """A verb that takes a list: 'garrison 14, 26' is 'garrison 14' and 'garrison 26'."""
        verb = VERBS.find(self.tokens[0].text)
        assert verb is not None
        form, reader = verb.forms[0], Reader(self.tokens, 1)
        read, places = self.slots[form.parts[1].text.rstrip(",")], list[str]()
        while not places or reader.more():
            places.append(read(reader))
        reader.expect_end()
        scope = self.scope_of(form.kinds)
        for place in places:
            text = f"{verb.name} {place}"
            self.accept(scope, text, [Draft(form.kinds[0], (text,))])

    def _battle(self) -> None:
        plan = self.battles.read(self.tokens, 1)
        scope = self._battle_scope(plan.area)
        drafts = list(plan.drafts)
        if self.scopes.acts(self.side, scope, "battle") and plan.area:
            drafts.insert(0, Draft("battle", (f"fight {plan.area}" + (f" with {plan.special}" if plan.special else ""),)))
        elif plan.special and not self.scopes.acts(self.side, scope, "battle"):
            said = "a Special Action is not an asset; to bring up a unit write 'before reinforce with UNIT'"
            raise Refused("special", said, "8.1")
        self.accept(scope, plan.text, drafts)

    def _battle_scope(self, area: str) -> str:
        if self.chosen:
            if not self.scopes.acts(self.side, self.chosen, "loss"):
                raise Refused("wrong-phase", f"you cannot 'battle' in {self.chosen}; {self.when(('battle',))}", "3.0")
            return self.scope_of(("loss",))
        self.check_fresh()
        scope = find_battle(self.start, not area or self.state.assaults.get(area) == "airborne")
        if not scope:
            raise Refused("wrong-phase", f"there are no more battles in this player turn; {self.when(('battle',))}", "3.0")
        return scope

    def standing_plan(self) -> tuple[Sequence[Draft], str] | None:
        """'standing battle any; point strongest'."""
        words = [t.text for t in self.tokens]
        if len(words) < 2 or VERBS.find(words[1]) is not VERBS.find("battle") or "then" in words:
            return None
        plan = self.battles.read(self.tokens, 2, STANDING)
        if plan.special or not plan.drafts:
            said = "a standing battle plan says how to fight; it cannot be empty or spend a Special Action"
            raise Refused("standing", said, "7.42", 1)
        return plan.drafts, f"standing {plan.text}"

    def wheres(self, reader: Reader, kind: AskKind) -> list[tuple[str, tuple[Test, ...]]]:
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
