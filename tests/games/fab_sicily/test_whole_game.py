"""22.2, 22.3 The tournament and the campaign: set-up, sequence, victory, and what the Axis may not know."""

from collections import Counter
from typing import Any

import pytest

from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.position import invariants, view
from pbem.games.fab_sicily.rules import deployment, sequence
from pbem.games.fab_sicily.position import state as states
from pbem.games.fab_sicily.position.data import Data, build
from pbem.scenarios.catalog import catalog, load
from tests.games.fab_sicily.play import Play, board, raw

BOTH = pytest.mark.parametrize("scenario", ["tournament", "campaign"])


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


def data(scenario: str, **options: Any) -> Data:
    return build(raw(scenario), options)


def setup(scenario: str = "campaign", answers: Any = None, **options: Any) -> Play:
    return Play(states.new(data(scenario, **options)), "setup", answers=answers, default=True)


# -- 22.22 to 22.24 ---------------------------------------------------------------------------------


@rule("22.22")
@rule("22.32")
def test_five_turns_and_nine() -> None:
    assert (data("tournament").turns, data("campaign").turns) == (5, 9)


@rule("22.23")
@rule("22.33")
@BOTH
def test_all_of_sicily_is_in_play_and_axis_controlled(scenario: str) -> None:
    play = setup(scenario)
    assert play.state.control == dict.fromkeys(map(str, range(1, 66)), "axis")
    assert invariants.check(play.state) == []


@rule("22.24")
@rule("22.34")
@BOTH
def test_regulars_at_full_strength_and_a_garrison_an_area(scenario: str) -> None:
    state = setup(scenario).state
    kinds = state.data.blocks
    for kind in kinds.values():
        if kind.side == "axis" and kind.turn == 0 and not kind.garrison:
            assert (state.blocks[kind.id].area, state.blocks[kind.id].steps) == (kind.at, kind.full)
    places = Counter(b.area for b in state.blocks.values() if kinds[b.id].garrison)
    assert len(places) == sum(places.values()) == 29
    assert max(Counter(b.area for b in state.blocks.values() if b.area in state.data.areas).values()) <= 2


@rule("22.24")
def test_no_garrison_joins_two_veteran_units() -> None:
    state = board("at 22 HG-1 HG-2\nat 45 15PG-2\ngarrison 19 S-1", "campaign")
    areas = deployment.garrison_areas(state)
    assert "22" not in areas and "19" not in areas and {"45", "50", "20"} <= set(areas)


@rule("22.24")
def test_who_passes_gets_the_historical_deployment_for_the_rest() -> None:
    play = setup(answers={"garrison": ["garrison 50", "garrison 51", "done"]})
    state = play.state
    assert (state.blocks["S-1"].area, state.blocks["S-2"].area) == ("50", "51")
    rest = {b.area for b in state.blocks.values() if state.data.blocks[b.id].garrison} - {"50", "51"}
    assert rest < set(state.data.garrison_areas) and len(rest) == 27


@rule("22.24")
def test_works_on_every_invasion_beach_that_is_held() -> None:
    state = setup().state
    assert set(state.works) == {a.id for a in state.data.areas.values() if a.landing}


@rule("22.24")
def test_all_assets_of_the_start_are_available_and_the_conditional_ones_wait() -> None:
    state = setup().state
    boxes = {kind.box for kind in state.data.chits.values() if kind.turn == 0}
    assert boxes == {"available", "conditional"}
    assert all(state.chits[k.id].box == k.box for k in state.data.chits.values() if k.turn == 0)
    assert [c.id for c in state.chits.values() if c.box == "conditional"] == [
        "AIR-C1", "AIR-C2", "AIR-C3", "MORALE-1", "MORALE-2", "MORALE-3",
    ]


# -- the landing plan ---------------------------------------------------------------------------------


@rule("22.25")
@rule("22.35")
@BOTH
def test_the_historical_plan(scenario: str) -> None:
    state = setup(scenario).state
    assert state.plan == "historical"
    assert list(state.beachheads) == ["B1", "B2", "B3", "B4", "B5", "A1", "A2", "A3", "A4"]
    assert (state.zones("8"), state.release_zones("8")) == (("B",), ("A", "C"))
    assert (state.zones("7"), state.release_zones("7")) == (("A", "C"), ("D",))


