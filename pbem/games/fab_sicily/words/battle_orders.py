"""``battle`` lines: one battle fought and planned, as directives for every question of rule 6.2.

    battle 15 with 24th, 98th artillery; point 50/1; abort at 3 hits; lose 50BA, 50/1; retreat never
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pbem.core.standing import ONCE, PLAN, STANDING, Test
from pbem.games.fab_sicily.words.asks import CATALOGUE
from pbem.games.fab_sicily.words.names import Names
from pbem.orders.drafts import Draft
from pbem.orders.grammar import Reader, Trouble, clauses
from pbem.orders.lexer import Token
from pbem.orders.suggest import near

ANY = "any"

TAGS = frozenset(t for k in CATALOGUE.kinds for t in k.tags)
"""Words that name an option without naming a unit ('strongest')."""


@dataclass
class BattlePlan:
    """What a battle line says: ``area`` ('' for any), its canonical text, and whether it wants a Special
    Action to fight at all (7.42)."""

    area: str
    text: str
    drafts: list[Draft]
    special: str = ""


_Plan = tuple[str, tuple[str, ...], tuple[Test, ...]]
"""Kind, choices and tests of a directive."""


@dataclass
class _Clause:
    """A clause read: its canonical words, and what it plans."""

    text: str
    plans: list[_Plan]
    special: str = ""


class BattleReader:
    """Reads battle lines with the names of one side."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.slots = names.slots()

    def read(self, tokens: Sequence[Token], at: int, mode: str = PLAN) -> BattlePlan:
        """The plan in the tokens from ``at`` on; ``mode`` STANDING makes it hold in every phase."""
        parts = clauses(tokens, at)
        if not parts:
            raise Trouble("missing", "missing here: an area, or 'any'", at)
        reader = Reader(tokens, parts[0][0], parts[0][1])
        reader.skip_free()
        area = "" if reader.take(ANY, "all", "every") else self.slots["AREA"](reader)
        found = []
        if reader.token and reader.word() != "":
            found.append(self._clause(reader))
        reader.expect_end()
        for start, end in parts[1:]:
            reader = Reader(tokens, start, end)
            found.append(self._clause(reader))
            reader.expect_end()
        self._twice(found, at)
        text = f"battle {area or ANY}{self._tail(found)}"
        drafts = [d for c in found for plan in c.plans for d in self._drafts(area, mode, *plan)]
        return BattlePlan(area, text, drafts, next((c.special for c in found if c.special), ""))

    def _tail(self, found: Sequence[_Clause]) -> str:
        texts = [c.text for c in found if c.text]
        if texts and texts[0].startswith("with "):
            return f" {texts[0]}" + "".join(f"; {t}" for t in texts[1:])
        return "".join(f"; {t}" for t in texts)

    def _twice(self, found: Sequence[_Clause], at: int) -> None:
        heads = [c.text.split(" ")[0] for c in found]
        twice = next((h for h in heads if heads.count(h) > 1), "")
        if twice and twice != "retreat":
            raise Trouble("twice", f"'{twice}' stands twice in this battle", at)

    def _clause(self, reader: Reader) -> _Clause:
        word, at = reader.word(), reader.at
        read = CLAUSES.get(word)
        if read is None:
            raise Trouble(
                "clause", f"'{word}' begins no part of a battle plan; possible: {', '.join(_NAMES)} (parts are separated by ';')",
                at, 1, near(word, _NAMES),
            )
        reader.at += 1
        return read(self, reader)

    def _drafts(self, area: str, mode: str, kind: str, choices: tuple[str, ...], tests: tuple[Test, ...]) -> list[Draft]:
        if kind == "assets" and area and mode != STANDING:
            each = [Draft(kind, (c,), ONCE, area) for c in choices]
            return [*each, Draft(kind, ("done",), PLAN, area)]
        if kind == "assets":
            choices = (*choices, "done")
        if kind in ("retreat-to", "clear-works", "exploit-check"):
            where, tests = "", (*((Test("area", "=", area),) if area else ()), *tests)
        else:
            where = area
        return [Draft(kind, choices, mode, where, tests)]

    # -- clauses ------------------------------------------------------------------------------------

    def _with(self, reader: Reader) -> _Clause:
        """6.22, 6.23 The assets; a Special Action among them pays for the battle (7.42)."""
        assets: list[str] = []
        said: list[str] = []
        special = ""
        while not said or reader.more():
            chit = self.slots["CHIT"](reader)
            if chit == "sa" or self._special(chit):
                special = chit
                said.append(chit)
                continue
            use = f" as {self.slots['USE'](reader)}" if reader.take("as") else ""
            assets.append(f"add {chit}{use}")
            said.append(f"{chit}{use}")
        plans: list[_Plan] = [("assets", tuple(assets), ())]
        return _Clause(f"with {', '.join(said)}", plans, special)

    def _special(self, chit: str) -> bool:
        return all(c in self.names.data.chits and self.names.data.chits[c].kind.startswith("special") for c in chit.split("|"))

    def _point(self, reader: Reader) -> _Clause:
        """6.24 The point unit, and who follows if it is eliminated."""
        who = self._list(reader, "point-unit")
        return _Clause(f"point {', '.join(who)}", [("point-unit", tuple(_say("point", w) for w in who), ())])

    def _support(self, reader: Reader) -> _Clause:
        """16.32 Aircraft support one unit."""
        who = self._list(reader, "air-role")
        return _Clause(f"support {', '.join(who)}", [("air-role", (*(_say("support", w) for w in who), "artillery"), ())])

    def _aircraft(self, reader: Reader) -> _Clause:
        """16.32 Aircraft fire as artillery, or support."""
        if reader.take("support"):
            return self._support(reader)
        reader.take("as")
        if not reader.take("artillery"):
            raise Trouble("missing", "'artillery' or 'support UNIT' is expected here", reader.at)
        return _Clause("air artillery", [("air-role", ("artillery",), ())])

    def _abort(self, reader: Reader) -> _Clause:
        """6.41b When the attack is broken off."""
        return self._threshold(reader, "abort", "abort", "abort", "press")

    def _retreat(self, reader: Reader) -> _Clause:
        """6.42c When the defender retreats, and 6.6 where to."""
        if reader.word() in ("to", "via"):
            return self._retreat_to(reader, "", [])
        clause = self._threshold(reader, "retreat-or-loss", "retreat", "retreat", "lose")
        if reader.word() != "to":
            return clause
        return self._retreat_to(reader, f"{clause.text.removeprefix('retreat ')} ", clause.plans)

    def _retreat_to(self, reader: Reader, said: str, plans: list[_Plan]) -> _Clause:
        places: list[str] = []
        while not places or reader.more():
            places.append(reader.name(self.names.places)[0].id)
        found = ("retreat-to", tuple(f"retreat to {p}" for p in places), ())
        return _Clause(f"retreat {said}to {', '.join(places)}", [*plans, found])

    def _threshold(self, reader: Reader, kind: str, word: str, yes: str, no: str) -> _Clause:
        """'never', 'always' or 'at 3 hits'."""
        if reader.take("never", "no"):
            return _Clause(f"{word} never", [(kind, (no,), ())])
        if reader.take("always", "yes"):
            return _Clause(f"{word} always", [(kind, (yes, no), ())])
        reader.take("at", "on", "from")
        count, at = reader.word().removesuffix("+"), reader.at
        if not count.isdecimal():
            raise Trouble("number", f"'never', 'always' or 'at 3 hits' is expected after '{word}'", at)
        reader.at += 1
        reader.take("hit", "hits")
        test = Test("hits", ">=", int(count))
        return _Clause(f"{word} at {int(count)} hits", [(kind, (yes,), (test,)), (kind, (no,), ())])

    def _lose(self, reader: Reader) -> _Clause:
        """6.43 Who takes losses, in this order."""
        who = self._list(reader, "loss")
        return _Clause(f"lose {', '.join(who)}", [("loss", tuple(_say("lose", w) for w in who), ())])

    def _disorder(self, reader: Reader) -> _Clause:
        """6.42b"""
        return self._yes_no(reader, "disorder", "disorder", "disorder", "lose")

    def _clear(self, reader: Reader) -> _Clause:
        """6.33, 16.22"""
        return self._yes_no(reader, "clear", "clear-works", "clear", "fire")

    def _intercept(self, reader: Reader) -> _Clause:
        """16.32 Air combat against a ground support mission."""
        return self._yes_no(reader, "intercept", "intercept", "intercept with air", "none")

    def _exploit(self, reader: Reader) -> _Clause:
        """6.8"""
        return self._yes_no(reader, "exploit", "exploit-check", "check", "decline")

    def _yes_no(self, reader: Reader, word: str, kind: str, yes: str, no: str) -> _Clause:
        if reader.take("no", "never"):
            return _Clause(f"{word} no", [(kind, (no,), ())])
        if reader.token is None or reader.take("yes", "always"):
            return _Clause(f"{word} yes", [(kind, (yes, no), ())])
        raise Trouble("yes-no", "'yes' or 'no' is expected here", reader.at)

    def _before(self, reader: Reader) -> _Clause:
        """6.21 What the defender does first."""
        if reader.take("stand"):
            return _Clause("before stand", [("before-battle", ("stand",), ())])
        if reader.take("retreat"):
            using = self._using(reader)
            return _Clause(f"before retreat{using[1]}", [("before-battle", (f"retreat using {using[0]}", "stand"), ())])
        if not reader.take("reinforce"):
            raise Trouble("missing", "'stand', 'retreat' or 'reinforce with UNIT' is expected here", reader.at)
        reader.take("with")
        unit = self.slots["UNIT"](reader)
        using = self._using(reader)
        choice = f"reinforce with {unit} using {using[0]}"
        return _Clause(f"before reinforce with {unit}{using[1]}", [("before-battle", (choice, "stand"), ())])

    def _using(self, reader: Reader) -> tuple[str, str]:
        chit = self.slots["CHIT"](reader) if reader.take("using") else "sa"
        return chit, f" using {chit}" if chit != "sa" else ""

    def _list(self, reader: Reader, kind: str) -> list[str]:
        found: list[str] = []
        while not found or reader.more():
            tagged = reader.take(*CATALOGUE[kind].tags)
            found.append(reader.tokens[reader.at - 1].text if tagged else self.slots["WHO"](reader))
        return found


