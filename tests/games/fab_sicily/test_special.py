"""8.0 Special Actions, staff and replacements in the Admin Phase; 14.6, 14.7, 17.24, 17.25, 17.31."""

import pytest

from pbem.games.fab_sicily.position import view
from pbem.games.fab_sicily.rules import special
from tests.games.fab_sicily.offers import add_chit, offers, refused
from tests.games.fab_sicily.play import Play, board


def rule(number: str) -> pytest.MarkDecorator:
    return pytest.mark.rule("fab_sicily", number)


# -- 8.1 --------------------------------------------------------------------------------------------


@rule("8.1")
def test_single_use_special_actions_serve_their_own_army_only() -> None:
    state = board("at 13 50-1/3\nat 19 1-1/3\navailable SA-ALLIED SAE-8A")
    keys = offers(state, "allied")
    assert {"replace 50-1 with SAE-8A", "replace 1-1 with SA-ALLIED", "replace 50-1 with SA-ALLIED"} <= set(keys)
    assert refused(state, "allied", "replace 1-1 with SAE-8A") == "8.1"


@rule("8.1")
def test_the_enemys_special_action_is_not_ours() -> None:
    assert refused(board("at 13 50-1 disordered\navailable SA-AXIS"), "allied", "rally 13 with SA-AXIS") == "8.1"


@rule("8.1")
def test_which_special_actions_may_be_used_for_an_army() -> None:
    state = board("available SA-ALLIED SAE-8A STAFF-8 SAE-XA")
    assert [c.id for c in special.usable(state, "allied")] == ["SA-ALLIED", "SAE-8A"]
    assert [c.id for c in special.usable(state, "allied", "7")] == ["SA-ALLIED"]
    assert [c.id for c in special.usable(state, "axis", "6")] == ["SAE-XA"]


@rule("8.2")
def test_each_use_takes_a_special_action_of_its_own() -> None:
    state = board("at 13 50-1/2 disordered\navailable SA-ALLIED SAE-8A")
    play = Play(state, "2 allied admin", answers={"admin": ["rally 13 with SAE-8A", "replace 50-1 with SA-ALLIED"]})
    assert [(e["chit"], e["box"]) for e in play.of("ChitMoved")] == [("SAE-8A", "eliminated"), ("SA-ALLIED", "used")]
    assert (state.blocks["50-1"].status, state.blocks["50-1"].steps) == ("good", 3)


@rule("17.31")
def test_a_special_action_event_does_what_a_special_action_does() -> None:
    state = board("at 13 50-1/3 disordered\navailable SAE-8A")
    keys = offers(state, "allied")
    assert {"rally 13 with SAE-8A", "replace 50-1 with SAE-8A", "release 50 with SAE-8A"} <= set(keys)


# -- 8.25 -------------------------------------------------------------------------------------------


@rule("8.25")
def test_a_rally_spares_the_unsupplied_and_other_armies() -> None:
    state = board("at 13 50-1 disordered 50-2 disordered unsupplied\nat 5 1-1 disordered\navailable SAE-8A")
    play = Play(state, "2 allied admin", answers={"admin": ["rally 13 with SAE-8A"]})
    assert [e["block"] for e in play.of("StatusSet")] == ["50-1"]


@rule("8.25")
@pytest.mark.parametrize(
    ("lines", "cited"),
    [("at 13 50-1\nat 12 51-1", "8.25"), ("at 13 50-1 disordered\nunsupplied allied 13", "8.25"),
     ("at 13 50-1 disordered\ncontrol axis 13", "8.25"), ("at 13 50-1 disordered unsupplied", "8.25")],
    ids=["nobody disordered", "unsupplied area", "enemy-controlled area", "unsupplied unit"],
)
def test_what_a_rally_needs(lines: str, cited: str) -> None:
    assert refused(board(f"{lines}\navailable SA-ALLIED"), "allied", "rally 13 with SA-ALLIED") == cited


@rule("8.25")
def test_enemy_units_are_not_rallied() -> None:
    state = board("at 13 50-1 disordered\nat 12 NAP-1 disordered\navailable SA-ALLIED")
    Play(state, "2 allied admin", answers={"admin": ["rally 13 with SA-ALLIED"]})
    assert state.blocks["NAP-1"].status == "disordered"


# -- 8.26, 8.31, 17.24, 17.25 -----------------------------------------------------------------------


@rule("8.26")
@pytest.mark.parametrize(
    ("line", "cited"), [("at 13 50-1", "8.26"), ("at 13 50-1/3 unsupplied", "9.34d"), ("at at-sea 50-1/3", "8.26")],
    ids=["full", "unsupplied", "not on the map"],
)
def test_replacements_go_to_a_supplied_reduced_unit(line: str, cited: str) -> None:
    assert refused(board(f"{line}\navailable SA-ALLIED"), "allied", "replace 50-1 with SA-ALLIED") == cited