@rule("22.26")
@rule("22.36")
@BOTH
def test_the_alternate_plan(scenario: str) -> None:
    beaches = [*(f"beachhead B{n}" for n in (6, 5, 4, 3)), "beachhead D13"]
    state = setup(scenario, {"plan": "plan alternate", "beachhead": beaches}).state
    assert list(state.beachheads) == ["B2", "B3", "B4", "B5", "B6", "D2", "D3", "D4", "D13"]
    assert (state.zones("8"), state.release_zones("8")) == (("A", "B"), ("C",))
    assert (state.zones("7"), state.release_zones("7")) == (("C", "D"), ("A",))


@rule("22.25")
def test_british_beachheads_are_consecutive_across_the_army_boundary_too() -> None:
    plan = data("campaign").plans["alternate"]
    assert deployment.open_boxes(plan, "8", []) == [*(f"A{n}" for n in range(1, 5)), *(f"B{n}" for n in range(1, 7))]
    assert deployment.open_boxes(plan, "8", ["A2"]) == ["A1", "A3", "A4", "B1", "B2"]
    assert deployment.open_boxes(plan, "8", ["A2", "B2"]) == ["A3", "A4", "B1"]
    assert len(deployment.open_boxes(plan, "7", ["D2"])) == 12


@rule("22.25")
def test_each_army_lands_at_its_own_beachheads() -> None:
    from pbem.games.fab_sicily.rules import reinforcement

    state = setup(answers={"plan": "plan alternate"}).state
    assert reinforcement.army_boxes(state, "7") == ["P3", "D2", "D3", "D4", "D5"]
    assert reinforcement.army_boxes(state, "8") == ["P1", "P2", "B1", "B2", "B3", "B4", "B5"]


@rule("22.24")
def test_the_axis_learns_nothing_of_the_plan_before_the_beachheads_lie() -> None:
    state = states.new(data("campaign"))
    play = Play(state, "setup", answers={"plan": "plan alternate"}, default=True)
    told = [r for r in play.session.new_rows if r.kind == "event"]
    first = next(i for i, r in enumerate(told) if r.payload["event"]["type"] in ("PlanChosen", "BeachheadSet"))
    assert told[first].payload["event"]["type"] == "PlanChosen"
    landing = [r.payload["event"]["type"] for r in told[first:]]
    assert landing[:10] == ["PlanChosen", *["BeachheadSet"] * 9], "all at once, when all is settled"
    fresh = states.new(data("campaign"))
    assert view.view(fresh, "axis")["plan"] == ""


@rule("22.24")
def test_the_axis_deploys_first() -> None:
    play = setup()
    kinds = [a.kind for a in play.asked]
    assert kinds == ["garrison", "plan", *["beachhead"] * (len(kinds) - 2)]
    assert [a.side for a in play.asked][:2] == ["axis", "allied"]


# -- 22.37 --------------------------------------------------------------------------------------------


@rule("22.37")
def test_the_strictly_historical_campaign_asks_nobody() -> None:
    play = setup(historical=True)
    assert play.asked == []
    state = play.state
    garrisons = {b.area for b in state.blocks.values() if state.data.blocks[b.id].garrison}
    beaches = {a.id for a in state.data.areas.values() if a.landing}
    assert garrisons == beaches | {"26", "28", "29", "30", "48", "49"} and len(beaches) == 23
    assert state.plan == "historical" and list(state.beachheads)[:5] == ["B1", "B2", "B3", "B4", "B5"]


@rule("22.27")
@rule("22.37")
@BOTH
def test_turn_one_has_no_allied_admin_phase(scenario: str) -> None:
    state = states.new(data(scenario))
    assert sequence.next_step(state, "setup") == "1 reinforcement"
    assert sequence.next_step(state, "1 reinforcement") == "1 allied movement"
    assert sequence.next_step(state, "1 allied supply") == "1 axis draw"
    assert sequence.next_step(state, "2 reinforcement") == "2 allied draw"


@rule("22.27")
def test_orders_for_the_phase_that_is_left_out_are_refused() -> None:
    from pbem.games.fab_sicily.words import orders
    from pbem.orders.source import Line

    parsed = orders.parse(states.new(data("campaign")), "axis", "1 reinforcement", [Line(1, "interdict 20")])
    assert [d.code for d in parsed.diagnostics] == ["wrong-phase"]


# -- 19.0, 22.28, 22.38 -------------------------------------------------------------------------------

