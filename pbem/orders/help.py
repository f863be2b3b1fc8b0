"""What ``help`` mails back: pages made from the verb tables and the catalogue of questions.

A page is the name of a template and the view it is rendered with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.orders.catalogue import NUMBER, PLACE, AskKind, Catalogue
from pbem.orders.grammar import Verb, VerbTable
from pbem.orders.club_verbs import CLUB
from pbem.orders.service_verbs import SERVICE
from pbem.orders.suggest import near


@dataclass(frozen=True)
class Language:
    """All that can be written in the orders of one title.

    ``clauses``: parts of a battle plan, usage and meaning; ``phases``: phases and what they may be called;
    ``classes``: words for 'any one of mine' and what they may be called; ``shared``: facts that many questions share,
    and ``sharing`` what those questions have in common ('a battle'); ``place``: one on its map, for examples; ``errors``: what
    the title's own sorts of finding mean and what to do about them, by code.
    """

    title: str
    verbs: VerbTable
    catalogue: Catalogue
    clauses: Mapping[str, tuple[str, str]]
    phases: Mapping[str, Sequence[str]]
    classes: Mapping[str, Sequence[str]]
    shared: Mapping[str, str | tuple[str, ...]]
    sharing: str
    place: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)

    @property
    def example(self) -> Verb:
        """The order that stands for all where one is shown."""
        return self.verbs.find("move") or self.verbs.verbs[0]

    @property
    def phase(self) -> str:
        """The phase that stands for all where one is shown: the one of that order."""
        return next((p for p in self.phases if p in self.example.kinds), next(iter(self.phases), ""))


@dataclass(frozen=True)
class Page:
    """A template and its view: the title's own in its folder ``help``, else the one of that name in ``templates/help``."""

    template: str
    view: Mapping[str, Any]


@dataclass(frozen=True)
class Examples:
    """What the examples of requests name, of the title that is played: a scenario, a side, a place, a phase, the side that
    plays first, an order, a correction of the position."""

    scenario: str
    side: str
    place: str = ""
    phase: str = "movement"
    first: str = ""
    order: str = ""
    correction: str = ""

    def filled(self, example: str) -> str:
        """An example with these names in it."""
        for name, word in vars(self).items():
            example = example.replace(f"{{{name}}}", word)
        return example


def words(language: Language) -> dict[str, str]:
    """The topics that are no verb and no question, and what each is about."""
    topics = {
        "orders": f"all order words of {language.title}",
        "questions": "what you can be asked, and how to answer",
        "standing": "answering questions beforehand",
        "battle": "planning a battle",
        "names": "how to name units, places and assets",
        "phases": "ordering several phases in one mail",
        "mail": "how your mails are read",
        "service": "requests to the server",
        "club": "accounts, seats, absences, press",
    }
    return topics if language.clauses else {name: about for name, about in topics.items() if name != "battle"}


def find(topic: Sequence[str], language: Language, scenario: str, side: str) -> Page:
    """The page on ``topic`` (words as mailed); without one, or for an unknown one, the list of topics.  ``scenario``
    ('title/scenario') and ``side`` stand in the examples."""
    known = Examples(scenario, side, language.place, language.phase)
    name = "-".join(w.lower() for w in topic)
    if name in words(language):
        return Page(f"{name}.txt.j2", _whole(language, known))
    verb = language.verbs.find(name) or SERVICE.find(name) or CLUB.find(name)
    asked = _asked(name, language.catalogue)
    if verb or asked:
        kind = _kind(asked, language) if asked else None
        return Page("topic.txt.j2", {**_whole(language, known), "verb": _verb(verb, known) if verb else None, "kind": kind})
    topics = [*words(language), *language.verbs.words, *SERVICE.words, *CLUB.words, *language.catalogue.by_name]
    like = list(near(name, topics)) if name else []
    return Page("index.txt.j2", {**_whole(language, known), "notice": _no_help(name[:40], like) if name else ""})


def club(topic: str, scenario: str, side: str) -> Page:
    """The page on what the club does, or one of its verbs, for who plays no game."""
    found, known = CLUB.find(topic.lower()), Examples(scenario, side)
    return Page("club.txt.j2", {"club": [_verb(v, known) for v in ([found] if found else CLUB.verbs)]})


def _no_help(name: str, like: Sequence[str]) -> str:
    meant = f" Did you mean: {', '.join(like)}?" if like else ""
    return f"There is no help on '{name}'.{meant}"


def _asked(name: str, catalogue: Catalogue) -> AskKind | None:
    """The question of that name, or the one that is answered by that word."""
    entry = catalogue.names.named(name)
    answered = (k for k in catalogue.kinds if not k.phase_orders and name in k.openers)
    return catalogue[entry.id] if entry else next(answered, None)


def _whole(language: Language, known: Examples) -> dict[str, Any]:
    kinds = language.catalogue.kinds
    return {
        "title": language.title,
        "topics": [{"name": n, "about": a} for n, a in words(language).items()],
        "verbs": [_verb(v, known) for v in language.verbs.verbs],
        "verb_names": ", ".join(v.name for v in language.verbs.verbs),
        "service": [_verb(v, known) for v in SERVICE.verbs],
        "club": [_verb(v, known) for v in CLUB.verbs],
        "questions": [_kind(k, language) for k in kinds if not k.phase_orders],
        "kind_names": ", ".join(k.name for k in kinds),
        "example": language.example.example, "example_rule": language.example.rule, "battle_example": _battle(language),
        "example_phase": language.phase,
        "sides_phase": f"{known.side} {known.phase}",
        "shared": _facts(language.shared),
        "sharing": language.sharing,
        "clauses": [{"name": n, "usage": u, "help": h} for n, (u, h) in language.clauses.items()],
        "phases": [_also(n, w, "") for n, w in language.phases.items()],
        "classes": [_also(n, w, "also ") for n, w in language.classes.items()],
    }


def _battle(language: Language) -> str:
    """A battle plan, for an example."""
    found = language.verbs.find("battle")
    return found.example if found else ""


def _also(name: str, spoken: Sequence[str], word: str) -> str:
    """'special-action: also sa, special': what a name may be called."""
    others = ", ".join(spoken[1:])
    return f"{name}: {word}{others}" if others else name


def _verb(verb: Verb, known: Examples) -> dict[str, Any]:
    return {
        "name": verb.name, "also": ", ".join(verb.aliases), "usage": list(verb.usage), "example": known.filled(verb.example),
        "line": f"{verb.help} ({verb.rule})" if verb.rule else verb.help,
    }  # fmt: skip


def _facts(facts: Mapping[str, str | tuple[str, ...]]) -> list[str]:
    """Each fact and what it can be, in words."""
    sorts = {NUMBER: "a number", PLACE: "a place"}
    return [f"{name}: {sorts[sort] if isinstance(sort, str) else ', '.join(sort)}" for name, sort in facts.items()]


def _kind(kind: AskKind, language: Language) -> dict[str, Any]:
    shares = bool(language.shared) and set(language.shared) <= set(kind.facts)
    own = _facts({f: s for f, s in kind.facts.items() if not shares or f not in language.shared})
    also = f" (also: {', '.join(kind.aliases)})" if kind.aliases else ""
    return {
        "name": kind.name, "line": f"{kind.name}{'*' if shares else ''}{also}", "title": kind.title, "prompt": kind.prompt,
        "default": kind.default, "help": kind.help, "rule": kind.rule, "usage": list(kind.usage),
        "one_word": ", ".join(kind.tags), "facts": own, "example": kind.example,
        "tests": [*_facts(language.shared), *own] if shares else own,
        "closing": kind.closing,
    }  # fmt: skip