@rule("8.26")
def test_the_eliminated_do_not_come_back() -> None:
    assert refused(board("at eliminated 50-1/0\navailable SA-ALLIED"), "allied", "replace 50-1 with SA-ALLIED") == "8.26"


@rule("8.31")
@pytest.mark.parametrize(("line", "block"), [("at 13 51-1/2", "51-1"), ("at 13 4A/2", "4A")], ids=["elite step", "armor class"])
def test_the_staff_finds_non_elite_infantry_only(line: str, block: str) -> None:
    state = board(f"{line}\navailable STAFF-8")
    assert refused(state, "allied", f"replace {block} with STAFF-8") == "8.31"


@rule("8.31")
def test_a_non_elite_step_of_an_elite_unit_may_be_found() -> None:
    assert "replace 51-1 with STAFF-8" in offers(board("at 13 51-1/1\navailable STAFF-8"), "allied")


@rule("8.3")
def test_the_staff_serves_every_army() -> None:
    assert "replace 1-1 with STAFF-8" in offers(board("at 19 1-1/3\navailable STAFF-8"), "allied")


@rule("17.24")
@pytest.mark.parametrize(
    ("line", "block", "cited"),
    [("at 13 51-1/2", "51-1", "17.24"), ("at 13 4A/2", "4A", "17.24"), ("at 13 1-1/3", "1-1", "8.1"),
     ("at 13 50-1/3 unsupplied", "50-1", "9.34d")],
    ids=["elite step", "armor class", "another army", "unsupplied"],
)
def test_whom_an_infantry_replacement_serves(line: str, block: str, cited: str) -> None:
    assert refused(board(f"{line}\navailable IREP-8A"), "allied", f"replace {block} with IREP-8A") == cited


@rule("17.24")
def test_replacements_reach_a_contested_area() -> None:
    assert "replace 50-1 with IREP-8A" in offers(board("at 13 50-1/3 NAP-1\navailable IREP-8A"), "allied")


@rule("17.24")
def test_replacements_are_of_the_indicated_nationality() -> None:
    state = board("at 6 NAP-1/2\navailable IREP-XA")
    assert refused(state, "axis", "replace NAP-1 with IREP-XA") == "17.24"


@rule("17.25")
def test_armor_replacements_serve_armor_class_only() -> None:
    state = board("at 13 4A/2 50-1/3\nat 6 HG-1/3\navailable AREP-8A AREP-XA")
    assert "replace 4A with AREP-8A" in offers(state, "allied")
    assert "replace HG-1 with AREP-XA" in offers(state, "axis")
    assert refused(state, "allied", "replace 50-1 with AREP-8A") == "17.25"


@rule("8.26")
def test_nobody_strengthens_the_enemy_or_a_garrison_unseen() -> None:
    state = board("at 6 HG-1/3\ngarrison 14 S-1\navailable SA-ALLIED SA-AXIS")
    assert refused(state, "allied", "replace HG-1 with SA-ALLIED")
    assert refused(state, "axis", "replace S-1 with SA-AXIS")


@rule("8.26")
def test_a_proven_garrison_is_a_unit_like_others() -> None:
    state = board("garrison 14 S-1 is S-vet2 proven\navailable SA-AXIS STAFF-X")
    state.blocks["S-1"].steps = 1
    add_chit(state, "IREP-IT", side="axis", kind="infantry-replacement", army="6", nation="it", cls="")
    assert {"replace S-1 with SA-AXIS", "replace S-1 with IREP-IT"} <= set(offers(state, "axis"))


# -- 14.6 -------------------------------------------------------------------------------------------


@rule("14.61")
def test_a_brigade_goes_along_with_a_british_division_only() -> None:
    state = board("available SA-ALLIED")
    keys = offers(state, "allied")
    assert {"release 50 with SA-ALLIED", "release 50 231 with SA-ALLIED", "release 1 with SA-ALLIED"} <= set(keys)
    assert refused(state, "allied", "release 1 231 with SA-ALLIED") == "14.61"
    assert refused(state, "allied", "release 231 with SA-ALLIED") == "14.61"


@rule("14.61")
def test_axis_divisions_are_none_of_it() -> None:
    assert refused(board("available SA-ALLIED"), "allied", "release HG with SA-ALLIED") == "14.61"


@rule("14.61")
def test_two_divisions_take_two_special_actions() -> None:
    assert refused(board("available SA-ALLIED"), "allied", "release 50 51 with SA-ALLIED") == "14.61"