START = "plan historical\nbeachhead A1 A2 A3 A4 B1 B2 B3 B4 B5"


def scored(lines: str, scenario: str = "campaign", turn: int = 3) -> Play:
    return Play(board(f"{START}\nturn {turn}\n{lines}", scenario), f"{turn} victory")


@rule("19.1")
def test_the_axis_begins_with_eight_points() -> None:
    assert scored("").state.vp == {"allied": 0, "axis": 8}


@rule("19.1")
def test_the_allies_score_only_where_they_stand_and_are_supplied() -> None:
    assert scored("control allied 18 19 20 21").state.vp == {"allied": 0, "axis": 7}
    assert scored("at 18 1-1\ncontrol allied 19 20 21").state.vp == {"allied": 1, "axis": 7}
    assert scored("at 45 1-1").state.vp == {"allied": 0, "axis": 7}, "no way to a beachhead"


@rule("19.1")
def test_white_stars_are_for_the_axis_and_german_crosses_for_the_allies() -> None:
    assert scored("at 5 50-1").state.vp == {"allied": 0, "axis": 7}
    assert scored("at 28 50-1\ncontrol allied 27 26 14 13 5 4").state.vp == {"allied": 1, "axis": 6}


@rule("19.2")
def test_major_units_and_beachheads_lost() -> None:
    state = board(f"{START}\nturn 3\nat eliminated NAP-1 HG-1 50-1 231 1AB-1", "campaign")
    state.beachheads |= {"A1": "captured", "B1": "destroyed"}
    play = Play(state, "3 victory")
    assert play.state.vp == {"allied": 2, "axis": 8 + 4}, "the airborne block has two steps and is no major unit"


@rule("14.29")
@rule("19.2")
def test_units_evacuated_give_no_points() -> None:
    assert scored("at off-map NAP-1").state.vp == {"allied": 0, "axis": 8}


@rule("19.4")
@pytest.mark.parametrize(
    ("turn", "lines", "winner"),
    [
        (3, "", ""), (4, "", "axis"), (7, "at 5 50-1\nat 18 1-1\ncontrol allied 19 20 21", "axis"),
        (7, "at 5 50-1\nat 18 1-1\nat 15 50-2\ncontrol allied 19 20 21 14 13 4", ""),
    ],
    ids=["not before turn 4", "eight on turn 4", "five on turn 7", "less than five"],
)
def test_sudden_death(turn: int, lines: str, winner: str) -> None:
    assert scored(lines, turn=turn).state.winner == winner


@rule("22.28")
@pytest.mark.parametrize(("more", "winner"), [("", "axis"), ("AOS-1", "allied")])
def test_the_tournament_at_four_and_at_three(more: str, winner: str) -> None:
    play = scored(f"at eliminated NAP-1 NAP-2 LIV-1 LIV-2 {more}", "tournament", 5)
    [won] = play.of("Won")
    assert (won["side"], won["rule"]) == (winner, "22.28")


@rule("22.38")
@pytest.mark.parametrize(
    ("gone", "side", "words"),
    [
        (4, "axis", "operational"), (5, "axis", "marginal"), (8, "draw", "8 to 8"), (9, "allied", "marginal"),
        (12, "allied", "operational"),
    ],
)
def test_the_levels_of_the_campaign(gone: int, side: str, words: str) -> None:
    majors = ["NAP-1", "NAP-2", "LIV-1", "LIV-2", "AOS-1", "AOS-2", "ASS-1", "ASS-2", "HG-1", "HG-2", "15PG-1", "15PG-2"]
    [won] = scored(f"at eliminated {' '.join(majors[:gone])}", turn=9).of("Won")
    assert (won["side"], won["rule"]) == (side, "22.38") and won["by"].startswith(words)


# -- 14.25, 16.5, 14.29 -------------------------------------------------------------------------------


@rule("14.25")
@rule("14.91")
def test_german_reinforcements_come_by_messina_while_it_is_held() -> None:
    state = board(f"{START}\nturn 3", "campaign")
    Play(state, "3 reinforcement", default=True)
    assert state.blocks["29PG-1"].area == "P4"
    lost = board(f"{START}\nturn 3\ncontrol allied 29", "campaign")
    Play(lost, "3 reinforcement", default=True)
    assert lost.blocks["29PG-1"].area == "to-come"


