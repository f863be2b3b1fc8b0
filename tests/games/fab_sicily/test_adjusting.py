"""Corrections by the referee: what is refused, what is done, who sees what of it."""

import pytest

from pbem.core.asks import Refusal
from pbem.games.fab_sicily import RULESET
from pbem.games.fab_sicily.words import adjusting
from pbem.games.fab_sicily.position import events as e
from pbem.games.fab_sicily.telling.sentences import SENTENCES, Names
from pbem.games.fab_sicily.position.view import event_view, visibility
from tests.games.fab_sicily.play import board

PLACE = """at 4 50-1
at 13 NAP-1
available 3CDO"""


def made(state, text: str) -> e.Adjusted:
    event = RULESET.words.adjustment(state, text.split())
    assert isinstance(event, e.Adjusted), event
    RULESET.apply(state, event)
    return event


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("steps 50-1 1", lambda s: s.blocks["50-1"].steps == 1), ("place 50-1 13", lambda s: s.blocks["50-1"].area == "13"),
        ("status 50-1 disordered", lambda s: s.blocks["50-1"].status == "disordered"),
        ("supply 50-1 no", lambda s: not s.blocks["50-1"].supplied), ("reserve 50-1 on", lambda s: s.blocks["50-1"].reserve),
        ("box 3cdo cup", lambda s: s.chits["3CDO"].box == "cup"), ("control 13 allied", lambda s: s.control["13"] == "allied"),
        ("works 13 axis", lambda s: s.works["13"] == "axis"), ("roadblock 13 none", lambda s: "13" not in s.roadblocks),
    ],
)
def test_each_correction_is_folded_and_survives_the_journal(text, holds) -> None:
    state = board(PLACE)
    event = made(state, text)
    assert holds(state) and not RULESET.check(state)
    again = board(PLACE)
    RULESET.apply(again, RULESET.event_from(RULESET.event_data(event)))
    assert RULESET.dump(again) == RULESET.dump(state)


def test_every_form_has_a_fold_and_bridges_and_ports_are_among_them() -> None:
    state = board(PLACE)
    border = next(b.id for b in state.data.borders.values() if b.river)
    made(state, f"bridge {border} blown")
    assert border in state.blown
    made(state, f"bridge {border} whole")
    assert border not in state.blown
    assert set(adjusting.FORMS) == set(adjusting._FOLDS)


@pytest.mark.parametrize(
    "text", ["", "steps", "steps 50-1", "steps 50-1 9", "steps nobody 1", "place 50-1 nowhere", "box 50-1 cup", "win allied now",
             "bridge 99-98 blown", "status 50-1 happy", "box 3CDO map"],
)  # fmt: skip
def test_what_cannot_be_corrected_is_refused_with_the_form(text: str) -> None:
    found = adjusting.adjustment(board(PLACE), text.split())
    assert isinstance(found, Refusal) and found.reason


def test_the_other_side_does_not_learn_which_block() -> None:
    state = board(PLACE)
    event = made(state, "steps 50-1 1")
    payload = {"event": RULESET.event_data(event), **visibility(state, event)}
    assert payload["side"] == "allied" and not payload["open"]
    own, seen = event_view(payload, "allied"), event_view(payload, "axis")
    assert own and "50-1" in SENTENCES["Adjusted"](own, Names(state.data))["text"]
    told = SENTENCES["Adjusted"](seen, Names(state.data))["text"]
    assert seen and "50-1" not in str(seen) and "1" not in told.replace("13", "").replace("[4]", "") and "steps" in told
