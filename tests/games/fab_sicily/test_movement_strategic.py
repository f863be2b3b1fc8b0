"""5.4 and 14.8 Strategic movement, and 14.24c, 14.29 as far as they use it."""

from pbem.games.fab_sicily.rules import costs, strategic
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.marches import position, rule
from tests.games.fab_sicily.play import Play, board

COAST = "control allied 1 2 3 4 5 6 12 13 14"


def offers(state: State, side: str = "allied") -> list[str]:
    """What strategic moves there are."""
    return [o.key for o in strategic.options(state, side)]


def goals(state: State, block: str) -> set[str]:
    return {k.split()[3] for k in offers(state, state.data.blocks[block].side) if k.split()[1] == block}


def why_not(state: State, block: str) -> str:
    refusal = strategic.why_not_strat(costs.survey(state, state.data.blocks[block].side), block)
    return refusal.rule if refusal else ""


def strats(text: str, *orders: str, step: str = "2 allied strategic") -> Play:
    return Play(board(text), step, answers={"strategic": [*orders, "done"]}, default=True)


@rule("3.23")
@rule("5.4")
def test_a_reserve_unit_goes_anywhere_along_friendly_ground() -> None:
    assert goals(position(f"at 4 50-1 reserve\n{COAST}"), "50-1") == {"1", "2", "3", "5", "6", "12", "13", "14"}
    play = strats(f"at 4 50-1 reserve\n{COAST}", "strat 50-1 to 14")
    [moved] = play.of("Moved")
    assert (moved["path"], moved["mode"], moved["cost"]) == (["4", "5", "13", "14"], "strategic", 0)
    assert not play.state.blocks["50-1"].reserve
    assert play.of("Reserve")[0]["rule"] == "5.4"


@rule("5.4")
def test_only_supplied_units_in_reserve() -> None:
    assert not offers(position(f"at 4 50-1\n{COAST}"))
    assert why_not(position(f"at 4 50-1\n{COAST}"), "50-1") == "5.4"
    assert not offers(position(f"at 4 50-1 unsupplied reserve\n{COAST}"))


@rule("5.4")
def test_not_over_blown_bridges_nor_through_the_enemy() -> None:
    assert "15" in goals(position(f"at 12 50-1 reserve\n{COAST}\ncontrol allied 15"), "50-1")
    assert "15" not in goals(position(f"at 12 50-1 reserve\n{COAST}\ncontrol allied 15\nblown 12-15 14-15"), "50-1")
    cut = position("at 4 50-1 reserve\nat 5 NAP-1 51-1\ncontrol allied 1 4 5 13 14\ncontrol axis 3 6 12")
    assert goals(cut, "50-1") == {"1"}


@rule("5.4")
def test_only_to_supplied_areas_and_within_the_stacking_limit() -> None:
    state = position(f"at 4 50-1 reserve\nat 5 5-1 5-2\n{COAST}\nunsupplied allied 14")
    assert not {"5", "14"} & goals(state, "50-1")
    assert "13" in goals(state, "50-1")


@rule("5.4")
def test_the_roads_of_etna_but_no_mountains() -> None:
    axis = "at 33 15PG-1 reserve\ncontrol allied 32 35"
    assert goals(position(axis, player="axis"), "15PG-1") >= {"27", "28"}
    assert "34" not in goals(position("at 33 NAP-1 reserve\ncontrol allied 25 27 32 35", player="axis"), "NAP-1")


@rule("16.33")
def test_not_into_nor_out_of_an_interdicted_area() -> None:
    out = position(f"at 4 50-1 reserve\n{COAST}\nmap LUFT-1 4 interdiction")
    assert why_not(out, "50-1") == "16.33"
    into = position(f"at 4 50-1 reserve\n{COAST}\ncontrol axis 6 12\nmap LUFT-1 5 interdiction")
    assert goals(into, "50-1") == {"1", "2", "3"}


@rule("14.8")
@rule("14.82")
def test_one_unit_of_each_allied_army_in_a_turn() -> None:
    text = f"at 4 50-1 reserve 50-2 reserve\nat 19 1-1 reserve\ncontrol allied 20\n{COAST}"
    play = strats(text, "strat 50-1 to 5", "strat 1-1 to 20")
    assert play.state.strat_moved == ["8", "7"]
    assert [e["block"] for e in play.of("Moved")] == ["50-1", "1-1"]
    assert why_not(play.state, "50-2") == "14.82"


@rule("14.81")
def test_one_axis_unit_in_a_turn_over_any_boundary() -> None:
    play = strats("at 25 HG-1 reserve\nat 39 NAP-1 reserve", "strat HG-1 to 28", step="2 axis strategic")
    assert play.state.blocks["HG-1"].area == "28"
    assert why_not(play.state, "NAP-1") == "14.81"


@rule("14.82")
def test_army_boundaries_hold_for_the_unreleased() -> None:
    text = f"at 6 50-1 reserve\n{COAST}\ncontrol allied 7 10 11"
    assert not {"7", "10", "11"} & goals(position(text), "50-1")
    assert goals(position(f"{text}\nreleased 50"), "50-1") >= {"7", "10", "11"}


@rule("14.24")
def test_from_a_port_box_while_the_port_area_is_free_of_enemies() -> None:
    play = strats(f"at P1 50-1 reserve\n{COAST}", "strat 50-1 to 14")
    assert play.of("Moved")[0]["path"] == ["P1", "5", "13", "14"]
    contested = position(f"at P1 50-1 reserve\nat 5 51-1 NAP-1\n{COAST}")
    assert why_not(contested, "50-1") == "14.24"
    assert not offers(contested)


@rule("14.29")
def test_the_axis_evacuates_strategically() -> None:
    play = strats("at 25 NAP-1 reserve", "strat NAP-1 to italy", step="2 axis strategic")
    assert play.state.blocks["NAP-1"].area == "off-map"
    assert play.state.strat_moved == ["6"]
    assert not any("italy" in k for k in offers(position("at 25 NAP-1 reserve", scenario="primosole_bridge"), "axis"))


@rule("5.4")
def test_example_11_from_salemi_to_caltanissetta() -> None:
    play = strats("at 59 15PG-1 reserve", "strat 15PG-1 to 45", step="2 axis strategic")
    assert play.state.blocks["15PG-1"].area == "45"
    assert not play.state.blocks["15PG-1"].reserve