@rule("14.91")
def test_axis_supply_is_messina_alone() -> None:
    from pbem.games.fab_sicily.rules import supply_path

    state = board(f"{START}\nat 22 HG-1", "campaign")
    assert supply_path.unit_traces(state, "HG-1")
    state.control["29"] = "allied"
    assert not supply_path.unit_traces(state, "HG-1")


@rule("14.29")
def test_worn_italians_leave_by_messina() -> None:
    state = board(f"{START}\nat 29 NAP-1/1", "campaign")
    play = Play(state, "4 axis movement", answers={"movement": ["move NAP-1 to italy", "done"]}, default=True)
    assert state.blocks["NAP-1"].area == "off-map"
    assert play.of("Moved")[0]["mode"] == "evacuation"


@rule("16.5")
def test_each_open_port_is_worth_a_chit() -> None:
    from pbem.games.fab_sicily.rules import cups

    state = board(f"{START}\nturn 7\nat 5 50-1\nat 57 1-1", "campaign")
    assert cups.draws(state, "allied") == 13
    state.port_damage["P3"] = 1
    assert cups.draws(state, "allied") == 12


# -- the forces -----------------------------------------------------------------------------------------


@rule("13.2")
@BOTH
def test_73_blocks_and_the_counts_of_the_parts_list(scenario: str) -> None:
    d = data(scenario)
    nations = Counter(b.nation for b in d.blocks.values())
    assert nations == {"it": 37, "de": 7, "us": 12, "uk": 15} and len(d.blocks) + 2 == 73
    assert Counter(b.cls for b in d.blocks.values()) == {"armor": 11, "infantry": 60}
    kinds = Counter((c.side, c.kind) for c in d.chits.values())
    assert kinds["allied", "naval"] == 4 and kinds["allied", "morale-collapse"] == 3 and kinds["allied", "release"] == 1
    assert sum(c.flank for c in d.chits.values()) == 3
    assert len(d.chits) - 2 <= 228, "the Special Actions are blocks"
    assert sorted(d.cards) == sorted(load("fab_sicily", "campaign")["cards"][i]["id"] for i in range(29))


DIVISIONS = {
    **dict.fromkeys(("LIV", "NAP", "AOS", "ASS"), ("it", "infantry", 2)),
    **dict.fromkeys(("15PG", "29PG", "HG"), ("de", "armor", 2)),
    **dict.fromkeys(("1", "3", "9", "45", "82"), ("us", "infantry", 2)), "2A": ("us", "armor", 2),
    **dict.fromkeys(("5", "50", "51", "78", "1C", "1AB"), ("uk", "infantry", 2)),
    "231": ("uk", "infantry", 1), "4A": ("uk", "armor", 1), "1CT": ("uk", "armor", 1), "": ("de", "armor", 1),
}  # fmt: skip
"""Each division or brigade: nation, class, blocks ('': the battle group that belongs to none)."""


@rule("2.3")
@BOTH
def test_each_division_has_its_blocks(scenario: str) -> None:
    kinds = [b for b in data(scenario).blocks.values() if not b.garrison]
    assert Counter((b.division, b.nation, b.cls) for b in kinds) == {(d, n, c): k for d, (n, c, k) in DIVISIONS.items()}
    full = {b.id: b.full for b in kinds}
    assert all(full[b] == 4 for b in ("1-1", "1-2", "3-1", "3-2", "50-1", "50-2")) and full["NAP-1"] == 3  # examples 12, 14
    assert [b.id for b in kinds if b.motorized] == ["LIV-1", "LIV-2"]
    assert sorted(b.id for b in kinds if b.airborne) == ["1AB-1", "1AB-2", "82-1", "82-2"]


@rule("15.3")
@BOTH
def test_the_garrisons_are_one_veteran_and_twenty_eight_recruits(scenario: str) -> None:
    assert Counter(card.quality for card in data(scenario).cards.values()) == {(1, 1): 1, (0, 0): 4, (0,): 24}


