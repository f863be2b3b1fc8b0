"""Which phase a line is for, in a title of three phases; and what takes orders out of force."""

from __future__ import annotations

import pytest

from pbem.core.standing import ONCE, PLAN, STANDING, Directive
from pbem.core.standing import Test as Condition
from pbem.kit.sequence import TurnSequence
from pbem.orders.catalogue import AskKind, Catalogue
from pbem.orders.drafts import Draft
from pbem.orders.grammar import Trouble
from pbem.orders.scopes import BOTH, OTHER, PHASING, Scopes
from pbem.orders.taking_back import cancelled, supersede

SEQUENCE = TurnSequence(
    ("weather", "red move", "red fight", "blue move", "blue fight"), {"weather": "red", "setup": "red"}, "setup",
)


def kind(name: str, phase_orders: bool = True) -> AskKind:
    return AskKind(name, "1.0", name, name, "nothing", "", closing="done" if phase_orders else "", phase_orders=phase_orders)


SCOPES = Scopes(
    SEQUENCE, Catalogue((kind("place"), kind("march"), kind("react"), kind("pray"), kind("loss", False), kind("spy", False))),
    {
        "place": (("setup", BOTH),), "march": (("move", PHASING),), "react": (("move", OTHER),),
        "pray": (("weather", "blue"), ("fight", "any blue")), "loss": (("fight", BOTH),), "spy": (),
    },
    {"setup": ("setup",), "weather": ("weather",), "move": ("move", "movement"), "fight": ("fight", "combat")},
    {"red": ("red", "reds"), "blue": ("blue", "blues")}, fought_in=("fight",),
)


@pytest.mark.parametrize(
    ("side", "step", "asked"),
    [
        ("red", "setup", {"place", "spy"}),
        ("red", "2 red move", {"march", "spy"}),
        ("blue", "2 red move", {"react", "spy"}),
        ("red", "2 blue fight", {"loss", "spy"}),
        ("blue", "2 red fight", {"loss", "pray", "spy"}),
        ("blue", "2 weather", {"pray", "spy"}),
        ("red", "2 weather", {"spy"}),
    ],
)
def test_what_is_asked_where(side: str, step: str, asked: set[str]) -> None:
    assert set(SCOPES.asks_of(side, step)) == asked


@pytest.mark.parametrize(
    ("side", "start", "kinds", "found"),
    [
        ("red", "1 weather", ("march",), "1 red move"),
        ("red", "1 red fight", ("march",), ""),
        ("blue", "1 weather", ("react", "loss"), "1 red move"),
        ("blue", "1 red fight", ("react", "loss"), "1 red fight"),
        ("red", "setup", ("march",), "1 red move"),
        ("red", "1 weather", ("spy",), ""),
    ],
)
def test_the_next_phase_of_the_player_turn_that_takes_an_order(side: str, start: str, kinds: tuple[str, ...], found: str) -> None:
    assert SCOPES.find(side, start, kinds) == found


@pytest.mark.parametrize(
    ("words", "side", "start", "found"),
    [
        ("move", "red", "1 weather", "1 red move"),
        ("movement phase", "red", "1 red fight", "1 blue move"),
        ("red move", "red", "1 red fight", "2 red move"),
        ("turn 2 blue fight", "red", "1 weather", "2 blue fight"),
        ("2 weather", "red", "1 weather", "2 weather"),
        ("weather", "red", "1 red move", ""),
        ("weather", "blue", "1 red move", "2 weather"),
        ("1 setup", "red", "setup", "setup"),
        ("fight", "blue", "1 weather", "1 red fight"),
        ("7 red move", "red", "1 weather", "7 red move"),
        ("nonsense", "red", "1 weather", ""),
        ("99999999999 red move", "red", "1 weather", ""),
        ("", "red", "1 weather", ""),
    ],
)
def test_phases_by_their_names(words: str, side: str, start: str, found: str) -> None:
    assert SCOPES.read(words.split(), side, start) == found


def test_a_phase_that_the_scenario_leaves_out_is_none() -> None:
    assert SCOPES.read(["move"], "red", "1 weather", ("1 red move",)) == "1 blue move"
    assert SCOPES.find("red", "1 weather", ("march",), ("1 red move",)) == ""


# -- taking back ----------------------------------------------------------------------------------------


def order(id: str, mode: str, text: str, scope: str = "", where: str = "", tests: tuple[Condition, ...] = ()) -> Directive:
    return Directive(id, "red", "loss", mode, ("weakest",), text, scope, where, tests)


IN_FORCE = [
    order("1.0", STANDING, "standing a"), order("1.1", STANDING, "standing b"), order("1.2", STANDING, "standing b"),
    order("2.0", ONCE, "move 1", "1 red move"), order("2.1", PLAN, "pass", "1 red move"),
    order("2.2", ONCE, "fight", "1 red fight"),
]


@pytest.mark.parametrize(
    ("words", "gone"),
    [
        ("all", ["2.0", "2.1", "2.2"]),
        ("standing all", ["1.0", "1.1", "1.2"]),
        ("standing 1", ["1.0"]),
        ("standing 2", ["1.1", "1.2"]),
        ("2.0", ["2.0"]),
        ("move", ["2.0", "2.1"]),
    ],
)
def test_what_cancel_takes_back(words: str, gone: list[str]) -> None:
    said = words.split()
    assert [d.id for d in cancelled(said, IN_FORCE, lambda: SCOPES.read(said, "red", "1 weather"))] == gone


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("standing 3", "you have 2 standing orders"), ("standing 0", "you have 2 standing orders"),
        ("standing 99999999999", "you have 2 standing orders"), ("blue move", "no orders for 1 blue move"),
        ("nonsense", "is expected here"), ("", "is expected here"),
    ],
)
def test_what_there_is_not_cannot_be_cancelled(words: str, said: str) -> None:
    with pytest.raises(Trouble, match=said):
        cancelled(words.split(), IN_FORCE, lambda: SCOPES.read(words.split(), "red", "1 weather"))


def test_a_standing_order_replaces_one_for_the_same_case_and_stands_behind_a_wider_one() -> None:
    hurt = Condition("steps", "=", 1)
    old = [order("1", STANDING, "any"), order("2", STANDING, "at a", where="a"), order("3", STANDING, "hurt", tests=(hurt,))]
    draft = Draft("loss", ("strongest",), STANDING, "a", (hurt,))
    same, wider = supersede(draft, old)
    assert ([d.id for d in same], [d.id for d in wider]) == ([], ["1", "2", "3"])
    same, wider = supersede(Draft("loss", ("strongest",), STANDING, "a"), old)
    assert ([d.id for d in same], [d.id for d in wider]) == (["2"], ["1"])
    assert supersede(Draft("lead", ("strongest",), STANDING), old) == ([], [])
