"""The rulebook's own examples, and the worked ones made from it: positions by hand, scripted dice."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pbem.core.asks import Answer
from pbem.games.italian_campaign.position import board, zones
from pbem.games.italian_campaign.position import events as e
from pbem.games.italian_campaign.position.data import ALLIED, AXIS
from pbem.games.italian_campaign.position.state import DISRUPTED, ISO, OCC, SUPPORTED, State
from pbem.games.italian_campaign.position.zones import CONTESTED, ENEMY, FRIENDLY
from pbem.games.italian_campaign.rules import (
    barrage, combat, command, impulses, landing, losses, movement, operations, resolution, retreat, strength, supply, victory,
)
from pbem.games.italian_campaign.rules.phases import Ctx
from pbem.games.italian_campaign.rules.strength import Fight
from pbem.kit.search import Bar, Step
from pbem.kit.supply import Cut, Line
from tests.games.italian_campaign.play import Recorder, position, run

rule = pytest.mark.rule
TITLE = "italian_campaign"

EMPTY = position({})
CLEAR = [
    h for h, g in EMPTY.data.board.hexes.items() if g.terrain == "clear" and not g.get("built") and g.get("coastal") != "yes"
]


def plain_pair() -> tuple[str, str]:
    """Two neighbouring clear hexes without anything between them, all of whose neighbours are land."""
    data = EMPTY.data
    for a in CLEAR:
        around = data.board.near(a)
        if all(data.board.by_land(a, n) for n in around):
            for b in around:
                if b in CLEAR and not data.board.side(a, b) and all(data.board.by_land(b, n) for n in data.board.near(b)):
                    return a, b
    raise AssertionError("there is no such pair on the map")


A, B = plain_pair()


def place(**where: str) -> State:
    return position({k.replace("_", "-"): v for k, v in where.items()})


def fight(state: State, attackers: list[str], op: str = "advance", corps: str = "") -> Fight:
    return Fight(B, ALLIED, tuple(attackers), tuple(board.at(state, B, AXIS)), state.data.operations[op], corps)


def of(recorder: Recorder, kind: type) -> list[Any]:
    return [x for x in recorder.events if isinstance(x, kind)]


# -- 5: command ------------------------------------------------------------------------------------


@rule(TITLE, "6.11")
@rule(TITLE, "5.32")
def test_bids_of_8_and_6_put_the_marker_into_box_5() -> None:
    state = position({})
    state.cp = {ALLIED: 9, AXIS: 6}
    assert command.highest_bid(state, ALLIED) == 8, "a bid of 9 is more than 6 and 2"
    bids = {ALLIED: "bid 8", AXIS: "bid 6"}

    def both(ctx: Ctx) -> Any:
        generator = command._bid(ctx)
        asks = next(generator)
        replies = [Answer("q", a.option(bids[a.side]), "mailed") for a in asks]  # type: ignore[arg-type]
        while True:
            try:
                asks = generator.send(replies)
            except StopIteration:
                return
            replies = yield asks

    run(state, both)
    assert state.initiative == ALLIED and (state.cp, state.ip, state.rp) == ({ALLIED: 1, AXIS: 3}, 8, 3)
    command._start(Ctx(Recorder(state, "2 command")))  # type: ignore[arg-type]
    assert impulses.box(state)[0] == "5"


@rule(TITLE, "5.41")
def test_five_points_support_two_corps_of_two_and_the_fifth_is_void() -> None:
    state = place(**{"10Corps": A, "6Corps": B, "14Pz": "1020"})
    state.ip, state.rp = 5, 3
    run(state, command._support)
    assert all(state.units[c].has(SUPPORTED) for c in ("10Corps", "6Corps", "14Pz"))
    state = place(**{"14Pz": "1020", "76Pz": "3825"})
    state.ip, state.rp = 5, 3
    run(state, command._support)
    assert [c for c in ("14Pz", "76Pz") if state.units[c].has(SUPPORTED)] == ["14Pz"]
    assert state.rp == 3, "no point is spent"


@rule(TITLE, "5.33")
@pytest.mark.parametrize(("bid", "most"), [(5, 3), (6, 3), (1, 1), (0, 0)])
def test_half_the_bid_rounded_up_becomes_reaction_points(bid: int, most: int) -> None:
    state = position({})
    state.cp[AXIS] = 9
    run(state, lambda ctx: command._reaction(ctx, AXIS, bid))
    assert (state.rp, state.cp[AXIS]) == (most, 9 - most)


@rule(TITLE, "5.21")
@rule(TITLE, "5.2")
@pytest.mark.parametrize(("far", "leg_out", "mobile_out"), [(2, False, False), (3, True, False), (4, True, True)])
def test_leg_units_are_in_command_at_two_hexes_and_mobile_ones_at_three(far: int, leg_out: bool, mobile_out: bool) -> None:
    there = EMPTY.data.board.ring(A, far)[0]
    state = place(**{"36US": A, "36US_141": there, "16Pz": A, "16Pz_64": there})
    assert supply.commanded(state, "36US-141") is not leg_out
    assert supply.commanded(state, "16Pz-64") is not mobile_out


# -- 6: operations ---------------------------------------------------------------------------------


@rule(TITLE, "6.33")
@rule(TITLE, "5.46")
def test_movement_points_by_operation_and_the_road_march() -> None:
    state = place(**{"16Pz": A, "16Pz_64": A, "36US_141": B})
    ops = state.data.operations
    assert movement.mover(state, "16Pz-64", ops["maneuver"]).points == 12
    assert movement.mover(state, "16Pz-64", ops["maneuver"], "76Pz").points == 18
    assert movement.mover(state, "16Pz-64", ops["advance"]).points == 6
    assert movement.mover(state, "16Pz-64", ops["assault"]).points == 2
    assert movement.mover(state, "36US-141", ops["assault"]).points == 1
    assert movement.mover(state, "36US-141", ops["advance"]).points == 2, "halves are rounded down (1.1)"
    state.units["36US-141"].marks = [ISO]
    assert movement.mover(state, "36US-141", ops["maneuver"]).points == 3, "6.54"


@rule(TITLE, "1.1")
def test_one_hex_may_always_be_entered() -> None:
    state = place(**{"36US_141": A})
    m = movement.free(state, "36US-141", 1)
    assert set(movement.reach(state, m).costs) >= set(state.data.board.near(A)) - {
        h for h in state.data.board.near(A) if not movement.step_cost(state, m, A, h)
    }


@rule(TITLE, "6.17")
def test_two_reaction_points_and_four_spoiling_points_in_the_final_segment() -> None:
    """Two operations and one spoiling attack; the fourth spoiling point lapses."""
    state = position({"16Pz": A, "29PzG": "3825", "26Pz": "4431", "15PzG": "0221"})
    state.time, state.rp, state.spoil = 8, 2, 4
    state.ot = next(i for i, t in enumerate(state.data.track, 1) if t[1] == "FR")
    declared = []
    while state.data.track[state.ot - 1][1] == "FR":
        step = f"2 axis final-{state.impulse + 1}"
        answers = {"spoil": next(
            (o.key for o in operations.declarations(state, AXIS, 3, True)), "pass",
        )}
        done = run(state, impulses.final, (), answers, step)
        declared += [d.operation for d in of(done, e.Declared)]
    assert sorted(declared) == ["counterattack", "maneuver", "maneuver"] and (state.rp, state.spoil) == (0, 0)


@rule(TITLE, "6.18")
@rule(TITLE, "6.19")
def test_three_initiative_points_left_are_three_operations_and_two_half_days_go_by() -> None:
    state = position({"36US": A, "45US": A, "56Inf": B})
    state.ip, state.ot = 3, len(state.data.track)
    declared = 0
    while state.ot:
        done = run(state, impulses.exploit, (), {}, f"2 allied exploit-{state.impulse + 1}")
        declared += len(of(done, e.Declared))
    assert declared == 3 and state.ip == 0 and state.time == 10


@rule(TITLE, "6.25")
@rule(TITLE, "6.32")
@pytest.mark.parametrize(("op", "before", "after"), [("advance", 0, 1), ("advance", 1, 2), ("assault", 0, 2), ("maneuver", 0, 1)])
def test_fatigue_by_operation(op: str, before: int, after: int) -> None:
    state = position({"36US": A})
    state.units["36US"].fatigue = before
    state.ip = 5
    run(state, lambda ctx: operations.operation(ctx, ALLIED, "impulse", 5, "ip", True), (), {"impulse": f"{op} 36US"})
    assert state.units["36US"].fatigue == after and state.ip == 5 - state.data.operations[op].points


# -- 7: stacking and zones --------------------------------------------------------------------------


@rule(TITLE, "7.22")
@rule(TITLE, "7.21")
def test_a_class_a_unit_of_an_hq_with_five_steps_lost_stacks_as_two() -> None:
    state = place(**{"16Pz": A, "16Pz_2Pz": A})
    assert board.points(state, "16Pz-2Pz") == 4
    state.units["16Pz"].steps = 5
    assert board.points(state, "16Pz-2Pz") == 2


@rule(TITLE, "7.33")
@rule(TITLE, "7.34")
@pytest.mark.parametrize(
    ("mine", "theirs", "status", "strong"),
    [(4, 3, CONTESTED, False), (4, 2, FRIENDLY, False), (3, 4, CONTESTED, True), (2, 4, ENEMY, True), (0, 3, ENEMY, False)],
)
def test_twice_the_zone_controls_a_hex(
    monkeypatch: pytest.MonkeyPatch, mine: int, theirs: int, status: str, strong: bool
) -> None:
    state = position({})
    monkeypatch.setattr(zones, "strength", lambda state, side, hex_, without="": mine if side == ALLIED else theirs)
    found = zones.zone(state, ALLIED, A)
    assert found.status == status and zones.strong(state, found) is strong


@rule(TITLE, "7.31")
@rule(TITLE, "7.32")
def test_zones_add_up_double_in_their_own_hex_and_lose_the_terrain_code() -> None:
    state = place(**{"36US_141": A, "36US_142": A})
    assert zones.strength(state, ALLIED, A) == 12 - state.data.code(A)
    assert zones.strength(state, ALLIED, B) == 6 - state.data.code(B)
    high = next(h for h in state.data.board.hexes if state.data.code(h) == 2 and state.data.board.hexes[h].land)
    near = next(h for h in state.data.board.near(high) if state.data.board.by_land(h, high) and not state.data.side_code(h, high))
    state = place(**{"36US_141": near, "36US_142": near})
    assert zones.strength(state, ALLIED, high) == 4, "6 into a code of 2"


@rule(TITLE, "7.36")
def test_nobody_moves_from_one_enemy_controlled_hex_to_the_next() -> None:
    state = place(**{"16Pz": B, "16Pz_2Pz": B, "16Pz_64": B, "36US_141": A})
    side = next(h for h in state.data.board.near(A) if h in state.data.board.near(B))
    m = movement.mover(state, "36US-141", state.data.operations["maneuver"])
    got = movement.take(state, m, A, side)
    assert isinstance(got, Bar) and got.rule in ("7.36", "6.353"), got


@rule(TITLE, "7.331")
def test_a_hex_with_an_enemy_in_it_is_closed() -> None:
    state = place(**{"16Pz_64": B, "36US_141": A})
    m = movement.mover(state, "36US-141", state.data.operations["assault"])
    got = movement.take(state, m, A, B)
    assert isinstance(got, Bar) and got.rule == "7.331"
    assert isinstance(movement.take(position({"36US-141": A}), m, A, B), Step)


# -- 8: combat ------------------------------------------------------------------------------------


@rule(TITLE, "8.23")
def test_the_example_of_35_to_20_in_clear_terrain_reads_nothing_and_two() -> None:
    state = position({})
    column = strength.column(state, 0, (35, 20))
    assert state.data.tables.lines[0][10 - column] == Fraction(3, 2)
    assert strength.cell(state, 4 + 2, column)[0] == "0/2" and strength.split("0/2") == (0, 2)


@rule(TITLE, "8.23")
@pytest.mark.parametrize("ratio", [(3, 1), (1, 1), (9, 1), (1, 5)])
def test_codes_5_and_6_go_one_and_two_columns_left_of_line_4(ratio: tuple[int, int]) -> None:
    state = position({})
    four = strength.column(state, 4, ratio)
    assert strength.column(state, 5, ratio) == min(10, four + 1)
    assert strength.column(state, 6, ratio) == min(10, four + 2)


@rule(TITLE, "8.22")
@rule(TITLE, "8.2")
def test_factors_by_class_and_rating_and_the_tactical_rating_as_the_least() -> None:
    state = place(**{"36US": A, "36US_141": A, "16Pz": B, "16Pz_64": B})
    f = fight(state, ["36US-141"])
    assert strength.generated(state, "36US-141", True) == 14, "class A at OR 6"
    assert strength.attack(state, f) == 7, "an advance has half"
    full = fight(state, ["36US-141"], "assault")
    assert strength.attack(state, full) == 14
    tac = fight(state, ["36US-141"], "maneuver")
    assert strength.attack(state, tac) == 3
    state.units["16Pz-64"].marks = [ISO]
    state.units["16Pz"].steps = 7
    assert strength.defend(state, Fight(B, ALLIED, ("36US-141",), ("16Pz-64",), f.op)) == 3, "half of 2, but not below TR 3"


@rule(TITLE, "8.41")
@rule(TITLE, "8.43")
def test_armor_is_less_by_the_terrain_and_by_a_rating_under_seven() -> None:
    state = place(**{"7Arm": A, "7Arm_22": A, "16Pz_79": B})
    f = fight(state, ["7Arm-22"], "assault")
    code = strength.code(state, f)
    assert dict(strength.modifiers(state, f))["armor"] == 5 - code
    state.units["7Arm"].steps = 3
    assert strength.armor_of(state, ["7Arm-22"], True) == 3, "OR 5 is two under 7"
    assert not dict(strength.modifiers(state, fight(state, ["7Arm-22"], "maneuver"))).get("armor"), "6.36"


@rule(TITLE, "8.44")
def test_against_no_armor_the_defender_has_one_at_most() -> None:
    state = place(**{"36US": A, "36US_141": A, "16Pz": B, "16Pz_2Pz": B})
    assert dict(strength.modifiers(state, fight(state, ["36US-141"])))["defender's armor"] == -1


@rule(TITLE, "8.46")
def test_a_leg_division_that_assaults_with_all_it_has_gets_its_bonus() -> None:
    state = place(**{"36US": A, "36US_141": A, "36US_142": A, "36US_143": A, "3PzG": B, "3PzG_8": B})
    state.units["3PzG"].steps = 4
    f = fight(state, ["36US-141", "36US-142", "36US-143"], "assault")
    assert strength.infantry(state, f) == 1 + (6 - 3)
    assert strength.infantry(state, fight(state, ["36US-141", "36US-142"], "assault")) == 0
    assert strength.infantry(state, fight(state, ["36US-141", "36US-142", "36US-143"], "advance")) == 0


@rule(TITLE, "8.33")
@pytest.mark.parametrize(("faces", "points"), [((2, 3), 4), ((3, 3), 2), ((4, 5), 2), ((4, 6), 0), ((6, 6), 0)])
def test_naval_gunnery_by_two_dice(faces: tuple[int, int], points: int) -> None:
    state = position({})
    got = []

    def fire(ctx: Any) -> Any:
        got.append(combat.naval_roll(ctx, "2023"))
        return None

    run(state, fire, faces)
    assert got == [points] and state.gunnery == 8 and state.gunnery_turn == 1


def attacked(result: int, units: int, op: str = "advance") -> tuple[State, Recorder]:
    names = ["36US-141", "36US-142", "36US-143"][:units]
    state = position({"36US": A, "16Pz": B, **dict.fromkeys(names, A)})
    f = fight(state, names, op)
    return state, run(state, lambda ctx: combat._attacker(ctx, f, result, False))


@rule(TITLE, "8.51")
@rule(TITLE, "6.15")
def test_three_against_an_attacker_of_three_and_of_two_units() -> None:
    state, _ = attacked(3, 3)
    assert [u for u in state.units if state.units[u].has(DISRUPTED)] == ["36US-141", "36US-142", "36US-143"]
    assert state.units["36US"].steps == 3 and state.spoil == 3
    state, done = attacked(3, 2)
    assert state.units["36US"].steps == 3 and state.spoil == 3
    assert {m.unit for m in of(done, e.Moved) if m.mode == "retreat"} == {"36US-141", "36US-142"}
    assert all(state.data.board.distance(state.units[u].place, B) == 2 for u in ("36US-141", "36US-142"))


@rule(TITLE, "8.51")
def test_a_maneuver_costs_no_steps_but_gives_the_points() -> None:
    state, _ = attacked(3, 3, "maneuver")
    assert state.units["36US"].steps == 0 and state.spoil == 3


@rule(TITLE, "8.52")
@pytest.mark.parametrize(
    ("result", "hexes", "steps"), [(1, 0, 0), (2, 1, 0), (3, 1, 1), (4, 2, 1), (5, 2, 2), (7, 2, 4)]
)
def test_what_a_defender_suffers(result: int, hexes: int, steps: int) -> None:
    state = position({"36US": A, "36US-141": A, "16Pz": "2021", "16Pz-2Pz": B})
    f = Fight(B, ALLIED, ("36US-141",), ("16Pz-2Pz",), state.data.operations["advance"])
    done = run(state, lambda ctx: combat._defender(ctx, f, result, False))
    assert state.units["16Pz-2Pz"].has(DISRUPTED)
    assert state.data.board.distance(state.units["16Pz-2Pz"].place, A) == 1 + hexes
    assert state.units["16Pz"].steps == steps
    kinds = [type(x).__name__ for x in done.events]
    assert kinds == sorted(kinds, key=["Marked", "Fatigued", "MoraleChecked", "Moved", "StepsLost"].index), "in that order"


@rule(TITLE, "8.53")
@pytest.mark.parametrize(("faces", "failed"), [((3, 3), []), ((3, 4), ["36US-141"]), ((6, 6), ["36US-141", "3US-7"])])
def test_one_roll_and_each_division_its_own_rating(faces: tuple[int, int], failed: list[str]) -> None:
    """36th Division has OR 6, 3rd Division 8."""
    state = position({"36US": A, "36US-141": A, "3US": A, "3US-7": A})
    got: list[str] = []

    def check(ctx: Any) -> Any:
        got.extend(losses.check_morale(ctx, ["36US-141", "3US-7"], True, "8.53"))
        return None

    run(state, check, faces)
    assert got == failed


@rule(TITLE, "8.552")
def test_who_cannot_retreat_pays_or_is_removed_and_the_isolated_have_no_choice() -> None:
    walls = dict(zip(
        ["36US-141", "36US-142", "36US-143", "45US-157", "45US-179", "45US-180"], EMPTY.data.board.near(A), strict=True
    ))
    state = position({**walls, "16Pz": "2021", "16Pz-2Pz": A})
    run(state, lambda ctx: retreat.retreat(ctx, "16Pz-2Pz", 2, list(walls.values()), "8.52"))
    assert state.units["16Pz-2Pz"].place == A and state.units["16Pz"].steps == 2
    state = position({**walls, "16Pz": "2021", "16Pz-2Pz": A})
    state.units["16Pz-2Pz"].marks = [ISO]
    run(state, lambda ctx: retreat.retreat(ctx, "16Pz-2Pz", 2, list(walls.values()), "8.52"))
    assert state.units["16Pz-2Pz"].place == "dead"


@rule(TITLE, "8.56")
def test_a_removed_unit_takes_as_many_steps_as_its_rating_and_a_spent_hq_takes_its_division_along() -> None:
    state = position({"36US": A, "36US-141": A, "36US-142": A})
    run(state, lambda ctx: losses.lose_steps(ctx, ["36US-141", "36US-142"], 4, "8.51"), (), {})
    assert state.units["36US"].steps == 4
    state = position({"36US": A, "36US-141": A, "36US-142": A})
    run(state, lambda ctx: losses.lose_steps(ctx, ["36US-141"], 3, "8.51"), (), {"step": "remove 36US-141"})
    assert state.units["36US"].steps == 0 and state.units["36US-141"].place == "dead"
    state = position({"36US": A, "36US-141": A, "36US-142": A})
    state.units["36US"].steps = 5
    run(state, lambda ctx: losses.lose_steps(ctx, ["36US-141"], 1, "8.51"))
    assert [state.units[u].place for u in ("36US", "36US-141", "36US-142")] == ["dead"] * 3


@rule(TITLE, "8.12")
@rule(TITLE, "8.13")
def test_a_barrage_of_three_disrupts_two_and_leaves_a_hit_that_the_next_attack_uses() -> None:
    state = position({"36US": A, "36US-141": A, "16Pz-64": B, "16Pz-79": B, "16Pz": "2021"})
    run(state, lambda ctx: barrage._suffer(ctx, B, AXIS, 3))
    assert state.units["16Pz-64"].has(DISRUPTED) and state.units["16Pz-79"].has(DISRUPTED) and state.hits == {B: 1}
    assert dict(strength.modifiers(state, fight(state, ["36US-141"])))["artillery hits"] == 1
    run(state, lambda ctx: operations.hits_off(ctx, AXIS))
    assert state.hits == {}


# -- 6.5, 10, victory ------------------------------------------------------------------------------


@rule(TITLE, "6.52")
def test_an_hq_is_linked_by_road_and_a_cut_road_names_its_hex() -> None:
    state = position({"29PzG": "3825"})
    found = supply.hq_path(state, "29PzG")
    assert isinstance(found, Line) and state.data.board.hexes[found.source].get("edge") == "north"
    assert supply.hq_linked(state, "29PzG")
    for _ in range(40):
        assert isinstance(found, Line)
        cut = found.path[len(found.path) // 2]
        free = next(u for u in state.units.values() if u.place == "to-come" and state.type(u.id).side == ALLIED)
        free.place = cut
        state.version += 1
        found = supply.hq_path(state, "29PzG")
        if isinstance(found, Cut):
            assert found.bars and found.bars[0].rule == "6.52" and not supply.hq_linked(state, "29PzG")
            return
    raise AssertionError("the road was never cut")


@rule(TITLE, "5.22")
def test_a_unit_out_of_command_walks_home_and_does_no_more() -> None:
    there = EMPTY.data.board.ring(A, 4)[0]
    state = position({"36US": A, "36US-141": there})
    state.units["36US-141"].marks = [OCC]
    state.ip = 2
    done = run(state, lambda ctx: operations.operation(ctx, ALLIED, "impulse", 2, "ip", True), (), {"impulse": "maneuver 36US"})
    [moved] = [m for m in of(done, e.Moved) if m.unit == "36US-141"]
    assert moved.rule == "5.22" and state.data.board.distance(moved.path[-1], A) < 4


@rule(TITLE, "10.6")
@rule(TITLE, "10.61")
@rule(TITLE, "10.7")
@pytest.mark.parametrize(("die", "result"), [(1, "E"), (4, "S"), (6, "B")])
def test_36th_division_lands_with_12_against_4(die: int, result: str) -> None:
    state = position({"36US": "staging:Paestum", "36US-141": "beach:Paestum-2", "36US-142": "beach:Paestum-2"})
    for unit in ("36US-141", "36US-142"):
        state.units[unit].target = "2225"
    assert landing.strengths(state, "beach:Paestum-2", "2225", ["36US-141", "36US-142"]) == (12, 4)
    done = run(state, landing._assaults, [die], {}, "1 landing")
    assert of(done, e.LandingResolved)[0].result == result
    ashore = result in ("S", "B")
    assert (state.units["36US-141"].place == "2225") is ashore


@rule(TITLE, "10.81")
@pytest.mark.parametrize(("diff", "die", "result"), [(-3, 1, "ADR"), (0, 1, "AR"), (0, 2, "AD"), (5, 1, "D"), (3, 1, "M")])
def test_the_counterattack_table(diff: int, die: int, result: str) -> None:
    assert position({}).data.tables.counter[die, diff][0] == result


@rule(TITLE, "9.31")
@pytest.mark.parametrize(("side", "hq", "steps"), [(ALLIED, "36US", 4), (ALLIED, "7Arm", 2), (AXIS, "16Pz", 1)])
def test_replacement_points_a_step_for_leg_two_for_mobile(side: str, hq: str, steps: int) -> None:
    state = position({hq: A})
    state.units[hq].steps = 5
    run(state, lambda ctx: resolution._refit(ctx, side, hq))
    assert state.units[hq].steps == 5 - steps


@rule(TITLE, "9.22")
@pytest.mark.parametrize(("hq", "fatigue", "after"), [("3US", 2, 1), ("1SS", 2, 0), ("3US", 1, 0), ("36US", 1, 0)])
def test_weak_headquarters_rest_by_one_level(hq: str, fatigue: int, after: int) -> None:
    """The back of 1st SS has OR 7, that of 3rd Division 6."""
    state = position({hq: A})
    state.units[hq].fatigue = fatigue
    run(state, lambda ctx: resolution._rest(ctx, hq))
    assert state.units[hq].fatigue == after


@rule(TITLE, "9.4")
def test_landing_capacity_of_the_play_notes_is_twelve() -> None:
    state = position({})
    named = {"Taranto", "Bari", "Crotone", "Pizzo"}
    state.captured = [h for h, name in state.data.ports.items() if name in named]
    state.beachheads = ["2023", "2225"]
    assert board.landing_capacity(state) == 12 and command.band(state, 12) == "10-12"
    state.damage[next(h for h, n in state.data.ports.items() if n == "Taranto")] = 2
    assert board.landing_capacity(state) == 10, "11.0 what was demolished is deducted"


@rule(TITLE, "10.91")
def test_a_port_with_an_enemy_next_to_it_is_not_secure() -> None:
    port = next(h for h, n in EMPTY.data.ports.items() if n == "Bari")
    near = next(h for h in EMPTY.data.board.near(port) if EMPTY.data.board.hexes[h].land)
    state = position({"1FJ": near})
    state.captured = [port]
    assert not board.secure(state, port) and board.ports_held(state) == 0


@pytest.mark.parametrize(("gone", "counted"), [(("A", "A"), True), (("A", "D"), False)])
def test_sixty_per_cent_of_a_division_make_it_count(gone: tuple[str, ...], counted: bool) -> None:
    """Errata: a division of A, A and D: 8 of 9 points count, 5 of 9 do not."""
    state = position({"29PzG": "exited"})
    subs = state.data.subordinates("29PzG")
    classes = [state.type(u).cls for u in subs]
    assert classes == ["A", "A", "C", "C"], "12 points"
    left = {"A": [u for u in subs if state.type(u).cls == "A"], "D": [u for u in subs if state.type(u).cls == "C"]}
    for cls in gone:
        state.units[left[cls].pop()].place = "exited"
    assert victory.counts(state, "29PzG") is counted


def north() -> str:
    """A road hex of the north edge."""
    board_ = EMPTY.data.board
    return next(h for h, g in board_.hexes.items() if g.get("edge") == "north" and board_.on(h, "road"))


@pytest.mark.parametrize(("evacuation", "leaves"), [(True, True), (False, False)])
def test_after_an_evacuation_units_may_leave_by_the_north_edge(evacuation: bool, leaves: bool) -> None:
    state = position({"29PzG": A, "29PzG-15G": north()})
    state.evacuation = evacuation
    force = operations.Force(AXIS, state.data.operations["retreat"], "", {"29PzG": ["29PzG-15G"]})
    found = operations._find(state, force, ["29PzG"], "move 29PzG-15G to exit")
    assert (found is not None) is leaves
    if found is not None:
        path = tuple(found.data["path"])
        run(state, lambda ctx: operations._move(ctx, force, "29PzG-15G", path, 1), (), {"delay": "none"})
        assert state.units["29PzG-15G"].place == "exited"


@rule(TITLE, "7.23")
def test_who_retreats_onto_a_full_hex_is_disrupted_and_someone_leaves_at_the_end_of_the_turn() -> None:
    full = {"36US-141": B, "36US-142": B, "3US-7": B}
    state = position({**full, "36US": A})
    over = board.stacked(state, B, ALLIED) - board.limit(state, B)
    assert over > 0
    run(state, lambda ctx: resolution._thin_out(ctx, ALLIED))
    assert board.stacked(state, B, ALLIED) <= board.limit(state, B)
    assert sum(1 for u in full if state.units[u].place != B) == 1
