"""A sequence of play as data, and events as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

import pytest

from pbem.kit.events import Registry
from pbem.kit.sequence import TurnSequence

TURN = ("weather", "red move", "red fight", "blue move", "blue fight", "check")
PLAIN = TurnSequence(TURN, {"weather": "red", "check": "blue"})
WITH_SETUP = TurnSequence(TURN, {"setup": "red", "weather": "red", "check": "blue"}, "setup")


@pytest.mark.parametrize(
    ("sequence", "done", "skipped", "after"),
    [
        (PLAIN, "1 weather", (), "1 red move"),
        (PLAIN, "1 check", (), "2 weather"),
        (PLAIN, "9 check", (), "10 weather"),
        (PLAIN, "1 weather", ("1 red move",), "1 red fight"),
        (PLAIN, "1 weather", ("1 red move", "1 red fight", "1 blue move"), "1 blue fight"),
        (PLAIN, "1 blue fight", ("1 check", "2 weather"), "2 red move"),
        (WITH_SETUP, "setup", (), "1 weather"),
        (WITH_SETUP, "setup", ("1 weather",), "1 red move"),
    ],
)
def test_the_step_after(sequence: TurnSequence, done: str, skipped: tuple[str, ...], after: str) -> None:
    assert sequence.after(done, skipped) == after


def test_a_game_begins_with_its_set_up_or_with_turn_1() -> None:
    assert (PLAIN.first, WITH_SETUP.first) == ("1 weather", "setup")


def test_steps_come_in_the_order_of_their_positions() -> None:
    step, steps = WITH_SETUP.first, ["setup"]
    for _ in range(2 * len(TURN)):
        step = WITH_SETUP.after(step)
        steps.append(step)
    assert steps == sorted(steps, key=WITH_SETUP.position)
    assert [WITH_SETUP.is_over(steps[5], s) for s in steps] == [True] * 5 + [False] * (len(steps) - 5)
    assert steps == list(WITH_SETUP.steps_from("setup"))
    assert list(islice(WITH_SETUP.steps_from("1 blue fight", ("1 check",)), 2)) == ["1 blue fight", "2 weather"]


@pytest.mark.parametrize(
    ("step", "whose"),
    [("setup", "1 red"), ("1 weather", "1 red"), ("2 red fight", "2 red"), ("2 blue move", "2 blue"), ("3 check", "3 blue")],
)
def test_what_both_sides_do_is_counted_to_the_player_turn_beside_it(step: str, whose: str) -> None:
    assert WITH_SETUP.player_turn(step) == whose


def test_progress_counts_the_steps_of_the_whole_game() -> None:
    assert PLAIN.progress("1 weather", 3) == (0, 18)
    assert PLAIN.progress("3 check", 3) == (17, 18)
    assert WITH_SETUP.progress("setup", 3) == (0, 18)


@dataclass(frozen=True)
class Moved:
    unit: str
    path: tuple[str, ...]
    mods: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Ended:
    winner: str


def test_events_come_back_as_they_were() -> None:
    registry: Registry[Moved | Ended] = Registry((Moved, Ended))
    for event in (Moved("1", ("a", "b"), (("hill", -1),)), Moved("2", ()), Ended("red")):
        data = registry.to_data(event)
        assert data["type"] == type(event).__name__
        assert registry.from_data(data) == event
    assert registry.to_data(Moved("1", ("a",))) == {"type": "Moved", "unit": "1", "path": ["a"], "mods": []}


def test_an_event_of_another_title_is_refused() -> None:
    registry: Registry[Ended] = Registry((Ended,))
    with pytest.raises(KeyError):
        registry.from_data({"type": "Moved", "unit": "1", "path": []})
