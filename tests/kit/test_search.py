"""Searches: nearest, reachable, cheapest, and the bar that is named when there is no way."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import pytest

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import HexMap, build
from pbem.kit.search import Bar, Cost, Step, Steps, Way, bars_between, cheapest, cheapest_way, distances, nearest, reachable, walk

GRID = Grid(True, 1, "CCRR", (Sheet("", (1, 9), (1, 9)),))
PLAIN = build(GRID, [{"hex": h, "terrain": "clear"} for h in GRID.all()], [])
NEIGHBOURS = {"a": "bc", "b": "ad", "c": "ad", "d": "bce", "e": "d", "f": ""}


def near(place: str) -> str:
    return NEIGHBOURS[place]


def test_nearest_gives_all_shortest_paths_in_the_order_of_the_neighbours() -> None:
    assert nearest("a", near, lambda p: p == "e") == [["b", "d", "e"], ["c", "d", "e"]]
    assert nearest("a", near, lambda p: p in "be") == [["b"]]
    assert nearest("a", near, lambda p: p == "f") == []


def test_reachable_counts_steps_and_keeps_to_a_limit() -> None:
    assert reachable("a", near) == {"a": 0, "b": 1, "c": 1, "d": 2, "e": 3}
    assert reachable("a", near, 2) == {"a": 0, "b": 1, "c": 1, "d": 2}
    assert distances(NEIGHBOURS, "e") == {"e": 0, "d": 1, "b": 2, "c": 2, "a": 3}


def on(board: HexMap, costs: dict[str, Cost] | None = None, closed: str = "", stops: str = "") -> Steps[str]:
    def steps(here: str) -> Iterator[Step[str] | Bar[str]]:
        for there in board.near(here):
            if there in closed.split():
                yield Bar(there, f"the enemy stands at {there}", "7.4")
            else:
                yield Step(there, (costs or {}).get(there, 1), there in stops.split())

    return steps


def test_equal_paths_the_one_with_fewest_hexes_then_clockwise() -> None:
    found = cheapest(["0505"], on(PLAIN), 3)
    assert found.path("0503") == ("0505", "0504", "0503")
    assert found.path("0704") == ("0505", "0605", "0704"), "0605 lies clockwise before 0606"
    dear = {"a": [Step("b", 1), Step("d", 2)], "b": [Step("d", 1)], "d": []}
    assert cheapest(["a"], dear.__getitem__).way("d") == Way(("a", "d"), 2), "one hex for two points, not two for as many"


def test_all_within_the_budget_and_nothing_else() -> None:
    found = cheapest(["0505"], on(PLAIN), 2)
    assert sorted(found) == sorted(PLAIN.within("0505", 2))
    assert all(found.costs[h] == PLAIN.distance("0505", h) for h in found)
    assert next(iter(found)) == "0505" and "0508" not in found


def test_halves_and_thirds_stay_exact() -> None:
    road = {"0504": Fraction(1, 2), "0503": Fraction(1, 2), "0502": Fraction(1, 3)}
    found = cheapest(["0505"], on(PLAIN, road), 2)
    assert {h: found.costs[h] for h in ("0504", "0503", "0502")} == {"0504": Fraction(1, 2), "0503": 1, "0502": Fraction(4, 3)}
    assert "0501" not in found, "2 1/3 is more than 2"


def test_a_step_that_stops_ends_the_path_and_a_dearer_one_may_go_on() -> None:
    ring = " ".join(PLAIN.ring("0505", 1))
    assert sorted(cheapest(["0505"], on(PLAIN, stops=ring), 5)) == sorted(PLAIN.within("0505", 1))

    def two_ways(here: str) -> list[Step[str]]:
        return {"a": [Step("b", 1, True), Step("b", 3)], "b": [Step("c", 1)], "c": []}[here]

    found = cheapest(["a"], two_ways)
    assert found.way("b") == Way(("a", "b"), 1) and found.way("c") == Way(("a", "b", "c"), 4)


def test_several_starts_and_a_goal_that_ends_the_search() -> None:
    found = cheapest(["0101", "0909"], on(PLAIN), None, lambda h: h == "0808")
    assert found.path("0808")[0] == "0909" and list(found)[-1] == "0808" and "0505" not in found


def test_a_goal_out_of_reach_is_barred_in_words_with_a_rule() -> None:
    assert cheapest_way("0505", "0504", on(PLAIN), 3) == Way(("0505", "0504"), 1)
    far = cheapest_way("0505", "0501", on(PLAIN), 3, "{cost} points are needed, the unit has {budget}", "7.1")
    assert far == Bar("0501", "4 points are needed, the unit has 3", "7.1")
    walled = on(PLAIN, closed=" ".join(PLAIN.ring("0505", 1)))
    assert cheapest_way("0505", "0502", walled, 9) == Bar("0504", "the enemy stands at 0504", "7.4")


def test_the_bars_named_are_those_of_the_way_with_fewest() -> None:
    two_walls = on(PLAIN, closed=" ".join([*PLAIN.ring("0505", 1), *PLAIN.ring("0505", 2)]))
    assert [b.there for b in bars_between(["0505"], lambda h: h == "0502", two_walls)] == ["0504", "0503"]
    gap = on(PLAIN, closed=" ".join([*PLAIN.ring("0505", 1), *PLAIN.ring("0505", 2)][:-1]))
    assert len(bars_between(["0505"], lambda h: h == "0502", gap)) == 1
    assert bars_between(["0505"], lambda h: h == "0502", on(PLAIN)) == []
    assert bars_between(["a"], lambda p: p == "f", lambda p: [Step(n) for n in near(p)]) == [], "no bar is at fault"


def take(here: str, there: str, spent: Cost) -> Step[str] | Bar[str]:
    if there not in PLAIN.near(here):
        return Bar(there, f"{here} and {there} are not neighbours", "7.1")
    return Step(there, 2, there == "0503") if spent + 2 <= 6 else Bar(there, "no points are left", "7.2")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("0505", Way(("0505",), 0)),
        ("0505 0504 0503", Way(("0505", "0504", "0503"), 4)),
        ("0505 0503", Bar("0503", "0505 and 0503 are not neighbours", "7.1")),
        ("0505 0504 0503 0502", Bar("0502", "the unit must stop at 0503", "7.3")),
        ("0505 0605 0606 0607 0608", Bar("0608", "no points are left", "7.2")),
    ],
)
def test_a_path_spelled_out(path: str, found: Way[str] | Bar[str]) -> None:
    assert walk(path.split(), take, ("the unit must stop at {here}", "7.3")) == found


def test_nodes_may_carry_a_mode() -> None:
    """Half price goes on only as long as the road does."""
    road = ["0505", "0504", "0503"]

    def steps(node: tuple[str, bool]) -> Iterator[Step[tuple[str, bool]]]:
        here, by_road = node
        for there in PLAIN.near(here):
            yield Step((there, False), 2)
            if by_road and here in road and there in road:
                yield Step((there, True), 1)

    found = cheapest([("0505", True)], steps, 4)
    assert found.costs["0503", True] == 2 and found.costs["0502", False] == 4 and ("0502", True) not in found
