"""17.22 Flank invasions, 16.23 the Commandos (the fight itself is tested with the battles)."""

import pytest

from pbem.core.dice import NoSecret

from pbem.games.fab_sicily.words.refusals import Done
from tests.games.fab_sicily.offers import add_chit, offers, reason, refused
from tests.games.fab_sicily.play import Play, board


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


AVOLA = "at 4 50-1\navailable 3CDO"
"""From Avola [4] two areas reach Siracusa [5] and Augusta [13], not Lentini [14]."""


@rule("17.22")
def test_reach_is_two_areas_from_a_unit_in_a_coastal_area() -> None:
    keys = offers(board(AVOLA), "allied")
    assert {"invade 5 with 3CDO", "invade 13 with 3CDO"} <= set(keys)
    assert refused(board(AVOLA), "allied", "invade 14 with 3CDO") == "17.22"


@rule("17.22")
@pytest.mark.parametrize(
    ("lines", "area"),
    [("at 6 50-1", "5"), ("at 4 1-1", "5"), ("at 4 50-1\ncontrol allied 5", "5"), ("at 4 50-1\nat 5 51-1 NAP-1", "5"),
     ("at 4 50-1", "6"), ("at B3 50-1", "5")],
    ids=["unit inland", "unit of another army", "our own area", "contested", "not coastal", "unit still afloat"],
)
def test_what_an_invasion_needs(lines: str, area: str) -> None:
    assert refused(board(f"{lines}\navailable 3CDO"), "allied", f"invade {area} with 3CDO") == "17.22"


@rule("17.22")
def test_an_unoccupied_area_is_held_without_a_fight_and_without_control() -> None:
    state = board(AVOLA)
    play = Play(state, "2 allied admin", answers={"admin": ["invade 5 with 3CDO"]})
    chit = state.chits["3CDO"]
    assert (chit.box, chit.area, chit.use) == ("map", "5", "flank")
    assert state.control["5"] == "axis"
    assert play.of("BattleBegan") == []
    assert play.of("FlankUsed") == [{"type": "FlankUsed", "chit": "3CDO"}]


@rule("17.22")
def test_an_occupied_area_is_fought_for_at_once() -> None:
    state = board(f"{AVOLA}\nat 5 NAP-1")
    play = Play(state, "2 axis counter-admin", answers={"admin": ["invade 5 with 3CDO"]}, dice=Tens(), default=True)  # type: ignore[arg-type]
    [began] = play.of("BattleBegan")
    assert (began["area"], began["attacker"], began["newly"]) == ("5", "allied", True)
    assert state.chits["3CDO"].area == "5", "it survives, and stays"


class Tens(NoSecret):
    """Dice that always fail."""

    def face(self, *_: object) -> int:
        return 10


@rule("17.22")
def test_only_one_in_each_admin_phase() -> None:
    state = board(f"{AVOLA}")
    add_chit(state, "30RCT", flank=True)
    state.blocks["1-1"].area, state.blocks["1-1"].steps, state.control["20"] = "20", 4, "allied"
    play = Play(state, "2 allied admin", answers={"admin": ["invade 19 with 30RCT"]})
    assert not any(key.startswith("invade") for a in play.asked[1:] for key in [o.key for o in a.options])
    assert "invade 5 with 3CDO" not in offers(state, "allied", Done(invaded=True))
    assert "only one" in reason(state, "allied", "invade 5 with 3CDO")
    assert "invade 5 with 3CDO" in offers(state, "allied"), "in the next Admin Phase again"


@rule("16.23")
def test_the_commandos_invade_once_a_game_the_americans_again_and_again() -> None:
    state = board(AVOLA)
    add_chit(state, "30RCT", flank=True)
    state.blocks["1-1"].area, state.blocks["1-1"].steps, state.control["20"] = "20", 4, "allied"
    state.flank_used = ["3CDO", "30RCT"]
    assert refused(state, "allied", "invade 5 with 3CDO") == "17.22"
    assert "invade 19 with 30RCT" in offers(state, "allied")


@rule("16.23")
def test_the_commandos_may_be_used_in_any_admin_phase() -> None:
    state = board(AVOLA)
    Play(state, "2 axis counter-admin", answers={"admin": ["invade 5 with 3CDO"]})
    assert state.chits["3CDO"].area == "5"


@rule("17.22")
def test_other_assets_do_not_invade() -> None:
    assert not any(key.startswith("invade") for key in offers(board("at 4 50-1\navailable 50BA ENG-1"), "allied"))


@rule("17.22")
def test_no_second_invasion_on_top_of_one() -> None:
    state = board("at 4 50-1\navailable 3CDO\nmap ENG-2 5 flank")
    assert refused(state, "allied", "invade 5 with 3CDO") == "17.22"


@rule("14.31")
def test_an_invasion_keeps_to_its_armys_zone() -> None:
    state = board("at 2 50-1\navailable 3CDO")
    assert "invade 1 with 3CDO" in offers(state, "allied")
    assert refused(state, "allied", "invade 8 with 3CDO") == "14.31"
