"""6.0, 7.4 What the audit of combat found: readings that no other test would miss."""

from __future__ import annotations

from tests.games.fab_sicily.fights import dice, rule
from tests.games.fab_sicily.play import Play, board

RIVER = """
    at 15 50-1/3 shown 50-2/3 shown
    at 15 NAP-1/3 shown
    entered 15 50-1 from 14 by blown
    entered 15 50-2 from 14 by river
    assault 15 river
    blown 14-15
    control allied 14 4
    beachhead B3
    available SA-ALLIED
"""


@rule("6.41")
def test_a_second_round_of_a_river_assault_is_aborted_back_across_the_river() -> None:
    """6.41b, 9.5 The marker lies until the Supply Phase, and who aborts cannot remain in place."""
    state = board(RIVER)
    Play(state, "2 allied breakthrough", default=True)
    play = Play(
        state, "2 allied breakthrough-combat", dice("6.27: 1 1 1"),
        answers={"battle": ["fight 15 with SA-ALLIED", "done"], "abort": "abort"}, default=True,
    )
    assert not play.faces_left and play.of("Aborted")
    assert [(state.blocks[u].area, state.blocks[u].status) for u in ("50-1", "50-2")] == [("14", "disordered")] * 2


@rule("9.5")
def test_in_a_second_round_the_assault_still_counts_for_the_success_numbers() -> None:
    state = board(RIVER)
    Play(state, "2 allied breakthrough", default=True)
    play = Play(
        state, "2 allied breakthrough-combat", dice("6.27: 9 9 9 | 6.28: 9 9 9 9 9 9 9"),
        answers={"battle": ["fight 15 with SA-ALLIED", "done"]}, default=True,
    )
    assert {f["side"]: dict(f["mods"])["river assault"] for f in play.of("Fired")} == {"axis": 1, "allied": -1}