def _say(verb: str, who: str) -> str:
    """'point 50-1', or a word such as 'strongest' alone."""
    return who if who in TAGS else f"{verb} {who}"


_NAMES = ("with", "point", "abort", "lose", "retreat", "disorder", "clear", "before", "support", "air", "intercept", "exploit")

CLAUSES: dict[str, Callable[[BattleReader, Reader], _Clause]] = {
    "with": BattleReader._with, "assets": BattleReader._with,
    "point": BattleReader._point,
    "abort": BattleReader._abort,
    "lose": BattleReader._lose, "losses": BattleReader._lose,
    "retreat": BattleReader._retreat,
    "disorder": BattleReader._disorder,
    "clear": BattleReader._clear,
    "before": BattleReader._before,
    "support": BattleReader._support,
    "air": BattleReader._aircraft, "aircraft": BattleReader._aircraft,
    "intercept": BattleReader._intercept,
    "exploit": BattleReader._exploit,
}
"""The parts of a battle plan by the word they begin with."""

CLAUSE_HELP: dict[str, tuple[str, str]] = {
    "with": (
        "with CHIT, ...",
        "the assets, artillery and aircraft that join in; 'NAV-1 as shock' clears field works; a Special Action pays for fighting"
        " again in the Breakthrough Combat Phase",
    ),
    "point": ("point WHO, ...", "your point unit, and who follows if it is lost"),
    "abort": ("abort at 3 hits|never|always", "attacker: break off when that many hits would still have to be taken"),
    "lose": ("lose WHO, ...", "who takes losses, in this order where the rules allow it"),
    "retreat": (
        "retreat at 2 hits|never|always [to PLACE, ...]", "defender: absorb a hit of ground fire by retreating, and where to",
    ),
    "disorder": ("disorder yes|no", "defender: absorb an artillery hit by disorder"),
    "clear": ("clear yes|no", "engineers and commandos clear field works instead of firing"),
    "before": ("before stand|retreat|reinforce with UNIT", "defender: what a Special Action is used for before the fight"),
    "support": ("support UNIT, ...", "your aircraft support this unit (else they fire as artillery)"),
    "air": ("air artillery", "your aircraft fire as artillery"),
    "intercept": ("intercept yes|no", "your aircraft cancel those of the enemy"),
    "exploit": ("exploit yes|no", "make the morale check for exploitation, or stay hidden"),
}
"""The same for the help."""
