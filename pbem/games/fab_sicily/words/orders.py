"""The order lines of FAB: Sicily as directives, and a player's words as one of the options offered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.core.asks import Ask, Option, Refusal
from pbem.core.standing import STANDING, Directive, Test
from pbem.games.fab_sicily.position import board
from pbem.games.fab_sicily.position.data import ELIMINATED, OFF_MAP
from pbem.games.fab_sicily.position.state import State
from pbem.games.fab_sicily.words import choosing
from pbem.games.fab_sicily.words.errors import ERRORS
from pbem.games.fab_sicily.words.asks import BATTLE_FACTS, CATALOGUE
from pbem.games.fab_sicily.words.battle_orders import CLAUSE_HELP, BattleReader
from pbem.games.fab_sicily.words.names import CLASSES, names
from pbem.games.fab_sicily.words.scopes import SCOPES, find_battle
from pbem.games.fab_sicily.words.verbs import PHASE_WORDS, VERBS
from pbem.orders.catalogue import AskKind
from pbem.orders.diagnostics import WARNING
from pbem.orders.drafts import Draft, Parsed
from pbem.orders.grammar import Form, Reader, Trouble, read_first
from pbem.orders.help import Language
from pbem.orders.lexer import SEP
from pbem.orders.reader import Handler, OrderReader, Refused, answer_words
from pbem.orders.scopes import phase_of
from pbem.orders.source import Line

HOLD = Form("hold UNIT")

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
            **super().handlers(), "hold": self._hold, "battle": self._battle, "garrison": self._each, "beachhead": self._each,
            "place": self._place,
        }

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

    def _place(self) -> None:
        """14.24 'place 5/1, 5/2 at B1' is an order for each unit."""
        reader, units = Reader(self.tokens, 1), list[tuple[int, str]]()
        while not units or _another(reader):
            units.append((reader.at, self.slots["UNIT"](reader)))
        box = self.slots["BOX"](reader)
        reader.expect_end()
        scope = self.scope_of(("arrival",))
        for at, unit in units:
            self.check_unit(unit, "arrival", at)
            text = f"place {unit} at {box}"
            self.check_twice(text, scope)
            self.accept(scope, text, [Draft("arrival", (text,))])

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

    def _hold(self) -> None:
        _, text = read_first((HOLD,), self.tokens, 0, self.slots)
        self.check_unit(text.split()[1], "movement")
        scope = self.scope_of(("movement", "reaction", "breakthrough"))
        self.check_twice(text, scope)
        self.accept(scope, text, [])

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


def _another(reader: Reader) -> bool:
    """Whether a comma or 'and' is followed by one more of a list, and not by the place that ends the order."""
    token, before = reader.token, reader.at
    if token is not None and (token.kind == SEP or token.text == "and"):
        if reader.more() and reader.at + len(reader.run()) < reader.stop:
            return True
        reader.at = before
    return False