@rule("9.34")
def test_an_unsupplied_unit_of_another_division_is_no_hindrance() -> None:
    assert "release 50 with SA-ALLIED" in offers(board("at 12 51-1 unsupplied\navailable SA-ALLIED"), "allied")


@rule("14.61")
def test_a_division_and_brigade_already_released_is_not_released_again() -> None:
    state = board("released 50 4A\navailable SA-ALLIED")
    assert refused(state, "allied", "release 50 with SA-ALLIED") == "14.61"
    assert refused(state, "allied", "release 51 4A with SA-ALLIED") == "14.61"


@rule("14.61")
def test_a_single_use_special_action_releases_its_own_army() -> None:
    state = board("available SAE-8A")
    assert "release 50 4A with SAE-8A" in offers(state, "allied")
    assert refused(state, "allied", "release 1 with SAE-8A") == "14.61"


@rule("9.34")
def test_an_unsupplied_division_is_not_released() -> None:
    assert refused(board("at 12 50-1 unsupplied\navailable SA-ALLIED"), "allied", "release 50 with SA-ALLIED") == "9.34d"


@rule("14.32")
def test_the_axis_has_nothing_to_release() -> None:
    assert refused(board("available SA-AXIS"), "axis", "release 50 with SA-AXIS") == "14.32"


@rule("14.62")
def test_the_staff_releases_nobody() -> None:
    assert not any(key.startswith("release") for key in offers(board("at 12 50-1\navailable STAFF-8"), "allied"))


@rule("14.63")
def test_the_axis_staff_adds_no_steps() -> None:
    assert refused(board("at 6 NAP-1/2\navailable STAFF-X"), "axis", "replace NAP-1 with STAFF-X") == "14.63"


@rule("14.63")
@pytest.mark.parametrize("chit", ["10SEM", "HGART", "12ART"], ids=["armor class", "German", "not eliminated"])
def test_what_the_axis_staff_cannot_restore(chit: str) -> None:
    state = board("available STAFF-X\nused 12ART\neliminated 10SEM HGART")
    assert refused(state, "axis", f"restore {chit} with STAFF-X") == "14.63"


@rule("14.63")
def test_events_are_not_restored() -> None:
    state = board("available STAFF-X")
    add_chit(state, "IREP-IT", "eliminated", side="axis", kind="infantry-replacement", army="6", nation="it", cls="")
    assert refused(state, "axis", "restore IREP-IT with STAFF-X") == "14.63"


@rule("14.63")
def test_the_allied_staff_restores_nothing() -> None:
    assert refused(board("available STAFF-8\neliminated 50BA"), "allied", "restore 50BA with STAFF-8") == "8.31"


@rule("14.64")
def test_no_reinforcement_is_rerouted() -> None:
    state = board("turn 2\navailable SA-ALLIED SAE-8A\nbeachhead B1")
    play = Play(state, "2 reinforcement", default=True)
    assert {a.kind for a in play.asked} == {"arrival"}
    assert all(o.data["box"] == "B1" for a in play.asked for o in a.options)


@rule("8.27")
def test_the_admin_phase_knows_no_rerouting() -> None:
    assert not any("place" in key or "reroute" in key for key in offers(board("turn 1\navailable SA-ALLIED"), "allied"))


# -- 8.32 -------------------------------------------------------------------------------------------


@rule("8.32")
def test_one_unit_is_shown_to_one_side_until_the_phase_ends() -> None:
    state = board("at 6 NAP-1\nat 13 50-1\navailable STAFF-8")
    play = Play(state, "2 allied admin", answers={"admin": ["spy 6 with STAFF-8"]})
    assert play.of("Seen") == [{"type": "Seen", "block": "NAP-1", "side": "allied"}]
    assert state.seen == {"NAP-1": "allied"}
    assert not state.blocks["NAP-1"].shown
    assert state.chits["STAFF-8"].box == "used"
    [block] = next(a for a in view.view(state, "allied")["areas"] if a["id"] == "6")["blocks"]["axis"]
    assert block["id"] == "NAP-1"
    Play(state, "2 allied counter-admin", default=True)
    assert state.seen == {}


@rule("8.32")
def test_a_secret_die_picks_one_of_two() -> None:
    state = board("at 6 NAP-1 NAP-2\navailable STAFF-8")
    play = Play(state, "2 allied admin", dice=[("8.32", 2)], answers={"admin": ["spy 6 with STAFF-8"]})
    assert state.seen == {"NAP-2": "allied"}
    assert [(r["sides"], r["secret"], r["side"]) for r in play.rolls] == [(2, True, "allied")]