@rule("2.2")
@BOTH
def test_every_chit_that_the_text_counts_or_names(scenario: str) -> None:
    chits = data(scenario).chits
    kinds = Counter((c.side, c.kind) for c in chits.values())
    counted = {
        ("allied", "special"): 1, ("axis", "special"): 1, ("allied", "naval"): 4, ("allied", "morale-collapse"): 3,
        ("allied", "release"): 1, ("axis", "staff"): 1, ("axis", "slapping"): 1,
    }  # fmt: skip
    assert {k: kinds[k] for k in counted} == counted
    assert {side for side, kind in kinds if kind == "delay"} == {"allied", "axis"}
    assert {side for side, kind in kinds if kind.endswith("-replacement")} == {"allied"}
    assert Counter(c.name for c in chits.values() if c.box == "conditional") == {"Air Support": 3, "Italian Morale Collapse": 3}
    assert Counter(c.name for c in chits.values() if c.flank) == {"30th RCT": 2, "3rd Commando": 1}
    assert all(chits[c].quality == 1 for c in ("RCT30-1", "RCT30-2", "24ART", "98ART", "12ART", "50BA"))
    assert {chits[c].kind for c in ("24ART", "98ART", "12ART")} == {"artillery"}
    assert (chits["1RGR"].quality, chits["177BER"].quality) == (2, 0), "elite, and a recruit"
    assert {chits[c].kind for c in ("1ABBA", "82BA", "50BA", "177BER")} == {"battle"}


@BOTH
@pytest.mark.parametrize("side", ["allied", "axis"])
def test_the_cup_holds_more_than_is_drawn_from_turn_two_on(scenario: str, side: str) -> None:
    d = data(scenario)
    for turn in range(2, d.turns + 1):
        ours = [c for c in d.chits.values() if c.side == side and c.box in ("cup", "available") and c.turn <= turn]
        cup = [c for c in ours if c.kind != "special" and (not c.event or c.turn == turn)]
        assert len(cup) > sum(d.draws[side][str(turn)])


def test_what_is_playable_can_be_loaded() -> None:
    for entry in (e for e in catalog() if e.title == RULESET.name):
        raw_ = load(entry.title, entry.scenario)
        assert RULESET.new_state(raw_, {}).data.turns == raw_["turns"]


# -- 16.4, 17.0 -----------------------------------------------------------------------------------------


@rule("16.4")
def test_each_airfield_once_and_each_costs_the_axis_one_air_asset() -> None:
    state = board(f"{START}\nat 21 2A-1\nconditional AIR-C1 AIR-C2\ncaptured airfield 18\ncontrol allied 20 19 21", "campaign")
    play = Play(state, "3 allied movement", answers={"movement": ["move 2A-1 to 18", "done"]}, default=True)
    assert [c["what"] for c in play.of("Captured")] == ["key-area"], "taken before, and lost between"
    drawn = board(f"{START}\ncaptured airfield 18\ncaptured airfield 26\ncup LUFT-1 LUFT-2 LUFT-3", "campaign")
    Play(drawn, "3 axis draw", dice=[("4.2a", 1)] * 3)
    assert [drawn.chits[c].box for c in ("LUFT-1", "LUFT-2", "LUFT-3")] == ["table", "table", "available"]
    assert drawn.chits["LUFT-1"].use == "airfield"


@rule("17.23")
def test_the_release_opens_the_zone_of_the_plan_and_never_zone_b() -> None:
    from pbem.games.fab_sicily.rules import boundaries

    for plan, opened in (("historical", "45"), ("alternate", "18")):
        state = board(f"plan {plan}\nturn 4\navailable RELEASE-7", "campaign")
        assert not boundaries.may_operate(state, "45-1", opened)
        Play(state, "4 allied admin", answers={"admin": ["play RELEASE-7", "done"]}, default=True)
        assert boundaries.may_operate(state, "45-1", opened)
        assert not boundaries.may_operate(state, "45-1", "15")
        assert boundaries.may_operate(state, "45-1", "29"), "Messina lies in Zone C too"


@rule("17.1")
def test_axis_events_are_bound_to_no_zone_and_no_nationality() -> None:
    events = [c for c in data("campaign").chits.values() if c.side == "axis" and c.event]
    assert {c.kind for c in events} == {"special-event", "delay", "slapping", "extraction"}
    assert all(c.army in ("", "6") for c in events), "all Axis units are of the 6th Army"


@rule("22.1")
@rule("22.2")
@rule("22.3")
def test_the_three_scenarios() -> None:
    found = {e.scenario: load(e.title, e.scenario) for e in catalog() if e.title == RULESET.name}
    assert {name: (raw_["turns"], len(raw_["areas"])) for name, raw_ in found.items()} == {
        "primosole_bridge": (4, 17), "tournament": (5, 65), "campaign": (9, 65),
    }
