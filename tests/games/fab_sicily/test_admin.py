"""3.21, 4.2 The Admin Phase: draws (16.5, 17.32), order of the steps, alternate event use, what is offered and why not."""

import time

import pytest

from pbem.core.asks import Option
from pbem.core.dice import NoSecret
from pbem.games.fab_sicily.rules import cups, sequence
from pbem.games.fab_sicily.words import refusals
from pbem.games.fab_sicily.rules.admin import options
from pbem.games.fab_sicily.words.refusals import Done
from tests.games.fab_sicily.offers import offers, refused
from tests.games.fab_sicily.play import Play, board


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


# -- 4.2a -------------------------------------------------------------------------------------------


@rule("4.2")
def test_both_sides_draw_what_the_turn_track_says() -> None:
    state = board("turn 3")
    for chit in state.chits.values():
        chit.box = "cup"
    allied, axis = state.data.draws["allied"]["3"], state.data.draws["axis"]["3"]
    state.player = "allied"
    assert (cups.draws(state, "allied"), cups.draws(state, "axis")) == (allied[0], axis[0])
    state.player = "axis"
    assert (cups.draws(state, "allied"), cups.draws(state, "axis")) == (allied[1], axis[1])
    assert (allied, axis) == ((11, 5), (10, 5))


@rule("3.21")
def test_a_draw_moves_chits_from_the_cup_to_the_available_box() -> None:
    state = board("cup 24ART 98ART ENG-1 12ART")
    play = Play(state, "2 allied draw", dice=[("4.2a", 3), ("4.2a", 1), ("4.2a", 1), ("4.2a", 1)])
    assert [(e["side"], e["chits"]) for e in play.of("Drawn")] == [("allied", ["ENG-1", "24ART", "98ART"]), ("axis", ["12ART"])]
    assert [r["sides"] for r in play.rolls] == [3, 2, 1, 1]
    assert all(state.chits[c].box == "available" for c in ("24ART", "98ART", "ENG-1", "12ART"))


@rule("4.2")
def test_an_empty_cup_gives_nothing() -> None:
    assert Play(board(""), "2 allied draw").of("Drawn") == []


@rule("17.32")
def test_an_asset_delay_counts_as_a_draw_and_is_gone() -> None:
    state = board("turn 3\ncup DELAY-X1 12ART 54ART HGART TIGER 177BER")
    cup = [c.id for c in state.chits.values() if c.box == "cup"]
    play = Play(state, "3 axis draw", dice=[("4.2a", cup.index("DELAY-X1") + 1), *[("4.2a", 1)] * 4])
    assert play.of("Drawn")[0]["chits"][0] == "DELAY-X1"
    assert [(e["chit"], e["box"], e["rule"]) for e in play.of("ChitMoved")] == [("DELAY-X1", "eliminated", "17.32")]
    assert sum(c.box == "available" for c in state.chits.values()) == 4


@rule("16.5")
@pytest.mark.parametrize(
    ("lines", "more"),
    [
        ("at 5 50-1", 1), ("at 5 50-1\nat 26 51-1", 2), ("control allied 5", 0), ("at 5 50-1\nport P1 1", 0),
        ("at 5 50-1 NAP-1\ncontrol allied 5", 1), ("at 5 50-1 NAP-1", 0), ("at 29 1-1", 0),
    ],
    ids=["one", "two", "not occupied", "damaged", "contested but ours", "contested and theirs", "Messina is no such port"],
)
def test_each_working_port_held_gives_the_allies_a_draw(lines: str, more: int) -> None:
    state = board(f"{lines}\nturn 3")
    assert cups.draws(state, "allied") == 11 + more
    assert cups.draws(state, "axis") == 10


@rule("17.3")
def test_both_sides_find_delays_and_special_actions_in_their_cups() -> None:
    kinds = {(c.side, c.kind) for c in board("").data.chits.values()}
    assert {(side, kind) for side in ("allied", "axis") for kind in ("special-event", "delay")} <= kinds


# -- 4.2b, 4.2c -------------------------------------------------------------------------------------


@rule("4.2")
def test_the_phasing_player_acts_first_then_the_other() -> None:
    order = [name for name in sequence.TURN if name.startswith("axis")][:3]
    assert order == ["axis draw", "axis admin", "axis counter-admin"]
    state = board("at 15 HG-1\navailable AXENG-1 ENG-1\nat 12 50-1")
    first = Play(state, "2 axis admin", default=True)
    second = Play(state, "2 axis counter-admin", default=True)
    assert ([a.side for a in first.asked], [a.side for a in second.asked]) == (["axis"], ["allied"])