@rule("8.32")
@pytest.mark.parametrize(
    "lines", ["garrison 6 S-1", "at 6 NAP-1 shown", "at 6 50-1", ""], ids=["face-down garrison", "face-up", "own", "nobody"],
)
def test_where_there_is_nothing_to_find_out(lines: str) -> None:
    assert refused(board(f"{lines}\navailable STAFF-8"), "allied", "spy 6 with STAFF-8") == "8.32"


@rule("8.32")
def test_a_garrison_beside_a_regular_is_left_alone() -> None:
    state = board("at 6 NAP-1\ngarrison 6 S-1\navailable STAFF-8")
    Play(state, "2 allied admin", answers={"admin": ["spy 6 with STAFF-8"]})
    assert state.seen == {"NAP-1": "allied"}


@rule("8.32")
def test_a_garrison_that_a_battle_revealed_can_be_seen_again() -> None:
    state = board("garrison 6 S-1 is S-vet2 proven\navailable STAFF-8")
    state.blocks["S-1"].shown = False
    assert "spy 6 with STAFF-8" in offers(state, "allied")


@rule("8.3")
@pytest.mark.parametrize("order", ["reserve 50-1", "spy 6", "replace 51-1"])
def test_the_staff_must_be_available(order: str) -> None:
    state = board("at 13 50-1 51-1/1\nat 6 NAP-1\nused STAFF-8")
    assert refused(state, "allied", f"{order} with STAFF-8") in ("8.3", "8.26")


@rule("8.26")
def test_other_chits_give_no_replacements() -> None:
    assert refused(board("at 13 50-1/3\navailable ENG-1"), "allied", "replace 50-1 with ENG-1") == "8.26"


@rule("8.32")
def test_units_off_shore_and_unsupplied_can_be_seen() -> None:
    keys = offers(board("at B3 50-1\nat 13 51-1 unsupplied\navailable STAFF-X"), "axis")
    assert {"spy B3 with STAFF-X", "spy 13 with STAFF-X"} <= set(keys)


# -- 8.33, 14.7 -------------------------------------------------------------------------------------


@rule("14.7")
@pytest.mark.parametrize(
    ("line", "cited"),
    [("at 13 50-1 disordered", "14.7"), ("at 13 50-1 recovering", "14.7"), ("at 13 50-1 NAP-1", "14.7"),
     ("at 13 50-1 unsupplied", "14.7"), ("at 13 50-1 reserve", "5.21"), ("at B3 50-1", "14.7"),
     ("at 13 50-1\nat 12 51-1 reserve 51-2 reserve", "5.21")],
    ids=["disordered", "recovering", "contested", "unsupplied", "already", "afloat", "no marker left"],
)
def test_who_may_be_put_in_reserve(line: str, cited: str) -> None:
    assert refused(board(f"{line}\navailable STAFF-8"), "allied", "reserve 50-1 with STAFF-8") == cited


@rule("8.33")
def test_the_enemys_units_are_not_put_in_reserve() -> None:
    assert refused(board("at 6 NAP-1\navailable STAFF-8"), "allied", "reserve NAP-1 with STAFF-8") == "8.33"


@rule("14.71")
def test_axis_reserves_know_no_nation_or_boundary() -> None:
    keys = offers(board("at 6 NAP-1\nat 25 HG-1\navailable STAFF-X"), "axis")
    assert {"reserve NAP-1 with STAFF-X", "reserve HG-1 with STAFF-X"} <= set(keys)


@rule("14.72")
def test_allied_reserves_may_stand_outside_their_boundary() -> None:
    keys = offers(board("at 16 50-1\nat 19 1-1\navailable STAFF-8"), "allied")
    assert {"reserve 50-1 with STAFF-8", "reserve 1-1 with STAFF-8"} <= set(keys)


@rule("14.6")
def test_the_axis_releases_nobody_and_the_allies_restore_nobody() -> None:
    state = board("available SA-ALLIED SA-AXIS STAFF-8 STAFF-X\neliminated 12ART 50BA")
    assert {key.split()[0] for key in offers(state, "allied")} == {"release"}
    assert {key.split()[0] for key in offers(state, "axis")} == {"restore"}


@rule("17.2")
@rule("16.2")
def test_assets_without_an_army_serve_both() -> None:
    state = board("at 13 50-1/3\nat 19 1-1/3")
    add_chit(state, "IREP-7", kind="infantry-replacement", army="7", nation="us")
    add_chit(state, "SA-2", kind="special", army="", nation="")
    keys = offers(state, "allied")
    assert {"replace 50-1 with SA-2", "replace 1-1 with SA-2", "replace 1-1 with IREP-7"} <= set(keys)
    assert refused(state, "allied", "replace 50-1 with IREP-7") == "8.1"
