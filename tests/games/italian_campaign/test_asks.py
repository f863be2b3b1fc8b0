"""Whatever the rules ask is in the catalogue, and each answer can be written in the forms that it gives."""

from __future__ import annotations

import ast
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from pbem.core.asks import Ask, Option
from pbem.core.autoplay import play_out
from pbem.games.italian_campaign import RULESET, rules
from pbem.games.italian_campaign.words.asks import CATALOGUE
from pbem.games.italian_campaign.words.names import Names
from pbem.orders.catalogue import NUMBER, AskKind
from pbem.orders.grammar import Trouble, read_first
from pbem.orders.lexer import tokenise
from pbem.orders.standing import read_standing
from tests.games.italian_campaign.play import new_game, position, random_player

LOOKED_AT = 25

COMMON = {
    "bid", "reaction-points", "impulse", "also", "act", "support-a", "support-d", "step", "retreat-to", "strategic", "enter",
    "bonus", "inv-react", "inv-counter", "ashore",
}
"""Kinds that come in any game."""


def slots(side: str) -> Any:
    return Names(position({}).data, side).slots()


def written(kind: str, side: str, text: str) -> str:
    """An answer as its forms read it."""
    return read_first(CATALOGUE[kind].choices, tokenise(text), 0, slots(side))[1]


def test_every_question_of_a_game_can_be_answered_in_its_forms() -> None:
    session = new_game("asks")
    player = random_player("asks")
    read = {side: slots(side) for side in RULESET.sides}
    seen: dict[str, int] = {}

    def choose(state: Any, ask: Ask) -> Option:
        kind = CATALOGUE[ask.kind]
        seen[ask.kind] = seen.get(ask.kind, 0) + 1
        assert set(ask.facts) == set(kind.facts), ask.kind
        for name, value in ask.facts.items():
            allowed = kind.facts[name]
            assert type(value) is int if allowed == NUMBER else value in allowed, (ask.kind, name, value)
        assert (ask.closing is not None) == (kind.closing != "" or ask.kind in ("reaction", "spoil")), ask.kind
        looked_at = [*islice(ask.each(), LOOKED_AT), *([ask.closing] if ask.closing else [])]
        for option in looked_at:
            assert read_first(kind.choices, tokenise(option.key), 0, read[ask.side])[1] == option.key, ask.kind
        return player(state, ask)

    play_out(session, {"allied": choose, "axis": choose})
    assert set(seen) >= COMMON


def test_the_catalogue_has_no_question_that_the_rules_do_not_ask() -> None:
    """Rare questions come in few games: each kind must at least be named in the rules."""
    named: set[str] = set()
    for file in Path(rules.__path__[0]).glob("*.py"):
        nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        named |= {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    assert not [k.name for k in CATALOGUE.kinds if k.name not in named]


@pytest.mark.parametrize(
    ("kind", "side", "text", "key"),
    [
        ("bid", "allied", "Bid 3", "bid 3"),
        ("impulse", "allied", "advance 36us", "advance 36US"),
        ("impulse", "allied", "corps 10Corps advance 56Inf", "corps 10Corps advance 56Inf"),
        ("act", "allied", "attack Naples with 36US-141, 36US-142", "attack {naples} with 36US-141 36US-142"),
        ("support-a", "allied", "tactical 5 af 2 sp 3 gunnery", "tactical 5 af 2 sp 3 gunnery"),
        ("step", "axis", "remove 16Pz-64", "remove 16Pz-64"),
    ],
)
def test_answers_as_players_write_them(kind: str, side: str, text: str, key: str) -> None:
    board = position({}).data.board
    naples = next(h for h, ground in board.hexes.items() if ground.get("town") == "Naples" or ground.get("port") == "Naples")
    assert written(kind, side, text) == key.format(naples=naples)


@pytest.mark.parametrize("kind", [k for k in CATALOGUE.kinds if k.example], ids=lambda k: k.name)
def test_the_examples_are_standing_orders_of_their_kind(kind: AskKind) -> None:
    drafts, text = read_standing(tokenise(kind.example), 1, CATALOGUE, slots("axis"), lambda r, k: [("", ())])
    assert [d.kind for d in drafts] == [kind.name] and text == kind.example


def test_the_enemys_units_are_no_names_of_ours() -> None:
    with pytest.raises(Trouble, match="no unit of yours"):
        written("step", "allied", "step 16Pz")
