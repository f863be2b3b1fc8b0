"""What can be asked in a title, in the words of order lines: kinds, their aliases, facts and choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.orders.grammar import Form
from pbem.orders.lexicon import Entry, Lexicon

NUMBER, PLACE = "number", "place"

ALWAYS = ("first", "default")
"""Choices that fit every question."""


@dataclass(frozen=True)
class AskKind:
    """One kind of question.

    ``choices``: the forms of an answer; ``tags``: single words that also name an option ('strongest');
    ``where``: what the question is about ('area', 'border', 'unit', 'chit' or ''); ``facts``: what standing
    orders may test: NUMBER, PLACE, or the words it can be; ``yes``/``no``: what these words mean as answers;
    ``closing``: the choice that ends a phase, for the kinds that order a phase action by action;
    ``series``: asked again and again for the same thing (one asset, one loss at a time), so that several answers
    may be given at once; ``prompt``: the question; ``default``: what is done at the deadline, in words.
    """

    name: str
    rule: str
    title: str
    prompt: str
    default: str
    help: str
    choices: tuple[Form, ...] = ()
    tags: tuple[str, ...] = ()
    where: str = ""
    facts: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    yes: str = ""
    no: str = ""
    closing: str = ""
    phase_orders: bool = False
    series: bool = False
    aliases: tuple[str, ...] = ()
    example: str = ""

    @property
    def openers(self) -> tuple[str, ...]:
        """The words that an answer can begin with."""
        return tuple(dict.fromkeys(f.text.split(" ")[0] for f in self.choices))

    @property
    def usage(self) -> tuple[str, ...]:
        """The forms of an answer as the help shows them."""
        return tuple(f.usage for f in self.choices)


class Catalogue:
    """All kinds of question of a title."""

    def __init__(self, kinds: tuple[AskKind, ...]) -> None:
        self.kinds = kinds
        self.by_name = {k.name: k for k in kinds}
        self.names = Lexicon("question", [Entry(k.name, k.name, (k.name, *k.aliases)) for k in kinds])

    def __getitem__(self, name: str) -> AskKind:
        return self.by_name[name]
