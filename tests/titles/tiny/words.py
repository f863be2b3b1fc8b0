"""What players of Tiny write, and what they are asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.core.asks import DONE, Ask, Option, Refusal, pick
from pbem.core.standing import Directive
from pbem.orders.catalogue import NUMBER, AskKind, Catalogue
from pbem.orders.drafts import Parsed
from pbem.orders.grammar import Form, Slot, Verb, VerbTable
from pbem.orders.help import Language
from pbem.orders.lexicon import Entry, Lexicon
from pbem.orders.reader import OrderReader, answer_words
from pbem.orders.scopes import BOTH, OTHER, PHASING, Scopes
from pbem.orders.source import Line
from tests.titles.tiny import rules
from tests.titles.tiny.position import BLUE, RED, Data, Event, State

VERBS = VerbTable((
    Verb("reserve", (Form("reserve HEX", ("reserve",)),), "reserve 0102", "Your reserve waits there, unseen.", "2.1"),
    Verb("move", (Form("move UNIT to HEX", ("movement",)),), "move B1 to 0202", "A unit moves one hex.", "3.1", ("go",)),
    Verb("appear", (Form("appear", ("movement",)),), "appear", "Your reserve appears where it waits.", "2.2"),
    Verb("attack", (Form("attack HEX", ("combat",)),), "attack 0202", "All your units beside the hex attack it.", "4.1"),
    Verb("pass", (Form("pass"), Form("pass PHASE")), "pass combat", "Nothing (more) in this phase, or in the named one.", "1.1"),
    Verb("phase", (Form("phase PHASE"),), "phase combat", "The lines below are for that phase.", "1.1"),
    Verb("answer", (Form("answer QUESTION CHOICE"),), "answer q5.1 stay", "Answers the question of that number."),
    Verb("standing", (Form("standing when KIND [if FACT = VALUE] then CHOICE [or CHOICE ...]"),),
         "standing when advance then stay", "Answers a kind of question beforehand."),
    Verb("add", (Form("add"),), "add", "The orders of this mail come on top of the earlier ones."),
    Verb("cancel", (Form("cancel all"), Form("cancel PHASE"), Form("cancel standing NUMBER"), Form("cancel standing all")),
         "cancel all", "Takes back what is not yet carried out."),
))  # fmt: skip


def _orders(name: str, rule: str, title: str, prompt: str, default: str, help: str) -> AskKind:
    forms = tuple(f for v in VERBS.verbs for f in v.forms if name in f.kinds)
    return AskKind(name, rule, title, prompt, default, help, forms, closing=DONE, phase_orders=True, facts={"turn": NUMBER})


CATALOGUE = Catalogue((
    _orders("reserve", "2.1", "Reserve", "Where does your reserve wait?", "it stays where it is", "Asked until it appears."),
    _orders("movement", "3.1", "Movement", "Which units move?", "the others stay", "Asked until you pass."),
    _orders("combat", "4.1", "Combat", "Which hexes do you attack?", "none", "Asked until you pass."),
    AskKind("retreat", "4.4", "Retreat", "Where does the unit retreat?", "the first way offered", "Asked unit by unit.",
            (Form("retreat to HEX", ("retreat",)),), where="hex", facts={"strength": NUMBER},
            example="standing when retreat then first"),
    AskKind("advance", "4.5", "Advance", "Who advances into the hex?", "the strongest", "Asked when the hex is empty.",
            (Form("advance UNIT", ("advance",)), Form("stay", ("advance",))), no="stay", where="hex", facts={"units": NUMBER},
            example="standing when advance then stay"),
))  # fmt: skip

PHASE_WORDS = {
    "reserve": ("reserve", "reserves"), "movement": ("movement", "move"), "combat": ("combat",), "victory": ("victory",),
}
SCOPES = Scopes(
    rules.SEQUENCE, CATALOGUE,
    {"reserve": [("reserve", BOTH)], "movement": [("movement", PHASING)], "combat": [("combat", PHASING)],
     "retreat": [("combat", OTHER)], "advance": [("combat", PHASING)]},
    PHASE_WORDS, {BLUE: ("blue",), RED: ("red",)},
)  # fmt: skip

language = Language("Tiny", VERBS, CATALOGUE, {}, PHASE_WORDS, {}, {}, "", "0202")
order_words = frozenset(VERBS.words) | answer_words(CATALOGUE)
adjustments = ("adjust place UNIT HEX",)


def _slots(data: Data) -> Mapping[str, Slot]:
    hexes = data.map.hexes.values()
    places = Lexicon("hex", [Entry(h.id, h.id, (h.id, *([h.get("town")] if h.get("town") else []))) for h in hexes])
    units = Lexicon("unit", [Entry(u.id, u.id, (u.id, u.name)) for u in data.units.values()])
    return {"UNIT": lambda r: r.name(units)[0].id, "HEX": (place := lambda r: r.name(places)[0].id), "PLACE": place}


class TinyReader(OrderReader):
    """Reads the lines of one mail."""

    verbs, catalogue, scopes, sequence_rule, passing = VERBS, CATALOGUE, SCOPES, "1.1", "movement"

    def __init__(self, state: State, side: str, step: str, **more: Any) -> None:
        super().__init__(side, step, _slots(state.data), state.data.turns, **more)
        self.state = state

    def choose(self, ask: Ask, choice: str) -> Option | Refusal:
        """The option that the words mean."""
        return choose(self.state, ask, choice)


def parse(
    state: State, side: str, step: str, lines: Sequence[Line], open_asks: Sequence[Ask] = (),
    in_force: Sequence[Directive] = (), guard: str = "", guard_line: Line | None = None, source: str = "",
) -> Parsed:
    """See :class:`pbem.games.contract.Words`."""
    return TinyReader(state, side, step, open_asks=open_asks, in_force=in_force, source=source).read(lines, guard, guard_line)


def choose(state: State, ask: Ask, choice: str) -> Option | Refusal:
    """An option, or the rule that forbids it."""
    found, words = pick(ask, choice), choice.split()
    if isinstance(found, Option) or not words:
        return found
    return why_not(state, ask.side, words) or found


def why_not(state: State, side: str, words: Sequence[str]) -> Refusal | None:
    """Why an order cannot be carried out now."""
    if words[0] == "move":
        return rules.why_not_move(state, side, words[1], words[3])
    if words[0] == "appear":
        return rules.why_not_appear(state, side)
    if words[0] == "reserve":
        return rules.why_not_wait(state, side, words[1])
    return rules.why_not_attack(state, side, words[1]) if words[0] == "attack" else None


def meant(state: State, order: Directive, key: str) -> bool:
    """Whether an order is for an option."""
    return key in order.choices


def unused(state: State, order: Directive) -> Refusal | None:
    """Why an order came to nothing, if that is worth a line."""
    kind = CATALOGUE[order.kind]
    if not kind.phase_orders or order.choices[0] == kind.closing:
        return None
    late = Refusal("the phase was over before it could be carried out", kind.rule)
    return why_not(state, order.side, order.choices[0].split()) or late


def adjustment(state: State, words: Sequence[str]) -> Event | Refusal:
    """A unit put somewhere by the referee."""
    if len(words) != 3 or words[0] != "place" or words[1] not in state.units or words[2] not in state.data.map.hexes:
        return Refusal(f"write it like '{adjustments[0]}'")
    return Event("adjusted", unit=words[1], hex=words[2])
