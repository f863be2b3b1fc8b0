"""16.3 Air combat, interdiction and air resupply (ground support is tested with the battles)."""

from collections.abc import Generator
from typing import Any

import pytest

from pbem.core.asks import Answer, Ask
from pbem.core.engine import Ctx
from pbem.games.fab_sicily.position import board as boards
from pbem.games.fab_sicily.rules import air
from pbem.games.fab_sicily.words.refusals import Done
from pbem.games.fab_sicily.position.state import State
from tests.games.fab_sicily.offers import offers, refused
from tests.games.fab_sicily.play import Play, board


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


# -- 16.33 ------------------------------------------------------------------------------------------


@rule("16.33")
def test_an_interdiction_stays_in_its_area_and_counts_for_the_enemy() -> None:
    state = board("available AIR-1")
    Play(state, "2 axis counter-admin", answers={"admin": ["interdict 16 with AIR-1"]})
    chit = state.chits["AIR-1"]
    assert (chit.box, chit.area, chit.use) == ("map", "16", "interdiction")
    assert boards.interdicted(state, "16", "axis")
    assert not boards.interdicted(state, "16", "allied")


@rule("16.33")
def test_any_land_area_of_either_side_may_be_interdicted() -> None:
    state = board("at 13 50-1 NAP-1\nunsupplied axis 25\navailable AIR-1")
    areas = {key.split()[1] for key in offers(state, "allied") if key.startswith("interdict")}
    assert areas == set(state.data.areas)


@rule("16.33")
def test_two_missions_in_an_area_do_not_add_up() -> None:
    state = board("available AIR-1\nmap AIR-2 16 interdiction")
    assert refused(state, "allied", "interdict 16 with AIR-1") == "16.33"
    assert "interdict 16 with LUFT-1" in offers(board("available LUFT-1\nmap AIR-2 16 interdiction"), "axis")


@rule("16.33")
def test_air_support_flies_from_the_available_box() -> None:
    assert refused(board("used AIR-1"), "allied", "interdict 16 with AIR-1") == "16.33"


# -- 16.31 ------------------------------------------------------------------------------------------


def interdiction(*answers: str) -> Play:
    state = board("available AIR-1 AIR-2 LUFT-1")
    return Play(state, "2 axis counter-admin", answers={"admin": ["interdict 16 with AIR-1", "done"], "intercept": list(answers)})


@rule("16.31")
def test_the_enemy_may_cancel_an_interdiction() -> None:
    play = interdiction("intercept with LUFT-1")
    assert [(e["chit"], e["box"]) for e in play.of("ChitMoved")] == [("AIR-1", "used"), ("LUFT-1", "used")]
    [ask] = [a for a in play.asked if a.kind == "intercept"]
    assert (ask.side, ask.where, ask.facts["mission"], ask.default) == ("axis", "16", "interdiction", "none")


@rule("16.31")
def test_a_cancelled_mission_is_not_replaced() -> None:
    play = interdiction("intercept with LUFT-1")
    again = play.asked[-1]
    assert "interdict 17 with AIR-2" in [o.key for o in again.options]
    assert "interdict 16 with AIR-2" not in [o.key for o in again.options]
    state = board("available AIR-2")
    assert "interdict 16 with AIR-2" not in offers(state, "allied", Done(cancelled=["16"]))


@rule("16.31")
def test_the_enemy_may_let_it_fly() -> None:
    play = interdiction("none")
    assert play.state.chits["AIR-1"].box == "map"
    assert play.state.chits["LUFT-1"].box == "available"


@rule("16.31")
def test_without_air_support_nobody_is_asked() -> None:
    play = Play(board("available AIR-1\nused LUFT-1"), "2 axis counter-admin", answers={"admin": ["interdict 16 with AIR-1"]})
    assert {r.payload["kind"] for r in play.session.new_rows if r.kind == "answer"} == {"admin"}


@rule("16.31")
def test_the_phasing_player_may_be_intercepted_too() -> None:
    state = board("available LUFT-1 AIR-1")
    play = Play(state, "2 axis admin", answers={"admin": ["interdict 13 with LUFT-1"], "intercept": ["intercept with AIR-1"]})
    assert [a.side for a in play.asked] == ["axis", "allied"]
    assert state.chits["LUFT-1"].box == "used"


# -- 16.34 ------------------------------------------------------------------------------------------


class AirOnly(Play):
    """Plays nothing but the air resupply of a Supply Phase."""

    def _run(self) -> None:
        self.session._gen = air.resupply(Ctx(self.session))
        super()._run()


def resupply(state: State, **answers: Any) -> Play:
    return AirOnly(state, "2 allied supply", answers=answers)


@rule("16.34")
def test_unsupplied_units_are_resupplied_by_air() -> None:
    state = board("at 13 50-1 unsupplied\navailable AIR-1 AIR-2")
    play = resupply(state, resupply=["resupply 13 with AIR-1"])
    assert air.resupplied(state, "allied", "13")
    assert not state.blocks["50-1"].supplied, "the marker stays (16.34)"
    assert [a.kind for a in play.asked] == ["resupply"], "nobody else needs it"


@rule("16.34")
def test_both_sides_may_fly_the_phasing_side_first() -> None:
    state = board("at 13 50-1 unsupplied\nat 6 NAP-1 unsupplied\navailable AIR-1 LUFT-1")
    play = resupply(state, resupply=["done", "resupply 6 with LUFT-1"], intercept=["none"])
    assert [(a.side, a.kind) for a in play.asked] == [("allied", "resupply"), ("axis", "resupply"), ("allied", "intercept")]
    assert air.resupplied(state, "axis", "6")


@rule("16.31")
def test_air_resupply_may_be_intercepted_and_is_not_replaced() -> None:
    state = board("at 13 50-1 unsupplied\navailable AIR-1 AIR-2 LUFT-1")
    play = resupply(state, resupply=["resupply 13 with AIR-1"], intercept=["intercept with LUFT-1"])
    assert [(a.side, a.facts.get("mission")) for a in play.asked] == [("allied", None), ("axis", "resupply")]
    assert not air.resupplied(state, "allied", "13")


@rule("16.34")
@pytest.mark.parametrize("lines", ["at 13 50-1", "at 13 50-1 unsupplied\nused AIR-1"], ids=["nobody unsupplied", "no air"])
def test_who_has_nothing_to_fly_for_or_with_is_not_asked(lines: str) -> None:
    assert resupply(board(f"{lines}\navailable LUFT-1")).session.new_rows == []


@rule("16.34")
def test_missions_land_in_the_used_box() -> None:
    state = board("map AIR-1 16 interdiction\nmap AIR-2 13 resupply\nmap ENG-1 6 roadblock")

    class Landing(Play):
        def _run(self) -> None:
            def step() -> Generator[list[Ask], list[Answer], None]:
                air.land(Ctx(self.session))
                yield from ()

            self.session._gen = step()
            super()._run()

    Landing(state, "2 allied supply")
    assert [state.chits[c].box for c in ("AIR-1", "AIR-2", "ENG-1")] == ["used", "used", "map"]