@rule("13.1")
@rule("3.2")
@rule("3.3")
def test_the_allies_play_their_half_first() -> None:
    halves = [name.split()[0] for name in sequence.TURN if " " in name]
    assert halves == ["allied"] * (len(halves) // 2) + ["axis"] * (len(halves) // 2)


@rule("4.2")
def test_actions_go_on_until_done() -> None:
    state = board("at 12 50-1\nat 13 50-2/3\navailable ENG-1 ENG-2 STAFF-8")
    play = Play(state, "2 allied admin", answers={"admin": ["works 12 with ENG-1", "replace 50-2 with STAFF-8", "done"]})
    assert state.works["12"] == "allied"
    assert state.chits["ENG-2"].box == "available"
    assert [a.default for a in play.asked] == ["done"] * 3


@rule("5.1")
def test_stacking_is_enforced_when_both_have_acted() -> None:
    state = board("at 13 50-1 50-2 51-1\nat 12 5-1")
    assert Play(state, "2 allied admin", default=True).asked == []
    assert "overstack" in {a.kind for a in Play(state, "2 allied counter-admin", default=True).asked}


@rule("4.2")
def test_who_can_do_nothing_is_not_asked() -> None:
    assert Play(board("at 12 50-1"), "2 allied admin").asked == []


@rule("9.34")
def test_no_admin_action_helps_the_unsupplied() -> None:
    state = board(
        "at 12 50-1/3 disordered unsupplied\nunsupplied allied 12\navailable ENG-1 STAFF-8 SA-ALLIED IREP-8A"
    )
    keys = offers(state, "allied")
    assert not any("50-1" in key or " 12 " in key or key.startswith("release 50 ") for key in keys)


# -- 4.21, 4.22 -------------------------------------------------------------------------------------


@rule("4.21")
def test_two_assets_and_no_events_or_units() -> None:
    state = board("available IREP-8A\neliminated 50BA NAV-1 DELAY-A1 SAE-8A")
    assert [key for key in offers(state, "allied") if key.startswith("recycle")] == ["recycle NAV-1 50BA with IREP-8A"]
    assert refused(state, "allied", "recycle 50BA DELAY-A1 with IREP-8A") == "4.21"
    assert refused(state, "allied", "recycle 50BA 50BA with IREP-8A") == "4.21"
    assert refused(state, "allied", "recycle 50BA with IREP-8A") == "4.21"


@rule("4.21")
def test_only_an_event_recycles() -> None:
    state = board("available SA-ALLIED ENG-1 SAE-8A\neliminated 50BA NAV-1")
    assert [key for key in offers(state, "allied") if key.startswith("recycle")] == ["recycle NAV-1 50BA with SAE-8A"]


@rule("4.21")
def test_the_enemys_assets_stay_where_they_are() -> None:
    assert refused(board("available IREP-8A\neliminated 50BA 12ART"), "allied", "recycle 50BA 12ART with IREP-8A") == "4.21"


# -- offers and refusals ----------------------------------------------------------------------------

RICH = """
    at 13 50-1/3 disordered 50-2/2
    at 12 51-1/2 4A/2
    at 5 5-1
    at 15 HG-1/3 SCH
    at 6 NAP-1/2 disordered
    garrison 14 S-1
    port P1 1
    blown 12-15
    available SA-ALLIED SAE-8A ENG-1 ENG-2 STAFF-8 AIR-1 AIR-2 IREP-8A AREP-8A 3CDO
    available SA-AXIS SAE-XA AXENG-1 AXENG-2 STAFF-X LUFT-1 LUFT-2 IREP-XA AREP-XA
    eliminated 50BA NAV-1 24ART 98ART 5BA 12ART 54ART TIGER
"""


SMALL = RICH.replace(" IREP-XA AREP-XA", "")
"""The same with the chits of the introductory scenario only."""


@rule("4.2")
@pytest.mark.parametrize("side", ["allied", "axis"])
def test_every_offer_stands_by_itself(side: str) -> None:
    state = board(RICH)
    found: list[Option] = list(options(state, side, Done()))
    assert len({o.key for o in found}) == len(found)
    nothing_done = Done()
    for option in found:
        assert option.data["chit"] in option.key
        order = refusals._order(state, option.key)
        assert order is not None, option.key
        assert refusals._JUDGES[order.verb](state, side, order, nothing_done) is None, option.key


@rule("4.2")
@pytest.mark.parametrize("side", ["allied", "axis"])
def test_every_offer_can_be_carried_out(side: str) -> None:
    rich = RICH.replace(" IREP-XA AREP-XA", "")
    for key in offers(board(rich, "primosole_bridge"), side)[:-1]:
        state = board(rich, "primosole_bridge")
        play = Play(state, f"2 {side} admin", answers={"admin": [key]}, dice=AnyFace(), default=True)  # type: ignore[arg-type]
        assert len(play.events) >= 2, key


class AnyFace(NoSecret):
    """Dice that always show 1."""

    def face(self, *_: object) -> int:
        return 1


def test_offers_are_made_fast_and_always_the_same() -> None:
    state = board(SMALL, "primosole_bridge")
    assert offers(state, "allied") == offers(state, "allied")
    began = time.process_time()
    for _ in range(10):
        assert list(options(state, "allied", Done()))
    assert (time.process_time() - began) / 10 < 0.05


def test_unknown_words_get_no_reason_of_ours() -> None:
    state = board(RICH)
    assert refusals.why_not(state, "allied", "blow up everything") is None
    orders = ("works 99 with ENG-1", "works 12 with nobody", "works with ENG-1", "storm 12 with ENG-1", "blow 12-15 with ENG-1")
    for words in (*orders, "done"):
        assert refusals.why_not(state, "allied", words) is None, words
