"""Supply: the network, the path shown, and the hex that cuts it."""

from __future__ import annotations

from pbem.kit.grid import Grid, Sheet
from pbem.kit.hexmap import build
from pbem.kit.search import Bar, Step
from pbem.kit.supply import Cut, Line, Network, Passes, trace

GRID = Grid(True, 1, "CCRR", (Sheet("", (1, 9), (1, 9)),))
ROAD = ["0101", "0102", "0103", "0104", "0105"]
MAP = build(
    GRID, [{"hex": h, "terrain": "clear"} for h in GRID.all()],
    [{"hex_a": a, "hex_b": b, "road": "main"} for a, b in zip(ROAD, ROAD[1:], strict=False)],
)


def off(*enemies: str) -> Passes:
    def passes(here: str, there: str) -> Step[str] | Bar[str]:
        return Bar(there, f"the enemy stands at {there}", "6.5") if there in enemies else Step(there)

    return passes


def by_road(*enemies: str) -> Passes:
    def passes(here: str, there: str) -> Step[str] | Bar[str] | None:
        if not MAP.across(here, there, "road"):
            return None
        return Bar(there, f"the enemy stands at {there}", "6.5") if there in enemies else Step(there)

    return passes


def net(*enemies: str, limit: int | None = None) -> Network:
    return Network(MAP.near, ("0101",), by_road(*enemies), limit)


def test_the_network_is_what_the_road_joins_to_the_source() -> None:
    assert list(net().reach) == ROAD and net().path("0103") == ("0103", "0102", "0101")
    assert list(net("0104").reach) == ["0101", "0102", "0103", "0104"], "from 0104 itself supply could be traced, through it not"
    assert list(net(limit=2).reach) == ["0101", "0102", "0103"]


def test_a_unit_takes_the_shortest_leg_to_the_network_and_its_path_goes_on_to_the_source() -> None:
    found = trace(MAP.near, "0305", net(), off(), 5)
    assert found == Line(("0305", "0206", "0105", "0104", "0103", "0102", "0101"), 2, 4)
    assert isinstance(found, Line) and found.source == "0101"
    assert trace(MAP.near, "0103", net(), off(), 0) == Line(("0103", "0102", "0101"), 0, 2)
    assert trace(MAP.near, "0101", net(), off(), 0) == Line(("0101",), 0, 0)


def test_a_way_round_is_taken_if_it_is_within_reach() -> None:
    found = trace(MAP.near, "0305", net("0104"), off("0104"), 5)
    assert isinstance(found, Line) and found.off == 3 and found.path == ("0305", "0304", "0204", "0103", "0102", "0101")


def test_the_hex_that_cuts_the_road_is_named() -> None:
    found = trace(MAP.near, "0305", net("0103"), off("0103"), 2)
    assert found == Cut((Bar("0103", "the enemy stands at 0103", "6.5"),))
    found = trace(MAP.near, "0305", net("0103", "0102"), off("0103", "0102"), 2)
    assert isinstance(found, Cut) and [b.there for b in found.bars] == ["0103", "0102"]


def test_the_hex_that_shuts_a_unit_in_is_named() -> None:
    ring = MAP.near("0305")
    found = trace(MAP.near, "0305", net(), off(*ring), 5)
    assert isinstance(found, Cut) and len(found.bars) == 1 and found.bars[0].there in ring and found.bars[0].rule == "6.5"


def test_what_is_too_far_is_told_with_the_price() -> None:
    assert trace(MAP.near, "0605", net(), off(), 3) == Cut((), 5)


def test_without_a_source_nothing_is_joined() -> None:
    empty = Network(MAP.near, (), by_road())
    assert list(empty.reach) == [] and trace(MAP.near, "0305", empty, off(), 5) == Cut((), None)
